//! The greatest of three estimates.
//!
//! **Admissible if all of them are, and consistent if all of them are**: each is at most
//! the true distance, so the greatest is; and each falls by at most 1 with a move, so
//! the greatest after a move is at least the greatest before less 1. One that does not
//! apply to a puzzle is left out there.

use super::inversion_distance::InversionDistance;
use super::linear_conflict::LinearConflict;
use super::walking_distance::WalkingDistance;
use super::{Heuristic, Promise, Registered, Scope};
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// The greatest of those estimates that apply.
#[derive(Clone, Debug)]
pub struct MaxOf<A, B, C>(Option<A>, Option<B>, Option<C>);

/// The three for sliding puzzles, each of which is the greatest on some boards.
pub type SlidingMax = MaxOf<LinearConflict, WalkingDistance, InversionDistance>;

impl Registered for SlidingMax {
    const NAME: &'static str = "max-of";
    const SUMMARY: &'static str = "the greatest of linear-conflict, walking-distance (where it applies) and inversion-distance";
    const SCOPE: Scope = Scope::WithBlank;

    type Estimator = Self;

    fn promise(frame: &Frame) -> Option<Promise> {
        let promises = [
            LinearConflict::promise(frame),
            WalkingDistance::promise(frame),
            InversionDistance::promise(frame),
        ];
        promises.into_iter().flatten().reduce(|a, b| Promise {
            admissible: a.admissible && b.admissible,
            consistent: a.consistent && b.consistent,
        })
    }

    fn build(frame: &Frame) -> Self {
        MaxOf(
            where_it_applies::<LinearConflict>(frame),
            where_it_applies::<WalkingDistance>(frame),
            where_it_applies::<InversionDistance>(frame),
        )
    }
}

fn where_it_applies<H: Registered>(frame: &Frame) -> Option<H::Estimator> {
    H::promise(frame).map(|_| H::build(frame))
}

impl<P, A, B, C> Heuristic<P> for MaxOf<A, B, C>
where
    P: Puzzle,
    A: Heuristic<P>,
    B: Heuristic<P>,
    C: Heuristic<P>,
{
    type Value = (Option<A::Value>, Option<B::Value>, Option<C::Value>);

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> Self::Value {
        (
            self.0.as_ref().map(|a| a.evaluate(puzzle, state)),
            self.1.as_ref().map(|b| b.evaluate(puzzle, state)),
            self.2.as_ref().map(|c| c.evaluate(puzzle, state)),
        )
    }

    #[inline]
    fn update(&self, puzzle: &P, value: Self::Value, before: P::State, m: Move) -> Self::Value {
        (
            self.0.as_ref().zip(value.0).map(|(a, value)| a.update(puzzle, value, before, m)),
            self.1.as_ref().zip(value.1).map(|(b, value)| b.update(puzzle, value, before, m)),
            self.2.as_ref().zip(value.2).map(|(c, value)| c.update(puzzle, value, before, m)),
        )
    }

    #[inline]
    fn estimate(&self, value: Self::Value) -> Depth {
        let a = self.0.as_ref().zip(value.0).map_or(0, |(a, value)| a.estimate(value));
        let b = self.1.as_ref().zip(value.1).map_or(0, |(b, value)| b.estimate(value));
        let c = self.2.as_ref().zip(value.2).map_or(0, |(c, value)| c.estimate(value));
        a.max(b).max(c)
    }
}
