//! Search algorithms, one file each, and what they have in common: tasks, options, limits,
//! statistics, observers and outcomes.
//!
//! A search takes a [`Task`] (a start, [`Limits`] and [`SearchOptions`]), an [`Estimator`] (a
//! heuristic on an engine) and an [`Observer`], and yields an [`Outcome`]. It prints nothing, reads
//! no file and knows no boards. What is compiled for each engine and heuristic is in
//! [`estimator`]; inside its methods there is no dynamic dispatch.
//!
//! A new algorithm is one file with an [`Algorithm`], and one line in [`ALGORITHMS`].

pub mod all_shortest;
pub mod astar;
pub mod beam;
mod best_first;
mod between;
pub mod bfs;
pub mod bidirectional;
mod chunked_list;
#[doc(hidden)]
pub mod closed;
pub mod constructive;
pub(crate) mod counted_ida;
mod crew;
pub mod dfs;
pub mod estimator;
mod frontier;
mod graph;
pub mod greedy;
mod heuristic_kind;
pub mod ida;
pub mod iddfs;
pub mod insertion;
mod layer_pass;
mod node_counts;
mod options;
mod outcome;
pub mod packets;
pub mod parallel_astar;
pub mod parallel_ida;
pub mod path;
pub(crate) mod poller;
mod registry;
mod slide;
pub mod textbook;
pub mod ucs;
pub mod weighted_astar;
pub mod windows;

pub use crate::limits::{Limits, NodeCount, Observer, Silent, StopReason};
pub use crew::{Crew, CrewSolution, Role};
pub use estimator::{Estimator, OnEngine};
pub use heuristic_kind::{BuildError, HeuristicKind, Inapplicable, UnknownHeuristic};
pub use options::{Aim, OrderError, Prune, SearchOptions, Setting, Ties};
pub use outcome::{Iteration, Outcome, Path, Statistics};
pub use registry::{ALGORITHMS, AUTO_SUMMARY, AlgorithmChoice, UnknownAlgorithm};

use crate::puzzle::automaton::loops::Loops;
use crate::puzzle::{Depth, Frame, Move};

/// What is to be searched.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The label of each cell where to start.
    pub start: &'a [u8],
    /// No solution is shorter than this, as far as is known already.
    pub at_least: Depth,
    /// When to give up.
    pub limits: Limits<'a>,
    /// In which order breadth-first, depth-first and the textbooks' A* generate successors; moves
    /// that are not named come last, in the order of their numbers.
    pub order: Vec<Move>,
    /// What IDA* leaves out.
    pub prune: Prune,
    /// How many nodes other searches of the board have expanded.
    pub expanded: u64,
    /// What the user chose.
    pub options: &'a SearchOptions<'a>,
}

impl<'a> Task<'a> {
    /// A search from a board, of which nothing is known.
    pub fn new(start: &'a [u8], limits: Limits<'a>, options: &'a SearchOptions<'a>) -> Task<'a> {
        let (order, prune) = (Vec::new(), options.prune);
        Task { start, at_least: 0, limits, order, prune, expanded: 0, options }
    }

    /// The automaton that IDA* follows instead of the puzzle's own, after so many nodes.
    pub(crate) fn loops(&self, frame: &Frame, expanded: u64) -> Option<&'static Loops> {
        let wanted = self.prune == Prune::Loops && frame.blank_label().is_some();
        let has_room = self.limits.check_bytes(Loops::MOST_BYTES).is_ok();
        let expanded = if has_room { self.expanded.saturating_add(expanded) } else { 0 };
        wanted.then(|| Loops::after_nodes(expanded))
    }

    /// All moves in the order that the user wants.
    fn move_order(&self, frame: &Frame) -> Vec<Move> {
        let others = frame.moves().all().filter(|m| !self.order.contains(m));
        self.order.iter().copied().chain(others).collect()
    }
}

/// What the length of a solution that was found is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimality {
    /// It is shortest.
    Always,
    /// It is shortest if the heuristic is admissible.
    IfAdmissible,
    /// It may be longer than needed.
    Never,
}

/// A search algorithm.
#[derive(Debug)]
pub struct Algorithm {
    /// The name by which users choose it.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// What its solutions are worth.
    pub optimality: Optimality,
    /// Whether a heuristic guides it; if not, it is run with the estimator of
    /// [`Zero`](crate::heuristic::zero::Zero).
    pub guided: bool,
    /// Whether it uses more than one thread.
    pub parallel: bool,
    /// What it follows of the settings that only some algorithms do, but for the heuristic.
    pub follows: &'static [Setting],
    /// Searches.
    pub search: fn(&Task<'_>, &dyn Estimator, &mut dyn Observer) -> Outcome,
}

impl PartialEq for Algorithm {
    fn eq(&self, other: &Algorithm) -> bool {
        self.name == other.name
    }
}
