//! Lower bounds near the goal: for every number of moves up to a radius, a [`BloomFilter`] of the
//! boards that are within as many moves of the goal.
//!
//! A board that is not in the filter for r moves is certainly more than r moves away. That is an
//! admissible bound, and a false positive costs time and nothing else: a search that goes on from
//! it is pruned by the filters for fewer moves, or ends at the goal itself.
//!
//! Boards stand in the filters as their canonical forms. All layers but the last are made
//! exactly. The last one, which has most of the boards, is never made: what a move leads to from
//! the layer before is put into its filter, whether it was there or not. So 12 bits a board
//! suffice where exact distances take 72, and the radius is one larger in the same memory. An
//! arrangement and its inverse are not identified: that takes twice the memory, and a third of
//! the time for each lookup. On `torus4` the radius is 9 in 34 MB, made in about a second.

use super::Built;
use super::bloom_filter::{BloomFilter, BloomFilterBuilder, CacheLine, PARTS};
use super::file::{FileError, Stored, TableFile};
use super::layers::{Layers, neighbours};
use crate::limits::{Limits, Observer, StopReason};
use crate::parallel;
use crate::puzzle::canonical::Canonicalizer;
use crate::puzzle::moves::MAX_MOVES;
use crate::puzzle::packed::Packed;
use crate::puzzle::{Move, MoveSet, Puzzle};
use serde::{Deserialize, Serialize};

/// The bits for each board in a filter.
const BITS: usize = 12;

/// From how many boards the neighbours are put into a filter at a time.
const STRIDE: usize = 1 << 13;

/// The filters of one puzzle: which boards may be within how many moves of the goal.
#[derive(Debug)]
pub struct Reach<P: Puzzle> {
    canonicalizer: Canonicalizer<P::Key>,
    /// By the number of moves.
    filters: Vec<BloomFilter>,
    /// How many boards the last of them is meant for; 0 if it was cut short.
    boards: u64,
}

/// Limits on the size of the filters.
#[derive(Clone, Copy, Debug)]
pub struct ReachSize {
    /// The most bytes of all filters together.
    pub bytes: u64,
    /// The most boards that are generated for the last one.
    pub work: u64,
}

impl<P: Puzzle> Reach<P> {
    /// Builds filters for as many moves as fit.
    ///
    /// # Errors
    /// If the build is cancelled; limits on time and memory only make the radius smaller.
    pub fn build(
        puzzle: &P,
        size: ReachSize,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Built<Reach<P>>, StopReason> {
        let mut layers = Layers::new(puzzle).distinguishing_inverses().keeping_all();
        let moves = puzzle.frame().moves().len() as u64;
        let branching = puzzle.frame().automaton().branching_factor();
        let mut sizes = vec![1];
        // The boards in all filters so far, and those in the last of them.
        let (mut in_all, mut in_last) = (1.0, 1.0);
        let mut made = Ok(());
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
            let depth = layers.depth() + 1;
            made = layers
                .advance(limits, &mut |done| observer.building_table(depth, done as f64 / last));
            if made.is_err() || layers.current().is_empty() {
                break;
            }
            sizes.push(layers.current().len());
            in_last += layers.current().len() as f64;
            in_all += in_last;
        }
        if made == Err(StopReason::Cancelled) {
            return Err(StopReason::Cancelled);
        }
        let growth = super::growth(&sizes, branching);
        let (kept, canonicalizer) = layers.into_parts();
        let mut reach = Reach { canonicalizer, filters: Vec::new(), boards: 0 };
        let filled = reach.fill(puzzle, &kept, growth, limits, observer);
        match made.and(filled) {
            Ok(()) => Ok(Built::Whole(reach)),
            Err(stop) if stop == StopReason::Cancelled || reach.filters.is_empty() => Err(stop),
            Err(stop) => Ok(Built::CutShort(reach, stop)),
        }
    }

    /// Builds the filters of all layers, and the one after them.
    fn fill(
        &mut self,
        puzzle: &P,
        layers: &[Vec<P::Key>],
        growth: f64,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        for radius in 0..layers.len() {
            let filling = self.filled_with(layers, radius, 0, limits)?;
            self.filters.push(filling.finish());
        }
        let Some(last) = layers.last() else { return Ok(()) };
        // The neighbours of the last layer go into one more filter without becoming a layer.
        let expected = (last.len() as f64 * growth) as usize;
        let mut filling = self.filled_with(layers, layers.len() - 1, expected, limits)?;
        for (index, keys) in last.chunks(STRIDE).enumerate() {
            limits.check_time()?;
            insert(&mut filling, &neighbours(puzzle, &self.canonicalizer, keys)?);
            let done = index * STRIDE + keys.len();
            observer.building_table(layers.len() as u32, done as f64 / last.len() as f64);
        }
        self.filters.push(filling.finish());
        self.boards = (layers.iter().map(Vec::len).sum::<usize>() + expected) as u64;
        Ok(())
    }

    /// A set with the boards of the layers up to a radius, and with room for more.
    fn filled_with(
        &self,
        layers: &[Vec<P::Key>],
        radius: usize,
        more: usize,
        limits: &Limits<'_>,
    ) -> Result<BloomFilterBuilder, StopReason> {
        let count = |layers: &[Vec<P::Key>]| layers.iter().map(Vec::len).sum::<usize>();
        let entries = count(&layers[..=radius]) + more;
        let held = self.bytes() + (count(layers) * size_of::<P::Key>()) as u64;
        limits.check_bytes(held + (entries * BITS / 8) as u64)?;
        let mut filling = BloomFilterBuilder::new(entries, BITS).map_err(|_| StopReason::Memory)?;
        for keys in layers[..=radius].iter().flat_map(|layer| layer.chunks(STRIDE)) {
            limits.check_time()?;
            insert(&mut filling, keys);
        }
        Ok(filling)
    }

    /// The filters in a file of a table of this puzzle.
    ///
    /// # Errors
    /// If the file does not hold what its parameters say.
    pub fn from_file(puzzle: &P, file: &TableFile) -> Result<Reach<P>, FileError> {
        let Parameters { radius, lines } = file.parameters()?;
        let wrong = || file.damaged("its filters are not as its parameters say");
        let mut filters = Vec::new();
        let mut start = 0usize;
        for lines in lines {
            let length = lines.checked_mul(size_of::<CacheLine>());
            let end = length.and_then(|length| start.checked_add(length)).ok_or_else(wrong)?;
            let filter = file.part(start..end).and_then(BloomFilter::new);
            filters.push(filter.ok_or_else(wrong)?);
            start = end;
        }
        if start as u64 != file.bytes() || filters.len() != radius as usize + 1 {
            return Err(wrong());
        }
        let mut canonicalizer = Canonicalizer::new(puzzle);
        canonicalizer.distinguish_inverses();
        Ok(Reach { canonicalizer, filters, boards: file.description().entries })
    }

    /// Whether a board may be within `moves` of the goal, which are no more than the radius; never
    /// false if it is.
    #[inline]
    pub fn may_be_within(&self, key: P::Key, moves: u32) -> bool {
        let canonical = self.canonicalizer.canonical_with_inverse(key).key;
        self.filters[moves as usize].may_contain(canonical.hash64())
    }

    /// Of these moves from a state, those after which the goal may be within `more` moves, which
    /// are no more than the radius. All cache lines are prefetched before the first lookup.
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
        self.filters.iter().map(BloomFilter::bytes).sum()
    }
}

/// The parameters of the filters in a file.
#[derive(Serialize, Deserialize)]
struct Parameters {
    radius: u32,
    /// How many cache lines each filter has.
    lines: Vec<usize>,
}

impl<P: Puzzle> Stored for Reach<P> {
    const KIND: &'static str = "reach";

    /// Another hash, another place in a filter or another canonical form makes another version.
    const VERSION: u32 = 1;

    fn parameters(&self) -> serde_json::Value {
        let lines = self.filters.iter().map(|filter| filter.lines().len()).collect();
        serde_json::to_value(Parameters { radius: self.radius(), lines })
            .expect("plain numbers are JSON")
    }

    fn entries(&self) -> u64 {
        self.boards
    }

    fn parts(&self) -> Vec<&[u8]> {
        self.filters.iter().map(|filter| bytemuck::cast_slice(filter.lines())).collect()
    }
}

/// Puts canonical forms into a filter.
fn insert<K: Packed>(filter: &mut BloomFilterBuilder, keys: &[K]) {
    let lists = parallel::map_pieces(keys.len(), STRIDE / 4, |range| {
        let mut list = vec![Vec::new(); PARTS];
        for hash in keys[range].iter().map(|key| key.hash64()) {
            list[filter.part_of(hash)].push(hash);
        }
        list
    });
    filter.insert_all(&lists);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Silent;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{AnyPuzzle, Goal, PuzzleVisitor, registry};
    use crate::table::file::Description;
    use crate::table::fingerprint::Fingerprint;
    use std::path::Path;
    use xxhash_rust::xxh3::xxh3_64;

    /// Makes filters, and reads them again from a file; returns the hash of all of them.
    struct ThereAndBack<'a> {
        path: &'a Path,
    }

    /// The last progress that was reported.
    struct Last(u32, f64);

    impl Observer for Last {
        fn building_table(&mut self, distance: u32, share: f64) {
            (self.0, self.1) = (distance, share);
        }
    }

    impl PuzzleVisitor for ThereAndBack<'_> {
        type Output = u64;

        fn visit<P: Puzzle>(self, puzzle: &P) -> u64 {
            let size = ReachSize { bytes: 50_000, work: u64::MAX };
            let limits = Limits::default();
            let mut last = Last(0, 0.0);
            let built = Reach::build(puzzle, size, &limits, &mut last).unwrap();
            let Built::Whole(reach) = built else { panic!("there was no limit") };
            assert_eq!((last.0, last.1), (reach.radius(), 1.0));
            let fingerprint = Fingerprint::new(puzzle.frame());
            let description = Description::new(&reach, puzzle.frame().id(), fingerprint);
            TableFile::write(self.path, &reach, &description).unwrap();
            let file = TableFile::open_checked::<Reach<P>>(self.path, fingerprint).unwrap();
            let read = Reach::from_file(puzzle, &file).unwrap();
            assert_eq!((read.radius(), read.bytes()), (reach.radius(), reach.bytes()));
            assert_eq!((read.parts(), read.entries()), (reach.parts(), reach.entries()));
            assert!(read.may_be_within(puzzle.key(puzzle.goal()), 0));
            // Parameters that the entries do not fit.
            for (radius, lines) in [(0, vec![1]), (1, vec![1, 0]), (9, vec![1, 1])] {
                let parameters = serde_json::to_value(Parameters { radius, lines }).unwrap();
                let description = Description { parameters, ..description.clone() };
                TableFile::write(self.path, &reach, &description).unwrap();
                let file = TableFile::open(self.path).unwrap();
                let error = Reach::from_file(puzzle, &file).err();
                assert!(error.is_some_and(|error| error.fault.is_corruption()));
            }
            xxh3_64(&reach.parts().concat())
        }
    }

    /// Golden: tables of older versions hold just this. If it changes, so must
    /// [`Stored::VERSION`].
    #[test]
    fn filters_are_the_same_after_a_file_and_for_ever() {
        const HASHES: [u64; 3] =
            [0x16dc_b6b6_b952_188d, 0x85ca_9853_2565_3149, 0x234d_05a7_9cdf_93b6];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        for simd in [Simd::detect(), Simd::off()] {
            let hashes = ["torus4", "rings5", "torus:3x5"].map(|id| {
                let definition = registry::define(id).unwrap();
                let puzzle = AnyPuzzle::new(definition, Goal::Default, simd).unwrap();
                puzzle.visit(ThereAndBack { path: &path })
            });
            assert_eq!(hashes, HASHES, "{hashes:#x?}");
        }
    }

    #[test]
    fn what_a_limit_cuts_short_is_told() {
        struct CutShort;
        impl PuzzleVisitor for CutShort {
            type Output = ();
            fn visit<P: Puzzle>(self, puzzle: &P) {
                let size = ReachSize { bytes: 1_000_000, work: u64::MAX };
                let limits = Limits { bytes: Some(300_000), ..Limits::default() };
                let built = Reach::build(puzzle, size, &limits, &mut Silent);
                let built = built.unwrap();
                assert!(matches!(&built, Built::CutShort(_, StopReason::Memory)));
                assert!(built.table().bytes() < 300_000);
            }
        }
        let torus4 = registry::define("torus4").unwrap();
        AnyPuzzle::new(torus4, Goal::Default, Simd::detect()).unwrap().visit(CutShort);
    }
}
