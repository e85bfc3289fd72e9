//! How boards are to be searched: the options that `solve` and `batch` share.

use super::interrupt;
use super::options::{
    LimitOptions, OwnHeuristics, PuzzleOptions, chosen, parse_algorithm, parse_weight,
};
use clap::Args;
use permutile::lab::solvers::Solvers;
use permutile::search::{AlgorithmChoice, Limits, SearchOptions, Ties};
use std::path::Path;

/// With which algorithm and heuristic, and when to give up.
#[derive(Args, Debug)]
pub(super) struct SearchArguments {
    /// How to search; `permutile algorithms` lists the choices
    #[arg(long, value_name = "NAME", default_value_t = AlgorithmChoice::Auto, value_parser = parse_algorithm)]
    algorithm: AlgorithmChoice,
    /// What guides the search; `permutile heuristics` lists the choices [default: by puzzle]
    #[arg(long, value_name = "NAME")]
    heuristic: Option<String>,
    #[command(flatten)]
    own: OwnHeuristics,
    #[command(flatten)]
    limits: LimitOptions,
    /// Give up after so many expanded nodes
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// How much wastar trusts the heuristic (at least 1)
    #[arg(long, value_name = "W", default_value_t = SearchOptions::default().weight, value_parser = parse_weight)]
    weight: f64,
    #[command(flatten)]
    conventions: Conventions,
}

/// How nodes are ordered and counted: what the figures of courses and books depend on.
#[derive(Args, Debug)]
pub(super) struct Conventions {
    /// In which order successors are tried, as in Up,Down,Right,Left or U,D,R,L (bfs, dfs, astar-textbook)
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    order: Vec<String>,
    /// Which of equally promising nodes comes first (astar-textbook)
    #[arg(long, value_name = "RULE", default_value = "fifo")]
    ties: TiesChoice,
    /// Count the goal as an expanded node, as some courses do
    #[arg(long)]
    count_goal: bool,
    /// dfs takes the last successor first, as programs do that put them on a stack in their order
    #[arg(long)]
    dfs_last_first: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum TiesChoice {
    /// The one that was put there first
    Fifo,
    /// The one whose board, read as a number, is smaller
    Board,
}

impl Conventions {
    /// Other options with these conventions.
    pub(super) fn on<'a>(&self, options: SearchOptions<'a>) -> SearchOptions<'a> {
        SearchOptions {
            order: self.order.clone(),
            last_first: self.dfs_last_first,
            ties: match self.ties {
                TiesChoice::Fifo => Ties::FirstIn,
                TiesChoice::Board => Ties::SmallerBoard,
            },
            count_goal: self.count_goal,
            ..options
        }
    }
}

impl SearchArguments {
    /// The files that the options name.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.own.files()
    }

    /// What to do about a solution that is shortest if a heuristic is admissible.
    pub(super) fn audit_advice(
        &self,
        puzzle: &str,
        options: &PuzzleOptions,
        heuristic: &str,
    ) -> String {
        let goal = options.goal.file().map(|goal| format!(" --goal {}", goal.display()));
        let files = self.files().map(|file| format!(" --heuristic-file {}", file.display()));
        let several = self.files().nth(1).map(|_| format!(" --heuristic {heuristic}"));
        let arguments: String = goal.into_iter().chain(files).chain(several).collect();
        format!(
            "that {heuristic} is admissible is a claim of its file; this tries to refute it: \
             permutile audit --puzzle {puzzle}{arguments}"
        )
    }

    /// The options for boards of which so many are solved at once, each by so many threads; the
    /// solvers get the user-defined heuristics.
    pub(super) fn options(
        &self,
        solvers: &mut Solvers,
        boards_at_once: usize,
        threads: usize,
    ) -> anyhow::Result<SearchOptions<'static>> {
        let added = self.own.add_to(solvers, self.limits.bytes())?;
        Ok(self.conventions.on(SearchOptions {
            algorithm: self.algorithm,
            heuristic: chosen(self.heuristic.as_ref(), &added)?,
            timeout: self.limits.timeout,
            limits: Limits {
                nodes: self.max_nodes,
                bytes: Some(self.limits.bytes() / boards_at_once as u64),
                cancelled: Some(interrupt::flag()),
                ..Limits::default()
            },
            threads,
            weight: self.weight,
            ..SearchOptions::default()
        }))
    }
}
