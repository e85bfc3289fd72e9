//! The Manhattan distance of the sliding puzzle: how many steps all tiles are from their
//! goals, the blank not counted.
//!
//! **Admissible and consistent**: a move carries one tile by one step.

use super::per_tile::PerTile;
use super::{Heuristic, Promise, Registered, Scope};
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// Sum of the tiles' distances.
#[derive(Clone, Debug)]
pub struct Manhattan {
    distances: PerTile,
}

impl Registered for Manhattan {
    const NAME: &'static str = "manhattan";
    const SUMMARY: &'static str = "sum of the tiles' distances in rows and columns";
    const SCOPE: Scope = Scope::WithBlank;

    type Estimator = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Self {
        Manhattan { distances: distances(frame) }
    }
}

/// Each tile's distance from its goal, the blank's not counted.
pub(super) fn distances(frame: &Frame) -> PerTile {
    let shape = frame.shape();
    PerTile::new(frame, |cell, label| {
        let (rows, cols) = shape.apart(cell, label);
        (rows + cols) as u32
    })
}

impl<P: Puzzle> Heuristic<P> for Manhattan {
    type Value = u32;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        self.distances.sum(puzzle, state)
    }

    #[inline]
    fn update(&self, puzzle: &P, sum: u32, before: P::State, m: Move) -> u32 {
        self.distances.updated(puzzle, sum, before, m)
    }

    #[inline]
    fn estimate(&self, sum: u32) -> Depth {
        sum
    }
}
