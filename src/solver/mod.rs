//! From a board to a checked answer: which search with which heuristic and table.
//!
//! A [`Solver`] belongs to one puzzle and one goal, keeps the tables that it has built,
//! and never hands out a solution that the independent checker has not replayed.

mod auto;

use crate::board::Board;
use crate::board::check::{self, CheckError};
use crate::heuristic::registry::{self, Built, HeuristicVisitor};
use crate::heuristic::{Heuristic, Registered, circular_manhattan, manhattan};
use crate::puzzle::arch::Simd;
use crate::puzzle::{AnyPuzzle, EncodeError, Frame, Goal, Puzzle, PuzzleVisitor, Unsolvable};
use crate::puzzle::{Definition, GoalError};
use crate::search::registry as algorithms;
use crate::search::{Limits, Observer, Outcome, Settings, Task};
use std::any::Any;
use std::sync::{Mutex, OnceLock};

/// The algorithm that chooses for the puzzle at hand.
pub const AUTO: &str = "auto";

/// What `auto` does, in one line.
pub const AUTO_SUMMARY: &str =
    "chooses for the puzzle: IDA*, with exact distances near the goal once a board proves hard";

/// What a search is asked to do.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The name of an algorithm, or [`AUTO`].
    pub algorithm: &'a str,
    /// The name of a heuristic; the puzzle's own first choice if not given.
    pub heuristic: Option<&'a str>,
    /// When to give up.
    pub limits: Limits<'a>,
    /// What else the user may choose.
    pub settings: Settings,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Request {
            algorithm: AUTO,
            heuristic: None,
            limits: Limits::default(),
            settings: Settings::default(),
        }
    }
}

/// What came of a request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A search was run.
    Searched(Found),
    /// No sequence of moves solves the board.
    Unsolvable(Unsolvable),
}

/// The outcome of a search, and what was searched with.
#[derive(Clone, Debug)]
pub struct Found {
    /// What the search found out; a solution in it has been replayed by the checker.
    pub outcome: Outcome,
    /// The algorithm that was run.
    pub algorithm: &'static str,
    /// The heuristic that it was run with, if it takes one.
    pub heuristic: Option<String>,
    /// How many threads it used.
    pub threads: usize,
}

/// Why a request cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Not a board of this puzzle.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// No such algorithm.
    #[error("there is no algorithm \"{name}\": `permutile algorithms` lists them")]
    UnknownAlgorithm {
        /// What was asked for.
        name: String,
    },
    /// No such heuristic.
    #[error("there is no heuristic \"{name}\": `permutile heuristics` lists them")]
    UnknownHeuristic {
        /// What was asked for.
        name: String,
    },
    /// The heuristic is not for this puzzle.
    #[error(
        "the heuristic {name} does not apply to {puzzle}: `permutile heuristics` says which do"
    )]
    Inapplicable {
        /// The heuristic.
        name: String,
        /// The puzzle.
        puzzle: String,
    },
    /// The checker does not accept what the search found: a fault of this program.
    #[error("internal error: the checker rejected a solution of {board}: {error}")]
    Rejected {
        /// The board.
        board: Board,
        /// What the checker says.
        error: CheckError,
    },
}

/// Solves boards of one puzzle towards one goal.
pub struct Solver {
    puzzle: AnyPuzzle,
    simd: Simd,
    heuristics: Built,
    /// The ball around the goal, of the type that belongs to the engine.
    ball: OnceLock<Box<dyn Any + Send + Sync>>,
    /// Locked by whoever builds the ball.
    building: Mutex<()>,
}

impl Solver {
    /// Prepares a puzzle and a goal. Tables are built when they are first needed.
    ///
    /// # Errors
    /// If the goal is not a board of the puzzle.
    pub fn new(definition: Definition, goal: Goal, simd: Simd) -> Result<Solver, GoalError> {
        Ok(Solver {
            puzzle: AnyPuzzle::new(definition, goal, simd)?,
            simd,
            heuristics: Built::default(),
            ball: OnceLock::new(),
            building: Mutex::new(()),
        })
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &AnyPuzzle {
        &self.puzzle
    }

    /// The puzzle apart from its packing.
    pub fn frame(&self) -> &Frame {
        self.puzzle.frame()
    }

    /// Solves a board.
    ///
    /// # Errors
    /// If the board or the heuristic does not fit the puzzle, or if the checker rejects
    /// what was found.
    pub fn solve(
        &self,
        board: &Board,
        request: &Request<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer, SolveError> {
        let labels = self.frame().encode(board)?;
        if let Err(reason) = self.frame().check_solvable(&labels) {
            return Ok(Answer::Unsolvable(reason));
        }
        let algorithm = algorithm_of(request)?;
        let heuristic = self.heuristic_of(request)?;
        let run = Run { solver: self, labels: &labels, request, algorithm, heuristic, observer };
        let mut found = self.puzzle.visit(run);
        let promise = registry::find(heuristic).and_then(|entry| (entry.promise)(self.frame()));
        // What a guided search says of bounds rests on its heuristic.
        let guided = algorithm.is_none_or(|entry| entry.guided);
        if guided && !promise.is_some_and(|promise| promise.admissible) {
            found.outcome.lower_bound = 0;
            found.outcome.solution.iter_mut().for_each(|solution| solution.optimal = false);
        }
        if let Some(solution) = &found.outcome.solution {
            let names: Vec<&str> = self.names(&solution.moves);
            check::verify(self.frame().rules(), board, &names, self.frame().goal())
                .map_err(|error| SolveError::Rejected { board: board.clone(), error })?;
        }
        Ok(Answer::Searched(found))
    }

    /// The names of moves.
    pub fn names(&self, moves: &[crate::puzzle::Move]) -> Vec<&str> {
        moves.iter().map(|&m| self.frame().moves().name(m)).collect()
    }

    fn heuristic_of(&self, request: &Request<'_>) -> Result<&'static str, SolveError> {
        let frame = self.frame();
        let Some(name) = request.heuristic else {
            let first_choice = if frame.blank_label().is_some() {
                manhattan::Manhattan::NAME
            } else {
                circular_manhattan::CircularManhattan::NAME
            };
            return Ok(first_choice);
        };
        let entry = registry::find(name)
            .ok_or_else(|| SolveError::UnknownHeuristic { name: name.to_owned() })?;
        match (entry.promise)(frame) {
            Some(_) => Ok(entry.name),
            None => Err(SolveError::Inapplicable {
                name: name.to_owned(),
                puzzle: frame.id().to_owned(),
            }),
        }
    }
}

/// The row of the algorithm asked for; `None` for `auto`.
fn algorithm_of(request: &Request<'_>) -> Result<Option<&'static algorithms::Entry>, SolveError> {
    if request.algorithm == AUTO {
        return Ok(None);
    }
    let entry = algorithms::find(request.algorithm);
    let unknown = || SolveError::UnknownAlgorithm { name: request.algorithm.to_owned() };
    entry.map(Some).ok_or_else(unknown)
}

/// One request, on its way to the engine and the heuristic.
struct Run<'a> {
    solver: &'a Solver,
    labels: &'a [u8],
    request: &'a Request<'a>,
    algorithm: Option<&'static algorithms::Entry>,
    heuristic: &'static str,
    observer: &'a mut dyn Observer,
}

impl PuzzleVisitor for Run<'_> {
    type Output = Found;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Found {
        match self.algorithm {
            Some(entry) if !entry.guided => {
                let task = task(self.request, self.labels, puzzle);
                let outcome = algorithms::run_blind(entry.name, &task, self.observer);
                found(outcome, entry, None, self.request)
            }
            _ => registry::visit(self.heuristic, puzzle, &self.solver.heuristics, self)
                .expect("the heuristic was found to apply"),
        }
    }
}

impl<P: Puzzle> HeuristicVisitor<P> for Run<'_> {
    type Output = Found;

    fn visit<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) -> Found {
        let task = task(self.request, self.labels, puzzle);
        match self.algorithm {
            Some(entry) => {
                let outcome = algorithms::run_guided(entry.name, &task, heuristic, self.observer);
                found(outcome, entry, Some(self.heuristic.to_owned()), self.request)
            }
            None => auto::solve(self, &task, heuristic),
        }
    }
}

fn task<'a, P: Puzzle>(request: &'a Request<'a>, labels: &[u8], puzzle: &'a P) -> Task<'a, P> {
    Task {
        puzzle,
        start: puzzle.state_of(labels),
        at_least: 0,
        limits: request.limits,
        settings: &request.settings,
    }
}

fn found(
    outcome: Option<Outcome>,
    entry: &'static algorithms::Entry,
    heuristic: Option<String>,
    request: &Request<'_>,
) -> Found {
    Found {
        outcome: outcome.expect("the row is one of the registry's"),
        algorithm: entry.name,
        heuristic,
        threads: if entry.parallel { request.settings.threads } else { 1 },
    }
}
