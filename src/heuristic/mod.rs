//! What a heuristic is, and all of them.
//!
//! A heuristic is one file with a type that implements [`Registered`] and
//! [`Heuristic`], and one line in [`registry`]. It then has a name on the command line,
//! a row in `permutile heuristics`, a bench and the conformance tests.

mod axes;
pub mod ball;
pub mod circular_manhattan;
pub mod circular_manhattan_axes;
pub mod circular_manhattan_last_move;
pub mod euclidean;
pub mod inversion_distance;
pub mod linear_conflict;
pub mod manhattan;
pub mod max_of;
pub mod misplaced;
pub mod misplaced_max;
mod per_tile;
pub mod registry;
pub mod tuned_manhattan;
pub mod walking_distance;
pub mod zero;

pub use per_tile::TileSum;

use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// An estimate of the number of moves to the goal.
pub trait Heuristic<P: Puzzle>: Send + Sync {
    /// What is carried along a path so that the next estimate is quick. Values are compared
    /// by what they say of the board; only one that is
    /// [`PATH_DEPENDENT`](Registered::PATH_DEPENDENT) says more.
    type Value: Copy + PartialEq + std::fmt::Debug + Send + Sync;

    /// The value of a state, from scratch.
    fn evaluate(&self, puzzle: &P, state: P::State) -> Self::Value;

    /// The value after a legal move, given the one before: equal to [`evaluate`](Self::evaluate)
    /// of the state after it.
    fn update(&self, puzzle: &P, value: Self::Value, before: P::State, m: Move) -> Self::Value;

    /// The estimate that a value stands for.
    fn estimate(&self, value: Self::Value) -> Depth;

    /// The estimate of a state with this value before it is rounded, for searches that order by
    /// real numbers.
    fn unrounded(&self, puzzle: &P, state: P::State, value: Self::Value) -> f64 {
        let _ = (puzzle, state);
        self.estimate(value).into()
    }

    /// A second, dearer opinion: whether the goal is certainly more than `budget` moves
    /// away, although the estimate allows it.
    #[inline]
    fn rules_out(&self, puzzle: &P, state: P::State, budget: Depth) -> bool {
        let _ = (puzzle, state, budget);
        false
    }
}

/// What a heuristic promises on a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Promise {
    /// It never exceeds the true distance, so that IDA* and A* find shortest solutions.
    pub admissible: bool,
    /// No move lowers it by more than one.
    pub consistent: bool,
}

impl Promise {
    /// Admissible and consistent.
    pub const CONSISTENT: Promise = Promise { admissible: true, consistent: true };
    /// Neither: it can be too high.
    pub const INADMISSIBLE: Promise = Promise { admissible: false, consistent: false };
}

/// The puzzles that a heuristic is written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All of them.
    Every,
    /// Those with a blank.
    WithBlank,
    /// Those whose moves are fixed rearrangements.
    WithoutBlank,
}

impl Scope {
    /// Whether a puzzle with or without a blank is among them.
    pub const fn includes(self, blank: bool) -> bool {
        match self {
            Scope::Every => true,
            Scope::WithBlank => blank,
            Scope::WithoutBlank => !blank,
        }
    }
}

/// A heuristic that can be called by name.
pub trait Registered {
    /// The name on the command line.
    const NAME: &'static str;
    /// What it is, in one line.
    const SUMMARY: &'static str;
    /// Whether the estimate depends on the path to a board, and not on the board alone.
    const PATH_DEPENDENT: bool = false;
    /// The puzzles that it is written for; it is compiled for no others.
    const SCOPE: Scope;

    /// What estimates: an implementation of [`Heuristic`] for each puzzle in scope. Several
    /// heuristics may share one, such as [`TileSum`].
    type Estimator;

    /// What it promises on this puzzle, which is in scope; `None` if it does not apply there.
    fn promise(frame: &Frame) -> Option<Promise>;

    /// Builds its tables for a puzzle to which it applies.
    fn build(frame: &Frame) -> Self::Estimator;
}
