//! Precomputed distances: breadth-first layers, the tables made from them, and the files in
//! which tables are kept.
//!
//! This layer knows puzzles and their symmetries, but no search and no heuristic. Files are
//! touched by [`file`](mod@file) and [`cache`] alone, and only on request.

pub mod ball;
pub mod bloom_filter;
pub mod cache;
pub mod file;
pub mod fingerprint;
pub mod layers;
pub mod partitioned;
pub mod pattern;
pub mod placements;
pub mod reach;
pub mod sliding;
pub mod source;
pub mod storage;

use crate::limits::StopReason;

/// A table, and whether it is complete.
#[derive(Debug)]
pub enum Built<T> {
    /// As large as requested.
    Whole(T),
    /// Smaller, because a limit was hit.
    CutShort(T, StopReason),
}

impl<T> Built<T> {
    /// The table, complete or not.
    pub fn table(self) -> T {
        match self {
            Built::Whole(table) | Built::CutShort(table, _) => table,
        }
    }
}

/// The expected growth factor of the next layer.
fn growth(sizes: &[usize], branching: f64) -> f64 {
    match sizes {
        [.., before, last] if *before > 1 => *last as f64 / *before as f64,
        _ => branching,
    }
}
