//! By how much each move changes a sum over all cells, for all moves of a board at once.
//!
//! What a label in a cell adds to the change that a move makes depends on that label and that
//! cell alone. So for each cell and label there is a row with a byte for every move, and the sum
//! of one row for each cell has the changes of all moves, added up 16 at a time by baseline
//! vector instructions. Up to 16 cells, two of them are looked up as one byte:
//! on the 4x4 torus that makes 8 additions for 16 moves (32 KB of tables).

use super::moves::{Action, Move, MoveSet, MoveTable};
use super::packed::{Nibbles, Packed, Quints, Wide};

/// How many moves are added up at a time.
const LANES: usize = 16;

/// How many moves there can be.
const MOST_MOVES: usize = 2 * LANES;

/// With more cells than this, the tables would be too large.
const MOST_CELLS: usize = 64;

/// The changes that [`LANES`] moves make.
type LaneRow = [i8; LANES];

/// The tables of one puzzle and one weight; up to 16 cells they are for [`Nibbles`] alone.
#[derive(Clone, Debug)]
pub struct SumChanges {
    /// How many cells, or pairs of them, there are rows for.
    cells: usize,
    /// For the first moves and, if there are more, for the others: a row for each cell and
    /// label, or for each pair of cells and both labels as they are packed.
    rows: [Vec<LaneRow>; 2],
    /// How many rows there are for each cell or pair.
    stride: usize,
}

impl SumChanges {
    /// The tables for the sum of `weight(cell, label)`; `None` if there is a blank, if there are
    /// too many moves or cells, or if a change may be too large for a byte.
    pub fn new(
        moves: &MoveTable,
        cells: usize,
        weight: impl Fn(usize, usize) -> u32,
    ) -> Option<SumChanges> {
        let Action::Permutations(moves) = moves.action() else {
            return None;
        };
        if moves.len() > MOST_MOVES || cells > MOST_CELLS {
            return None;
        }
        let mut by_cell = SumChanges::zero(cells, cells.next_power_of_two(), moves.len());
        for (m, permutation) in moves.iter().enumerate() {
            let rows = &mut by_cell.rows[m / LANES];
            let mut most = 0;
            for to in permutation.moved() {
                let from = permutation.source(to);
                let change = |label| i64::from(weight(to, label)) - i64::from(weight(from, label));
                for label in 0..cells {
                    rows[from * by_cell.stride + label][m % LANES] = change(label) as i8;
                }
                most += (0..cells).map(|label| change(label).abs()).max()?;
            }
            if most > i8::MAX.into() {
                return None;
            }
        }
        Some(if cells <= Nibbles::CAPACITY { by_cell.by_pairs(moves.len()) } else { by_cell })
    }

    fn zero(cells: usize, stride: usize, moves: usize) -> SumChanges {
        let rows =
            |first| if moves > first { vec![[0; LANES]; cells * stride] } else { Vec::new() };
        SumChanges { cells, rows: [rows(0), rows(LANES)], stride }
    }

    /// The same for pairs of cells of four bits.
    fn by_pairs(&self, moves: usize) -> SumChanges {
        let mut pairs = SumChanges::zero(Nibbles::CAPACITY / 2, 1 << 8, moves);
        for (pairs, rows) in pairs.rows.iter_mut().zip(&self.rows) {
            for (i, sum) in pairs.iter_mut().enumerate() {
                let first = 2 * (i >> 8);
                for (cell, label) in [(first, i & 15), (first + 1, i >> 4 & 15)] {
                    // What is beyond the grid changes nothing.
                    if cell.max(label) < self.cells {
                        add(sum, &rows[cell * self.stride + label]);
                    }
                }
            }
        }
        pairs
    }
}

#[inline]
fn add(sum: &mut LaneRow, row: &LaneRow) {
    for (sum, row) in sum.iter_mut().zip(row) {
        // The sum of all rows fits a byte; on the way there it may be larger.
        *sum = sum.wrapping_add(*row);
    }
}

/// Packed words for which all changes are added up.
pub trait AddChanges: Packed {
    /// By how much each move changes the sum.
    #[inline]
    fn changes(self, table: &SumChanges) -> Changes {
        let mut labels = [0; MOST_CELLS];
        let labels = &mut labels[..table.cells];
        self.unpack(labels);
        let mut changes = [[0; LANES]; 2];
        for (sum, rows) in changes.iter_mut().zip(&table.rows) {
            for (rows, &label) in rows.chunks_exact(table.stride).zip(&*labels) {
                add(sum, &rows[usize::from(label)]);
            }
        }
        Changes(changes)
    }
}

impl AddChanges for Nibbles {
    // What it returns is otherwise copied twice.
    #[inline(always)]
    fn changes(self, table: &SumChanges) -> Changes {
        let mut changes = [[0; LANES]; 2];
        for (sum, rows) in changes.iter_mut().zip(&table.rows) {
            // Without rows there are no such moves.
            let Some(pairs) = rows.as_chunks::<256>().0.first_chunk::<8>() else { break };
            for (rows, &pair) in pairs.iter().zip(&self.0.to_le_bytes()) {
                add(sum, &rows[usize::from(pair)]);
            }
        }
        Changes(changes)
    }
}

impl AddChanges for Quints {}

impl<const N: usize> AddChanges for Wide<N> {}

/// By how much each move changes the sum of one board.
#[derive(Clone, Copy, Debug)]
pub struct Changes([LaneRow; 2]);

impl Changes {
    /// By how much the sum grows with a move.
    #[inline]
    pub fn by(&self, m: Move) -> i32 {
        self.0.as_flattened()[m.index() % MOST_MOVES].into()
    }

    /// Of these moves, those with which the sum grows by no more than `most`.
    #[inline]
    pub fn at_most(&self, most: i64, moves: MoveSet) -> MoveSet {
        if most < i8::MIN.into() {
            return MoveSet::EMPTY;
        }
        let most = most.min(i8::MAX.into()) as i8;
        let mut within = lanes_up_to(most, &self.0[0]);
        if moves.0 >> LANES != 0 {
            within |= lanes_up_to(most, &self.0[1]) << LANES;
        }
        moves.and(MoveSet(within))
    }
}

/// The lanes that are at most `most`, as a set of bits: eight at a time, as the bytes of a word.
#[inline]
fn lanes_up_to(most: i8, row: &LaneRow) -> u64 {
    const HIGHEST: u64 = 0x8080_8080_8080_8080;
    /// Takes the lowest bit of byte `i` to bit `56 + i` of the product, and no other bit there.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    // With the highest bit flipped, bytes with a sign are in the order of those without.
    let most = u64::from_le_bytes([most as u8; 8]) ^ HIGHEST;
    let gathered = |&eight: &[u8; 8]| {
        let lanes = u64::from_le_bytes(eight) ^ HIGHEST;
        // In the highest bits: whether the others are at most those of `most`.
        let lower_bits = (most | HIGHEST) - (lanes & !HIGHEST);
        let within = (!lanes & most) | (!(lanes ^ most) & lower_bits);
        ((within & HIGHEST) >> 7).wrapping_mul(GATHER) >> 56
    };
    let (eights, _) = bytemuck::cast_slice::<i8, u8>(row).as_chunks();
    gathered(&eights[0]) | gathered(&eights[1]) << 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{AnyPuzzle, Puzzle, PuzzleVisitor};

    /// Compares the changes with sums before and after, cell by cell, on a walk.
    struct OnAWalk<W>(W);

    impl<W: Fn(usize, usize) -> u32> PuzzleVisitor for OnAWalk<W> {
        type Output = bool;

        fn visit<P: Puzzle>(self, puzzle: &P) -> bool {
            let frame = puzzle.frame();
            let Some(table) = SumChanges::new(frame.moves(), frame.shape().cells(), &self.0) else {
                return false;
            };
            let sum = |state| {
                let labels = puzzle.labels(state).into_iter().enumerate();
                labels.map(|(cell, label)| i64::from((self.0)(cell, label.into()))).sum::<i64>()
            };
            let mut state = puzzle.goal();
            for step in 0..300 {
                let changes = puzzle.key(state).changes(&table);
                let moves = frame.moves().all();
                let by = |m| sum(puzzle.apply(state, m)) - sum(state);
                assert!(moves.into_iter().all(|m| i64::from(changes.by(m)) == by(m)));
                for most in [-1000, -128, -5, -1, 0, 1, 2, 7, 127, 1000] {
                    let expected: Vec<Move> =
                        moves.into_iter().filter(|&m| by(m) <= most).collect();
                    assert_eq!(changes.at_most(most, moves).collect::<Vec<_>>(), expected);
                }
                state = puzzle.apply(state, Move((step * 7 % moves.len()) as u8));
            }
            true
        }
    }

    #[test]
    fn changes_are_differences_of_sums() {
        let ids = ["torus:2x3", "torus3", "torus4", "rings4", "torus:2x8", "torus5", "rings5"];
        for id in ids.into_iter().chain(["torus:2x12"]) {
            let puzzle = AnyPuzzle::from_id(id).unwrap();
            let small = |cell: usize, label: usize| ((cell * 5 + label * label) % 4) as u32;
            assert!(puzzle.visit(OnAWalk(small)), "{id}");
            let large = |cell: usize, label: usize| (cell * 37 + label) as u32;
            assert!(!puzzle.visit(OnAWalk(large)), "{id}: too large for a byte");
        }
        assert!(!AnyPuzzle::from_id("sliding4").unwrap().visit(OnAWalk(|_, _| 0)), "a blank");
    }
}
