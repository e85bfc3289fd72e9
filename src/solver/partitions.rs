//! Which partition of the tiles of a 24-puzzle serves a board best.
//!
//! On one board, one partition may need a quarter of the nodes that another needs, and on the next
//! one it is the other way round. So a board that proves hard is given to each for a short
//! [`Trial`]: a length that has been ruled out in few nodes is ruled out again. The one with the
//! fewest nodes goes on, or the greater sum of the two best if that saves more than it costs.

use super::answer::Guide;
use super::auto_table::{self, AutoTable};
use super::{Solver, databases};
use crate::heuristic::pattern_databases::PatternDatabases;
use crate::heuristic::pdb::Pdb6666;
use crate::puzzle::Depth;
use crate::puzzle::registry::on_engine;
use crate::search::ida::IDA;
use crate::search::{HeuristicKind, Iteration, Limits, Silent, Task};

/// The most nodes of a trial.
const TRIAL_NODES: u64 = 1_000_000;

/// By how many possible lengths a trial may be shorter than the length to be ruled out next.
const MOST_SHORTER: Depth = 4;

/// What a node with two partitions takes, in nodes with one.
const COST_OF_TWO: f64 = 1.7;

/// How many nodes it takes to rule out a length of which that is known already.
pub(super) struct Trial<'a> {
    task: &'a Task<'a>,
    length: Depth,
}

impl<'a> Trial<'a> {
    /// The longest of the lengths that a search with a table has ruled out in few nodes, or would
    /// have; `None` if there is none.
    pub(super) fn new(
        task: &'a Task<'a>,
        table: &AutoTable,
        searched: &[Iteration],
    ) -> Option<Trial<'a>> {
        let few = |done: &&Iteration| done.bound < task.at_least && done.expanded <= TRIAL_NODES;
        if let Some(length) = searched.iter().filter(few).map(|done| done.bound).max() {
            return Some(Trial { task, length });
        }
        // Every second length is possible.
        let shorter = (1..=MOST_SHORTER).filter_map(|n| task.at_least.checked_sub(2 * n));
        let mut trials = shorter.map(|length| Trial { task, length });
        trials.find(|trial| trial.nodes(task.start, table, TRIAL_NODES) < TRIAL_NODES)
    }

    /// The nodes that are expanded with a table, no more than `most`.
    pub(super) fn nodes(&self, start: &[u8], table: &AutoTable, most: u64) -> u64 {
        let limits = Limits { depth: Some(self.length), nodes: Some(most), ..self.task.limits };
        let task = Task { start, at_least: self.length, limits, ..self.task.clone() };
        (IDA.search)(&task, &*table.estimator, &mut Silent).statistics.expanded
    }
}

/// The databases of a partition, and what came of their trial.
struct Candidate<'a> {
    number: usize,
    databases: &'a PatternDatabases,
    table: AutoTable,
    nodes: u64,
}

/// The table that is best for a board, if that is not the first one. Tables are built if they may
/// be, or else read from the cache.
pub(super) fn best(solver: &Solver, trial: &Trial<'_>, may_build: bool) -> Option<AutoTable> {
    let limits = auto_table::build_limits(&trial.task.limits);
    let start = trial.task.start;
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    for (number, databases) in databases::several(solver, may_build, &limits)?.iter().enumerate() {
        let table = table_of(solver, databases, vec![number + 1]);
        // One that needs many more than another is not followed to the end.
        let least = candidates.iter().map(|candidate| candidate.nodes).min();
        let nodes = trial.nodes(start, &table, least.map_or(u64::MAX, |least| 2 * least));
        candidates.push(Candidate { number, databases, table, nodes });
    }
    candidates.sort_by_key(|candidate| candidate.nodes);
    let mut candidates = candidates.into_iter();
    let (first, second) = (candidates.next()?, candidates.next()?);
    if let Some(both) = first.databases.or_greater(second.databases) {
        let table = table_of(solver, &both, vec![first.number + 1, second.number + 1]);
        let worth = (first.nodes as f64 / COST_OF_TWO) as u64;
        if trial.nodes(start, &table, worth) < worth {
            return Some(table);
        }
    }
    (first.number != 0).then_some(first.table)
}

fn table_of(solver: &Solver, databases: &PatternDatabases, partitions: Vec<usize>) -> AutoTable {
    let (databases, kind) = (databases.clone(), HeuristicKind::own::<Pdb6666>());
    let guide = Guide::Partitions(kind.clone(), partitions);
    let table = on_engine!(&solver.puzzle, puzzle => {
        AutoTable::from_databases(puzzle, databases, kind)
    });
    AutoTable { guide, ..table }
}
