//! Precomputed distances: breadth-first layers, the tables made from them, and the files in
//! which tables are kept.
//!
//! This layer knows puzzles and their symmetries, but no search and no heuristic. Files are
//! touched by [`file`](mod@file) and [`cache`] alone, and only for those who ask for them.

pub mod ball;
pub mod cache;
pub mod file;
pub mod filter;
pub mod fingerprint;
pub mod layers;
pub mod pattern;
pub mod reach;
pub mod sliding;
pub mod storage;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What may cut the making of a table short.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuildLimits<'a> {
    /// The most bytes to hold at any time.
    pub bytes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set by another thread to stop at once.
    pub cancelled: Option<&'a AtomicBool>,
}

/// Why the making of a table was cut short.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BuildStop {
    /// More memory would be needed than is allowed, or than there is.
    #[error("the memory limit was reached")]
    Memory,
    /// The time is over.
    #[error("the time limit was reached")]
    Time,
    /// Another thread said so.
    #[error("interrupted")]
    Cancelled,
}

/// Is told how a table is coming along: for which number of moves, and which share of that is
/// done.
pub type Watch<'a> = dyn FnMut(u32, f64) + 'a;

/// A table that was made.
#[derive(Debug)]
pub enum Built<T> {
    /// All that was asked for.
    Whole(T),
    /// Less than that, because of a limit.
    CutShort(T, BuildStop),
}

impl<T> Built<T> {
    /// The table, whatever it is.
    pub fn table(self) -> T {
        match self {
            Built::Whole(table) | Built::CutShort(table, _) => table,
        }
    }
}

impl BuildLimits<'_> {
    /// Whether time or patience is over.
    ///
    /// # Errors
    /// If so.
    pub fn check(&self) -> Result<(), BuildStop> {
        if self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(BuildStop::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(BuildStop::Time);
        }
        Ok(())
    }

    /// Whether so many bytes may be held.
    ///
    /// # Errors
    /// If not.
    pub fn check_bytes(&self, bytes: u64) -> Result<(), BuildStop> {
        match self.bytes {
            Some(limit) if bytes > limit => Err(BuildStop::Memory),
            _ => Ok(()),
        }
    }
}

/// By which factor the next layer is likely to grow.
fn growth(sizes: &[usize], branching: f64) -> f64 {
    match sizes {
        [.., before, last] if *before > 1 => *last as f64 / *before as f64,
        _ => branching,
    }
}
