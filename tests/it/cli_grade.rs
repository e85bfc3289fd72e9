//! `permutile grade`: however moves are handed in, they are read, replayed and compared with the
//! shortest.

use crate::program::{Folder, Ran, permutile, permutile_reading};
use serde_json::{Value, json};

/// Three moves from the goal: the blank goes Up, Left, Left; the tiles go down, right, right.
const EASY: &str = "1,2,5,3,4,0,6,7,8";

/// What is said of one solution of the easy board, written like this.
#[track_caller]
fn graded(moves: impl AsRef<[u8]>, code: i32) -> Value {
    let (_folder, file) = Folder::with("alice.txt", moves);
    permutile(&["grade", &file, "--boards", EASY, "--json", "-q"]).exits(code).json_line()
}

#[track_caller]
fn verdicts(run: &Ran) -> Vec<Value> {
    run.json()
        .iter()
        .map(|row| json!([row["student"], row["board"], row["verdict"], row["excess"]]))
        .collect()
}

#[test]
fn moves_are_read_however_they_are_written() {
    let course = "path_to_goal: ['Up', 'Left', 'Left']\ncost_of_path: 3\nnodes_expanded: 10\n\
                  search_depth: 3\nmax_search_depth: 4\nrunning_time: 0.001\nmax_ram_usage: 5.7\n";
    for (text, reading) in [
        ("['Up', 'Left', 'Left']", "blank"),
        ("[\"Up\",\"Left\",\"Left\"]", "blank"),
        ("up left left", "blank"),
        ("UP\r\nLEFT\r\nLEFT\r\n", "blank"),
        ("\u{feff}U L L", "blank"),
        ("ULL", "blank"),
        ("UL2", "blank"),
        ("DR2", "tile"),
        ("d r r", "tile"),
        ("Down -> Right -> Right", "tile"),
        ("↑ ← ←", "blank"),
        ("['Up',\n 'Left',\n 'Left']\n", "blank"),
        ("# my solution\n\nalice: U,L,L # done", "blank"),
        (course, "blank"),
    ] {
        let row = graded(text, 0);
        let found =
            json!([row["student"], row["verdict"], row["length"], row["shortest"], row["reading"]]);
        assert_eq!(found, json!(["alice", "shortest", 3, 3, reading]), "{text:?}: {row}");
        assert_eq!(json!([row["legal"], row["solves"], row["excess"]]), json!([true, true, 0]));
    }
    // As Windows writes it, and in an encoding of one byte a character.
    let wide: Vec<u8> =
        "\u{feff}Up Left Left\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(graded(wide, 0)["verdict"], "shortest");
    assert_eq!(graded(b"zo\xeb: U L L", 0)["student"], "zoë");
}

#[test]
fn what_is_wrong_is_named_with_its_number() {
    for (text, verdict, words) in [
        ("Up Left", "not-the-goal", "not the goal"),
        ("Up Up Left", "illegal", "move 2, \"Up\": the blank is at the edge"),
        ("Up Lefft Left", "illegal", "move 2, \"Lefft\": this puzzle has no such move"),
        ("L1 R2", "illegal", "move 3, \"Right\": the blank is at the edge"),
        ("D R2 D9", "illegal", "move 4, \"Down\": the blank is at the edge"),
        ("hello world", "illegal", "move 1, \"hello\""),
        ("", "not-the-goal", "after all moves (0)"),
        ("unsolvable", "not-the-goal", "the board can be solved"),
        ("\u{0}\u{1}\u{7f}\u{fffd}", "illegal", "move 1"),
    ] {
        let row = graded(text, 1);
        assert_eq!(row["verdict"], verdict, "{text:?}: {row}");
        assert!(row["error"].as_str().unwrap().contains(words), "{text:?}: {row}");
        assert_eq!(row["solves"], false, "{text:?}: {row}");
    }
}

#[test]
fn a_reading_can_be_demanded() {
    let (_folder, file) = Folder::with("alice.txt", "D R R");
    let grade = |reading: &str| {
        permutile(&["grade", &file, "--boards", EASY, "--reading", reading, "--json", "-q"])
    };
    assert_eq!(grade("auto").exits(0).json_line()["reading"], "tile");
    assert_eq!(grade("tile").exits(0).json_line()["reading"], "tile");
    let blank = grade("blank").exits(1).json_line();
    assert_eq!(json!([blank["reading"], blank["verdict"]]), json!(["blank", "illegal"]));
}

#[test]
fn solutions_that_are_too_long_say_by_how_much() {
    let (folder, file) = Folder::with("bob.txt", "Up Down Up Left Right Left Left");
    let grade = ["grade", &file, "--boards", EASY];
    let run = permutile(&grade).exits(0);
    let run = run.prints(&["student", "bob", "argument", "solves it"]);
    let run = run.says(&["1 solution of 1 student: 1 right (0 shortest)"]);
    let cells: Vec<&str> = run.stdout.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(cells[..5], ["bob", "argument", "7", "3", "4"], "{run}");
    permutile(&[&grade[..], &["--require-shortest"]].concat()).exits(1);
    let stated =
        folder.write("carl/output.txt", "path_to_goal: ['Up','Left','Left']\ncost_of_path: 4\n");
    permutile(&["grade", &stated, "--boards", EASY])
        .exits(0)
        .prints(&["carl", "shortest; states 4 moves"]);
}

#[test]
fn a_folder_of_students_is_graded_board_by_board() {
    let folder = Folder::new();
    folder.write("boards/b1.txt", "1 2 5\n3 4 0\n6 7 8\n");
    folder.write("boards/b2.txt", "1 0 2\n3 4 5\n6 7 8\n");
    folder.write("boards/b10.txt", "2 1 0\n3 4 5\n6 7 8\n");
    folder.write("boards/line.txt", "2 3 4 1\n5 6 7 8\n9 10 11 12\n13 14 15 16\n");
    folder.write("in/alice/b1.txt", "Up Left Left");
    folder.write("in/alice/b2.txt", "Right Left Left");
    folder.write("in/alice/line.txt", "['R1']");
    folder.write("in/bob_b1.txt", "ULL");
    folder.write("in/carol.txt", "b2: Left\nb10: no solution\nline: l1\n");
    folder.write("in/dave/b9.txt", "Up");
    folder.write("in/dave/essay.pdf", "%PDF");
    let (given, boards) = (folder.path("in"), folder.path("boards"));
    let run = permutile(&["grade", &given, "--boards", &boards, "--json"]).exits(2);
    let run = run.says(&[
        "essay.pdf",
        "8 solutions of 4 students: 6 right (5 shortest), 1 not at the goal, 1 without a board",
    ]);
    let board = |name: &str| format!("{boards}/{name}.txt");
    let expected = [
        json!(["alice", board("b1"), "shortest", 0]),
        json!(["alice", board("b2"), "longer", 2]),
        json!(["alice", board("line"), "shortest", 0]),
        json!(["bob", board("b1"), "shortest", 0]),
        json!(["carol", board("b2"), "shortest", 0]),
        json!(["carol", board("b10"), "shortest", null]),
        json!(["carol", board("line"), "not-the-goal", null]),
        json!(["b9", null, "no-board", null]),
    ];
    assert_eq!(verdicts(&run), expected, "{run}");
    // In the order of the boards, which is b1, b2, b10.
    let ordered = folder.write("erin.txt", "ULL\nL\nimpossible\n");
    std::fs::remove_file(board("line")).unwrap();
    let run = permutile(&["grade", &ordered, "--boards", &boards, "--json", "-q"]).exits(0);
    assert_eq!(run.column("verdict"), ["shortest"; 3], "{run}");
}

#[test]
fn tables_are_for_people_spreadsheets_and_scripts() {
    let (folder, class) =
        Folder::with("class.txt", "alice: U L L\nbob: U L\n'zoë': ['Up','Left','Left'],\n");
    let csv = folder.path("grades.csv");
    let grade = ["grade", &class, "--boards", EASY, "--csv"];
    let run = permutile(&[&grade[..], &[&csv]].concat()).exits(1);
    let run = run
        .prints(&["does not reach the goal"])
        .says(&["3 solutions of 3 students", "1 not at the goal"]);
    assert_eq!(run.stdout.lines().count(), 4, "{run}");
    let table = folder.read("grades.csv");
    let header = "student,board,puzzle,verdict,legal,solves,length,shortest,excess,reading,misstated,\
                  file,line,error,shorter\n";
    assert!(table.starts_with(header), "{table}");
    assert!(
        table.contains("\nalice,argument,sliding3,shortest,true,true,3,3,0,blank,,"),
        "{table}"
    );
    permutile(&[&grade[..], &[&csv]].concat()).exits(2).says(&["grades.csv", "--force"]);
    permutile(&[&grade[..], &[&csv, "--force"]].concat()).exits(1);
    permutile(&[&grade[..], &[&class, "--force"]].concat()).exits(2).says(&["is an input"]);
    let on_stdout = permutile(&[&grade[..], &["-"]].concat()).exits(1);
    assert_eq!(on_stdout.stdout, table);
    permutile(&[&grade[..], &["-", "--json"]].concat())
        .exits(2)
        .prints_nothing()
        .says(&["--csv -"]);
}

#[test]
fn a_shortest_solution_that_is_not_found_in_time_is_not_claimed() {
    let hard = "5 9 13 14/6 3 7 12/10 8 4 0/15 2 11 1";
    let solved =
        permutile(&["solve", hard, "--algorithm", "greedy", "--json"]).exits(0).json_line();
    let moves = solved["moves"].to_string();
    let run = ["grade", "-", "--boards", hard, "--json", "-q", "--timeout", "1ms"];
    let row = permutile_reading(moves.clone(), &run).exits(0).json_line();
    assert_eq!(json!([row["solves"], row["shortest"], row["excess"]]), json!([true, null, null]));
    // Unless a shorter one was found, if not the shortest.
    assert_eq!(row["verdict"], if row["shorter"].is_null() { "solves" } else { "longer" });
    let strict = permutile_reading(moves, &[&run[..], &["--require-shortest"]].concat());
    let code = if strict.json_line()["shorter"].is_null() { 3 } else { 1 };
    strict.exits(code);
}

#[test]
fn a_million_moves_are_no_trouble() {
    let there_and_back = "Up Down ".repeat(500_000);
    let row = graded(format!("{there_and_back} Up Left Left"), 0);
    assert_eq!(json!([row["length"], row["excess"]]), json!([1_000_003, 1_000_000]));
    let row = graded("U999 ".repeat(20_000), 1);
    assert!(row["error"].as_str().unwrap().contains("more than 10000000 moves"), "{row}");
}

#[test]
fn what_students_call_themselves_does_no_harm() {
    let long = "a".repeat(100_000);
    let text = format!("{long}: U L L\n\x1b[2J\x07eve: U L L\n:\n{}\n", ":".repeat(100_000));
    let (_folder, file) = Folder::with("class.txt", text);
    let run = permutile(&["grade", &file, "--boards", EASY]).exits(1);
    assert!(run.stdout.lines().all(|line| line.len() < 300), "{run}");
    run.prints(&["[2Jeve", "there are no moves"]);
    let brackets = "[".repeat(100_000) + "\n" + &"(".repeat(100_000);
    permutile_reading(brackets, &["grade", "-", "--boards", EASY])
        .exits(1)
        .prints(&["standard input"]);
    permutile_reading("", &["grade", "-", "--boards", EASY])
        .exits(1)
        .prints(&["there are no moves"]);
}

#[test]
fn bad_input_is_named() {
    let (folder, file) = Folder::with("alice.txt", "Up");
    let none = folder.path("none");
    permutile(&["grade", &file]).exits(2).says(&["--boards"]);
    permutile(&["grade", &none, "--boards", EASY]).exits(2).says(&["none"]);
    permutile(&["grade", &file, "--boards", &none]).exits(2).says(&["--boards", "none"]);
    permutile(&["grade", &file, "--boards", "1,2,2,3"])
        .exits(2)
        .says(&["--boards", "argument:1:5"]);
    permutile(&["grade", &folder.path(""), "--boards", EASY]).exits(1);
    let empty = Folder::new();
    permutile(&["grade", &empty.path(""), "--boards", EASY]).exits(2).says(&["no solutions"]);
    // The moves of one puzzle on the board of another.
    permutile(&["grade", &file, "--boards", "2 1/4 3"]).exits(1).prints(&["no such move"]);
    // Names that two boards share.
    let boards = folder.write("x.boards", "a: 1 0 2 3\na: 1 2 0 3\n");
    let a = folder.write("a.txt", "Left");
    permutile(&["grade", &a, "--boards", &boards]).exits(2).prints(&["2 boards are called \"a\""]);
}
