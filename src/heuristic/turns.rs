//! Boards of sliding puzzles turned and mirrored, so that one table serves several of them.

use crate::board::Shape;
use crate::table::sliding::{Cells, MOST_CELLS, Pattern, bits};

/// Labels and cells, rounded up so that no look-up needs a check.
pub(super) const ROUND: usize = MOST_CELLS.next_power_of_two();

/// Cells to cells.
pub(super) type Map = [u8; ROUND];

/// All ways to mirror a board up and down, left and right, and, as asked, across its diagonal: the
/// plainest first.
fn turns(shape: Shape, transposes: &[bool]) -> impl Iterator<Item = Map> {
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

/// The board turned so that it is at least as high as wide and the blank's goal is as near to
/// the first cell as can be: its shape, that cell, and all maps that turn it so, the plainest
/// first.
pub(super) fn upright(shape: Shape, blank: usize) -> (Shape, usize, Vec<Map>) {
    let lying = shape.cols() > shape.rows();
    let (rows, cols) = (shape.rows().max(shape.cols()), shape.rows().min(shape.cols()));
    let standing = Shape::new(rows, cols).expect("as many cells as before");
    let transposes: &[bool] = match (shape.is_square(), lying) {
        (true, _) => &[false, true],
        (false, true) => &[true],
        (false, false) => &[false],
    };
    let place = |map: &Map| usize::from(map[blank]);
    let mut maps: Vec<Map> = turns(shape, transposes).collect();
    let first = maps.iter().map(place).min().expect("there are maps");
    maps.retain(|map| place(map) == first);
    (standing, first, maps)
}

/// How a pattern is the same as another on a board that is turned, if it is: then the tiles and
/// the cells where the blank may be correspond.
pub(super) fn seen_through(pattern: Pattern, other: Pattern) -> Option<Map> {
    let transposes: &[bool] = if pattern.shape.is_square() { &[false, true] } else { &[false] };
    let turned = |map: &Map, cells: Cells| -> Cells {
        bits(cells).map(|cell| 1 << map[cell as usize]).sum()
    };
    let same = |map: &Map| {
        turned(map, pattern.tiles) == other.tiles && turned(map, pattern.region()) == other.region()
    };
    turns(pattern.shape, transposes).find(same)
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
        let Partition(patterns) = Partition::of_24_puzzle(&frame).unwrap();
        let shape = Shape::new(5, 5).unwrap();
        let pattern = |at: usize| Pattern { shape, tiles: patterns[at], blank: 0 };
        let alike = |a, b| seen_through(pattern(a), pattern(b)).is_some();
        assert!(alike(2, 1) && alike(3, 1) && !alike(0, 1));
    }
}
