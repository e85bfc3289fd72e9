//! Lists of best-known solutions in files: TOML, a table for each board, always written in the same
//! way, so that what has changed can be seen line by line.

use super::{Best, Evidence, Merged, Problem, Question, merge};
use crate::board::Shape;
use crate::board::text::{ParseError, parse_one};
use crate::hash::HashMap;
use crate::lab::locked_file::{IfLocked, LockedFile};
use crate::lab::record::{GoalField, Location, Record, Status};
use crate::lab::solvers::load_definition;
use crate::lab::verify::Replayer;
use crate::toml_text::{TomlError, TomlText};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The version of the format.
const VERSION: u32 = 1;

/// The first lines of a list.
const HEAD: &str = "\
# Best solutions known, and what is proven of their lengths. Kept by `permutile records`, which
# replays every solution (docs/formats.md, \"Best-known lists\").
";

/// Moves are broken into lines that are no longer than this, if they can be.
const WIDTH: usize = 100;

/// Why a list cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// It is no list.
    #[error(transparent)]
    Toml(#[from] TomlError),
    /// It is a journal.
    #[error("{}: this is a journal; the first file is the list, journals come after it", .0.display())]
    Journal(PathBuf),
    /// Something in it does not hold.
    #[error("{0}; the list is left as it is: correct this entry, or remove it")]
    Entry(Box<Problem>),
    /// It has a board twice.
    #[error("{again}: this board is in the list already ({first}); remove one of the two")]
    Twice {
        /// Where it is first.
        first: Location,
        /// And where again.
        again: Location,
    },
}

/// A list as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListFile<E> {
    version: u32,
    #[serde(rename = "board", default = "Vec::new")]
    boards: Vec<E>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    puzzle: Spanned<String>,
    goal: Spanned<String>,
    start: Spanned<String>,
    length: u32,
    lower_bound: u32,
    moves: String,
}

/// Takes into the list at `path` what is better than what it has; if there is no such list, one is
/// begun. Other processes that do the same wait for each other, and whoever stops this process finds
/// the old list or the new one.
///
/// # Errors
/// If the list cannot be read or written, or does not hold by itself; it is then as it was.
pub fn update(path: &Path, evidence: Evidence) -> Result<Merged, ListError> {
    let failed = |error| ListError::Io { path: path.into(), error };
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let mut file = LockedFile::open(path, &options, IfLocked::Wait).map_err(failed)?;
    let text = io::read_to_string(file.file()).map_err(failed)?;
    let (best, merged) = merge(read(path, &text)?, evidence);
    let new = as_text(&best);
    if new != text {
        file.replace(|_, file| file.write_all(new.as_bytes())).map_err(failed)?;
    }
    Ok(merged)
}

/// Replays all of a list.
///
/// # Errors
/// If it cannot be read, or does not hold.
pub fn verify(path: &Path) -> Result<Merged, ListError> {
    let text = fs::read_to_string(path);
    let text = text.map_err(|error| ListError::Io { path: path.into(), error })?;
    Ok(merge(read(path, &text)?, Evidence::default()).1)
}

/// Reads a list, which must hold: its boards with their places. An empty file is an empty list.
fn read(path: &Path, text: &str) -> Result<Vec<(Best, Location)>, ListError> {
    if text.trim_start().starts_with('{') {
        return Err(ListError::Journal(path.into()));
    }
    let mut list = Vec::new();
    if text.trim().is_empty() {
        return Ok(list);
    }
    let mut replayer = Replayer::default();
    let mut places: HashMap<Question, Location> = HashMap::default();
    for (record, place) in records(&path.to_string_lossy(), text)? {
        let question = replayer.check(&record).and_then(|_| Question::of(&record, &mut replayer));
        let question = question.map_err(|violation| {
            let place = place.clone();
            ListError::Entry(Box::new(Problem::Violation { place, violation }))
        })?;
        if let Some(first) = places.insert(question.clone(), place.clone()) {
            return Err(ListError::Twice { first, again: place });
        }
        let Record { board: name, moves, lower_bound, .. } = record;
        let (moves, lower_bound) = (moves.unwrap_or_default(), lower_bound.unwrap_or_default());
        list.push((Best { question, name, moves, lower_bound }, place));
    }
    Ok(list)
}

/// The list as it is written.
fn as_text(list: &[Best]) -> String {
    let file = ListFile { version: VERSION, boards: list.iter().map(Entry::from).collect() };
    format!("{HEAD}{}", toml::to_string_pretty(&file).expect("a list is plain data"))
}

impl From<&Best> for Entry {
    fn from(best: &Best) -> Entry {
        let Question { puzzle, goal: _, start } = &best.question;
        let unplaced = |text: String| Spanned::new(0..0, text);
        Entry {
            name: best.name.clone(),
            puzzle: unplaced(puzzle.clone()),
            goal: unplaced(goal_text(&best.question)),
            start: unplaced(rows_text(start.shape(), start.tiles().iter().map(|tile| tile.0))),
            length: best.moves.len() as u32,
            lower_bound: best.lower_bound,
            moves: wrapped(&best.moves),
        }
    }
}

/// Reads any text as a list: what is one is read again from what is written of it, and says the
/// same as evidence.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn survive(text: &str) {
    let path = Path::new("fuzz.toml");
    let list = match read(path, text) {
        Ok(list) => list,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let (best, merged) = merge(list, Evidence::default());
    assert!(merged.improvements.is_empty() && merged.problems.is_empty());
    let written = as_text(&best);
    let again = read(path, &written).expect("what was written is read");
    assert!(again.into_iter().map(|(best, _)| best).eq(best));
    let mut evidence = Evidence::default();
    evidence.add_file("fuzz.toml", written.as_bytes()).expect("what was written is read");
    let (best, merged) = merge(Vec::new(), evidence);
    assert!(merged.problems.is_empty());
    assert_eq!(as_text(&best), written);
}

/// A goal as it is written: its name, or its rows.
pub(super) fn goal_text(question: &Question) -> String {
    match &question.goal {
        GoalField::Named(name) => name.clone(),
        GoalField::Tiles(tiles) => rows_text(question.start.shape(), tiles.iter().copied()),
    }
}

fn rows_text(shape: Shape, tiles: impl Iterator<Item = u16>) -> String {
    let tiles: Vec<String> = tiles.map(|tile| tile.to_string()).collect();
    let rows: Vec<String> = tiles.chunks(shape.cols()).map(|row| row.join(" ")).collect();
    rows.join("/")
}

/// Moves on one line, or on several if one would be long.
fn wrapped(moves: &[String]) -> String {
    let mut lines = vec![String::new()];
    for name in moves {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            line.push_str(name);
        } else if line.chars().count() + 1 + name.chars().count() <= WIDTH {
            line.push(' ');
            line.push_str(name);
        } else {
            lines.push(name.clone());
        }
    }
    if lines.len() > 1 {
        lines.push(String::new());
    }
    lines.join("\n")
}

/// The entries of a list as records, with their places: that of their first lines.
pub(super) fn records(source: &str, text: &str) -> Result<Vec<(Record, Location)>, ListError> {
    let toml = TomlText { source_name: source, text };
    let file: ListFile<Spanned<Entry>> =
        toml.parse("`version = 1` and a [[board]] for each board")?;
    if file.version != VERSION {
        let problem = format!(
            "this list is of version {}, expected {VERSION}: a newer permutile has written it",
            file.version
        );
        return Err(toml.error(0..0, problem).into());
    }
    let (mut line, mut counted) = (1, 0);
    let with_place = |entry: Spanned<Entry>| {
        let begin = entry.span().start.clamp(counted, text.len());
        line += text[counted..begin].matches('\n').count();
        counted = begin;
        let place = Location { file: source.to_owned(), line: Some(line), column: None };
        Ok((entry.into_inner().into_record(toml)?, place))
    };
    file.boards.into_iter().map(with_place).collect()
}

impl Entry {
    /// The record that says the same.
    fn into_record(self, toml: TomlText<'_>) -> Result<Record, TomlError> {
        let fail = |span: Range<usize>, problem: String| toml.error(span, problem);
        let definition = load_definition(self.puzzle.get_ref())
            .map_err(|error| fail(self.puzzle.span(), error.to_string()))?;
        let tiles = |text: &Spanned<String>| match parse_one(
            "",
            text.get_ref().as_bytes(),
            Some(definition.shape),
        ) {
            Ok(entry) => Ok(entry.board.tiles().iter().map(|tile| tile.0).collect()),
            Err(ParseError { kind, .. }) => Err(fail(text.span(), kind.to_string())),
        };
        let start: Vec<u16> = tiles(&self.start)?;
        let goal = if self.goal.get_ref().starts_with(|c: char| c.is_ascii_digit()) {
            GoalField::Tiles(tiles(&self.goal)?)
        } else {
            GoalField::Named(self.goal.into_inner())
        };
        let moves: Vec<String> = self.moves.split_whitespace().map(str::to_owned).collect();
        Ok(Record {
            puzzle: Some(self.puzzle.into_inner()),
            goal: Some(goal),
            start: Some(start),
            status: Status::Solved,
            length: Some(self.length),
            moves: Some(moves),
            lower_bound: Some(self.lower_bound),
            optimal: self.length == self.lower_bound,
            error: None,
            ..Record::invalid(self.name, String::new())
        })
    }
}
