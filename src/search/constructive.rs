//! Some solution of any board, without a search that could fail: tiles are brought to their places
//! a few at a time, and stay there. It takes milliseconds and is far from shortest.

mod permuting;
mod placement;
mod sliding;
mod tile_ways;

use super::estimator::Estimator;
use super::{Algorithm, Limits, Observer, Optimality, Outcome, Statistics, StopReason, Task};
use crate::puzzle::moves::Action;
use crate::puzzle::{Frame, Move};

/// Tile by tile.
pub static CONSTRUCTIVE: Algorithm = Algorithm {
    name: "constructive",
    summary: "tile by tile: some solution of any board at once, far from shortest",
    optimality: Optimality::Never,
    guided: false,
    parallel: false,
    follows: &[],
    search,
};

/// Some solution of a board that has one.
///
/// # Errors
/// If a limit is hit.
pub fn solve(frame: &Frame, start: &[u8], limits: &Limits<'_>) -> Result<Vec<Move>, StopReason> {
    match frame.moves().action() {
        Action::Blank(_) => sliding::solve(frame, start, limits),
        Action::Permutations(_) => permuting::solve(frame, start, limits),
    }
}

fn search(task: &Task<'_>, estimator: &dyn Estimator, _: &mut dyn Observer) -> Outcome {
    let end = solve(estimator.frame(), task.start, &task.limits);
    Outcome::from_first(end, false, 0, Statistics::default())
}
