//! The laboratory: everything that is done with many boards, or with whole puzzles.
//!
//! Reading boards from files, records and journals, counting, scrambling, audits and comparisons
//! of heuristics, proofs of tables, the bench. This layer may read and write files; it prints nothing.

pub mod audit;
pub mod batch;
pub mod bench;
pub mod compare;
pub mod count;
pub mod far;
mod images;
pub mod input;
pub mod journal;
pub mod merge;
pub mod plan;
pub mod prediction;
pub mod random;
pub mod record;
pub mod report;
pub mod sample;
pub mod scramble;
pub mod shard;
pub mod solvers;
pub mod spread;
pub mod strength;
pub mod summary;
pub mod tables;
pub mod verify;
