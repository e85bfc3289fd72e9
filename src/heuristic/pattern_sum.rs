//! A score for beam search on puzzles without a blank: the exact distances of patterns, summed over
//! two partitions of all tiles and, where that pays, over the same partitions of the inverse board.
//!
//! **Not admissible**: a move carries tiles of several patterns, and is counted in each of them.
//! That is what makes it a good score. A maximum depends on the worst pattern alone; the sum reflects
//! the progress of every tile.
//!
//! The index of a distance is a sum of shares, one for each tile of the pattern, so that it can be
//! updated incrementally from the tiles that a move carries. On small boards the indices after all
//! moves are computed together: for each tile and cell there is a row of its shares after each move,
//! and the rows of a pattern's tiles add up to the pattern's indices.

mod children;
mod partitions;

use super::scorer::{Scorer, zobrist};
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::limits::StopReason;
use crate::parallel;
use crate::puzzle::permutation::Permutation;
use crate::puzzle::{Depth, Frame, Move, Puzzle};
use crate::table::cache::Cache;
use crate::table::placements::{self, PlacementTable};
use crate::table::source::TableSource;
use std::time::Duration;

use super::pattern_views::permutations;
use partitions::{matching_symmetry, most_tiles, partitions, placement_count};

/// Sums of the distances of patterns.
#[derive(Debug)]
pub struct PatternSum {
    cells: usize,
    moves: Vec<CarriedTiles>,
    /// By move, the move back.
    back: Vec<Option<Move>>,
    views: Vec<View>,
    tables: Vec<PlacementTable>,
    /// By label and cell, for hashes.
    zobrist: Vec<u64>,
}

/// From which cell to which a move carries a tile.
type CarriedTiles = Vec<(u8, u8)>;

/// The board, or its inverse, divided into patterns.
#[derive(Debug)]
struct View {
    of_inverse: bool,
    /// For each pattern, its table.
    patterns: Vec<usize>,
    /// By tile, its pattern.
    pattern_of: Vec<u8>,
    /// The tiles of all patterns, one pattern after the other.
    tiles: Vec<u8>,
    /// By tile and cell, the share in the number of its pattern.
    shares: Vec<u32>,
    /// By tile, cell and move: the share after the move; nothing on large boards, and for the
    /// inverse, of which a move changes few numbers.
    rows: Vec<u32>,
    /// For the inverse, by move: the patterns that it changes.
    changes: Vec<Vec<PatternChange>>,
}

/// What a move does to a pattern of the inverse board, whatever the board.
#[derive(Debug)]
struct PatternChange {
    pattern: u8,
    /// The cells whose labels change, and those where the labels come from.
    cells: Vec<(u8, u8)>,
}

/// Up to this many cells, the shares after all moves are stored.
const ROW_CELLS: usize = 32;

/// How large the patterns of a score are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternSize {
    /// The most tiles of a pattern.
    tiles: usize,
    /// Whether the inverse board is looked at, too.
    inverse: bool,
    /// The patterns that have tables; others are symmetric to one of these.
    tables: Vec<Vec<u8>>,
}

/// The most placements of the patterns of each size: their tables are built in some hundredths of a
/// second, in some tenths, and in seconds. On 5x5, where they have four, five and six tiles, one more
/// tile is worth as much as a beam that is twice as wide.
const PLACEMENTS: [u64; 3] = [400_000, 8_000_000, 130_000_000];

/// With more cells, tables are built by a slower way, and the largest are left out.
const LARGE_CELLS: usize = 26;

/// The most bytes of all tables of a size.
const MOST_BYTES: u64 = 256_000_000;

/// How many steps from one placement to another the building of tables takes in a second, on one
/// thread.
const STEPS_A_SECOND: f64 = 6e8;

impl PatternSize {
    /// Patterns of up to so many tiles.
    pub fn new(frame: &Frame, tiles: usize, inverse: bool) -> PatternSize {
        let mut tables: Vec<Vec<u8>> = Vec::new();
        for pattern in partitions(frame.shape(), tiles).concat() {
            if !tables.iter().any(|table| matching_symmetry(frame, &pattern, table).is_some()) {
                tables.push(pattern);
            }
        }
        PatternSize { tiles, inverse, tables }
    }

    /// How many bytes the tables take, if two distances are in a byte.
    pub fn bytes(&self, cells: usize) -> u64 {
        self.tables.iter().map(|tiles| (cells as u64).pow(tiles.len() as u32) / 2).sum()
    }

    /// How long one thread takes to build the tables, about.
    pub fn build_time(&self, frame: &Frame) -> Duration {
        let cells = frame.shape().cells();
        let placements: u64 =
            self.tables.iter().map(|tiles| placement_count(cells, tiles.len())).sum();
        let steps = placements as f64 * permutations(frame).len() as f64;
        Duration::from_secs_f64(steps / STEPS_A_SECOND)
    }

    /// The patterns whose tables are worth keeping in the cache.
    pub fn slow_patterns(&self, frame: &Frame) -> impl Iterator<Item = &Vec<u8>> {
        self.tables.iter().filter(|tiles| placements::is_slow(frame, tiles.len()))
    }

    /// Whether its tables are in a cache, as far as they are worth keeping.
    pub fn is_in(&self, cache: &Cache, frame: &Frame) -> bool {
        let is_there = |tiles: &Vec<u8>| cache.path(&placements::name(frame, tiles)).exists();
        self.slow_patterns(frame).all(is_there)
    }
}

impl PatternSum {
    /// The sizes that there are for a puzzle, from the one that is ready at once to the best.
    pub fn sizes(frame: &Frame) -> Vec<PatternSize> {
        let cells = frame.shape().cells();
        let kinds = if cells <= LARGE_CELLS { 3 } else { 2 };
        let mut tiles: Vec<usize> =
            PLACEMENTS[..kinds].iter().map(|&most| most_tiles(cells, most)).collect();
        tiles.dedup();
        let size = |tiles| PatternSize::new(frame, tiles, frame.has_inversion());
        let mut sizes: Vec<PatternSize> = tiles.into_iter().map(size).collect();
        let mut number = 0;
        sizes.retain(|size| {
            number += 1;
            number == 1 || size.bytes(cells) <= MOST_BYTES
        });
        sizes
    }

    /// The score with patterns of a size.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn with_size(
        frame: &Frame,
        size: &PatternSize,
        tables: &TableSource<'_>,
    ) -> Result<PatternSum, StopReason> {
        let kinds: &[bool] = if size.inverse { &[false, true] } else { &[false] };
        let built = parallel::map_pieces(size.tables.len(), 1, |number| {
            tables.placements(frame, &size.tables[number.start])
        });
        let built = built.into_iter().collect::<Result<_, _>>()?;
        Ok(PatternSum::with_tables(frame, &partitions(frame.shape(), size.tiles), kinds, built))
    }

    fn with_tables(
        frame: &Frame,
        partitions: &[Vec<Vec<u8>>],
        of_inverse: &[bool],
        tables: Vec<PlacementTable>,
    ) -> PatternSum {
        let cells = frame.shape().cells();
        let moves = permutations(frame);
        let carried = |p: &Permutation| p.moved().map(|to| (p.sources()[to], to as u8)).collect();
        let mut sum = PatternSum {
            cells,
            moves: moves.iter().map(carried).collect(),
            back: frame.moves().all().map(|m| frame.moves().inverse(m)).collect(),
            views: Vec::new(),
            tables,
            zobrist: zobrist(cells),
        };
        for partition in partitions {
            for &of_inverse in of_inverse {
                let view = sum.view(frame, partition, of_inverse);
                sum.views.push(view);
            }
        }
        sum
    }

    /// A view of the board divided into patterns.
    fn view(&self, frame: &Frame, partition: &[Vec<u8>], of_inverse: bool) -> View {
        let cells = self.cells;
        let mut view = View {
            of_inverse,
            patterns: Vec::new(),
            pattern_of: vec![0; cells],
            tiles: Vec::new(),
            shares: vec![0; cells * cells],
            rows: Vec::new(),
            changes: Vec::new(),
        };
        for tiles in partition {
            let matching = self.tables.iter().enumerate().find_map(|(number, table)| {
                Some((number, matching_symmetry(frame, tiles, table.tiles())?))
            });
            let (number, map) = matching.expect("each pattern has a table");
            let table = &self.tables[number];
            for &tile in tiles {
                view.pattern_of[usize::from(tile)] = view.patterns.len() as u8;
                let image = map[usize::from(tile)];
                let place = table.tiles().iter().position(|&of_table| of_table == image);
                let weight = (cells as u32).pow(place.expect("the symmetry matches") as u32);
                let shares = &mut view.shares[usize::from(tile) * cells..][..cells];
                for (share, &cell) in shares.iter_mut().zip(&map) {
                    *share = u32::from(cell) * weight;
                }
            }
            view.tiles.extend(tiles);
            view.patterns.push(number);
        }
        if of_inverse {
            view.changes = self.moves.iter().map(|carried| view.changes_by(carried)).collect();
        } else if cells <= ROW_CELLS {
            for tile in 0..cells {
                for cell in 0..cells {
                    for carried in &self.moves {
                        let to = carried.iter().find(|&&(from, _)| usize::from(from) == cell);
                        let to = to.map_or(cell, |&(_, to)| usize::from(to));
                        view.rows.push(view.shares[tile * cells + to]);
                    }
                }
            }
        }
        view
    }

    /// The sum of a board, from scratch.
    fn sum(&self, labels: &[u8]) -> u32 {
        let mut places = vec![0; self.cells];
        for (cell, &label) in labels.iter().enumerate() {
            places[usize::from(label)] = cell as u8;
        }
        let mut numbers = Vec::new();
        self.views
            .iter()
            .map(|view| {
                view.numbers(if view.of_inverse { labels } else { &places }, &mut numbers);
                let distances = numbers.iter().zip(&view.patterns);
                distances.map(|(&at, &table)| self.tables[table].distance(at)).sum::<u32>()
            })
            .sum()
    }

    /// How many bytes the tables take.
    pub(crate) fn bytes(&self) -> u64 {
        self.tables.iter().map(PlacementTable::bytes).sum()
    }

    fn hash(&self, labels: &[u8]) -> u64 {
        let share =
            |(cell, &label): (usize, &u8)| self.zobrist[usize::from(label) * self.cells + cell];
        labels.iter().enumerate().map(share).fold(0, |hash, share| hash ^ share)
    }
}

impl View {
    /// What a move changes of the inverse.
    fn changes_by(&self, carried: &CarriedTiles) -> Vec<PatternChange> {
        let mut changes: Vec<PatternChange> = Vec::new();
        for &(from, to) in carried {
            let pattern = self.pattern_of[usize::from(to)];
            match changes.iter_mut().find(|change| change.pattern == pattern) {
                Some(change) => change.cells.push((to, from)),
                None => changes.push(PatternChange { pattern, cells: vec![(to, from)] }),
            }
        }
        changes
    }

    /// The numbers of all patterns, where `places` says for each tile in which cell it is.
    fn numbers(&self, places: &[u8], numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.resize(self.patterns.len(), 0);
        for (tile, &cell) in places.iter().enumerate() {
            numbers[usize::from(self.pattern_of[tile])] +=
                self.shares[tile * places.len() + usize::from(cell)];
        }
    }
}

impl NamedHeuristic for PatternSum {
    const NAME: &'static str = "pattern-sum";
    const SUMMARY: &'static str =
        "the exact distances of patterns of a few tiles, added up over all tiles; for beams";
    const SCOPE: Scope = Scope::WithoutBlank;

    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::INADMISSIBLE)
    }

    fn build(frame: &Frame) -> PatternSum {
        Self::build_within(frame, &TableSource::default()).expect("nothing limits it")
    }

    fn build_within(frame: &Frame, tables: &TableSource<'_>) -> Result<PatternSum, StopReason> {
        let tiles = most_tiles(frame.shape().cells(), PLACEMENTS[0]);
        let size = PatternSize::new(frame, tiles, frame.has_inversion());
        PatternSum::with_size(frame, &size, tables)
    }
}

impl<P: Puzzle> Heuristic<P> for PatternSum {
    /// The sum.
    type Value = u32;

    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        self.sum(&puzzle.labels(state))
    }

    /// The mean of the divisions, of which each has all tiles.
    fn estimate(&self, sum: u32) -> Depth {
        sum.div_ceil(self.views.len() as u32)
    }

    fn unrounded(&self, _: &P, _: P::State, sum: u32) -> f64 {
        f64::from(sum) / self.views.len() as f64
    }

    fn table_bytes(&self) -> u64 {
        self.bytes()
    }

    fn scorer(&self) -> Option<&dyn Scorer> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::scorer::tests::check_walk;
    use super::*;
    use crate::board::Shape;
    use crate::puzzle::AnyPuzzle;

    #[test]
    fn children_are_scored_as_from_scratch() {
        for (id, tiles) in
            [("torus3", 3), ("torus4", 3), ("rings5", 3), ("torus:3x4", 2), ("rings:4x5", 4)]
        {
            let puzzle = AnyPuzzle::from_id(id).unwrap();
            let frame = puzzle.frame();
            for inverse in [false, true] {
                let size = PatternSize::new(frame, tiles, inverse);
                let mut sum = PatternSum::with_size(frame, &size, &TableSource::default()).unwrap();
                for rows in [true, false] {
                    if !rows {
                        sum.views.iter_mut().for_each(|view| view.rows.clear());
                    }
                    check_walk(&sum, frame);
                }
            }
        }
    }

    #[test]
    fn partitions_have_each_cell_once() {
        for (rows, cols) in [(2, 2), (3, 3), (5, 5), (4, 5), (10, 10), (3, 9), (2, 17), (16, 16)] {
            let shape = Shape::new(rows, cols).unwrap();
            for most in 1..=6 {
                for partition in partitions(shape, most) {
                    assert!(partition.iter().all(|cells| (1..=most).contains(&cells.len())));
                    let mut all = partition.concat();
                    all.sort_unstable();
                    let every: Vec<u8> = (0..=(shape.cells() - 1) as u8).collect();
                    assert_eq!(all, every, "{shape} {most}");
                }
            }
        }
    }
}
