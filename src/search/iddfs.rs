//! Iterative-deepening depth-first search (Slate and Atkin 1977; Korf 1985): IDA* that knows
//! nothing. It visits what breadth-first search visits, again and again, and stores nothing.

use super::{Blind, Described, Guided, Observer, Optimality, Outcome, Task, ida};
use crate::heuristic::zero::Zero;
use crate::puzzle::Puzzle;

/// Iterative-deepening depth-first search.
#[derive(Clone, Copy, Debug)]
pub struct IterativeDeepening;

impl Described for IterativeDeepening {
    const NAME: &'static str = "iddfs";
    const SUMMARY: &'static str =
        "iterative-deepening depth-first search: shortest solutions, no memory, no heuristic";
    const OPTIMALITY: Optimality = Optimality::Always;
}

impl Blind for IterativeDeepening {
    fn search<P: Puzzle>(task: &Task<'_, P>, observer: &mut dyn Observer) -> Outcome {
        ida::Ida::search(task, &Zero, observer)
    }
}
