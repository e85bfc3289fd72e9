//! What the beams of `auto` rank boards by: from a score that is ready at once to better ones whose
//! tables take longer to build.

use super::Solver;
use super::auto_table::{self, Prepared, prepared};
use crate::heuristic::pattern_sum::{PatternSize, PatternSum};
use crate::heuristic::pdb_sum::{PdbSum, ScoreSize, sizes};
use crate::heuristic::scorer::Scorer;
use crate::limits::{Limits, StopReason};
use crate::puzzle::Frame;
use crate::search::HeuristicKind;
use crate::table::cache::Cache;
use crate::table::placements;
use crate::table::sliding::rows::{self, SharedSets};
use crate::table::source::TableSource;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The scores of a puzzle, built when they are first needed.
pub(super) struct Scores {
    levels: Vec<Level>,
    built: Vec<OnceLock<BuiltScore>>,
    /// For each, how long it was tried to build it in vain, in nanoseconds.
    in_vain: Vec<AtomicU64>,
    /// How long the boards so far have taken, in nanoseconds.
    spent: AtomicU64,
}

/// A score with its tables.
struct BuiltScore {
    scorer: Box<dyn Scorer>,
    bytes: u64,
}

/// One score.
enum Level {
    Patterns(PatternSize),
    Databases(ScoreSize),
}

impl Scores {
    pub(super) fn new(frame: &Frame) -> Scores {
        let levels: Vec<Level> = match frame.blank_label() {
            Some(_) => sizes(frame).into_iter().map(Level::Databases).collect(),
            None => PatternSum::sizes(frame).into_iter().map(Level::Patterns).collect(),
        };
        let built = levels.iter().map(|_| OnceLock::new()).collect();
        let in_vain = levels.iter().map(|_| AtomicU64::new(0)).collect();
        Scores { levels, built, in_vain, spent: AtomicU64::new(0) }
    }

    /// How many bytes the tables hold that are built.
    pub(super) fn bytes(&self) -> u64 {
        self.built.iter().filter_map(OnceLock::get).map(|built| built.bytes).sum()
    }

    /// The heuristic that the scores are of.
    pub(super) fn kind(frame: &Frame) -> HeuristicKind {
        match frame.blank_label() {
            Some(_) => HeuristicKind::own::<PdbSum>(),
            None => HeuristicKind::own::<PatternSum>(),
        }
    }
}

/// How many bytes of tables are read and checked in a second.
const READ_A_SECOND: f64 = 4e9;

/// Tables of patterns take one part in so many of the memory: while they are built, they take some
/// times as much.
const TABLES_SHARE: u64 = 4;

/// What takes no longer is not waited for.
const AT_ONCE: Duration = Duration::from_millis(20);

/// Adds what a board has taken to what may be spent on better scores for those to come.
pub(super) fn add_time(solver: &Solver, time: Duration) {
    if let Some(scores) = solver.scores.get() {
        scores.spent.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }
}

/// How long boards have taken.
#[derive(Clone, Copy)]
pub(super) struct Spent {
    /// The board at hand.
    pub(super) here: Duration,
    /// Those before, if that matters by now.
    pub(super) before: Duration,
}

/// How long all boards before have taken.
pub(super) fn time_before(solver: &Solver) -> Duration {
    let spent = solver.scores.get().map_or(0, |scores| scores.spent.load(Ordering::Relaxed));
    Duration::from_nanos(spent)
}

/// The best score that is there, or that is worth having by now: what takes no longer to build than
/// the board at hand has taken, or no longer to read than all of them, and leaves as much time
/// again. `None` if there is none within the limits.
pub(super) fn best<'a>(
    solver: &'a Solver,
    spent: Spent,
    threads: usize,
    limits: &Limits<'_>,
) -> Option<&'a dyn Scorer> {
    let scores = solver.scores.get_or_init(|| Scores::new(solver.frame()));
    (0..scores.levels.len()).rev().find_map(|number| {
        let level = &scores.levels[number];
        let is_there = scores.built[number].get().is_some();
        let is_worth_it = || {
            let is_cached = level.is_cached(solver);
            let in_vain = Duration::from_nanos(scores.in_vain[number].load(Ordering::Relaxed));
            let takes = level.takes(solver, threads, is_cached).max(in_vain);
            let spent = spent.here + if is_cached { spent.before } else { Duration::ZERO };
            number == 0 || limits.has_left(takes * 2) && takes <= spent.max(AT_ONCE)
        };
        (is_there || is_worth_it()).then(|| get(solver, scores, number, limits).ok())?
    })
}

/// Builds the tables of all scores and keeps those that take a while, unless they are there.
pub(super) fn prepare(
    cache: &Cache,
    frame: &Frame,
    limits: &Limits<'_>,
) -> Result<Vec<Prepared>, StopReason> {
    let mut all = Vec::new();
    for level in Scores::new(frame).levels {
        match level {
            Level::Patterns(size) => {
                for tiles in size.slow_patterns(frame) {
                    let (table, origin) = placements::keep(cache, frame, tiles, limits)?;
                    all.push(prepared(cache, &placements::name(frame, tiles), &table, origin));
                }
            }
            Level::Databases(size) => {
                let mut shared = SharedSets::default();
                for pattern in size.slow_patterns() {
                    let Some(name) = rows::in_cache::name(pattern) else { continue };
                    let (table, origin) =
                        rows::in_cache::keep(cache, &name, pattern, &mut shared, limits)?;
                    all.push(prepared(cache, &name, &table, origin));
                }
            }
        }
    }
    Ok(all)
}

impl Level {
    /// Whether its tables are in the cache.
    fn is_cached(&self, solver: &Solver) -> bool {
        solver.cache.as_ref().is_some_and(|cache| match self {
            Level::Patterns(size) => size.is_in(cache, solver.frame()),
            Level::Databases(size) => size.is_in(cache),
        })
    }

    /// How long it takes to read it from the cache or to build it, about.
    fn takes(&self, solver: &Solver, threads: usize, is_cached: bool) -> Duration {
        let frame = solver.frame();
        let (bytes, build_time) = match self {
            Level::Patterns(size) => (size.bytes(frame.shape().cells()), size.build_time(frame)),
            Level::Databases(size) => (size.bytes, size.build_time),
        };
        if is_cached {
            Duration::from_secs_f64(bytes as f64 / READ_A_SECOND)
        } else {
            build_time / threads as u32
        }
    }

    fn build(&self, solver: &Solver, limits: Limits<'_>) -> Result<BuiltScore, StopReason> {
        let tables = TableSource { cache: solver.cache.as_ref(), limits };
        Ok(match self {
            Level::Patterns(size) => {
                limits.check_bytes(TABLES_SHARE * size.bytes(solver.frame().shape().cells()))?;
                let sum = PatternSum::with_size(solver.frame(), size, &tables)?;
                BuiltScore { bytes: sum.bytes(), scorer: Box::new(sum) }
            }
            Level::Databases(size) => {
                limits.check_bytes(size.bytes_to_build)?;
                let sum = PdbSum::with_size(solver.frame(), size.clone(), &tables)?;
                BuiltScore { bytes: sum.bytes(), scorer: Box::new(sum) }
            }
        })
    }
}

/// The score of a number, built if it is not there yet.
fn get<'a>(
    solver: &Solver,
    scores: &'a Scores,
    number: usize,
    limits: &Limits<'_>,
) -> Result<&'a dyn Scorer, StopReason> {
    let score = &scores.built[number];
    if score.get().is_none() {
        let limits = Limits { nodes: None, ..*limits };
        let _building = auto_table::wait_for(&solver.building, &limits)?;
        // Another thread may have built it meanwhile.
        if score.get().is_none() {
            let began = Instant::now();
            match scores.levels[number].build(solver, limits) {
                Ok(built) => {
                    score.get_or_init(|| built);
                }
                Err(stop) => {
                    let spent = began.elapsed().as_nanos() as u64;
                    scores.in_vain[number].fetch_max(spent, Ordering::Relaxed);
                    return Err(stop);
                }
            }
        }
    }
    Ok(&*score.get().expect("it was built").scorer)
}
