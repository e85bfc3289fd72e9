//! Incremental update of the positions of a pattern's tiles.
//!
//! With many tiles, most of the time of a look-up goes to sorting them. A step changes little: one
//! cell of the set and, in the order, the tile's place among those between its two cells. So the set
//! of cells is stored as bits, and the order as its number.

use super::set_numbers::SetNumbers;
use super::{ORDERS_A_BYTE, RowTable, after_step};
use crate::puzzle::arch::prefetch;
use crate::table::sliding::tile_orders::{TileOrders, index_of};

/// Where the tiles of a pattern are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tracked {
    /// Their cells, one bit each.
    pub cells: u64,
    /// The number of their order by cell.
    pub order: u16,
}

/// What the update needs, for all patterns of the same number of tiles on one board.
#[derive(Debug)]
pub struct Tracks {
    numbers: SetNumbers,
    orders: TileOrders,
    /// By order, where its entry is in a row: the byte, and the bit.
    entries: Vec<(u8, u8)>,
    cols: usize,
}

/// The place of an entry in a table: found in two steps, each of which waits for memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry {
    /// The number of the set of cells; then that of the zone.
    row: u32,
    split_index: u32,
    byte: u8,
    bit: u8,
}

impl Tracks {
    /// What is needed for the pattern of a table, and others like it; `None` if the board is too large.
    pub fn new(table: &RowTable) -> Option<Tracks> {
        let sets = &table.sets;
        let (cells, cols) = (sets.shape().cells(), sets.shape().cols());
        let before = |smaller: usize, cell: usize| sets.before(smaller, cell as u8);
        let numbers = SetNumbers::new(cells, sets.tiles(), sets.count, before)?;
        let orders = TileOrders::new(sets.tiles(), cols);
        let entry = |order: u16| {
            let order = u32::from(order);
            ((order / ORDERS_A_BYTE) as u8, (order % ORDERS_A_BYTE) as u8)
        };
        let entries = orders.by_ranks().into_iter().map(entry).collect();
        Some(Tracks { numbers, orders, entries, cols })
    }

    /// How many bytes are held.
    pub fn bytes(&self) -> u64 {
        self.numbers.bytes() as u64 + self.orders.bytes() + size_of_val(&*self.entries) as u64
    }

    /// The tiles after one of them has gone from its cell to one beside it.
    #[inline(always)]
    pub fn step(&self, tracked: Tracked, tile: u8, from: u8, to: u8) -> Tracked {
        let Tracked { cells, order } = tracked;
        let (low, high) = (from.min(to) & 63, from.max(to) & 63);
        let between = cells & (1_u64 << high).wrapping_sub(2 << low);
        let past = between.count_ones() as usize;
        let past = if to < from { self.cols + past } else { past };
        Tracked {
            cells: cells ^ (1 << low | 1 << high),
            order: self.orders.after(order, tile.into(), past),
        }
    }
}

impl Tracked {
    /// Tiles in some cells, in the order of their goals.
    pub fn new(cells: &[u8]) -> Tracked {
        let mut tiles: Vec<u8> = (0..cells.len() as u8).collect();
        tiles.sort_unstable_by_key(|&tile| cells[usize::from(tile)]);
        let bits = cells.iter().fold(0, |bits, cell| bits | 1 << cell);
        Tracked { cells: bits, order: index_of(&tiles) }
    }
}

impl RowTable {
    /// What is known of the entry before the blank's region is; what is needed to
    /// [find it](Self::find) with the blank in a given cell is prefetched.
    #[inline(always)]
    pub fn entry(&self, tracks: &Tracks, tracked: Tracked, blank: u8) -> Entry {
        let row = tracks.numbers.get(tracked.cells);
        let split_index = self.sets.split_index(row);
        self.sets.prefetch_region(split_index, blank);
        let (byte, bit) = tracks.entries[usize::from(tracked.order)];
        Entry { row, split_index, byte, bit }
    }

    /// The place of the entry with the blank in the given cell. It is prefetched.
    #[inline(always)]
    pub fn find(&self, entry: Entry, blank: u8) -> Entry {
        let row = self.sets.zone_of(entry.row, entry.split_index, blank);
        let found = Entry { row, ..entry };
        if let Some(byte) = self.bytes.get(self.byte_at(found)) {
            prefetch(byte);
        }
        found
    }

    #[inline(always)]
    fn byte_at(&self, entry: Entry) -> usize {
        entry.row as usize * self.row.bytes as usize + usize::from(entry.byte)
    }

    /// The distance after a step to an entry that was [found](Self::find), from the distance before;
    /// both modulo 256.
    #[inline(always)]
    pub fn after_step_to(&self, before: u8, entry: Entry) -> u8 {
        after_step(before, self.bytes[self.byte_at(entry)] >> entry.bit & 1)
    }
}
