//! Such tables in the cache.

use super::{RowTable, SharedSets, TilePattern};
use crate::limits::{Limits, StopReason};
use crate::puzzle::arch::Simd;
use crate::puzzle::{Frame, Goal, define_sliding};
use crate::table::Built;
use crate::table::cache::{Cache, Origin, TableName};
use crate::table::file::TableFile;

/// Tables with no more entries are built in some hundredths of a second.
const QUICK_ENTRIES: u64 = 1_000_000;

/// Whether building the table of a pattern takes so long that it is worth keeping.
pub fn is_slow(pattern: &TilePattern) -> bool {
    let entries = RowTable::entries_for(pattern.shape, pattern.tiles.len());
    entries.is_none_or(|entries| entries > QUICK_ENTRIES)
}

/// What the table of a pattern is called in the cache; `None` where the goal of the blank is not
/// the first cell.
pub fn name(pattern: &TilePattern) -> Option<TableName> {
    if pattern.blank != 0 {
        return None;
    }
    let upright = Frame::new(define_sliding(pattern.shape), Goal::BlankFirst, Simd::off()).ok()?;
    let cells: Vec<String> = pattern.tiles.iter().map(u8::to_string).collect();
    Some(TableName::new::<RowTable>(&upright, cells.join("-")))
}

/// The table of a pattern: the one in the cache, or else built and kept there.
///
/// # Errors
/// If a limit is hit.
pub fn keep(
    cache: &Cache,
    name: &TableName,
    pattern: &TilePattern,
    shared: &mut SharedSets,
    limits: &Limits<'_>,
) -> Result<(RowTable, Origin), StopReason> {
    let sets = shared.get(pattern.shape, pattern.tiles.len(), limits)?;
    let held = shared.bytes();
    let read = |file: &TableFile| RowTable::from_file(pattern.clone(), &sets, file);
    let build = || RowTable::build(pattern.clone(), shared, limits).map(Built::Whole);
    let (table, origin) = cache.load_or_build(name, read, build, limits)?;
    // That of a table which was built is counted already.
    if shared.bytes() == held {
        shared.add(table.bytes());
    }
    limits.check_bytes(shared.bytes())?;
    Ok((table, origin))
}
