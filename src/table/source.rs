//! Where the tables of a heuristic come from: a cache, if there is one, or else they are built
//! within limits.

use super::cache::Cache;
use super::placements::{self, PlacementTable};
use super::sliding::rows::{self, RowTable, SharedSets, TilePattern};
use super::sliding::{Pattern, SharedIndexes, SlidingTable, in_cache};
use crate::limits::{Limits, StopReason};
use crate::puzzle::Frame;

/// Where tables come from, and what building them may take. By default: from nowhere, and as much
/// as it takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableSource<'a> {
    /// Where tables are kept.
    pub cache: Option<&'a Cache>,
    /// Limits of time and memory.
    pub limits: Limits<'a>,
}

impl TableSource<'_> {
    /// The table of a pattern of a sliding puzzle: that in the cache, or else built; kept there if
    /// building it takes seconds.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn sliding(
        &self,
        pattern: Pattern,
        shared: &mut SharedIndexes,
    ) -> Result<SlidingTable, StopReason> {
        match self.cache.zip(in_cache::name(pattern)) {
            Some((cache, name)) if in_cache::is_slow(pattern) => {
                Ok(in_cache::keep(cache, &name, pattern, shared, &self.limits)?.0)
            }
            _ => SlidingTable::build(pattern, shared, &self.limits),
        }
    }

    /// The table of some tiles of a puzzle without a blank: that in the cache, or else built; kept
    /// there if building it takes a while.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn placements(&self, frame: &Frame, tiles: &[u8]) -> Result<PlacementTable, StopReason> {
        match self.cache {
            Some(cache) if placements::is_slow(frame, tiles.len()) => {
                Ok(placements::keep(cache, frame, tiles, &self.limits)?.0)
            }
            _ => PlacementTable::new(frame, tiles, &self.limits),
        }
    }

    /// The table of a pattern of a sliding puzzle of any size: that in the cache, or else built; kept
    /// there if building it takes seconds.
    ///
    /// # Errors
    /// If a limit is hit.
    pub fn rows(
        &self,
        pattern: TilePattern,
        shared: &mut SharedSets,
    ) -> Result<RowTable, StopReason> {
        match self.cache.zip(rows::in_cache::name(&pattern)) {
            Some((cache, name)) if rows::in_cache::is_slow(&pattern) => {
                Ok(rows::in_cache::keep(cache, &name, &pattern, shared, &self.limits)?.0)
            }
            _ => RowTable::build(pattern, shared, &self.limits),
        }
    }
}
