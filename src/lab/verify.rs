//! Replays every record of a journal with the independent checker.

use super::input::Item;
use super::journal::LONGEST_LINE;
use super::record::{GoalField, Record, SCHEMA, Status};
use super::solvers::{PuzzleError, load_definition};
use crate::board::check::{self, CheckError};
use crate::board::{Board, BoardError, Tile};
use crate::puzzle::arch::Simd;
use crate::puzzle::{Definition, EncodeError, Frame, Goal, GoalError};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io::{self, BufRead, Read};

/// The result of verifying a journal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// Records read.
    pub records: u64,
    /// Solutions replayed and found right.
    pub solutions: u64,
    /// Lines with something wrong.
    pub violations: u64,
}

/// Why a line of a journal is rejected.
#[derive(Debug, thiserror::Error)]
pub enum Violation {
    /// Not JSON.
    #[error("this is no record: it is not JSON from column {column} on")]
    NotJson {
        /// Counted from 1.
        column: usize,
    },
    /// The line ends before the record does.
    #[error("this is no record: the line ends in the middle of it")]
    CutOff,
    /// JSON of another kind.
    #[error(
        "this is no record, but JSON of another kind: expected an object with the fields of a record (schema, board, status, …)"
    )]
    NotAnObject,
    /// A field has a value that it cannot have.
    #[error("this is no record: \"{name}\" cannot be {value}")]
    Field {
        /// Its name.
        name: String,
        /// Its value, as JSON.
        value: String,
    },
    /// A record of another version.
    #[error("the record has schema {0}, expected {SCHEMA}")]
    Schema(u32),
    /// No board of that name was given.
    #[error("there is no board \"{0}\" among those that were given")]
    UnknownBoard(String),
    /// The start is not the board of that name.
    #[error("the start is not the board \"{0}\" that was given")]
    OtherBoard(String),
    /// A solution is claimed, but not there.
    #[error("the record claims a solution, but there are no moves")]
    NoMoves,
    /// There are moves, but the status claims no solution.
    #[error("there are moves, but the status is {}", .0.name())]
    NoSolution(Status),
    /// Something that every record has is not there.
    #[error("this is no record: it has no \"{0}\"")]
    Missing(String),
    /// Something that a solution needs is not there.
    #[error("the record has no {0}")]
    Incomplete(&'static str),
    /// A board that is called unsolvable can be solved.
    #[error("the status is unsolvable, but the board can be solved")]
    Solvable,
    /// The start is not a board of the puzzle.
    #[error("{0}")]
    Encode(#[from] EncodeError),
    /// No length is stated.
    #[error("no length is given, but there are {moves} moves")]
    NoLength {
        /// The number of moves in the record.
        moves: usize,
    },
    /// The length is not that of the moves.
    #[error("the length is given as {stated}, but there are {moves} moves")]
    Length {
        /// The value in the record.
        stated: u32,
        /// The number of moves in the record.
        moves: usize,
    },
    /// The proven bound contradicts the solution.
    #[error("the lower bound {bound} is above the length {length}")]
    Bound {
        /// The value in the record.
        bound: u32,
        /// The number of moves.
        length: u32,
    },
    /// Called optimal with a lower bound that does not prove it.
    #[error("called optimal, but the proven lower bound {bound} is below the length {length}")]
    NotProven {
        /// The value in the record.
        bound: u32,
        /// The number of moves.
        length: u32,
    },
    /// Called optimal, and at the same time said to rest on a claim.
    #[error("called optimal, although that rests on the claim that {0} is admissible")]
    OnlyClaimed(String),
    /// The lengths that were found on the way are not what they should be.
    #[error(
        "the improvements are not ever shorter solutions, one after the other, that end with the length {length}"
    )]
    Improvements {
        /// The number of moves.
        length: u32,
    },
    /// There is no puzzle with the id in the record.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// The start or the goal is no board.
    #[error("{0}")]
    Board(#[from] BoardError),
    /// No goal of that name.
    #[error(
        "there is no goal \"{0}\": expected ordered, blank-first, blank-last or a list of tiles"
    )]
    UnknownGoal(String),
    /// Not a goal of this puzzle.
    #[error("{0}")]
    Goal(#[from] GoalError),
    /// The checker rejects the solution.
    #[error("{0}")]
    Check(#[from] CheckError),
}

/// Boards by name, to compare with the starts of records; a name may stand for several.
#[derive(Clone, Debug, Default)]
pub struct KnownBoards {
    starts: HashMap<String, Vec<Option<Vec<u16>>>>,
}

impl FromIterator<Item> for KnownBoards {
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> KnownBoards {
        let mut known = KnownBoards::default();
        for Item { name, entry } in items {
            let tiles = entry.ok().map(|e| e.board.tiles().iter().map(|tile| tile.0).collect());
            known.starts.entry(name).or_default().push(tiles);
        }
        known
    }
}

impl KnownBoards {
    /// Whether the start of a record is the board of that name.
    fn check(&self, record: &Record) -> Result<(), Violation> {
        let Some(starts) = self.starts.get(&record.board) else {
            return Err(Violation::UnknownBoard(record.board.clone()));
        };
        // A board that fits no puzzle has a record without a start.
        if record.start.is_none() || starts.contains(&record.start) {
            Ok(())
        } else {
            Err(Violation::OtherBoard(record.board.clone()))
        }
    }
}

/// Reads a journal and tells `report` of each line with something wrong, by its number. With
/// boards, the starts must be theirs.
///
/// # Errors
/// If the journal cannot be read.
pub fn verify_journal(
    mut journal: impl BufRead,
    boards: Option<&KnownBoards>,
    mut report: impl FnMut(usize, &Violation),
) -> io::Result<Verdict> {
    let mut verdict = Verdict::default();
    let mut replayer = Replayer::default();
    each_line(&mut journal, |number, line| {
        verdict.records += 1;
        let checked = read_record(line).and_then(|record| {
            boards.map_or(Ok(()), |boards| boards.check(&record))?;
            replayer.check(&record)
        });
        match checked {
            Ok(true) => verdict.solutions += 1,
            Ok(false) => {}
            Err(violation) => {
                verdict.violations += 1;
                report(number, &violation);
            }
        }
    })?;
    Ok(verdict)
}

/// Hands on the lines of a journal that are not empty, with their numbers from 1.
pub(super) fn each_line(
    mut journal: impl BufRead,
    mut take: impl FnMut(usize, &[u8]),
) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        journal.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            break;
        }
        if line.len() as u64 == LONGEST_LINE {
            let text = format!("line {number} is longer than any record is");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        if !line.trim_ascii().is_empty() {
            take(number, &line);
        }
    }
    Ok(())
}

/// The record of a line, whatever it says.
pub(super) fn read_record(line: &[u8]) -> Result<Record, Violation> {
    let record: Record = serde_json::from_slice(line).map_err(|_| no_record(line))?;
    if record.schema != SCHEMA {
        return Err(Violation::Schema(record.schema));
    }
    Ok(record)
}

/// Replays records, and keeps the puzzles met so far, by id and goal.
#[derive(Default)]
pub(super) struct Replayer {
    frames: Vec<(String, GoalField, Frame)>,
}

impl Replayer {
    /// Whether the record has a solution, which then holds.
    pub(super) fn check(&mut self, record: &Record) -> Result<bool, Violation> {
        let Some(moves) = &record.moves else {
            if record.status == Status::Solved || record.length.is_some() || record.optimal {
                return Err(Violation::NoMoves);
            }
            if record.status == Status::Unsolvable {
                let (frame, start) = self.puzzle_and_start(record)?;
                if frame.check_solvable(&frame.encode(&start)?).is_ok() {
                    return Err(Violation::Solvable);
                }
            }
            return Ok(false);
        };
        if matches!(record.status, Status::Unsolvable | Status::Invalid) {
            return Err(Violation::NoSolution(record.status));
        }
        let stated = record.length.ok_or(Violation::NoLength { moves: moves.len() })?;
        if stated as usize != moves.len() {
            return Err(Violation::Length { stated, moves: moves.len() });
        }
        if let Some(heuristic) = record.rests_on.as_ref().filter(|_| record.optimal) {
            return Err(Violation::OnlyClaimed(heuristic.clone()));
        }
        let length = moves.len() as u32;
        match record.lower_bound {
            Some(bound) if bound > length => return Err(Violation::Bound { bound, length }),
            bound if record.optimal && bound != Some(length) => {
                return Err(Violation::NotProven { bound: bound.unwrap_or(0), length });
            }
            _ => {}
        }
        let in_order = record.improvements.is_sorted_by(|a, b| a.0 <= b.0 && a.1 > b.1);
        if !in_order || record.improvements.last().is_some_and(|&(_, last)| last != length) {
            return Err(Violation::Improvements { length });
        }
        let (frame, start) = self.puzzle_and_start(record)?;
        check::verify(frame.rules(), &start, moves, frame.goal())?;
        Ok(true)
    }

    /// The puzzle that a record names, towards its goal, and its board.
    pub(super) fn puzzle_and_start(
        &mut self,
        record: &Record,
    ) -> Result<(&Frame, Board), Violation> {
        let puzzle = record.puzzle.as_deref().ok_or(Violation::Incomplete("puzzle"))?;
        let goal = record.goal.as_ref().ok_or(Violation::Incomplete("goal"))?;
        let start = record.start.as_ref().ok_or(Violation::Incomplete("start"))?;
        let frame = self.frame(puzzle, goal)?;
        let start = board(frame.shape(), start)?;
        Ok((frame, start))
    }

    fn frame(&mut self, puzzle: &str, goal: &GoalField) -> Result<&Frame, Violation> {
        let same =
            |(id, for_goal, _): &(String, GoalField, Frame)| id == puzzle && for_goal == goal;
        let index = match self.frames.iter().position(same) {
            Some(index) => index,
            None => {
                let definition: Definition = load_definition(puzzle)?;
                let wanted = match goal {
                    GoalField::Named(name) if name == "blank-first" => Goal::BlankFirst,
                    GoalField::Named(name) if name == "blank-last" => Goal::BlankLast,
                    GoalField::Named(name) if name == "ordered" => {
                        Goal::Board(Board::ordered(definition.shape))
                    }
                    GoalField::Named(name) => return Err(Violation::UnknownGoal(name.clone())),
                    GoalField::Tiles(tiles) => Goal::Board(board(definition.shape, tiles)?),
                };
                let frame = Frame::new(definition, wanted, Simd::off())?;
                self.frames.push((puzzle.to_owned(), goal.clone(), frame));
                self.frames.len() - 1
            }
        };
        Ok(&self.frames[index].2)
    }
}

/// Why a line is no record: in the words of records, not in those of the parser.
fn no_record(line: &[u8]) -> Violation {
    let object = match serde_json::from_slice(line) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return Violation::NotAnObject,
        Err(error) if error.is_eof() => return Violation::CutOff,
        Err(error) => return Violation::NotJson { column: error.column() },
    };
    let Ok(Value::Object(some_record)) =
        serde_json::to_value(Record::invalid(String::new(), String::new()))
    else {
        return Violation::NotAnObject;
    };
    let reads = |fields: Map<String, Value>| Record::deserialize(Value::Object(fields)).is_ok();
    // A field that a good record cannot do without, and which is not there.
    if let Some(missing) = some_record.keys().find(|&name| {
        let mut without = some_record.clone();
        without.remove(name);
        !object.contains_key(name) && !reads(without)
    }) {
        return Violation::Missing(missing.clone());
    }
    // A field that spoils a good record.
    let spoils = object.iter().find(|(name, value)| {
        let mut changed = some_record.clone();
        changed.insert((*name).clone(), (*value).clone());
        !reads(changed)
    });
    match spoils {
        Some((name, value)) => {
            Violation::Field { name: name.clone(), value: shortened(&value.to_string()) }
        }
        None => Violation::NotAnObject,
    }
}

/// The beginning of a text that may be long.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn board(shape: crate::board::Shape, tiles: &[u16]) -> Result<Board, BoardError> {
    Board::new(shape, tiles.iter().map(|&tile| Tile(tile)).collect::<Vec<_>>())
}
