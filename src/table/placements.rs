//! The distances of a few tiles of a puzzle without a blank from home, whatever the others do, by a
//! number to which each tile adds its share: its cell, times a power of the number of cells. Such
//! numbers leave gaps where two tiles would be in one cell, but they can be updated tile by tile.

use super::Built;
use super::cache::{Cache, Origin, TableName};
use super::file::{FileError, Stored, TableFile};
use super::pattern::PatternTable;
use super::storage::{Storage, ZeroedBuffer};
use crate::limits::{Limits, Silent, StopReason};
use crate::puzzle::Frame;
use crate::puzzle::arch::prefetch;
use crate::puzzle::moves::Action;
use crate::puzzle::permutation::Permutation;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The distances of a pattern's tiles, for all their placements.
#[derive(Debug)]
pub struct PlacementTable {
    /// The goal cells of the tiles.
    tiles: Vec<u8>,
    entries: Entries,
}

/// Distances by number, one in each byte or two, the lower half first.
#[derive(Debug)]
struct Entries {
    bytes: Storage<u8>,
    /// How many bits of a number say which part of a byte it is: 1 or 0.
    shift: u32,
    mask: u32,
}

/// Tables with no more numbers are built in some hundredths of a second.
const QUICK_NUMBERS: usize = 1 << 20;

/// Whether building a table of so many tiles takes so long that it is worth keeping.
pub fn is_slow(frame: &Frame, tiles: usize) -> bool {
    frame.shape().cells().pow(tiles as u32) > QUICK_NUMBERS
}

/// What the table of some tiles is called in the cache.
pub fn name(frame: &Frame, tiles: &[u8]) -> TableName {
    let cells: Vec<String> = tiles.iter().map(u8::to_string).collect();
    TableName::new::<PlacementTable>(frame, cells.join("-"))
}

/// The table of some tiles of a puzzle without a blank: the one in the cache, or else built and
/// kept there.
///
/// # Errors
/// If a limit is hit.
pub fn keep(
    cache: &Cache,
    frame: &Frame,
    tiles: &[u8],
    limits: &Limits<'_>,
) -> Result<(PlacementTable, Origin), StopReason> {
    let cells = frame.shape().cells();
    let read = |file: &TableFile| PlacementTable::from_file(cells, tiles, file);
    let build = || PlacementTable::build(permutations(frame), tiles, limits).map(Built::Whole);
    cache.load_or_build(&name(frame, tiles), read, build, limits)
}

/// The moves of a puzzle without a blank.
fn permutations(frame: &Frame) -> &[Permutation] {
    let Action::Permutations(moves) = frame.moves().action() else {
        unreachable!("the puzzle has no blank");
    };
    moves
}

/// No distance: the tiles are never brought home from there.
const NONE: u8 = u8::MAX;

/// The largest distance that half a byte has room for.
const HALF: u8 = 15;

/// Smaller tables are mostly in the cache of a core.
const IN_CACHE: u64 = 1 << 20;

/// How many placements are expanded, or bytes written, between two looks at the time.
const STRIDE: usize = 1 << 16;

impl PlacementTable {
    /// The table of some tiles, given by their goal cells, on all threads of the current pool.
    ///
    /// # Errors
    /// If a limit is hit.
    pub(super) fn build(
        moves: &[Permutation],
        tiles: &[u8],
        limits: &Limits<'_>,
    ) -> Result<PlacementTable, StopReason> {
        let cells = moves[0].cells();
        let numbers = cells.saturating_pow(tiles.len() as u32);
        let undoable = || moves.iter().all(|m| moves.contains(&m.inverse()));
        let possible = PatternTable::is_possible(cells, tiles.len());
        let entries = if numbers > QUICK_NUMBERS && possible && undoable() {
            let table = PatternTable::build(moves, tiles, limits, &mut Silent)?;
            spread(&table, cells, limits)?
        } else {
            packed(&searched(moves, tiles, limits)?)?
        };
        Ok(PlacementTable { tiles: tiles.to_vec(), entries })
    }

    /// The tiles of the table in a file.
    ///
    /// # Errors
    /// If its parameters do not say.
    pub fn tiles_in(file: &TableFile) -> Result<Vec<u8>, FileError> {
        Ok(file.parameters::<Parameters>()?.tiles)
    }

    /// The first byte that differs from a table that is built anew.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn flaw(&self, frame: &Frame, limits: &Limits<'_>) -> Result<Option<usize>, StopReason> {
        let anew = PlacementTable::build(permutations(frame), &self.tiles, limits)?;
        let pairs = self.entries.bytes.iter().zip(&*anew.entries.bytes);
        Ok(pairs.enumerate().find_map(|(at, (found, built))| (found != built).then_some(at)))
    }

    /// The table in a file, which must be that of these tiles on this many cells.
    ///
    /// # Errors
    /// If it is not.
    pub fn from_file(
        cells: usize,
        tiles: &[u8],
        file: &TableFile,
    ) -> Result<PlacementTable, FileError> {
        let Parameters { tiles: found, halves } = file.parameters()?;
        let numbers = cells.pow(tiles.len() as u32);
        let bytes = if halves { numbers.div_ceil(2) } else { numbers };
        if found != tiles || file.bytes() != bytes as u64 {
            return Err(file.damaged("it is not the table of these tiles"));
        }
        let wrong = || file.damaged("its entries are not as its parameters say");
        let bytes = file.part(0..bytes).ok_or_else(wrong)?;
        Ok(PlacementTable { tiles: found, entries: Entries::new(bytes, halves) })
    }

    /// The table of some tiles of a puzzle without a blank, built.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn new(
        frame: &Frame,
        tiles: &[u8],
        limits: &Limits<'_>,
    ) -> Result<PlacementTable, StopReason> {
        PlacementTable::build(permutations(frame), tiles, limits)
    }

    /// The tiles, by their goal cells: that of number `i` adds its cell times the `i`-th power of
    /// the number of cells to the number of a placement.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// The distance of the placement of a number.
    #[inline]
    pub fn distance(&self, number: u32) -> u32 {
        let Entries { bytes, shift, mask } = &self.entries;
        let byte = u32::from(bytes[(number >> shift) as usize]);
        byte >> (4 * (number & shift)) & mask
    }

    /// Prefetches the distance of the placement of a number, unless the table is so small that it
    /// is in the cache.
    #[inline]
    pub fn prefetch(&self, number: u32) {
        if self.bytes() > IN_CACHE {
            prefetch(&self.entries.bytes[(number >> self.entries.shift) as usize]);
        }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.entries.bytes.len() as u64
    }
}

impl Entries {
    fn new(bytes: Storage<u8>, halves: bool) -> Entries {
        let mask = if halves { HALF } else { NONE };
        Entries { bytes, shift: halves.into(), mask: mask.into() }
    }
}

/// The parameters of the table in a file.
#[derive(Serialize, Deserialize)]
struct Parameters {
    /// The goal cells of the tiles.
    tiles: Vec<u8>,
    /// Whether two distances are in each byte.
    halves: bool,
}

impl Stored for PlacementTable {
    const KIND: &'static str = "placements";

    const VERSION: u32 = 1;

    fn parameters(&self) -> serde_json::Value {
        let parameters = Parameters { tiles: self.tiles.clone(), halves: self.entries.shift == 1 };
        serde_json::to_value(parameters).expect("plain numbers are JSON")
    }

    fn entries(&self) -> u64 {
        (self.entries.bytes.len() << self.entries.shift) as u64
    }

    fn parts(&self) -> Vec<&[u8]> {
        vec![&self.entries.bytes]
    }
}

/// The distances of a database of the same tiles, which is quick to build and numbers placements
/// without gaps.
fn spread(table: &PatternTable, cells: usize, limits: &Limits<'_>) -> Result<Entries, StopReason> {
    let tiles = table.tiles().len();
    let length = cells.pow(tiles as u32).div_ceil(2);
    limits.check_bytes(table.bytes() + length as u64)?;
    let mut bytes = ZeroedBuffer::new(length).map_err(|_| StopReason::Memory)?;
    bytes.par_chunks_mut(STRIDE).enumerate().try_for_each(|(chunk, bytes)| {
        limits.check_time()?;
        let mut rest = 2 * chunk * STRIDE;
        let mut bits = [0; MOST_TILES];
        let bits = &mut bits[..tiles];
        for bit in bits.iter_mut() {
            *bit = 1 << (rest % cells);
            rest /= cells;
        }
        for byte in bytes {
            for half in [0, 4] {
                let apart =
                    bits.iter().fold(0u32, |mask, bit| mask | bit).count_ones() as usize == tiles;
                let distance =
                    if apart { table.distance(table.number_of(bits)) as u8 } else { HALF };
                *byte |= distance << half;
                // The next number: the first tile goes on, and at the last cell the next one does.
                for bit in bits.iter_mut() {
                    *bit <<= 1;
                    if *bit < 1 << cells {
                        break;
                    }
                    *bit = 1;
                }
            }
        }
        Ok(())
    })?;
    Ok(Entries::new(bytes.into(), true))
}

/// Distances by breadth-first search from home, undoing moves; one byte each.
fn searched(
    moves: &[Permutation],
    tiles: &[u8],
    limits: &Limits<'_>,
) -> Result<ZeroedBuffer<u8>, StopReason> {
    let cells = moves[0].cells();
    let numbers = cells.pow(tiles.len() as u32);
    limits.check_bytes(2 * numbers as u64)?;
    let mut distances = ZeroedBuffer::new(numbers).map_err(|_| StopReason::Memory)?;
    distances.fill(NONE);
    let number = |places: &[u8]| {
        places.iter().rev().fold(0, |number, &cell| number * cells + usize::from(cell))
    };
    let mut layer = vec![number(tiles) as u32];
    distances[layer[0] as usize] = 0;
    for distance in 1..NONE {
        let mut next = Vec::new();
        for (expanded, &placement) in layer.iter().enumerate() {
            if expanded % STRIDE == 0 {
                limits.check_time()?;
            }
            let mut places = [0; MOST_TILES];
            let places = &mut places[..tiles.len()];
            let mut rest = placement as usize;
            for place in places.iter_mut() {
                (*place, rest) = (rest % cells, rest / cells);
            }
            for m in moves {
                let sources = m.sources();
                let before = places
                    .iter()
                    .rev()
                    .fold(0, |number, &cell| number * cells + usize::from(sources[cell]));
                if distances[before] == NONE {
                    distances[before] = distance;
                    next.push(before as u32);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    Ok(distances)
}

/// The most tiles of a pattern.
pub const MOST_TILES: usize = 6;

/// Distances, packed if all of them fit half a byte. What has none is never looked up.
fn packed(distances: &[u8]) -> Result<Entries, StopReason> {
    let largest = distances.iter().filter(|&&distance| distance != NONE).max();
    if largest.is_some_and(|&largest| largest > HALF) {
        let mut bytes = ZeroedBuffer::new(distances.len()).map_err(|_| StopReason::Memory)?;
        bytes.copy_from_slice(distances);
        return Ok(Entries::new(bytes.into(), false));
    }
    let mut bytes =
        ZeroedBuffer::new(distances.len().div_ceil(2)).map_err(|_| StopReason::Memory)?;
    for (byte, pair) in bytes.iter_mut().zip(distances.chunks(2)) {
        *byte = pair.iter().rev().fold(0, |byte, &distance| byte << 4 | distance & HALF);
    }
    Ok(Entries::new(bytes.into(), true))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of cells with a turn and an exchange.
    fn ring(cells: usize, both_ways: bool) -> Vec<Permutation> {
        let turn = Permutation::from_cycles(cells, &[(0..cells).collect::<Vec<_>>()]);
        let exchange = Permutation::from_cycles(cells, &[[0, 1]]);
        let back = both_ways.then(|| turn.inverse());
        [turn, exchange].into_iter().chain(back).collect()
    }

    /// Each placement is one move from one that is nearer, and from none that is nearer by more.
    fn check(moves: &[Permutation], tiles: &[u8]) {
        let table = PlacementTable::build(moves, tiles, &Limits::default()).unwrap();
        let cells = moves[0].cells();
        let number = |places: &[usize]| {
            places.iter().rev().fold(0, |number, &cell| number * cells + cell) as u32
        };
        let home: Vec<usize> = tiles.iter().map(|&tile| usize::from(tile)).collect();
        let mut places = vec![0; tiles.len()];
        loop {
            let distinct = (0..places.len()).all(|i| !places[..i].contains(&places[i]));
            if distinct {
                let distance = table.distance(number(&places));
                let after = |m: &Permutation| {
                    let to = |&cell: &usize| {
                        m.sources().iter().position(|&from| usize::from(from) == cell).unwrap()
                    };
                    table.distance(number(&places.iter().map(to).collect::<Vec<_>>()))
                };
                let nearest = moves.iter().map(after).min().unwrap();
                match places == home {
                    true => assert_eq!(distance, 0),
                    false => assert_eq!(distance, nearest + 1, "{places:?}"),
                }
            }
            let Some(at) = places.iter().position(|&cell| cell + 1 < cells) else { break };
            places[..at].fill(0);
            places[at] += 1;
        }
    }

    /// The quick way and the plain one agree, but for numbers of no placement.
    #[test]
    fn both_ways_to_build_agree() {
        let moves = ring(9, true);
        for tiles in [&[4, 0][..], &[1, 2, 3], &[8, 0, 5, 2]] {
            let database = PatternTable::build(&moves, tiles, &Limits::default(), &mut Silent);
            let entries = spread(&database.unwrap(), 9, &Limits::default()).unwrap();
            let quick = PlacementTable { tiles: tiles.to_vec(), entries };
            let plain = searched(&moves, tiles, &Limits::default()).unwrap();
            let placements = plain.iter().filter(|&&distance| distance != NONE).count();
            assert_eq!(placements, (0..tiles.len()).map(|taken| 9 - taken).product::<usize>());
            for (number, &distance) in plain.iter().enumerate() {
                if distance != NONE {
                    let distance = u32::from(distance.min(HALF));
                    assert_eq!(quick.distance(number as u32), distance);
                }
            }
        }
    }

    #[test]
    fn distances_are_those_of_the_moves() {
        for both_ways in [false, true] {
            check(&ring(7, both_ways), &[0, 3, 5]);
            check(&ring(9, both_ways), &[4]);
            check(&ring(30, both_ways), &[2, 17]);
        }
        check(&ring(8, true), &[0, 1, 2, 3, 7]);
    }
}
