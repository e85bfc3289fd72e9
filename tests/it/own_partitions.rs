//! Pattern databases of partitions that users give by `--pdb`.

use crate::program::{Folder, Ran, permutile, proving, solve_json};

const OF_663: &str = "1,4,5,8,9,12/2,3,6,7,10,11/13,14,15";
const NAME: &str = "pdb:1,4,5,8,9,12/2,3,6,7,10,11/13,14,15";
/// The easiest of Korf's boards: 42 moves.
const KORF_79: &str = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";
const HARD_8: &str = "8 0 6 5 4 7 2 3 1";

fn solve(board: &str, options: &[&str]) -> Ran {
    permutile(&[&["solve", board], options].concat())
}

#[test]
fn a_known_partition_written_out_visits_the_same_nodes() {
    let counts = |options: &[&str]| {
        let record = solve_json(&[&[KORF_79], options].concat()).exits(0).json_line();
        assert_eq!((&record["length"], &record["optimal"]), (&42.into(), &true.into()));
        (record["heuristic"].clone(), record["expanded"].clone(), record["generated"].clone())
    };
    for algorithm in ["ida", "astar"] {
        let (known, expanded, generated) =
            counts(&["--algorithm", algorithm, "--heuristic", "pdb-663"]);
        assert_eq!(known, "pdb-663");
        for partition in
            [OF_663, "13,15,14/12,9,8,5,4,1/2,3,6,7,10,11", "0,1,2,2,1,1,2,2,1,1,2,2,1,3,3,3"]
        {
            let own = counts(&["--algorithm", algorithm, "--pdb", partition]);
            assert_eq!(own, (NAME.into(), expanded.clone(), generated.clone()), "{partition}");
        }
    }
    // By default, too, and without a second table.
    assert_eq!(counts(&["--pdb", OF_663, "--exact"]).0, NAME);
    let run = permutile(&[
        "compare",
        "data/boards/korf-easy.boards",
        "--heuristics",
        "pdb-663",
        "--pdb",
        OF_663,
        "--sample",
        "0",
        "--json",
    ]);
    let found = run.exits(0).json_line();
    let trials = found["puzzles"][0]["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 40);
    for pair in trials.chunks(2) {
        assert_eq!((&pair[0]["expanded"], &pair[0]["h"]), (&pair[1]["expanded"], &pair[1]["h"]));
    }
}

#[test]
fn nothing_is_found_against_partitions_whatever_the_goal() {
    let (_folder, spiral) = Folder::with("goal.txt", "1 2 3/8 0 4/7 6 5");
    let cases = [
        ("sliding3", "blank-first", "1,2,3/4,5,6/7,8", "pdb:1,2,3/4,5,6/7,8"),
        ("sliding3", "blank-last", "1,1,1,2,2,2,3,3,0", "pdb:1,2,3/4,5,6/7,8"),
        ("sliding3", &spiral, "1,1,1,2,0,2,0,0,2", "pdb:1,2,3/4,5,8"),
        // Some tiles, or all but the blank, are in no pattern.
        ("sliding3", "blank-last", "2,5/3,6,7", "pdb:2,5/3,6,7"),
        ("sliding:2x4", "blank-first", "0,0,0,0,0,0,1,0", "pdb:6"),
    ];
    for (puzzle, goal, partition, name) in cases {
        permutile(&["audit", "--puzzle", puzzle, "--goal", goal, "--pdb", partition])
            .exits(0)
            .prints(&[
                &format!("{name} on {puzzle}\n"),
                "admissible: claimed, and nothing found against it",
                "consistent: claimed, and nothing found against it",
            ]);
    }
    for partition in ["1,2,3/4,5,6/7,8", "1,5", "1,2,3,4,5,6,7,8"] {
        for algorithm in ["auto", "ida", "astar", "pida", "pastar"] {
            let options = ["--pdb", partition, "--algorithm", algorithm];
            solve(HARD_8, &[&options[..], proving(algorithm)].concat())
                .exits(0)
                .prints(&["31 moves (proven optimal)", &format!("pdb:{partition}")]);
        }
    }
}

#[test]
fn it_is_listed_and_named_in_plans() {
    permutile(&["heuristics", "--puzzle", "sliding3", "--pdb", "8,7/1,2"])
        .exits(0)
        .prints(&["pdb:1,2/7,8\n", "sliding3: admissible and consistent"]);
    permutile(&["heuristics", "--puzzle", "sliding3", "--sample", "100", "--pdb", "8,7/1,2"])
        .exits(0)
        .prints(&["\npdb:1,2/7,8  "]);
    let folder = Folder::new();
    let (out, boards) = (folder.path("o"), "data/boards/hard8.boards");
    let batch =
        |options: &[&str]| permutile(&[&["batch", boards, "--out", &out, "-q"], options].concat());
    batch(&["--pdb", "1,2,4/3,5"]).exits(0);
    let before = folder.read("o");
    assert!(before.contains("heuristic pdb:1,2,4/3,5"), "{before}");
    batch(&["--pdb", "5,3/4,2,1", "--resume"]).exits(0);
    assert_eq!(folder.read("o"), before, "it is the same partition");
    batch(&["--pdb", "1,2,4/3,6", "--resume"])
        .exits(0)
        .says(&["2 boards solved again because the question has changed", "pdb:1,2,4/3,5"]);
    assert!(folder.read("o").contains("heuristic pdb:1,2,4/3,6"));
    let two = ["--pdb", "1,2", "--pdb", "3,4"];
    solve(HARD_8, &two).exits(2).says(&["say which with --heuristic, as in --heuristic pdb:1,2"]);
    let one = [&two[..], &["--heuristic", "pdb:3,4", "--exact"]].concat();
    solve(HARD_8, &one).exits(0).prints(&["pdb:3,4"]);
}

#[test]
fn what_does_not_fit_is_refused_with_advice() {
    let refused = |board: &str, partition: &str, reason: &str| {
        solve(board, &["--pdb", partition]).exits(2).says(&[reason]);
    };
    for (partition, reason) in [
        ("1,2/2,3", "--pdb 1,2/2,3: tile 2 is there twice"),
        ("1,9", "does not apply to sliding3: there is no tile 9: its tiles are 1 to 8"),
        ("0,1/2,3", "0 is the blank, which is in no pattern: leave it out"),
        ("1,2,3,4,5,6,7,8,9", "9 tiles in one pattern, and 8 is the most"),
        ("1/2/3/4/5", "5 patterns, and 4 is the most"),
        ("1,2,three", "\"three\" is not the number of a tile: expected"),
        ("1,2//3", "\"\" is not the number of a tile: expected"),
        ("0,1,1,1", "there are 4 numbers for its 9 cells"),
        ("1,1,1,1,0,1,1,1,1", "the blank belongs in cell 1 of the goal"),
        ("0,0,0,0,0,0,0,0,0", "no tile is in a pattern"),
    ] {
        refused(HARD_8, partition, reason);
    }
    refused("2 1 4 3", "1,2", "does not apply to torus2: it has no blank");
    let large: Vec<String> = (0..36).map(|tile| tile.to_string()).collect();
    refused(&large.join(" "), "1,2", "it has 36 cells, and 25 is the most");
}

#[test]
fn limits_hold_for_tables_as_well() {
    let large = ["--pdb", "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15"];
    solve(KORF_79, &[&large[..], &["--max-memory", "100MB"]].concat()).exits(2).says(&[
        "making its tables takes",
        "and 100 MB are allowed",
        "--max-memory",
    ]);
    let soon = ["--exact", "--timeout", "50ms"];
    let record = solve_json(&[&[KORF_79], &large[..], &soon].concat()).exits(3);
    assert_eq!(record.json_line()["status"], "timeout");
}
