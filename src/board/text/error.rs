//! What can be wrong with a board text, where, and what to do about it.

use std::fmt;

use super::super::{MAX_CELLS, Shape, Tile, largest_tile};
use super::scan::Spot;

/// The most characters of a line that a snippet shows.
const SNIPPET_WIDTH: usize = 76;
/// The most characters of a word that a message shows.
const WORD_WIDTH: usize = 24;

/// Why a text is not a board, and where.
///
/// Displayed on one line: `path:line:column: what was found; what was expected`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where the text came from, as the caller named it.
    pub source: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, as in [`Position::column`].
    pub column: usize,
    /// What is wrong.
    pub kind: ParseErrorKind,
    excerpt: Option<Excerpt>,
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1; one more than the line has if something
    /// is missing at its end.
    pub column: usize,
}

/// What is wrong with a board text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseErrorKind {
    /// A word that is no integer.
    #[error("\"{found}\" is not a number; expected an integer")]
    NotANumber {
        /// The word, shortened if need be.
        found: String,
    },
    /// A number that no tile of this board can have.
    #[error("{found} is out of range; {}", tiles_of(*.shape, *.blank))]
    OutOfRange {
        /// The number as it was written, shortened if need be.
        found: String,
        /// The shape of the board.
        shape: Shape,
        /// Whether the board has a blank.
        blank: bool,
    },
    /// The same tile twice.
    #[error("tile {tile} is here again after {first}; expected each tile once{}", no_tile(*.missing))]
    Twice {
        /// The tile.
        tile: Tile,
        /// Where it was first.
        first: Position,
        /// The smallest tile that is not there at all.
        missing: Option<Tile>,
    },
    /// More than one `0`.
    #[error("a second blank 0 after the one at {first}; expected at most one")]
    TwoBlanks {
        /// Where the first one is.
        first: Position,
    },
    /// A board without rows that is complete but for one tile.
    #[error("{}; expected {} numbers for a {shape} board", missing(*.tile, *.or), .shape.cells())]
    Missing {
        /// The tile that is missing.
        tile: Tile,
        /// Another one that would do as well.
        or: Option<Tile>,
        /// The shape of the board.
        shape: Shape,
    },
    /// Rows of different lengths.
    #[error("row {row} has {}; expected {first} as in row 1", numbers(*.found))]
    Ragged {
        /// The first row that differs from row 1, counted from 1.
        row: usize,
        /// How many numbers it has.
        found: usize,
        /// How many numbers row 1 has.
        first: usize,
    },
    /// A number of numbers that makes no board.
    #[error("found {}; expected {}", numbers(*.found), count_for(*.shape))]
    WrongCount {
        /// How many there are.
        found: usize,
        /// The shape that was asked for.
        shape: Option<Shape>,
    },
    /// Rows that make another shape than was asked for.
    #[error("found a {found} board; expected {wanted}")]
    ShapeMismatch {
        /// The shape of the rows.
        found: Shape,
        /// The shape that was asked for.
        wanted: Shape,
    },
    /// More numbers than the largest board has cells.
    #[error("found more than {MAX_CELLS} numbers; expected a board of at most {MAX_CELLS} cells")]
    TooLarge,
    /// A word of digits that is no board with one or two of them for each tile.
    #[error("found {found} digits without spaces; expected {}", digits_for(*.shape))]
    DigitCount {
        /// How many there are.
        found: usize,
        /// The shape that was asked for.
        shape: Option<Shape>,
    },
    /// A number before the board that is neither its size nor an allowed length.
    #[error(
        "{found} stands alone before the board; expected its size or the allowed number of moves there"
    )]
    BadLength {
        /// The number as it was written, shortened if need be.
        found: String,
    },
    /// No numbers.
    #[error("found no numbers; expected a board")]
    Empty,
    /// A byte that is not part of UTF-8 text.
    #[error("found the byte 0x{byte:02X}, which is not UTF-8; expected plain text")]
    NotUtf8 {
        /// The byte.
        byte: u8,
    },
}

/// An error before it knows the name of its text and its line and column.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    pub(super) spot: Spot<'a>,
    pub(super) kind: ParseErrorKind,
}

/// A line, or the part of it around the error, ready for showing.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Excerpt {
    text: String,
    /// How many characters stand before the caret.
    indent: usize,
}

impl ParseError {
    /// Where in the text.
    pub fn position(&self) -> Position {
        Position { line: self.line, column: self.column }
    }

    /// What to do about it: one sentence without a full stop.
    pub fn help(&self) -> String {
        self.kind.help()
    }

    /// The line in question and below it a caret at the column, if the line has
    /// anything to show. A long line is cut on both sides.
    pub fn snippet(&self) -> Option<String> {
        let Excerpt { text, indent } = self.excerpt.as_ref()?;
        Some(format!("{text}\n{:indent$}^", ""))
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.source, self.line, self.column, self.kind)
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl ParseErrorKind {
    /// What to do about it: one sentence without a full stop.
    pub fn help(&self) -> String {
        match self {
            Self::NotANumber { found } if found.ends_with(':') => {
                "a name before a board is for files with one board a line (*.boards)".to_owned()
            }
            Self::NotANumber { found } if is_like_a_blank(found) => {
                "if this is the blank, write it as 0".to_owned()
            }
            Self::NotANumber { .. } => "write a board as integers between spaces, commas or \
                 semicolons; # starts a comment"
                .to_owned(),
            Self::OutOfRange { shape, .. } => format!(
                "the tiles of a {shape} board are 1 to {} and a blank 0, or 1 to {} without a 0",
                largest_tile(*shape, true),
                largest_tile(*shape, false),
            ),
            Self::Twice { missing: Some(missing), .. } => {
                format!("is one of the two meant to be {missing}?")
            }
            Self::Twice { missing: None, .. } => "write each tile once".to_owned(),
            Self::TwoBlanks { .. } => "a board has one blank 0 or none".to_owned(),
            Self::Missing { tile, or: None, .. } => format!("add {tile} where it belongs"),
            Self::Missing { or: Some(or), .. } => {
                format!("add the blank as 0, or {or} if the board has no blank")
            }
            Self::Ragged { .. } => {
                "give every row the same number of tiles, the blank written as 0".to_owned()
            }
            Self::WrongCount { shape: None, .. } => {
                "write one row a line, separate rows by /, or give the shape".to_owned()
            }
            Self::WrongCount { shape: Some(shape), .. } => {
                format!("write {} numbers, or give another shape", shape.cells())
            }
            Self::ShapeMismatch { found, .. } => {
                format!("give the shape {found}, or none: the rows tell the shape")
            }
            Self::TooLarge => "a file with one board a line should be named *.boards".to_owned(),
            Self::DigitCount { shape: None, .. } => {
                "put spaces or commas between the tiles, or give the shape".to_owned()
            }
            Self::DigitCount { shape: Some(_), .. } => {
                "put spaces or commas between the tiles, or give each two digits, as in 000102"
                    .to_owned()
            }
            Self::BadLength { .. } => "make it a whole number from 0 on, or remove it".to_owned(),
            Self::Empty => "write a board as integers, one row a line, as in 1 2 / 3 4".to_owned(),
            Self::NotUtf8 { .. } => "save the file as plain text in UTF-8".to_owned(),
        }
    }
}

impl Fault<'_> {
    /// The error to show for a text of this name.
    pub(super) fn at(self, source: &str) -> ParseError {
        let Position { line, column } = self.spot.position();
        let excerpt = Excerpt::new(&self.spot.line.shown(), column - 1);
        ParseError { source: source.to_owned(), line, column, kind: self.kind, excerpt }
    }
}

impl Excerpt {
    /// Cuts out of `line` what stands around the character number `at`, which
    /// may be its end.
    fn new(line: &str, at: usize) -> Option<Excerpt> {
        let line = line.trim_end();
        if line.is_empty() {
            return None;
        }
        let length = line.chars().count();
        let start = at.saturating_sub(SNIPPET_WIDTH / 2).min(length.saturating_sub(SNIPPET_WIDTH));
        let mut text = String::new();
        if start > 0 {
            text.push('…');
        }
        // Escape sequences and tabs would move the caret or worse.
        text.extend(line.chars().skip(start).take(SNIPPET_WIDTH).map(|c| match c {
            '\t' => ' ',
            c if c.is_control() => char::REPLACEMENT_CHARACTER,
            c => c,
        }));
        if start + SNIPPET_WIDTH < length {
            text.push('…');
        }
        Some(Excerpt { text, indent: at - start + usize::from(start > 0) })
    }
}

/// A word of the text, made fit for a message: short and without control characters.
pub(super) fn clean(word: &str) -> String {
    let mut chars = word.chars();
    let mut text: String = chars.by_ref().take(WORD_WIDTH).flat_map(char::escape_debug).collect();
    if chars.next().is_some() {
        text.push('…');
    }
    text
}

/// What people write for the empty cell.
fn is_like_a_blank(word: &str) -> bool {
    let blanks =
        ["_", "__", ".", "x", "X", "*", "-", "--", "b", "B", "blank", "empty", "None", "null"];
    blanks.contains(&word)
}

fn numbers(count: usize) -> String {
    if count == 1 { "1 number".to_owned() } else { format!("{count} numbers") }
}

fn tiles_of(shape: Shape, blank: bool) -> String {
    let largest = largest_tile(shape, blank);
    if blank {
        format!("a {shape} board with a blank 0 has tiles up to {largest}")
    } else {
        format!("a {shape} board without a blank has tiles 1 to {largest}")
    }
}

fn no_tile(missing: Option<Tile>) -> String {
    missing.map(|tile| format!(", and tile {tile} is missing")).unwrap_or_default()
}

fn missing(tile: Tile, or: Option<Tile>) -> String {
    match or {
        Some(or) => format!("{tile} or {or} is missing"),
        None => format!("tile {tile} is missing"),
    }
}

fn count_for(shape: Option<Shape>) -> String {
    match shape {
        Some(shape) => format!("{} for a {shape} board", shape.cells()),
        None => "rows, or a square number from 4 on".to_owned(),
    }
}

fn digits_for(shape: Option<Shape>) -> String {
    match shape.map(|shape| (shape, shape.cells())) {
        None => "one for each tile of a square (4 or 9), or two (8, 18, 32, 50, …)".to_owned(),
        Some((shape, cells @ ..=10)) => {
            format!("{cells} or {} for a {shape} board, one or two for each tile", 2 * cells)
        }
        Some((shape, cells)) => format!("{} for a {shape} board, two for each tile", 2 * cells),
    }
}
