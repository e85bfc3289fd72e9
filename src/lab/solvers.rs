//! Solvers for boards of mixed puzzles: each is made once and kept with its tables.

use super::input::{self, InputError};
use crate::board::{Board, Shape};
use crate::puzzle::arch::Simd;
use crate::puzzle::custom::{self, CustomError};
use crate::puzzle::registry::{self, IdError};
use crate::puzzle::{Definition, Goal, GoalError};
use crate::shelf::Shelf;
use crate::solver::Solver;
use std::path::Path;

/// Why there is no such puzzle.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// The id names none.
    #[error(transparent)]
    Id(#[from] IdError),
    /// The file of a custom puzzle cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It is not UTF-8.
    #[error("{0}: the file is not UTF-8 text")]
    NotUtf8(String),
    /// It is not a puzzle.
    #[error(transparent)]
    Custom(#[from] CustomError),
    /// The goal is not one of this puzzle.
    #[error(transparent)]
    Goal(#[from] GoalError),
}

/// The puzzle of an id, or of the path of a `.toml` file.
///
/// # Errors
/// If there is none.
pub fn load_definition(id: &str) -> Result<Definition, PuzzleError> {
    if Path::new(id).extension().is_none_or(|extension| extension != "toml") {
        return Ok(registry::define(id)?);
    }
    let bytes = input::read_file(Path::new(id))?;
    let text = String::from_utf8(bytes).map_err(|_| PuzzleError::NotUtf8(id.to_owned()))?;
    Ok(custom::define(id, &text)?)
}

/// The solvers in use.
pub struct Solvers {
    /// The puzzle that all boards belong to, if the user said so.
    definition: Option<Definition>,
    goal: Goal,
    simd: Simd,
    made: Shelf<Made>,
}

/// A solver, and what the boards look like for which it is used: working out again for each
/// which puzzle it is of would take longer than solving an easy one.
struct Made {
    looks: Looks,
    solver: Solver,
}

/// The shape of a board, and whether it has a blank.
type Looks = (Shape, bool);

impl Solvers {
    /// For boards of `puzzle`, or of whatever they look like.
    ///
    /// # Errors
    /// If there is no such puzzle.
    pub fn new(puzzle: Option<&str>, goal: Goal, simd: Simd) -> Result<Solvers, PuzzleError> {
        let definition = puzzle.map(load_definition).transpose()?;
        Ok(Solvers { definition, goal, simd, made: Shelf::default() })
    }

    /// The shape of the puzzle that all boards belong to, if the user named one.
    pub fn shape(&self) -> Option<Shape> {
        self.definition.as_ref().map(|definition| definition.shape)
    }

    /// The solver for a board.
    ///
    /// # Errors
    /// If no puzzle has boards like this one, or the goal is not for it.
    pub fn for_board(&self, board: &Board) -> Result<&Solver, PuzzleError> {
        let looks = (board.shape(), board.blank().is_some());
        // A solver refuses boards that are not of its puzzle.
        let is_for_these = |made: &Made| self.definition.is_some() || made.looks == looks;
        let make = || {
            let definition = match &self.definition {
                Some(definition) => definition.clone(),
                None => registry::infer(board)?,
            };
            let solver = Solver::new(definition, self.goal.clone(), self.simd)?;
            Ok(Made { looks, solver })
        };
        self.made.find_or_make(is_for_these, make).map(|made| &made.solver)
    }
}
