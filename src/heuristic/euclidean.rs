//! The sum of the tiles' straight-line distances from their goals, rounded up, the blank
//! not counted.
//!
//! **Admissible and consistent**, and never more than [`manhattan`](super::manhattan): a
//! move carries one tile by one step, which changes its straight-line distance by one at
//! most. The distances are kept as whole multiples of 2⁻¹⁶, each rounded down, so that there
//! is no rounding noise: a sum of such numbers is exact and never above the true one, and as
//! a step is 2¹⁶ of them, rounding down leaves "by one at most" as it is. Rounding the sum
//! up at the end keeps both, because true distances are whole numbers.

use super::per_tile::PerTile;
use super::{Promise, Registered, Scope, TileSum};
use crate::puzzle::Frame;

/// The binary digits after the point. The largest board, 16x16, needs 13 before it.
const DIGITS: u32 = 16;

/// Sum of the tiles' straight-line distances, rounded up.
#[derive(Clone, Copy, Debug)]
pub struct Euclidean;

impl Registered for Euclidean {
    const NAME: &'static str = "euclidean";
    const SUMMARY: &'static str = "sum of the tiles' straight-line distances, rounded up";
    const SCOPE: Scope = Scope::WithBlank;

    type Estimator = TileSum;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> TileSum {
        let shape = frame.shape();
        let distance = |cell, label| {
            let (rows, cols) = shape.apart(cell, label);
            let square = (rows * rows + cols * cols) as u64;
            (square << (2 * DIGITS)).isqrt() as u32
        };
        TileSum::new(PerTile::new(frame, distance), 1 << DIGITS)
    }
}
