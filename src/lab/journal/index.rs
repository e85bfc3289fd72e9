//! Which records of a journal count, and where they are in the file: a few bytes for each board,
//! however long its record is.

use super::lines::Line;
use crate::hash::HashMap;
use crate::lab::record::{Record, Status};
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_128;

/// Which board a record is of: a 128-bit hash of its name and, if it could be read and is a board of a
/// puzzle, of its tiles. A collision is far less likely than a memory error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardKey(u128);

impl BoardKey {
    /// The key of a board.
    pub fn new(name: &str, start: Option<&[u16]>) -> BoardKey {
        let length = start.map_or(u32::MAX, |start| start.len() as u32);
        let tiles = start.into_iter().flatten().flat_map(|tile| tile.to_le_bytes());
        let bytes: Vec<u8> =
            length.to_le_bytes().into_iter().chain(tiles).chain(name.bytes()).collect();
        BoardKey(xxh3_128(&bytes))
    }
}

impl From<&Record> for BoardKey {
    fn from(record: &Record) -> BoardKey {
        BoardKey::new(&record.board, record.start.as_deref())
    }
}

/// The part of a record that decides whether it counts.
#[derive(Deserialize)]
pub(super) struct Head {
    pub(super) board: String,
    #[serde(default)]
    pub(super) start: Option<Vec<u16>>,
    pub(super) status: Status,
}

/// For each board the last finished record, or the last one if none is finished. The record of what
/// could not be read as a board is replaced by that of any board of the same name.
#[derive(Debug, Default)]
pub(super) struct Index {
    by_board: HashMap<BoardKey, Place>,
    /// How many records do not count.
    pub(super) replaced: usize,
}

/// Where the record of a board is, and whether its search was finished.
#[derive(Clone, Copy, Debug)]
struct Place {
    line: Line,
    is_finished: bool,
}

impl Index {
    /// Takes in the next record.
    pub(super) fn add(&mut self, line: Line, name: &str, start: Option<&[u16]>, status: Status) {
        let is_finished = status != Status::Interrupted;
        if start.is_some() && is_finished {
            self.replaced += usize::from(self.take(BoardKey::new(name, None)).is_some());
        }
        let board = BoardKey::new(name, start);
        let known = self.by_board.get(&board);
        self.replaced += usize::from(known.is_some());
        if is_finished || known.is_none_or(|known| !known.is_finished) {
            self.by_board.insert(board, Place { line, is_finished });
        }
    }

    /// Takes out the record of a board.
    pub(super) fn take(&mut self, key: BoardKey) -> Option<Line> {
        self.by_board.remove(&key).map(|place| place.line)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_board.is_empty()
    }

    /// The records that count, in their order.
    pub(super) fn into_lines(self) -> Vec<(Line, BoardKey)> {
        let mut lines: Vec<(Line, BoardKey)> =
            self.by_board.into_iter().map(|(key, place)| (place.line, key)).collect();
        lines.sort_unstable_by_key(|&(line, _)| line);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::journal::lines::{End, each_record};
    use std::io::Write;
    use std::path::Path;

    #[test]
    fn of_the_records_of_a_board_the_last_finished_one_counts() {
        let (solved, timeout, interrupted) = ("solved", "timeout", "interrupted");
        let one: &[u16] = &[1, 0, 2, 3];
        let other: &[u16] = &[0, 1, 2, 3];
        let records = [
            ("a", Some(one), timeout, false),
            ("a", Some(other), timeout, true),
            ("a", Some(one), solved, true),
            ("a", Some(one), interrupted, false),
            ("b", Some(one), interrupted, false),
            ("b", Some(one), interrupted, true),
            ("c", None, "invalid", false),
            ("c", Some(one), interrupted, false),
            ("c", Some(one), solved, true),
            ("c", None, "invalid", true),
        ];
        let mut file = tempfile::tempfile().unwrap();
        for (board, start, status, _) in records {
            let head = serde_json::json!({ "board": board, "start": start, "status": status });
            writeln!(file, "{head}").unwrap();
        }
        let (mut index, mut lines) = (Index::default(), Vec::new());
        let add = |line, head: Head| {
            index.add(line, &head.board, head.start.as_deref(), head.status);
            lines.push(line);
        };
        let end = each_record(&file, Path::new("journal"), add).unwrap();
        assert_eq!(end, End { whole: file.metadata().unwrap().len(), not_ended: None });
        assert_eq!(index.replaced, records.iter().filter(|record| !record.3).count());
        let counting: Vec<Line> = index.into_lines().into_iter().map(|(line, _)| line).collect();
        let expected = lines.iter().zip(records).filter(|(_, record)| record.3);
        assert!(counting.iter().eq(expected.map(|(line, _)| line)));
    }

    #[test]
    fn boards_are_told_apart_by_name_and_tiles() {
        let keys = [
            BoardKey::new("a", None),
            BoardKey::new("a", Some(&[])),
            BoardKey::new("", Some(&[97])),
            BoardKey::new("\0", Some(&[97])),
            BoardKey::new("a", Some(&[0, 1])),
            BoardKey::new("b", Some(&[0, 1])),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key));
        }
    }
}
