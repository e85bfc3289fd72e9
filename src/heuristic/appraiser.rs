//! A heuristic on one puzzle with the types of both left behind, for whoever asks board by board
//! and not node by node: laboratories need not be compiled for each engine and heuristic.

use super::Heuristic;
use crate::puzzle::{Depth, Move, Puzzle};

/// Estimates boards, given as the label of each cell.
pub trait Appraiser: Send + Sync {
    /// The estimate of a board.
    fn estimate(&self, labels: &[u8]) -> Depth;

    /// The estimate of a board, and those on both sides of the edges that lead to it, which are
    /// added to `edges`.
    fn estimate_with_edges(&self, labels: &[u8], edges: &mut Vec<Edge>) -> Depth;

    /// The estimates on a path of legal moves, the start included, each derived from the one
    /// before.
    fn along(&self, labels: &[u8], moves: &[Move]) -> Along;
}

/// An edge that leads to a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The move.
    pub m: Move,
    /// The estimate before it.
    pub before: Depth,
    /// The estimate after it, derived from the one before.
    pub after: Depth,
    /// Whether what was derived is what comes out from scratch.
    pub agrees: bool,
}

/// What a heuristic says on a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Along {
    /// The boards, and their estimates.
    pub steps: Vec<(Vec<u8>, Depth)>,
    /// Whether what was derived is what comes out from scratch, everywhere.
    pub agrees: bool,
}

/// A heuristic on a puzzle.
pub(crate) struct On<'a, P, H> {
    pub(crate) puzzle: &'a P,
    pub(crate) heuristic: &'a H,
}

impl<P: Puzzle, H: Heuristic<P>> Appraiser for On<'_, P, H> {
    fn estimate(&self, labels: &[u8]) -> Depth {
        let On { puzzle, heuristic } = *self;
        heuristic.estimate(heuristic.evaluate(puzzle, puzzle.state_of(labels)))
    }

    fn estimate_with_edges(&self, labels: &[u8], edges: &mut Vec<Edge>) -> Depth {
        let On { puzzle, heuristic } = *self;
        let state = puzzle.state_of(labels);
        let value = heuristic.evaluate(puzzle, state);
        edges.extend(puzzle.legal_back(state).map(|m| {
            let from = puzzle.apply_back(state, m);
            let before = heuristic.evaluate(puzzle, from);
            let after = heuristic.update(puzzle, before, from, m);
            let [before, estimate] = [before, after].map(|value| heuristic.estimate(value));
            Edge { m, before, after: estimate, agrees: after == value }
        }));
        heuristic.estimate(value)
    }

    fn along(&self, labels: &[u8], moves: &[Move]) -> Along {
        let On { puzzle, heuristic } = *self;
        let mut state = puzzle.state_of(labels);
        let mut value = heuristic.evaluate(puzzle, state);
        let mut along =
            Along { steps: vec![(labels.to_vec(), heuristic.estimate(value))], agrees: true };
        for &m in moves {
            value = heuristic.update(puzzle, value, state, m);
            state = puzzle.apply(state, m);
            along.agrees &= value == heuristic.evaluate(puzzle, state);
            along.steps.push((puzzle.labels(state), heuristic.estimate(value)));
        }
        along
    }
}
