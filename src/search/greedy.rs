//! Greedy best-first search (Doran and Michie 1966, "Experiments with the graph traverser
//! program"): expands the node that seems nearest to the goal, however long the way there; of
//! equals the one with the shorter path.
//!
//! It finds some solution soon. States are expanded once: a shorter path to one that has been
//! expanded changes nothing, so that the paths below it are not proven shortest, and no more
//! is proven about the length than the estimate of the start.

use super::best_first::{Ground, Order, search};
use super::{Described, Guided, Observer, Optimality, Outcome, Task};
use crate::heuristic::Heuristic;
use crate::puzzle::Puzzle;

/// Greedy best-first search.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl Described for Greedy {
    const NAME: &'static str = "greedy";
    const SUMMARY: &'static str =
        "greedy best-first search: some solution soon, by the estimate alone";
    const OPTIMALITY: Optimality = Optimality::Never;
}

impl Guided for Greedy {
    fn search<P: Puzzle, H: Heuristic<P>>(
        task: &Task<'_, P>,
        heuristic: &H,
        observer: &mut dyn Observer,
    ) -> Outcome {
        search(task, &Ground::new(task, heuristic), Order::BY_ESTIMATE, observer)
    }
}
