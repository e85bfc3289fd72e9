//! Iterative-deepening depth-first search (Slate and Atkin 1977; Korf 1985): IDA* that knows
//! nothing. It visits what breadth-first search visits, again and again, and stores nothing.

use super::{Algorithm, Optimality, ida};

/// Iterative-deepening depth-first search.
pub static IDDFS: Algorithm = Algorithm {
    name: "iddfs",
    summary: "iterative-deepening depth-first search: shortest solutions, no memory, no heuristic",
    optimality: Optimality::Always,
    guided: false,
    parallel: false,
    follows: &[],
    search: ida::search,
};
