//! Comparisons from the command line: what is counted, and in which form it is told.

use crate::program::{Folder, Ran, permutile, permutile_reading};
use serde_json::{Value, json};

const COURSE: &str = "data/boards/torus4-course.boards";

fn compare(arguments: &[&str]) -> Ran {
    permutile(&[&["compare"], arguments].concat())
}

fn document(arguments: &[&str], code: i32) -> Value {
    compare(&[&["--json"], arguments].concat()).exits(code).json_line()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// Three easy boards and, where the puzzle is told from them, of two kinds.
const MIXED: &str = "near: 2 3 4 1 5 6 7 8 9 10 11 12 13 14 15 16 # 1\n\
                     far: 6 2 3 4 10 1 7 8 14 5 11 12 13 9 15 16\n\
                     eight: 1 2 5 3 4 0 6 7 8 # 3\n";

#[test]
fn every_contender_runs_on_every_board() {
    let found = document(
        &[
            COURSE,
            "--heuristics",
            "circular-manhattan,walking-distance,tuned-manhattan",
            "--algorithms",
            "ida,astar,bidirectional",
            "--sample",
            "1000",
        ],
        0,
    );
    let puzzle = &found["puzzles"][0];
    assert_eq!((&puzzle["puzzle"], list(&found["puzzles"]).len()), (&"torus4".into(), 1));
    let (contenders, boards) = (list(&puzzle["contenders"]), list(&puzzle["boards"]));
    // A blind algorithm has no heuristic, and competes once.
    assert_eq!((contenders.len(), boards.len()), (7, 12));
    assert_eq!(contenders[6]["heuristic"], Value::Null);
    let trials = list(&puzzle["trials"]);
    assert_eq!(trials.len(), 7 * 12);
    for trial in trials {
        let distance = &boards[trial["board"].as_u64().unwrap() as usize]["distance"];
        let contender = &contenders[trial["contender"].as_u64().unwrap() as usize];
        assert_eq!(trial["status"], "solved");
        // What is not admissible proves nothing, whatever it finds.
        if contender["admissible"] == false {
            assert_eq!(trial["optimal"], false);
        } else {
            assert_eq!((&trial["optimal"], &trial["length"]), (&true.into(), distance));
        }
        if contender["consistent"] == true {
            assert!(trial["h"].as_u64() <= distance.as_u64());
        }
    }
    let groups = list(&puzzle["groups"]);
    assert_eq!((&groups[0]["of"], &groups[0]["boards"]), (&"all".into(), &12.into()));
    let by_distance: u64 = groups[1..].iter().map(|group| group["boards"].as_u64().unwrap()).sum();
    assert_eq!(by_distance, 12);
    assert_eq!((&groups[1]["of"], &groups[1]["distance"]), (&"distance".into(), &1.into()));
    for group in groups {
        assert_eq!(group["rows"][0]["ratios"]["expanded"], 1.0, "the first is the baseline");
    }
    // Fewer nodes with a better heuristic, and a higher estimate.
    let rows = list(&groups[0]["rows"]);
    let number = |row: usize, key: &str| rows[row][key].as_f64().unwrap();
    assert!(number(1, "expanded") < number(0, "expanded"));
    assert!(number(1, "mean_h") > number(0, "mean_h"));
    assert!(rows[1]["ratios"]["expanded"].as_f64().unwrap() < 1.0);
    assert!(number(0, "expanded_below") <= number(0, "expanded"));
}

#[test]
fn nodes_are_the_same_each_time_and_on_any_number_of_threads() {
    let counts = |threads: &str| {
        let heuristics = ["--heuristics", "circular-manhattan,walking-distance"];
        let more = ["--sample", "500", "--threads", threads];
        let found = document(&[&[COURSE], &heuristics[..], &more].concat(), 0);
        let without_times = |trial: &Value| {
            let keys = ["board", "contender", "expanded", "generated", "length", "iterations", "h"];
            keys.map(|key| trial[key].clone())
        };
        let trials: Vec<_> =
            list(&found["puzzles"][0]["trials"]).iter().map(without_times).collect();
        (trials, found["puzzles"][0]["predictions"].clone())
    };
    assert_eq!(counts("1"), counts("3"));
}

#[test]
fn boards_of_several_puzzles_are_compared_apart() {
    let (_folder, path) = Folder::with("mixed.boards", MIXED);
    let path = path.as_str();
    let run = compare(&[path, "--heuristics", "manhattan,circular-manhattan"]).exits(0);
    run.prints(&[
        "torus4: 2 boards, baseline ida circular-manhattan",
        "sliding3: 1 board, baseline ida manhattan",
        "left out: the heuristic manhattan does not apply to torus4",
    ]);
    let found = document(&[path, "--heuristics", "circular-manhattan,manhattan"], 0);
    // A distance that no file states is the one that was proven.
    assert_eq!(
        found["puzzles"][0]["boards"][1]["distance"],
        found["puzzles"][0]["trials"][1]["length"]
    );
}

#[test]
fn tables_show_nodes_ratios_or_boards() {
    let views = ["--view", "absolute,relative,boards", "--heuristics", "zero,circular-manhattan"];
    let run = compare(&[&[COURSE, "--max-nodes", "20000"], views.as_slice()].concat()).exits(3);
    run.prints(&["ns/node", "branching", "both solved", "out of nodes", "optimal", "predicted"]);
    let quiet = compare(&[COURSE, "--heuristics", "circular-manhattan", "--sample", "0"]).exits(0);
    assert!(!quiet.stdout.contains("predicted"), "{quiet}");
}

#[test]
fn a_solution_that_is_too_long_is_counted() {
    // A* with this heuristic returns nine moves.
    let audit = permutile(&[
        "audit",
        "--json",
        "--puzzle",
        "torus4",
        "--heuristic",
        "tuned-manhattan",
        "--states",
        "3000",
        "--random",
        "0",
    ])
    .exits(0);
    let audit = audit.json_line();
    let tiles: Vec<String> =
        list(&audit["misled"]["board"]).iter().map(ToString::to_string).collect();
    let board = format!("{} # {}\n", tiles.join(" "), audit["misled"]["distance"]);
    let (_folder, path) = Folder::with("one.boards", board);
    let run = compare(&[
        &path,
        "--heuristics",
        "circular-manhattan,tuned-manhattan",
        "--algorithms",
        "astar",
        "--view",
        "absolute,boards",
    ]);
    run.exits(0).prints(&["0/1 (+2)", "too long"]);
}

#[test]
fn every_run_is_a_row_of_the_table_for_spreadsheets() {
    let folder = Folder::new();
    let (table, page) = (&folder.path("runs.csv"), &folder.path("report"));
    let arguments =
        [COURSE, "--heuristics", "circular-manhattan", "--csv", table, "--report", page];
    compare(&arguments).exits(0);
    let text = folder.read("runs.csv");
    assert_eq!(text.lines().count(), 1 + 12, "{text}");
    assert!(text.starts_with("puzzle,board,distance,algorithm,heuristic,status,length,optimal,"));
    let first = text.lines().nth(1).unwrap();
    assert!(first.starts_with("torus4,data/boards/torus4-course.boards:"), "{first}");
    assert!(first.contains(",ida,circular-manhattan,solved,"), "{first}");
    let html = folder.read("report/index.html");
    assert!(html.contains("<svg") && html.contains("circular-manhattan"));
    let outside = ["src=\"http", "href=\"http", "url(http", "@import", "<script"];
    assert!(outside.iter().all(|word| !html.contains(word)), "it opens offline");
    // Nothing is overwritten unless that is wanted.
    compare(&arguments).exits(2).says(&["there is such a file already"]);
    compare(&[arguments.as_slice(), &["--force"]].concat()).exits(0);
}

#[test]
fn what_cannot_be_compared_is_named() {
    compare(&[COURSE, "--heuristics", "nosuch"]).exits(2).says(&["no heuristic \"nosuch\""]);
    compare(&[COURSE, "--algorithms", "ida,nosuch"])
        .exits(2)
        .says(&["invalid value 'nosuch'", "possible values: auto, ida"]);
    compare(&["/nosuch/folder"]).exits(2).says(&["there is no such file or folder"]);
    compare(&[COURSE, "--repeat", "0"]).exits(2);
    let nowhere = compare(&[COURSE, "--csv", "/nosuch/folder/runs.csv"]).exits(2);
    nowhere.prints_nothing().says(&["/nosuch/folder/runs.csv"]);
    let folder = Folder::new();
    folder.write("bad.txt", "1 2 3 / 4 5 6 / 8 7 0\n");
    folder.write("worse.txt", "1 2 3\n");
    folder.write("good.txt", "3 1 2 / 0 4 5 / 6 7 8\n");
    let run = compare(&[&folder.path(""), "--heuristics", "manhattan"]).exits(2);
    run.prints(&["sliding3: 1 board,"]).says(&["worse.txt", "out of reach"]);
    let stated = "2 3 4 1 5 6 7 8 9 10 11 12 13 14 15 16 # 2\n";
    let (_folder, stated) = Folder::with("stated.boards", stated);
    compare(&[&stated, "--heuristics", "zero"])
        .exits(1)
        .prints(&["CONTRADICTION: "])
        .says(&["proves that 1 moves are needed"]);
}

/// Whatever a board is refused for, it is named once: in the place of what cannot be read, else by
/// its own name.
#[test]
fn every_board_that_is_refused_is_named() {
    let folder = Folder::new();
    folder.write("a.txt", "1 0 2 3\n");
    folder.write("broken.txt", "1 x 2 3\n");
    folder.write("other.txt", "2 1 3 4\n");
    folder.write("unsolvable.txt", "0 2 1 3\n");
    let boards = folder.path("");
    let arguments = ["compare", &boards, "--puzzle", "sliding2", "--heuristics", "manhattan"];
    let run = permutile(&[&arguments[..], &["--sample", "0"]].concat()).exits(2);
    for name in ["broken.txt:1:3: ", "other.txt: ", "unsolvable.txt: "] {
        let path = folder.path(name);
        assert_eq!(run.stderr.matches(&path).count(), 1, "{path}: {run}");
    }
}

#[test]
fn boards_are_arguments_or_come_through_a_pipe() {
    let options = ["--heuristics", "manhattan", "--sample", "0"];
    for boards in
        [&["125340678"][..], &["1,2,5,3,4,0,6,7,8"], &["1", "2", "5", "3", "4", "0", "6", "7", "8"]]
    {
        compare(&[boards, &options].concat())
            .exits(0)
            .says_nothing()
            .prints(&["sliding3: 1 board, "]);
    }
    let piped = [&["compare"], &options[..]].concat();
    permutile_reading("125340678\n102345678\n", &piped).exits(0).prints(&["2 boards, "]);
    let bad = compare(&["12534067", "--sample", "0"]).exits(2).prints_nothing();
    bad.says(&["argument:1:9: tile 8 is missing"]);
    compare(&["no-such-file"]).exits(2).says(&["no such file or folder"]);
}

#[test]
fn nothing_to_compare_is_an_error() {
    let run = compare(&[COURSE, "--heuristics", "manhattan"]).exits(2);
    run.says(&["torus4: there is nothing to compare: the heuristic manhattan does not apply"]);
    // The others are compared all the same.
    let (_folder, path) = Folder::with("mixed.boards", MIXED);
    let run = compare(&[&path, "--heuristics", "manhattan", "--sample", "0"]).exits(2);
    run.prints(&["sliding3: 1 board, baseline ida manhattan"]).says(&["torus4: there is nothing"]);
}

#[test]
fn it_is_told_where_and_how_it_was_measured() {
    let options = ["--heuristics", "circular-manhattan", "--sample", "0", "--threads", "1"];
    let limits =
        ["--max-nodes", "3000000", "--timeout", "30s", "--max-memory", "64MB", "--seed", "7"];
    let run = compare(&[&[COURSE], &options[..], &limits, &["--repeat", "3"]].concat()).exits(0);
    let lines: Vec<&str> = run.stdout.lines().rev().take(2).collect();
    let version = format!("permutile {}, 20", env!("CARGO_PKG_VERSION"));
    assert!(lines[1].starts_with(&version) && lines[1].contains("core"), "{run}");
    let conditions = "at most 30.00 s, 3,000,000 nodes and 64.0 MB a run, 1 run at a time, \
                      each made 3 times, seed 7";
    assert_eq!(lines[0], conditions);
    let found = document(&[&[COURSE], &options[..], &limits].concat(), 0);
    assert_eq!(
        found["conditions"],
        json!({
            "workers": 1, "repeat": 1, "timeout_seconds": 30.0, "max_nodes": 3_000_000,
            "max_bytes": 64_000_000, "seed": 7, "choices": [],
        })
    );
    assert_eq!(found["circumstances"]["version"], env!("CARGO_PKG_VERSION"));
    let folder = Folder::new();
    compare(&[&[COURSE, "--report", &folder.path("page")], &options[..]].concat()).exits(0);
    let html = folder.read("page/index.html");
    assert!(html.contains(&version) && html.contains("seed 0") && html.contains("Upper quartile"));
}

#[test]
fn quartiles_are_given_of_a_few_boards() {
    let options = ["--heuristics", "circular-manhattan", "--sample", "0"];
    compare(&[&[COURSE], &options[..]].concat()).exits(0).prints(&["upper quartile"]);
    let one =
        compare(&[&["125340678", "--heuristics", "manhattan"], &options[2..]].concat()).exits(0);
    assert!(!one.stdout.contains("quartile"), "{one}");
    let asked = ["125340678", "--heuristics", "manhattan", "--sample", "0", "--view", "quartiles"];
    compare(&asked).exits(0).prints(&["(quartiles are for groups of 4 boards or more)"]);
    let row =
        &document(&[&[COURSE], &options[..]].concat(), 0)["puzzles"][0]["groups"][0]["rows"][0];
    let quartiles = &row["quartiles"]["expanded"];
    assert_eq!(quartiles, &json!({ "lower": 1.0, "median": 4.0, "upper": 1022.0 }));
    assert_eq!((&row["runs"], &row["solved"]), (&json!(12), &json!(12)));
}

/// What was not over when the run was interrupted is neither a row nor a number.
#[cfg(unix)]
#[test]
fn an_interrupted_comparison_has_only_what_was_over() {
    use crate::program::program;
    use std::process::Stdio;
    let folder = Folder::new();
    // Easy, and never to be solved by depth-first search without a heuristic.
    let far = "far: 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1\n";
    let boards = folder.write("two.boards", format!("near: 2 1 3 4\n{far}"));
    let csv = folder.path("runs.csv");
    let arguments = [
        "compare",
        &boards,
        "--algorithms",
        "iddfs,ida",
        "--heuristics",
        "circular-manhattan",
        "--timeout",
        "10m",
        "--threads",
        "1",
        "--csv",
        &csv,
        "--view",
        "absolute,boards",
    ];
    let mut command = program(&folder.path("cache"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    // The table is there when the program listens; the first board is over at once, the other never.
    while !std::path::Path::new(&csv).exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    let killed =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    let run = Ran::new(&arguments, child.wait_with_output().unwrap()).exits(130);
    let run = run.prints(&["(interrupted: only the runs that were over are counted)"]);
    assert!(!run.stdout.contains(" 0/") && !run.stdout.contains("predicted"), "{run}");
    assert!(!run.stdout.contains("far"), "{run}");
    assert!(!folder.read("runs.csv").contains("interrupted"), "{run}");
}

#[test]
fn contenders_may_have_parameters() {
    let options = ["--heuristics", "manhattan", "--sample", "0"];
    let hard = ["0,8,7,6,5,4,3,2,1", "--algorithms", "wastar:1,wastar:4,wastar,auto:exact"];
    let found = document(&[&hard[..], &options].concat(), 0);
    let puzzle = &found["puzzles"][0];
    let names: Vec<&Value> =
        list(&puzzle["contenders"]).iter().map(|of| &of["algorithm"]).collect();
    assert_eq!(names, ["wastar:1", "wastar:4", "wastar", "auto:exact"]);
    let trials = list(&puzzle["trials"]);
    let of = |contender: usize, field: &str| trials[contender][field].as_u64().unwrap();
    assert_eq!((of(0, "length"), of(3, "length")), (30, 30));
    assert!(of(1, "expanded") < of(2, "expanded") && of(2, "expanded") < of(0, "expanded"));
    let row = &puzzle["groups"][0]["rows"][1];
    assert_eq!((&row["solved"], &row["proven"]), (&json!(1), &json!(0)));
    assert_eq!(row["lower_bound"], of(1, "lower_bound") as f64);
    let run = compare(&[&hard[..], &options, &["--csv", "-"]].concat()).exits(0);
    assert!(run.stdout.lines().next().unwrap().ends_with(",max_depth,stopped_by"), "{run}");
    let run = run.says(&["wastar:4 manhattan", "proven", "gap", "excess"]);
    assert!(run.stdout.contains(",wastar:4,manhattan,solved,"), "{run}");
    // Where all is proven, there is nothing more to say.
    let proven = compare(&[&["125340678", "--algorithms", "ida"], &options[..]].concat()).exits(0);
    assert!(!proven.stdout.contains("gap"), "{proven}");
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    for (entrant, words) in [
        ("wastar:0.5", "a weight is a number from 1 to 1000"),
        ("wastar:x", "a weight is a number"),
        ("wastar:", "a weight is a number"),
        ("ida:3", "ida takes no parameter; those that do are auto, "),
        ("bfs:3", "bfs takes no parameter"),
        ("auto:0.5", "expected first, exact or a ratio; a ratio is a number from 1"),
        ("auto:quick", "expected first, exact or a ratio"),
    ] {
        compare(&[COURSE, "--algorithms", &format!("ida,{entrant}")])
            .exits(2)
            .prints_nothing()
            .says(&[&format!("invalid value '{entrant}' for '--algorithms"), words]);
    }
    compare(&[COURSE, "--algorithms", "idaa:3"]).exits(2).says(&["invalid value 'idaa'", "'ida'"]);
}

#[test]
fn the_table_for_spreadsheets_can_go_to_standard_output() {
    let run = permutile(&["compare", "1,2,5,3,4,0,6,7,8", "--algorithms", "bfs", "--csv", "-"]);
    let run = run.exits(0).says(&["sliding3: 1 board"]);
    assert!(run.stdout.starts_with("puzzle,board,"), "{run}");
    assert_eq!(run.stdout.lines().count(), 2, "{run}");
    permutile(&["compare", "1,0,2,3", "--csv", "-", "--json"]).exits(2).says(&["give --csv FILE"]);
}

#[test]
fn a_solution_shorter_than_a_stated_length_is_a_contradiction_without_a_proof() {
    let (_folder, boards) = Folder::with("one.boards", "x: 1 2 0 3 4 5 6 7 8 # 9\n");
    compare(&[&boards, "--algorithms", "greedy", "--heuristics", "zero", "--sample", "0"])
        .exits(1)
        .prints(&["CONTRADICTION: ", "greedy zero finds a solution of 2 moves"]);
}
