//! The records of a batch in the order of the boards, in whatever order they are made.

use super::BoardIndex;
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
}

impl RecordOrder {
    pub(super) fn new() -> RecordOrder {
        let next = BoardIndex { piece: 0, index: 0 };
        RecordOrder { next, sizes: BTreeMap::new(), waiting: BTreeMap::new() }
    }

    /// Sets how many boards a piece of the input has.
    pub(super) fn set_size(&mut self, piece: usize, boards: usize) {
        self.sizes.insert(piece, boards);
    }

    /// A board needs no line: it belongs to another shard.
    pub(super) fn leave_out(&mut self, board: BoardIndex) {
        self.waiting.insert(board, Vec::new());
    }

    /// A board has a record, and this is its line.
    pub(super) fn add(&mut self, board: BoardIndex, line: Vec<u8>) {
        self.waiting.insert(board, line);
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

    /// The lines that still wait at the end, because boards before them were not begun.
    pub(super) fn into_waiting(self) -> impl Iterator<Item = Vec<u8>> {
        self.waiting.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(order: &mut RecordOrder) -> Vec<String> {
        let lines = std::iter::from_fn(|| order.next_line());
        lines.map(|line| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn pieces_may_have_any_number_of_boards() {
        let mut order = RecordOrder::new();
        let place = |piece, index| BoardIndex { piece, index };
        order.set_size(4, 1);
        order.set_size(3, 0);
        order.add(place(4, 0), b"last".to_vec());
        order.set_size(1, 3);
        order.add(place(1, 2), b"c".to_vec());
        order.add(place(1, 0), b"a".to_vec());
        assert!(lines(&mut order).is_empty(), "it is not known what comes first");
        order.set_size(0, 0);
        assert_eq!(lines(&mut order), ["a"]);
        order.leave_out(place(1, 1));
        assert_eq!(lines(&mut order), ["", "c"]);
        order.set_size(2, 1);
        assert!(lines(&mut order).is_empty());
        order.leave_out(place(2, 0));
        assert_eq!(lines(&mut order), ["", "last"]);
        assert_eq!(order.into_waiting().count(), 0);
    }

    #[test]
    fn what_waits_in_vain_is_there_at_the_end() {
        let mut order = RecordOrder::new();
        let place = |piece, index| BoardIndex { piece, index };
        for (piece, line) in [(5, "b"), (2, "a")] {
            order.set_size(piece, 1);
            order.add(place(piece, 0), line.as_bytes().to_vec());
        }
        assert!(lines(&mut order).is_empty());
        assert!(order.into_waiting().eq([b"a", b"b"]));
    }
}
