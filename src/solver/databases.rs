//! The pattern databases of sliding puzzles that `auto` searches with: how the tiles are divided,
//! and where their tables come from.
//!
//! The tables of the 15-puzzle are made in a fraction of a second, and anew by each process. Those
//! of larger boards are kept in the cache, if the solver has one; and where the large ones of the
//! 15-puzzle have been put there, they are used.

use super::auto_table::{Prepared, TableSize, prepared};
use crate::heuristic::partition::Partition;
use crate::heuristic::pattern_databases::PatternDatabases;
use crate::heuristic::pdb::{Automatic, NamedPartition, Pdb78, Pdb663, Pdb6666};
use crate::limits::{Limits, StopReason};
use crate::puzzle::Frame;
use crate::search::HeuristicKind;
use crate::table::cache::Cache;
use crate::table::sliding::{SharedIndexes, SlidingTable, in_cache};
use crate::table::source::TableSource;

/// The most tiles of a pattern where no partition is known.
const TILES: usize = 6;

/// With more cells than this, tables take seconds to make.
const QUICK_CELLS: usize = 16;

/// What the large tables of the 15-puzzle take.
const LARGE_BYTES: u64 = 196_000_000;

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
    let mut table = |pattern, shared: &mut SharedIndexes| {
        let name = in_cache::name(pattern).ok_or(StopReason::Memory)?;
        in_cache::load(cache, &name, pattern, shared).ok_or(StopReason::Memory)
    };
    PatternDatabases::with_tables(frame, &Pdb78::partition(frame)?, &mut table).ok()
}

/// Makes the tables of a size and keeps them, unless they are there; `None` if none are kept.
pub(super) fn prepare(
    cache: &Cache,
    frame: &Frame,
    size: TableSize,
    limits: &Limits<'_>,
) -> Option<Result<Vec<Prepared>, StopReason>> {
    let partition = match Pdb78::partition(frame) {
        Some(large) if size.bytes() >= LARGE_BYTES => large,
        Some(_) => return None,
        None if frame.shape().cells() > QUICK_CELLS => partition(frame)?.1,
        None => return None,
    };
    let mut all = Vec::new();
    let tables = PatternDatabases::with_tables(frame, &partition, &mut |pattern, shared| {
        let Some(name) = in_cache::name(pattern) else {
            return SlidingTable::build(pattern, shared, limits);
        };
        let (table, origin) = in_cache::keep(cache, &name, pattern, shared, limits)?;
        all.push(prepared(cache, &name, &table, origin));
        Ok(table)
    });
    Some(tables.map(|_| all)).filter(|tables| !matches!(tables, Ok(none) if none.is_empty()))
}
