//! A specimen: Σ (dx^0.91 + dy^0.91)^1.414 ÷ 4 over the circular distances of all tiles,
//! rounded up. The exponents were tuned until solutions looked short.
//!
//! **Not admissible**, although it has been said to be: two moves in one direction of a
//! row of four leave four tiles two steps from their goals, and 4 × 2^(0.91 × 1.414) ÷ 4 is
//! 2.44. No constant rescues a power above 1 of a distance that falls by a
//! fixed amount a move. It is here to be refuted, and for searches that need no proof.
//!
//! The weights are whole multiples of 2⁻¹⁶, so that a sum carried along a path is exactly the
//! one from scratch.

use super::axes::most_steps;
use super::per_tile::PerTile;
use super::{NamedHeuristic, Promise, Scope, TileSum};
use crate::puzzle::Frame;

/// The binary digits after the point.
const DIGITS: u32 = 16;

/// The sum of tuned distances ÷ 4, rounded up.
#[derive(Clone, Copy, Debug)]
pub struct TunedManhattan;

impl NamedHeuristic for TunedManhattan {
    const NAME: &'static str = "tuned-manhattan";
    const SUMMARY: &'static str = "a specimen: sum of (dx^0.91 + dy^0.91)^1.414 with wrap-around, divided by 4, rounded up; it can be too high";
    const SCOPE: Scope = Scope::WithoutBlank;

    type Heuristic = TileSum;

    fn promise(frame: &Frame) -> Option<Promise> {
        most_steps(frame).map(|_| Promise::INADMISSIBLE)
    }

    fn build(frame: &Frame) -> TileSum {
        let shape = frame.shape();
        let weight = |cell, label| {
            let (rows, cols) = shape.circular_apart(cell, label);
            let tuned = ((rows as f64).powf(0.91) + (cols as f64).powf(0.91)).powf(1.414);
            (tuned * f64::from(1 << DIGITS)).round() as u32
        };
        TileSum::new(PerTile::new(frame, weight), 4 << DIGITS)
    }
}
