//! Solvers for boards of mixed puzzles: each is made once and kept with its tables.

use super::input::{self, InputError};
use crate::board::{Board, Shape};
use crate::heuristic::formula::Formula;
use crate::once_list::OnceList;
use crate::puzzle::arch::Simd;
use crate::puzzle::custom;
use crate::puzzle::registry::{self, IdError};
use crate::puzzle::{Definition, Goal, GoalError};
use crate::search::{HeuristicKind, UnknownHeuristic};
use crate::solver::{NameTaken, Solver};
use crate::table::cache::Cache;
use crate::toml_text::TomlError;
use std::path::Path;

/// Why there is no such puzzle.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError {
    /// There is no puzzle with this id.
    #[error(transparent)]
    Id(#[from] IdError),
    /// The file of a custom puzzle cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file does not define a puzzle.
    #[error(transparent)]
    Custom(#[from] TomlError),
    /// The goal is not one of this puzzle.
    #[error(transparent)]
    Goal(#[from] GoalError),
}

/// Why there is no such heuristic.
#[derive(Debug, thiserror::Error)]
pub enum HeuristicFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file does not define a heuristic.
    #[error(transparent)]
    Formula(#[from] TomlError),
}

/// The puzzle of an id, or of the path of a `.toml` file.
///
/// # Errors
/// If there is none.
pub fn load_definition(id: &str) -> Result<Definition, PuzzleError> {
    if Path::new(id).extension().is_none_or(|extension| extension != "toml") {
        return Ok(registry::define(id)?);
    }
    Ok(custom::define(id, &input::read_text(Path::new(id))?)?)
}

/// The heuristic of a `.toml` file.
///
/// # Errors
/// If there is none.
pub fn load_heuristic(path: &Path) -> Result<HeuristicKind, HeuristicFileError> {
    let text = input::read_text(path)?;
    Ok(HeuristicKind::from_formula(Formula::parse(&path.to_string_lossy(), &text)?))
}

/// The solvers in use.
pub struct Solvers {
    /// The puzzle that all boards belong to, if the user said so.
    definition: Option<Definition>,
    goal: Goal,
    simd: Simd,
    /// The user-defined heuristics.
    heuristics: Vec<HeuristicKind>,
    /// Where tables are cached.
    cache: Option<Cache>,
    made: OnceList<Made>,
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
    /// For boards of `puzzle`, or of the puzzle inferred from each.
    ///
    /// # Errors
    /// If there is no such puzzle.
    pub fn new(puzzle: Option<&str>, goal: Goal, simd: Simd) -> Result<Solvers, PuzzleError> {
        Ok(Solvers::of(puzzle.map(load_definition).transpose()?, goal, simd))
    }

    /// As [`new`](Solvers::new), for a puzzle that is loaded already.
    pub fn of(definition: Option<Definition>, goal: Goal, simd: Simd) -> Solvers {
        let (heuristics, cache, made) = (Vec::new(), None, OnceList::default());
        Solvers { definition, goal, simd, heuristics, cache, made }
    }

    /// Lets the solvers made from now on look for tables in a cache, and store them there.
    pub fn use_cache(&mut self, cache: Cache) {
        self.cache = Some(cache);
    }

    /// Adds a user-defined heuristic to those that can be found by name.
    ///
    /// # Errors
    /// If there is one of that name.
    pub fn add(&mut self, kind: HeuristicKind) -> Result<(), NameTaken> {
        if self.heuristic(kind.name()).is_ok() {
            return Err(NameTaken { name: kind.name().to_owned() });
        }
        self.heuristics.push(kind);
        Ok(())
    }

    /// The heuristic of a name, built-in or added.
    ///
    /// # Errors
    /// If there is none.
    pub fn heuristic(&self, name: &str) -> Result<HeuristicKind, UnknownHeuristic> {
        match self.heuristics.iter().find(|kind| kind.name() == name) {
            Some(kind) => Ok(kind.clone()),
            None => name.parse(),
        }
    }

    /// The puzzle that all boards belong to, if the user named one.
    pub fn definition(&self) -> Option<&Definition> {
        self.definition.as_ref()
    }

    /// The arrangement to reach.
    pub fn goal(&self) -> &Goal {
        &self.goal
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
            let mut solver = Solver::new(definition, self.goal.clone(), self.simd)?;
            for kind in &self.heuristics {
                solver.add(kind.clone()).expect("each has a name of its own");
            }
            self.cache.iter().for_each(|cache| solver.use_cache(cache.clone()));
            Ok(Made { looks, solver })
        };
        self.made.find_or_try_make(is_for_these, make).map(|made| &made.solver)
    }
}
