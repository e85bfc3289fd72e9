//! What a heuristic is, and all of them.
//!
//! A heuristic is one file with a type that implements [`Registered`] and
//! [`Heuristic`], and one line in [`registry`]. It then has a name on the command line,
//! a row in `permutile heuristics`, a bench and the conformance tests.
//!
//! # An example
//!
//! A small one for sliding puzzles: how many rows hold a tile that belongs to another row. A
//! move takes one tile from one row to another at most, so it sets right two rows at most, and
//! half the count, rounded up, is admissible; it is consistent, because a move also spoils two
//! rows at most. Up to the comment this would be the whole of `src/heuristic/rows_off.rs`, with
//! `crate` for `permutile`:
//!
//! ```
//! use permutile::board::Shape;
//! use permutile::heuristic::{Heuristic, Promise, Registered, Scope};
//! use permutile::puzzle::{Depth, Frame, Move, Puzzle};
//!
//! /// The number of rows with tiles that belong to other rows ÷ 2, rounded up.
//! #[derive(Clone, Debug)]
//! pub struct RowsOff {
//!     shape: Shape,
//!     blank: Option<u8>,
//! }
//!
//! impl Registered for RowsOff {
//!     const NAME: &'static str = "rows-off";
//!     const SUMMARY: &'static str = "half the number of rows that hold tiles of other rows";
//!     const SCOPE: Scope = Scope::WithBlank;
//!
//!     type Estimator = Self;
//!
//!     fn promise(_: &Frame) -> Option<Promise> {
//!         Some(Promise::CONSISTENT)
//!     }
//!
//!     fn build(frame: &Frame) -> Self {
//!         RowsOff { shape: frame.shape(), blank: frame.blank_label() }
//!     }
//! }
//!
//! impl<P: Puzzle> Heuristic<P> for RowsOff {
//!     /// The number of such rows.
//!     type Value = u32;
//!
//!     fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
//!         let (rows, cols) = (self.shape.rows(), self.shape.cols());
//!         let is_off = |row: &usize| {
//!             (row * cols..(row + 1) * cols).any(|cell| {
//!                 let label = puzzle.label(state, cell);
//!                 Some(label) != self.blank && usize::from(label) / cols != *row
//!             })
//!         };
//!         (0..rows).filter(is_off).count() as u32
//!     }
//!
//!     fn estimate(&self, rows: u32) -> Depth {
//!         rows.div_ceil(2)
//!     }
//! }
//!
//! // It is used like any other, also by whoever only links to this crate.
//! use permutile::board::text;
//! use permutile::puzzle::{AnyPuzzle, PuzzleVisitor};
//! use permutile::search::{Guided, Limits, Settings, Silent, Task, ida::Ida};
//!
//! struct Solve<'a>(&'a str);
//!
//! impl PuzzleVisitor for Solve<'_> {
//!     type Output = Vec<String>;
//!
//!     fn visit<P: Puzzle>(self, puzzle: &P) -> Vec<String> {
//!         let board = text::parse_one("example", self.0.as_bytes(), None).unwrap().board;
//!         let start = puzzle.state_of(&puzzle.frame().encode(&board).unwrap());
//!         let settings = &Settings::default();
//!         let task = Task { puzzle, start, at_least: 0, limits: Limits::default(), settings };
//!         let heuristic = RowsOff::build(puzzle.frame());
//!         let outcome = Ida::search(&task, &heuristic, &mut Silent);
//!         let name = |&m: &Move| puzzle.frame().moves().name(m).to_owned();
//!         outcome.solution.unwrap().moves.iter().map(name).collect()
//!     }
//! }
//!
//! let puzzle = AnyPuzzle::from_id("sliding3").unwrap();
//! assert_eq!(puzzle.visit(Solve("1 2 5 / 3 4 0 / 6 7 8")), ["Up", "Left", "Left"]);
//! ```
//!
//! To register it, there would be `pub mod rows_off;` here and one line in `heuristics![…]` of
//! `registry.rs`:
//!
//! ```text
//! super::rows_off::RowsOff,
//! ```
//!
//! Then `permutile solve --heuristic rows-off` works with every algorithm that a heuristic
//! guides, and the tests try whether it keeps its promise.

pub mod appraiser;
mod axes;
pub mod circular_manhattan;
pub mod circular_manhattan_axes;
pub mod circular_manhattan_last_move;
pub mod conflict_steps;
pub mod database_steps;
pub mod euclidean;
pub mod formula;
pub mod inversion_distance;
pub mod inversion_steps;
pub mod linear_conflict;
pub mod manhattan;
pub mod max_of;
pub mod misplaced;
pub mod misplaced_max;
pub mod own_patterns;
pub mod partition;
pub mod pattern_databases;
pub mod pattern_views;
pub mod pdb;
mod per_tile;
pub mod registry;
pub mod tuned_manhattan;
mod turns;
pub mod unit_steps;
pub mod walking_distance;
pub mod with_table;
pub mod zero;

pub use per_tile::TileSum;

use crate::puzzle::{Depth, Frame, Move, MoveSet, Puzzle};
use unit_steps::UnitSteps;

/// An estimate of the number of moves to the goal.
pub trait Heuristic<P: Puzzle>: Send + Sync {
    /// What is carried along a path so that the next estimate is quick. Values are compared
    /// by what they say of the board; only one that is
    /// [`PATH_DEPENDENT`](Registered::PATH_DEPENDENT) says more.
    type Value: Copy + PartialEq + std::fmt::Debug + Send + Sync;

    /// The value of a state, from scratch.
    fn evaluate(&self, puzzle: &P, state: P::State) -> Self::Value;

    /// The value after a legal move, given the one before: equal to [`evaluate`](Self::evaluate)
    /// of the state after it, which is what it is unless something quicker is known.
    #[inline]
    fn update(&self, puzzle: &P, value: Self::Value, before: P::State, m: Move) -> Self::Value {
        let _ = value;
        self.evaluate(puzzle, puzzle.apply(before, m))
    }

    /// The values after the legal moves of one state, given the one before: what
    /// [`update`](Self::update) gives for each, where that is quicker for all together.
    #[inline]
    fn after<'a>(
        &'a self,
        puzzle: &'a P,
        value: Self::Value,
        before: P::State,
    ) -> impl After<Self::Value> + 'a {
        move |m| self.update(puzzle, value, before, m)
    }

    /// The estimate that a value stands for.
    fn estimate(&self, value: Self::Value) -> Depth;

    /// The estimate of a state with this value before it is rounded, for searches that order by
    /// real numbers.
    fn unrounded(&self, puzzle: &P, state: P::State, value: Self::Value) -> f64 {
        let _ = (puzzle, state);
        self.estimate(value).into()
    }

    /// Whether there is a second opinion at all; if so, it is given by both of the following.
    const RULES_OUT: bool = false;

    /// A second, dearer opinion: whether the goal is certainly more than `budget` moves
    /// away, although the estimate allows it.
    #[inline]
    fn rules_out(&self, puzzle: &P, state: P::State, budget: Depth) -> bool {
        let _ = (puzzle, state, budget);
        false
    }

    /// Of these moves from a state, those after which the goal is not
    /// [ruled out](Self::rules_out) within `budget` moves: all of them together, which may be
    /// quicker.
    #[inline]
    fn leaves_open(&self, puzzle: &P, before: P::State, moves: MoveSet, budget: Depth) -> MoveSet {
        let _ = (puzzle, before, budget);
        moves
    }

    /// Where each move changes the estimate by exactly one, and an estimate says all that a
    /// value does: the value of an estimate. `None` if it is not so. Such a heuristic may be asked
    /// about a move that is not legal, and has to answer something.
    #[inline]
    fn unit_value(&self, estimate: Depth) -> Option<Self::Value> {
        let _ = estimate;
        None
    }

    /// Where each move changes the estimate by exactly one, and it is 0 at the goal alone: the
    /// heuristic and this value in the form that the search made for that takes. `None` if it is
    /// not so.
    #[inline]
    fn unit_steps(&self, value: Self::Value) -> Option<UnitSteps<'_>> {
        let _ = value;
        None
    }
}

/// What a heuristic says of the states after the moves of one state.
pub trait After<V> {
    /// The value after a move.
    fn value(&self, m: Move) -> V;

    /// Of these moves, those after which the estimate is at most `most`; `None` if that takes a
    /// look at the value after each.
    #[inline]
    fn within(&self, moves: MoveSet, most: Depth) -> Option<MoveSet> {
        let _ = (moves, most);
        None
    }
}

impl<V, F: Fn(Move) -> V> After<V> for F {
    #[inline]
    fn value(&self, m: Move) -> V {
        self(m)
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
    /// Whether its tables take more than a second or so to build: whatever tries all heuristics
    /// in turn leaves it out.
    const LARGE: bool = false;

    /// What estimates: an implementation of [`Heuristic`] for each puzzle in scope. Several
    /// heuristics may share one, such as [`TileSum`].
    type Estimator;

    /// What it promises on this puzzle, which is in scope; `None` if it does not apply there.
    fn promise(frame: &Frame) -> Option<Promise>;

    /// Builds its tables for a puzzle to which it applies.
    fn build(frame: &Frame) -> Self::Estimator;
}
