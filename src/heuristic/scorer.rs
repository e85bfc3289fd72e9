//! What a beam search asks of a heuristic: children of many nodes at once, each with a score.
//!
//! A beam knows nothing of boards. Its nodes are words of memory that the scorer alone can read,
//! so that each scorer carries along what makes its scores quick, and the beam is compiled once for
//! all of them. A call takes some hundreds of nodes: enough to be worth a virtual call, and to have
//! many memory accesses on their way at once.
//!
//! A **score** is an integer that only orders boards: the nearer to the goal, the lower, as far as
//! the scorer knows. It depends on nothing but the board, and no board's is lower than the goal's.

use crate::puzzle::Move;

/// Higher scores are all the same to a beam.
pub const HIGHEST_SCORE: u32 = (1 << 16) - 1;

/// Scores the children of nodes. Any heuristic on any engine is one; those made for beams have
/// their own ([`Heuristic::scorer`](super::Heuristic::scorer)).
pub trait Scorer: Send + Sync {
    /// How many words a node takes.
    fn node_words(&self) -> usize;

    /// Writes the node of a board, given by its labels, and returns its score.
    fn begin(&self, labels: &[u8], node: &mut [u64]) -> u32;

    /// Adds the children of some nodes whose scores are at most `most`, in the order of the nodes
    /// and then of the moves, without those by a move back or by one that is not legal. Returns
    /// how many children there are of any score.
    fn children(&self, parents: Parents<'_>, most: u32, children: &mut Vec<Child>) -> u64;

    /// Writes the nodes of children, one after the other, given the whole layer of their parents.
    fn make(&self, layer: &[u64], children: &[Child], nodes: &mut [u64]);

    /// The labels of a node's board.
    fn labels(&self, node: &[u64]) -> Vec<u8>;
}

/// Some nodes of a layer.
#[derive(Clone, Copy, Debug)]
pub struct Parents<'a> {
    /// The nodes.
    pub nodes: &'a [u64],
    /// The number of the first of them in its layer.
    pub first: u32,
    /// For each, the score.
    pub scores: &'a [u32],
    /// For each, the move that led there; [`NO_MOVE`] at the start.
    pub last: &'a [u8],
}

/// Stands for the move that led to the start.
pub const NO_MOVE: u8 = u8::MAX;

/// A child of a node, before it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Child {
    /// A well-mixed hash of the board.
    pub hash: u64,
    /// The score.
    pub score: u32,
    /// The number of the parent in its layer.
    pub parent: u32,
    /// The move from there.
    pub m: Move,
    /// What the scorer wants to know again when it makes the node.
    pub note: u8,
}

/// By label and cell, words for hashes of boards: pseudo-random, and the same in each run.
pub(super) fn zobrist(cells: usize) -> Vec<u64> {
    let mut state = 0u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..cells * cells).map(|_| next()).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::puzzle::Frame;

    /// Walks at random, and compares all children of each board with what they should be.
    pub(in super::super) fn check_walk(scorer: &dyn Scorer, frame: &Frame) {
        let words = scorer.node_words();
        let goal: Vec<u8> = (0..=(frame.shape().cells() - 1) as u8).collect();
        let mut node = vec![0; words];
        assert_eq!(scorer.begin(&goal, &mut node), 0);
        let (mut last, mut state) = (NO_MOVE, 1u64);
        for _ in 0..60 {
            let labels = scorer.labels(&node);
            let parents = Parents { nodes: &node, first: 0, scores: &[0], last: &[last] };
            let mut children = Vec::new();
            let generated = scorer.children(parents, u32::MAX, &mut children);
            let allowed = frame.moves().all().without(frame.moves().back_from(last));
            assert_eq!(
                children.iter().map(|child| child.m).collect::<Vec<_>>(),
                allowed.collect::<Vec<_>>()
            );
            assert_eq!(generated, children.len() as u64);
            for child in &children {
                let sources = frame.moves().permutation(child.m).unwrap().sources();
                let after: Vec<u8> =
                    sources.iter().map(|&from| labels[usize::from(from)]).collect();
                let (mut made, mut scratch) = (vec![0; words], vec![0; words]);
                scorer.make(&node, &[*child], &mut made);
                assert_eq!(scorer.begin(&after, &mut scratch), child.score);
                assert_eq!(made, scratch);
                assert_eq!(scorer.labels(&made), after);
            }
            let Some(most) = children.iter().map(|child| child.score).min() else {
                // The only move is the one back.
                return;
            };
            let mut few = Vec::new();
            scorer.children(parents, most, &mut few);
            assert!(few.iter().all(|child| child.score == most) && !few.is_empty());
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let child = children[(state >> 33) as usize % children.len()];
            let mut next = vec![0; words];
            scorer.make(&node, &[child], &mut next);
            (node, last) = (next, child.m.0);
        }
    }
}
