//! Sums over tiles of a weight that depends on where a tile is and where it belongs, by
//! tables: the common part of the Manhattan family.

use super::{After, Heuristic};
use crate::puzzle::cell_sum::{CellSum, Weigh};
use crate::puzzle::sum_changes::{AddChanges, Changes, SumChanges};
use crate::puzzle::{Depth, Frame, Move, MoveSet, Puzzle};

/// A weight for each cell and label, summed over all tiles.
#[derive(Clone, Debug)]
pub(super) struct PerTile {
    /// The blank's label weighs nothing.
    weights: CellSum,
    /// What the moves change, where that is quick to know for all of them.
    changes: Option<SumChanges>,
}

impl PerTile {
    /// The table of `weight(cell, label)`.
    pub(super) fn new(frame: &Frame, weight: impl Fn(usize, usize) -> u32) -> PerTile {
        let blank = frame.blank_label().map(usize::from);
        let of_tile = |cell, label| if Some(label) == blank { 0 } else { weight(cell, label) };
        let cells = frame.shape().cells();
        PerTile {
            weights: CellSum::new(cells, of_tile),
            changes: SumChanges::new(frame.moves(), cells, of_tile),
        }
    }

    /// Each tile's steps from its goal on a grid that wraps around, in a puzzle without a blank.
    pub(super) fn circular(frame: &Frame) -> PerTile {
        let shape = frame.shape();
        let steps = |cell, label| shape.circular_steps(cell, label) as u32;
        PerTile {
            weights: CellSum::wrapped(shape, frame.simd()),
            changes: SumChanges::new(frame.moves(), shape.cells(), steps),
        }
    }

    /// The sum over all tiles.
    #[inline]
    pub(super) fn sum<P: Puzzle>(&self, puzzle: &P, state: P::State) -> u32 {
        puzzle.key(state).weigh(&self.weights)
    }

    /// The sum after a move, from the one before: with one tile by what it changes, with many
    /// by adding up the board after it, where that is quicker.
    #[inline]
    pub(super) fn updated<P: Puzzle>(
        &self,
        puzzle: &P,
        sum: u32,
        before: P::State,
        m: Move,
    ) -> u32 {
        if !P::HAS_BLANK && self.weights.is_quick() {
            return self.sum(puzzle, puzzle.apply(before, m));
        }
        let mut sum = sum;
        puzzle.each_carried(before, m, |from, to| {
            sum = sum.wrapping_add(self.change(puzzle.label(before, from), from, to));
        });
        sum
    }

    /// By how much the sum grows, modulo 2³², if one tile goes from one cell to another.
    #[inline]
    pub(super) fn change(&self, label: u8, from: usize, to: usize) -> u32 {
        self.weights.weight(to, label).wrapping_sub(self.weights.weight(from, label))
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

    #[inline(always)]
    fn after<'a>(&'a self, puzzle: &'a P, sum: u32, before: P::State) -> impl After<u32> + 'a {
        let changes = if P::HAS_BLANK { None } else { self.weights.changes.as_ref() };
        let changes = changes.map(|changes| puzzle.key(before).changes(changes));
        SumAfter { estimator: self, puzzle, sum, before, changes }
    }

    #[inline]
    fn estimate(&self, sum: u32) -> Depth {
        self.divided(sum)
    }

    fn unrounded(&self, _: &P, _: P::State, sum: u32) -> f64 {
        f64::from(sum) / f64::from(self.divisor)
    }
}

/// The sums after the moves of one state.
struct SumAfter<'a, P: Puzzle> {
    estimator: &'a TileSum,
    puzzle: &'a P,
    sum: u32,
    before: P::State,
    /// What each move changes, where that is quick to know for all of them.
    changes: Option<Changes>,
}

impl<P: Puzzle> After<u32> for SumAfter<'_, P> {
    #[inline]
    fn value(&self, m: Move) -> u32 {
        match &self.changes {
            Some(changes) => self.sum.wrapping_add_signed(changes.by(m)),
            None => self.estimator.update(self.puzzle, self.sum, self.before, m),
        }
    }

    #[inline]
    fn within(&self, moves: MoveSet, most: Depth) -> Option<MoveSet> {
        let changes = self.changes.as_ref()?;
        let largest_sum = i64::from(most) * i64::from(self.estimator.divisor);
        Some(changes.at_most(largest_sum - i64::from(self.sum), moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_the_quotient() {
        let weights = PerTile { weights: CellSum::new(1, |_, _| 0), changes: None };
        for divisor in [1, 2, 3, 4, 5, 7, 16, 1 << 16, 4 << 16] {
            let sum = TileSum::new(weights.clone(), divisor);
            let near = |n: u32| n.saturating_sub(2)..=n + 2;
            let multiples = [0, 1, 2, 3, 1000, (1 << 31) / divisor - 1];
            for n in multiples.into_iter().flat_map(|k| near(k * divisor)) {
                assert_eq!(sum.divided(n), n.div_ceil(divisor), "{n} / {divisor}");
            }
        }
    }
}
