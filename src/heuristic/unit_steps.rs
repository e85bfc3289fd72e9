//! Heuristics of sliding puzzles that every move changes by exactly one, in the form that the
//! search made for them takes.
//!
//! Such a search need not add up anything. If the estimate is `2·slack` below the moves that are
//! left, a move that brings the goal nearer leaves the slack as it is, and one that does not takes
//! one from it. Without slack, the rest must go straight down. The goal alone has an estimate of
//! 0, so that it is reached when no moves are left.
//!
//! A heuristic hands its own [`Steps`] to the search
//! ([`Heuristic::unit_steps`](super::Heuristic::unit_steps)).

use crate::board::Shape;
use crate::puzzle::Depth;
use crate::puzzle::blank_relative::BlankRelative;

/// A node to search below: its value, its labels, and how many moves are left.
#[derive(Clone, Copy, Debug)]
pub struct StepsRoot<'a, V> {
    /// What the heuristic knows of it.
    pub value: V,
    /// The label of each cell.
    pub labels: &'a [u8],
    /// The moves left.
    pub budget: Depth,
}

impl<'a, V> StepsRoot<'a, V> {
    /// The same node with another value.
    pub fn with_value<W>(self, value: W) -> StepsRoot<'a, W> {
        StepsRoot { value, labels: self.labels, budget: self.budget }
    }
}

/// Code that is compiled once for each kind of steps.
pub trait StepsVisitor {
    /// What it yields.
    type Output;

    /// Runs it with these steps from a root.
    fn visit<S: Steps>(self, steps: &S, root: StepsRoot<'_, S::Value>) -> Self::Output;

    /// The same with steps that wait for memory.
    fn visit_batched<S: BatchSteps>(self, steps: &S, root: StepsRoot<'_, S::Value>) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(steps, root)
    }
}

/// The slack, in moves away from the goal that may still be made; `None` if the estimate is more
/// than what is left.
pub fn slack(budget: Depth, estimate: Depth) -> Option<u32> {
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
    /// What is carried along: the slack, and what is needed to update it.
    type Carried: Copy;
    /// The look-ahead at a move; nothing where a lookup takes no time.
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
    /// there is no slack left for it.
    fn step<R: BlankRelative, const M: usize>(
        &self,
        carried: &Self::Carried,
        ahead: Self::Ahead,
        ring: R,
        blank: usize,
        label: usize,
    ) -> Option<Self::Carried>;
}

/// Steps that wait for memory, so that several nodes are best looked at together.
pub trait BatchSteps: Steps {
    /// Where to read what a move does.
    type Look: Copy;

    /// Asks for what is to be read about a move of the blank in a cell, by which the tile with that
    /// label takes its place.
    fn look(&self, carried: &Self::Carried, m: usize, blank: usize, label: usize) -> Self::Look;

    /// Reads it: what is carried on from there; `None` if there is no slack left for it.
    fn see(&self, carried: &Self::Carried, look: &Self::Look) -> Option<Self::Carried>;
}

impl Steps for TileSteps {
    type Value = Depth;
    type Carried = u32;
    type Ahead = ();

    fn begin(&self, sum: Depth, _: &[u8], budget: Depth) -> Option<u32> {
        slack(budget, sum)
    }

    #[inline(always)]
    fn step<R: BlankRelative, const M: usize>(
        &self,
        slack: &u32,
        (): (),
        _: R,
        blank: usize,
        label: usize,
    ) -> Option<u32> {
        let farther = self.farther[blank & (MOST_CELLS - 1)][M] >> (label & (MOST_CELLS - 1)) & 1;
        slack.checked_sub(farther)
    }
}
