//! Lower bounds near the goal: for every number of moves up to a radius, a [`BloomFilter`] of the
//! boards that are just so many moves from the goal.
//!
//! A board that is not in the filter for r moves is certainly not r moves away. A search that has
//! proven that no solution has fewer than n moves knows of a board that it comes to with r of n moves
//! left: either the goal is just r moves away from there, or at least r + 1, because from a nearer
//! board there would be a solution of fewer than n moves. So one layer is all that has to be looked
//! up, and the filters of nearer ones need no room in it. A false positive costs time and nothing
//! else: a search that goes on from it is pruned by the filters for fewer moves, or ends at the goal
//! itself.
//!
//! Boards stand in the filters as forms: one for a board and its symmetric images and, on up to 16
//! cells, their inverses (`forms`). All layers but the last are made exactly (`shells`). The last
//! one, which has most of the boards, is never made: what a move leads to from the layer before is
//! put into its filter, whether it is farther or not. It has 8 bits a board, which is where another
//! layer is worth more than fewer false positives; the others have 12. On `torus4` the radius is 9
//! in 11 MB, made in about a second, 10 in 100 MB, and 11 in 1 GB.

mod forms;
mod shells;

use super::Built;
use super::bloom_filter::{BloomFilter, BloomFilterBuilder, CacheLine};
use super::file::{FileError, Stored, TableFile};
use crate::limits::{Limits, Observer, StopReason};
use crate::parallel;
use crate::puzzle::board_pair::PairEngine;
use crate::puzzle::moves::{Action, MAX_MOVES};
use crate::puzzle::packed::Packed;
use crate::puzzle::{Frame, Move, MoveSet, Puzzle};
use forms::Forms;
use serde::{Deserialize, Serialize};
use shells::Shells;

/// The bits for each board in a filter.
const BITS: usize = 12;

/// The bits for each board in the last one, if there are few, and if there are many: where the filter
/// is in the cache, false positives cost more than room.
const LAST_BITS: [usize; 2] = [16, 8];

/// With more boards than this, there are many.
const FEW: usize = 12_000_000;

/// The bits for each of so many boards in the last filter.
fn last_bits(boards: usize) -> usize {
    LAST_BITS[usize::from(boards > FEW)]
}

/// How many pieces of a layer go into a filter between two checks of the limits.
const PIECES: usize = 16;

/// The filters of one puzzle: which boards may be how many moves from the goal.
#[derive(Debug)]
pub struct Reach<P: Puzzle> {
    forms: Forms<P>,
    /// By the number of moves.
    filters: Vec<BloomFilter>,
    tile_distances: Box<TileDistances>,
    /// How many boards each is meant for.
    sizes: Vec<u64>,
}

/// By cell and label, how many moves bring the tile home, wherever the others are. Only for up to
/// 16 cells.
pub type TileDistances = [[u8; 16]; 16];

/// The filters of boards that are carried with their inverses, for a search made for that.
#[derive(Clone, Copy, Debug)]
pub struct NearLayers<'a> {
    /// Moves boards, and gives them the forms under which they stand in the filters.
    pub engine: &'a PairEngine,
    /// By the number of moves.
    pub filters: &'a [BloomFilter],
    /// How far each tile is from home.
    pub tile_distances: &'a TileDistances,
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
        let forms = Forms::new(puzzle);
        let mut shells = Shells::new(puzzle, &forms);
        let neighbours = forms.most_neighbours(puzzle.frame()) as f64;
        let branching = puzzle.frame().automaton().branching_factor();
        let mut sizes = vec![1];
        let mut made = Ok(());
        loop {
            let last = shells.last().len() as f64;
            let growth = super::growth(&sizes, branching);
            // What it would take to have one more layer exactly, and the one after in a filter.
            let next = last * growth;
            let exact = sizes.iter().sum::<usize>() as f64 + next;
            let after_next = next * growth;
            let bits = exact * BITS as f64 + after_next * last_bits(after_next as usize) as f64;
            if bits / 8.0 > size.bytes as f64 || neighbours * next > size.work as f64 {
                break;
            }
            let depth = shells.all().len() as u32;
            made = shells.advance(limits, &mut |share| observer.building_table(depth, share));
            if made.is_err() || shells.last().len() == 0 {
                break;
            }
            sizes.push(shells.last().len());
        }
        if made == Err(StopReason::Cancelled) {
            return Err(StopReason::Cancelled);
        }
        let growth = super::growth(&sizes, branching);
        let mut filters = Vec::new();
        let filled = fill(&mut filters, &shells, growth, limits, observer);
        let expected = shells.last().len() as f64 * growth;
        let shells = shells.all().iter().map(|shell| shell.len() as u64);
        let sizes = shells.chain([expected as u64]).take(filters.len()).collect();
        let tile_distances = Box::new(tile_distances(puzzle.frame()));
        let reach = Reach { forms, filters, tile_distances, sizes };
        match made.and(filled) {
            Ok(()) => Ok(Built::Whole(reach)),
            Err(stop) if stop == StopReason::Cancelled || reach.filters.is_empty() => Err(stop),
            Err(stop) => Ok(Built::CutShort(reach, stop)),
        }
    }

    /// The filters in a file of a table of this puzzle.
    ///
    /// # Errors
    /// If the file does not hold what its parameters say.
    pub fn from_file(puzzle: &P, file: &TableFile) -> Result<Reach<P>, FileError> {
        let Parameters { radius, boards, lines, bits } = file.parameters()?;
        let wrong = || file.damaged("its filters are not as its parameters say");
        let mut filters = Vec::new();
        let mut start = 0usize;
        if bits.len() != lines.len() || boards.len() != lines.len() {
            return Err(wrong());
        }
        for (lines, bits) in lines.into_iter().zip(bits) {
            let length = lines.checked_mul(size_of::<CacheLine>());
            let end = length.and_then(|length| start.checked_add(length)).ok_or_else(wrong)?;
            let filter = file.part(start..end).and_then(|lines| BloomFilter::new(lines, bits));
            filters.push(filter.ok_or_else(wrong)?);
            start = end;
        }
        if start as u64 != file.bytes() || filters.len() != radius as usize + 1 {
            return Err(wrong());
        }
        let tile_distances = Box::new(tile_distances(puzzle.frame()));
        Ok(Reach { forms: Forms::new(puzzle), filters, tile_distances, sizes: boards })
    }

    /// Whether a board may be so many moves from the goal, which are no more than the radius; never
    /// false if it is.
    #[inline]
    pub fn may_be_at(&self, key: P::Key, moves: u32) -> bool {
        self.filters[moves as usize].may_contain(self.forms.of(key).hash64())
    }

    /// Of these moves from a state, those after which the goal may be just `more` moves away, which
    /// are no more than the radius. All cache lines are prefetched before the first lookup.
    #[inline]
    pub fn may_be_at_after(
        &self,
        puzzle: &P,
        state: P::State,
        moves: MoveSet,
        more: u32,
    ) -> MoveSet {
        let filter = &self.filters[more as usize];
        let mut hashes = [0; MAX_MOVES];
        for m in moves {
            let hash = self.forms.of(puzzle.key(puzzle.apply(state, m))).hash64();
            filter.prefetch(hash);
            hashes[m.index()] = hash;
        }
        let may_be = |&m: &Move| filter.may_contain(hashes[m.index()]);
        moves.filter(may_be).fold(MoveSet::EMPTY, MoveSet::with)
    }

    /// The filters, if boards are carried with their inverses.
    pub fn near_layers(&self) -> Option<NearLayers<'_>> {
        let Reach { filters, tile_distances, .. } = self;
        self.forms.pairs().map(|engine| NearLayers { engine, filters, tile_distances })
    }

    /// What it would take to have a filter for one move more: how many bytes all would have, and
    /// how many boards would be made for the last one. `None` if there is too little to tell.
    pub fn next_step(&self, frame: &Frame) -> Option<(u64, u64)> {
        let [.., before, last] = *self.sizes.as_slice() else { return None };
        let next = last as f64 * (last as f64 / before.max(1) as f64);
        let exact: u64 = self.sizes.iter().sum();
        let bits = exact as f64 * BITS as f64 + next * last_bits(next as usize) as f64;
        let work = last * self.forms.most_neighbours(frame) as u64;
        Some(((bits / 8.0) as u64, work))
    }

    /// The most moves that there is a filter for.
    pub fn radius(&self) -> u32 {
        self.filters.len() as u32 - 1
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        bytes_of(&self.filters)
    }
}

/// Builds the filters of all layers, and the one after them.
fn fill<P: Puzzle>(
    filters: &mut Vec<BloomFilter>,
    shells: &Shells<'_, P>,
    growth: f64,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Result<(), StopReason> {
    for shell in shells.all() {
        let mut filling = begin(filters, shells.bytes(), shell.len(), BITS, limits)?;
        let pieces = shell.pieces();
        for round in pieces.chunks(PIECES) {
            limits.check_time()?;
            let parts = filling.parts();
            let lists = parallel::map_pieces(round.len(), 1, |range| {
                parts.partitioned(hashes(round[range.start]))
            });
            filling.insert_all(&lists.into_iter().collect::<Result<Vec<_>, StopReason>>()?);
        }
        filters.push(filling.finish());
    }
    // The neighbours of the last layer go into one more filter without becoming a layer.
    let distance = shells.all().len() as u32;
    let expected = (shells.last().len() as f64 * growth) as usize;
    let mut filling = begin(filters, shells.bytes(), expected, last_bits(expected), limits)?;
    let (parts, held) = (filling.parts(), filling.bytes() + bytes_of(filters));
    shells.expand_last(
        limits,
        &mut |share| observer.building_table(distance, share),
        |found| parts.partitioned(hashes(found)),
        |lists| {
            filling.insert_all(&lists);
            Ok(held)
        },
    )?;
    filters.push(filling.finish());
    Ok(())
}

fn hashes<K: Packed>(forms: &[K]) -> impl ExactSizeIterator<Item = u64> + Clone {
    forms.iter().map(|form| form.hash64())
}

fn bytes_of(filters: &[BloomFilter]) -> u64 {
    filters.iter().map(BloomFilter::bytes).sum()
}

/// An empty filter, if there is memory for it besides what is held.
fn begin(
    filters: &[BloomFilter],
    held: u64,
    entries: usize,
    bits: usize,
    limits: &Limits<'_>,
) -> Result<BloomFilterBuilder, StopReason> {
    limits.check_bytes(held + bytes_of(filters) + (entries * bits / 8) as u64)?;
    BloomFilterBuilder::new(entries, bits).map_err(|_| StopReason::Memory)
}

/// How many moves bring each tile home from each cell, on up to 16 cells: breadth-first search from
/// each cell; tiles that never come home are as far as all others together.
fn tile_distances(frame: &Frame) -> TileDistances {
    let mut distances = [[0; 16]; 16];
    let cells = frame.shape().cells();
    let Action::Permutations(moves) = frame.moves().action() else { return distances };
    if cells > distances.len() {
        return distances;
    }
    for home in 0..cells {
        let mut row = [u8::MAX; 16];
        row[home] = 0;
        let mut reached = vec![home];
        let mut next = 0;
        while let Some(&cell) = reached.get(next) {
            next += 1;
            for m in moves {
                // The cell from which the move brings a tile here.
                let from = m.source(cell);
                if row[from] == u8::MAX {
                    row[from] = row[cell] + 1;
                    reached.push(from);
                }
            }
        }
        for cell in 0..cells {
            distances[cell][home] = row[cell].min(cells as u8);
        }
    }
    distances
}

/// The parameters of the filters in a file.
#[derive(Serialize, Deserialize)]
struct Parameters {
    radius: u32,
    /// How many boards each filter is meant for.
    boards: Vec<u64>,
    /// How many cache lines each filter has.
    lines: Vec<usize>,
    /// How many bits a board has in each.
    bits: Vec<u8>,
}

impl<P: Puzzle> Stored for Reach<P> {
    const KIND: &'static str = "reach";

    /// Another hash, another place in a filter or another canonical form makes another version.
    const VERSION: u32 = 2;

    fn parameters(&self) -> serde_json::Value {
        let lines = self.filters.iter().map(|filter| filter.lines().len()).collect();
        let bits = self.filters.iter().map(BloomFilter::bits).collect();
        let (radius, boards) = (self.radius(), self.sizes.clone());
        serde_json::to_value(Parameters { radius, boards, lines, bits })
            .expect("plain numbers are JSON")
    }

    fn entries(&self) -> u64 {
        self.sizes.iter().sum()
    }

    fn parts(&self) -> Vec<&[u8]> {
        self.filters.iter().map(|filter| bytemuck::cast_slice(filter.lines())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Silent;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{AnyPuzzle, Goal, PuzzleVisitor, registry};
    use crate::table::file::{Access, Description};
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
            let file =
                TableFile::open_checked::<Reach<P>>(self.path, fingerprint, Access::Read).unwrap();
            let read = Reach::from_file(puzzle, &file).unwrap();
            assert_eq!((read.radius(), read.bytes()), (reach.radius(), reach.bytes()));
            assert_eq!((read.parts(), read.entries()), (reach.parts(), reach.entries()));
            assert!(read.may_be_at(puzzle.key(puzzle.goal()), 0));
            // Parameters that the entries do not fit.
            for (radius, lines) in [(0, vec![1]), (1, vec![1, 0]), (9, vec![1, 1])] {
                let (boards, bits) = (vec![1; lines.len()], vec![6; lines.len()]);
                let parameters = Parameters { radius, boards, lines, bits };
                let parameters = serde_json::to_value(parameters).unwrap();
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
            [0x318f_e313_d197_7b0e, 0x4281_deba_ffec_4bca, 0xd591_c99d_c8bb_18f6];
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
