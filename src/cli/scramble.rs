//! `permutile scramble`: boards made to order.

use super::Common;
use super::exit::Exit;
use super::options::{GoalOption, LimitOptions, PuzzleArgument};
use super::output::{complaint, data, is_standard_output, note};
use super::progress::Progress;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use permutile::board::Board;
use permutile::board::text::Entry;
use permutile::format::{counted, grouped};
use permutile::lab::exact_distance::{
    ExactDistanceError, boards_at_distance, too_many_to_enumerate,
};
use permutile::lab::scramble::{ScrambleError, ScrambleKind, scramble};
use permutile::search::StopReason;
use permutile::solver::Solver;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Make boards: by random moves, uniformly, or at an exact distance
///
/// The same seed gives the same boards for ever; board number i does not depend on the count.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile scramble torus4 --moves 8\n  \
    permutile scramble sliding4 --uniform --count 100 --seed 7 --out boards/random.boards\n  \
    permutile scramble rings5 --exact-depth 5 --count 20 --out boards/depth5/")]
#[command(group = clap::ArgGroup::new("kind").required(true))]
pub(super) struct Scramble {
    #[command(flatten)]
    puzzle: PuzzleArgument,
    #[command(flatten)]
    goal: GoalOption,
    /// Make this many random moves from the goal
    #[arg(long, value_name = "K", group = "kind", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    moves: Option<u32>,
    /// Each solvable board equally likely
    #[arg(long, group = "kind")]
    uniform: bool,
    /// At this distance from the goal: each board there equally likely or, where there are too
    /// many to count, found by random moves and proven by solving it
    #[arg(long, value_name = "D", group = "kind", value_parser = clap::value_parser!(u32).range(..=100_000))]
    exact_depth: Option<u32>,
    /// How many boards
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MOST_BOARDS))]
    count: u64,
    /// Where the random numbers start
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Write a .boards file, or a file for each board into a folder (a path that ends in /)
    #[arg(long, value_name = "PATH")]
    out: Option<String>,
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    limits: LimitOptions,
}

/// As many as `solve` reads from one file; they are all made before the first is written.
const MOST_BOARDS: u64 = 10_000_000;

pub(super) fn run(command: &Scramble, common: &Common) -> anyhow::Result<Exit> {
    let solver = command.goal.solver(command.puzzle.id(), common)?;
    let kind = match (command.moves, command.exact_depth) {
        (Some(moves), _) => ScrambleKind::Moves(moves),
        (_, Some(depth)) => ScrambleKind::ExactDepth(depth),
        _ => ScrambleKind::Uniform,
    };
    let boards = match boards(command, &solver, kind, common.quiet) {
        Ok(boards) => boards,
        Err((error, exit)) => {
            note(complaint(&error));
            return Ok(exit);
        }
    };
    let entries: Vec<Entry> = boards
        .into_iter()
        .enumerate()
        .map(|(index, board)| Entry {
            name: Some(format!("{}-{}", prefix(kind), index + 1)),
            line: index + 1,
            board,
            known_length: command.exact_depth,
            heading: None,
        })
        .collect();
    let out = command.out.as_ref().filter(|out| !is_standard_output(Path::new(out)));
    match out {
        None => entries.iter().try_for_each(|entry| {
            if common.json { data(as_json(entry, solver.frame().id())) } else { data(entry) }
        })?,
        Some(out) if out.ends_with(['/', '\\']) || Path::new(out).is_dir() => {
            write_folder(Path::new(out), &entries, command.force)?;
        }
        Some(out) => write_file(Path::new(out), &entries, command.force)?,
    }
    if let (Some(out), false) = (out, common.quiet) {
        let boards = counted(entries.len() as u64, "board");
        note(format!("{boards} of {} written to {out}", solver.frame().id()));
    }
    Ok(Exit::Success)
}

fn boards(
    command: &Scramble,
    solver: &Solver,
    kind: ScrambleKind,
    quiet: bool,
) -> Result<Vec<Board>, (anyhow::Error, Exit)> {
    let (seed, count, limits) = (command.seed, command.count, command.limits.starting_now());
    match kind {
        ScrambleKind::ExactDepth(depth) if too_many_to_enumerate(solver.frame(), depth) => {
            let progress = Mutex::new((Progress::new(quiet), 0_u64));
            let solved = || {
                let (progress, done) =
                    &mut *progress.lock().unwrap_or_else(PoisonError::into_inner);
                *done += 1;
                progress.show(|| {
                    let (done, wanted) = (grouped(*done), counted(count, "board"));
                    format!("{done} boards solved, in search of {wanted} {depth} moves away")
                });
            };
            boards_at_distance(solver, depth, seed, count, &limits, &solved).map_err(|error| {
                let exit = match &error {
                    ExactDistanceError::NoneFound { .. } => Exit::Usage,
                    ExactDistanceError::Stopped { stop, .. } => Exit::from(*stop),
                    ExactDistanceError::Solve(_) => Exit::Internal,
                };
                let advice = match &error {
                    ExactDistanceError::Stopped {
                        stop: StopReason::Time | StopReason::Memory,
                        ..
                    } => "; give it more, or ask for boards that are nearer",
                    _ => "",
                };
                (anyhow!("{error}{advice}"), exit)
            })
        }
        _ => scramble(solver.puzzle(), kind, seed, count, &limits).map_err(|error| {
            let exit = match error {
                ScrambleError::NothingThere { .. } => Exit::Usage,
                ScrambleError::TooFar { stop, .. } => Exit::from(stop),
            };
            (error.into(), exit)
        }),
    }
}

fn prefix(kind: ScrambleKind) -> String {
    match kind {
        ScrambleKind::Moves(moves) => format!("moves{moves}"),
        ScrambleKind::Uniform => "uniform".to_owned(),
        ScrambleKind::ExactDepth(depth) => format!("depth{depth}"),
    }
}

fn as_json(entry: &Entry, puzzle: &str) -> serde_json::Value {
    serde_json::json!({
        "board": entry.name, "puzzle": puzzle, "start": entry.board, "known_length": entry.known_length
    })
}

fn create(path: &Path, force: bool) -> anyhow::Result<BufWriter<File>> {
    let mut options = File::options();
    options.write(true).truncate(true);
    if force {
        options.create(true)
    } else {
        options.create_new(true)
    };
    match options.open(path) {
        Ok(file) => Ok(BufWriter::new(file)),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!(
                "{}: there is such a file already; choose another name, or give --force",
                path.display()
            )
        }
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

fn write_file(path: &Path, entries: &[Entry], force: bool) -> anyhow::Result<()> {
    let mut file = create(path, force)?;
    let lines = entries.iter().try_for_each(|entry| writeln!(file, "{entry}"));
    lines.and_then(|()| file.flush()).with_context(|| path.display().to_string())
}

fn write_folder(folder: &Path, entries: &[Entry], force: bool) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let name = entry.name.as_deref().unwrap_or("board");
        let path: PathBuf = folder.join(format!("{name}.txt"));
        let mut file = create(&path, force)?;
        let known = entry.known_length.map_or(String::new(), |length| format!(" # {length}"));
        writeln!(file, "{}{known}", entry.board.grid())
            .and_then(|()| file.flush())
            .with_context(|| path.display().to_string())?;
    }
    Ok(())
}
