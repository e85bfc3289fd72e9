//! `permutile verify`: what holds is accepted, and every kind of tampering is found.

use crate::program::{Folder, permutile, permutile_reading, solve_json};
use serde_json::{Value, json};

/// A journal of three records: two solutions and an unsolvable board.
fn journal() -> Vec<Value> {
    solve_json(&["1 0 2 3", "3 1 2/4 5 0", "2 1 3 0 4 5 6 7 8"]).exits(1).json()
}

fn text(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[test]
fn good_journals_hold() {
    let records = journal();
    let statuses: Vec<&Value> = records.iter().map(|record| &record["status"]).collect();
    assert_eq!(statuses, ["solved", "solved", "unsolvable"]);
    let (folder, path) = Folder::with("journal.jsonl", text(&records));
    let verdict = "3 records: 2 solutions hold, 0 violations";
    permutile(&["verify", &path]).exits(0).says_nothing().prints(&[verdict]);
    permutile_reading(text(&records), &["verify", "-"]).exits(0).prints(&[verdict]);
    // Blank lines and the line ends of another system are no records; files are added up.
    let loose = folder.write("loose.jsonl", text(&records).replace('\n', "\r\n\r\n"));
    let sums = permutile(&["verify", &path, &loose, "--json"]).exits(0).json_line();
    assert_eq!(sums, json!({ "records": 6, "solutions": 4, "violations": 0 }));
}

#[test]
fn journals_of_other_goals_and_custom_puzzles_hold() {
    let (_folder, goal) = Folder::with("goal", "2 1\n3 4\n");
    let custom = ["6 1 2 3 4/7 8 9 10 5", "--puzzle", "data/puzzles/top-spin-2x5.toml"];
    for arguments in [
        &["1 2 3 4", "--goal", &goal][..],
        &["1 2 0 3", "--goal", "blank-last"],
        &["1 2 3 4 5 6 7 8 9 10 11 12 13 14 16 15"],
        &custom,
    ] {
        let solved = solve_json(arguments).exits(0);
        permutile_reading(solved.stdout, &["verify", "-"])
            .exits(0)
            .prints(&["1 records: 1 solutions hold, 0 violations"]);
    }
}

/// Changes the second record of the journal and expects that line to be found.
#[track_caller]
fn tampered(change: impl FnOnce(&mut Value), words: &str) {
    let mut records = journal();
    change(&mut records[1]);
    let (_folder, path) = Folder::with("journal.jsonl", text(&records));
    let run =
        permutile(&["verify", &path]).exits(1).prints(&["3 records: 1 solution", " 1 violation"]);
    let line = run.stderr.lines().next().unwrap_or_default();
    assert!(line.contains("journal.jsonl:2: ") && line.contains(words), "{words:?} not in {run}");
    assert_eq!(run.stderr.lines().count(), 1, "{run}");
}

/// Sets one field of the second record.
#[track_caller]
fn changed(field: &str, value: Value, words: &str) {
    tampered(|record| record[field] = value, words);
}

#[test]
fn wrong_moves_are_found() {
    let moves = journal()[1]["moves"].clone();
    assert_eq!(moves, json!(["Left", "Left", "Up"]), "the tests below change this");
    changed("moves", json!(["Left", "Up", "Left"]), "not the goal");
    changed("moves", json!(["Right", "Left", "Up"]), "move 1, \"Right\": the blank is at the edge");
    changed("moves", json!(["Left", "Left", "L1"]), "move 3, \"L1\": this puzzle has no such move");
    changed("moves", json!([]), "there are 0 moves");
    changed("moves", Value::Null, "there are no moves");
    changed("moves", json!([1, 2, 3]), "this is no record: \"moves\" cannot be [1,2,3]");
    changed("start", json!([3, 2, 1, 4, 5, 0]), "not the goal");
}

#[test]
fn wrong_lengths_and_bounds_are_found() {
    changed("length", json!(2), "the length is given as 2, but there are 3 moves");
    changed("length", Value::Null, "no length is given, but there are 3 moves");
    changed("length", json!("six"), "this is no record: \"length\" cannot be \"six\"");
    changed("lower_bound", json!(2), "called optimal, but the proven lower bound 2");
    changed("lower_bound", Value::Null, "called optimal, but");
    changed("lower_bound", json!(4), "the lower bound 4 is above the length 3");
}

#[test]
fn improvements_end_with_the_solution() {
    let words = "the improvements are not ever shorter solutions";
    changed("improvements", json!([[0.1, 5], [0.2, 4]]), words);
    changed("improvements", json!([[0.1, 3], [0.2, 3]]), words);
    changed("improvements", json!([[0.2, 5], [0.1, 3]]), words);
    changed("improvements", json!([5, 3]), "this is no record: \"improvements\" cannot be [5,3]");
    changed("stopped_by", json!("fate"), "this is no record: \"stopped_by\" cannot be \"fate\"");
    let mut records = journal();
    records[1]["improvements"] = json!([[0.1, 5], [0.1, 4], [2.5, 3]]);
    permutile_reading(text(&records), &["verify", "-"]).exits(0);
}

#[test]
fn contradictory_statuses_are_found() {
    changed("status", json!("unsolvable"), "there are moves, but the status is unsolvable");
    changed("status", json!("invalid"), "there are moves, but the status is invalid");
    changed(
        "status",
        json!("solved-ish"),
        "this is no record: \"status\" cannot be \"solved-ish\"",
    );
    for claim in [json!({ "status": "solved" }), json!({ "length": 3 }), json!({ "optimal": true })]
    {
        let without = |record: &mut Value| {
            record["status"] = json!("timeout");
            record["moves"] = Value::Null;
            record["length"] = Value::Null;
            record["optimal"] = json!(false);
            record.as_object_mut().unwrap().extend(claim.as_object().unwrap().clone());
        };
        tampered(without, "claims a solution, but there are no moves");
    }
}

#[test]
fn records_of_unknown_things_are_found() {
    changed("schema", json!(2), "schema 2, expected 1");
    changed("puzzle", json!("cube3"), "no puzzle \"cube3\"");
    changed("puzzle", json!("missing.toml"), "missing.toml");
    changed("puzzle", json!("sliding3"), "a 3x3 board has 9 tiles, not 6");
    changed("puzzle", json!("torus:2x3"), "torus:2x3 has no blank");
    changed("goal", json!("upside-down"), "no goal \"upside-down\"");
    changed("goal", json!("ordered"), "no blank");
    changed("goal", json!([0, 1, 2, 3, 5, 4]), "not the goal");
    changed("goal", json!([0, 1, 2]), "a 2x3 board has 6 tiles, not 3");
    changed("start", json!([1, 2, 3, 4, 5, 5]), "twice");
    changed("start", json!([1, 2, 3, 4, 5, 6]), "move 1");
    for field in ["puzzle", "goal", "start"] {
        tampered(|record| drop(record.as_object_mut().unwrap().remove(field)), field);
    }
}

#[test]
fn lines_that_are_no_records_are_found() {
    let good = text(&journal());
    let cut = &good[..good.len() - 30];
    permutile_reading(cut, &["verify", "-"])
        .exits(1)
        .prints(&["3 records: 2 solutions hold, 1 violations"])
        .says(&["-:3: this is no record"]);
    for junk in ["hello", "[]", "{}", "null", "{\"schema\":1}", "\u{0}", "\u{feff}"] {
        permutile_reading(format!("{good}\n{junk}\n"), &["verify", "-"])
            .exits(1)
            .says(&["-:5: this is no record"]);
    }
    permutile_reading(b"\xff\xfe\n".to_vec(), &["verify", "-"]).exits(1).says(&["-:1: "]);
    // All of them, not only the first.
    let sums = permutile_reading(format!("x\n{good}y\n"), &["verify", "-", "--json"]);
    let sums = sums.exits(1).says(&["-:1: ", "-:5: "]);
    assert_eq!(sums.json_line(), json!({ "records": 5, "solutions": 2, "violations": 2 }));
}

#[test]
fn journals_that_cannot_be_read_are_input_errors() {
    let (folder, good) = Folder::with("journal.jsonl", text(&journal()));
    permutile(&["verify", &folder.path("")]).exits(2).says(&["this is a folder"]);
    permutile(&["verify", &folder.path("none")]).exits(2).says(&["none: "]);
    permutile(&["verify", &good, &folder.path("none")]).exits(2).says(&["none: "]);
    permutile(&["verify"]).exits(2).says(&["<FILE>"]);
}

#[test]
fn a_solution_is_checked_by_name_or_by_letter() {
    const BOARD: &str = "1 2 5/3 4 0/6 7 8";
    let verify = |moves: &str, options: &[&str]| {
        permutile(&[&["verify", BOARD, "--moves", moves], options].concat())
    };
    let short = ["--notation", "short"];
    for moves in ["Up Left Left", "Up,Left,Left", " Up, Left  Left,"] {
        verify(moves, &[]).exits(0).says_nothing().prints(&["solved after 3 moves (sliding3)"]);
    }
    for moves in ["DR2", "DRR", "d r2", "D,R,R"] {
        verify(moves, &short).exits(0).prints(&["3 moves"]);
    }
    verify("Up Left", &[]).exits(1).prints_nothing().says(&["after all moves (2)", "not the goal"]);
    verify("UD", &short).exits(1).says(&["not the goal"]);
    verify("Up Up", &[]).exits(1).says(&["move 2, \"Up\": the blank is at the edge"]);
    verify("Up L1", &[]).exits(1).says(&["move 2, \"L1\": this puzzle has no such move"]);
    verify("", &[]).exits(1).says(&["after all moves (0)"]);
    verify("DX", &short).exits(2).says(&["column 2", "\"X\""]);
    verify("D0", &short).exits(2).says(&["column 2", "1 to 999"]);
    verify("Up Left Left", &["--goal", "blank-last"]).exits(1).says(&["not the goal"]);
    let holds = |moves: &str| verify(moves, &["--json"]).json_line()["holds"].clone();
    assert_eq!((holds("Up Left Left"), holds("Up Left")), (json!(true), json!(false)));
}

#[test]
fn a_solution_is_of_one_board() {
    let (folder, two) = Folder::with("two.boards", "1 0 2 3\n1 2 0 3\n");
    permutile(&["verify", &two, "--moves", "Left"]).exits(2).says(&["one board", "has 2"]);
    permutile(&["verify", "1 0 2 3", "1 0 2 3", "--moves", "Left"]).exits(2).says(&["one board"]);
    permutile(&["verify", "1 0 2 2", "--moves", "Left"]).exits(2).says(&["argument:1:7"]);
    permutile(&["verify", "1 0 2 3", "--notation", "short"]).exits(2).says(&["--moves"]);
    let file = folder.write("board.txt", "1 2 3 4\n5 6 7 8\n9 10 11 12\n16 13 14 15\n");
    permutile(&["verify", &file, "--moves", "L4"]).exits(0).prints(&["1 move (torus4)"]);
    permutile(&["verify", "-", "--moves", "L4"]).exits(2).says(&["standard input"]);
}

/// What `solve` writes in the players' form, `verify` reads.
#[test]
fn the_short_form_is_read_back() {
    let board = "8 0 6 5 4 7 2 3 1";
    let solved = permutile(&["solve", board, "--notation", "short"]).exits(0);
    let moves = solved.stdout.lines().nth_back(1).unwrap();
    assert!(moves.starts_with(['U', 'D', 'L', 'R']) && !moves.contains(' '), "{solved}");
    permutile(&["verify", board, "--moves", moves, "--notation", "short"])
        .exits(0)
        .prints(&["solved after 31 moves"]);
}

#[test]
fn an_empty_journal_and_a_false_unsolvable_are_found() {
    let folder = Folder::new();
    let empty = folder.write("empty.jsonl", "\n");
    permutile(&["verify", &empty]).exits(2).says(&["empty.jsonl", "no records"]);
    let run = permutile(&["solve", "--json", "1,2,0,3,4,5,6,7,8"]);
    let unsolvable = permutile(&["solve", "--json", "2,1,0,3,4,5,6,7,8"]);
    let good = folder.write("good.jsonl", format!("{}{}", run.stdout, unsolvable.stdout));
    permutile(&["verify", &good]).exits(0);
    let swapped = unsolvable.stdout.replace("[2,1,0,", "[1,2,0,");
    let bad = folder.write("bad.jsonl", &swapped);
    let both = permutile(&["verify", &bad]);
    // Just one of the two arrangements can be solved, whichever it is.
    both.exits(1).says(&["bad.jsonl:1", "unsolvable"]);
}
