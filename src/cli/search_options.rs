//! How boards are to be searched: the options that `solve` and `batch` share.

use super::interrupt;
use super::names::{self, AlgorithmName};
use super::options::{
    MemoryOption, OwnHeuristics, PuzzleOptions, chosen_alone, parse_ratio, parse_weight,
    parse_width,
};
use super::output::quoted;
use super::quantity::{Timeout, parse_timeout};
use anyhow::bail;
use clap::Args;
use permutile::lab::record::Status;
use permutile::lab::solvers::Solvers;
use permutile::lab::summary::Summary;
use permutile::search::{Aim, AlgorithmChoice, Limits, Prune, SearchOptions, Setting, Ties};
use std::path::Path;
use std::time::Duration;

/// How long `auto` looks for shorter solutions of a board, and for a proof.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

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
    /// Stop after this long a board (500ms, 10s, 2m, none) [default: 10s for auto without --exact, else none]
    #[arg(long, value_name = "TIME", value_parser = parse_timeout)]
    timeout: Option<Timeout>,
    #[command(flatten)]
    aim: AimOptions,
    #[command(flatten)]
    memory: MemoryOption,
    /// Stop after so many expanded nodes
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    #[arg(long, value_name = "W", value_parser = parse_weight, help = weight_help())]
    weight: Option<f64>,
    #[arg(long, value_name = "N", value_parser = parse_width, help = width_help())]
    width: Option<usize>,
    /// What ida and pida leave out where there is a blank; auto leaves out loops [default: back]
    #[arg(long, value_name = "WHAT")]
    prune: Option<PruneChoice>,
    #[command(flatten)]
    conventions: Conventions,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum PruneChoice {
    /// The move that takes the last one back: nodes are counted as in the literature
    Back,
    /// All but one way through loops of up to 24 moves: the same lengths with about half the nodes
    Loops,
}

/// When `auto` is content with a solution. Without any of these: when it is proven shortest, or
/// when the time is up.
#[derive(Args, Debug)]
#[group(multiple = false)]
struct AimOptions {
    /// Stop at the first solution (auto)
    #[arg(long)]
    first: bool,
    /// Stop once the solution is proven to be at most so many times as long as the shortest, as in
    /// 1.05 (auto)
    #[arg(long, value_name = "RATIO", value_parser = parse_ratio)]
    within: Option<f64>,
    /// Give only solutions that are proven shortest, however long that takes (auto)
    #[arg(long)]
    exact: bool,
}

impl AimOptions {
    fn get(&self) -> Aim {
        match self.within {
            Some(ratio) => Aim::Within(ratio),
            None if self.first => Aim::First,
            None if self.exact => Aim::Proven,
            None => Aim::Best,
        }
    }

    /// The option that was given.
    fn option(&self) -> Option<&'static str> {
        match self.get() {
            Aim::Best => None,
            Aim::First => Some("--first"),
            Aim::Within(_) => Some("--within"),
            Aim::Proven => Some("--exact"),
        }
    }
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
        let goal =
            options.goal.file().map(|goal| format!(" --goal {}", quoted(&goal.to_string_lossy())));
        let file = |file: &Path| format!(" --heuristic-file {}", quoted(&file.to_string_lossy()));
        let files = self.files().map(file);
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
        let added = self.own.add_to(solvers, self.memory.bytes())?;
        let (aim, default) = (self.aim.get(), SearchOptions::default());
        Ok(self.conventions.on(SearchOptions {
            algorithm: self.algorithm,
            heuristic: chosen_alone(self.heuristic.as_ref(), &added)?,
            timeout: self.timeout(aim),
            limits: Limits {
                nodes: self.max_nodes,
                bytes: Some(self.memory.bytes() / boards_at_once as u64),
                cancelled: Some(interrupt::flag()),
                ..Limits::default()
            },
            threads,
            weight: self.weight.unwrap_or(default.weight),
            width: self.width.unwrap_or(default.width),
            aim,
            prune: match self.prune {
                None | Some(PruneChoice::Back) => Prune::Back,
                Some(PruneChoice::Loops) => Prune::Loops,
            },
            ..default
        }))
    }

    /// The same options, where nothing but a proof will do.
    pub(super) fn proving<'a>(&self, options: SearchOptions<'a>) -> SearchOptions<'a> {
        match self.algorithm {
            AlgorithmChoice::Auto => {
                let (aim, timeout) = (Aim::Proven, self.timeout(Aim::Proven));
                SearchOptions { aim, timeout, ..options }
            }
            AlgorithmChoice::Named(_) => options,
        }
    }

    /// How long a board may take: as given; else `auto`, which always has something to improve or
    /// to prove, ends by itself.
    fn timeout(&self, aim: Aim) -> Option<Duration> {
        match self.timeout {
            Some(timeout) => timeout.limit(),
            None if self.algorithm == AlgorithmChoice::Auto && aim != Aim::Proven => {
                Some(DEFAULT_TIMEOUT)
            }
            None => None,
        }
    }

    /// What to say if the time limit that nobody asked for made a difference.
    pub(super) fn note_on_default_timeout(
        &self,
        options: &SearchOptions<'_>,
        summary: &Summary,
    ) -> Option<String> {
        let limit = options.timeout.filter(|_| self.timeout.is_none())?;
        let stopped = [&summary.statuses, &summary.stopped].map(|by| by.get(&Status::Timeout));
        let boards = match stopped.into_iter().flatten().sum::<usize>() {
            0 => return None,
            1 => "1 board was".to_owned(),
            boards => format!("{boards} boards were"),
        };
        let seconds = limit.as_secs();
        Some(format!(
            "note: {boards} stopped by the default time limit of {seconds} s; --timeout none goes on"
        ))
    }

    /// Refuses options that the algorithm would ignore: whoever gives one expects a difference.
    fn refuse_what_is_ignored(&self) -> anyhow::Result<()> {
        let heuristic = self.heuristic.is_some().then_some("--heuristic").or(self.own.option());
        let given = [
            (heuristic, Setting::Heuristic),
            (self.weight.is_some().then_some("--weight"), Setting::Weight),
            (self.width.is_some().then_some("--width"), Setting::Width),
            (self.aim.option(), Setting::Aim),
            (self.prune.is_some().then_some("--prune"), Setting::Prune),
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

fn width_help() -> String {
    let default = SearchOptions::default().width;
    format!("How many boards of each layer beam keeps [default: {default}]")
}

fn weight_help() -> String {
    let default = SearchOptions::default().weight;
    format!("How much wastar trusts the heuristic (at least 1) [default: {default}]")
}
