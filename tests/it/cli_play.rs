//! `permutile play --plain`: the game line by line, driven by scripts.

use super::program::{DATA, Folder, PROGRAM, Ran, permutile, permutile_reading};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

/// Plays with statistics in a folder.
fn play(folder: &Folder, script: impl Into<Vec<u8>>, arguments: &[&str]) -> Ran {
    let arguments = [&["play", "--plain"], arguments].concat();
    let output = assert_cmd::Command::new(PROGRAM)
        .args(&arguments)
        .env(DATA, folder.path("data"))
        .env("PERMUTILE_CACHE", folder.path("cache"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .write_stdin(script.into())
        .output()
        .unwrap();
    Ran::new(&arguments, output)
}

fn figures(folder: &Folder, discipline: &str) -> Value {
    let text = folder.read("data/statistics.json");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["version"], 1);
    value["games"][discipline].clone()
}

const NEAR: &[&str] = &["sliding3", "--exact-depth", "3", "--seed", "4"];
const NEAR_NAME: &str = "sliding3 blank-first depth:3";

#[test]
fn a_game_from_the_first_move_to_the_last() {
    let folder = Folder::new();
    let ran = play(&folder, "right\nhint\nundo\nhint\nright UP\nleft\nshare\n", NEAR).exits(0);
    let ran = ran.prints(&[
        "sliding3, goal blank-first, scramble depth:3, seed 4\n1 4 2\n0 3 5\n6 7 8\n",
        "1 4 2\n3 0 5\n6 7 8\n1 move, ",
        "Hint: Up (tile 4 down); 2 moves to go, the fewest possible",
        "Hint: Right (tile 3 left); 3 moves to go",
        "0 1 2\n3 4 5\n6 7 8\nSolved in 3 moves, ",
        ", with help; the fewest possible are 3.",
        "scramble depth:3, seed 4\npermutile play --replay 'permutile=1 puzzle=sliding3 \
         start=1,4,2,0,3,5,6,7,8 moves=Right,Up,Left seconds=",
    ]);
    let line = ran.stdout.lines().find(|line| line.contains("--replay")).unwrap();
    let line = line.split('\'').nth(1).unwrap();
    permutile(&["play", "--replay", line]).exits(0).says_nothing().prints(&[
        "sliding3\n1 4 2\n0 3 5\n6 7 8\n1. Right: tile 3 left\n",
        "3. Left: tile 1 right\n0 1 2\n3 4 5\n6 7 8\n",
    ]);
    let figures = figures(&folder, NEAR_NAME);
    let figure = |name: &str| figures[name].as_u64().unwrap();
    assert_eq!((figure("started"), figure("solved"), figure("solved_with_help")), (1, 0, 1));
    assert_eq!(figure("moves"), 4);
}

#[test]
fn what_is_no_text_is_no_move() {
    let folder = Folder::new();
    let garbage = [b"\xff\xfe\x00L1\x80\n", &[b'9'; 200_000][..], b"\nright\n"].concat();
    play(&folder, garbage, NEAR).exits(0).prints(&["no such move", "3 0 5\n6 7 8\n1 move, "]);
}

#[test]
fn bests_are_kept_from_one_game_to_the_next() {
    let folder = Folder::new();
    play(&folder, "right left right up left\nstatistics\n", NEAR).exits(0).prints(&[
        "Fewest moves and shortest time so far.",
        "solved      1",
        "fewest      5 moves in",
    ]);
    play(&folder, "right up left\nnew moves 0\nup\nnew uniform seed 9\n", NEAR).exits(0).prints(&[
        "Fewest moves",
        "scramble moves:0",
        "the game is over",
        "uniform, seed 9",
    ]);
    // Left in the middle.
    play(&folder, "right\n", NEAR).exits(0);
    let figures = figures(&folder, NEAR_NAME);
    assert_eq!(figures["started"], 3);
    assert_eq!(figures["solved"], 2);
    assert_eq!(figures["fewest_moves"]["moves"], 3);
}

#[test]
fn moves_of_every_kind_of_puzzle() {
    let folder = Folder::new();
    play(
        &folder,
        "L3 oc\n2 R1\nundo 9\nredo 2\nrestart\nmoves\nfoo\n0 L1\n",
        &["rings4", "--seed", "1"],
    )
    .exits(0)
    .prints(&["\n2 moves, ", "\n4 moves, ", "\n0 moves, ", "L1 L2 L3 L4 R1"])
    .prints(&["\"foo\": this puzzle has no such move; type moves or help", "1 to 999 times"]);
    let custom = "data/puzzles/top-spin-2x5.toml";
    play(&folder, "turn flip\nback\nsolve\nshortest\n", &[custom, "--moves", "4", "--seed", "2"])
        .exits(0)
        .prints(&["\n2 moves, ", "\n3 moves, ", "(proven shortest): ", "The first board takes "]);
    play(&folder, "left\nredo\nfly me\nhelp\nquit\nleft\n", &["sliding2", "--seed", "1"])
        .exits(0)
        .prints(&["was not made: the blank is at the edge", "nothing to redo", "take moves back"]);
}

#[test]
fn the_puzzle_is_asked_for_and_the_day_has_its_board() {
    permutile_reading("torus3\nquit\n", &["play"]).exits(0).prints(&["torus3, goal ordered"]);
    permutile_reading("", &["play"]).exits(2).says(&["there is no puzzle"]);
    let daily = || permutile_reading("", &["play", "torus3", "--daily"]).exits(0).stdout;
    assert!(daily().contains("scramble daily, seed 20"));
    permutile(&["play", "torus3", "--daily", "--seed", "3"]).exits(2);
    permutile(&["play", "sliding2", "--exact-depth", "7"]).exits(2).says(&["farthest are 6 away"]);
    permutile(&["play", "torus3", "--json"]).exits(2).says(&["leave --json out"]);
    permutile(&["play", "cube"]).exits(2).says(&["there is no puzzle \"cube\""]);
}

#[test]
fn what_is_no_game_is_not_replayed() {
    let replay = |line: &str| permutile(&["play", "--replay", line]).exits(2);
    let line = "permutile=1 puzzle=sliding2 start=1,2,0,3 moves=Right";
    permutile(&["play", "--replay", line]).exits(0).prints(&["1. Right: tile 3 left"]);
    replay("nothing").says(&["name=value"]);
    replay(&line.replace("Right", "Left")).says(&["the blank is at the edge"]);
    replay(&line.replace("0,3", "4,3")).says(&["no blank"]);
    replay(&line.replace("sliding2", "sliding3")).says(&["start or goal"]);
    replay(&line.replace("=1 ", "=9 ")).says(&["a game of version 9"]);
}

#[test]
fn statistics_that_cannot_be_kept_are_told_and_nothing_is_lost() {
    let folder = Folder::new();
    folder.write("data/statistics.json", "{\"version\": 1, \"games\": {");
    play(&folder, "right\n", NEAR).exits(0).prints(&[
        "these are no statistics",
        "the file is kept as",
        "statistics.damaged-1.json",
    ]);
    assert_eq!(folder.read("data/statistics.damaged-1.json"), "{\"version\": 1, \"games\": {");
    assert_eq!(figures(&folder, NEAR_NAME)["started"], 1);

    let newer = Folder::new();
    newer.write("data/statistics.json", "{\"version\": 2}");
    play(&newer, "right\nright\n", NEAR).exits(0).prints(&["a newer permutile has written"]);
    assert_eq!(newer.read("data/statistics.json"), "{\"version\": 2}");

    // The folder is a file.
    let blocked = Folder::new();
    blocked.write("data", "");
    play(&blocked, "right up left\n", NEAR)
        .exits(0)
        .prints(&["statistics are not kept", "Solved in 3 moves"]);
}

#[test]
fn games_at_the_same_time_are_all_counted() {
    let folder = Folder::new();
    let start = || {
        let mut child = Command::new(PROGRAM)
            .args(["play", "--plain"])
            .args(NEAR)
            .env(DATA, folder.path("data"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let script = "right up left\nrestart\n".repeat(20);
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), script.as_bytes()).unwrap();
        child
    };
    let children: Vec<_> = (0..3).map(|_| start()).collect();
    for mut child in children {
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
    }
    let figures = figures(&folder, NEAR_NAME);
    assert_eq!(figures["started"], 60);
    assert_eq!(figures["solved"], 60);
    assert_eq!(figures["moves"], 180);
    let names = fs::read_dir(folder.path("data")).unwrap().count();
    assert_eq!(names, 2, "the statistics and the lock");
}
