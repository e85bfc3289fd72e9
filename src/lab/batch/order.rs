//! The records of a batch in the order of the boards, in whatever order they are made.

use super::BoardIndex;
use crate::lab::record::Record;
use std::collections::BTreeMap;

/// Holds lines back until those of all boards before them are there.
#[derive(Debug)]
pub(super) struct RecordOrder {
    /// The board whose line is to be written next, if there is such a board.
    next: BoardIndex,
    /// How many boards the pieces have that were read and are not yet written in full.
    sizes: BTreeMap<usize, usize>,
    /// Lines that wait for an earlier board; empty for a board that needs none.
    waiting: BTreeMap<BoardIndex, Vec<u8>>,
    /// All records, if those of an earlier run have to be sorted in at the end.
    all: Option<BTreeMap<BoardIndex, Record>>,
}

impl RecordOrder {
    pub(super) fn new(resumed: bool) -> RecordOrder {
        RecordOrder {
            next: BoardIndex { piece: 0, index: 0 },
            sizes: BTreeMap::new(),
            waiting: BTreeMap::new(),
            all: resumed.then(BTreeMap::new),
        }
    }

    /// Sets how many boards a piece of the input has.
    pub(super) fn set_size(&mut self, piece: usize, boards: usize) {
        self.sizes.insert(piece, boards);
    }

    /// A board needs no line: it belongs to another shard.
    pub(super) fn leave_out(&mut self, board: BoardIndex) {
        self.waiting.insert(board, Vec::new());
    }

    /// A board has a record of an earlier run, whose line is written already.
    pub(super) fn keep(&mut self, board: BoardIndex, record: &Record) {
        self.leave_out(board);
        self.remember(board, record);
    }

    /// A board has a record, and this is its line.
    pub(super) fn add(&mut self, board: BoardIndex, record: &Record, line: Vec<u8>) {
        self.waiting.insert(board, line);
        self.remember(board, record);
    }

    fn remember(&mut self, board: BoardIndex, record: &Record) {
        if let Some(all) = &mut self.all {
            all.insert(board, record.clone());
        }
    }

    /// Takes the next line whose turn it is.
    pub(super) fn next_line(&mut self) -> Option<Vec<u8>> {
        while self.sizes.get(&self.next.piece) == Some(&self.next.index) {
            self.sizes.remove(&self.next.piece);
            self.next = BoardIndex { piece: self.next.piece + 1, index: 0 };
        }
        let line = self.waiting.remove(&self.next)?;
        self.next.index += 1;
        Some(line)
    }

    /// The lines that still wait at the end, because boards before them were not begun; and all
    /// records in order, if there are others to be sorted in.
    pub(super) fn finish(self) -> (Vec<Vec<u8>>, Option<Vec<Record>>) {
        let records = self.all.map(|all| all.into_values().collect());
        (self.waiting.into_values().collect(), records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record::invalid(String::new(), String::new())
    }

    fn lines(order: &mut RecordOrder) -> Vec<String> {
        let lines = std::iter::from_fn(|| order.next_line());
        lines.map(|line| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn pieces_may_have_any_number_of_boards() {
        let mut order = RecordOrder::new(false);
        let place = |piece, index| BoardIndex { piece, index };
        order.set_size(4, 1);
        order.set_size(3, 0);
        order.add(place(4, 0), &record(), b"last".to_vec());
        order.set_size(1, 3);
        order.add(place(1, 2), &record(), b"c".to_vec());
        order.add(place(1, 0), &record(), b"a".to_vec());
        assert!(lines(&mut order).is_empty(), "it is not known what comes first");
        order.set_size(0, 0);
        assert_eq!(lines(&mut order), ["a"]);
        order.leave_out(place(1, 1));
        assert_eq!(lines(&mut order), ["", "c"]);
        order.set_size(2, 1);
        assert!(lines(&mut order).is_empty());
        order.keep(place(2, 0), &record());
        assert_eq!(lines(&mut order), ["", "last"]);
        assert!(order.finish().0.is_empty());
    }

    #[test]
    fn what_waits_in_vain_is_there_at_the_end() {
        let mut order = RecordOrder::new(true);
        let place = |piece, index| BoardIndex { piece, index };
        for (piece, line) in [(5, "b"), (2, "a")] {
            order.set_size(piece, 1);
            order.add(place(piece, 0), &record(), line.as_bytes().to_vec());
        }
        order.keep(place(3, 0), &Record::invalid("earlier".to_owned(), String::new()));
        assert!(lines(&mut order).is_empty());
        let (waiting, records) = order.finish();
        assert_eq!(waiting, [b"a".to_vec(), Vec::new(), b"b".to_vec()]);
        let names: Vec<String> = records.unwrap().into_iter().map(|r| r.board).collect();
        assert_eq!(names, ["", "earlier", ""]);
    }
}
