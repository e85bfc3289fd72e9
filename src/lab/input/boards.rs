//! The boards of several sources, in pieces that can be read by themselves.
//!
//! A piece is a file, or some lines of a collection, which is opened when its turn comes. Handing
//! one out takes next to no time; reading it is the work, and several threads can do it at once.

use super::compressed::inner_name;
use super::folder::{Found, collect_files};
use super::names::Names;
use super::remarks::{InputRemarks, Remark};
use super::{InputError, Item, Source, items, read_file, read_inline, read_path, read_standard};
use super::{STANDARD_INPUT, text_items, unreadable};
use crate::board::Shape;
use crate::board::text::{self, Form};
use crate::sync::lock;
use std::collections::{HashSet, VecDeque};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The size of a piece of a collection: some dozens of boards. That is few enough that a piece is
/// read in no time, and enough that going for the next one does not matter.
const PIECE_BYTES: usize = 1 << 12;

/// The boards of several sources, each file read when its turn comes.
#[derive(Debug)]
pub struct Boards {
    shape: Option<Shape>,
    unopened: VecDeque<Unopened>,
    /// The size of the collections among them, together.
    unopened_bytes: u64,
    /// The lines and the size of the last collection that was opened.
    last: (usize, u64),
    /// The collection of which pieces are being handed out.
    open: Option<Collection>,
    /// Items that were read and not yet returned by the iterator.
    ready: std::vec::IntoIter<Item>,
    remarks: Arc<Mutex<InputRemarks>>,
}

/// A piece of the input that has not been read.
#[derive(Debug)]
pub struct Unread {
    shape: Option<Shape>,
    piece: Piece,
    remarks: Arc<Mutex<InputRemarks>>,
}

/// Input that has not been handed out.
#[derive(Debug)]
enum Unopened {
    /// A file that has one board a line, by its name. It makes pieces once it is open.
    Collection(PathBuf),
    Whole(Piece),
}

#[derive(Debug)]
enum Piece {
    /// A file that is no collection by its name.
    File(PathBuf),
    Standard,
    /// The argument of a name is the board.
    Inline(String, String),
    Lines(Lines),
    /// An item that cannot be read, or has no boards.
    Failed(Vec<Item>),
}

/// Some lines of a collection.
#[derive(Debug)]
struct Lines {
    of: Arc<Text>,
    bytes: Range<usize>,
    /// How many lines come before them.
    before: usize,
    count: usize,
}

/// A collection as it is in its file.
#[derive(Debug)]
struct Text {
    name: String,
    bytes: Vec<u8>,
    names: Names,
}

/// A collection of which some lines have been handed out.
#[derive(Debug)]
struct Collection {
    text: Arc<Text>,
    /// How many bytes, and how many lines, have been handed out.
    at: usize,
    lines: usize,
    all_lines: usize,
}

impl Collection {
    fn new(text: Text) -> Collection {
        let all_lines = lines_begun(&text.bytes);
        Collection { text: Arc::new(text), at: 0, lines: 0, all_lines }
    }

    fn next_lines(&mut self) -> Option<Lines> {
        let rest = &self.text.bytes[self.at..];
        let room = rest.len().min(PIECE_BYTES);
        // A line that is longer than a piece makes one of its own.
        let end = match rest[..room].iter().rposition(|&byte| byte == b'\n') {
            _ if room == rest.len() => room,
            Some(end) => end + 1,
            None => {
                let end = rest[room..].iter().position(|&byte| byte == b'\n');
                end.map_or(rest.len(), |end| room + end + 1)
            }
        };
        if end == 0 {
            return None;
        }
        let (before, count) = (self.lines, lines_begun(&rest[..end]));
        let bytes = self.at..self.at + end;
        self.at += end;
        self.lines += count;
        Some(Lines { of: Arc::clone(&self.text), bytes, before, count })
    }
}

/// How many lines there are in a text, whether or not the last one is ended.
fn lines_begun(bytes: &[u8]) -> usize {
    let open = bytes.last().is_some_and(|&last| last != b'\n' && last != b'\r');
    text::line_ends(bytes) + usize::from(open)
}

impl Unopened {
    fn file(path: PathBuf) -> Unopened {
        if inner_name(&path).extension().is_some_and(|extension| extension == "boards") {
            Unopened::Collection(path)
        } else {
            Unopened::Whole(Piece::File(path))
        }
    }

    fn failed(item: Item) -> Unopened {
        Unopened::Whole(Piece::Failed(vec![item]))
    }

    /// The size of a collection; nothing if it is something else.
    fn collection_bytes(&self) -> u64 {
        match self {
            Unopened::Collection(path) => fs::metadata(path).map_or(0, |metadata| metadata.len()),
            Unopened::Whole(_) => 0,
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
        let (mut unopened, mut remarks) = (VecDeque::new(), InputRemarks::default());
        let mut arguments = (1..).map(|number| match number {
            1 => "argument".to_owned(),
            _ => format!("argument {number}"),
        });
        // What is read once, if there are several sources that it can be in.
        let mut met: HashSet<PathBuf> = HashSet::new();
        let mut is_new = |path: &Path| sources.len() == 1 || met.insert(path.to_owned());
        for source in sources {
            match source {
                Source::Inline(board) => {
                    let name = arguments.next().unwrap_or_default();
                    unopened.push_back(Unopened::Whole(Piece::Inline(name, board.clone())));
                }
                Source::Standard if !is_new(Path::new("-")) => {
                    remarks.given_twice.add_path(Path::new(STANDARD_INPUT));
                }
                Source::Standard => unopened.push_back(Unopened::Whole(Piece::Standard)),
                Source::Path(path) if path.is_dir() => {
                    let mut is_empty = true;
                    collect_files(path, wanted, &mut |found| {
                        is_empty &= matches!(found, Found::PassedOver(_));
                        match found {
                            Found::PassedOver(path) => remarks.passed_over.add_path(&path),
                            Found::File(path) if !is_new(&path) => {
                                remarks.given_twice.add_path(&path);
                            }
                            Found::File(path) => unopened.push_back(Unopened::file(path)),
                            Found::Failed(item) => unopened.push_back(Unopened::failed(item)),
                        }
                    });
                    if is_empty {
                        let name = path.to_string_lossy().into_owned();
                        let entry = Err(InputError::EmptyFolder(path.into()));
                        unopened.push_back(Unopened::failed(Item { name, entry }));
                    }
                }
                Source::Path(path) if !is_new(path) => remarks.given_twice.add_path(path),
                Source::Path(path) => unopened.push_back(Unopened::file(path.clone())),
            }
        }
        let unopened_bytes = unopened.iter().map(Unopened::collection_bytes).sum();
        let (last, ready) = ((0, 1), Vec::new().into_iter());
        let remarks = Arc::new(Mutex::new(remarks));
        Boards { shape, unopened, unopened_bytes, last, open: None, ready, remarks }
    }

    /// What there is to say about what was read so far.
    pub fn remarks(&self) -> InputRemarks {
        lock(&self.remarks).clone()
    }

    /// The next piece, for callers that read it themselves.
    pub fn next_unread(&mut self) -> Option<Unread> {
        let shape = self.shape;
        loop {
            if let Some(lines) = self.open.as_mut().and_then(Collection::next_lines) {
                return Some(self.unread(Piece::Lines(lines)));
            }
            self.open = None;
            let piece = match self.unopened.pop_front()? {
                Unopened::Collection(path) => match read_file(&path) {
                    // One that has no boards is an error of its own.
                    Ok(bytes) if text::has_no_content(&bytes) => {
                        let name = path.to_string_lossy();
                        let renamed = &mut lock(&self.remarks).renamed;
                        Piece::Failed(text_items(&name, &bytes, shape, Form::Collection, renamed))
                    }
                    Ok(bytes) => {
                        let name = path.to_string_lossy().into_owned();
                        let size = bytes.len() as u64;
                        let names = Names::new(&bytes);
                        let open = self.open.insert(Collection::new(Text { name, bytes, names }));
                        self.last = (open.all_lines, size);
                        self.unopened_bytes = self.unopened_bytes.saturating_sub(size);
                        continue;
                    }
                    Err(error) => Piece::Failed(vec![unreadable(&path, error)]),
                },
                Unopened::Whole(piece) => piece,
            };
            return Some(self.unread(piece));
        }
    }

    fn unread(&self, piece: Piece) -> Unread {
        Unread { shape: self.shape, piece, remarks: Arc::clone(&self.remarks) }
    }

    /// How many boards are still to come, if each line has one, each file that has not been opened
    /// holds one, and a collection as many for its size as the last one that was opened.
    pub fn expected(&self) -> usize {
        let in_open = self.open.as_ref().map_or(0, |open| open.all_lines - open.lines);
        let (lines, bytes) = self.last;
        let in_collections = self.unopened_bytes as f64 * lines as f64 / bytes as f64;
        self.unopened.len() + self.ready.len() + in_open + in_collections as usize
    }
}

impl Iterator for Boards {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.ready.next() {
                return Some(item);
            }
            self.ready = self.next_unread()?.read().into_iter();
        }
    }
}

impl Unread {
    /// The boards of the piece.
    pub fn read(self) -> Vec<Item> {
        let mut renamed = Remark::default();
        let items = match self.piece {
            Piece::File(path) => read_path(&path, self.shape, &mut renamed),
            Piece::Standard => read_standard(self.shape, &mut renamed),
            Piece::Inline(name, board) => read_inline(&name, &board, self.shape),
            Piece::Lines(Lines { of, bytes, before, .. }) => {
                let Text { name, bytes: all, names } = &*of;
                let parsed = text::parse_lines(name, &all[bytes], self.shape, before);
                items(name, parsed, Some(names), &mut renamed)
            }
            Piece::Failed(items) => items,
        };
        if renamed.count > 0 {
            lock(&self.remarks).renamed.join(renamed);
        }
        items
    }

    /// An estimate of how many boards there are in it, before it is read.
    pub fn expected(&self) -> usize {
        match &self.piece {
            Piece::Lines(lines) => lines.count,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(items: &[Item]) -> Vec<String> {
        items.iter().map(|item| format!("{item:?}")).collect()
    }

    /// A collection with comments, mistakes and names, in lines that end like this.
    fn many_lines(end: &str) -> String {
        let line = |i: usize| match i % 7 {
            0 => String::new(),
            1 => "# remark".to_owned(),
            2 => "1 x 2 3".to_owned(),
            3 => "\u{feff}0 2 1 x".to_owned(),
            4 if i.is_multiple_of(5) => format!("long: {}1 0 2 3", " ".repeat(PIECE_BYTES)),
            _ => format!("board-{i}: 1 0 2 3 # {i}"),
        };
        (1..2000).map(line).collect::<Vec<_>>().join(end)
    }

    #[test]
    fn a_collection_reads_the_same_in_pieces() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("many.boards");
        let name = path.to_string_lossy().into_owned();
        let comments = "# nothing\n".repeat(PIECE_BYTES);
        for text in [
            many_lines("\n"),
            many_lines("\n") + "\n",
            many_lines("\r\n") + "\r\n",
            many_lines("\r"),
            many_lines("\n\r"),
            format!("{comments}1 0 2 3"),
            format!("1 0 2 3\n{comments}"),
            "1 0 2 3".to_owned(),
            comments,
            "\n".to_owned(),
            String::new(),
        ] {
            fs::write(&path, &text).unwrap();
            let renamed = &mut Remark::default();
            let whole = text_items(&name, text.as_bytes(), None, Form::Collection, renamed);
            assert_eq!(told(&Source::Path(path.clone()).read(None)), told(&whole));
            // In pieces, read in any order.
            let mut boards = Boards::open(&[Source::Path(path.clone())], None, &|_| true);
            let pieces: Vec<Unread> = std::iter::from_fn(|| boards.next_unread()).collect();
            let mut read: Vec<Vec<Item>> = pieces.into_iter().rev().map(Unread::read).collect();
            read.reverse();
            assert_eq!(told(&read.into_iter().flatten().collect::<Vec<_>>()), told(&whole));
        }
    }

    #[test]
    fn what_is_expected_becomes_what_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let line = "1 0 2 3\n";
        fs::write(folder.path().join("a.boards"), line.repeat(3_000)).unwrap();
        fs::write(folder.path().join("b.boards"), line.repeat(6_000)).unwrap();
        fs::write(folder.path().join("c.txt"), line).unwrap();
        let mut boards = Boards::open(&[Source::Path(folder.path().into())], None, &|_| true);
        assert_eq!(boards.expected(), 3, "nothing is known of collections");
        let mut handed_out = 0;
        while let Some(unread) = boards.next_unread() {
            handed_out += unread.expected();
            let unopened = boards.unopened.len();
            assert!((9_001..=9_001 + unopened).contains(&(handed_out + boards.expected())));
        }
        assert_eq!((handed_out, boards.expected()), (9_001, 0));
    }
}
