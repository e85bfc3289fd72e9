//! Pattern databases of sliding puzzles: how many steps some of the tiles need at least, for all
//! their places (Culberson and Schaeffer 1998, "Pattern databases").
//!
//! Only the steps of the pattern's own tiles are counted, so the distances of patterns without
//! common tiles add up (Korf and Felner 2002, "Disjoint pattern database heuristics"). The blank
//! is kept as far as it matters: by its region (Clausecker and Reinefeld 2019, "Zero-aware
//! pattern databases with 1-bit compression for sliding tile puzzles").
//!
//! An entry is one bit. A step changes the distance by exactly one, because it changes its
//! parity; of two distances that differ by two, the second bit tells which it is. So the
//! distance before a step gives the one afterwards, and from scratch it is found by descending to
//! the goal. On 4x4 a table of 6 tiles has 11,816,640 entries, 1.6 MB; of 7 tiles 17.5 MB; of 8
//! tiles 178 MB. On 5x5 one of 6 tiles has 181,008,000 entries, 24 MB.

mod build;
pub mod in_cache;
pub mod rows;
mod tile_orders;
mod zones;

pub use tile_orders::{MOST_TILES, TileOrders};
pub use zones::{Cells, MOST_CELLS, Zones, bits, region};

use super::file::{FileError, Stored, TableFile};
use super::storage::Storage;
use crate::board::Shape;
use crate::limits::{Limits, StopReason};
use crate::puzzle::arch::prefetch;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Some tiles of a sliding puzzle, given by their goal cells, and the goal of the blank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The board, with no more columns than rows.
    pub shape: Shape,
    /// The goal cells of the tiles.
    pub tiles: Cells,
    /// The goal cell of the blank.
    pub blank: u8,
}

impl Pattern {
    /// How many tiles there are.
    pub fn len(self) -> usize {
        self.tiles.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.tiles == 0
    }

    /// The goal cells of the tiles, as a list.
    pub fn cells(self) -> Vec<u8> {
        bits(self.tiles).map(|cell| cell as u8).collect()
    }

    /// Where the blank can go at the goal without moving a tile of the pattern.
    pub fn region(self) -> Cells {
        region(self.shape, ((1 << self.shape.cells()) - 1) & !self.tiles, self.blank.into())
    }
}

/// Where the tiles of a pattern are, and how far from the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PatternState {
    /// The cells that they are in.
    cells: Cells,
    /// In which order.
    order: u16,
    /// How many steps they need at least.
    distance: u16,
}

impl PatternState {
    /// How many steps the tiles need at least.
    #[inline(always)]
    pub fn distance(self) -> u32 {
        self.distance.into()
    }
}

/// Where to read how far the tiles of a pattern are from the goal.
#[derive(Clone, Copy, Debug, Default)]
pub struct StateLook {
    cells: Cells,
    /// Of all words of bits.
    word: u32,
    order: u16,
}

/// A step of a tile from one cell to another, precomputed for all patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TileSlide {
    /// Both cells.
    toggled: Cells,
    /// Those between, after a shift: there are some only if the step is along a column.
    shift: u8,
    between: u8,
    /// Where the blank is afterwards.
    blank: u8,
    /// What is added to the number of tiles gone past.
    backwards: u8,
}

/// The number of tiles among up to four cells.
const COUNTED: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

impl TileSlide {
    /// The step of a tile to a cell beside it.
    pub fn new(shape: Shape, from: usize, to: usize) -> TileSlide {
        let (cols, least) = (shape.cols(), from.min(to));
        let along_column = from.abs_diff(to) == cols && cols > 1;
        TileSlide {
            toggled: 1 << from | 1 << to,
            shift: least as u8 + 1,
            between: if along_column { (1 << (cols - 1)) - 1 } else { 0 },
            blank: from as u8,
            backwards: if from > to { cols as u8 } else { 0 },
        }
    }
}

/// The distances of a pattern.
#[derive(Debug)]
pub struct SlidingTable {
    pattern: Pattern,
    zones: Arc<Zones>,
    orders: Arc<TileOrders>,
    /// The bits of one zone.
    row: u32,
    bits: Storage<u64>,
}

/// The zones and orders that patterns of as many tiles on the same board share, and how many bytes
/// are held by these and the tables that were made with them.
#[derive(Debug, Default)]
pub struct SharedIndexes {
    of: Vec<(Shape, usize, Arc<Zones>, Arc<TileOrders>)>,
    bytes: u64,
}

impl SharedIndexes {
    /// How many bytes are held, tables included.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes those of a table, which is held anyway.
    pub fn add(&mut self, table: &SlidingTable) {
        let SlidingTable { pattern, zones, orders, .. } = table;
        self.of.push((pattern.shape, pattern.len(), Arc::clone(zones), Arc::clone(orders)));
    }

    fn get(&mut self, shape: Shape, tiles: usize) -> (Arc<Zones>, Arc<TileOrders>) {
        let known = self.of.iter().find(|(s, t, ..)| (*s, *t) == (shape, tiles));
        if let Some((.., zones, orders)) = known {
            return (zones.clone(), orders.clone());
        }
        let zones = Arc::new(Zones::new(shape, tiles));
        let orders = Arc::new(TileOrders::new(tiles, shape.cols()));
        self.bytes += zones.bytes() + orders.bytes();
        self.of.push((shape, tiles, zones.clone(), orders.clone()));
        (zones, orders)
    }
}

impl SlidingTable {
    /// Builds the table of a pattern.
    ///
    /// # Errors
    /// If the limits do not allow it.
    pub fn build(
        pattern: Pattern,
        shared: &mut SharedIndexes,
        limits: &Limits<'_>,
    ) -> Result<SlidingTable, StopReason> {
        debug_assert!(pattern.shape.cols() <= pattern.shape.rows());
        let (zones, orders) = shared.get(pattern.shape, pattern.len());
        let goal = zones.zone(pattern.tiles, pattern.blank.into());
        let bits = build::second_bits(&zones, &orders, goal, limits, shared.bytes)?;
        let row = (build::words_of(orders.count()) * 64) as u32;
        let table = SlidingTable { pattern, zones, orders, row, bits: bits.into() };
        shared.bytes += table.bytes();
        Ok(table)
    }

    /// The memory of the entries for patterns of this many tiles.
    pub fn bytes_for(shape: Shape, tiles: usize) -> u64 {
        let words = build::words_of((1..=tiles).product());
        (Zones::new(shape, tiles).len() * words * size_of::<u64>()) as u64
    }

    /// The memory that is needed while a table of this many bytes is built.
    pub fn bytes_to_build(table: u64) -> u64 {
        build::SETS * table
    }

    /// The table in a file, which must be that of a pattern.
    ///
    /// # Errors
    /// If it is not.
    pub fn from_file(
        pattern: Pattern,
        shared: &mut SharedIndexes,
        file: &TableFile,
    ) -> Result<SlidingTable, FileError> {
        let Parameters { cells, .. } = file.parameters()?;
        let (zones, orders) = shared.get(pattern.shape, pattern.len());
        let words = build::words_of(orders.count());
        let bytes = zones.len() * words * size_of::<u64>();
        if cells != pattern.cells() || file.bytes() != bytes as u64 {
            return Err(file.damaged("it is not the table of these tiles"));
        }
        let wrong = || file.damaged("its entries are not as its parameters say");
        let bits = file.part(0..bytes).ok_or_else(wrong)?;
        shared.bytes += bytes as u64;
        Ok(SlidingTable { pattern, zones, orders, row: (words * 64) as u32, bits })
    }

    /// The goal cells of the tiles of the table in a file.
    ///
    /// # Errors
    /// If its parameters do not say.
    pub fn cells_in(file: &TableFile) -> Result<Vec<u8>, FileError> {
        Ok(file.parameters::<Parameters>()?.cells)
    }

    /// The index of the first entry that differs from that of a rebuilt table; `None` if none
    /// does.
    ///
    /// # Errors
    /// If the limits do not allow the rebuild.
    pub fn flaw(
        &self,
        shared: &mut SharedIndexes,
        limits: &Limits<'_>,
    ) -> Result<Option<usize>, StopReason> {
        let rebuilt = SlidingTable::build(self.pattern, shared, limits)?;
        let differ = |(a, b): (&u64, &u64)| a != b;
        let word = self.bits.iter().zip(rebuilt.bits.iter()).position(differ);
        let bit = |word: usize| (self.bits[word] ^ rebuilt.bits[word]).trailing_zeros() as usize;
        Ok(word.map(|word| 64 * word + bit(word)))
    }

    /// The pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// The memory of the entries.
    pub fn bytes(&self) -> u64 {
        (self.bits.len() * size_of::<u64>()) as u64
    }

    /// The second bit of a distance.
    #[inline(always)]
    fn bit(&self, zone: u32, order: u16) -> u32 {
        let at = zone as usize * self.row as usize + usize::from(order);
        (self.bits[at / 64] >> (at % 64)) as u32 & 1
    }

    /// Where to read the state after a tile of the pattern has slid. Tiles are counted from 0 in
    /// the order of their goals.
    #[inline(always)]
    pub fn look(&self, state: PatternState, tile: usize, slide: &TileSlide) -> StateLook {
        let cells = state.cells ^ slide.toggled;
        let mut order = state.order;
        if slide.between != 0 {
            let between = (state.cells >> (slide.shift & 31)) as usize & usize::from(slide.between);
            let past = usize::from(COUNTED[between & 15] + slide.backwards);
            order = self.orders.after(order, tile, past);
        }
        let zone = self.zones.zone(cells, slide.blank.into());
        StateLook { cells, word: zone * (self.row / 64) + u32::from(order / 64), order }
    }

    /// Asks for the memory of what is to be read.
    #[inline(always)]
    pub fn fetch(&self, look: &StateLook) {
        if let Some(word) = self.bits.get(look.word as usize) {
            prefetch(word);
        }
    }

    /// Reads the state after a slide from the state before.
    #[inline(always)]
    pub fn seen(&self, before: PatternState, look: &StateLook) -> PatternState {
        let bit = (self.bits[look.word as usize] >> (look.order % 64)) as u32 & 1;
        let smaller = u32::from(before.distance).wrapping_sub(1);
        let distance = smaller.wrapping_add(2 * ((smaller >> 1 & 1) ^ bit)) as u16;
        PatternState { cells: look.cells, order: look.order, distance }
    }

    /// The state of tiles that are in these cells, in this order, with the blank in that cell; its
    /// distance is found by descending to the goal.
    pub fn state(&self, cells: Cells, order: &[u8], blank: u32) -> PatternState {
        let order = tile_orders::index_of(order);
        PatternState { cells, order, distance: self.distance(self.zones.zone(cells, blank), order) }
    }

    fn distance(&self, zone: u32, order: u16) -> u16 {
        let goal = self.zones.zone(self.pattern.tiles, self.pattern.blank.into());
        let is_odd = |zone| u32::from(self.zones.is_odd(zone) != self.zones.is_odd(goal));
        let (mut zone, mut order, mut steps) = (zone, order, Vec::new());
        // The distance modulo 4.
        let mut rest = 2 * self.bit(zone, order) + is_odd(zone);
        let mut distance = 0;
        while (zone, order) != (goal, 0) {
            rest = rest.wrapping_sub(1) & 3;
            self.zones.steps(zone, &mut steps);
            let after = steps.iter().map(|step| {
                let moved = self.orders.moved(step.rank, step.rank_after);
                (step.zone, moved[usize::from(order)])
            });
            let mut nearer = after.filter(|&(zone, order)| self.bit(zone, order) == rest >> 1);
            (zone, order) = nearer.next().expect("a step leads nearer to the goal");
            distance += 1;
        }
        distance
    }
}

/// The parameters of the table in a file.
#[derive(Serialize, Deserialize)]
struct Parameters {
    /// How many tiles there are.
    tiles: usize,
    /// Their goal cells.
    cells: Vec<u8>,
}

impl Stored for SlidingTable {
    const KIND: &'static str = "additive";

    /// Another numbering makes another version.
    const VERSION: u32 = 1;

    fn parameters(&self) -> serde_json::Value {
        let cells = self.pattern.cells();
        serde_json::to_value(Parameters { tiles: cells.len(), cells })
            .expect("plain numbers are JSON")
    }

    fn entries(&self) -> u64 {
        (self.zones.len() * self.orders.count()) as u64
    }

    fn parts(&self) -> Vec<&[u8]> {
        vec![bytemuck::cast_slice(&self.bits)]
    }
}

#[cfg(test)]
mod tests;
