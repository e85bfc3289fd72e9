//! Solvers for boards of mixed puzzles: each is made once and kept with its tables.

use super::input::{self, InputError};
use crate::board::{Board, Shape};
use crate::puzzle::arch::Simd;
use crate::puzzle::custom::{self, CustomError};
use crate::puzzle::registry::{self, IdError};
use crate::puzzle::{Definition, Goal, GoalError};
use crate::solver::Solver;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

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
    made: RwLock<Vec<Arc<Solver>>>,
}

impl Solvers {
    /// For boards of `puzzle`, or of whatever they look like.
    ///
    /// # Errors
    /// If there is no such puzzle.
    pub fn new(puzzle: Option<&str>, goal: Goal, simd: Simd) -> Result<Solvers, PuzzleError> {
        let definition = puzzle.map(load_definition).transpose()?;
        Ok(Solvers { definition, goal, simd, made: RwLock::default() })
    }

    /// The shape of the puzzle that all boards belong to, if the user named one.
    pub fn shape(&self) -> Option<Shape> {
        self.definition.as_ref().map(|definition| definition.shape)
    }

    /// The solver for a board.
    ///
    /// # Errors
    /// If no puzzle has boards like this one, or the goal is not for it.
    pub fn for_board(&self, board: &Board) -> Result<Arc<Solver>, PuzzleError> {
        let inferred = match &self.definition {
            Some(_) => None,
            None => Some(registry::infer(board)?),
        };
        let definition = inferred.as_ref().or(self.definition.as_ref()).expect("one of the two");
        let of_this_puzzle = |made: &[Arc<Solver>]| {
            made.iter().find(|solver| solver.frame().id() == definition.id).cloned()
        };
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(solver) = of_this_puzzle(&made) {
            return Ok(solver);
        }
        drop(made);
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been quicker.
        if let Some(solver) = of_this_puzzle(&made) {
            return Ok(solver);
        }
        let solver = Arc::new(Solver::new(definition.clone(), self.goal.clone(), self.simd)?);
        made.push(Arc::clone(&solver));
        Ok(solver)
    }
}
