//! How the tiles of a sliding puzzle of any size are divided into patterns, and which of these
//! share a table.

use crate::board::Shape;
use crate::heuristic::orientation::{
    AnyCellMap, orientations_in_place, standard_orientation_of, takes_to,
};
use crate::puzzle::Frame;
use crate::table::sliding::rows::TilePattern;

/// Patterns of all tiles, on a board that is at least as high as wide, with the blank's goal in the
/// first cell where that is possible.
#[derive(Debug)]
pub(super) struct Division {
    /// The patterns that have a table.
    pub(super) tables: Vec<TilePattern>,
    /// Of each pattern, the table, and the map from the upright board to it.
    pub(super) patterns: Vec<(usize, AnyCellMap)>,
    /// The maps from the board to the upright one: the second, if there is one, mirrors it.
    pub(super) maps: Vec<AnyCellMap>,
}

impl Division {
    /// The division of a puzzle with a blank into patterns of at most so many tiles.
    pub(super) fn new(frame: &Frame, tiles: usize) -> Division {
        let blank = usize::from(frame.blank_label().expect("the puzzle has a blank"));
        let (shape, blank, maps) = standard_orientation_of(frame.shape(), blank);
        let in_place = orientations_in_place(shape);
        let mut tables: Vec<TilePattern> = Vec::new();
        let mut patterns = Vec::new();
        for tiles in blocks(shape, blank, tiles) {
            let pattern = TilePattern { shape, tiles, blank: blank as u8 };
            let mut known = tables.iter().enumerate().flat_map(|(number, table)| {
                let maps = in_place.iter().filter(|map| takes_to(map, &pattern, table));
                maps.map(move |map| (number, *map))
            });
            let found = known.next();
            patterns.push(found.unwrap_or_else(|| {
                tables.push(pattern.clone());
                (tables.len() - 1, in_place[0])
            }));
        }
        Division { tables, patterns, maps }
    }
}

/// The goal cells of the patterns, each in ascending order. Where nothing better is known, they are
/// cut from strips, down one and up the next, beginning far from the goal of the blank.
fn blocks(shape: Shape, blank: usize, tiles: usize) -> Vec<Vec<u8>> {
    if let Some(known) = known_blocks(shape, blank, tiles) {
        return known;
    }
    // Lines of three, other patterns two cells wide.
    let width = if tiles == 3 { 3 } else { 2 };
    let mut cells: Vec<usize> = (0..shape.cells()).filter(|&cell| cell != blank).collect();
    cells.sort_by_key(|&cell| {
        let (row, col) = shape.row_col(cell);
        let strip = (shape.cols() - 1 - col) / width;
        let along = if strip.is_multiple_of(2) { shape.rows() - row } else { row };
        (strip, along, col)
    });
    let sorted = |cells: &[usize]| {
        let mut cells: Vec<u8> = cells.iter().map(|&cell| cell as u8).collect();
        cells.sort_unstable();
        cells
    };
    cells.chunks(tiles).map(sorted).collect()
}

/// Partitions of square boards with the blank in the corner: those of the 15- and the 24-puzzle are
/// Korf and Felner's (2002).
fn known_blocks(shape: Shape, blank: usize, tiles: usize) -> Option<Vec<Vec<u8>>> {
    let blocks: &[&[u8]] = match (shape.rows(), shape.cols(), tiles) {
        (4, 4, 6) => &[&[1, 4, 5, 8, 9, 12], &[2, 3, 6, 7, 10, 11], &[13, 14, 15]],
        (5, 5, 6) => &[
            &[1, 2, 5, 6, 7, 12],
            &[3, 4, 8, 9, 13, 14],
            &[10, 11, 15, 16, 20, 21],
            &[17, 18, 19, 22, 23, 24],
        ],
        (6, 6, 5) => &[
            &[1, 2, 6, 7, 8],
            &[3, 4, 5, 9, 10],
            &[11, 16, 17, 22, 23],
            &[14, 15, 20, 21, 27],
            &[12, 13, 18, 19, 24],
            &[25, 26, 30, 31, 32],
            &[28, 29, 33, 34, 35],
        ],
        _ => return None,
    };
    (blank == 0).then(|| blocks.iter().map(|block| block.to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tile_is_in_one_pattern() {
        for (rows, cols, blank) in [(2, 2, 0), (3, 3, 4), (5, 3, 0), (6, 6, 0), (9, 7, 8)] {
            let shape = Shape::new(rows, cols).unwrap();
            for most in 1..=6 {
                let blocks = blocks(shape, blank, most);
                assert!(blocks.iter().all(|block| (1..=most).contains(&block.len())));
                assert!(blocks.iter().all(|block| block.is_sorted()));
                let mut tiles = blocks.concat();
                tiles.sort_unstable();
                let all = (0..shape.cells()).filter(|&cell| cell != blank);
                assert!(tiles.into_iter().map(usize::from).eq(all), "{shape}, {most}");
            }
        }
    }
}
