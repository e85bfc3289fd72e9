//! Precomputed distances: breadth-first layers, and the tables made from them.
//!
//! This layer knows puzzles and their symmetries, but no search and no heuristic.

pub mod ball;
pub mod filter;
pub mod layers;
pub mod pattern;
pub mod reach;

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
