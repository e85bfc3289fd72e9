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
