//! Files that are read and written: none is overwritten silently, and none is lost.

use crate::program::{Folder, permutile, permutile_reading};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::fs;
use std::io::Write;

/// A folder with a board, and a journal of it.
fn solved() -> Folder {
    let folder = Folder::new();
    let input = folder.write("in/a.txt", "1 0 2 3");
    permutile(&["batch", &input, "--out", &folder.path("j"), "-q"]).exits(0);
    folder
}

/// Whatever they are called, and whatever may be overwritten.
#[test]
fn one_file_for_two_outputs_is_refused_before_anything_is_written() {
    let folder = solved();
    let [input, journal, new] = ["in", "j", "new"].map(|name| folder.path(name));
    let same = folder.path("in/../new");
    let linked = folder.path("linked");
    fs::hard_link(&journal, &linked).unwrap();
    let before = folder.read("j");
    for outputs in [
        &["--out", &new, "--summary", &same][..],
        &["--out", &new, "--csv", &new],
        &["--csv", &same, "--summary", &new],
        &["--out", &journal, "--csv", &linked, "--force"],
        &["--out", &journal, "--summary", &linked, "--resume"],
    ] {
        permutile(&[&["batch", &input], outputs].concat())
            .exits(2)
            .says(&["this file cannot take two outputs at once"]);
        assert!(!fs::exists(&new).unwrap() && folder.read("j") == before, "{outputs:?}");
    }
    permutile(&[
        "compare",
        &input,
        "--csv",
        &folder.path("r/index.html"),
        "--report",
        &folder.path("r"),
    ])
    .exits(2);
    permutile(&["merge", &journal, "--out", &new, "--csv", &same]).exits(2).says(&["two outputs"]);
    assert!(!fs::exists(&new).unwrap());
}

#[test]
fn an_output_that_is_an_input_is_refused_before_anything_is_written() {
    let folder = solved();
    let [input, board, journal] = ["in", "in/a.txt", "j"].map(|name| folder.path(name));
    let goal = folder.write("goal", "0 1 2 3");
    let heuristic = folder.write("h.toml", "name = \"h\"\nformula = \"0\"\n");
    let puzzle = folder
        .write("p.toml", "shape = \"2x2\"\n[[move]]\nname = \"m\"\ncycles = [[1, 2, 3, 4]]\n");
    let names = ["in/a.txt", "j", "goal", "h.toml", "p.toml"];
    let before = names.map(|name| folder.read(name));
    let new = folder.path("in/new.txt");
    for arguments in [
        &["batch", &board, "--out", &board, "--force"][..],
        &["batch", &input, "--csv", &board, "--force"],
        &["batch", &input, "--summary", &new],
        &["batch", &board, "--goal", &goal, "--out", &goal, "--resume"],
        &["batch", &board, "--heuristic-file", &heuristic, "--out", &heuristic, "--force"],
        &["batch", &board, "--puzzle", &puzzle, "--csv", &puzzle, "--force"],
        &["solve", &board, "--stats-file", &board, "--force"],
        &["solve", &board, "--goal", &goal, "--stats-file", &goal, "--force"],
        &["compare", &board, "--csv", &board, "--force"],
        &["merge", &journal, "--out", &journal, "--force"],
        &["merge", &journal, "--boards", &input, "--csv", &board, "--force"],
    ] {
        permutile(arguments).exits(2).says(&["this file "]);
        assert_eq!(names.map(|name| folder.read(name)), before, "{arguments:?}");
        assert!(!fs::exists(&new).unwrap());
    }
    // A name that is no input is only a name.
    permutile(&["batch", &board, "--puzzle", "sliding2", "--out", &folder.path("sliding2"), "-q"])
        .exits(0);
}

#[test]
fn no_file_of_another_program_is_overwritten_silently() {
    let folder = solved();
    let [board, journal, new] = ["in/a.txt", "j", "new"].map(|name| folder.path(name));
    let mine = folder.write("mine", "mine");
    for arguments in [
        &["solve", &board, "--stats-file", &mine][..],
        &["compare", &board, "--csv", &mine],
        &["merge", &journal, "--out", &new, "--csv", &mine],
        &["batch", &board, "--out", &new, "--csv", &mine],
        &["batch", &board, "--out", &new, "--summary", &mine],
        // That a journal is continued does not make every file a part of it.
        &["batch", &board, "--out", &new, "--csv", &mine, "--resume"],
        &["batch", &board, "--out", &new, "--summary", &mine, "--resume"],
    ] {
        permutile(arguments).exits(2).says(&["there is such a file already"]);
        assert_eq!(folder.read("mine"), "mine", "{arguments:?}");
        assert!(!fs::exists(&new).unwrap(), "{arguments:?}");
    }
    permutile(&["solve", &board, "--stats-file", &mine, "--force"]).exits(0);
    assert!(folder.read("mine").starts_with("path_to_goal: "));
    // Its own table and summary belong to a journal.
    for summary in ["s.txt", "s.json"].map(|name| folder.path(name)) {
        let csv = folder.path("t.csv");
        let options = ["--csv", &csv, "--summary", &summary, "--resume", "-q"];
        for _ in 0..2 {
            permutile(&[&["batch", &board, "--out", &new], &options[..]].concat()).exits(0);
            assert_eq!(folder.read("t.csv").lines().count(), 2);
        }
    }
}

#[test]
fn what_is_left_of_its_own_table_and_summary_does_not_stop_a_run_that_is_resumed() {
    let folder = solved();
    let [board, journal, csv] = ["in/a.txt", "j", "t.csv"].map(|name| folder.path(name));
    for summary in ["s.txt", "s.json"] {
        let path = folder.path(summary);
        let options = ["--csv", &csv, "--summary", &path, "--resume", "-q"];
        let run = [&["batch", &board, "--out", &journal], &options[..]].concat();
        permutile(&run).exits(0);
        let whole = [folder.read("t.csv"), folder.read(summary)];
        for tenths in [0, 1, 5, 9] {
            let left = |text: &str| text[..text.len() * tenths / 10].to_owned();
            folder.write("t.csv", left(&whole[0]));
            folder.write(summary, left(&whole[1]));
            permutile(&run).exits(0);
            assert_eq!(folder.read("t.csv"), whole[0]);
            assert_eq!(folder.read(summary).lines().next(), whole[1].lines().next());
        }
    }
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    ruzstd::encoding::compress_to_vec(text.as_bytes(), level)
}

#[test]
fn compressed_boards_are_read() {
    let folder = Folder::new();
    folder.write("in/a.boards.gz", gzip("one: 1 0 2 3 # 1\ntwo: 1 x 2 3\n"));
    folder.write("in/b.txt.zst", zstd("1 0\n2 3\n"));
    folder.write("in/c.gz", gzip("1 0 2 3"));
    let cut = gzip("1 0 2 3");
    folder.write("in/d.txt.gz", &cut[..cut.len() - 5]);
    folder.write("in/e.zst", "1 0 2 3");
    folder.write("in/f.tar.gz", gzip("no boards"));
    let input = folder.path("in");
    let run = permutile(&["batch", &input, "--threads", "1"]).exits(2);
    let found: Vec<(Value, Value)> =
        run.json().iter().map(|r| (r["board"].clone(), r["status"].clone())).collect();
    let expected = [
        ("a.boards.gz:one", "solved"),
        ("a.boards.gz:2", "invalid"),
        ("b.txt.zst", "solved"),
        ("c.gz", "solved"),
        ("d.txt.gz", "invalid"),
        ("e.zst", "invalid"),
    ];
    let expected = expected.map(|(name, status)| (format!("{input}/{name}"), status));
    assert_eq!(found, expected.map(|(name, status)| (name.into(), status.into())));
    run.says(&[
        "a.boards.gz:2:8: ",
        "d.txt.gz: this gzip file is cut off or damaged",
        "e.zst: this zstd file is cut off or damaged: it does not begin like one",
        "passed over, because they are hidden or named otherwise than boards: 1 (",
    ]);
    permutile_reading(zstd("3,1,2,0,4,5,6,7,8"), &["solve", "-"]).exits(0).prints(&["1 move"]);
    let goal = folder.write("goal.gz", gzip("1 2 3 0"));
    permutile(&["solve", "1 2 0 3", "--goal", &goal]).exits(0).prints(&["goal blank-last"]);
}

#[test]
fn files_that_are_passed_over_are_named() {
    let folder = Folder::new();
    folder.write("in/a.txt", "1 0 2 3");
    for name in ["in/notes.md", "in/.hidden", "in/deep/a.csv", "in/.git/config", "in/x.jsonl"] {
        folder.write(name, "");
    }
    let [input, out, summary] = ["in", "o", "s.json"].map(|name| folder.path(name));
    let named = format!("named otherwise than boards: 5 ({input}/.git, {input}/.hidden, ");
    let run = permutile(&["batch", &input, "--out", &out, "--summary", &summary]).exits(0);
    run.prints(&[&named]).says(&[&named, "a.csv", "notes.md", "x.jsonl"]);
    let summary: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    assert_eq!(summary["input"]["passed_over"]["count"], 5);
    for command in ["solve", "compare"] {
        permutile(&[command, &input]).exits(0).says(&[&named]);
        assert!(!permutile(&[command, &input, "-q"]).exits(0).stderr.contains("passed"));
    }
    permutile(&["verify", &out, "--boards", &input]).exits(0).says(&[&named]);
    // What the user leaves out needs no word.
    let run = permutile(&["batch", &input, "--include", "*.txt", "--out", &folder.path("p")]);
    assert!(!run.exits(0).stderr.contains("passed over"));
}

#[test]
fn boards_of_the_same_name_get_distinct_names() {
    let folder = Folder::new();
    let many = (0..400).map(|i| format!("{}: 1 0 2 3\n", i % 200)).collect::<String>();
    let input = folder.write("many.boards", format!("1 0 2 3\n{many}"));
    let other = folder.write("other.txt", "a: 1 0 2 3\na: 0 1 2 3\n");
    let out = folder.path("o");
    let arguments = ["batch", &input, &other, &other, "--out", &out, "--resume", "--threads", "3"];
    let names = || {
        let text = folder.read("o");
        let records: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        let mut names: Vec<String> =
            records.iter().map(|r| r["board"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names.dedup();
        (records.len(), names)
    };
    permutile(&arguments).exits(0).says(&[
        "called by their lines as well, because others have the same names: 202 (",
        "given twice and read once: 1 (",
    ]);
    let (records, before) = names();
    assert_eq!((records, before.len()), (403, 403));
    for name in ["many.boards:line 1", "many.boards:7 (line 209)", "other.txt:a (line 2)"] {
        assert!(before.contains(&folder.path(name)), "{name}");
    }
    permutile(&arguments).exits(0);
    assert_eq!(names(), (403, before));
    permutile(&["verify", &out, "--boards", &input, "--boards", &other]).exits(0);
    permutile(&["merge", &out, "--boards", &input, "--boards", &other, "-q"]).exits(0);
    let run = permutile(&["solve", "1 0 2 3", "0 1 2 3", "--json", "-q"]).exits(0);
    assert_eq!(run.column("board"), ["argument", "argument 2"]);
}
