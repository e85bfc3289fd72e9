//! The number of tiles that are not on their goals, divided by the most tiles that one
//! move shifts, rounded up.
//!
//! **Admissible and consistent** on every puzzle: a move that shifts k tiles changes the
//! count by at most k, so the quotient by at most 1, and rounding up keeps that.

use super::misplaced::off_goal;
use super::{NamedHeuristic, Promise, Scope, TileSum};
use crate::puzzle::Frame;

/// The number of misplaced tiles ÷ the most that one move shifts, rounded up.
#[derive(Clone, Copy, Debug)]
pub struct MisplacedMax;

impl NamedHeuristic for MisplacedMax {
    const NAME: &'static str = "misplaced-max";
    const SUMMARY: &'static str = "number of tiles that are not on their goals, divided by the most that one move shifts, rounded up";
    const SCOPE: Scope = Scope::Every;

    type Heuristic = TileSum;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> TileSum {
        let divisor = frame.moves().most_tiles_shifted() as u32;
        TileSum::new(off_goal(frame), divisor)
    }
}
