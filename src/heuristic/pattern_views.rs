//! One pattern database, looked up in several views of the board; the largest distance counts.
//!
//! **Admissible.** What solves the board brings the tiles of the pattern home, so their distance,
//! from a [`PatternTable`], is a lower bound. So is that in the image of the board under a symmetry
//! of the puzzle, which is as far from the goal as the board; in the board's inverse (the
//! arrangement that undoes it), because undoing a solution's moves in the opposite order solves the
//! inverse, and each of these is a move too; and in the images of the inverse. The largest of
//! several lower bounds is one.
//!
//! **Not consistent**, because of the inverse (Felner, Zahavi, Schaeffer and Holte 2005, "Dual
//! lookups in pattern databases"): a move of the board changes which tiles are looked at there, and
//! so the distance by any number. In the board itself no move changes it by more than one.
//!
//! The distances of all views are carried along a path. A view of the board itself can rule a move
//! out only if its distance is as large as what is left after the move, so it is looked up only
//! then. Views that a move would have to lower come first. A move that carries none of a view's
//! tiles leaves its distance as it is, without a lookup. All moves are looked up together, view by
//! view, so that many memory accesses overlap.

use super::{After, Heuristic, NamedHeuristic, Promise, Scope};
use crate::limits::{Limits, Observer, Silent, StopReason};
use crate::puzzle::moves::{Action, MAX_MOVES};
use crate::puzzle::packed::{Packed, Quints};
use crate::puzzle::permutation::Permutation;
use crate::puzzle::{Depth, Frame, Move, MoveSet, Puzzle};
use crate::table::cache::TableName;
use crate::table::file::{FileError, TableFile};
use crate::table::pattern::{MAX_TILES, PatternTable};
use crate::table::source::TableSource;

/// The most placements in the database that the registry builds: a fraction of a second.
const PLACES: u64 = 8_000_000;

/// The most views.
const VIEWS: usize = 16;

/// More than the number of any cell.
const CELLS: usize = 32;

/// The distance of a few tiles in several views.
#[derive(Debug)]
pub struct PatternViews {
    table: PatternTable,
    moves: Vec<CellMove>,
    views: Vec<SymmetricView>,
}

/// A move, cell by cell.
#[derive(Debug)]
struct CellMove {
    /// From where each cell's content comes.
    source: [u8; CELLS],
    /// To where it goes.
    target: [u8; CELLS],
    /// The cells whose content changes.
    moved: u32,
}

/// The database seen through a symmetry.
#[derive(Debug)]
struct SymmetricView {
    /// For a view of the inverse: the cells of the tiles, which never change.
    fixed: Option<u32>,
    /// By the move that is made first; the last is for none.
    after: Vec<TileLookup>,
}

/// Where the tiles of a view are looked up in an [`Arrangement`].
#[derive(Debug)]
struct TileLookup {
    /// For each tile, the index of its cell in [`Arrangement::entries`].
    at: [u8; MAX_TILES],
    /// For each cell of the board, its cell in the view.
    cell: [u8; CELLS],
}

/// Where each tile is, and what is in each cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Arrangement {
    /// First the cells of the tiles, then the tiles in the cells.
    entries: [u8; 2 * CELLS],
}

/// An arrangement and its distance in each view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewDistances {
    arrangement: Arrangement,
    distances: [u8; VIEWS],
}

impl NamedHeuristic for PatternViews {
    const NAME: &'static str = "pdb-views";
    const SUMMARY: &'static str =
        "the exact distance of a few tiles alone, the largest of up to 16 symmetric views";
    const SCOPE: Scope = Scope::WithoutBlank;

    type Heuristic = Self;

    fn promise(frame: &Frame) -> Option<Promise> {
        PatternViews::apply_to(frame).then_some(Promise { admissible: true, consistent: false })
    }

    fn build(frame: &Frame) -> PatternViews {
        Self::build_within(frame, &TableSource::default()).expect("nothing limits it")
    }

    fn build_within(frame: &Frame, tables: &TableSource<'_>) -> Result<PatternViews, StopReason> {
        let tiles = most_tiles(frame.shape().cells(), PLACES);
        let cached = tables.cache.and_then(|cache| {
            let name = table_name(frame, tiles);
            cache.load(&cache.path(&name), name.fingerprint(), |file| read_table(frame, file))
        });
        let table = match cached {
            Some(table) => table,
            None => build_table(frame, tiles, &tables.limits, &mut Silent)?,
        };
        tables.limits.check_bytes(table.bytes())?;
        Ok(PatternViews::new(frame, table))
    }
}

/// What the database of so many tiles is called in the cache.
pub fn table_name(frame: &Frame, tiles: usize) -> TableName {
    TableName::new::<PatternTable>(frame, format_args!("{tiles}-tiles"))
}

/// The database in a file, whatever the number of its tiles.
///
/// # Errors
/// If the file does not hold what its parameters say.
pub fn read_table(frame: &Frame, file: &TableFile) -> Result<PatternTable, FileError> {
    let tiles = PatternTable::tiles_in(file)?;
    PatternTable::from_file(frame.shape().cells(), &pattern(frame, tiles), file)
}

/// Builds the database of so many tiles.
///
/// # Errors
/// If a limit is hit.
pub fn build_table(
    frame: &Frame,
    tiles: usize,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Result<PatternTable, StopReason> {
    PatternTable::build(permutations(frame), &pattern(frame, tiles), limits, observer)
}

/// The most tiles that have no more than `places` placements, whose indices fit 32 bits; never more than half of the grid.
pub fn most_tiles(cells: usize, places: u64) -> usize {
    let places = places.min(u32::MAX.into());
    let places_of = |tiles: usize| (0..tiles).map(|taken| (cells - taken) as u64).product::<u64>();
    let most = MAX_TILES.min(cells.div_ceil(2));
    (2..=most).rev().find(|&tiles| places_of(tiles) <= places).unwrap_or(2)
}

impl PatternViews {
    /// Whether there are databases for this puzzle: it has no more cells than a set of them has
    /// bits, and each of its moves can be undone by one.
    pub fn apply_to(frame: &Frame) -> bool {
        (4..=Quints::CAPACITY).contains(&frame.shape().cells())
            && frame.moves().closed_under_inversion()
    }

    /// The heuristic of a database of this puzzle.
    pub fn new(frame: &Frame, table: PatternTable) -> PatternViews {
        PatternViews {
            views: views(frame, table.tiles()),
            moves: permutations(frame).iter().map(CellMove::new).collect(),
            table,
        }
    }

    /// The database.
    pub fn table(&self) -> &PatternTable {
        &self.table
    }

    /// The number of the places of a view's tiles, of which there are `TILES`, after a move, or
    /// after none if `after` is one more than the last.
    #[inline]
    fn number<const TILES: usize>(
        &self,
        view: &SymmetricView,
        arrangement: &Arrangement,
        after: usize,
    ) -> usize {
        let look = &view.after[after];
        let bits: [u32; TILES] = std::array::from_fn(|i| {
            let found = arrangement.entries[usize::from(look.at[i]) % (2 * CELLS)];
            1 << (look.cell[usize::from(found) % CELLS] % CELLS as u8)
        });
        self.table.number(bits)
    }

    /// The cells that a move has to touch to change the distance of a view.
    #[inline]
    fn cells(&self, view: &SymmetricView, arrangement: &Arrangement) -> u32 {
        view.fixed.unwrap_or_else(|| {
            let at = &view.after[0].at[..self.table.tiles().len()];
            at.iter().fold(0, |cells, &tile| cells | 1 << arrangement.entries[usize::from(tile)])
        })
    }
}

/// The moves of a puzzle without a blank.
pub fn permutations(frame: &Frame) -> &[Permutation] {
    let Action::Permutations(moves) = frame.moves().action() else {
        unreachable!("the puzzle has no blank");
    };
    moves
}

/// This many tiles that are close together: two rows of equal length, where there are two, or as
/// many as are needed.
/// Of what was tried on `rings5`, a corner of two rows of three makes for the fewest nodes.
pub fn pattern(frame: &Frame, tiles: usize) -> Vec<u8> {
    let shape = frame.shape();
    let width = tiles.div_ceil(shape.rows().min(2)).min(shape.cols());
    (0..tiles).map(|i| shape.cell(i / width, i % width) as u8).collect()
}

/// The views of a pattern that differ: half of them of the board, the other half of its inverse.
/// If there are more than fit, those that share the fewest cells.
fn views(frame: &Frame, tiles: &[u8]) -> Vec<SymmetricView> {
    let image = |sigma: &Permutation| -> Vec<u8> {
        tiles.iter().map(|&tile| sigma.sources()[usize::from(tile)]).collect()
    };
    let mask = |cells: &[u8]| cells.iter().fold(0u32, |mask, &cell| mask | 1 << cell);
    let mut left: Vec<&Permutation> = frame.symmetries().iter().collect();
    let mut chosen: Vec<&Permutation> = Vec::new();
    let mut covered = [0u32; CELLS];
    while chosen.len() < VIEWS / 2 && !left.is_empty() {
        let overlap = |sigma: &&&Permutation| -> u32 {
            image(sigma).iter().map(|&cell| covered[usize::from(cell)]).sum()
        };
        let best = *left.iter().min_by_key(overlap).expect("there are some left");
        image(best).iter().for_each(|&cell| covered[usize::from(cell)] += 1);
        left.retain(|sigma| mask(&image(sigma)) != mask(&image(best)));
        chosen.push(best);
    }
    let moves = permutations(frame);
    let no_move = Permutation::identity(frame.shape().cells());
    let first_moves = || moves.iter().chain([&no_move]);
    let of_board = |sigma: &&Permutation| {
        let back = sigma.inverse();
        let at = padded(&image(sigma));
        let look =
            |m: &Permutation| TileLookup { at, cell: padded(back.then(&m.inverse()).sources()) };
        SymmetricView { fixed: None, after: first_moves().map(look).collect() }
    };
    let of_inverse = |sigma: &&Permutation| {
        let at = image(sigma);
        let cell = padded(sigma.inverse().sources());
        let look = |m: &Permutation| {
            let sources: Vec<u8> =
                at.iter().map(|&c| CELLS as u8 + m.sources()[usize::from(c)]).collect();
            TileLookup { at: padded(&sources), cell }
        };
        SymmetricView { fixed: Some(mask(&at)), after: first_moves().map(look).collect() }
    };
    chosen.iter().map(of_board).chain(chosen.iter().map(of_inverse)).collect()
}

/// A list for all cells of the grid; cells beyond it stay what they are.
fn all_cells(list: &[u8]) -> [u8; CELLS] {
    std::array::from_fn(|cell| list.get(cell).copied().unwrap_or(cell as u8))
}

/// A short list with zeros behind it.
fn padded<const N: usize>(list: &[u8]) -> [u8; N] {
    std::array::from_fn(|i| list.get(i).copied().unwrap_or(0))
}

impl CellMove {
    fn new(m: &Permutation) -> CellMove {
        CellMove {
            source: all_cells(m.sources()),
            target: all_cells(m.inverse().sources()),
            moved: m.moved().fold(0, |cells, cell| cells | 1 << cell),
        }
    }
}

impl Arrangement {
    fn new<P: Puzzle>(puzzle: &P, state: P::State) -> Arrangement {
        let mut entries = std::array::from_fn(|i| (i % CELLS) as u8);
        let (cells, labels) = entries.split_at_mut(CELLS);
        puzzle.key(state).unpack(&mut labels[..puzzle.frame().shape().cells()]);
        for cell in 0..puzzle.frame().shape().cells() {
            cells[usize::from(labels[cell])] = cell as u8;
        }
        Arrangement { entries }
    }

    #[inline]
    fn after(&self, m: &CellMove) -> Arrangement {
        let (cells, labels) = self.entries.split_at(CELLS);
        let mut entries = [0; 2 * CELLS];
        for i in 0..CELLS {
            entries[i] = m.target[usize::from(cells[i]) % CELLS];
            entries[CELLS + i] = labels[usize::from(m.source[i]) % CELLS];
        }
        Arrangement { entries }
    }
}

/// Calls a method that is compiled for each number of tiles.
macro_rules! for_tiles {
    ($views:expr, $method:ident($($argument:expr),*)) => {
        match $views.table.tiles().len() {
            2 => $views.$method::<2>($($argument),*),
            3 => $views.$method::<3>($($argument),*),
            4 => $views.$method::<4>($($argument),*),
            5 => $views.$method::<5>($($argument),*),
            6 => $views.$method::<6>($($argument),*),
            7 => $views.$method::<7>($($argument),*),
            _ => $views.$method::<MAX_TILES>($($argument),*),
        }
    };
}

impl<P: Puzzle> Heuristic<P> for PatternViews {
    type Value = ViewDistances;

    fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn evaluate(&self, puzzle: &P, state: P::State) -> ViewDistances {
        let arrangement = Arrangement::new(puzzle, state);
        let mut distances = [0; VIEWS];
        for (view, distance) in self.views.iter().zip(&mut distances) {
            let number = for_tiles!(self, number(view, &arrangement, self.moves.len()));
            *distance = self.table.distance(number) as u8;
        }
        ViewDistances { arrangement, distances }
    }

    #[inline]
    fn update(&self, _: &P, value: ViewDistances, _: P::State, m: Move) -> ViewDistances {
        for_tiles!(self, seen_after(&value, m))
    }

    #[inline]
    fn after<'a>(
        &'a self,
        _: &'a P,
        value: ViewDistances,
        _: P::State,
    ) -> impl After<ViewDistances> + 'a {
        AfterMoves { views: self, before: value }
    }

    #[inline]
    fn estimate(&self, value: ViewDistances) -> Depth {
        value.distances.into_iter().max().unwrap_or(0).into()
    }

    const ORDERED: bool = true;

    /// The sum over all views: near the goal, all of them are small.
    fn order(&self, value: ViewDistances) -> u32 {
        value.distances.into_iter().map(u32::from).sum()
    }
}

impl PatternViews {
    fn seen_after<const TILES: usize>(&self, before: &ViewDistances, m: Move) -> ViewDistances {
        let made = &self.moves[m.index()];
        let mut distances = before.distances;
        let mut numbers = [None; VIEWS];
        for (view, number) in self.views.iter().zip(&mut numbers) {
            if self.cells(view, &before.arrangement) & made.moved != 0 {
                let place = self.number::<TILES>(view, &before.arrangement, m.index());
                self.table.prefetch(place);
                *number = Some(place);
            }
        }
        for (number, distance) in numbers.iter().zip(&mut distances) {
            if let Some(number) = *number {
                *distance = self.table.distance(number) as u8;
            }
        }
        ViewDistances { arrangement: before.arrangement.after(made), distances }
    }
}

/// The distances after each of the moves.
struct AfterMoves<'a> {
    views: &'a PatternViews,
    before: ViewDistances,
}

impl After<ViewDistances> for AfterMoves<'_> {
    #[inline]
    fn value(&self, m: Move) -> ViewDistances {
        for_tiles!(self.views, seen_after(&self.before, m))
    }

    #[inline]
    fn within(&self, moves: MoveSet, most: Depth) -> Option<MoveSet> {
        Some(for_tiles!(self.views, open(&self.before, moves, most)))
    }
}

impl PatternViews {
    /// Of these moves, those that are not pruned: no view's distance exceeds `most` afterwards.
    fn open<const TILES: usize>(
        &self,
        before: &ViewDistances,
        moves: MoveSet,
        most: Depth,
    ) -> MoveSet {
        let mut open = moves;
        // Where the distance is larger than what is left, a move has to lower it; where it is as
        // large, or where a move may raise it by more than one, a move must not raise it so far.
        for must_fall in [true, false] {
            for (view, &distance) in self.views.iter().zip(&before.distances) {
                let distance = Depth::from(distance);
                let may_rise = distance == most || view.fixed.is_some() && distance < most;
                if if must_fall { distance > most } else { may_rise } {
                    open = self.open_in::<TILES>(view, &before.arrangement, open, most, must_fall);
                    if open.is_empty() {
                        return open;
                    }
                }
            }
        }
        open
    }

    /// Of these moves, those after which the distance in a view is at most `most`, given whether
    /// it is larger now.
    #[inline]
    fn open_in<const TILES: usize>(
        &self,
        view: &SymmetricView,
        arrangement: &Arrangement,
        moves: MoveSet,
        most: Depth,
        larger_now: bool,
    ) -> MoveSet {
        let cells = self.cells(view, arrangement);
        let mut numbers = [0; MAX_MOVES];
        let mut asked = MoveSet::EMPTY;
        for m in moves {
            if self.moves[m.index()].moved & cells != 0 {
                let number = self.number::<TILES>(view, arrangement, m.index());
                self.table.prefetch(number);
                numbers[m.index()] = number;
                asked = asked.with(m);
            }
        }
        let unchanged = if larger_now { MoveSet::EMPTY } else { moves.without(asked) };
        let near = |&m: &Move| self.table.distance(numbers[m.index()]) <= most;
        asked.filter(near).fold(unchanged, MoveSet::with)
    }
}
