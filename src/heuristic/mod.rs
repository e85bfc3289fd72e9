//! What a heuristic is, and all of them.
//!
//! A heuristic is one file with a type that implements [`NamedHeuristic`] and
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
//! use permutile::heuristic::{Heuristic, Promise, NamedHeuristic, Scope};
//! use permutile::puzzle::{Depth, Frame, Puzzle};
//!
//! /// The number of rows with tiles that belong to other rows ÷ 2, rounded up.
//! #[derive(Clone, Debug)]
//! pub struct RowsOff {
//!     shape: Shape,
//!     blank: Option<u8>,
//! }
//!
//! impl NamedHeuristic for RowsOff {
//!     const NAME: &'static str = "rows-off";
//!     const SUMMARY: &'static str = "half the number of rows that hold tiles of other rows";
//!     const SCOPE: Scope = Scope::WithBlank;
//!
//!     type Heuristic = Self;
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
//! // It is used like any other, also from another crate.
//! use permutile::board::text;
//! use permutile::search::{HeuristicKind, SearchOptions, Silent};
//! use permutile::solver::Solver;
//!
//! let board = text::parse_one("example", b"1 2 5 / 3 4 0 / 6 7 8", None)?.board;
//! let heuristic = Some(HeuristicKind::of::<RowsOff>());
//! let options = SearchOptions { algorithm: "ida".parse()?, heuristic, ..Default::default() };
//! let answer = Solver::infer(&board)?.solve(&board, &options, &mut Silent)?;
//! let solution = answer.solution().expect("it can be solved, and there was no limit");
//! assert_eq!(solution.names(), ["Up", "Left", "Left"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To register it, there would be `pub mod rows_off;` here and one line in `visit_all` of
//! `registry.rs`:
//!
//! ```text
//! visitor.visit::<super::rows_off::RowsOff>();
//! ```
//!
//! Then `permutile solve --heuristic rows-off` works with every algorithm that a heuristic
//! guides, and the tests try whether it keeps its promise.

mod axes;
pub mod circular_manhattan;
pub mod circular_manhattan_axes;
pub mod circular_manhattan_last_move;
pub mod conflict_steps;
pub mod database_steps;
pub mod euclidean;
mod expression;
pub mod formula;
pub mod inversion_distance;
pub mod inversion_steps;
pub mod linear_conflict;
pub mod manhattan;
pub mod max_of;
pub mod misplaced;
pub mod misplaced_max;
mod orientation;
pub mod partition;
pub mod pattern_databases;
pub mod pattern_sum;
pub mod pattern_views;
pub mod pdb;
pub mod pdb_sum;
mod per_tile;
pub mod registry;
pub mod relations;
pub mod scorer;
pub mod tuned_manhattan;
pub mod unit_steps;
pub mod user_partition;
pub mod walking_distance;
pub mod with_table;
pub mod zero;

pub use per_tile::TileSum;

use crate::board::MAX_CELLS;
use crate::limits::StopReason;
use crate::puzzle::packed::{Nibbles, Quints, Wide};
use crate::puzzle::{Depth, Frame, Move, MoveSet, Permuting, Puzzle, Sliding};
use crate::table::reach::NearLayers;
use crate::table::source::TableSource;
use scorer::Scorer;
use unit_steps::{StepsRoot, StepsVisitor};

/// An estimate of the number of moves to the goal.
pub trait Heuristic<P: Puzzle>: Send + Sync {
    /// What is carried along a path so that the next estimate is quick. Values are compared
    /// by what they say of the board; only one that is
    /// [`PATH_DEPENDENT`](NamedHeuristic::PATH_DEPENDENT) says more.
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

    /// Whether [`order`](Self::order) tells more than the estimate does.
    const ORDERED: bool = false;

    /// A number that is the smaller, the sooner the goal is expected after a state with this value:
    /// it promises nothing.
    fn order(&self, value: Self::Value) -> u32 {
        self.estimate(value)
    }

    /// The estimate of a state with this value before it is rounded, for searches that order by
    /// real numbers.
    fn unrounded(&self, puzzle: &P, state: P::State, value: Self::Value) -> f64 {
        let _ = (puzzle, state);
        self.estimate(value).into()
    }

    /// How many bytes its tables hold, for the limit on memory: those of a megabyte or more.
    fn table_bytes(&self) -> u64 {
        0
    }

    /// Whether there is a more expensive pruning test; if so, both of the following are it.
    const RULES_OUT: bool = false;

    /// A more expensive pruning test: whether the goal is certainly more than `budget` moves
    /// away, although the estimate allows it. It is asked only of boards that are not nearer, as
    /// those that a search comes to after every shorter length was ruled out.
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

    /// Where each move changes the estimate by exactly one, and it is 0 at the goal alone: runs
    /// `visitor`, a search made for that, with the heuristic's steps from a root. `None` if it is
    /// not so.
    #[inline]
    fn unit_steps<V: StepsVisitor>(
        &self,
        root: StepsRoot<'_, Self::Value>,
        visitor: V,
    ) -> Option<V::Output> {
        let _ = (root, visitor);
        None
    }

    /// The layers near the goal, where a search made for them is to be used.
    fn near_layers(&self) -> Option<NearLayers<'_>> {
        None
    }

    /// How a beam search scores boards, where that is quicker than by estimates, or finer.
    fn scorer(&self) -> Option<&dyn Scorer> {
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
pub trait NamedHeuristic {
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
    /// Whether it adds up pattern databases of all tiles, so that a search needs no others.
    const ADDITIVE: bool = false;

    /// What estimates: an implementation of [`Heuristic`] for each puzzle in scope. Several
    /// heuristics may share one, such as [`TileSum`].
    type Heuristic;

    /// What it promises on this puzzle, which is in scope; `None` if it does not apply there.
    fn promise(frame: &Frame) -> Option<Promise>;

    /// Builds its tables for a puzzle to which it applies.
    fn build(frame: &Frame) -> Self::Heuristic;

    /// The same within limits, with tables from a cache where there is one. Heuristics that are
    /// built in a moment leave this as it is.
    ///
    /// # Errors
    /// If a limit is hit.
    fn build_within(
        frame: &Frame,
        tables: &TableSource<'_>,
    ) -> Result<Self::Heuristic, StopReason> {
        let _ = tables;
        Ok(Self::build(frame))
    }
}

/// What estimates boards of every engine: any type with an `impl<P: Puzzle> Heuristic<P>`.
pub trait OnEveryEngine:
    Heuristic<Permuting<Nibbles>>
    + Heuristic<Permuting<Quints>>
    + Heuristic<Permuting<Wide<MAX_CELLS>>>
    + Heuristic<Sliding<Nibbles>>
    + Heuristic<Sliding<Quints>>
    + Heuristic<Sliding<Wide<64>>>
    + Heuristic<Sliding<Wide<MAX_CELLS>>>
    + 'static
{
}

impl<H> OnEveryEngine for H where
    H: Heuristic<Permuting<Nibbles>>
        + Heuristic<Permuting<Quints>>
        + Heuristic<Permuting<Wide<MAX_CELLS>>>
        + Heuristic<Sliding<Nibbles>>
        + Heuristic<Sliding<Quints>>
        + Heuristic<Sliding<Wide<64>>>
        + Heuristic<Sliding<Wide<MAX_CELLS>>>
        + 'static
{
}
