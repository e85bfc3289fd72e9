//! Boards and journals that tests of `permutile batch` share.

use crate::program::{Folder, Ran, permutile};
use serde_json::Value;
use std::collections::BTreeMap;

/// A board that no search of a moment solves.
pub(crate) const HARD_RINGS: &str =
    "11 3 9 5 21 24 2 1 14 15 13 17 20 25 8 12 18 16 22 10 6 4 7 19 23";

/// A folder with boards of several puzzles, and with everything that is no board.
pub(crate) fn mixed() -> Folder {
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

/// Runs `permutile batch`.
pub(crate) fn batch(arguments: &[&str]) -> Ran {
    permutile(&[&["batch"], arguments].concat())
}

/// The records of a journal.
pub(crate) fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a journal says of each board, without what differs from run to run.
pub(crate) fn results(text: &str) -> BTreeMap<String, Value> {
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

/// Boards that take some milliseconds each.
pub(crate) fn many_boards(folder: &Folder) -> String {
    let run = permutile(&["scramble", "torus4", "--moves", "11", "--count", "150", "--seed", "5"]);
    folder.write("many.boards", &run.exits(0).stdout)
}

/// The boards that a journal has records of, in its order.
pub(crate) fn names(text: &str) -> Vec<String> {
    records(text).iter().map(|record| record["board"].as_str().unwrap().to_owned()).collect()
}
