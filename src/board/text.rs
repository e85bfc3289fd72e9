//! From text to boards.
//!
//! A text is either *single*, one board as people write it down, or a
//! *collection*, one board a line with an optional name and known length, or
//! several single boards with empty lines between them. All
//! are read leniently where the meaning is clear (separators are only
//! separators, line ends of every system, pasted lists in brackets) and refused
//! with line, column and advice where it is not. This module is handed bytes
//! and the name of where they came from; it opens no file.

mod arrange;
mod compact;
mod error;
mod scan;
#[cfg(test)]
mod tests;

pub use error::{ParseError, ParseErrorKind, Position};
pub use scan::line_ends;

use std::fmt;
use std::str::FromStr;

use super::{Board, MAX_CELLS, Shape};
use arrange::arrange;
use error::Fault;
use scan::{Line, Number, Rows, Word, beginning, is_filler, lines, lines_after};

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
    /// What the number alone on the line before a single board says.
    pub heading: Option<Heading>,
}

/// What a number alone on the line before a board says: its size if that fits, else how many moves
/// a solution may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heading {
    /// The board has as many rows as columns, and this many.
    Size,
    /// A solution may have so many moves.
    AllowedLength(u32),
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
    /// What is no single board, but has one of several lines between empty
    /// lines, or nothing but boards between them, is several.
    ///
    /// None of that misreads a board: each of its parts would have to contain
    /// the tile 1.
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
    let &TextOptions { shape, form } = options;
    let results = match form {
        Form::Single => vec![single_entry(lines(bytes), shape)],
        Form::Collection => collection_entries(bytes, shape).collect(),
        Form::Sniff if looks_like_collection(bytes, shape) => {
            collection_entries(bytes, shape).collect()
        }
        Form::Sniff => match single_entry(lines(bytes), shape) {
            Err(_) if has_several_boards(bytes, shape) => {
                paragraphs(bytes).map(|lines| single_entry(lines.into_iter(), shape)).collect()
            }
            single => vec![single],
        },
    };
    let mut results: Vec<_> =
        results.into_iter().map(|entry| entry.map_err(|fault| fault.at(source))).collect();
    if results.is_empty() {
        let fault = Fault { spot: beginning(bytes), kind: ParseErrorKind::Empty };
        results.push(Err(fault.at(source)));
    }
    results
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
    single_entry(lines(bytes), shape).map_err(|fault| fault.at(source))
}

/// Whether a text is written as a board without anything between its tiles, or at least was meant
/// to be: `102345678`, `123/456/780`, `ABCD/EFGH/…`.
pub fn looks_compact(text: &str) -> bool {
    word_rows(lines(text.as_bytes()), 0).is_ok_and(|rows| compact::is_like(rows.all()))
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
    // A number alone before a board may look like a board without spaces.
    contents.next().is_some()
        && collection_entries(bytes, shape).all(|entry| entry.is_ok())
        && entry_of_numbers(lines(bytes), shape).is_err()
}

/// Whether a text that is no single board has several between empty lines; see [`Form::Sniff`].
fn has_several_boards(bytes: &[u8], shape: Option<Shape>) -> bool {
    let (mut count, mut all) = (0, true);
    for lines in paragraphs(bytes) {
        let several_lines = lines.len() > 1;
        let is_board = single_entry(lines.into_iter(), shape).is_ok();
        if is_board && several_lines {
            return true;
        }
        (count, all) = (count + 1, all && is_board);
    }
    all && count > 1
}

/// The lines with content between empty lines, up to more than any board has.
fn paragraphs(bytes: &[u8]) -> impl Iterator<Item = Vec<Line<'_>>> {
    let mut lines = lines(bytes).peekable();
    std::iter::from_fn(move || {
        let mut paragraph = Vec::new();
        while let Some(line) = lines.next_if(|line| paragraph.is_empty() || !line.is_empty()) {
            let has_content = !matches!(line.content(), Ok(content) if is_filler(content));
            if has_content && paragraph.len() < MAX_CELLS + 3 {
                paragraph.push(line);
            }
        }
        (!paragraph.is_empty()).then_some(paragraph)
    })
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
    let board = || {
        let mut rows = Rows::default();
        rows.read(line, start, Number::read)?;
        arrange(rows.all(), shape, line.spot(content.len()))
    };
    let without_spaces = |fault| match word_rows(std::iter::once(line), start) {
        Ok(rows) => compact::board(rows.all(), shape, fault),
        Err(_) => Err(fault),
    };
    Ok(Entry {
        name: (!name.is_empty()).then(|| name.to_owned()),
        line: line.number,
        board: board().or_else(without_spaces)?,
        // "12 proven by X" also tells the length; other words are only a comment.
        known_length: line.comment().and_then(|c| c.split_whitespace().next()?.parse().ok()),
        heading: None,
    })
}

/// The board of a single text.
fn single_entry<'a>(
    lines: impl Iterator<Item = Line<'a>> + Clone,
    shape: Option<Shape>,
) -> Result<Entry, Fault<'a>> {
    entry_of_numbers(lines.clone(), shape).or_else(|fault| {
        let Ok(rows) = word_rows(lines, 0) else { return Err(fault) };
        let (heading, rows) = word_heading(rows.all());
        let board = compact::board(rows, shape, fault)?;
        let mut words = rows.iter().flatten();
        let first = words.next();
        let last = words.next_back().or(first);
        let heading = heading.map(|word| meaning(Number::read(word)?, board.shape()));
        Ok(Entry {
            name: None,
            line: first.map_or(1, |word| word.spot.line.number),
            board,
            known_length: last.and_then(|word| known_length(word.spot.line)),
            heading: heading.transpose()?,
        })
    })
}

/// The board of a single text whose tiles are numbers between separators.
fn entry_of_numbers<'a>(
    mut lines: impl Iterator<Item = Line<'a>> + Clone,
    shape: Option<Shape>,
) -> Result<Entry, Fault<'a>> {
    let beginning = lines.clone().next().unwrap_or_default().spot(0);
    let mut rows = Rows::default();
    let mut last = None;
    for line in lines.by_ref() {
        let before = rows.count();
        rows.read(line, 0, Number::read)?;
        if rows.count() > before {
            last = Some(line);
        }
        if rows.is_full() {
            break;
        }
    }
    let (heading, rows) = heading(rows.all());
    let board = arrange(rows, shape, beginning)?;
    Ok(Entry {
        name: None,
        line: rows.iter().flatten().next().map_or(1, |first| first.spot.line.number),
        heading: heading.map(|number| meaning(number, board.shape())).transpose()?,
        board,
        known_length: last.and_then(known_length),
    })
}

/// The optimal length after the last row of a single board. Stricter than in a collection: a remark
/// on a row may begin with a number.
fn known_length(line: Line<'_>) -> Option<u32> {
    line.comment()?.trim().parse().ok()
}

/// The words of some lines, from byte `start` of each on.
fn word_rows<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    start: usize,
) -> Result<Rows<Word<'a>>, Fault<'a>> {
    let mut rows = Rows::default();
    for line in lines {
        rows.read(line, start, Ok)?;
        if rows.is_full() {
            break;
        }
    }
    Ok(rows)
}

/// Takes off the first line of a grader's or a course's file: a number alone, and then the
/// board. No board begins like that, since rows have two numbers or more; a
/// column of single numbers is left as it is.
fn heading<'r, 'a>(rows: &'r [Vec<Number<'a>>]) -> (Option<Number<'a>>, &'r [Vec<Number<'a>>]) {
    if let [first, rest @ ..] = rows
        && let [number] = first[..]
        && let Some([next, _, ..]) = rest.first().map(Vec::as_slice)
        && next.spot.line.number != number.spot.line.number
    {
        return (Some(number), rest);
    }
    (None, rows)
}

/// As [`heading`], of a board without spaces.
fn word_heading<'r, 'a>(rows: &'r [Vec<Word<'a>>]) -> (Option<Word<'a>>, &'r [Vec<Word<'a>>]) {
    if let [first, rest @ ..] = rows
        && let [word] = first[..]
        && word.text.bytes().all(|byte| byte.is_ascii_digit())
        && rest.iter().flatten().all(|next| next.spot.line.number != word.spot.line.number)
        && !compact::is_like(rows)
        && compact::is_like(rest)
    {
        return (Some(word), rest);
    }
    (None, rows)
}

/// What a number alone before a board of this shape says.
fn meaning(number: Number<'_>, shape: Shape) -> Result<Heading, Fault<'_>> {
    if shape.is_square() && number.value.map(usize::from) == Some(shape.rows()) {
        return Ok(Heading::Size);
    }
    let found = || ParseErrorKind::BadLength { found: error::clean(number.text) };
    let length = number.text.parse().map_err(|_| Fault { spot: number.spot, kind: found() })?;
    Ok(Heading::AllowedLength(length))
}

impl fmt::Display for Entry {
    /// The line of a collection, `name: 1 2 3 4 # 12`, which reads back as this
    /// entry but for its line number and heading. In a name, `#` and
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
