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
    permutile(&["solve", "data/boards", "--stats-file", &file]).exits(2).says(&["one board"]);
}
