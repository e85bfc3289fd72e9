//! A heuristic together with the exact distances near the goal.
//!
//! **Admissible and consistent** if the heuristic is: a board in the [`Ball`] is as far as
//! it says, and one outside is farther than its radius. The ball is asked only where
//! the answer can cut something off: when no more moves are left than its radius, or when it
//! holds every board.

use super::{After, Heuristic};
use crate::puzzle::{Depth, Move, Puzzle};
use crate::table::ball::Ball;

/// `inner`, and a look into the ball where the estimate does not suffice.
#[derive(Debug)]
pub struct WithBall<'a, P: Puzzle, H> {
    /// The first opinion.
    pub inner: &'a H,
    /// The second.
    pub ball: &'a Ball<P>,
}

impl<P: Puzzle, H: Heuristic<P>> Heuristic<P> for WithBall<'_, P, H> {
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
            || ((self.ball.is_complete() || budget <= self.ball.radius())
                && self.ball.distance(puzzle.key(state)).is_none_or(|distance| distance > budget))
    }
}
