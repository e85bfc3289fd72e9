//! The circular Manhattan distance: how far all tiles are from their goals on the grid
//! that wraps around, divided by what one move can do about it.
//!
//! **Admissible and consistent.** A move carries each tile that it shifts over some
//! circular distance (1 on the torus and on full rings), so it changes the sum by at
//! most the total of these, by the triangle inequality. The divisor is the largest such
//! total over all moves: the most tiles that one move shifts, where each goes one step.
//! Rounding up keeps both, because distances are whole numbers.

use super::per_tile::{PerTile, TileSum, circular_steps};
use super::{Promise, Registered};
use crate::puzzle::moves::Action;
use crate::puzzle::permutation::Permutation;
use crate::puzzle::{Depth, Frame};

/// Sum of circular distances ÷ the most that one move can change it, rounded up.
#[derive(Clone, Debug)]
pub struct CircularManhattan {
    distances: PerTile,
    divisor: u32,
}

impl Registered for CircularManhattan {
    const NAME: &'static str = "circular-manhattan";
    const SUMMARY: &'static str = "sum of the tiles' distances with wrap-around, divided by the most that one move changes it, rounded up";

    fn promise(frame: &Frame) -> Option<Promise> {
        frame.blank_label().is_none().then_some(Promise::CONSISTENT)
    }

    fn new(frame: &Frame) -> CircularManhattan {
        CircularManhattan { distances: circular_distances(frame), divisor: divisor(frame) }
    }
}

/// Each tile's distance from its goal with wrap-around.
pub(super) fn circular_distances(frame: &Frame) -> PerTile {
    let shape = frame.shape();
    PerTile::new(frame, |cell, label| circular_steps(shape, cell, label) as u32)
}

/// The most that one move can change the sum.
fn divisor(frame: &Frame) -> u32 {
    let Action::Permutations(moves) = frame.moves().action() else {
        return 1;
    };
    let shape = frame.shape();
    let carried = |p: &Permutation| {
        p.moved().map(|to| circular_steps(shape, p.source(to), to)).sum::<usize>()
    };
    moves.iter().map(carried).max().unwrap_or(1) as u32
}

impl TileSum for CircularManhattan {
    #[inline]
    fn weights(&self) -> &PerTile {
        &self.distances
    }

    #[inline]
    fn estimate_of(&self, sum: u32) -> Depth {
        sum.div_ceil(self.divisor)
    }
}
