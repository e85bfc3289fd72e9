//! Rotations and reflections of sliding puzzles, so that one table serves several of them.

use crate::board::{MAX_CELLS, Shape};
use crate::table::sliding::rows::TilePattern;
use crate::table::sliding::{Cells, MOST_CELLS, Pattern, bits};

/// The number of labels and cells, padded so that no lookup needs a bounds check.
pub(super) const PADDED_CELLS: usize = MOST_CELLS.next_power_of_two();

/// Where each cell goes.
pub(super) type CellMap = [u8; PADDED_CELLS];

/// The same on boards of any size.
pub(super) type AnyCellMap = [u8; MAX_CELLS];

/// All reflections of a board up and down, left and right, and, as `transposes` says, across its
/// diagonal: the identity first.
fn orientations<const N: usize>(
    shape: Shape,
    transposes: &[bool],
) -> impl Iterator<Item = [u8; N]> {
    let all = (0..4).flat_map(move |flips| transposes.iter().map(move |&t| (flips, t)));
    all.map(move |(flips, transpose)| {
        let (rows, cols) = (shape.rows(), shape.cols());
        let (rows, cols) = if transpose { (cols, rows) } else { (rows, cols) };
        let image = |cell: usize| {
            let (row, col) = shape.row_col(cell);
            let (row, col) = if transpose { (col, row) } else { (row, col) };
            let row = if flips & 2 == 2 { rows - 1 - row } else { row };
            let col = if flips & 1 == 1 { cols - 1 - col } else { col };
            (row * cols + col) as u8
        };
        std::array::from_fn(|cell| if cell < shape.cells() { image(cell) } else { 0 })
    })
}

/// The orientation in which the board is at least as high as wide and the blank's goal as near to
/// the first cell as possible: its shape, that cell, and all maps to it, the simplest first.
pub(super) fn standard_orientation(shape: Shape, blank: usize) -> (Shape, usize, Vec<CellMap>) {
    standard_orientation_of(shape, blank)
}

/// The same of a board of up to `N` cells.
pub(super) fn standard_orientation_of<const N: usize>(
    shape: Shape,
    blank: usize,
) -> (Shape, usize, Vec<[u8; N]>) {
    let lying = shape.cols() > shape.rows();
    let (rows, cols) = (shape.rows().max(shape.cols()), shape.rows().min(shape.cols()));
    let standing = Shape::new(rows, cols).expect("as many cells as before");
    let transposes: &[bool] = match (shape.is_square(), lying) {
        (true, _) => &[false, true],
        (false, true) => &[true],
        (false, false) => &[false],
    };
    let place = |map: &[u8; N]| usize::from(map[blank]);
    let mut maps: Vec<[u8; N]> = orientations(shape, transposes).collect();
    let first = maps.iter().map(place).min().expect("there are maps");
    maps.retain(|map| place(map) == first);
    (standing, first, maps)
}

/// The orientation that takes a pattern to another, if there is one: the tiles and the region of
/// the blank then correspond.
pub(super) fn matching_orientation(pattern: Pattern, other: Pattern) -> Option<CellMap> {
    let transposes: &[bool] = if pattern.shape.is_square() { &[false, true] } else { &[false] };
    let turned = |map: &CellMap, cells: Cells| -> Cells {
        bits(cells).map(|cell| 1 << map[cell as usize]).sum()
    };
    let same = |map: &CellMap| {
        turned(map, pattern.tiles) == other.tiles && turned(map, pattern.region()) == other.region()
    };
    orientations(pattern.shape, transposes).find(same)
}

/// All orientations of a board that keep its shape: the identity first.
pub(super) fn orientations_in_place(shape: Shape) -> Vec<AnyCellMap> {
    let transposes: &[bool] = if shape.is_square() { &[false, true] } else { &[false] };
    orientations(shape, transposes).collect()
}

/// Whether an orientation takes a pattern to another: tiles and regions of the blank correspond.
pub(super) fn takes_to(map: &AnyCellMap, pattern: &TilePattern, other: &TilePattern) -> bool {
    let mut images: Vec<u8> = pattern.tiles.iter().map(|&tile| map[usize::from(tile)]).collect();
    images.sort_unstable();
    images == other.tiles && {
        let (region, other) = (pattern.region(), other.region());
        (0..).zip(region).all(|(cell, is_in): (usize, bool)| other[usize::from(map[cell])] == is_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::partition::Partition;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Frame, Goal, registry};

    #[test]
    fn blocks_of_the_24_puzzle_share_a_table() {
        let frame = Frame::new(registry::define("sliding5").unwrap(), Goal::BlankLast, Simd::off())
            .unwrap();
        let Partition(patterns) = Partition::new_6666(&frame).unwrap();
        let shape = Shape::new(5, 5).unwrap();
        let pattern = |at: usize| Pattern { shape, tiles: patterns[at], blank: 0 };
        let alike = |a, b| matching_orientation(pattern(a), pattern(b)).is_some();
        assert!(alike(2, 1) && alike(3, 1) && !alike(0, 1));
    }
}
