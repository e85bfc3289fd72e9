//! Shortest ways from one arrangement of a sliding puzzle to another, by IDA* on plain cells.
//!
//! An arrangement is given by where each tile is to go, so that any board can be the start and any
//! other the end. The estimate is the Manhattan distance with linear conflicts (Hansson, Mayer and
//! Yung 1992, "Criticizing solutions to relaxed models yields powerful admissible heuristics"). A
//! move changes it by one, so that the search counts only the slack: how many moves may still lead
//! away. It makes moves in place, in an array of bytes, on boards of any size.

use super::{Limits, StopReason};
use crate::board::{MAX_CELLS, Shape};
use crate::puzzle::moves::Action;
use crate::puzzle::{Frame, Move};
use std::ops::ControlFlow::{self, Break, Continue};

/// Up, Down, Left, Right.
const MOVES: usize = 4;

/// Instead of a last move, where all may come.
const NONE: u8 = MOVES as u8;

/// Where the blank may go, and what that does to Manhattan distances.
pub(super) struct Grid {
    shape: Shape,
    /// By the last move and the blank's cell.
    ways: Box<[[Ways; MAX_CELLS]; MOVES + 1]>,
    /// For each move from each row or column, by the cell where a tile belongs, whether the move
    /// takes it farther away. Only moves that exist have such a part: 2x128 cells need all of it.
    farther: Box<[u8; 1 << 16]>,
    /// By cell, its row, and its column, counted after the rows.
    lines_of: [[u8; MAX_CELLS]; 2],
    /// The rows, then the columns.
    lines: Vec<Line>,
}

/// A row or a column.
#[derive(Clone, Copy)]
struct Line {
    cells: u8,
    first: u8,
    /// From a cell to the next one.
    step: u8,
    /// The axis along which places in it are counted, and the line of the first place.
    axis: u8,
    origin: u8,
}

impl Line {
    /// Whether conflicts are counted in it: its places are bits of a word.
    fn counts_conflicts(&self) -> bool {
        u32::from(self.cells) <= u64::BITS
    }
}

/// Instead of a line, if conflicts are not counted in it.
const NO_LINE: u8 = u8::MAX;

/// The ways of the blank out of a cell.
#[derive(Clone, Copy, Default)]
struct Ways {
    count: u8,
    ways: [Way; MOVES],
}

#[derive(Clone, Copy, Default)]
struct Way {
    /// Where in `farther` the part of this move begins.
    farther_at: u16,
    to: u8,
    m: u8,
    /// Whether the tile goes from row to row or from column to column.
    axis: u8,
    /// The lines that it leaves and enters.
    leaves: u8,
    enters: u8,
}

impl Grid {
    /// The cells of a puzzle with a blank, for a blank that keeps to the free ones.
    pub(super) fn new(frame: &Frame, free: &dyn Fn(usize) -> bool) -> Grid {
        let Action::Blank(targets) = frame.moves().action() else {
            unreachable!("this search is for puzzles with a blank");
        };
        let (shape, cells) = (frame.shape(), frame.shape().cells());
        let inverse = |m: u8| frame.moves().inverse(Move(m)).expect("the blank can go back").0;
        let mut grid = Grid {
            shape,
            ways: Box::new([[Ways::default(); MAX_CELLS]; MOVES + 1]),
            farther: vec![0; 1 << 16].try_into().expect("it has this length"),
            lines_of: [[0; MAX_CELLS]; 2],
            lines: lines(shape),
        };
        for cell in 0..cells {
            let (row, col) = shape.row_col(cell);
            grid.lines_of[0][cell] = row as u8;
            grid.lines_of[1][cell] = (shape.rows() + col) as u8;
        }
        let mut parts: Vec<(u8, u8)> = Vec::new();
        for cell in (0..cells).filter(|&cell| free(cell)) {
            for m in 0..MOVES as u8 {
                let Some(to) = targets[usize::from(m)][cell].filter(|&to| free(to.into())) else {
                    continue;
                };
                let axis = usize::from(grid.lines_of[0][cell] == grid.lines_of[0][usize::from(to)]);
                let line = |cell: usize| grid.lines_of[axis][cell];
                let (leaves, enters) = (line(to.into()), line(cell));
                let part = (m, enters);
                let at = parts.iter().position(|&known| known == part).unwrap_or_else(|| {
                    parts.push(part);
                    let steps = |from, to| steps(shape, from, to);
                    let begin = (parts.len() - 1) * cells;
                    for home in 0..cells {
                        let away = steps(cell, home) > steps(to.into(), home);
                        grid.farther[begin + home] = away.into();
                    }
                    parts.len() - 1
                });
                let counted = grid.lines[usize::from(enters)].counts_conflicts();
                let [leaves, enters] =
                    [leaves, enters].map(|line| if counted { line } else { NO_LINE });
                let farther_at = (at * cells) as u16;
                let way = Way { farther_at, to, m, axis: axis as u8, leaves, enters };
                for last in (0..=NONE).filter(|&last| last == NONE || inverse(last) != m) {
                    let ways = &mut grid.ways[usize::from(last)][cell];
                    ways.ways[usize::from(ways.count)] = way;
                    ways.count += 1;
                }
            }
        }
        grid
    }

    /// Where the blank goes by a legal move.
    fn target(&self, blank: u8, m: Move) -> u8 {
        let ways = &self.ways[usize::from(NONE)][usize::from(blank)];
        let way = ways.ways[..ways.count.into()].iter().find(|way| way.m == m.0);
        way.expect("the move is legal").to
    }

    /// How many tiles have to leave a line where they belong so that others get past: all but those
    /// of a longest part of them that is in order. The blank is in a cell.
    #[inline]
    fn leavers(&self, homes: &[u8; MAX_CELLS], line: u8, blank: u8) -> u8 {
        let Line { cells, first, step, axis, origin } = self.lines[usize::from(line)];
        let own = &self.lines_of[usize::from(1 - (axis & 1))];
        let along = &self.lines_of[usize::from(axis & 1)];
        // For each length, the least place at which a part in order can end (Schensted 1961).
        let (mut ends, mut count) = (0_u64, 0);
        let mut cell = first;
        for _ in 0..cells {
            let home = usize::from(homes[usize::from(cell)]);
            if own[home] == line && cell != blank {
                let place = along[home] - origin;
                let later = ends & (u64::MAX << (place & 63));
                ends = (ends & !(later & later.wrapping_neg())) | 1 << (place & 63);
                count += 1;
            }
            cell = cell.wrapping_add(step);
        }
        count - ends.count_ones() as u8
    }

    /// Where the blank is after some moves.
    pub(super) fn blank_after(&self, blank: u8, moves: &[Move]) -> u8 {
        moves.iter().fold(blank, |blank, &m| self.target(blank, m))
    }
}

/// The rows, then the columns.
fn lines(shape: Shape) -> Vec<Line> {
    let (rows, cols) = (shape.rows() as u8, shape.cols() as u8);
    let row = |row| Line { cells: cols, first: row * cols, step: 1, axis: 1, origin: rows };
    let col = |col| Line { cells: rows, first: col, step: cols, axis: 0, origin: 0 };
    (0..rows).map(row).chain((0..cols).map(col)).collect()
}

fn steps(shape: Shape, from: usize, to: usize) -> usize {
    let (rows, cols) = shape.apart(from, to);
    rows + cols
}

/// For each cell, where what is in it is to go.
#[derive(Clone, Copy)]
pub(super) struct Errand {
    homes: [u8; MAX_CELLS],
    blank: u8,
}

impl Errand {
    /// From a board to the goal.
    pub(super) fn to_goal(labels: &[u8], blank: u8) -> Errand {
        let mut homes = [0; MAX_CELLS];
        homes[..labels.len()].copy_from_slice(labels);
        Errand { homes, blank }
    }

    /// From where the blank is in a cell to where some moves lead from there.
    pub(super) fn of_moves(grid: &Grid, blank: u8, moves: &[Move]) -> Errand {
        let mut origins: [u8; MAX_CELLS] = std::array::from_fn(|cell| cell as u8);
        let mut at = blank;
        for &m in moves {
            let to = grid.target(at, m);
            origins.swap(at.into(), to.into());
            at = to;
        }
        let mut homes = [0; MAX_CELLS];
        for (cell, &origin) in origins.iter().enumerate() {
            homes[usize::from(origin)] = cell as u8;
        }
        Errand { homes, blank }
    }

    /// For each line in which conflicts are counted, how many tiles have to leave it so that others
    /// get past.
    fn leavers(&self, grid: &Grid) -> [u8; MAX_CELLS] {
        let mut leavers = [0; MAX_CELLS];
        for (line, leavers) in (0..grid.lines.len()).zip(&mut leavers) {
            if grid.lines[line].counts_conflicts() {
                *leavers = grid.leavers(&self.homes, line as u8, self.blank);
            }
        }
        leavers
    }

    /// How many steps the tiles have to go, all together.
    fn manhattan(&self, grid: &Grid) -> u32 {
        let tiles = (0..grid.shape.cells()).filter(|&cell| cell != usize::from(self.blank));
        tiles.map(|cell| steps(grid.shape, cell, self.homes[cell].into()) as u32).sum()
    }
}

/// What came of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Between {
    /// A shortest way.
    Shortest(Vec<Move>),
    /// None is as short as asked for.
    NoneShorter,
    /// A limit was hit.
    Stopped(StopReason),
}

/// Looks for a shortest way of fewer than `below` moves, and adds the nodes that it expands to
/// `expanded`. The limit on nodes is that of this search.
pub(super) fn shortest(
    grid: &Grid,
    errand: &Errand,
    below: u32,
    limits: &Limits<'_>,
    expanded: &mut u64,
) -> Between {
    let leavers = errand.leavers(grid);
    let conflicts: u32 = leavers.iter().map(|&leavers| u32::from(leavers)).sum();
    let estimate = errand.manhattan(grid) + 2 * conflicts;
    let mut search = Search {
        grid,
        limits,
        homes: errand.homes,
        leavers,
        stop: StopReason::Nodes,
        stride: 0,
        granted: 0,
        tail: Vec::new(),
    };
    let mut bound = estimate;
    let result = loop {
        if bound >= below {
            break Between::NoneShorter;
        }
        if estimate == 0 {
            break Between::Shortest(Vec::new());
        }
        let slack = (bound - estimate) / 2;
        match search.below(errand.blank, NONE, bound, slack) {
            // Each move is one step of a tile: all lengths have the same parity.
            Continue(()) => bound += 2,
            Break(End::Stopped) => break Between::Stopped(search.stop),
            Break(End::Found) => {
                search.tail.reverse();
                break Between::Shortest(search.tail);
            }
        }
    };
    *expanded += search.granted - search.stride;
    result
}

/// Why a search ends.
enum End {
    Found,
    Stopped,
}

struct Search<'a> {
    grid: &'a Grid,
    limits: &'a Limits<'a>,
    /// For each cell, where the tile in it belongs; that of the blank's cell means nothing.
    homes: [u8; MAX_CELLS],
    /// For each line, how many tiles have to leave it.
    leavers: [u8; MAX_CELLS],
    stop: StopReason,
    /// How many nodes may be expanded before the next look at the limits.
    stride: u64,
    /// How many nodes could have been expanded by then.
    granted: u64,
    /// The end of a way that was found, last move first.
    tail: Vec<Move>,
}

impl Search<'_> {
    /// Searches below a node with `left` moves left, at least one, of which so many may be
    /// `slack`: as many steps farther, and as many back.
    fn below(&mut self, blank: u8, last: u8, left: u32, slack: u32) -> ControlFlow<End> {
        if self.stride == 0 {
            self.look()?;
        }
        self.stride -= 1;
        let grid = self.grid;
        let ways = &grid.ways[usize::from(last)][usize::from(blank)];
        for way in &ways.ways[..usize::from(ways.count & 7).min(MOVES)] {
            let home = self.homes[usize::from(way.to)];
            let farther = grid.farther[usize::from(way.farther_at.wrapping_add(home.into()))];
            let line = grid.lines_of[usize::from(way.axis & 1)][usize::from(home)];
            let before = self.leavers[usize::from(line)];
            self.homes[usize::from(blank)] = home;
            let mut cost = u32::from(farther);
            // A tile that enters the line where it belongs can get into conflict, and one that leaves
            // it can end one: nearer or farther, and twice as much back, is 0 or 1 in all.
            if line == way.enters || (line == way.leaves && before > 0) {
                let after = grid.leavers(&self.homes, line, way.to);
                cost = cost + u32::from(after) - u32::from(before);
                self.leavers[usize::from(line)] = after;
            }
            if cost <= slack {
                if left == 1 {
                    // Without moves and without slack, no tile has a step to go.
                    self.tail.push(Move(way.m));
                    return Break(End::Found);
                }
                let end = self.below(way.to, way.m, left - 1, slack - cost);
                self.homes[usize::from(way.to)] = home;
                if let Break(end) = end {
                    self.unwind(&end, way.m);
                    return Break(end);
                }
            }
            self.leavers[usize::from(line)] = before;
        }
        Continue(())
    }

    #[cold]
    fn unwind(&mut self, end: &End, m: u8) {
        if matches!(end, End::Found) {
            self.tail.push(Move(m));
        }
    }

    #[cold]
    fn look(&mut self) -> ControlFlow<End> {
        if let Err(stop) = self.limits.check(self.granted) {
            self.stop = stop;
            return Break(End::Stopped);
        }
        self.stride = self.limits.stride(self.granted);
        self.granted += self.stride;
        Continue(())
    }
}
