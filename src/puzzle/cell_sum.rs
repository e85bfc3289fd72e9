//! Sums over all cells of a weight that depends on the cell and on the label in it.
//!
//! In a packed word two neighbouring cells are one small number, so that a table for each pair
//! of cells takes half as many lookups, which are independent of each other: 8 lookups of 8 bits
//! up to 16 cells (8 KB of tables), 13 of 10 bits up to 25 (52 KB). For a byte a cell the tables
//! would be too large; those boards are summed cell by cell.
//!
//! Distances on a grid that wraps around can do without tables. On 4x4 the rows and columns of
//! a label are two bits each, and differences modulo 4 are a few bit operations on the whole
//! word. With more than 16 cells, byte shuffles give the row and the column of each label and
//! the distance of each difference ([`WrappedGrid`]). Both need a processor that has the
//! instructions ([`Simd`]); the tables are their scalar twin.

use super::arch::{Avx2, Simd, Ssse3, WrappedGrid};
use super::packed::{Nibbles, Packed, Quints, Wide};
use crate::board::Shape;

/// A weight for each cell and label.
#[derive(Clone, Debug)]
pub struct CellSum {
    cells: usize,
    /// `weight[cell * stride + label]`.
    weight: Vec<u32>,
    stride: usize,
    /// By pair of cells, then by the labels of both as they are packed.
    pairs: Vec<u32>,
    wrapped: Option<Wrapped>,
}

/// How distances with wrap-around are summed without tables.
#[derive(Clone, Debug)]
enum Wrapped {
    FourByFour(Ssse3),
    UpTo25(Avx2, Box<WrappedGrid>),
}

impl CellSum {
    /// The weights `weight(cell, label)` of a grid with this many cells.
    pub fn new(cells: usize, weight: impl Fn(usize, usize) -> u32) -> CellSum {
        // A power of two, so that a lookup is a shift.
        let stride = cells.next_power_of_two();
        let mut table = vec![0; cells * stride];
        for cell in 0..cells {
            for label in 0..cells {
                table[cell * stride + label] = weight(cell, label);
            }
        }
        let mut sum = CellSum { cells, weight: table, stride, pairs: Vec::new(), wrapped: None };
        if cells <= Nibbles::CAPACITY {
            sum.pairs = sum.by_pairs(Nibbles::CAPACITY, 4);
        } else if cells <= Quints::CAPACITY {
            sum.pairs = sum.by_pairs(Quints::CAPACITY, 5);
        }
        sum
    }

    /// The steps of each tile from its goal on a grid that wraps around.
    pub fn wrapped(shape: Shape, simd: Simd) -> CellSum {
        let steps = |cell, label| shape.circular_steps(cell, label) as u32;
        let cells = shape.cells();
        let wrapped = if (shape.rows(), shape.cols()) == (4, 4) {
            simd.ssse3().map(Wrapped::FourByFour)
        } else if (Nibbles::CAPACITY + 1..=Quints::CAPACITY).contains(&cells) {
            let grid = WrappedGrid::new(shape.rows(), shape.cols());
            simd.avx2().zip(grid).map(|(avx2, grid)| Wrapped::UpTo25(avx2, Box::new(grid)))
        } else {
            None
        };
        CellSum { wrapped, ..CellSum::new(cells, steps) }
    }

    /// The tables of all pairs of cells that a word has room for, of this many bits a cell.
    fn by_pairs(&self, capacity: usize, bits: u32) -> Vec<u32> {
        // What is beyond the grid weighs nothing.
        let weight = |cell: usize, label: usize| {
            if cell.max(label) < self.cells { self.weight(cell, label as u8) } else { 0 }
        };
        let label = |packed: usize| packed & ((1 << bits) - 1);
        let of_pair = |i: usize| {
            let first = 2 * (i >> (2 * bits));
            weight(first, label(i)) + weight(first + 1, label(i >> bits))
        };
        (0..capacity.div_ceil(2) << (2 * bits)).map(of_pair).collect()
    }

    /// Whether adding up a whole packed board takes less time than adding up what changes when
    /// a line moves. It does up to 16 cells; with more, only without tables, which a search
    /// evicts from the L1 cache.
    #[inline]
    pub fn is_quick(&self) -> bool {
        self.cells <= Nibbles::CAPACITY || self.wrapped.is_some()
    }

    /// The weight of one label in one cell.
    #[inline]
    pub fn weight(&self, cell: usize, label: u8) -> u32 {
        self.weight[cell * self.stride + usize::from(label)]
    }

    /// The sum over all cells, one by one.
    #[inline]
    fn one_by_one(&self, word: impl Packed) -> u32 {
        (0..self.cells).map(|cell| self.weight(cell, word.label(cell))).sum()
    }
}

/// Packed words that are summed quickly.
pub trait Weigh: Packed {
    /// The sum of the weights of all cells.
    fn weigh(self, sum: &CellSum) -> u32;
}

impl Weigh for Nibbles {
    #[inline]
    fn weigh(self, sum: &CellSum) -> u32 {
        if let Some(Wrapped::FourByFour(ssse3)) = sum.wrapped {
            return ssse3.wrapped_steps_4x4(self.0);
        }
        let tables: &[[u32; 256]; 8] =
            sum.pairs.as_chunks().0.first_chunk().expect("a table for each pair of cells");
        self.0.to_le_bytes().iter().zip(tables).map(|(&pair, table)| table[usize::from(pair)]).sum()
    }
}

impl Weigh for Quints {
    #[inline]
    fn weigh(self, sum: &CellSum) -> u32 {
        if let Some(Wrapped::UpTo25(avx2, grid)) = &sum.wrapped {
            return avx2.wrapped_steps(self.0, grid);
        }
        let tables: &[[u32; 1024]; 13] =
            sum.pairs.as_chunks().0.first_chunk().expect("a table for each pair of cells");
        // Six pairs at a time fit a `u64`, whose shifts are cheap.
        let (six, next_six, last) = (self.0 as u64, (self.0 >> 60) as u64, (self.0 >> 120) as u64);
        let pair = |word: u64, i: usize| (word >> (10 * i) & 1023) as usize;
        let twelve: u32 =
            (0..6).map(|i| tables[i][pair(six, i)] + tables[6 + i][pair(next_six, i)]).sum();
        twelve + tables[12][pair(last, 0)]
    }
}

impl<const N: usize> Weigh for Wide<N> {
    fn weigh(self, sum: &CellSum) -> u32 {
        sum.one_by_one(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::permutation::Permutation;

    /// All grids of up to 25 cells.
    fn shapes() -> impl Iterator<Item = Shape> {
        let sides = || 2..=Quints::CAPACITY / 2;
        sides()
            .flat_map(move |rows| sides().filter_map(move |cols| Shape::new(rows, cols).ok()))
            .filter(|shape| shape.cells() <= Quints::CAPACITY)
    }

    /// Boards near the goal and far from it: ever more exchanges of two cells.
    fn boards(cells: usize) -> impl Iterator<Item = Vec<u8>> {
        let goal = Permutation::identity(cells).sources().to_vec();
        let mut seed = 1u64;
        let exchange = move |board: &Vec<u8>| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mut board = board.clone();
            board.swap((seed >> 33) as usize % cells, (seed >> 48) as usize % cells);
            Some(board)
        };
        std::iter::successors(Some(goal), exchange).take(300)
    }

    /// By the definition, one cell after the other.
    fn plain(labels: &[u8], weight: impl Fn(usize, usize) -> u32) -> u32 {
        labels.iter().enumerate().map(|(cell, &label)| weight(cell, label.into())).sum()
    }

    fn every_way(labels: &[u8], sum: &CellSum) -> Vec<u32> {
        let mut ways = vec![Wide::<32>::from_labels(labels).weigh(sum)];
        if labels.len() <= Nibbles::CAPACITY {
            ways.push(Nibbles::from_labels(labels).weigh(sum));
        } else {
            ways.push(Quints::from_labels(labels).weigh(sum));
        }
        ways
    }

    #[test]
    fn all_ways_agree_on_every_grid() {
        let mut grids = 0;
        for shape in shapes() {
            let wrapped = |cell, label| shape.circular_steps(cell, label) as u32;
            let any = |cell: usize, label: usize| (cell * 37 + label * label * 11) as u32;
            let distances = [Simd::detect(), Simd::off()].map(|simd| CellSum::wrapped(shape, simd));
            let weights = CellSum::new(shape.cells(), any);
            for labels in boards(shape.cells()) {
                for sum in &distances {
                    let expected = plain(&labels, wrapped);
                    assert!(every_way(&labels, sum).iter().all(|&s| s == expected), "{shape}");
                }
                let expected = plain(&labels, any);
                assert!(every_way(&labels, &weights).iter().all(|&s| s == expected), "{shape}");
            }
            grids += 1;
        }
        assert_eq!(grids, 38);
    }
}
