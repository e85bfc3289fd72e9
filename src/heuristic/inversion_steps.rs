//! The steps of the search of sliding puzzles with inversions.
//!
//! The tiles that a move passes are found in the ring of the board. How many of them belong before
//! the one that moves says how many inversions there are then, and so whether these take a move
//! more or fewer.

use super::inversion_distance::Reading;
use super::unit_steps::{Steps, slack};
use crate::puzzle::blank_relative::BlankRelative;
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame};

/// The longest side.
const MOST_LINES: usize = 4;
/// The most tiles that a move passes.
const MOST_PASSED: usize = MOST_LINES - 1;
/// The places of the ring, and labels.
const CELLS: usize = <u64 as BlankRelative>::CELLS;
/// More than the pairs of 15 tiles.
const COUNTS: usize = 128;
/// Beside the inversions that come next: they take a move more, not one fewer.
const FARTHER: u8 = 1 << 7;
/// Up, Down, Left, Right.
const MOVES: usize = 4;

/// What moves do to inversions, on boards up to 4x4 with even sides.
#[derive(Clone, Debug)]
pub struct InversionSteps {
    /// By the blank's cell and the move, where in the ring the tiles are that are passed. If they
    /// are fewer, the rest is the tile that passes them: it is not before itself.
    passed: [[[u8; MOST_PASSED]; MOVES]; CELLS],
    /// By rows and by columns, for each label: the set of those that belong before it.
    before: [[u16; CELLS]; 2],
    /// By move, the inversions of its axis, and how many tiles are passed that belong before the
    /// one that moves: the inversions then, and [`FARTHER`].
    next: [[[u8; MOST_PASSED + 1]; COUNTS]; MOVES],
}

/// The inversions by rows and by columns of a board, and how many moves they take.
#[derive(Clone, Copy, Debug)]
pub struct Inversions {
    pub(super) counts: (u16, u16),
    pub(super) moves: Depth,
}

/// The inversions by rows and by columns, and the slack.
#[derive(Clone, Copy, Debug)]
pub struct Inverted {
    counts: [u8; 2],
    slack: u32,
}

impl InversionSteps {
    /// The steps of a puzzle that is read by rows and by columns; `None` if the board is too large
    /// or has odd sides, or is 2x2, where not only the goal is without inversions.
    pub(super) fn where_it_fits(frame: &Frame, readings: [&Reading; 2]) -> Option<Box<Self>> {
        let shape = frame.shape();
        let sides = [shape.cols(), shape.rows()];
        if sides == [2, 2] || sides.iter().any(|&side| side > MOST_LINES || side % 2 == 1) {
            return None;
        }
        let Action::Blank(targets) = frame.moves().action() else {
            unreachable!("this heuristic is for puzzles with a blank");
        };
        let mut steps = Box::new(InversionSteps {
            passed: [[[0; MOST_PASSED]; MOVES]; CELLS],
            before: [[0; CELLS]; 2],
            next: [[[0; MOST_PASSED + 1]; COUNTS]; MOVES],
        });
        for (reading, before) in readings.into_iter().zip(&mut steps.before) {
            for (rank, &label) in reading.cells.iter().enumerate() {
                before[usize::from(label)] =
                    reading.cells[..rank].iter().map(|&earlier| 1 << earlier).sum();
            }
        }
        for (m, targets) in targets.iter().enumerate() {
            let reading = readings[m / 2];
            for (to, target) in targets.iter().enumerate() {
                let Some(from) = target.map(usize::from) else { continue };
                let place = |cell: usize| ((cell + CELLS - to) % CELLS) as u8;
                let mut ranks = [from, to].map(|cell| usize::from(reading.rank[cell]));
                ranks.sort_unstable();
                let passed = &reading.cells[ranks[0] + 1..ranks[1]];
                let places = passed.iter().map(|&cell| place(cell.into()));
                let rest = std::iter::repeat(place(from));
                for (slot, place) in steps.passed[to][m].iter_mut().zip(places.chain(rest)) {
                    *slot = place;
                }
            }
            // The tile goes the other way than the blank: on, if that goes up or left.
            let (goes_on, passed) = (m % 2 == 0, sides[m / 2] - 1);
            for (count, &moves) in reading.moves.iter().enumerate() {
                for (lower, next) in steps.next[m][count].iter_mut().enumerate().take(passed + 1) {
                    let higher = passed - lower;
                    let (more, fewer) = if goes_on { (higher, lower) } else { (lower, higher) };
                    let Some(after) = (count + more).checked_sub(fewer) else { continue };
                    let Some(&moves_after) = reading.moves.get(after) else { continue };
                    *next = after as u8 | if moves_after > moves { FARTHER } else { 0 };
                }
            }
        }
        Some(steps)
    }
}

impl Steps for InversionSteps {
    type Value = Inversions;
    type Carried = Inverted;
    type Ahead = ();

    fn begin(&self, inversions: Inversions, _: &[u8], budget: Depth) -> Option<Inverted> {
        let (rows, cols) = inversions.counts;
        Some(Inverted { counts: [rows as u8, cols as u8], slack: slack(budget, inversions.moves)? })
    }

    #[inline(always)]
    fn step<R: BlankRelative, const M: usize>(
        &self,
        carried: &Inverted,
        (): (),
        ring: R,
        blank: usize,
        label: usize,
    ) -> Option<Inverted> {
        let Inverted { mut counts, slack } = *carried;
        let axis = const { M / 2 };
        let before = self.before[axis][label & (CELLS - 1)];
        let passed = self.passed[blank & (CELLS - 1)][M];
        let lower = passed.map(|place| before >> (ring.label(place.into()) & (CELLS - 1)) & 1);
        let lower = lower.into_iter().sum::<u16>() & MOST_PASSED as u16;
        let next = self.next[M][usize::from(counts[axis]) & (COUNTS - 1)][usize::from(lower)];
        counts[axis] = next & !FARTHER;
        Some(Inverted { counts, slack: slack.checked_sub((next / FARTHER).into())? })
    }
}
