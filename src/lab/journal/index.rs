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

/// Which of several records of a board counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// The last finished one; if none is finished, the last one with a solution, or the last one. The
    /// record of what could not be read as a board is replaced by that of any board of the same name.
    Finished,
    /// The last one: each says more than those before.
    Last,
}

/// The part of a record that decides whether it counts.
#[derive(Deserialize)]
pub(super) struct Head {
    pub(super) board: String,
    #[serde(default)]
    pub(super) start: Option<Vec<u16>>,
    status: Status,
    #[serde(default)]
    stopped_by: Option<Status>,
}

/// How far a search came. A record that is worth less does not replace one that is worth more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Standing {
    Interrupted,
    InterruptedWithSolution,
    Finished,
}

impl Standing {
    fn new(status: Status, stopped_by: Option<Status>) -> Standing {
        match (status, stopped_by) {
            (Status::Interrupted, _) => Standing::Interrupted,
            (_, Some(Status::Interrupted)) => Standing::InterruptedWithSolution,
            _ => Standing::Finished,
        }
    }
}

impl From<&Record> for Standing {
    fn from(record: &Record) -> Standing {
        Standing::new(record.status, record.stopped_by)
    }
}

impl From<&Head> for Standing {
    fn from(head: &Head) -> Standing {
        Standing::new(head.status, head.stopped_by)
    }
}

/// For each board the record that counts.
#[derive(Debug)]
pub(super) struct Index {
    counting: Counting,
    by_board: HashMap<BoardKey, Place>,
    /// How many records do not count.
    pub(super) replaced: usize,
}

/// Where the record of a board is, and how far its search came.
#[derive(Clone, Copy, Debug)]
struct Place {
    line: Line,
    standing: Standing,
}

impl Index {
    pub(super) fn new(counting: Counting) -> Index {
        Index { counting, by_board: HashMap::default(), replaced: 0 }
    }

    /// Takes in the next record.
    pub(super) fn add(
        &mut self,
        line: Line,
        name: &str,
        start: Option<&[u16]>,
        standing: Standing,
    ) {
        let standing = match self.counting {
            Counting::Finished => standing,
            Counting::Last => Standing::Finished,
        };
        if start.is_some() && standing == Standing::Finished {
            let unread = self.by_board.remove(&BoardKey::new(name, None));
            self.replaced += usize::from(unread.is_some());
        }
        let board = BoardKey::new(name, start);
        let known = self.by_board.get(&board);
        self.replaced += usize::from(known.is_some());
        if known.is_none_or(|known| known.standing <= standing) {
            self.by_board.insert(board, Place { line, standing });
        }
    }

    /// Where the record of a board is.
    pub(super) fn get(&self, key: BoardKey) -> Option<Line> {
        self.by_board.get(&key).map(|place| place.line)
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
            ("d", Some(one), "interrupted with a solution", true),
            ("d", Some(one), interrupted, false),
            ("e", Some(one), solved, true),
            ("e", Some(one), "interrupted with a solution", false),
        ];
        let mut file = tempfile::NamedTempFile::new().unwrap();
        for (board, start, status, _) in records {
            let mut head = serde_json::json!({ "board": board, "start": start, "status": status });
            if status.ends_with("solution") {
                (head["status"], head["stopped_by"]) = (solved.into(), interrupted.into());
            }
            writeln!(file, "{head}").unwrap();
        }
        let (mut index, mut lines) = (Index::new(Counting::Finished), Vec::new());
        let add = |line, head: Head| {
            index.add(line, &head.board, head.start.as_deref(), Standing::from(&head));
            lines.push(line);
        };
        let end = each_record(&file.reopen().unwrap(), Path::new("journal"), add).unwrap();
        assert_eq!(end, End { whole: file.as_file().metadata().unwrap().len(), not_ended: None });
        assert_eq!(index.replaced, records.iter().filter(|record| !record.3).count());
        let counting: Vec<Line> = index.into_lines().into_iter().map(|(line, _)| line).collect();
        let expected = lines.iter().zip(records).filter(|(_, record)| record.3);
        assert!(counting.iter().eq(expected.map(|(line, _)| line)));
    }

    #[test]
    fn where_each_says_more_the_last_counts() {
        let mut index = Index::new(Counting::Last);
        let standings = [Standing::Finished, Standing::Interrupted, Standing::Interrupted];
        for (start, standing) in (0..).zip(standings) {
            index.add(Line::at(start), "a", Some(&[0, 1]), standing);
        }
        assert_eq!(index.replaced, 2);
        assert_eq!(index.into_lines()[0].0, Line::at(2));
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
