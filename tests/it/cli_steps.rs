//! Solutions move by move, goals as arguments, and hints at the other goal.

use crate::program::{Folder, permutile, solve_json};
use serde_json::json;

#[test]
fn steps_are_told_in_words_with_boards() {
    permutile(&["solve", "1,2,5,3,4,0,6,7,8", "--steps", "-q"]).exits(0).says_nothing().prints(&[
        "Up Left Left\n\
         1. Up: tile 5 down\n1 2 0\n3 4 5\n6 7 8\n\
         2. Left: tile 2 right\n1 0 2\n3 4 5\n6 7 8\n\
         3. Left: tile 1 right\n0 1 2\n3 4 5\n6 7 8\n",
    ]);
    permutile(&["solve", "5 1 2/3 4 6", "--steps"]).exits(0).prints(&[
        "1. ",
        ": row ",
        "\n1 2 3\n4 5 6\n",
    ]);
    // The outer ring of 3x3, turned by one.
    permutile(&["solve", "2 3 6 1 5 9 4 7 8", "--puzzle", "rings3", "--steps"])
        .exits(0)
        .prints(&["1. Oc: outer ring clockwise\n1 2 3\n4 5 6\n7 8 9\n"]);
    let puzzle = "data/puzzles/top-spin-2x5.toml";
    permutile(&["solve", "4 3 2 1 5/6 7 8 9 10", "--puzzle", puzzle, "--steps"])
        .exits(0)
        .prints(&["1. flip\n 1  2  3  4  5\n 6  7  8  9 10\n"]);
}

#[test]
fn steps_of_several_boards_and_of_long_solutions_are_whole_in_a_pipe() {
    let run = permutile(&["solve", "102345678", "125340678", "--steps"]).exits(0);
    assert_eq!(run.stdout.matches("1. ").count(), 2, "{run}");
    let dfs = ["solve", "8,6,4,2,1,3,5,7,0", "--algorithm", "dfs", "--steps"];
    let run = permutile(&dfs).exits(0);
    assert_eq!(run.stdout.matches(": tile ").count(), 9_612);
    assert!(run.stdout.ends_with("\n0 1 2\n3 4 5\n6 7 8\n") && !run.stdout.contains('…'));
}

#[test]
fn steps_and_records_exclude_each_other() {
    let run = permutile(&["solve", "102345678", "--steps", "--json"]).exits(2).prints_nothing();
    run.says(&["--steps", "--json"]);
    // What has no solution has no steps.
    permutile(&["solve", "102345687", "--steps"]).exits(1).prints(&["unsolvable"]);
}

#[test]
fn a_goal_is_an_argument_wherever_it_is_a_file() {
    let folder = Folder::new();
    let goal = "1 2 3/8 0 4/7 6 5";
    let file = folder.write("goal.txt", goal);
    for goal in [goal, "1,2,3,8,0,4,7,6,5", "(1, 2, 3, 8, 0, 4, 7, 6, 5)", "123804765", &file] {
        let record = solve_json(&["1 3 4/8 0 5/7 2 6", "--goal", goal]).exits(0).json_line();
        assert_eq!(record["length"], 6, "{goal}");
        assert_eq!(record["goal"], json!([1, 2, 3, 8, 0, 4, 7, 6, 5]), "{goal}");
    }
    let board = folder.write("one.boards", "1 3 4/8 0 5/7 2 6 # 6\n");
    let goal = ["--goal", goal];
    let command = |arguments: &[&str]| permutile(&[arguments, &goal].concat()).exits(0);
    command(&["batch", &board, "-q"]);
    command(&["compare", &board, "--heuristics", "manhattan", "--sample", "0"]);
    command(&["count", "sliding3", "--depth", "2"]).prints(&["4"]);
    command(&["scramble", "sliding3", "--moves", "0"]).prints(&["1 2 3 8 0 4 7 6 5"]);
    command(&["info", "sliding3"]);
    command(&["audit", "--puzzle", "sliding3", "--heuristic", "manhattan", "--states", "100"]);
    command(&["verify", "1 2 3/8 4 0/7 6 5", "--moves", "Left"]);
    permutile(&["solve", "102345678", "--goal", "1,2,3,8,0,4,7,6,6"])
        .exits(2)
        .says(&["--goal takes", "goal:1:17: tile 6 is here again"]);
    permutile(&["solve", "102345678", "--goal", "1,2,3,0"]).exits(2).says(&["3x3"]);
}

/// As a board on one line has.
#[test]
fn a_goal_on_one_line_has_the_shape_of_the_puzzle() {
    let (folder, puzzle) = Folder::with(
        "row.toml",
        "shape = \"1x5\"\n[[move]]\nname = \"turn\"\ncycles = [[1, 2, 3, 4, 5]]\n",
    );
    let row = ["--puzzle", &puzzle, "--goal", "3 1 5 2 4"];
    let record = solve_json(&[&["1 5 2 4 3"][..], &row].concat()).exits(0).json_line();
    assert_eq!(record["length"], 1);
    permutile(&[&["verify", "1 5 2 4 3", "--moves", "turn"][..], &row].concat()).exits(0);
    let board = folder.write("one.boards", "1 5 2 4 3 # 1\n");
    permutile(&[&["batch", &board, "-q"][..], &row].concat()).exits(0);
    let grid = ["3 1 2 4 5 6", "--puzzle", "torus:2x3", "--goal", "1 2 3 4 5 6"];
    assert_eq!(solve_json(&grid).exits(0).json_line()["length"], 1);
}

#[test]
fn the_nearer_goal_is_hinted_at() {
    let hint = "give --goal blank-last";
    permutile(&["solve", "123456708"])
        .exits(0)
        .says(&["blank-last (1 2 3 … 0) is only 1 move", hint]);
    permutile(&["solve", "123456780"]).exits(0).says(&["this is the goal blank-last", hint]);
    // The only one that can be reached.
    let fifteen = "01020304050607080910111213140015";
    permutile(&["solve", fifteen]).exits(1).prints(&["can be reached", hint]);
    permutile(&["solve", fifteen, fifteen]).exits(1).says(&["only the goal blank-last", hint]);
    // Whoever named a goal knows it, and some boards are as far from the one as from the other.
    permutile(&["solve", "123456708", "--goal", "blank-first"]).exits(0).says_nothing();
    permutile(&["solve", "123456708", "-q"]).exits(0).says_nothing();
    permutile(&["solve", "0,8,7,6,5,4,3,2,1"]).exits(0).says_nothing();
}
