//! From text to boards.
//!
//! A text is either *single*, one board as people write it down, or a
//! *collection*, one board a line with an optional name and known length. Both
//! are read leniently where the meaning is clear (separators are only
//! separators, line ends of every system, pasted lists in brackets) and refused
//! with line, column and advice where it is not. This module is handed bytes
//! and the name of where they came from; it opens no file.

mod arrange;
mod error;
mod scan;
#[cfg(test)]
mod tests;

pub use error::{ParseError, ParseErrorKind, Position};
pub use scan::line_ends;

use std::fmt;
use std::str::FromStr;

use super::{Board, Shape};
use arrange::arrange;
use error::Fault;
use scan::{Line, Number, Rows, beginning, is_filler, lines, lines_after};

/// A board as it was found in a text, with what was written beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name before the colon, in a collection.
    pub name: Option<String>,
    /// The line of the board's first number, counted from 1.
    pub line: usize,
    /// The board.
    pub board: Board,
    /// The optimal length, where a comment such as `# 12` tells it.
    pub known_length: Option<u32>,
    /// The number alone on the first line of a single board: how many moves a
    /// solution may have.
    pub allowed_length: Option<u32>,
}

/// How a text is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// One board, over as many lines as it likes.
    Single,
    /// One board a line.
    Collection,
    /// A collection if the first line with content has a `name:`, or if there
    /// are at least two such lines and each is a board by itself; else single.
    ///
    /// The second rule never misreads a board: each of its rows would have to
    /// contain the tile 1.
    #[default]
    Sniff,
}

/// What the caller knows about a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextOptions {
    /// The shape that the boards must have. Without it, the rows tell, and
    /// numbers that are not in rows must be a square number of them.
    pub shape: Option<Shape>,
    /// The layout.
    pub form: Form,
}

/// Reads all boards of a text.
///
/// A single text gives exactly one result. A collection gives one for each line
/// with content, so that a bad line does not hide the others; without any, the
/// one result is [`ParseErrorKind::Empty`]. `source` is the name that errors
/// show: a path, "standard input".
pub fn parse(source: &str, bytes: &[u8], options: &TextOptions) -> Vec<Result<Entry, ParseError>> {
    let collection = match options.form {
        Form::Single => false,
        Form::Collection => true,
        Form::Sniff => looks_like_collection(bytes, options.shape),
    };
    if collection {
        let entries = collection_entries(bytes, options.shape);
        let mut results: Vec<_> =
            entries.map(|entry| entry.map_err(|fault| fault.at(source))).collect();
        if results.is_empty() {
            let fault = Fault { spot: beginning(bytes), kind: ParseErrorKind::Empty };
            results.push(Err(fault.at(source)));
        }
        results
    } else {
        vec![parse_one(source, bytes, options.shape)]
    }
}

/// Reads some lines of a collection, which come after this many others: one result for each line
/// with content. Large collections are read piece by piece.
pub fn parse_lines(
    source: &str,
    bytes: &[u8],
    shape: Option<Shape>,
    lines_before: usize,
) -> Vec<Result<Entry, ParseError>> {
    let entries = entries_of(lines_after(bytes, lines_before), shape);
    entries.map(|entry| entry.map_err(|fault| fault.at(source))).collect()
}

/// The names in a collection with their lines, whether or not there are boards to them.
pub fn names(bytes: &[u8]) -> impl Iterator<Item = (usize, &str)> {
    // Many collections have none, and this takes next to no time.
    let bytes = if bytes.contains(&b':') { bytes } else { &[] };
    lines(bytes).filter_map(|line| {
        let (name, _) = line.content().ok()?.rsplit_once(':')?;
        Some((line.number, name.trim())).filter(|(_, name)| !name.is_empty())
    })
}

/// Whether a collection has no line with content.
pub fn has_no_content(bytes: &[u8]) -> bool {
    lines(bytes).all(|line| matches!(line.content(), Ok(content) if is_filler(content)))
}

/// Reads a text that is a single board.
///
/// ```
/// use permutile::board::text::parse_one;
///
/// let entry = parse_one("argument", b"5 3 8/0 2 4/1 7 6", None)?;
/// assert_eq!(entry.board.shape().to_string(), "3x3");
///
/// let error = parse_one("argument", b"5 3 8/0 2 9/1 7 6", None).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "argument:1:11: 9 is out of range; a 3x3 board with a blank 0 has tiles up to 8"
/// );
/// # Ok::<(), permutile::board::text::ParseError>(())
/// ```
///
/// # Errors
/// If the text is not one valid board, of the given shape if there is one.
pub fn parse_one(source: &str, bytes: &[u8], shape: Option<Shape>) -> Result<Entry, ParseError> {
    single_entry(bytes, shape).map_err(|fault| fault.at(source))
}

/// As [`parse_one`], of a text without a name.
impl FromStr for Board {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Board, ParseError> {
        parse_one("board", text.as_bytes(), None).map(|entry| entry.board)
    }
}

/// Whether a text of unknown form is a collection; see [`Form::Sniff`].
fn looks_like_collection(bytes: &[u8], shape: Option<Shape>) -> bool {
    let mut contents =
        lines(bytes).map(Line::content).filter(|c| !matches!(c, Ok(c) if is_filler(c)));
    let Some(Ok(first)) = contents.next() else { return false };
    if first.contains(':') {
        return true;
    }
    contents.next().is_some() && collection_entries(bytes, shape).all(|entry| entry.is_ok())
}

/// The boards of a collection, line by line.
fn collection_entries(
    bytes: &[u8],
    shape: Option<Shape>,
) -> impl Iterator<Item = Result<Entry, Fault<'_>>> {
    entries_of(lines(bytes), shape)
}

fn entries_of<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    shape: Option<Shape>,
) -> impl Iterator<Item = Result<Entry, Fault<'a>>> {
    lines.filter_map(move |line| match line.content() {
        Ok(content) if is_filler(content) => None,
        Ok(content) => Some(collection_entry(line, content, shape)),
        Err(fault) => Some(Err(fault)),
    })
}

/// One line of a collection: `name: 1 2 3 4 # 12`.
fn collection_entry<'a>(
    line: Line<'a>,
    content: &'a str,
    shape: Option<Shape>,
) -> Result<Entry, Fault<'a>> {
    // The last colon, so that a name may be a path of any system.
    let colon = content.rfind(':');
    let name = content[..colon.unwrap_or(0)].trim();
    let start = colon.map_or(0, |colon| colon + 1);
    let mut rows = Rows::default();
    rows.read(line, start)?;
    Ok(Entry {
        name: (!name.is_empty()).then(|| name.to_owned()),
        line: line.number,
        board: arrange(rows.all(), shape, line.spot(content.len()))?,
        // "12 proven by X" also tells the length; other words are only a comment.
        known_length: line.comment().and_then(|c| c.split_whitespace().next()?.parse().ok()),
        allowed_length: None,
    })
}

/// The board of a single text.
fn single_entry(bytes: &[u8], shape: Option<Shape>) -> Result<Entry, Fault<'_>> {
    let mut rows = Rows::default();
    let mut last = None;
    for line in lines(bytes) {
        let before = rows.count();
        rows.read(line, 0)?;
        if rows.count() > before {
            last = Some(line);
        }
        if rows.is_full() {
            break;
        }
    }
    let (allowed_length, rows) = allowed_length(rows.all())?;
    Ok(Entry {
        name: None,
        line: rows.iter().flatten().next().map_or(1, |first| first.spot.line.number),
        board: arrange(rows, shape, beginning(bytes))?,
        // Stricter than in a collection: a remark on a row may begin with a number.
        known_length: last.and_then(Line::comment).and_then(|c| c.trim().parse().ok()),
        allowed_length,
    })
}

/// Takes off the first line of a grader's file: a number alone, and then the
/// board. No board begins like that, since rows have two numbers or more; a
/// column of single numbers is left as it is.
fn allowed_length<'r, 'a>(
    rows: &'r [Vec<Number<'a>>],
) -> Result<(Option<u32>, &'r [Vec<Number<'a>>]), Fault<'a>> {
    if let [first, rest @ ..] = rows
        && let [number] = first[..]
        && let Some([next, _, ..]) = rest.first().map(Vec::as_slice)
        && next.spot.line.number != number.spot.line.number
    {
        let found = || ParseErrorKind::BadLength { found: error::clean(number.text) };
        let length = number.text.parse().map_err(|_| Fault { spot: number.spot, kind: found() })?;
        return Ok((Some(length), rest));
    }
    Ok((None, rows))
}

impl fmt::Display for Entry {
    /// The line of a collection, `name: 1 2 3 4 # 12`, which reads back as this
    /// entry but for its line number and allowed length. In a name, `#` and
    /// control characters become `_`: they could not be read back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.name.as_deref().map(str::trim)
            && !name.is_empty()
        {
            let unreadable = |c: char| c == '#' || c.is_control();
            write!(f, "{}: ", name.replace(unreadable, "_"))?;
        }
        write!(f, "{}", self.board)?;
        match self.known_length {
            Some(length) => write!(f, " # {length}"),
            None => Ok(()),
        }
    }
}
