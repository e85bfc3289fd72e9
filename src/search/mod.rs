//! Search algorithms, one file each, and what they have in common: limits, statistics,
//! observers and outcomes.
//!
//! A search takes a puzzle, a start, a heuristic, [`Limits`] and an [`Observer`], and
//! yields an [`Outcome`]. It prints nothing, reads no file and knows no boards.

pub mod ida;
mod limits;
mod outcome;

pub use limits::{Limits, Stop};
pub use outcome::{Iteration, Observer, Outcome, Silent, Solution, Statistics};
