//! Sums over tiles of a distance between where a tile is and where it belongs, by one
//! table: the common part of the Manhattan family.

use crate::board::Shape;
use crate::puzzle::{Frame, Move, Puzzle};

/// A distance for each cell and label, summed over all tiles.
#[derive(Clone, Debug)]
pub(super) struct PerTile {
    /// `distance[cell * stride + label]`; the blank's label counts nothing.
    distance: Vec<u8>,
    stride: usize,
}

impl PerTile {
    pub(super) fn new(frame: &Frame, distance: fn(Shape, usize, usize) -> usize) -> PerTile {
        let shape = frame.shape();
        let cells = shape.cells();
        // A power of two, so that a look-up is a shift.
        let stride = cells.next_power_of_two();
        let mut table = vec![0; cells * stride];
        let blank = frame.blank_label().map(usize::from);
        for cell in 0..cells {
            for label in (0..cells).filter(|&label| Some(label) != blank) {
                table[cell * stride + label] = distance(shape, cell, label) as u8;
            }
        }
        PerTile { distance: table, stride }
    }

    #[inline]
    fn of(&self, cell: usize, label: u8) -> u32 {
        u32::from(self.distance[cell * self.stride + usize::from(label)])
    }

    /// The sum over all tiles.
    #[inline]
    pub(super) fn sum<P: Puzzle>(&self, puzzle: &P, state: P::State) -> u32 {
        let cells = 0..self.distance.len() / self.stride;
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
            let label = puzzle.label(before, from);
            sum = sum.wrapping_add(self.of(to, label)).wrapping_sub(self.of(from, label));
        });
        sum
    }
}

/// How far apart two cells are on a grid with edges.
pub(super) fn steps(shape: Shape, a: usize, b: usize) -> usize {
    let ((r0, c0), (r1, c1)) = (shape.row_col(a), shape.row_col(b));
    r0.abs_diff(r1) + c0.abs_diff(c1)
}

/// How far apart two cells are on a grid that wraps around.
pub(super) fn circular_steps(shape: Shape, a: usize, b: usize) -> usize {
    let around = |a: usize, b: usize, length: usize| {
        let straight = a.abs_diff(b);
        straight.min(length - straight)
    };
    let ((r0, c0), (r1, c1)) = (shape.row_col(a), shape.row_col(b));
    around(r0, r1, shape.rows()) + around(c0, c1, shape.cols())
}
