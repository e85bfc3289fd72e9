//! Many boards at once: each goes to the next free worker.
//!
//! Workers take items from one iterator, which reads files when their turn comes, so that the
//! first result does not wait for the last file. They take a handful at a time, because easy
//! boards are solved as quickly as they are read; once there are no more, a worker takes over
//! what others have left. Solvers, with their tables, are shared. What becomes of answers is the
//! [`Desk`]'s business.

use super::input::Item;
use super::plan::{Answered, Plan};
use super::solvers::Solvers;
use crate::puzzle::Depth;
use crate::search::Observer;
use crate::solver::SolveError;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

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

/// Where workers report. Calls come from several threads.
pub trait Desk: Sync {
    /// A worker begins with a board.
    fn begin(&self, worker: usize, name: &str);

    /// It is trying a bound, and has expanded so many nodes.
    fn progress(&self, worker: usize, bound: Depth, expanded: u64);

    /// It has an answer to an item, which has the number given.
    fn finish(&self, worker: usize, number: usize, answered: Answered<'_>);
}

impl Batch<'_> {
    /// Solves all items, each of which has a number.
    ///
    /// # Errors
    /// If the plan names what does not exist, or if the checker rejects a solution.
    pub fn run(
        &self,
        items: impl Iterator<Item = (usize, Item)> + Send,
        desk: &impl Desk,
    ) -> Result<(), SolveError> {
        let failure: Mutex<Option<SolveError>> = Mutex::new(None);
        let queue = Queue::new(items, self.workers);
        let over = AtomicBool::new(false);
        let go_on = || !self.cancelled.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed);
        let work = |worker| {
            let mut reporter = Reporter { desk, worker };
            while go_on()
                && let Some((number, item)) = queue.next(worker)
            {
                desk.begin(worker, &item.name);
                match self.plan.answer(item, self.solvers, self.cancelled, &mut reporter) {
                    Ok(answered) => desk.finish(worker, number, answered),
                    Err(error) => {
                        over.store(true, Ordering::Relaxed);
                        lock(&failure).get_or_insert(error);
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
            (1..queue.taken.len()).try_for_each(|worker| {
                thread::Builder::new().spawn_scoped(scope, move || work(worker)).map(drop).ok()
            });
            work(0);
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// How many items a worker takes at a time, if they can be read in no time.
const HANDFUL: usize = 256;

/// How long a worker reads items, at most, before it begins with the first. Others may have to wait
/// meanwhile: going to sleep and waking up takes a good part of that, so there is no point in less.
const READING: Duration = Duration::from_micros(250);

/// The items that no worker has begun with.
struct Queue<I> {
    untaken: Mutex<I>,
    /// What each worker has taken.
    taken: Vec<Mutex<VecDeque<(usize, Item)>>>,
}

impl<I: Iterator<Item = (usize, Item)>> Queue<I> {
    fn new(items: I, workers: usize) -> Queue<I> {
        let taken = (0..workers.max(1)).map(|_| Mutex::default()).collect();
        Queue { untaken: Mutex::new(items), taken }
    }

    /// The next item for a worker.
    fn next(&self, worker: usize) -> Option<(usize, Item)> {
        if let Some(item) = lock(&self.taken[worker]).pop_front() {
            return Some(item);
        }
        {
            // Locked until all are where others find them.
            let mut untaken = lock(&self.untaken);
            let began = Instant::now();
            let mut handful = VecDeque::new();
            while handful.len() < HANDFUL
                && (handful.is_empty() || began.elapsed() < READING)
                && let Some(item) = untaken.next()
            {
                handful.push_back(item);
            }
            if let Some(item) = handful.pop_front() {
                *lock(&self.taken[worker]) = handful;
                return Some(item);
            }
        }
        self.taken.iter().find_map(|taken| lock(taken).pop_back())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
