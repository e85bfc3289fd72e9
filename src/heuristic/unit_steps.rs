//! Heuristics of sliding puzzles that every move changes by exactly one, in the form that the
//! search made for them takes.
//!
//! Such a search need not add up anything. If the estimate is `2·spare` below the moves that are
//! left, a move that brings the goal nearer leaves that as it is, and one that does not takes one
//! from `spare`. Once nothing is left to be taken, the rest must go straight down. The goal alone
//! has an estimate of 0, so that it is reached when no moves are left.

use super::conflict_steps::ConflictSteps;
use super::database_steps::DatabaseSteps;
use super::inversion_steps::{InversionSteps, Inversions};
use super::max_of::SlidingSteps;
use super::pattern_databases::{PatternDatabases, Spots};
use super::walking_distance::{Walk, WalkingDistance};
use crate::board::Shape;
use crate::puzzle::Depth;
use crate::puzzle::ring::Ring;

/// A heuristic that changes by one with each move, with its value at some node.
#[derive(Clone, Copy, Debug)]
pub enum UnitSteps<'a> {
    /// A sum over tiles.
    Tiles(&'a TileSteps, Depth),
    /// Sums of pattern databases.
    Databases(&'a PatternDatabases, Spots),
    /// A sum over tiles and their conflicts.
    Conflicts(&'a ConflictSteps, Depth),
    /// Walking distance.
    Walk(&'a WalkingDistance, Walk),
    /// Moves for inversions.
    Inversions(&'a InversionSteps, Inversions),
    /// The greatest of the three before.
    Greatest(SlidingSteps<'a>, (Depth, Walk, Inversions)),
}

/// Code that is compiled once for each kind of steps.
pub trait StepsVisitor {
    /// What it yields.
    type Output;

    /// Runs it with these steps and what is carried at the first node.
    fn visit<S: Steps>(self, steps: &S, carried: S::Carried) -> Self::Output;
}

impl UnitSteps<'_> {
    /// Runs `visitor` with the steps from a node with these labels and so many moves left; `None`
    /// if they are too few.
    pub fn visit<V: StepsVisitor>(
        self,
        labels: &[u8],
        budget: Depth,
        visitor: V,
    ) -> Option<V::Output> {
        let root = (labels, budget);
        match self {
            UnitSteps::Tiles(tiles, sum) => begin(tiles, sum, root, visitor),
            UnitSteps::Databases(d, spots) if d.is_mirrored() => {
                begin(&DatabaseSteps::<true>(d), spots, root, visitor)
            }
            UnitSteps::Databases(d, spots) => {
                begin(&DatabaseSteps::<false>(d), spots, root, visitor)
            }
            UnitSteps::Conflicts(conflicts, sum) => begin(conflicts, sum, root, visitor),
            UnitSteps::Walk(walking, walk) => begin(walking, walk, root, visitor),
            UnitSteps::Inversions(inverting, count) => begin(inverting, count, root, visitor),
            UnitSteps::Greatest(steps, values) => begin(&steps, values, root, visitor),
        }
    }
}

fn begin<S: Steps, V: StepsVisitor>(
    steps: &S,
    value: S::Value,
    (labels, budget): (&[u8], Depth),
    visitor: V,
) -> Option<V::Output> {
    Some(visitor.visit(steps, steps.begin(value, labels, budget)?))
}

/// How many moves in vain there may be; `None` if the estimate is more than what is left.
pub(super) fn spare(budget: Depth, estimate: Depth) -> Option<u32> {
    Some(budget.checked_sub(estimate)? / 2)
}

/// The most cells for which there are such tables.
const MOST_CELLS: usize = 32;

/// By the blank's cell and the move: the set of labels that get farther from their goals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileSteps {
    farther: [[u32; 4]; MOST_CELLS],
}

impl TileSteps {
    /// No steps yet; `None` if the board is too large.
    pub(super) fn where_it_fits(shape: Shape) -> Option<Box<TileSteps>> {
        let empty = || Box::new(TileSteps { farther: [[0; 4]; MOST_CELLS] });
        (shape.cells() <= MOST_CELLS).then(empty)
    }

    /// By that move of the blank from that cell, the tile gets farther from its goal.
    pub(super) fn add(&mut self, blank: usize, m: usize, label: usize) {
        self.farther[blank][m] |= 1 << label;
    }
}

/// A step of the search.
pub trait Steps {
    /// What the heuristic knows of the first node.
    type Value: Copy;
    /// What is carried along: how many moves in vain there may still be, and what that takes.
    type Carried: Copy;
    /// What is looked up of a move ahead of it; nothing where a look takes no time.
    type Ahead: Copy + Default;

    /// What is carried along from a node with this value and these labels, and so many moves
    /// left; `None` if they are too few.
    fn begin(&self, value: Self::Value, labels: &[u8], budget: Depth) -> Option<Self::Carried>;

    /// A look at where the move `M` leads: all moves of a node are looked at before the first of
    /// them is made, so that they wait for memory together.
    #[inline(always)]
    fn ahead<const M: usize>(
        &self,
        carried: &Self::Carried,
        blank: usize,
        label: usize,
    ) -> Self::Ahead {
        let _ = (carried, blank, label);
        Self::Ahead::default()
    }

    /// What is carried on from there, after the blank has made the move `M` from the cell
    /// `blank` of the board `ring` and the tile with that label has taken its place; `None` if
    /// that is one move in vain too many.
    fn step<R: Ring, const M: usize>(
        &self,
        carried: &Self::Carried,
        ahead: Self::Ahead,
        ring: R,
        blank: usize,
        label: usize,
    ) -> Option<Self::Carried>;
}

impl Steps for TileSteps {
    type Value = Depth;
    type Carried = u32;
    type Ahead = ();

    fn begin(&self, sum: Depth, _: &[u8], budget: Depth) -> Option<u32> {
        spare(budget, sum)
    }

    #[inline(always)]
    fn step<R: Ring, const M: usize>(
        &self,
        spare: &u32,
        (): (),
        _: R,
        blank: usize,
        label: usize,
    ) -> Option<u32> {
        let farther = self.farther[blank & (MOST_CELLS - 1)][M] >> (label & (MOST_CELLS - 1)) & 1;
        spare.checked_sub(farther)
    }
}
