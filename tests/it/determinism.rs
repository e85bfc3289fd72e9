//! The same input gives the same output: with one thread to the byte, but for times; with several
//! the same lengths, and the same beams.

use crate::program::{Folder, permutile, proving, solve_json};
use permutile::search::{AlgorithmChoice, Optimality};
use serde_json::{Value, json};

/// Of each family; solved by all algorithms within the nodes that they may expand.
const BOARDS: &str = "\
sliding: 1 2 5 3 4 8 6 7 0
torus: 2 3 1 4 5 6 9 7 8
torus4: 2 3 4 1 5 6 7 8 9 10 11 12 16 13 14 15
rings: 5 1 2 3 4 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 22 23 24 25 21
unsolvable: 1 2 3 4 5 6 8 7 0
";

/// The records of all boards, without their times.
fn records(boards: &str, options: &[&str]) -> Vec<Value> {
    let run = solve_json(&[&[boards][..], options].concat());
    let mut records = run.json();
    for record in &mut records {
        record["seconds"] = Value::Null;
        if let Some(improvements) = record["improvements"].as_array_mut() {
            improvements.iter_mut().for_each(|improvement| improvement[0] = Value::Null);
        }
    }
    records
}

fn column(records: &[Value], field: &str) -> Vec<Value> {
    records.iter().map(|record| record[field].clone()).collect()
}

#[test]
fn one_thread_does_the_same_with_simd_and_without() {
    let (_folder, boards) = Folder::with("some.boards", BOARDS);
    for algorithm in AlgorithmChoice::all().map(AlgorithmChoice::name) {
        let options = ["--algorithm", algorithm, "--threads", "1", "--max-nodes", "20000"];
        let options = [&options[..], proving(algorithm)].concat();
        let first = records(&boards, &options);
        assert_eq!(first, records(&boards, &options), "{algorithm}");
        let mut scalar = records(&boards, &[&options[..], &["--simd", "off"]].concat());
        // Tables for SIMD are other ones.
        for (record, first) in scalar.iter_mut().zip(&first) {
            record["peak_bytes"] = first["peak_bytes"].clone();
        }
        assert_eq!(first, scalar, "{algorithm} without SIMD");
    }
}

#[test]
fn whatever_is_printed_without_times_is_the_same_to_the_byte() {
    for command in [
        &["scramble", "rings5", "--moves", "30", "--count", "5", "--seed", "7"][..],
        &["scramble", "torus4", "--exact-depth", "5", "--count", "5", "--seed", "7"],
        &["scramble", "sliding4", "--uniform", "--count", "5", "--seed", "7"],
        &["info", "torus4"],
        &["heuristics", "torus4", "--json"],
    ] {
        let run = |more: &[&str]| permutile(&[command, more].concat()).exits(0).stdout;
        let first = run(&["--threads", "1"]);
        assert_eq!(first, run(&["--threads", "1"]), "{command:?}");
        assert_eq!(first, run(&["--threads", "3"]), "{command:?} on three threads");
        assert_eq!(first, run(&["--simd", "off"]), "{command:?} without SIMD");
    }
}

#[test]
fn several_threads_find_the_same_lengths() {
    let (_folder, boards) = Folder::with("some.boards", BOARDS);
    for algorithm in AlgorithmChoice::all().filter(|&a| a.optimality() != Optimality::Never) {
        let lengths = |threads: &str| {
            let options = ["--algorithm", algorithm.name(), "--threads", threads];
            let found = records(&boards, &[&options[..], proving(algorithm.name())].concat());
            (column(&found, "length"), column(&found, "lower_bound"))
        };
        let one = lengths("1");
        assert_eq!(one.0[0], json!(4), "{}", algorithm.name());
        for threads in ["2", "3"] {
            assert_eq!(one, lengths(threads), "{} on {threads} threads", algorithm.name());
        }
    }
}

#[test]
fn beams_are_the_same_on_any_number_of_threads() {
    let far = "15 10 8 12 11 14 9 13 2 6 5 1 3 7 4 0";
    let torus = "11 3 9 5 21 24 2 1 14 15 13 17 20 25 8 12 18 16 22 10 6 4 7 19 23";
    for board in [far, torus] {
        let beam = |threads: &str| {
            let options = ["--algorithm", "beam", "--width", "1000", "--threads", threads];
            let mut found = records(board, &options);
            // What each thread holds for itself counts, too.
            found.iter_mut().for_each(|record| {
                (record["threads"], record["peak_bytes"]) = (Value::Null, Value::Null);
            });
            found
        };
        let one = beam("1");
        assert_eq!(one[0]["status"], "solved");
        assert_eq!(one, beam("2"), "{board}");
        assert_eq!(one, beam("5"), "{board}");
    }
}
