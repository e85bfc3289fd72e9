//! Canonical forms: one arrangement that stands for all its symmetric images.
//!
//! Comparing all images would cost 128 permutations on the 4x4 torus. Instead, few
//! candidates are compared, chosen in a way that all images of an arrangement agree on:
//!
//! 1. The pairs (cell, label) fall into classes under the symmetries; classes of pairs
//!    that few symmetries fix come first. A cell has the class of its pair.
//! 2. A cell's rank is the class of the cell, then that of the cell to which what is in it
//!    belongs, then that of the cell after that. Choose the cells of least rank: mostly
//!    there is just one.
//! 3. The candidates are the symmetries that take the pair of a chosen cell to the first
//!    pair of its class. For each cell there are as many as the pair's stabilizer has
//!    elements: a coset.
//! 4. The canonical form is the smallest candidate image.
//!
//! If `s' = g s`, the candidates of `s'` are those of `s` times `g⁻¹`, so the images are
//! the same, and so is the smallest. The symmetries that reach it form one coset of the
//! stabilizer of `s`, all of them are candidates, and each is met once: their number is
//! the order of that stabilizer, which gives the size of the class of `s` for free.

use super::Puzzle;
use super::arch::{Avx2, Shuffle16, Shuffle32, Simd, Ssse3};
use super::board_pair::Paired;
use super::packed::{Nibbles, Packed, Quints, Wide};
use super::permutation::Permutation;
use super::rearrange::Rearrange;
use crate::board::MAX_CELLS;
use std::convert::Infallible;
use std::fmt::Debug;

/// Packed words that may have a SIMD path to their canonical form.
pub trait Canonicalize: Packed + Rearrange + Paired {
    /// The tables of that path.
    type Fast: Debug + Send + Sync;

    /// The tables, if this processor and these symmetries allow it.
    fn fast(classes: &PairClasses, simd: Simd) -> Option<Self::Fast>;

    /// The smallest candidate image, and how many candidates give it.
    fn canonical_fast(self, fast: &Self::Fast) -> (Self, u32);
}

/// A canonical form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canonical<K> {
    /// The arrangement that stands for the class.
    pub key: K,
    /// How many arrangements the class has.
    pub class_size: u32,
}

/// The classes of (cell, label) pairs under a group of symmetries.
#[derive(Clone, Debug)]
pub struct PairClasses {
    pub(super) cells: usize,
    /// Where each cell goes and where each comes from, by symmetry.
    pub(super) symmetries: Vec<(Permutation, Permutation)>,
    /// The class of each pair.
    pub(super) class: Vec<u16>,
    /// How many symmetries fix a pair of the class.
    pub(super) stabilizer: Vec<u16>,
    /// For each pair, the first of its candidates; there are `stabilizer` many.
    pub(super) start: Vec<u32>,
    /// The symmetries that take a pair to the first of its class.
    pub(super) candidates: Vec<u16>,
}

impl PairClasses {
    pub(super) fn new(cells: usize, symmetries: &[Permutation]) -> PairClasses {
        let pair = |cell: usize, label: usize| cell * cells + label;
        let image =
            |sigma: &Permutation, p: usize| pair(sigma.source(p / cells), sigma.source(p % cells));
        let mut first_of_class: Vec<(usize, usize)> = Vec::new();
        let mut seen = vec![false; cells * cells];
        for first in 0..cells * cells {
            if !seen[first] {
                symmetries.iter().for_each(|sigma| seen[image(sigma, first)] = true);
                let fixing = symmetries.iter().filter(|sigma| image(sigma, first) == first);
                first_of_class.push((fixing.count(), first));
            }
        }
        first_of_class.sort_unstable();
        let mut class = vec![0; cells * cells];
        for (number, &(_, first)) in first_of_class.iter().enumerate() {
            symmetries.iter().for_each(|sigma| class[image(sigma, first)] = number as u16);
        }
        let mut start = Vec::new();
        let mut candidates = Vec::new();
        for p in 0..cells * cells {
            start.push(candidates.len() as u32);
            let (_, first) = first_of_class[usize::from(class[p])];
            let taking =
                symmetries.iter().enumerate().filter(|(_, sigma)| image(sigma, p) == first);
            candidates.extend(taking.map(|(index, _)| index as u16));
        }
        let stabilizer = first_of_class.iter().map(|&(fixing, _)| fixing as u16).collect();
        let both_ways = |sigma: &Permutation| (sigma.clone(), sigma.inverse());
        let symmetries = symmetries.iter().map(both_ways).collect();
        PairClasses { cells, symmetries, class, stabilizer, start, candidates }
    }

    /// The candidates of a pair.
    #[inline]
    fn candidates(&self, pair: usize, class: u16) -> &[u16] {
        let start = self.start[pair] as usize;
        &self.candidates[start..start + usize::from(self.stabilizer[usize::from(class)])]
    }

    /// The tables for byte shuffles on the 4x4 torus, if that is what the classes fit.
    fn shuffle16(&self) -> Option<Shuffle16> {
        let displaced = |cell: usize, by: usize| {
            (((cell >> 2) + (by >> 2)) & 3) << 2 | (((cell & 3) + (by & 3)) & 3)
        };
        let class_of = |cell: usize, by: usize| self.class[cell * 16 + displaced(cell, by)];
        let fits = self.cells == 16
            && self.stabilizer.len() <= Shuffle16::MOST_CLASSES
            && self.symmetries.len() <= 256
            && (0..16).all(|cell| (0..16).all(|by| class_of(cell, by) == class_of(0, by)));
        if !fits {
            return None;
        }
        let stabilizer = |class: usize| self.stabilizer.get(class).copied().unwrap_or(0);
        let bytes = |p: &Permutation| -> [u8; 16] { p.sources().try_into().expect("16 cells") };
        Some(Shuffle16 {
            class: std::array::from_fn(|by| class_of(0, by) as u8),
            start: std::array::from_fn(|pair| self.start[pair] as u16),
            stabilizer: std::array::from_fn(|class| stabilizer(class) as u8),
            candidates: self.candidates.iter().map(|&index| index as u8).collect(),
            images: self.symmetries.iter().map(|(to, from)| (bytes(from), bytes(to))).collect(),
        })
    }

    /// The tables for byte shuffles on up to 25 cells, if a class's number fits a byte.
    fn shuffle32(&self) -> Option<Shuffle32> {
        const OFF_GRID: u8 = u8::MAX;
        if self.cells > Quints::CAPACITY || self.stabilizer.len() >= usize::from(OFF_GRID) {
            return None;
        }
        let pair = |cell: usize, label: usize| cell * self.cells + label;
        let on_grid = |cell: usize, label: usize| cell < self.cells && label < self.cells;
        let class = |cell: usize, label: usize| {
            if on_grid(cell, label) { self.class[pair(cell, label)] as u8 } else { OFF_GRID }
        };
        let start = |cell: usize, label: usize| {
            if on_grid(cell, label) { self.start[pair(cell, label)] as u16 } else { 0 }
        };
        let bytes = |p: &Permutation| -> [u8; 32] {
            std::array::from_fn(|cell| p.sources().get(cell).copied().unwrap_or(0))
        };
        debug_assert!(self.candidates.len() <= usize::from(u16::MAX));
        Some(Shuffle32 {
            class: std::array::from_fn(|cell| std::array::from_fn(|label| class(cell, label))),
            start: std::array::from_fn(|cell| std::array::from_fn(|label| start(cell, label))),
            stabilizer: self.stabilizer.clone(),
            candidates: self.candidates.clone(),
            images: self.symmetries.iter().map(|(to, from)| (bytes(from), bytes(to))).collect(),
            grid: (1 << (5 * self.cells)) - 1,
        })
    }

    /// The smallest candidate image, and how many candidates give it.
    fn canonical<K: Packed>(&self, key: K) -> (K, u32) {
        let mut buffer = [0; MAX_CELLS];
        let labels = &mut buffer[..self.cells];
        key.unpack(labels);
        let pair = |cell: usize| cell * self.cells + usize::from(labels[cell]);
        let mut smallest = Smallest::new(self.cells);
        if self.symmetries.len() <= FEW_SYMMETRIES {
            self.symmetries.iter().for_each(|symmetry| smallest.consider(labels, symmetry));
            return smallest.packed();
        }
        let mut classes = [0u16; MAX_CELLS];
        for (cell, class) in classes[..self.cells].iter_mut().enumerate() {
            *class = self.class[pair(cell)];
        }
        let rank = |cell: usize| {
            let second = usize::from(labels[cell]);
            let third = usize::from(labels[second]);
            [classes[cell], classes[second], classes[third]]
                .map(u64::from)
                .iter()
                .fold(0, |rank, class| rank << 16 | class)
        };
        let least = (0..self.cells).map(rank).min().expect("a grid has cells");
        let chosen = (least >> 32) as u16;
        for cell in (0..self.cells).filter(|&cell| rank(cell) == least) {
            for &candidate in self.candidates(pair(cell), chosen) {
                smallest.consider(labels, &self.symmetries[usize::from(candidate)]);
            }
        }
        smallest.packed()
    }
}

/// Up to this many images are compared without choosing candidates first.
const FEW_SYMMETRIES: usize = 4;

/// The smallest image so far.
struct Smallest {
    labels: [u8; MAX_CELLS],
    cells: usize,
    /// How many symmetries give it.
    ties: u32,
}

impl Smallest {
    fn new(cells: usize) -> Smallest {
        Smallest { labels: [u8::MAX; MAX_CELLS], cells, ties: 0 }
    }

    #[inline]
    fn consider(&mut self, labels: &[u8], (to, from): &(Permutation, Permutation)) {
        let image = |cell: usize| to.sources()[usize::from(labels[from.source(cell)])];
        // The last cell is the most significant, as in the packed words.
        let difference = (0..self.cells).rev().find(|&cell| image(cell) != self.labels[cell]);
        match difference {
            None => self.ties += 1,
            Some(cell) if image(cell) < self.labels[cell] => {
                for (below, label) in self.labels[..=cell].iter_mut().enumerate() {
                    *label = image(below);
                }
                self.ties = 1;
            }
            Some(_) => {}
        }
    }

    fn packed<K: Packed>(&self) -> (K, u32) {
        (K::from_labels(&self.labels[..self.cells]), self.ties)
    }
}

/// Finds the canonical forms of one puzzle's arrangements.
#[derive(Debug)]
pub struct Canonicalizer<K: Canonicalize> {
    classes: PairClasses,
    fast: Option<K::Fast>,
    inversion: bool,
}

impl<K: Canonicalize> Canonicalizer<K> {
    /// Builds the tables for all symmetries of a puzzle, and for inversion where the
    /// moves are closed under it.
    pub fn new<P: Puzzle<Key = K>>(puzzle: &P) -> Canonicalizer<K> {
        let frame = puzzle.frame();
        let classes = PairClasses::new(frame.shape().cells(), frame.symmetries());
        // Where all images are compared, there are no candidates to choose.
        let few = classes.symmetries.len() <= FEW_SYMMETRIES;
        let fast = if few { None } else { K::fast(&classes, frame.simd()) };
        Canonicalizer { classes, fast, inversion: frame.has_inversion() }
    }

    /// Uses the scalar code only, to compare it with the SIMD code.
    #[must_use]
    pub fn without_simd(self) -> Self {
        Canonicalizer { fast: None, ..self }
    }

    /// Stops identifying an arrangement with its inverse.
    pub fn distinguish_inverses(&mut self) {
        self.inversion = false;
    }

    /// Whether an arrangement and its inverse have the same canonical form.
    pub fn identifies_inverses(&self) -> bool {
        self.inversion
    }

    /// The canonical form under the grid symmetries.
    #[inline]
    pub fn canonical(&self, key: K) -> Canonical<K> {
        let symmetries = self.classes.symmetries.len() as u32;
        if symmetries == 1 {
            return Canonical { key, class_size: 1 };
        }
        let (key, stabilizer) = match &self.fast {
            Some(fast) => key.canonical_fast(fast),
            None => self.classes.canonical(key),
        };
        Canonical { key, class_size: symmetries / stabilizer }
    }

    /// The canonical form under the grid symmetries and, where the puzzle has it, inversion.
    #[inline]
    pub fn canonical_with_inverse(&self, key: K) -> Canonical<K> {
        let direct = self.canonical(key);
        if !self.inversion {
            return direct;
        }
        let inverse = self.canonical(inverse(key, self.classes.cells));
        if inverse.key == direct.key {
            return direct;
        }
        Canonical { key: direct.key.min(inverse.key), class_size: 2 * direct.class_size }
    }
}

/// The arrangement in which cells and labels have changed places.
#[inline]
pub fn inverse<K: Packed>(key: K, cells: usize) -> K {
    let mut labels = [0; MAX_CELLS];
    let mut inverse = [0; MAX_CELLS];
    key.unpack(&mut labels[..cells]);
    for (cell, &label) in labels[..cells].iter().enumerate() {
        inverse[usize::from(label)] = cell as u8;
    }
    K::from_labels(&inverse[..cells])
}

impl Canonicalize for Nibbles {
    type Fast = (Ssse3, Box<Shuffle16>);

    fn fast(classes: &PairClasses, simd: Simd) -> Option<Self::Fast> {
        Some((simd.ssse3()?, Box::new(classes.shuffle16()?)))
    }

    #[inline]
    fn canonical_fast(self, (ssse3, tables): &Self::Fast) -> (Nibbles, u32) {
        let (word, ties) = ssse3.canonical_nibbles(self.0, tables);
        (Nibbles(word), ties)
    }
}

impl Canonicalize for Quints {
    type Fast = (Avx2, Box<Shuffle32>);

    fn fast(classes: &PairClasses, simd: Simd) -> Option<Self::Fast> {
        Some((simd.avx2()?, Box::new(classes.shuffle32()?)))
    }

    #[inline]
    fn canonical_fast(self, (avx2, tables): &Self::Fast) -> (Quints, u32) {
        let (word, ties) = avx2.canonical_quints(self.0, tables);
        (Quints(word), ties)
    }
}

impl<const N: usize> Canonicalize for Wide<N> {
    type Fast = Infallible;

    fn fast(_: &PairClasses, _: Simd) -> Option<Infallible> {
        None
    }

    fn canonical_fast(self, fast: &Infallible) -> (Wide<N>, u32) {
        match *fast {}
    }
}
