//! Heuristics as values: the built-in ones, those that users write down in files, pattern
//! databases of user-defined partitions, and those of other crates.
//!
//! All of them are used in the same way, and have the same fast paths: a heuristic of another
//! crate is compiled there for each engine, as ours are here.

use super::estimator::{Estimator, OnEngine, SearchKey};
use super::{Limits, StopReason};
use crate::heuristic::formula::Formula;
use crate::heuristic::pattern_databases::PatternDatabases;
use crate::heuristic::registry::{self, RegistryVisitor};
use crate::heuristic::user_partition::{PartitionError, UserPartition};
use crate::heuristic::{Heuristic, NamedHeuristic, OnEveryEngine, Promise};
use crate::puzzle::packed::Nibbles;
use crate::puzzle::registry::on_engine;
use crate::puzzle::{AnyPuzzle, Frame, Permuting, Puzzle};
use crate::table::source::TableSource;
use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

/// A heuristic to search with, apart from any puzzle: one of this crate's by its name, or one of your
/// own by its type ([`HeuristicKind::of`]).
///
/// ```
/// use permutile::HeuristicKind;
///
/// let kind: HeuristicKind = "walking-distance".parse()?;
/// assert_eq!(kind.name(), "walking-distance");
/// assert!("wolking-distance".parse::<HeuristicKind>().is_err());
/// # Ok::<(), permutile::search::UnknownHeuristic>(())
/// ```
#[derive(Clone)]
pub struct HeuristicKind {
    kind: Reference,
    origin: Origin,
}

/// Whose a heuristic is, and so whose word it is that it is admissible.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// One of this crate's.
    BuiltIn,
    /// Built by this crate as a user says: what is promised of it holds whatever that is.
    UserDefined,
    /// From a file or another crate.
    Foreign,
}

/// Kinds that are types need no counting of references, which threads would contend for.
#[derive(Clone)]
enum Reference {
    Type(&'static dyn Kind),
    Value(Arc<dyn Kind>),
}

/// What each kind of heuristic can do.
trait Kind: Send + Sync {
    fn name(&self) -> &str;
    fn summary(&self) -> &str;
    /// The type, of a kind that is one.
    fn type_id(&self) -> Option<TypeId> {
        None
    }
    /// A hash of the file that defines it, of a kind that a file defines.
    fn file_hash(&self) -> Option<u64> {
        None
    }
    fn is_large(&self) -> bool {
        false
    }
    /// Whether it is 0 at the goal by construction.
    fn is_zero_at_goal(&self) -> bool {
        false
    }
    /// Whether it adds up pattern databases of all tiles of a puzzle to which it applies.
    fn is_additive(&self, frame: &Frame) -> bool;
    fn promise(&self, frame: &Frame) -> Result<Promise, Inapplicable>;
    fn build(
        &self,
        puzzle: &AnyPuzzle,
        tables: &TableSource<'_>,
    ) -> Result<Box<dyn Estimator>, BuildError>;
}

/// Why a heuristic does not apply to a puzzle.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Inapplicable {
    /// It is made for others.
    #[error("it is not made for that puzzle")]
    Puzzle,
    /// What its file says does not fit.
    #[error("{0}")]
    Formula(String),
    /// The partition does not fit.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// Its tables would be too large.
    #[error(
        "making its tables takes {} MB, and {} MB are allowed",
        needed.div_ceil(1_000_000),
        allowed.div_ceil(1_000_000)
    )]
    TooLarge {
        /// How many bytes are needed.
        needed: u64,
        /// How many may be used.
        allowed: u64,
    },
}

/// Why a heuristic was not built.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum BuildError {
    /// It does not apply to the puzzle.
    #[error(transparent)]
    Inapplicable(#[from] Inapplicable),
    /// A limit was hit.
    #[error(transparent)]
    Stopped(#[from] StopReason),
}

static BUILT_IN: LazyLock<Vec<HeuristicKind>> = LazyLock::new(|| {
    struct Collect(Vec<HeuristicKind>);

    // Any engine will do.
    impl RegistryVisitor<Permuting<Nibbles>> for Collect {
        fn visit<R: NamedHeuristic<Heuristic: OnEveryEngine> + 'static>(&mut self) {
            self.0.push(HeuristicKind::own::<R>());
        }
    }

    let mut all = Collect(Vec::new());
    registry::visit_all(&mut all);
    all.0
});

impl HeuristicKind {
    /// All heuristics of this crate.
    pub fn built_in() -> &'static [HeuristicKind] {
        &BUILT_IN
    }

    /// A heuristic of another crate.
    pub fn of<R: NamedHeuristic<Heuristic: OnEveryEngine> + 'static>() -> HeuristicKind {
        let kind = Reference::Type(&Compiled::<R>(PhantomData));
        HeuristicKind { kind, origin: Origin::Foreign }
    }

    /// One of this crate's.
    pub(crate) fn own<R: NamedHeuristic<Heuristic: OnEveryEngine> + 'static>() -> HeuristicKind {
        HeuristicKind { origin: Origin::BuiltIn, ..HeuristicKind::of::<R>() }
    }

    /// A heuristic from a file.
    pub fn from_formula(formula: Formula) -> HeuristicKind {
        HeuristicKind::from_value(formula, Origin::Foreign)
    }

    /// Pattern databases of a user-defined partition; they do not apply where building their
    /// tables takes more than so many bytes.
    pub fn from_patterns(patterns: UserPartition, most_bytes: u64) -> HeuristicKind {
        HeuristicKind::from_value(OwnDatabases { patterns, most_bytes }, Origin::UserDefined)
    }

    fn from_value(kind: impl Kind + 'static, origin: Origin) -> HeuristicKind {
        HeuristicKind { kind: Reference::Value(Arc::new(kind)), origin }
    }

    fn kind(&self) -> &dyn Kind {
        match &self.kind {
            Reference::Type(kind) => *kind,
            Reference::Value(kind) => &**kind,
        }
    }

    /// The name by which users choose it.
    pub fn name(&self) -> &str {
        self.kind().name()
    }

    /// What it is, in one line.
    pub fn summary(&self) -> &str {
        self.kind().summary()
    }

    /// Whether it is one of this crate's.
    pub fn is_built_in(&self) -> bool {
        self.origin == Origin::BuiltIn
    }

    /// Whether what it promises is a claim of a file or of another crate. What rests on it is not
    /// proven.
    pub fn only_claims(&self) -> bool {
        self.origin == Origin::Foreign
    }

    /// A hash of the file that defines it, if one does: its name does not say what it is.
    pub fn file_hash(&self) -> Option<u64> {
        self.kind().file_hash()
    }

    /// Whether its tables take more than a second or so to build: whatever tries all heuristics
    /// leaves it out.
    pub fn is_large(&self) -> bool {
        self.kind().is_large()
    }

    /// Whether it is known to be 0 at the goal without asking.
    pub(crate) fn is_zero_at_goal(&self) -> bool {
        self.is_built_in() || self.kind().is_zero_at_goal()
    }

    /// Whether it adds up pattern databases of all tiles of a puzzle to which it applies.
    pub(crate) fn is_additive(&self, frame: &Frame) -> bool {
        self.kind().is_additive(frame)
    }

    /// What it promises on a puzzle.
    ///
    /// # Errors
    /// If it does not apply there.
    pub fn promise(&self, frame: &Frame) -> Result<Promise, Inapplicable> {
        self.kind().promise(frame)
    }

    /// Builds it for a puzzle, with its tables.
    ///
    /// # Errors
    /// If it does not apply there, or if a limit is hit.
    pub fn build(
        &self,
        puzzle: &AnyPuzzle,
        tables: &TableSource<'_>,
    ) -> Result<Box<dyn Estimator>, BuildError> {
        self.promise(puzzle.frame())?;
        self.kind().build(puzzle, tables)
    }
}

impl fmt::Debug for HeuristicKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HeuristicKind").field(&self.name()).finish()
    }
}

/// Whether both are the same type or value, and not just of the same name.
impl PartialEq for HeuristicKind {
    fn eq(&self, other: &HeuristicKind) -> bool {
        match (&self.kind, &other.kind) {
            (Reference::Type(one), Reference::Type(other)) => one.type_id() == other.type_id(),
            (Reference::Value(one), Reference::Value(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

/// No built-in heuristic has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no heuristic \"{name}\"")]
pub struct UnknownHeuristic {
    /// The name.
    pub name: String,
}

/// A built-in heuristic by its name.
impl FromStr for HeuristicKind {
    type Err = UnknownHeuristic;

    fn from_str(name: &str) -> Result<HeuristicKind, UnknownHeuristic> {
        let found = HeuristicKind::built_in().iter().find(|kind| kind.name() == name);
        found.cloned().ok_or_else(|| UnknownHeuristic { name: name.to_owned() })
    }
}

/// A heuristic that is a type.
struct Compiled<R>(PhantomData<fn() -> R>);

impl<R: NamedHeuristic<Heuristic: OnEveryEngine> + 'static> Kind for Compiled<R> {
    fn name(&self) -> &str {
        R::NAME
    }

    fn summary(&self) -> &str {
        R::SUMMARY
    }

    fn type_id(&self) -> Option<TypeId> {
        Some(TypeId::of::<R>())
    }

    fn is_large(&self) -> bool {
        R::LARGE
    }

    fn is_additive(&self, _: &Frame) -> bool {
        R::ADDITIVE
    }

    fn promise(&self, frame: &Frame) -> Result<Promise, Inapplicable> {
        let in_scope = R::SCOPE.includes(frame.blank_label().is_some());
        let promise = if in_scope { R::promise(frame) } else { None };
        promise.ok_or(Inapplicable::Puzzle)
    }

    fn build(
        &self,
        puzzle: &AnyPuzzle,
        tables: &TableSource<'_>,
    ) -> Result<Box<dyn Estimator>, BuildError> {
        on_engine!(puzzle, puzzle => build_on::<R, _>(puzzle, tables))
    }
}

fn build_on<R, P>(
    puzzle: &Arc<P>,
    tables: &TableSource<'_>,
) -> Result<Box<dyn Estimator>, BuildError>
where
    R: NamedHeuristic<Heuristic: Heuristic<P> + 'static>,
    P: Puzzle<Key: SearchKey>,
{
    // A constant: what is behind it is not compiled for puzzles out of scope.
    if const { !R::SCOPE.includes(P::HAS_BLANK) } {
        return Err(Inapplicable::Puzzle.into());
    }
    let heuristic = R::build_within(puzzle.frame(), tables)?;
    Ok(Box::new(OnEngine::new(Arc::clone(puzzle), heuristic)))
}

impl Kind for Formula {
    fn name(&self) -> &str {
        self.name()
    }

    fn summary(&self) -> &str {
        self.summary()
    }

    fn file_hash(&self) -> Option<u64> {
        Some(self.file_hash())
    }

    fn is_additive(&self, _: &Frame) -> bool {
        false
    }

    fn promise(&self, frame: &Frame) -> Result<Promise, Inapplicable> {
        self.build(frame).map(|_| self.promise()).map_err(Inapplicable::Formula)
    }

    fn build(
        &self,
        puzzle: &AnyPuzzle,
        _: &TableSource<'_>,
    ) -> Result<Box<dyn Estimator>, BuildError> {
        let sum = self.build(puzzle.frame()).map_err(Inapplicable::Formula)?;
        Ok(on_engine!(puzzle, puzzle => Box::new(OnEngine::new(Arc::clone(puzzle), sum))))
    }
}

/// The databases of a user-defined partition, and the most bytes that building them may take.
struct OwnDatabases {
    patterns: UserPartition,
    most_bytes: u64,
}

impl Kind for OwnDatabases {
    fn name(&self) -> &str {
        self.patterns.name()
    }

    fn summary(&self) -> &str {
        "additive pattern databases of a user-defined partition"
    }

    fn is_zero_at_goal(&self) -> bool {
        true
    }

    fn is_additive(&self, frame: &Frame) -> bool {
        self.patterns.partition(frame).is_ok_and(|partition| partition.has_all_tiles(frame))
    }

    fn promise(&self, frame: &Frame) -> Result<Promise, Inapplicable> {
        let partition = self.patterns.partition(frame)?;
        let needed = PatternDatabases::bytes_to_build(frame, &partition);
        if needed > self.most_bytes {
            return Err(Inapplicable::TooLarge { needed, allowed: self.most_bytes });
        }
        Ok(Promise::CONSISTENT)
    }

    fn build(
        &self,
        puzzle: &AnyPuzzle,
        tables: &TableSource<'_>,
    ) -> Result<Box<dyn Estimator>, BuildError> {
        let frame = puzzle.frame();
        let partition = self.patterns.partition(frame).map_err(Inapplicable::from)?;
        // Whoever tries many partitions does not want to keep all their tables.
        let limits = Limits { bytes: None, ..tables.limits };
        let tables = TableSource { cache: None, limits };
        let databases = PatternDatabases::with_partition(frame, &partition, &tables)?;
        on_engine!(puzzle, puzzle => databases_on(puzzle, databases))
    }
}

fn databases_on<P: Puzzle<Key: SearchKey>>(
    puzzle: &Arc<P>,
    databases: PatternDatabases,
) -> Result<Box<dyn Estimator>, BuildError> {
    // A constant: what is behind it is not compiled for puzzles without a blank.
    if const { !P::HAS_BLANK } {
        return Err(Inapplicable::Puzzle.into());
    }
    Ok(Box::new(OnEngine::new(Arc::clone(puzzle), databases)))
}
