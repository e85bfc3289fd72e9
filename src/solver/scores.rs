//! What the beams of `auto` rank boards by: from a score that is ready at once to better ones whose
//! tables take longer to build.

use super::{Solver, auto_table};
use crate::heuristic::pattern_sum::{PatternSize, PatternSum};
use crate::heuristic::pdb_sum::{PdbSum, ScoreSize, sizes};
use crate::heuristic::scorer::Scorer;
use crate::limits::{Limits, StopReason};
use crate::puzzle::Frame;
use crate::search::HeuristicKind;
use crate::table::source::TableSource;
use std::sync::OnceLock;
use std::time::Duration;

/// The scores of a puzzle, built when they are first needed.
pub(super) struct Scores {
    levels: Vec<Level>,
    built: Vec<OnceLock<BuiltScore>>,
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

/// What the better tables of a puzzle without a blank take to build, about.
const PATTERNS_TIME: Duration = Duration::from_secs(1);

impl Scores {
    pub(super) fn new(frame: &Frame) -> Scores {
        let levels: Vec<Level> = match frame.blank_label() {
            Some(_) => sizes(frame).into_iter().map(Level::Databases).collect(),
            None => PatternSum::sizes(frame).into_iter().map(Level::Patterns).collect(),
        };
        let built = levels.iter().map(|_| OnceLock::new()).collect();
        Scores { levels, built }
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

/// The best score that is there, or that is worth building after so much time on a board: what takes
/// no longer. `None` if there is none within the limits.
pub(super) fn best<'a>(
    solver: &'a Solver,
    spent: Duration,
    threads: usize,
    limits: &Limits<'_>,
) -> Option<&'a dyn Scorer> {
    let scores = solver.scores.get_or_init(|| Scores::new(solver.frame()));
    (0..scores.levels.len()).rev().find_map(|number| {
        let level = &scores.levels[number];
        let is_there = scores.built[number].get().is_some();
        let is_worth_it = number == 0 || level.takes(solver) <= spent * threads as u32;
        (is_there || is_worth_it).then(|| get(solver, scores, number, limits).ok())?
    })
}

impl Level {
    /// How long one thread takes to build it, about.
    fn takes(&self, solver: &Solver) -> Duration {
        match self {
            Level::Patterns(_) => PATTERNS_TIME,
            Level::Databases(size) => match &solver.cache {
                Some(cache) if size.is_in(cache) => Duration::ZERO,
                _ => size.build_time,
            },
        }
    }

    fn build(&self, solver: &Solver, limits: Limits<'_>) -> Result<BuiltScore, StopReason> {
        let tables = TableSource { cache: solver.cache.as_ref(), limits };
        Ok(match self {
            Level::Patterns(size) => {
                let sum = PatternSum::with_size(solver.frame(), *size, &tables)?;
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
            let built = scores.levels[number].build(solver, limits)?;
            score.get_or_init(|| built);
        }
    }
    Ok(&*score.get().expect("it was built").scorer)
}
