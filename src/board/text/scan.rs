//! From bytes to lines, and from lines to rows of numbers with their places.

use super::super::MAX_CELLS;
use super::error::{self, Fault, ParseErrorKind, Position};

/// A line of a text, without its end.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Line<'a> {
    /// Counted from 1.
    pub(super) number: usize,
    bytes: &'a [u8],
}

/// A place in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<'a> {
    pub(super) line: Line<'a>,
    /// In bytes.
    offset: usize,
}

/// An integer as it was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number<'a> {
    pub(super) spot: Spot<'a>,
    pub(super) text: &'a str,
    /// `None` if it is negative or too large for any tile.
    pub(super) value: Option<u16>,
}

/// Something between separators, whatever it means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) spot: Spot<'a>,
    pub(super) text: &'a str,
}

/// The numbers or words of one board, row by row as the text has them; no row is empty.
pub(super) struct Rows<W> {
    rows: Vec<Vec<W>>,
    count: usize,
    /// Whether the next one belongs to the last row.
    open: bool,
}

impl<W> Default for Rows<W> {
    fn default() -> Rows<W> {
        Rows { rows: Vec::new(), count: 0, open: false }
    }
}

/// The lines of a text. Each of `\n`, `\r\n` and a lone `\r` ends one.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> + Clone {
    lines_after(bytes, 0)
}

/// The lines of the rest of a text, of which this many lines come before.
pub(super) fn lines_after(bytes: &[u8], before: usize) -> impl Iterator<Item = Line<'_>> + Clone {
    let mark = if before == 0 { "\u{feff}" } else { "" };
    let mut rest = Some(bytes.strip_prefix(mark.as_bytes()).unwrap_or(bytes));
    (before + 1..).map_while(move |number| {
        let text = rest?;
        let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        rest = end.map(|end| {
            let after = &text[end..];
            after.strip_prefix(b"\r\n").unwrap_or(&after[1..])
        });
        Some(Line { number, bytes: &text[..end.unwrap_or(text.len())] })
    })
}

/// How many lines end in a text. This takes next to no time, even for millions of lines.
pub fn line_ends(bytes: &[u8]) -> usize {
    let lone_returns = match count(b'\r', bytes) {
        // As in most texts.
        0 => 0,
        returns => returns - bytes.windows(2).filter(|pair| pair == b"\r\n").count(),
    };
    count(b'\n', bytes) + lone_returns
}

/// How often a byte occurs. So many are counted at a time that the counts fit a byte: then the
/// compiler has as many of them as a vector has bytes.
fn count(wanted: u8, bytes: &[u8]) -> usize {
    let chunks = bytes.chunks(usize::from(u8::MAX));
    let in_chunk = |chunk: &[u8]| chunk.iter().map(|&byte| u8::from(byte == wanted)).sum::<u8>();
    chunks.map(|chunk| usize::from(in_chunk(chunk))).sum()
}

/// The place to point at in a text that has nothing in it.
pub(super) fn beginning(bytes: &[u8]) -> Spot<'_> {
    // Even an empty text has a first line.
    lines(bytes).next().unwrap_or(Line { number: 1, bytes: &[] }).spot(0)
}

impl<'a> Line<'a> {
    /// What comes before a comment.
    pub(super) fn content(self) -> Result<&'a str, Fault<'a>> {
        let content = &self.bytes[..self.hash().unwrap_or(self.bytes.len())];
        str::from_utf8(content).map_err(|error| {
            let offset = error.valid_up_to();
            let kind = ParseErrorKind::NotUtf8 { byte: content[offset] };
            Fault { spot: self.spot(offset), kind }
        })
    }

    /// What comes after `#`. Nobody is bothered about its encoding: a comment
    /// in Latin-1 is none of our business.
    pub(super) fn comment(self) -> Option<&'a str> {
        str::from_utf8(&self.bytes[self.hash()? + 1..]).ok()
    }

    /// Whether there is nothing in it, not even a comment.
    pub(super) fn is_empty(self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }

    /// A place in this line.
    pub(super) fn spot(self, offset: usize) -> Spot<'a> {
        Spot { line: self, offset }
    }

    /// The whole line, for showing.
    pub(super) fn shown(self) -> String {
        String::from_utf8_lossy(self.bytes).into_owned()
    }

    fn hash(self) -> Option<usize> {
        self.bytes.iter().position(|&byte| byte == b'#')
    }
}

impl Spot<'_> {
    /// The place as people count it. Takes time linear in the line, so it is
    /// asked for only when there is an error to show.
    pub(super) fn position(self) -> Position {
        let before = String::from_utf8_lossy(&self.line.bytes[..self.offset]);
        Position { line: self.line.number, column: before.chars().count() + 1 }
    }
}

impl<'a> Spot<'a> {
    /// The place so many bytes further on.
    pub(super) fn after(self, bytes: usize) -> Spot<'a> {
        Spot { offset: self.offset + bytes, ..self }
    }
}

impl<'a> Number<'a> {
    /// Reads a word.
    pub(super) fn read(Word { spot, text }: Word<'a>) -> Result<Number<'a>, Fault<'a>> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let kind = ParseErrorKind::NotANumber { found: error::clean(text) };
            return Err(Fault { spot, kind });
        }
        Ok(Number { spot, text, value: text.parse().ok() })
    }

    /// The place just behind it.
    pub(super) fn end(&self) -> Spot<'a> {
        self.spot.after(self.text.len())
    }
}

impl<W> Rows<W> {
    /// Reads the content of a line from byte `start` on, each word by `read`; the line's end ends a
    /// row. Stops early when full.
    pub(super) fn read<'a>(
        &mut self,
        line: Line<'a>,
        start: usize,
        read: impl Fn(Word<'a>) -> Result<W, Fault<'a>>,
    ) -> Result<(), Fault<'a>> {
        let content = line.content()?;
        let mut word = None;
        let ends = [(content.len(), ' ')];
        for (offset, c) in
            content[start..].char_indices().map(|(at, c)| (start + at, c)).chain(ends)
        {
            if !is_separator(c) && !is_row_break(c) {
                word.get_or_insert(offset);
                continue;
            }
            if let Some(from) = word.take() {
                self.push(read(Word { spot: line.spot(from), text: &content[from..offset] })?);
                if self.is_full() {
                    break;
                }
            }
            if is_row_break(c) {
                self.open = false;
            }
        }
        self.open = false;
        Ok(())
    }

    /// Whether there are more numbers than any board can use: one too many
    /// cells, and an allowed length before them.
    pub(super) fn is_full(&self) -> bool {
        self.count >= MAX_CELLS + 2
    }

    /// How many numbers there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn all(&self) -> &[Vec<W>] {
        &self.rows
    }

    fn push(&mut self, word: W) {
        self.count += 1;
        match self.rows.last_mut() {
            Some(row) if self.open => row.push(word),
            _ => {
                // Mostly all numbers of a board are in one row of the text, and there are few.
                let mut row = Vec::with_capacity(25);
                row.push(word);
                self.rows.push(row);
            }
        }
        self.open = true;
    }
}

/// Whether a line has nothing that a board could be made of.
pub(super) fn is_filler(content: &str) -> bool {
    content.chars().all(|c| is_separator(c) || is_row_break(c))
}

/// What stands between numbers, also those that Python prints as texts in a list. A byte-order mark
/// is here too: files that were joined have them in the middle.
fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | ']' | ')' | '\'' | '"' | '\u{feff}')
}

/// What ends a row besides the end of a line: the `/` of sliding-puzzle players and, in a pasted
/// `[[1, 2], [3, 4]]` or `((1, 2), (3, 4))`, the bracket that opens the next list.
fn is_row_break(c: char) -> bool {
    matches!(c, '/' | '[' | '(')
}
