//! Files that are read and written: none is overwritten silently, and none is lost.

use crate::program::{Folder, permutile};
use std::fs;

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
