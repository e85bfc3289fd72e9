//! A heuristic together with a table of the boards near the goal.
//!
//! **Admissible and consistent** if the heuristic is: the table only rules out what is certainly
//! too far away. A board in a [`Ball`] is as far as it says, and one outside is farther than its
//! radius. A board that is not in the filter of a [`Reach`] for as many moves as are left is
//! farther away than that or nearer, and nearer ones are not met: see there. A table is asked only
//! where the answer can cut something off: when no more moves are left than it reaches, or when it
//! holds every board.

use super::{After, Heuristic};
use crate::puzzle::{Depth, Move, MoveSet, Puzzle};
use crate::table::ball::Ball;
use crate::table::reach::{NearLayers, Reach};

/// A table that can prune: it knows the boards near the goal.
pub trait Pruner<P: Puzzle>: Send + Sync {
    /// Whether the goal is certainly more than `budget` moves away, given that it is not fewer.
    fn rules_out(&self, puzzle: &P, state: P::State, budget: Depth) -> bool;

    /// Of these moves from a state, those after which it is not.
    #[inline]
    fn leaves_open(&self, puzzle: &P, before: P::State, moves: MoveSet, budget: Depth) -> MoveSet {
        let open = |&m: &Move| !self.rules_out(puzzle, puzzle.apply(before, m), budget);
        moves.filter(open).fold(MoveSet::EMPTY, MoveSet::with)
    }

    /// The layers near the goal, for a search made for them.
    fn near_layers(&self) -> Option<NearLayers<'_>> {
        None
    }
}

impl<P: Puzzle> Pruner<P> for Ball<P> {
    #[inline]
    fn rules_out(&self, puzzle: &P, state: P::State, budget: Depth) -> bool {
        (self.is_complete() || budget <= self.radius())
            && self.distance(puzzle.key(state)).is_none_or(|distance| distance > budget)
    }
}

impl<P: Puzzle> Pruner<P> for Reach<P> {
    #[inline]
    fn rules_out(&self, puzzle: &P, state: P::State, budget: Depth) -> bool {
        budget <= self.radius() && !self.may_be_at(puzzle.key(state), budget)
    }

    #[inline]
    fn leaves_open(&self, puzzle: &P, before: P::State, moves: MoveSet, budget: Depth) -> MoveSet {
        if budget <= self.radius() {
            self.may_be_at_after(puzzle, before, moves, budget)
        } else {
            moves
        }
    }

    fn near_layers(&self) -> Option<NearLayers<'_>> {
        Reach::near_layers(self)
    }
}

/// `inner`, and a lookup in the table where the estimate does not prune.
#[derive(Debug)]
pub struct WithTable<H, T> {
    /// The estimate.
    pub inner: H,
    /// The table.
    pub table: T,
}

impl<P: Puzzle, H: Heuristic<P>, T: Pruner<P>> Heuristic<P> for WithTable<H, T> {
    type Value = H::Value;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> H::Value {
        self.inner.evaluate(puzzle, state)
    }

    #[inline]
    fn update(&self, puzzle: &P, value: H::Value, before: P::State, m: Move) -> H::Value {
        self.inner.update(puzzle, value, before, m)
    }

    #[inline]
    fn after<'a>(
        &'a self,
        puzzle: &'a P,
        value: H::Value,
        before: P::State,
    ) -> impl After<H::Value> + 'a {
        self.inner.after(puzzle, value, before)
    }

    #[inline]
    fn estimate(&self, value: H::Value) -> Depth {
        self.inner.estimate(value)
    }

    fn unrounded(&self, puzzle: &P, state: P::State, value: H::Value) -> f64 {
        self.inner.unrounded(puzzle, state, value)
    }

    const RULES_OUT: bool = true;

    #[inline]
    fn rules_out(&self, puzzle: &P, state: P::State, budget: Depth) -> bool {
        self.table.rules_out(puzzle, state, budget)
    }

    #[inline]
    fn leaves_open(&self, puzzle: &P, before: P::State, moves: MoveSet, budget: Depth) -> MoveSet {
        self.table.leaves_open(puzzle, before, moves, budget)
    }

    fn near_layers(&self) -> Option<NearLayers<'_>> {
        self.table.near_layers()
    }
}
