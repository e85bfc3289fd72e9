//! `permutile records`: what is better and holds gets into the list, and nothing else does.

use crate::program::{Folder, PROGRAM, Ran, permutile, permutile_reading, solve_json};
use serde_json::{Value, json};
use std::process::Command;

/// Three moves away; `Left Left Up` is the shortest way.
const BOARD: &str = "3 1 2/4 5 0";
const LONGER: [&str; 5] = ["Left", "Right", "Left", "Left", "Up"];

/// What `solve` says of the board.
fn record() -> Value {
    solve_json(&[BOARD]).exits(0).json_line()
}

/// The same with a solution that is two moves longer, and this bound.
fn longer(bound: u32) -> Value {
    let mut record = record();
    record["board"] = json!("easy");
    (record["moves"], record["length"]) = (json!(LONGER), json!(5));
    (record["optimal"], record["lower_bound"]) = (json!(false), json!(bound));
    record["stopped_by"] = json!("timeout");
    record.as_object_mut().unwrap().remove("improvements");
    record
}

/// What a search says that has proven a bound and found nothing.
fn bound_alone(bound: u32) -> Value {
    let mut record = longer(bound);
    (record["moves"], record["length"]) = (Value::Null, Value::Null);
    record["status"] = json!("timeout");
    record.as_object_mut().unwrap().remove("stopped_by");
    record
}

/// Merges records into `best.toml`.
fn merge(folder: &Folder, records: &[Value]) -> Ran {
    let journal: String = records.iter().map(|record| format!("{record}\n")).collect();
    let journal = folder.write("j.jsonl", journal);
    permutile(&["records", &folder.path("best.toml"), &journal])
}

const LIST: &str = r#"# Best solutions known, and what is proven of their lengths. Kept by `permutile records`, which
# replays every solution (docs/formats.md, "Best-known lists").
version = 1

[[board]]
name = "easy"
puzzle = "sliding:2x3"
goal = "blank-first"
start = "3 1 2/4 5 0"
length = 5
lower_bound = 1
moves = "Left Right Left Left Up"
"#;

#[test]
fn the_list_gets_what_is_better() {
    let folder = Folder::new();
    let begun = merge(&folder, &[longer(1)]).exits(0);
    assert_eq!(folder.read("best.toml"), LIST, "{begun}");
    let path = folder.path("best.toml");
    let expected = format!(
        "easy  sliding:2x3  new: 5 moves (at least 1)\n\
         {path}: 1 board, 0 proven optimal; 1 new, 0 shorter, 0 with a higher bound\n"
    );
    assert_eq!(begun.stdout, expected);
    // The same again, and what is worse, change nothing.
    let nothing = "0 new, 0 shorter, 0 with a higher bound";
    merge(&folder, &[longer(1), longer(0), bound_alone(1)]).exits(0).prints(&[nothing]);
    assert_eq!(folder.read("best.toml"), LIST);
    // A higher bound, which needs no solution, then a shorter solution.
    merge(&folder, &[bound_alone(2)])
        .exits(0)
        .prints(&["easy  sliding:2x3  at least 2 instead of 1; 5 known", "1 with a higher bound"]);
    assert_eq!(folder.read("best.toml"), LIST.replace("bound = 1", "bound = 2"));
    let mut unproven = record();
    (unproven["optimal"], unproven["lower_bound"]) = (json!(false), json!(0));
    merge(&folder, &[unproven]).exits(0).prints(&["3 moves (at least 2) instead of 5"]);
    let run = merge(&folder, &[record()]).exits(0);
    run.prints(&["3 moves (proven optimal), instead of at least 2", "1 proven optimal"]);
    // The name stays that which the list has.
    let done = LIST.replace("h = 5", "h = 3").replace("bound = 1", "bound = 3");
    assert_eq!(folder.read("best.toml"), done.replace("Left Right Left Left Up", "Left Left Up"));
    permutile(&["records", &path]).exits(0).prints(&["1 board, 1 proven optimal; 0 new"]);
}

#[test]
fn journals_lists_and_pipes_are_taken_in_any_order() {
    let folder = Folder::new();
    let boards = "a: 1 2 5 3 4 8 6 7 0\nb: 2 3 4 1 5 6 7 8 9 10 11 12 13 14 15 16 # 1\n";
    let boards = folder.write("some.boards", boards);
    let journal = folder.write("j.jsonl", solve_json(&[&boards]).exits(0).stdout);
    let goal = solve_json(&["8 7 6/5 4 3/2 1 0", "--goal", "8 7 6/5 4 3/2 0 1"]).exits(0).stdout;
    let custom = ["6 1 2 3 4/7 8 9 10 5", "--puzzle", "data/puzzles/top-spin-2x5.toml"];
    let custom = folder.write("c.jsonl", solve_json(&custom).exits(0).stdout);
    let [one, two, three] = ["1.toml", "2.toml", "3.toml"].map(|name| folder.path(name));
    let run = permutile_reading(goal.clone(), &["records", &one, &journal, "-", &custom, "--json"]);
    let said = run.exits(0).json_line();
    assert_eq!((&said["boards"], &said["optimal"]), (&json!(4), &json!(4)));
    assert_eq!(said["improvements"][3]["before"], Value::Null);
    assert_eq!(said["improvements"][3]["now"], json!({ "length": 1, "lower_bound": 1 }));
    let goal = folder.write("g.jsonl", goal);
    permutile(&["records", &two, &custom]).exits(0);
    permutile(&["records", &two, &goal, "-q"]).exits(0);
    permutile(&["records", &two, &journal]).exits(0);
    permutile(&["records", &three, &two]).exits(0).prints(&["4 boards", "4 new"]);
    let [one, two, three] = ["1.toml", "2.toml", "3.toml"].map(|name| folder.read(name));
    assert_eq!((&one, &one), (&two, &three));
    assert!(one.contains("goal = \"8 7 6/5 4 3/2 0 1\""), "{one}");
}

#[test]
fn long_solutions_are_broken_into_lines_and_read_back() {
    let folder = Folder::new();
    let board = "15 10 8 12 11 14 9 13 2 6 5 1 3 7 4 0";
    let journal = folder.write("j.jsonl", solve_json(&[board, "--first"]).exits(0).stdout);
    let list = folder.path("best.toml");
    permutile(&["records", &list, &journal]).exits(0);
    let text = folder.read("best.toml");
    assert!(text.contains("moves = \"\"\"\n") && text.lines().all(|l| l.len() <= 120), "{text}");
    permutile(&["records", &list]).exits(0);
    permutile(&["records", &list, &journal]).exits(0).prints(&["0 new, 0 shorter"]);
    assert_eq!(folder.read("best.toml"), text);
}

/// Changes a record and expects that it is reported and not taken.
#[track_caller]
fn tampered(change: impl FnOnce(&mut Value), words: &str) {
    let folder = Folder::new();
    let (mut bad, good) = (record(), longer(1));
    change(&mut bad);
    let run = merge(&folder, &[good, bad]).exits(1);
    let line = run.stderr.lines().next().unwrap_or_default();
    assert!(line.contains("j.jsonl:2: ") && line.contains(words), "{words:?} not in {run}");
    assert_eq!(folder.read("best.toml"), LIST, "{run}");
}

#[test]
fn records_that_do_not_hold_are_reported_and_not_taken() {
    tampered(|record| record["moves"] = json!(["Left", "Up", "Left"]), "not the goal");
    tampered(|record| record["moves"] = json!(["Right", "Left", "Up"]), "the blank is at the edge");
    tampered(|record| record["length"] = json!(2), "the length is given as 2");
    tampered(|record| record["lower_bound"] = json!(4), "the lower bound 4 is above the length 3");
    tampered(|record| record["lower_bound"] = json!(2), "called optimal, but");
    tampered(|record| record["start"] = json!([3, 2, 1, 4, 5, 0]), "not the goal");
    tampered(|record| record["puzzle"] = json!("sliding:3x2"), "the blank is at the edge");
    tampered(|record| record["goal"] = json!("blank-last"), "not the goal");
    tampered(|record| record["status"] = json!("unsolvable"), "there are moves");
    tampered(|record| record["schema"] = json!(2), "schema 2");
    // Whatever rests on a claim is not proven.
    tampered(|record| record["rests_on"] = json!("mine"), "mine");
}

#[test]
fn claims_that_contradict_each_other_are_reported_and_not_taken() {
    for records in [[longer(1), bound_alone(6)], [bound_alone(6), longer(1)]] {
        let folder = Folder::new();
        let words = "at least 6 moves are said to be necessary here, but 5 suffice";
        merge(&folder, &records).exits(1).says(&[words, "j.jsonl:1", "j.jsonl:2"]);
        assert_eq!(folder.read("best.toml"), LIST);
    }
    // A wrong bound in the list is for somebody to look at.
    let folder = Folder::new();
    let wrong = LIST.replace("bound = 1", "bound = 5");
    folder.write("best.toml", &wrong);
    let words = ["best.toml:5: the list has at least 5 moves as proven, but 3 suffice"];
    merge(&folder, &[record()]).exits(1).says(&words).prints(&["1 contradiction left out"]);
    assert_eq!(folder.read("best.toml"), wrong);
}

#[test]
fn what_rests_on_the_claim_of_a_heuristic_file_is_not_proven() {
    let folder = Folder::new();
    // Half as much again as it may: this claim is false.
    let heuristic = "name = \"bold\"\nformula = \"1.5 * (dx + dy)\"\nadmissible = true\n";
    let heuristic = folder.write("bold.toml", heuristic);
    let board = "0 8 7/6 5 4/3 2 1";
    let options = [board, "--algorithm", "ida", "--heuristic-file", &heuristic];
    let solved = solve_json(&options).exits(0);
    let record = solved.json_line();
    assert_eq!(record["rests_on"], "bold");
    let journal = folder.write("j.jsonl", solved.stdout);
    let list = folder.path("best.toml");
    let said = permutile(&["records", &list, &journal, "--json"]).exits(0).json_line();
    assert_eq!(said["optimal"], 0);
    let bound = said["improvements"][0]["now"]["lower_bound"].as_u64().unwrap();
    assert!(bound < 30, "the shortest solution has 30 moves: {said}");
}

#[test]
fn bad_lists_are_refused_with_their_places_and_left_as_they_are() {
    let refused = |text: &str, code: i32, words: &[&str]| {
        let folder = Folder::new();
        folder.write("best.toml", text);
        merge(&folder, &[record()]).exits(code).says(words).prints_nothing();
        assert_eq!(folder.read("best.toml"), text);
    };
    let changed = |from: &str, to: &str| LIST.replace(from, to);
    refused("version = 1\n[[board]]\nnam = 3\n", 2, &["best.toml:3:1: ", "expected `version = 1`"]);
    refused(&changed("version = 1", "version = 2"), 2, &["version 2, expected 1"]);
    refused(&changed("3 1 2/4 5 0", "3 1 2/4 x 0"), 2, &["best.toml:9:9: ", "\"x\""]);
    refused(&changed("sliding:2x3", "slidin:2x3"), 2, &["best.toml:7:10: "]);
    refused(&changed("blank-first", "home"), 1, &["best.toml:5: ", "no goal \"home\""]);
    refused(&changed("Left Up", "Up Left"), 1, &["best.toml:5: ", "the list is left as it is"]);
    refused(&changed("length = 5", "length = 4"), 1, &["best.toml:5: the length is given as 4"]);
    refused(&changed("bound = 1", "bound = 6"), 1, &["the lower bound 6 is above the length 5"]);
    let twice = format!("{LIST}\n{}", &LIST[LIST.find("[[").unwrap()..]);
    refused(&twice, 2, &["best.toml:14: this board is in the list already", "best.toml:5"]);
    refused(&format!("{}\n", record()), 2, &["this is a journal; the first file is the list"]);
}

#[test]
fn bad_input_is_named_with_its_place() {
    let folder = Folder::new();
    let list = folder.path("best.toml");
    let good = longer(1);
    // A torn last line is what a killed run leaves.
    let torn = folder.write("torn.jsonl", format!("{good}\n{}", &good.to_string()[..50]));
    permutile(&["records", &list, &torn]).exits(0).says_nothing();
    assert_eq!(folder.read("best.toml"), LIST);
    let no_json = folder.write("bad.jsonl", format!("{good}\n{{ no\n{{}}\n"));
    permutile(&["records", &list, &no_json])
        .exits(1)
        .says(&["bad.jsonl:2:3: this is no record", "bad.jsonl:3: this is no record: it has no"]);
    let no_list = folder.write("bad.toml", "version = 1\n[[board]]\nname = 3\n");
    permutile(&["records", &list, &no_list]).exits(2).says(&["bad.toml:3:8: "]);
    permutile(&["records", &list, "no/such/file"]).exits(2).says(&["no/such/file: "]);
    permutile(&["records", &folder.path("none.toml")]).exits(2).says(&["none.toml: "]);
    permutile(&["records", &list, &list]).exits(2).says(&["this file is an input"]);
    permutile(&["records", "-", &list]).exits(2);
    assert_eq!(folder.read("best.toml"), LIST);
    assert!(!std::path::Path::new(&folder.path("none.toml")).exists());
}

#[test]
fn processes_that_merge_at_once_lose_nothing() {
    const PROCESSES: usize = 8;
    let folder = Folder::new();
    let list = folder.path("best.toml");
    let processes: Vec<_> = (0..PROCESSES)
        .map(|number| {
            let mut record = longer(1);
            record["board"] = json!(format!("b{number}"));
            // Boards that differ by what their goals are.
            let mut goal: Vec<usize> = (0..6).collect();
            goal.rotate_left(number % 6);
            goal.swap(0, 1 + number / 6);
            (record["goal"], record["start"]) = (json!(goal), json!(goal));
            (record["moves"], record["length"]) = (json!([]), json!(0));
            record["lower_bound"] = json!(0);
            let journal = folder.write(&format!("{number}.jsonl"), format!("{record}\n"));
            Command::new(PROGRAM).args(["records", &list, &journal, "-q"]).spawn().unwrap()
        })
        .collect();
    for mut process in processes {
        assert!(process.wait().unwrap().success());
    }
    permutile(&["records", &list]).exits(0).prints(&["8 boards"]);
    let files = std::fs::read_dir(folder.path("")).unwrap().count();
    assert_eq!(files, 1 + PROCESSES, "nothing is left beside the list");
}
