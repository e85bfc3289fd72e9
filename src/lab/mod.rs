//! The laboratory: everything that is done with many boards, or with whole puzzles.
//!
//! Reading boards from files, records and journals, counting, scrambling, audits and comparisons
//! of heuristics, proofs of tables, the bench. This layer may read and write files; it prints nothing.

pub mod answered;
pub mod audit;
pub mod batch;
pub mod bench;
pub mod best_known;
pub mod bound_journal;
pub mod circumstances;
pub mod compare;
pub mod count;
pub mod csv_table;
pub mod distance_sample;
pub mod estimate_sample;
pub mod exact_distance;
pub mod files;
pub mod grade;
pub mod heuristic_table;
pub mod input;
pub mod journal;
mod locked_file;
pub mod merge;
pub mod plan;
pub mod prediction;
pub mod random;
pub mod record;
pub mod report;
pub mod scramble;
pub mod shard;
pub mod solvers;
pub mod strength;
pub mod summary;
mod symmetric_boards;
pub mod tables;
pub mod verify;
