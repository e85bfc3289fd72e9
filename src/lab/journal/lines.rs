//! The lines of a journal: read in sequence, or one by its position in the file.

use super::{JournalError, failed};
use serde::de::{DeserializeOwned, Error};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// No line of a journal has so many bytes: a record of a solution of ten million moves has fewer.
pub const LONGEST_LINE: u64 = 1 << 27;

/// How many bytes tell whether a file begins like a journal. One that does not, such as `/dev/zero`,
/// may never end, and is not read any further.
const BEGINNING: u64 = 1 << 12;

/// How much is read at once.
const BUFFER: usize = 1 << 16;

/// Where a line is, without its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Line {
    start: u64,
    /// Less than [`LONGEST_LINE`].
    length: u32,
}

impl Line {
    /// One that begins there.
    #[cfg(test)]
    pub(super) fn at(start: u64) -> Line {
        Line { start, length: 0 }
    }

    /// What it says.
    pub(super) fn read(self, file: &File) -> io::Result<Vec<u8>> {
        let mut text = vec![0; self.length as usize];
        read_at(file, &mut text, self.start)?;
        Ok(text)
    }
}

/// How a journal ends.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct End {
    /// How long it is, in whole lines.
    pub(super) whole: u64,
    /// A record after the last line break, as when an editor has removed the final one. Anything else
    /// there is a torn line, and no record.
    pub(super) not_ended: Option<Vec<u8>>,
}

/// Passes all lines from the file's position on to `take`, as records or as parts of records.
///
/// # Errors
/// If the journal cannot be read, or if a whole line is no record.
pub(super) fn each_record<T: DeserializeOwned>(
    file: &File,
    path: &Path,
    mut take: impl FnMut(Line, T),
) -> Result<End, JournalError> {
    let mut input = BufReader::with_capacity(BUFFER, file);
    let (mut text, mut whole, mut number) = (Vec::new(), 0, 0);
    loop {
        number += 1;
        text.clear();
        let is_foreign = read_line(&mut input, number == 1, &mut text).map_err(failed(path))?;
        let is_ended = text.pop_if(|byte| *byte == b'\n').is_some();
        let line = Line { start: whole, length: text.len() as u32 };
        if !text.trim_ascii().is_empty() || is_foreign {
            match serde_json::from_slice(&text) {
                Ok(record) if !is_foreign => take(line, record),
                Err(_) if !is_ended && !is_foreign => text.clear(),
                read => {
                    let error = read.err().unwrap_or_else(|| Error::custom("it is too long"));
                    return Err(JournalError::Line { path: path.into(), line: number, error });
                }
            }
        }
        if !is_ended {
            let not_ended = (!text.trim_ascii().is_empty()).then_some(text);
            return Ok(End { whole, not_ended });
        }
        whole += u64::from(line.length) + 1;
    }
}

/// Reads a line with its end, if it has one. Returns whether it cannot be a line of a journal.
fn read_line(input: &mut impl BufRead, is_first: bool, text: &mut Vec<u8>) -> io::Result<bool> {
    if is_first {
        input.by_ref().take(BEGINNING).read_until(b'\n', text)?;
        if !matches!(text.trim_ascii_start().first(), None | Some(b'{')) {
            return Ok(true);
        }
    }
    if !text.ends_with(b"\n") {
        input.take(LONGEST_LINE - text.len() as u64).read_until(b'\n', text)?;
    }
    Ok(text.len() as u64 == LONGEST_LINE)
}

/// Reads what is at a place.
#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, place)
}

/// Writes all of it at a place.
#[cfg(unix)]
pub(super) fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, place)
}

/// Reads what is at a place.
#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, place)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        (bytes, place) = (&mut bytes[read..], place + read as u64);
    }
    Ok(())
}

/// Writes all of it at a place.
#[cfg(windows)]
pub(super) fn write_at(file: &File, mut bytes: &[u8], mut place: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, place)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        (bytes, place) = (&bytes[written..], place + written as u64);
    }
    Ok(())
}
