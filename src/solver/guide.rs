//! Heuristics that a solver can be told to search with: the registered ones, those that users
//! wrote down in files, pattern databases of their own partitions, and those of other crates.
//!
//! A heuristic of another crate is compiled there for each engine and algorithm, as ours are
//! here. What is decided at run time is which of them a whole search is run with; inside it
//! nothing is.

mod own_databases;

use super::{Found, Run, SolveError};
use crate::board::MAX_CELLS;
use crate::heuristic::appraiser::{Appraiser, On};
use crate::heuristic::formula::Formula;
use crate::heuristic::own_patterns::OwnPatterns;
use crate::heuristic::registry::{self, Built, Entry, HEURISTICS, HeuristicVisitor, visit_one};
use crate::heuristic::{Heuristic, Promise, Registered, TileSum};
use crate::puzzle::packed::{Nibbles, Quints, Wide};
use crate::puzzle::registry::on_engine;
use crate::puzzle::{AnyPuzzle, Frame, Permuting, Puzzle, Sliding};
use own_databases::OwnDatabases;
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A heuristic to search with.
#[derive(Clone)]
pub struct Guide(Kind);

#[derive(Clone)]
enum Kind {
    Registered(&'static Entry),
    Databases(Arc<OwnDatabases>),
    Added(Arc<dyn Lead>),
}

impl fmt::Debug for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Guide").field(&self.name()).finish()
    }
}

impl Guide {
    /// The registered heuristic of that name.
    pub fn named(name: &str) -> Option<Guide> {
        registry::find(name).map(|entry| Guide(Kind::Registered(entry)))
    }

    /// All registered heuristics.
    pub fn registered() -> impl Iterator<Item = Guide> {
        HEURISTICS.iter().map(|entry| Guide(Kind::Registered(entry)))
    }

    /// The heuristic of that name, registered or added.
    pub fn find(name: &str, added: &[Guide]) -> Option<Guide> {
        let is_it = |guide: &&Guide| guide.name() == name;
        added.iter().find(is_it).cloned().or_else(|| Guide::named(name))
    }

    /// Whether it can be told from all others by its name.
    ///
    /// # Errors
    /// If not.
    pub(crate) fn check_name(&self, others: &[Guide]) -> Result<(), SolveError> {
        match Guide::find(self.name(), others) {
            None => Ok(()),
            Some(_) => Err(SolveError::NameTaken { name: self.name().to_owned() }),
        }
    }

    /// Whether it is registered with tables that take more than a second or so to build.
    pub fn is_large(&self) -> bool {
        matches!(self.0, Kind::Registered(entry) if entry.large)
    }

    /// A heuristic from a file.
    pub fn of_formula(formula: Formula) -> Guide {
        Guide(Kind::Added(Arc::new(formula)))
    }

    /// Pattern databases of a partition of one's own; they do not apply where making their tables
    /// takes more than so many bytes.
    pub fn of_patterns(patterns: OwnPatterns, most_bytes: u64) -> Guide {
        Guide(Kind::Databases(Arc::new(OwnDatabases { patterns, most_bytes })))
    }

    /// A heuristic of another crate.
    pub fn of<R: Registered<Estimator: OnEveryEngine> + 'static>() -> Guide {
        Guide(Kind::Added(Arc::new(Compiled::<R>(PhantomData))))
    }

    fn lead(&self) -> &dyn Lead {
        match &self.0 {
            Kind::Registered(entry) => *entry,
            Kind::Databases(databases) => &**databases,
            Kind::Added(added) => &**added,
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        self.lead().name()
    }

    /// What it is, in one line.
    pub fn summary(&self) -> &str {
        self.lead().summary()
    }

    /// What it promises on a puzzle.
    ///
    /// # Errors
    /// If it does not apply there, with the reason.
    pub fn promise(&self, frame: &Frame) -> Result<Promise, String> {
        self.promise_kept_in(&Built::default(), frame)
    }

    /// The same, with what had to be built for it kept.
    pub(super) fn promise_kept_in(&self, built: &Built, frame: &Frame) -> Result<Promise, String> {
        self.lead().promise(built, frame)
    }

    /// Whether it is one of this crate's.
    pub(crate) fn is_registered(&self) -> bool {
        matches!(self.0, Kind::Registered(_))
    }

    /// Whether nobody else has to be believed that it is 0 at the goal.
    pub(super) fn is_known_at_goal(&self) -> bool {
        !matches!(self.0, Kind::Added(_))
    }

    /// Runs a search with it; `None` if it does not apply.
    pub(super) fn search(&self, puzzle: &AnyPuzzle, run: Run<'_>) -> Option<Found> {
        self.lead().search(puzzle, run)
    }

    /// Calls `ask` with what it says of the boards of a puzzle, to which `built` belongs; `None`
    /// if it does not apply.
    pub(super) fn appraise(&self, puzzle: &AnyPuzzle, built: &Built, ask: Ask<'_>) -> Option<()> {
        self.lead().appraise(puzzle, built, ask)
    }
}

/// Somebody who has questions about boards.
pub(super) struct Ask<'a>(pub(super) &'a mut dyn FnMut(&dyn Appraiser));

impl<P: Puzzle> HeuristicVisitor<P> for Ask<'_> {
    type Output = ();

    fn visit<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) {
        (self.0)(&On { puzzle, heuristic });
    }
}

/// What each kind of heuristic can do.
trait Lead: Send + Sync {
    fn name(&self) -> &str;
    fn summary(&self) -> &str;
    fn promise(&self, built: &Built, frame: &Frame) -> Result<Promise, String>;
    fn search(&self, puzzle: &AnyPuzzle, run: Run<'_>) -> Option<Found>;
    fn appraise(&self, puzzle: &AnyPuzzle, built: &Built, ask: Ask<'_>) -> Option<()>;
}

fn promise_of_entry(entry: &Entry, frame: &Frame) -> Result<Promise, String> {
    let reason = || "`permutile heuristics` says which do".to_owned();
    (entry.promise)(frame).ok_or_else(reason)
}

impl Lead for Entry {
    fn name(&self) -> &str {
        self.name
    }

    fn summary(&self) -> &str {
        self.summary
    }

    fn promise(&self, _: &Built, frame: &Frame) -> Result<Promise, String> {
        promise_of_entry(self, frame)
    }

    fn search(&self, puzzle: &AnyPuzzle, run: Run<'_>) -> Option<Found> {
        let built = &run.solver.heuristics;
        on_engine!(puzzle, puzzle => registry::visit(self.name, puzzle, built, run))
    }

    fn appraise(&self, puzzle: &AnyPuzzle, built: &Built, ask: Ask<'_>) -> Option<()> {
        on_engine!(puzzle, puzzle => registry::visit(self.name, puzzle, built, ask))
    }
}

impl Lead for Formula {
    fn name(&self) -> &str {
        self.name()
    }

    fn summary(&self) -> &str {
        self.summary()
    }

    fn promise(&self, built: &Built, frame: &Frame) -> Result<Promise, String> {
        match built_formula(self, built, frame) {
            Ok(_) => Ok(self.promise()),
            Err(reason) => Err(reason.clone()),
        }
    }

    fn search(&self, puzzle: &AnyPuzzle, run: Run<'_>) -> Option<Found> {
        let built = &run.solver.heuristics;
        on_engine!(puzzle, puzzle => visit_formula(self, puzzle, built, run))
    }

    fn appraise(&self, puzzle: &AnyPuzzle, built: &Built, ask: Ask<'_>) -> Option<()> {
        on_engine!(puzzle, puzzle => visit_formula(self, puzzle, built, ask))
    }
}

fn built_formula<'a>(
    formula: &Formula,
    built: &'a Built,
    frame: &Frame,
) -> &'a Result<TileSum, String> {
    built.get(formula.name(), || formula.build(frame))
}

fn visit_formula<P: Puzzle, V: HeuristicVisitor<P>>(
    formula: &Formula,
    puzzle: &P,
    built: &Built,
    visitor: V,
) -> Option<V::Output> {
    let sum = built_formula(formula, built, puzzle.frame()).as_ref().ok()?;
    Some(visitor.visit(puzzle, sum))
}

/// What estimates boards of every engine: any type with an `impl<P: Puzzle> Heuristic<P>`.
pub trait OnEveryEngine:
    Heuristic<Permuting<Nibbles>>
    + Heuristic<Permuting<Quints>>
    + Heuristic<Permuting<Wide<MAX_CELLS>>>
    + Heuristic<Sliding<Nibbles>>
    + Heuristic<Sliding<Quints>>
    + Heuristic<Sliding<Wide<64>>>
    + Heuristic<Sliding<Wide<MAX_CELLS>>>
    + Any
{
}

impl<H> OnEveryEngine for H where
    H: Heuristic<Permuting<Nibbles>>
        + Heuristic<Permuting<Quints>>
        + Heuristic<Permuting<Wide<MAX_CELLS>>>
        + Heuristic<Sliding<Nibbles>>
        + Heuristic<Sliding<Quints>>
        + Heuristic<Sliding<Wide<64>>>
        + Heuristic<Sliding<Wide<MAX_CELLS>>>
        + Any
{
}

/// A heuristic of another crate, compiled there.
struct Compiled<R>(PhantomData<fn() -> R>);

impl<R: Registered<Estimator: OnEveryEngine>> Lead for Compiled<R> {
    fn name(&self) -> &str {
        R::NAME
    }

    fn summary(&self) -> &str {
        R::SUMMARY
    }

    fn promise(&self, _: &Built, frame: &Frame) -> Result<Promise, String> {
        promise_of_entry(&Entry::of::<R>(), frame)
    }

    fn search(&self, puzzle: &AnyPuzzle, run: Run<'_>) -> Option<Found> {
        let built = &run.solver.heuristics;
        on_engine!(puzzle, puzzle => visit_one::<R, _, _>(puzzle, built, run))
    }

    fn appraise(&self, puzzle: &AnyPuzzle, built: &Built, ask: Ask<'_>) -> Option<()> {
        on_engine!(puzzle, puzzle => visit_one::<R, _, _>(puzzle, built, ask))
    }
}
