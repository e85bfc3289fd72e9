//! Sliding puzzles line by line.
//!
//! What is not solved yet is a rectangle. A line at one of its edges, in which the blank does not
//! belong, is solved and locked, until three rows and three columns are left at most; these are
//! solved by a shortest way. A line is filled from its ends, two tiles at a time.
//!
//! None of this can fail. The cells that are not locked always form a graph that stays connected
//! without any one of its cells and is more than a cycle; there, any tiles can be brought anywhere as
//! long as two others do not matter (Wilson 1974, "Graph puzzles, homotopy, and the alternating
//! group"). The last tiles of a line are brought home together, as one alone could be cut off.

use super::super::between::{Between, Errand, Grid, shortest};
use super::super::path::cancel_loops;
use super::super::{Limits, StopReason};
use super::placement::{Placement, Site};
use crate::board::{MAX_CELLS, Shape};
use crate::puzzle::moves::Action;
use crate::puzzle::{Frame, Move};

/// The most rows and columns that are solved at once.
const LAST: usize = 3;

/// A solution of a board that has one.
///
/// # Errors
/// If a limit is hit.
pub(in crate::search) fn solve(
    frame: &Frame,
    start: &[u8],
    limits: &Limits<'_>,
) -> Result<Vec<Move>, StopReason> {
    let mut site = site(frame, start);
    let mut placement = Placement::new();
    let mut rest = Rectangle::whole(frame.shape());
    let blank_home = frame.blank_label().expect("the puzzle has a blank");
    while let Some(edge) = rest.edge_to_solve(&site, blank_home) {
        let mut line = rest.line(frame.shape(), edge);
        while !line.is_empty() {
            let group = next_group(&site, &mut line);
            placement.place(&mut site, &group, limits)?;
            group.iter().for_each(|&cell| site.lock(cell));
        }
        rest.shrink(edge);
    }
    let grid = Grid::new(frame, &|cell| rest.contains(frame.shape(), cell));
    let errand = Errand::to_goal(&site.labels, site.blank);
    let mut expanded = 0;
    match shortest(&grid, &errand, u32::MAX, limits, &mut expanded) {
        Between::Shortest(end) => site.moves.extend(end),
        Between::NoneShorter => unreachable!("the board can be solved"),
        Between::Stopped(stop) => return Err(stop),
    }
    Ok(cancel_loops(frame, start, &site.moves))
}

fn site(frame: &Frame, start: &[u8]) -> Site {
    let Action::Blank(targets) = frame.moves().action() else {
        unreachable!("these puzzles have a blank");
    };
    let mut cells = [0; MAX_CELLS];
    for (cell, &label) in start.iter().enumerate() {
        cells[usize::from(label)] = cell as u8;
    }
    let target = |cell: usize, m: usize| targets[m].get(cell).copied().flatten();
    let targets = |cell: usize| std::array::from_fn(|m| target(cell, m));
    Site {
        shape: frame.shape(),
        targets: Box::new(std::array::from_fn(targets)),
        labels: start.to_vec(),
        cells,
        blank: cells[usize::from(frame.blank_label().expect("the puzzle has a blank"))],
        moves: Vec::new(),
    }
}

/// Takes the tiles that come next from the end of a line where they are nearer.
fn next_group(site: &Site, line: &mut Vec<u8>) -> Vec<u8> {
    // At least two are left for the end.
    let count = if line.len() == 3 { 1 } else { 2 };
    let from_end = line.len() - count;
    if site.way_home(&line[..count]) <= site.way_home(&line[from_end..]) {
        line.drain(..count).collect()
    } else {
        line.drain(from_end..).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edge {
    Top,
    Bottom,
    Left,
    Right,
}

/// The rows and columns that are not solved yet.
struct Rectangle {
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
}

impl Rectangle {
    fn whole(shape: Shape) -> Rectangle {
        Rectangle { top: 0, bottom: shape.rows(), left: 0, right: shape.cols() }
    }

    fn rows(&self) -> usize {
        self.bottom - self.top
    }

    fn cols(&self) -> usize {
        self.right - self.left
    }

    fn contains(&self, shape: Shape, cell: usize) -> bool {
        let (row, col) = shape.row_col(cell);
        (self.top..self.bottom).contains(&row) && (self.left..self.right).contains(&col)
    }

    /// The cells along an edge.
    fn line(&self, shape: Shape, edge: Edge) -> Vec<u8> {
        let row = |row| (self.left..self.right).map(|col| shape.cell(row, col) as u8).collect();
        let col = |col| (self.top..self.bottom).map(|row| shape.cell(row, col) as u8).collect();
        match edge {
            Edge::Top => row(self.top),
            Edge::Bottom => row(self.bottom - 1),
            Edge::Left => col(self.left),
            Edge::Right => col(self.right - 1),
        }
    }

    fn shrink(&mut self, edge: Edge) {
        match edge {
            Edge::Top => self.top += 1,
            Edge::Bottom => self.bottom -= 1,
            Edge::Left => self.left += 1,
            Edge::Right => self.right -= 1,
        }
    }

    /// The edge that comes next: a short one, so that what is left is no long strip, or one whose
    /// tiles are near. None if little enough is left.
    fn edge_to_solve(&self, site: &Site, blank_home: u8) -> Option<Edge> {
        let rows = [Edge::Top, Edge::Bottom].into_iter().filter(|_| self.rows() > LAST);
        let cols = [Edge::Left, Edge::Right].into_iter().filter(|_| self.cols() > LAST);
        let lines = rows.chain(cols).map(|edge| (edge, self.line(site.shape, edge)));
        let lines = lines.filter(|(_, line)| !line.contains(&blank_home));
        // One more tile weighs as much as one more step for each.
        let merit = |line: &[u8]| {
            site.way_home(line) * 1_000 / line.len() as u32 + line.len() as u32 * 1_000
        };
        lines.min_by_key(|(_, line)| merit(line)).map(|(edge, _)| edge)
    }
}
