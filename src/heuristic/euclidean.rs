//! The sum of the tiles' straight-line distances from their goals, rounded up, the blank
//! not counted.
//!
//! **Admissible and consistent**, and never more than [`manhattan`](super::manhattan): a
//! move carries one tile by one step, which changes its straight-line distance by one at
//! most. The distances are kept as whole multiples of 2⁻¹⁶, each rounded down, so that there
//! is no rounding noise: a sum of such numbers is exact and never above the true one, and as
//! a step is 2¹⁶ of them, rounding down leaves "by one at most" as it is. Rounding the sum
//! up at the end keeps both, because true distances are whole numbers.
//!
//! Unrounded it is the sum that published programs compute: in floating point, tile by tile
//! in the order of their numbers. Their counts depend on how that rounds (see
//! `astar-textbook`).

use super::per_tile::PerTile;
use super::{Heuristic, NamedHeuristic, Promise, Scope, TileSum};
use crate::board::MAX_CELLS;
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// The binary digits after the point. The largest board, 16x16, needs 13 before it.
const DIGITS: u32 = 16;

/// Sum of the tiles' straight-line distances, rounded up.
#[derive(Clone, Debug)]
pub struct Euclidean {
    sum: TileSum,
    /// The labels in the order of their tiles, the blank left out.
    labels: Vec<u8>,
    /// By label, then by cell.
    straight: Vec<Vec<f64>>,
}

impl NamedHeuristic for Euclidean {
    const NAME: &'static str = "euclidean";
    const SUMMARY: &'static str = "sum of the tiles' straight-line distances, rounded up";
    const SCOPE: Scope = Scope::WithBlank;

    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Self {
        let shape = frame.shape();
        let square = |cell, label| {
            let (rows, cols) = shape.apart(cell, label);
            (rows * rows + cols * cols) as u32
        };
        let distance =
            |cell, label| (u64::from(square(cell, label)) << (2 * DIGITS)).isqrt() as u32;
        let straight =
            |label| (0..shape.cells()).map(|cell| f64::from(square(cell, label)).sqrt()).collect();
        let mut labels: Vec<u8> = (0..shape.cells()).map(|label| label as u8).collect();
        labels.retain(|&label| Some(label) != frame.blank_label());
        labels.sort_by_key(|&label| frame.goal().tiles()[usize::from(label)]);
        Euclidean {
            sum: TileSum::new(PerTile::new(frame, distance), 1 << DIGITS),
            labels,
            straight: (0..shape.cells()).map(straight).collect(),
        }
    }
}

impl<P: Puzzle> Heuristic<P> for Euclidean {
    type Value = u32;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        self.sum.evaluate(puzzle, state)
    }

    #[inline]
    fn update(&self, puzzle: &P, sum: u32, before: P::State, m: Move) -> u32 {
        self.sum.update(puzzle, sum, before, m)
    }

    #[inline]
    fn estimate(&self, sum: u32) -> Depth {
        Heuristic::<P>::estimate(&self.sum, sum)
    }

    fn unrounded(&self, puzzle: &P, state: P::State, _: u32) -> f64 {
        let mut cell_of = [0; MAX_CELLS];
        for cell in 0..self.straight.len() {
            cell_of[usize::from(puzzle.label(state, cell))] = cell;
        }
        let labels = self.labels.iter().map(|&label| usize::from(label));
        labels.map(|label| self.straight[label][cell_of[label]]).sum()
    }
}
