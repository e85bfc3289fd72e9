//! Fixed rearrangements of packed words, in a handful of instructions.
//!
//! A move that shifts lines or turns rings carries its tiles over only a few distinct
//! distances, so on a packed word it is a few masked rotations: two for a line, four
//! for a ring. Moves with more distances (custom puzzles) go through a byte shuffle,
//! by SIMD where the processor has it. All moves of a puzzle use the same kind of
//! kernel, so that the choice is one well-predicted branch.

use super::arch::{Avx2, Simd, Ssse3};
use super::moves::Move;
use super::packed::{Nibbles, Packed, Quints, Wide};
use super::permutation::Permutation;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Packed words that can be rearranged by precomputed moves.
pub trait Rearrange: Packed {
    /// What is precomputed for all moves of a puzzle.
    type Plan: Debug + Send + Sync;

    /// Precomputes the moves.
    fn plan(moves: &[Permutation], simd: Simd) -> Self::Plan;

    /// The word after a move.
    #[must_use]
    fn rearranged(self, plan: &Self::Plan, m: Move) -> Self;
}

/// Machine words that rotate.
trait BitWord: Copy {
    const ZERO: Self;
    fn rotated(self, left: u32) -> Self;
    fn and(self, mask: Self) -> Self;
    fn or(self, other: Self) -> Self;
}

impl BitWord for u64 {
    const ZERO: u64 = 0;

    #[inline]
    fn rotated(self, left: u32) -> u64 {
        self.rotate_left(left)
    }

    #[inline]
    fn and(self, mask: u64) -> u64 {
        self & mask
    }

    #[inline]
    fn or(self, other: u64) -> u64 {
        self | other
    }
}

impl BitWord for u128 {
    const ZERO: u128 = 0;

    #[inline]
    fn rotated(self, left: u32) -> u128 {
        self.rotate_left(left)
    }

    #[inline]
    fn and(self, mask: u128) -> u128 {
        self & mask
    }

    #[inline]
    fn or(self, other: u128) -> u128 {
        self | other
    }
}

/// A rearrangement as `TERMS` masked rotations and the cells that stay.
#[derive(Clone, Copy, Debug)]
struct Rotations<W, const TERMS: usize> {
    keep: W,
    terms: [(u32, W); TERMS],
}

impl<W: BitWord, const TERMS: usize> Rotations<W, TERMS> {
    /// `None` if the cells travel over more than `TERMS` distances.
    fn new(
        p: &Permutation,
        bits_of: impl Fn(usize) -> W,
        rotation: impl Fn(usize, usize) -> u32,
    ) -> Option<Self> {
        let mut keep = W::ZERO;
        let mut masks: BTreeMap<u32, W> = BTreeMap::new();
        for to in 0..p.cells() {
            let from = p.source(to);
            if from == to {
                keep = keep.or(bits_of(to));
            } else {
                let mask = masks.entry(rotation(from, to)).or_insert(W::ZERO);
                *mask = mask.or(bits_of(to));
            }
        }
        let mut terms = [(0, W::ZERO); TERMS];
        for (i, term) in masks.into_iter().enumerate() {
            *terms.get_mut(i)? = term;
        }
        Some(Rotations { keep, terms })
    }

    #[inline]
    fn apply(&self, word: W) -> W {
        self.terms
            .iter()
            .fold(word.and(self.keep), |sum, &(left, mask)| sum.or(word.rotated(left).and(mask)))
    }
}

/// The kernel for the moves of one puzzle of up to 16 cells.
#[derive(Debug)]
pub struct NibblesPlan(NibblesKernel);

#[derive(Debug)]
enum NibblesKernel {
    Lines(Vec<Rotations<u64, 2>>),
    Rings(Vec<Rotations<u64, 4>>),
    Shuffle(Ssse3, Vec<[u8; 16]>),
    Scalar(Vec<[u8; 16]>),
}

impl Rearrange for Nibbles {
    type Plan = NibblesPlan;

    fn plan(moves: &[Permutation], simd: Simd) -> NibblesPlan {
        let bits_of = |cell: usize| 15u64 << (4 * cell);
        let rotation = |from: usize, to: usize| (4 * (to + 16 - from) % 64) as u32;
        let all = moves.iter();
        if let Some(lines) = all.clone().map(|p| Rotations::new(p, bits_of, rotation)).collect() {
            return NibblesPlan(NibblesKernel::Lines(lines));
        }
        if let Some(rings) = all.clone().map(|p| Rotations::new(p, bits_of, rotation)).collect() {
            return NibblesPlan(NibblesKernel::Rings(rings));
        }
        let sources: Vec<[u8; 16]> = all.map(padded_sources).collect();
        NibblesPlan(match simd.ssse3() {
            Some(ssse3) => NibblesKernel::Shuffle(ssse3, sources),
            None => NibblesKernel::Scalar(sources),
        })
    }

    #[inline]
    fn rearranged(self, plan: &NibblesPlan, m: Move) -> Nibbles {
        Nibbles(match &plan.0 {
            NibblesKernel::Lines(moves) => moves[m.index()].apply(self.0),
            NibblesKernel::Rings(moves) => moves[m.index()].apply(self.0),
            NibblesKernel::Shuffle(ssse3, moves) => {
                ssse3.shuffle_nibbles(self.0, &moves[m.index()])
            }
            NibblesKernel::Scalar(moves) => shuffle_nibbles(self.0, &moves[m.index()]),
        })
    }
}

/// Cell `c` of the result holds what is in cell `sources[c]`: the scalar twin of
/// [`Ssse3::shuffle_nibbles`].
pub fn shuffle_nibbles(word: u64, sources: &[u8; 16]) -> u64 {
    sources.iter().rev().fold(0, |result, &source| result << 4 | (word >> (4 * source) & 15))
}

/// The kernel for the moves of one puzzle of up to 25 cells.
#[derive(Debug)]
pub struct QuintsPlan(QuintsKernel);

#[derive(Debug)]
enum QuintsKernel {
    Lines(Vec<Rotations<u128, 2>>),
    Rings(Vec<Rotations<u128, 4>>),
    Shuffle(Avx2, Vec<[u8; 32]>),
    Scalar(Vec<[u8; 32]>),
}

impl Rearrange for Quints {
    type Plan = QuintsPlan;

    fn plan(moves: &[Permutation], simd: Simd) -> QuintsPlan {
        let bits_of = |cell: usize| 31u128 << (5 * cell);
        let rotation = |from: usize, to: usize| ((128 + 5 * to - 5 * from) % 128) as u32;
        let all = moves.iter();
        if let Some(lines) = all.clone().map(|p| Rotations::new(p, bits_of, rotation)).collect() {
            return QuintsPlan(QuintsKernel::Lines(lines));
        }
        if let Some(rings) = all.clone().map(|p| Rotations::new(p, bits_of, rotation)).collect() {
            return QuintsPlan(QuintsKernel::Rings(rings));
        }
        let sources: Vec<[u8; 32]> = all.map(padded_sources).collect();
        QuintsPlan(match simd.avx2() {
            Some(avx2) => QuintsKernel::Shuffle(avx2, sources),
            None => QuintsKernel::Scalar(sources),
        })
    }

    #[inline]
    fn rearranged(self, plan: &QuintsPlan, m: Move) -> Quints {
        Quints(match &plan.0 {
            QuintsKernel::Lines(moves) => moves[m.index()].apply(self.0),
            QuintsKernel::Rings(moves) => moves[m.index()].apply(self.0),
            QuintsKernel::Shuffle(avx2, moves) => avx2.shuffle_quints(self.0, &moves[m.index()]),
            QuintsKernel::Scalar(moves) => shuffle_quints(self.0, &moves[m.index()]),
        })
    }
}

/// Cell `c` of the result holds what is in cell `sources[c]`, for the 25 cells: the
/// scalar twin of [`Avx2::shuffle_quints`].
pub fn shuffle_quints(word: u128, sources: &[u8; 32]) -> u128 {
    let cells = sources[..Quints::CAPACITY].iter().rev();
    cells.fold(0, |result, &source| result << 5 | (word >> (5 * u32::from(source)) & 31))
}

/// The sources of all cells; cells beyond the grid stay as they are.
fn padded_sources<const N: usize>(p: &Permutation) -> [u8; N] {
    std::array::from_fn(|cell| p.sources().get(cell).copied().unwrap_or(cell as u8))
}

impl<const N: usize> Rearrange for Wide<N> {
    type Plan = Vec<Permutation>;

    fn plan(moves: &[Permutation], _: Simd) -> Vec<Permutation> {
        moves.to_vec()
    }

    fn rearranged(self, plan: &Vec<Permutation>, m: Move) -> Wide<N> {
        let mut result = self;
        for (cell, &source) in plan[m.index()].sources().iter().enumerate() {
            result.0[cell] = self.0[usize::from(source)];
        }
        result
    }
}
