//! A* (Hart, Nilsson and Raphael 1968, "A formal basis for the heuristic determination of
//! minimum cost paths"): expands the node whose path and estimate are shortest together, of
//! equals the one that seems nearest to the goal.
//!
//! No algorithm with the same consistent heuristic expands fewer nodes but by luck in the last
//! layer; the price is that all states met are kept in memory.

use super::best_first::{self, Order, SuccessorRules};
use super::estimator::Estimator;
use super::{Algorithm, Observer, Optimality, Outcome, Task};

/// A*.
pub static ASTAR: Algorithm = Algorithm {
    name: "astar",
    summary: "A*: shortest solutions with an admissible heuristic, the fewest nodes, much memory",
    optimality: Optimality::IfAdmissible,
    guided: true,
    parallel: false,
    follows: &[],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    let rules = SuccessorRules::new(estimator.frame(), task.start);
    best_first::search(task, estimator, &rules, Order::BY_LENGTH, observer)
}
