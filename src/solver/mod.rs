//! From a board to a checked answer: which search with which heuristic and table.
//!
//! A [`Solver`] belongs to one puzzle and one goal, keeps the tables that it has built,
//! and never hands out a solution that the independent checker has not replayed.

mod auto;

use crate::board::Board;
use crate::board::check::{self, CheckError};
use crate::heuristic::registry::{self, HeuristicVisitor};
use crate::heuristic::{Heuristic, Registered, circular_manhattan, manhattan};
use crate::puzzle::arch::Simd;
use crate::puzzle::{AnyPuzzle, EncodeError, Frame, Goal, Puzzle, PuzzleVisitor, Unsolvable};
use crate::puzzle::{Definition, GoalError};
use crate::search::{Limits, Observer, Outcome, ida};
use std::any::Any;
use std::sync::OnceLock;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Whatever answers best on the puzzle at hand.
    #[default]
    Auto,
    /// Iterative-deepening A*.
    Ida,
}

impl Algorithm {
    /// All algorithms with their names and what they are.
    pub const ALL: &[(Algorithm, &str, &str)] = &[
        (
            Algorithm::Auto,
            "auto",
            "chooses for the puzzle: IDA*, with exact distances near the goal once a board proves hard",
        ),
        (
            Algorithm::Ida,
            "ida",
            "iterative-deepening A*: shortest solutions with an admissible heuristic, no memory",
        ),
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        let row = Algorithm::ALL.iter().find(|row| row.0 == self);
        row.expect("each algorithm has a row").1
    }
}

/// What a search is asked to do.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// How to search.
    pub algorithm: Algorithm,
    /// The name of a heuristic; the puzzle's own first choice if not given.
    pub heuristic: Option<&'a str>,
    /// When to give up.
    pub limits: Limits<'a>,
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
    /// The heuristic that it was run with.
    pub heuristic: String,
    /// How many threads it used.
    pub threads: usize,
}

/// Why a request cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Not a board of this puzzle.
    #[error(transparent)]
    Encode(#[from] EncodeError),
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
    /// The ball around the goal, of the type that belongs to the engine.
    ball: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Solver {
    /// Prepares a puzzle and a goal. Tables are built when they are first needed.
    ///
    /// # Errors
    /// If the goal is not a board of the puzzle.
    pub fn new(definition: Definition, goal: Goal, simd: Simd) -> Result<Solver, GoalError> {
        Ok(Solver { puzzle: AnyPuzzle::new(definition, goal, simd)?, simd, ball: OnceLock::new() })
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
        let heuristic = self.heuristic_of(request)?;
        let run = Run { solver: self, labels: &labels, request, heuristic, observer };
        let found = self.puzzle.visit(run);
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

/// One request, on its way to the engine and the heuristic.
struct Run<'a> {
    solver: &'a Solver,
    labels: &'a [u8],
    request: &'a Request<'a>,
    heuristic: &'static str,
    observer: &'a mut dyn Observer,
}

impl PuzzleVisitor for Run<'_> {
    type Output = Found;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Found {
        let heuristic = self.heuristic;
        registry::visit(heuristic, puzzle, self).expect("the heuristic was found to apply")
    }
}

impl<P: Puzzle> HeuristicVisitor<P> for Run<'_> {
    type Output = Found;

    fn visit<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) -> Found {
        let start = puzzle.state_of(self.labels);
        match self.request.algorithm {
            Algorithm::Ida => Found {
                outcome: ida::search(
                    puzzle,
                    start,
                    heuristic,
                    0,
                    &self.request.limits,
                    self.observer,
                ),
                algorithm: Algorithm::Ida.name(),
                heuristic: self.heuristic.to_owned(),
                threads: 1,
            },
            Algorithm::Auto => auto::solve(self, puzzle, start, heuristic),
        }
    }
}
