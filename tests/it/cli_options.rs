//! Options that several commands share: none is silently ignored, names are forgiving, and outputs
//! keep apart.

use super::program::{Folder, permutile};

/// The 8-puzzle three moves from the goal.
const EASY: &str = "1,2,5,3,4,0,6,7,8";

#[test]
fn options_that_an_algorithm_ignores_are_refused() {
    for (algorithm, option, value, for_these) in [
        ("bfs", "--heuristic", "manhattan", "auto, ida"),
        ("dfs", "--pdb", "1,2,3/4,5,6/7,8", "auto, ida"),
        ("ucs", "--heuristic-file", "data/heuristics/larger-side.toml", "astar-textbook"),
        ("auto", "--order", "Up,Down,Left,Right", "astar-textbook, bfs, dfs"),
        ("astar", "--order", "Up,Down,Left,Right", "astar-textbook, bfs, dfs"),
        ("astar", "--ties", "fifo", "it is for astar-textbook"),
        ("astar", "--weight", "2", "it is for wastar"),
        ("auto", "--weight", "1.5", "it is for wastar"),
    ] {
        let with = format!("{option} does not go with --algorithm {algorithm}: it is for ");
        for command in ["solve", "batch"] {
            let board = if command == "solve" { EASY } else { "data/boards/hard8.boards" };
            permutile(&[command, board, "--algorithm", algorithm, option, value])
                .exits(2)
                .prints_nothing()
                .says(&[&with, for_these]);
        }
    }
    for algorithm in ["greedy", "dfs", "wastar"] {
        permutile(&["solve", EASY, "--algorithm", algorithm, "--all-optimal"])
            .exits(2)
            .prints_nothing()
            .says(&["--all-optimal does not go with", algorithm, "bidirectional"]);
    }
    let within = ["batch", "data/boards/hard8.boards", "--parallel", "within"];
    permutile(&[&within[..], &["--algorithm", "astar"]].concat())
        .exits(2)
        .prints_nothing()
        .says(&["--parallel within", "auto, pida, pastar"]);
    permutile(&[&within[..], &["--algorithm", "pastar"]].concat()).exits(0);
    permutile(&["solve", EASY, "--json", "--notation", "short"])
        .exits(2)
        .prints_nothing()
        .says(&["--notation short", "--json"]);
    let file = ["--heuristic-file", "data/heuristics/larger-side.toml"];
    permutile(&[&["solve", EASY, "--heuristic", "manhattan"], &file[..]].concat())
        .exits(2)
        .says(&["--heuristic manhattan leaves larger-side without effect"]);
}

#[test]
fn all_shortest_solutions_of_what_is_not_proven_are_not_promised() {
    let board = "8 2 11 16 9 1 15 4 13 5 3 7 14 10 6 12";
    permutile(&["solve", board, "--heuristic", "tuned-manhattan", "--all-optimal"])
        .exits(0)
        .says(&["not proven", "admissible"]);
}

#[test]
fn a_bound_that_says_nothing_is_not_mentioned() {
    let run = permutile(&["solve", EASY, "--algorithm", "dfs", "-q"]).exits(0);
    assert!(run.stdout.contains("moves (not proven shortest)"), "{run}");
    let run = permutile(&["solve", "0,8,7,6,5,4,3,2,1", "--algorithm", "greedy", "-q"]).exits(0);
    assert!(run.stdout.contains("(at least 16 are needed)"), "{run}");
}

#[test]
fn quiet_runs_have_no_summary_in_whatever_form() {
    let folder = Folder::new();
    let (journal, joint) = (folder.path("a.jsonl"), folder.path("b.jsonl"));
    let batch = ["batch", "data/boards/hard8.boards", "--out", &journal, "--json", "-q"];
    permutile(&batch).exits(0).prints_nothing().says_nothing();
    let merge = ["merge", &journal, "--out", &joint, "--json", "-q"];
    permutile(&merge).exits(0).prints_nothing().says_nothing();
    permutile(&["merge", &joint, "-q", "--json"]).exits(0).says_nothing();
}
