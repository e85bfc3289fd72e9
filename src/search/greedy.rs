//! Greedy best-first search (Doran and Michie 1966, "Experiments with the graph traverser
//! program"): expands the node that seems nearest to the goal, however long the way there; of
//! equals the one with the shorter path.
//!
//! It finds some solution soon. States are expanded once: a shorter path to one that has been
//! expanded changes nothing, so that the paths below it are not proven shortest, and no more
//! is proven about the length than the estimate of the start.

use super::best_first::{self, Order, SuccessorRules};
use super::estimator::Estimator;
use super::{Algorithm, Observer, Optimality, Outcome, Task};

/// Greedy best-first search.
pub static GREEDY: Algorithm = Algorithm {
    name: "greedy",
    summary: "greedy best-first search: some solution soon, by the estimate alone",
    optimality: Optimality::Never,
    guided: true,
    parallel: false,
    follows: &[],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    let rules = SuccessorRules::new(estimator.frame(), task.start);
    best_first::search(task, estimator, &rules, Order::BY_ESTIMATE, observer)
}
