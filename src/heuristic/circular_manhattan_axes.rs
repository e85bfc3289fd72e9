//! The circular Manhattan distance with rows and columns apart: how many rows all tiles are
//! from their goals, divided by what one move can do about that, rounded up, and the same
//! for columns.
//!
//! **Admissible and consistent** where no move carries tiles both from row to row and from
//! column to column: a move then changes one of the two parts, and that by at most 1 (see
//! [`circular_manhattan`](super::circular_manhattan)). Rounding up twice makes it the
//! stronger of the two on such puzzles.
//!
//! It **does not apply** where some move does both. A ring that turns takes the tiles of
//! its sides to other rows and those of its top and bottom to other columns, so it can
//! lower both parts at once, and their sum by 2. There the two parts have to share
//! one divisor, which is what `circular-manhattan` does.

use super::axes::most_steps;
use super::per_tile::PerTile;
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// The two parts, each divided by the most that one move can change it and rounded up.
#[derive(Clone, Debug)]
pub struct CircularManhattanAxes {
    /// Both sums in one word: rows in the upper half, columns in the lower.
    distances: PerTile,
    row_divisor: u32,
    col_divisor: u32,
}

impl NamedHeuristic for CircularManhattanAxes {
    const NAME: &'static str = "circular-manhattan-axes";
    const SUMMARY: &'static str = "circular Manhattan distance with rows and columns apart, each divided by the most that one move changes it, rounded up";
    const SCOPE: Scope = Scope::WithoutBlank;

    type Heuristic = Self;

    fn promise(frame: &Frame) -> Option<Promise> {
        most_steps(frame).map(|_| Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Self {
        let (rows, cols) = most_steps(frame).expect("no move changes rows and columns");
        let shape = frame.shape();
        CircularManhattanAxes {
            distances: PerTile::new(frame, |cell, label| {
                let (rows, cols) = shape.circular_apart(cell, label);
                (rows << 16 | cols) as u32
            }),
            // Without a move along an axis nothing is ever off its goal there.
            row_divisor: rows.max(1) as u32,
            col_divisor: cols.max(1) as u32,
        }
    }
}

impl<P: Puzzle> Heuristic<P> for CircularManhattanAxes {
    type Value = u32;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        self.distances.sum(puzzle, state)
    }

    #[inline]
    fn update(&self, puzzle: &P, sums: u32, before: P::State, m: Move) -> u32 {
        self.distances.updated(puzzle, sums, before, m)
    }

    #[inline]
    fn estimate(&self, sums: u32) -> Depth {
        (sums >> 16).div_ceil(self.row_divisor) + (sums & 0xffff).div_ceil(self.col_divisor)
    }
}
