//! `permutile solve`: boards in, checked solutions out.

use super::ask::{self, Asked};
use super::exit::Exit;
use super::goal_hint::moves_to_blank_last;
use super::options::{Notation, PuzzleOptions};
use super::output::{
    advice_on, complaint, data, data_json, data_lines, goal_option, is_standard_output, note,
    paint, refuse_to_overwrite,
};
use super::progress::Progress;
use super::remarks::read_all;
#[cfg(feature = "play")]
use super::screen;
use super::search_options::SearchArguments;
use super::sources::sources;
use super::{Common, course_file, interrupt, steps};
use anyhow::{anyhow, bail};
use clap::Args;
use permutile::board::notation;
use permutile::board::text::{Entry, Heading};
use permutile::format::{bytes, counted, duration, grouped};
use permutile::lab::answered::{Answered, Refusal};
use permutile::lab::bound_journal::BoundJournal;
use permutile::lab::files::Files;
use permutile::lab::input::{Item, Source};
use permutile::lab::record::{Record, Status};
use permutile::lab::solvers::Solvers;
use permutile::lab::summary::{Summary, Tally, contradiction};
use permutile::puzzle::{Goal, registry};
use permutile::search::parallel_ida::PARALLEL_IDA;
use permutile::search::{AlgorithmChoice, Crew, Limits, Observer, Optimality, SearchOptions};
use permutile::solver::{AllSolutions, Solution, Solver};
use serde::Serialize;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Solve boards and print the moves, checked by an independent replay
///
/// A board is a file, a folder of files, a `.boards` file with one board a line, `-` for
/// standard input, or the board itself. Without any, a pipe is read; on a terminal, the board is
/// asked for row by row, and solved step by step.
///
/// Any board gets a solution soon, and shorter ones for 10 seconds (--timeout), unless one is proven
/// shortest before. On a terminal they are reported as they come; Ctrl-C ends with the best so far.
/// --first, --within and --exact end sooner, or only with a proof.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile solve 0 8 7 6 5 4 3 2 1\n  \
    permutile solve '5 3 8/0 2 4/1 7 6' --goal blank-last --notation short\n  \
    permutile solve board1.txt boards/ --timeout 1m --json > results.jsonl\n  \
    permutile solve board1.txt --first\n  \
    permutile solve board1.txt --within 1.05 --timeout none\n  \
    permutile solve board1.txt --exact\n  \
    permutile solve board1.txt --all-optimal --limit 10\n  \
    permutile solve '1 3 4/8 0 5/7 2 6' --goal '1 2 3/8 0 4/7 6 5' --steps\n  \
    permutile scramble torus4 --moves 8 | permutile solve")]
pub(super) struct Solve {
    /// Files, folders, `-`, or boards
    #[arg(value_name = "BOARD")]
    boards: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleOptions,
    #[command(flatten)]
    search: SearchArguments,
    /// How moves are written
    #[arg(long, value_name = "FORM", default_value = "names")]
    notation: Notation,
    /// Show each move in words, with the board after it
    #[arg(long)]
    steps: bool,
    /// Show the solution in the terminal, move by move; one board only; --steps is its plain form
    #[cfg(feature = "play")]
    #[arg(long, conflicts_with_all = ["steps", "stats_file", "all_optimal"])]
    animate: bool,
    /// List every shortest solution, and say how many there are; one has to be proven shortest, as
    /// with --exact
    #[arg(long, conflicts_with_all = ["stats_file", "first", "within"])]
    all_optimal: bool,
    /// With --all-optimal, list at most so many; 0 only counts them
    #[arg(long, value_name = "N", requires = "all_optimal")]
    limit: Option<usize>,
    /// Write the classic course file (path_to_goal, cost_of_path, ...); one board only; - is
    /// standard output
    #[arg(long, value_name = "FILE")]
    stats_file: Option<PathBuf>,
    /// Overwrite the file of statistics if it is there
    #[arg(long, requires = "stats_file")]
    force: bool,
}

pub(super) fn run(mut command: Solve, common: &Common) -> anyhow::Result<Exit> {
    command.refuse_what_is_ignored(common)?;
    if command.boards.is_empty() && ask::is_possible() && !command.ask(common)? {
        return Ok(Exit::Success);
    }
    let prepared = command.prepare(common)?;
    run_prepared(&command, common, &prepared, None, None)
}

/// What is ready before any board is read.
pub(super) struct Prepared {
    pub(super) solvers: Solvers,
    pub(super) options: SearchOptions<'static>,
}

/// Solves the boards, with other processes if there are any. What is proven is kept in a journal,
/// if there is one.
pub(super) fn run_prepared(
    command: &Solve,
    common: &Common,
    prepared: &Prepared,
    crew: Option<&dyn Crew>,
    bounds: Option<&mut BoundJournal>,
) -> anyhow::Result<Exit> {
    let Prepared { solvers, options } = prepared;
    let options = &SearchOptions { crew, ..options.clone() };
    let shape = command.puzzle.shape(solvers);
    let sources = sources(&command.boards)?;
    command.check_files(&sources)?;
    let items = interrupt::while_waiting(|| read_all(&sources, shape, common));
    if command.stats_file.is_some() && items.len() != 1 {
        return Err(anyhow!("--stats-file is for one board, here are {}", items.len()));
    }
    #[cfg(feature = "play")]
    if command.animate && items.len() != 1 {
        bail!("--animate is for one board, here are {}", items.len());
    }
    let mut session = Session {
        command,
        common,
        single: items.len() == 1,
        progress: Progress::new(common.quiet),
        total: items.len(),
        tally: Tally::default(),
        exit: Exit::Success,
        hinted: false,
        told_of_size: false,
        goal_in_doubt: matches!(solvers.goal(), Goal::Default) && !common.quiet,
        bounds,
    };
    let began = Instant::now();
    for item in items {
        if interrupt::is_set() {
            session.exit = session.exit.max(Exit::Interrupted);
            break;
        }
        session.solve(item, options, solvers)?;
    }
    session.progress.clear();
    if !common.quiet {
        let summary = session.tally.summary(None);
        if !session.single {
            note(in_short(&summary, session.total, began.elapsed().as_secs_f64()));
        }
        command.search.note_on_default_timeout(options, &summary).into_iter().for_each(note);
        for (puzzle, heuristic) in summary.claims() {
            note(command.search.audit_advice(puzzle, &command.puzzle, heuristic));
        }
    }
    Ok(session.exit)
}

impl Solve {
    /// Solvers and options.
    pub(super) fn prepare(&self, common: &Common) -> anyhow::Result<Prepared> {
        self.refuse_what_is_ignored(common)?;
        let mut solvers = self.puzzle.solvers(common)?;
        let mut options = self.search.options(&mut solvers, 1, rayon::current_num_threads())?;
        if self.all_optimal {
            options = self.search.proving(options);
        }
        Ok(Prepared { solvers, options })
    }

    /// Refuses algorithms that are not for several processes.
    pub(super) fn expect_shared_search(&self) -> anyhow::Result<()> {
        self.search.expect("a search by several processes", &|choice| match choice {
            AlgorithmChoice::Auto => true,
            AlgorithmChoice::Named(algorithm) => *algorithm == PARALLEL_IDA,
        })
    }

    /// Asks for a board, to be solved step by step; whether there is one.
    fn ask(&mut self, common: &Common) -> anyhow::Result<bool> {
        let goal = self.puzzle.goal()?;
        let puzzle = self.puzzle.puzzle.as_deref();
        let Some(asked) = ask::for_board(puzzle, self.puzzle.shape, &goal, common)? else {
            return Ok(false);
        };
        let Asked { puzzle, goal, board } = asked;
        self.puzzle.shape = Some(board.shape());
        self.boards = vec![board.to_string()];
        self.puzzle.puzzle = Some(puzzle);
        goal.into_iter().for_each(|goal| self.puzzle.goal.set(goal));
        self.steps = !common.json && !self.is_animated();
        Ok(true)
    }

    /// Whether the solution is shown move by move in any case.
    fn is_animated(&self) -> bool {
        #[cfg(feature = "play")]
        return self.animate;
        #[cfg(not(feature = "play"))]
        false
    }

    /// Refuses options that would make no difference.
    fn refuse_what_is_ignored(&self, common: &Common) -> anyhow::Result<()> {
        if self.all_optimal {
            let proves = |choice: AlgorithmChoice| choice.optimality() != Optimality::Never;
            self.search.expect("--all-optimal", &proves)?;
        }
        if common.json && self.notation == Notation::Short {
            bail!("--notation short does not go with --json: records have moves by name");
        }
        if common.json && self.stats_on_stdout() {
            bail!("--stats-file - and the record of --json would both go to standard output");
        }
        #[cfg(feature = "play")]
        if self.animate && (common.json || !screen::is_possible()) {
            bail!("--animate is for people at a terminal: leave it out, or give --steps");
        }
        if common.json && self.steps {
            bail!("--steps is for people, and the records of --json have the moves: leave one out");
        }
        Ok(())
    }

    fn stats_on_stdout(&self) -> bool {
        self.stats_file.as_deref().is_some_and(is_standard_output)
    }

    /// Checks that no file is overwritten, unless the user said so and it is no input.
    fn check_files(&self, sources: &[Source]) -> anyhow::Result<()> {
        let Some(path) = self.stats_file.as_deref().filter(|p| !is_standard_output(p)) else {
            return Ok(());
        };
        let others: Vec<&Path> = self.puzzle.files().chain(self.search.files()).collect();
        let include = |_: &Path| true;
        Files { outputs: &[path], sources, include: &include, others: &others }.check()?;
        refuse_to_overwrite(path, self.force)
    }
}

/// The state of the command between boards.
struct Session<'a> {
    command: &'a Solve,
    common: &'a Common,
    /// One board alone is shown in full.
    single: bool,
    progress: Progress,
    total: usize,
    tally: Tally,
    exit: Exit,
    /// Whether it was said that a board may belong to another puzzle.
    hinted: bool,
    /// Whether it was said that a number before a board is taken as its size: once is enough.
    told_of_size: bool,
    /// Whether boards may have been written for another goal, as nobody named one. The first board
    /// tells.
    goal_in_doubt: bool,
    /// Where what is proven is kept.
    bounds: Option<&'a mut BoundJournal>,
}

impl Session<'_> {
    fn solve(
        &mut self,
        item: Item,
        options: &SearchOptions<'_>,
        solvers: &Solvers,
    ) -> anyhow::Result<()> {
        // One clock for the search and for what comes after it.
        let limits = options.limits_from_now();
        let at_least = self.bounds.as_ref().map_or(0, |bounds| bounds.bound(&item, solvers));
        let options = &SearchOptions { limits, at_least, ..options.clone() };
        let answered = match self.cannot_be_written(&item, solvers) {
            Some(refused) => refused,
            None => self.search(item, options, solvers)?,
        };
        let (record, entry, solver) = match answered {
            Answered::Refused { record, refusal } => return self.refuse(&record, refusal),
            Answered::Searched { record, entry, solver } => (record, entry, solver),
        };
        if let Some(path) = &self.command.stats_file {
            course_file::write(path, &record)?;
        }
        let every = if self.command.all_optimal && record.optimal {
            Some(self.every(&record, &entry, solver, limits)?)
        } else {
            None
        };
        self.print(&record, &entry, solver, every.as_ref())
    }

    /// Searches, and keeps what is proven, if that is asked for.
    fn search<'s>(
        &mut self,
        item: Item,
        options: &SearchOptions<'_>,
        solvers: &'s Solvers,
    ) -> anyhow::Result<Answered<'s>> {
        let name = item.name.clone();
        let Some(bounds) = self.bounds.take() else {
            return Ok(Answered::new(item, solvers, options, &mut self.watcher(&name))?);
        };
        let plan = bounds.plan_of(&item, solvers);
        let mut watcher = self.watcher(&name);
        let mut keeper = bounds.keep(&item, solvers, options, &mut watcher);
        let answered = Answered::new(item, solvers, options, &mut keeper);
        if let Ok(Answered::Searched { record, .. }) = &answered {
            bounds.finish(record.clone(), plan);
        }
        self.bounds = Some(bounds);
        Ok(answered?)
    }

    /// All shortest solutions, as far as what the search has left of the limits allows.
    fn every(
        &mut self,
        record: &Record,
        entry: &Entry,
        solver: &Solver,
        limits: Limits<'_>,
    ) -> anyhow::Result<AllSolutions> {
        let length = record.length.unwrap_or(0);
        let listed = self.command.limit.unwrap_or(usize::MAX);
        let nodes = limits.nodes.map(|most| most.saturating_sub(record.expanded));
        let limits = Limits { nodes, ..limits };
        let mut watcher = self.watcher(&record.board);
        Ok(solver.all_shortest(&entry.board, length, listed, limits, &mut watcher)?)
    }

    /// What shows the search of a board.
    fn watcher<'a>(&'a mut self, name: &'a str) -> Watcher<'a> {
        Watcher {
            name,
            done: self.tally.boards(),
            total: self.total,
            progress: &mut self.progress,
            began: Instant::now(),
            found: None,
            told: None,
        }
    }

    /// The refusal of a board whose moves have no short form, if that was asked for.
    fn cannot_be_written<'a>(&self, item: &Item, solvers: &'a Solvers) -> Option<Answered<'a>> {
        let entry =
            item.entry.as_ref().ok().filter(|_| self.command.notation == Notation::Short)?;
        let solver = solvers.for_board(&entry.board).ok()?;
        if solver.frame().blank_label().is_some() {
            return None;
        }
        Some(Answered::refused(item.name.clone(), entry, solver, Refusal::NoShortForm))
    }

    /// Reports a board that was refused.
    fn refuse(&mut self, record: &Record, refusal: Refusal) -> anyhow::Result<()> {
        self.progress.clear();
        self.tally.add(record, None);
        self.exit = self.exit.max(record.into());
        note(complaint(&refusal_of(record, refusal)));
        if self.common.json { data(serde_json::to_string(record)?) } else { Ok(()) }
    }

    fn print(
        &mut self,
        record: &Record,
        entry: &Entry,
        solver: &Solver,
        every: Option<&AllSolutions>,
    ) -> anyhow::Result<()> {
        self.progress.clear();
        self.common.tell_notices();
        if entry.heading == Some(Heading::Size) && !self.common.quiet && !self.told_of_size {
            self.told_of_size = true;
            let (name, size) = (&record.board, entry.board.shape().rows());
            note(format!(
                "note: {name}: the {size} alone before the board is taken as its size, not as an \
                 allowed number of moves"
            ));
        }
        self.hint_at_goal(record, entry, solver);
        self.tally.add(record, entry.known_length);
        self.exit = self.exit.max(record.into());
        self.hint_at_other_puzzle(entry, solver);
        let contradiction = contradiction(record, entry.known_length);
        if let Some(contradiction) = &contradiction {
            self.exit = self.exit.max(Exit::Refuted);
            note(complaint(&anyhow!("{}: {contradiction}", record.board)));
        }
        let cut_off = every.and_then(|every| every.stop).map(Status::from);
        if let (Some(status), Some(every)) = (cut_off, every) {
            self.exit = self.exit.max(status.into());
            // As JSON, the record says so.
            if !(self.common.quiet && self.common.json) {
                note(format!("{}: {}", record.board, cut_short(every, status)));
            }
        }
        if self.common.json {
            return match every {
                None => data(serde_json::to_string(record)?),
                Some(every) => data_json(&WithEvery::new(record, every, cut_off)),
            };
        }
        if self.command.stats_on_stdout() {
            note(self.in_full(record, entry, solver).trim_end());
        } else if self.single {
            data(self.in_full(record, entry, solver).trim_end())?;
        } else {
            data(self.in_a_line(record))?;
        }
        if let (true, Some(moves)) = (self.command.steps, &record.moves) {
            let rules = solver.frame().rules();
            let steps = steps::with_boards(rules, &entry.board, moves, is_terminal())?;
            data_lines(steps.as_bytes())?;
        }
        #[cfg(feature = "play")]
        if let (true, Some(moves)) = (self.command.animate, &record.moves) {
            let remarks = vec![self.verdict(record, false)];
            let exit = screen::show(solver.frame(), &entry.board, moves, remarks)?;
            self.exit = self.exit.max(exit);
        }
        let Some(every) = every else {
            if self.command.all_optimal && record.status == Status::Solved {
                note(format!(
                    "{}: not all shortest solutions can be listed, as this one is not proven to be \
                     one: choose an admissible heuristic",
                    record.board
                ));
            }
            return Ok(());
        };
        if cut_off.is_none() || every.count > 1 {
            let word = if every.count == 1 { "solution" } else { "solutions" };
            data(format!("{} shortest {word}", grouped(every.count)))?;
        }
        every.solutions.iter().try_for_each(|solution| data(self.written(solution.names())))
    }

    /// Says once that a board may belong to another puzzle than the one inferred.
    fn hint_at_other_puzzle(&mut self, entry: &Entry, solver: &Solver) {
        let silent = self.common.quiet || self.common.json || self.command.puzzle.puzzle.is_some();
        if silent || self.hinted {
            return;
        }
        if let Some(other) = registry::other_than_inferred(&entry.board) {
            let (shape, id) = (entry.board.shape(), solver.frame().id());
            note(format!(
                "note: a {shape} board without a blank is taken for {id}; if its rows and columns are \
                 all that moves, as in Loopover, give --puzzle {other}"
            ));
            self.hinted = true;
        }
    }

    /// Says if the first board was more likely written for the goal that was not named.
    fn hint_at_goal(&mut self, record: &Record, entry: &Entry, solver: &Solver) {
        if !std::mem::replace(&mut self.goal_in_doubt, false) {
            return;
        }
        let (name, frame) = (&record.board, solver.frame());
        let hint = match moves_to_blank_last(record, &entry.board, frame) {
            Some(0) => Some("this is the goal blank-last (1 2 3 … 0)".to_owned()),
            Some(length) => {
                let moves = counted(length.into(), "move");
                Some(format!("the goal blank-last (1 2 3 … 0) is only {moves} away"))
            }
            // One board alone is told with its verdict.
            None if self.single => None,
            None => goal_option(frame, &entry.board)
                .map(|_| "only the goal blank-last (1 2 3 … 0) can be reached".to_owned()),
        };
        if let Some(hint) = hint {
            note(format!("note: {name}: {hint}: if it is meant, give --goal blank-last"));
        }
    }

    fn moves(&self, record: &Record) -> String {
        self.written(record.moves.as_deref().unwrap_or_default())
    }

    fn written<S: AsRef<str>>(&self, moves: &[S]) -> String {
        let write = |moves: &[S]| match self.command.notation {
            Notation::Names => moves.iter().map(S::as_ref).collect::<Vec<_>>().join(" "),
            Notation::Short => notation::to_short(moves).expect("other puzzles were refused"),
        };
        steps::in_a_line(moves, is_terminal(), write)
    }

    fn in_full(&self, record: &Record, entry: &Entry, solver: &Solver) -> String {
        let frame = solver.frame();
        let goal = frame.goal_name().map_or_else(|| frame.goal().to_string(), str::to_owned);
        let mut text =
            format!("{}: {}, goal {goal}\n{}\n", record.board, frame.id(), entry.board.grid());
        text += &format!("{}\n", self.verdict(record, is_terminal()));
        if let Some(option) = goal_option(frame, &entry.board) {
            text += &format!("help: give {option}\n");
        }
        if record.length.is_some() {
            text += &format!("{}\n", self.moves(record));
        }
        if let (Some(Heading::AllowedLength(allowed)), Some(length)) =
            (entry.heading, record.length)
        {
            let relation = if length <= allowed { "within" } else { "more than" };
            let allowed = counted(allowed.into(), "move");
            text += &format!("{relation} the {allowed} that the file allows\n");
        }
        if !self.common.quiet && record.algorithm.is_some() {
            text += &statistics(record);
        }
        text
    }

    fn in_a_line(&self, record: &Record) -> String {
        let puzzle = record.puzzle.as_deref().unwrap_or("?");
        let verdict = self.verdict(record, is_terminal());
        let time = duration(record.seconds);
        let moves = self.moves(record);
        format!("{}  {puzzle}  {verdict}  {time}  {moves}", record.board).trim_end().to_owned()
    }

    fn verdict(&self, record: &Record, terminal: bool) -> String {
        let bound = record.lower_bound.unwrap_or(0);
        let at_least = match bound {
            0 | 1 => "nothing is known of the length".to_owned(),
            _ => format!("no solution of {} or fewer exists", counted(bound as u64 - 1, "move")),
        };
        let limited = |what: &str| paint(&format!("{what}: {at_least}"), "33", terminal);
        match (record.status, record.length) {
            (Status::Solved, Some(length)) if record.optimal => {
                let moves = counted(length.into(), "move");
                paint(&format!("{moves} (proven optimal)"), "32", terminal)
            }
            (Status::Solved, length) => {
                let moves = counted(length.unwrap_or(0).into(), "move");
                match (&record.rests_on, bound) {
                    (Some(heuristic), _) => format!(
                        "{moves} (shortest if {heuristic} is admissible, as its file claims)"
                    ),
                    (None, 0) => format!("{moves} (not proven shortest)"),
                    (None, _) => format!("{moves} (not proven shortest; at least {bound})"),
                }
            }
            (Status::Unsolvable, _) => {
                let reason = record.error.as_deref().unwrap_or("no reason given");
                paint(&format!("unsolvable: {reason}"), "31", terminal)
            }
            (Status::Invalid, _) => "invalid".to_owned(),
            (status, _) => limited(limit_of(status)),
        }
    }
}

fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Which limit ended a search.
fn limit_of(status: Status) -> &'static str {
    match status {
        Status::Timeout => "time limit",
        Status::NodeLimit => "node limit",
        Status::MemoryLimit => "memory limit",
        Status::Interrupted => "interrupted",
        Status::Solved | Status::Unsolvable | Status::Invalid => "no limit",
    }
}

/// What is missing of all shortest solutions.
fn cut_short(every: &AllSolutions, status: Status) -> String {
    let (why, listed) = (limit_of(status), every.solutions.len());
    if every.count > 1 {
        let (listed, count) = (grouped(listed as u64), grouped(every.count));
        format!("{listed} of {count} shortest solutions are listed: {why}")
    } else {
        format!("not all shortest solutions were found: {why}")
    }
}

/// A record with all shortest solutions.
#[derive(Serialize)]
struct WithEvery<'a> {
    #[serde(flatten)]
    record: &'a Record,
    /// How many there are; at least, if the search for them was cut off.
    optimal_solutions: u128,
    /// Those that are listed.
    all_moves: Vec<&'a [String]>,
    /// What cut the search for them off, or the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Status>,
}

impl<'a> WithEvery<'a> {
    fn new(record: &'a Record, every: &'a AllSolutions, partial: Option<Status>) -> WithEvery<'a> {
        let all_moves = every.solutions.iter().map(Solution::names).collect();
        WithEvery { record, optimal_solutions: every.count, all_moves, partial }
    }
}

fn statistics(record: &Record) -> String {
    let stopped = record.stopped_by.map(|status| format!("; ended by: {}", limit_of(status)));
    format!(
        "{}{}: {} expanded, {} generated, {}, {}{}\n",
        record.algorithm.as_deref().unwrap_or_default(),
        record.heuristic.as_ref().map_or(String::new(), |name| format!(" with {name}")),
        grouped(record.expanded),
        grouped(record.generated),
        duration(record.seconds),
        bytes(record.peak_bytes),
        stopped.unwrap_or_default(),
    )
}

/// Why a board was refused, with its name where the reason does not include it.
pub(super) fn refusal_of(record: &Record, refusal: Refusal) -> anyhow::Error {
    match refusal {
        Refusal::Input(error) => error.into(),
        Refusal::NoShortForm => {
            anyhow!("{}: --notation short is for sliding puzzles; leave it out", record.board)
        }
        other => anyhow!("{}: {other}{}", record.board, advice_on(&other)),
    }
}

/// A run in one line.
fn in_short(summary: &Summary, total: usize, seconds: f64) -> String {
    let with = |statuses: &[Status]| -> usize {
        statuses.iter().filter_map(|status| summary.statuses.get(status)).sum()
    };
    let optimal: usize = summary.puzzles.iter().map(|puzzle| puzzle.optimal).sum();
    let solved = with(&[Status::Solved]);
    let mut text =
        format!("{} of {total} boards: {solved} solved, {optimal} proven optimal", summary.boards);
    let claims = summary.puzzles.iter().flat_map(|puzzle| puzzle.rests_on.values());
    let claimed: usize = claims.sum();
    if claimed > 0 {
        text += &format!(", {claimed} shortest if a claim holds");
    }
    let unproven: usize = summary.puzzles.iter().map(|puzzle| puzzle.unproven).sum();
    if unproven > claimed {
        text += &format!(", {} not proven", unproven - claimed);
    }
    let limits = [Status::Timeout, Status::NodeLimit, Status::MemoryLimit, Status::Interrupted];
    for (count, what) in [
        (with(&[Status::Unsolvable]), "unsolvable"),
        (with(&limits), "cut short by a limit"),
        (with(&[Status::Invalid]), "invalid"),
    ] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    if summary.compared > 0 {
        let Summary { agreeing, compared, .. } = summary;
        text += &format!("; {agreeing} of {compared} agree with their known lengths");
    }
    text + &format!("; {}", duration(seconds))
}

/// Shows a running search.
struct Watcher<'a> {
    progress: &'a mut Progress,
    name: &'a str,
    done: usize,
    total: usize,
    began: Instant,
    /// The best solution so far.
    found: Option<Found>,
    /// The length of the one that was told last.
    told: Option<u32>,
}

/// A solution, when it was found, and what is proven of all lengths.
#[derive(Clone, Copy)]
struct Found {
    seconds: f64,
    length: u32,
    at_least: u32,
}

impl Watcher<'_> {
    /// Tells of the best solution so far, if that is news and takes long enough to be waited for:
    /// of one board alone, as a line that stays.
    fn tell(&mut self) {
        let Some(Found { seconds, length, at_least }) = self.found else { return };
        if self.total > 1 || self.told == Some(length) || !self.progress.is_due() {
            return;
        }
        self.told = Some(length);
        let (time, moves) = (duration(seconds), counted(length.into(), "move"));
        self.progress.keep_line(&format!("{time:>9}  {moves}, at least {at_least}"));
    }
}

impl Observer for Watcher<'_> {
    fn progress(&mut self, bound: u32, expanded: u64) {
        self.tell();
        let Watcher { name, done, total, found, .. } = self;
        let (found, nodes) = (*found, grouped(expanded));
        self.progress.show(|| match found {
            Some(Found { length, .. }) => {
                format!(
                    "{done}/{total} {name}: {length} moves found, trying {bound}, {nodes} nodes"
                )
            }
            None => format!("{done}/{total} {name}: trying {bound} moves, {nodes} nodes"),
        });
    }

    fn improved(&mut self, length: u32, at_least: u32) {
        let seconds = self.began.elapsed().as_secs_f64();
        self.found = Some(Found { seconds, length, at_least });
        self.tell();
    }

    fn building_table(&mut self, distance: u32, share: f64) {
        let Watcher { name, done, total, .. } = self;
        self.progress.show(|| {
            let share = 100.0 * share;
            format!("{done}/{total} {name}: making a table, distance {distance}, {share:.0} %")
        });
    }
}
