//! Compressed files: gzip (`.gz`) and Zstandard (`.zst`), recognised by how they begin.
//!
//! What is in them is read into memory, up to a size that does not depend on their own.

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use std::fmt;
use std::io::Read;
use std::path::Path;

/// How a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compression {
    /// As by gzip.
    Gzip,
    /// As by zstd.
    Zstandard,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::Gzip => "gzip",
            Compression::Zstandard => "zstd",
        })
    }
}

/// Why a compressed file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Undone {
    /// There is more in it than is read.
    TooLarge,
    /// It is not what it seems to be, or not all of it.
    Damaged(String),
}

impl Compression {
    /// By the ending of a name.
    pub(super) fn from_name(path: &Path) -> Option<Compression> {
        match path.extension()?.to_str()? {
            "gz" => Some(Compression::Gzip),
            "zst" => Some(Compression::Zstandard),
            _ => None,
        }
    }

    /// By how the content begins, as no text does.
    pub(super) fn from_content(bytes: &[u8]) -> Option<Compression> {
        match bytes {
            [0x1f, 0x8b, ..] => Some(Compression::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Compression::Zstandard),
            _ => None,
        }
    }

    /// What is in a file, if it is no longer than `most` bytes.
    pub(super) fn undo(self, bytes: &[u8], most: u64) -> Result<Vec<u8>, Undone> {
        let mut content = Vec::new();
        match self {
            Compression::Gzip => append(MultiGzDecoder::new(bytes), &mut content, most)?,
            Compression::Zstandard => {
                let mut rest = bytes;
                while !rest.is_empty() {
                    append_frame(&mut rest, &mut content, most)?;
                }
            }
        }
        Ok(content)
    }
}

/// The name of a file without the ending of its compression.
pub(super) fn inner_name(path: &Path) -> &Path {
    match (Compression::from_name(path), path.file_stem()) {
        (Some(_), Some(stem)) => Path::new(stem),
        _ => path,
    }
}

/// Appends what a reader has, up to so many bytes in all.
fn append(reader: impl Read, content: &mut Vec<u8>, most: u64) -> Result<(), Undone> {
    let room = most + 1 - content.len() as u64;
    reader.take(room).read_to_end(content).map_err(|error| Undone::Damaged(error.to_string()))?;
    if content.len() as u64 > most { Err(Undone::TooLarge) } else { Ok(()) }
}

/// Appends what is in the next frame of a Zstandard file, of which there may be several.
fn append_frame(rest: &mut &[u8], content: &mut Vec<u8>, most: u64) -> Result<(), Undone> {
    let mut decoder = match StreamingDecoder::new(&mut *rest) {
        Ok(decoder) => decoder,
        // A frame for programs of another kind.
        Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
            length,
            ..
        })) => {
            let cut_off = || Undone::Damaged("it is cut off".to_owned());
            *rest = rest.get(length as usize..).ok_or_else(cut_off)?;
            return Ok(());
        }
        Err(error) => return Err(Undone::Damaged(error.to_string())),
    };
    append(&mut decoder, content, most)?;
    let frame = &decoder.decoder;
    match (frame.get_checksum_from_data(), frame.get_calculated_checksum()) {
        (Some(stated), Some(found)) if stated != found => {
            Err(Undone::Damaged("the checksum does not fit".to_owned()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::write::GzEncoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use std::io::Write;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(content: &[u8]) -> Vec<u8> {
        compress_to_vec(content, CompressionLevel::Fastest)
    }

    #[test]
    fn what_was_compressed_comes_back_and_what_is_cut_off_does_not() {
        let content = b"1 0 2 3\n0 1 2 3\n".repeat(1_000);
        for compress in [gzip, zstd] {
            let file = compress(&content);
            let compression = Compression::from_content(&file).unwrap();
            let undo = |file: &[u8], most| compression.undo(file, most);
            let length = content.len() as u64;
            assert_eq!(undo(&file, length).as_ref(), Ok(&content));
            // Files that were put one after the other.
            assert_eq!(undo(&file.repeat(2), 2 * length), Ok(content.repeat(2)));
            assert_eq!(undo(&file, length - 1), Err(Undone::TooLarge));
            assert_eq!(undo(&file.repeat(2), length), Err(Undone::TooLarge));
            for end in 4..file.len() {
                let cut = undo(&file[..end], length);
                assert!(matches!(cut, Err(Undone::Damaged(_))), "{compression} {end}");
            }
        }
        assert_eq!(Compression::from_content(b"1 0 2 3"), None);
    }

    #[test]
    fn frames_for_other_programs_are_skipped() {
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7];
        let file = [&zstd(b"1 0")[..], &skipped, &zstd(b" 2 3")].concat();
        assert_eq!(Compression::Zstandard.undo(&file, 100), Ok(b"1 0 2 3".to_vec()));
        assert!(Compression::Zstandard.undo(&file[..file.len() - 20], 100).is_err());
    }

    #[test]
    fn endings_come_off() {
        for (name, inner) in
            [("in/a.boards.gz", "a.boards"), ("a.zst", "a"), ("in/a.txt", "in/a.txt")]
        {
            assert_eq!(inner_name(Path::new(name)), Path::new(inner));
        }
    }
}
