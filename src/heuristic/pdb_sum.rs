//! The sum of additive pattern databases over all tiles of the board and of its mirror image, made
//! for beam search on sliding puzzles of every size.
//!
//! A beam orders boards by the plain **sum** over both sides, which distinguishes more boards than
//! their maximum does. The estimate is the mean of the sides, **admissible and consistent** because each
//! side is, and because both have the parity of the board, so that the mean is an integer.
//!
//! The number of tiles in a pattern depends on memory and on the time to build the tables
//! ([`sizes()`]): those of the first size are ready at once, on the largest boards single tiles, whose
//! sum is the Manhattan distance; the best have six tiles.

mod division;
mod scorer;
mod sizes;

pub use sizes::{ScoreSize, sizes};

use super::orientation::AnyCellMap;
use super::scorer::Scorer;
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::board::MAX_CELLS;
use crate::limits::StopReason;
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame, Move, Puzzle};
use crate::table::sliding::rows::{MOST_TILES, RowTable, SharedSets, Tracks};
use crate::table::source::TableSource;
use division::Division;
use scorer::{Layout, MOVES};

/// Patterns of at least this many tiles are updated incrementally: the cells of fewer are sorted as
/// quickly.
const TRACKED_TILES: usize = 5;

/// Sums of pattern databases.
#[derive(Debug)]
pub struct PdbSum {
    size: ScoreSize,
    tables: Vec<RowTable>,
    /// By number of tiles, what the incremental update of such patterns needs; `None` where tiles are
    /// few, or the board is too large.
    tracks: Vec<Option<Tracks>>,
    /// From the board, or its mirror image, to the tables.
    maps: Vec<AnyCellMap>,
    /// The board and, where that adds something, its mirror image.
    sides: Vec<Side>,
    /// The label of the blank.
    blank: u8,
    /// By the blank's cell and the move, where the blank goes; the cell itself where it cannot.
    targets: Box<[[u8; MOVES]; MAX_CELLS]>,
    /// By move, the one that undoes it.
    inverse: [u8; MOVES],
    /// By label and cell.
    hashes: Vec<[u64; MAX_CELLS]>,
    layout: Layout,
}

/// The board or its mirror image.
#[derive(Debug)]
struct Side {
    /// By label, the number of its pattern.
    pattern_of: [u8; MAX_CELLS],
    /// By label, its number in the pattern.
    tile_of: [u8; MAX_CELLS],
    patterns: Vec<PatternView>,
    /// How many patterns the sides before have.
    first: usize,
}

/// A pattern, and the map from the board to its table.
#[derive(Debug)]
struct PatternView {
    table: usize,
    map: usize,
    tiles: usize,
    /// The tiles in the order of their goals in the table, and zeros.
    labels: [u8; MOST_TILES],
}

/// The cell of each label.
fn places_of(labels: &[u8]) -> [u8; MAX_CELLS] {
    let mut places = [0; MAX_CELLS];
    labels.iter().zip(0..=u8::MAX).for_each(|(&label, cell)| places[usize::from(label)] = cell);
    places
}

impl PdbSum {
    /// How many bytes the tables take.
    pub(crate) fn bytes(&self) -> u64 {
        let tracks: u64 = self.tracks.iter().flatten().map(Tracks::bytes).sum();
        tracks + self.tables.iter().map(RowTable::bytes).sum::<u64>()
    }

    /// The sum that is ready at once.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn quick(frame: &Frame, tables: &TableSource<'_>) -> Result<PdbSum, StopReason> {
        let first = sizes(frame).into_iter().next().ok_or(StopReason::Memory)?;
        PdbSum::with_size(frame, first, tables)
    }

    /// The sum of patterns of a size.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn with_size(
        frame: &Frame,
        size: ScoreSize,
        tables: &TableSource<'_>,
    ) -> Result<PdbSum, StopReason> {
        let blank = frame.blank_label().expect("the puzzle has a blank");
        let cells = frame.shape().cells();
        let Division { tables: needed, patterns, maps: turned } = Division::new(frame, size.tiles);
        let mut shared = SharedSets::default();
        let of_pattern = |pattern| tables.rows(pattern, &mut shared);
        let tables: Vec<RowTable> = needed.into_iter().map(of_pattern).collect::<Result<_, _>>()?;
        // The mirror image of single tiles, or of all tiles, says what the board says.
        let says_more = size.tiles > 1 && patterns.len() > 1;
        let (mut maps, mut sides, mut first) = (Vec::new(), Vec::new(), 0);
        for turned in turned.iter().take(if says_more { 2 } else { 1 }) {
            let (mut pattern_of, mut tile_of) = ([0; MAX_CELLS], [0; MAX_CELLS]);
            let mut views = Vec::new();
            for (number, (table, seen)) in patterns.iter().enumerate() {
                let map: AnyCellMap = turned.map(|cell| seen[usize::from(cell)]);
                let known = maps.iter().position(|known| *known == map);
                let map_number = known.unwrap_or(maps.len());
                if known.is_none() {
                    maps.push(map);
                }
                let goals = &tables[*table].pattern().tiles;
                let mut labels = [0; MOST_TILES];
                for (tile, (label, goal)) in (0..).zip(labels.iter_mut().zip(goals)) {
                    let cell = map[..cells].iter().position(|cell| cell == goal);
                    *label = cell.expect("each cell is seen") as u8;
                    pattern_of[usize::from(*label)] = number as u8;
                    tile_of[usize::from(*label)] = tile;
                }
                views.push(PatternView {
                    table: *table,
                    map: map_number,
                    tiles: goals.len(),
                    labels,
                });
            }
            let count = views.len();
            sides.push(Side { pattern_of, tile_of, patterns: views, first });
            first += count;
        }
        let Action::Blank(moves) = frame.moves().action() else {
            unreachable!("this heuristic is for puzzles with a blank");
        };
        let goes = |m: usize, cell: usize| moves[m].get(cell).copied().flatten();
        let target = |cell: usize| std::array::from_fn(|m| goes(m, cell).unwrap_or(cell as u8));
        let inverse = |m: usize| frame.moves().inverse(Move(m as u8));
        let inverse = |m: usize| inverse(m).expect("the blank can go back").0;
        let mut tracks: Vec<Option<Tracks>> = (0..=MOST_TILES).map(|_| None).collect();
        if size.tiles >= TRACKED_TILES {
            for table in &tables {
                let known = &mut tracks[table.pattern().tiles.len()];
                *known = known.take().or_else(|| Tracks::new(table));
            }
        }
        let tracked = tracks.iter().any(Option::is_some);
        Ok(PdbSum {
            size,
            tables,
            tracks,
            maps,
            sides,
            blank,
            targets: Box::new(std::array::from_fn(target)),
            inverse: std::array::from_fn(inverse),
            hashes: (0..cells)
                .map(|label| std::array::from_fn(|cell| mixed(label, cell)))
                .collect(),
            layout: Layout::new(cells, first, tracked),
        })
    }

    /// How large the patterns are.
    pub fn size(&self) -> &ScoreSize {
        &self.size
    }

    /// The cells of the tiles of a pattern as its table sees them, given the cell of each label.
    fn cells_of(&self, pattern: &PatternView, places: &[u8; MAX_CELLS]) -> Vec<u8> {
        let cell = |&label: &u8| self.maps[pattern.map][usize::from(places[usize::from(label)])];
        pattern.labels[..pattern.tiles].iter().map(cell).collect()
    }

    /// How many steps the tiles of a pattern need at least, given the cell of each label.
    fn distance(&self, pattern: &PatternView, places: &[u8; MAX_CELLS]) -> u32 {
        let blank = self.maps[pattern.map][usize::from(places[usize::from(self.blank)])];
        self.tables[pattern.table].distance(&self.cells_of(pattern, places), blank)
    }

    /// The sum over both sides.
    fn sum(&self, places: &[u8; MAX_CELLS]) -> u32 {
        let patterns = self.sides.iter().flat_map(|side| &side.patterns);
        patterns.map(|pattern| self.distance(pattern, places)).sum()
    }
}

/// A hash of a tile in a cell (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators").
fn mixed(label: usize, cell: usize) -> u64 {
    let state = ((label * MAX_CELLS + cell) as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}

impl NamedHeuristic for PdbSum {
    const NAME: &'static str = "pdb-sum";
    const SUMMARY: &'static str = "mean of additive pattern databases of the board and its mirror image; their sum guides beams";
    const SCOPE: Scope = Scope::WithBlank;
    const LARGE: bool = true;

    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> PdbSum {
        Self::build_within(frame, &TableSource::default()).expect("nothing limits it")
    }

    /// The best size that the memory allows.
    fn build_within(frame: &Frame, tables: &TableSource<'_>) -> Result<PdbSum, StopReason> {
        let fits = |size: &ScoreSize| tables.limits.check_bytes(size.bytes_to_build).is_ok();
        let best = sizes(frame).into_iter().rfind(fits).ok_or(StopReason::Memory)?;
        PdbSum::with_size(frame, best, tables)
    }
}

impl<P: Puzzle> Heuristic<P> for PdbSum {
    /// The sum over both sides.
    type Value = u32;

    fn table_bytes(&self) -> u64 {
        self.bytes()
    }

    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        self.sum(&places_of(&puzzle.labels(state)))
    }

    fn update(&self, puzzle: &P, sum: u32, before: P::State, m: Move) -> u32 {
        let mut sum = sum;
        puzzle.each_carried(before, m, |from, blank| {
            let label = puzzle.label(before, from);
            let mut places = places_of(&puzzle.labels(before));
            let of_tile = |side: &'_ Side| usize::from(side.pattern_of[usize::from(label)]);
            let all = |places: &[u8; MAX_CELLS]| -> u32 {
                let sides = self.sides.iter();
                sides.map(|side| self.distance(&side.patterns[of_tile(side)], places)).sum()
            };
            sum -= all(&places);
            (places[usize::from(label)], places[usize::from(self.blank)]) =
                (blank as u8, from as u8);
            sum += all(&places);
        });
        sum
    }

    fn estimate(&self, sum: u32) -> Depth {
        sum / self.sides.len() as u32
    }

    fn scorer(&self) -> Option<&dyn Scorer> {
        Some(self)
    }
}

#[cfg(test)]
mod tests;
