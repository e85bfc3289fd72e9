//! Malformed boards: each has its own message with its place, and spoils nobody else's.

use crate::program::{Folder, permutile, solve_json};
use serde_json::Value;

/// File, content, line and column of the complaint, and its essential words. In natural order.
type Bad = (&'static str, &'static [u8], &'static str, &'static str);

const BAD: &[Bad] = &[
    ("blank-word.txt", b"1 2 3\n4 _ 5\n6 7 8\n", "2:3", "\"_\" is not a number"),
    ("comment.txt", b"# nothing\n\n", "1:1", "found no numbers"),
    ("empty.boards", b"", "1:1", "found no numbers"),
    ("empty.txt", b"", "1:1", "found no numbers"),
    ("huge.txt", b"1 2 3\n4 5 6\n7 8 99999999999999999999\n", "3:5", "99999999999999999999 is out"),
    ("latin1.txt", b"1 2 3\n4 5 6\n7 8\xa09\n", "3:4", "found the byte 0xA0, which"),
    ("missing.txt", b"1 2 3 4 5 6 7 0", "1:16", "tile 8 is missing"),
    ("missing-blank.txt", b"1 2 3 4 5 6 7 8", "1:16", "0 or 9 is missing"),
    ("named.txt", b"1 2\nbob: 3 4\n", "2:1", "\"bob:\" is not a number"),
    ("negative.txt", b"1 2\n3 -4\n", "2:3", "-4 is out of range"),
    ("not-a-number.txt", b"1 2\r\n3 four\r\n", "2:3", "\"four\" is not a number"),
    ("out-of-range.txt", b"0 1 2\n3 4 5\n6 7 9\n", "3:5", "9 is out of range; a 3x3 board with"),
    ("ragged-long.txt", b"1 2\n3 4 5\n", "2:5", "row 2 has 3 numbers; expected 2"),
    ("ragged-short.txt", b"1 2 3\n4 5\n6 7 8\n", "2:4", "row 2 has 2 numbers; expected 3"),
    ("real.txt", b"1 2\n3 4.0\n", "2:3", "\"4.0\" is not a number"),
    ("twice.txt", b"1 2 3\r4 5 5\r7 8 9", "2:5", "tile 5 is here again after line 2, column 3"),
    ("two-blanks.txt", b"0 1 2\n3 0 4\n5 6 7\n", "2:3", "a second blank 0"),
    ("utf16.txt", b"\xff\xfe1\x00 \x002\x00", "1:1", "found the byte 0xFF, which"),
    ("wrong-count.txt", b"1 2 3 4 5 6 7", "1:14", "found 7 numbers"),
];

/// A folder with all of the above, and two good boards among them.
fn folder_of_bad_boards() -> Folder {
    let folder = Folder::new();
    for (name, content, ..) in BAD {
        folder.write(name, content);
    }
    folder.write("a-good.txt", "1 0\n2 3\n");
    folder.write("zoo/good.txt", "1 2 3 4\n5 6 7 8\n9 10 11 12\n16 13 14 15\n");
    folder
}

#[test]
fn each_malformed_file_is_refused_with_its_place() {
    let folder = folder_of_bad_boards();
    for (name, _, place, words) in BAD {
        let path = folder.path(name);
        let message = format!("{path}:{place}: {words}");
        permutile(&["solve", &path])
            .exits(2)
            .prints_nothing()
            .says(&[&format!("error: {message}"), "\nhelp: "]);
        let record = solve_json(&[&path]).exits(2).json_line();
        assert_eq!(record["status"], "invalid", "{name}");
        assert!(record["error"].as_str().unwrap().starts_with(&message), "{record}");
        assert!(record["board"].as_str().unwrap().starts_with(&path), "{record}");
    }
}

#[test]
fn good_boards_among_bad_ones_are_solved() {
    let folder = folder_of_bad_boards();
    let run = solve_json(&[&folder.path(""), &folder.path("none.txt"), "1,2,4,3"]).exits(2);
    let records = run.json();
    assert_eq!(records.len(), BAD.len() + 4, "{run}");
    let ended = |status: &str| {
        let those = records.iter().filter(|record| record["status"] == status);
        those.map(|record| record["board"].as_str().unwrap()).collect::<Vec<_>>()
    };
    let good = [folder.path("a-good.txt"), folder.path("zoo/good.txt"), "argument".to_owned()];
    assert_eq!(ended("solved"), good);
    assert_eq!(ended("invalid").len(), BAD.len() + 1);
    assert_eq!(run.stderr.matches("error: ").count(), BAD.len() + 1, "{run}");
    let run = run.says(&[&format!("3 solved, 3 proven optimal, {} invalid", BAD.len() + 1)]);
    // A journal with invalid records is a good journal.
    let (_folder, journal) = Folder::with("journal.jsonl", &run.stdout);
    permutile(&["verify", &journal]).exits(0).prints(&["3 solutions hold, 0 violations"]);
}

#[test]
fn the_caret_points_at_the_culprit() {
    let (_folder, path) = Folder::with("board.txt", "1 2\n3\tfour\n");
    permutile(&["solve", &path]).exits(2).says(&["\n3 four\n  ^\n"]);
    // Of a long line, the part around it.
    let long: String = (1..=400).map(|tile| format!("{tile} ")).collect();
    let (_folder, path) = Folder::with("long.txt", long);
    let run = permutile(&["solve", &path]).exits(2).says(&["long.txt:1:", "more than 256 numbers"]);
    assert!(run.stderr.lines().all(|line| line.chars().count() < 200), "{run}");
    let lines: Vec<&str> = run.stderr.lines().collect();
    let caret = lines.iter().position(|line| line.trim() == "^").expect("there is a caret");
    let culprit: String = lines[caret - 1].chars().skip(lines[caret].find('^').unwrap()).collect();
    assert!(culprit.starts_with("257 "), "{run}");
}

#[test]
fn a_bad_line_of_a_collection_hides_no_other() {
    let lines = "a: 1 0 2 3 # 1\nb: 1 0 2\nc: 1 1 2 3\nd\n: 2 1 0 3\ne: 0 1 2 3 # x\n";
    let (folder, path) = Folder::with("set.boards", lines);
    let run = solve_json(&[&path]).exits(2).says(&[
        "set.boards:2:9: tile 3 is missing",
        "set.boards:3:6: tile 1 is here again",
        "set.boards:4:1: \"d\" is not a number",
    ]);
    let boards = run.column("board");
    let expected = ["a", "2", "3", "4", "5", "e"].map(|name| format!("{path}:{name}"));
    assert_eq!(boards, expected);
    let solved: Vec<Value> = run.column("length");
    assert_eq!(solved.iter().filter(|length| length.is_u64()).count(), 3, "{run}");
    let empty = folder.write("comments.boards", "# only\n\n# comments\n");
    permutile(&["solve", &empty]).exits(2).says(&["comments.boards:1:1: found no numbers"]);
}

#[test]
fn what_is_no_file_and_no_board_is_named() {
    for nothing in ["no/such/file.txt", "board.txt", "x"] {
        let run = solve_json(&[nothing]).exits(2).says(&["no such file or folder", nothing]);
        assert_eq!(run.column("board"), [nothing]);
    }
    permutile(&["solve", ""]).exits(2).says(&["argument:1:1: found no numbers"]);
    // What looks like a board is read as one.
    permutile(&["solve", "1,2,3,four"]).exits(2).says(&["no such file"]);
    permutile(&["solve", "1,2,3,x"]).exits(2).says(&["argument:1:7: \"x\"", "write it as 0"]);
}

#[test]
fn a_goal_must_be_a_readable_board() {
    let folder = folder_of_bad_boards();
    let goal = |path: &str| permutile(&["solve", "1 2 4 3", "--goal", path]);
    for (name, _, place, words) in BAD {
        let message = format!("{name}:{place}: {words}");
        goal(&folder.path(name)).exits(2).prints_nothing().says(&["--goal", &message]);
    }
    goal(&folder.path("zoo")).exits(2).says(&["--goal", "zoo: this is a folder"]);
    let run = goal(&folder.path("none")).exits(2).says(&["--goal", "none: "]);
    assert!(!run.stderr.contains("not a board"), "{run}");
    goal("middle").exits(2).says(&["--goal takes blank-first, blank-last, a board or a file"]);
}

#[test]
fn a_custom_puzzle_must_be_a_readable_puzzle() {
    let folder = Folder::new();
    let puzzles: [(&str, &[u8], &str); 7] = [
        ("empty.toml", b"", "empty.toml:1:1: "),
        ("junk.toml", b"shape = \"2x2\"\nhello world\n", "junk.toml:2:"),
        ("latin1.toml", b"# caf\xe9\n", "latin1.toml: the file is not UTF-8"),
        ("shape.toml", b"shape = \"2by2\"\nmove = []\n", "shape.toml:1:9: \"2by2\" is not a shape"),
        ("none.toml", b"shape = \"2x2\"\nmove = []\n", "here are 0"),
        (
            "still.toml",
            b"shape = \"2x2\"\n[[move]]\nname = \"a\"\ncycles = [[1]]\n",
            "moves nothing",
        ),
        ("key.toml", b"shape = \"2x2\"\nspeed = 3\nmove = []\n", "key.toml:2:1: "),
    ];
    for (name, content, words) in puzzles {
        let path = folder.write(name, content);
        for arguments in [&["solve", "1 2 4 3", "--puzzle", &path][..], &["info", &path]] {
            permutile(arguments).exits(2).prints_nothing().says(&[words]);
        }
    }
    std::fs::create_dir(folder.path("folder.toml")).unwrap();
    permutile(&["info", &folder.path("folder.toml")]).exits(2).says(&["this is a folder"]);
}

#[cfg(unix)]
#[test]
fn what_the_system_refuses_is_reported() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    folder.write("good.txt", "1 0\n2 3\n");
    symlink(folder.path("nowhere"), folder.path("dangling.txt")).unwrap();
    let locked = folder.write("locked.txt", "1 0\n2 3\n");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser may read everything.
    let may_read = std::fs::read(&locked).is_ok();
    let run = solve_json(&[&folder.path("")]).exits(2).says(&["dangling.txt: "]);
    let locked_status = if may_read { "solved" } else { "invalid" };
    assert_eq!(run.column("status"), ["invalid", "solved", locked_status], "{run}");
    if !may_read {
        run.says(&["locked.txt: Permission denied"]);
    }
}
