//! Many boards at once: each goes to the next free worker.
//!
//! Workers take items from one iterator, which reads files when their turn comes, so that the
//! first result does not wait for the last file. Solvers, with their tables, are shared. What
//! becomes of answers is the [`Desk`]'s business.

use super::input::Item;
use super::plan::{Answered, Plan};
use super::solvers::Solvers;
use crate::puzzle::Depth;
use crate::search::Observer;
use crate::solver::SolveError;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

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
    fn finish(&self, worker: usize, number: usize, answered: Answered);
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
        let over = AtomicBool::new(false);
        let go_on = || !self.cancelled.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed);
        let work = |(number, item): (usize, Item)| {
            let worker = rayon::current_thread_index().unwrap_or(0);
            desk.begin(worker, &item.name);
            let mut reporter = Reporter { desk, worker };
            match self.plan.answer(item, self.solvers, self.cancelled, &mut reporter) {
                Ok(answered) => desk.finish(worker, number, answered),
                Err(error) => {
                    over.store(true, Ordering::Relaxed);
                    let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                    failure.get_or_insert(error);
                }
            }
        };
        let items = items.take_while(|_| go_on());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.workers).build();
        match pool {
            Ok(pool) => pool.install(|| items.par_bridge().for_each(work)),
            // The system has no more threads: this one does it all.
            Err(_) => items.for_each(work),
        }
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
