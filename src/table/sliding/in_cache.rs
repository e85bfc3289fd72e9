//! Tables of sliding puzzles in the cache.

use super::{Pattern, SharedIndexes, SlidingTable};
use crate::limits::{Limits, StopReason};
use crate::puzzle::arch::Simd;
use crate::puzzle::{Frame, Goal, define_sliding};
use crate::table::Built;
use crate::table::cache::{Cache, Origin, TableName};
use crate::table::file::TableFile;
use std::cell::RefCell;

/// Tables of boards with no more cells, and of patterns with no more tiles, are built in a
/// fraction of a second.
const QUICK: (usize, usize) = (16, 6);

/// Whether building the table of a pattern takes seconds, so that it is worth keeping.
pub fn is_slow(pattern: Pattern) -> bool {
    pattern.shape.cells() > QUICK.0 || pattern.len() > QUICK.1
}

/// What the table of a pattern is called in the cache. Both goals share it, as boards are turned
/// until they stand upright with the blank in the first cell; for other goals of the blank there
/// is none.
pub fn name(pattern: Pattern) -> Option<TableName> {
    if pattern.blank != 0 {
        return None;
    }
    let upright = Frame::new(define_sliding(pattern.shape), Goal::BlankFirst, Simd::off()).ok()?;
    let cells: Vec<String> = pattern.cells().iter().map(u8::to_string).collect();
    Some(TableName::new::<SlidingTable>(&upright, cells.join("-")))
}

/// The table of a pattern in the cache, if it is there.
pub fn load(
    cache: &Cache,
    name: &TableName,
    pattern: Pattern,
    shared: &mut SharedIndexes,
) -> Option<SlidingTable> {
    let shared = RefCell::new(shared);
    let read = |file: &TableFile| SlidingTable::from_file(pattern, &mut shared.borrow_mut(), file);
    cache.load(&cache.path(name), name.fingerprint(), read)
}

/// The table of a pattern: the one in the cache, or else built and kept there.
///
/// # Errors
/// If a limit is hit.
pub fn keep(
    cache: &Cache,
    name: &TableName,
    pattern: Pattern,
    shared: &mut SharedIndexes,
    limits: &Limits<'_>,
) -> Result<(SlidingTable, Origin), StopReason> {
    let shared = RefCell::new(shared);
    let read = |file: &TableFile| SlidingTable::from_file(pattern, &mut shared.borrow_mut(), file);
    let build = || {
        let table = SlidingTable::build(pattern, &mut shared.borrow_mut(), limits)?;
        Ok(Built::Whole(table))
    };
    let kept = cache.load_or_build(name, read, build, limits)?;
    limits.check_bytes(shared.borrow().bytes())?;
    Ok(kept)
}
