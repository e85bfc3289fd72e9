//! How boards are to be searched: the options that `solve` and `batch` share.

use super::interrupt;
use super::names::{self, AlgorithmName};
use super::options::{LimitOptions, OwnHeuristics, PuzzleOptions, chosen_alone, parse_weight};
use anyhow::bail;
use clap::Args;
use permutile::lab::solvers::Solvers;
use permutile::search::{AlgorithmChoice, Limits, SearchOptions, Setting, Ties};
use std::path::Path;

/// With which algorithm and heuristic, and when to give up.
#[derive(Args, Debug)]
pub(super) struct SearchArguments {
    /// How to search; `permutile algorithms` lists the choices
    #[arg(long, value_name = "NAME", default_value_t = AlgorithmChoice::Auto, value_parser = AlgorithmName, hide_possible_values = true)]
    algorithm: AlgorithmChoice,
    /// What guides the search; `permutile heuristics` lists the choices [default: by puzzle]
    #[arg(long, value_name = "NAME", value_parser = names::HEURISTIC, hide_possible_values = true)]
    heuristic: Option<String>,
    #[command(flatten)]
    own: OwnHeuristics,
    #[command(flatten)]
    limits: LimitOptions,
    /// Give up after so many expanded nodes
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    #[arg(long, value_name = "W", value_parser = parse_weight, help = weight_help())]
    weight: Option<f64>,
    #[command(flatten)]
    conventions: Conventions,
}

/// How nodes are ordered and counted: what the figures of courses and books depend on.
#[derive(Args, Debug)]
pub(super) struct Conventions {
    /// In which order successors are tried, as in Up,Down,Right,Left or U,D,R,L (bfs, dfs, astar-textbook)
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    order: Vec<String>,
    /// Which of equally promising nodes comes first (astar-textbook) [default: fifo]
    #[arg(long, value_name = "RULE")]
    ties: Option<TiesChoice>,
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
    /// Those that only some algorithms follow, as far as they were given, with their options.
    pub(super) fn given(&self) -> impl Iterator<Item = (&'static str, Setting)> {
        let all = [
            (!self.order.is_empty(), "--order", Setting::Order),
            (self.dfs_last_first, "--dfs-last-first", Setting::LastFirst),
            (self.ties.is_some(), "--ties", Setting::Ties),
        ];
        all.into_iter().filter(|(given, ..)| *given).map(|(_, option, setting)| (option, setting))
    }

    /// Other options with these conventions.
    pub(super) fn on<'a>(&self, options: SearchOptions<'a>) -> SearchOptions<'a> {
        SearchOptions {
            order: self.order.clone(),
            last_first: self.dfs_last_first,
            ties: match self.ties {
                None | Some(TiesChoice::Fifo) => Ties::FirstIn,
                Some(TiesChoice::Board) => Ties::SmallerBoard,
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
        self.refuse_what_is_ignored()?;
        let added = self.own.add_to(solvers, self.limits.bytes())?;
        Ok(self.conventions.on(SearchOptions {
            algorithm: self.algorithm,
            heuristic: chosen_alone(self.heuristic.as_ref(), &added)?,
            timeout: self.limits.timeout,
            limits: Limits {
                nodes: self.max_nodes,
                bytes: Some(self.limits.bytes() / boards_at_once as u64),
                cancelled: Some(interrupt::flag()),
                ..Limits::default()
            },
            threads,
            weight: self.weight.unwrap_or(SearchOptions::default().weight),
            ..SearchOptions::default()
        }))
    }

    /// Refuses options that the algorithm would ignore: whoever gives one expects a difference.
    fn refuse_what_is_ignored(&self) -> anyhow::Result<()> {
        let heuristic = self.heuristic.is_some().then_some("--heuristic").or(self.own.option());
        let given = [
            (heuristic, Setting::Heuristic),
            (self.weight.is_some().then_some("--weight"), Setting::Weight),
        ];
        let given = given.into_iter().filter_map(|(option, setting)| Some((option?, setting)));
        for (option, setting) in given.chain(self.conventions.given()) {
            self.expect(option, &|choice| choice.follows(setting))?;
        }
        Ok(())
    }

    /// Refuses an option that makes no difference, or no sense, with the algorithm.
    pub(super) fn expect(
        &self,
        option: &str,
        goes_with: &dyn Fn(AlgorithmChoice) -> bool,
    ) -> anyhow::Result<()> {
        if !goes_with(self.algorithm) {
            let names: Vec<&str> = AlgorithmChoice::all()
                .filter(|&c| goes_with(c))
                .map(AlgorithmChoice::name)
                .collect();
            let (algorithm, names) = (self.algorithm, names.join(", "));
            bail!("{option} does not go with --algorithm {algorithm}: it is for {names}");
        }
        Ok(())
    }
}

fn weight_help() -> String {
    let default = SearchOptions::default().weight;
    format!("How much wastar trusts the heuristic (at least 1) [default: {default}]")
}
