//! A* (Hart, Nilsson and Raphael 1968, "A formal basis for the heuristic determination of
//! minimum cost paths"): expands the node whose path and estimate are shortest together, of
//! equals the one that seems nearest to the goal.
//!
//! No algorithm with the same consistent heuristic expands fewer nodes but by luck in the last
//! layer; the price is that all states met are kept in memory.

use super::best_first::{Ground, Order, search};
use super::{Described, Guided, Observer, Optimality, Outcome, Task};
use crate::heuristic::Heuristic;
use crate::puzzle::Puzzle;

/// A*.
#[derive(Clone, Copy, Debug)]
pub struct AStar;

impl Described for AStar {
    const NAME: &'static str = "astar";
    const SUMMARY: &'static str =
        "A*: shortest solutions with an admissible heuristic, the fewest nodes, much memory";
    const OPTIMALITY: Optimality = Optimality::IfAdmissible;
}

impl Guided for AStar {
    fn search<P: Puzzle, H: Heuristic<P>>(
        task: &Task<'_, P>,
        heuristic: &H,
        observer: &mut dyn Observer,
    ) -> Outcome {
        search(task, &Ground::new(task, heuristic), Order::BY_LENGTH, observer)
    }
}
