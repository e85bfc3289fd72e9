//! IDA* on several threads (in the spirit of Rao, Kumar and Ramesh 1987, "A parallel
//! implementation of iterative-deepening-A*").
//!
//! The tree below the root is cut into many more subtrees than there are threads (`packets`); each
//! iteration then searches all of them under the same bound, and the pool's work stealing evens
//! out their sizes. The proven length is that of IDA*; which of several shortest solutions is
//! found may depend on the threads, and so does the number of nodes of the last iteration. With a
//! [`Crew`](super::Crew), other processes take part.

use super::estimator::Estimator;
use super::ida::{PassResult, deepen};
use super::packets::{PACKETS_PER_THREAD, Packets};
use super::poller::Poll;
use super::{Algorithm, Limits, Observer, Optimality, Outcome, StopReason, Task};
use crate::puzzle::Depth;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// IDA* on several threads.
pub static PARALLEL_IDA: Algorithm = Algorithm {
    name: "pida",
    summary: "IDA* on several threads: shortest solutions with an admissible heuristic, no memory",
    optimality: Optimality::IfAdmissible,
    guided: true,
    parallel: true,
    follows: &[],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    if let Some(crew) = task.options.crew_to_prove_with() {
        return crew.search(task, estimator, observer);
    }
    let threads = task.options.threads;
    let packets = Packets::new(task, estimator, PACKETS_PER_THREAD * threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    deepen(task, estimator, &mut |bound, expanded_before| {
        observer.progress(bound, expanded_before);
        let shared = Shared {
            limits: &task.limits,
            threads: threads as u64,
            granted: AtomicU64::new(expanded_before),
            over: AtomicBool::new(false),
        };
        let all = Mutex::new(PassResult::default());
        share_out(pool.as_ref().ok(), packets.count(), &|packet| {
            let one = search_packet(&packets, packet, bound, &shared);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            *all = joined(std::mem::take(&mut *all), one);
        });
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    })
}

/// Searches all packets, on all threads of the pool; on this one if the system has no more
/// threads.
fn share_out(pool: Option<&ThreadPool>, packets: usize, search: &(dyn Fn(usize) + Sync)) {
    match pool {
        Some(pool) => {
            let all = (0..packets).into_par_iter().with_max_len(1);
            pool.install(|| all.for_each(search));
        }
        None => (0..packets).for_each(search),
    }
}

/// Searches one packet under a bound.
fn search_packet(
    packets: &Packets<'_>,
    packet: usize,
    bound: Depth,
    shared: &Shared<'_>,
) -> PassResult {
    if shared.over.load(Ordering::Relaxed) {
        return PassResult::default();
    }
    let mut poll = SharedPoll { shared, granted: 0 };
    let result = packets.search(packet, bound, &mut poll);
    shared.granted.fetch_sub(poll.granted - result.expanded, Ordering::Relaxed);
    if !matches!(result.end, Ok(None)) {
        shared.over.store(true, Ordering::Relaxed);
    }
    result
}

/// Both parts of an iteration as one: a solution counts more than a stop, and a stop more than
/// nothing.
fn joined(a: PassResult, b: PassResult) -> PassResult {
    let end = match (a.end, b.end) {
        (Ok(Some(moves)), _) | (_, Ok(Some(moves))) => Ok(Some(moves)),
        (Err(stop), _) | (_, Err(stop)) => Err(stop),
        (Ok(None), Ok(None)) => Ok(None),
    };
    PassResult {
        end,
        expanded: a.expanded + b.expanded,
        generated: a.generated + b.generated,
        deepest: a.deepest.max(b.deepest),
        next_bound: a.next_bound.min(b.next_bound),
    }
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
