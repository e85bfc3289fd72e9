//! Linear conflict: the Manhattan distance, and two moves for each tile that has to leave
//! its line to let others pass (Hansson, Mayer and Yung 1992, "Criticizing solutions to
//! relaxed models yields powerful admissible heuristics").
//!
//! Two tiles are in conflict if both are in the line (row or column) of their goals, in the
//! wrong order. From each line the fewest tiles are taken out that leave no conflict: all
//! of its own tiles but a longest subsequence that is in order.
//!
//! **Admissible and consistent**, wherever the goal has its blank: every move changes the
//! estimate by exactly 1. Say a tile goes from column a to column b. The order in its row
//! stays, as the blank does not count. If its goal is in column a, the Manhattan distance
//! grows by 1 while column a, one tile poorer, needs the same number of tiles taken out or
//! one fewer: +1 or −1 in all. If its goal is in column b, the same backwards. Otherwise no
//! line has gained or lost a tile of its own.
//!
//! The proof also says what an incremental update has to look at: one line at most. Lines of up to
//! `SHORT` cells are looked up in a table of up to 32 KiB.

use super::conflict_steps::ConflictSteps;
use super::manhattan::distances;
use super::per_tile::PerTile;
use super::unit_steps::{StepsRoot, StepsVisitor};
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::board::MAX_CELLS;
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// The longest line that has a table: five cells of three bits.
const SHORT: usize = 5;
/// What stands in a cell of a short line for a tile that belongs elsewhere, or the blank.
const STRANGER: u8 = 7;

/// Manhattan distance + 2 for each tile that has to leave its line.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    distances: PerTile,
    rows: ConflictLines,
    cols: ConflictLines,
    blank: u8,
    /// What a move changes, on boards small enough.
    steps: Option<ConflictSteps>,
}

/// All rows, or all columns.
#[derive(Clone, Debug)]
struct ConflictLines {
    count: usize,
    length: usize,
    /// From one line to the next, and from one cell of a line to the next.
    strides: (usize, usize),
    /// For each cell, its line and its place there.
    place: Vec<(u8, u8)>,
    /// How many tiles have to leave, by the places to which those in a short line belong.
    short: Vec<u8>,
}

impl NamedHeuristic for LinearConflict {
    const NAME: &'static str = "linear-conflict";
    const SUMMARY: &'static str =
        "Manhattan distance, and 2 for each tile that has to leave its line to let others pass";
    const SCOPE: Scope = Scope::WithBlank;

    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Self {
        let (rows, cols) = (frame.shape().rows(), frame.shape().cols());
        LinearConflict {
            distances: distances(frame),
            rows: ConflictLines::new(rows, cols, (cols, 1)),
            cols: ConflictLines::new(cols, rows, (1, cols)),
            blank: frame.blank_label().expect("the goal has a blank"),
            steps: ConflictSteps::where_it_fits(frame),
        }
    }
}

impl ConflictLines {
    fn new(count: usize, length: usize, strides: (usize, usize)) -> ConflictLines {
        let place = |cell: usize| match strides {
            (1, across) => (cell % across, cell / across),
            (along, _) => (cell / along, cell % along),
        };
        let as_bytes = |(line, at): (usize, usize)| (line as u8, at as u8);
        let short = |packed: usize| {
            let places = (0..length).map(|i| (packed >> (3 * i) & 7) as u8);
            leavers(places.filter(|&place| usize::from(place) < length)) as u8
        };
        let packed_lines = if length <= SHORT { 1 << (3 * length) } else { 0 };
        ConflictLines {
            count,
            length,
            strides,
            place: (0..count * length).map(|cell| as_bytes(place(cell))).collect(),
            short: (0..packed_lines).map(short).collect(),
        }
    }

    /// How many tiles have to leave a line.
    #[inline]
    fn leavers(&self, line: u8, blank: u8, label_at: impl Fn(usize) -> u8) -> u32 {
        let start = usize::from(line) * self.strides.0;
        let own_place = |i: usize| {
            let label = label_at(start + i * self.strides.1);
            let (home, place) = self.place[usize::from(label)];
            (home == line && label != blank).then_some(place)
        };
        let places = (0..self.length).map(own_place);
        if self.short.is_empty() {
            leavers(places.flatten())
        } else {
            let pack =
                |packed, place: Option<u8>| packed << 3 | usize::from(place.unwrap_or(STRANGER));
            // Packed from the end, so that the first cell is in the lowest bits.
            u32::from(self.short[places.rev().fold(0, pack)])
        }
    }
}

/// How many of these distinct numbers have to go so that the rest increases: all but a
/// longest increasing subsequence.
pub(super) fn leavers(numbers: impl Iterator<Item = u8>) -> u32 {
    // The smallest last number of an increasing subsequence, by its length less one.
    let mut last = [0; MAX_CELLS];
    let (mut count, mut longest) = (0, 0);
    for number in numbers {
        let at = last[..longest].partition_point(|&end| end < number);
        last[at] = number;
        longest = longest.max(at + 1);
        count += 1;
    }
    count - longest as u32
}

impl LinearConflict {
    /// The steps of the search for heuristics that each move changes by one, where there are any.
    pub(super) fn steps(&self) -> Option<&ConflictSteps> {
        self.steps.as_ref()
    }
}

impl<P: Puzzle> Heuristic<P> for LinearConflict {
    type Value = u32;

    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        let leavers = |lines: &ConflictLines| -> u32 {
            (0..lines.count)
                .map(|line| lines.leavers(line as u8, self.blank, |cell| puzzle.label(state, cell)))
                .sum()
        };
        self.distances.sum(puzzle, state) + 2 * (leavers(&self.rows) + leavers(&self.cols))
    }

    #[inline]
    fn update(&self, puzzle: &P, value: u32, before: P::State, m: Move) -> u32 {
        let mut value = value;
        puzzle.each_carried(before, m, |from, to| {
            let label = puzzle.label(before, from);
            value = value.wrapping_add(self.distances.change(label, from, to));
            // Neighbours in a row have neighbouring numbers, those in a column have not.
            let lines = if from.abs_diff(to) == 1 { &self.cols } else { &self.rows };
            let home = lines.place[usize::from(label)].0;
            if home == lines.place[from].0 || home == lines.place[to].0 {
                let earlier = |cell| puzzle.label(before, cell);
                let later = |cell| match cell {
                    _ if cell == from => self.blank,
                    _ if cell == to => label,
                    _ => puzzle.label(before, cell),
                };
                value += 2 * lines.leavers(home, self.blank, later);
                value -= 2 * lines.leavers(home, self.blank, earlier);
            }
        });
        value
    }

    #[inline]
    fn estimate(&self, value: u32) -> Depth {
        value
    }

    #[inline]
    fn unit_value(&self, estimate: Depth) -> Option<u32> {
        Some(estimate)
    }

    #[inline]
    fn unit_steps<V: StepsVisitor>(
        &self,
        root: StepsRoot<'_, u32>,
        visitor: V,
    ) -> Option<V::Output> {
        Some(visitor.visit(self.steps()?, root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_leave() {
        let of = |numbers: &[u8]| leavers(numbers.iter().copied());
        assert_eq!(of(&[]), 0);
        assert_eq!(of(&[0, 1, 4]), 0);
        assert_eq!(of(&[3, 2, 1, 0]), 3);
        assert_eq!(of(&[2, 0, 1]), 1);
        assert_eq!(of(&[1, 0, 3, 2]), 2);
    }

    #[test]
    fn the_table_of_short_lines_says_the_same() {
        let lines = ConflictLines::new(4, 4, (4, 1));
        let labels = [9, 15, 8, 11];
        assert_eq!(lines.leavers(2, 15, |cell| labels[cell - 8]), leavers([1, 0, 3].into_iter()));
    }
}
