//! Options that several commands share, and what they mean.

use super::interrupt;
use super::output::usage;
use super::quantity::{parse_bytes, parse_duration};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use permutile::board::Shape;
use permutile::heuristic::own_patterns::OwnPatterns;
use permutile::lab::input;
use permutile::lab::solvers::{Solvers, load_heuristic};
use permutile::puzzle::Goal;
use permutile::search::Limits;
use permutile::search::registry::{self as algorithms, ALGORITHMS};
use permutile::solver::{AUTO, Guide};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Which puzzle, and towards what.
#[derive(Args, Clone, Debug)]
pub(super) struct PuzzleOptions {
    /// The puzzle: torus4, rings5, sliding:3x4, a path to a .toml file, ... [default: told from each board]
    #[arg(long, value_name = "ID")]
    pub puzzle: Option<String>,
    #[command(flatten)]
    pub goal: GoalOption,
    /// The shape of boards that are written on one line
    #[arg(long, value_name = "RxC")]
    pub shape: Option<Shape>,
}

#[derive(Args, Clone, Debug)]
pub(super) struct GoalOption {
    /// The arrangement to reach: blank-first, blank-last, or a file with a board
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,
}

impl GoalOption {
    /// The goal that was meant.
    pub(super) fn get(&self, shape: Option<Shape>) -> anyhow::Result<Goal> {
        Ok(match self.goal.as_deref() {
            None => Goal::Default,
            Some("blank-first") => Goal::BlankFirst,
            Some("blank-last") => Goal::BlankLast,
            Some(path) => {
                let board = input::read_board(Path::new(path), shape)
                    .context("--goal takes blank-first, blank-last or a file with a board")?;
                Goal::Board(board)
            }
        })
    }
}

/// Heuristics that users bring along.
#[derive(Args, Clone, Debug)]
pub(super) struct OwnHeuristics {
    /// Add the heuristic of a .toml file: a formula or a table of tiles' distances (can be repeated)
    #[arg(long = "heuristic-file", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Add pattern databases of a sliding puzzle, its tiles divided as in 1,2,3/4,5,6/7,8, or by the
    /// number of a pattern for each cell of the goal, 0 for none (can be repeated)
    #[arg(long, value_name = "PARTITION")]
    pdb: Vec<String>,
}

impl OwnHeuristics {
    /// The heuristics, for boards that are to reach this goal; their tables may take so many
    /// bytes.
    pub(super) fn load(&self, goal: &Goal, bytes: u64) -> anyhow::Result<Vec<Guide>> {
        let of_file = |path: &PathBuf| Ok(load_heuristic(path)?);
        let of_partition = |text: &String| {
            let patterns =
                OwnPatterns::parse(text, goal).with_context(|| format!("--pdb {text}"))?;
            Ok(Guide::of_patterns(patterns, bytes))
        };
        self.files.iter().map(of_file).chain(self.pdb.iter().map(of_partition)).collect()
    }

    /// Makes them known.
    pub(super) fn add_to(&self, solvers: &mut Solvers, bytes: u64) -> anyhow::Result<Vec<Guide>> {
        let guides = self.load(solvers.goal(), bytes)?;
        guides
            .iter()
            .try_for_each(|guide| solvers.add(guide.clone()))
            .map_err(|error| usage(&error))?;
        Ok(guides)
    }
}

/// The heuristic that was named or, if none was, the only one that was added.
pub(super) fn chosen(named: Option<&String>, added: &[Guide]) -> anyhow::Result<Option<String>> {
    match (named, added) {
        (Some(name), _) => Ok(Some(name.clone())),
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some(only.name().to_owned())),
        (None, [first, ..]) => bail!(
            "there are several --heuristic-file or --pdb: say which with --heuristic, as in \
             --heuristic {}",
            first.name()
        ),
    }
}

/// When to give up.
#[derive(Args, Clone, Debug)]
pub(super) struct LimitOptions {
    /// Give up after this long (500ms, 10s, 2m)
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Use at most this much memory for tables and search (64MB, 2GiB) [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub max_memory: Option<u64>,
}

impl LimitOptions {
    fn deadline(&self) -> Option<Instant> {
        self.timeout.and_then(|timeout| Instant::now().checked_add(timeout))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.max_memory.unwrap_or_else(default_memory)
    }

    /// Limits for what begins now.
    pub(super) fn from_now(&self) -> Limits<'static> {
        Limits {
            bytes: Some(self.bytes()),
            deadline: self.deadline(),
            cancelled: Some(interrupt::flag()),
            ..Limits::default()
        }
    }
}

/// Three quarters of the memory that is free, where the system tells; else 2 GiB.
pub(super) fn default_memory() -> u64 {
    const FALLBACK: u64 = 2 << 30;
    let available = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    available.map_or(FALLBACK, |kilobytes| kilobytes * 1024 / 4 * 3)
}

/// How moves are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notation {
    /// By name: Up, L2, Oc
    Names,
    /// Sliding puzzles as players write: URDL2, letters say which way a tile moves
    Short,
}

/// Reads a weight for weighted A*.
pub(super) fn parse_weight(text: &str) -> Result<f64, String> {
    let weight = text.parse::<f64>().ok().filter(|weight| (1.0..=1000.0).contains(weight));
    weight.ok_or_else(|| "a weight is a number from 1 to 1000, as in 1.5".to_owned())
}

/// Reads the name of an algorithm.
pub(super) fn parse_algorithm(name: &str) -> Result<String, String> {
    if name == AUTO || algorithms::find(name).is_some() {
        return Ok(name.to_owned());
    }
    let names: Vec<&str> = ALGORITHMS.iter().map(|entry| entry.name).collect();
    Err(format!("there is no such algorithm: expected {AUTO}, {}", names.join(", ")))
}
