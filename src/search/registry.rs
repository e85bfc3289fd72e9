//! The algorithms by name.

use super::{Blind, Described, Guided, Observer, Optimality, Outcome, Task};
use crate::heuristic::Heuristic;
use crate::puzzle::Puzzle;

/// An algorithm's row in the listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// What its solutions are worth.
    pub optimality: Optimality,
    /// Whether a heuristic guides it.
    pub guided: bool,
    /// Whether it uses more than one thread.
    pub parallel: bool,
}

const fn entry<A: Described>(guided: bool) -> Entry {
    Entry {
        name: A::NAME,
        summary: A::SUMMARY,
        optimality: A::OPTIMALITY,
        guided,
        parallel: A::PARALLEL,
    }
}

macro_rules! algorithms {
    (guided: $($guided:path),* ; blind: $($blind:path),* $(,)?) => {
        /// All algorithms.
        pub const ALGORITHMS: &[Entry] =
            &[$(entry::<$guided>(true),)* $(entry::<$blind>(false),)*];

        /// Runs the guided algorithm of that name, if there is one.
        pub fn run_guided<P: Puzzle, H: Heuristic<P>>(
            name: &str,
            task: &Task<'_, P>,
            heuristic: &H,
            observer: &mut dyn Observer,
        ) -> Option<Outcome> {
            $(if name == <$guided as Described>::NAME {
                return Some(<$guided as Guided>::search(task, heuristic, observer));
            })*
            None
        }

        /// Runs the blind algorithm of that name, if there is one.
        pub fn run_blind<P: Puzzle>(
            name: &str,
            task: &Task<'_, P>,
            observer: &mut dyn Observer,
        ) -> Option<Outcome> {
            $(if name == <$blind as Described>::NAME {
                return Some(<$blind as Blind>::search(task, observer));
            })*
            None
        }
    };
}

algorithms![
    guided:
        super::ida::Ida,
        super::parallel_ida::ParallelIda,
        super::astar::AStar,
        super::parallel_astar::ParallelAStar,
        super::weighted_astar::WeightedAStar,
        super::greedy::Greedy,
        super::textbook::TextbookAStar;
    blind:
        super::bfs::BreadthFirst,
        super::ucs::UniformCost,
        super::dfs::DepthFirst,
        super::iddfs::IterativeDeepening,
        super::bidirectional::Bidirectional
];

/// The row of an algorithm.
pub fn find(name: &str) -> Option<&'static Entry> {
    ALGORITHMS.iter().find(|entry| entry.name == name)
}
