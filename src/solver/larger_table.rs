//! A larger table in the course of a long series of boards, when those to come are worth it.
//!
//! The filters of `table/reach.rs` for one move more take some ten times the work and the memory, and
//! make searches several times as fast. What the next step would cost is known from the sizes of the
//! last layers, and what a board takes from those that were solved so far.

use super::Solver;
use super::auto_table::{AutoTable, TableSize, find_sized, reach_table};
use crate::limits::{Limits, Silent};
use crate::puzzle::registry::on_engine;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The most tables, each larger than the one before.
const STEPS: usize = 3;

/// With fewer boards than this, it is not known what one takes.
const ENOUGH: u64 = 100;

/// How long it takes to make one board for a filter and to put it there, on one thread.
const FOR_EACH: Duration = Duration::from_nanos(70);

/// How many bytes are held for each in the filters while these are built: those of the exact layers
/// before the last, and room for them to grow.
const HELD: u64 = 3;

/// The part of a board's time that the next table saves, at least.
const SAVED: f64 = 0.6;

/// What is saved has to be more than what is spent, in case fewer boards come than expected.
const MARGIN: f64 = 1.5;

/// What it takes to have the filters for one move more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NextStep {
    /// How many bytes all filters would have.
    pub(super) bytes: u64,
    /// How many boards would be made for the last one.
    pub(super) work: u64,
}

/// The tables of one solver: the one that was needed first, and larger ones.
#[derive(Default)]
pub(super) struct AutoTables {
    steps: [OnceLock<AutoTable>; STEPS],
}

impl AutoTables {
    /// The largest that is there.
    pub(super) fn get(&self) -> Option<&AutoTable> {
        self.steps.iter().rev().find_map(OnceLock::get)
    }

    /// The largest that is there; if there is none, a first one.
    pub(super) fn get_or_init(&self, first: impl FnOnce() -> AutoTable) -> &AutoTable {
        match self.get() {
            Some(table) => table,
            None => self.steps[0].get_or_init(first),
        }
    }

    /// Adds a larger one, if there is a place for it.
    fn add(&self, larger: AutoTable) {
        let free =
            self.steps.iter().rposition(|step| step.get().is_some()).map_or(0, |last| last + 1);
        if let Some(step) = self.steps.get(free) {
            step.get_or_init(|| larger);
        }
    }

    fn has_room(&self) -> bool {
        self.steps[STEPS - 1].get().is_none()
    }
}

/// How long searches with a table have taken.
#[derive(Debug, Default)]
pub(super) struct Usage {
    boards: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Usage {
    /// Adds a board.
    pub(super) fn add(&self, time: Duration) {
        self.nanoseconds.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
        self.boards.fetch_add(1, Ordering::Relaxed);
    }

    /// What a board takes on average, if there were enough of them.
    fn mean(&self) -> Option<Duration> {
        let boards = self.boards.load(Ordering::Relaxed);
        let nanoseconds = self.nanoseconds.load(Ordering::Relaxed);
        (boards >= ENOUGH).then(|| Duration::from_nanos(nanoseconds / boards))
    }
}

/// A series of boards, as far as a solver has to know it.
#[derive(Clone, Copy, Debug)]
pub struct Series<'a> {
    /// About how many boards of its puzzle are to come.
    pub to_come: u64,
    /// How many are solved at once.
    pub workers: usize,
    /// Limits on the memory of a table, and when to stop.
    pub limits: Limits<'a>,
}

/// A table that a series of boards was worth.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct LargerTable {
    /// The id of the puzzle.
    pub puzzle: String,
    /// How many bytes it has.
    pub bytes: u64,
    /// How long it took to build or to read.
    pub seconds: f64,
}

impl NextStep {
    /// The smallest size of tables that the step fits.
    fn size(self) -> Option<TableSize> {
        let fits = |size: &TableSize| {
            let most = size.reach();
            self.bytes <= most.bytes && self.work <= most.work
        };
        [TableSize::Medium, TableSize::Large].into_iter().find(fits)
    }

    /// Whether a series of boards, each of which takes so long, is worth it.
    fn is_worth_it(self, series: &Series<'_>, mean: Duration) -> bool {
        let threads = rayon::current_num_threads() as f64;
        let spent = FOR_EACH.as_secs_f64() * self.work as f64 / threads;
        let saved = mean.as_secs_f64() * SAVED * series.to_come as f64 / series.workers as f64;
        saved > MARGIN * spent && series.limits.check_bytes(HELD * self.bytes).is_ok()
    }
}

/// Builds the next larger table if a series of boards is worth it, and nothing else is being built.
pub(super) fn build_if_worth_it(solver: &Solver, series: &Series<'_>) -> Option<LargerTable> {
    let tables = &solver.auto_table;
    let table = tables.get()?;
    let next = table.next?;
    if !tables.has_room() || !next.is_worth_it(series, table.usage.mean()?) {
        return None;
    }
    let _building = solver.building.try_lock().ok()?;
    // Another thread may have done so meanwhile.
    if tables.get()?.next != Some(next) {
        return None;
    }
    let began = Instant::now();
    let limits = Limits { nodes: None, deadline: None, depth: None, ..series.limits };
    let (cache, size) = (solver.cache.as_ref(), next.size()?);
    let larger = on_engine!(&solver.puzzle, puzzle => {
        let reach = find_sized(cache, &**puzzle, size, &limits, &mut Silent).ok()?;
        reach_table(puzzle, reach)
    });
    let (puzzle, bytes) = (solver.frame().id().to_owned(), larger.bytes);
    tables.add(larger);
    Some(LargerTable { puzzle, bytes, seconds: began.elapsed().as_secs_f64() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_worth_it_if_enough_boards_are_to_come() {
        let next = NextStep { bytes: 103_000_000, work: 290_000_000 };
        let series = |to_come, bytes| Series {
            to_come,
            workers: 1,
            limits: Limits { bytes, ..Limits::default() },
        };
        let mean = Duration::from_micros(500);
        assert!(!next.is_worth_it(&series(1_000, None), mean));
        assert!(next.is_worth_it(&series(1_000_000, None), mean));
        assert!(!next.is_worth_it(&series(1_000_000, None), Duration::from_micros(1)));
        assert!(!next.is_worth_it(&series(1_000_000, Some(100_000_000)), mean));
        assert_eq!(next.size(), Some(TableSize::Medium));
        let after_next = NextStep { bytes: 1_000_000_000, work: 2_800_000_000 };
        assert_eq!(after_next.size(), Some(TableSize::Large));
        assert_eq!(NextStep { bytes: 10_000_000_000, ..after_next }.size(), None);
    }

    #[test]
    fn a_few_boards_say_nothing() {
        let usage = Usage::default();
        for _ in 1..ENOUGH {
            usage.add(Duration::from_micros(3));
        }
        assert_eq!(usage.mean(), None);
        usage.add(Duration::from_micros(3));
        assert_eq!(usage.mean(), Some(Duration::from_micros(3)));
    }
}
