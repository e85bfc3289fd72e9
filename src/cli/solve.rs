//! `permutile solve`: boards in, checked solutions out.

use super::ask::{self, Asked};
use super::exit::Exit;
use super::options::{Notation, PuzzleOptions};
use super::output::{advice_on, is_standard_output, note, refuse_to_overwrite};
use super::progress::Progress;
use super::remarks::read_all;
#[cfg(feature = "play")]
use super::screen;
use super::search_options::SearchArguments;
use super::sources::sources;
use super::{Common, course_file, interrupt};
use anyhow::{anyhow, bail};
use clap::Args;
use permutile::board::text::Entry;
use permutile::lab::answered::{Answered, Refusal};
use permutile::lab::bound_journal::BoundJournal;
use permutile::lab::files::Files;
use permutile::lab::input::{Item, Source};
use permutile::lab::record::Record;
use permutile::lab::solvers::Solvers;
use permutile::lab::summary::Tally;
use permutile::puzzle::Goal;
use permutile::search::parallel_ida::PARALLEL_IDA;
use permutile::search::{AlgorithmChoice, Crew, Limits, Optimality, SearchOptions};
use permutile::solver::{AllSolutions, Solver};
use std::path::{Path, PathBuf};
use std::time::Instant;
use telling::in_short;
use watcher::Watcher;

mod telling;
mod watcher;

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
        Watcher::new(&mut self.progress, name, self.tally.boards(), self.total)
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
