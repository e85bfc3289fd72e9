//! Pattern databases of sliding puzzles of any size: how many steps a few tiles need at least, for
//! all their places and regions of the blank.
//!
//! They have the same distances as the other databases, which are for boards of up to 25 cells. Here
//! the entry of a placement is found from the cells of its tiles, or from an incremental update of
//! these (`tracked.rs`). An entry is one bit, the second of the distance, and those of a set of cells
//! are one row. The last bit of each byte says whether the region of the blank matters; it seldom
//! does. On 6x6 a table of 5 tiles takes 7 MB, on 7x7 of 4 tiles 0.9 MB and of 5 tiles 32 MB, on 10x10
//! of 3 tiles 0.2 MB and of 4 tiles 16 MB.

mod build;
mod cell_sets;
pub mod in_cache;
mod set_numbers;
mod tracked;

pub use cell_sets::{CellSets, MOST_TILES};
pub use tracked::{Entry, Tracked, Tracks};

use super::tile_orders::TileOrders;
use crate::board::Shape;
use crate::limits::{Limits, StopReason};
use crate::puzzle::arch::prefetch;
use crate::table::file::{FileError, Stored, TableFile};
use crate::table::storage::{Storage, ZeroedBuffer};
use cell_sets::count_of;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How many rows a thread lays out at a time.
const PIECE: usize = 1 << 10;

/// Some tiles of a sliding puzzle, given by their goal cells, and the goal of the blank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TilePattern {
    /// The board.
    pub shape: Shape,
    /// The goal cells of the tiles, in ascending order.
    pub tiles: Vec<u8>,
    /// The goal cell of the blank.
    pub blank: u8,
}

impl TilePattern {
    /// By cell, whether the blank can go there at the goal without moving a tile of the pattern.
    pub fn region(&self) -> Vec<bool> {
        let mut region = vec![false; self.shape.cells()];
        let mut left = vec![usize::from(self.blank)];
        while let Some(cell) = left.pop() {
            if region[cell] || self.tiles.contains(&(cell as u8)) {
                continue;
            }
            region[cell] = true;
            let is_beside = |&other: &usize| {
                let (rows, cols) = self.shape.apart(cell, other);
                rows + cols == 1
            };
            left.extend((0..self.shape.cells()).filter(is_beside));
        }
        region
    }
}

/// Where the tiles of a pattern are: which set of cells they are in, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    set: u32,
    order: u32,
}

/// The distances of a pattern.
#[derive(Debug)]
pub struct RowTable {
    pattern: TilePattern,
    sets: Arc<CellSets>,
    row: RowLayout,
    bytes: Storage<u8>,
}

/// How many orders a byte has: its last bit says whether the region of the blank matters.
const ORDERS_A_BYTE: u32 = 7;

/// The last bit of a byte.
const IS_SPLIT: u8 = 1 << ORDERS_A_BYTE;

/// The entries of one zone.
#[derive(Clone, Copy, Debug)]
struct RowLayout {
    orders: u32,
    bytes: u32,
}

impl RowLayout {
    fn new(tiles: usize) -> RowLayout {
        let orders: u32 = (1..=tiles as u32).product();
        RowLayout { orders, bytes: orders.div_ceil(ORDERS_A_BYTE) }
    }
}

/// The sets that patterns of as many tiles on the same board share, and how many bytes are held by
/// these and the tables that were made with them.
#[derive(Debug, Default)]
pub struct SharedSets {
    of: Vec<Arc<CellSets>>,
    bytes: u64,
}

impl SharedSets {
    /// How many bytes are held, tables included.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Counts a table that was not built with these.
    fn add(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// The sets of this many cells of a board.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn get(
        &mut self,
        shape: Shape,
        tiles: usize,
        limits: &Limits<'_>,
    ) -> Result<Arc<CellSets>, StopReason> {
        let known = self.of.iter().find(|sets| (sets.shape(), sets.tiles()) == (shape, tiles));
        if let Some(sets) = known {
            return Ok(Arc::clone(sets));
        }
        let sets = Arc::new(CellSets::new(shape, tiles, &limits.less(self.bytes))?);
        self.bytes += sets.bytes();
        self.of.push(Arc::clone(&sets));
        Ok(sets)
    }
}

impl RowTable {
    /// Builds the table of a pattern.
    ///
    /// # Errors
    /// If the limits do not allow it.
    ///
    /// # Panics
    /// If there are no tiles, or more than [`MOST_TILES`].
    pub fn build(
        pattern: TilePattern,
        shared: &mut SharedSets,
        limits: &Limits<'_>,
    ) -> Result<RowTable, StopReason> {
        let tiles = pattern.tiles.len();
        let sets = shared.get(pattern.shape, tiles, limits)?;
        let orders = TileOrders::new(tiles, pattern.shape.cols());
        let row = RowLayout::new(tiles);
        let mut table = RowTable { pattern, sets, row, bytes: Vec::new().into() };
        let goal = table.place(&table.pattern.tiles);
        let goal = table.sets.zone(goal.set, table.pattern.blank);
        let second = build::second_bits(&table.sets, &orders, goal, limits, shared.bytes)?;
        table.bytes = table.laid_out(&second, &orders)?;
        shared.bytes += table.bytes();
        Ok(table)
    }

    /// The rows of all zones, from one bit for each order as they are built.
    fn laid_out(&self, second: &[u64], orders: &TileOrders) -> Result<Storage<u8>, StopReason> {
        let (words, bytes) = (second.len() / self.sets.zones(), self.row.bytes as usize);
        let by_ranks = orders.by_ranks();
        let mut rows =
            ZeroedBuffer::<u8>::new(self.sets.zones() * bytes).map_err(|_| StopReason::Memory)?;
        rows.par_chunks_mut(bytes * PIECE).enumerate().for_each(|(piece, rows)| {
            for (row, zone) in rows.chunks_mut(bytes).zip(piece * PIECE..) {
                for (at, &word) in second[zone * words..][..words].iter().enumerate() {
                    let mut left = word;
                    while left != 0 {
                        let order = by_ranks[64 * at + left.trailing_zeros() as usize];
                        let order = u32::from(order);
                        row[(order / ORDERS_A_BYTE) as usize] |= 1 << (order % ORDERS_A_BYTE);
                        left &= left - 1;
                    }
                }
                if self.sets.is_first_of_split(zone) {
                    row.iter_mut().for_each(|byte| *byte |= IS_SPLIT);
                }
            }
        });
        Ok(rows.into())
    }

    /// The memory of the tables of patterns of this many tiles, about; `None` if far too much.
    pub fn bytes_for(shape: Shape, tiles: usize) -> Option<u64> {
        let sets = count_of(shape.cells(), tiles)?;
        sets.checked_mul(RowLayout::new(tiles).bytes.into())
    }

    /// The number of entries of a table of this many tiles, about; `None` if far too many.
    pub fn entries_for(shape: Shape, tiles: usize) -> Option<u64> {
        count_of(shape.cells(), tiles)?.checked_mul(RowLayout::new(tiles).orders.into())
    }

    /// The memory that is needed while such a table is built, about; `None` if far too much.
    pub fn bytes_to_build(shape: Shape, tiles: usize) -> Option<u64> {
        let sets = count_of(shape.cells(), tiles).filter(|&sets| sets <= u32::MAX.into())?;
        let orders = RowLayout::new(tiles).orders as usize;
        build::bytes_for(sets, orders).checked_add(Self::bytes_for(shape, tiles)?)
    }

    /// The table in a file, which must be that of a pattern.
    ///
    /// # Errors
    /// If it is not.
    pub fn from_file(
        pattern: TilePattern,
        sets: &Arc<CellSets>,
        file: &TableFile,
    ) -> Result<RowTable, FileError> {
        let Parameters { cells, .. } = file.parameters()?;
        let row = RowLayout::new(pattern.tiles.len());
        let bytes = sets.zones() * row.bytes as usize;
        if cells != pattern.tiles || file.bytes() != bytes as u64 {
            return Err(file.damaged("it is not the table of these tiles"));
        }
        let wrong = || file.damaged("its entries are not as its parameters say");
        let bytes = file.part(0..bytes).ok_or_else(wrong)?;
        Ok(RowTable { pattern, sets: Arc::clone(sets), row, bytes })
    }

    /// The goal cells of the tiles of the table in a file.
    ///
    /// # Errors
    /// If its parameters do not say.
    pub fn cells_in(file: &TableFile) -> Result<Vec<u8>, FileError> {
        Ok(file.parameters::<Parameters>()?.cells)
    }

    /// The index of the first byte that differs from that of a rebuilt table; `None` if none
    /// does.
    ///
    /// # Errors
    /// If the limits do not allow the rebuild.
    pub fn flaw(
        &self,
        shared: &mut SharedSets,
        limits: &Limits<'_>,
    ) -> Result<Option<usize>, StopReason> {
        let rebuilt = RowTable::build(self.pattern.clone(), shared, limits)?;
        Ok(self.bytes.iter().zip(rebuilt.bytes.iter()).position(|(a, b)| a != b))
    }

    /// The pattern.
    pub fn pattern(&self) -> &TilePattern {
        &self.pattern
    }

    /// The memory of the entries.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The placement of the tiles, given the cell of each in the order of their goals.
    #[inline]
    pub fn place(&self, cells: &[u8]) -> Placement {
        match *cells {
            [a] => self.place_of([a]),
            [a, b] => self.place_of([a, b]),
            [a, b, c] => self.place_of([a, b, c]),
            [a, b, c, d] => self.place_of([a, b, c, d]),
            [a, b, c, d, e] => self.place_of([a, b, c, d, e]),
            [a, b, c, d, e, f] => self.place_of([a, b, c, d, e, f]),
            _ => unreachable!("a pattern has 1 to {MOST_TILES} tiles"),
        }
    }

    /// The same, compiled for each number of tiles.
    #[inline(always)]
    pub fn place_of<const TILES: usize>(&self, cells: [u8; TILES]) -> Placement {
        // Of each tile: how many others are in smaller cells, and how many of those come later.
        let (mut smaller, mut later) = ([0; TILES], [0; TILES]);
        for one in 0..TILES {
            for other in one + 1..TILES {
                let is_greater = u32::from(cells[other] < cells[one]);
                smaller[one] += is_greater;
                later[one] += is_greater;
                smaller[other] += 1 - is_greater;
            }
        }
        let mut placement = Placement::default();
        for tile in 0..TILES {
            placement.set += self.sets.before(smaller[tile] as usize % MOST_TILES, cells[tile]);
            placement.order = placement.order * (TILES - tile) as u32 + later[tile];
        }
        placement
    }

    /// Asks for the entry of a placement to be brought near.
    #[inline(always)]
    pub fn prefetch(&self, placement: Placement) {
        if let Some(byte) = self.bytes.get(self.byte_of(placement.set, placement.order)) {
            prefetch(byte);
        }
    }

    /// The byte that an order of a zone is in.
    #[inline(always)]
    fn byte_of(&self, zone: u32, order: u32) -> usize {
        zone as usize * self.row.bytes as usize + (order / ORDERS_A_BYTE) as usize
    }

    /// The distance after a step that leads to a placement, with the blank in a given cell, from
    /// the distance before; both modulo 256.
    #[inline(always)]
    pub fn after_step(&self, before: u8, placement: Placement, blank: u8) -> u8 {
        after_step(before, self.second_bit(placement, blank))
    }

    /// The second bit of a distance.
    #[inline(always)]
    fn second_bit(&self, placement: Placement, blank: u8) -> u8 {
        let Placement { set, order } = placement;
        let mut byte = self.bytes[self.byte_of(set, order)];
        if byte & IS_SPLIT != 0 {
            byte = self.byte_in_region(placement, blank);
        }
        byte >> (order % ORDERS_A_BYTE) & 1
    }

    #[inline(never)]
    fn byte_in_region(&self, placement: Placement, blank: u8) -> u8 {
        let zone = self.sets.zone(placement.set, blank);
        self.bytes[self.byte_of(zone, placement.order)]
    }

    /// How many steps the tiles need at least, given the cell of each in the order of their
    /// goals, and that of the blank: found by descending to the goal.
    pub fn distance(&self, cells: &[u8], blank: u8) -> u32 {
        let parity = |cells: &[u8]| {
            let (rows, cols): (usize, usize) = cells.iter().fold((0, 0), |(rows, cols), &cell| {
                let (row, col) = self.pattern.shape.row_col(cell.into());
                (rows + row, cols + col)
            });
            (rows + cols) % 2
        };
        let odd = u8::from(parity(cells) != parity(&self.pattern.tiles));
        let (mut cells, mut blank, mut distance) = (cells.to_vec(), blank, 0);
        let home = self.place(&self.pattern.tiles);
        let home = (home, self.sets.zone(home.set, self.pattern.blank));
        let mut here = self.place(&cells);
        // The distance modulo 4.
        let mut rest = 2 * self.second_bit(here, blank) + odd;
        while (here, self.sets.zone(here.set, blank)) != home {
            rest = rest.wrapping_sub(1) & 3;
            let step = self.step_to(&mut cells, here, blank, rest >> 1);
            (here, blank) = step.expect("a step leads nearer to the goal");
            distance += 1;
        }
        distance
    }

    /// Takes a step after which the second bit of the distance is as given: the placement after
    /// it, and where the blank is then.
    fn step_to(
        &self,
        cells: &mut [u8],
        here: Placement,
        blank: u8,
        second: u8,
    ) -> Option<(Placement, u8)> {
        for tile in 0..cells.len() {
            let from = cells[tile];
            for &to in self.sets.beside(from) {
                if cells.contains(&to) || !self.sets.connects(here.set, to, blank) {
                    continue;
                }
                cells[tile] = to;
                let there = self.place(cells);
                if self.second_bit(there, from) == second {
                    return Some((there, from));
                }
                cells[tile] = from;
            }
        }
        None
    }
}

/// The distance after a step, from the distance before, both modulo 256, and the second bit of the one
/// after.
#[inline(always)]
fn after_step(before: u8, second: u8) -> u8 {
    let smaller = before.wrapping_sub(1);
    smaller.wrapping_add(2 * ((smaller >> 1 & 1) ^ second))
}

/// The parameters of the table in a file.
#[derive(Serialize, Deserialize)]
struct Parameters {
    /// How many tiles there are.
    tiles: usize,
    /// Their goal cells.
    cells: Vec<u8>,
}

impl Stored for RowTable {
    const KIND: &'static str = "additive-rows";

    /// Another numbering makes another version.
    const VERSION: u32 = 1;

    fn parameters(&self) -> serde_json::Value {
        let cells = self.pattern.tiles.clone();
        serde_json::to_value(Parameters { tiles: cells.len(), cells })
            .expect("plain numbers are JSON")
    }

    fn entries(&self) -> u64 {
        self.sets.zones() as u64 * u64::from(self.row.orders)
    }

    fn parts(&self) -> Vec<&[u8]> {
        vec![&self.bytes]
    }
}

#[cfg(test)]
mod tests;
