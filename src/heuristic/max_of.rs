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
use super::unit_steps::{Steps, StepsRoot, StepsVisitor};
use super::walking_distance::{Walk, WalkingDistance};
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::puzzle::blank_relative::BlankRelative;
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// The greatest of those of the three that apply; each is the greatest on some boards.
#[derive(Clone, Debug)]
pub struct SlidingMax {
    conflicts: Option<LinearConflict>,
    walking: Option<WalkingDistance>,
    inversions: Option<InversionDistance>,
}

impl NamedHeuristic for SlidingMax {
    const NAME: &'static str = "max-of";
    const SUMMARY: &'static str = "the greatest of linear-conflict, walking-distance (where it applies) and inversion-distance";
    const SCOPE: Scope = Scope::WithBlank;

    type Heuristic = Self;

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
        SlidingMax {
            conflicts: where_it_applies::<LinearConflict>(frame),
            walking: where_it_applies::<WalkingDistance>(frame),
            inversions: where_it_applies::<InversionDistance>(frame),
        }
    }
}

fn where_it_applies<H: NamedHeuristic>(frame: &Frame) -> Option<H::Heuristic> {
    H::promise(frame).map(|_| H::build(frame))
}

/// The values of those that apply.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Values {
    conflicts: Option<u32>,
    walk: Option<Walk>,
    inversions: Option<(u16, u16)>,
}

impl<P: Puzzle> Heuristic<P> for SlidingMax {
    type Value = Values;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> Values {
        Values {
            conflicts: self.conflicts.as_ref().map(|h| h.evaluate(puzzle, state)),
            walk: self.walking.as_ref().map(|h| h.evaluate(puzzle, state)),
            inversions: self.inversions.as_ref().map(|h| h.evaluate(puzzle, state)),
        }
    }

    #[inline]
    fn update(&self, puzzle: &P, value: Values, before: P::State, m: Move) -> Values {
        let Values { conflicts, walk, inversions } = value;
        let (a, b, c) = (self.conflicts.as_ref(), self.walking.as_ref(), self.inversions.as_ref());
        Values {
            conflicts: a.zip(conflicts).map(|(h, value)| h.update(puzzle, value, before, m)),
            walk: b.zip(walk).map(|(h, value)| h.update(puzzle, value, before, m)),
            inversions: c.zip(inversions).map(|(h, value)| h.update(puzzle, value, before, m)),
        }
    }

    #[inline]
    fn estimate(&self, Values { conflicts, walk, inversions }: Values) -> Depth {
        let (a, b, c) = (self.conflicts.as_ref(), self.walking.as_ref(), self.inversions.as_ref());
        let a = a.zip(conflicts).map_or(0, |(h, value)| Heuristic::<P>::estimate(h, value));
        let b = b.zip(walk).map_or(0, |(h, value)| Heuristic::<P>::estimate(h, value));
        let c = c.zip(inversions).map_or(0, |(h, value)| Heuristic::<P>::estimate(h, value));
        a.max(b).max(c)
    }

    fn unit_steps<V: StepsVisitor>(
        &self,
        root: StepsRoot<'_, Values>,
        visitor: V,
    ) -> Option<V::Output> {
        let Values { conflicts, walk, inversions } = root.value;
        let conflict_steps = self.conflicts.as_ref()?.steps()?;
        let (inversion_steps, inversions) = self.inversions.as_ref()?.steps(inversions?)?;
        let steps = SlidingSteps(conflict_steps, self.walking.as_ref()?, inversion_steps);
        Some(visitor.visit(&steps, root.with_value((conflicts?, walk?, inversions))))
    }
}

/// The steps of [`SlidingMax`], none of which may take more slack than there is.
#[derive(Clone, Copy, Debug)]
pub struct SlidingSteps<'a>(&'a ConflictSteps, &'a WalkingDistance, &'a InversionSteps);

impl Steps for SlidingSteps<'_> {
    type Value = (
        <ConflictSteps as Steps>::Value,
        <WalkingDistance as Steps>::Value,
        <InversionSteps as Steps>::Value,
    );
    type Carried = (
        <ConflictSteps as Steps>::Carried,
        <WalkingDistance as Steps>::Carried,
        <InversionSteps as Steps>::Carried,
    );
    type Ahead = ();

    fn begin(&self, value: Self::Value, labels: &[u8], budget: Depth) -> Option<Self::Carried> {
        let a = self.0.begin(value.0, labels, budget)?;
        let b = self.1.begin(value.1, labels, budget)?;
        let c = self.2.begin(value.2, labels, budget)?;
        Some((a, b, c))
    }

    #[inline(always)]
    fn step<R: BlankRelative, const M: usize>(
        &self,
        carried: &Self::Carried,
        (): (),
        ring: R,
        blank: usize,
        label: usize,
    ) -> Option<Self::Carried> {
        let a = self.0.step::<R, M>(&carried.0, (), ring, blank, label)?;
        let b = self.1.step::<R, M>(&carried.1, (), ring, blank, label)?;
        let c = self.2.step::<R, M>(&carried.2, (), ring, blank, label)?;
        Some((a, b, c))
    }
}
