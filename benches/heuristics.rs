//! One estimate of one state, in ns: from scratch (by a naive loop, by look-up tables, with SIMD),
//! by an update after a move, and after all moves of a state; and IDA* on fixed boards. Every
//! registered heuristic is measured on each puzzle to which it applies, and those of the files that
//! `PERMUTILE_HEURISTIC_FILE` names. A table for each puzzle is the answer.

use permutile_bench::Harness;

fn main() {
    Harness::built_in().with_files_of_environment().run();
}
