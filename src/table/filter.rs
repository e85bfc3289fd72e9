//! A set of hashes that may take others for its members, but never forgets one: a blocked Bloom
//! filter (Putze, Sanders and Singler 2007, "Cache-, hash- and space-efficient Bloom filters").
//!
//! What is told about a hash is in one cache line: three bits in one word of its first half, and
//! three in one of its second half. So a look-up costs one cache miss and two words. With 12 bits
//! an entry, about one other hash in a hundred is taken for a member.

use super::storage::{Room, Storage};
use crate::puzzle::arch::prefetch;
use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use std::io;

/// The words of a cache line.
const WORDS: usize = 8;

/// One cache line.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Line([u64; WORDS]);

/// Into how many parts a set is divided while it is filled.
pub const PARTS: usize = 128;

/// The line of a hash, of so many.
#[inline]
fn line_of(hash: u64, lines: usize) -> usize {
    ((u128::from(hash) * lines as u128) >> 64) as usize
}

/// The set.
#[derive(Debug)]
pub struct Filter {
    lines: Storage<Line>,
}

/// A set that is being filled.
#[derive(Debug)]
pub struct Filling {
    lines: Room<Line>,
}

/// Where a hash belongs: two words of a line, and the bits of each.
struct Place {
    words: [usize; 2],
    bits: [u64; 2],
}

impl Place {
    #[inline]
    fn of(hash: u64) -> Place {
        // The line is told by the upper bits of the hash, so these are mixed anew.
        let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = mixed ^ (mixed >> 32);
        let bit = |shift: u32| 1 << ((mixed >> shift) & 63);
        let half = WORDS / 2;
        Place {
            words: [
                (mixed >> 36) as usize & (half - 1),
                half + ((mixed >> 38) as usize & (half - 1)),
            ],
            bits: [bit(0) | bit(6) | bit(12), bit(18) | bit(24) | bit(30)],
        }
    }
}

impl Filter {
    /// The set in these lines, of which there must be one.
    pub fn new(lines: Storage<Line>) -> Option<Filter> {
        (!lines.is_empty()).then_some(Filter { lines })
    }

    /// All that is told.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    #[inline]
    fn line_of(&self, hash: u64) -> usize {
        line_of(hash, self.lines.len())
    }

    /// Whether a hash may be in the set; certainly if it is.
    #[inline]
    pub fn may_contain(&self, hash: u64) -> bool {
        let Place { words: [first, second], bits } = Place::of(hash);
        let line = &self.lines[self.line_of(hash)].0;
        (!line[first] & bits[0]) | (!line[second] & bits[1]) == 0
    }

    /// Brings near what is told about a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.lines[self.line_of(hash)]);
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.lines()) as u64
    }
}

impl Filling {
    /// An empty set with room for so many entries, at so many bits each.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(entries: usize, bits: usize) -> io::Result<Filling> {
        let lines = entries.saturating_mul(bits).div_ceil(64 * WORDS).max(1);
        Ok(Filling { lines: Room::new(lines)? })
    }

    /// Which of the [`PARTS`] of the set a hash belongs to.
    #[inline]
    pub fn part_of(&self, hash: u64) -> usize {
        line_of(hash, self.lines.len()) / self.part_length()
    }

    fn part_length(&self) -> usize {
        self.lines.len().div_ceil(PARTS)
    }

    /// Adds hashes, each list of which is sorted by [`part_of`](Self::part_of): every thread has
    /// a part of the set to itself, small enough for its cache.
    pub fn insert_all(&mut self, lists: &[Vec<Vec<u64>>]) {
        let (count, length) = (self.lines.len(), self.part_length());
        self.lines.par_chunks_mut(length).enumerate().for_each(|(part, lines)| {
            for &hash in lists.iter().filter_map(|list| list.get(part)).flatten() {
                let Place { words: [first, second], bits } = Place::of(hash);
                let line = &mut lines[line_of(hash, count) - part * length].0;
                line[first] |= bits[0];
                line[second] |= bits[1];
            }
        });
    }

    /// The set, which is not filled any more.
    pub fn finish(self) -> Filter {
        Filter { lines: self.lines.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(first: u64) -> impl Iterator<Item = u64> {
        (first..).map(|n| {
            (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ n << 7).wrapping_mul(0xd6e8_feb8_6659_fd93)
        })
    }

    #[test]
    fn members_are_never_forgotten_and_others_seldom_taken_for_them() {
        for entries in [1, 5, 1000, 100_000] {
            let mut filling = Filling::new(entries, 12).unwrap();
            let mut list = vec![Vec::new(); PARTS];
            for hash in hashes(1).take(entries) {
                list[filling.part_of(hash)].push(hash);
            }
            filling.insert_all(&[list]);
            let filter = filling.finish();
            assert!(hashes(1).take(entries).all(|hash| filter.may_contain(hash)));
            let wrong =
                hashes(1 << 40).take(100_000).filter(|&hash| filter.may_contain(hash)).count();
            assert!(wrong < 2_000, "{wrong} of 100,000 with {entries} entries");
        }
    }
}
