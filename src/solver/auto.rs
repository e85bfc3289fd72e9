//! `auto`: which search to run if the user names none.
//!
//! Easy boards are answered by IDA* at once. A board that proves hard is worth a table, built once
//! and kept for the boards to come (see [`AutoTable`]). The search then goes on from the bound
//! already proven, on as many threads as are given.

use super::anytime::{self, FirstSearch};
use super::auto_table::{self, AutoTable};
use super::{BuiltHeuristic, Guide, Searched, Solver, TableKind, backward, large_sliding};
use crate::puzzle::{Depth, Frame};
use crate::search::ida::IDA;
use crate::search::parallel_ida::PARALLEL_IDA;
use crate::search::{
    Aim, Estimator, Limits, Observer, Outcome, Prune, Statistics, StopReason, Task,
};
use std::time::Instant;

/// A board that needs more than this is hard: by then the search has taken a good part of what
/// the tables take to build.
const EASY_NODES: u64 = 300_000;

/// The same for sliding puzzles. Boards of up to nine cells hardly ever need more, which takes a
/// tenth of what a table of all of them takes; databases are built in a fifth of a second on boards
/// of up to 16 cells, and in some seconds on larger ones.
const EASY_SLIDING_NODES: [u64; 3] = [300_000, 60_000, 5_000_000];

/// Where any solution is welcome, that is too long to wait for the first one: so much is spent
/// before, and the rest after it. Large boards have a first one sooner.
const EASY_BEFORE_BEAMS: [u64; 2] = [300_000, 100_000];

/// As much is spent on a board that seems hard, in case it is not.
const FEW_NODES: u64 = 2_000;

/// A search that takes no more is done before other threads are on their way.
const ALONE_NODES: u64 = 20_000;

pub(super) fn solve(
    solver: &Solver,
    task: &Task<'_>,
    heuristic: &BuiltHeuristic,
    observer: &mut dyn Observer,
) -> Searched {
    let frame = solver.frame();
    let has_blank = frame.blank_label().is_some();
    let began = Instant::now();
    let estimator = &*heuristic.estimator;
    // With a table at hand, searching without it is a waste of time.
    let may_be_ready = !has_blank && !auto_table::has_views(frame);
    let is_ready = may_be_ready && solver.auto_table.get().is_some();
    let easy = if is_ready && task.options.heuristic.is_none() {
        0
    } else if has_blank {
        let cells = frame.shape().cells();
        EASY_SLIDING_NODES[usize::from(cells > 9) + usize::from(cells > 16)]
    } else if seems_hard(frame, estimator.estimate(task.start)) || auto_table::has_views(frame) {
        FEW_NODES
    } else {
        EASY_NODES
    };
    let is_shared = task.options.crew_to_prove_with().is_some();
    let proves = task.options.aim == Aim::Proven || is_shared;
    let before_beams = EASY_BEFORE_BEAMS[usize::from(anytime::is_large(frame))];
    let at_first = if proves { easy } else { easy.min(before_beams) };
    let first = (IDA.search)(&up_to(task, at_first), estimator, observer);
    let first = Searched {
        outcome: first,
        algorithm: &IDA,
        guides: vec![Guide::Heuristic(heuristic.kind.clone())],
        threads: 1,
        improvements: Vec::new(),
    };
    let Some(rest) = what_is_left(task, &first.outcome) else {
        return first;
    };
    if proves {
        return prove(solver, &rest, heuristic, observer).after(first.outcome.statistics, 0);
    }
    let first = FirstSearch { searched: first, began, easy_left: easy - at_first };
    anytime::solve(solver, &rest, heuristic, first, observer)
}

/// The exact search, after a first one has shown that the board is hard: with a table, if there is
/// room for one.
pub(super) fn prove(
    solver: &Solver,
    task: &Task<'_>,
    heuristic: &BuiltHeuristic,
    observer: &mut dyn Observer,
) -> Searched {
    let task = &Task { prune: Prune::Loops, ..task.clone() };
    let table = if heuristic.kind.is_additive(solver.frame()) {
        Err(StopReason::Memory)
    } else {
        auto_table::get(solver, &task.limits, observer)
    };
    let first_guide = Guide::Heuristic(heuristic.kind.clone());
    match table {
        Ok(table) => {
            let task = &certain(task, table, heuristic);
            let mut searched = search_with(table, solver, task, observer)
                .after(Statistics::default(), table.bytes);
            searched.guides.insert(0, first_guide);
            searched
        }
        // The search sees for itself whether its own time is over.
        Err(StopReason::Memory | StopReason::Time) => {
            search(task, &*heuristic.estimator, first_guide, observer)
        }
        Err(stop) => Searched::stopped(&IDA, vec![first_guide], task.at_least, stop),
    }
}

/// The task, without a bound that rests on a promise which may not hold if the table has single
/// layers: solutions are found with these only if the bound is not above the shortest.
fn certain<'a>(task: &Task<'a>, table: &AutoTable, heuristic: &BuiltHeuristic) -> Task<'a> {
    let is_certain = heuristic.promise.admissible && !heuristic.kind.only_claims();
    let has_layers = matches!(table.guide, Guide::WithTable(_, TableKind::Reach));
    Task { at_least: if has_layers && !is_certain { 0 } else { task.at_least }, ..task.clone() }
}

/// A search with the table of the puzzle.
fn search_with(
    table: &AutoTable,
    solver: &Solver,
    task: &Task<'_>,
    observer: &mut dyn Observer,
) -> Searched {
    match &table.guide {
        // What is decided by time would be decided differently by each process of a crew.
        Guide::Databases(_)
            if solver.frame().shape().cells() > 16 && task.options.crew.is_none() =>
        {
            large_sliding::search_large(solver, task, table, observer)
        }
        Guide::Databases(_) => backward::search_hard(solver, task, table, observer),
        guide => {
            let began = Instant::now();
            let searched = search(task, &*table.estimator, guide.clone(), observer);
            table.usage.add(began.elapsed());
            searched
        }
    }
}

/// Whether a board is far away by its estimate alone.
fn seems_hard(frame: &Frame, estimate: Depth) -> bool {
    const NODES: f64 = 1e7;
    frame.automaton().branching_factor().powf(estimate.into()) > NODES
}

/// IDA*, on as many threads as there are, as soon as it is worth their while.
pub(super) fn search(
    task: &Task<'_>,
    estimator: &dyn Estimator,
    guide: Guide,
    observer: &mut dyn Observer,
) -> Searched {
    let threads = task.options.all_threads();
    let is_shared = threads > 1 || task.options.crew_to_prove_with().is_some();
    let alone = up_to(task, if is_shared { ALONE_NODES } else { u64::MAX });
    let first = (IDA.search)(&alone, estimator, observer);
    let guides = vec![guide];
    match what_is_left(task, &first) {
        Some(rest) if is_shared => {
            let outcome = (PARALLEL_IDA.search)(&rest, estimator, observer);
            Searched {
                outcome,
                algorithm: &PARALLEL_IDA,
                guides,
                threads,
                improvements: Vec::new(),
            }
            .after(first.statistics, 0)
        }
        _ => Searched {
            outcome: first,
            algorithm: &IDA,
            guides,
            threads: 1,
            improvements: Vec::new(),
        },
    }
}

/// The task, for so many nodes at most.
pub(super) fn up_to<'a>(task: &Task<'a>, nodes: u64) -> Task<'a> {
    let nodes = Some(task.limits.nodes.map_or(nodes, |most| most.min(nodes)));
    Task { limits: Limits { nodes, ..task.limits }, ..task.clone() }
}

/// What is left of a task after a first search that was to expand only some of its nodes.
pub(super) fn what_is_left<'a>(task: &Task<'a>, first: &Outcome) -> Option<Task<'a>> {
    let expanded = first.statistics.expanded;
    let used_up = task.limits.nodes.is_some_and(|most| expanded >= most);
    if first.stop != Some(StopReason::Nodes) || used_up {
        return None;
    }
    let nodes = task.limits.nodes.map(|most| most - expanded);
    let limits = Limits { nodes, ..task.limits };
    let expanded = task.expanded + expanded;
    Some(Task { at_least: first.lower_bound, limits, expanded, ..task.clone() })
}
