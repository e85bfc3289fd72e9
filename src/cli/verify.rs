//! `permutile verify`: replays journals and solutions with the independent checker.

use super::Common;
use super::exit::Exit;
use super::options::{Notation, PuzzleOptions};
use super::output::{complaint, data, note};
use super::remarks::read_all;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use permutile::board::check::{self, Rules};
use permutile::board::notation;
use permutile::format::counted;
use permutile::lab::input::{InputError, Source};
use permutile::lab::verify::{KnownBoards, Verdict, Violation, verify_journal};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Replay every record of a journal with the independent checker
///
/// Checks that the moves are legal, that the goal is reached, and that the lengths and bounds
/// fit; with --boards, that each start is the board of that name. With --moves, checks one solution of one board instead.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile solve boards/ --json > results.jsonl; permutile verify results.jsonl\n  \
    permutile verify results.jsonl --boards boards/\n  \
    permutile verify 3,1,2,0,4,5,6,7,8 --moves Up\n  \
    permutile verify 3,1,2,0,4,5,6,7,8 --moves D --notation short")]
pub(super) struct Verify {
    /// Journals (one record a line), `-`; or, with --moves, a board
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Compare the starts with these boards: files and folders as they were solved
    #[arg(long, value_name = "PATH", conflicts_with = "moves")]
    boards: Vec<String>,
    /// Check these moves on the board: names, or letters with --notation short
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// How --moves is written
    #[arg(long, value_name = "FORM", default_value = "names", requires = "moves")]
    notation: Notation,
    #[command(flatten)]
    puzzle: PuzzleOptions,
}

pub(super) fn run(command: &Verify, common: &Common) -> anyhow::Result<Exit> {
    if let Some(moves) = &command.moves {
        return verify_moves(command, moves, common);
    }
    if command.puzzle.puzzle.is_some() || command.puzzle.goal.is_given() {
        bail!("--puzzle and --goal are for --moves: a record states its own");
    }
    let sources: Vec<Source> = command.boards.iter().map(|path| Source::from_path(path)).collect();
    let boards: Option<KnownBoards> = (!sources.is_empty())
        .then(|| read_all(&sources, command.puzzle.shape, common).into_iter().collect());
    let mut total = Verdict::default();
    for file in &command.files {
        let verdict = verify_file(file, boards.as_ref())?;
        total.records += verdict.records;
        total.solutions += verdict.solutions;
        total.violations += verdict.violations;
    }
    let Verdict { records, solutions, violations } = total;
    if records == 0 {
        bail!(
            "{}: there are no records here, expected one JSON object a line",
            command.files.join(", ")
        );
    }
    if common.json {
        let object = serde_json::json!({
            "records": records, "solutions": solutions, "violations": violations
        });
        data(object)?;
    } else {
        data(format!("{records} records: {solutions} solutions hold, {violations} violations"))?;
    }
    Ok(if violations == 0 { Exit::Success } else { Exit::Refuted })
}

fn verify_file(file: &str, boards: Option<&KnownBoards>) -> anyhow::Result<Verdict> {
    let mut hinted = false;
    let report = |line: usize, violation: &Violation| {
        note(complaint(&anyhow!("{file}:{line}: {violation}")));
        let other = matches!(violation, Violation::NotJson { .. } | Violation::NotAnObject);
        if other && !hinted {
            note("help: a journal has one record a line; `permutile grade` checks lists of moves");
            hinted = true;
        }
    };
    let reader: Box<dyn BufRead> = if file == "-" {
        Box::new(io::stdin().lock())
    } else {
        let path = Path::new(file);
        if path.is_dir() {
            return Err(InputError::Folder(path.into()).into());
        }
        Box::new(BufReader::new(File::open(path).with_context(|| file.to_owned())?))
    };
    verify_journal(reader, boards, report).with_context(|| file.to_owned())
}

fn verify_moves(command: &Verify, moves: &str, common: &Common) -> anyhow::Result<Exit> {
    let [board] = command.files.as_slice() else {
        return Err(anyhow!("--moves checks one board, here are {}", command.files.len()));
    };
    let solvers = command.puzzle.solvers(common)?;
    let shape = command.puzzle.shape(&solvers);
    let mut items = Source::from_argument(board).read(shape);
    if items.len() != 1 {
        return Err(anyhow!("--moves checks one board, {board} has {}", items.len()));
    }
    let entry = items.remove(0).entry?;
    let solver = solvers.for_board(&entry.board)?;
    let frame = solver.frame();
    let rules: &Rules = frame.rules();
    let names: Vec<String> = match command.notation {
        Notation::Short => {
            notation::from_short(moves).context("--moves")?.iter().map(|&m| m.to_owned()).collect()
        }
        Notation::Names => moves
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
    };
    let result = check::verify(rules, &entry.board, &names, frame.goal());
    if common.json {
        let error = result.as_ref().err().map(ToString::to_string);
        data(
            serde_json::json!({ "holds": result.is_ok(), "length": names.len(), "error": error }),
        )?;
    }
    match result {
        Ok(()) => {
            if !common.json {
                let moves = counted(names.len() as u64, "move");
                data(format!("the board is solved after {moves} ({})", frame.id()))?;
            }
            Ok(Exit::Success)
        }
        Err(error) => {
            note(complaint(&error.into()));
            Ok(Exit::Refuted)
        }
    }
}
