//! Walking distance (Ken'ichiro Takahashi): exact distances in the puzzle that is left when
//! one forgets the columns, plus those in the one without the rows.
//!
//! Forget which column a tile is in and which one it belongs to, and the order within rows.
//! What is left of a board is a matrix: how many tiles of each goal row are in each row.
//! Moves along rows do nothing to it, a move from row to row does:
//! * on a **sliding** puzzle some tile of a row next to the blank's goes to the blank's row;
//! * on a **torus** one tile of each row goes to the next row, all up or all down.
//!
//! **Admissible and consistent.** Every vertical move is a step between such matrices, so
//! there are at least as many of them as the exact distance between matrices, which one
//! move changes by at most 1; and likewise for horizontal moves. No move is both, so the
//! two add up. That is also why the rings are left out: a ring that turns is both.
//!
//! The distances come from one breadth-first search an axis, from the goal on, in a few
//! milliseconds: 24,964 matrices on the 4x4 sliding puzzle, 10,147 on the 4x4 torus. Axes that
//! are alike share them. On the sliding puzzle, where a move carries one tile, a table has the
//! matrix that comes next and whether it is farther away (400 KB), so that an update is one
//! lookup. A move of the torus carries four tiles, and it is quickest to add up the matrix of
//! the board after it (96 KB).
//!
//! **On sliding puzzles every move changes the estimate by exactly 1**: a step between matrices
//! takes the blank to a neighbouring row, so that the distance of a matrix is even or odd as the
//! blank's row is an even or odd number of rows from its goal. Steps can be taken back, so that
//! the distances of neighbours differ by 1 at most, and by parity they do differ. No tile is out
//! of its row or column where both are 0: that is the goal.
//!
//! It applies only to grids of up to `MOST_LINES` rows and columns. Five rows of five cells
//! have 22,069,251 matrices on the torus and five rows of four have 2,224,955, with hundreds of
//! steps from each, and sliding puzzles have some times as many: too much to build when a
//! program starts. Five rows of two or three have few enough (6,210 and 153,040 on the torus),
//! but their numbers would not fit 32 bits.

use super::axes::{Axis, axis_of_moves, turns_lines};
use super::per_tile::PerTile;
use super::unit_steps::{Steps, StepsRoot, StepsVisitor, slack};
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::puzzle::blank_relative::BlankRelative;
use crate::puzzle::{Depth, Frame, Move, Puzzle};
use std::sync::Arc;

/// The most rows and columns.
const MOST_LINES: usize = 4;
/// The bits for what is in one row: (4 + 1)⁴ fits.
const LINE_BITS: usize = 10;
/// The place of a matrix that is not reached.
const NOWHERE: u16 = u16::MAX;
/// Beside the place of a matrix that comes next: it is farther from the goal, not nearer.
const FARTHER: u16 = 1 << 15;

/// `[row][goal row]`: how many tiles.
type Counts = [[u8; MOST_LINES]; MOST_LINES];

/// Exact distance of the rows' matrix + that of the columns'.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    /// The rows, and the columns.
    lines: [WalkLines; 2],
    axis_of_move: Vec<Axis>,
}

/// The matrices of both axes, as their places, and their distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    places: [u16; 2],
    distances: [u8; 2],
}

impl Walk {
    #[inline]
    fn sum(self) -> Depth {
        self.distances.into_iter().map(Depth::from).sum()
    }
}

impl NamedHeuristic for WalkingDistance {
    const NAME: &'static str = "walking-distance";
    const SUMMARY: &'static str =
        "exact distance between rows with the columns forgotten, plus the same for columns";
    const SCOPE: Scope = Scope::Every;

    type Heuristic = Self;

    fn promise(frame: &Frame) -> Option<Promise> {
        let shape = frame.shape();
        let small = shape.rows().max(shape.cols()) <= MOST_LINES;
        let fits = frame.blank_label().is_some() || turns_lines(frame);
        (small && fits).then_some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Self {
        let rows = Quotient::new(frame, Axis::Rows);
        let cols = Quotient::new(frame, Axis::Cols);
        let of_rows = Arc::new(Matrices::new(&rows));
        let of_cols =
            if rows == cols { Arc::clone(&of_rows) } else { Arc::new(Matrices::new(&cols)) };
        WalkingDistance {
            lines: [
                WalkLines::new(frame, Axis::Rows, of_rows, &rows),
                WalkLines::new(frame, Axis::Cols, of_cols, &cols),
            ],
            axis_of_move: axis_of_moves(frame).expect("each move has one axis"),
        }
    }
}

/// The puzzle that is left of one axis. Its lines are called rows, whichever axis it is.
#[derive(PartialEq, Eq)]
struct Quotient {
    rows: usize,
    width: usize,
    /// The row where the blank belongs, in a puzzle that has one.
    blank: Option<usize>,
}

impl Quotient {
    fn new(frame: &Frame, axis: Axis) -> Quotient {
        let shape = frame.shape();
        let rows = axis.lines(shape);
        let blank = frame.blank_label().map(|label| axis.line(shape, label.into()));
        Quotient { rows, width: shape.cells() / rows, blank }
    }

    fn goal(&self) -> Counts {
        let mut goal = Counts::default();
        for (row, counts) in goal.iter_mut().enumerate().take(self.rows) {
            counts[row] = self.width as u8 - u8::from(self.blank == Some(row));
        }
        goal
    }

    /// What a tile of row `goal` adds to the number of a matrix when it is in row `row`: see
    /// [`Matrices`].
    fn weight(&self, row: usize, goal: usize) -> u32 {
        let digit = (self.width + 1).pow(goal as u32);
        if row + 1 < self.rows { (digit << (LINE_BITS * row)) as u32 } else { 0 }
    }

    /// All that a row can hold, as the digits that [`weight`](Self::weight) writes.
    fn contents(&self) -> impl Iterator<Item = usize> {
        (0..1 << LINE_BITS).filter(|&bits| {
            let tiles = digit_sum(bits, self.width + 1);
            tiles == self.width || (self.blank.is_some() && tiles + 1 == self.width)
        })
    }

    /// Visits the matrices that are one step away. On the sliding puzzle each has its own slot.
    fn each_step(&self, counts: &Counts, visit: &mut dyn FnMut(usize, Counts)) {
        if self.blank.is_some() {
            slides(counts, self.rows, self.width, visit);
        } else {
            turns(counts, self.rows, &mut |after| visit(0, after));
        }
    }
}

fn digit_sum(number: usize, base: usize) -> usize {
    if number == 0 { 0 } else { number % base + digit_sum(number / base, base) }
}

/// The slot of a step of the sliding puzzle: the direction in which a tile of row `goal` goes.
#[inline]
fn slot(down: bool, goal: usize) -> usize {
    usize::from(down) * MOST_LINES + goal
}

/// A tile of a neighbouring row goes to the row of the blank.
fn slides(counts: &Counts, rows: usize, width: usize, visit: &mut dyn FnMut(usize, Counts)) {
    let tiles = |row: &[u8; MOST_LINES]| usize::from(row.iter().sum::<u8>());
    let blank =
        counts.iter().position(|row| tiles(row) + 1 == width).expect("one row has the blank");
    for row in (0..rows).filter(|row| row.abs_diff(blank) == 1) {
        for goal in (0..rows).filter(|&goal| counts[row][goal] > 0) {
            let mut after = *counts;
            after[row][goal] -= 1;
            after[blank][goal] += 1;
            visit(slot(row < blank, goal), after);
        }
    }
}

/// A tile of each row goes to the next row, or one of each to the previous.
fn turns(counts: &Counts, rows: usize, visit: &mut dyn FnMut(Counts)) {
    fn from_row(
        row: usize,
        before: &Counts,
        after: Counts,
        (rows, step): (usize, usize),
        visit: &mut dyn FnMut(Counts),
    ) {
        if row == rows {
            return visit(after);
        }
        for goal in (0..rows).filter(|&goal| before[row][goal] > 0) {
            let mut after = after;
            after[row][goal] -= 1;
            after[(row + step) % rows][goal] += 1;
            from_row(row + 1, before, after, (rows, step), visit);
        }
    }
    for step in [1, rows - 1] {
        from_row(0, counts, *counts, (rows, step), visit);
    }
}

/// All matrices of one axis.
///
/// A matrix is a number: each row is written in digits, one for each goal row, and the rows
/// follow each other in [`LINE_BITS`] bits each. It is a sum over tiles. The last row is left
/// out, as the others determine it. The contents that a row can have are then the digits of a
/// smaller number, the index; and those that are reached have a place, in the order in which
/// they are met.
#[derive(Clone, Debug)]
struct Matrices {
    /// For each row but the last, by its bits in the number: what it adds to the index.
    offsets: Box<[[u32; 1 << LINE_BITS]; MOST_LINES - 1]>,
    /// By index.
    place: Vec<u16>,
    /// By place.
    distance: Vec<u8>,
    /// On the sliding puzzle, by place and slot: the place after that step, and [`FARTHER`].
    next: Vec<[u16; 2 * MOST_LINES]>,
}

impl Matrices {
    /// Breadth-first search from the goal. Each step can be taken back, so these are the
    /// distances to the goal as well.
    fn new(quotient: &Quotient) -> Matrices {
        let contents: Vec<usize> = quotient.contents().collect();
        let mut offsets = Box::new([[0; 1 << LINE_BITS]; MOST_LINES - 1]);
        let mut unit = 1;
        for row in &mut offsets[..quotient.rows - 1] {
            for (digit, &bits) in contents.iter().enumerate() {
                row[bits] = (digit * unit) as u32;
            }
            unit *= contents.len();
        }
        let mut matrices = Matrices {
            offsets,
            place: vec![NOWHERE; unit],
            distance: Vec::new(),
            next: Vec::new(),
        };
        let mut met = Vec::new();
        matrices.meet(quotient, quotient.goal(), 0, &mut met);
        let mut at = 0;
        while let Some(&counts) = met.get(at) {
            let distance = matrices.distance[at] + 1;
            let mut next = [NOWHERE; 2 * MOST_LINES];
            quotient.each_step(&counts, &mut |slot, after| {
                let place = matrices.meet(quotient, after, distance, &mut met);
                let farther = matrices.distance(place) == distance;
                next[slot] = place | if farther { FARTHER } else { 0 };
            });
            if quotient.blank.is_some() {
                debug_assert!(met.len() <= usize::from(FARTHER), "there is a bit to slack");
                matrices.next.push(next);
            }
            at += 1;
        }
        matrices
    }

    /// The place of a matrix; the next free one, if it has not been met before.
    fn meet(
        &mut self,
        quotient: &Quotient,
        counts: Counts,
        distance: u8,
        met: &mut Vec<Counts>,
    ) -> u16 {
        let weights =
            (0..MOST_LINES * MOST_LINES).map(|i| quotient.weight(i / MOST_LINES, i % MOST_LINES));
        let counted = counts.as_flattened().iter().zip(weights);
        let number = counted.map(|(&count, weight)| u32::from(count) * weight).sum();
        let index = self.index(number);
        if self.place[index] == NOWHERE {
            self.place[index] = met.len() as u16;
            self.distance.push(distance);
            met.push(counts);
        }
        self.place[index]
    }

    #[inline]
    fn index(&self, number: u32) -> usize {
        let rows = self.offsets.iter().enumerate();
        let offset = |(i, row): (usize, &[u32; 1 << LINE_BITS])| {
            row[number as usize >> (LINE_BITS * i) & ((1 << LINE_BITS) - 1)]
        };
        rows.map(offset).sum::<u32>() as usize
    }

    #[inline]
    fn distance(&self, place: u16) -> u8 {
        self.distance[usize::from(place)]
    }
}

/// The rows of a board, or its columns.
#[derive(Clone, Debug)]
struct WalkLines {
    /// The line where each label belongs.
    home: [u8; MOST_LINES * MOST_LINES],
    /// The number of the board's matrix.
    number: PerTile,
    matrices: Arc<Matrices>,
}

impl WalkLines {
    fn new(frame: &Frame, axis: Axis, matrices: Arc<Matrices>, quotient: &Quotient) -> WalkLines {
        let shape = frame.shape();
        let line = |cell| axis.line(shape, cell);
        WalkLines {
            home: std::array::from_fn(|label| line(label) as u8),
            number: PerTile::new(frame, |cell, label| quotient.weight(line(cell), line(label))),
            matrices,
        }
    }

    #[inline]
    fn place<P: Puzzle>(&self, puzzle: &P, state: P::State) -> u16 {
        self.matrices.place[self.matrices.index(self.number.sum(puzzle, state))]
    }

    /// On the sliding puzzle, what comes after a tile has gone to a neighbouring line: the place,
    /// and whether it is farther away.
    #[inline(always)]
    fn next(&self, place: u16, down: bool, label: usize) -> (u16, bool) {
        let goal = self.home[label & (MOST_LINES * MOST_LINES - 1)];
        let slot = slot(down, usize::from(goal) & (MOST_LINES - 1));
        let next = self.matrices.next[usize::from(place)][slot];
        (next & !FARTHER, next & FARTHER != 0)
    }
}

impl<P: Puzzle> Heuristic<P> for WalkingDistance {
    type Value = Walk;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> Walk {
        let places = self.lines.each_ref().map(|lines| lines.place(puzzle, state));
        let distances = std::array::from_fn(|i| self.lines[i].matrices.distance(places[i]));
        Walk { places, distances }
    }

    #[inline]
    fn update(&self, puzzle: &P, value: Walk, before: P::State, m: Move) -> Walk {
        let axis = self.axis_of_move[m.index()] as usize;
        let lines = &self.lines[axis];
        let mut value = value;
        let (place, distance) = (&mut value.places[axis], &mut value.distances[axis]);
        if P::HAS_BLANK {
            puzzle.each_carried(before, m, |from, to| {
                let label = puzzle.label(before, from).into();
                let (next, farther) = lines.next(*place, from < to, label);
                *place = next;
                *distance = if farther { *distance + 1 } else { *distance - 1 };
            });
        } else {
            *place = lines.place(puzzle, puzzle.apply(before, m));
            *distance = lines.matrices.distance(*place);
        }
        value
    }

    #[inline]
    fn estimate(&self, value: Walk) -> Depth {
        value.sum()
    }

    #[inline]
    fn unit_steps<V: StepsVisitor>(
        &self,
        root: StepsRoot<'_, Walk>,
        visitor: V,
    ) -> Option<V::Output> {
        P::HAS_BLANK.then(|| visitor.visit(self, root))
    }
}

/// The incremental state of the search of sliding puzzles.
#[derive(Clone, Copy, Debug)]
pub struct Walked {
    places: [u16; 2],
    slack: u32,
}

impl Steps for WalkingDistance {
    type Value = Walk;
    type Carried = Walked;
    type Ahead = ();

    fn begin(&self, walk: Walk, _: &[u8], budget: Depth) -> Option<Walked> {
        Some(Walked { places: walk.places, slack: slack(budget, walk.sum())? })
    }

    #[inline(always)]
    fn step<R: BlankRelative, const M: usize>(
        &self,
        carried: &Walked,
        (): (),
        _: R,
        _: usize,
        label: usize,
    ) -> Option<Walked> {
        let Walked { mut places, slack } = *carried;
        // Up, Down, Left, Right: the tile goes the other way.
        let (axis, down) = const { (M / 2, M.is_multiple_of(2)) };
        let (next, farther) = self.lines[axis].next(places[axis], down, label);
        places[axis] = next;
        Some(Walked { places, slack: slack.checked_sub(farther.into())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::AnyPuzzle;

    /// How many matrices of the rows there are at each distance.
    fn matrices(id: &str) -> Vec<usize> {
        let puzzle = AnyPuzzle::from_id(id).unwrap();
        let heuristic = WalkingDistance::build(puzzle.frame());
        let distances = &heuristic.lines[0].matrices.distance;
        let at = |distance: u8| distances.iter().filter(|&&d| d == distance).count();
        (0..=u8::MAX).map(at).take_while(|&count| count > 0).collect()
    }

    #[test]
    fn the_matrices_of_the_torus_are_the_published_ones() {
        assert_eq!(matrices("torus4"), [1, 2, 46, 540, 2781, 4350, 1886, 492, 49]);
    }

    #[test]
    fn the_matrices_of_the_sliding_puzzle_are_the_published_ones() {
        assert_eq!(matrices("sliding4").iter().sum::<usize>(), 24_964);
    }

    #[test]
    fn axes_that_are_alike_share_their_matrices() {
        let shared = |id: &str| {
            let puzzle = AnyPuzzle::from_id(id).unwrap();
            let [rows, cols] = WalkingDistance::build(puzzle.frame()).lines;
            Arc::ptr_eq(&rows.matrices, &cols.matrices)
        };
        assert!(shared("sliding4") && shared("torus4"));
        assert!(!shared("sliding:3x4") && !shared("torus:2x4"));
    }
}
