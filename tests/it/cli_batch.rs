//! `permutile batch` and `permutile merge`: journals that lose nothing.

use crate::program::{CACHE, Folder, PROGRAM, Ran, permutile, program};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const HARD_RINGS: &str = "11 3 9 5 21 24 2 1 14 15 13 17 20 25 8 12 18 16 22 10 6 4 7 19 23";

/// A folder with boards of several puzzles, and with everything that is no board.
fn mixed() -> Folder {
    let folder = Folder::new();
    for (name, text) in [
        ("in/board10.txt", "1 0 2 3 # 1"),
        ("in/board2.txt", "3,1,2,0,4,5,6,7,8"),
        ("in/board1", "4 1 2 3 / 5 6 7 8 / 9 10 11 12 / 13 14 15 16"),
        ("in/deep/many.boards", "a: 1 0 2 3 # 1\nb: 0 2 1 3\nc: 1 x 2 3\n"),
        ("in/empty.txt", ""),
        ("in/unsolvable.txt", "0 2 1 3"),
        ("in/notes.md", "no board"),
        ("in/.hidden", "no board"),
        ("in/twice.txt", "1 1 2 3"),
    ] {
        folder.write(name, text);
    }
    folder.write("in/binary.txt", [0xff, 0xfe, 0x00]);
    folder
}

fn batch(arguments: &[&str]) -> Ran {
    permutile(&[&["batch"], arguments].concat())
}

fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a journal says of each board, without what differs from run to run.
fn results(text: &str) -> BTreeMap<String, Value> {
    let timeless = |mut record: Value| {
        let object = record.as_object_mut().unwrap();
        object.remove("seconds");
        let board = object["board"].as_str().unwrap().to_owned();
        (board, record)
    };
    let all: Vec<_> = records(text).into_iter().map(timeless).collect();
    let by_board: BTreeMap<String, Value> = all.iter().cloned().collect();
    assert_eq!(by_board.len(), all.len(), "each board has one record");
    by_board
}

#[test]
fn every_board_has_a_record_and_none_stops_the_others() {
    let folder = mixed();
    let input = folder.path("in");
    let out = folder.path("out.jsonl");
    batch(&[&input, "--out", &out, "--ordered"]).exits(2).prints(&[
        "10 boards: 4 solved, 2 unsolvable, 4 invalid",
        "binary.txt",
        "  and 1 more: their records say what is wrong",
        "2 of 2 agree",
        "sliding2: ",
    ]);
    let records = records(&folder.read("out.jsonl"));
    let names: Vec<String> = records
        .iter()
        .map(|record| record["board"].as_str().unwrap().replace(&format!("{input}/"), ""))
        .collect();
    let expected = [
        "binary.txt",
        "board1",
        "board2.txt",
        "board10.txt",
        "deep/many.boards:a",
        "deep/many.boards:b",
        "deep/many.boards:3",
        "empty.txt",
        "twice.txt",
        "unsolvable.txt",
    ];
    assert_eq!(names, expected);
    for record in &records {
        let wrong = record["status"] == "invalid" || record["status"] == "unsolvable";
        assert_eq!(record["error"].is_string(), wrong, "{record}");
        let plan = record["plan"].as_str().unwrap();
        assert!(plan.starts_with("puzzle ") && plan.ends_with(", auto; timeout 10s"), "{plan}");
    }
    permutile(&["verify", &out, "--boards", &input])
        .exits(0)
        .prints(&["10 records: 4 solutions hold, 0 violations"]);
}

#[test]
fn records_go_to_standard_output_without_a_journal() {
    let folder = mixed();
    let run = batch(&[&folder.path("in"), "--include", "board*"]).exits(0);
    assert_eq!(run.column("status"), ["solved", "solved", "solved"]);
    run.says(&["3 boards: 3 solved", "boards a second"]);
    batch(&[&folder.path("in"), "-q", "--include", "deep/**", "--exclude", "*.txt"])
        .exits(2)
        .says_nothing();
    batch(&[&folder.path("in"), "--exclude", "*"]).exits(2);
    batch(&["nowhere"]).exits(2).prints(&["no such file"]);
    batch(&[&folder.path("in"), "--include", "["]).exits(2).says(&["--include ["]);
}

#[test]
fn nothing_is_overwritten_silently() {
    let folder = mixed();
    let input = folder.path("in/board2.txt");
    for option in ["--out", "--csv", "--summary"] {
        let path = folder.write("taken", "mine");
        batch(&[&input, option, &path]).exits(2).says(&["there is such a file already"]);
        assert_eq!(folder.read("taken"), "mine");
        batch(&[&input, option, &path, "--force"]).exits(0);
        assert_ne!(folder.read("taken"), "mine");
    }
}

#[test]
fn tables_and_summaries_are_for_other_programs() {
    let folder = mixed();
    let [out, csv, summary] = ["o.jsonl", "o.csv", "o.json"].map(|name| folder.path(name));
    let input = folder.path("in/deep");
    batch(&[&input, "--out", &out, "--csv", &csv, "--summary", &summary, "--json"]).exits(2);
    let table = folder.read("o.csv");
    let mut rows = table.lines();
    assert!(rows.next().unwrap().starts_with("board,puzzle,goal,status,length,optimal,"));
    assert_eq!(rows.count(), 3);
    assert!(table.contains(",sliding2,blank-first,solved,1,true,1,ida,manhattan,1,"), "{table}");
    let summary: Value = serde_json::from_str(&folder.read("o.json")).unwrap();
    let statuses = json!({"solved": 1, "unsolvable": 1, "invalid": 1});
    assert_eq!((&summary["boards"], &summary["statuses"]), (&json!(3), &statuses));
    assert_eq!(summary["puzzles"][0]["lengths"], json!({"1": 1}));
}

/// Whatever a board is refused for: that it cannot be read, that it is not of the puzzle, or that it
/// has no solution.
#[test]
fn the_summary_names_each_refused_board_once() {
    let boards = "good: 1 0 2 3\nodd: 0 2 1 3\nfull: 1 2 3 4\nword: 1 x 2 3\n";
    let (folder, path) = Folder::with("in.boards", boards);
    let (out, missing) = (folder.path("o"), folder.path("missing"));
    let options = ["--puzzle", "sliding2", "--threads", "1", "--summary"];
    let run =
        |more: &[&str]| batch(&[&[&*path, &missing, "--out", &out], &options[..], more].concat());
    run(&[&folder.path("s")]).exits(2);
    let text = folder.read("s");
    let refused = text.lines().filter(|line| line.contains(&folder.path("")));
    let refused: Vec<&str> = refused.map(str::trim).collect();
    let begins = ["in.boards:odd: ", "in.boards:full: ", "in.boards:4:9: ", "missing: "];
    assert_eq!(refused.len(), begins.len(), "{text}");
    for (line, begin) in refused.iter().zip(begins) {
        assert!(line.starts_with(&folder.path(begin)), "{line}");
        assert_eq!(line.matches(&folder.path("")).count(), 1, "{line}");
    }
    // A run that only reads them in the journal says the same.
    run(&[&folder.path("s.json"), "--resume"]).exits(2);
    let summary: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    let faults = summary["faults"].as_array().unwrap();
    let named: Vec<&str> = faults.iter().map(|fault| fault["board"].as_str().unwrap()).collect();
    let names = ["in.boards:odd", "in.boards:full", "in.boards:4", "missing"];
    assert_eq!(named, names.map(|name| folder.path(name)));
    for fault in faults {
        assert!(!fault["error"].as_str().unwrap().contains(&folder.path("")), "{fault}");
    }
    let place = json!({"file": &path, "line": 4, "column": 9});
    assert_eq!((&faults[2]["location"], &faults[1]["location"]), (&place, &Value::Null));
}

#[test]
fn a_proof_against_a_stated_length_comes_first() {
    let (folder, path) = Folder::with("w.boards", "a: 1 0 2 3 # 1\nb: 1 0 2 3 # 3\n");
    let run = batch(&[&path, "--out", &folder.path("o")]).exits(1);
    assert!(run.stdout.starts_with("CONTRADICTION: "), "{run}");
    run.prints(&["1 of 2 agree"]).says(&["w.boards:b: the file states an optimal length of 3"]);
}

#[test]
fn limits_are_recorded() {
    let (folder, path) = Folder::with("h.boards", format!("hard: {HARD_RINGS}\neasy: 1 0 2 3\n"));
    let out = folder.path("o");
    let run = |limit: &[&str], status: &str| {
        batch(&[&[path.as_str(), "--out", &out, "--force"], limit].concat()).exits(3);
        let results = results(&folder.read("o"));
        let hard = results.values().find(|record| record["puzzle"] == "rings5").unwrap();
        assert_eq!(hard["status"], status);
        assert!(hard["lower_bound"].as_u64().unwrap() > 0);
    };
    run(&["--exact", "--max-nodes", "1000"], "node-limit");
    run(&["--exact", "--timeout", "50ms"], "timeout");
    run(&["--algorithm", "astar", "--max-memory", "2MB"], "memory-limit");
    run(&["--exact", "--parallel", "within", "--threads", "2", "--timeout", "50ms"], "timeout");
}

#[test]
fn boards_that_are_done_are_not_solved_again() {
    let folder = mixed();
    let (input, out) = (folder.path("in"), folder.path("o"));
    batch(&[&input, "--out", &out]).exits(2);
    let before = folder.read("o");
    for same in [&["--threads", "2"][..], &["--timeout", "1h", "--max-nodes", "1000000"]] {
        let run = batch(&[&[&*input, "--out", &out, "--resume"], same].concat()).exits(2);
        assert!(!run.prints(&["10 boards: 4 solved"]).stdout.contains("solved again"));
        assert_eq!(folder.read("o"), before, "there was nothing left to do");
    }
}

/// Whatever decides an answer: options, the goal, and what is in files.
#[test]
fn an_answer_to_another_question_is_none() {
    let folder = Folder::new();
    let input = folder.write("in.boards", "a: 1 2 4 3\nb: 2 1 3 4\n");
    let (out, other) = (folder.path("o"), folder.write("other.boards", "c: 1 0 2 3\n"));
    let puzzle = |cycle: &str| {
        format!(
            "shape = \"2x2\"\n[[move]]\nname = \"m\"\ncycles = {cycle}\n[[move]]\nname = \"n\"\ncycles = [[1, 2]]\n"
        )
    };
    folder.write("p.toml", puzzle("[[3, 4]]"));
    let heuristic = |formula: &str| format!("name = \"mine\"\nformula = \"{formula}\"\n");
    folder.write("h.toml", heuristic("0"));
    folder.write("goal", "1 2 / 3 4");
    let file = |name: &str| folder.path(name);
    batch(&[&other, "--out", &out]).exits(0);
    let [p, h, goal] = ["p.toml", "h.toml", "goal"].map(file);
    let custom = ["--puzzle", &*p, "--goal", &*goal];
    let guided = [&custom[..], &["--heuristic-file", &h]].concat();
    let mut before = Vec::new();
    // Each run asks something else than the one before it, and then the same once more.
    let changes: [(&[&str], &dyn Fn()); 6] = [
        (&["--puzzle", "torus2"], &|| ()),
        (&custom, &|| ()),
        (&custom, &|| drop(folder.write("p.toml", puzzle("[[1, 2, 3, 4]]")))),
        (&custom, &|| drop(folder.write("goal", "2 1 / 3 4"))),
        (&guided, &|| ()),
        (&guided, &|| drop(folder.write("h.toml", heuristic("0 * dx")))),
    ];
    for (number, (options, change)) in changes.into_iter().enumerate() {
        change();
        let one_by_one = [&*input, "--out", &out, "--resume", "--threads", "1"];
        let arguments = [&one_by_one[..], options].concat();
        let run = batch(&arguments).exits(0).prints(&["2 boards: 2 solved"]);
        let again = "2 boards solved again because the question has changed (was: puzzle ";
        assert_eq!(run.stdout.contains(again), number > 0, "{run}");
        assert_ne!(records(&folder.read("o")), before, "{options:?}");
        before = records(&folder.read("o"));
        // What is not among the input stays.
        assert_eq!(
            names(&folder.read("o")),
            ["other.boards:c", "in.boards:a", "in.boards:b"].map(file)
        );
        assert!(!batch(&arguments).exits(0).stdout.contains("solved again"), "{options:?}");
        assert_eq!(records(&folder.read("o")), before);
    }
    batch(&[&input, "--out", &out, "--resume", "-q"]).exits(0).says(&["warning: 2 boards solved"]);
}

/// With other limits or the same ones.
#[test]
fn boards_that_hit_a_limit_can_be_solved_again() {
    let (folder, input) = Folder::with("in.boards", format!("hard: {HARD_RINGS}\neasy: 1 0 2 3\n"));
    let out = folder.path("o");
    let options = [&*input, "--out", &out, "--ordered", "--algorithm", "ida"];
    let run = |more: &[&str]| batch(&[&options[..], more].concat()).exits(3);
    let hard = || {
        let found = records(&folder.read("o"));
        assert_eq!(names(&folder.read("o")).len(), 2);
        (found[0]["status"].as_str().unwrap().to_owned(), found[0]["expanded"].clone())
    };
    run(&["--max-nodes", "1000"]);
    assert_eq!(hard(), ("node-limit".to_owned(), json!(1000)));
    // Other limits matter to boards that hit one, unless the user says which to solve again.
    run(&["--resume", "--max-nodes", "2000", "--retry", "timeout,memory-limit"]);
    assert_eq!(hard().1, 1000);
    run(&["--resume", "--max-nodes", "2000"])
        .prints(&["1 board solved again because the limits that they hit have changed"]);
    assert_eq!(hard().1, 2000);
    assert!(!run(&["--resume", "--max-nodes", "2000"]).stdout.contains("solved again"));
    run(&["--resume", "--max-nodes", "2000", "--retry", "node-limit"])
        .prints(&["1 board solved again as requested"]);
    run(&["--resume", "--max-nodes", "3000", "--retry", "timeout,node-limit"])
        .prints(&["1 board solved again as requested"]);
    assert_eq!(hard().1, 3000);
    batch(&[&input, "--out", &out, "--retry", "timeout"]).exits(2).says(&["--resume"]);
    batch(&[&input, "--out", &out, "--resume", "--retry", "slow"])
        .exits(2)
        .says(&["there is no status \"slow\": expected solved, unsolvable, timeout", "unproven"]);
}

/// A journal with one solved board, whose record says this much of it.
fn journal_of(folder: &Folder, plan: &str, fields: &Value) -> String {
    let moves: Vec<&str> = "Left Right Left Right Left".split(' ').collect();
    let mut record = json!({
        "schema": 1, "board": folder.path("in.boards:a"), "puzzle": "sliding2",
        "goal": "blank-first", "start": [1, 0, 2, 3], "status": "solved", "length": 5,
        "moves": moves, "optimal": false, "lower_bound": 1, "algorithm": "beam",
        "heuristic": null, "threads": 1, "expanded": 7, "generated": 9, "max_depth": 5,
        "seconds": 0.5, "peak_bytes": 1000, "plan": plan, "improvements": [[0.25, 7], [0.5, 5]],
    });
    record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    folder.write("o", format!("{record}\n"))
}

/// What is solved without proof is an answer under the same limits, and can be tried again.
#[test]
fn boards_without_proof_are_kept_or_solved_again() {
    let folder = Folder::new();
    let input = folder.write("in.boards", "a: 1 0 2 3\n");
    let out = folder.path("o");
    let wastar = "puzzle sliding2, goal blank-first, wastar";
    let stopped = json!({ "stopped_by": "timeout" });
    let options = ["--resume", "--algorithm", "wastar"];
    let run = |more: &[&str], again: &str| {
        let ran = batch(&[&[&*input, "--out", &out], &options[..], more].concat()).exits(0);
        assert!(ran.stdout.contains("solved again") != again.is_empty(), "{ran}");
        ran.prints(&[again]);
        let record = &records(&folder.read("o"))[0];
        (record["length"].clone(), record["optimal"].clone())
    };
    let (kept, found) = ((json!(5), json!(false)), (json!(1), json!(true)));
    // It answers the same question, and others if no limit stood in its way.
    journal_of(&folder, &format!("{wastar}; timeout 1s"), &stopped);
    assert_eq!(run(&["--timeout", "1s"], ""), kept);
    assert_eq!(run(&["--timeout", "1s", "--retry", "timeout,interrupted"], ""), kept);
    assert_eq!(run(&["--timeout", "2s"], "because the limits that they hit have changed"), found);
    journal_of(&folder, &format!("{wastar}; timeout 1s"), &json!({}));
    assert_eq!(run(&["--timeout", "2s"], ""), kept);
    assert_eq!(run(&["--retry", "unproven"], "1 board solved again as requested"), found);
    assert_eq!(run(&["--retry", "unproven"], ""), found);
    // What the user stopped was not over, whatever it has.
    journal_of(&folder, wastar, &json!({ "stopped_by": "interrupted" }));
    let ran = batch(&[&[&*input, "--out", &out], &options[..]].concat()).exits(0);
    assert!(!ran.stdout.contains("solved again"), "{ran}");
    assert_eq!(records(&folder.read("o"))[0]["length"], 1);
}

#[test]
fn a_record_is_never_replaced_by_a_worse_one() {
    let folder = Folder::new();
    let input = folder.write("in.boards", "a: 1 0 2 3\n");
    let out = folder.path("o");
    // Nothing is found without any node: the shorter solution and the higher bound stay.
    let options = ["--resume", "--algorithm", "ida", "--max-nodes", "0", "--retry", "unproven"];
    let plan = "puzzle sliding2, goal blank-first, ida";
    journal_of(&folder, plan, &json!({ "lower_bound": 3 }));
    let ran = batch(&[&[&*input, "--out", &out], &options[..]].concat()).exits(0);
    ran.prints(&["1 board: 1 solved (1 not proven shortest)", "1 board solved again as requested"]);
    let found = records(&folder.read("o"));
    let [record] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((&record["length"], &record["lower_bound"]), (&json!(5), &json!(3)));
    assert_eq!(record["moves"].as_array().unwrap().len(), 5);
    assert_eq!(
        (&record["status"], &record["stopped_by"]),
        (&json!("solved"), &json!("node-limit"))
    );
    assert_eq!(record["improvements"], json!([[0.25, 7], [0.5, 5]]));
    assert!(record["plan"].as_str().unwrap().ends_with("; max-nodes 0"), "{record}");
    permutile(&["verify", &out, "--boards", &input]).exits(0).prints(&["1 solutions hold"]);
    // The answer to another question is no part of this one's.
    journal_of(&folder, &plan.replace("ida", "beam"), &json!({}));
    batch(&[&[&*input, "--out", &out], &options[..]].concat()).exits(3);
    assert_eq!(records(&folder.read("o"))[0]["status"], "node-limit");
}

#[test]
fn summaries_and_tables_tell_what_is_not_proven() {
    let folder = Folder::new();
    let input = folder.write("in.boards", "a: 1 0 2 3 # 1\n");
    let out = folder.path("o");
    let plan = "puzzle sliding2, goal blank-first, wastar";
    journal_of(&folder, plan, &json!({ "stopped_by": "memory-limit" }));
    let (csv, joint) = (folder.path("t.csv"), folder.path("joint"));
    let resume = [&*input, "--out", &out, "--resume", "--algorithm", "wastar"];
    batch(&[&resume[..], &["--csv", &csv]].concat()).exits(0).prints(&[
        "1 board: 1 solved (1 not proven shortest)",
        "sliding2: 1 board, 1 solved, 0 proven optimal, 1 not proven",
        "length    mean 5.00",
        "gap       mean 4.00, median 4, max 4 moves above what is proven",
        "excess    mean 4.00, max 4 moves over the known lengths; 0 of 1 are shortest",
    ]);
    let table = folder.read("t.csv");
    let header = table.lines().next().unwrap();
    assert!(header.ends_with(",moves,error,rests_on,stopped_by,improvements"), "{header}");
    assert!(table.ends_with(",,,memory-limit,0.25:7 0.5:5\n"), "{table}");
    let summary = batch(&[&resume[..], &["--json"]].concat()).exits(0).json_line();
    assert_eq!(summary["stopped"], json!({ "memory-limit": 1 }));
    let puzzle = &summary["puzzles"][0];
    assert_eq!((&puzzle["solved"], &puzzle["unproven"]), (&json!(1), &json!(1)));
    assert_eq!(puzzle["gap"]["mean"], 4.0);
    assert_eq!(puzzle["excess"], json!({ "boards": 1, "shortest": 0, "mean": 4.0, "max": 4.0 }));
    // Two runs know more than one: the solution of the one, the bound of the other.
    let other = folder.write("exact", {
        let mut record = records(&folder.read("o")).remove(0);
        record["lower_bound"] = json!(5);
        record["status"] = json!("timeout");
        for field in ["length", "moves"] {
            record[field] = Value::Null;
        }
        for field in ["improvements", "stopped_by"] {
            record.as_object_mut().unwrap().remove(field);
        }
        format!("{record}\n")
    });
    permutile(&["merge", &out, &other, "--out", &joint]).exits(0).prints(&["1 proven optimal"]);
    let merged = &records(&folder.read("joint"))[0];
    assert_eq!((&merged["optimal"], &merged["length"]), (&json!(true), &json!(5)));
    permutile(&["verify", &joint]).exits(0);
}

/// With fewer files, or another slice: what is not among the input of a run stays.
#[test]
fn a_resumed_run_in_order_keeps_what_is_not_among_its_input() {
    let folder = Folder::new();
    let input = many_boards(&folder);
    let one = folder.write("one.boards", "x: 1 0 2 3\n");
    let out = folder.path("o");
    let options = ["--out", &out, "--ordered", "--resume", "--algorithm", "ida", "-q"];
    batch(&[&[&*input, &*one], &options[..]].concat()).exits(0);
    let whole = results(&folder.read("o"));
    assert_eq!(whole.len(), 151);
    for fewer in [&[&*one][..], &[&*input, "--shard", "2/3"], &[&*input, "--shard", "1/1000"]] {
        batch(&[fewer, &options[..]].concat()).exits(0);
        assert_eq!(results(&folder.read("o")), whole);
    }
    // Interrupted after some boards, and killed, with a record that has to be made again.
    let again = folder.read("o").replacen("\"solved\"", "\"interrupted\"", 60);
    folder.write("o", &again);
    let hard = folder.write("hard.boards", format!("hard: {HARD_RINGS}\n"));
    for signal in ["-INT", "-KILL"] {
        let arguments = [&["batch", &*hard, &*input], &options[..], &["--threads", "2"]].concat();
        let mut child = program(&folder.path("cache")).args(&arguments).spawn().unwrap();
        while fs::read_to_string(&out).unwrap().lines().count() < 155 {
            assert!(child.try_wait().unwrap().is_none(), "it is over before it began");
            sleep(Duration::from_millis(2));
        }
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        let names: BTreeSet<String> = names(&folder.read("o")).into_iter().collect();
        assert!(whole.keys().all(|name| names.contains(name)), "after {signal}");
    }
    batch(&[&[&*input, &*one], &options[..]].concat()).exits(0);
    let mut ended = results(&folder.read("o"));
    ended.retain(|name, _| !name.ends_with(":hard"));
    assert_eq!(ended, whole);
}

/// Each finds the journal locked, or all of what the others have written.
#[test]
fn runs_at_the_same_time_lose_no_record_of_each_other() {
    let folder = Folder::new();
    let input = many_boards(&folder);
    let out = folder.path("o");
    let run = |shard: &str| {
        let options = ["batch", &input, "--out", &out, "--ordered", "--resume", "--algorithm"];
        let more = ["ida", "-q", "--threads", "1", "--retry", "solved", "--shard", shard];
        program(&folder.path("cache"))
            .args([&options[..], &more].concat())
            .stderr(Stdio::null())
            .status()
            .unwrap()
            .code()
    };
    std::thread::scope(|scope| {
        for worker in 0..3 {
            scope.spawn(move || {
                // Until its slices were done, others being in the way.
                for slice in (1..=12).filter(|slice| slice % 3 == worker) {
                    let done = (0..5_000).any(|_| {
                        sleep(Duration::from_millis(5));
                        run(&format!("{slice}/12")) == Some(0)
                    });
                    assert!(done, "slice {slice} was never done");
                }
            });
        }
    });
    assert_eq!(results(&folder.read("o")).len(), 150);
}

/// What was done before a run was resumed is in its table, and where it belongs in its order.
#[test]
fn a_resumed_run_is_as_whole_as_any_other() {
    let folder = mixed();
    let [input, out, csv] = ["in", "o", "o.csv"].map(|name| folder.path(name));
    let options = [&*input, "--out", &out, "--csv", &csv, "--ordered"];
    batch(&options).exits(2);
    let whole = folder.read("o");
    let boards_of_table = || {
        let table = folder.read("o.csv");
        let mut rows: Vec<String> =
            table.lines().map(|row| row.split(',').next().unwrap().to_owned()).collect();
        rows.sort();
        rows
    };
    let table = boards_of_table();
    let kept: Vec<&str> = whole.lines().skip(1).step_by(3).collect();
    folder.write("o", kept.join("\n") + "\n");
    batch(&[&options[..], &["--resume"]].concat()).exits(2).prints(&["10 boards: 4 solved"]);
    assert_eq!(names(&folder.read("o")), names(&whole));
    assert_eq!(boards_of_table(), table);
}

/// Boards that take some milliseconds each.
fn many_boards(folder: &Folder) -> String {
    let run = permutile(&["scramble", "torus4", "--moves", "11", "--count", "150", "--seed", "5"]);
    folder.write("many.boards", &run.exits(0).stdout)
}

#[test]
fn a_run_that_is_killed_ten_times_ends_like_any_other() {
    let folder = Folder::new();
    let input = many_boards(&folder);
    let options = ["--algorithm", "ida", "--threads", "2"];
    let (whole, pieces) = (folder.path("whole"), folder.path("pieces"));
    batch(&[&[input.as_str(), "--out", &whole], options.as_slice()].concat()).exits(0);
    let resume = [&["batch", &input, "--out", &pieces, "--resume", "-q"], options.as_slice()];
    for pause in [1, 5, 12, 20, 33, 50, 70, 90, 110, 130] {
        let mut child = program(&folder.path("cache")).args(resume.concat()).spawn().unwrap();
        sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    permutile(&resume.concat()).exits(0);
    assert_eq!(results(&folder.read("pieces")), results(&folder.read("whole")));
    // Once more in order, with a torn line and a record that was interrupted.
    let text = folder.read("pieces");
    let lines: Vec<&str> = text.lines().collect();
    let interrupted = lines[70].replace("\"solved\"", "\"interrupted\"");
    let torn = &lines[71][..lines[71].len() / 2];
    folder.write("pieces", format!("{}\n{interrupted}\n{torn}", lines[..70].join("\n")));
    permutile(&[&resume.concat()[..], &["--ordered"]].concat()).exits(0);
    assert_eq!(results(&folder.read("pieces")), results(&folder.read("whole")));
    let mut in_order = names(&folder.read("pieces"));
    in_order.sort_by_key(|name| name.rsplit('-').next().unwrap().parse::<u32>().unwrap());
    assert_eq!(names(&folder.read("pieces")), in_order);
}

#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let folder = Folder::new();
    let input = folder.write("in.boards", format!("a: 1 0 2 3\nhard: {HARD_RINGS}\nb: 1 0 2 3\n"));
    let out = folder.path("o");
    let arguments = ["batch", &input, "--out", &out, "--threads", "1", "--ordered", "--exact"];
    let mut command = program(&folder.path("cache"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    while fs::read_to_string(&out).map_or(0, |text| text.lines().count()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it is over before it began");
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(100));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    Ran::new(&arguments, child.wait_with_output().unwrap())
        .exits(130)
        .prints(&["2 boards: 1 solved, 1 interrupted"])
        .says(&["--resume"]);
    let resumed = [&arguments[..], &["--resume", "--max-nodes", "5"]].concat();
    permutile(&resumed).exits(3).prints(&["3 boards: 2 solved, 1 out of nodes"]);
    let found: Vec<_> = records(&folder.read("o")).iter().map(|r| r["status"].clone()).collect();
    assert_eq!(found, ["solved", "node-limit", "solved"], "what was interrupted was not done");
}

/// The boards that a journal has records of, in its order.
fn names(text: &str) -> Vec<String> {
    records(text).iter().map(|record| record["board"].as_str().unwrap().to_owned()).collect()
}

/// Files with no boards, with one and with many, and collections with long remarks: whatever is
/// read by whom, the order is that of the boards, of a slice and of a resumed run as well.
#[test]
fn the_order_is_that_of_the_boards() {
    let folder = Folder::new();
    let remarks = "# a remark\n".repeat(1_000);
    let board = |i: usize| {
        let mut tiles = ["0", "1", "2", "3"];
        tiles.swap(i % 4, i / 4 % 4);
        tiles.rotate_left(i / 16 % 4);
        format!("{i}: {}\n", tiles.join(" "))
    };
    let boards = |from: usize, to: usize| (from..to).map(board).collect::<String>();
    folder.write("in/a.boards", format!("{remarks}{}{remarks}", boards(0, 700)));
    folder.write("in/b.txt", "1 0 2 3");
    folder.write("in/c.boards", &remarks);
    folder.write("in/d.txt", boards(0, 300));
    folder.write("in/e.boards", format!("{}{remarks}{}", boards(0, 500), boards(500, 501)));
    (0..100).for_each(|i| drop(folder.write(&format!("in/f/{i}.txt"), "0 1 2 3")));
    let input = folder.path("in");
    let run = |out: &str, more: &[&str]| {
        let out = folder.path(out);
        let options = ["--out", &out, "--ordered", "--threads", "3", "-q"];
        batch(&[&[input.as_str()], &options[..], more].concat());
        names(&fs::read_to_string(out).unwrap())
    };
    let whole = run("whole", &[]);
    let expected: Vec<String> = (0..700)
        .map(|i| format!("a.boards:{i}"))
        .chain(["b.txt".to_owned(), "c.boards:1".to_owned()])
        .chain((0..300).map(|i| format!("d.txt:{i}")))
        .chain((0..501).map(|i| format!("e.boards:{i}")))
        .chain((0..100).map(|i| format!("f/{i}.txt")))
        .map(|name| format!("{input}/{name}"))
        .collect();
    assert_eq!(whole, expected);
    let slices =
        ["1/3", "2/3", "3/3"].map(|slice| run(&slice.replace('/', "of"), &["--shard", slice]));
    let in_slice = |name: &String| slices.iter().position(|slice| slice.contains(name)).unwrap();
    for (i, slice) in slices.iter().enumerate() {
        let expected: Vec<&String> = whole.iter().filter(|name| in_slice(name) == i).collect();
        assert_eq!(slice.iter().collect::<Vec<_>>(), expected);
    }
    for (out, more) in [("whole", &[][..]), ("2of3", &["--shard", "2/3"])] {
        let text = folder.read(out);
        let kept: Vec<&str> = text.lines().skip(1).step_by(3).collect();
        folder.write("pieces", kept.join("\n") + "\n");
        assert_eq!(run("pieces", &[&["--resume"], more].concat()), names(&text));
        assert_eq!(results(&folder.read("pieces")), results(&text));
    }
}

#[test]
fn slices_make_the_whole() {
    let folder = Folder::new();
    let input = many_boards(&folder);
    let parts: Vec<String> = (1..=3).map(|i| folder.path(&format!("part{i}"))).collect();
    let mut total = 0;
    for (i, part) in parts.iter().enumerate() {
        let shard = format!("{}/3", i + 1);
        batch(&[&input, "--out", part, "--shard", &shard, "--algorithm", "ida"]).exits(0);
        let size = results(&fs::read_to_string(part).unwrap()).len();
        assert!((25..=75).contains(&size), "{size}");
        total += size;
    }
    assert_eq!(total, 150);
    let all = folder.path("all");
    let [one, two, three] = [0, 1, 2].map(|i| parts[i].as_str());
    permutile(&["merge", one, two, three, one, "--out", &all, "--boards", &input])
        .exits(0)
        .prints(&["150 boards: 150 solved", "left out"]);
    assert_eq!(results(&folder.read("all")).len(), 150);
    permutile(&["merge", one, two, "--boards", &input, "-q"])
        .exits(1)
        .says(&["there is no record of this board"]);
    let wrong = folder.read("all").replace("\"length\":5", "\"length\":7");
    let wrong = folder.write("wrong", wrong);
    permutile(&["merge", &all, &wrong]).exits(1).says(&["both said to be proven optimal"]);
    for shard in ["0/3", "4/3", "x"] {
        batch(&[&input, "--shard", shard]).exits(2).says(&["is no slice"]);
    }
}

#[test]
fn a_full_disk_ends_the_run_with_a_valid_journal() {
    let folder = Folder::new();
    let input = many_boards(&folder);
    // The limit on the size of files stands for a full disk.
    let script = "ulimit -f 16; exec \"$@\"";
    for order in [&[][..], &["--ordered"]] {
        let out = folder.path("o");
        let options = ["batch", &input, "--out", &out, "--algorithm", "ida", "--threads", "3"];
        let output = Command::new("sh")
            .args(["-c", script, "sh", PROGRAM])
            .args([&options[..], order].concat())
            .env(CACHE, folder.path("cache"))
            .output()
            .unwrap();
        Ran::new(&["batch"], output).exits(2).says(&[&out]);
        let text = folder.read("o");
        assert!(text.ends_with('\n') && !results(&text).is_empty());
        permutile(&[&options[..], order, &["--resume"]].concat())
            .exits(0)
            .prints(&["150 boards: 150 solved"]);
        fs::remove_file(out).unwrap();
    }
}

/// The example of the README, word for word but for the names.
#[test]
fn slices_run_under_gnu_parallel() {
    if Command::new("parallel").arg("--version").output().is_err() {
        return;
    }
    let folder = Folder::new();
    many_boards(&folder);
    let script = "seq 4 | parallel $PERMUTILE batch many.boards --shard {}/4 --threads 1 -q \
                  --out part{}.jsonl\n$PERMUTILE merge part*.jsonl --boards many.boards --out all.jsonl";
    let output = Command::new("sh")
        .args(["-ec", script])
        .env("PERMUTILE", PROGRAM)
        .env(CACHE, folder.path("cache"))
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    Ran::new(&["batch", "under parallel"], output).exits(0).prints(&["150 boards: 150 solved"]);
    assert_eq!(results(&folder.read("all.jsonl")).len(), 150);
}

#[test]
fn a_journal_or_a_summary_is_a_file() {
    for option in ["--out", "--summary"] {
        permutile(&["batch", "data/boards/hard8.boards", option, "-"])
            .exits(2)
            .says(&["expected a file; without this option it goes to standard output"]);
    }
}
