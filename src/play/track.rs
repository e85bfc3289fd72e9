//! What a player takes hold of: the cells that a move and its inverse shift along a row, along a
//! column or in any other way. All of it follows from the tables of moves, whatever the puzzle.

use crate::board::Shape;
use crate::puzzle::moves::Action;
use crate::puzzle::{Frame, Move};

/// A way to go on the grid.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// How the cells of a track lie.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TrackKind {
    /// All in one row.
    Row,
    /// All in one column.
    Column,
    /// Around a ring, or in any other way.
    Loop,
}

/// Cells that two opposite moves shift.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Track {
    /// How they lie.
    pub kind: TrackKind,
    /// The cells, in ascending order.
    pub cells: Vec<usize>,
    /// To the right, down or, in a loop, the way that the puzzle names first.
    pub forward: Option<Move>,
    /// The other way; none if there is no way back in one move.
    pub backward: Option<Move>,
}

impl Track {
    /// The move in one of its two senses.
    pub fn toward(&self, forward: bool) -> Option<Move> {
        if forward { self.forward } else { self.backward }
    }
}

/// The tracks of a puzzle; none if a blank moves.
pub fn tracks(frame: &Frame) -> Vec<Track> {
    let Action::Permutations(permutations) = frame.moves().action() else { return Vec::new() };
    let shape = frame.shape();
    let mut tracks: Vec<Track> = Vec::new();
    for m in frame.moves().all() {
        let permutation = &permutations[m.index()];
        let mut cells: Vec<usize> = permutation.moved().collect();
        cells.sort_unstable();
        let kind = kind(shape, &cells);
        let back = frame.moves().inverse(m);
        let known = tracks.iter_mut().find(|track| {
            let first = track.forward.or(track.backward);
            track.cells == cells && first.is_some_and(|first| back == Some(first) || first == m)
        });
        // Of two cells in a line, each move is its own inverse, and has both senses.
        match known {
            Some(track) if track.forward.is_none() => track.forward = Some(m),
            Some(track) if track.backward.is_none() => track.backward = Some(m),
            Some(_) => {}
            None => {
                let itself = back.filter(|&back| permutations[back.index()] == *permutation);
                let forward = is_forward(shape, kind, &cells, |cell| permutation.source(cell));
                let (forward, backward) =
                    if forward { (Some(m), itself) } else { (itself, Some(m)) };
                tracks.push(Track { kind, cells, forward, backward });
            }
        }
    }
    tracks
}

fn kind(shape: Shape, cells: &[usize]) -> TrackKind {
    let same = |part: &dyn Fn(usize) -> usize| {
        cells.first().is_some_and(|&first| cells.iter().all(|&cell| part(cell) == part(first)))
    };
    if same(&|cell| shape.row_col(cell).0) {
        TrackKind::Row
    } else if same(&|cell| shape.row_col(cell).1) {
        TrackKind::Column
    } else {
        TrackKind::Loop
    }
}

/// Whether most tiles of a line go right or down. In a loop, the first move is the one forward.
fn is_forward(
    shape: Shape,
    kind: TrackKind,
    cells: &[usize],
    source: impl Fn(usize) -> usize,
) -> bool {
    let place = |cell: usize| match kind {
        TrackKind::Row => shape.row_col(cell).1,
        _ => shape.row_col(cell).0,
    };
    let forward = cells.iter().filter(|&&cell| place(cell) > place(source(cell))).count();
    kind == TrackKind::Loop || 2 * forward >= cells.len()
}

/// The move that takes the blank this way, if it can go there.
pub fn blank_move(frame: &Frame, blank: usize, direction: Direction) -> Option<Move> {
    let Action::Blank(targets) = frame.moves().action() else { return None };
    let (row, col) = frame.shape().row_col(blank);
    let (row, col) = match direction {
        Direction::Up => (row.checked_sub(1)?, col),
        Direction::Down => (row + 1, col),
        Direction::Left => (row, col.checked_sub(1)?),
        Direction::Right => (row, col + 1),
    };
    if row >= frame.shape().rows() || col >= frame.shape().cols() {
        return None;
    }
    let target = frame.shape().cell(row, col);
    let leads_there = |m: &Move| targets[m.index()][blank].map(usize::from) == Some(target);
    frame.moves().all().find(leads_there)
}

/// The direct way of the blank to a cell in its row or column.
pub fn blank_way(shape: Shape, blank: usize, cell: usize) -> Option<(Direction, usize)> {
    let ((from_row, from_col), (row, col)) = (shape.row_col(blank), shape.row_col(cell));
    match (row.cmp(&from_row), col.cmp(&from_col)) {
        (std::cmp::Ordering::Less, std::cmp::Ordering::Equal) => {
            Some((Direction::Up, from_row - row))
        }
        (std::cmp::Ordering::Greater, std::cmp::Ordering::Equal) => {
            Some((Direction::Down, row - from_row))
        }
        (std::cmp::Ordering::Equal, std::cmp::Ordering::Less) => {
            Some((Direction::Left, from_col - col))
        }
        (std::cmp::Ordering::Equal, std::cmp::Ordering::Greater) => {
            Some((Direction::Right, col - from_col))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::AnyPuzzle;

    fn names(id: &str) -> Vec<(TrackKind, String, String)> {
        let puzzle = AnyPuzzle::from_id(id).unwrap();
        let frame = puzzle.frame();
        let name = |m: Option<Move>| m.map_or("-".to_owned(), |m| frame.moves().name(m).to_owned());
        let row = |track: Track| (track.kind, name(track.forward), name(track.backward));
        tracks(frame).into_iter().map(row).collect()
    }

    #[test]
    fn lines_and_rings_are_tracks_with_two_senses() {
        let tracks = names("rings3");
        assert_eq!(tracks.len(), 7);
        assert_eq!(tracks[0], (TrackKind::Row, "R1".into(), "L1".into()));
        assert_eq!(tracks[5], (TrackKind::Column, "D3".into(), "U3".into()));
        assert_eq!(tracks[6], (TrackKind::Loop, "Oc".into(), "Occ".into()));
        // Two cells in a line: left and right are the same.
        let tracks = names("torus2");
        assert_eq!(tracks.len(), 4);
        assert!(tracks.iter().all(|(_, forward, backward)| forward != "-" && backward != "-"));
        assert!(names("sliding3").is_empty());
    }

    #[test]
    fn the_blank_goes_where_it_can() {
        let puzzle = AnyPuzzle::from_id("sliding3").unwrap();
        let frame = puzzle.frame();
        let name = |blank, direction| {
            blank_move(frame, blank, direction).map(|m| frame.moves().name(m).to_owned())
        };
        assert_eq!(name(4, Direction::Up).as_deref(), Some("Up"));
        assert_eq!(name(4, Direction::Right).as_deref(), Some("Right"));
        assert_eq!(name(2, Direction::Right), None);
        assert_eq!(name(8, Direction::Down), None);
        assert_eq!(blank_way(frame.shape(), 8, 2), Some((Direction::Up, 2)));
        assert_eq!(blank_way(frame.shape(), 8, 3), None);
    }
}
