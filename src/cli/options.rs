//! Options that several commands share, and what they mean.

use super::names;
use super::quantity::{Timeout, parse_bytes, parse_timeout};
use super::{Common, interrupt};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use permutile::board::Shape;
use permutile::heuristic::user_partition::UserPartition;
use permutile::lab::input;
use permutile::lab::solvers::{PuzzleError, Solvers, load_definition, load_heuristic};
use permutile::puzzle::{Definition, Goal};
use permutile::search::{HeuristicKind, Limits};
use permutile::solver::Solver;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Which puzzle, and which goal.
#[derive(Args, Clone, Debug)]
pub(super) struct PuzzleOptions {
    /// The puzzle: torus4, rings5, sliding:3x4, a path to a .toml file, ... [default: inferred from each board]
    #[arg(long, value_name = "ID", value_parser = names::PUZZLE, hide_possible_values = true)]
    pub puzzle: Option<String>,
    #[command(flatten)]
    pub goal: GoalOption,
    /// The shape of boards that are written on one line
    #[arg(long, value_name = "RxC")]
    pub shape: Option<Shape>,
}

impl PuzzleOptions {
    /// Solvers for boards of the puzzle that was named, or of those that are inferred.
    pub(super) fn solvers(&self, common: &Common) -> anyhow::Result<Solvers> {
        let definition = self.definition()?;
        let goal = self.goal_of(definition.as_ref())?;
        let mut solvers = Solvers::of(definition, goal, common.simd());
        common.cache().into_iter().for_each(|cache| solvers.use_cache(cache));
        Ok(solvers)
    }

    /// The goal of boards of the puzzle that was named, or of those that are inferred.
    pub(super) fn goal(&self) -> anyhow::Result<Goal> {
        self.goal_of(self.definition()?.as_ref())
    }

    fn definition(&self) -> Result<Option<Definition>, PuzzleError> {
        self.puzzle.as_deref().map(load_definition).transpose()
    }

    /// On one line, a goal has the shape of the puzzle, as boards have.
    fn goal_of(&self, definition: Option<&Definition>) -> anyhow::Result<Goal> {
        self.goal.get(self.shape.or(definition.map(|definition| definition.shape)))
    }

    /// The files that the options name, among other things.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.puzzle.iter().map(Path::new).chain(self.goal.file())
    }

    /// The shape of boards that are written on one line, if the user gave it.
    pub(super) fn shape(&self, solvers: &Solvers) -> Option<Shape> {
        self.shape.or(solvers.shape())
    }
}

/// The puzzle that a command is about, with or without the option's name.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub(super) struct PuzzleArgument {
    /// The puzzle: torus4, rings5, sliding:3x4, a path to a .toml file, ...
    #[arg(value_name = "PUZZLE", value_parser = names::PUZZLE, hide_possible_values = true)]
    position: Option<String>,
    /// The same as PUZZLE
    #[arg(long = "puzzle", value_name = "ID", value_parser = names::PUZZLE, hide_possible_values = true)]
    option: Option<String>,
}

impl PuzzleArgument {
    pub(super) fn id(&self) -> &str {
        let given = self.position.as_ref().or(self.option.as_ref());
        given.expect("clap asks for one of them")
    }
}

/// As [`PuzzleArgument`], for commands that are about all puzzles if none is named.
#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
pub(super) struct OptionalPuzzle {
    /// The puzzle: torus4, rings5, sliding:3x4, a path to a .toml file, ...
    #[arg(value_name = "PUZZLE", value_parser = names::PUZZLE, hide_possible_values = true)]
    position: Option<String>,
    /// The same as PUZZLE
    #[arg(long = "puzzle", value_name = "ID", value_parser = names::PUZZLE, hide_possible_values = true)]
    option: Option<String>,
}

impl OptionalPuzzle {
    pub(super) fn id(&self) -> Option<&str> {
        self.position.as_deref().or(self.option.as_deref())
    }
}

#[derive(Args, Clone, Debug)]
pub(super) struct GoalOption {
    /// The arrangement to reach: blank-first, blank-last, a board, or a file with one
    #[arg(long, value_name = "GOAL")]
    goal: Option<String>,
}

impl GoalOption {
    /// Another goal than the one that was given.
    pub(super) fn set(&mut self, goal: &str) {
        self.goal = Some(goal.to_owned());
    }

    /// Whether the user gave one.
    pub(super) fn is_given(&self) -> bool {
        self.goal.is_some()
    }

    /// A solver for one puzzle towards this goal.
    pub(super) fn solver(&self, puzzle: &str, common: &Common) -> anyhow::Result<Solver> {
        let definition = load_definition(puzzle)?;
        let goal = self.get(Some(definition.shape))?;
        let mut solver = Solver::new(definition, goal, common.simd())?;
        common.cache().into_iter().for_each(|cache| solver.use_cache(cache));
        Ok(solver)
    }

    /// The file that the option names, if it is one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.goal.as_deref().map(Path::new)
    }

    /// The goal that the option names.
    pub(super) fn get(&self, shape: Option<Shape>) -> anyhow::Result<Goal> {
        Ok(match self.goal.as_deref() {
            None => Goal::Default,
            Some("blank-first") => Goal::BlankFirst,
            Some("blank-last") => Goal::BlankLast,
            Some(argument) => {
                let board = input::read_board(argument, "goal", shape)
                    .context("--goal takes blank-first, blank-last, a board or a file with one")?;
                Goal::Board(board)
            }
        })
    }
}

/// User-defined heuristics.
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
    /// The option that was given, if one was.
    pub(super) fn option(&self) -> Option<&'static str> {
        let file = (!self.files.is_empty()).then_some("--heuristic-file");
        file.or((!self.pdb.is_empty()).then_some("--pdb"))
    }

    /// The heuristics, for boards that are to reach this goal; their tables may take so many
    /// bytes.
    pub(super) fn load(&self, goal: &Goal, bytes: u64) -> anyhow::Result<Vec<HeuristicKind>> {
        let from_file = |path: &PathBuf| Ok(load_heuristic(path)?);
        let from_partition = |text: &String| {
            let patterns =
                UserPartition::parse(text, goal).with_context(|| format!("--pdb {text}"))?;
            Ok(HeuristicKind::from_patterns(patterns, bytes))
        };
        self.files.iter().map(from_file).chain(self.pdb.iter().map(from_partition)).collect()
    }

    /// Their files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// Adds them to the solvers.
    pub(super) fn add_to(
        &self,
        solvers: &mut Solvers,
        bytes: u64,
    ) -> anyhow::Result<Vec<HeuristicKind>> {
        let kinds = self.load(solvers.goal(), bytes)?;
        kinds.iter().try_for_each(|kind| solvers.add(kind.clone()))?;
        Ok(kinds)
    }
}

/// The heuristic that was named or, if none was, the only one that was added.
pub(super) fn chosen(
    named: Option<&String>,
    added: &[HeuristicKind],
) -> anyhow::Result<Option<HeuristicKind>> {
    match (named, added) {
        (Some(name), _) => match added.iter().find(|kind| kind.name() == name) {
            Some(kind) => Ok(Some(kind.clone())),
            None => Ok(Some(name.parse()?)),
        },
        (None, []) => Ok(None),
        (None, [only]) => Ok(Some(only.clone())),
        (None, [first, ..]) => bail!(
            "there are several --heuristic-file or --pdb: say which with --heuristic, as in \
             --heuristic {}",
            first.name()
        ),
    }
}

/// As [`chosen`], for commands that use one heuristic: those that are added must not be in vain.
pub(super) fn chosen_alone(
    named: Option<&String>,
    added: &[HeuristicKind],
) -> anyhow::Result<Option<HeuristicKind>> {
    let chosen = chosen(named, added)?;
    match (&chosen, added) {
        (Some(kind), [first, ..]) if !added.contains(kind) => bail!(
            "--heuristic {} leaves {} without effect: leave one of them out",
            kind.name(),
            first.name()
        ),
        _ => Ok(chosen),
    }
}

/// When to give up.
#[derive(Args, Clone, Debug)]
pub(super) struct LimitOptions {
    /// Give up after this long (500ms, 10s, 2m, none) [default: none]
    #[arg(long, value_name = "TIME", value_parser = parse_timeout)]
    pub timeout: Option<Timeout>,
    #[command(flatten)]
    pub memory: MemoryOption,
}

/// How much memory to use.
#[derive(Args, Clone, Debug)]
pub(super) struct MemoryOption {
    /// Use at most this much memory for tables and search (64MB, 2GiB) [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_memory: Option<u64>,
}

impl MemoryOption {
    pub(super) fn bytes(&self) -> u64 {
        self.max_memory.unwrap_or_else(default_memory)
    }
}

impl LimitOptions {
    fn deadline(&self) -> Option<Instant> {
        let timeout = self.timeout.and_then(Timeout::limit);
        timeout.and_then(|timeout| Instant::now().checked_add(timeout))
    }

    /// Limits for what begins now.
    pub(super) fn starting_now(&self) -> Limits<'static> {
        Limits {
            bytes: Some(self.memory.bytes()),
            deadline: self.deadline(),
            cancelled: Some(interrupt::flag()),
            ..Limits::default()
        }
    }
}

/// How many processes like this one share the machine.
static PROCESSES: AtomicU64 = AtomicU64::new(1);

/// From now on, only a share of the memory is used by default: so many processes are at work here.
pub(super) fn share_memory(processes: usize) {
    PROCESSES.store(processes as u64, Ordering::Relaxed);
}

/// Three quarters of the memory that is free, where the system reports it; else 2 GiB. Of several
/// processes, each takes its share.
pub(super) fn default_memory() -> u64 {
    const FALLBACK: u64 = 2 << 30;
    let available = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    let all = available.map_or(FALLBACK, |kilobytes| kilobytes * 1024 / 4 * 3);
    all / PROCESSES.load(Ordering::Relaxed)
}

/// How moves are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notation {
    /// By name: Up, L2, Oc
    Names,
    /// Sliding puzzles as players write: URDL2, letters say which way a tile moves
    Short,
}

/// Reads how many times as long as the shortest a solution may be.
pub(super) fn parse_ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse::<f64>().ok().filter(|ratio| (1.0..=1000.0).contains(ratio));
    ratio.ok_or_else(|| "a ratio is a number from 1 to 1000, as in 1.05".to_owned())
}

/// Reads the width of a beam.
pub(super) fn parse_width(text: &str) -> Result<usize, String> {
    const MOST: usize = 1_000_000_000;
    let width = text.parse::<usize>().ok().filter(|width| (1..=MOST).contains(width));
    width.ok_or_else(|| format!("a width is a whole number from 1 to {MOST}, as in 1000"))
}

/// Reads a weight for weighted A*.
pub(super) fn parse_weight(text: &str) -> Result<f64, String> {
    let weight = text.parse::<f64>().ok().filter(|weight| (1.0..=1000.0).contains(weight));
    weight.ok_or_else(|| "a weight is a number from 1 to 1000, as in 1.5".to_owned())
}
