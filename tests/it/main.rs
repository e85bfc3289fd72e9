//! Behaviour, seen from outside: one binary, a module per subject.

mod automaton;
mod bad_input;
mod batches;
#[cfg(unix)]
mod bench_compare;
mod best_first;
mod cli_audit;
mod cli_batch;
mod cli_bench;
mod cli_compare;
mod cli_count_info;
mod cli_files;
mod cli_forms;
mod cli_grade;
mod cli_options;
mod cli_play;
mod cli_records;
mod cli_resume;
mod cli_scramble;
mod cli_solve;
mod cli_steps;
mod cli_tables;
mod cli_verify;
mod constructive;
mod counts;
mod course;
mod determinism;
mod heuristics;
mod layers_of_code;
mod limits;
mod own_heuristics;
mod own_partitions;
#[cfg(all(unix, feature = "play"))]
mod play_terminal;
mod program;
mod puzzles;
mod release;
mod searches;
mod sliding;
mod support;
mod symmetry;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(feature = "web")]
mod web;
