//! Audits from the command line: what is refuted, and what is not.

use crate::program::{Ran, permutile};
use serde_json::{Value, json};

fn audit(puzzle: &str, heuristic: &str, more: &[&str]) -> Ran {
    permutile(&[&["audit", "--puzzle", puzzle, "--heuristic", heuristic], more].concat())
}

fn document(puzzle: &str, heuristic: &str, more: &[&str]) -> Value {
    let run = audit(puzzle, heuristic, &[&["--json"], more].concat()).exits(0);
    serde_json::from_str(run.stdout.lines().last().unwrap()).unwrap()
}

#[test]
fn nothing_is_found_against_admissible_heuristics() {
    let cases = [
        ("torus4", "circular-manhattan"),
        ("torus4", "circular-manhattan-axes"),
        ("torus4", "walking-distance"),
        ("rings5", "circular-manhattan"),
        ("rings5", "misplaced-max"),
        ("sliding3", "linear-conflict"),
        ("sliding4", "walking-distance"),
        ("sliding4", "inversion-distance"),
    ];
    for (puzzle, heuristic) in cases {
        let found = document(puzzle, heuristic, &["--states", "20000", "--random", "3"]);
        let what = format!("{heuristic} on {puzzle}: {found}");
        assert_eq!(found["admissible"], true, "{what}");
        assert_eq!(
            (&found["claims_admissible"], &found["incremental"]),
            (&json!(true), &json!(true))
        );
        assert!(found["states"].as_u64().unwrap() >= 20_000, "{what}");
        assert!(found["edges"].as_u64().unwrap() > 40_000, "{what}");
        assert_eq!(found["claims_consistent"], found["consistent"], "{what}");
    }
}

/// Each of these is refuted no deeper than by the counterexamples that are known.
#[test]
fn counterexamples_are_found_near_the_goal() {
    let cases = [
        ("torus4", "misplaced", 1, None),
        ("rings5", "misplaced", 1, None),
        ("torus4", "tuned-manhattan", 2, Some((7, 9))),
        ("rings5", "circular-manhattan-last-move", 1, Some((3, 5))),
    ];
    for (puzzle, heuristic, distance, misled) in cases {
        let found = document(puzzle, heuristic, &["--states", "3000", "--random", "0"]);
        let what = format!("{heuristic} on {puzzle}: {found}");
        assert_eq!(
            (&found["claims_admissible"], &found["admissible"]),
            (&json!(false), &json!(false))
        );
        let example = &found["counterexample"];
        assert_eq!(example["distance"], distance, "{what}");
        assert!(example["h"].as_u64().unwrap() > distance, "{what}");
        assert_eq!(example["moves"].as_array().unwrap().len() as u64, distance, "{what}");
        if let Some((distance, returned)) = misled {
            assert!(found["misled"]["distance"].as_u64().unwrap() <= distance, "{what}");
            let moves = found["misled"]["moves"].as_array().unwrap();
            assert!(moves.len() as u64 <= returned, "{what}");
        }
    }
}

#[test]
fn an_audit_is_readable() {
    audit("sliding3", "euclidean", &["--depth", "6", "--random", "2"]).exits(0).prints(&[
        "euclidean on sliding3",
        "admissible: claimed, and nothing found against it",
        "consistent: claimed",
        "farther away: 2 of 2 random boards solved",
    ]);
    let run = audit("torus3", "misplaced", &["--depth", "2", "--random", "0"]).exits(0);
    run.prints(&["admissible: no, and not claimed", "h = 3 at distance 1: ", "shortest: "]);
}

#[test]
fn what_cannot_be_audited_is_named() {
    audit("torus4", "manhattan", &[]).exits(2).says(&["manhattan does not apply to torus4"]);
    audit("torus4", "nosuch", &[]).exits(2).says(&["there is no heuristic \"nosuch\""]);
    audit("torus99", "zero", &[]).exits(2).says(&["torus99"]);
    audit("torus4", "zero", &["--states", "0"]).exits(2);
    audit("torus4", "zero", &["--max-memory", "100kB", "--random", "0"])
        .exits(3)
        .prints(&["the layers end early: the memory limit was reached"]);
}
