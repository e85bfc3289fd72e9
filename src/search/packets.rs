//! A search tree cut into subtrees, which threads and processes search one by one.
//!
//! Packets are numbered as a depth-first search comes to them. So a solution in the first packet
//! that has one is the solution that IDA* finds, and the nodes in the packets before it and in it
//! are a number that does not depend on who has searched what.

use super::estimator::{Estimator, Root};
use super::ida::PassResult;
use super::poller::Poll;
use super::{Depth, Task};
use crate::puzzle::Move;
use crate::puzzle::automaton::loops::Loops;
use xxhash_rust::xxh3::Xxh3Default;

/// How many packets there are for each thread, at least.
pub const PACKETS_PER_THREAD: usize = 256;

/// The subtrees of a search.
pub struct Packets<'a> {
    start: &'a [u8],
    estimator: &'a dyn Estimator,
    loops: Option<&'a Loops>,
    /// The moves that lead to each.
    subtrees: Vec<Vec<Move>>,
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
        let mut subtrees: Vec<Vec<Move>> = vec![Vec::new()];
        // A solution as short as the cut would be passed over: stop above the first estimate.
        let deepest = estimator.estimate(start).max(task.at_least);
        for _ in 0..deepest {
            if subtrees.len() >= wanted {
                break;
            }
            let longer = |made: &Vec<Move>| {
                // An estimate that is too high may have led past it.
                let root = Root { start, made, loops };
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
        Packets { start, estimator, loops, subtrees }
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
        let made = &self.subtrees[packet];
        let root = Root { start: self.start, made, loops: self.loops };
        let mut result = self.estimator.pass(root, bound, poll);
        if let Ok(Some(rest)) = &mut result.end {
            *rest = [made.as_slice(), rest].concat();
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
