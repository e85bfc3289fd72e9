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

use crate::limits::StopReason;

/// A table that was made.
#[derive(Debug)]
pub enum Built<T> {
    /// All that was asked for.
    Whole(T),
    /// Less than that, because of a limit.
    CutShort(T, StopReason),
}

impl<T> Built<T> {
    /// The table, whatever it is.
    pub fn table(self) -> T {
        match self {
            Built::Whole(table) | Built::CutShort(table, _) => table,
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
