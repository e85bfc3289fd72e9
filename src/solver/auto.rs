//! `auto`: what to run when nobody said.
//!
//! Easy boards are answered by IDA* at once. A board that proves hard is worth a table, built once
//! and kept for the boards to come. On puzzles without a blank, that is all distances where there
//! are few enough boards, and else which boards may be how near to the goal; on sliding puzzles,
//! pattern databases. The search then goes on from the bound already proven, on as many threads as
//! are given.

use super::{Found, Run, Solver};
use crate::heuristic::circular_manhattan::CircularManhattan;
use crate::heuristic::pattern_databases::{
    Automatic, Partition, PatternDatabases, Pdb663, Pdb6666,
};
use crate::heuristic::unit_steps::UnitSteps;
use crate::heuristic::with_table::WithTable;
use crate::heuristic::{Heuristic, Registered};
use crate::puzzle::arch::Simd;
use crate::puzzle::{Depth, Frame, Puzzle};
use crate::search::ida::Ida;
use crate::search::parallel_ida::ParallelIda;
use crate::search::{Described, Guided, Limits, Observer, Outcome, Statistics, Stop, Task};
use crate::table::ball::{Ball, BallSize};
use crate::table::reach::{Reach, ReachSize};
use crate::table::{BuildLimits, BuildStop};
use std::any::Any;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// A board that needs more than this is hard: by then the search has taken a good part of what
/// the tables take to build.
const EASY_NODES: u64 = 300_000;

/// The same for sliding puzzles, whose databases are built in a fifth of a second on boards of up
/// to 16 cells and in some seconds on larger ones.
const EASY_SLIDING_NODES: [u64; 2] = [60_000, 5_000_000];

/// As much is spent on a board that seems hard, in case it is not.
const FEW_NODES: u64 = 2_000;

/// The most bytes of a ball that holds every board, counted as it is stored: built in a second
/// or two.
const BALL_BYTES: u64 = 54_000_000;

/// How many bytes are held for each entry while the ball is built, in keys.
const KEYS_HELD: u64 = 6;

/// The most bytes of filters.
const REACH_BYTES: u64 = 100_000_000;

/// The most boards that are looked at to make the largest of them: about a second.
const REACH_WORK: u64 = 40_000_000;

/// The most tiles of a pattern where no partition is known.
const PATTERN_TILES: usize = 6;

/// What is known of the boards near the goal.
enum Near<P: Puzzle> {
    /// Every board's distance.
    Ball(Ball<P>),
    /// Which boards may be how near.
    Reach(Reach<P>),
}

impl<P: Puzzle> Near<P> {
    fn bytes(&self) -> u64 {
        match self {
            Near::Ball(ball) => ball.bytes(),
            Near::Reach(reach) => reach.bytes(),
        }
    }
}

pub(super) fn solve<P: Puzzle, H: Heuristic<P>>(
    run: Run<'_>,
    task: &Task<'_, P>,
    heuristic: &H,
) -> Found {
    let Run { solver, observer, heuristic: name, .. } = run;
    let limits = task.limits;
    let found = |outcome| Found {
        outcome,
        algorithm: Ida::NAME,
        heuristic: Some(name.to_owned()),
        threads: 1,
    };
    let threads = task.settings.threads;
    let on_all_threads = |found: Found| {
        let algorithm = if threads > 1 { ParallelIda::NAME } else { Ida::NAME };
        Found { algorithm, threads, ..found }
    };
    let most = limits.nodes.unwrap_or(u64::MAX);
    let value = heuristic.evaluate(task.puzzle, task.start);
    let estimate = heuristic.estimate(value);
    let easy = if P::HAS_BLANK {
        EASY_SLIDING_NODES[usize::from(task.puzzle.frame().shape().cells() > 16)]
    } else if seems_hard(task.puzzle, estimate) {
        FEW_NODES
    } else {
        EASY_NODES
    };
    let first_limits = Limits { nodes: Some(most.min(easy)), ..limits };
    let first = Ida::search(&Task { limits: first_limits, ..*task }, heuristic, observer);
    if first.stop != Some(Stop::Nodes) || most <= easy {
        return found(first);
    }
    let nodes = limits.nodes.map(|most| most - first.statistics.expanded);
    let rest = Task { at_least: first.lower_bound, limits: Limits { nodes, ..limits }, ..*task };
    let without_table = |first: Outcome, observer: &mut dyn Observer| {
        let second = search(&rest, heuristic, observer);
        on_all_threads(found(joined(first.statistics, second, 0)))
    };
    if const { P::HAS_BLANK } {
        let has_databases = matches!(heuristic.unit_steps(value), Some(UnitSteps::Databases(..)));
        let partition = if has_databases { None } else { partition(task.puzzle.frame()) };
        let Some((second_name, partition)) = partition else {
            return without_table(first, observer);
        };
        let build = |limits: &BuildLimits<'_>| {
            PatternDatabases::with_partition(task.puzzle.frame(), &partition, limits)
        };
        return match kept(solver, &limits, build) {
            Ok(databases) => {
                let second = search(&rest, databases, observer);
                let outcome = joined(first.statistics, second, databases.bytes());
                let both = format!("{name}, then {second_name}");
                on_all_threads(Found { heuristic: Some(both), ..found(outcome) })
            }
            // With little time, go on as before.
            Err(Stop::Memory | Stop::Time) => without_table(first, observer),
            Err(stop) => found(Outcome { stop: Some(stop), ..first }),
        };
    }
    match kept(solver, &limits, |limits| build(task.puzzle, limits, solver.simd)) {
        Ok(near) => {
            // What a heuristic adds to the table hardly depends on which one it is.
            let inner = solver
                .heuristics
                .get(CircularManhattan::NAME, || CircularManhattan::build(task.puzzle.frame()));
            let (second, table) = match near {
                Near::Ball(ball) => {
                    (search(&rest, &WithTable { inner, table: ball }, observer), "ball")
                }
                Near::Reach(reach) => {
                    (search(&rest, &WithTable { inner, table: reach }, observer), "reach")
                }
            };
            let outcome = joined(first.statistics, second, near.bytes());
            let second_name = format!("{}+{table}", CircularManhattan::NAME);
            let both = match name {
                CircularManhattan::NAME => second_name,
                _ => format!("{name}, then {second_name}"),
            };
            on_all_threads(Found { heuristic: Some(both), ..found(outcome) })
        }
        Err(Stop::Memory) => without_table(first, observer),
        Err(stop) => found(Outcome { stop: Some(stop), ..first }),
    }
}

/// Whether a board is far away by its estimate alone. What is made of that must not depend on
/// which tables are there: a board takes the same nodes whatever was solved before it.
fn seems_hard<P: Puzzle>(puzzle: &P, estimate: Depth) -> bool {
    const NODES: f64 = 1e7;
    puzzle.frame().automaton().branching_factor().powf(estimate.into()) > NODES
}

/// IDA*, on as many threads as there are.
fn search<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    heuristic: &H,
    observer: &mut dyn Observer,
) -> Outcome {
    if task.settings.threads > 1 {
        ParallelIda::search(task, heuristic, observer)
    } else {
        Ida::search(task, heuristic, observer)
    }
}

/// The second part of a search, with the statistics of both.
fn joined(first: Statistics, second: Outcome, table_bytes: u64) -> Outcome {
    let mut statistics = first;
    statistics.add(second.statistics);
    statistics.peak_bytes += table_bytes;
    Outcome { statistics, ..second }
}

/// How the tiles of a sliding puzzle are divided, and what that is called; `None` for boards that
/// are too large.
fn partition(frame: &Frame) -> Option<(&'static str, Partition)> {
    let named = |name| move |partition| (name, partition);
    Partition::of_663(frame)
        .map(named(Pdb663::NAME))
        .or_else(|| Partition::of_24_puzzle(frame).map(named(Pdb6666::NAME)))
        .or_else(|| Partition::of_strips(frame, PATTERN_TILES).map(named(Automatic::NAME)))
}

/// The table of this solver's puzzle, built if it is not there yet.
fn kept<'a, T: Any + Send + Sync>(
    solver: &'a Solver,
    limits: &Limits<'_>,
    build: impl FnOnce(&BuildLimits<'_>) -> Result<T, BuildStop>,
) -> Result<&'a T, Stop> {
    let _building = wait_for(&solver.building, limits)?;
    if solver.near.get().is_none() {
        let build_limits = BuildLimits {
            bytes: limits.bytes,
            deadline: limits.deadline.map(a_third_of_the_way),
            cancelled: limits.cancelled,
        };
        let built = build(&build_limits).map_err(|stop| match stop {
            BuildStop::Memory => Stop::Memory,
            BuildStop::Time => Stop::Time,
            BuildStop::Cancelled => Stop::Cancelled,
        })?;
        let set = solver.near.set(Box::new(built));
        debug_assert!(set.is_ok(), "only one thread builds it");
    }
    let table = solver.near.get().expect("it has just been set");
    Ok(table.downcast_ref().expect("a solver has one kind of table"))
}

/// All distances where there are few enough boards, else the filters.
fn build<P: Puzzle>(
    puzzle: &P,
    limits: &BuildLimits<'_>,
    simd: Simd,
) -> Result<Near<P>, BuildStop> {
    let frame = puzzle.frame();
    let key = size_of::<P::Key>() as u64;
    let held = limits.bytes.map_or(u64::MAX, |bytes| bytes / (KEYS_HELD * key));
    let entries = held.min(BALL_BYTES / (key + 1));
    let boards = frame.group().and_then(|group| group.order().as_u128());
    let classes = boards.map(|boards| boards / frame.symmetries().len() as u128);
    if classes.is_some_and(|classes| classes <= entries.into()) {
        let size = BallSize { entries: entries as usize, radius: Depth::MAX };
        let ball = Ball::build(puzzle, size, limits, simd)?;
        if ball.is_complete() {
            return Ok(Near::Ball(ball));
        }
    }
    let bytes = limits.bytes.map_or(REACH_BYTES, |bytes| REACH_BYTES.min(bytes / 2));
    let size = ReachSize { bytes, work: REACH_WORK };
    Ok(Near::Reach(Reach::build(puzzle, size, limits, simd)?))
}

/// Waits until no other thread builds, as long as the limits allow.
fn wait_for<'a>(building: &'a Mutex<()>, limits: &Limits<'_>) -> Result<MutexGuard<'a, ()>, Stop> {
    const PAUSE: Duration = Duration::from_millis(2);
    loop {
        match building.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Limits { nodes: None, ..*limits }.check(0)?;
                thread::sleep(PAUSE);
            }
        }
    }
}

/// The build may take a third of the time that is left; the search needs the rest.
fn a_third_of_the_way(deadline: Instant) -> Instant {
    let now = Instant::now();
    now + deadline.saturating_duration_since(now) / 3
}
