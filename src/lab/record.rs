//! Records: one JSON object for each board, the same for scripts, journals and
//! the web.

use super::input::InputError;
use crate::board::Board;
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
    /// The limit that ended the search, if there is a solution and it is not proven shortest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<Status>,
    /// After how many seconds which lengths were found, each shorter than those before; empty if
    /// the first was the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub improvements: Vec<(f64, u32)>,
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

impl From<&Frame> for GoalField {
    fn from(frame: &Frame) -> GoalField {
        match frame.goal_name() {
            Some(name) => GoalField::Named(name.to_owned()),
            None => GoalField::Tiles(tiles(frame.goal())),
        }
    }
}

fn tiles(board: &Board) -> Vec<u16> {
    board.tiles().iter().map(|tile| tile.0).collect()
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
            stopped_by: None,
            improvements: Vec::new(),
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
        Record {
            puzzle: Some(frame.id().to_owned()),
            goal: Some(frame.into()),
            start: Some(tiles(&entry.board)),
            error: None,
            ..Record::invalid(board, String::new())
        }
    }

    /// The record of a board whose search is not over.
    pub fn unfinished(board: String, entry: &Entry, frame: &Frame) -> Record {
        Record { status: Status::Interrupted, ..Record::from_board(board, entry, frame) }
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
        let (status, stopped_by) = ending(report.solution.as_ref(), report.stop);
        let improvements = report.improvements.iter();
        Record {
            status,
            length: report.solution.as_ref().map(|solution| solution.len() as u32),
            optimal: report.solution.as_ref().is_some_and(Solution::is_optimal),
            lower_bound: Some(report.lower_bound),
            stopped_by,
            improvements: improvements.map(|i| (i.after.as_secs_f64(), i.length)).collect(),
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

    /// Whether there is a solution that is not proven shortest.
    pub fn is_unproven(&self) -> bool {
        self.status == Status::Solved && !self.optimal
    }

    /// Whether the user stopped the search before it was over.
    pub fn is_interrupted(&self) -> bool {
        self.status == Status::Interrupted || self.stopped_by == Some(Status::Interrupted)
    }

    /// Whether a limit of time, nodes or memory ended the search.
    pub fn hit_limit(&self) -> bool {
        let is_limit =
            |status| matches!(status, Status::Timeout | Status::NodeLimit | Status::MemoryLimit);
        is_limit(self.status) || self.stopped_by.is_some_and(is_limit)
    }

    /// The same record, with what another one of the same board and goal has better: a shorter
    /// solution, and a higher bound.
    #[must_use]
    pub fn with_better_of(mut self, other: &Record) -> Record {
        if matches!(self.status, Status::Unsolvable | Status::Invalid) {
            return self;
        }
        let shorter = match (self.length, other.length) {
            (Some(own), Some(others)) => others < own,
            (own, others) => own.is_none() && others.is_some(),
        };
        if shorter {
            // What ended a search without a solution is what stopped it short of a better one.
            self.stopped_by =
                self.stopped_by.or((self.status != Status::Solved).then_some(self.status));
            self.status = Status::Solved;
            self.length = other.length;
            self.moves.clone_from(&other.moves);
            self.improvements.clone_from(&other.improvements);
            self.rests_on.clone_from(&other.rests_on);
        }
        self.lower_bound = self.lower_bound.max(other.lower_bound);
        self.optimal = self.length.is_some() && self.length == self.lower_bound;
        if self.optimal {
            (self.stopped_by, self.rests_on) = (None, None);
        }
        self
    }
}

/// How a search ended that found this, and what stopped it short of a proof.
fn ending(solution: Option<&Solution>, stop: Option<StopReason>) -> (Status, Option<Status>) {
    let stop = stop.map(Status::from);
    match solution {
        Some(solution) if solution.is_optimal() => (Status::Solved, None),
        Some(_) => (Status::Solved, stop),
        None => (stop.unwrap_or(Status::Solved), None),
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

    fn of_length(length: Option<u32>, lower_bound: u32) -> Record {
        Record {
            status: if length.is_some() { Status::Solved } else { Status::Timeout },
            length,
            moves: length.map(|length| vec!["L1".to_owned(); length as usize]),
            optimal: length == Some(lower_bound),
            lower_bound: Some(lower_bound),
            error: None,
            ..Record::invalid("board".to_owned(), String::new())
        }
    }

    #[test]
    fn improvements_are_pairs_and_what_is_not_there_is_left_out() {
        let plain = of_length(Some(3), 2);
        let text = serde_json::to_string(&plain).unwrap();
        assert!(!text.contains("improvements") && !text.contains("stopped_by"), "{text}");
        let record = Record {
            improvements: vec![(0.25, 5), (1.5, 3)],
            stopped_by: Some(Status::Timeout),
            ..plain
        };
        let value = serde_json::to_value(&record).unwrap();
        assert_eq!(value["improvements"], serde_json::json!([[0.25, 5], [1.5, 3]]));
        assert_eq!(value["stopped_by"], "timeout");
        let back: Record = serde_json::from_value(value).unwrap();
        assert_eq!(back, record);
    }

    #[test]
    fn the_better_of_two_records_is_kept() {
        let lengths = |own: Record, other: Record| {
            let both = own.with_better_of(&other);
            let moves = both.moves.as_ref().map(|moves| moves.len() as u32);
            assert_eq!(moves, both.length);
            (both.status, both.length, both.lower_bound, both.optimal)
        };
        let solved = Status::Solved;
        let of = of_length;
        let found = (solved, Some(8), Some(6), false);
        assert_eq!(lengths(of(Some(8), 5), of(Some(9), 6)), found);
        assert_eq!(lengths(of(Some(9), 6), of(Some(8), 5)), found);
        assert_eq!(lengths(of(None, 6), of(Some(8), 5)), found);
        assert_eq!(lengths(of(Some(8), 6), of(None, 5)), found);
        assert_eq!(lengths(of(Some(8), 6), of(None, 8)), (solved, Some(8), Some(8), true));
        assert_eq!(lengths(of(None, 5), of(None, 6)), (Status::Timeout, None, Some(6), false));
        // What ended the search without a solution is remembered, as long as it matters.
        let carried = of(None, 5).with_better_of(&of(Some(8), 5));
        assert_eq!(carried.stopped_by, Some(Status::Timeout));
        assert!(carried.is_unproven() && carried.hit_limit() && !carried.is_interrupted());
        assert_eq!(of(None, 8).with_better_of(&of(Some(8), 5)).stopped_by, None);
        let claimed = Record { rests_on: Some("mine".to_owned()), ..of(Some(8), 5) };
        assert_eq!(of(Some(8), 5).with_better_of(&claimed).rests_on, None);
        assert_eq!(of(None, 5).with_better_of(&claimed).rests_on, Some("mine".to_owned()));
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
