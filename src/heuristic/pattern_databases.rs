//! Additive pattern databases of sliding puzzles (Korf and Felner 2002, "Disjoint pattern
//! database heuristics"): the tiles are divided into patterns, and what the tiles of each need at
//! least, whatever the others do, adds up.
//!
//! **Admissible and consistent**: a move carries one tile, so it is counted in one pattern only,
//! and changes that pattern's exact distance by one; that of a tile in no pattern changes nothing.
//!
//! Where a reflection of the board keeps the goal of the blank, the mirrored board is as far
//! from the goal as the board itself, and the greater of the two sums counts. The tables are made
//! for boards that are at least as high as wide, with the blank near the first cell, and others
//! are mapped to them by a reflection or rotation: so `blank-first` and `blank-last` share them, and
//! so do patterns of the same form, as the 2x3 blocks of the 24-puzzle.

use super::Heuristic;
use super::orientation::{CellMap, PADDED_CELLS, matching_orientation, standard_orientation};
use super::partition::Partition;

use super::database_steps::DatabaseSteps;
use super::unit_steps::{StepsRoot, StepsVisitor};
use crate::limits::StopReason;
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame, Move, Puzzle};
use crate::table::sliding::{
    Cells, Pattern, PatternState, SharedIndexes, SlidingTable, StateLook, TileSlide, bits,
};
use crate::table::source::TableSource;
use std::sync::Arc;

/// The most patterns.
pub(super) const MOST_PATTERNS: usize = 4;
/// The board as it is, and its mirror image.
const SIDES: usize = 2;
/// The most sides of all partitions whose greatest sum counts.
pub(super) const MOST_SIDES: usize = 4;
/// Up, Down, Left, Right.
const MOVES: usize = 4;

/// With larger tables, a search waits for memory: those of the 24-puzzle are near enough still.
const NEAR_BYTES: u64 = 100_000_000;

/// Sums of pattern databases. Clones share their tables.
#[derive(Clone, Debug)]
pub struct PatternDatabases {
    /// Other databases may share them.
    tables: Vec<Arc<SlidingTable>>,
    /// By partition, the board and, unless it adds nothing, its mirror image.
    sides: Vec<Reflection>,
    /// Whether each tile is in a pattern.
    is_complete: bool,
    /// Whether look-ups wait for memory, so that nodes are taken in batches.
    waits: bool,
}

/// The board or its mirror image, in the orientations of the tables.
#[derive(Clone, Debug)]
struct Reflection {
    views: [TableView; MOST_PATTERNS],
    /// How many of these are needed.
    patterns: usize,
    /// By label: the pattern, and which of its tiles that is.
    places: [PatternTile; PADDED_CELLS],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PatternTile {
    pattern: u8,
    tile: u8,
}

impl PatternTile {
    /// In no pattern.
    const NONE: PatternTile = PatternTile { pattern: u8::MAX, tile: 0 };
}

/// A table, and the map from the board to it.
#[derive(Clone, Debug)]
struct TableView {
    table: Arc<SlidingTable>,
    /// By cell of the board: that of the table.
    map: CellMap,
    /// By the blank's cell and the move, what the tile does.
    slides: [[TileSlide; MOVES]; PADDED_CELLS],
}

/// By side and pattern, the state of the pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PatternStates(pub(super) [[PatternState; MOST_PATTERNS]; MOST_SIDES]);

impl PatternStates {
    /// The sum on each side; 0 on one that is not used.
    #[inline]
    pub(super) fn sums(&self) -> [Depth; MOST_SIDES] {
        self.0.map(|states| states.into_iter().map(PatternState::distance).sum())
    }
}

impl PatternDatabases {
    /// The databases of a partition.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn with_partition(
        frame: &Frame,
        partition: &Partition,
        tables: &TableSource<'_>,
    ) -> Result<PatternDatabases, StopReason> {
        PatternDatabases::with_tables(frame, partition, &[], &mut |pattern, shared| {
            tables.sliding(pattern, shared)
        })
    }

    /// The databases of a partition, whose tables are `known` or come from `table`.
    ///
    /// # Errors
    /// Those of `table`.
    pub fn with_tables(
        frame: &Frame,
        partition: &Partition,
        known: &[Arc<SlidingTable>],
        table: &mut dyn FnMut(Pattern, &mut SharedIndexes) -> Result<SlidingTable, StopReason>,
    ) -> Result<PatternDatabases, StopReason> {
        let blank = usize::from(frame.blank_label().expect("the puzzle has a blank"));
        let (shape, blank, maps) = standard_orientation(frame.shape(), blank);
        let (mut tables, mut shared) = (Vec::new(), SharedIndexes::default());
        known.iter().for_each(|known| shared.add(known));
        let mut seen_by: Vec<(usize, CellMap)> = Vec::new();
        for &tiles in &partition.0 {
            let pattern = Pattern { shape, tiles, blank: blank as u8 };
            let fits = |table: &Arc<SlidingTable>| {
                matching_orientation(pattern, table.pattern()).is_some()
            };
            let number = match tables.iter().position(fits) {
                Some(number) => number,
                None => {
                    tables.push(match known.iter().find(|table| fits(table)) {
                        Some(known) => Arc::clone(known),
                        None => Arc::new(table(pattern, &mut shared)?),
                    });
                    tables.len() - 1
                }
            };
            let map = matching_orientation(pattern, tables[number].pattern());
            seen_by.push((number, map.expect("a pattern is like itself")));
        }
        let is_complete = partition.has_all_tiles(frame);
        // If all tiles are one pattern, the mirror image says what the board says.
        let is_exact = is_complete && partition.0.len() == 1;
        let side = |turned: &CellMap| Reflection::new(frame, turned, &seen_by, &tables);
        let sides = maps.iter().take(if is_exact { 1 } else { SIDES }).map(side).collect();
        let bytes: u64 = tables.iter().map(|table| table.bytes()).sum();
        Ok(PatternDatabases { tables, sides, is_complete, waits: bytes > NEAR_BYTES })
    }

    /// The memory that is needed while the tables of a partition are built, if no two patterns
    /// share one.
    pub fn bytes_to_build(frame: &Frame, partition: &Partition) -> u64 {
        let blank = usize::from(frame.blank_label().expect("the puzzle has a blank"));
        let (shape, ..) = standard_orientation(frame.shape(), blank);
        let table = |tiles: &Cells| SlidingTable::bytes_for(shape, tiles.count_ones() as usize);
        let tables: Vec<u64> = partition.0.iter().map(table).collect();
        let largest = tables.iter().max().copied().unwrap_or(0);
        tables.iter().sum::<u64>() - largest + SlidingTable::bytes_to_build(largest)
    }

    /// The greater sum of these and other databases of all tiles; `None` if those are too many.
    pub fn or_greater(&self, other: &PatternDatabases) -> Option<PatternDatabases> {
        if self.sides.len() + other.sides.len() > MOST_SIDES {
            return None;
        }
        Some(PatternDatabases {
            tables: self.tables.iter().chain(&other.tables).cloned().collect(),
            sides: self.sides.iter().chain(&other.sides).cloned().collect(),
            is_complete: self.is_complete && other.is_complete,
            waits: self.waits || other.waits,
        })
    }

    /// The same, searched in batches of nodes or not, whatever the size of the tables.
    #[must_use]
    pub fn in_batches(self, waits: bool) -> PatternDatabases {
        PatternDatabases { waits, ..self }
    }

    /// The memory of all tables, whether other databases share them or not.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(|table| table.bytes()).sum()
    }

    /// The tables.
    pub fn tables(&self) -> &[Arc<SlidingTable>] {
        &self.tables
    }

    /// The pattern of the tile that moves, and that pattern's state after the move, on one side.
    #[inline(always)]
    pub(super) fn slid(
        &self,
        side: usize,
        states: &[PatternState; MOST_PATTERNS],
        step: &TileMove,
    ) -> (usize, PatternState) {
        let (pattern, table, look) = self.looked(side, states, step);
        (pattern, table.seen(states[pattern], &look))
    }

    /// The pattern of the tile that moves, and where to read that pattern's state after the move,
    /// on one side; that is asked for.
    #[inline(always)]
    pub(super) fn look(
        &self,
        side: usize,
        states: &[PatternState; MOST_PATTERNS],
        step: &TileMove,
    ) -> (usize, StateLook) {
        let (pattern, table, look) = self.looked(side, states, step);
        table.fetch(&look);
        (pattern, look)
    }

    /// The state of a pattern after the move that was looked at.
    #[inline(always)]
    pub(super) fn seen(
        &self,
        side: usize,
        pattern: usize,
        before: PatternState,
        look: &StateLook,
    ) -> PatternState {
        self.sides[side].views[pattern].table.seen(before, look)
    }

    #[inline(always)]
    fn looked(
        &self,
        side: usize,
        states: &[PatternState; MOST_PATTERNS],
        step: &TileMove,
    ) -> (usize, &SlidingTable, StateLook) {
        let side = &self.sides[side];
        let PatternTile { pattern, tile } = side.places[step.label & (PADDED_CELLS - 1)];
        let pattern = usize::from(pattern) & (MOST_PATTERNS - 1);
        let view = &side.views[pattern];
        let slide = &view.slides[step.blank & (PADDED_CELLS - 1)][step.m & (MOVES - 1)];
        (pattern, &view.table, view.table.look(states[pattern], tile.into(), slide))
    }
}

/// A move: of the blank in this cell, which exchanges it with the tile of that label.
pub(super) struct TileMove {
    pub(super) blank: usize,
    pub(super) m: usize,
    pub(super) label: usize,
}

impl Reflection {
    /// The board in the orientation `turned`, and then each pattern by its own map.
    fn new(
        frame: &Frame,
        turned: &CellMap,
        patterns: &[(usize, CellMap)],
        tables: &[Arc<SlidingTable>],
    ) -> Reflection {
        let cells = frame.shape().cells();
        let Action::Blank(targets) = frame.moves().action() else {
            unreachable!("this heuristic is for puzzles with a blank");
        };
        let view = |&(table, seen): &(usize, CellMap)| {
            let table = Arc::clone(&tables[table]);
            let shape = table.pattern().shape;
            let map: CellMap = turned.map(|cell| seen[usize::from(cell)]);
            let slide = |blank: usize, m: usize| {
                let from = targets[m].get(blank).copied().flatten()?;
                Some(TileSlide::new(shape, map[usize::from(from)].into(), map[blank].into()))
            };
            let all = |blank| std::array::from_fn(|m| slide(blank, m).unwrap_or_default());
            TableView { table, map, slides: std::array::from_fn(all) }
        };
        let mut places = [PatternTile::NONE; PADDED_CELLS];
        let views: Vec<TableView> = patterns.iter().map(view).collect();
        for (pattern, view) in views.iter().enumerate() {
            for (tile, goal) in bits(view.table.pattern().tiles).enumerate() {
                let label = view.map[..cells].iter().position(|&cell| u32::from(cell) == goal);
                let label = label.expect("each cell is seen");
                places[label] = PatternTile { pattern: pattern as u8, tile: tile as u8 };
            }
        }
        // Padded to the fixed length; those beyond `patterns` are never used.
        let views = std::array::from_fn(|i| views.get(i).unwrap_or(&views[0]).clone());
        Reflection { views, patterns: patterns.len(), places }
    }

    /// The states of all patterns.
    fn states(
        &self,
        labels: impl Fn(usize) -> Option<usize>,
        (cells, blank): (usize, usize),
    ) -> [PatternState; MOST_PATTERNS] {
        let mut states = [PatternState::default(); MOST_PATTERNS];
        for (pattern, pattern_state) in states.iter_mut().enumerate().take(self.patterns) {
            let view = &self.views[pattern];
            let mut tile_in = [None; PADDED_CELLS];
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
            *pattern_state = view.table.state(occupied, &order, view.map[blank].into());
        }
        states
    }
}

impl<P: Puzzle> Heuristic<P> for PatternDatabases {
    type Value = PatternStates;

    fn table_bytes(&self) -> u64 {
        self.bytes()
    }

    fn evaluate(&self, puzzle: &P, state: P::State) -> PatternStates {
        let cells = puzzle.frame().shape().cells();
        let goal = puzzle.frame().blank_label();
        let is_blank = |&cell: &usize| Some(puzzle.label(state, cell)) == goal;
        let blank = (0..cells).find(is_blank).expect("one cell is blank");
        let label = |cell| (cell != blank).then(|| puzzle.label(state, cell).into());
        let mut states = PatternStates::default();
        for (side, states) in self.sides.iter().zip(&mut states.0) {
            *states = side.states(label, (cells, blank));
        }
        states
    }

    #[inline]
    fn update(
        &self,
        puzzle: &P,
        states: PatternStates,
        before: P::State,
        m: Move,
    ) -> PatternStates {
        let mut states = states;
        puzzle.each_carried(before, m, |from, blank| {
            let step = TileMove { blank, m: m.index(), label: puzzle.label(before, from).into() };
            for (side, states) in states.0.iter_mut().enumerate().take(self.sides.len()) {
                if self.sides[side].places[step.label] == PatternTile::NONE {
                    continue;
                }
                let (pattern, pattern_state) = self.slid(side, states, &step);
                states[pattern] = pattern_state;
            }
        });
        states
    }

    #[inline]
    fn estimate(&self, states: PatternStates) -> Depth {
        states.sums().into_iter().fold(0, Depth::max)
    }

    fn unit_steps<V: StepsVisitor>(
        &self,
        root: StepsRoot<'_, PatternStates>,
        visitor: V,
    ) -> Option<V::Output> {
        if !self.is_complete {
            return None;
        }
        Some(match (self.sides.len(), self.waits) {
            (1, false) => visitor.visit(&DatabaseSteps::<1>(self), root),
            (1, true) => visitor.visit_batched(&DatabaseSteps::<1>(self), root),
            (2, false) => visitor.visit(&DatabaseSteps::<2>(self), root),
            (2, true) => visitor.visit_batched(&DatabaseSteps::<2>(self), root),
            (4, false) => visitor.visit(&DatabaseSteps::<4>(self), root),
            (4, true) => visitor.visit_batched(&DatabaseSteps::<4>(self), root),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::NamedHeuristic;
    use crate::heuristic::pdb::{Automatic, NamedPartition, Pdb555};
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
            let tables = &TableSource::default();
            let databases = PatternDatabases::with_partition(frame, &partition, tables).unwrap();
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
                    assert!(estimate <= distance);
                    assert!(!databases.is_complete || estimate % 2 == distance % 2);
                    widest = widest.max(distance - estimate);
                    for m in puzzle.legal(state) {
                        let after = puzzle.apply(state, m);
                        let (scratch, estimate_after) = h(after);
                        let update = Heuristic::<P>::update(&databases, puzzle, value, state, m);
                        assert_eq!(update, scratch);
                        let changed = estimate.abs_diff(estimate_after);
                        assert!(changed == 1 || changed == 0 && !databases.is_complete);
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
        let partitions: [&[&[u32]]; 5] = [
            &[&[1, 2, 4, 5], &[3, 6, 7, 8]],
            &[&[1, 2, 3], &[4, 5, 6], &[7, 8]],
            &[&[1, 2, 3, 4, 5], &[6], &[7], &[8]],
            // Some tiles are in none.
            &[&[2, 5], &[3, 6, 7]],
            &[&[8]],
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
            let states = Heuristic::<P>::evaluate(&databases, puzzle, puzzle.state_of(self.0));
            let [board, mirror, ..] = states.sums();
            [board, mirror]
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
}
