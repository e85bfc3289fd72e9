//! Work stealing: which worker solves which board.
//!
//! A worker takes a handful of unread pieces of the input, because going for them takes as long as
//! an easy board, and reads a piece when it comes to it. Once there are no more, it steals from
//! other workers: single boards as well as unread pieces, so that a few hard boards in one file are
//! spread over all workers.
//!
//! Locks are taken in one order: a worker's own before that of what is untaken, and never those
//! of two workers.

use super::BoardIndex;
use crate::lab::input::{Item, Unread};
use crate::sync::{CachePadded, lock};
use std::collections::VecDeque;
use std::sync::Mutex;

/// About how many boards a worker takes at a time.
const HANDFUL: usize = 64;

/// The items that no worker has begun with. `R` is called when a piece was read.
pub(super) struct Queue<I, R> {
    untaken: Mutex<Untaken<I>>,
    /// What each worker has taken, padded because it is touched for each board.
    taken: Vec<CachePadded<Mutex<Taken>>>,
    on_read: R,
}

/// A piece of the input that was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceRead {
    /// The worker that has read it.
    pub(super) worker: usize,
    /// Its number, as in [`BoardIndex`].
    pub(super) piece: usize,
    /// How many boards were expected in it.
    pub(super) expected: usize,
    /// How many items are in it.
    pub(super) items: usize,
}

/// The pieces that no worker has taken, which are numbered as they are.
struct Untaken<I> {
    pieces: I,
    next: usize,
}

/// What a worker has taken, in the order of the boards.
type Taken = VecDeque<Work>;

enum Work {
    Unread(usize, Unread),
    Read(BoardIndex, Item),
}

/// At which end of the work something is taken: the worker itself takes from the front, others
/// steal from the back.
#[derive(Clone, Copy)]
enum End {
    Front,
    Back,
}

impl<I: Iterator<Item = Unread>, R: Fn(PieceRead)> Queue<I, R> {
    pub(super) fn new(pieces: I, workers: usize, on_read: R) -> Self {
        let taken = (0..workers.max(1)).map(|_| CachePadded::default()).collect();
        Queue { untaken: Mutex::new(Untaken { pieces, next: 0 }), taken, on_read }
    }

    pub(super) fn workers(&self) -> usize {
        self.taken.len()
    }

    /// The next item for a worker; `None` if nothing is left for anybody.
    pub(super) fn next(&self, worker: usize) -> Option<(BoardIndex, Item)> {
        {
            // Locked from before the last piece is taken until its items are there: a worker that
            // finds nothing untaken waits for them, instead of believing that there are none.
            let mut own = lock(&self.taken[worker]);
            loop {
                if let Some(found) = self.take(worker, &mut own, End::Front) {
                    return Some(found);
                }
                if !lock(&self.untaken).hand_out(&mut own) {
                    break;
                }
            }
        }
        // Neighbours first, so that not all come to the same one.
        let others = (worker + 1..self.workers()).chain(0..worker);
        let mut others = others.map(|other| lock(&self.taken[other]));
        others.find_map(|mut taken| self.take(worker, &mut taken, End::Back))
    }

    /// Takes an item from one end. A piece that is there is read first, in its place.
    fn take(&self, worker: usize, work: &mut Taken, end: End) -> Option<(BoardIndex, Item)> {
        loop {
            let (piece, unread) = match end.pop(work)? {
                Work::Read(index, item) => return Some((index, item)),
                Work::Unread(piece, unread) => (piece, unread),
            };
            let expected = unread.expected();
            let items = unread.read();
            (self.on_read)(PieceRead { worker, piece, expected, items: items.len() });
            let numbered = items.into_iter().enumerate();
            let read = numbered.map(|(index, item)| Work::Read(BoardIndex { piece, index }, item));
            match end {
                End::Front => read.rev().for_each(|item| work.push_front(item)),
                End::Back => work.extend(read),
            }
        }
    }
}

impl<I: Iterator<Item = Unread>> Untaken<I> {
    /// Hands out some pieces; whether there were any.
    fn hand_out(&mut self, to: &mut Taken) -> bool {
        let mut boards = 0;
        while boards < HANDFUL
            && let Some(unread) = self.pieces.next()
        {
            // A piece without boards is work, too.
            boards += unread.expected().max(1);
            to.push_back(Work::Unread(self.next, unread));
            self.next += 1;
        }
        boards > 0
    }
}

impl End {
    fn pop(self, work: &mut VecDeque<Work>) -> Option<Work> {
        match self {
            End::Front => work.pop_front(),
            End::Back => work.pop_back(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input::{Boards, Source};
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::thread;

    fn pieces(folder: &Path) -> impl Iterator<Item = Unread> + Send {
        let mut boards = Boards::open(&[Source::Path(folder.into())], None, &|_| true);
        std::iter::from_fn(move || boards.next_unread())
    }

    /// The pieces and indices of the next items of these workers.
    fn places<I: Iterator<Item = Unread>, R: Fn(PieceRead)>(
        queue: &Queue<I, R>,
        workers: &[usize],
    ) -> Vec<Option<(usize, usize)>> {
        let place = |(BoardIndex { piece, index }, _)| (piece, index);
        workers.iter().map(|&worker| queue.next(worker).map(place)).collect()
    }

    #[test]
    fn a_few_boards_of_one_file_go_to_all_workers() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.boards"), "1 0 2 3\n".repeat(5)).unwrap();
        let queue = Queue::new(pieces(folder.path()), 3, |_| ());
        let expected = [Some((0, 0)), Some((0, 4)), Some((0, 3)), Some((0, 2)), Some((0, 1)), None];
        assert_eq!(places(&queue, &[0, 1, 2, 1, 0, 0]), expected);
        assert_eq!(places(&queue, &[1, 2]), [None, None]);
    }

    #[test]
    fn files_that_a_worker_has_not_come_to_go_to_others() {
        let folder = tempfile::tempdir().unwrap();
        for i in 0..4 {
            // The last one has two boards.
            let text = "a: 1 0 2 3\n".repeat(1 + i / 3);
            std::fs::write(folder.path().join(format!("{i}.txt")), text).unwrap();
        }
        let queue = Queue::new(pieces(folder.path()), 2, |_| ());
        let expected = [Some((0, 0)), Some((3, 1)), Some((1, 0)), Some((3, 0)), Some((2, 0)), None];
        assert_eq!(places(&queue, &[0, 1, 0, 1, 1, 1]), expected);
        assert_eq!(places(&queue, &[0]), [None]);
    }

    #[test]
    fn every_item_goes_to_one_worker_and_every_piece_is_numbered() {
        let folder = tempfile::tempdir().unwrap();
        let remarks = "# a remark that takes some room\n".repeat(500);
        let text = format!("{}{remarks}{}", "1 0 2 3\n".repeat(2_000), "0 1 2 3\n".repeat(2_000));
        std::fs::write(folder.path().join("a.boards"), text).unwrap();
        for i in 0..500 {
            std::fs::write(folder.path().join(format!("b{i}.txt")), "1 0 2 3").unwrap();
        }
        let sizes: Mutex<BTreeMap<usize, usize>> = Mutex::default();
        let queue = Queue::new(pieces(folder.path()), 4, |PieceRead { piece, items, .. }| {
            assert_eq!(lock(&sizes).insert(piece, items), None, "a piece is read once");
        });
        let met = Mutex::new(BTreeMap::new());
        thread::scope(|scope| {
            for worker in 0..4 {
                let (queue, met) = (&queue, &met);
                scope.spawn(move || {
                    while let Some((index, item)) = queue.next(worker) {
                        assert!(lock(met).insert(index, item.name).is_none());
                    }
                });
            }
        });
        let names: Vec<String> = lock(&met).values().cloned().collect();
        let in_order: Vec<String> =
            Source::Path(folder.path().into()).read(None).into_iter().map(|i| i.name).collect();
        assert_eq!((names.len(), names), (4_500, in_order));
        let sizes = lock(&sizes);
        assert!(sizes.keys().copied().eq(0..sizes.len()), "there are no gaps");
        assert!(sizes.values().any(|&items| items == 0), "some have only remarks");
        let all = sizes
            .iter()
            .flat_map(|(&piece, &items)| (0..items).map(move |index| BoardIndex { piece, index }));
        assert!(lock(&met).keys().copied().eq(all));
    }
}
