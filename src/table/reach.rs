//! Which boards may be within so many moves of the goal: for every number of moves up to a
//! radius, a [`Filter`] of the boards that are that near.
//!
//! A board that is not in the filter for r moves is certainly more than r moves away. That is an
//! admissible bound, and a board that is wrongly taken for near costs time and nothing else: a
//! search that goes on from it finds its way barred by the filters below, or ends at the goal
//! itself.
//!
//! Boards stand in the filters as their canonical forms. All layers but the last are made
//! exactly. The last one, which has most of the boards, is never made: what a move leads to from
//! the layer before is put into its filter, whether it was there or not. So 12 bits a board
//! suffice where exact distances take 72, and the radius is one larger in the same memory. An
//! arrangement and its inverse are told apart: that takes twice the memory, and a third of the
//! time for each look-up. On `torus4` the radius is 9 in 34 MB, made in about a second.

use super::filter::{Filter, PARTS};
use super::layers::{Layers, neighbours};
use super::{BuildLimits, BuildStop};
use crate::puzzle::arch::Simd;
use crate::puzzle::canonical::Canonicalizer;
use crate::puzzle::moves::MAX_MOVES;
use crate::puzzle::packed::Packed;
use crate::puzzle::{Move, MoveSet, Puzzle};
use rayon::prelude::*;

/// The bits for each board in a filter.
const BITS: usize = 12;

/// From how many boards what is next to them is put into a filter at a time.
const STRIDE: usize = 1 << 16;

/// The filters of one puzzle.
#[derive(Debug)]
pub struct Reach<P: Puzzle> {
    canonicalizer: Canonicalizer<P::Key>,
    /// By the number of moves.
    filters: Vec<Filter>,
}

/// How far filters may reach.
#[derive(Clone, Copy, Debug)]
pub struct ReachSize {
    /// The most bytes of all filters together.
    pub bytes: u64,
    /// The most boards that are looked at to make the last one.
    pub work: u64,
}

impl<P: Puzzle> Reach<P> {
    /// Makes filters for as long as they fit.
    ///
    /// # Errors
    /// If the build is cancelled; limits on time and memory only make the radius smaller.
    pub fn build(
        puzzle: &P,
        size: ReachSize,
        limits: &BuildLimits<'_>,
        simd: Simd,
    ) -> Result<Reach<P>, BuildStop> {
        let mut layers = Layers::new(puzzle, simd).telling_inverses_apart().keeping_all();
        let moves = puzzle.frame().moves().len() as u64;
        let branching = puzzle.frame().automaton().branching_factor();
        let mut sizes = vec![1];
        // The boards in all filters so far, and those in the last of them.
        let (mut in_all, mut in_last) = (1.0, 1.0);
        loop {
            let last = layers.current().len() as f64;
            let growth = super::growth(&sizes, branching);
            // What it would take to have one more layer exactly, and the one after in a filter.
            let next = in_last + last * growth;
            let after_next = next + last * growth * growth;
            let bytes = (in_all + next + after_next) * BITS as f64 / 8.0;
            if bytes > size.bytes as f64 || moves as f64 * last * growth > size.work as f64 {
                break;
            }
            match layers.advance(limits, &mut |_| {}) {
                Ok(()) if layers.current().is_empty() => break,
                Ok(()) => {
                    sizes.push(layers.current().len());
                    in_last += layers.current().len() as f64;
                    in_all += in_last;
                }
                Err(BuildStop::Memory | BuildStop::Time) => break,
                Err(stop @ BuildStop::Cancelled) => return Err(stop),
            }
        }
        let growth = super::growth(&sizes, branching);
        let (kept, canonicalizer) = layers.into_parts();
        let mut reach = Reach { canonicalizer, filters: Vec::new() };
        let expected = kept.last().map_or(0, |last| (last.len() as f64 * growth) as usize);
        let mut filled = Ok(());
        for radius in 0..kept.len() {
            filled = filled.and_then(|()| reach.add_filter(&kept[..=radius], 0, limits));
        }
        filled = filled.and_then(|()| reach.add_last_filter(puzzle, &kept, expected, limits));
        match filled {
            Err(stop) if stop == BuildStop::Cancelled || reach.filters.is_empty() => Err(stop),
            _ => Ok(reach),
        }
    }

    /// Adds the filter of some layers, with room for more.
    fn add_filter(
        &mut self,
        layers: &[Vec<P::Key>],
        more: usize,
        limits: &BuildLimits<'_>,
    ) -> Result<(), BuildStop> {
        let exact = layers.iter().map(Vec::len).sum::<usize>();
        let entries = exact + more;
        let held = self.bytes() + (exact * size_of::<P::Key>()) as u64;
        limits.check_bytes(held + (entries * BITS / 8) as u64)?;
        let mut filter = Filter::new(entries, BITS).map_err(|_| BuildStop::Memory)?;
        for keys in layers.iter().flat_map(|layer| layer.chunks(STRIDE)) {
            limits.check()?;
            insert(&mut filter, keys);
        }
        self.filters.push(filter);
        Ok(())
    }

    /// Adds the filter of all layers and of what is next to the last of them.
    fn add_last_filter(
        &mut self,
        puzzle: &P,
        layers: &[Vec<P::Key>],
        expected: usize,
        limits: &BuildLimits<'_>,
    ) -> Result<(), BuildStop> {
        self.add_filter(layers, expected, limits)?;
        let mut filter = self.filters.pop().expect("it was just added");
        for keys in layers.last().into_iter().flat_map(|last| last.chunks(STRIDE)) {
            limits.check()?;
            insert(&mut filter, &neighbours(puzzle, &self.canonicalizer, keys));
        }
        self.filters.push(filter);
        Ok(())
    }

    /// Whether a board may be within so many moves of the goal, which are no more than the
    /// radius; certainly if it is.
    #[inline]
    pub fn may_be_within(&self, key: P::Key, moves: u32) -> bool {
        let canonical = self.canonicalizer.canonical_with_inverse(key).key;
        self.filters[moves as usize].may_contain(canonical.hash64())
    }

    /// Of these moves from a state, those after which the goal may be within so many more, which
    /// are no more than the radius. What is to be looked up is brought near for all of them
    /// before the first is looked at.
    #[inline]
    pub fn may_be_within_after(
        &self,
        puzzle: &P,
        state: P::State,
        moves: MoveSet,
        more: u32,
    ) -> MoveSet {
        let filter = &self.filters[more as usize];
        let mut hashes = [0; MAX_MOVES];
        for m in moves {
            let key = puzzle.key(puzzle.apply(state, m));
            let hash = self.canonicalizer.canonical_with_inverse(key).key.hash64();
            filter.prefetch(hash);
            hashes[m.index()] = hash;
        }
        let may_be = |&m: &Move| filter.may_contain(hashes[m.index()]);
        moves.filter(may_be).fold(MoveSet::EMPTY, MoveSet::with)
    }

    /// The most moves that there is a filter for.
    pub fn radius(&self) -> u32 {
        self.filters.len() as u32 - 1
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.filters.iter().map(Filter::bytes).sum()
    }
}

/// Puts canonical forms into a filter.
fn insert<K: Packed>(filter: &mut Filter, keys: &[K]) {
    let lists: Vec<Vec<Vec<u64>>> = keys
        .par_chunks(STRIDE / 4)
        .map(|keys| {
            let mut list = vec![Vec::new(); PARTS];
            for hash in keys.iter().map(|key| key.hash64()) {
                list[filter.part_of(hash)].push(hash);
            }
            list
        })
        .collect();
    filter.insert_all(&lists);
}
