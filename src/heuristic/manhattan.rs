//! The Manhattan distance of the sliding puzzle: how many steps all tiles are from their
//! goals, the blank not counted.
//!
//! **Admissible and consistent**: a move carries one tile by one step.

use super::per_tile::{PerTile, TileSum, apart};
use super::{Promise, Registered};
use crate::puzzle::{Depth, Frame};

/// Sum of the tiles' distances.
#[derive(Clone, Debug)]
pub struct Manhattan {
    distances: PerTile,
}

impl Registered for Manhattan {
    const NAME: &'static str = "manhattan";
    const SUMMARY: &'static str = "sum of the tiles' distances in rows and columns";

    fn promise(frame: &Frame) -> Option<Promise> {
        frame.blank_label().is_some().then_some(Promise::CONSISTENT)
    }

    fn new(frame: &Frame) -> Manhattan {
        Manhattan { distances: distances(frame) }
    }
}

/// Each tile's distance from its goal, the blank's not counted.
pub(super) fn distances(frame: &Frame) -> PerTile {
    let shape = frame.shape();
    PerTile::new(frame, |cell, label| {
        let (rows, cols) = apart(shape, cell, label);
        (rows + cols) as u32
    })
}

impl TileSum for Manhattan {
    #[inline]
    fn weights(&self) -> &PerTile {
        &self.distances
    }

    #[inline]
    fn estimate_of(&self, sum: u32) -> Depth {
        sum
    }
}
