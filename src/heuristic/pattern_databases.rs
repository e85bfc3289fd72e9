//! Additive pattern databases of sliding puzzles (Korf and Felner 2002, "Disjoint pattern
//! database heuristics"): the tiles are divided into patterns, and what the tiles of each need at
//! least, whatever the others do, adds up.
//!
//! **Admissible and consistent**: a move carries one tile, so it is counted in one pattern only,
//! and changes that pattern's exact distance by one.
//!
//! Where a reflection of the board keeps the goal of the blank, the mirrored board is as far
//! from the goal as the board itself, and the greater of the two sums counts. The tables are made
//! for boards that are at least as high as wide, with the blank near the first cell, and others
//! are seen through a reflection or rotation: so `blank-first` and `blank-last` share them, and
//! so do patterns of the same form, as the 2x3 blocks of the 24-puzzle.
//!
//! `pdb` divides any board of up to 20 cells by itself; up to 3x3 there is one pattern with all
//! tiles, so that the estimate is the distance. `pdb-555`, `pdb-663` and
//! `pdb-78` are known partitions of the 15-puzzle (0.3, 3 and 196 MB; 0.1, 0.2 and 12 seconds on
//! two cores), `pdb-6666` is that of the 24-puzzle (48 MB, 3 seconds).

use super::unit_steps::{Steps, UnitSteps};
use super::{Heuristic, Promise, Registered, Scope};
use crate::board::Shape;
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame, Move, Puzzle};
use crate::table::sliding::{
    Cells, MOST_CELLS, MOST_TILES, Pattern, Shared, Slide, SlidingTable, Spot, bits,
};
use crate::table::{BuildLimits, BuildStop};

/// The most patterns.
const MOST_PATTERNS: usize = 4;
/// The board as it is, and its mirror image.
const SIDES: usize = 2;
/// Labels and cells, rounded up so that no look-up needs a check.
const ROUND: usize = MOST_CELLS.next_power_of_two();
/// Up, Down, Left, Right.
const MOVES: usize = 4;
/// Up to so many cells, all tiles are one pattern.
const WHOLE: usize = 9;

/// What the nearer caches hold.
const NEAR_BYTES: u64 = 8 << 20;

/// Sums of pattern databases.
#[derive(Debug)]
pub struct PatternDatabases {
    tables: Vec<SlidingTable>,
    /// One or both of them.
    sides: Vec<Side>,
}

/// The board or its mirror image, as the patterns see it.
#[derive(Debug)]
struct Side {
    views: [View; MOST_PATTERNS],
    /// By label: the pattern, and which of its tiles that is.
    places: [Place; ROUND],
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    pattern: u8,
    tile: u8,
}

/// A table, and through what the board is seen by it.
#[derive(Clone, Debug)]
struct View {
    table: usize,
    /// By cell of the board: that of the table.
    map: Map,
    /// By the blank's cell and the move, what the tile does.
    slides: Box<[[Slide; MOVES]; ROUND]>,
}

/// Cells to cells.
type Map = [u8; ROUND];

/// By side and pattern, where the tiles are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spots([[Spot; MOST_PATTERNS]; SIDES]);

impl Spots {
    /// The sum on each side; nothing on one that is not there.
    #[inline]
    fn sums(&self) -> [Depth; SIDES] {
        self.0.map(|spots| spots.into_iter().map(Spot::distance).sum())
    }
}

/// How the tiles are divided: the goal cells of each pattern, on a board that is at least as high
/// as wide, with the blank turned to the first cell where that can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition(Vec<Cells>);

impl Partition {
    /// The one of those that have names, if the goal has the blank in a corner.
    fn known(frame: &Frame, side: usize, patterns: &[&[u32]]) -> Option<Partition> {
        let shape = frame.shape();
        let square = shape.is_square() && shape.rows() == side;
        let (_, blank, _) = upright(shape, frame.blank_label()?.into());
        let set = |tiles: &&[u32]| tiles.iter().map(|tile| 1 << tile).sum();
        (square && blank == 0).then(|| Partition(patterns.iter().map(set).collect()))
    }

    /// Patterns of one's own, each given by the labels of its tiles; tiles may be left out. `None`
    /// if a label is there twice or is the blank's, if a pattern is empty or has too many tiles, or
    /// if the board is too large or there are too many patterns.
    pub fn of_labels(frame: &Frame, patterns: &[&[u8]]) -> Option<Partition> {
        let shape = frame.shape();
        if shape.cells() > MOST_CELLS || patterns.is_empty() || patterns.len() > MOST_PATTERNS {
            return None;
        }
        let (_, blank, maps) = upright(shape, frame.blank_label()?.into());
        let mut taken: Cells = 1 << blank;
        let mut sets = Vec::new();
        for labels in patterns {
            let mut set: Cells = 0;
            for &label in *labels {
                let label = usize::from(label);
                let bit = if label < shape.cells() { 1 << maps[0][label] } else { return None };
                if taken & bit != 0 {
                    return None;
                }
                (taken, set) = (taken | bit, set | bit);
            }
            if labels.is_empty() || labels.len() > MOST_TILES {
                return None;
            }
            sets.push(set);
        }
        Some(Partition(sets))
    }

    /// Patterns of at most so many tiles each, cut from strips two columns wide; `None` if the
    /// board is too large, or there would be too many of them.
    pub fn of_strips(frame: &Frame, most: usize) -> Option<Partition> {
        let shape = frame.shape();
        if shape.cells() > MOST_CELLS {
            return None;
        }
        let (shape, blank, _) = upright(shape, frame.blank_label()?.into());
        let most = if shape.cells() <= WHOLE { WHOLE } else { most };
        let mut cells: Vec<usize> = (0..shape.cells()).filter(|&cell| cell != blank).collect();
        cells.sort_by_key(|&cell| {
            let (row, col) = shape.row_col(cell);
            // Down one strip and up the next.
            let along = if col / 2 % 2 == 0 { row } else { shape.rows() - row };
            (col / 2, along, col)
        });
        let set = |tiles: &[usize]| tiles.iter().map(|tile| 1 << tile).sum();
        let patterns: Vec<Cells> = cells.chunks(most).map(set).collect();
        (patterns.len() <= MOST_PATTERNS).then_some(Partition(patterns))
    }

    /// Korf and Felner's for the 24-puzzle, where it applies.
    pub fn of_24_puzzle(frame: &Frame) -> Option<Partition> {
        let irregular = [1, 2, 5, 6, 7, 12];
        let blocks = [[3, 4, 8, 9, 13, 14], [10, 11, 15, 16, 20, 21], [17, 18, 19, 22, 23, 24]];
        Partition::known(frame, 5, &[&irregular, &blocks[0], &blocks[1], &blocks[2]])
    }

    /// Six, six and three tiles of the 15-puzzle, where it applies.
    pub fn of_663(frame: &Frame) -> Option<Partition> {
        Partition::known(frame, 4, &[&[1, 4, 5, 8, 9, 12], &[2, 3, 6, 7, 10, 11], &[13, 14, 15]])
    }
}

/// The board turned so that it is at least as high as wide and the blank's goal is as near to
/// the first cell as can be: its shape, that cell, and all maps that turn it so, the plainest
/// first.
fn upright(shape: Shape, blank: usize) -> (Shape, usize, Vec<Map>) {
    let lying = shape.cols() > shape.rows();
    let (rows, cols) = (shape.rows().max(shape.cols()), shape.rows().min(shape.cols()));
    let standing = Shape::new(rows, cols).expect("as many cells as before");
    let transposes: &[bool] = match (shape.is_square(), lying) {
        (true, _) => &[false, true],
        (false, lying) => &[lying],
    };
    let mut maps = Vec::new();
    for flips in 0..4 {
        for &transpose in transposes {
            let image = |cell: usize| {
                let (row, col) = shape.row_col(cell);
                let (row, col) = if transpose { (col, row) } else { (row, col) };
                let row = if flips & 2 == 2 { rows - 1 - row } else { row };
                let col = if flips & 1 == 1 { cols - 1 - col } else { col };
                standing.cell(row, col) as u8
            };
            let cell = |cell: usize| if cell < shape.cells() { image(cell) } else { 0 };
            maps.push(std::array::from_fn(cell));
        }
    }
    let place = |map: &Map| usize::from(map[blank]);
    let first = maps.iter().map(place).min().expect("there are maps");
    maps.retain(|map| place(map) == first);
    (standing, first, maps)
}

impl PatternDatabases {
    /// Builds the tables of a partition.
    ///
    /// # Errors
    /// If the limits do not allow it.
    pub fn with_partition(
        frame: &Frame,
        partition: &Partition,
        limits: &BuildLimits<'_>,
    ) -> Result<PatternDatabases, BuildStop> {
        PatternDatabases::with_tables(frame, partition, &mut |pattern, shared| {
            SlidingTable::build(pattern, shared, limits)
        })
    }

    /// The databases of a partition, whose tables come from `table`.
    ///
    /// # Errors
    /// If there is one that does not.
    pub fn with_tables(
        frame: &Frame,
        partition: &Partition,
        table: &mut dyn FnMut(Pattern, &mut Shared) -> Result<SlidingTable, BuildStop>,
    ) -> Result<PatternDatabases, BuildStop> {
        let blank = usize::from(frame.blank_label().expect("the puzzle has a blank"));
        let (shape, blank, maps) = upright(frame.shape(), blank);
        let (mut tables, mut shared) = (Vec::new(), Shared::default());
        let mut seen_by: Vec<(usize, Map)> = Vec::new();
        for &tiles in &partition.0 {
            let pattern = Pattern { shape, tiles, blank: blank as u8 };
            let known = tables
                .iter()
                .position(|table: &SlidingTable| seen_through(pattern, table.pattern()).is_some());
            let number = match known {
                Some(number) => number,
                None => {
                    tables.push(table(pattern, &mut shared)?);
                    tables.len() - 1
                }
            };
            let map = seen_through(pattern, tables[number].pattern());
            seen_by.push((number, map.expect("a pattern is like itself")));
        }
        let side = |turned: &Map| Side::new(frame, turned, &seen_by, &tables);
        let sides = maps.iter().take(SIDES).map(side).collect();
        Ok(PatternDatabases { tables, sides })
    }

    fn built(frame: &Frame, partition: Option<Partition>) -> PatternDatabases {
        let partition = partition.expect("it was asked whether it applies");
        let built = PatternDatabases::with_partition(frame, &partition, &BuildLimits::default());
        built.expect("nothing limits it")
    }

    /// The memory of all tables.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(SlidingTable::bytes).sum()
    }

    /// Whether the tables are small enough for the nearer caches.
    pub fn is_near(&self) -> bool {
        self.bytes() <= NEAR_BYTES
    }

    /// Whether the mirror image of a board is asked about, too.
    pub fn is_mirrored(&self) -> bool {
        self.sides.len() == SIDES
    }

    /// By side, the spots after a move: the label of the tile that the blank meets.
    #[inline(always)]
    fn slid(&self, side: usize, spots: &[Spot; MOST_PATTERNS], step: &Step) -> (usize, Spot) {
        let side = &self.sides[side];
        let Place { pattern, tile } = side.places[step.label & (ROUND - 1)];
        let pattern = usize::from(pattern) & (MOST_PATTERNS - 1);
        let view = &side.views[pattern];
        let slide = &view.slides[step.blank & (ROUND - 1)][step.m & (MOVES - 1)];
        let spot = self.tables[view.table].slid(spots[pattern], tile.into(), slide);
        (pattern, spot)
    }
}

/// A move: of the blank in this cell, which exchanges it with the tile of that label.
struct Step {
    blank: usize,
    m: usize,
    label: usize,
}

/// How a pattern is the same as another on a board that is turned, if it is: then the tiles and
/// the cells where the blank may be correspond.
fn seen_through(pattern: Pattern, other: Pattern) -> Option<Map> {
    let Pattern { shape, .. } = pattern;
    let (rows, cols) = (shape.rows(), shape.cols());
    let maps = (0..8).filter(|form| form & 4 == 0 || shape.is_square()).map(|form| {
        let image = |cell: usize| {
            let (row, col) = shape.row_col(cell);
            let row = if form & 2 == 2 { rows - 1 - row } else { row };
            let col = if form & 1 == 1 { cols - 1 - col } else { col };
            shape.cell(if form & 4 == 4 { col } else { row }, if form & 4 == 4 { row } else { col })
        };
        let cell = |cell: usize| if cell < shape.cells() { image(cell) as u8 } else { 0 };
        std::array::from_fn::<u8, ROUND, _>(cell)
    });
    let turned = |map: &Map, cells: Cells| -> Cells {
        bits(cells).map(|cell| 1 << map[cell as usize]).sum()
    };
    let same = |map: &Map| {
        turned(map, pattern.tiles) == other.tiles && turned(map, pattern.region()) == other.region()
    };
    maps.into_iter().find(same)
}

impl Side {
    /// The board seen through `turned`, and then each pattern through its own map.
    fn new(
        frame: &Frame,
        turned: &Map,
        patterns: &[(usize, Map)],
        tables: &[SlidingTable],
    ) -> Side {
        let cells = frame.shape().cells();
        let Action::Blank(targets) = frame.moves().action() else {
            unreachable!("this heuristic is for puzzles with a blank");
        };
        let view = |&(table, seen): &(usize, Map)| {
            let shape = tables[table].pattern().shape;
            let map: Map = turned.map(|cell| seen[usize::from(cell)]);
            let slide = |blank: usize, m: usize| {
                let from = targets[m].get(blank).copied().flatten()?;
                Some(Slide::new(shape, map[usize::from(from)].into(), map[blank].into()))
            };
            let all = |blank| std::array::from_fn(|m| slide(blank, m).unwrap_or_default());
            View { table, map, slides: Box::new(std::array::from_fn(all)) }
        };
        let mut places = [Place::default(); ROUND];
        let views: Vec<View> = patterns.iter().map(view).collect();
        for (pattern, view) in views.iter().enumerate() {
            for (tile, goal) in bits(tables[view.table].pattern().tiles).enumerate() {
                let label = view.map[..cells].iter().position(|&cell| u32::from(cell) == goal);
                let label = label.expect("each cell is seen");
                places[label] = Place { pattern: pattern as u8, tile: tile as u8 };
            }
        }
        // There are as many as there can be; those not needed are never looked at.
        let views = std::array::from_fn(|i| views.get(i).unwrap_or(&views[0]).clone());
        Side { views, places }
    }

    /// The spots of all patterns.
    fn spots(
        &self,
        tables: &[SlidingTable],
        patterns: usize,
        labels: impl Fn(usize) -> Option<usize>,
        (cells, blank): (usize, usize),
    ) -> [Spot; MOST_PATTERNS] {
        let mut spots = [Spot::default(); MOST_PATTERNS];
        for (pattern, spot) in spots.iter_mut().enumerate().take(patterns) {
            let view = &self.views[pattern];
            let mut tile_in = [None; ROUND];
            let mut occupied: Cells = 0;
            for cell in 0..cells {
                let Some(label) = labels(cell) else { continue };
                let place = self.places[label];
                if usize::from(place.pattern) == pattern {
                    let seen = view.map[cell];
                    occupied |= 1 << seen;
                    tile_in[usize::from(seen)] = Some(place.tile);
                }
            }
            let order: Vec<u8> = tile_in.into_iter().flatten().collect();
            *spot = tables[view.table].spot(occupied, &order, view.map[blank].into());
        }
        spots
    }

    fn patterns(&self) -> usize {
        1 + self.places.iter().map(|place| usize::from(place.pattern)).max().unwrap_or(0)
    }
}

impl<P: Puzzle> Heuristic<P> for PatternDatabases {
    type Value = Spots;

    fn evaluate(&self, puzzle: &P, state: P::State) -> Spots {
        let cells = puzzle.frame().shape().cells();
        let goal = puzzle.frame().blank_label();
        let is_blank = |&cell: &usize| Some(puzzle.label(state, cell)) == goal;
        let blank = (0..cells).find(is_blank).expect("one cell is blank");
        let label = |cell| (cell != blank).then(|| puzzle.label(state, cell).into());
        let mut spots = Spots::default();
        for (side, spots) in self.sides.iter().zip(&mut spots.0) {
            *spots = side.spots(&self.tables, side.patterns(), label, (cells, blank));
        }
        spots
    }

    #[inline]
    fn update(&self, puzzle: &P, spots: Spots, before: P::State, m: Move) -> Spots {
        let mut spots = spots;
        puzzle.each_carried(before, m, |from, blank| {
            let step = Step { blank, m: m.index(), label: puzzle.label(before, from).into() };
            for (side, spots) in spots.0.iter_mut().enumerate().take(self.sides.len()) {
                let (pattern, spot) = self.slid(side, spots, &step);
                spots[pattern] = spot;
            }
        });
        spots
    }

    #[inline]
    fn estimate(&self, spots: Spots) -> Depth {
        let [board, mirror] = spots.sums();
        board.max(mirror)
    }

    fn unit_steps(&self, spots: Spots) -> Option<UnitSteps<'_>> {
        Some(UnitSteps::Databases(self, spots))
    }
}

/// The steps of the search with one side or both, the tables being near in the caches or not.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseSteps<'a, const MIRRORED: bool, const NEAR: bool>(pub &'a PatternDatabases);

/// The spots, and on each side how many moves in vain there may still be.
#[derive(Clone, Copy, Debug)]
pub struct Spare {
    spots: Spots,
    spare: [u32; SIDES],
}

impl Spare {
    /// With so many moves left; `None` if they are too few.
    pub fn new(spots: Spots, budget: Depth) -> Option<Spare> {
        let [board, mirror] = spots.sums().map(|sum| budget.checked_sub(sum));
        Some(Spare { spots, spare: [board? / 2, mirror? / 2] })
    }
}

impl<const MIRRORED: bool, const NEAR: bool> Steps for DatabaseSteps<'_, MIRRORED, NEAR> {
    type Carried = Spare;

    /// Where tables are near, both sides are looked at, whatever the first one says: a branch that
    /// cannot be foreseen costs more than a look-up. Where they are not, first the side with less
    /// to spare.
    #[inline(always)]
    fn step<const M: usize>(&self, carried: &Spare, blank: usize, label: usize) -> Option<Spare> {
        let Spare { spots: Spots(spots), spare } = carried;
        let step = Step { blank, m: M, label };
        let first = usize::from(MIRRORED && !NEAR && spare[1] < spare[0]);
        let (one, spot) = self.0.slid(first, &spots[first], &step);
        let taken = farther(spots[first][one], spot);
        if (!NEAR || !MIRRORED) && taken > spare[first] {
            return None;
        }
        let mut after = *carried;
        if MIRRORED {
            let second = 1 - first;
            let (other, mirrored) = self.0.slid(second, &spots[second], &step);
            let taken_there = farther(spots[second][other], mirrored);
            if (taken > spare[first]) | (taken_there > spare[second]) {
                return None;
            }
            after.spots.0[second][other] = mirrored;
            after.spare[second] -= taken_there;
        }
        after.spots.0[first][one] = spot;
        after.spare[first] -= taken;
        Some(after)
    }
}

/// 1 if a distance has become greater, and 0 if smaller.
#[inline(always)]
fn farther(before: Spot, after: Spot) -> u32 {
    u32::from(after.distance() > before.distance())
}

/// A partition of one's own choice for each board.
#[derive(Clone, Copy, Debug)]
pub struct Automatic;

impl Automatic {
    /// The most cells, for which the tables are made in a moment.
    const MOST_CELLS: usize = 20;

    fn partition(frame: &Frame) -> Option<Partition> {
        let cells = frame.shape().cells();
        let of_strips = || Partition::of_strips(frame, if cells <= 16 { 6 } else { 5 });
        let fits = cells <= Self::MOST_CELLS;
        if fits { Partition::of_663(frame).or_else(of_strips) } else { None }
    }
}

impl Registered for Automatic {
    const NAME: &'static str = "pdb";
    const SUMMARY: &'static str =
        "additive pattern databases of up to 6 tiles, mirrored where the board allows it";
    const SCOPE: Scope = Scope::WithBlank;

    type Estimator = PatternDatabases;

    fn promise(frame: &Frame) -> Option<Promise> {
        Automatic::partition(frame).map(|_| Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> PatternDatabases {
        PatternDatabases::built(frame, Automatic::partition(frame))
    }
}

/// Three patterns of five tiles.
#[derive(Clone, Copy, Debug)]
pub struct Pdb555;

impl Pdb555 {
    fn partition(frame: &Frame) -> Option<Partition> {
        let patterns: [&[u32]; 3] = [&[1, 2, 3, 6, 7], &[4, 5, 8, 9, 12], &[10, 11, 13, 14, 15]];
        Partition::known(frame, 4, &patterns)
    }
}

impl Registered for Pdb555 {
    const NAME: &'static str = "pdb-555";
    const SUMMARY: &'static str = "pattern databases of 5, 5 and 5 tiles of the 15-puzzle: 0.3 MB";
    const SCOPE: Scope = Scope::WithBlank;

    type Estimator = PatternDatabases;

    fn promise(frame: &Frame) -> Option<Promise> {
        Pdb555::partition(frame).map(|_| Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> PatternDatabases {
        PatternDatabases::built(frame, Pdb555::partition(frame))
    }
}

/// Patterns of six, six and three tiles.
#[derive(Clone, Copy, Debug)]
pub struct Pdb663;

impl Registered for Pdb663 {
    const NAME: &'static str = "pdb-663";
    const SUMMARY: &'static str = "pattern databases of 6, 6 and 3 tiles of the 15-puzzle: 3 MB";
    const SCOPE: Scope = Scope::WithBlank;

    type Estimator = PatternDatabases;

    fn promise(frame: &Frame) -> Option<Promise> {
        Partition::of_663(frame).map(|_| Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> PatternDatabases {
        PatternDatabases::built(frame, Partition::of_663(frame))
    }
}

/// Patterns of seven and eight tiles.
#[derive(Clone, Copy, Debug)]
pub struct Pdb78;

impl Pdb78 {
    /// Its partition of the 15-puzzle, where it applies.
    pub fn partition(frame: &Frame) -> Option<Partition> {
        let patterns: [&[u32]; 2] = [&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]];
        Partition::known(frame, 4, &patterns)
    }
}

impl Registered for Pdb78 {
    const NAME: &'static str = "pdb-78";
    const SUMMARY: &'static str = "pattern databases of 7 and 8 tiles of the 15-puzzle: 196 MB";
    const SCOPE: Scope = Scope::WithBlank;
    const LARGE: bool = true;

    type Estimator = PatternDatabases;

    fn promise(frame: &Frame) -> Option<Promise> {
        Pdb78::partition(frame).map(|_| Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> PatternDatabases {
        PatternDatabases::built(frame, Pdb78::partition(frame))
    }
}

/// Four patterns of six tiles.
#[derive(Clone, Copy, Debug)]
pub struct Pdb6666;

impl Registered for Pdb6666 {
    const NAME: &'static str = "pdb-6666";
    const SUMMARY: &'static str = "pattern databases of four times 6 tiles of the 24-puzzle: 48 MB";
    const SCOPE: Scope = Scope::WithBlank;
    const LARGE: bool = true;

    type Estimator = PatternDatabases;

    fn promise(frame: &Frame) -> Option<Promise> {
        Partition::of_24_puzzle(frame).map(|_| Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> PatternDatabases {
        PatternDatabases::built(frame, Partition::of_24_puzzle(frame))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{AnyPuzzle, Goal, PuzzleVisitor, registry};
    use std::collections::HashMap;

    fn with_goal(id: &str, goal: Goal) -> AnyPuzzle {
        AnyPuzzle::new(registry::define(id).unwrap(), goal, Simd::off()).unwrap()
    }

    /// Builds a partition, and checks it on all boards near the goal: by how much at most the
    /// estimate is below the distance.
    struct Check<'a> {
        patterns: Option<&'a [&'a [u32]]>,
        boards: usize,
    }

    impl PuzzleVisitor for Check<'_> {
        type Output = u32;

        fn visit<P: Puzzle>(self, puzzle: &P) -> u32 {
            let frame = puzzle.frame();
            let set = |tiles: &&[u32]| tiles.iter().map(|tile| 1 << tile).sum();
            let partition = match self.patterns {
                Some(patterns) => Partition(patterns.iter().map(set).collect()),
                None => Automatic::partition(frame).unwrap(),
            };
            let limits = &BuildLimits::default();
            let databases = PatternDatabases::with_partition(frame, &partition, limits).unwrap();
            let h = |state| {
                let value = Heuristic::<P>::evaluate(&databases, puzzle, state);
                (value, Heuristic::<P>::estimate(&databases, value))
            };
            let mut distances = HashMap::from([(puzzle.key(puzzle.goal()), 0_u32)]);
            let (mut layer, mut widest, mut distance) = (vec![puzzle.goal()], 0, 0);
            while !layer.is_empty() && distances.len() < self.boards {
                let mut next = Vec::new();
                for &state in &layer {
                    let (value, estimate) = h(state);
                    assert!(estimate <= distance && estimate % 2 == distance % 2);
                    widest = widest.max(distance - estimate);
                    for m in puzzle.legal(state) {
                        let after = puzzle.apply(state, m);
                        let (scratch, estimate_after) = h(after);
                        let update = Heuristic::<P>::update(&databases, puzzle, value, state, m);
                        assert_eq!(update, scratch);
                        assert_eq!(estimate.abs_diff(estimate_after), 1);
                        distances.entry(puzzle.key(after)).or_insert_with(|| {
                            next.push(after);
                            distance + 1
                        });
                    }
                }
                (layer, distance) = (next, distance + 1);
            }
            widest
        }
    }

    #[test]
    fn one_pattern_with_all_tiles_has_the_distance_of_every_board() {
        for goal in [Goal::BlankFirst, Goal::BlankLast] {
            for id in ["sliding2", "sliding:2x3", "sliding:2x4", "sliding3"] {
                let whole = Check { patterns: None, boards: usize::MAX };
                assert_eq!(with_goal(id, goal.clone()).visit(whole), 0, "{id}");
            }
        }
    }

    #[test]
    fn sums_are_at_most_the_distance_on_every_board_of_the_8_puzzle() {
        let partitions: [&[&[u32]]; 3] = [
            &[&[1, 2, 4, 5], &[3, 6, 7, 8]],
            &[&[1, 2, 3], &[4, 5, 6], &[7, 8]],
            &[&[1, 2, 3, 4, 5], &[6], &[7], &[8]],
        ];
        for patterns in partitions {
            let check = Check { patterns: Some(patterns), boards: usize::MAX };
            let puzzle = with_goal("sliding3", Goal::BlankLast);
            assert!(puzzle.visit(check) > 0, "{patterns:?}");
        }
    }

    #[test]
    fn other_boards_are_divided_by_themselves() {
        for id in ["sliding:2x5", "sliding:3x4", "sliding:5x3", "sliding:4x5", "sliding4"] {
            for goal in [Goal::BlankFirst, Goal::BlankLast] {
                with_goal(id, goal).visit(Check { patterns: None, boards: 2_000 });
            }
        }
    }

    /// The sums of both sides, for labels of the goal with the blank first.
    struct Sums<'a>(&'a [u8]);

    impl PuzzleVisitor for Sums<'_> {
        type Output = [Depth; SIDES];

        fn visit<P: Puzzle>(self, puzzle: &P) -> [Depth; SIDES] {
            let databases = Pdb555::build(puzzle.frame());
            Heuristic::<P>::evaluate(&databases, puzzle, puzzle.state_of(self.0)).sums()
        }
    }

    /// Korf's first board.
    const KORF: [u8; 16] = [14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3];

    #[test]
    fn the_mirrored_board_has_the_sums_of_the_board_exchanged() {
        let across = |cell: u8| cell % 4 * 4 + cell / 4;
        let mirrored: Vec<u8> =
            (0..16).map(|cell| across(KORF[usize::from(across(cell))])).collect();
        let puzzle = with_goal("sliding4", Goal::BlankFirst);
        let [board, mirror] = puzzle.visit(Sums(&KORF));
        assert_eq!(puzzle.visit(Sums(&mirrored)), [mirror, board]);
        assert_ne!(board, mirror);
    }

    #[test]
    fn both_goals_see_the_same_tables() {
        let turned: Vec<u8> = KORF.iter().rev().map(|label| 15 - label).collect();
        let first = with_goal("sliding4", Goal::BlankFirst).visit(Sums(&KORF));
        assert_eq!(with_goal("sliding4", Goal::BlankLast).visit(Sums(&turned)), first);
    }

    #[test]
    fn partitions_of_ones_own_are_checked() {
        let puzzle = with_goal("sliding3", Goal::BlankLast);
        let of = |patterns: &[&[u8]]| Partition::of_labels(puzzle.frame(), patterns);
        // Seen upside down.
        assert_eq!(of(&[&[0, 1], &[7]]), Some(Partition(vec![1 << 8 | 1 << 7, 1 << 1])));
        let wrong: [&[&[u8]]; 5] = [&[], &[&[0], &[]], &[&[0, 1], &[1]], &[&[8]], &[&[9]]];
        assert!(wrong.into_iter().all(|patterns| of(patterns).is_none()));
    }

    #[test]
    fn blocks_of_the_24_puzzle_share_a_table() {
        let puzzle = with_goal("sliding5", Goal::BlankLast);
        let Partition(patterns) = Partition::of_24_puzzle(puzzle.frame()).unwrap();
        let shape = Shape::new(5, 5).unwrap();
        let pattern = |at: usize| Pattern { shape, tiles: patterns[at], blank: 0 };
        let alike = |a, b| seen_through(pattern(a), pattern(b)).is_some();
        assert!(alike(2, 1) && alike(3, 1) && !alike(0, 1));
    }
}
