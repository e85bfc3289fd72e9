//! Uniform-cost search (Dijkstra 1959, "A note on two problems in connexion with graphs"): A*
//! without a heuristic.
//!
//! Each move costs one, so that it expands what breadth-first search expands, layer by layer;
//! but as for any costs, the goal counts as found only when its turn has come.

use super::best_first::{self, Order, SuccessorRules};
use super::estimator::Estimator;
use super::{Algorithm, Observer, Optimality, Outcome, Task};

/// Uniform-cost search.
pub static UCS: Algorithm = Algorithm {
    name: "ucs",
    summary: "uniform-cost search (Dijkstra): shortest solutions, no heuristic, much memory",
    optimality: Optimality::Always,
    guided: false,
    parallel: false,
    follows: &[],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    let rules = SuccessorRules::new(estimator.frame(), task.start).without_parity();
    best_first::search(task, estimator, &rules, Order::BY_DEPTH, observer)
}
