//! The number of tiles that are not on their goals, the blank not counted.
//!
//! **Admissible and consistent where a move shifts one tile**, as on sliding puzzles: it
//! brings at most one tile home, or takes one away. **Neither where a move shifts more**:
//! one move of a torus takes a whole line off its goal, and the count says so many
//! moves where one suffices. [`misplaced_max`](super::misplaced_max) mends that.

use super::per_tile::PerTile;
use super::{NamedHeuristic, Promise, Scope, TileSum};
use crate::puzzle::Frame;

/// The number of misplaced tiles.
#[derive(Clone, Copy, Debug)]
pub struct Misplaced;

impl NamedHeuristic for Misplaced {
    const NAME: &'static str = "misplaced";
    const SUMMARY: &'static str = "number of tiles that are not on their goals";
    const SCOPE: Scope = Scope::Every;

    type Heuristic = TileSum;

    fn promise(frame: &Frame) -> Option<Promise> {
        let one_by_one = frame.moves().most_tiles_shifted() == 1;
        Some(if one_by_one { Promise::CONSISTENT } else { Promise::INADMISSIBLE })
    }

    fn build(frame: &Frame) -> TileSum {
        TileSum::new(off_goal(frame), 1)
    }
}

/// One for each tile that is not on its goal.
pub(super) fn off_goal(frame: &Frame) -> PerTile {
    PerTile::new(frame, |cell, label| u32::from(cell != label))
}
