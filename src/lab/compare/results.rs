//! The results of a comparison, serialised as JSON.

use crate::format::{bytes, counted, counted_grouped, duration};
use crate::lab::circumstances::Circumstances;
use crate::lab::record::{Location, Status};
use crate::puzzle::{Depth, Move};
use serde::Serialize;
use std::fmt;

/// The results of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The puzzles, in the order of their first boards.
    pub puzzles: Vec<PuzzleComparison>,
    /// Proofs of one run that another contradicts, or the stated length of a board.
    pub contradictions: Vec<String>,
    /// Items that were no boards, or that cannot be solved, and why.
    pub skipped: Vec<Skipped>,
    /// Whether it was cut short. Runs that were not over are not in it.
    pub interrupted: bool,
    /// Where and when it was made.
    pub circumstances: Circumstances,
    /// Under which conditions the runs were made.
    pub conditions: Conditions,
}

/// What the runs of a comparison have in common.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Conditions {
    /// How many runs there were at a time.
    pub workers: usize,
    /// How often each was repeated.
    pub repeat: usize,
    /// How long each might take.
    pub timeout_seconds: Option<f64>,
    /// How many nodes each might expand.
    pub max_nodes: Option<u64>,
    /// How much memory each might hold.
    pub max_bytes: Option<u64>,
    /// The seed of the random boards that predictions are based on.
    pub seed: u64,
    /// The choices that decide how nodes are ordered and counted, in words, where they are not the
    /// default.
    pub choices: Vec<String>,
}

impl fmt::Display for Conditions {
    /// As in "10.00 s and 2.0 GB a run, 2 runs at a time, each made once, seed 0".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [
            self.timeout_seconds.map(duration),
            self.max_nodes.map(|nodes| counted_grouped(nodes, "node")),
            self.max_bytes.map(bytes),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        match limits.split_last() {
            None => write!(f, "no limits")?,
            Some((last, [])) => write!(f, "at most {last} a run")?,
            Some((last, others)) => write!(f, "at most {} and {last} a run", others.join(", "))?,
        }
        write!(f, ", {} at a time, each made ", counted(self.workers as u64, "run"))?;
        match self.repeat {
            1 => write!(f, "once")?,
            repeat => write!(f, "{repeat} times")?,
        }
        write!(f, ", seed {}", self.seed)?;
        self.choices.iter().try_for_each(|choice| write!(f, ", {choice}"))
    }
}

/// An item that was not compared.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// Its name.
    pub board: String,
    /// Where in the input, if it could not be read; the reason then begins with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// What it is instead of a board to solve.
    pub status: Status,
    /// Why it was not compared.
    pub reason: String,
}

/// The comparison on the boards of one puzzle.
#[derive(Clone, Debug, Serialize)]
pub struct PuzzleComparison {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The contenders; the first one is the baseline.
    pub contenders: Vec<Contender>,
    /// Heuristics that were asked for and do not apply, and why.
    pub inapplicable: Vec<String>,
    /// The boards.
    pub boards: Vec<Subject>,
    /// All runs: for each board, those of all contenders in their order.
    pub trials: Vec<Trial>,
    /// The runs in numbers: on all boards first, then by distance.
    pub groups: Vec<Group>,
    /// The estimates of each heuristic on boards whose distance is known.
    pub estimates: Vec<Estimates>,
    /// Predicted and measured numbers of nodes of IDA*.
    pub predictions: Vec<Predictions>,
}

/// An algorithm, with a heuristic if it takes one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Contender {
    /// The name of the algorithm, with its parameter if one was given: `wastar:1.5`.
    pub algorithm: String,
    /// The name of the heuristic, if the algorithm takes one.
    pub heuristic: Option<String>,
    /// Whether the heuristic promises never to exceed the distance.
    pub admissible: Option<bool>,
    /// Whether it promises that no move lowers it by more than one.
    pub consistent: Option<bool>,
    /// Whether these promises are claims of a file or of another crate.
    pub only_claims: bool,
}

impl Contender {
    /// As in `ida manhattan`.
    pub fn name(&self) -> String {
        match &self.heuristic {
            Some(heuristic) => format!("{} {heuristic}", self.algorithm),
            None => self.algorithm.clone(),
        }
    }
}

/// A board that was searched.
#[derive(Clone, Debug, Serialize)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// Its tiles, row by row.
    pub start: Vec<u16>,
    /// Its distance from the goal, if it is stated or was proven.
    pub distance: Option<Depth>,
}

/// The result of one contender on one board.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// The number of the board.
    pub board: usize,
    /// The number of the contender.
    pub contender: usize,
    /// How it ended.
    pub status: Status,
    /// The length of the solution.
    pub length: Option<Depth>,
    /// Whether it is proven that no solution is shorter.
    pub optimal: bool,
    /// Whether that would be so if the heuristic is admissible, as it claims.
    pub rests_on_claim: bool,
    /// The limit that ended the run, if it has a solution that is not proven shortest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<Status>,
    /// After how many seconds which lengths were found, each shorter than those before; empty if
    /// the first was the last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub improvements: Vec<(f64, Depth)>,
    /// No solution is shorter than this.
    pub lower_bound: Depth,
    /// Nodes whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// Of the nodes expanded, those before the last layer or iteration.
    pub expanded_below: u64,
    /// The depth of the deepest node generated.
    pub max_depth: Depth,
    /// The most bytes of search memory held, as accounted.
    pub peak_bytes: u64,
    /// The median time.
    pub seconds: f64,
    /// The heuristic's estimate for the board.
    pub h: Option<Depth>,
    /// The branching factor of a full tree with as many nodes and as deep as the solution.
    pub branching: Option<f64>,
    /// The iterations of an iterative search.
    pub iterations: Vec<IterationRow>,
    #[serde(skip)]
    pub(in crate::lab) moves: Vec<Move>,
}

/// One iteration of an iterative search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct IterationRow {
    /// The bound on the length.
    pub bound: Depth,
    /// Nodes expanded in it.
    pub expanded: u64,
    /// Successors generated in it.
    pub generated: u64,
    /// Whether it was searched to its end, which the last one never is.
    pub complete: bool,
}

/// Means over a group of boards.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Which boards.
    #[serde(flatten)]
    pub of: Which,
    /// How many.
    pub boards: usize,
    /// The contenders, in their order.
    pub rows: Vec<Row>,
}

/// Which boards belong to a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(tag = "of", content = "distance", rename_all = "kebab-case")]
pub enum Which {
    /// All of them.
    All,
    /// Those at a distance.
    Distance(Depth),
    /// Those whose distance is unknown.
    UnknownDistance,
}

/// A contender on a group of boards. Means are over the boards that it solved.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The number of the contender.
    pub contender: usize,
    /// On how many boards it was run: on all, unless the comparison was cut short.
    pub runs: usize,
    /// How many boards it solved.
    pub solved: usize,
    /// How many of the solutions are proven shortest.
    pub proven: usize,
    /// The mean length of its solutions.
    pub length: Option<f64>,
    /// The mean of what is proven of the lengths of those boards.
    pub lower_bound: Option<f64>,
    /// The mean depth of the deepest nodes generated.
    pub max_depth: Option<f64>,
    /// The mean number of nodes expanded.
    pub expanded: Option<f64>,
    /// The mean number of nodes generated.
    pub generated: Option<f64>,
    /// The mean number of nodes expanded before the last layer or iteration.
    pub expanded_below: Option<f64>,
    /// The mean time.
    pub seconds: Option<f64>,
    /// The time for each node that was generated.
    pub ns_per_node: Option<f64>,
    /// The mean of its heuristic's estimates for the boards, solved or not.
    pub mean_h: Option<f64>,
    /// The mean branching factor.
    pub branching: Option<f64>,
    /// Of the solutions whose boards' distances are known, how many are shortest.
    pub shortest: usize,
    /// How many such solutions there are.
    pub judged: usize,
    /// By how many moves they are too long, together.
    pub excess: u64,
    /// Its ratios to the baseline.
    pub ratios: Option<Ratios>,
    /// How its runs are distributed, if it solved any board.
    pub quartiles: Option<RowQuartiles>,
}

/// The distributions of the runs that solved their boards.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RowQuartiles {
    /// Of the nodes expanded.
    pub expanded: Quartiles,
    /// Of the nodes generated.
    pub generated: Quartiles,
    /// Of the times.
    pub seconds: Quartiles,
}

/// The smallest of some numbers that at least a quarter, half and three quarters do not exceed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[expect(missing_docs, reason = "the usual names")]
pub struct Quartiles {
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
}

impl Quartiles {
    /// The quartiles of these numbers, if there are any.
    pub fn from_numbers(mut numbers: Vec<f64>) -> Option<Quartiles> {
        numbers.sort_unstable_by(f64::total_cmp);
        let at = |quarters: usize| numbers.get((quarters * numbers.len()).div_ceil(4).max(1) - 1);
        Some(Quartiles { lower: *at(1)?, median: *at(2)?, upper: *at(3)? })
    }
}

/// The ratios of a contender to the baseline: geometric means over the boards that both solved.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ratios {
    /// How many boards that is.
    pub boards: usize,
    /// Of nodes expanded.
    pub expanded: f64,
    /// Of nodes generated.
    pub generated: f64,
    /// Of time.
    pub seconds: f64,
    /// Of the time for each node that was generated.
    pub ns_per_node: f64,
}

/// A heuristic's estimates for boards whose distances are known: those compared, and those on
/// shortest paths from them.
#[derive(Clone, Debug, Serialize)]
pub struct Estimates {
    /// The name of the heuristic.
    pub heuristic: String,
    /// How many boards there are with each distance and estimate.
    pub counts: Vec<EstimateCount>,
}

/// How many boards have this distance and this estimate.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct EstimateCount {
    /// The distance.
    pub distance: Depth,
    /// The estimate.
    pub h: Depth,
    /// How many boards.
    pub boards: u64,
}

/// Predicted and measured numbers of nodes of IDA* with one heuristic.
#[derive(Clone, Debug, Serialize)]
pub struct Predictions {
    /// The name of the heuristic.
    pub heuristic: String,
    /// How many random boards the prediction is based on.
    pub sample: u64,
    /// By bound.
    pub rows: Vec<PredictionRow>,
}

/// The iterations with one bound.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PredictionRow {
    /// The bound.
    pub bound: Depth,
    /// On how many boards it was searched to the end.
    pub boards: usize,
    /// The mean number of nodes predicted.
    pub predicted: f64,
    /// The standard error of that, from the size of the sample.
    pub standard_error: f64,
    /// The mean number of nodes expanded.
    pub measured: f64,
}
