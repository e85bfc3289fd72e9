//! How boards are to be searched: the options that `solve` and `batch` share.

use super::options::LimitOptions;
use anyhow::anyhow;
use clap::Args;
use permutile::heuristic::registry;
use permutile::lab::plan::Plan;
use permutile::search::registry::{self as algorithms, ALGORITHMS};
use permutile::search::{Settings, Ties};
use permutile::solver::{AUTO, SolveError};

/// With which algorithm and heuristic, and when to give up.
#[derive(Args, Debug)]
pub(super) struct SearchOptions {
    /// How to search; `permutile algorithms` lists the choices
    #[arg(long, value_name = "NAME", default_value = AUTO, value_parser = parse_algorithm)]
    algorithm: String,
    /// What guides the search; `permutile heuristics` lists the choices [default: by puzzle]
    #[arg(long, value_name = "NAME")]
    heuristic: Option<String>,
    #[command(flatten)]
    limits: LimitOptions,
    /// Give up after so many expanded nodes
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// How much wastar trusts the heuristic (at least 1)
    #[arg(long, value_name = "W", default_value_t = Settings::default().weight, value_parser = parse_weight)]
    weight: f64,
    /// In which order successors are tried, as in Up,Down,Right,Left (bfs, dfs, A* family)
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    order: Vec<String>,
    /// Which of equally promising nodes comes first (astar-textbook)
    #[arg(long, value_name = "RULE", default_value = "fifo")]
    ties: TiesChoice,
    /// Count the goal as an expanded node, as some courses do
    #[arg(long)]
    count_goal: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum TiesChoice {
    /// The one that was put there first
    Fifo,
    /// The one whose board, read as a number, is smaller
    Board,
}

impl SearchOptions {
    /// The plan for boards of which so many are solved at once, each by so many threads.
    pub(super) fn plan(&self, boards_at_once: usize, threads: usize) -> anyhow::Result<Plan> {
        if let Some(name) = &self.heuristic
            && registry::find(name).is_none()
        {
            return Err(anyhow!(SolveError::UnknownHeuristic { name: name.clone() }.to_string()));
        }
        Ok(Plan {
            algorithm: self.algorithm.clone(),
            heuristic: self.heuristic.clone(),
            timeout: self.limits.timeout,
            nodes: self.max_nodes,
            bytes: Some(self.limits.bytes() / boards_at_once as u64),
            threads,
            weight: self.weight,
            order: self.order.clone(),
            ties: match self.ties {
                TiesChoice::Fifo => Ties::FirstIn,
                TiesChoice::Board => Ties::SmallerBoard,
            },
            count_goal: self.count_goal,
        })
    }
}

fn parse_weight(text: &str) -> Result<f64, String> {
    let weight = text.parse::<f64>().ok().filter(|weight| (1.0..=1000.0).contains(weight));
    weight.ok_or_else(|| "a weight is a number from 1 to 1000, as in 1.5".to_owned())
}

fn parse_algorithm(name: &str) -> Result<String, String> {
    if name == AUTO || algorithms::find(name).is_some() {
        return Ok(name.to_owned());
    }
    let names: Vec<&str> = ALGORITHMS.iter().map(|entry| entry.name).collect();
    Err(format!("there is no such algorithm: expected {AUTO}, {}", names.join(", ")))
}
