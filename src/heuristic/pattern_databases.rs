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
//! are seen through a reflection or rotation: so `blank-first` and `blank-last` share them, and
//! so do patterns of the same form, as the 2x3 blocks of the 24-puzzle.

use super::Heuristic;
use super::partition::Partition;
use super::turns::{Map, ROUND, seen_through, upright};
use super::unit_steps::UnitSteps;
use crate::limits::{Limits, StopReason};
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame, Move, Puzzle};
use crate::table::sliding::{Cells, Pattern, Shared, Slide, SlidingTable, Spot, bits};

/// The most patterns.
pub(super) const MOST_PATTERNS: usize = 4;
/// The board as it is, and its mirror image.
pub(super) const SIDES: usize = 2;
/// Up, Down, Left, Right.
const MOVES: usize = 4;

/// Sums of pattern databases.
#[derive(Debug)]
pub struct PatternDatabases {
    tables: Vec<SlidingTable>,
    /// One or both of them.
    sides: Vec<Side>,
    /// Whether each tile is in a pattern.
    is_complete: bool,
}

/// The board or its mirror image, as the patterns see it.
#[derive(Debug)]
struct Side {
    views: [View; MOST_PATTERNS],
    /// How many of these are needed.
    patterns: usize,
    /// By label: the pattern, and which of its tiles that is.
    places: [Place; ROUND],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    pattern: u8,
    tile: u8,
}

impl Place {
    /// In no pattern.
    const NONE: Place = Place { pattern: u8::MAX, tile: 0 };
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

/// By side and pattern, where the tiles are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spots(pub(super) [[Spot; MOST_PATTERNS]; SIDES]);

impl Spots {
    /// The sum on each side; nothing on one that is not there.
    #[inline]
    pub(super) fn sums(&self) -> [Depth; SIDES] {
        self.0.map(|spots| spots.into_iter().map(Spot::distance).sum())
    }
}

impl PatternDatabases {
    /// Builds the tables of a partition.
    ///
    /// # Errors
    /// If the limits do not allow it.
    pub fn with_partition(
        frame: &Frame,
        partition: &Partition,
        limits: &Limits<'_>,
    ) -> Result<PatternDatabases, StopReason> {
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
        table: &mut dyn FnMut(Pattern, &mut Shared) -> Result<SlidingTable, StopReason>,
    ) -> Result<PatternDatabases, StopReason> {
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
        let tiles: u32 = partition.0.iter().map(|tiles| tiles.count_ones()).sum();
        let is_complete = tiles as usize + 1 == shape.cells();
        // If all tiles are one pattern, the mirror image says what the board says.
        let is_exact = is_complete && partition.0.len() == 1;
        let side = |turned: &Map| Side::new(frame, turned, &seen_by, &tables);
        let sides = maps.iter().take(if is_exact { 1 } else { SIDES }).map(side).collect();
        Ok(PatternDatabases { tables, sides, is_complete })
    }

    /// How many bytes are held while the tables of a partition are made, if no two patterns share
    /// one.
    pub fn bytes_to_build(frame: &Frame, partition: &Partition) -> u64 {
        let blank = usize::from(frame.blank_label().expect("the puzzle has a blank"));
        let (shape, ..) = upright(frame.shape(), blank);
        let table = |tiles: &Cells| SlidingTable::bytes_for(shape, tiles.count_ones() as usize);
        let tables: Vec<u64> = partition.0.iter().map(table).collect();
        let largest = tables.iter().max().copied().unwrap_or(0);
        tables.iter().sum::<u64>() - largest + SlidingTable::bytes_to_build(largest)
    }

    /// The databases of a partition of which it is known that it applies.
    pub(super) fn built(frame: &Frame, partition: Option<Partition>) -> PatternDatabases {
        let partition = partition.expect("it was asked whether it applies");
        let built = PatternDatabases::with_partition(frame, &partition, &Limits::default());
        built.expect("nothing limits it")
    }

    /// The memory of all tables.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(SlidingTable::bytes).sum()
    }

    /// Whether the mirror image of a board is asked about, too.
    pub fn is_mirrored(&self) -> bool {
        self.sides.len() == SIDES
    }

    /// By side, the spot after a move of a tile in one of the patterns, and which pattern that is.
    #[inline(always)]
    pub(super) fn slid(
        &self,
        side: usize,
        spots: &[Spot; MOST_PATTERNS],
        step: &Step,
    ) -> (usize, Spot) {
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
pub(super) struct Step {
    pub(super) blank: usize,
    pub(super) m: usize,
    pub(super) label: usize,
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
        let mut places = [Place::NONE; ROUND];
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
        Side { views, patterns: patterns.len(), places }
    }

    /// The spots of all patterns.
    fn spots(
        &self,
        tables: &[SlidingTable],
        labels: impl Fn(usize) -> Option<usize>,
        (cells, blank): (usize, usize),
    ) -> [Spot; MOST_PATTERNS] {
        let mut spots = [Spot::default(); MOST_PATTERNS];
        for (pattern, spot) in spots.iter_mut().enumerate().take(self.patterns) {
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
            *spots = side.spots(&self.tables, label, (cells, blank));
        }
        spots
    }

    #[inline]
    fn update(&self, puzzle: &P, spots: Spots, before: P::State, m: Move) -> Spots {
        let mut spots = spots;
        puzzle.each_carried(before, m, |from, blank| {
            let step = Step { blank, m: m.index(), label: puzzle.label(before, from).into() };
            for (side, spots) in spots.0.iter_mut().enumerate().take(self.sides.len()) {
                if self.sides[side].places[step.label] == Place::NONE {
                    continue;
                }
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
        self.is_complete.then_some(UnitSteps::Databases(self, spots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::Registered;
    use crate::heuristic::pdb::{Automatic, Pdb555};
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
            let limits = &Limits::default();
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
}
