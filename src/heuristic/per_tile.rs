//! Sums over tiles of a weight that depends on where a tile is and where it belongs, by one
//! table: the common part of the Manhattan family.

use super::Heuristic;
use crate::board::Shape;
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// A weight for each cell and label, summed over all tiles.
#[derive(Clone, Debug)]
pub(super) struct PerTile {
    /// `weight[cell * stride + label]`; the blank's label counts nothing.
    weight: Vec<u32>,
    stride: usize,
}

impl PerTile {
    /// The table of `weight(cell, label)`.
    pub(super) fn new(frame: &Frame, weight: impl Fn(usize, usize) -> u32) -> PerTile {
        let cells = frame.shape().cells();
        // A power of two, so that a look-up is a shift.
        let stride = cells.next_power_of_two();
        let mut table = vec![0; cells * stride];
        let blank = frame.blank_label().map(usize::from);
        for cell in 0..cells {
            for label in (0..cells).filter(|&label| Some(label) != blank) {
                table[cell * stride + label] = weight(cell, label);
            }
        }
        PerTile { weight: table, stride }
    }

    #[inline]
    fn of(&self, cell: usize, label: u8) -> u32 {
        self.weight[cell * self.stride + usize::from(label)]
    }

    /// The sum over all tiles.
    #[inline]
    pub(super) fn sum<P: Puzzle>(&self, puzzle: &P, state: P::State) -> u32 {
        let cells = 0..self.weight.len() / self.stride;
        cells.map(|cell| self.of(cell, puzzle.label(state, cell))).sum()
    }

    /// The sum after a move, from the one before.
    #[inline]
    pub(super) fn updated<P: Puzzle>(
        &self,
        puzzle: &P,
        sum: u32,
        before: P::State,
        m: Move,
    ) -> u32 {
        let mut sum = sum;
        puzzle.each_carried(before, m, |from, to| {
            sum = sum.wrapping_add(self.change(puzzle.label(before, from), from, to));
        });
        sum
    }

    /// By how much the sum grows, modulo 2³², if one tile goes from one cell to another.
    #[inline]
    pub(super) fn change(&self, label: u8, from: usize, to: usize) -> u32 {
        self.of(to, label).wrapping_sub(self.of(from, label))
    }
}

/// The estimator of heuristics that need nothing but one such sum: the sum divided by what one
/// move can change it, rounded up.
#[derive(Clone, Debug)]
pub struct TileSum {
    weights: PerTile,
    /// 2⁶³ ÷ the divisor, rounded up: multiplying is quicker than dividing.
    reciprocal: u64,
    divisor: u32,
}

impl TileSum {
    /// A sum, and what it is divided by: both stay below 2³¹.
    pub(super) fn new(weights: PerTile, divisor: u32) -> TileSum {
        TileSum { weights, reciprocal: (1u64 << 63).div_ceil(divisor.into()), divisor }
    }

    /// The quotient, rounded up. The reciprocal is less than 1 too large, so that the product
    /// is less than 2⁻³¹ too large: not enough to reach the next whole number.
    #[inline]
    fn divided(&self, sum: u32) -> Depth {
        let dividend = u64::from(sum) + u64::from(self.divisor - 1);
        ((u128::from(dividend) * u128::from(self.reciprocal)) >> 63) as Depth
    }
}

impl<P: Puzzle> Heuristic<P> for TileSum {
    type Value = u32;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        self.weights.sum(puzzle, state)
    }

    #[inline]
    fn update(&self, puzzle: &P, sum: u32, before: P::State, m: Move) -> u32 {
        self.weights.updated(puzzle, sum, before, m)
    }

    #[inline]
    fn estimate(&self, sum: u32) -> Depth {
        self.divided(sum)
    }
}

/// How many rows and columns two cells are apart on a grid with edges.
pub(super) fn apart(shape: Shape, a: usize, b: usize) -> (usize, usize) {
    let ((r0, c0), (r1, c1)) = (shape.row_col(a), shape.row_col(b));
    (r0.abs_diff(r1), c0.abs_diff(c1))
}

/// How many rows and columns two cells are apart on a grid that wraps around.
pub(super) fn circular_apart(shape: Shape, a: usize, b: usize) -> (usize, usize) {
    let (rows, cols) = apart(shape, a, b);
    (rows.min(shape.rows() - rows), cols.min(shape.cols() - cols))
}

/// How far apart two cells are on a grid that wraps around.
pub(super) fn circular_steps(shape: Shape, a: usize, b: usize) -> usize {
    let (rows, cols) = circular_apart(shape, a, b);
    rows + cols
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_the_quotient() {
        for divisor in [1, 2, 3, 4, 5, 7, 16, 1 << 16, 4 << 16] {
            let sum = TileSum::new(PerTile { weight: Vec::new(), stride: 1 }, divisor);
            let near = |n: u32| n.saturating_sub(2)..=n + 2;
            let multiples = [0, 1, 2, 3, 1000, (1 << 31) / divisor - 1];
            for n in multiples.into_iter().flat_map(|k| near(k * divisor)) {
                assert_eq!(sum.divided(n), n.div_ceil(divisor), "{n} / {divisor}");
            }
        }
    }
}
