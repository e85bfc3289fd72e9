//! How the moves of a puzzle act on rows and on columns, derived from the move tables.

use crate::board::Shape;
use crate::puzzle::Frame;
use crate::puzzle::moves::Action;

/// The direction in which a move carries tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Axis {
    /// From row to row: up or down.
    Rows,
    /// From column to column: left or right.
    Cols,
}

impl Axis {
    /// The row or the column of a cell.
    pub(super) fn line(self, shape: Shape, cell: usize) -> usize {
        let (row, col) = shape.row_col(cell);
        match self {
            Axis::Rows => row,
            Axis::Cols => col,
        }
    }

    /// How many rows or columns there are.
    pub(super) fn lines(self, shape: Shape) -> usize {
        match self {
            Axis::Rows => shape.rows(),
            Axis::Cols => shape.cols(),
        }
    }
}

/// For each move, from where to where it carries tiles, wherever the blank is.
fn carried(frame: &Frame) -> Vec<Vec<(usize, usize)>> {
    match frame.moves().action() {
        Action::Permutations(moves) => {
            moves.iter().map(|p| p.moved().map(|to| (p.source(to), to)).collect()).collect()
        }
        Action::Blank(moves) => {
            let tile = |(blank, target): (usize, &Option<u8>)| target.map(|t| (t.into(), blank));
            moves
                .iter()
                .map(|targets| targets.iter().enumerate().filter_map(tile).collect())
                .collect()
        }
    }
}

/// The axis of each move; `None` if some move carries tiles along both.
pub(super) fn axis_of_moves(frame: &Frame) -> Option<Vec<Axis>> {
    let shape = frame.shape();
    let axis_of = |tiles: &Vec<(usize, usize)>| {
        let along = |axis: Axis| {
            tiles.iter().any(|&(from, to)| axis.line(shape, from) != axis.line(shape, to))
        };
        match (along(Axis::Rows), along(Axis::Cols)) {
            (true, true) => None,
            (true, false) => Some(Axis::Rows),
            (false, _) => Some(Axis::Cols),
        }
    };
    carried(frame).iter().map(axis_of).collect()
}

/// The most steps with wrap-around that one move makes from row to row, and from column to
/// column, all its tiles together, in a puzzle without a blank; `None` if some move makes
/// steps of both kinds.
pub(super) fn most_steps(frame: &Frame) -> Option<(usize, usize)> {
    axis_of_moves(frame).filter(|_| frame.blank_label().is_none())?;
    let steps = |(from, to)| frame.shape().circular_apart(from, to);
    Some(carried(frame).into_iter().fold((0, 0), |most, tiles| {
        let (rows, cols): (Vec<usize>, Vec<usize>) = tiles.into_iter().map(steps).unzip();
        (most.0.max(rows.iter().sum()), most.1.max(cols.iter().sum()))
    }))
}

/// Whether every move takes one tile of each row to the next row, all in one direction with
/// wrap-around, or does the same with columns.
pub(super) fn turns_lines(frame: &Frame) -> bool {
    let shape = frame.shape();
    let turns = |(tiles, axis): (Vec<(usize, usize)>, Axis)| {
        let lines = axis.lines(shape);
        let mut sources: Vec<usize> =
            tiles.iter().map(|&(from, _)| axis.line(shape, from)).collect();
        sources.sort_unstable();
        let all_by = |step: usize| {
            tiles
                .iter()
                .all(|&(from, to)| (axis.line(shape, from) + step) % lines == axis.line(shape, to))
        };
        sources.into_iter().eq(0..lines) && (all_by(1) || all_by(lines - 1))
    };
    frame.blank_label().is_none()
        && axis_of_moves(frame).is_some_and(|axes| carried(frame).into_iter().zip(axes).all(turns))
}
