//! `permutile batch` and `permutile merge`: records, tables, summaries, order and slices.

use crate::batches::{HARD_RINGS, batch, many_boards, mixed, names, records, results};
use crate::program::{CACHE, Folder, PROGRAM, Ran, permutile};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

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
