//! `auto`: what to run when nobody said.
//!
//! Easy boards are answered by IDA* at once. A board that proves hard is worth a table: on puzzles
//! without a blank, all distances where there are few enough boards, and else which boards may be
//! how near to the goal, built once and kept for the boards to come. The search then goes on from
//! the bound already proven, on as many threads as are given.

use super::near::{self, Near};
use super::{Found, Run};
use crate::heuristic::circular_manhattan::CircularManhattan;
use crate::heuristic::pattern_views::PatternViews;
use crate::heuristic::with_table::WithTable;
use crate::heuristic::{Heuristic, Registered};
use crate::puzzle::{Depth, Puzzle};
use crate::search::ida::Ida;
use crate::search::parallel_ida::ParallelIda;
use crate::search::{Described, Guided, Limits, Observer, Outcome, Statistics, Stop, Task};

/// A board that needs more than this is hard: by then the search has taken a good part of what
/// the tables take to build.
const EASY_NODES: u64 = 300_000;

/// As much is spent on a board that seems hard, in case it is not.
const FEW_NODES: u64 = 2_000;

/// A search that takes no more is done before other threads are on their way.
const ALONE_NODES: u64 = 20_000;

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
    let estimate = heuristic.estimate(heuristic.evaluate(task.puzzle, task.start));
    let hard = seems_hard(task.puzzle, estimate) || near::has_views(task.puzzle.frame());
    let easy = if hard { FEW_NODES } else { EASY_NODES };
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
        return without_table(first, observer);
    }
    match near::get(solver, task.puzzle, &limits) {
        Ok(near) => {
            // What a heuristic adds to the table hardly depends on which one it is.
            let inner = solver
                .heuristics
                .get(CircularManhattan::NAME, || CircularManhattan::build(task.puzzle.frame()));
            let with_table = |table: &str| format!("{}+{table}", CircularManhattan::NAME);
            let (second, second_name) = match near {
                Near::Ball(ball) => {
                    let heuristic = WithTable { inner, table: ball };
                    (search(&rest, &heuristic, observer), with_table("ball"))
                }
                Near::Reach(reach) => {
                    let heuristic = WithTable { inner, table: reach };
                    (search(&rest, &heuristic, observer), with_table("reach"))
                }
                Near::Views(views) => {
                    let tiles = views.table().tiles().len();
                    let name = format!("{} of {tiles} tiles", PatternViews::NAME);
                    (search(&rest, views, observer), name)
                }
            };
            let outcome = joined(first.statistics, second, near.bytes());
            let both = if second_name.starts_with(name) {
                second_name
            } else {
                format!("{name}, then {second_name}")
            };
            on_all_threads(Found { heuristic: Some(both), ..found(outcome) })
        }
        // The search sees for itself whether its own time is over.
        Err(Stop::Memory | Stop::Time) => without_table(first, observer),
        Err(stop) => found(Outcome { stop: Some(stop), ..first }),
    }
}

/// Whether a board is far away by its estimate alone. What is made of that must not depend on
/// which tables are there: a board takes the same nodes whatever was solved before it.
fn seems_hard<P: Puzzle>(puzzle: &P, estimate: Depth) -> bool {
    const NODES: f64 = 1e7;
    !P::HAS_BLANK && puzzle.frame().automaton().branching_factor().powf(estimate.into()) > NODES
}

/// IDA*, on as many threads as there are, as soon as it is worth their while.
fn search<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    heuristic: &H,
    observer: &mut dyn Observer,
) -> Outcome {
    if task.settings.threads == 1 {
        return Ida::search(task, heuristic, observer);
    }
    let most = task.limits.nodes.unwrap_or(u64::MAX);
    let limits = Limits { nodes: Some(most.min(ALONE_NODES)), ..task.limits };
    let first = Ida::search(&Task { limits, ..*task }, heuristic, observer);
    if first.stop != Some(Stop::Nodes) || most <= ALONE_NODES {
        return first;
    }
    let nodes = task.limits.nodes.map(|most| most - first.statistics.expanded);
    let limits = Limits { nodes, ..task.limits };
    let rest = Task { at_least: first.lower_bound, limits, ..*task };
    joined(first.statistics, ParallelIda::search(&rest, heuristic, observer), 0)
}

/// The second part of a search, with the statistics of both.
fn joined(first: Statistics, second: Outcome, table_bytes: u64) -> Outcome {
    let mut statistics = first;
    statistics.add(second.statistics);
    statistics.peak_bytes += table_bytes;
    Outcome { statistics, ..second }
}
