//! IDA* on several threads (in the spirit of Rao, Kumar and Ramesh 1987, "A parallel
//! implementation of iterative-deepening-A*").
//!
//! The tree below the root is unrolled until there are many more subtrees than threads; each
//! iteration then searches all of them under the same bound, and the pool's work stealing evens
//! out their sizes. The proven length is that of IDA*; which of several shortest solutions is
//! found may depend on the threads, and so does the number of nodes of the last iteration.

use super::ida::{Finished, Node, Pass, Watch, deepen};
use super::{Described, Guided, Limits, Observer, Optimality, Outcome, StopReason, Task};
use crate::heuristic::Heuristic;
use crate::puzzle::{Depth, Move, Puzzle};
use rayon::ThreadPool;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// IDA* on several threads.
#[derive(Clone, Copy, Debug)]
pub struct ParallelIda;

impl Described for ParallelIda {
    const NAME: &'static str = "pida";
    const SUMMARY: &'static str =
        "IDA* on several threads: shortest solutions with an admissible heuristic, no memory";
    const OPTIMALITY: Optimality = Optimality::IfAdmissible;
    const PARALLEL: bool = true;
}

/// How many subtrees there are for each thread, at least.
const SUBTREES_PER_THREAD: usize = 256;

impl Guided for ParallelIda {
    fn search<P: Puzzle, H: Heuristic<P>>(
        task: &Task<'_, P>,
        heuristic: &H,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let subtrees = Subtrees::unroll(task, heuristic);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(task.settings.threads).build();
        deepen(task, heuristic, |bound, expanded_before| {
            observer.progress(bound, expanded_before);
            let shared = Shared {
                limits: &task.limits,
                threads: task.settings.threads as u64,
                granted: AtomicU64::new(expanded_before),
                over: AtomicBool::new(false),
            };
            let all = Mutex::new(Finished::default());
            share_out(pool.as_ref().ok(), subtrees.roots.len(), &|i| {
                let one = subtrees.search(i, task.puzzle, heuristic, bound, &shared);
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                *all = joined(std::mem::take(&mut *all), one);
            });
            all.into_inner().unwrap_or_else(PoisonError::into_inner)
        })
    }
}

type NodeOf<P, H> = Node<<P as Puzzle>::State, <H as Heuristic<P>>::Value>;

/// Does a piece of work for each number below `count`, on all threads of the pool; on this one
/// if the system has no more threads. One compiled function for all puzzles and heuristics.
fn share_out(pool: Option<&ThreadPool>, count: usize, work: &(dyn Fn(usize) + Sync)) {
    match pool {
        Some(pool) => pool.install(|| (0..count).into_par_iter().with_max_len(1).for_each(work)),
        None => (0..count).for_each(work),
    }
}

/// The tree below the root, cut where it is wide enough.
struct Subtrees<P: Puzzle, H: Heuristic<P>> {
    /// Each with the moves that lead there.
    roots: Vec<(Vec<Move>, NodeOf<P, H>)>,
}

impl<P: Puzzle, H: Heuristic<P>> Subtrees<P, H> {
    fn unroll(task: &Task<'_, P>, heuristic: &H) -> Subtrees<P, H> {
        let wanted = SUBTREES_PER_THREAD * task.settings.threads;
        let root = Node::root(task, heuristic);
        let mut roots: Vec<(Vec<Move>, NodeOf<P, H>)> = vec![(Vec::new(), root)];
        // A solution as short as the cut would be passed over: stop above the first estimate.
        let deepest = heuristic.estimate(root.value).max(task.at_least);
        while roots.len() < wanted && roots.iter().all(|(path, _)| (path.len() as Depth) < deepest)
        {
            let longer = |(path, node): &(Vec<Move>, NodeOf<P, H>)| {
                let children = node.children(task.puzzle, heuristic);
                let extended = children.map(|(m, child)| ([path.as_slice(), &[m]].concat(), child));
                extended.collect::<Vec<_>>()
            };
            let next: Vec<_> = roots.iter().flat_map(longer).collect();
            if next.is_empty() {
                break;
            }
            roots = next;
        }
        Subtrees { roots }
    }

    /// Searches one subtree under a bound.
    fn search(
        &self,
        index: usize,
        puzzle: &P,
        heuristic: &H,
        bound: Depth,
        shared: &Shared<'_>,
    ) -> Finished {
        let (path, node) = &self.roots[index];
        let estimate = heuristic.estimate(node.value);
        if shared.over.load(Ordering::Relaxed) {
            return Finished::default();
        }
        if node.depth + estimate > bound {
            return Finished { next_bound: node.depth + estimate, ..Finished::default() };
        }
        let mut watch = Together { shared, granted: 0 };
        let mut pass = Pass::new(puzzle, heuristic, bound, &mut watch);
        let end = pass.search_below(*node);
        let mut finished = pass.finish(end);
        shared.granted.fetch_sub(watch.granted - finished.expanded, Ordering::Relaxed);
        if let Ok(Some(rest)) = &mut finished.end {
            shared.over.store(true, Ordering::Relaxed);
            *rest = [path.as_slice(), rest].concat();
        } else if finished.end.is_err() {
            shared.over.store(true, Ordering::Relaxed);
        }
        finished
    }
}

/// Both parts of an iteration as one: a solution counts more than a stop, and a stop more than
/// nothing.
fn joined(a: Finished, b: Finished) -> Finished {
    let end = match (a.end, b.end) {
        (Ok(Some(moves)), _) | (_, Ok(Some(moves))) => Ok(Some(moves)),
        (Err(stop), _) | (_, Err(stop)) => Err(stop),
        (Ok(None), Ok(None)) => Ok(None),
    };
    Finished {
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

/// The watch of one subtree.
struct Together<'a> {
    shared: &'a Shared<'a>,
    /// How many nodes this pass may expand before it asks again.
    granted: u64,
}

impl Watch for Together<'_> {
    fn look(&mut self, _: Depth, expanded: u64) -> Result<u64, StopReason> {
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
                Ok(self.granted)
            }
            Err(total) => limits.check(total).and(Err(StopReason::Nodes)),
        }
    }
}
