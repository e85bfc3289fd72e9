//! How the tiles of a sliding puzzle are divided into patterns.

use super::orientation::standard_orientation;
use super::pattern_databases::MOST_PATTERNS;
use crate::puzzle::Frame;
use crate::table::sliding::{Cells, MOST_CELLS, MOST_TILES};

/// Up to this many cells, all tiles are one pattern.
const WHOLE: usize = 9;

/// Of many partitions of the 24-puzzle into connected patterns, those that add most to the greatest
/// sum of all on random boards.
const OTHERS_6666: [[[u32; 6]; 4]; 4] = [
    [[1, 2, 5, 6, 10, 11], [3, 4, 7, 8, 9, 12], [13, 14, 18, 19, 23, 24], [15, 16, 17, 20, 21, 22]],
    [[1, 2, 3, 5, 6, 7], [4, 8, 9, 12, 13, 14], [10, 11, 15, 16, 20, 21], [17, 18, 19, 22, 23, 24]],
    [[1, 2, 3, 5, 6, 7], [4, 8, 9, 13, 14, 18], [10, 11, 15, 16, 20, 21], [12, 17, 19, 22, 23, 24]],
    [[1, 2, 3, 5, 6, 7], [4, 8, 9, 14, 18, 19], [10, 11, 12, 13, 16, 17], [15, 20, 21, 22, 23, 24]],
];

/// How the tiles are divided: the goal cells of each pattern, on a board that is at least as high
/// as wide, with the blank's goal in the first cell where that is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition(pub(super) Vec<Cells>);

impl Partition {
    /// Whether each tile is in a pattern.
    pub(crate) fn has_all_tiles(&self, frame: &Frame) -> bool {
        let tiles: u32 = self.0.iter().map(|tiles| tiles.count_ones()).sum();
        tiles as usize + 1 == frame.shape().cells()
    }

    /// Patterns of a square board, if that is its size and the goal has the blank in a corner.
    pub(super) fn with_blank_in_corner(
        frame: &Frame,
        side: usize,
        patterns: &[&[u32]],
    ) -> Option<Partition> {
        let shape = frame.shape();
        if !shape.is_square() || shape.rows() != side {
            return None;
        }
        let (_, blank, _) = standard_orientation(shape, frame.blank_label()?.into());
        let set = |tiles: &&[u32]| tiles.iter().map(|tile| 1 << tile).sum();
        (blank == 0).then(|| Partition(patterns.iter().map(set).collect()))
    }

    /// User-defined patterns, each given by the labels of its tiles; tiles may be left out. `None`
    /// if a label is there twice or is the blank's, if a pattern is empty or has too many tiles, or
    /// if the board is too large or there are too many patterns.
    pub fn from_labels(frame: &Frame, patterns: &[&[u8]]) -> Option<Partition> {
        let shape = frame.shape();
        if shape.cells() > MOST_CELLS || patterns.is_empty() || patterns.len() > MOST_PATTERNS {
            return None;
        }
        let (_, blank, maps) = standard_orientation(shape, frame.blank_label()?.into());
        let mut taken: Cells = 1 << blank;
        let mut sets = Vec::new();
        for labels in patterns {
            let mut set: Cells = 0;
            for &label in *labels {
                let label = usize::from(label);
                let bit = if label < shape.cells() { 1 << maps[0][label] } else { return None };
                if taken & bit != 0 {
                    return None;
                }
                (taken, set) = (taken | bit, set | bit);
            }
            if labels.is_empty() || labels.len() > MOST_TILES {
                return None;
            }
            sets.push(set);
        }
        Some(Partition(sets))
    }

    /// Patterns of at most this many tiles each, cut from strips two columns wide; `None` if the
    /// board is too large, or there would be too many of them.
    pub fn from_strips(frame: &Frame, most: usize) -> Option<Partition> {
        let shape = frame.shape();
        if shape.cells() > MOST_CELLS {
            return None;
        }
        let (shape, blank, _) = standard_orientation(shape, frame.blank_label()?.into());
        let most = if shape.cells() <= WHOLE { WHOLE } else { most };
        let mut cells: Vec<usize> = (0..shape.cells()).filter(|&cell| cell != blank).collect();
        cells.sort_by_key(|&cell| {
            let (row, col) = shape.row_col(cell);
            // Down one strip and up the next.
            let along = if col / 2 % 2 == 0 { row } else { shape.rows() - row };
            (col / 2, along, col)
        });
        let set = |tiles: &[usize]| tiles.iter().map(|tile| 1 << tile).sum();
        let patterns: Vec<Cells> = cells.chunks(most).map(set).collect();
        (patterns.len() <= MOST_PATTERNS).then_some(Partition(patterns))
    }

    /// Korf and Felner's for the 24-puzzle, where it applies.
    pub fn new_6666(frame: &Frame) -> Option<Partition> {
        let irregular = [1, 2, 5, 6, 7, 12];
        let blocks = [[3, 4, 8, 9, 13, 14], [10, 11, 15, 16, 20, 21], [17, 18, 19, 22, 23, 24]];
        Partition::with_blank_in_corner(frame, 5, &[&irregular, &blocks[0], &blocks[1], &blocks[2]])
    }

    /// Partitions of the 24-puzzle that complement each other, Korf and Felner's first; none where
    /// they do not apply.
    pub fn several_6666(frame: &Frame) -> Vec<Partition> {
        let others = OTHERS_6666.iter().map(|sets| {
            let sets: Vec<&[u32]> = sets.iter().map(|set| &set[..]).collect();
            Partition::with_blank_in_corner(frame, 5, &sets)
        });
        std::iter::once(Partition::new_6666(frame)).chain(others).flatten().collect()
    }

    /// Six, six and three tiles of the 15-puzzle, where it applies.
    pub fn new_663(frame: &Frame) -> Option<Partition> {
        Partition::with_blank_in_corner(
            frame,
            4,
            &[&[1, 4, 5, 8, 9, 12], &[2, 3, 6, 7, 10, 11], &[13, 14, 15]],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Goal, registry};

    #[test]
    fn partitions_of_one_size_are_for_no_other() {
        for (id, applies) in [("sliding4", true), ("sliding5", false), ("sliding10", false)] {
            let definition = registry::define(id).unwrap();
            let frame = Frame::new(definition, Goal::BlankLast, Simd::off()).unwrap();
            assert_eq!(Partition::new_663(&frame).is_some(), applies, "{id}");
        }
    }

    #[test]
    fn user_defined_partitions_are_checked() {
        let frame = Frame::new(registry::define("sliding3").unwrap(), Goal::BlankLast, Simd::off())
            .unwrap();
        let of = |patterns: &[&[u8]]| Partition::from_labels(&frame, patterns);
        // In the standard orientation, rotated by half a turn.
        assert_eq!(of(&[&[0, 1], &[7]]), Some(Partition(vec![1 << 8 | 1 << 7, 1 << 1])));
        let wrong: [&[&[u8]]; 5] = [&[], &[&[0], &[]], &[&[0, 1], &[1]], &[&[8]], &[&[9]]];
        assert!(wrong.into_iter().all(|patterns| of(patterns).is_none()));
    }
}
