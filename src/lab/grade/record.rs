//! Grades for scripts and spreadsheets.

use super::{Fault, Grade, Verdict};
use crate::board::move_list::Reading;
use crate::puzzle::Depth;
use serde::Serialize;

/// A grade as one flat row.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GradeRecord {
    /// Whose solution it is.
    pub student: String,
    /// The board, as records call it.
    pub board: Option<String>,
    /// The board's puzzle.
    pub puzzle: Option<String>,
    /// What it is worth, in a word.
    pub verdict: Verdict,
    /// Whether all moves can be made; `None` if it is not known of which board they are.
    pub legal: Option<bool>,
    /// Whether they lead to the goal.
    pub solves: bool,
    /// How many there are.
    pub length: Option<usize>,
    /// How many the shortest solution has.
    pub shortest: Option<Depth>,
    /// How many there are more than in the shortest solution.
    pub excess: Option<usize>,
    /// Whether words were read as ways of the blank or of a tile.
    pub reading: Option<&'static str>,
    /// The length that the student states, if it is another.
    pub misstated: Option<u64>,
    /// The file.
    pub file: String,
    /// The line where the solution begins.
    pub line: Option<usize>,
    /// Why it does not hold.
    pub error: Option<String>,
    /// How many a shorter solution has, if one was found, but none that is proven shortest.
    pub shorter: Option<Depth>,
}

impl From<&Grade> for GradeRecord {
    fn from(grade: &Grade) -> GradeRecord {
        let verdict = grade.verdict();
        let legal = match (verdict, &grade.fault) {
            (Verdict::NoBoard, _) | (_, Some(Fault::Solvable)) => None,
            (Verdict::Illegal, _) => Some(false),
            _ => Some(true),
        };
        GradeRecord {
            student: grade.student.clone(),
            board: grade.board.clone(),
            puzzle: grade.puzzle.clone(),
            verdict,
            legal: legal.filter(|_| grade.length.is_some() || verdict == Verdict::Illegal),
            solves: grade.fault.is_none() && grade.length.is_some(),
            length: grade.length,
            shortest: grade.shortest_length(),
            excess: grade.excess(),
            reading: grade.reading.map(|reading| match reading {
                Reading::Blank => "blank",
                Reading::Tile => "tile",
            }),
            misstated: grade.misstated,
            file: grade.location.file.clone(),
            line: grade.location.line,
            error: grade.fault.as_ref().map(ToString::to_string),
            shorter: grade.shorter_length(),
        }
    }
}
