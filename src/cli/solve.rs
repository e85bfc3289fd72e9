//! `permutile solve`: boards in, checked solutions out.

use super::exit::Exit;
use super::options::{LimitOptions, Notation, PuzzleOptions};
use super::output::{self, complaint, counted, data, duration, grouped, note, paint};
use super::progress::Progress;
use super::{Common, course_file, interrupt};
use anyhow::{anyhow, bail};
use clap::Args;
use permutile::board::notation;
use permutile::board::text::Entry;
use permutile::heuristic::registry;
use permutile::lab::input::{Item, Source};
use permutile::lab::record::{Record, Status};
use permutile::lab::solvers::Solvers;
use permutile::puzzle::Frame;
use permutile::search::Observer;
use permutile::search::registry::{self as algorithms, ALGORITHMS};
use permutile::search::{Settings, Ties};
use permutile::solver::{AUTO, Request, SolveError, Solver};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;

/// Solve boards and print the moves, checked by an independent replay
///
/// A board is a file, a folder of files, a `.boards` file with one board a line, `-` for
/// standard input, or the board itself.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile solve 0,8,7,6,5,4,3,2,1\n  \
    permutile solve '5 3 8/0 2 4/1 7 6' --goal blank-last --notation short\n  \
    permutile solve board1.txt boards/ --timeout 10s --json > results.jsonl\n  \
    permutile scramble torus4 --moves 8 | permutile solve -")]
pub(super) struct Solve {
    /// Files, folders, `-`, or boards
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleOptions,
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
    /// How moves are written
    #[arg(long, value_name = "FORM", default_value = "names")]
    notation: Notation,
    #[command(flatten)]
    tuning: Tuning,
    /// Write the classic course file (path_to_goal, cost_of_path, ...); one board only
    #[arg(long, value_name = "FILE")]
    stats_file: Option<PathBuf>,
}

/// What some algorithms let the user choose.
#[derive(Args, Debug)]
struct Tuning {
    /// How much wastar trusts the heuristic (at least 1)
    #[arg(long, value_name = "W", default_value_t = Settings::default().weight, value_parser = parse_weight)]
    weight: f64,
    /// In which order successors are tried, as in Up,Down,Right,Left (bfs, dfs, astar-textbook)
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

fn parse_weight(text: &str) -> Result<f64, String> {
    let weight = text.parse::<f64>().ok().filter(|weight| (1.0..=1000.0).contains(weight));
    weight.ok_or_else(|| "a weight is a number from 1 to 1000, as in 1.5".to_owned())
}

impl Tuning {
    /// The settings for a puzzle, whose moves the order names.
    fn settings(&self, frame: &Frame) -> Result<Settings, String> {
        let by_name = |name: &String| {
            let unknown = || format!("--order: {} has no move \"{name}\"", frame.id());
            frame.moves().by_name(name.trim()).ok_or_else(unknown)
        };
        Ok(Settings {
            weight: self.weight,
            threads: rayon::current_num_threads(),
            order: self.order.iter().map(by_name).collect::<Result<_, _>>()?,
            ties: match self.ties {
                TiesChoice::Fifo => Ties::FirstIn,
                TiesChoice::Board => Ties::SmallerBoard,
            },
        })
    }
}

fn parse_algorithm(name: &str) -> Result<String, String> {
    if name == AUTO || algorithms::find(name).is_some() {
        return Ok(name.to_owned());
    }
    let names: Vec<&str> = ALGORITHMS.iter().map(|entry| entry.name).collect();
    Err(format!("there is no such algorithm: expected {AUTO}, {}", names.join(", ")))
}

pub(super) fn run(command: &Solve, common: &Common) -> anyhow::Result<Exit> {
    let goal = command.puzzle.goal.get(command.puzzle.shape)?;
    let mut solvers = Solvers::new(command.puzzle.puzzle.as_deref(), goal, common.simd())?;
    if let Some(name) = &command.heuristic
        && registry::find(name).is_none()
    {
        return Err(anyhow!(SolveError::UnknownHeuristic { name: name.clone() }.to_string()));
    }
    let shape = command.puzzle.shape.or(solvers.shape());
    let sources: Vec<Source> =
        command.boards.iter().map(|board| Source::of_argument(board)).collect();
    let items: Vec<Item> = sources.iter().flat_map(|source| source.read(shape)).collect();
    if command.stats_file.is_some() && items.len() != 1 {
        return Err(anyhow!("--stats-file is for one board, here are {}", items.len()));
    }
    let mut session = Session {
        command,
        common,
        single: items.len() == 1,
        progress: Progress::new(common.quiet),
        total: items.len(),
        tally: Tally::default(),
        exit: Exit::Success,
    };
    let began = Instant::now();
    for item in items {
        if interrupt::is_set() {
            session.exit = session.exit.max(Exit::Interrupted);
            break;
        }
        session.solve(item, &mut solvers)?;
    }
    session.progress.clear();
    if !session.single && !common.quiet {
        note(session.tally.summary(session.total, began.elapsed().as_secs_f64()));
    }
    Ok(session.exit)
}

/// What has happened so far.
struct Session<'a> {
    command: &'a Solve,
    common: &'a Common,
    /// One board alone is shown in full.
    single: bool,
    progress: Progress,
    total: usize,
    tally: Tally,
    exit: Exit,
}

impl Session<'_> {
    fn solve(&mut self, item: Item, solvers: &mut Solvers) -> anyhow::Result<()> {
        let Item { name, entry } = item;
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                return self.refuse(&Record::invalid(name, error.to_string()), &error.into());
            }
        };
        let solver = match solvers.for_board(&entry.board) {
            Ok(solver) => solver,
            Err(error) => return self.refuse_misfit(&Record::invalid(name, error.to_string())),
        };
        if self.command.notation == Notation::Short && solver.frame().blank_label().is_none() {
            let error = "--notation short is for sliding puzzles; leave it out".to_owned();
            return self.refuse_misfit(&Record::misfit(name, &entry, solver.frame(), error));
        }
        let settings = match self.command.tuning.settings(solver.frame()) {
            Ok(settings) => settings,
            Err(error) => {
                return self.refuse_misfit(&Record::misfit(name, &entry, solver.frame(), error));
            }
        };
        let request = Request {
            algorithm: &self.command.algorithm,
            heuristic: self.command.heuristic.as_deref(),
            limits: self.command.limits.for_search(self.command.max_nodes),
            settings,
        };
        let began = Instant::now();
        let done = self.tally.boards;
        let mut watcher =
            Watcher { progress: &mut self.progress, name: &name, done, total: self.total };
        match solver.solve(&entry.board, &request, &mut watcher) {
            Ok(answer) => {
                let seconds = began.elapsed().as_secs_f64();
                let mut record = Record::of_answer(name, &entry, solver, &answer, seconds);
                if self.command.tuning.count_goal && record.status == Status::Solved {
                    record.expanded += 1;
                }
                if let Some(path) = &self.command.stats_file {
                    course_file::write(path, &record)?;
                }
                self.print(&record, &entry, solver)
            }
            Err(error @ (SolveError::Encode(_) | SolveError::Inapplicable { .. })) => {
                let error = error.to_string();
                self.refuse_misfit(&Record::misfit(name, &entry, solver.frame(), error))
            }
            Err(error @ SolveError::Rejected { .. }) => Err(error.into()),
            Err(
                error @ (SolveError::UnknownHeuristic { .. } | SolveError::UnknownAlgorithm { .. }),
            ) => bail!("{error}"),
        }
    }

    /// A board that cannot be asked about in this way.
    fn refuse_misfit(&mut self, record: &Record) -> anyhow::Result<()> {
        let error = record.error.as_deref().unwrap_or("not a board of this puzzle");
        self.refuse(record, &anyhow!("{}: {error}", record.board))
    }

    /// Something that cannot be asked about.
    fn refuse(&mut self, record: &Record, error: &anyhow::Error) -> anyhow::Result<()> {
        self.progress.clear();
        self.tally.add(record, None);
        self.exit = self.exit.max(record.status.into());
        note(complaint(error));
        if self.common.json { data(serde_json::to_string(record)?) } else { Ok(()) }
    }

    fn print(&mut self, record: &Record, entry: &Entry, solver: &Solver) -> anyhow::Result<()> {
        self.progress.clear();
        self.tally.add(record, entry.known_length);
        self.exit = self.exit.max(record.status.into());
        let contradiction = contradiction(record, entry);
        if let Some(contradiction) = &contradiction {
            self.exit = self.exit.max(Exit::Refuted);
            note(complaint(&anyhow!("{}: {contradiction}", record.board)));
        }
        if self.common.json {
            return data(serde_json::to_string(record)?);
        }
        if self.single {
            data(self.in_full(record, entry, solver).trim_end())
        } else {
            data(self.in_a_line(record))
        }
    }

    fn moves(&self, record: &Record) -> String {
        let moves = record.moves.as_deref().unwrap_or_default();
        match self.command.notation {
            Notation::Names => moves.join(" "),
            Notation::Short => notation::to_short(moves).expect("other puzzles were refused"),
        }
    }

    fn in_full(&self, record: &Record, entry: &Entry, solver: &Solver) -> String {
        let frame = solver.frame();
        let goal = frame.goal_name().map_or_else(|| frame.goal().to_string(), str::to_owned);
        let mut text =
            format!("{}: {}, goal {goal}\n{}\n", record.board, frame.id(), entry.board.grid());
        text += &format!("{}\n", self.verdict(record));
        if record.length.is_some() {
            text += &format!("{}\n", self.moves(record));
        }
        if let (Some(allowed), Some(length)) = (entry.allowed_length, record.length) {
            let relation = if length <= allowed { "within" } else { "more than" };
            text += &format!("{relation} the {allowed} moves that the file allows\n");
        }
        if !self.common.quiet && record.algorithm.is_some() {
            text += &statistics(record);
        }
        text
    }

    fn in_a_line(&self, record: &Record) -> String {
        let puzzle = record.puzzle.as_deref().unwrap_or("?");
        let verdict = self.verdict(record);
        let time = duration(record.seconds);
        let moves = self.moves(record);
        format!("{}  {puzzle}  {verdict}  {time}  {moves}", record.board).trim_end().to_owned()
    }

    fn verdict(&self, record: &Record) -> String {
        let terminal = std::io::stdout().is_terminal();
        let bound = record.lower_bound.unwrap_or(0);
        let at_least = format!("no solution of fewer than {bound} moves exists");
        let reached = match record.length {
            Some(length) => format!("; best found {length}"),
            None => String::new(),
        };
        let limited = |what: &str| paint(&format!("{what}: {at_least}{reached}"), "33", terminal);
        match (record.status, record.length) {
            (Status::Solved, Some(length)) if record.optimal => {
                let moves = counted(length.into(), "move");
                paint(&format!("{moves} (proven optimal)"), "32", terminal)
            }
            (Status::Solved, length) => {
                let moves = counted(length.unwrap_or(0).into(), "move");
                format!("{moves} (at least {bound} are needed)")
            }
            (Status::Unsolvable, _) => {
                let reason = record.error.as_deref().unwrap_or("no reason given");
                paint(&format!("unsolvable: {reason}"), "31", terminal)
            }
            (Status::Timeout, _) => limited("time limit"),
            (Status::NodeLimit, _) => limited("node limit"),
            (Status::MemoryLimit, _) => limited("memory limit"),
            (Status::Interrupted, _) => limited("interrupted"),
            (Status::Invalid, _) => "invalid".to_owned(),
        }
    }
}

fn statistics(record: &Record) -> String {
    format!(
        "{}{}: {} expanded, {} generated, {}, {}\n",
        record.algorithm.as_deref().unwrap_or_default(),
        record.heuristic.as_ref().map_or(String::new(), |name| format!(" with {name}")),
        grouped(record.expanded),
        grouped(record.generated),
        duration(record.seconds),
        output::bytes(record.peak_bytes),
    )
}

/// Whether what is proven contradicts the length that the board states.
fn contradiction(record: &Record, entry: &Entry) -> Option<String> {
    let known = entry.known_length?;
    let stated = format!("the file states an optimal length of {known}");
    match (record.length, record.lower_bound) {
        (Some(length), _) if record.optimal && known != length => {
            Some(format!("{stated}, but {length} is proven"))
        }
        (_, Some(bound)) if known < bound => Some(format!(
            "{stated}, but it is proven that no solution has fewer than {bound} moves"
        )),
        _ => None,
    }
}

/// Counts for the summary.
#[derive(Default)]
struct Tally {
    boards: usize,
    solved: usize,
    optimal: usize,
    unsolvable: usize,
    limited: usize,
    invalid: usize,
    known: usize,
    agreeing: usize,
}

impl Tally {
    fn add(&mut self, record: &Record, known: Option<u32>) {
        self.boards += 1;
        self.optimal += usize::from(record.optimal);
        match record.status {
            Status::Solved => self.solved += 1,
            Status::Unsolvable => self.unsolvable += 1,
            Status::Invalid => self.invalid += 1,
            Status::Timeout | Status::NodeLimit | Status::MemoryLimit | Status::Interrupted => {
                self.limited += 1;
            }
        }
        if let (Some(known), true) = (known, record.optimal) {
            self.known += 1;
            self.agreeing += usize::from(record.length == Some(known));
        }
    }

    fn summary(&self, total: usize, seconds: f64) -> String {
        let mut text = format!(
            "{} of {total} boards: {} solved, {} proven optimal",
            self.boards, self.solved, self.optimal
        );
        for (count, what) in [
            (self.unsolvable, "unsolvable"),
            (self.limited, "cut short by a limit"),
            (self.invalid, "invalid"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        if self.known > 0 {
            text +=
                &format!("; {} of {} agree with their known lengths", self.agreeing, self.known);
        }
        text + &format!("; {}", duration(seconds))
    }
}

/// Shows a running search.
struct Watcher<'a> {
    progress: &'a mut Progress,
    name: &'a str,
    done: usize,
    total: usize,
}

impl Observer for Watcher<'_> {
    fn progress(&mut self, bound: u32, expanded: u64) {
        let Watcher { name, done, total, .. } = self;
        self.progress.show(|| {
            format!("{done}/{total} {name}: trying {bound} moves, {} nodes", grouped(expanded))
        });
    }
}
