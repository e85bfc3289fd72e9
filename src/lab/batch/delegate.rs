//! Boards of a run that are solved elsewhere, as by other processes.
//!
//! Whoever delegates takes boards as a worker does, and brings their records. Boards that were taken
//! and not begun can be given back: this process's own workers wait for them, once they have
//! nothing else to do.

use super::queue::{PieceRead, Queue};
use super::resume::Earlier;
use super::{BoardIndex, Run};
use crate::board::Board;
use crate::lab::input::{Item, Unread};
use crate::lab::record::Record;
use crate::sync::lock;
use std::error::Error;
use std::sync::{Condvar, Mutex, PoisonError};

/// Has boards solved elsewhere.
pub trait Delegate: Send {
    /// Takes boards, and brings their records or gives them back, until nothing is left to be
    /// taken and everything that was taken has come back. It is called on the thread that runs the
    /// batch.
    ///
    /// # Errors
    /// If that cannot be done; the run ends then, with the records that it has.
    fn solve(&mut self, boards: &Delegation<'_, '_>) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// The boards of a run, for who delegates them.
pub struct Delegation<'a, 'r> {
    run: &'a Run<'r>,
    items: &'a dyn Items,
    /// The number of this worker.
    worker: usize,
    lobby: &'a Lobby,
}

/// A board that was taken from a run.
#[derive(Debug)]
pub struct Delegated {
    pub(super) index: BoardIndex,
    pub(super) item: Item,
    /// What an earlier run has found out about it.
    pub(super) known: Option<Box<Record>>,
}

impl Delegated {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.item.name
    }

    /// The board.
    pub fn board(&self) -> &Board {
        match &self.item.entry {
            Ok(entry) => &entry.board,
            Err(error) => unreachable!("what is no board is not delegated: {error}"),
        }
    }
}

/// The queue, whatever its types.
pub(super) trait Items: Sync {
    fn next(&self, worker: usize) -> Option<(BoardIndex, Item)>;
}

impl<I: Iterator<Item = Unread> + Send, R: Fn(PieceRead) + Sync> Items for Queue<I, R> {
    fn next(&self, worker: usize) -> Option<(BoardIndex, Item)> {
        Queue::next(self, worker)
    }
}

/// Where workers wait for boards that are given back.
#[derive(Debug, Default)]
pub(super) struct Lobby {
    state: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    given_back: Vec<Delegated>,
    /// How many workers wait.
    workers: usize,
    /// Nothing more is given back.
    closed: bool,
}

impl Lobby {
    /// Waits for a board that is given back; none if none will be.
    pub(super) fn wait(&self) -> Option<Delegated> {
        let mut waiting = lock(&self.state);
        waiting.workers += 1;
        let nothing = |waiting: &mut Waiting| waiting.given_back.is_empty() && !waiting.closed;
        let woken = self.changed.wait_while(waiting, nothing);
        waiting = woken.unwrap_or_else(PoisonError::into_inner);
        waiting.workers -= 1;
        waiting.given_back.pop()
    }

    /// Lets all workers go.
    pub(super) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }
}

impl<'a, 'r> Delegation<'a, 'r> {
    pub(super) fn new(
        run: &'a Run<'r>,
        items: &'a dyn Items,
        worker: usize,
        lobby: &'a Lobby,
    ) -> Delegation<'a, 'r> {
        Delegation { run, items, worker, lobby }
    }

    /// The next board that is to be solved. What needs no search is seen to on the way.
    pub fn next(&self) -> Option<Delegated> {
        if let Some(board) = lock(&self.lobby.state).given_back.pop() {
            return Some(board);
        }
        while !self.run.is_over()
            && let Some((index, item)) = self.items.next(self.worker)
        {
            let question = self.run.plan.question(&item, self.run.solvers);
            if self.run.is_left_out(self.worker, index, &item) {
                continue;
            }
            let known = match self.run.earlier_record(&item, question) {
                Earlier::Answer(record) => {
                    self.run.keep(self.worker, index, &item, &record);
                    continue;
                }
                Earlier::Again(known) => Some(known),
                Earlier::Nothing => None,
            };
            if item.entry.is_ok() {
                return Some(Delegated { index, item, known });
            }
            self.run.solve_item(self.worker, index, item, question, known.map(|known| *known));
        }
        None
    }

    /// About how many boards nobody has taken.
    pub fn left(&self) -> usize {
        self.run.left()
    }

    /// Whether the run is to end, with boards that are not solved.
    pub fn is_over(&self) -> bool {
        self.run.is_over()
    }

    /// How many workers of this process have nothing to do.
    pub fn idle_workers(&self) -> usize {
        lock(&self.lobby.state).workers
    }

    /// Takes the record of a board.
    pub fn finish(&self, board: Delegated, record: Record) {
        let Delegated { index, item, known } = board;
        let question = self.run.plan.question(&item, self.run.solvers);
        let known_length = item.entry.ok().and_then(|entry| entry.known_length);
        self.run.finish(self.worker, index, record, known_length, question, known.map(|k| *k));
    }

    /// Gives back a board that was not begun, to whoever is next.
    pub fn give_back(&self, board: Delegated) {
        lock(&self.lobby.state).given_back.push(board);
        self.lobby.changed.notify_one();
    }
}
