//! Arrangements packed into machine words.
//!
//! A *label* is the goal cell of a tile, so that the goal is always the identity:
//! cell `c` of the goal holds label `c`. Up to 16 cells fit a [`Nibbles`] (4 bits a
//! cell), up to 25 a [`Quints`] (5 bits a cell), and more go into a [`Wide`] (a byte
//! a cell). Cell 0 is in the lowest bits; the order of two words is that of their
//! last cells first.

use bytemuck::{Pod, Zeroable};
use std::fmt::Debug;
use std::hash::Hash;

/// A packed arrangement: for each cell, the label of what is there.
pub trait Packed: Pod + Eq + Ord + Hash + Debug + Send + Sync {
    /// How many cells fit.
    const CAPACITY: usize;

    /// Packs the labels of all cells; unused cells are zero.
    fn from_labels(labels: &[u8]) -> Self;

    /// The label in a cell.
    fn label(self, cell: usize) -> u8;

    /// Exchanges the labels of two cells, of which `a_label` is known to be in `a`.
    #[must_use]
    fn swapped(self, a: usize, a_label: u8, b: usize) -> Self;

    /// The first cell that holds a label; [`CAPACITY`](Self::CAPACITY) if none does.
    #[inline]
    fn cell_of(self, label: u8) -> usize {
        (0..Self::CAPACITY).find(|&cell| self.label(cell) == label).unwrap_or(Self::CAPACITY)
    }

    /// A well-mixed 64-bit hash.
    fn hash64(self) -> u64;

    /// Writes the labels of the first cells, as many as `labels` has room for.
    #[inline]
    fn unpack(self, labels: &mut [u8]) {
        for (cell, label) in labels.iter_mut().enumerate() {
            *label = self.label(cell);
        }
    }

    /// The labels of the first `cells` cells.
    fn labels(self, cells: usize) -> Vec<u8> {
        let mut labels = vec![0; cells];
        self.unpack(&mut labels);
        labels
    }
}

/// Up to 16 cells of 4 bits in a `u64`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct Nibbles(pub u64);

/// Up to 25 cells of 5 bits in a `u128`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct Quints(pub u128);

/// Up to `N` cells of one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct Wide<const N: usize>(pub [u8; N]);

/// An odd constant with well-spread bits (from the golden ratio).
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiplies to 128 bits and folds: each bit of `a` reaches every bit of the result.
#[inline]
fn fold_multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

impl Packed for Nibbles {
    const CAPACITY: usize = 16;

    fn from_labels(labels: &[u8]) -> Nibbles {
        debug_assert!(labels.len() <= Self::CAPACITY);
        Nibbles(labels.iter().rev().fold(0, |word, &label| word << 4 | u64::from(label)))
    }

    #[inline]
    fn label(self, cell: usize) -> u8 {
        (self.0 >> (4 * cell) & 15) as u8
    }

    #[inline]
    fn swapped(self, a: usize, a_label: u8, b: usize) -> Nibbles {
        let difference = (self.0 >> (4 * b) & 15) ^ u64::from(a_label);
        Nibbles(self.0 ^ difference << (4 * a) ^ difference << (4 * b))
    }

    #[inline]
    fn cell_of(self, label: u8) -> usize {
        // The lowest nibble that is zero is the lowest one whose top bit is set here: only
        // above it can a borrow have gone astray.
        const ONES: u64 = 0x1111_1111_1111_1111;
        let zero_at_label = self.0 ^ (u64::from(label) * ONES);
        let found = zero_at_label.wrapping_sub(ONES) & !zero_at_label & (8 * ONES);
        (found.trailing_zeros() / 4) as usize
    }

    #[inline]
    fn hash64(self) -> u64 {
        fold_multiply(self.0 ^ 0x2d35_8dcc_aa6c_78a5, MIX)
    }
}

impl Packed for Quints {
    const CAPACITY: usize = 25;

    fn from_labels(labels: &[u8]) -> Quints {
        debug_assert!(labels.len() <= Self::CAPACITY);
        // Twelve cells at a time fit a `u64`, whose shifts are cheap.
        let twelve =
            |cells: &[u8]| cells.iter().rev().fold(0, |word, &label| word << 5 | u64::from(label));
        let chunks = labels.chunks(12).rev();
        Quints(chunks.fold(0, |word, chunk| word << 60 | u128::from(twelve(chunk))))
    }

    #[inline]
    fn label(self, cell: usize) -> u8 {
        (self.0 >> (5 * cell) & 31) as u8
    }

    #[inline]
    fn unpack(self, labels: &mut [u8]) {
        let mut word = self.0;
        for chunk in labels.chunks_mut(12) {
            let mut twelve = word as u64;
            for label in chunk {
                *label = (twelve & 31) as u8;
                twelve >>= 5;
            }
            word >>= 60;
        }
    }

    #[inline]
    fn swapped(self, a: usize, a_label: u8, b: usize) -> Quints {
        let difference = (self.0 >> (5 * b) & 31) ^ u128::from(a_label);
        Quints(self.0 ^ difference << (5 * a) ^ difference << (5 * b))
    }

    #[inline]
    fn hash64(self) -> u64 {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        fold_multiply(low ^ 0x2d35_8dcc_aa6c_78a5, high ^ MIX)
    }
}

impl<const N: usize> Packed for Wide<N> {
    const CAPACITY: usize = N;

    fn from_labels(labels: &[u8]) -> Wide<N> {
        let mut cells = [0; N];
        cells[..labels.len()].copy_from_slice(labels);
        Wide(cells)
    }

    #[inline]
    fn label(self, cell: usize) -> u8 {
        self.0[cell]
    }

    #[inline]
    fn swapped(mut self, a: usize, a_label: u8, b: usize) -> Wide<N> {
        debug_assert_eq!(self.0[a], a_label);
        self.0.swap(a, b);
        self
    }

    #[inline]
    fn hash64(self) -> u64 {
        self.0.chunks_exact(8).fold(MIX, |hash, chunk| {
            let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
            fold_multiply(hash ^ word, 0x2d35_8dcc_aa6c_78a5)
        })
    }
}

impl<const N: usize> Ord for Wide<N> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl<const N: usize> PartialOrd for Wide<N> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Prints the labels cell by cell.
fn debug_labels<P: Packed>(word: P, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    f.debug_list().entries((0..P::CAPACITY).map(|cell| word.label(cell))).finish()
}

impl Debug for Nibbles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        debug_labels(*self, f)
    }
}

impl Debug for Quints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        debug_labels(*self, f)
    }
}

impl<const N: usize> Debug for Wide<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        debug_labels(*self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds_its_laws<P: Packed>() {
        let labels: Vec<u8> = (0..P::CAPACITY).map(|c| ((c * 7 + 3) % P::CAPACITY) as u8).collect();
        let word = P::from_labels(&labels);
        assert_eq!(word.labels(P::CAPACITY), labels);
        let mut by_hand = labels.clone();
        by_hand.swap(2, 9);
        let swapped = word.swapped(2, labels[2], 9);
        assert_eq!(swapped, P::from_labels(&by_hand));
        assert_ne!(swapped.hash64(), word.hash64());
        for (cell, &label) in labels.iter().enumerate() {
            assert_eq!(word.cell_of(label), cell);
        }
        assert_eq!(P::from_labels(&labels[..1]).cell_of(labels[0] ^ 1), P::CAPACITY);
        let last_first = |a: &[u8], b: &[u8]| a.iter().rev().cmp(b.iter().rev());
        assert_eq!(word.cmp(&swapped), last_first(&labels, &by_hand));
    }

    #[test]
    fn words_hold_what_was_packed() {
        holds_its_laws::<Nibbles>();
        holds_its_laws::<Quints>();
        holds_its_laws::<Wide<64>>();
    }
}
