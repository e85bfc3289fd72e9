//! `auto`: what to run when nobody said.
//!
//! Easy boards are answered by IDA* at once. A board that proves hard is worth a table:
//! on puzzles without a blank, the exact distances of all boards near the goal, built once
//! and kept for the boards to come. The search then goes on from the bound already proven, on as
//! many threads as are given.

use super::{Found, Run, Solver};
use crate::heuristic::Heuristic;
use crate::heuristic::ball::WithBall;
use crate::puzzle::{Depth, Puzzle};
use crate::search::ida::Ida;
use crate::search::parallel_ida::ParallelIda;
use crate::search::{Described, Guided, Limits, Observer, Outcome, Statistics, Stop, Task};
use crate::table::ball::{Ball, BallSize};
use crate::table::{BuildLimits, BuildStop};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// A board that needs more than this is hard: by then the search has taken a good part of what
/// the ball takes to build.
const EASY_NODES: u64 = 300_000;

/// The most bytes of a ball, counted as it is stored: built in a second or two.
const BALL_BYTES: u64 = 54_000_000;

/// Beyond this radius no ball fits anyway, except on small puzzles, which it covers.
const BALL_RADIUS: Depth = 100;

/// How many bytes are held for each entry while the ball is built, in keys.
const KEYS_HELD: u64 = 6;

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
    let easy = Limits { nodes: Some(most.min(EASY_NODES)), ..limits };
    let first = Ida::search(&Task { limits: easy, ..*task }, heuristic, observer);
    if first.stop != Some(Stop::Nodes) || most <= EASY_NODES {
        return found(first);
    }
    let nodes = limits.nodes.map(|most| most - first.statistics.expanded);
    let rest = Task { at_least: first.lower_bound, limits: Limits { nodes, ..limits }, ..*task };
    if const { P::HAS_BLANK } {
        let second = search(&rest, heuristic, observer);
        return on_all_threads(found(joined(first.statistics, second, 0)));
    }
    match ball(solver, task.puzzle, &limits) {
        Ok(ball) => {
            let heuristic = WithBall { inner: heuristic, ball };
            let second = search(&rest, &heuristic, observer);
            let outcome = joined(first.statistics, second, ball.bytes());
            on_all_threads(Found { heuristic: Some(format!("{name}+ball")), ..found(outcome) })
        }
        Err(stop) => found(Outcome { stop: Some(stop), ..first }),
    }
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

/// The ball of this solver's puzzle, built if it is not there yet.
fn ball<'a, P: Puzzle>(
    solver: &'a Solver,
    puzzle: &P,
    limits: &Limits<'_>,
) -> Result<&'a Ball<P>, Stop> {
    let _building = wait_for(&solver.building, limits)?;
    if solver.ball.get().is_none() {
        let key = size_of::<P::Key>() as u64;
        let held = limits.bytes.map_or(u64::MAX, |bytes| bytes / (KEYS_HELD * key));
        let entries = held.min(BALL_BYTES / (key + 1));
        let size = BallSize { entries: entries as usize, radius: BALL_RADIUS };
        let build_limits = BuildLimits {
            bytes: limits.bytes,
            deadline: limits.deadline.map(a_third_of_the_way),
            cancelled: limits.cancelled,
        };
        let built = Ball::build(puzzle, size, &build_limits, solver.simd);
        let built = built.map_err(|stop| match stop {
            BuildStop::Memory => Stop::Memory,
            BuildStop::Time => Stop::Time,
            BuildStop::Cancelled => Stop::Cancelled,
        })?;
        let set = solver.ball.set(Box::new(built));
        debug_assert!(set.is_ok(), "only one thread builds it");
    }
    let ball = solver.ball.get().expect("it has just been set");
    Ok(ball.downcast_ref().expect("a solver has one engine"))
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
