//! A set of hashes with false positives but no false negatives: a blocked Bloom filter (Putze, Sanders and Singler 2007, "Cache-, hash- and space-efficient Bloom filters").
//!
//! The bits of a hash are in one cache line: three in one word of its first half, and three in one
//! of its second half. So a lookup costs one cache miss and two words. With 12 bits an entry,
//! about one other hash in a hundred is a false positive.

use super::storage::{Storage, ZeroedBuffer};
use crate::puzzle::arch::prefetch;
use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;
use std::io;

/// The words of a cache line.
const WORDS: usize = 8;

/// One cache line.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct CacheLine([u64; WORDS]);

/// Into how many parts a filter is divided while it is filled in parallel.
pub const PARTS: usize = 128;

/// The index of the cache line of a hash.
#[inline]
fn line_of(hash: u64, lines: usize) -> usize {
    ((u128::from(hash) * lines as u128) >> 64) as usize
}

/// A finished filter.
#[derive(Debug)]
pub struct BloomFilter {
    lines: Storage<CacheLine>,
}

/// A filter that is being filled.
#[derive(Debug)]
pub struct BloomFilterBuilder {
    lines: ZeroedBuffer<CacheLine>,
}

/// The two words of a hash in its cache line, and the bits of each.
struct BitPositions {
    words: [usize; 2],
    bits: [u64; 2],
}

impl BitPositions {
    #[inline]
    fn new(hash: u64) -> BitPositions {
        // The upper bits of the hash choose the line, so the hash is mixed again for the bits.
        let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = mixed ^ (mixed >> 32);
        let bit = |shift: u32| 1 << ((mixed >> shift) & 63);
        let half = WORDS / 2;
        BitPositions {
            words: [
                (mixed >> 36) as usize & (half - 1),
                half + ((mixed >> 38) as usize & (half - 1)),
            ],
            bits: [bit(0) | bit(6) | bit(12), bit(18) | bit(24) | bit(30)],
        }
    }
}

impl BloomFilter {
    /// The filter in these lines; `None` if there are none.
    pub fn new(lines: Storage<CacheLine>) -> Option<BloomFilter> {
        (!lines.is_empty()).then_some(BloomFilter { lines })
    }

    /// All cache lines.
    pub fn lines(&self) -> &[CacheLine] {
        &self.lines
    }

    #[inline]
    fn line_of(&self, hash: u64) -> usize {
        line_of(hash, self.lines.len())
    }

    /// Whether a hash may be in the set; never false for a member.
    #[inline]
    pub fn may_contain(&self, hash: u64) -> bool {
        let BitPositions { words: [first, second], bits } = BitPositions::new(hash);
        let line = &self.lines[self.line_of(hash)].0;
        (!line[first] & bits[0]) | (!line[second] & bits[1]) == 0
    }

    /// Prefetches the cache line of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.lines[self.line_of(hash)]);
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.lines()) as u64
    }
}

impl BloomFilterBuilder {
    /// An empty filter for this many entries, with this many bits for each.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(entries: usize, bits: usize) -> io::Result<BloomFilterBuilder> {
        let lines = entries.saturating_mul(bits).div_ceil(64 * WORDS).max(1);
        Ok(BloomFilterBuilder { lines: ZeroedBuffer::new(lines)? })
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
                let BitPositions { words: [first, second], bits } = BitPositions::new(hash);
                let line = &mut lines[line_of(hash, count) - part * length].0;
                line[first] |= bits[0];
                line[second] |= bits[1];
            }
        });
    }

    /// The finished filter.
    pub fn finish(self) -> BloomFilter {
        BloomFilter { lines: self.lines.into() }
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
            let mut filling = BloomFilterBuilder::new(entries, 12).unwrap();
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
