//! A score for beam search on puzzles without a blank: the exact distances of patterns that have
//! all tiles, added up over two divisions of the board into patterns and, where that pays, the
//! same of the inverse board.
//!
//! **Not admissible**: a move carries tiles of several patterns, and is counted in each of them.
//! That is what makes it a good score. A maximum says how far the worst pattern is; the sum says of
//! every tile whether it is on its way.
//!
//! A distance is looked up by a number that each tile of the pattern adds its share to, so that a
//! move changes the numbers by what it does to the tiles that it carries. On small boards the
//! numbers after all moves are made together: for each tile and cell there is a row of its shares
//! after each move, and the rows of a pattern's tiles add up to the pattern's numbers.

use super::scorer::{Child, Parents, Scorer};
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::board::Shape;
use crate::limits::StopReason;
use crate::parallel;
use crate::puzzle::moves::MAX_MOVES;
use crate::puzzle::permutation::Permutation;
use crate::puzzle::{Depth, Frame, Move, Puzzle};
use crate::table::cache::Cache;
use crate::table::placements::{self, MOST_TILES, PlacementTable};
use crate::table::source::TableSource;
use std::time::Duration;

use super::pattern_views::permutations;

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

    /// The patterns whose tables are worth keeping.
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

/// Pseudo-random words, the same in each run.
fn zobrist(cells: usize) -> Vec<u64> {
    let mut state = 0u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    (0..cells * cells).map(|_| next()).collect()
}

/// The most tiles that have no more than so many placements, at least one.
fn most_tiles(cells: usize, most: u64) -> usize {
    let fits = |&tiles: &usize| placement_count(cells, tiles) <= most;
    (1..=cells.min(MOST_TILES)).rev().find(fits).unwrap_or(1)
}

/// How many placements so many tiles have.
fn placement_count(cells: usize, tiles: usize) -> u64 {
    (0..tiles).map(|taken| (cells - taken) as u64).product()
}

/// A symmetry of the puzzle that takes the tiles of a pattern to those of another, as a map of the
/// cells.
fn matching_symmetry(frame: &Frame, tiles: &[u8], others: &[u8]) -> Option<Vec<u8>> {
    let sorted = |tiles: &mut dyn Iterator<Item = u8>| {
        let mut sorted: Vec<u8> = tiles.collect();
        sorted.sort_unstable();
        sorted
    };
    let wanted = sorted(&mut others.iter().copied());
    let image = |sigma: &Permutation| {
        sorted(&mut tiles.iter().map(|&tile| sigma.sources()[usize::from(tile)]))
    };
    let sigma = frame.symmetries().iter().find(|sigma| image(sigma) == wanted)?;
    Some(sigma.sources().to_vec())
}

/// Two ways to divide the cells of a grid into patterns of at most so many.
fn partitions(shape: Shape, most: usize) -> Vec<Vec<Vec<u8>>> {
    let (rows, cols) = (shape.rows(), shape.cols());
    if rows == cols && rows % 2 == 1 && rows / 2 * (rows / 2 + 1) == most {
        return vec![pinwheel(shape, false), pinwheel(shape, true)];
    }
    // Whole lines where they fit, else blocks that are nearly square.
    let lines = rows.max(cols) <= most;
    let side = (most as f64).sqrt() as usize;
    let block = |rows: usize, cols: usize, transposed: bool| -> (usize, usize) {
        let (height, width) = if lines && !transposed {
            (most / cols, cols)
        } else if lines {
            (rows, most / rows)
        } else if transposed {
            (most / side, side)
        } else {
            (side, most / side)
        };
        let (height, width) = (height.min(rows), width.min(cols));
        // A grid of one row, or of a few, has room for longer blocks.
        ((most / width).min(rows).max(1), (most / height).min(cols).max(1))
    };
    let cut = |(height, width): (usize, usize), (down, right): (usize, usize)| {
        let mut patterns: Vec<Vec<u8>> = Vec::new();
        let bands = |lines: usize, size: usize, shift: usize| {
            let mut cuts = vec![0];
            let first = if shift.is_multiple_of(size) { size } else { shift % size };
            cuts.extend((first..lines).step_by(size));
            cuts.push(lines);
            cuts
        };
        for row in bands(rows, height, down).windows(2) {
            for col in bands(cols, width, right).windows(2) {
                let mut cells = Vec::new();
                for r in row[0]..row[1] {
                    cells.extend((col[0]..col[1]).map(|c| shape.cell(r, c) as u8));
                }
                patterns.push(cells);
            }
        }
        patterns
    };
    let (first, second) = (block(rows, cols, false), block(rows, cols, true));
    // Two equal divisions would say the same twice.
    let shift = if first == second { (first.0 / 2, first.1 / 2) } else { (0, 0) };
    let both = [cut(first, (0, 0)), cut(second, shift)];
    let same = both[0] == both[1];
    both.into_iter().take(if same { 1 } else { 2 }).collect()
}

/// A square of an odd number of lines as four blocks around the centre, or their mirror images.
fn pinwheel(shape: Shape, mirrored: bool) -> Vec<Vec<u8>> {
    let side = shape.rows();
    let (height, width) = (side / 2, side / 2 + 1);
    let block: Vec<(usize, usize)> =
        (0..height).flat_map(|row| (0..width).map(move |col| (row, col))).collect();
    let turned = |quarters: usize| {
        let place = |&(row, col): &(usize, usize)| {
            let (row, col) = (0..quarters).fold((row, col), |(r, c), _| (c, side - 1 - r));
            shape.cell(row, if mirrored { side - 1 - col } else { col }) as u8
        };
        block.iter().map(place).collect()
    };
    let centre = shape.cell(side / 2, side / 2) as u8;
    (0..4).map(turned).chain([vec![centre]]).collect()
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

/// A node is the label of each cell, one byte each, and a word for the hash.
impl Scorer for PatternSum {
    fn node_words(&self) -> usize {
        self.cells.div_ceil(8) + 1
    }

    fn begin(&self, labels: &[u8], node: &mut [u64]) -> u32 {
        let (hash, cells) = node.split_last_mut().expect("a node has words");
        *hash = self.hash(labels);
        bytemuck::cast_slice_mut(cells)[..labels.len()].copy_from_slice(labels);
        self.sum(labels)
    }

    fn children(&self, parents: Parents<'_>, most: u32, children: &mut Vec<Child>) -> u64 {
        let mut generated = 0;
        let mut nodes = parents.nodes.chunks_exact(self.node_words()).enumerate().peekable();
        // While a node is scored, the entries that the next one needs are on their way.
        let (mut now, mut next) = (Lookups::new(self), Lookups::new(self));
        if let Some((_, first)) = nodes.peek() {
            next.find(self, self.labels_of(first));
        }
        let mut scores = [0; MAX_MOVES];
        while let Some((number, node)) = nodes.next() {
            std::mem::swap(&mut now, &mut next);
            if let Some((_, after)) = nodes.peek() {
                next.find(self, self.labels_of(after));
            }
            now.score(self, &mut scores);
            let (hash, labels) = (node[node.len() - 1], self.labels_of(node));
            let last = self.back.get(usize::from(parents.last[number])).copied().flatten();
            for (m, &score) in scores[..self.moves.len()].iter().enumerate() {
                let m = Move(m as u8);
                if Some(m) == last {
                    continue;
                }
                generated += 1;
                if score <= most {
                    let hash = self.hash_after(hash, labels, m);
                    let parent = parents.first + number as u32;
                    children.push(Child { hash, score, parent, m });
                }
            }
        }
        generated
    }

    fn make(&self, layer: &[u64], children: &[Child], nodes: &mut [u64]) {
        let words = self.node_words();
        for (child, node) in children.iter().zip(nodes.chunks_exact_mut(words)) {
            let parent = &layer[child.parent as usize * words..][..words];
            node.copy_from_slice(parent);
            node[words - 1] = child.hash;
            let before: &[u8] = bytemuck::cast_slice(parent);
            let after: &mut [u8] = bytemuck::cast_slice_mut(node);
            for &(from, to) in &self.moves[child.m.index()] {
                after[usize::from(to)] = before[usize::from(from)];
            }
        }
    }

    fn labels(&self, node: &[u64]) -> Vec<u8> {
        self.labels_of(node).to_vec()
    }
}

impl PatternSum {
    /// The labels in a node.
    #[inline]
    fn labels_of<'a>(&self, node: &'a [u64]) -> &'a [u8] {
        &bytemuck::cast_slice(node)[..self.cells]
    }

    #[inline]
    fn hash_after(&self, hash: u64, labels: &[u8], m: Move) -> u64 {
        self.moves[m.index()].iter().fold(hash, |hash, &(from, to)| {
            let of_label = &self.zobrist[usize::from(labels[usize::from(from)]) * self.cells..];
            hash ^ of_label[usize::from(from)] ^ of_label[usize::from(to)]
        })
    }
}

/// What is looked up to score the children of a node.
#[derive(Default)]
struct Lookups {
    /// In the order in which they are added up: for each view with rows, pattern by pattern, the
    /// numbers after all moves; for others, the numbers of all patterns now, and then for each move
    /// those of the patterns that it changes.
    numbers: Vec<u32>,
    /// The patterns that moves change, for views without rows; [`ALL_TOLD`] after those of a move.
    changed: Vec<u8>,
    /// By label, its cell.
    places: Vec<u8>,
    /// By pattern of a view, its number, its distance, and what a move adds to the number.
    now: Vec<u32>,
    distances: Vec<u32>,
    changes: Vec<u32>,
}

/// Stands after the patterns that a move changes.
const ALL_TOLD: u8 = u8::MAX;

impl Lookups {
    fn new(sum: &PatternSum) -> Lookups {
        let zeros = || vec![0; sum.cells];
        Lookups { places: vec![0; sum.cells], changes: zeros(), ..Lookups::default() }
    }

    /// Finds what is to be looked up, and has it fetched.
    fn find(&mut self, sum: &PatternSum, labels: &[u8]) {
        for (cell, &label) in labels.iter().enumerate() {
            self.places[usize::from(label)] = cell as u8;
        }
        self.numbers.clear();
        self.changed.clear();
        for view in &sum.views {
            if !view.rows.is_empty() {
                self.find_in_rows(sum, view);
                continue;
            }
            view.numbers(if view.of_inverse { labels } else { &self.places }, &mut self.now);
            for (&number, &table) in self.now.iter().zip(&view.patterns) {
                sum.tables[table].prefetch(number);
            }
            self.numbers.extend(&self.now);
            if view.of_inverse {
                self.find_in_inverse(sum, view, labels);
            } else {
                self.find_changed(sum, view, labels);
            }
        }
    }

    /// The numbers of a view after all moves, from the rows of shares.
    fn find_in_rows(&mut self, sum: &PatternSum, view: &View) {
        let moves = sum.moves.len();
        let mut tiles = view.tiles.iter();
        for &table in &view.patterns {
            let table = &sum.tables[table];
            let begin = self.numbers.len();
            self.numbers.resize(begin + moves, 0);
            let row = &mut self.numbers[begin..];
            for &tile in tiles.by_ref().take(table.tiles().len()) {
                let tile = usize::from(tile);
                let at = (tile * sum.cells + usize::from(self.places[tile])) * moves;
                for (number, share) in row.iter_mut().zip(&view.rows[at..at + moves]) {
                    *number += share;
                }
            }
            row.iter().for_each(|&number| table.prefetch(number));
        }
    }

    /// The numbers of the inverse that moves change: always those of the same patterns.
    fn find_in_inverse(&mut self, sum: &PatternSum, view: &View, labels: &[u8]) {
        for changes in &view.changes {
            for PatternChange { pattern, cells } in changes {
                // Cells are tiles here, and labels the places where they are.
                let mut number = self.now[usize::from(*pattern)];
                for &(to, from) in cells {
                    let shares = &view.shares[usize::from(to) * sum.cells..][..sum.cells];
                    number = number
                        .wrapping_add(shares[usize::from(labels[usize::from(from)])])
                        .wrapping_sub(shares[usize::from(labels[usize::from(to)])]);
                }
                sum.tables[view.patterns[usize::from(*pattern)]].prefetch(number);
                self.numbers.push(number);
                self.changed.push(*pattern);
            }
            self.changed.push(ALL_TOLD);
        }
    }

    /// The numbers of a view of the board that moves change.
    fn find_changed(&mut self, sum: &PatternSum, view: &View, labels: &[u8]) {
        for carried in &sum.moves {
            let first = self.changed.len();
            for &(from, to) in carried {
                let tile = usize::from(labels[usize::from(from)]);
                let pattern = view.pattern_of[tile];
                if !self.changed[first..].contains(&pattern) {
                    self.changed.push(pattern);
                }
                let shares = &view.shares[tile * sum.cells..][..sum.cells];
                let change = &mut self.changes[usize::from(pattern)];
                *change = change
                    .wrapping_add(shares[usize::from(to)])
                    .wrapping_sub(shares[usize::from(from)]);
            }
            for &pattern in &self.changed[first..] {
                let pattern = usize::from(pattern);
                let change = std::mem::take(&mut self.changes[pattern]);
                let number = self.now[pattern].wrapping_add(change);
                sum.tables[view.patterns[pattern]].prefetch(number);
                self.numbers.push(number);
            }
            self.changed.push(ALL_TOLD);
        }
    }

    /// The scores of the children by all moves, from what was found.
    fn score(&mut self, sum: &PatternSum, scores: &mut [u32; MAX_MOVES]) {
        let moves = sum.moves.len();
        scores[..moves].fill(0);
        let (mut numbers, mut changed) = (self.numbers.iter(), self.changed.iter());
        for view in &sum.views {
            if !view.rows.is_empty() {
                for &table in &view.patterns {
                    let table = &sum.tables[table];
                    for (score, &number) in scores[..moves].iter_mut().zip(numbers.by_ref()) {
                        *score += table.distance(number);
                    }
                }
                continue;
            }
            self.distances.clear();
            let now = view.patterns.iter().zip(numbers.by_ref());
            self.distances.extend(now.map(|(&table, &at)| sum.tables[table].distance(at)));
            let now: u32 = self.distances.iter().sum();
            for score in &mut scores[..moves] {
                *score += now;
                let of_move = changed.by_ref().take_while(|&&pattern| pattern != ALL_TOLD);
                for (&pattern, &number) in of_move.zip(numbers.by_ref()) {
                    let pattern = usize::from(pattern);
                    *score += sum.tables[view.patterns[pattern]].distance(number);
                    *score -= self.distances[pattern];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scorer::NO_MOVE;
    use super::*;
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

    /// Walks at random, and compares all children of each board with what they should be.
    fn check_walk(sum: &PatternSum, frame: &Frame) {
        let words = sum.node_words();
        let goal: Vec<u8> = (0..sum.cells as u8).collect();
        let mut node = vec![0; words];
        assert_eq!(sum.begin(&goal, &mut node), 0);
        let (mut last, mut state) = (NO_MOVE, 1u64);
        for _ in 0..60 {
            let labels = sum.labels(&node);
            let parents = Parents { nodes: &node, first: 0, scores: &[0], last: &[last] };
            let mut children = Vec::new();
            let generated = sum.children(parents, u32::MAX, &mut children);
            let allowed = frame.moves().all().without(frame.moves().back_from(last));
            assert_eq!(
                children.iter().map(|child| child.m).collect::<Vec<_>>(),
                allowed.collect::<Vec<_>>()
            );
            assert_eq!(generated, children.len() as u64);
            for child in &children {
                let sources = frame.moves().permutation(child.m).unwrap().sources();
                let after: Vec<u8> =
                    sources.iter().map(|&from| labels[usize::from(from)]).collect();
                let (mut made, mut scratch) = (vec![0; words], vec![0; words]);
                sum.make(&node, &[*child], &mut made);
                assert_eq!(sum.begin(&after, &mut scratch), child.score);
                assert_eq!(made, scratch);
                assert_eq!(sum.labels(&made), after);
            }
            let most = children.iter().map(|child| child.score).min().unwrap();
            let mut few = Vec::new();
            sum.children(parents, most, &mut few);
            assert!(few.iter().all(|child| child.score == most) && !few.is_empty());
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let child = children[(state >> 33) as usize % children.len()];
            let mut next = vec![0; words];
            sum.make(&node, &[child], &mut next);
            (node, last) = (next, child.m.0);
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
