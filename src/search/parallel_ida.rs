//! IDA* on several threads (in the spirit of Rao, Kumar and Ramesh 1987, "A parallel
//! implementation of iterative-deepening-A*").
//!
//! The tree below the root is unrolled until there are many more subtrees than threads; each
//! iteration then searches all of them under the same bound, and the pool's work stealing evens
//! out their sizes. The proven length is that of IDA*; which of several shortest solutions is
//! found may depend on the threads, and so does the number of nodes of the last iteration.

use super::estimator::{Estimator, Root};
use super::ida::{PassResult, deepen};
use super::poller::Poll;
use super::{Algorithm, Limits, Observer, Optimality, Outcome, Setting, StopReason, Task};
use crate::puzzle::automaton::loops::Loops;
use crate::puzzle::{Depth, Move};
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
    follows: &[Setting::Prune],
    search,
};

/// How many subtrees there are for each thread, at least.
const SUBTREES_PER_THREAD: usize = 256;

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    let threads = task.options.threads;
    let mut loops = task.loops(estimator.frame(), 0);
    let mut subtrees = unroll(task, estimator, loops);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    deepen(task, estimator, &mut |bound, expanded_before| {
        observer.progress(bound, expanded_before);
        let larger = task.loops(estimator.frame(), expanded_before);
        if larger.map(Loops::states) != loops.map(Loops::states) {
            loops = larger;
            subtrees = unroll(task, estimator, loops);
        }
        let shared = Shared {
            limits: &task.limits,
            threads: threads as u64,
            granted: AtomicU64::new(expanded_before),
            over: AtomicBool::new(false),
        };
        let all = Mutex::new(PassResult::default());
        share_out(pool.as_ref().ok(), &subtrees, &|made| {
            let root = Root { start: task.start, made, loops };
            let one = search_subtree(root, estimator, bound, &shared);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            *all = joined(std::mem::take(&mut *all), one);
        });
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    })
}

/// Searches all subtrees, on all threads of the pool; on this one if the system has no more
/// threads.
fn share_out(pool: Option<&ThreadPool>, subtrees: &[Vec<Move>], search: &(dyn Fn(&[Move]) + Sync)) {
    match pool {
        Some(pool) => {
            pool.install(|| subtrees.par_iter().with_max_len(1).for_each(|made| search(made)));
        }
        None => subtrees.iter().for_each(|made| search(made)),
    }
}

/// The tree below the root, cut where it is wide enough: the moves that lead to each subtree.
fn unroll(task: &Task<'_>, estimator: &dyn Estimator, loops: Option<&Loops>) -> Vec<Vec<Move>> {
    let wanted = SUBTREES_PER_THREAD * task.options.threads;
    let mut subtrees: Vec<Vec<Move>> = vec![Vec::new()];
    // A solution as short as the cut would be passed over: stop above the first estimate.
    let deepest = estimator.estimate(task.start).max(task.at_least);
    for _ in 0..deepest {
        if subtrees.len() >= wanted {
            break;
        }
        let longer = |made: &Vec<Move>| {
            // An estimate that is too high may have led past it.
            let root = Root { start: task.start, made, loops };
            if estimator.is_goal(root) {
                return vec![made.clone()];
            }
            let moves = estimator.moves(root);
            moves.into_iter().map(|m| [made.as_slice(), &[m]].concat()).collect::<Vec<_>>()
        };
        let next: Vec<Vec<Move>> = subtrees.iter().flat_map(longer).collect();
        if next.is_empty() {
            break;
        }
        subtrees = next;
    }
    subtrees
}

/// Searches one subtree under a bound.
fn search_subtree(
    root: Root<'_>,
    estimator: &dyn Estimator,
    bound: Depth,
    shared: &Shared<'_>,
) -> PassResult {
    if shared.over.load(Ordering::Relaxed) {
        return PassResult::default();
    }
    let mut poll = SharedPoll { shared, granted: 0 };
    let mut result = estimator.pass(root, bound, &mut poll);
    shared.granted.fetch_sub(poll.granted - result.expanded, Ordering::Relaxed);
    if let Ok(Some(rest)) = &mut result.end {
        shared.over.store(true, Ordering::Relaxed);
        *rest = [root.made, rest].concat();
    } else if result.end.is_err() {
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

/// Polls for one subtree.
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
