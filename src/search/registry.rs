//! The algorithms by name.

use super::{Algorithm, Optimality, Setting};
use std::fmt;
use std::str::FromStr;

/// All algorithms.
pub static ALGORITHMS: &[&Algorithm] = &[
    &super::ida::IDA,
    &super::parallel_ida::PARALLEL_IDA,
    &super::astar::ASTAR,
    &super::parallel_astar::PARALLEL_ASTAR,
    &super::weighted_astar::WEIGHTED_ASTAR,
    &super::greedy::GREEDY,
    &super::beam::BEAM,
    &super::textbook::TEXTBOOK_ASTAR,
    &super::bfs::BFS,
    &super::ucs::UCS,
    &super::dfs::DFS,
    &super::iddfs::IDDFS,
    &super::bidirectional::BIDIRECTIONAL,
    &super::constructive::CONSTRUCTIVE,
];

/// What courses call some of them.
const OTHER_NAMES: [(&str, &Algorithm); 3] =
    [("ast", &super::astar::ASTAR), ("a*", &super::astar::ASTAR), ("A*", &super::astar::ASTAR)];

/// Which algorithm to search with.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum AlgorithmChoice {
    /// The solver chooses for the puzzle and the board.
    #[default]
    Auto,
    /// This one.
    Named(&'static Algorithm),
}

/// What [`AlgorithmChoice::Auto`] does, in one line.
pub const AUTO_SUMMARY: &str = "a solution of any board, then shorter ones until it is proven that none is shorter: IDA* with tables from below, beams from above";

impl AlgorithmChoice {
    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            AlgorithmChoice::Auto => "auto",
            AlgorithmChoice::Named(algorithm) => algorithm.name,
        }
    }

    /// The algorithm, if it is named.
    pub fn named(self) -> Option<&'static Algorithm> {
        match self {
            AlgorithmChoice::Auto => None,
            AlgorithmChoice::Named(algorithm) => Some(algorithm),
        }
    }

    /// Whether a heuristic guides it.
    pub fn is_guided(self) -> bool {
        match self {
            AlgorithmChoice::Auto => true,
            AlgorithmChoice::Named(algorithm) => algorithm.guided,
        }
    }

    /// What its solutions are worth.
    pub fn optimality(self) -> Optimality {
        match self {
            AlgorithmChoice::Auto => Optimality::IfAdmissible,
            AlgorithmChoice::Named(algorithm) => algorithm.optimality,
        }
    }

    /// Whether it uses more than one thread.
    pub fn is_parallel(self) -> bool {
        match self {
            AlgorithmChoice::Auto => true,
            AlgorithmChoice::Named(algorithm) => algorithm.parallel,
        }
    }

    /// Whether a setting makes a difference to it.
    pub fn follows(self, setting: Setting) -> bool {
        match (self, setting) {
            (choice, Setting::Heuristic) => choice.is_guided(),
            (AlgorithmChoice::Auto, setting) => setting == Setting::Aim,
            (AlgorithmChoice::Named(algorithm), setting) => algorithm.follows.contains(&setting),
        }
    }

    /// All choices.
    pub fn all() -> impl Iterator<Item = AlgorithmChoice> {
        let named = ALGORITHMS.iter().copied().map(AlgorithmChoice::Named);
        std::iter::once(AlgorithmChoice::Auto).chain(named)
    }
}

impl From<&'static Algorithm> for AlgorithmChoice {
    fn from(algorithm: &'static Algorithm) -> AlgorithmChoice {
        AlgorithmChoice::Named(algorithm)
    }
}

impl fmt::Display for AlgorithmChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No algorithm has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no algorithm \"{name}\"")]
pub struct UnknownAlgorithm {
    /// The name.
    pub name: String,
}

impl FromStr for AlgorithmChoice {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<AlgorithmChoice, UnknownAlgorithm> {
        let unknown = || UnknownAlgorithm { name: name.to_owned() };
        let by_other_name = || OTHER_NAMES.iter().find(|(other, _)| *other == name);
        AlgorithmChoice::all()
            .find(|choice| choice.name() == name)
            .or_else(|| by_other_name().map(|&(_, algorithm)| algorithm.into()))
            .ok_or_else(unknown)
    }
}
