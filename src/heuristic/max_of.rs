//! The greatest of three estimates.
//!
//! **Admissible if all of them are, and consistent if all of them are**: each is at most
//! the true distance, so the greatest is; and each falls by at most 1 with a move, so
//! the greatest after a move is at least the greatest before less 1. One that does not
//! apply to a puzzle is left out there.
//!
//! **If each move changes each of them by exactly 1, so it does the greatest**: all are 0 at the
//! goal, so that they are even on the same boards. The greatest after a move is at most 1 away
//! from that before, and not the same.

use super::conflict_steps::ConflictSteps;
use super::inversion_distance::InversionDistance;
use super::inversion_steps::InversionSteps;
use super::linear_conflict::LinearConflict;
use super::unit_steps::{Steps, UnitSteps};
use super::walking_distance::WalkingDistance;
use super::{Heuristic, Promise, Registered, Scope};
use crate::puzzle::ring::Ring;
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

    #[inline]
    fn unit_steps(&self, value: Self::Value) -> Option<UnitSteps<'_>> {
        let a = self.0.as_ref()?.unit_steps(value.0?)?;
        let b = self.1.as_ref()?.unit_steps(value.1?)?;
        let c = self.2.as_ref()?.unit_steps(value.2?)?;
        match (a, b, c) {
            (UnitSteps::Conflicts(a, x), UnitSteps::Walk(b, y), UnitSteps::Inversions(c, z)) => {
                Some(UnitSteps::Greatest((a, b, c), (x, y, z)))
            }
            _ => None,
        }
    }
}

/// The steps of [`SlidingMax`].
pub type SlidingSteps<'a> = (&'a ConflictSteps, &'a WalkingDistance, &'a InversionSteps);

/// The steps of all three, none of which may be one too many.
impl<A: Steps, B: Steps, C: Steps> Steps for (&A, &B, &C) {
    type Value = (A::Value, B::Value, C::Value);
    type Carried = (A::Carried, B::Carried, C::Carried);
    type Ahead = (A::Ahead, B::Ahead, C::Ahead);

    fn begin(&self, value: Self::Value, labels: &[u8], budget: Depth) -> Option<Self::Carried> {
        let a = self.0.begin(value.0, labels, budget)?;
        let b = self.1.begin(value.1, labels, budget)?;
        let c = self.2.begin(value.2, labels, budget)?;
        Some((a, b, c))
    }

    #[inline(always)]
    fn ahead<const M: usize>(
        &self,
        carried: &Self::Carried,
        blank: usize,
        label: usize,
    ) -> Self::Ahead {
        let a = self.0.ahead::<M>(&carried.0, blank, label);
        let b = self.1.ahead::<M>(&carried.1, blank, label);
        let c = self.2.ahead::<M>(&carried.2, blank, label);
        (a, b, c)
    }

    #[inline(always)]
    fn step<R: Ring, const M: usize>(
        &self,
        carried: &Self::Carried,
        ahead: Self::Ahead,
        ring: R,
        blank: usize,
        label: usize,
    ) -> Option<Self::Carried> {
        let a = self.0.step::<R, M>(&carried.0, ahead.0, ring, blank, label)?;
        let b = self.1.step::<R, M>(&carried.1, ahead.1, ring, blank, label)?;
        let c = self.2.step::<R, M>(&carried.2, ahead.2, ring, blank, label)?;
        Some((a, b, c))
    }
}
