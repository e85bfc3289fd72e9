//! Records: one JSON object for each board, the same for people's scripts, journals and
//! the web.

use crate::board::text::Entry;
use crate::puzzle::Frame;
use crate::search::{Statistics, StopReason};
use crate::solver::{Answer, Found, Solver};
use serde::{Deserialize, Serialize};

/// The version of the record's form.
pub const SCHEMA: u32 = 1;

/// What came of one board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The board's name or path.
    pub board: String,
    /// The puzzle's id; absent if there was no board to tell it from.
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
    /// What searched.
    pub algorithm: Option<String>,
    /// With which heuristic.
    pub heuristic: Option<String>,
    /// On how many threads.
    pub threads: usize,
    /// Nodes whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// The deepest node generated.
    pub max_depth: u32,
    /// How long it took.
    pub seconds: f64,
    /// The most bytes of search memory held, as accounted.
    pub peak_bytes: u64,
    /// What was asked for besides, in words, where that matters for continuing a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// What was wrong, where something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
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
    /// The time was over.
    Timeout,
    /// As many nodes were expanded as allowed.
    NodeLimit,
    /// The memory did not suffice.
    MemoryLimit,
    /// The user stopped it.
    Interrupted,
    /// It was no board, or not one of this puzzle.
    Invalid,
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
        }
    }

    /// The record of a board that could be asked about, before the answer.
    fn of_board(board: String, entry: &Entry, frame: &Frame) -> Record {
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
        Record { error: Some(error), ..Record::of_board(board, entry, frame) }
    }

    /// The record of an answer.
    pub fn of_answer(
        board: String,
        entry: &Entry,
        solver: &Solver,
        answer: &Answer,
        seconds: f64,
    ) -> Record {
        let record = Record { seconds, ..Record::of_board(board, entry, solver.frame()) };
        match answer {
            Answer::Unsolvable(reason) => {
                Record { status: Status::Unsolvable, error: Some(reason.to_string()), ..record }
            }
            Answer::Searched(found) => record.with_found(found, solver),
        }
    }

    fn with_found(self, found: &Found, solver: &Solver) -> Record {
        let Statistics { expanded, generated, max_depth, peak_bytes, .. } =
            found.outcome.statistics;
        let solution = found.outcome.solution.as_ref();
        let names = |moves: &Vec<_>| solver.names(moves).into_iter().map(str::to_owned).collect();
        Record {
            status: found.outcome.stop.map_or(Status::Solved, Status::from),
            length: solution.map(|s| s.moves.len() as u32),
            moves: solution.map(|s| names(&s.moves)),
            optimal: solution.is_some_and(|s| s.optimal),
            lower_bound: Some(found.outcome.lower_bound),
            algorithm: Some(found.algorithm.to_owned()),
            heuristic: found.heuristic.clone(),
            threads: found.threads,
            expanded,
            generated,
            max_depth,
            peak_bytes,
            ..self
        }
    }
}
