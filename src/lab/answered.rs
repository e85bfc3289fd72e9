//! From an item of the input to its record.

use super::input::{InputError, Item};
use super::record::{Record, Status};
use super::solvers::{PuzzleError, Solvers};
use crate::board::text::Entry;
use crate::search::{Observer, SearchOptions};
use crate::solver::{InternalError, RequestError, SolveError, Solver};
use std::time::Instant;

/// The result for one item of the input.
pub enum Answered<'a> {
    /// It was not searched.
    Refused {
        /// The record, which says why.
        record: Record,
        /// Why not.
        refusal: Refusal,
    },
    /// The solver has answered: with what a search found, or that there is no solution.
    Searched {
        /// The record.
        record: Record,
        /// The board.
        entry: Entry,
        /// The solver that was used.
        solver: &'a Solver,
    },
}

/// Why an item was not searched.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It could not be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It fits no puzzle, or not the one that was named.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// The options cannot be used with this puzzle.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Its solution could not be written in the form that is asked for.
    #[error("the short notation is for sliding puzzles")]
    NoShortForm,
}

impl<'a> Answered<'a> {
    /// Solves a board, or says why not.
    ///
    /// # Errors
    /// If the checker rejects what was found.
    pub fn new(
        item: Item,
        solvers: &'a Solvers,
        options: &SearchOptions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answered<'a>, InternalError> {
        let Item { name, entry } = item;
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let record = Record::unreadable(name, &error);
                return Ok(Answered::Refused { record, refusal: error.into() });
            }
        };
        let solver = match solvers.for_board(&entry.board) {
            Ok(solver) => solver,
            Err(error) => {
                let record = Record::invalid(name, error.to_string());
                return Ok(Answered::Refused { record, refusal: error.into() });
            }
        };
        let began = Instant::now();
        match solver.solve(&entry.board, options, observer) {
            Ok(answer) => {
                let seconds = began.elapsed().as_secs_f64();
                let mut record = Record::from_answer(name, &entry, solver, answer, seconds);
                if options.count_goal && record.status == Status::Solved {
                    record.expanded += 1;
                }
                Ok(Answered::Searched { record, entry, solver })
            }
            Err(SolveError::Request(error)) => {
                Ok(Answered::refused(name, &entry, solver, error.into()))
            }
            Err(SolveError::Internal(error)) => Err(error),
        }
    }

    /// The refusal of a board for which the options cannot be used.
    pub fn refused(name: String, entry: &Entry, solver: &Solver, refusal: Refusal) -> Self {
        let record = Record::misfit(name, entry, solver.frame(), refusal.to_string());
        Answered::Refused { record, refusal }
    }
}
