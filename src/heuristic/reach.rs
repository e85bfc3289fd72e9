//! A heuristic together with what is known of the boards near the goal.
//!
//! **Admissible and consistent** if the heuristic is: a board that is not in the filter for as
//! many moves as are left is farther away than that ([`Reach`]).

use super::{After, Heuristic};
use crate::puzzle::{Depth, Move, MoveSet, Puzzle};
use crate::table::reach::Reach;

/// `inner`, and a look into a filter where the estimate does not suffice.
#[derive(Debug)]
pub struct WithReach<'a, P: Puzzle, H> {
    /// The first opinion.
    pub inner: &'a H,
    /// The second.
    pub reach: &'a Reach<P>,
}

impl<P: Puzzle, H: Heuristic<P>> Heuristic<P> for WithReach<'_, P, H> {
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
        self.inner.rules_out(puzzle, state, budget)
            || (budget <= self.reach.radius()
                && !self.reach.may_be_within(puzzle.key(state), budget))
    }

    #[inline]
    fn leaves_open(&self, puzzle: &P, before: P::State, moves: MoveSet, budget: Depth) -> MoveSet {
        if budget <= self.reach.radius() {
            self.reach.may_be_within_after(puzzle, before, moves, budget)
        } else {
            moves
        }
    }
}
