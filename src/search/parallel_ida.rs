//! IDA* on several threads (in the spirit of Rao, Kumar and Ramesh 1987, "A parallel
//! implementation of iterative-deepening-A*").
//!
//! The tree below the root is cut into many more subtrees than there are threads (`packets`); each
//! iteration then searches all of them under the same bound. Whichever thread has nothing to do
//! takes the next, and the most promising first where they are ordered. The proven length is that
//! of IDA*; which of several shortest solutions is found may depend on the threads, and so does the
//! number of nodes of the last iteration. With a [`Crew`](super::Crew), other processes take part.

use super::estimator::Estimator;
use super::ida::{PassResult, deepen};
use super::node_counts::{counts_of, report};
use super::packets::{PACKETS_PER_THREAD, Packets};
use super::poller::{Poll, Poller};
use super::{
    Algorithm, Limits, Observer, Optimality, Outcome, Setting, Statistics, StopReason, Task,
};
use crate::puzzle::Depth;
use rayon::ThreadPool;
use std::iter;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// IDA* on several threads.
pub static PARALLEL_IDA: Algorithm = Algorithm {
    name: "pida",
    summary: "IDA* on several threads: shortest solutions with an admissible heuristic, no memory",
    optimality: Optimality::IfAdmissible,
    guided: true,
    parallel: true,
    follows: &[Setting::Prune],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    if let Some(crew) = task.options.crew_to_prove_with() {
        return crew.search(task, estimator, observer);
    }
    let threads = task.options.threads;
    let mut packets: Option<Packets<'_>> = None;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let outcome = deepen(task, estimator, &mut |bound, so_far| {
        let Statistics { expanded: expanded_before, iterations, .. } = so_far;
        let expanded_before = *expanded_before;
        observer.progress(bound, expanded_before);
        report(observer, expanded_before, &|| counts_of(iterations));
        let mut poller = Poller::after(expanded_before, iterations, &task.limits, observer);
        let (frontier, begun) = match estimator.frontier(task, bound, &mut poller) {
            Some((frontier, begun)) => (Some(frontier), begun),
            None => (None, PassResult::default()),
        };
        if begun.end != Ok(None) {
            return begun;
        }
        let shared = Shared {
            limits: &task.limits,
            threads: threads as u64,
            granted: AtomicU64::new(expanded_before + begun.expanded),
            over: AtomicBool::new(false),
        };
        let all = Mutex::new(begun);
        let search = |pass: &dyn Fn(&mut dyn Poll) -> PassResult| {
            let one = search_subtree(pass, &shared);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            *all = std::mem::take(&mut *all).joined(one);
        };
        let pool = pool.as_ref().ok();
        if let Some(frontier) = frontier {
            share_out(pool, frontier.len(), &|number| {
                search(&|poll| frontier.pass(number, poll));
            });
        } else {
            let wanted = PACKETS_PER_THREAD * threads;
            let loops = task.loops(estimator.frame(), expanded_before);
            let packets = match packets.take().filter(|packets| packets.follow(loops)) {
                Some(same) => packets.insert(same),
                None => packets.insert(Packets::new(task, estimator, loops, wanted)),
            };
            share_out(pool, packets.count(), &|packet| {
                search(&|poll| packets.search(packet, bound, poll));
            });
        }
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    });
    let Statistics { expanded, iterations, .. } = &outcome.statistics;
    report(observer, *expanded, &|| counts_of(iterations));
    outcome
}

/// Calls `search` with each number below `count`, in order, on all threads of the pool; on this one
/// if the system has no more threads.
fn share_out(pool: Option<&ThreadPool>, count: usize, search: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let take = || {
        let numbers = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        numbers.take_while(|&number| number < count).for_each(search);
    };
    match pool {
        Some(pool) => drop(pool.broadcast(|_| take())),
        None => take(),
    }
}

/// Searches one subtree, unless everything is over.
fn search_subtree(pass: &dyn Fn(&mut dyn Poll) -> PassResult, shared: &Shared<'_>) -> PassResult {
    if shared.over.load(Ordering::Relaxed) {
        return PassResult::default();
    }
    let mut poll = SharedPoll { shared, granted: 0 };
    let result = pass(&mut poll);
    shared.granted.fetch_sub(poll.granted - result.expanded, Ordering::Relaxed);
    if !matches!(result.end, Ok(None)) {
        shared.over.store(true, Ordering::Relaxed);
    }
    result
}

/// What the threads of one iteration share.
struct Shared<'a> {
    limits: &'a Limits<'a>,
    threads: u64,
    /// How many nodes have been expanded or promised to a thread.
    granted: AtomicU64,
    /// A solution was found, or a limit was hit.
    over: AtomicBool,
}

/// Polls for one packet.
struct SharedPoll<'a> {
    shared: &'a Shared<'a>,
    /// How many nodes this pass was allowed to expand so far.
    granted: u64,
}

impl Poll for SharedPoll<'_> {
    fn poll(&mut self, _: Depth, expanded: u64) -> Result<u64, StopReason> {
        debug_assert_eq!(expanded, self.granted, "it asks when it has to");
        let Shared { limits, threads, granted, over } = self.shared;
        if over.load(Ordering::Relaxed) {
            return Err(StopReason::Cancelled);
        }
        // Near the limit each thread gets a small part of what is left, so that no other has to
        // stop for nodes that are promised and not used.
        let share = |total: u64| limits.stride(total).div_ceil(*threads);
        let promise = |total: u64| limits.check(total).is_ok().then(|| total + share(total));
        match granted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, promise) {
            Ok(total) => {
                self.granted += share(total);
                Ok(share(total))
            }
            Err(total) => limits.check(total).and(Err(StopReason::Nodes)),
        }
    }
}
