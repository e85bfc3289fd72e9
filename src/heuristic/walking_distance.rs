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
//! The distances come from one breadth-first search an axis, from the goal on: 24,964
//! matrices on the 4x4 sliding puzzle (166 KB) in a few milliseconds, 10,147 on the 4x4 torus
//! (43 KB). Five rows of five would be 22 million on the torus and more on the sliding puzzle,
//! too many to build when a program starts, so it applies only to grids of up to
//! `MOST_LINES` rows and columns.

use super::axes::{Axis, axis_of_moves, turns_lines};
use super::per_tile::PerTile;
use super::{Heuristic, Promise, Registered, Scope};
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// The most rows and columns.
const MOST_LINES: usize = 4;
/// The bits for what is in one row: (4 + 1)⁴ fits.
const LINE_BITS: usize = 10;
/// A matrix that is not reached.
const UNREACHED: u8 = u8::MAX;

/// `[row][goal row]`: how many tiles.
type Counts = [[u8; MOST_LINES]; MOST_LINES];

/// Exact distance of the rows' matrix + that of the columns'.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    /// For rows and for columns.
    tables: [Table; 2],
    axis_of_move: Vec<Axis>,
}

/// The matrices of both axes as numbers, and their distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    matrices: [u32; 2],
    distances: [u8; 2],
}

impl Registered for WalkingDistance {
    const NAME: &'static str = "walking-distance";
    const SUMMARY: &'static str =
        "exact distance between rows with the columns forgotten, plus the same for columns";
    const SCOPE: Scope = Scope::Every;

    type Estimator = Self;

    fn promise(frame: &Frame) -> Option<Promise> {
        let shape = frame.shape();
        let small = shape.rows().max(shape.cols()) <= MOST_LINES;
        let fits = frame.blank_label().is_some() || turns_lines(frame);
        (small && fits).then_some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Self {
        WalkingDistance {
            tables: [Axis::Rows, Axis::Cols].map(|axis| Table::new(frame, axis)),
            axis_of_move: axis_of_moves(frame).expect("each move has one axis"),
        }
    }
}

/// The distances of all matrices of one axis.
///
/// A matrix is a number: each row is written in digits, one for each goal row, and the rows
/// follow each other in [`LINE_BITS`] bits each. It is a sum over tiles, so that a move
/// updates it. The last row is left out, as the others determine it.
#[derive(Clone, Debug)]
struct Table {
    weights: PerTile,
    /// For each row but the last, by its bits in the number: what it adds to the index. The
    /// contents that a row can have are the digits of the index.
    offsets: Box<[[u32; 1 << LINE_BITS]; MOST_LINES - 1]>,
    distance: Vec<u8>,
}

impl Table {
    fn new(frame: &Frame, axis: Axis) -> Table {
        let shape = frame.shape();
        let lines = axis.lines(shape);
        let width = shape.cells() / lines;
        let blank = frame.blank_label().map(usize::from);
        let weights = PerTile::new(frame, |cell, label| {
            weight(width, lines, axis.line(shape, cell), axis.line(shape, label))
        });
        let can_be = |&bits: &usize| {
            let tiles = digit_sum(bits, width + 1);
            tiles == width || (blank.is_some() && tiles + 1 == width)
        };
        let contents: Vec<usize> = (0..1 << LINE_BITS).filter(can_be).collect();
        let mut offsets = Box::new([[0; 1 << LINE_BITS]; MOST_LINES - 1]);
        let mut unit = 1;
        for row in &mut offsets[..lines - 1] {
            for (digit, &bits) in contents.iter().enumerate() {
                row[bits] = (digit * unit) as u32;
            }
            unit *= contents.len();
        }
        let mut table = Table { weights, offsets, distance: vec![UNREACHED; unit] };
        let mut goal = Counts::default();
        for cell in (0..shape.cells()).filter(|&cell| Some(cell) != blank) {
            let line = axis.line(shape, cell);
            goal[line][line] += 1;
        }
        if blank.is_some() {
            table.fill(lines, width, goal, slides);
        } else {
            table.fill(lines, width, goal, turns);
        }
        table
    }

    /// Breadth-first search from the goal. Each step can be taken back, so these are the
    /// distances to the goal as well.
    fn fill(&mut self, lines: usize, width: usize, goal: Counts, steps: Steps) {
        let weights: [[u32; MOST_LINES]; MOST_LINES] =
            std::array::from_fn(|row| std::array::from_fn(|goal| weight(width, lines, row, goal)));
        let number = |counts: &Counts| -> u32 {
            let pairs = counts.as_flattened().iter().zip(weights.as_flattened());
            pairs.map(|(&count, weight)| u32::from(count) * weight).sum()
        };
        let start = self.index(number(&goal));
        self.distance[start] = 0;
        let mut layer = vec![goal];
        for distance in 1.. {
            let mut next = Vec::new();
            for counts in &layer {
                steps(counts, lines, width, &mut |after| {
                    let index = self.index(number(&after));
                    if self.distance[index] == UNREACHED {
                        self.distance[index] = distance;
                        next.push(after);
                    }
                });
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
    }

    #[inline]
    fn index(&self, matrix: u32) -> usize {
        let rows = self.offsets.iter().enumerate();
        let offset = |(i, row): (usize, &[u32; 1 << LINE_BITS])| {
            row[matrix as usize >> (LINE_BITS * i) & ((1 << LINE_BITS) - 1)]
        };
        rows.map(offset).sum::<u32>() as usize
    }

    #[inline]
    fn distance(&self, matrix: u32) -> u8 {
        self.distance[self.index(matrix)]
    }
}

/// What a tile of row `goal` adds to the number when it is in row `row`.
fn weight(width: usize, lines: usize, row: usize, goal: usize) -> u32 {
    if row + 1 < lines { ((width + 1).pow(goal as u32) << (LINE_BITS * row)) as u32 } else { 0 }
}

fn digit_sum(number: usize, base: usize) -> usize {
    if number == 0 { 0 } else { number % base + digit_sum(number / base, base) }
}

/// Visits the matrices that are one step away: `steps(counts, lines, width, visit)`.
type Steps = fn(&Counts, usize, usize, &mut dyn FnMut(Counts));

/// A tile of a neighbouring row goes to the row of the blank.
fn slides(counts: &Counts, lines: usize, width: usize, visit: &mut dyn FnMut(Counts)) {
    let tiles = |row: &[u8; MOST_LINES]| usize::from(row.iter().sum::<u8>());
    let blank =
        counts.iter().position(|row| tiles(row) + 1 == width).expect("one row has the blank");
    for row in (0..lines).filter(|row| row.abs_diff(blank) == 1) {
        for goal in (0..lines).filter(|&goal| counts[row][goal] > 0) {
            let mut after = *counts;
            after[row][goal] -= 1;
            after[blank][goal] += 1;
            visit(after);
        }
    }
}

/// A tile of each row goes to the next row, or one of each to the previous.
fn turns(counts: &Counts, lines: usize, _: usize, visit: &mut dyn FnMut(Counts)) {
    fn from_row(
        row: usize,
        before: &Counts,
        after: Counts,
        lines: usize,
        step: usize,
        visit: &mut dyn FnMut(Counts),
    ) {
        if row == lines {
            return visit(after);
        }
        for goal in (0..lines).filter(|&goal| before[row][goal] > 0) {
            let mut after = after;
            after[row][goal] -= 1;
            after[(row + step) % lines][goal] += 1;
            from_row(row + 1, before, after, lines, step, visit);
        }
    }
    for step in [1, lines - 1] {
        from_row(0, counts, *counts, lines, step, visit);
    }
}

impl<P: Puzzle> Heuristic<P> for WalkingDistance {
    type Value = Walk;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> Walk {
        let matrices = self.tables.each_ref().map(|table| table.weights.sum(puzzle, state));
        let distances = std::array::from_fn(|axis| self.tables[axis].distance(matrices[axis]));
        Walk { matrices, distances }
    }

    #[inline]
    fn update(&self, puzzle: &P, value: Walk, before: P::State, m: Move) -> Walk {
        let mut value = value;
        let axis = self.axis_of_move[m.index()] as usize;
        let table = &self.tables[axis];
        let matrix = table.weights.updated(puzzle, value.matrices[axis], before, m);
        value.matrices[axis] = matrix;
        value.distances[axis] = table.distance(matrix);
        value
    }

    #[inline]
    fn estimate(&self, value: Walk) -> Depth {
        value.distances.into_iter().map(Depth::from).sum()
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
        let at =
            |distance: &u8| heuristic.tables[0].distance.iter().filter(|&d| d == distance).count();
        (0..UNREACHED).map(|d| at(&d)).take_while(|&count| count > 0).collect()
    }

    #[test]
    fn the_matrices_of_the_torus_are_the_published_ones() {
        assert_eq!(matrices("torus4"), [1, 2, 46, 540, 2781, 4350, 1886, 492, 49]);
    }

    #[test]
    fn the_matrices_of_the_sliding_puzzle_are_the_published_ones() {
        assert_eq!(matrices("sliding4").iter().sum::<usize>(), 24_964);
    }
}
