//! `permutile compare`: which heuristic is better, and what does it cost?

use super::Common;
use super::columns::{Side, columns_within, window_width};
use super::exit::Exit;
use super::interrupt;
use super::names::EntrantName;
use super::options::{OwnHeuristics, PuzzleOptions, chosen, parse_weight};
use super::output::{complaint, data, is_standard_output, note, quoted, refuse_to_overwrite};
use super::progress::Progress;
use super::quantity::{Timeout, parse_bytes, parse_timeout};
use super::remarks::read_all;
use super::search_options::Conventions;
use super::sources::sources;
use super::summary::word;
use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use permutile::format::{self, counted, duration, grouped};
use permutile::lab::compare::{
    ComparePlan, Comparison, Entrant, Group, PuzzleComparison, Quartiles, Ratios, Row,
    RowQuartiles, Trial, Which, compare,
};
use permutile::lab::files::Files;
use permutile::lab::input::Source;
use permutile::lab::record::Status;
use permutile::lab::report;
use permutile::search::ida::IDA;
use permutile::search::{HeuristicKind, Limits, SearchOptions};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Run heuristics and algorithms on the same boards, side by side
///
/// Every algorithm is run with every heuristic on every board, one thread each, several at a
/// time. The first of them is the baseline of all ratios. Nodes are exact; for times that nothing
/// disturbs, give --threads 1 and --repeat.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile compare boards/ --heuristics circular-manhattan,walking-distance\n  \
    permutile compare korf.boards --algorithms ida,astar --heuristics manhattan,linear-conflict\n  \
    permutile compare boards/ --view relative,boards --csv runs.csv\n  \
    permutile compare boards/ --algorithms greedy,wastar:1.5,wastar:3,auto --timeout 1m\n  \
    permutile compare 7,0,2,8,5,3,6,1,4 --algorithms bfs,dfs,astar-textbook --heuristics manhattan,euclidean\n  \
    permutile compare boards/ --report report/ --repeat 5 --threads 1")]
pub(super) struct Compare {
    /// Files, folders, `-`, or boards
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,
    /// The heuristics, separated by commas [default: all that are admissible on the puzzle]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    heuristics: Vec<String>,
    #[command(flatten)]
    own: OwnHeuristics,
    /// The algorithms, separated by commas; some with a parameter: wastar:1.5, beam:1000,
    /// auto:first, auto:exact, auto:1.05
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = IDA.name, value_parser = EntrantName, hide_possible_values = true)]
    algorithms: Vec<Entrant>,
    #[command(flatten)]
    puzzle: PuzzleOptions,
    /// Stop a run after this long (500ms, 10s, 2m, none)
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_timeout)]
    timeout: Timeout,
    /// Stop a run after so many expanded nodes
    #[arg(long, value_name = "N")]
    max_nodes: Option<u64>,
    /// Use at most this much memory for all runs together (64MB, 2GiB) [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    max_memory: Option<u64>,
    /// How much wastar trusts the heuristic (at least 1)
    #[arg(long, value_name = "W", default_value_t = SearchOptions::default().weight, value_parser = parse_weight)]
    weight: f64,
    #[command(flatten)]
    conventions: Conventions,
    /// How often each run is repeated; its time is the median
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
    /// Which tables to print, separated by commas [default: absolute, quartiles of four boards or more, and bounds if not all is proven]
    #[arg(long, value_name = "VIEWS", value_delimiter = ',')]
    view: Vec<View>,
    /// Write every run to a table for spreadsheets; - is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a page with charts into a folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
    /// How many random boards to predict the nodes of IDA* from; 0 for no prediction
    #[arg(long, value_name = "N", default_value_t = ComparePlan::default().sample)]
    sample: u64,
    /// Where the random numbers start
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// Fewer boards have no quartiles worth the name.
const ENOUGH: usize = 4;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum View {
    /// Nodes, time and more, by distance
    Absolute,
    /// Everything by the baseline, by distance
    Relative,
    /// How nodes and times are distributed, by distance
    Quartiles,
    /// Lengths beside what is proven of them, by distance
    Bounds,
    /// Every run
    Boards,
}

pub(super) fn run(command: &Compare, common: &Common) -> anyhow::Result<Exit> {
    for (option, setting) in command.conventions.given() {
        if !command.algorithms.iter().any(|entrant| entrant.algorithm.follows(setting)) {
            bail!("{option} makes no difference: none of the algorithms follows it");
        }
    }
    let mut solvers = command.puzzle.solvers(common)?;
    let bytes = command.max_memory.unwrap_or_else(super::options::default_memory);
    let added = command.own.add_to(&mut solvers, bytes)?;
    let heuristics = heuristics(&command.heuristics, &added)?;
    let workers = rayon::current_num_threads();
    let plan = ComparePlan {
        algorithms: command.algorithms.clone(),
        heuristics,
        options: command.conventions.on(SearchOptions {
            timeout: command.timeout.limit(),
            limits: Limits {
                nodes: command.max_nodes,
                bytes: Some(bytes / workers as u64),
                ..Limits::default()
            },
            weight: command.weight,
            ..SearchOptions::default()
        }),
        repeat: command.repeat.into(),
        workers,
        sample: command.sample,
        seed: command.seed,
    };
    let sources = sources(&command.boards)?;
    command.check_files(&sources)?;
    let table_on_stdout = command.csv.as_deref().is_some_and(is_standard_output);
    if table_on_stdout && common.json {
        bail!("--csv - and --json would both go to standard output: give --csv FILE");
    }
    // Output files are opened before hours are spent on their content.
    let table = command.csv.as_deref().map(|path| create(path, command.force)).transpose()?;
    if let Some(folder) = &command.report {
        refuse_to_overwrite(&folder.join(report::PAGE), command.force)?;
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let shape = command.puzzle.shape(&solvers);
    let items = read_all(&sources, shape, common);
    let progress = Mutex::new(Progress::new(common.quiet));
    let compared = compare(items, &solvers, &plan, interrupt::flag(), &|done| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.show(|| format!("{} of {} runs", done.finished, done.of));
    });
    drop(progress);
    let comparison = compared?;
    for skipped in &comparison.skipped {
        // An error of reading already states its location.
        let place = match skipped.location {
            Some(_) => String::new(),
            None => format!("{}: ", skipped.board),
        };
        note(complaint(&anyhow!("{place}{}", skipped.reason)));
    }
    for contradiction in &comparison.contradictions {
        note(complaint(&anyhow!("{contradiction}")));
    }
    for puzzle in comparison.puzzles.iter().filter(|puzzle| puzzle.contenders.is_empty()) {
        let reasons = puzzle.inapplicable.join("; ");
        note(complaint(&anyhow!("{}: there is nothing to compare: {reasons}", puzzle.puzzle)));
    }
    if common.json {
        data(serde_json::to_string(&comparison)?)?;
    } else if !comparison.puzzles.is_empty() {
        let text = as_text(&comparison, &command.view, window_width());
        if table_on_stdout { note(text) } else { data(text)? }
    }
    if let (Some(file), Some(path)) = (table, &command.csv) {
        write_csv(&comparison, file).with_context(|| path.display().to_string())?;
    }
    if let Some(folder) = &command.report {
        let about = report::About { command: command_line(), version: env!("CARGO_PKG_VERSION") };
        let path = report::write(&comparison, &about, folder, command.force)?;
        if !common.quiet {
            note(format!("the report is in {}", path.display()));
        }
    }
    exit(&comparison, command)
}

impl Compare {
    /// Checks that no file is written that is an input or another output.
    fn check_files(&self, sources: &[Source]) -> anyhow::Result<()> {
        let page = self.report.as_ref().map(|folder| folder.join(report::PAGE));
        let outputs = [&self.csv, &page].into_iter().flatten().map(PathBuf::as_path);
        let outputs: Vec<&Path> = outputs.filter(|path| !is_standard_output(path)).collect();
        let others: Vec<&Path> = self.puzzle.files().chain(self.own.files()).collect();
        let include = |_: &Path| true;
        Ok(Files { outputs: &outputs, sources, include: &include, others: &others }.check()?)
    }
}

/// The requested heuristics: those named, and the user-defined ones.
fn heuristics(named: &[String], added: &[HeuristicKind]) -> anyhow::Result<Vec<HeuristicKind>> {
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let mut kinds = Vec::new();
    for name in named {
        kinds.extend(chosen(Some(name), added)?);
    }
    kinds
        .extend(added.iter().filter(|kind| !named.iter().any(|name| name == kind.name())).cloned());
    Ok(kinds)
}

fn exit(comparison: &Comparison, command: &Compare) -> anyhow::Result<Exit> {
    let trials = comparison.puzzles.iter().flat_map(|puzzle| &puzzle.trials);
    let statuses = trials.map(|trial| trial.status);
    let skipped = comparison.skipped.iter().map(|skipped| skipped.status);
    let mut exit = statuses.chain(skipped).map(Exit::from).max();
    if !comparison.contradictions.is_empty() {
        exit = exit.max(Some(Exit::Refuted));
    }
    if comparison.interrupted {
        exit = exit.max(Some(Exit::Interrupted));
    }
    if comparison.puzzles.iter().any(|puzzle| puzzle.contenders.is_empty()) {
        exit = exit.max(Some(Exit::Usage));
    }
    if comparison.puzzles.is_empty() && comparison.skipped.is_empty() {
        bail!("there are no boards in {}", command.boards.join(", "));
    }
    Ok(exit.unwrap_or(Exit::Success))
}

/// The command line, quoted for a shell.
fn command_line() -> String {
    let arguments = std::env::args_os().skip(1);
    let words = arguments.map(|argument| quoted(&argument.to_string_lossy()));
    std::iter::once("permutile".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

fn as_text(comparison: &Comparison, views: &[View], width: Option<usize>) -> String {
    let mut lines = Vec::new();
    for contradiction in &comparison.contradictions {
        lines.push(format!("CONTRADICTION: {contradiction}"));
    }
    for puzzle in &comparison.puzzles {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let boards = counted(puzzle.boards.len() as u64, "board");
        lines.push(match puzzle.contenders.first() {
            Some(first) => format!("{}: {boards}, baseline {}", puzzle.puzzle, first.name()),
            None => format!("{}: {boards}, and nothing to compare", puzzle.puzzle),
        });
        lines.extend(puzzle.inapplicable.iter().map(|reason| format!("left out: {reason}")));
        lines.extend(claims(puzzle));
        if puzzle.trials.is_empty() {
            continue;
        }
        let default = default_views(puzzle);
        let views = if views.is_empty() { default.as_slice() } else { views };
        for view in views {
            lines.push(String::new());
            lines.extend(match view {
                View::Absolute => absolute(puzzle, width),
                View::Relative => relative(puzzle, width),
                View::Quartiles => quartiles(puzzle, width),
                View::Bounds => bounds(puzzle, width),
                View::Boards => by_board(puzzle, width),
            });
        }
        lines.extend(predictions(puzzle, width));
    }
    if comparison.interrupted {
        lines.push("(interrupted: only the runs that were over are counted)".to_owned());
    }
    lines.push(String::new());
    lines.push(comparison.circumstances.to_string());
    lines.push(comparison.conditions.to_string());
    lines.join("\n")
}

/// The tables that there is something to see in.
fn default_views(puzzle: &PuzzleComparison) -> Vec<View> {
    let mut views = vec![View::Absolute];
    if puzzle.boards.len() >= ENOUGH {
        views.push(View::Quartiles);
    }
    let is_between =
        |trial: &Trial| trial.status == Status::Solved && !trial.optimal && trial.lower_bound > 0;
    if puzzle.trials.iter().any(is_between) {
        views.push(View::Bounds);
    }
    views
}

/// Heuristics that are admissible as they claim.
fn claims(puzzle: &PuzzleComparison) -> Option<String> {
    let claiming = puzzle
        .contenders
        .iter()
        .filter(|contender| contender.only_claims && contender.admissible == Some(true));
    let mut names: Vec<&str> = claiming.filter_map(|of| of.heuristic.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    let names = names.join(", ");
    (!names.is_empty()).then(|| format!("admissible only as they claim (permutile audit): {names}"))
}

/// The groups of boards; where all have the same distance, that group alone.
fn groups(puzzle: &PuzzleComparison) -> Vec<&Group> {
    match puzzle.groups.as_slice() {
        [_, only] => vec![only],
        groups => groups.iter().collect(),
    }
}

fn group_name(of: Which) -> String {
    match of {
        Which::All => "all".to_owned(),
        Which::Distance(distance) => distance.to_string(),
        Which::UnknownDistance => "?".to_owned(),
    }
}

/// A row for each group and contender that was run, with what names them first; columns that are
/// `expendable` are left out where the window is narrow.
fn by_group<const N: usize>(
    puzzle: &PuzzleComparison,
    groups: &[&Group],
    heading: [(&str, Side); N],
    (width, expendable): (Option<usize>, &[&str]),
    cells: impl Fn(&str, &str, &Row) -> [String; N],
) -> Vec<String> {
    let rows = groups.iter().flat_map(|group| {
        let of = group_name(group.of);
        let cells = &cells;
        group.rows.iter().filter(|row| row.runs > 0).map(move |row| {
            let contender = puzzle.contenders[row.contender].name();
            cells(&of, &contender, row)
        })
    });
    columns_within(width, heading, &rows.collect::<Vec<_>>(), expendable)
}

fn absolute(puzzle: &PuzzleComparison, width: Option<usize>) -> Vec<String> {
    let heading = [
        ("distance", Side::Right),
        ("contender", Side::Left),
        ("solved", Side::Right),
        ("length", Side::Right),
        ("max depth", Side::Right),
        ("expanded", Side::Right),
        ("generated", Side::Right),
        ("x expanded", Side::Right),
        ("time", Side::Right),
        ("ns/node", Side::Right),
        ("mean h", Side::Right),
        ("branching", Side::Right),
        ("below", Side::Right),
        ("shortest", Side::Right),
    ];
    let expendable = [
        "below",
        "branching",
        "mean h",
        "ns/node",
        "generated",
        "x expanded",
        "shortest",
        "solved",
        "max depth",
    ];
    by_group(puzzle, &groups(puzzle), heading, (width, &expendable), |of, contender, row| {
        [
            of.to_owned(),
            contender.to_owned(),
            format!("{}/{}", row.solved, row.runs),
            count(row.length),
            count(row.max_depth),
            count(row.expanded),
            count(row.generated),
            ratio(row.ratios.map(|ratios| ratios.expanded)),
            row.seconds.map_or_else(none, duration),
            fixed(row.ns_per_node, 1),
            fixed(row.mean_h, 2),
            fixed(row.branching, 2),
            count(row.expanded_below),
            shortest(row),
        ]
    })
}

fn relative(puzzle: &PuzzleComparison, width: Option<usize>) -> Vec<String> {
    let heading = [
        ("distance", Side::Right),
        ("contender", Side::Left),
        ("both solved", Side::Right),
        ("x expanded", Side::Right),
        ("x generated", Side::Right),
        ("x time", Side::Right),
        ("x ns/node", Side::Right),
    ];
    let expendable = ["x ns/node", "x generated", "both solved"];
    by_group(puzzle, &groups(puzzle), heading, (width, &expendable), |of, contender, row| {
        let row_ratio = |value: fn(Ratios) -> f64| ratio(row.ratios.map(value));
        [
            of.to_owned(),
            contender.to_owned(),
            format!("{}/{}", row.ratios.map_or(0, |ratios| ratios.boards), row.runs),
            row_ratio(|ratios| ratios.expanded),
            row_ratio(|ratios| ratios.generated),
            row_ratio(|ratios| ratios.seconds),
            row_ratio(|ratios| ratios.ns_per_node),
        ]
    })
}

/// The quartiles of groups that are large enough for them.
fn quartiles(puzzle: &PuzzleComparison, width: Option<usize>) -> Vec<String> {
    let heading = [
        ("distance", Side::Right),
        ("contender", Side::Left),
        ("solved", Side::Right),
        ("expanded: lower", Side::Right),
        ("median", Side::Right),
        ("upper quartile", Side::Right),
        ("time: lower", Side::Right),
        ("median", Side::Right),
        ("upper quartile", Side::Right),
    ];
    let mut large = groups(puzzle);
    large.retain(|group| group.boards >= ENOUGH);
    if large.is_empty() {
        return vec![format!("(quartiles are for groups of {ENOUGH} boards or more)")];
    }
    by_group(puzzle, &large, heading, (width, &["solved"]), |of, contender, row| {
        let value = |of: fn(RowQuartiles) -> Quartiles, quarter: fn(Quartiles) -> f64| {
            row.quartiles.map(|quartiles| quarter(of(quartiles)))
        };
        let nodes = |quarter| count_of_nodes(value(|row| row.expanded, quarter));
        let time = |quarter| value(|row| row.seconds, quarter).map_or_else(none, duration);
        [
            of.to_owned(),
            contender.to_owned(),
            format!("{}/{}", row.solved, row.runs),
            nodes(|quartiles| quartiles.lower),
            nodes(|quartiles| quartiles.median),
            nodes(|quartiles| quartiles.upper),
            time(|quartiles| quartiles.lower),
            time(|quartiles| quartiles.median),
            time(|quartiles| quartiles.upper),
        ]
    })
}

fn bounds(puzzle: &PuzzleComparison, width: Option<usize>) -> Vec<String> {
    let heading = [
        ("distance", Side::Right),
        ("contender", Side::Left),
        ("solved", Side::Right),
        ("proven", Side::Right),
        ("length", Side::Right),
        ("bound", Side::Right),
        ("gap", Side::Right),
        ("excess", Side::Right),
        ("time", Side::Right),
    ];
    by_group(puzzle, &groups(puzzle), heading, (width, &["bound"]), |of, contender, row| {
        let gap = row.length.zip(row.lower_bound).map(|(length, bound)| length - bound);
        let excess = (row.judged > 0).then(|| row.excess as f64 / row.judged as f64);
        [
            of.to_owned(),
            contender.to_owned(),
            format!("{}/{}", row.solved, row.runs),
            format!("{}/{}", row.proven, row.runs),
            fixed(row.length, 2),
            fixed(row.lower_bound, 2),
            fixed(gap, 2),
            fixed(excess, 2),
            row.seconds.map_or_else(none, duration),
        ]
    })
}

fn by_board(puzzle: &PuzzleComparison, width: Option<usize>) -> Vec<String> {
    let heading = [
        ("board", Side::Left),
        ("distance", Side::Right),
        ("contender", Side::Left),
        ("result", Side::Left),
        ("length", Side::Right),
        ("max depth", Side::Right),
        ("expanded", Side::Right),
        ("generated", Side::Right),
        ("below", Side::Right),
        ("time", Side::Right),
        ("h", Side::Right),
        ("branching", Side::Right),
    ];
    let number = |value: Option<u32>| value.map_or_else(none, |value| value.to_string());
    let rows = puzzle.trials.iter().map(|trial| {
        let board = &puzzle.boards[trial.board];
        let result = match (trial.status, trial.length, board.distance) {
            (Status::Solved, Some(length), Some(distance)) if length > distance => "too long",
            (Status::Solved, ..) if trial.optimal => "optimal",
            (Status::Solved, ..) if trial.rests_on_claim => "claimed optimal",
            (status, ..) => word(status),
        };
        [
            board.name.clone(),
            number(board.distance),
            puzzle.contenders[trial.contender].name(),
            result.to_owned(),
            number(trial.length),
            trial.max_depth.to_string(),
            grouped(trial.expanded),
            grouped(trial.generated),
            grouped(trial.expanded_below),
            duration(trial.seconds),
            number(trial.h),
            fixed(trial.branching, 2),
        ]
    });
    let expendable = ["below", "branching", "h", "generated", "distance", "max depth"];
    columns_within(width, heading, &rows.collect::<Vec<_>>(), &expendable)
}

fn predictions(puzzle: &PuzzleComparison, width: Option<usize>) -> Vec<String> {
    let mut lines = Vec::new();
    let predicted: Vec<_> = puzzle.predictions.iter().filter(|p| !p.rows.is_empty()).collect();
    let Some(first) = predicted.first() else { return lines };
    lines.push(String::new());
    lines.push(format!(
        "nodes that IDA* expands under a bound, as predicted from {} random boards, and measured",
        grouped(first.sample)
    ));
    let heading = [
        ("heuristic", Side::Left),
        ("bound", Side::Right),
        ("boards", Side::Right),
        ("predicted", Side::Right),
        ("+-", Side::Right),
        ("measured", Side::Right),
        ("predicted/measured", Side::Right),
    ];
    let rows = predicted.iter().flat_map(|prediction| {
        prediction.rows.iter().map(|row| {
            let share = row.standard_error / row.predicted;
            [
                prediction.heuristic.clone(),
                row.bound.to_string(),
                row.boards.to_string(),
                count(Some(row.predicted)),
                if share.is_finite() { format::percent(share, 1.0, 0) } else { none() },
                count(Some(row.measured)),
                ratio(Some(row.predicted / row.measured).filter(|ratio| ratio.is_finite())),
            ]
        })
    });
    let expendable = ["boards", "+-"];
    lines.extend(columns_within(width, heading, &rows.collect::<Vec<_>>(), &expendable));
    lines
}

fn none() -> String {
    "-".to_owned()
}

/// A number of nodes that some run expanded.
fn count_of_nodes(value: Option<f64>) -> String {
    value.map_or_else(none, |value| grouped(value as u64))
}

/// A mean number of nodes or moves: of those of one board, or where they are the same, without
/// decimals.
fn count(value: Option<f64>) -> String {
    let whole = |value: f64| value.fract() == 0.0 && value < 1e15;
    value.map_or_else(none, |value| match value {
        value if whole(value) => grouped(value as u64),
        value => format::mean(value, 99.95),
    })
}

fn fixed(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(none, |value| format!("{value:.digits$}"))
}

fn ratio(value: Option<f64>) -> String {
    value.map_or_else(none, format::ratio)
}

fn shortest(row: &Row) -> String {
    match (row.judged, row.shortest) {
        (0, _) => none(),
        (judged, shortest) if shortest == judged => "all".to_owned(),
        (judged, shortest) => format!("{shortest}/{judged} (+{})", row.excess),
    }
}

/// A new file, or standard output.
fn create(path: &Path, overwrite: bool) -> anyhow::Result<Box<dyn Write>> {
    if is_standard_output(path) {
        return Ok(Box::new(io::stdout()));
    }
    refuse_to_overwrite(path, overwrite)?;
    Ok(Box::new(File::create(path).with_context(|| path.display().to_string())?))
}

/// Every run as a row.
fn write_csv(comparison: &Comparison, file: Box<dyn Write>) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(file);
    let heading = [
        "puzzle",
        "board",
        "distance",
        "algorithm",
        "heuristic",
        "status",
        "length",
        "optimal",
        "lower_bound",
        "expanded",
        "generated",
        "expanded_below",
        "h",
        "branching",
        "seconds",
        "peak_bytes",
        "rests_on_claim",
        "max_depth",
        "stopped_by",
    ];
    // A closed pipe is told by the system's error.
    writer.write_record(heading).map_err(io::Error::from)?;
    for puzzle in &comparison.puzzles {
        for trial in &puzzle.trials {
            let contender = &puzzle.contenders[trial.contender];
            let row = (
                (&puzzle.puzzle, &puzzle.boards[trial.board].name),
                puzzle.boards[trial.board].distance,
                (&contender.algorithm, &contender.heuristic),
                (trial.status, trial.length, trial.optimal, trial.lower_bound),
                (trial.expanded, trial.generated, trial.expanded_below),
                (trial.h, trial.branching, trial.seconds, trial.peak_bytes),
                (trial.rests_on_claim, trial.max_depth, trial.stopped_by),
            );
            writer.serialize(row).map_err(io::Error::from)?;
        }
    }
    writer.flush()?;
    Ok(())
}
