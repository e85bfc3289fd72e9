//! The counts that courses publish, reproduced exactly.

use permutile::board::text::parse_one;
use permutile::puzzle::arch::Simd;
use permutile::puzzle::{Goal, registry};
use permutile::search::{SearchOptions, Silent, Ties};
use permutile::solver::{Answer, Report, Solver};

fn run(board: &str, algorithm: &str, heuristic: Option<&str>, options: SearchOptions) -> Report {
    let board = parse_one("test", board.as_bytes(), None).unwrap().board;
    let definition = registry::define("sliding3").unwrap();
    let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
    let algorithm = algorithm.parse().unwrap();
    let heuristic = heuristic.map(|name| name.parse().unwrap());
    let options = SearchOptions { algorithm, heuristic, ..options };
    match solver.solve(&board, &options, &mut Silent).unwrap() {
        Answer::Searched(report) => report,
        Answer::Unsolvable(reason) => panic!("{reason}"),
    }
}

/// Cost, expanded without the goal, and the deepest node generated.
fn counts(outcome: &Report) -> (usize, u64, u32) {
    let length = outcome.solution.as_ref().unwrap().len();
    (length, outcome.statistics.expanded, outcome.statistics.max_depth)
}

/// The table of a well-known online course on artificial intelligence, goal blank-first,
/// successors Up, Down, Left, Right.
#[test]
fn the_first_table() {
    let table = [
        ("3,1,2,0,4,5,6,7,8", (1, 1, 1), (1, 1, 1), 1),
        ("1,2,5,3,4,0,6,7,8", (3, 10, 4), (3, 181_437, 66_125), 3),
        ("0,8,7,6,5,4,3,2,1", (30, 181_423, 31), (41_910, 144_633, 65_982), 17_848),
        ("6,1,8,4,0,2,7,3,5", (20, 54_094, 21), (46_142, 51_015, 46_142), 711),
        ("8,6,4,2,1,3,5,7,0", (26, 166_786, 27), (9_612, 9_869, 9_612), 1_660),
    ];
    for (board, bfs, dfs, astar) in table {
        assert_eq!(counts(&run(board, "bfs", None, SearchOptions::default())), bfs, "bfs {board}");
        assert_eq!(counts(&run(board, "dfs", None, SearchOptions::default())), dfs, "dfs {board}");
        let outcome = run(board, "astar-textbook", Some("manhattan"), SearchOptions::default());
        assert_eq!(counts(&outcome).0, bfs.0, "astar {board}");
        assert_eq!(outcome.statistics.expanded, astar, "astar {board}");
    }
}

/// A second published table, on one board: successors Up, Down, Right, Left, of which
/// depth-first search takes the last first; the goal is counted; ties in A* go to the
/// smaller board.
#[test]
fn the_second_table() {
    let board = "7,0,2,8,5,3,6,1,4";
    let (up, down, left, right) = ("Up", "Down", "Left", "Right");
    let order = |order: [&str; 4]| SearchOptions {
        order: order.map(str::to_owned).to_vec(),
        ..SearchOptions::default()
    };
    let bfs = counts(&run(board, "bfs", None, order([up, down, right, left])));
    assert_eq!((bfs.0, bfs.1 + 1), (27, 174_386));
    let dfs = counts(&run(board, "dfs", None, order([left, right, down, up])));
    assert_eq!((dfs.0, dfs.1 + 1), (54_497, 63_397));
    let astar = |heuristic| {
        let options = SearchOptions { ties: Ties::SmallerBoard, ..order([up, down, right, left]) };
        let outcome = run(board, "astar-textbook", Some(heuristic), options);
        (counts(&outcome).0, counts(&outcome).1 + 1)
    };
    assert_eq!(astar("manhattan"), (27, 3_495));
    // By real distances it would be 11,674: the rest is rounding errors of the program that
    // printed it.
    assert_eq!(astar("euclidean"), (27, 11_639));
}

/// The program reproduces the tables, too, and writes the courses' file.
#[test]
fn the_program_has_the_options_for_it() {
    use crate::program::{Folder, permutile};
    let folder = Folder::new();
    let file = folder.path("output.txt");
    permutile(&["solve", "1,2,5,3,4,0,6,7,8", "--algorithm", "bfs", "--stats-file", &file])
        .exits(0);
    let text = folder.read("output.txt");
    let start = "path_to_goal: ['Up', 'Left', 'Left']\ncost_of_path: 3\nnodes_expanded: 10\n\
                 search_depth: 3\nmax_search_depth: 4\nrunning_time: 0.";
    assert!(text.starts_with(start), "{text}");
    assert!(text.lines().last().unwrap().starts_with("max_ram_usage: "), "{text}");
    let astar = permutile(&[
        "solve",
        "7,0,2,8,5,3,6,1,4",
        "--json",
        "--algorithm",
        "astar-textbook",
        "--heuristic",
        "manhattan",
        "--ties",
        "board",
        "--count-goal",
        "--order",
        "Up,Down,Right,Left",
    ]);
    assert_eq!(astar.exits(0).json_line()["expanded"], 3_495);
    permutile(&["solve", "7,0,2,8,5,3,6,1,4", "--algorithm", "bfs", "--order", "Up,Sideways"])
        .exits(2)
        .says(&["--order", "Sideways"]);
    permutile(&["solve", "7,0,2,8,5,3,6,1,4", "--weight", "0.5"]).exits(2).says(&["weight"]);
    permutile(&["solve", "data/boards", "--stats-file", &file, "--force"])
        .exits(2)
        .says(&["one board"]);
}

/// The course's own program: its arguments, and its file in the current folder.
#[test]
fn npuzzle_is_the_courses_program() {
    use crate::program::{Folder, Ran, program};
    let folder = Folder::new();
    let npuzzle = |arguments: &[&str]| {
        let mut command = program(&folder.path("cache"));
        command.arg("npuzzle").args(arguments).current_dir(folder.path(""));
        Ran::new(arguments, command.output().unwrap())
    };
    let table = [
        ("bfs", "1,2,5,3,4,0,6,7,8", "['Up', 'Left', 'Left']", [3, 10, 3, 4]),
        ("ast", "1,2,5,3,4,0,6,7,8", "['Up', 'Left', 'Left']", [3, 3, 3, 3]),
        ("ida", "1,2,5,3,4,0,6,7,8", "['Up', 'Left', 'Left']", [3, 3, 3, 3]),
        ("dfs", "3,1,2,0,4,5,6,7,8", "['Up']", [1, 1, 1, 1]),
        ("dfs", "1,2,5,3,4,0,6,7,8", "['Up', 'Left', 'Left']", [3, 181_437, 3, 66_125]),
        ("bfs", "0,1,2,3,4,5,6,7,8", "[]", [0, 0, 0, 0]),
    ];
    for (method, board, path, [cost, expanded, depth, max_depth]) in table {
        npuzzle(&[method, board]).exits(0).prints_nothing().says_nothing();
        let text = folder.read("output.txt");
        let start = format!(
            "path_to_goal: {path}\ncost_of_path: {cost}\nnodes_expanded: {expanded}\n\
             search_depth: {depth}\nmax_search_depth: {max_depth}\nrunning_time: "
        );
        assert!(text.starts_with(&start), "{method} {board}: {text}");
        let names: Vec<&str> = text.lines().map(|line| line.split(": ").next().unwrap()).collect();
        assert_eq!(names[5..], ["running_time", "max_ram_usage"]);
        for line in text.lines().skip(5) {
            assert_eq!(line.split('.').nth(1).unwrap().len(), 8, "{line}");
        }
    }
    npuzzle(&["A*", "6", "1", "8", "4", "0", "2", "7", "3", "5"]).exits(0);
    let text = folder.read("output.txt");
    assert!(text.contains("\nnodes_expanded: 711\n"), "{text}");
    // What is not solved leaves the file as it was.
    npuzzle(&["bfs", "1,2,5,3,4,0,6,8,7"]).exits(1).prints_nothing().says(&["unsolvable"]);
    npuzzle(&["bfs", "1,2,3,4"]).exits(2).says(&["no blank"]);
    npuzzle(&["bfs", "1,2,x,4"]).exits(2).says(&["argument:1:5"]);
    npuzzle(&["bfs", "3120", "1320"]).exits(2).says(&["one board, here are 2"]);
    npuzzle(&["dfs", "0,8,7,6,5,4,3,2,1", "--max-memory", "1kB"]).exits(3).says(&["memory-limit"]);
    npuzzle(&["best", "1,2,5,3,4,0,6,7,8"]).exits(2).says(&["bfs, dfs, ast, ida"]);
    assert_eq!(folder.read("output.txt"), text);
    folder.write("output.txt", "1 2 5/3 4 0/6 7 8\n");
    npuzzle(&["bfs", "output.txt"]).exits(2).says(&["output.txt: this file is an input"]);
}

#[test]
fn courses_names_of_algorithms_and_moves_are_understood() {
    use crate::program::{permutile, solve_json};
    for name in ["ast", "a*", "A*", "astar"] {
        let record = solve_json(&["1,2,5,3,4,0,6,7,8", "--algorithm", name]).exits(0).json_line();
        assert_eq!(record["algorithm"], "astar");
    }
    let expanded = |order: &str| {
        let bfs = ["7,0,2,8,5,3,6,1,4", "--algorithm", "bfs", "--count-goal", "--order", order];
        solve_json(&bfs).exits(0).json_line()["expanded"].as_u64().unwrap()
    };
    for order in ["Up,Down,Right,Left", "U,D,R,L", "u,d,r,l", "up, DOWN,r"] {
        assert_eq!(expanded(order), 174_386, "{order}");
    }
    let refused = |order: &str| {
        permutile(&["solve", "102345678", "--algorithm", "bfs", "--order", order]).exits(2)
    };
    refused("U,D,L,U").says(&["the order names Up twice (--order)"]);
    refused("U,D,L,up").says(&["the order names Up twice (--order)"]);
    refused("U,D,L,X").says(&["sliding3 has no move \"X\" (--order)"]);
}

/// The analysis tables that courses ask for, each by one command: length, nodes expanded and the
/// deepest node of every contender.
#[test]
fn compare_makes_the_tables_in_one_go() {
    use crate::program::{Folder, permutile};
    use serde_json::Value;
    let table = |arguments: &[&str]| -> Vec<[Option<u64>; 3]> {
        let methods = ["compare", "--json", "--algorithms", "bfs,dfs,astar-textbook"];
        let found = permutile(&[&methods[..], arguments].concat()).exits(0).json_line();
        let trials = found["puzzles"][0]["trials"].as_array().unwrap().clone();
        let row =
            |trial: &Value| ["length", "expanded", "max_depth"].map(|key| trial[key].as_u64());
        trials.iter().map(row).collect()
    };
    let rows = |rows: &[[u64; 3]]| rows.iter().map(|row| row.map(Some)).collect::<Vec<_>>();
    let first = [
        "3,1,2,0,4,5,6,7,8",
        "1,2,5,3,4,0,6,7,8",
        "0,8,7,6,5,4,3,2,1",
        "6,1,8,4,0,2,7,3,5",
        "8,6,4,2,1,3,5,7,0",
    ];
    let mut found = table(&[&first[..], &["--heuristics", "manhattan"]].concat());
    let expected: [[u64; 3]; 15] = [
        [1, 1, 1],
        [1, 1, 1],
        [1, 1, 0],
        [3, 10, 4],
        [3, 181_437, 66_125],
        [3, 3, 0],
        [30, 181_423, 31],
        [41_910, 144_633, 65_982],
        [30, 17_848, 0],
        [20, 54_094, 21],
        [46_142, 51_015, 46_142],
        [20, 711, 0],
        [26, 166_786, 27],
        [9_612, 9_869, 9_612],
        [26, 1_660, 0],
    ];
    // The table does not have the deepest nodes of A*.
    found.iter_mut().skip(2).step_by(3).for_each(|row| row[2] = Some(0));
    assert_eq!(found, rows(&expected));

    let second = ["7,0,2,8,5,3,6,1,4", "--heuristics", "manhattan,euclidean", "--order", "u,d,r,l"];
    let conventions = ["--dfs-last-first", "--ties", "board", "--count-goal"];
    let found = table(&[&second[..], &conventions].concat());
    let without_depth: Vec<_> = found.iter().map(|row| [row[0], row[1]]).collect();
    let expected = [[27, 174_386], [54_497, 63_397], [27, 3_495], [27, 11_639]];
    assert_eq!(without_depth, expected.map(|row| row.map(Some)));

    // For people and for spreadsheets.
    let folder = Folder::new();
    let csv = folder.path("table.csv");
    permutile(&["compare", "125340678", "--algorithms", "bfs,dfs", "--csv", &csv]).exits(0).prints(
        &[
            "distance  contender  solved  length  max depth  expanded",
            "       3  bfs           1/1       3          4        10",
            "       3  dfs           1/1       3     66,125   181,437",
        ],
    );
    let csv = folder.read("table.csv");
    assert!(csv.lines().next().unwrap().ends_with(",max_depth,stopped_by"), "{csv}");
    assert!(csv.lines().nth(2).unwrap().ends_with(",66125,"), "{csv}");
    permutile(&["compare", "125340678", "--algorithms", "bfs", "--order", "U,U"])
        .exits(2)
        .says(&["names Up twice"]);
}
