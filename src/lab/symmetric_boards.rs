//! The boards that are as far from the goal as a given one, by symmetry.

use crate::puzzle::Frame;
use crate::puzzle::permutation::Permutation;

/// The images of a board under the symmetries of its puzzle, and of its inverse where
/// that is as far from the goal.
pub(super) struct SymmetricBoards {
    pub(super) cells: usize,
    inversion: bool,
    /// Each symmetry and its inverse.
    symmetries: Vec<(Permutation, Permutation)>,
}

impl SymmetricBoards {
    pub(super) fn new(frame: &Frame) -> SymmetricBoards {
        let with_inverse = |sigma: &Permutation| (sigma.clone(), sigma.inverse());
        SymmetricBoards {
            cells: frame.shape().cells(),
            inversion: frame.has_inversion(),
            symmetries: frame.symmetries().iter().map(with_inverse).collect(),
        }
    }

    /// The board, and its inverse where there is inversion.
    fn starts(&self, labels: &[u8]) -> Vec<Vec<u8>> {
        let mut starts = vec![labels.to_vec()];
        if self.inversion {
            let mut inverse = vec![0; self.cells];
            for (cell, &label) in labels.iter().enumerate() {
                inverse[usize::from(label)] = cell as u8;
            }
            starts.push(inverse);
        }
        starts
    }

    /// The images of one of those, computed lazily: most comparisons end after a few cells.
    fn images(&self, start: &[u8]) -> impl Iterator<Item = impl Iterator<Item = u8> + Clone> {
        self.symmetries.iter().map(move |(to, from)| {
            let image = |&cell: &u8| to.sources()[usize::from(start[usize::from(cell)])];
            from.sources().iter().map(image)
        })
    }

    /// The first of them in order.
    pub(super) fn smallest(&self, labels: &[u8]) -> Vec<u8> {
        let mut smallest = labels.to_vec();
        for start in self.starts(labels) {
            for image in self.images(&start) {
                if image.clone().lt(smallest.iter().copied()) {
                    smallest = image.collect();
                }
            }
        }
        smallest
    }

    /// All different ones, in order.
    pub(super) fn all(&self, labels: &[u8]) -> Vec<Vec<u8>> {
        let starts = self.starts(labels);
        let images = starts.iter().flat_map(|start| self.images(start).map(Iterator::collect));
        let mut all: Vec<Vec<u8>> = images.collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
