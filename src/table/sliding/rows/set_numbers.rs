//! The number of a set of cells, given as bits.
//!
//! A number is a sum over the cells in ascending order ([`CellSets`](super::CellSets)), so it is also a
//! sum over parts of the board: what a part adds depends on its cells in the set and on how many the
//! parts before it have. So each part takes one look-up, instead of one for each cell.

/// How many cells a part has.
const PART: u32 = 13;

/// How many sets of cells a part has.
const SETS: usize = 1 << PART;

/// How many cells a board may have.
const MOST_CELLS: usize = u64::BITS as usize;

/// The bits of a sum above its number count the cells.
const COUNT_SHIFT: u32 = 28;
const NUMBER: u32 = (1 << COUNT_SHIFT) - 1;

/// The numbers of all sets of the same number of cells.
#[derive(Debug)]
pub(super) struct SetNumbers {
    /// By the cells in the first part: what they add.
    first: Box<[u32; SETS]>,
    /// Of each part in between, the same, by how many cells the parts before it have.
    middle: Vec<Vec<[u32; SETS]>>,
    /// The last part needs no such count: the parts before it have all other cells.
    last: Box<[u32; SETS]>,
}

impl SetNumbers {
    /// The numbers of sets of `tiles` among `cells`, where `before` is what a cell adds, given how many
    /// cells of the set are smaller; `None` if there are too many cells or sets.
    pub(super) fn new(
        cells: usize,
        tiles: usize,
        count: usize,
        before: impl Fn(usize, usize) -> u32,
    ) -> Option<SetNumbers> {
        if cells > MOST_CELLS || count > NUMBER as usize {
            return None;
        }
        // What some cells of a part add after `smaller` cells in earlier parts; 0 if these are too many.
        let sum = |part: usize, bits: usize, smaller: usize| -> u32 {
            let in_part = (0..PART as usize).filter(|at| bits >> at & 1 == 1);
            let cells_there = in_part.map(|at| part * PART as usize + at);
            let fits = smaller + bits.count_ones() as usize <= tiles
                && cells_there.clone().all(|cell| cell < cells);
            let ranked = cells_there.zip(smaller..);
            if fits { ranked.map(|(cell, rank)| before(rank, cell)).sum() } else { 0 }
        };
        let counted = |bits: usize| bits.count_ones() << COUNT_SHIFT;
        let with_count = |part: usize, smaller: usize| {
            let mut sums = boxed();
            for (bits, entry) in sums.iter_mut().enumerate() {
                *entry = sum(part, bits, smaller) | counted(bits);
            }
            sums
        };
        let parts = cells.div_ceil(PART as usize).max(2);
        let mut last = boxed();
        for (bits, entry) in last.iter_mut().enumerate() {
            *entry = sum(parts - 1, bits, tiles.saturating_sub(bits.count_ones() as usize));
        }
        let middle = |part| (0..=tiles).map(|smaller| *with_count(part, smaller)).collect();
        Some(SetNumbers {
            first: with_count(0, 0),
            middle: (1..parts - 1).map(middle).collect(),
            last,
        })
    }

    /// How many bytes are held.
    pub(super) fn bytes(&self) -> usize {
        let middle: usize = self.middle.iter().map(|part| size_of_val(&**part)).sum();
        size_of_val(&*self.first) + middle + size_of_val(&*self.last)
    }

    /// The number of the set of these cells.
    #[inline(always)]
    pub(super) fn get(&self, cells: u64) -> u32 {
        let part = |cells: u64| cells as usize % SETS;
        let mut sum = self.first[part(cells)];
        let mut rest = cells >> PART;
        for by_count in &self.middle {
            sum += by_count[(sum >> COUNT_SHIFT) as usize][part(rest)];
            rest >>= PART;
        }
        (sum & NUMBER) + self.last[part(rest)]
    }
}

fn boxed() -> Box<[u32; SETS]> {
    vec![0; SETS].into_boxed_slice().try_into().expect("it has as many")
}

#[cfg(test)]
mod tests {
    use super::super::cell_sets::CellSets;
    use super::*;
    use crate::board::Shape;
    use crate::limits::Limits;

    #[test]
    fn numbers_are_those_of_the_sets() {
        for (rows, cols, tiles) in [(2, 2, 1), (3, 3, 3), (5, 5, 5), (6, 6, 3), (8, 8, 3)] {
            let shape = Shape::new(rows, cols).unwrap();
            let sets = CellSets::new(shape, tiles, &Limits::default()).unwrap();
            let before = |smaller: usize, cell: usize| sets.before(smaller, cell as u8);
            let cells = rows * cols;
            let numbers = SetNumbers::new(cells, tiles, sets.count, before).unwrap();
            for number in 0..sets.count as u32 {
                let set = sets.cells_of(number);
                let bits = set[..tiles].iter().fold(0, |bits, cell| bits | 1_u64 << cell);
                assert_eq!(numbers.get(bits), number, "{tiles} tiles on {shape}");
            }
        }
    }

    #[test]
    fn boards_of_more_cells_than_bits_have_none() {
        assert!(SetNumbers::new(65, 1, 65, |_, cell| cell as u32).is_none());
    }
}
