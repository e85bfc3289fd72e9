//! Records: one JSON object for each board, the same for scripts, journals and
//! the web.

use super::input::InputError;
use crate::board::text::Entry;
use crate::puzzle::Frame;
use crate::search::{Statistics, StopReason};
use crate::solver::{Answer, Report, Solution, Solver};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The version of the record format.
pub const SCHEMA: u32 = 1;

/// The result for one board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The board's name or path.
    pub board: String,
    /// The puzzle's id; absent if there was no board to infer it from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzle: Option<String>,
    /// The arrangement that was to be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<GoalField>,
    /// The board, row by row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Vec<u16>>,
    /// How it ended.
    pub status: Status,
    /// The number of moves.
    pub length: Option<u32>,
    /// The moves by name.
    pub moves: Option<Vec<String>>,
    /// Whether it is proven that no solution is shorter.
    pub optimal: bool,
    /// No solution is shorter than this.
    pub lower_bound: Option<u32>,
    /// The heuristic whose claim to be admissible makes the solution shortest, if that is not
    /// proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rests_on: Option<String>,
    /// The algorithm's name.
    pub algorithm: Option<String>,
    /// The heuristic's name.
    pub heuristic: Option<String>,
    /// How many threads searched.
    pub threads: usize,
    /// Nodes whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// The deepest node generated.
    pub max_depth: u32,
    /// How long the board took.
    pub seconds: f64,
    /// The most bytes of search memory held, as accounted.
    pub peak_bytes: u64,
    /// Further settings, in words, where they matter for continuing a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The error, if there was one. Begins with the location, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Where the input is that could not be read as a board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

/// A place in the input, displayed as `file:line:column`, or as `file` alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Location {
    /// The file or folder, or what else was read.
    pub file: String,
    /// The line, from 1, if the file could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column, in characters from 1, if the file could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        let numbers = [self.line, self.column];
        numbers.into_iter().flatten().try_for_each(|number| write!(f, ":{number}"))
    }
}

/// A goal in a record: its name where it has one, else its tiles.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GoalField {
    /// `ordered`, `blank-first` or `blank-last`.
    Named(String),
    /// Row by row.
    Tiles(Vec<u16>),
}

/// How a board's search ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A solution was found.
    Solved,
    /// There is none.
    Unsolvable,
    /// The time limit was reached.
    Timeout,
    /// The limit on expanded nodes was reached.
    NodeLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// The user stopped it.
    Interrupted,
    /// It was no board, or not one of this puzzle.
    Invalid,
}

/// No status has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no status \"{name}\"")]
pub struct UnknownStatus {
    /// The name.
    pub name: String,
}

impl FromStr for Status {
    type Err = UnknownStatus;

    fn from_str(name: &str) -> Result<Status, UnknownStatus> {
        let found = Status::ALL.into_iter().find(|status| status.name() == name);
        found.ok_or_else(|| UnknownStatus { name: name.to_owned() })
    }
}

impl Status {
    /// All of them.
    pub const ALL: [Status; 7] = [
        Status::Solved,
        Status::Unsolvable,
        Status::Timeout,
        Status::NodeLimit,
        Status::MemoryLimit,
        Status::Interrupted,
        Status::Invalid,
    ];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Unsolvable => "unsolvable",
            Status::Timeout => "timeout",
            Status::NodeLimit => "node-limit",
            Status::MemoryLimit => "memory-limit",
            Status::Interrupted => "interrupted",
            Status::Invalid => "invalid",
        }
    }
}

impl From<StopReason> for Status {
    fn from(stop: StopReason) -> Status {
        match stop {
            StopReason::Time => Status::Timeout,
            // A record has no status of its own for a bound on the length.
            StopReason::Nodes | StopReason::Depth => Status::NodeLimit,
            StopReason::Memory => Status::MemoryLimit,
            StopReason::Cancelled => Status::Interrupted,
        }
    }
}

impl Record {
    /// The record of something that is no board of the puzzle at hand.
    pub fn invalid(board: String, error: String) -> Record {
        Record {
            schema: SCHEMA,
            board,
            puzzle: None,
            goal: None,
            start: None,
            status: Status::Invalid,
            length: None,
            moves: None,
            optimal: false,
            lower_bound: None,
            rests_on: None,
            algorithm: None,
            heuristic: None,
            threads: 0,
            expanded: 0,
            generated: 0,
            max_depth: 0,
            seconds: 0.0,
            peak_bytes: 0,
            plan: None,
            error: Some(error),
            location: None,
        }
    }

    /// The record of input that could not be read.
    pub fn unreadable(board: String, error: &InputError) -> Record {
        Record { location: Some(error.location()), ..Record::invalid(board, error.to_string()) }
    }

    /// The record of a board that could be asked about, before the answer.
    fn from_board(board: String, entry: &Entry, frame: &Frame) -> Record {
        let tiles = |board: &crate::board::Board| board.tiles().iter().map(|t| t.0).collect();
        let goal = match frame.goal_name() {
            Some(name) => GoalField::Named(name.to_owned()),
            None => GoalField::Tiles(tiles(frame.goal())),
        };
        Record {
            puzzle: Some(frame.id().to_owned()),
            goal: Some(goal),
            start: Some(tiles(&entry.board)),
            error: None,
            ..Record::invalid(board, String::new())
        }
    }

    /// The record of a board that does not fit the puzzle.
    pub fn misfit(board: String, entry: &Entry, frame: &Frame, error: String) -> Record {
        Record { error: Some(error), ..Record::from_board(board, entry, frame) }
    }

    /// The record of an answer.
    pub fn from_answer(
        board: String,
        entry: &Entry,
        solver: &Solver,
        answer: Answer,
        seconds: f64,
    ) -> Record {
        let record = Record { seconds, ..Record::from_board(board, entry, solver.frame()) };
        match answer {
            Answer::Unsolvable(reason) => {
                Record { status: Status::Unsolvable, error: Some(reason.to_string()), ..record }
            }
            Answer::Searched(report) => record.with_report(report),
        }
    }

    fn with_report(self, report: Report) -> Record {
        let Statistics { expanded, generated, max_depth, peak_bytes, .. } = report.statistics;
        Record {
            status: report.stop.map_or(Status::Solved, Status::from),
            length: report.solution.as_ref().map(|solution| solution.len() as u32),
            optimal: report.solution.as_ref().is_some_and(Solution::is_optimal),
            lower_bound: Some(report.lower_bound),
            rests_on: report.rests_on.as_ref().map(|kind| kind.name().to_owned()),
            algorithm: Some(report.algorithm.name.to_owned()),
            heuristic: report.guides_in_words(),
            moves: report.solution.map(Solution::into_names),
            threads: report.threads,
            expanded,
            generated,
            max_depth,
            peak_bytes,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input::Source;

    #[test]
    fn the_name_of_a_status_is_that_in_records() {
        for status in Status::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
            assert_eq!(status.name().parse(), Ok(status));
        }
        assert!("no-limit".parse::<Status>().is_err());
    }

    #[test]
    fn the_error_of_unreadable_input_begins_with_its_location() {
        for (input, location) in [("1,x,2,3", "argument:1:3"), ("no/such/file", "no/such/file")] {
            let item = Source::from_argument(input).read(None).remove(0);
            let record = Record::unreadable(item.name, &item.entry.unwrap_err());
            assert_eq!(record.location.as_ref().unwrap().to_string(), location);
            assert!(record.error.unwrap().starts_with(&format!("{location}: ")));
        }
    }
}
