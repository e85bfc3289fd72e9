//! Heuristics of sliding puzzles that every move changes by exactly one, in the form that the
//! search made for them takes.
//!
//! Such a search need not add up anything. If the estimate is `2·spare` below the moves that are
//! left, a move that brings the goal nearer leaves that as it is, and one that does not takes one
//! from `spare`. Once nothing is left to be taken, the rest must go straight down.

use super::pattern_databases::{PatternDatabases, Spots};
use crate::board::Shape;
use crate::puzzle::Depth;

/// A heuristic that changes by one with each move, with its value at some node.
#[derive(Clone, Copy, Debug)]
pub enum UnitSteps<'a> {
    /// A sum over tiles.
    Tiles(&'a TileSteps, Depth),
    /// Sums of pattern databases.
    Databases(&'a PatternDatabases, Spots),
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
    /// What is carried along: how many moves in vain there may still be, and what that takes.
    type Carried: Copy;

    /// What is carried on from there, after the blank has made the move `M` from the cell
    /// `blank` and the tile with that label has taken its place; `None` if that is one move in
    /// vain too many.
    fn step<const M: usize>(
        &self,
        carried: &Self::Carried,
        blank: usize,
        label: usize,
    ) -> Option<Self::Carried>;
}

impl Steps for TileSteps {
    type Carried = u32;

    #[inline(always)]
    fn step<const M: usize>(&self, spare: &u32, blank: usize, label: usize) -> Option<u32> {
        let farther = self.farther[blank & (MOST_CELLS - 1)][M] >> (label & (MOST_CELLS - 1)) & 1;
        spare.checked_sub(farther)
    }
}
