//! Boards from wherever the user keeps them: files, folders, standard input, or the
//! command line itself.

use crate::board::text::{self, Entry, Form, ParseError, TextOptions};
use crate::board::{Board, Shape};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest file that is read: about ten million boards.
const MAX_BYTES: u64 = 1 << 30;

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
    /// Not what people can read.
    #[error("{}: the file is not UTF-8 text", .0.display())]
    NotUtf8(PathBuf),
    /// A folder without boards.
    #[error("{}: there are no boards in this folder (files named *.boards, *.board, *.txt, or without an extension)", .0.display())]
    EmptyFolder(PathBuf),
    /// Too large to be what was meant.
    #[error("{}: this is longer than {MAX_BYTES} bytes, the most that is read", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
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
    /// Reads an argument: `-`, a path, or a board.
    pub fn of_argument(argument: &str) -> Source {
        if argument == "-" {
            Source::Standard
        } else if !Path::new(argument).exists() && looks_like_a_board(argument) {
            Source::Inline(argument.to_owned())
        } else {
            Source::Path(argument.into())
        }
    }

    /// Reads an argument that is `-` or a path.
    pub fn of_path(argument: &str) -> Source {
        if argument == "-" { Source::Standard } else { Source::Path(argument.into()) }
    }

    /// All boards of the source, folders in natural order.
    pub fn read(&self, shape: Option<Shape>) -> Vec<Item> {
        Boards::open(std::slice::from_ref(self), shape, &|_| true).collect()
    }
}

/// The boards of several sources, each file read when its turn comes.
#[derive(Debug)]
pub struct Boards {
    shape: Option<Shape>,
    unopened: VecDeque<Unopened>,
    /// The size of the collections among them, together.
    unopened_bytes: u64,
    /// The boards and the size of the last collection that was opened.
    last: (usize, u64),
    /// Those that were read and not handed out yet.
    ready: VecDeque<Item>,
    /// The collection that is being read.
    open: Option<Collection>,
}

/// A file with one board a line, of which a part has been read.
#[derive(Debug)]
struct Collection {
    name: String,
    bytes: Vec<u8>,
    /// How many bytes, and how many lines, have been read.
    at: usize,
    lines: usize,
    found: bool,
    /// How many boards are left.
    left: usize,
}

impl Collection {
    fn new(name: String, bytes: Vec<u8>) -> Collection {
        let left = bytes.split(|&byte| byte == b'\n').filter(|line| has_board(line)).count();
        Collection { name, bytes, at: 0, lines: 0, found: false, left }
    }

    /// The board of the next line, if it has one; `None` at the end.
    fn next_line(&mut self, shape: Option<Shape>) -> Option<Vec<Item>> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            // One that has no boards is an error of its own.
            let nothing = !std::mem::replace(&mut self.found, true);
            return nothing.then(|| text_items(&self.name, &self.bytes, shape, Form::Collection));
        }
        let end = rest.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(rest.len(), |end| end + 1);
        let (parsed, ended) = text::parse_lines(&self.name, &rest[..length], shape, self.lines);
        self.at += length;
        self.lines += ended;
        self.found |= !parsed.is_empty();
        self.left = self.left.saturating_sub(parsed.len());
        Some(items(&self.name, parsed, true))
    }
}

/// Whether a line of a collection is more than a comment.
fn has_board(line: &[u8]) -> bool {
    line.trim_ascii_start().first().is_some_and(|&first| first != b'#')
}

#[derive(Debug)]
enum Unopened {
    File(PathBuf),
    Standard,
    Inline(String),
    /// A folder that cannot be read, or that has no boards.
    Failed(Item),
}

impl Unopened {
    /// The size of a collection; nothing if it is something else.
    fn collection_bytes(&self) -> u64 {
        match self {
            Unopened::File(path) if form_of(path) == Form::Collection => {
                fs::metadata(path).map_or(0, |metadata| metadata.len())
            }
            _ => 0,
        }
    }
}

impl Boards {
    /// The boards of the sources, folders in natural order. Of folders, only the files that are
    /// `wanted` are taken.
    pub fn open(
        sources: &[Source],
        shape: Option<Shape>,
        wanted: &dyn Fn(&Path) -> bool,
    ) -> Boards {
        let mut unopened = VecDeque::new();
        for source in sources {
            match source {
                Source::Inline(board) => unopened.push_back(Unopened::Inline(board.clone())),
                Source::Standard => unopened.push_back(Unopened::Standard),
                Source::Path(path) if path.is_dir() => {
                    let before = unopened.len();
                    collect_files(path, wanted, &mut unopened);
                    if unopened.len() == before {
                        let name = path.to_string_lossy().into_owned();
                        let entry = Err(InputError::EmptyFolder(path.into()));
                        unopened.push_back(Unopened::Failed(Item { name, entry }));
                    }
                }
                Source::Path(path) => unopened.push_back(Unopened::File(path.clone())),
            }
        }
        let unopened_bytes = unopened.iter().map(Unopened::collection_bytes).sum();
        let (last, ready) = ((0, 1), VecDeque::new());
        Boards { shape, unopened, unopened_bytes, last, ready, open: None }
    }

    /// How many boards are still to come, if each file that has not been opened holds one, and a
    /// collection as many for its size as the last one that was opened.
    pub fn expected(&self) -> usize {
        let of_open = self.open.as_ref().map_or(0, |open| open.left);
        let (boards, bytes) = self.last;
        let of_collections = self.unopened_bytes as f64 * boards as f64 / bytes as f64;
        self.unopened.len() + self.ready.len() + of_open + of_collections as usize
    }
}

impl Iterator for Boards {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            if let Some(line) = self.open.as_mut().and_then(|open| open.next_line(self.shape)) {
                self.ready = line.into();
                continue;
            }
            self.open = None;
            self.ready = match self.unopened.pop_front()? {
                Unopened::File(path) if form_of(&path) == Form::Collection => {
                    let name = path.to_string_lossy().into_owned();
                    match read_file(&path) {
                        Ok(bytes) => {
                            let size = bytes.len() as u64;
                            let open = self.open.insert(Collection::new(name, bytes));
                            self.last = (open.left, size.max(1));
                            self.unopened_bytes = self.unopened_bytes.saturating_sub(size);
                            continue;
                        }
                        Err(_) => read_path(&path, self.shape),
                    }
                }
                Unopened::File(path) => read_path(&path, self.shape),
                Unopened::Standard => read_standard(self.shape),
                Unopened::Inline(board) => read_inline(&board, self.shape),
                Unopened::Failed(item) => return Some(item),
            }
            .into();
        }
    }
}

fn read_inline(board: &str, shape: Option<Shape>) -> Vec<Item> {
    let options = TextOptions { shape, form: Form::Single };
    items("argument", text::parse("argument", board.as_bytes(), &options), false)
}

fn read_standard(shape: Option<Shape>) -> Vec<Item> {
    match read_bounded(io::stdin().lock(), Path::new(STANDARD_INPUT)) {
        Ok(bytes) => text_items(STANDARD_INPUT, &bytes, shape, Form::Sniff),
        Err(error) => vec![Item { name: STANDARD_INPUT.to_owned(), entry: Err(error) }],
    }
}

/// Whether a text that is no path was meant as a board: numbers and separators, and at most a
/// slip or two. Nothing at all is a board that was forgotten.
fn looks_like_a_board(text: &str) -> bool {
    let of_a_board = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",;/[]".contains(c);
    let numbers = text.contains(|c: char| c.is_ascii_digit()) && text.contains([',', ' ', ';']);
    text.trim().is_empty() || (numbers && text.chars().filter(|c| !of_a_board(*c)).count() <= 2)
}

/// The one board of a file, as for a goal.
///
/// # Errors
/// If it cannot be read, or is not one board.
pub fn read_board(path: &Path, shape: Option<Shape>) -> Result<Board, InputError> {
    let bytes = read_file(path)?;
    Ok(text::parse_one(&path.to_string_lossy(), &bytes, shape)?.board)
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
    let failed = |error: io::Error| InputError::Io { path: path.into(), error };
    if fs::metadata(path).map_err(failed)?.is_dir() {
        return Err(InputError::Folder(path.into()));
    }
    read_bounded(File::open(path).map_err(failed)?, path)
}

/// All of a stream, unless it is longer than anybody means.
fn read_bounded(stream: impl Read, path: &Path) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let read = stream.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    match read {
        Err(error) => Err(InputError::Io { path: path.into(), error }),
        Ok(_) if bytes.len() as u64 > MAX_BYTES => Err(InputError::TooLarge { path: path.into() }),
        Ok(_) => Ok(bytes),
    }
}

fn read_path(path: &Path, shape: Option<Shape>) -> Vec<Item> {
    let name = path.to_string_lossy().into_owned();
    let error = match read_file(path) {
        Ok(bytes) => return text_items(&name, &bytes, shape, form_of(path)),
        Err(InputError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
            InputError::NotFound(path.into())
        }
        Err(error) => error,
    };
    vec![Item { name, entry: Err(error) }]
}

/// The board files below a folder that are wanted, in natural order; folders that cannot be
/// read become items with an error.
fn collect_files(folder: &Path, wanted: &dyn Fn(&Path) -> bool, found: &mut VecDeque<Unopened>) {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut paths: Vec<PathBuf> = match entries {
        Ok(entries) => entries.iter().map(fs::DirEntry::path).collect(),
        Err(error) => {
            let name = folder.to_string_lossy().into_owned();
            let entry = Err(InputError::Io { path: folder.into(), error });
            found.push_back(Unopened::Failed(Item { name, entry }));
            return;
        }
    };
    paths.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
    for path in paths {
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() {
            // A link to a folder may lead back to where we are.
            if !path.is_symlink() {
                collect_files(&path, wanted, found);
            }
        } else if path.extension().is_none_or(|e| e == "boards" || e == "board" || e == "txt")
            && wanted(&path)
        {
            found.push_back(Unopened::File(path));
        }
    }
}

fn form_of(path: &Path) -> Form {
    match path.extension() {
        Some(extension) if extension == "boards" => Form::Collection,
        _ => Form::Sniff,
    }
}

fn text_items(source: &str, bytes: &[u8], shape: Option<Shape>, form: Form) -> Vec<Item> {
    let parsed = text::parse(source, bytes, &TextOptions { shape, form });
    let many = parsed.len() > 1 || form == Form::Collection;
    items(source, parsed, many)
}

fn items(source: &str, parsed: Vec<Result<Entry, ParseError>>, many: bool) -> Vec<Item> {
    let name = |line: usize, own: Option<&str>| match own {
        Some(own) => format!("{source}:{own}"),
        None if many => format!("{source}:{line}"),
        None => source.to_owned(),
    };
    parsed
        .into_iter()
        .map(|result| match result {
            Ok(entry) => Item { name: name(entry.line, entry.name.as_deref()), entry: Ok(entry) },
            Err(error) => Item { name: name(error.line, None), entry: Err(error.into()) },
        })
        .collect()
}

/// Runs of digits are compared as numbers, so that `board2` comes before `board10`.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a, b);
    loop {
        let (Some(first_a), Some(first_b)) = (a.chars().next(), b.chars().next()) else {
            return a.len().cmp(&b.len());
        };
        let order = if first_a.is_ascii_digit() && first_b.is_ascii_digit() {
            let (number_a, number_b) = (leading_digits(a), leading_digits(b));
            (a, b) = (&a[number_a.len()..], &b[number_b.len()..]);
            let value = |digits: &'_ str| digits.trim_start_matches('0').to_owned();
            let (value_a, value_b) = (value(number_a), value(number_b));
            value_a
                .len()
                .cmp(&value_b.len())
                .then(value_a.cmp(&value_b))
                .then(number_a.len().cmp(&number_b.len()))
        } else {
            (a, b) = (&a[first_a.len_utf8()..], &b[first_b.len_utf8()..]);
            first_a.cmp(&first_b)
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn leading_digits(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_compared_as_numbers() {
        let mut names = ["board10", "board2", "a", "board02", "board2b", "board", "board1.5"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["a", "board", "board1.5", "board2", "board2b", "board02", "board10"]);
    }

    #[test]
    fn arguments_are_told_apart() {
        assert_eq!(Source::of_argument("-"), Source::Standard);
        assert!(matches!(Source::of_argument("0,8,7,6,5,4,3,2,1"), Source::Inline(_)));
        assert!(matches!(Source::of_argument("5 3 8/0 2 4/1 7 6"), Source::Inline(_)));
        assert!(matches!(Source::of_argument("0,8,x,6,5,4,3,2,1"), Source::Inline(_)));
        assert!(matches!(Source::of_argument("boards/board1"), Source::Path(_)));
        assert!(matches!(Source::of_argument("src"), Source::Path(_)));
    }

    #[test]
    fn a_collection_reads_the_same_in_parts() {
        let folder = tempfile::tempdir().unwrap();
        let line = |i: usize| match i % 7 {
            0 => String::new(),
            1 => "# remark\r".to_owned(),
            2 => "1 x 2 3".to_owned(),
            _ => format!("board-{i}: 1 0 2 3 # {i}"),
        };
        let text: Vec<String> = (1..2000).map(line).collect();
        for text in [text.join("\n"), text.join("\n") + "\n", "# nothing\n".to_owned()] {
            let path = folder.path().join("many.boards");
            fs::write(&path, &text).unwrap();
            let name = path.to_string_lossy().into_owned();
            let whole = text_items(&name, text.as_bytes(), None, Form::Collection);
            let parts = Source::Path(path).read(None);
            let told = |items: &[Item]| items.iter().map(|i| format!("{i:?}")).collect::<Vec<_>>();
            assert_eq!(told(&parts), told(&whole));
        }
    }
}
