//! Where output goes: data to standard output, everything else to standard error.

use super::exit::Exit;
use super::names;
use anyhow::{Context, bail};
use permutile::board::Board;
use permutile::board::text::{ParseError, ParseErrorKind};
use permutile::lab::answered::Refusal;
use permutile::lab::csv_table::CsvError;
use permutile::lab::input::InputError;
use permutile::lab::solvers::PuzzleError;
use permutile::puzzle::registry::IdError;
use permutile::puzzle::{Frame, Unsolvable};
use permutile::search::{Inapplicable, UnknownHeuristic};
use permutile::solver::{InternalError, RequestError, SolveError};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Writes data.
///
/// # Errors
/// If standard output cannot be written, as when the disk is full.
pub(super) fn data(line: impl std::fmt::Display) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).context("standard output")
}

/// Writes data as one line of JSON, which may be too long to be held as text.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn data_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut out, value)
        .map_err(io::Error::from)
        .and_then(|()| writeln!(out))
        .and_then(|()| out.flush())
        .context("standard output")
}

/// Writes data that consists of whole lines.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn data_lines(lines: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(lines).and_then(|()| out.flush()).context("standard output")
}

/// Whether a path means standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads the name of a file where standard output is what is written to without one.
///
/// # Errors
/// If it means standard output.
pub(super) fn parse_file(name: &str) -> Result<PathBuf, String> {
    if is_standard_output(Path::new(name)) {
        return Err("expected a file; without this option it goes to standard output".to_owned());
    }
    Ok(name.into())
}

/// Refuses to overwrite a file, unless `overwrite` is set. What is written to a device or a pipe
/// overwrites nothing.
///
/// # Errors
/// If there is such a file.
pub(super) fn refuse_to_overwrite(path: &Path, overwrite: bool) -> anyhow::Result<()> {
    if path.is_file() && !overwrite {
        let path = path.display();
        bail!("{path}: there is such a file already; choose another name, or give --force");
    }
    Ok(())
}

/// Writes a message to standard error.
pub(super) fn note(line: impl std::fmt::Display) {
    // If standard error cannot be written, there is nowhere to report that.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// The message for an error, with the line of input and advice where there are any.
pub(super) fn complaint(error: &anyhow::Error) -> String {
    let parse_error = error.chain().find_map(|cause| {
        let nested = cause.downcast_ref::<InputError>();
        cause.downcast_ref::<ParseError>().or(match nested {
            Some(InputError::Parse(parse)) => Some(parse),
            _ => None,
        })
    });
    let mut text = format!("{} {error}", red("error:"));
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Some errors include their cause in their own text.
        if !text.ends_with(&cause) {
            text += &format!(": {cause}");
        }
    }
    text += &advice(error);
    if let Some(parse) = parse_error {
        if let Some(snippet) = parse.snippet() {
            text += &format!("\n{snippet}");
        }
        let option = shape_option(parse).unwrap_or_default();
        text += &format!("\nhelp: {}{option}", parse.help());
    }
    text
}

/// The option that does what the help for a board says, in parentheses.
fn shape_option(error: &ParseError) -> Option<String> {
    match &error.kind {
        ParseErrorKind::WrongCount { .. } | ParseErrorKind::DigitCount { shape: None, .. } => {
            Some(" (--shape RxC)".to_owned())
        }
        ParseErrorKind::ShapeMismatch { found, .. } => Some(format!(" (--shape {found})")),
        _ => None,
    }
}

/// An argument, quoted for a shell if that is needed.
pub(super) fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

/// The option that makes a board solvable, if another goal can be reached from it.
pub(super) fn goal_option(frame: &Frame, board: &Board) -> Option<String> {
    match frame.check_solvable(&frame.encode(board).ok()?) {
        Err(Unsolvable::BlankParity { other_goal: Some(goal), .. }) => {
            Some(format!("--goal {goal}"))
        }
        _ => None,
    }
}

/// What stopped a table. A closed pipe is no failure: the system's error decides.
pub(super) fn on_table(error: CsvError) -> anyhow::Error {
    match error {
        CsvError::Io { path, error } => {
            anyhow::Error::from(error).context(path.display().to_string())
        }
        error => error.into(),
    }
}

/// Ends the program on an error that stopped the whole command.
pub(super) fn report_failure(error: &anyhow::Error) -> Exit {
    let broken_pipe = error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
    if broken_pipe {
        // The reader has closed the pipe, as in `permutile … | head`.
        return Exit::Success;
    }
    note(complaint(error));
    if let Some(RequestError::NotBuilt { stop, .. }) = request_in(error) {
        return (*stop).into();
    }
    let internal = error.is::<InternalError>()
        || matches!(error.downcast_ref(), Some(SolveError::Internal(_)));
    if internal { Exit::Internal } else { Exit::Usage }
}

/// What a user can do about a board that was refused.
pub(super) fn advice_on(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Request(error) => advice_on_request(error),
        Refusal::Input(_) | Refusal::Puzzle(_) | Refusal::NoShortForm => "",
    }
}

fn advice_on_request(error: &RequestError) -> &'static str {
    match error {
        RequestError::Inapplicable { reason: Inapplicable::Puzzle, .. } => {
            " (`permutile heuristics` says which do)"
        }
        RequestError::Inapplicable { reason: Inapplicable::TooLarge { .. }, .. } => {
            ": choose smaller patterns, or give more by --max-memory"
        }
        RequestError::ProvesNothing { .. } => {
            "; --exact, --within and --all-optimal need an admissible one"
        }
        RequestError::Order(_) => " (--order)",
        RequestError::NoLoops { .. } => " (--prune)",
        _ => "",
    }
}

/// What did not fit, if that is the error.
fn request_in(error: &anyhow::Error) -> Option<&RequestError> {
    error.downcast_ref().or_else(|| match error.downcast_ref() {
        Some(SolveError::Request(error)) => Some(error),
        _ => None,
    })
}

/// What a user can do about an error, where that is known.
fn advice(error: &anyhow::Error) -> String {
    match request_in(error) {
        Some(error) => advice_on_request(error).to_owned(),
        None => advice_on_name(error).unwrap_or_default(),
    }
}

/// What was meant by a name that does not exist, and where to find those that do.
fn advice_on_name(error: &anyhow::Error) -> Option<String> {
    let meant =
        |name: Option<&str>| name.map_or(String::new(), |it| format!(" (did you mean {it}?)"));
    if let Some(UnknownHeuristic { name }) = error.downcast_ref() {
        let meant = meant(names::closest(name, names::heuristics()));
        return Some(format!("{meant}: `permutile heuristics` lists them"));
    }
    match error.downcast_ref()? {
        PuzzleError::Id(IdError::Unknown { id }) => {
            Some(meant(names::closest(id, names::puzzles())))
        }
        _ => None,
    }
}

fn red(text: &str) -> String {
    paint(text, "31;1", io::stderr().is_terminal())
}

/// The colour of warnings.
pub(super) fn yellow(text: &str) -> String {
    paint(text, "33;1", io::stderr().is_terminal())
}

/// Colours a text for a terminal, unless the user prefers none.
pub(super) fn paint(text: &str, code: &str, terminal: bool) -> String {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if terminal && !unwanted { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}
