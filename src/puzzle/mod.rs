//! What a puzzle is: packed states, move tables, symmetry, solvability.
//!
//! A puzzle family is one file that says what its moves do on a plain grid (a
//! [`Definition`]) and one line in [`registry`]. From that, the move tables, the
//! move-ordering [`automaton`], the [`symmetry`] group, the [`group`] of reachable
//! boards and the packed engines are derived. This layer uses only [`crate::board`];
//! it prints nothing and touches no file.

pub mod arch;
pub mod automaton;
pub mod blank_relative;
#[doc(hidden)]
pub mod board_pair;
#[doc(hidden)]
pub mod canonical;
#[doc(hidden)]
pub mod cell_sum;
pub mod custom;
mod definition;
pub(crate) mod factorization;
mod frame;
pub mod group;
pub mod moves;
#[doc(hidden)]
pub mod packed;
pub mod permutation;
mod permuting;
#[doc(hidden)]
pub mod rearrange;
pub mod registry;
mod rings;
mod sliding;
#[doc(hidden)]
pub mod sum_changes;
pub mod symmetry;
mod torus;

pub use definition::{Definition, Dynamics, NamedMove};
pub use frame::{EncodeError, Frame, Goal, GoalError, Unsolvable};
pub use moves::{Move, MoveSet, MoveTable};
pub use permuting::Permuting;
pub use registry::{AnyPuzzle, PuzzleVisitor};
pub(crate) use sliding::define as define_sliding;
pub use sliding::{Sliding, SlidingState};

use packed::Packed;

/// A number of moves.
pub type Depth = u32;

/// One puzzle with one goal, ready to be searched.
///
/// A [`State`](Puzzle::State) is what a search carries along, a [`Key`](Puzzle::Key)
/// is what it stores: the bare packed arrangement.
pub trait Puzzle: Send + Sync + 'static {
    /// Whether one cell is blank and moves exchange it with a neighbour; if not, moves are fixed
    /// rearrangements of the cells.
    const HAS_BLANK: bool;

    /// For puzzles of four moves, by the last move: those that may follow it, as the
    /// [`automaton`] has them. A search can unroll four moves instead of looping, and may apply
    /// one that is not legal, if it then ignores the result.
    const FOUR_MOVES: Option<[MoveSet; 4]> = None;

    /// The packed arrangement: for each cell, the goal cell of what is in it.
    type Key: canonical::Canonicalize + cell_sum::Weigh + sum_changes::AddChanges;
    /// An arrangement together with what makes moving quick.
    type State: Copy + Eq + std::fmt::Debug + Send + Sync;

    /// Everything that does not depend on how states are packed.
    fn frame(&self) -> &Frame;

    /// The state in which each tile is in its goal cell.
    fn goal(&self) -> Self::State;

    /// The packed arrangement of a state.
    fn key(&self, state: Self::State) -> Self::Key;

    /// The state of a stored key.
    fn state(&self, key: Self::Key) -> Self::State;

    /// The goal cell of what is in `cell`.
    fn label(&self, state: Self::State, cell: usize) -> u8;

    /// The moves that are legal here.
    fn legal(&self, state: Self::State) -> MoveSet;

    /// The state after a legal move.
    fn apply(&self, state: Self::State, m: Move) -> Self::State;

    /// The moves that can have led here.
    fn legal_back(&self, state: Self::State) -> MoveSet;

    /// The state before a move that can have led here.
    fn apply_back(&self, state: Self::State, m: Move) -> Self::State;

    /// Calls `visit(from, to)` for each tile that a legal move carries; the blank is
    /// no tile.
    fn each_carried(&self, state: Self::State, m: Move, visit: impl FnMut(usize, usize));

    /// Packs labels, one for each cell.
    fn state_of(&self, labels: &[u8]) -> Self::State {
        self.state(Self::Key::from_labels(labels))
    }

    /// The labels of all cells.
    fn labels(&self, state: Self::State) -> Vec<u8> {
        self.key(state).labels(self.frame().shape().cells())
    }
}
