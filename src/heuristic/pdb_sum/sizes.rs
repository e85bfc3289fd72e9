//! How large the patterns of the sum may be, from those that are there at once to the best.

use super::division::Division;
use crate::puzzle::Frame;
use crate::table::cache::Cache;
use crate::table::sliding::rows::{MOST_TILES, RowTable, TilePattern, in_cache};
use std::time::Duration;

/// What one thread needs for an entry, about.
const TIME_AN_ENTRY: Duration = Duration::from_nanos(40);

/// What is there at once takes no longer.
const AT_ONCE: Duration = Duration::from_millis(50);

/// The most that tables may hold, and the longest that one thread may be busy with them.
const MOST_BYTES: u64 = 400_000_000;
const MOST_TIME: Duration = Duration::from_secs(120);

/// A size of the patterns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreSize {
    /// The most tiles of a pattern.
    pub tiles: usize,
    /// How many bytes the tables hold, about.
    pub bytes: u64,
    /// How many bytes are held while they are built, about.
    pub bytes_to_build: u64,
    /// How long one thread takes to build them, about; several share the work.
    pub build_time: Duration,
    /// The tables that are worth keeping.
    slow: Vec<TilePattern>,
}

impl ScoreSize {
    /// The size of patterns of at most so many tiles; `None` if that is far too large, or if no
    /// pattern has as many.
    pub(super) fn new(frame: &Frame, tiles: usize) -> Option<ScoreSize> {
        if frame.shape().cells() <= tiles {
            return None;
        }
        let Division { tables, .. } = Division::new(frame, tiles);
        let (mut bytes, mut entries, mut to_build) = (0_u64, 0_u64, 0);
        for table in &tables {
            let (shape, tiles) = (table.shape, table.tiles.len());
            to_build = RowTable::bytes_to_build(shape, tiles)?.max(to_build);
            bytes = bytes.checked_add(RowTable::bytes_for(shape, tiles)?)?;
            entries = entries.checked_add(RowTable::entries_for(shape, tiles)?)?;
        }
        let nanos = entries.checked_mul(TIME_AN_ENTRY.as_nanos() as u64)?;
        let slow = tables.into_iter().filter(in_cache::is_slow).collect();
        let (build_time, bytes_to_build) = (Duration::from_nanos(nanos), bytes + to_build);
        Some(ScoreSize { tiles, bytes, bytes_to_build, build_time, slow })
    }

    /// The patterns whose tables are worth keeping.
    pub fn slow_patterns(&self) -> &[TilePattern] {
        &self.slow
    }

    /// Whether its tables are in a cache, as far as they are worth keeping.
    pub fn is_in(&self, cache: &Cache) -> bool {
        self.slow
            .iter()
            .all(|pattern| in_cache::name(pattern).is_some_and(|name| cache.path(&name).exists()))
    }
}

/// The sizes for a puzzle with a blank: first the best that is there at once, then each that is
/// better, and takes more time and memory.
pub fn sizes(frame: &Frame) -> Vec<ScoreSize> {
    let fits = |size: &ScoreSize| size.bytes <= MOST_BYTES && size.build_time <= MOST_TIME;
    let mut sizes: Vec<ScoreSize> =
        (1..=MOST_TILES).map_while(|tiles| ScoreSize::new(frame, tiles)).filter(fits).collect();
    let at_once = sizes.iter().filter(|size| size.build_time <= AT_ONCE).count();
    sizes.drain(..at_once.saturating_sub(1));
    sizes
}
