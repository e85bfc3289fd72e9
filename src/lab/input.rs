//! Reads boards from files, folders, standard input, or the
//! command line itself.
//!
//! [`Boards`] hands out what is to be read in pieces, each of which can be read by itself, on
//! whatever thread.

mod arguments;
mod boards;
mod compressed;
mod folder;
mod names;
mod remarks;

pub use arguments::UnclearArguments;
pub use boards::{Boards, Unread};
pub use compressed::Compression;
pub use folder::natural_order;
pub(super) use folder::{files, is_taken};
pub use remarks::{InputRemarks, Remark};

use super::record::Location;
use crate::board::text::{self, Entry, Form, ParseError, TextOptions};
use crate::board::{Board, Shape};
use compressed::Undone;
use names::Names;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest file that is read: about ten million boards.
const MAX_BYTES: u64 = 1 << 30;

/// The most that is decompressed: a small file may hold anything.
const MAX_DECOMPRESSED: u64 = 1 << 28;

/// What standard input is called in messages and records.
const STANDARD_INPUT: &str = "standard input";

/// Where boards come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file or a folder.
    Path(PathBuf),
    /// Standard input.
    Standard,
    /// The argument is the board.
    Inline(String),
}

/// Why nothing could be read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The text is not a board.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// An argument that is neither a path nor a board.
    #[error("{}: there is no such file or folder, and it is not a board either (as in 0,8,7,6,5,4,3,2,1)", .0.display())]
    NotFound(PathBuf),
    /// A folder where a file is needed.
    #[error("{}: this is a folder, expected a file", .0.display())]
    Folder(PathBuf),
    /// The file is not UTF-8 text.
    #[error("{}: the file is not UTF-8 text", .0.display())]
    NotUtf8(PathBuf),
    /// A folder without boards.
    #[error("{}: there are no boards in this folder (files named *.boards, *.board, *.txt, or without an extension)", .0.display())]
    EmptyFolder(PathBuf),
    /// The file is larger than any plausible input.
    #[error("{}: this is longer than {MAX_BYTES} bytes, the most that is read", path.display())]
    TooLarge {
        /// The path that was read.
        path: PathBuf,
    },
    /// There is more in a compressed file than any plausible input.
    #[error(
        "{}: there are more than {MAX_DECOMPRESSED} bytes in this {compression} file, the most that \
         is decompressed; decompress it first",
        path.display()
    )]
    TooLargeInside {
        /// The path that was read.
        path: PathBuf,
        /// How it is compressed.
        compression: Compression,
    },
    /// A compressed file that is not whole.
    #[error("{}: this {compression} file is cut off or damaged: {error}", path.display())]
    Damaged {
        /// The path that was read.
        path: PathBuf,
        /// How it is compressed.
        compression: Compression,
        /// What is wrong.
        error: String,
    },
    /// A folder has something that is not a file.
    #[error("{}: this is a pipe or a device, which is not read as part of a folder", .0.display())]
    Special(PathBuf),
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The path that was read.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl InputError {
    /// Where the input is that could not be read. The error's text begins with it.
    pub fn location(&self) -> Location {
        let file = |path: &Path| path.display().to_string();
        let (file, position) = match self {
            InputError::Parse(error) => (error.source.clone(), Some(error.position())),
            InputError::NotFound(path)
            | InputError::Folder(path)
            | InputError::NotUtf8(path)
            | InputError::EmptyFolder(path)
            | InputError::Special(path)
            | InputError::TooLarge { path }
            | InputError::TooLargeInside { path, .. }
            | InputError::Damaged { path, .. }
            | InputError::Io { path, .. } => (file(path), None),
        };
        let (line, column) = position.map(|at| (at.line, at.column)).unzip();
        Location { file, line, column }
    }
}

/// A board, or why there is none, and what to call it.
#[derive(Debug)]
pub struct Item {
    /// The board's name, or where it is.
    pub name: String,
    /// The board.
    pub entry: Result<Entry, InputError>,
}

impl Source {
    /// All boards of the source, folders in natural order.
    pub fn read(&self, shape: Option<Shape>) -> Vec<Item> {
        Boards::open(std::slice::from_ref(self), shape, &|_| true).collect()
    }
}

fn read_inline(name: &str, board: &str, shape: Option<Shape>) -> Vec<Item> {
    let options = TextOptions { shape, form: Form::Single };
    items(name, text::parse(name, board.as_bytes(), &options), None, &mut Remark::default())
}

fn read_standard(shape: Option<Shape>, renamed: &mut Remark) -> Vec<Item> {
    match read_bounded(io::stdin().lock(), Path::new(STANDARD_INPUT), |_| 0) {
        Ok(bytes) => text_items(STANDARD_INPUT, &bytes, shape, Form::Sniff, renamed),
        Err(error) => vec![Item { name: STANDARD_INPUT.to_owned(), entry: Err(error) }],
    }
}

/// The one board that an argument is, or that is in the file of that path, as for a goal. `name` is
/// what a board that is the argument is called in errors.
///
/// # Errors
/// If it cannot be read, or is not one board.
pub fn read_board(argument: &str, name: &str, shape: Option<Shape>) -> Result<Board, InputError> {
    let entry = match Source::from_argument(argument) {
        Source::Inline(board) => text::parse_one(name, board.as_bytes(), shape)?,
        Source::Path(_) | Source::Standard => {
            text::parse_one(argument, &read_file(Path::new(argument))?, shape)?
        }
    };
    Ok(entry.board)
}

/// The text of a file.
///
/// # Errors
/// If it cannot be read, or is no text.
pub fn read_text(path: &Path) -> Result<String, InputError> {
    String::from_utf8(read_file(path)?).map_err(|_| InputError::NotUtf8(path.into()))
}

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, InputError> {
    match File::open(path) {
        Ok(file) => read_bounded(file, path, |file| file.metadata().map_or(0, |data| data.len())),
        // Not every system opens folders.
        Err(_) if path.is_dir() => Err(InputError::Folder(path.into())),
        Err(error) => Err(InputError::Io { path: path.into(), error }),
    }
}

/// Files that are no longer, as those of one board, are read without asking how long they are.
const SMALL: usize = 1 << 12;

/// Reads a whole stream, up to the largest accepted size, and what is in it if it is compressed. `length` is asked for the size of one that
/// is not small.
fn read_bounded<S: Read>(
    mut stream: S,
    path: &Path,
    length: impl FnOnce(&S) -> u64,
) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::with_capacity(SMALL);
    let mut read = stream.by_ref().take(SMALL as u64).read_to_end(&mut bytes);
    // Nothing that is read begins with a zero: `/dev/zero` need not be read any further.
    if bytes.len() == SMALL && bytes[0] != 0 {
        bytes.reserve_exact(length(&stream).min(MAX_BYTES) as usize);
        read = stream.take(MAX_BYTES + 1 - SMALL as u64).read_to_end(&mut bytes);
    }
    match read {
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
            Err(InputError::Folder(path.into()))
        }
        Err(error) => Err(InputError::Io { path: path.into(), error }),
        Ok(_) if bytes.len() as u64 > MAX_BYTES => Err(InputError::TooLarge { path: path.into() }),
        Ok(_) => decompressed(bytes, path),
    }
}

/// What is in a file, if it is compressed by its content or by its name.
fn decompressed(bytes: Vec<u8>, path: &Path) -> Result<Vec<u8>, InputError> {
    let (compression, content) =
        match (Compression::from_content(&bytes), Compression::from_name(path)) {
            (Some(compression), _) => (compression, compression.undo(&bytes, MAX_DECOMPRESSED)),
            (None, Some(compression)) => {
                (compression, Err(Undone::Damaged("it does not begin like one".to_owned())))
            }
            (None, None) => return Ok(bytes),
        };
    content.map_err(|undone| match undone {
        Undone::TooLarge => InputError::TooLargeInside { path: path.into(), compression },
        Undone::Damaged(error) => InputError::Damaged { path: path.into(), compression, error },
    })
}

/// The boards of a file that is no collection by its name.
fn read_path(path: &Path, shape: Option<Shape>, renamed: &mut Remark) -> Vec<Item> {
    match read_file(path) {
        Ok(bytes) => text_items(&path.to_string_lossy(), &bytes, shape, Form::Sniff, renamed),
        Err(error) => vec![unreadable(path, error)],
    }
}

/// The item of a file that cannot be read.
fn unreadable(path: &Path, error: InputError) -> Item {
    let error = match error {
        InputError::Io { error, .. } if error.kind() == io::ErrorKind::NotFound => {
            InputError::NotFound(path.into())
        }
        error => error,
    };
    Item { name: path.to_string_lossy().into_owned(), entry: Err(error) }
}

fn text_items(
    source: &str,
    bytes: &[u8],
    shape: Option<Shape>,
    form: Form,
    renamed: &mut Remark,
) -> Vec<Item> {
    let parsed = text::parse(source, bytes, &TextOptions { shape, form });
    let many = parsed.len() > 1 || form == Form::Collection;
    let names = many.then(|| Names::new(bytes));
    items(source, parsed, names.as_ref(), renamed)
}

/// The items of a source. Without names, a board that has none is called like the source.
fn items(
    source: &str,
    parsed: Vec<Result<Entry, ParseError>>,
    names: Option<&Names>,
    renamed: &mut Remark,
) -> Vec<Item> {
    let mut name = |line: usize, own: Option<&str>| match (names, own) {
        (Some(names), _) => {
            let (name, is_made) = names.name(source, line, own);
            if is_made {
                renamed.add(|| name.clone());
            }
            name
        }
        (None, Some(own)) => [source, ":", own].concat(),
        (None, None) => source.to_owned(),
    };
    parsed
        .into_iter()
        .map(|result| match result {
            Ok(entry) => Item { name: name(entry.line, entry.name.as_deref()), entry: Ok(entry) },
            Err(error) => Item { name: name(error.line, None), entry: Err(error.into()) },
        })
        .collect()
}
