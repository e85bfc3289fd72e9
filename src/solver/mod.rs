//! From a board to a checked answer: which search with which heuristic and table.
//!
//! A [`Solver`] belongs to one puzzle and one goal, keeps the tables that it has built,
//! and never hands out a solution that the independent checker has not replayed. It touches no
//! file, unless it is given a [`Cache`] to keep tables in.

mod auto;
mod databases;
mod either_end;
mod every;
mod guide;
mod near;

pub use guide::{Guide, OnEveryEngine};
pub use near::{Prepared, TableSize, Unprepared};

use crate::board::Board;
use crate::board::check::{self, CheckError};
use crate::heuristic::appraiser::Appraiser;
use crate::heuristic::registry::{Built, HeuristicVisitor};
use crate::heuristic::{Heuristic, Promise, Registered, circular_manhattan, manhattan};
use crate::puzzle::arch::Simd;
use crate::puzzle::{AnyPuzzle, EncodeError, Frame, Goal, Puzzle, PuzzleVisitor, Unsolvable};
use crate::puzzle::{Definition, Depth, GoalError};
use crate::search::ida::Ida;
use crate::search::registry as algorithms;
use crate::search::{Described, Limits, Observer, Outcome, Settings, Statistics, StopReason, Task};
use crate::table::cache::Cache;
use guide::Ask;
use std::any::Any;
use std::sync::{Mutex, OnceLock};

/// The algorithm that chooses for the puzzle at hand.
pub const AUTO: &str = "auto";

/// What `auto` does, in one line.
pub const AUTO_SUMMARY: &str = "chooses for the puzzle: IDA*, with tables of the boards near the goal or pattern databases once a board proves hard";

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
    #[error("the heuristic {name} does not apply to {puzzle}: {reason}")]
    Inapplicable {
        /// The heuristic.
        name: String,
        /// The puzzle.
        puzzle: String,
        /// Why not.
        reason: String,
    },
    /// The heuristic does not know the goal, so that no search would recognise it.
    #[error(
        "the heuristic {name} says {estimate} at the goal of {puzzle}, where it has to say 0 to \
         guide a search"
    )]
    NotZeroAtGoal {
        /// The heuristic.
        name: String,
        /// The puzzle.
        puzzle: String,
        /// What it says.
        estimate: Depth,
    },
    /// A setting does not fit the puzzle.
    #[error("{error}")]
    Setting {
        /// What is wrong with it.
        error: String,
    },
    /// There is a heuristic of that name already.
    #[error("there is a heuristic \"{name}\" already: choose another name")]
    NameTaken {
        /// The name.
        name: String,
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
    /// The heuristics that are not registered.
    added: Vec<Guide>,
    heuristics: Built,
    /// Where tables are kept.
    cache: Option<Cache>,
    /// The table that `auto` searches with, of the type that belongs to the engine.
    near: OnceLock<Box<dyn Any + Send + Sync>>,
    /// Locked by whoever builds that.
    building: Mutex<()>,
}

impl Solver {
    /// Prepares a puzzle and a goal. Tables are built when they are first needed.
    ///
    /// # Errors
    /// If the goal is not a board of the puzzle.
    pub fn new(definition: Definition, goal: Goal, simd: Simd) -> Result<Solver, GoalError> {
        Solver::with_guides(definition, goal, simd, Vec::new())
    }

    /// The same, with heuristics that are not registered, each of a different name.
    pub(crate) fn with_guides(
        definition: Definition,
        goal: Goal,
        simd: Simd,
        added: Vec<Guide>,
    ) -> Result<Solver, GoalError> {
        Ok(Solver {
            puzzle: AnyPuzzle::new(definition, goal, simd)?,
            simd,
            added,
            heuristics: Built::default(),
            cache: None,
            near: OnceLock::new(),
            building: Mutex::new(()),
        })
    }

    /// Makes a heuristic known that is not registered.
    ///
    /// # Errors
    /// If there is one of that name.
    pub fn add(&mut self, guide: Guide) -> Result<(), SolveError> {
        guide.check_name(&self.added)?;
        self.added.push(guide);
        Ok(())
    }

    /// From now on, tables are looked for in a cache, and kept there.
    pub fn use_cache(&mut self, cache: Cache) {
        self.cache = Some(cache);
    }

    /// Makes the tables with which `auto` solves boards of this puzzle, unless they are in the
    /// cache.
    ///
    /// # Errors
    /// If there is no such table, or if a limit is hit.
    pub fn prepare(
        &self,
        cache: &Cache,
        size: TableSize,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Prepared>, Unprepared> {
        self.puzzle.visit(near::Prepare { solver: self, cache, size, limits, observer })
    }

    /// The heuristic of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn guide(&self, name: &str) -> Result<Guide, SolveError> {
        let unknown = || SolveError::UnknownHeuristic { name: name.to_owned() };
        Guide::find(name, &self.added).ok_or_else(unknown)
    }

    /// All heuristics that need no large tables, whether they apply or not.
    pub fn guides(&self) -> impl Iterator<Item = Guide> {
        let quick = Guide::registered().filter(|guide| !guide.is_large());
        quick.chain(self.added.iter().cloned())
    }

    /// What a heuristic promises here.
    ///
    /// # Errors
    /// If it does not apply.
    pub fn promise(&self, guide: &Guide) -> Result<Promise, SolveError> {
        let promise = guide.promise_kept_in(&self.heuristics, self.frame());
        promise.map_err(|reason| SolveError::Inapplicable {
            name: guide.name().to_owned(),
            puzzle: self.frame().id().to_owned(),
            reason,
        })
    }

    /// What `ask` finds out about boards from a heuristic.
    ///
    /// # Errors
    /// If the heuristic does not apply.
    pub fn appraise<T>(
        &self,
        guide: &Guide,
        ask: impl FnOnce(&dyn Appraiser) -> T,
    ) -> Result<T, SolveError> {
        self.promise(guide)?;
        let (mut ask, mut answer) = (Some(ask), None);
        let mut once = |appraiser: &dyn Appraiser| {
            answer = ask.take().map(|ask| ask(appraiser));
        };
        guide.appraise(&self.puzzle, &self.heuristics, Ask(&mut once));
        Ok(answer.expect("it applies, as it says"))
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
        let (heuristic, promise) = self.heuristic_of(request)?;
        let guided = algorithm.is_none_or(|entry| entry.guided);
        let name = heuristic.name();
        let run =
            Run { solver: self, labels: &labels, request, algorithm, heuristic: name, observer };
        let mut found = if guided {
            heuristic.search(&self.puzzle, run).expect("the heuristic was found to apply")
        } else {
            self.puzzle.visit(run)
        };
        // What a guided search says of bounds rests on its heuristic.
        if guided && !promise.admissible {
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

    /// The heuristic to search with, and what it promises.
    fn heuristic_of(&self, request: &Request<'_>) -> Result<(Guide, Promise), SolveError> {
        let first_choice = if self.frame().blank_label().is_some() {
            manhattan::Manhattan::NAME
        } else {
            circular_manhattan::CircularManhattan::NAME
        };
        let guide = self.guide(request.heuristic.unwrap_or(first_choice))?;
        let promise = self.promise(&guide)?;
        if !guide.is_known_at_goal() {
            let goal = self.frame().encode(self.frame().goal())?;
            let estimate = self.appraise(&guide, |appraiser| appraiser.estimate(&goal))?;
            if estimate != 0 {
                let (name, puzzle) = (guide.name().to_owned(), self.frame().id().to_owned());
                return Err(SolveError::NotZeroAtGoal { name, puzzle, estimate });
            }
        }
        Ok((guide, promise))
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
pub(crate) struct Run<'a> {
    solver: &'a Solver,
    labels: &'a [u8],
    request: &'a Request<'a>,
    algorithm: Option<&'static algorithms::Entry>,
    heuristic: &'a str,
    observer: &'a mut dyn Observer,
}

impl Run<'_> {
    /// What came of it, if a limit was hit before the search could begin.
    fn stopped(self, stop: StopReason) -> Found {
        let statistics = Statistics::default();
        Found {
            outcome: Outcome { solution: None, lower_bound: 0, stop: Some(stop), statistics },
            algorithm: self.algorithm.map_or(Ida::NAME, |entry| entry.name),
            heuristic: Some(self.heuristic.to_owned()),
            threads: 1,
        }
    }
}

impl PuzzleVisitor for Run<'_> {
    type Output = Found;

    /// Runs a blind search.
    fn visit<P: Puzzle>(self, puzzle: &P) -> Found {
        let entry = self.algorithm.expect("auto is guided");
        let task = task(self.request, self.labels, puzzle);
        let outcome = algorithms::run_blind(entry.name, &task, self.observer);
        found(outcome, entry, None, self.request)
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
