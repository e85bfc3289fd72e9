//! `permutile scramble`: the same seed gives the same boards for ever.

use crate::program::{Folder, permutile, permutile_reading, solve_json};
use serde_json::json;

/// The contract: puzzle and manner, and the boards of seed 7. These lines never change;
/// people have written down seeds.
const PINNED: &[(&str, &[&str])] = &[
    (
        "torus4 --moves 8",
        &[
            "moves8-1: 15 8 12 5 6 3 16 9 14 10 7 13 2 11 4 1",
            "moves8-2: 4 5 10 14 8 2 13 3 9 11 7 12 6 1 15 16",
            "moves8-3: 9 15 11 8 10 14 12 13 1 2 3 16 5 6 7 4",
        ],
    ),
    (
        "torus4 --uniform",
        &[
            "uniform-1: 12 16 13 7 5 4 2 1 11 10 3 6 9 15 8 14",
            "uniform-2: 8 10 1 7 11 16 5 12 2 3 14 13 9 4 6 15",
            "uniform-3: 10 9 3 2 8 1 5 7 15 12 6 16 11 4 13 14",
        ],
    ),
    (
        "torus4 --exact-depth 4",
        &[
            "depth4-1: 4 5 2 16 9 6 11 7 13 10 15 8 1 14 3 12 # 4",
            "depth4-2: 5 7 4 1 9 6 11 8 14 10 15 12 2 3 16 13 # 4",
            "depth4-3: 1 6 7 4 5 11 12 8 14 15 9 10 13 2 3 16 # 4",
        ],
    ),
    (
        "torus4 --exact-depth 11",
        &[
            "depth11-1: 4 5 10 12 2 13 16 8 9 11 7 14 6 1 15 3 # 11",
            "depth11-2: 11 12 2 6 13 14 7 16 4 1 5 3 9 10 15 8 # 11",
            "depth11-3: 16 13 5 1 6 4 10 3 8 7 15 11 2 9 14 12 # 11",
        ],
    ),
    (
        "rings5 --moves 8",
        &[
            "moves8-1: 2 8 4 14 1 6 13 19 23 10 11 7 18 5 15 16 12 17 22 20 25 21 3 9 24",
            "moves8-2: 21 2 3 4 25 7 8 9 10 5 6 11 12 13 1 18 19 20 15 14 16 22 23 24 17",
            "moves8-3: 1 2 23 14 15 6 7 12 3 19 20 11 8 24 25 16 17 13 4 5 21 22 18 9 10",
        ],
    ),
    (
        "rings5 --uniform",
        &[
            "uniform-1: 11 3 9 5 21 24 2 1 14 15 13 17 20 25 8 12 18 16 22 10 6 4 7 19 23",
            "uniform-2: 1 7 5 19 23 2 25 10 20 16 4 9 11 12 18 22 8 3 17 14 6 15 13 24 21",
            "uniform-3: 11 9 16 18 25 7 8 3 5 6 12 15 24 1 2 23 22 21 19 10 20 13 14 4 17",
        ],
    ),
    (
        "rings5 --exact-depth 4",
        &[
            "depth4-1: 2 3 4 24 10 6 7 8 5 15 11 12 13 9 14 20 16 17 18 25 21 22 23 19 1 # 4",
            "depth4-2: 22 4 5 21 2 1 3 8 9 10 6 7 13 14 15 11 12 18 19 20 16 17 23 24 25 # 4",
            "depth4-3: 3 7 5 10 2 1 12 8 9 15 6 17 13 14 20 25 11 21 18 19 16 4 22 23 24 # 4",
        ],
    ),
    (
        "sliding4 --moves 8",
        &[
            "moves8-1: 1 5 2 3 4 0 6 7 13 9 10 11 8 12 14 15",
            "moves8-2: 1 2 6 3 4 5 10 7 0 9 14 11 8 12 13 15",
            "moves8-3: 0 4 2 3 5 1 6 7 8 9 10 11 12 13 14 15",
        ],
    ),
    (
        "sliding4 --uniform",
        &[
            "uniform-1: 12 10 2 9 7 8 13 5 0 1 3 4 6 15 14 11",
            "uniform-2: 1 14 11 2 9 4 15 13 12 3 10 6 5 0 8 7",
            "uniform-3: 7 14 10 11 4 15 3 6 13 12 0 5 1 2 8 9",
        ],
    ),
    (
        "sliding4 --exact-depth 4",
        &[
            "depth4-1: 4 1 2 3 8 5 6 7 12 9 10 11 13 0 14 15 # 4",
            "depth4-2: 4 1 2 3 8 5 6 7 9 13 10 11 12 0 14 15 # 4",
            "depth4-3: 4 1 0 3 5 6 2 7 8 9 10 11 12 13 14 15 # 4",
        ],
    ),
    (
        "sliding3 --moves 8",
        &[
            "moves8-1: 1 7 4 3 0 2 6 8 5",
            "moves8-2: 3 1 5 2 0 4 6 7 8",
            "moves8-3: 0 3 2 4 1 5 6 7 8",
        ],
    ),
    (
        "sliding3 --uniform",
        &[
            "uniform-1: 5 6 1 7 0 8 4 2 3",
            "uniform-2: 1 2 8 6 7 3 0 5 4",
            "uniform-3: 7 5 1 6 3 4 8 0 2",
        ],
    ),
    (
        "sliding3 --exact-depth 4",
        &[
            "depth4-1: 3 1 0 4 5 2 6 7 8 # 4",
            "depth4-2: 3 1 2 4 7 5 0 6 8 # 4",
            "depth4-3: 3 1 2 4 7 5 6 8 0 # 4",
        ],
    ),
];

/// The lines that a scramble prints.
#[track_caller]
fn scramble(arguments: &str) -> Vec<String> {
    let arguments: Vec<&str> = ["scramble"].into_iter().chain(arguments.split(' ')).collect();
    let run = permutile(&arguments).exits(0).says_nothing();
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn a_seed_gives_its_boards_for_ever() {
    for (what, boards) in PINNED {
        assert_eq!(scramble(&format!("{what} --seed 7 --count 3")), *boards, "{what}");
        let otherwise = scramble(&format!("{what} --seed 8 --count 3"));
        assert_ne!(otherwise, *boards, "{what}");
    }
}

#[test]
fn a_board_does_not_depend_on_the_count_or_the_machine() {
    for (what, boards) in PINNED {
        assert_eq!(scramble(&format!("{what} --seed 7")), boards[..1], "{what}");
        let long = scramble(&format!("{what} --seed 7 --count 20"));
        assert_eq!(long[..3], **boards, "{what}");
        assert_eq!(long.len(), 20);
        let plain = format!("{what} --seed 7 --count 3 --threads 1 --simd off");
        assert_eq!(scramble(&plain), *boards, "{what}");
    }
    assert!(scramble("torus4 --uniform --count 0").is_empty());
}

#[test]
fn the_default_seed_is_zero() {
    assert_eq!(scramble("torus4 --uniform"), scramble("torus4 --uniform --seed 0"));
    assert_eq!(scramble("--puzzle torus4 --uniform"), scramble("torus4 --uniform"));
}

/// Solves the boards that a scramble printed.
#[track_caller]
fn lengths(lines: &[String], options: &[&str]) -> Vec<u64> {
    let options = [&["solve", "-", "--json"], options].concat();
    let run = permutile_reading(lines.join("\n"), &options).exits(0);
    run.column("length").iter().map(|length| length.as_u64().unwrap()).collect()
}

#[test]
fn boards_at_an_exact_depth_are_that_deep() {
    for (puzzle, depth) in [
        ("torus4", 6),
        ("torus3", 8),
        ("rings5", 4),
        ("sliding3", 31),
        ("sliding3", 0),
        ("sliding4", 12),
        ("torus:2x3", 2),
    ] {
        let lines = scramble(&format!("{puzzle} --exact-depth {depth} --count 12 --seed 3"));
        assert!(lines.iter().all(|line| line.ends_with(&format!(" # {depth}"))), "{lines:?}");
        assert_eq!(lengths(&lines, &["--puzzle", puzzle]), [depth; 12], "{puzzle}");
    }
    // One-way moves: the distance to the goal, not from it.
    let one_way = "data/puzzles/one-way-4x5.toml";
    let lines = scramble(&format!("{one_way} --exact-depth 5 --count 6"));
    assert_eq!(lengths(&lines, &["--puzzle", one_way]), [5; 6]);
}

#[test]
fn random_moves_lead_no_farther_than_their_number() {
    for puzzle in ["torus4", "sliding3", "rings4"] {
        let lines = scramble(&format!("{puzzle} --moves 5 --count 10"));
        let lengths = lengths(&lines, &["--puzzle", puzzle]);
        assert!(lengths.iter().all(|&length| length <= 5), "{puzzle}: {lengths:?}");
        assert!(lengths.iter().any(|&length| length >= 4), "{puzzle}: {lengths:?}");
    }
    assert_eq!(lengths(&scramble("torus4 --moves 0"), &[]), [0]);
}

#[test]
fn uniform_boards_can_be_solved() {
    for puzzle in ["sliding3", "torus3", "sliding:2x3", "data/puzzles/top-spin-2x5.toml"] {
        let lines = scramble(&format!("{puzzle} --uniform --count 20 --seed 5"));
        assert_eq!(lengths(&lines, &["--puzzle", puzzle]).len(), 20);
        let mut different = lines.iter().map(|line| line.split(": ").nth(1)).collect::<Vec<_>>();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() > 15, "{puzzle}: {lines:?}");
    }
}

#[test]
fn goals_are_where_scrambles_start() {
    assert_eq!(scramble("sliding3 --moves 0 --goal blank-last"), ["moves0-1: 1 2 3 4 5 6 7 8 0"]);
    let lines = scramble("sliding3 --exact-depth 9 --count 5 --goal blank-last");
    assert_eq!(lengths(&lines, &["--goal", "blank-last"]), [9; 5]);
    permutile(&["scramble", "torus3", "--uniform", "--goal", "blank-last"])
        .exits(2)
        .says(&["torus3 has no blank"]);
}

#[test]
fn json_tells_name_puzzle_tiles_and_depth() {
    let run = permutile(&["scramble", "sliding3", "--exact-depth", "4", "--seed", "7", "--json"]);
    let row = run.exits(0).json_line();
    let expected = serde_json::json!({
        "board": "depth4-1", "puzzle": "sliding3", "start": [3, 1, 0, 4, 5, 2, 6, 7, 8],
        "known_length": 4,
    });
    assert_eq!(row, expected);
}

#[test]
fn files_are_written_but_not_overwritten() {
    let folder = Folder::new();
    let out = folder.path("set.boards");
    let write = |more: &[&str]| {
        let usual = ["scramble", "torus:2x3", "--moves", "3", "--count", "3", "--out", &out];
        permutile(&[&usual, more].concat())
    };
    write(&[]).exits(0).prints_nothing().says(&["3 boards of torus:2x3", "set.boards"]);
    let first = folder.read("set.boards");
    assert_eq!(first.lines().count(), 3);
    write(&["--seed", "1"]).exits(2).says(&["set.boards: ", "already", "--force"]);
    assert_eq!(folder.read("set.boards"), first);
    write(&["--seed", "1", "--count=1", "--force", "-q"]).exits(2).says(&["--count"]);
    write(&["--seed", "1", "--force", "-q"]).exits(0).says_nothing();
    assert_ne!(folder.read("set.boards"), first);
    permutile(&["solve", &out]).exits(0).says(&["3 of 3 boards: 3 solved"]);
    // What is shorter leaves nothing of the old file behind.
    permutile(&["scramble", "torus2", "--moves", "1", "--out", &out, "--force"]).exits(0);
    assert_eq!(folder.read("set.boards").lines().count(), 1);
}

#[test]
fn a_folder_gets_a_file_for_each_board() {
    let folder = Folder::new();
    let out = folder.path("new/boards/");
    let write = |out: &str, more: &[&str]| {
        let usual = ["scramble", "torus:2x3", "--exact-depth", "2", "--count", "11", "--out", out];
        permutile(&[&usual, more].concat())
    };
    write(&out, &[]).exits(0).prints_nothing().says(&["11 boards"]);
    assert!(folder.read("new/boards/depth2-1.txt").ends_with(" # 2\n"));
    let run = permutile(&["solve", &out, "--json"]).exits(0).says(&["11 of 11 agree"]);
    let names = run.column("board");
    assert!(names[1].as_str().unwrap().ends_with("depth2-2.txt"), "{names:?}");
    assert!(names[10].as_str().unwrap().ends_with("depth2-11.txt"), "{names:?}");
    // With and without the final slash, once it is there.
    for out in [out.as_str(), out.trim_end_matches('/')] {
        write(out, &["--seed", "1"]).exits(2).says(&["depth2-1.txt", "--force"]);
        write(out, &["--force"]).exits(0);
    }
    let file = folder.write("file", "");
    write(&format!("{file}/"), &[]).exits(2).says(&["file"]);
    write(&folder.path("no/such/folder.boards"), &[]).exits(2).says(&["folder.boards"]);
}

#[test]
fn boards_too_far_to_be_counted_are_found_by_walking() {
    let lines = scramble("torus4 --exact-depth 11 --count 3 --seed 3");
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[..2], scramble("torus4 --exact-depth 11 --count 2 --seed 3")[..]);
    for line in &lines {
        let (_, board) = line.split_once(": ").unwrap();
        assert!(board.ends_with(" # 11"), "{line}");
        let record = solve_json(&[board.split('#').next().unwrap()]).exits(0).json_line();
        assert_eq!((&record["length"], &record["optimal"]), (&json!(11), &json!(true)));
    }
}

#[test]
fn sliding_boards_too_far_to_be_counted_are_found_on_long_walks() {
    let lines = scramble("sliding4 --exact-depth 30 --count 3 --seed 7");
    let pinned = [
        "depth30-1: 1 5 7 2 4 6 3 0 8 15 10 12 9 13 11 14 # 30",
        "depth30-2: 2 6 10 3 5 0 14 7 1 13 15 12 9 4 8 11 # 30",
        "depth30-3: 0 9 2 7 4 8 3 6 5 13 11 15 1 12 14 10 # 30",
    ];
    assert_eq!(lines, pinned);
    assert_eq!(lines[..1], scramble("sliding4 --exact-depth 30 --seed 7 --threads 1")[..]);
    assert_eq!(lengths(&lines, &[]), [30; 3]);
    let odd = scramble("sliding:3x4 --exact-depth 33 --count 2 --goal blank-last");
    assert_eq!(lengths(&odd, &["--shape", "3x4", "--goal", "blank-last"]), [33; 2]);
    permutile(&["scramble", "sliding4", "--exact-depth", "79", "--timeout", "300ms"])
        .exits(3)
        .prints_nothing()
        .says(&["no board 79 moves from the goal was found", "time limit", "nearer"]);
    permutile(&["scramble", "sliding4", "--exact-depth", "4000000000"]).exits(2).says(&["100000"]);
}

#[test]
fn what_cannot_be_made_is_explained() {
    permutile(&["scramble", "torus3", "--exact-depth", "9"])
        .exits(2)
        .prints_nothing()
        .says(&["no board of torus3 is 9 moves", "farthest are 8"]);
    let deep = ["scramble", "rings5", "--exact-depth", "7"];
    permutile(&[&deep[..], &["--max-memory", "1MB"]].concat()).exits(3).prints_nothing().says(&[
        "7 moves",
        "memory limit",
        "after depth ",
    ]);
    permutile(&[&deep[..], &["--timeout", "1ms"]].concat()).exits(3).says(&["time limit"]);
    let deeper = ["scramble", "rings5", "--exact-depth", "14", "--timeout", "1ms"];
    permutile(&deeper).exits(3).says(&["14 random moves could not be solved", "time limit"]);
}

#[test]
fn bad_requests_are_usage_errors() {
    for (arguments, words) in [
        ("torus4", "--moves"),
        ("--uniform", "<PUZZLE|--puzzle <ID>>"),
        ("torus4 --uniform --moves 3", "cannot be used with"),
        ("torus4 --puzzle torus4 --uniform", "cannot be used with"),
        ("torus11 --uniform", "torus11"),
        ("cube --uniform", "no puzzle \"cube\""),
        ("torus4 --moves -1", "-1"),
        ("torus4 --moves many", "many"),
        ("torus4 --uniform --seed x", "--seed"),
        ("torus4 --uniform --count 18446744073709551615", "--count"),
    ] {
        let arguments: Vec<&str> = ["scramble"].into_iter().chain(arguments.split(' ')).collect();
        permutile(&arguments).exits(2).prints_nothing().says(&[words]);
    }
}
