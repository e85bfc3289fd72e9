//! Students' solutions against the boards that they are of: are the moves legal, do they reach the
//! goal, and could they be fewer?
//!
//! Every list of moves is replayed by the independent checker. The shortest length of a board is
//! found by solving it, once, and only if some solution of it holds.

mod board_names;
mod handed_in;
mod record;

pub use board_names::NoBoard;
pub use handed_in::{Collected, ENDINGS, HandedIn};
pub use record::GradeRecord;

use super::input::Item;
use super::record::Location;
use super::solvers::Solvers;
use crate::board::Board;
use crate::board::check::{self, CheckError, Rules};
use crate::board::move_list::{MoveListError, Reading, Spellings};
use crate::limits::Observer;
use crate::puzzle::{Depth, Unsolvable};
use crate::search::SearchOptions;
use crate::solver::{Answer, SolveError, Solver};
use board_names::BoardNames;
use serde::Serialize;
use std::cmp::Ordering;

/// What is said instead of moves of a board that cannot be solved.
const UNSOLVABLE: [&str; 6] =
    ["impossible", "no solution", "none", "not solvable", "unsolvable", "null"];

/// Boards, and solutions of them to be graded.
pub struct Grading<'a> {
    boards: &'a [Item],
    names: BoardNames,
    solvers: &'a Solvers,
    options: &'a SearchOptions<'a>,
    /// How the moves of a sliding puzzle are read; each in the way that solves the board, if not
    /// given.
    pub reading: Option<Reading>,
    /// The shortest lengths, once they are known.
    shortest: Vec<Option<Shortest>>,
}

/// What is known of the shortest solution of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shortest {
    /// It has so many moves.
    Proven(Depth),
    /// That is not proven; a limit was hit.
    Between {
        /// It has at least so many moves.
        at_least: Depth,
        /// It has at most so many: a solution of that length was found.
        at_most: Option<Depth>,
    },
    /// There is none.
    Unsolvable(Unsolvable),
}

/// A solution, and what it is worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Grade {
    /// Whose it is.
    pub student: String,
    /// Where it is.
    pub location: Location,
    /// The board that it is of, as records call it.
    pub board: Option<String>,
    /// The board's puzzle.
    pub puzzle: Option<String>,
    /// How many moves it has, as far as they can be read.
    pub length: Option<usize>,
    /// How its moves were read, on a sliding puzzle.
    pub reading: Option<Reading>,
    /// The length that the student states, if it is not that of the moves.
    pub misstated: Option<u64>,
    /// What the shortest solution has, if that was looked for.
    pub shortest: Option<Shortest>,
    /// Why it does not hold, if it does not.
    pub fault: Option<Fault>,
}

/// Why a solution does not hold.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Fault {
    /// It is not known of which board it is.
    #[error(transparent)]
    NoBoard(#[from] NoBoard),
    /// The board cannot be read, or is not one of the puzzle.
    #[error("its board: {0}")]
    Board(String),
    /// There is something in it that is no move.
    #[error(transparent)]
    Moves(#[from] MoveListError),
    /// A move is not legal, or the goal is not reached.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// It says that there is no solution.
    #[error("the board can be solved")]
    Solvable,
}

/// What a solution is worth, in a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It solves the board, and no solution is shorter; or it rightly says that there is none.
    Shortest,
    /// It solves the board, and there is a shorter solution.
    Longer,
    /// It solves the board; whether there is a shorter solution could not be found out.
    Solves,
    /// Its moves are legal, but do not lead to the goal.
    NotTheGoal,
    /// A move cannot be made, or does not exist.
    Illegal,
    /// It is not known of which board it is, or that is no board.
    NoBoard,
}

impl Verdict {
    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Shortest => "shortest",
            Verdict::Longer => "longer",
            Verdict::Solves => "solves",
            Verdict::NotTheGoal => "not-the-goal",
            Verdict::Illegal => "illegal",
            Verdict::NoBoard => "no-board",
        }
    }
}

impl Grade {
    /// What it is worth.
    pub fn verdict(&self) -> Verdict {
        match &self.fault {
            Some(Fault::NoBoard(_) | Fault::Board(_)) => Verdict::NoBoard,
            Some(Fault::Check(CheckError::NotTheGoal { .. }) | Fault::Solvable) => {
                Verdict::NotTheGoal
            }
            Some(Fault::Moves(_) | Fault::Check(_)) => Verdict::Illegal,
            None => match (&self.shortest, self.excess()) {
                (Some(Shortest::Unsolvable(_)), _) | (_, Some(0)) => Verdict::Shortest,
                (_, Some(_)) => Verdict::Longer,
                (_, None) if self.shorter_length().is_some() => Verdict::Longer,
                (_, None) => Verdict::Solves,
            },
        }
    }

    /// The shortest length, where it is proven: by a search, or because the solution has no more
    /// moves than any must have.
    pub fn shortest_length(&self) -> Option<Depth> {
        match (&self.shortest, self.length) {
            (Some(Shortest::Proven(length)), _) => Some(*length),
            (Some(Shortest::Between { at_least, .. }), Some(length))
                if self.fault.is_none() && length == *at_least as usize =>
            {
                Some(*at_least)
            }
            _ => None,
        }
    }

    /// The length of a shorter solution, where one was found that is not proven shortest either.
    pub fn shorter_length(&self) -> Option<Depth> {
        let length = self.length.filter(|_| self.fault.is_none())?;
        match self.shortest {
            Some(Shortest::Between { at_most, .. }) => {
                at_most.filter(|&shorter| (shorter as usize) < length)
            }
            _ => None,
        }
    }

    /// How many moves a solution has more than the shortest, if that is known.
    pub fn excess(&self) -> Option<usize> {
        let length = self.length.filter(|_| self.fault.is_none())?;
        length.checked_sub(self.shortest_length()? as usize)
    }
}

/// One of the ways in which moves can be read, and how far they get.
struct Attempt {
    reading: Reading,
    length: Option<usize>,
    result: Result<(), Fault>,
}

impl Attempt {
    /// How far it gets: how many moves can be made, and whether they reach the goal.
    fn progress(&self) -> (bool, usize) {
        match &self.result {
            Ok(()) => (true, usize::MAX),
            Err(Fault::Check(CheckError::NotTheGoal { .. })) => (false, usize::MAX),
            Err(Fault::Check(
                CheckError::UnknownMove { index, .. } | CheckError::IllegalMove { index, .. },
            )) => (false, *index),
            Err(_) => (false, 0),
        }
    }
}

impl<'a> Grading<'a> {
    /// For solutions of these boards, whose shortest solutions are searched with the options.
    pub fn new(
        boards: &'a [Item],
        solvers: &'a Solvers,
        options: &'a SearchOptions<'a>,
    ) -> Grading<'a> {
        let (names, shortest) = (BoardNames::new(boards), vec![None; boards.len()]);
        Grading { boards, names, solvers, options, reading: None, shortest }
    }

    /// Grades one solution.
    ///
    /// # Errors
    /// If the checker rejects our own solution of the board.
    pub fn grade(
        &mut self,
        handed_in: &HandedIn,
        observer: &mut dyn Observer,
    ) -> Result<Grade, SolveError> {
        let HandedIn { file, line, names, number, of, moves, stated } = handed_in;
        let (student, board) = self.names.assign(names, *number, *of);
        let location = Location { file: file.clone(), line: Some(*line), column: None };
        let mut grade = Grade {
            student,
            location,
            board: None,
            puzzle: None,
            length: None,
            reading: None,
            misstated: None,
            shortest: None,
            fault: None,
        };
        let index = match board {
            Ok(index) => index,
            Err(error) => return Ok(Grade { fault: Some(error.into()), ..grade }),
        };
        let boards = self.boards;
        grade.board = Some(boards[index].name.clone());
        let (board, solver) = match self.board(index) {
            Ok(found) => found,
            Err(error) => return Ok(Grade { fault: Some(Fault::Board(error)), ..grade }),
        };
        grade.puzzle = Some(solver.frame().id().to_owned());
        if says_unsolvable(moves) {
            return self.grade_unsolvable(index, grade, observer);
        }
        let attempt = self.read(moves, board, solver);
        grade.length = attempt.length;
        let has_ways = solver.frame().blank_label().is_some() && attempt.length.is_some();
        grade.reading = has_ways.then_some(attempt.reading);
        grade.misstated = stated.filter(|&stated| Some(stated) != grade.length.map(|n| n as u64));
        grade.fault = attempt.result.err();
        if grade.fault.is_none() {
            grade.shortest = Some(self.shortest(index, observer)?);
        }
        Ok(grade)
    }

    /// Grades the claim that a board cannot be solved.
    fn grade_unsolvable(
        &mut self,
        index: usize,
        grade: Grade,
        observer: &mut dyn Observer,
    ) -> Result<Grade, SolveError> {
        let shortest = self.shortest(index, observer)?;
        let fault = match shortest {
            Shortest::Unsolvable(_) => None,
            Shortest::Proven(_) | Shortest::Between { .. } => Some(Fault::Solvable),
        };
        Ok(Grade { shortest: Some(shortest), fault, ..grade })
    }

    /// A board and its solver, or why there is none.
    fn board(&self, index: usize) -> Result<(&'a Board, &'a Solver), String> {
        let board = match &self.boards[index].entry {
            Ok(entry) => &entry.board,
            Err(error) => return Err(error.to_string()),
        };
        let solver = self.solvers.for_board(board).map_err(|error| error.to_string())?;
        solver.frame().encode(board).map_err(|error| error.to_string())?;
        Ok((board, solver))
    }

    /// Reads moves in the way that solves the board or, if none does, that gets farthest.
    fn read(&self, moves: &str, board: &Board, solver: &Solver) -> Attempt {
        let rules = solver.frame().rules();
        let names = rules.move_names();
        let attempt = |reading| {
            let read = Spellings::new(rules, &names, reading).read(moves);
            let length = read.as_ref().ok().map(Vec::len);
            let result = read.map_err(Fault::from).and_then(|moves| {
                check::verify(rules, board, &moves, solver.frame().goal())
                    .map_err(|error| Fault::Check(as_written(error, reading)))
            });
            Attempt { reading, length, result }
        };
        let first = self.reading.unwrap_or_else(|| likely_reading(rules, moves));
        let likely = attempt(first);
        if self.reading.is_some() || !matches!(rules, Rules::Sliding(_)) || likely.result.is_ok() {
            return likely;
        }
        let other = attempt(match first {
            Reading::Blank => Reading::Tile,
            Reading::Tile => Reading::Blank,
        });
        match other.progress().cmp(&likely.progress()) {
            Ordering::Greater => other,
            Ordering::Less | Ordering::Equal => likely,
        }
    }

    /// What the shortest solution of a board has, searched for once.
    fn shortest(
        &mut self,
        index: usize,
        observer: &mut dyn Observer,
    ) -> Result<Shortest, SolveError> {
        if let Some(known) = &self.shortest[index] {
            return Ok(known.clone());
        }
        let found = match self.board(index) {
            Ok((board, solver)) => match solver.solve(board, self.options, observer)? {
                Answer::Unsolvable(reason) => Shortest::Unsolvable(reason),
                Answer::Searched(report) => match report.solution {
                    Some(solution) if solution.is_optimal() => {
                        Shortest::Proven(solution.len() as Depth)
                    }
                    found => Shortest::Between {
                        at_least: report.lower_bound,
                        at_most: found.map(|solution| solution.len() as Depth),
                    },
                },
            },
            Err(_) => Shortest::Between { at_least: 0, at_most: None },
        };
        Ok(self.shortest[index].insert(found).clone())
    }
}

/// An error that names a move as the student did, who may have said where a tile goes.
fn as_written(error: CheckError, reading: Reading) -> CheckError {
    match error {
        CheckError::IllegalMove { index, name, why } if reading == Reading::Tile => {
            let opposite = |way: &str| match way {
                "Up" => Some("Down"),
                "Down" => Some("Up"),
                "Left" => Some("Right"),
                "Right" => Some("Left"),
                _ => None,
            };
            let name = opposite(&name).map_or(name.clone(), str::to_owned);
            CheckError::IllegalMove { index, name, why }
        }
        error => error,
    }
}

/// Whether a text says that there is no solution.
fn says_unsolvable(text: &str) -> bool {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).collect();
    UNSOLVABLE.contains(&words.join(" ").to_ascii_lowercase().as_str())
}

/// The way in which moves are likely meant: letters with numbers are the players' short form, in
/// which a tile moves.
fn likely_reading(rules: &Rules, moves: &str) -> Reading {
    let numbers = moves.contains(|c: char| c.is_ascii_digit());
    if numbers && matches!(rules, Rules::Sliding(_)) { Reading::Tile } else { Reading::Blank }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_is_judged_by_what_is_known_of_the_shortest() {
        let judged = |length, shortest| {
            let grade = Grade {
                student: String::new(),
                location: Location { file: String::new(), line: None, column: None },
                board: None,
                puzzle: None,
                length: Some(length),
                reading: None,
                misstated: None,
                shortest: Some(shortest),
                fault: None,
            };
            (grade.verdict(), grade.excess(), grade.shorter_length())
        };
        let between = |at_least, at_most| Shortest::Between { at_least, at_most };
        assert_eq!(judged(9, Shortest::Proven(7)), (Verdict::Longer, Some(2), None));
        assert_eq!(judged(7, between(7, None)), (Verdict::Shortest, Some(0), None));
        assert_eq!(judged(9, between(5, None)), (Verdict::Solves, None, None));
        // A solution of ours that is not proven shortest is as good, or better.
        assert_eq!(judged(8, between(5, Some(8))), (Verdict::Solves, None, None));
        assert_eq!(judged(7, between(5, Some(8))), (Verdict::Solves, None, None));
        assert_eq!(judged(9, between(5, Some(8))), (Verdict::Longer, None, Some(8)));
    }
}
