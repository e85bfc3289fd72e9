//! The forms in which people write boards, as the program takes them.

use crate::program::{Folder, Ran, permutile, permutile_reading, program, solve_json};
use serde_json::{Value, json};

const EIGHT: [u8; 9] = [1, 2, 5, 3, 4, 0, 6, 7, 8];

#[track_caller]
fn assert_is_eight(run: Ran) {
    let record = run.exits(0).json_line();
    assert_eq!((&record["start"], &record["length"]), (&json!(EIGHT), &json!(3)));
}

#[test]
fn a_board_is_an_argument_in_many_forms() {
    for form in [
        "1,2,5,3,4,0,6,7,8",
        "125340678",
        "125/340/678",
        "010205030400060708",
        "(1, 2, 5, 3, 4, 0, 6, 7, 8)",
        "((1, 2, 5), (3, 4, 0), (6, 7, 8))",
        "[[1, 2, 5], [3, 4, 0], [6, 7, 8]]",
        "['1', '2', '5', '3', '4', '0', '6', '7', '8']",
    ] {
        assert_is_eight(solve_json(&[form]));
        assert_is_eight(permutile_reading(form, &["solve", "--json"]));
        let (_folder, path) = Folder::with("board.txt", form);
        assert_is_eight(solve_json(&[&path]));
    }
    assert_is_eight(solve_json(&["1", "2", "5", "3", "4", "0", "6", "7", "8"]));
    assert_is_eight(solve_json(&["[1,", "2,", "5,", "3,", "4,", "0,", "6,", "7,", "8]"]));
    assert_is_eight(solve_json(&["1", "2", "5", "/", "3", "4", "0", "/", "6", "7", "8"]));
    let blank_first = solve_json(&["012345678"]).exits(0).json_line();
    assert_eq!((&blank_first["length"], &blank_first["start"][0]), (&json!(0), &json!(0)));
    let fifteen = solve_json(&["01000203040506070809101112131415"]).exits(0).json_line();
    assert_eq!((&fifteen["puzzle"], &fifteen["length"]), (&json!("sliding4"), &json!(1)));
    let letters = solve_json(&["BCDEA/FGHIJ/KLMNO/PQRST/UVWXY", "--puzzle", "torus5"]);
    assert_eq!(letters.exits(0).json_line()["moves"], json!(["R1"]));
    let two = solve_json(&["125340678", "102345678"]).exits(0);
    assert_eq!(two.column("length"), [3, 1]);
}

/// The place and the reason, in every form.
#[test]
fn what_is_no_board_is_told_in_every_form() {
    for (form, message) in [
        ("125340677", "argument:1:9: tile 7 is here again after line 1, column 8"),
        ("12534067", "argument:1:9: tile 8 is missing"),
        ("1253406789", "argument:1:11: found 10 numbers"),
        ("1023456789012345", "argument:1:1: found 16 digits without spaces"),
        ("00010203040506070809101112131416", "argument:1:31: 16 is out of range"),
        ("(1, 2, 5, 3, 4, 0, 6, 7)", "argument:1:24: tile 8 is missing"),
        ("(1, 2, 5, 3, 4, 0, 6, 7, seven)", "no such file"),
        ("ABCDE/FGHIJ/KLMNO/PQRST/UVWXX", "argument:1:29: tile 24 is here again"),
        ("ABCDEFGHIJKLMNOPQRSTUVWX", "argument:1:25: 0 or 25 is missing"),
        ("7", "7: there is no such file"),
        ("board", "board: there is no such file"),
    ] {
        permutile(&["solve", form]).exits(2).prints_nothing().says(&[message]);
    }
    let separate = permutile(&["solve", "1", "2", "5", "3", "4", "0", "6", "7", "7"]);
    separate.exits(2).says(&["argument:1:17: tile 7 is here again"]);
    permutile(&["solve"]).exits(2).says(&["standard input:1:1: found no numbers"]);
    permutile_reading(vec![0_u8; 100], &["solve"]).exits(2).says(&["standard input:1:1: "]);
}

/// Numbers that are files as well are neither taken for the one nor for the other.
#[test]
fn tiles_that_are_files_are_refused() {
    let folder = Folder::new();
    folder.write("2", "1 0 2 3\n");
    let run = |arguments: &[&str]| {
        let mut command = program(&folder.path("cache"));
        command.args(arguments).current_dir(folder.path(""));
        Ran::new(arguments, command.output().unwrap())
    };
    run(&["solve", "1", "0", "2", "3"])
        .exits(2)
        .prints_nothing()
        .says(&["\"2\" is a tile of the board 1 0 2 3, or the file of that name", "./2"]);
    run(&["solve", "1 0 2 3"]).exits(0);
    run(&["solve", "2"]).exits(0).prints(&["2: sliding2"]);
    // All of them are files.
    folder.write("3", "2 1 0 3\n");
    run(&["solve", "2", "3"]).exits(0).prints(&["2  sliding2", "3  sliding2"]);
}

#[test]
fn boards_between_empty_lines_are_several() {
    let text = "1 2 5\n3 4 0\n6 7 8\n\n3\n1 0 2\n3 4 5\n6 7 8\n\n# a slip\n1 0 2\n3 4 5\n6 7 7\n";
    let (_folder, path) = Folder::with("three.txt", text);
    let run = solve_json(&[&path]).exits(2).says(&[
        "three.txt:13:5: tile 7 is here again",
        "three.txt:6: the 3 alone before the board is taken as its size",
    ]);
    let names = ["1", "6", "13"].map(|line| Value::from(format!("{path}:{line}")));
    assert_eq!(
        (run.column("board"), run.column("length")[..2].to_vec()),
        (names.to_vec(), vec![json!(3), json!(1)])
    );
    let journal = permutile(&["batch", &path, "-q"]).exits(2);
    assert_eq!(journal.column("board").len(), 3);
    let piped = permutile_reading(text, &["batch", "-q", "--ordered"]).exits(2);
    assert_eq!(piped.column("board")[1], "standard input:6");
}

#[test]
fn a_number_before_the_board_is_its_size_or_the_allowed_length() {
    let board = "1 2 5\n3 4 0\n6 7 8\n";
    let run = |number: &str| permutile_reading(format!("{number}\n{board}"), &["solve"]).exits(0);
    let size = run("3").says(&["the 3 alone before the board is taken as its size"]);
    assert!(!size.stdout.contains("allows"), "{size}");
    run("4").prints(&["within the 4 moves that the file allows"]).says_nothing();
    run("2").prints(&["more than the 2 moves that the file allows"]).says_nothing();
    permutile_reading(format!("3\n{board}"), &["solve", "-q"]).exits(0).says_nothing();
}
