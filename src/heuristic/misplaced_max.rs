//! The number of tiles that are not on their goals, divided by the most tiles that one
//! move shifts, rounded up.
//!
//! **Admissible and consistent** on every puzzle: a move that shifts k tiles changes the
//! count by at most k, so the quotient by at most 1, and rounding up keeps that.

use super::misplaced::off_goal;
use super::per_tile::{PerTile, TileSum};
use super::{Promise, Registered};
use crate::puzzle::{Depth, Frame};

/// The number of misplaced tiles ÷ the most that one move shifts, rounded up.
#[derive(Clone, Debug)]
pub struct MisplacedMax {
    off_goal: PerTile,
    divisor: u32,
}

impl Registered for MisplacedMax {
    const NAME: &'static str = "misplaced-max";
    const SUMMARY: &'static str = "number of tiles that are not on their goals, divided by the most that one move shifts, rounded up";

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn new(frame: &Frame) -> MisplacedMax {
        let divisor = frame.moves().most_tiles_shifted() as u32;
        MisplacedMax { off_goal: off_goal(frame), divisor }
    }
}

impl TileSum for MisplacedMax {
    #[inline]
    fn weights(&self) -> &PerTile {
        &self.off_goal
    }

    #[inline]
    fn estimate_of(&self, count: u32) -> Depth {
        count.div_ceil(self.divisor)
    }
}
