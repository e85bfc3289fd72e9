//! The distances of a few tiles of a puzzle without a blank from home, whatever the others do, by a
//! number to which each tile adds its share: its cell, times a power of the number of cells. Such
//! numbers leave gaps where two tiles would be in one cell, but they can be updated tile by tile.

use super::storage::ZeroedBuffer;
use crate::limits::{Limits, StopReason};
use crate::puzzle::permutation::Permutation;

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
    bytes: ZeroedBuffer<u8>,
    /// How many bits of a number say which part of a byte it is: 1 or 0.
    shift: u32,
    mask: u32,
}

/// No distance: the tiles are never brought home from there.
const NONE: u8 = u8::MAX;

/// The largest distance that half a byte has room for.
const HALF: u8 = 15;

/// How many placements are expanded between two looks at the time.
const STRIDE: usize = 1 << 16;

impl PlacementTable {
    /// The table of some tiles, given by their goal cells.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn build(
        moves: &[Permutation],
        tiles: &[u8],
        limits: &Limits<'_>,
    ) -> Result<PlacementTable, StopReason> {
        let entries = packed(&searched(moves, tiles, limits)?)?;
        Ok(PlacementTable { tiles: tiles.to_vec(), entries })
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

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.entries.bytes.len() as u64
    }
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
        return Ok(Entries { bytes, shift: 0, mask: NONE.into() });
    }
    let mut bytes =
        ZeroedBuffer::new(distances.len().div_ceil(2)).map_err(|_| StopReason::Memory)?;
    for (byte, pair) in bytes.iter_mut().zip(distances.chunks(2)) {
        *byte = pair.iter().rev().fold(0, |byte, &distance| byte << 4 | distance & HALF);
    }
    Ok(Entries { bytes, shift: 1, mask: HALF.into() })
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
