//! Many boards at once: each goes to the next free worker.
//!
//! Workers take pieces of the input and read them themselves, so that the first result does not
//! wait for the last file and nobody waits while another one reads; once there are no more, a
//! worker takes over what others have left (`queue` has how). Solvers, with their tables, are
//! shared. What becomes of answers is the [`Desk`]'s business.

mod queue;

use super::input::{Item, Unread};
use super::plan::{Answered, Plan};
use super::solvers::Solvers;
use crate::puzzle::Depth;
use crate::search::Observer;
use crate::solver::SolveError;
use queue::Queue;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A run over many boards.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// What is done with each board.
    pub plan: &'a Plan,
    /// Who does it.
    pub solvers: &'a Solvers,
    /// How many boards are solved at once.
    pub workers: usize,
    /// Set when the run is to end: boards that are being solved are given up, and no other is
    /// begun.
    pub cancelled: &'a AtomicBool,
}

/// Where in the input an item is: places are in the order of the boards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The number of the piece that it is in, from 0 without gaps.
    pub piece: usize,
    /// Its number among the items of the piece, from 0 without gaps.
    pub index: usize,
}

/// Where workers report. Calls come from several threads.
pub trait Desk: Sync {
    /// A worker has read a piece of the input: in the one of this number, of which `expected`
    /// items were expected, there are so many.
    fn read(&self, _worker: usize, _piece: usize, _expected: usize, _items: usize) {}

    /// Whether a worker is to answer an item. It is asked once about each.
    fn wants(&self, _worker: usize, _place: Place, _item: &Item) -> bool {
        true
    }

    /// A worker begins with a board.
    fn begin(&self, worker: usize, name: &str);

    /// It is trying a bound, and has expanded so many nodes.
    fn progress(&self, worker: usize, bound: Depth, expanded: u64);

    /// It has an answer to an item.
    fn finish(&self, worker: usize, place: Place, answered: Answered<'_>);
}

impl Batch<'_> {
    /// Solves all items of these pieces.
    ///
    /// # Errors
    /// If the plan names what does not exist, or if the checker rejects a solution.
    pub fn run(
        &self,
        unread: impl Iterator<Item = Unread> + Send,
        desk: &impl Desk,
    ) -> Result<(), SolveError> {
        let failure: Mutex<Option<SolveError>> = Mutex::new(None);
        let queue = Queue::new(unread, self.workers, desk);
        let over = AtomicBool::new(false);
        let go_on = || !self.cancelled.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed);
        let work = |worker| {
            let mut reporter = Reporter { desk, worker };
            while go_on()
                && let Some((place, item)) = queue.next(worker)
            {
                if !desk.wants(worker, place, &item) {
                    continue;
                }
                desk.begin(worker, &item.name);
                match self.plan.answer(item, self.solvers, self.cancelled, &mut reporter) {
                    Ok(answered) => desk.finish(worker, place, answered),
                    Err(error) => {
                        over.store(true, Ordering::Relaxed);
                        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    }
                }
            }
        };
        // This thread is a worker as well, so that none has to be moved to a free core. None
        // belongs to a pool: one that waits for tables to be built cannot come upon another's
        // work, and the pool has all its threads for the building.
        let work = &work;
        thread::scope(|scope| {
            // Where the system has no more threads, there are fewer workers.
            (1..queue.workers()).try_for_each(|worker| {
                thread::Builder::new().spawn_scoped(scope, move || work(worker)).map(drop).ok()
            });
            work(0);
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// Tells the desk how a worker's search is going.
struct Reporter<'a, D> {
    desk: &'a D,
    worker: usize,
}

impl<D: Desk> Observer for Reporter<'_, D> {
    fn progress(&mut self, bound: Depth, expanded: u64) {
        self.desk.progress(self.worker, bound, expanded);
    }
}
