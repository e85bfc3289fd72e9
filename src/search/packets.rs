//! A search tree cut into subtrees, which threads and processes search one by one.
//!
//! Packets are numbered as a depth-first search comes to them. So a solution in the first packet
//! that has one is the solution that IDA* finds, and the nodes in the packets before it and in it
//! are a number that does not depend on who has searched what.

use super::estimator::{self, Estimator, Passes, Root};
use super::ida::PassResult;
use super::poller::Poll;
use super::{Depth, Task};
use crate::puzzle::Move;
use crate::puzzle::automaton::loops::Loops;
use std::sync::atomic::{AtomicU32, Ordering};
use xxhash_rust::xxh3::Xxh3Default;

/// How many packets there are for each thread, at least.
pub const PACKETS_PER_THREAD: usize = 256;

/// The subtrees of a search.
pub struct Packets<'a> {
    start: &'a [u8],
    estimator: &'a dyn Estimator,
    passes: Box<dyn Passes + 'a>,
    loops: Option<&'a Loops>,
    /// The moves that lead to each.
    subtrees: Vec<Vec<Move>>,
    /// By packet, a bound below which its root is cut off, as far as is known.
    least_bounds: Vec<AtomicU32>,
}

/// A subtree while the tree is being cut.
struct Subtree {
    made: Vec<Move>,
    labels: Vec<u8>,
}

impl<'a> Packets<'a> {
    /// Cuts the tree below the root where it is wide enough for so many packets.
    pub fn new(
        task: &Task<'a>,
        estimator: &'a dyn Estimator,
        loops: Option<&'a Loops>,
        wanted: usize,
    ) -> Packets<'a> {
        let start = task.start;
        let engine = estimator.engine();
        let mut subtrees = vec![Subtree { made: Vec::new(), labels: start.to_vec() }];
        // A solution as short as the cut would be passed over: stop above the first estimate.
        let deepest = estimator.estimate(start).max(task.at_least);
        for _ in 0..deepest {
            if subtrees.len() >= wanted {
                break;
            }
            let mut next = Vec::with_capacity(2 * subtrees.len());
            for Subtree { made, labels } in &subtrees {
                // An estimate that is too high may have led past it.
                if estimator::is_goal(labels) {
                    next.push(Subtree { made: made.clone(), labels: labels.clone() });
                    continue;
                }
                let followers = Root { start, made, loops }.followers(engine.frame());
                let moves = engine.in_order(followers.and(engine.legal(labels)));
                next.extend(moves.into_iter().map(|m| Subtree {
                    made: [made.as_slice(), &[m]].concat(),
                    labels: engine.apply(labels, m),
                }));
            }
            if next.is_empty() {
                break;
            }
            subtrees = next;
        }
        let least_bounds = subtrees.iter().map(|_| AtomicU32::new(0)).collect();
        let subtrees = subtrees.into_iter().map(|subtree| subtree.made).collect();
        let passes = estimator.passes_from(start);
        Packets { start, estimator, passes, loops, subtrees, least_bounds }
    }

    /// Whether they were cut by this automaton.
    pub(crate) fn follow(&self, loops: Option<&Loops>) -> bool {
        self.loops.map(Loops::states) == loops.map(Loops::states)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.subtrees.len()
    }

    /// Searches one of them under a bound. A solution begins at the root of the whole tree.
    pub(crate) fn search(&self, packet: usize, bound: Depth, poll: &mut dyn Poll) -> PassResult {
        let least_bound = self.least_bounds[packet].load(Ordering::Relaxed);
        if bound < least_bound {
            return PassResult { next_bound: least_bound, ..PassResult::default() };
        }
        let made = &self.subtrees[packet];
        let mut result = self.passes.pass(made, self.loops, bound, poll);
        if let Ok(Some(rest)) = &mut result.end {
            *rest = [made.as_slice(), rest].concat();
        }
        if result.end == Ok(None) && result.expanded == 0 {
            self.least_bounds[packet].store(result.next_bound, Ordering::Relaxed);
        }
        result
    }

    /// A number that tells searches apart: where they start, where they are cut, and what is
    /// estimated there.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Xxh3Default::new();
        hash.update(self.start);
        hash.update(&self.estimator.estimate(self.start).to_le_bytes());
        hash.update(&(self.subtrees.len() as u64).to_le_bytes());
        for made in [self.subtrees.first(), self.subtrees.last()].into_iter().flatten() {
            let moves: Vec<u8> = made.iter().map(|m| m.0).collect();
            hash.update(&moves);
            if let Some(last) = self.estimator.path_estimates(self.start, made).last() {
                hash.update(&last.estimate.to_le_bytes());
            }
        }
        hash.digest()
    }
}
