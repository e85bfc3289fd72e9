//! How a board is divided into patterns, how large these may be, and which of them are symmetric.

use crate::board::Shape;
use crate::puzzle::Frame;
use crate::puzzle::permutation::Permutation;
use crate::table::placements::MOST_TILES;

/// The most tiles that have no more than so many placements, at least one.
pub(super) fn most_tiles(cells: usize, most: u64) -> usize {
    let fits = |&tiles: &usize| placement_count(cells, tiles) <= most;
    (1..=cells.min(MOST_TILES)).rev().find(fits).unwrap_or(1)
}

/// How many placements so many tiles have.
pub(super) fn placement_count(cells: usize, tiles: usize) -> u64 {
    (0..tiles).map(|taken| (cells - taken) as u64).product()
}

/// A symmetry of the puzzle that takes the tiles of a pattern to those of another, as a map of the
/// cells.
pub(super) fn matching_symmetry(frame: &Frame, tiles: &[u8], others: &[u8]) -> Option<Vec<u8>> {
    let sorted = |tiles: &mut dyn Iterator<Item = u8>| {
        let mut sorted: Vec<u8> = tiles.collect();
        sorted.sort_unstable();
        sorted
    };
    let wanted = sorted(&mut others.iter().copied());
    let image = |sigma: &Permutation| {
        sorted(&mut tiles.iter().map(|&tile| sigma.sources()[usize::from(tile)]))
    };
    let sigma = frame.symmetries().iter().find(|sigma| image(sigma) == wanted)?;
    Some(sigma.sources().to_vec())
}

/// Two ways to divide the cells of a grid into patterns of at most so many.
pub(super) fn partitions(shape: Shape, most: usize) -> Vec<Vec<Vec<u8>>> {
    let (rows, cols) = (shape.rows(), shape.cols());
    if rows == cols && rows % 2 == 1 && rows / 2 * (rows / 2 + 1) == most {
        return vec![pinwheel(shape, false), pinwheel(shape, true)];
    }
    // Whole lines where they fit, else blocks that are nearly square.
    let lines = rows.max(cols) <= most;
    let side = (most as f64).sqrt() as usize;
    let block = |rows: usize, cols: usize, transposed: bool| -> (usize, usize) {
        let (height, width) = if lines && !transposed {
            (most / cols, cols)
        } else if lines {
            (rows, most / rows)
        } else if transposed {
            (most / side, side)
        } else {
            (side, most / side)
        };
        let (height, width) = (height.min(rows), width.min(cols));
        // A grid of one row, or of a few, has room for longer blocks.
        ((most / width).min(rows).max(1), (most / height).min(cols).max(1))
    };
    let cut = |(height, width): (usize, usize), (down, right): (usize, usize)| {
        let mut patterns: Vec<Vec<u8>> = Vec::new();
        let bands = |lines: usize, size: usize, shift: usize| {
            let mut cuts = vec![0];
            let first = if shift.is_multiple_of(size) { size } else { shift % size };
            cuts.extend((first..lines).step_by(size));
            cuts.push(lines);
            cuts
        };
        for row in bands(rows, height, down).windows(2) {
            for col in bands(cols, width, right).windows(2) {
                let mut cells = Vec::new();
                for r in row[0]..row[1] {
                    cells.extend((col[0]..col[1]).map(|c| shape.cell(r, c) as u8));
                }
                patterns.push(cells);
            }
        }
        patterns
    };
    let (first, second) = (block(rows, cols, false), block(rows, cols, true));
    // Two equal divisions would say the same twice.
    let shift = if first == second { (first.0 / 2, first.1 / 2) } else { (0, 0) };
    let both = [cut(first, (0, 0)), cut(second, shift)];
    let same = both[0] == both[1];
    both.into_iter().take(if same { 1 } else { 2 }).collect()
}

/// A square of an odd number of lines as four blocks around the centre, or their mirror images.
fn pinwheel(shape: Shape, mirrored: bool) -> Vec<Vec<u8>> {
    let side = shape.rows();
    let (height, width) = (side / 2, side / 2 + 1);
    let block: Vec<(usize, usize)> =
        (0..height).flat_map(|row| (0..width).map(move |col| (row, col))).collect();
    let turned = |quarters: usize| {
        let place = |&(row, col): &(usize, usize)| {
            let (row, col) = (0..quarters).fold((row, col), |(r, c), _| (c, side - 1 - r));
            shape.cell(row, if mirrored { side - 1 - col } else { col }) as u8
        };
        block.iter().map(place).collect()
    };
    let centre = shape.cell(side / 2, side / 2) as u8;
    (0..4).map(turned).chain([vec![centre]]).collect()
}
