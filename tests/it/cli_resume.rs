//! `permutile batch --resume`: journals that lose nothing, whoever stops a run.

use crate::batches::{HARD_RINGS, batch, many_boards, mixed, names, records, results};
use crate::program::{Folder, Ran, permutile, program};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

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
