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
        // Each worker is sent to work once, and no worker that waits for tables to be built can
        // come upon another's work. New threads start on free cores; those of a pool that are
        // woken up begin on the core of who wakes them, and share it for some milliseconds.
        match rayon::ThreadPoolBuilder::new().num_threads(queue.taken.len()).build() {
            Ok(pool) => drop(pool.broadcast(|context| work(context.index()))),
            // The system has no more threads: this one does it all.
            Err(_) => work(0),
        }
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// How many items a worker takes at a time, if they can be read in no time.
const HANDFUL: usize = 64;

/// How long a worker reads items, at most, before it begins with the first.
const READING: Duration = Duration::from_micros(50);

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
