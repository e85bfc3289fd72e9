//! `auto`: what to run when nobody said.
//!
//! Easy boards are answered by IDA* at once. A board that proves hard is worth a table, built once
//! and kept for the boards to come (see [`near`]). The search then goes on from the bound already
//! proven, on as many threads as are given. A sliding puzzle of up to nine cells has a table of all
//! its boards in some milliseconds: there, the first board is worth it, and IDA* just walks down.

use super::near::{self, Near};
use super::{Found, Run, Solver, either_end};
use crate::heuristic::circular_manhattan::CircularManhattan;
use crate::heuristic::partition::Partition;
use crate::heuristic::pattern_views::PatternViews;
use crate::heuristic::unit_steps::UnitSteps;
use crate::heuristic::with_table::WithTable;
use crate::heuristic::{Heuristic, Registered};
use crate::puzzle::{Depth, Puzzle};
use crate::search::ida::Ida;
use crate::search::parallel_ida::ParallelIda;
use crate::search::{
    Described, Guided, Limits, Observer, Outcome, Silent, Statistics, StopReason, Task,
};

/// A board that needs more than this is hard: by then the search has taken a good part of what
/// the tables take to build.
const EASY_NODES: u64 = 300_000;

/// The same for sliding puzzles, whose databases are built in a fifth of a second on boards of up
/// to 16 cells and in some seconds on larger ones.
const EASY_SLIDING_NODES: [u64; 2] = [60_000, 5_000_000];

/// As much is spent on a board that seems hard, in case it is not.
const FEW_NODES: u64 = 2_000;

/// A search that takes no more is done before other threads are on their way.
const ALONE_NODES: u64 = 20_000;

pub(super) fn solve<P: Puzzle, H: Heuristic<P>>(
    run: Run<'_>,
    task: &Task<'_, P>,
    heuristic: &H,
) -> Found {
    let Run { solver, observer, heuristic: name, request, .. } = run;
    let found = |searched: Searched, heuristic: String| Found {
        outcome: searched.outcome,
        algorithm: if searched.threads > 1 { ParallelIda::NAME } else { Ida::NAME },
        heuristic: Some(heuristic),
        threads: searched.threads,
    };
    // Who names a heuristic wants to see what it does.
    if P::HAS_BLANK
        && request.heuristic.is_none()
        && Partition::is_whole(task.puzzle.frame())
        && let Ok(near) = near::get(solver, task.puzzle, &task.limits, &mut Silent)
    {
        let (searched, name) = search_with(near, solver, task, observer);
        return found(searched.after(Statistics::default(), near.bytes()), name);
    }
    let value = heuristic.evaluate(task.puzzle, task.start);
    let estimate = heuristic.estimate(value);
    let easy = if P::HAS_BLANK {
        EASY_SLIDING_NODES[usize::from(task.puzzle.frame().shape().cells() > 16)]
    } else if seems_hard(task.puzzle, estimate) || near::has_views(task.puzzle.frame()) {
        FEW_NODES
    } else {
        EASY_NODES
    };
    let first = Ida::search(&up_to(task, easy), heuristic, observer);
    let Some(rest) = what_is_left(task, &first) else {
        return found(Searched { outcome: first, threads: 1 }, name.to_owned());
    };
    let has_databases = matches!(heuristic.unit_steps(value), Some(UnitSteps::Databases(..)));
    let near = if has_databases {
        Err(StopReason::Memory)
    } else {
        near::get(solver, task.puzzle, &task.limits, observer)
    };
    let near = match near {
        Ok(near) => near,
        // The search sees for itself whether its own time is over.
        Err(StopReason::Memory | StopReason::Time) => {
            let second = search(&rest, heuristic, observer);
            return found(second.after(first.statistics, 0), name.to_owned());
        }
        Err(stop) => {
            let outcome = Outcome { stop: Some(stop), ..first };
            return found(Searched { outcome, threads: 1 }, name.to_owned());
        }
    };
    let (second, second_name) = search_with(near, solver, &rest, observer);
    let both = if second_name.starts_with(name) {
        second_name
    } else {
        format!("{name}, then {second_name}")
    };
    found(second.after(first.statistics, near.bytes()), both)
}

/// A search with what is known of the boards, and what it was guided by.
fn search_with<P: Puzzle>(
    near: &Near<P>,
    solver: &Solver,
    task: &Task<'_, P>,
    observer: &mut dyn Observer,
) -> (Searched, String) {
    // A constant: what is not for this kind of puzzle is not compiled for it.
    if const { P::HAS_BLANK } {
        let Near::Databases(databases, name) = near else {
            unreachable!("nothing else is kept of puzzles with a blank")
        };
        return either_end::search_hard(solver, task, (databases, name), observer);
    }
    // What a heuristic adds to the table hardly depends on which one it is.
    let inner = solver
        .heuristics
        .get(CircularManhattan::NAME, || CircularManhattan::build(task.puzzle.frame()));
    let with_table = |table: &str| format!("{}+{table}", CircularManhattan::NAME);
    match near {
        Near::Ball(table) => {
            (search(task, &WithTable { inner, table }, observer), with_table("ball"))
        }
        Near::Reach(table) => {
            (search(task, &WithTable { inner, table }, observer), with_table("reach"))
        }
        Near::Views(views) => {
            let tiles = views.table().tiles().len();
            let name = format!("{} of {tiles} tiles", PatternViews::NAME);
            (search(task, views, observer), name)
        }
        Near::Databases(..) => unreachable!("these are kept of puzzles with a blank"),
    }
}

/// Whether a board is far away by its estimate alone. What is made of that must not depend on
/// which tables are there: a board takes the same nodes whatever was solved before it.
fn seems_hard<P: Puzzle>(puzzle: &P, estimate: Depth) -> bool {
    const NODES: f64 = 1e7;
    puzzle.frame().automaton().branching_factor().powf(estimate.into()) > NODES
}

/// What a search found, and on how many threads.
pub(super) struct Searched {
    pub(super) outcome: Outcome,
    threads: usize,
}

impl Searched {
    /// The same, with the statistics of a search before it, and the bytes of a table.
    pub(super) fn after(mut self, first: Statistics, table_bytes: u64) -> Searched {
        let second = std::mem::replace(&mut self.outcome.statistics, first);
        self.outcome.statistics.add(second);
        self.outcome.statistics.peak_bytes += table_bytes;
        self
    }
}

/// IDA*, on as many threads as there are, as soon as it is worth their while.
pub(super) fn search<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    heuristic: &H,
    observer: &mut dyn Observer,
) -> Searched {
    let threads = task.settings.threads;
    let alone = up_to(task, if threads == 1 { u64::MAX } else { ALONE_NODES });
    let first = Ida::search(&alone, heuristic, observer);
    match what_is_left(task, &first) {
        Some(rest) if threads > 1 => {
            let outcome = ParallelIda::search(&rest, heuristic, observer);
            Searched { outcome, threads }.after(first.statistics, 0)
        }
        _ => Searched { outcome: first, threads: 1 },
    }
}

/// The task, for so many nodes at most.
pub(super) fn up_to<'a, P: Puzzle>(task: &Task<'a, P>, nodes: u64) -> Task<'a, P> {
    let nodes = Some(task.limits.nodes.map_or(nodes, |most| most.min(nodes)));
    Task { limits: Limits { nodes, ..task.limits }, ..*task }
}

/// What is left of a task after a first search that was to expand only some of its nodes.
pub(super) fn what_is_left<'a, P: Puzzle>(
    task: &Task<'a, P>,
    first: &Outcome,
) -> Option<Task<'a, P>> {
    let expanded = first.statistics.expanded;
    let used_up = task.limits.nodes.is_some_and(|most| expanded >= most);
    if first.stop != Some(StopReason::Nodes) || used_up {
        return None;
    }
    let nodes = task.limits.nodes.map(|most| most - expanded);
    let limits = Limits { nodes, ..task.limits };
    Some(Task { at_least: first.lower_bound, limits, ..*task })
}
