//! The circular Manhattan distance: how far all tiles are from their goals on the grid
//! that wraps around, divided by what one move can do about it.
//!
//! **Admissible and consistent.** A move carries each tile that it shifts over some
//! circular distance (1 on the torus and on full rings), so it changes the sum by at
//! most the total of these, by the triangle inequality. The divisor is the largest such
//! total over all moves: the most tiles that one move shifts, where each goes one step.
//! Rounding up keeps both, because distances are whole numbers.

use super::per_tile::PerTile;
use super::{NamedHeuristic, Promise, Scope, TileSum};
use crate::puzzle::Frame;
use crate::puzzle::moves::Action;
use crate::puzzle::permutation::Permutation;

/// Sum of circular distances ÷ the most that one move can change it, rounded up.
#[derive(Clone, Copy, Debug)]
pub struct CircularManhattan;

impl NamedHeuristic for CircularManhattan {
    const NAME: &'static str = "circular-manhattan";
    const SUMMARY: &'static str = "sum of the tiles' distances with wrap-around, divided by the most that one move changes it, rounded up";
    const SCOPE: Scope = Scope::WithoutBlank;

    type Heuristic = TileSum;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> TileSum {
        TileSum::new(circular_distances(frame), divisor(frame))
    }
}

/// Each tile's distance from its goal with wrap-around.
pub(super) fn circular_distances(frame: &Frame) -> PerTile {
    PerTile::circular(frame)
}

/// The most that one move can change the sum.
fn divisor(frame: &Frame) -> u32 {
    let Action::Permutations(moves) = frame.moves().action() else {
        return 1;
    };
    let shape = frame.shape();
    let carried =
        |p: &Permutation| p.moved().map(|to| shape.circular_steps(p.source(to), to)).sum::<usize>();
    moves.iter().map(carried).max().unwrap_or(1) as u32
}
