//! Inversion distance (Ken'ichiro Takahashi): read row by row, how many pairs of tiles are
//! in the wrong order, and how many vertical moves that takes; the same column by column
//! for horizontal moves.
//!
//! **Admissible and consistent**, wherever the goal has its blank. A tile's rank is its
//! goal cell, and the blank is left out of the reading, so that the goal has no inversion,
//! whether or not its blank is in a corner. A horizontal move exchanges a tile with the
//! blank beside it, which leaves the order as it is. A vertical move takes a tile past the
//! w − 1 tiles between the two cells, w being the width, and turns around its order with
//! each of them: the count changes by at most w − 1, and by an even or an odd number as
//! w − 1 is. So v vertical moves can undo n inversions only if
//! v (w − 1) ≥ n, and if v (w − 1) and n are both even or both odd.
//! The least such v is the estimate; v' moves after a move make v' + 1 before it, so that
//! it falls by at most 1. No move is both vertical and horizontal, so the two add up.
//!
//! **Where both sides are even, every move changes the estimate by exactly 1**: w − 1 is odd, so
//! that the inversions and with them the estimate change between even and odd with each move;
//! and it cannot rise by more than 1, as it would fall by as much when the move is taken back.
//! An estimate of 0 is the goal alone, wherever there are three columns or rows: tiles in order
//! by rows are each at home or one cell on or back in that order, in order by columns likewise,
//! and no cell has the same neighbour in both.
//!
//! For w = 4 this is the well-known n / 3 + n mod 3. For other widths that formula
//! would be too high: with w = 6, one move can undo 3 inversions.

use super::inversion_steps::{InversionSteps, Inversions};
use super::unit_steps::{StepsRoot, StepsVisitor};
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::board::MAX_CELLS;
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// Vertical moves for the inversions of the rows + horizontal moves for those of the columns.
#[derive(Clone, Debug)]
pub struct InversionDistance {
    by_rows: Reading,
    by_cols: Reading,
    blank: u8,
    /// What a move changes, on boards where that is one and small enough.
    steps: Option<Box<InversionSteps>>,
}

/// An order in which the cells are read.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) cells: Vec<u8>,
    /// For each cell, when it is read.
    pub(super) rank: Vec<u8>,
    /// How many moves it takes to undo this many inversions.
    pub(super) moves: Vec<u16>,
}

impl NamedHeuristic for InversionDistance {
    const NAME: &'static str = "inversion-distance";
    const SUMMARY: &'static str = "vertical moves for the inversions read by rows, and horizontal moves for those read by columns";
    const SCOPE: Scope = Scope::WithBlank;

    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Self {
        let shape = frame.shape();
        let down_the_columns = (0..shape.cols())
            .flat_map(|col| (0..shape.rows()).map(move |row| shape.cell(row, col)));
        let by_rows = Reading::new((0..shape.cells()).collect(), shape.cols());
        let by_cols = Reading::new(down_the_columns.collect(), shape.rows());
        InversionDistance {
            steps: InversionSteps::where_it_fits(frame, [&by_rows, &by_cols]),
            by_rows,
            by_cols,
            blank: frame.blank_label().expect("the goal has a blank"),
        }
    }
}

impl Reading {
    /// Reads the cells in this order; a move takes a tile `jump` cells on.
    fn new(cells: Vec<usize>, jump: usize) -> Reading {
        let mut rank = vec![0; cells.len()];
        for (i, &cell) in cells.iter().enumerate() {
            rank[cell] = i as u8;
        }
        let tiles = cells.len() - 1;
        let moves = |inversions| least_moves(inversions, jump - 1) as u16;
        Reading {
            cells: cells.into_iter().map(|cell| cell as u8).collect(),
            rank,
            moves: (0..=tiles * (tiles - 1) / 2).map(moves).collect(),
        }
    }

    fn inversions<P: Puzzle>(&self, puzzle: &P, state: P::State, blank: u8) -> u16 {
        let labels = self.cells.iter().map(|&cell| puzzle.label(state, cell.into()));
        let mut read = [0u64; MAX_CELLS / 64];
        let mut inversions = 0;
        for label in labels.filter(|&label| label != blank) {
            let rank = self.rank[usize::from(label)];
            let (word, bit) = (usize::from(rank / 64), rank % 64);
            let higher = |words: &[u64]| words.iter().map(|word| word.count_ones()).sum::<u32>();
            inversions += (read[word] >> bit).count_ones() + higher(&read[word + 1..]);
            read[word] |= 1 << bit;
        }
        inversions as u16
    }

    /// The inversions after a tile went over to the blank.
    #[inline]
    fn updated<P: Puzzle>(
        &self,
        puzzle: &P,
        inversions: u16,
        before: P::State,
        (from, to): (usize, usize),
    ) -> u16 {
        let rank_in = |cell: usize| self.rank[usize::from(puzzle.label(before, cell))];
        let (leaves, arrives) = (usize::from(self.rank[from]), usize::from(self.rank[to]));
        let own = rank_in(from);
        let passed = &self.cells[leaves.min(arrives) + 1..leaves.max(arrives)];
        let lower = passed.iter().filter(|&&cell| rank_in(cell.into()) < own).count() as u16;
        let higher = passed.len() as u16 - lower;
        // Going on, it gets behind the tiles that it passes, and before them going back.
        if leaves < arrives { inversions + higher - lower } else { inversions + lower - higher }
    }
}

/// The least v with `v * most >= inversions` and both even or both odd, where that can be.
fn least_moves(inversions: usize, most: usize) -> usize {
    let moves = inversions.div_ceil(most);
    if most % 2 == 1 && moves % 2 != inversions % 2 { moves + 1 } else { moves }
}

impl InversionDistance {
    /// The steps of the search for heuristics that each move changes by one, where there are any,
    /// and this value as they take it.
    pub(super) fn steps(&self, value: (u16, u16)) -> Option<(&InversionSteps, Inversions)> {
        Some((self.steps.as_deref()?, Inversions { counts: value, moves: self.moves(value) }))
    }

    #[inline]
    fn moves(&self, (rows, cols): (u16, u16)) -> Depth {
        let moves = |reading: &Reading, count: u16| Depth::from(reading.moves[usize::from(count)]);
        moves(&self.by_rows, rows) + moves(&self.by_cols, cols)
    }
}

impl<P: Puzzle> Heuristic<P> for InversionDistance {
    /// The inversions by rows and by columns.
    type Value = (u16, u16);

    fn evaluate(&self, puzzle: &P, state: P::State) -> (u16, u16) {
        let inversions = |reading: &Reading| reading.inversions(puzzle, state, self.blank);
        (inversions(&self.by_rows), inversions(&self.by_cols))
    }

    #[inline]
    fn update(&self, puzzle: &P, value: (u16, u16), before: P::State, m: Move) -> (u16, u16) {
        let (mut rows, mut cols) = value;
        puzzle.each_carried(before, m, |from, to| {
            // Neighbours in a row have neighbouring numbers, those in a column have not.
            if from.abs_diff(to) == 1 {
                cols = self.by_cols.updated(puzzle, cols, before, (from, to));
            } else {
                rows = self.by_rows.updated(puzzle, rows, before, (from, to));
            }
        });
        (rows, cols)
    }

    #[inline]
    fn estimate(&self, value: (u16, u16)) -> Depth {
        self.moves(value)
    }

    #[inline]
    fn unit_steps<V: StepsVisitor>(
        &self,
        root: StepsRoot<'_, (u16, u16)>,
        visitor: V,
    ) -> Option<V::Output> {
        let (steps, inversions) = self.steps(root.value)?;
        Some(visitor.visit(steps, root.with_value(inversions)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_four_columns_it_is_the_known_formula() {
        for n in 0..=105 {
            assert_eq!(least_moves(n, 3), n / 3 + n % 3);
        }
    }

    #[test]
    fn on_other_widths() {
        assert_eq!([0, 1, 2, 3].map(|n| least_moves(n, 1)), [0, 1, 2, 3]);
        assert_eq!([0, 2, 4, 6].map(|n| least_moves(n, 2)), [0, 1, 2, 3]);
        assert_eq!(
            [1, 2, 3, 4, 5, 6, 7, 10, 11].map(|n| least_moves(n, 5)),
            [1, 2, 1, 2, 1, 2, 3, 2, 3]
        );
    }
}
