//! The steps of the search of sliding puzzles with linear conflicts.
//!
//! By how much a move changes the estimate depends on one line at most: that of the tile's goal
//! which it leaves or enters, among the rows if it goes up or down. So the search carries along
//! where each line's own tiles are in it. A line is a number: for each of its tiles a digit, 0 if
//! the tile is elsewhere, else its place in the line and 1. All rows are in one word and all
//! columns in another, and what a move adds to both is in a table.

use super::axes::Axis;
use super::linear_conflict::leavers;
use super::unit_steps::{Steps, slack};
use crate::board::Shape;
use crate::puzzle::blank_relative::BlankRelative;
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame};

/// The most lines, and the most cells in one.
const MOST_LINES: usize = 5;
/// The digits of a line's number.
const RADIX: usize = MOST_LINES + 1;
/// The bits of a line's number: 6⁵ < 2¹³. The line where the blank belongs has a tile less and is
/// last, where 12 are left: 6⁴ < 2¹².
const LINE_BITS: usize = 13;
/// Labels and cells, rounded up so that no look-up needs a check.
const ROUND: usize = (MOST_LINES * MOST_LINES).next_power_of_two();
/// Up, Down, Left, Right.
const MOVES: usize = 4;

/// What each move changes.
#[derive(Clone, Debug)]
pub struct ConflictSteps {
    /// By the blank's cell, the move, and the label of the tile that goes there.
    changes: Box<[[[Change; ROUND]; MOVES]; ROUND]>,
    /// By a line's number, how many tiles have to leave it.
    leavers: Box<[u8; 1 << LINE_BITS]>,
    shape: Shape,
    blank: usize,
}

/// What a move changes.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// What is added to the number of the goal's line, among those from one of which to another
    /// the tile goes, and among those along one of which it goes.
    across: i16,
    along: i16,
    /// Where these numbers begin.
    across_at: u8,
    along_at: u8,
    /// 1 if the tile gets farther from its goal, and 0 if nearer.
    farther: u8,
}

/// The rows, the columns, and the slack.
#[derive(Clone, Copy, Debug)]
pub struct Conflicts {
    lines: [u64; 2],
    slack: u32,
}

/// The place of a cell in its row or its column.
fn place(axis: Axis, shape: Shape, cell: usize) -> usize {
    match axis {
        Axis::Rows => Axis::Cols.line(shape, cell),
        Axis::Cols => Axis::Rows.line(shape, cell),
    }
}

impl ConflictSteps {
    /// The steps of a puzzle; `None` if the board is too large.
    pub(super) fn where_it_fits(frame: &Frame) -> Option<ConflictSteps> {
        let shape = frame.shape();
        if shape.rows().max(shape.cols()) > MOST_LINES {
            return None;
        }
        let blank = frame.blank_label().expect("the goal has a blank").into();
        let Action::Blank(targets) = frame.moves().action() else {
            unreachable!("this heuristic is for puzzles with a blank");
        };
        let mut steps = ConflictSteps {
            changes: Box::new([[[Change::default(); ROUND]; MOVES]; ROUND]),
            leavers: Box::new(std::array::from_fn(|number| {
                let digits = (0..MOST_LINES as u32).map(|i| number / RADIX.pow(i) % RADIX);
                leavers(digits.filter(|&digit| digit > 0).map(|digit| digit as u8)) as u8
            })),
            shape,
            blank,
        };
        let apart = |cell, label| {
            let (rows, cols) = shape.apart(cell, label);
            rows + cols
        };
        for (m, targets) in targets.iter().enumerate() {
            let (across, along) = [(Axis::Rows, Axis::Cols), (Axis::Cols, Axis::Rows)][m / 2];
            for (to, target) in targets.iter().enumerate() {
                let Some(from) = target.map(usize::from) else { continue };
                for label in (0..shape.cells()).filter(|&label| label != blank) {
                    let added = |axis| {
                        let [from, to] = [from, to].map(|cell| steps.number(axis, cell, label));
                        to as i16 - from as i16
                    };
                    steps.changes[to][m][label] = Change {
                        across: added(across),
                        along: added(along),
                        across_at: steps.begins_at(across, label),
                        along_at: steps.begins_at(along, label),
                        farther: u8::from(apart(to, label) > apart(from, label)),
                    };
                }
            }
        }
        Some(steps)
    }

    /// What a tile in a cell adds to the number of its goal's line.
    fn number(&self, axis: Axis, cell: usize, label: usize) -> usize {
        let line = |cell| axis.line(self.shape, cell);
        let place = |cell| place(axis, self.shape, cell);
        let after_blank = line(label) == line(self.blank) && place(label) > place(self.blank);
        let digit = if line(cell) == line(label) { place(cell) + 1 } else { 0 };
        digit * RADIX.pow((place(label) - usize::from(after_blank)) as u32)
    }

    /// Where the number of the goal's line begins: the last lines change places with that of the
    /// blank.
    fn begins_at(&self, axis: Axis, label: usize) -> u8 {
        let line = axis.line(self.shape, label);
        let of_blank = axis.line(self.shape, self.blank);
        let at = match line {
            _ if line == of_blank => MOST_LINES - 1,
            _ if line == MOST_LINES - 1 => of_blank,
            _ => line,
        };
        (at * LINE_BITS) as u8
    }
}

impl Steps for ConflictSteps {
    type Value = Depth;
    type Carried = Conflicts;
    type Ahead = ();

    fn begin(&self, sum: Depth, labels: &[u8], budget: Depth) -> Option<Conflicts> {
        let tiles = || labels.iter().map(|&label| usize::from(label)).enumerate();
        let lines = [Axis::Rows, Axis::Cols].map(|axis| {
            let number = |(cell, label): (usize, usize)| {
                (self.number(axis, cell, label) as u64) << self.begins_at(axis, label)
            };
            tiles().filter(|&(_, label)| label != self.blank).map(number).sum()
        });
        Some(Conflicts { lines, slack: slack(budget, sum)? })
    }

    #[inline(always)]
    fn step<R: BlankRelative, const M: usize>(
        &self,
        carried: &Conflicts,
        (): (),
        _: R,
        blank: usize,
        label: usize,
    ) -> Option<Conflicts> {
        let change = &self.changes[blank & (ROUND - 1)][M][label & (ROUND - 1)];
        let (across, along) = const { (M / 2, 1 - M / 2) };
        let added = |by: i16, at: u8| (i64::from(by) as u64) << (at & 63);
        let before = carried.lines[across];
        let after = before.wrapping_add(added(change.across, change.across_at));
        let leavers = |lines: u64| {
            let number = (lines >> (change.across_at & 63)) as usize & ((1 << LINE_BITS) - 1);
            u32::from(self.leavers[number])
        };
        // Nearer or farther, and twice as much back: 0 or 1 in all.
        let farther = u32::from(change.farther) + leavers(after) - leavers(before);
        let slack = carried.slack.checked_sub(farther)?;
        let mut lines = carried.lines;
        lines[across] = after;
        lines[along] = lines[along].wrapping_add(added(change.along, change.along_at));
        Some(Conflicts { lines, slack })
    }
}
