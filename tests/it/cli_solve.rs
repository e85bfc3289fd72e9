//! `permutile solve`: what goes in, what comes out, and how it ends.

use crate::program::{Folder, Ran, permutile, permutile_reading, program, proving, solve_json};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

/// Uniformly random: far beyond what a test has time for.
const HARD_RINGS: &str = "11 3 9 5 21 24 2 1 14 15 13 17 20 25 8 12 18 16 22 10 6 4 7 19 23";
/// Uniformly random and 14 moves away: enough for a table to be built.
const HARD_TORUS: &str = "2 13 3 11 8 14 6 4 1 5 16 12 15 9 7 10";
const ODD_5X5: &str = "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25";
/// One move from the goal, in the last row.
const TORUS4: &str = "1 2 3 4\n5 6 7 8\n9 10 11 12\n16 13 14 15\n";

#[test]
fn a_board_on_the_command_line_is_shown_in_full() {
    permutile(&["solve", "3,1,2,0,4,5,6,7,8"]).exits(0).says_nothing().prints(&[
        "sliding3, goal blank-first",
        "3 1 2\n0 4 5\n6 7 8\n",
        "1 move (proven optimal)\nUp\n",
        " expanded, ",
    ]);
    permutile(&["solve", "1,2,3,4,5,6,7,8,9,10,11,12,16,13,14,15"])
        .exits(0)
        .prints(&["torus4, goal ordered", "1 move (proven optimal)\nL4\n"]);
}

#[test]
fn every_shortest_solution_is_listed_or_counted() {
    // Two columns, in either order.
    let board = "5 6 3 4 9 10 7 8 13 14 11 12 1 2 15 16";
    let listed = permutile(&["solve", board, "--all-optimal", "-q"]).exits(0).says_nothing();
    assert!(listed.stdout.ends_with("2 shortest solutions\nD1 D2\nD2 D1\n"), "{listed}");
    let counted = permutile(&["solve", board, "--all-optimal", "--limit", "0", "-q"]).exits(0);
    assert!(counted.stdout.ends_with("2 shortest solutions\n"), "{counted}");
    let record = solve_json(&[board, "--all-optimal", "--limit", "1"]).exits(0).json_line();
    assert_eq!((&record["optimal_solutions"], &record["length"]), (&json!(2), &json!(2)));
    assert_eq!(record["all_moves"], json!([["D1", "D2"]]));
    // With a table, and with a blank.
    let hard = solve_json(&[HARD_TORUS, "--all-optimal"]).exits(0).json_line();
    let all = hard["all_moves"].as_array().unwrap();
    assert!(all.len() > 1 && all.iter().all(|moves| moves.as_array().unwrap().len() == 14));
    assert!(all.contains(&hard["moves"]), "{hard}");
    assert_eq!(hard["optimal_solutions"], all.len());
    let solved = permutile(&["solve", "0 1 2 3 4 5 6 7 8", "--all-optimal", "-q"]).exits(0);
    assert!(solved.stdout.contains("1 shortest solution\n"), "{solved}");
    let short = ["solve", "8 6 7 2 5 4 3 0 1", "--all-optimal", "--notation", "short", "-q"];
    permutile(&short).exits(0).prints(&["27 moves", "1 shortest solution\nDLURD2RU2"]);
    // A limit is told; what is not asked for is refused.
    let little = ["solve", "8 6 7 2 5 4 3 0 1", "--all-optimal", "--max-memory", "50KB"];
    permutile(&little)
        .exits(3)
        .prints(&["27 moves (proven optimal)"])
        .says(&["not all shortest solutions were found: memory limit"]);
    permutile(&["solve", board, "--limit", "3"]).exits(2).says(&["--all-optimal"]);
}

#[test]
fn quiet_leaves_out_the_statistics_and_the_summary() {
    let full = permutile(&["solve", "-q", "3,1,2,0,4,5,6,7,8"]).exits(0).says_nothing();
    assert!(full.stdout.ends_with("\nUp\n"), "{full}");
    let boards = ["solve", "3,1,2,0,4,5,6,7,8", "1,2,4,3"];
    permutile(&boards).exits(0).says(&["2 of 2 boards: 2 solved, 2 proven optimal"]);
    permutile(&[&boards[..], &["--quiet"]].concat()).exits(0).says_nothing();
    // Complaints are no decoration.
    permutile(&["solve", "-q", "1,2,3,3", "1,2,4,3"]).exits(2).says(&["argument:1:7: tile 3"]);
}

#[test]
fn a_solved_record_has_the_documented_fields() {
    let record = solve_json(&["1 0 2 3"]).exits(0).says_nothing().json_line();
    let fields: Vec<&str> = record.as_object().unwrap().keys().map(String::as_str).collect();
    let mut documented = [
        "schema",
        "board",
        "puzzle",
        "goal",
        "start",
        "status",
        "length",
        "moves",
        "optimal",
        "lower_bound",
        "algorithm",
        "heuristic",
        "threads",
        "expanded",
        "generated",
        "max_depth",
        "seconds",
        "peak_bytes",
    ];
    documented.sort_unstable();
    assert_eq!(fields, documented);
    let fixed = json!({
        "schema": 1, "board": "argument", "puzzle": "sliding2", "goal": "blank-first",
        "start": [1, 0, 2, 3], "status": "solved", "length": 1, "moves": ["Left"],
        "optimal": true, "lower_bound": 1, "threads": 1, "max_depth": 1,
    });
    for (field, value) in fixed.as_object().unwrap() {
        assert_eq!(&record[field], value, "{field}");
    }
    for name in ["algorithm", "heuristic"] {
        assert!(record[name].as_str().is_some_and(|name| !name.is_empty()), "{name} in {record}");
    }
    for count in ["expanded", "generated", "peak_bytes"] {
        assert!(record[count].is_u64(), "{count} in {record}");
    }
    assert!(record["seconds"].as_f64().unwrap() >= 0.0 && record["seconds"].is_f64(), "{record}");
}

#[test]
fn records_without_a_solution_say_why() {
    let unsolvable = solve_json(&[ODD_5X5, "--puzzle", "torus5"]).exits(1).json_line();
    assert_eq!(unsolvable["status"], "unsolvable");
    assert!(unsolvable["error"].as_str().unwrap().contains("even permutation"), "{unsolvable}");
    assert_eq!(unsolvable["start"][0], 2);
    let invalid = solve_json(&["1 2 3 3"]).exits(2).json_line();
    assert_eq!(invalid["status"], "invalid");
    assert!(invalid["error"].as_str().unwrap().starts_with("argument:1:7: "), "{invalid}");
    for record in [unsolvable, invalid] {
        assert_eq!((&record["schema"], &record["optimal"]), (&json!(1), &json!(false)));
        for field in ["length", "moves", "lower_bound", "algorithm", "heuristic"] {
            // There, but null.
            assert_eq!(record.get(field), Some(&Value::Null), "{field}");
        }
    }
}

#[test]
fn a_board_reads_the_same_however_it_is_written() {
    let forms: [&[u8]; 14] = [
        b"3 1 2\n0 4 5\n6 7 8\n",
        b"3 1 2\n0 4 5\n6 7 8",
        b"3 1 2\r\n0 4 5\r\n6 7 8\r\n",
        b"3 1 2\r0 4 5\r6 7 8\r",
        b"\xef\xbb\xbf3 1 2\r\n0 4 5\r\n6 7 8",
        b"3\t1\t2\n0\t4\t5\n6\t7\t8\n",
        b"3,1,2\n0,4,5\n6,7,8\n",
        b"3; 1; 2;\n0; 4; 5;\n6; 7; 8;\n",
        b"3,1,2,0,4,5,6,7,8",
        b"3 1 2/0 4 5/6 7 8",
        b"[[3, 1, 2], [0, 4, 5], [6, 7, 8]]\n",
        b"# a board\n\n3 1 2 # first row\n\n0 4 5\n6 7 8\n\n\n",
        b"# caf\xe9 in Latin-1\n3 1 2\n0 4 5\n6 7 8\n",
        b"3\n1\n2\n0\n4\n5\n6\n7\n8\n",
    ];
    let folder = Folder::new();
    for (number, form) in forms.iter().enumerate() {
        let path = folder.write(&format!("board{number}.txt"), form);
        let record = solve_json(&[&path]).exits(0).json_line();
        assert_eq!(record["start"], json!([3, 1, 2, 0, 4, 5, 6, 7, 8]), "{path}");
        assert_eq!((&record["board"], &record["moves"]), (&json!(path), &json!(["Up"])));
    }
    let all = solve_json(&[&folder.path("")]).exits(0);
    assert_eq!(all.json().len(), forms.len(), "{all}");
}

#[test]
fn a_graders_file_tells_the_allowed_length() {
    let (folder, generous) = Folder::with("generous.txt", format!("5\r\n{TORUS4}"));
    let strict = folder.write("strict.txt", format!("0\n{TORUS4}"));
    permutile(&["solve", &generous]).exits(0).prints(&["1 move (", "within the 5 moves"]);
    permutile(&["solve", &strict]).exits(0).prints(&["1 move (", "more than the 0 moves"]);
    let bad = folder.write("bad.txt", format!("-5\n{TORUS4}"));
    permutile(&["solve", &bad]).exits(2).says(&["bad.txt:1:1: -5 stands alone"]);
}

#[test]
fn folders_are_read_recursively_in_natural_order() {
    let folder = Folder::new();
    for name in ["board10", "board2.txt", "board1.board", "deep/er/board3", "set9.boards"] {
        folder.write(name, "1 0 2 3\n");
    }
    for name in ["README.md", "results.jsonl", ".hidden", ".git/board0"] {
        folder.write(name, "not a board\n");
    }
    let expected: Vec<String> =
        ["board1.board", "board2.txt", "board10", "deep/er/board3", "set9.boards:1"]
            .map(|name| folder.path(name))
            .to_vec();
    let names = |run: Ran| run.exits(0).column("board");
    assert_eq!(names(solve_json(&[&folder.path("")[..folder.path("").len() - 1]])), expected);
    // Arguments keep their order.
    let two = names(solve_json(&[&folder.path("board10"), &folder.path("deep")]));
    assert_eq!(two, [expected[2].clone(), expected[3].clone()]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_contains_itself_is_read_once() {
    let (folder, _) = Folder::with("board1", "1 0 2 3\n");
    std::os::unix::fs::symlink(folder.path(""), folder.path("loop")).unwrap();
    std::os::unix::fs::symlink(folder.path("board1"), folder.path("board2")).unwrap();
    let names = solve_json(&[&folder.path("")]).exits(0).column("board");
    assert_eq!(names, [folder.path("board1"), folder.path("board2")]);
}

#[test]
fn an_empty_folder_is_an_error() {
    let folder = Folder::new();
    folder.write("notes.md", "1 0 2 3");
    let run = solve_json(&[&folder.path("")]).exits(2).says(&["no boards in this folder"]);
    assert_eq!(run.column("status"), ["invalid"]);
}

#[test]
fn standard_input_holds_a_board_or_a_collection() {
    let single = permutile_reading(TORUS4, &["solve", "-", "--json"]).exits(0).json_line();
    assert_eq!((&single["board"], &single["length"]), (&json!("standard input"), &json!(1)));
    let lines = "a: 1 0 2 3 # 1\nb: 1 2 4 3\n\n# comment\n0 1 2 3";
    let names = permutile_reading(lines, &["solve", "-", "--json"]).exits(0).column("board");
    assert_eq!(names, ["standard input:a", "standard input:b", "standard input:5"]);
    permutile(&["solve", "-"]).exits(2).says(&["standard input:1:1: found no numbers"]);
}

#[test]
fn known_lengths_are_compared_with_proven_ones() {
    let (folder, right) = Folder::with("right.boards", "a: 1 0 2 3 # 1\nb: 0 1 2 3 # 0 trivial\n");
    permutile(&["solve", &right]).exits(0).says(&["2 of 2 agree with their known lengths"]);
    let wrong = folder.write("wrong.boards", "a: 1 0 2 3 # 3\nb: 0 1 2 3 # 0\n");
    let run = solve_json(&[&wrong]).exits(1).says(&[
        "wrong.boards:a: the file states an optimal length of 3, but 1 is proven",
        "1 of 2 agree",
    ]);
    assert_eq!(run.column("status"), ["solved", "solved"]);
    // Of a single board, too.
    let single = folder.write("single.txt", "1 0\n2 3 # 7\n");
    permutile(&["solve", &single]).exits(1).prints(&["1 move ("]).says(&["length of 7"]);
    // Words in a comment are only a comment.
    let words = folder.write("words.boards", "1 0 2 3 # easy, 5 points\n");
    permutile(&["solve", &words]).exits(0);
}

#[test]
fn the_puzzle_is_told_from_the_board_unless_it_is_given() {
    let five: Vec<String> = (1..=25).map(|tile| tile.to_string()).collect();
    let five = five.join(" ");
    let run = solve_json(&["1 2 3 4", "0 1 2 3", "1 2 3 / 4 5 6", "0 1 2 / 3 4 5", &five]);
    assert_eq!(
        run.exits(0).column("puzzle"),
        ["torus2", "sliding2", "torus:2x3", "sliding:2x3", "rings5"]
    );
    let run = solve_json(&[&five, "--puzzle", "torus:5x5"]).exits(0);
    assert_eq!(run.column("puzzle"), ["torus5"]);
    for (board, puzzle, words) in [
        ("1 2 3 4", "sliding2", "needs one: write it as 0"),
        ("0 1 2 3", "torus2", "torus2 has none"),
        ("1 2 3 4", "torus3", "expected 9 for a 3x3 board"),
        ("1 2 / 3 4", "torus3", "3x3"),
    ] {
        let run = solve_json(&[board, "--puzzle", puzzle]).exits(2).says(&["argument:", words]);
        assert_eq!(run.column("status"), ["invalid"]);
    }
    for puzzle in ["cube3", "torus1", "torus:2x13", "rings2", "", "missing.toml"] {
        permutile(&["solve", "1 2 3 4", "--puzzle", puzzle])
            .exits(2)
            .prints_nothing()
            .says(&["error: ", puzzle]);
    }
}

#[test]
fn a_board_that_fits_no_puzzle_is_named() {
    let tiles: Vec<String> = (1..=121).map(|tile| tile.to_string()).collect();
    let (_folder, path) = Folder::with("eleven.txt", tiles.join(" "));
    let run = solve_json(&[&path]).exits(2).says(&["eleven.txt: ", "torus11", "up to 10x10"]);
    assert_eq!(run.column("status"), ["invalid"]);
    // One row is for custom puzzles alone.
    for (board, puzzle) in [("1 2 4 3", "torus:1x4"), ("1 2 0 3", "sliding:1x4")] {
        let run = solve_json(&[board, "--shape", "1x4"]).exits(2).says(&["argument", puzzle]);
        assert_eq!(run.column("status"), ["invalid"]);
    }
}

#[test]
fn boards_are_solved_towards_other_goals() {
    let first = solve_json(&["1,2,3,4,5,6,7,0,8", "--goal", "blank-last"]).exits(0).json_line();
    assert_eq!((&first["goal"], &first["moves"]), (&json!("blank-last"), &json!(["Right"])));
    // A goal file on the torus: the board itself, and one move away from it.
    let (folder, goal) = Folder::with("goal.txt", "2 1 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 16\n");
    let goal_tiles = json!([2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    for (board, moves) in [
        ("2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 16", json!([])),
        ("2 1 3 4 5 6 7 8 9 10 11 12 16 13 14 15", json!(["L4"])),
        ("13 1 3 4 2 6 7 8 5 10 11 12 9 14 15 16", json!(["U1"])),
    ] {
        let record = solve_json(&[board, "--goal", &goal]).exits(0).json_line();
        assert_eq!((&record["goal"], &record["moves"]), (&goal_tiles, &moves));
    }
    // The ordered board is two exchanged tiles away: as far as board8c is from the usual goal.
    let ordered = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 16 15";
    let there = solve_json(&[ordered, "--goal", &goal]).exits(0).json_line();
    assert_eq!(there["length"], 8);
    // A blank in the middle.
    let centre = folder.write("centre", "1 2 3/8 0 4/7 6 5");
    let record = solve_json(&["1 2 3 8 4 0 7 6 5", "--goal", &centre]).exits(0).json_line();
    assert_eq!((&record["goal"][4], &record["moves"]), (&json!(0), &json!(["Left"])));
    // A goal file with one of the usual goals is known by its name.
    let last = folder.write("last", "1 2 3 0");
    let record = solve_json(&["1 2 0 3", "--goal", &last]).json_line();
    assert_eq!(record["goal"], "blank-last");
}

#[test]
fn goals_that_do_not_fit_are_refused_once_per_board() {
    let run = solve_json(&["1,0,2,3", "1 2 4 3", "--goal", "blank-last"]).exits(2);
    assert_eq!(run.column("status"), ["unsolvable", "invalid"]);
    let run = run.says(&["argument 2: torus2 has no blank"]);
    assert_eq!(run.stderr.matches("has no blank").count(), 1, "{run}");
    let (_folder, goal) = Folder::with("goal", "1 2 3\n4 5 6\n7 9 8\n");
    let run = permutile(&["solve", "1,0,2,3", "--goal", &goal]).exits(2);
    let run = run.says(&["this cannot be the goal: the board is 3x3"]);
    assert_eq!(run.stderr.matches("the board is 3x3").count(), 1, "{run}");
    // The other goal makes the odd boards of an even puzzle solvable.
    permutile(&["solve", "1 2 3/4 5 6/7 9 8", "--goal", &goal]).exits(0).prints(&["0 moves"]);
    permutile(&["solve", "1 2 3/4 5 6/7 8 9", "--goal", &goal]).exits(1).prints(&["unsolvable"]);
}

#[test]
fn a_shape_arranges_a_list() {
    let list = "1 2 3 4 5 6 8 7";
    permutile(&["solve", list]).exits(2).says(&["argument:1:16", "9 numbers for a 3x3"]);
    for (shape, puzzle) in [("2x4", "torus:2x4"), ("4x2", "torus:4x2")] {
        let record = solve_json(&[list, "--shape", shape]).exits(0).json_line();
        assert_eq!(record["puzzle"], puzzle);
    }
    permutile(&["solve", list, "--shape", "2x5"]).exits(2).says(&["found 8 numbers; expected 10"]);
    permutile(&["solve", "1 2/3 4", "--shape", "2x3"]).exits(2).says(&["found a 2x2 board"]);
    for bad in ["", "4", "axb", "4x1", "17x17"] {
        permutile(&["solve", list, "--shape", bad]).exits(2).prints_nothing().says(&["--shape"]);
    }
}

#[test]
fn the_short_form_is_the_one_of_the_players() {
    permutile(&["solve", "1 2 5/3 4 0/6 7 8", "--notation", "short"])
        .exits(0)
        .prints(&["3 moves (proven optimal)\nDR2\n"]);
    // Other puzzles have none; the boards after them are solved all the same.
    let boards = ["solve", "1 0 2 3", "1 2 4 3", "2 1 0 3", "--notation", "short"];
    let run = permutile(&boards).exits(2).says(&["--notation short is for sliding puzzles"]);
    assert_eq!(run.stdout.lines().count(), 2, "{run}");
    permutile(&["solve", "1 0 2 3", "--notation", "long"]).exits(2).says(&["--notation"]);
}

#[test]
fn all_choices_that_promise_shortest_solutions_agree() {
    for (board, puzzle, length) in [
        ("1 2 5/3 4 0/6 7 8", "sliding3", 3),
        ("8 2 11 16 9 1 15 4 13 5 3 7 14 10 6 12", "torus4", 8),
    ] {
        let heuristics = permutile(&["heuristics", "--json", "--puzzle", puzzle]).exits(0).json();
        let admissible: Vec<&str> = heuristics
            .iter()
            .filter(|row| row["promises"][0]["admissible"] == true && row["name"] != "zero")
            .map(|row| row["name"].as_str().unwrap())
            .collect();
        assert!(!admissible.is_empty(), "{puzzle}");
        for heuristic in admissible {
            for algorithm in ["auto", "ida"] {
                let choice = ["--heuristic", heuristic, "--algorithm", algorithm];
                let record = solve_json(&[&[board], &choice[..], proving(algorithm)].concat());
                let record = record.exits(0).json_line();
                assert_eq!(record["length"], length, "{choice:?}");
                assert!(record["heuristic"].as_str().unwrap().starts_with(heuristic), "{record}");
            }
        }
    }
    let blind = ["1 2 5/3 4 0/6 7 8", "--heuristic", "zero", "--exact"];
    let blind = solve_json(&blind).exits(0).json_line();
    assert_eq!((&blind["length"], &blind["heuristic"]), (&json!(3), &json!("zero")));
}

#[test]
fn answers_do_not_depend_on_threads_or_instructions() {
    let moves = |options: &[&str]| {
        let run = solve_json(&[&[HARD_TORUS, "--exact"], options].concat()).exits(0);
        let record = run.json_line();
        assert_eq!((&record["length"], &record["optimal"]), (&json!(14), &json!(true)));
        (record["moves"].clone(), record["expanded"].clone())
    };
    let usual = moves(&["--threads", "1"]);
    assert_eq!(moves(&["--threads", "1", "--simd", "off"]), usual);
    // Several threads may find another solution, of the same length.
    moves(&["--threads", "2"]);
}

#[test]
fn names_that_do_not_exist_or_do_not_apply_are_refused() {
    let board = "1 2 4 3";
    permutile(&["solve", board, "--algorithm", "quantum"]).exits(2).says(&["quantum", "ida"]);
    permutile(&["solve", board, "--heuristic", "hunch"])
        .exits(2)
        .prints_nothing()
        .says(&["no heuristic \"hunch\"", "permutile heuristics"]);
    permutile(&["solve", board, "--heuristic", "manhattan"])
        .exits(2)
        .says(&["manhattan does not apply to torus2"]);
    // Where it applies to some boards only, those are solved.
    let run = solve_json(&["1 0 2 3", board, "1 0 2 3", "--heuristic", "manhattan"]).exits(2);
    assert_eq!(run.column("status"), ["solved", "invalid", "solved"]);
}

#[test]
fn a_search_that_hurries_says_what_it_has_proven() {
    let eight = "0,8,7,6,5,4,3,2,1";
    let proven = |arguments: &[&str]| {
        let record = solve_json(&[&[eight], arguments].concat()).exits(0).json_line();
        let [length, bound] = ["length", "lower_bound"].map(|name| record[name].as_u64().unwrap());
        assert_eq!(record["optimal"], length == bound, "{record}");
        assert!(length >= 30 && bound <= 30, "{record}");
        (length, bound)
    };
    let manhattan = ["--heuristic", "manhattan"];
    // Both are guided by what is worth more than the plain distances, if nobody says otherwise.
    for algorithm in ["greedy", "wastar"] {
        for (board, heuristic) in [(eight, "linear-conflict"), (HARD_TORUS, "walking-distance")] {
            let record = solve_json(&[board, "--algorithm", algorithm]).exits(0).json_line();
            assert_eq!(record["heuristic"], heuristic);
        }
    }
    let (length, bound) = proven(&["--algorithm", "wastar", "--weight", "1.5"]);
    assert!(2 * length <= 3 * bound);
    // Greedy search proves no more than the estimate, depth-first search nothing.
    assert_eq!(proven(&[&["--algorithm", "greedy"], &manhattan[..]].concat()).1, 16);
    assert_eq!(proven(&["--algorithm", "dfs"]).1, 0);
}

#[test]
fn limits_end_a_search_in_order() {
    let run = |board: &str, limit: &[&str], status: &str| {
        let record = solve_json(&[&[board, "--exact"], limit].concat()).exits(3).json_line();
        assert_eq!(record["status"], status, "{record}");
        assert_eq!(record["optimal"], false);
        assert!(record["lower_bound"].as_u64().unwrap() > 0, "{record}");
        assert!(record.get("error").is_none(), "{record}");
        record
    };
    for nodes in [0_u64, 1, 1000, 60_000] {
        let record = run(HARD_RINGS, &["--max-nodes", &nodes.to_string()], "node-limit");
        assert!(record["expanded"].as_u64().unwrap() <= nodes, "{record}");
    }
    run(HARD_RINGS, &["--timeout", "0ms"], "timeout");
    run(HARD_RINGS, &["--timeout", "0.05s"], "timeout");
    run(HARD_RINGS, &["--max-memory", "1MB", "--max-nodes", "60000"], "node-limit");
    permutile(&["solve", HARD_RINGS, "--exact", "--max-nodes", "9"])
        .exits(3)
        .prints(&["node limit: no solution of "]);
    permutile(&["solve", HARD_RINGS, "--exact", "--timeout", "0ms"])
        .exits(3)
        .prints(&["time limit: no "]);
    // A limit does not matter to a board that is solved already.
    permutile(&["solve", "0 1 2 3", "--max-nodes", "0", "--timeout", "0ms"]).exits(0);
}

#[test]
fn little_memory_makes_a_search_slower_not_wrong() {
    for memory in ["1MB", "1"] {
        let little = [HARD_TORUS, "--exact", "--max-memory", memory];
        let record = solve_json(&little).exits(0).json_line();
        assert_eq!((&record["length"], &record["optimal"]), (&json!(14), &json!(true)), "{memory}");
    }
}

#[test]
fn limits_must_be_quantities() {
    for (option, bad) in [
        ("--timeout", "soon"),
        ("--timeout", ""),
        ("--timeout", "10 years"),
        ("--max-memory", "much"),
        ("--max-memory", "0"),
        ("--max-memory", "10XB"),
        ("--max-nodes", "-1"),
        ("--max-nodes", "1.5"),
        ("--threads", "0"),
        ("--threads", "many"),
    ] {
        let argument = format!("{option}={bad}");
        permutile(&["solve", "1 2 4 3", &argument]).exits(2).prints_nothing().says(&[option]);
    }
}

#[test]
fn unsolvable_boards_are_explained() {
    // Even width: one of the two usual goals can always be reached.
    permutile(&["solve", "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0"])
        .exits(1)
        .says_nothing()
        .prints(&["unsolvable: ", "odd permutation", "--goal blank-last"]);
    permutile(&["solve", "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", "--goal", "blank-last"])
        .exits(1)
        .prints(&["unsolvable: ", "--goal blank-first"]);
    // Odd width: neither can.
    for goal in ["blank-first", "blank-last"] {
        let run = permutile(&["solve", "2 1 3/0 4 5/6 7 8", "--goal", goal]).exits(1);
        assert!(!run.stdout.contains("--goal"), "{run}");
    }
    permutile(&["solve", ODD_5X5, "--puzzle", "torus5"])
        .exits(1)
        .prints(&["unsolvable: every move of torus5 is an even permutation"]);
    // The rings add odd moves.
    let record = solve_json(&[ODD_5X5, "--exact", "--max-nodes", "10"]).exits(3).json_line();
    assert_eq!(record["puzzle"], "rings5");
}

#[test]
fn custom_puzzles_are_solved_by_their_own_moves() {
    let one_way = "data/puzzles/one-way-4x5.toml";
    let board = "1 17 3 4 5 / 10 2 7 8 9 / 11 6 13 14 15 / 16 12 18 19 20";
    let record = solve_json(&[board, "--puzzle", one_way]).exits(0).json_line();
    assert_eq!((&record["puzzle"], &record["length"]), (&json!(one_way), &json!(7)));
    let turned = "6 1 2 3 4 / 7 8 9 10 5";
    let spin = ["--puzzle", "data/puzzles/top-spin-2x5.toml"];
    let record = solve_json(&[&[turned], &spin[..]].concat()).exits(0).json_line();
    assert_eq!(record["moves"], json!(["back"]));

    // Two turns that never meet: tiles of one half stay there.
    let halves = "shape = \"2x4\"\n\
                  [[move]]\nname = \"left\"\ncycles = [[1, 2, 6, 5]]\n\
                  [[move]]\nname = \"right\"\ncycles = [[3, 4, 8, 7]]\ninverse = \"right'\"\n";
    let (folder, halves) = Folder::with("halves.toml", halves);
    let solve = |board: &str| solve_json(&[board, "--puzzle", &halves]);
    let record = solve("2 6 4 8 / 1 5 3 7").exits(0).json_line();
    assert_eq!(record["length"], 2, "{record}");
    let record = solve("3 2 1 4 / 5 6 7 8").exits(1).json_line();
    assert!(record["error"].as_str().unwrap().contains("no sequence of moves brings tile"));
    let record = solve("2 1 3 4 / 5 6 7 8").exits(1).json_line();
    assert_eq!(record["status"], "unsolvable");

    let broken =
        folder.write("broken.toml", "shape = \"2x2\"\n[[move]]\nname = \"a\"\ncycles = [[1, 9]]\n");
    permutile(&["solve", "1 2 4 3", "--puzzle", &broken])
        .exits(2)
        .prints_nothing()
        .says(&["broken.toml:4:15: cell 9 does not exist"]);
}

#[test]
fn a_solved_board_takes_no_moves() {
    let five: Vec<String> = (1..=25).map(|tile| tile.to_string()).collect();
    let five = five.join(",");
    let run = solve_json(&["0,1,2,3", "1,2,3,4", &five]).exits(0);
    for record in run.json() {
        assert_eq!((&record["length"], &record["moves"]), (&json!(0), &json!([])));
        assert_eq!((&record["optimal"], &record["lower_bound"]), (&json!(true), &json!(0)));
    }
    permutile(&["solve", "0,1,2,3"]).exits(0).prints(&["0 moves (proven optimal)"]);
}

#[test]
fn the_gravest_board_decides_and_none_is_lost() {
    const SOLVED: &str = "1 0 2 3";
    const UNSOLVABLE: &str = "2 1 3 0 4 5 6 7 8";
    const INVALID: &str = "1 2 3 3";
    let limit = ["--exact", "--max-nodes", "5"];
    let run = |boards: &[&str]| solve_json(&[boards, &limit[..]].concat());
    let all = [INVALID, SOLVED, HARD_RINGS, "/no/such/file", UNSOLVABLE, SOLVED];
    let ran = run(&all).exits(2).says(&[
        "6 of 6 boards: 2 solved, 2 proven optimal, 1 unsolvable, 1 cut short by a limit, 2 invalid",
    ]);
    assert_eq!(
        ran.column("status"),
        ["invalid", "solved", "node-limit", "invalid", "unsolvable", "solved"]
    );
    run(&[SOLVED, HARD_RINGS, UNSOLVABLE, SOLVED]).exits(1);
    run(&[SOLVED, HARD_RINGS, SOLVED]).exits(3);
    run(&[SOLVED, SOLVED]).exits(0);
    // For people: one line each on standard output, complaints on standard error.
    let text = permutile(&[&["solve"], &limit[..], &all].concat()).exits(2);
    assert_eq!(text.stdout.lines().count(), 4, "{text}");
    assert_eq!(text.stderr.matches("error: ").count(), 2, "{text}");
}

/// The program with pipes on all sides.
fn spawn(cache: &Folder, arguments: &[&str]) -> Child {
    let mut command = program(&cache.path("cache"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let cache = Folder::new();
    let mut child = spawn(&cache, &["solve", "-"]);
    drop(child.stdout.take());
    // Nothing is printed before the boards are there, and then nobody reads.
    child.stdin.take().unwrap().write_all(&b"1 0 2 3\n".repeat(1000)).unwrap();
    Ran::new(&["solve", "-", "|"], child.wait_with_output().unwrap()).exits(0).says_nothing();
    for arguments in [&["count", "torus4"][..], &["scramble", "torus4", "--uniform"], &["man"]] {
        let mut child = spawn(&cache, arguments);
        drop(child.stdout.take());
        Ran::new(arguments, child.wait_with_output().unwrap()).exits(0).says_nothing();
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_with_a_record() {
    let cache = Folder::new();
    let mut child = spawn(&cache, &["solve", "-", "--json", "--exact"]);
    let boards = format!("0 1 2 3\n{HARD_RINGS}\n0 1 2 3\n");
    child.stdin.take().unwrap().write_all(boards.as_bytes()).unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.contains("solved"), "{first}");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let rest: Vec<String> = stdout.lines().map(Result::unwrap).collect();
    let ran = Ran::new(&["solve", "-", "^C"], child.wait_with_output().unwrap()).exits(130);
    assert!(
        rest.len() <= 1 && rest.iter().all(|line| line.contains("\"interrupted\"")),
        "{rest:?}"
    );
    ran.says(&["of 3 boards"]);
}

/// Golden: all boards that come with the program, to the length that their file states.
#[test]
fn the_boards_in_data_have_their_stated_lengths() {
    for (arguments, at_least) in [
        (&["data/boards"][..], 100),
        (&["data/torus5", "--puzzle", "torus5"], 20),
        (&["data/blank-last", "--goal", "blank-last"], 6),
    ] {
        let run = solve_json(&[arguments, &["--exact"]].concat()).exits(0);
        let boards = run.json().len();
        assert!(boards >= at_least, "{arguments:?} has lost its boards");
        let all = format!(
            "{boards} of {boards} boards: {boards} solved, {boards} proven optimal; \
             {boards} of {boards} agree with their known lengths"
        );
        let run = run.says(&[&all]);
        let (_folder, journal) = Folder::with("journal.jsonl", &run.stdout);
        permutile(&["verify", &journal])
            .exits(0)
            .says_nothing()
            .prints(&[&format!("{boards} records: {boards} solutions hold, 0 violations")]);
    }
}

/// A solution that is not proven would be no answer.
#[test]
fn proofs_are_not_asked_of_heuristics_that_give_none() {
    let board = "5 4/3 10/7 2/1 9/8 6";
    for aim in [&["--exact"][..], &["--within", "1.05"], &["--all-optimal"]] {
        let arguments = [&[board, "--heuristic", "misplaced"][..], aim].concat();
        let run = solve_json(&arguments).exits(2);
        assert_eq!(run.json_line()["status"], "invalid");
        run.says(&["misplaced is not admissible on torus:5x2", "need an admissible one"]);
        let admissible = [&[board, "--heuristic", "misplaced-max"][..], aim].concat();
        solve_json(&admissible).exits(0);
    }
    solve_json(&[board, "--heuristic", "misplaced"]).exits(0);
}
