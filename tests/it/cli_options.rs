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
        ("bfs", "--dfs-last-first", "--count-goal", "it is for dfs"),
        ("astar", "--weight", "2", "it is for wastar"),
        ("auto", "--weight", "1.5", "it is for wastar"),
        ("ida", "--first", "-q", "it is for auto"),
        ("astar", "--within", "1.05", "it is for auto"),
        ("auto", "--prune", "loops", "it is for ida, pida"),
        ("astar", "--prune", "back", "it is for ida, pida"),
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
    // Loops are those of a blank.
    let run = ["solve", "2 3 1 4 5 6 7 8 9", "--algorithm", "ida", "--prune"];
    permutile(&[&run[..], &["back"]].concat()).exits(0);
    permutile(&[&run[..], &["loops"]].concat())
        .exits(2)
        .prints_nothing()
        .says(&["torus3 has no blank", "--prune"]);
    for algorithm in ["greedy", "dfs", "wastar"] {
        permutile(&["solve", EASY, "--algorithm", algorithm, "--all-optimal"])
            .exits(2)
            .prints_nothing()
            .says(&["--all-optimal does not go with", algorithm, "bidirectional"]);
    }
    permutile(&["compare", "data/boards/hard8.boards", "--algorithms", "ida", "--ties", "board"])
        .exits(2)
        .prints_nothing()
        .says(&["--ties makes no difference"]);
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
fn a_solution_is_asked_for_in_one_way() {
    for pair in [["--first", "--exact"], ["--exact", "--within=1.05"], ["--within=2", "--first"]] {
        permutile(&[&["solve", EASY], &pair[..]].concat())
            .exits(2)
            .prints_nothing()
            .says(&["cannot be used with"]);
    }
    for option in ["--first", "--within=1.05"] {
        permutile(&["solve", EASY, "--all-optimal", option])
            .exits(2)
            .says(&["cannot be used with"]);
    }
    for bad in ["0.5", "0", "-1", "x", "", "nan", "inf"] {
        permutile(&["solve", EASY, &format!("--within={bad}")])
            .exits(2)
            .prints_nothing()
            .says(&["--within", "a ratio is a number from 1 to 1000, as in 1.05"]);
    }
    for option in ["--first", "--within=1.05", "--within=1", "--exact", "--timeout=none"] {
        permutile(&["solve", EASY, option]).exits(0).says_nothing().prints(&["3 moves ("]);
        permutile(&["batch", "data/boards/hard8.boards", "-q", option]).exits(0).says_nothing();
    }
}

#[test]
fn no_time_limit_is_one_that_can_be_given() {
    for command in [
        &["solve", EASY, "--algorithm", "ida"][..],
        &["batch", "data/boards/hard8.boards", "-q"],
        &["compare", EASY, "--heuristics", "manhattan", "--sample", "0"],
        &["count", "torus:2x3"],
        &["scramble", "torus3", "--exact-depth", "2"],
        &["tables", "build", "torus:2x3"],
        &["audit", "--puzzle", "torus:2x3", "--heuristic", "zero", "--depth", "1", "--random", "0"],
    ] {
        permutile(&[command, &["--timeout", "none"]].concat()).exits(0);
        permutile(&[command, &["--timeout", "never"]].concat())
            .exits(2)
            .says(&["--timeout", "as in 500ms, or none"]);
    }
    let (_folder, moves) = Folder::with("alice.txt", "Up Left Left");
    permutile(&["grade", &moves, "--boards", EASY, "--timeout", "none"]).exits(0);
}

#[test]
fn all_shortest_solutions_of_what_is_not_proven_are_not_promised() {
    let board = "8 2 11 16 9 1 15 4 13 5 3 7 14 10 6 12";
    let all = ["solve", board, "--heuristic", "tuned-manhattan", "--all-optimal"];
    permutile(&all).exits(2).says(&["not admissible", "--all-optimal need an admissible one"]);
    permutile(&[&all[..], &["--algorithm", "ida"]].concat())
        .exits(0)
        .says(&["not proven", "admissible"]);
}

#[test]
fn a_bound_that_says_nothing_is_not_mentioned() {
    let run = permutile(&["solve", EASY, "--algorithm", "dfs", "-q"]).exits(0);
    assert!(run.stdout.contains("moves (not proven shortest)"), "{run}");
    let greedy = ["--algorithm", "greedy", "--heuristic", "manhattan", "-q"];
    permutile(&[&["solve", "0,8,7,6,5,4,3,2,1"], &greedy[..]].concat())
        .exits(0)
        .prints(&["moves (not proven shortest; at least 16)"]);
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

#[test]
fn names_that_are_almost_right_are_recognised() {
    permutile(&["solve", EASY, "--heuristic", "manhatten"])
        .exits(2)
        .prints_nothing()
        .says(&["no heuristic \"manhatten\" (did you mean manhattan?)", "permutile heuristics"]);
    permutile(&["solve", EASY, "--algorithm", "astr"])
        .exits(2)
        .says(&["astr", "similar", "'astar'"]);
    permutile(&["compare", "data/boards/hard8.boards", "--algorithms", "ida,bsf"])
        .exits(2)
        .says(&["bsf", "'bfs'"]);
    for command in [&["count"][..], &["info"], &["scramble", "--uniform"], &["tables", "build"]] {
        permutile(&[command, &["slidng3"]].concat())
            .exits(2)
            .says(&["no puzzle \"slidng3\"", "(did you mean sliding3?)"]);
    }
    permutile(&["solve", EASY, "--puzzle", "Sliding3"]).exits(2).says(&["did you mean sliding3?"]);
    let run = permutile(&["solve", EASY, "--puzzle", "cube"]).exits(2);
    assert!(!run.stderr.contains("did you mean"), "{run}");
}

#[test]
fn the_puzzle_has_its_place_or_its_option_in_every_command() {
    for command in [
        &["count", "--depth", "1"][..],
        &["info"],
        &["audit", "--heuristic", "zero", "--depth", "1", "--random", "0"],
        &["scramble", "--moves", "1"],
        &["heuristics"],
        &["tables", "build"],
    ] {
        for puzzle in [&["torus:2x3"][..], &["--puzzle", "torus:2x3"]] {
            permutile(&[command, puzzle].concat()).exits(0);
        }
        permutile(&[command, &["torus3", "--puzzle", "torus3"]].concat())
            .exits(2)
            .says(&["cannot be used with"]);
    }
    for command in ["count", "audit", "scramble"] {
        permutile(&[command]).exits(2).says(&["<PUZZLE|--puzzle <ID>>"]);
    }
    permutile(&["tables", "verify", "--puzzle", "torus4"]).exits(2).says(&["no table \"torus4\""]);
}

#[test]
fn the_shell_completes_names() {
    for shell in ["bash", "zsh", "fish"] {
        let script = permutile(&["completions", shell]).exits(0);
        for name in ["sliding4", "rings5", "astar-textbook", "walking-distance", "blank-last"] {
            assert!(name == "blank-last" || script.stdout.contains(name), "{shell}: {name}");
        }
    }
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new();
    let (journal, joint) = (folder.path("a.jsonl"), folder.path("b.jsonl"));
    let batch = ["batch", "data/boards/hard8.boards", "--threads", "1", "--csv", "-"];
    permutile(&batch).exits(2).prints_nothing().says(&["--csv -", "--out FILE"]);
    permutile(&[&batch[..], &["--out", &journal, "--json"]].concat())
        .exits(2)
        .prints_nothing()
        .says(&["--csv -", "-q"]);
    let table = permutile(&[&batch[..], &["--out", &journal]].concat()).exits(0);
    let table = table.says(&["2 boards: 2 solved"]);
    assert!(table.stdout.starts_with("board,puzzle,goal,status,"), "{table}");
    assert_eq!(table.stdout.lines().count(), 3, "{table}");
    permutile(&["merge", &journal, "--csv", "-"]).exits(2).prints_nothing().says(&["--out FILE"]);
    let merged = permutile(&["merge", &journal, "--csv", "-", "--out", &joint]).exits(0);
    assert_eq!(merged.stdout, table.stdout);
    let stats = ["solve", EASY, "--algorithm", "bfs", "--stats-file", "-"];
    let run = permutile(&stats).exits(0).says(&["3 moves (proven optimal)"]);
    assert!(run.stdout.starts_with("path_to_goal: ['Up', 'Left', 'Left']\n"), "{run}");
    assert_eq!(run.stdout.lines().count(), 7, "{run}");
    permutile(&[&stats[..], &["--json"]].concat())
        .exits(2)
        .prints_nothing()
        .says(&["--stats-file -"]);
}

#[test]
fn players_of_loopover_hear_of_their_puzzle() {
    let board = "2 3 4 5 1/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 24 25";
    let hint = "--puzzle torus5";
    let run = permutile(&["solve", board, board]).exits(0).says(&["rings5", hint]);
    assert_eq!(run.stderr.matches(hint).count(), 1, "{run}");
    permutile(&["solve", board, "-q"]).exits(0).says_nothing();
    permutile(&["solve", board, "--json"]).exits(0).says_nothing();
    permutile(&["solve", board, "--puzzle", "rings5"]).exits(0).says_nothing();
    permutile(&["solve", "2 3 4 1/5 6 7 8/9 10 11 12/13 14 15 16"]).exits(0).says_nothing();
}
