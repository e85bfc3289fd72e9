//! What a search found out.

use super::StopReason;
use crate::puzzle::{Depth, Move};

/// What a search found out, whether or not it was cut short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The best solution found.
    pub solution: Option<Path>,
    /// No solution is shorter than this.
    pub lower_bound: Depth,
    /// Why the search ended early, if it did.
    pub stop: Option<StopReason>,
    /// What it took.
    pub statistics: Statistics,
}

impl Outcome {
    /// What came of a search that ends with the first solution it finds.
    pub(super) fn from_first(
        end: Result<Vec<Move>, StopReason>,
        optimal: bool,
        lower_bound: Depth,
        statistics: Statistics,
    ) -> Outcome {
        let (solution, stop) = match end {
            Ok(moves) => (Some(Path { moves, optimal }), None),
            Err(stop) => (None, Some(stop)),
        };
        Outcome { solution, lower_bound, stop, statistics }
    }
}

/// A sequence of moves to the goal, as a search has found it: not yet replayed by the checker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// The moves, first to last.
    pub moves: Vec<Move>,
    /// Whether it is proven that none is shorter.
    pub optimal: bool,
}

/// What a search took. Counts are exact and, with one thread, the same in each run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Nodes whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// Successors that had been met before, on a path that was no longer.
    pub duplicates: u64,
    /// Nodes that were expanded before, and met again on a shorter path.
    pub reopened: u64,
    /// Estimates asked of the heuristic.
    pub evaluations: u64,
    /// Nodes expanded although a solution of their estimated length had to fail: all that
    /// count for the proof, and none that depend on the luck of the last layer.
    pub expanded_below: u64,
    /// The deepest node generated.
    pub max_depth: Depth,
    /// The most bytes of search memory held, as accounted.
    pub peak_bytes: u64,
    /// One row for each iteration of an iterative search.
    pub iterations: Vec<Iteration>,
}

impl Statistics {
    /// Adds what a later part of the same search took.
    pub fn add(&mut self, later: Statistics) {
        self.expanded += later.expanded;
        self.generated += later.generated;
        self.duplicates += later.duplicates;
        self.reopened += later.reopened;
        self.evaluations += later.evaluations;
        self.expanded_below += later.expanded_below;
        self.max_depth = self.max_depth.max(later.max_depth);
        self.peak_bytes = self.peak_bytes.max(later.peak_bytes);
        self.iterations.extend(later.iterations);
    }
}

/// One iteration of an iterative search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The bound on the length.
    pub bound: Depth,
    /// Nodes expanded in it.
    pub expanded: u64,
    /// Successors generated in it.
    pub generated: u64,
}
