//! A set of hashes with false positives but no false negatives: a blocked Bloom filter (Putze,
//! Sanders and Singler 2007, "Cache-, hash- and space-efficient Bloom filters").
//!
//! The bits of a hash are in one cache line: three in one word of its first half, and two or three in
//! one of its second half. So a lookup costs one cache miss and two words. With 12 bits an entry,
//! about one other hash in a hundred is a false positive, with 8 bits about three.

use super::partitioned::Partitioned;
use super::storage::{Storage, ZeroedBuffer};
use crate::limits::StopReason;
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
const PARTS: usize = 512;

/// With fewer bits an entry than this, a hash has five bits: a sixth would fill the filter too much.
const BITS_FOR_SIX: usize = 10;

/// The index of the cache line of a hash.
#[inline]
fn line_of(hash: u64, lines: usize) -> usize {
    ((u128::from(hash) * lines as u128) >> 64) as usize
}

/// A finished filter.
#[derive(Debug)]
pub struct BloomFilter {
    lines: Storage<CacheLine>,
    sixth: SixthBit,
}

/// Whether a hash has a sixth bit: a mask for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SixthBit(u64);

impl SixthBit {
    fn new(is_there: bool) -> SixthBit {
        SixthBit(if is_there { u64::MAX } else { 0 })
    }
}

/// A filter that is being filled.
#[derive(Debug)]
pub struct BloomFilterBuilder {
    lines: ZeroedBuffer<CacheLine>,
    sixth: SixthBit,
}

/// The parts of a filter that is being filled, each of some cache lines.
#[derive(Clone, Copy, Debug)]
pub struct FilterParts {
    lines: usize,
    length: usize,
}

impl FilterParts {
    /// Hashes in the order of their parts.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn partitioned(
        self,
        hashes: impl ExactSizeIterator<Item = u64> + Clone,
    ) -> Result<Partitioned<u64>, StopReason> {
        Partitioned::new(hashes, PARTS, |hash| line_of(hash, self.lines) / self.length)
    }
}

/// The two words of a hash in its cache line, and the bits of each.
struct BitPositions {
    words: [usize; 2],
    bits: [u64; 2],
}

impl BitPositions {
    #[inline]
    fn new(hash: u64, sixth: SixthBit) -> BitPositions {
        // The upper bits of the hash choose the line, so the hash is mixed again for the bits.
        let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = mixed ^ (mixed >> 32);
        let bit = |shift: u32| 1u64 << ((mixed >> shift) & 63);
        let half = WORDS / 2;
        BitPositions {
            words: [
                (mixed >> 36) as usize & (half - 1),
                half + ((mixed >> 38) as usize & (half - 1)),
            ],
            bits: [bit(0) | bit(6) | bit(12), bit(18) | bit(24) | bit(30) & sixth.0],
        }
    }
}

impl BloomFilter {
    /// The filter in these lines, with so many bits a hash; `None` if there are no lines, or not five
    /// or six bits.
    pub fn new(lines: Storage<CacheLine>, bits: u8) -> Option<BloomFilter> {
        let sixth = SixthBit::new(bits == 6);
        (!lines.is_empty() && (bits == 5 || bits == 6)).then_some(BloomFilter { lines, sixth })
    }

    /// How many bits a hash has.
    pub fn bits(&self) -> u8 {
        if self.sixth == SixthBit::new(true) { 6 } else { 5 }
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
        let BitPositions { words: [first, second], bits } = BitPositions::new(hash, self.sixth);
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
        let sixth = SixthBit::new(bits >= BITS_FOR_SIX);
        Ok(BloomFilterBuilder { lines: ZeroedBuffer::new(lines)?, sixth })
    }

    /// How it is divided while it is filled.
    pub fn parts(&self) -> FilterParts {
        FilterParts { lines: self.lines.len(), length: self.lines.len().div_ceil(PARTS) }
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.lines) as u64
    }

    /// Adds hashes: every thread has a part of the set to itself, small enough for its cache.
    pub fn insert_all(&mut self, lists: &[Partitioned<u64>]) {
        let (FilterParts { lines: count, length }, sixth) = (self.parts(), self.sixth);
        self.lines.par_chunks_mut(length).enumerate().for_each(|(part, lines)| {
            for &hash in lists.iter().flat_map(|list| list.part(part)) {
                let BitPositions { words: [first, second], bits } = BitPositions::new(hash, sixth);
                let line = &mut lines[line_of(hash, count) - part * length].0;
                line[first] |= bits[0];
                line[second] |= bits[1];
            }
        });
    }

    /// The finished filter.
    pub fn finish(self) -> BloomFilter {
        BloomFilter { lines: self.lines.into(), sixth: self.sixth }
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
        for (entries, bits, most) in
            [1, 5, 1000, 100_000].into_iter().flat_map(|n| [(n, 12, 2_000), (n, 8, 5_000)])
        {
            let mut filling = BloomFilterBuilder::new(entries, bits).unwrap();
            let all: Vec<u64> = hashes(1).take(entries).collect();
            let list = filling.parts().partitioned(all.iter().copied()).unwrap();
            filling.insert_all(&[list]);
            let filter = filling.finish();
            assert!(hashes(1).take(entries).all(|hash| filter.may_contain(hash)));
            let wrong =
                hashes(1 << 40).take(100_000).filter(|&hash| filter.may_contain(hash)).count();
            assert!(wrong < most, "{wrong} of 100,000 with {entries} entries of {bits} bits");
        }
    }
}
