//! The exact search of sliding puzzles of more than 16 cells, which may take minutes: what becomes
//! worth trying while it goes on.
//!
//! **Other partitions** of the tiles are put on trial (see [`partitions`]) as soon as that is worth
//! reading their tables, or later building them. **Backward search** is tried once databases of the
//! board as a goal are worth building (see [`backward`](super::backward)). **A solution from above**
//! makes the last length superfluous if it is shortest: where nothing but a proof will do, beams look
//! for one, for a part of the time that the search has taken.

use super::auto::{search, up_to, what_is_left};
use super::auto_table::AutoTable;
use super::backward::Backward;
use super::partitions::{self, Trial};
use super::{Searched, Solver, anytime};
use crate::limits::{Limits, Observer, StopReason};
use crate::puzzle::{Depth, Move};
use crate::search::{Aim, Path, Statistics, Task};
use std::time::Instant;

/// By then, a search has taken some times as long as the tables of other partitions take to read.
const READ_NODES: u64 = 20_000_000;

/// By then, it has taken about as long as they take to build.
const BUILD_NODES: u64 = 200_000_000;

/// By then, it takes minutes, and beams are worth half of one.
const BEAM_NODES: u64 = 2_000_000_000;

/// Beams take one part in so many of the time that the search has taken.
const BEAM_SHARE: u32 = 3;

/// Searches with the databases of the goal, and a hard board with whatever promises most.
pub(super) fn search_large(
    solver: &Solver,
    task: &Task<'_>,
    table: &AutoTable,
    observer: &mut dyn Observer,
) -> Searched {
    let began = Instant::now();
    let mut task = task.clone();
    let mut statistics = Statistics::default();
    let mut means = Means { solver, table, better: None, backward: None };
    let mut shortest: Option<Vec<Move>> = None;
    for nodes in [READ_NODES, BUILD_NODES, BEAM_NODES, u64::MAX] {
        let searched = means.search(&up_to(&task, nodes), observer);
        let Some(rest) = what_is_left(&task, &searched.outcome) else {
            return closed(searched, shortest).after(statistics, 0);
        };
        task = rest;
        statistics.add(searched.outcome.statistics);
        match nodes {
            READ_NODES => means.try_partitions(&task, &statistics, false),
            BUILD_NODES => {
                means.try_partitions(&task, &statistics, true);
                means.try_backward(&task, &statistics);
            }
            _ => {}
        }
        if task.options.aim == Aim::Proven {
            let (found, beams) = anytime::from_above(
                solver,
                &task,
                shortest.as_ref().map(Vec::len),
                began,
                began.elapsed() / BEAM_SHARE,
                observer,
            );
            statistics.add(beams);
            if let Some(found) = found {
                // Only shorter ones are still of interest.
                let shorter = found.len() as Depth - 1;
                let depth = Some(task.limits.depth.map_or(shorter, |most| most.min(shorter)));
                task.limits = Limits { depth, ..task.limits };
                shortest = Some(found);
            }
        }
    }
    unreachable!("the last search has no limit of its own")
}

/// The best solution that is known is shortest if every shorter length is ruled out.
fn closed(mut searched: Searched, shortest: Option<Vec<Move>>) -> Searched {
    let outcome = &mut searched.outcome;
    if let Some(moves) = shortest
        && outcome.stop == Some(StopReason::Depth)
        && outcome.lower_bound >= moves.len() as Depth
    {
        outcome.lower_bound = moves.len() as Depth;
        outcome.solution = Some(Path { moves, optimal: true });
        outcome.stop = None;
    }
    searched
}

/// What a search goes on with.
struct Means<'a> {
    solver: &'a Solver,
    table: &'a AutoTable,
    better: Option<AutoTable>,
    backward: Option<Backward>,
}

impl Means<'_> {
    fn table(&self) -> &AutoTable {
        self.better.as_ref().unwrap_or(self.table)
    }

    fn search(&self, task: &Task<'_>, observer: &mut dyn Observer) -> Searched {
        if let Some(backward) = &self.backward {
            return backward.search(self.solver, task, observer);
        }
        let table = self.table();
        search(task, &*table.estimator, table.guide.clone(), observer)
    }

    /// Goes on with another partition, if that does better on trial; their tables are built, if
    /// they may be.
    fn try_partitions(&mut self, task: &Task<'_>, statistics: &Statistics, may_build: bool) {
        let was_tried = self.solver.partitions.get().is_some() && may_build;
        if !was_tried && let Some(trial) = Trial::new(task, self.table, &statistics.iterations) {
            self.better = partitions::best(self.solver, &trial, may_build);
        }
    }

    /// Goes on from the goal, if that does better on trial.
    fn try_backward(&mut self, task: &Task<'_>, statistics: &Statistics) {
        let Some(trial) = Trial::new(task, self.table, &statistics.iterations) else { return };
        let Some(backward) = Backward::new(self.solver, task, self.table.bytes) else { return };
        let forward = trial.nodes(task.start, self.table(), u64::MAX);
        if trial.nodes(&backward.goal, &backward.table, forward) < forward {
            self.backward = Some(backward);
        }
    }
}
