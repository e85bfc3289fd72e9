//! Uniform-cost search (Dijkstra 1959, "A note on two problems in connexion with graphs"): A*
//! without a heuristic.
//!
//! Each move costs one, so that it expands what breadth-first search expands, layer by layer;
//! but as for any costs, the goal counts as found only when its turn has come.

use super::best_first::{Ground, Order, search};
use super::{Blind, Described, Observer, Optimality, Outcome, Task};
use crate::heuristic::zero::Zero;
use crate::puzzle::Puzzle;

/// Uniform-cost search.
#[derive(Clone, Copy, Debug)]
pub struct UniformCost;

impl Described for UniformCost {
    const NAME: &'static str = "ucs";
    const SUMMARY: &'static str =
        "uniform-cost search (Dijkstra): shortest solutions, no heuristic, much memory";
    const OPTIMALITY: Optimality = Optimality::Always;
}

impl Blind for UniformCost {
    fn search<P: Puzzle>(task: &Task<'_, P>, observer: &mut dyn Observer) -> Outcome {
        search(task, &Ground::new(task, &Zero).without_parity(), Order::BY_DEPTH, observer)
    }
}
