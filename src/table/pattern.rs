//! A pattern database (Culberson and Schaeffer 1998, "Pattern databases") of a puzzle whose
//! moves are fixed rearrangements: for every way that a few tiles, the pattern, can stand on the
//! grid, how many moves bring all of them home if the others do not matter.
//!
//! That is a lower bound for the whole board: what solves the board brings the pattern home. It
//! changes by at most one with each move. Four bits hold it; what is more than
//! [`MOST`] counts as that, which is still a lower bound.
//!
//! The places of the tiles are numbered by the set of cells that they occupy, and then by their
//! order in it. A move takes all orders in one set to those in one other set, and permutes them
//! always in the same way. So the database is made set by set: a set's new members are gathered
//! from those of its predecessors, with all of them in the cache, and each thread writes to sets
//! of its own.

mod placement_index;
mod predecessors;
mod proof;

pub use placement_index::MAX_TILES;
pub use proof::Flaw;

use super::file::{FileError, Stored, TableFile};
use super::storage::{Storage, ZeroedBuffer};
use crate::limits::{Limits, Observer, StopReason};
use crate::puzzle::Depth;
use crate::puzzle::arch::prefetch;
use crate::puzzle::permutation::Permutation;
use placement_index::PlacementIndex;
use predecessors::{Predecessor, Predecessors};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// The largest distance that is stored; larger ones saturate to it.
pub const MOST: Depth = 15;

/// How many predecessors an unseen order is expected to test before it finds one in the last layer.
const LOOKS_BACK: usize = 8;

/// How many sets are gathered between two checks of the limits.
const STRIDE: usize = 1 << 10;

/// The exact distances of a pattern's tiles, for all their placements.
#[derive(Debug)]
pub struct PatternTable {
    /// The goal cells of the tiles.
    tiles: Vec<u8>,
    places: PlacementIndex,
    /// By placement index; the lower half of a byte comes first.
    nibbles: Storage<u8>,
    /// The number of placements at each distance.
    counts: Vec<u64>,
}

impl PatternTable {
    /// Builds the database of some tiles, given by their goal cells, on all threads of the
    /// current pool. The moves must be closed under inversion.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn build(
        moves: &[Permutation],
        tiles: &[u8],
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<PatternTable, StopReason> {
        let places = PlacementIndex::new(moves[0].cells(), tiles.len());
        limits.check_bytes(bytes_to_build(moves.len(), &places))?;
        let predecessors = Predecessors::new(moves, &places)?;
        let (sets, orders) = (places.sets(), places.orders());
        let words = orders.div_ceil(64);
        let half = orders.div_ceil(2);
        let mut nibbles = ZeroedBuffer::new(sets * half).map_err(|_| StopReason::Memory)?;
        nibbles.par_chunks_mut(half).for_each(|half_set| half_set.fill(0xff));
        let mut counts = vec![1];
        let home = home(&places, tiles);
        let mut last = OrderBits::new(sets, words)?;
        let mut seen = OrderBits::new(sets, words)?;
        let mut next = OrderBits::new(sets, words)?;
        for bits in [&mut last, &mut seen] {
            bits.0[home / orders * words + home % orders / 64] |= 1 << (home % orders % 64);
        }
        nibbles[home / orders * half + home % orders / 2] &= 0xf0 >> (4 * (home % 2));
        // The unused bits of the last word of each set count as seen.
        if orders % 64 != 0 {
            let left_over = u64::MAX << (orders % 64);
            seen.0.iter_mut().skip(words - 1).step_by(words).for_each(|word| *word |= left_over);
        }
        for distance in 1.. {
            let value = distance.min(MOST as usize) as u8;
            let found = next
                .sets_mut(words)
                .zip_eq(seen.sets_mut(words))
                .zip_eq(nibbles.par_chunks_mut(half))
                .enumerate()
                .map(|(set, ((next, seen), nibbles))| {
                    if set % STRIDE == 0 {
                        limits.check_time()?;
                    }
                    gather(&predecessors, set, &last, seen, next);
                    for (new, seen) in next.iter().zip(seen) {
                        *seen |= *new;
                    }
                    each_one(next, |order| {
                        nibbles[order / 2] ^= (0xf ^ value) << (4 * (order % 2));
                    });
                    Ok(count(next) as u64)
                })
                .try_reduce(|| 0, |some, more| Ok(some + more))?;
            if found == 0 {
                break;
            }
            counts.push(found);
            let seen: u64 = counts.iter().sum();
            observer.building_table(distance as u32, seen as f64 / (sets * orders) as f64);
            std::mem::swap(&mut last, &mut next);
        }
        Ok(PatternTable { tiles: tiles.to_vec(), places, nibbles: nibbles.into(), counts })
    }

    /// Whether there can be a database of this many tiles on this many cells.
    pub(super) fn is_possible(cells: usize, tiles: usize) -> bool {
        cells <= placement_index::MAX_CELLS && (2..=MAX_TILES.min(cells)).contains(&tiles)
    }

    /// How many bytes a database of this many tiles takes.
    pub fn bytes_for(cells: usize, tiles: usize) -> u64 {
        let places = PlacementIndex::new(cells, tiles);
        (places.sets() * places.orders() / 2) as u64
    }

    /// How many tiles the database in a file has.
    ///
    /// # Errors
    /// If its parameters do not say.
    pub fn tiles_in(file: &TableFile) -> Result<usize, FileError> {
        let Parameters { tiles, .. } = file.parameters()?;
        if (2..=MAX_TILES).contains(&tiles) {
            Ok(tiles)
        } else {
            Err(file.damaged("it has no such number of tiles"))
        }
    }

    /// How many bytes are held while a database of this many tiles is built.
    pub fn bytes_to_build(moves: &[Permutation], tiles: usize) -> u64 {
        bytes_to_build(moves.len(), &PlacementIndex::new(moves[0].cells(), tiles))
    }

    /// The database in a file, which must be that of this many tiles on this many cells.
    ///
    /// # Errors
    /// If it is not.
    pub fn from_file(
        cells: usize,
        tiles: &[u8],
        file: &TableFile,
    ) -> Result<PatternTable, FileError> {
        let Parameters { cells: found, counts, .. } = file.parameters()?;
        let places = PlacementIndex::new(cells, tiles.len());
        let bytes = places.sets() * places.orders() / 2;
        if found != tiles || file.bytes() != bytes as u64 {
            return Err(file.damaged("it is not the database of these tiles"));
        }
        let wrong = || file.damaged("its entries are not as its parameters say");
        let nibbles = file.part(0..bytes).ok_or_else(wrong)?;
        Ok(PatternTable { tiles: found, places, nibbles, counts })
    }

    /// The tiles, by their goal cells.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// The index of a placement, each tile given by the bit of its cell, in the order of
    /// [`tiles`](Self::tiles).
    #[inline]
    pub fn number<const TILES: usize>(&self, bits: [u32; TILES]) -> usize {
        self.places.number(&bits)
    }

    /// The same for any number of tiles.
    pub(super) fn number_of(&self, bits: &[u32]) -> usize {
        self.places.number(bits)
    }

    /// The distance of the tiles from home, given the index of their placement; [`MOST`] if that
    /// far or farther.
    #[inline]
    pub fn distance(&self, number: usize) -> Depth {
        Depth::from(self.nibbles[number / 2] >> (4 * (number % 2)) & 15)
    }

    /// Prefetches the entry of a placement.
    #[inline]
    pub fn prefetch(&self, number: usize) {
        prefetch(&self.nibbles[number / 2]);
    }

    /// The number of placements at each distance.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.nibbles.len() as u64
    }
}

/// The parameters of the database in a file.
#[derive(Serialize, Deserialize)]
struct Parameters {
    /// How many tiles there are.
    tiles: usize,
    /// Their goal cells.
    cells: Vec<u8>,
    /// The number of placements at each distance.
    counts: Vec<u64>,
}

impl Stored for PatternTable {
    const KIND: &'static str = "pattern";

    /// Another numbering makes another version.
    const VERSION: u32 = 1;

    fn parameters(&self) -> serde_json::Value {
        let (cells, counts) = (self.tiles.clone(), self.counts.clone());
        serde_json::to_value(Parameters { tiles: cells.len(), cells, counts })
            .expect("plain numbers are JSON")
    }

    fn entries(&self) -> u64 {
        2 * self.nibbles.len() as u64
    }

    fn parts(&self) -> Vec<&[u8]> {
        vec![&self.nibbles]
    }
}

/// The index of the placement in which all tiles are home.
fn home(places: &PlacementIndex, tiles: &[u8]) -> usize {
    places.number(&tiles.iter().map(|&cell| 1 << cell).collect::<Vec<_>>())
}

/// The memory that building takes, the database included.
fn bytes_to_build(moves: usize, places: &PlacementIndex) -> u64 {
    let bits = 3 * places.sets() * places.orders().div_ceil(64) * 8;
    let predecessors = places.sets() * moves * size_of::<Predecessor>();
    (bits + predecessors + places.sets() * places.orders() / 2) as u64
}

fn filled<T: Clone>(length: usize, with: T) -> Result<Vec<T>, StopReason> {
    let mut list = Vec::new();
    list.try_reserve_exact(length).map_err(|_| StopReason::Memory)?;
    list.resize(length, with);
    Ok(list)
}

/// For each set of cells, a bit set of orders.
struct OrderBits(Vec<u64>);

impl OrderBits {
    fn new(sets: usize, words: usize) -> Result<OrderBits, StopReason> {
        Ok(OrderBits(filled(sets * words, 0)?))
    }

    fn set(&self, set: usize, words: usize) -> &[u64] {
        &self.0[set * words..][..words]
    }

    fn sets_mut(&mut self, words: usize) -> impl IndexedParallelIterator<Item = &mut [u64]> {
        self.0.par_chunks_mut(words)
    }
}

/// The orders in a set that are one move from the last layer and were not seen before.
fn gather(
    predecessors: &Predecessors,
    set: usize,
    last: &OrderBits,
    seen: &[u64],
    next: &mut [u64],
) {
    let words = next.len();
    let last_of = |previous: Predecessor| last.set(previous.set as usize, words);
    let unseen = words * 64 - count(seen);
    next.fill(0);
    if unseen == 0 {
        return;
    }
    let previous_sets = predecessors.of_set(set);
    let steps: usize = previous_sets.iter().map(|&previous| count(last_of(previous))).sum();
    // Either push from every order of the last layer, or pull: each unseen order tests its
    // predecessors until one is in the last layer.
    if steps < unseen * LOOKS_BACK {
        for &previous in previous_sets {
            let becomes = &predecessors.order_map(previous).becomes;
            each_one(last_of(previous), |order| {
                let order = usize::from(becomes[order]);
                next[order / 64] |= 1 << (order % 64);
            });
        }
        next.iter_mut().zip(seen).for_each(|(new, seen)| *new &= !seen);
    } else {
        for &previous in previous_sets {
            let was = &predecessors.order_map(previous).was;
            let last = last_of(previous);
            for (index, (new, seen)) in next.iter_mut().zip(seen).enumerate() {
                let mut rest = !(*seen | *new);
                while rest != 0 {
                    let before = usize::from(was[64 * index + rest.trailing_zeros() as usize]);
                    let found = last[before / 64] >> (before % 64) & 1;
                    *new |= (rest & rest.wrapping_neg()) * found;
                    rest &= rest - 1;
                }
            }
        }
    }
}

fn count(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// Calls `visit` with the index of each bit that is set.
#[inline]
fn each_one(words: &[u64], mut visit: impl FnMut(usize)) {
    for (index, &word) in words.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            visit(64 * index + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Silent;
    use crate::puzzle::AnyPuzzle;
    use crate::puzzle::moves::Action;
    use std::collections::{HashMap, VecDeque};

    /// The moves of a puzzle without a blank.
    fn moves(id: &str) -> Vec<Permutation> {
        let puzzle = AnyPuzzle::from_id(id).unwrap();
        match puzzle.frame().moves().action() {
            Action::Permutations(moves) => moves.clone(),
            Action::Blank(_) => unreachable!("{id} has no blank"),
        }
    }

    fn build(moves: &[Permutation], tiles: &[u8]) -> Result<PatternTable, StopReason> {
        PatternTable::build(moves, tiles, &Limits::default(), &mut Silent)
    }

    /// The distances of all places of the tiles, by breadth-first search on plain lists.
    fn plain(moves: &[Permutation], tiles: &[u8]) -> HashMap<Vec<u8>, u32> {
        let targets: Vec<Permutation> = moves.iter().map(Permutation::inverse).collect();
        let mut distances = HashMap::from([(tiles.to_vec(), 0)]);
        let mut queue = VecDeque::from([tiles.to_vec()]);
        while let Some(places) = queue.pop_front() {
            let distance = distances[&places];
            for target in &targets {
                let next: Vec<u8> =
                    places.iter().map(|&cell| target.sources()[usize::from(cell)]).collect();
                if !distances.contains_key(&next) {
                    distances.insert(next.clone(), distance + 1);
                    queue.push_back(next);
                }
            }
        }
        distances
    }

    fn agrees<const TILES: usize>(id: &str, tiles: [u8; TILES]) {
        let moves = moves(id);
        let table = build(&moves, &tiles).unwrap();
        let plain = plain(&moves, &tiles);
        assert_eq!(table.counts().iter().sum::<u64>(), plain.len() as u64, "{id}");
        for (places, distance) in plain {
            let bits: [u32; TILES] = std::array::from_fn(|i| 1 << places[i]);
            assert_eq!(table.distance(table.number(bits)), distance.min(MOST), "{id} {places:?}");
        }
    }

    #[test]
    fn distances_are_those_of_a_plain_search() {
        agrees("torus3", [0, 1, 3, 4]);
        agrees("torus3", [8, 0]);
        agrees("rings3", [0, 4, 8]);
        agrees("torus:2x4", [0, 1, 2, 3, 4, 5, 6, 7]);
        agrees("torus:4x5", [0, 1, 5, 6]);
        agrees("rings5", [0, 12, 24]);
    }

    #[test]
    fn what_is_far_away_counts_as_fifteen() {
        let cells: Vec<usize> = (0..24).collect();
        let turn = Permutation::from_cycles(24, &[&cells]);
        let swap = Permutation::from_cycles(24, &[[0, 1]]);
        let moves = [turn.clone(), turn.inverse(), swap];
        let tiles = [0, 12];
        let table = build(&moves, &tiles).unwrap();
        assert!(table.counts().len() > MOST as usize + 1);
        for (places, distance) in plain(&moves, &tiles) {
            let number = table.number([1 << places[0], 1 << places[1]]);
            assert_eq!(table.distance(number), distance.min(MOST), "{places:?}");
        }
    }

    #[test]
    fn too_little_memory_is_an_error() {
        let limits = Limits { bytes: Some(1_000_000), ..Limits::default() };
        let built = PatternTable::build(&moves("rings5"), &[0, 1, 2, 5, 6], &limits, &mut Silent);
        assert_eq!(built.err(), Some(StopReason::Memory));
    }
}
