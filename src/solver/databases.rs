//! The pattern databases of sliding puzzles that `auto` searches with: how the tiles are divided,
//! and where their tables come from.
//!
//! The tables of the 15-puzzle are made in a fraction of a second, and anew by each process. Those
//! of larger boards are kept in the cache, if the solver has one; and where the large ones of the
//! 15-puzzle have been put there, they are used.

use super::Solver;
use super::auto_table::{self, Prepared, TableSize, prepared};
use crate::heuristic::partition::Partition;
use crate::heuristic::pattern_databases::PatternDatabases;
use crate::heuristic::pdb::{Automatic, NamedPartition, Pdb78, Pdb663, Pdb6666};
use crate::limits::{Limits, StopReason};
use crate::puzzle::Frame;
use crate::search::HeuristicKind;
use crate::table::cache::Cache;
use crate::table::sliding::{Pattern, SharedIndexes, SlidingTable, in_cache};
use crate::table::source::TableSource;
use std::sync::Arc;

/// The most tiles of a pattern where no partition is known.
const TILES: usize = 6;

/// With more cells than this, tables take seconds to make.
const QUICK_CELLS: usize = 16;

/// What the large tables of the 15-puzzle take.
const LARGE_BYTES: u64 = 196_000_000;

/// What the tables of several partitions of the 24-puzzle take.
const SEVERAL_BYTES: u64 = 300_000_000;

/// The databases of a puzzle with a blank, and what they are called.
pub(super) fn find(
    cache: Option<&Cache>,
    frame: &Frame,
    limits: &Limits<'_>,
) -> Result<(PatternDatabases, HeuristicKind), StopReason> {
    if let Some(large) = cache.and_then(|cache| large(cache, frame, limits)) {
        return Ok((large, HeuristicKind::own::<Pdb78>()));
    }
    let (kind, partition) = partition(frame).ok_or(StopReason::Memory)?;
    let tables = TableSource { cache, limits: *limits };
    Ok((PatternDatabases::with_partition(frame, &partition, &tables)?, kind))
}

/// The same, built from scratch and kept nowhere.
pub(super) fn build(
    frame: &Frame,
    limits: &Limits<'_>,
) -> Result<(PatternDatabases, HeuristicKind), StopReason> {
    let (kind, partition) = partition(frame).ok_or(StopReason::Memory)?;
    let tables = TableSource { cache: None, limits: *limits };
    Ok((PatternDatabases::with_partition(frame, &partition, &tables)?, kind))
}

/// The databases of several partitions, that of [`find`] first; their tables are read from the
/// cache, or else built, if they may be. `None` if there is but one partition, or no such table.
pub(super) fn several<'a>(
    solver: &'a Solver,
    may_build: bool,
    limits: &Limits<'_>,
) -> Option<&'a [PatternDatabases]> {
    if let Some(all) = solver.partitions.get() {
        return Some(all);
    }
    limits.check_bytes(solver.table_bytes() + SEVERAL_BYTES).ok()?;
    let _building = auto_table::wait_for(&solver.building, limits).ok()?;
    let source = TableSource { cache: solver.cache.as_ref(), limits: *limits };
    let mut table = |pattern, shared: &mut SharedIndexes| match source.cache {
        _ if may_build => source.sliding(pattern, shared),
        Some(cache) => load(cache, pattern, shared),
        None => Err(StopReason::Memory),
    };
    let mut known = solver.auto_table.get()?.tables.clone();
    let mut all = Vec::new();
    for partition in Partition::several_6666(solver.frame()) {
        let databases =
            PatternDatabases::with_tables(solver.frame(), &partition, &known, &mut table).ok()?;
        let is_new = |table: &&Arc<SlidingTable>| !known.iter().any(|k| Arc::ptr_eq(k, table));
        let new: Vec<_> = databases.tables().iter().filter(is_new).cloned().collect();
        known.extend(new);
        all.push(databases);
    }
    (!all.is_empty()).then(|| &**solver.partitions.get_or_init(|| all))
}

/// How many bytes the tables of [`several`] partitions hold besides those of the first.
pub(super) fn bytes_besides(solver: &Solver) -> u64 {
    let all = solver.partitions.get().into_iter().flatten().flat_map(PatternDatabases::tables);
    let mut besides: Vec<&Arc<SlidingTable>> = Vec::new();
    let first = solver.auto_table.get().map_or(&[][..], |table| &table.tables);
    for table in all {
        if !besides.iter().copied().chain(first).any(|known| Arc::ptr_eq(known, table)) {
            besides.push(table);
        }
    }
    besides.iter().map(|table| table.bytes()).sum()
}

/// The table of a pattern in the cache.
fn load(
    cache: &Cache,
    pattern: Pattern,
    shared: &mut SharedIndexes,
) -> Result<SlidingTable, StopReason> {
    let name = in_cache::name(pattern).ok_or(StopReason::Memory)?;
    in_cache::load(cache, &name, pattern, shared).ok_or(StopReason::Memory)
}

/// How the tiles are divided, and which heuristic that is; `None` for boards that are too large.
fn partition(frame: &Frame) -> Option<(HeuristicKind, Partition)> {
    if let Some(partition) = Partition::new_663(frame) {
        return Some((HeuristicKind::own::<Pdb663>(), partition));
    }
    if let Some(partition) = Partition::new_6666(frame) {
        return Some((HeuristicKind::own::<Pdb6666>(), partition));
    }
    Some((HeuristicKind::own::<Automatic>(), Partition::from_strips(frame, TILES)?))
}

/// The large databases of the 15-puzzle, if they are in the cache and fit.
fn large(cache: &Cache, frame: &Frame, limits: &Limits<'_>) -> Option<PatternDatabases> {
    limits.check_bytes(LARGE_BYTES).ok()?;
    let mut table = |pattern, shared: &mut SharedIndexes| load(cache, pattern, shared);
    PatternDatabases::with_tables(frame, &Pdb78::partition(frame)?, &[], &mut table).ok()
}

/// Makes the tables of a size and keeps them, unless they are there; `None` if none are kept.
pub(super) fn prepare(
    cache: &Cache,
    frame: &Frame,
    size: TableSize,
    limits: &Limits<'_>,
) -> Option<Result<Vec<Prepared>, StopReason>> {
    let partitions = match Pdb78::partition(frame) {
        Some(large) if size.bytes() >= LARGE_BYTES => vec![large],
        Some(_) => return None,
        None if frame.shape().cells() > QUICK_CELLS => {
            let several = Partition::several_6666(frame);
            if several.is_empty() { vec![partition(frame)?.1] } else { several }
        }
        None => return None,
    };
    let mut all = Vec::new();
    let mut table = |pattern, shared: &mut SharedIndexes| {
        let Some(name) = in_cache::name(pattern) else {
            return SlidingTable::build(pattern, shared, limits);
        };
        let (table, origin) = in_cache::keep(cache, &name, pattern, shared, limits)?;
        all.push(prepared(cache, &name, &table, origin));
        Ok(table)
    };
    let mut known = Vec::new();
    for partition in partitions {
        match PatternDatabases::with_tables(frame, &partition, &known, &mut table) {
            Ok(databases) => known.extend_from_slice(databases.tables()),
            Err(stop) => return Some(Err(stop)),
        }
    }
    (!all.is_empty()).then_some(Ok(all))
}
