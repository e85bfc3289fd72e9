//! Searches against plain breadth-first search, and limits.

use crate::support::{Dice, SMALL, all_puzzles, plain_distances};
use permutile::lab::scramble::{ScrambleKind, scramble};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::{Definition, Goal, Move, Puzzle, PuzzleVisitor, custom, registry};
use permutile::search::{
    Aim, AlgorithmChoice, Limits, NodeCount, Observer, Optimality, SearchOptions, Silent,
    StopReason,
};
use permutile::solver::{Answer, Report, Solution, Solver};
use permutile::table::ball::{Ball, BallSize};
use permutile::table::reach::{Reach, ReachSize};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn solver(definition: Definition) -> Solver {
    Solver::new(definition, Goal::Default, Simd::detect()).unwrap()
}

fn report(solver: &Solver, labels: &[u8], options: &SearchOptions<'_>) -> Report {
    match solver.solve(&solver.frame().decode(labels), options, &mut Silent).unwrap() {
        Answer::Searched(report) => report,
        Answer::Unsolvable(reason) => panic!("{reason}"),
    }
}

/// All algorithms, and what their solutions are worth with an admissible heuristic.
fn algorithms() -> impl Iterator<Item = (AlgorithmChoice, Optimality)> {
    AlgorithmChoice::all().map(|choice| match choice {
        AlgorithmChoice::Auto => (choice, Optimality::IfAdmissible),
        AlgorithmChoice::Named(algorithm) => (choice, algorithm.optimality),
    })
}

/// Some boards at each distance that breadth-first search reaches, as labels.
struct SomeBoards;

impl PuzzleVisitor for SomeBoards {
    type Output = Vec<(Vec<u8>, u32)>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let mut all: Vec<_> = plain_distances(puzzle, 3_000).into_iter().collect();
        all.sort_unstable_by_key(|&(key, distance)| (distance, key));
        let step = (all.len() / 12).max(1);
        let sample = all.iter().rev().step_by(step);
        sample.map(|&(key, distance)| (puzzle.labels(puzzle.state(key)), distance)).collect()
    }
}

#[test]
fn searches_find_the_distances_of_breadth_first_search() {
    let named = SMALL.iter().map(|id| registry::define(id).unwrap());
    for definition in named.chain(crate::support::custom_definitions()) {
        let solver = solver(definition);
        for (labels, distance) in solver.puzzle().visit(SomeBoards) {
            for (algorithm, optimality) in algorithms() {
                // Depth-first search may wander for ever.
                let nodes = (optimality == Optimality::Never).then_some(5_000);
                let limits = Limits { nodes, ..Limits::default() };
                let options =
                    SearchOptions { algorithm, limits, threads: 2, ..SearchOptions::default() };
                let outcome = report(&solver, &labels, &options);
                let what = format!("{algorithm} on {} at {distance}", solver.frame().id());
                if optimality == Optimality::Never {
                    let fair = |s: &Solution| {
                        let length = s.len() as u32;
                        length >= distance && (length == distance || !s.is_optimal())
                    };
                    assert!(outcome.solution.iter().all(fair), "{what}");
                    assert!(outcome.lower_bound <= distance, "{what}");
                    continue;
                }
                let solution = outcome.solution.expect("there is a solution");
                assert_eq!(solution.len() as u32, distance, "{what}");
                assert!(solution.is_optimal(), "{what}");
                assert_eq!(outcome.lower_bound, distance, "{what}");
            }
        }
    }
}

/// Boards that are too hard without a table, on puzzles small enough for breadth-first search:
/// the blind heuristic makes them hard.
#[test]
fn auto_goes_on_with_a_table_when_a_board_proves_hard() {
    let mut definitions = crate::support::custom_definitions();
    definitions.truncate(2);
    definitions.push(registry::define("torus4").unwrap());
    for definition in definitions {
        let solver = solver(definition);
        let farthest = solver.puzzle().visit(SomeBoards).remove(0);
        let zero = SearchOptions { heuristic: "zero".parse().ok(), ..SearchOptions::default() };
        // Twice the way: far enough to be hard, and known by breadth-first search from both ends.
        let twice: Vec<u8> =
            farthest.0.iter().map(|&label| farthest.0[usize::from(label)]).collect();
        let bidirectional = "bidirectional".parse().unwrap();
        let both = SearchOptions { algorithm: bidirectional, ..SearchOptions::default() };
        let both = report(&solver, &twice, &both);
        let auto = report(&solver, &twice, &zero);
        let length = |report: &Report| report.solution.as_ref().unwrap().len();
        assert_eq!(length(&auto), length(&both), "{}", solver.frame().id());
        if auto.statistics.expanded > 100_000 {
            let words = auto.guides_in_words();
            assert_eq!(words.as_deref(), Some("zero, then circular-manhattan+reach"));
        }
    }
}

/// The ball knows exactly the boards within its radius, whatever the symmetry.
struct BallAgrees;

impl PuzzleVisitor for BallAgrees {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let size = BallSize { entries: 300, radius: 4 };
        let ball = Ball::build(puzzle, size, &Limits::default()).unwrap();
        let id = puzzle.frame().id();
        for (key, distance) in plain_distances(puzzle, 3_000) {
            let expected = (distance <= ball.radius()).then_some(distance);
            assert_eq!(ball.distance(key), expected, "{id}");
        }
        assert!(ball.entries() <= 300 && ball.bytes() > 0, "{id}");
        let mut dice = Dice::new(5);
        let far = puzzle.key(puzzle.state_of(&dice.labels(puzzle.frame())));
        if puzzle.frame().shape().cells() > 9 {
            assert_eq!(ball.distance(far), None, "{id}");
        }
    }
}

/// Boards at distances that breadth-first layers prove, solved with each kind of table that `auto`
/// has: without the help of a heuristic, what is tried first does not suffice for most.
#[test]
fn auto_with_its_tables_finds_the_distances_of_layers() {
    for (id, depth, count, table) in [
        ("torus4", 7, 300, "reach"),
        ("rings4", 6, 200, "reach"),
        ("torus:3x6", 6, 1_000, "pdb-views"),
        ("rings:3x6", 5, 500, "pdb-views"),
        ("sliding4", 18, 300, "pdb-663"),
    ] {
        let solver = solver(registry::define(id).unwrap());
        let kind = ScrambleKind::ExactDepth(depth);
        let (limits, mut with_table) = (Limits::default(), 0);
        let boards = scramble(solver.puzzle(), kind, 1, count, &limits).unwrap();
        for board in boards {
            let zero = SearchOptions { heuristic: "zero".parse().ok(), ..SearchOptions::default() };
            let Answer::Searched(report) = solver.solve(&board, &zero, &mut Silent).unwrap() else {
                panic!("{board} of {id} is solvable")
            };
            with_table += u64::from(report.guides_in_words().unwrap().contains(table));
            let solution = report.solution.unwrap();
            let proven = solution.is_optimal() && solution.len() == depth as usize;
            assert!(proven, "{board} of {id}");
        }
        assert!(with_table > count / 2, "{with_table} of {count} boards of {id}");
    }
}

#[test]
fn the_ball_is_exact() {
    for puzzle in all_puzzles() {
        puzzle.visit(BallAgrees);
    }
}

/// The filters have every board that is as many moves away as they are for, and few others; but for
/// the last, which may have nearer ones as well.
struct ReachHolds;

impl PuzzleVisitor for ReachHolds {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let size = ReachSize { bytes: 20_000, work: 20_000 };
        let limits = Limits::default();
        let reach = Reach::build(puzzle, size, &limits, &mut Silent);
        let reach = reach.unwrap().table();
        let id = puzzle.frame().id();
        let (mut others, mut taken_for_others) = (0, 0);
        for (key, distance) in plain_distances(puzzle, 20_000) {
            let radius = reach.radius();
            for moves in 0..=radius {
                let may_be = reach.may_be_at(key, moves);
                assert!(may_be || distance != moves, "{id}: {distance} moves, not at {moves}");
                let is_other = distance > moves || distance < moves && moves < radius;
                others += u32::from(is_other);
                taken_for_others += u32::from(is_other && may_be);
            }
            let state = puzzle.state(key);
            let all = puzzle.legal(state);
            let after = reach.may_be_at_after(puzzle, state, all, radius);
            let one_by_one =
                all.filter(|&m| reach.may_be_at(puzzle.key(puzzle.apply(state, m)), radius));
            assert!(after.eq(one_by_one), "{id}");
        }
        assert!(taken_for_others * 20 <= others, "{id}: {taken_for_others} of {others}");
        assert!(reach.bytes() <= 3 * size.bytes, "{id}: {} bytes", reach.bytes());
    }
}

#[test]
fn no_board_is_missing_from_the_filters() {
    for puzzle in all_puzzles() {
        puzzle.visit(ReachHolds);
    }
}

/// A 15-puzzle of 80 moves: nothing here solves it in a moment.
const HARD: [u8; 16] = [15, 10, 8, 12, 11, 14, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0];

#[test]
fn limits_end_a_search_with_what_is_proven() {
    let solver = solver(registry::define("sliding4").unwrap());
    let with = |limits| {
        let algorithm = "ida".parse().unwrap();
        let options = SearchOptions { algorithm, limits, ..SearchOptions::default() };
        report(&solver, &HARD, &options)
    };
    let nodes = with(Limits { nodes: Some(12_345), ..Limits::default() });
    assert_eq!((nodes.stop, nodes.statistics.expanded), (Some(StopReason::Nodes), 12_345));
    assert!(nodes.solution.is_none() && (50..=80).contains(&nodes.lower_bound));
    let began = Instant::now();
    let time =
        with(Limits { deadline: Some(began + Duration::from_millis(50)), ..Limits::default() });
    assert_eq!(time.stop, Some(StopReason::Time));
    let cancelled = AtomicBool::new(true);
    let stopped = with(Limits { cancelled: Some(&cancelled), ..Limits::default() });
    assert_eq!(stopped.stop, Some(StopReason::Cancelled));
}

#[test]
fn little_memory_makes_auto_slower_and_not_wrong() {
    let solver = solver(registry::define("torus4").unwrap());
    let mut dice = Dice::new(9);
    let labels = dice.labels(solver.frame());
    let limits = Limits { bytes: Some(100_000), nodes: Some(60_000), ..Limits::default() };
    let options = SearchOptions { limits, aim: Aim::Proven, ..SearchOptions::default() };
    let outcome = report(&solver, &labels, &options);
    assert_eq!(outcome.stop, Some(StopReason::Nodes));
    assert!(outcome.lower_bound >= 8 && outcome.statistics.peak_bytes <= 100_000);
}

/// Nodes of IDA* with one thread are the same on every machine.
#[test]
fn node_counts_are_golden() {
    let count = |id: &str, labels: &[u8]| {
        let solver = solver(registry::define(id).unwrap());
        let algorithm = "ida".parse().unwrap();
        let options = SearchOptions { algorithm, ..SearchOptions::default() };
        let statistics = report(&solver, labels, &options).statistics;
        (statistics.expanded, statistics.generated)
    };
    assert_eq!(count("sliding3", &[0, 8, 7, 6, 5, 4, 3, 2, 1]), (26_762, 44_067));
    let board8c = [1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14];
    assert_eq!(count("torus4", &board8c), (3_093, 34_595));
}

/// One move of order 4,620, one way: a path of so many moves on a small stack.
#[test]
fn very_long_solutions_do_not_exhaust_the_stack() {
    let mut next = 1;
    let mut cycle = |length: usize| {
        let cells: Vec<String> = (next..next + length).map(|cell| cell.to_string()).collect();
        next += length;
        format!("[{}]", cells.join(", "))
    };
    let cycles: Vec<String> = [4, 3, 5, 7, 11].into_iter().map(&mut cycle).collect();
    let text =
        format!("shape = \"5x6\"\n[[move]]\nname = \"m\"\ncycles = [{}]\n", cycles.join(", "));
    let search = move || {
        let solver = solver(custom::define("long.toml", &text).unwrap());
        let labels = solver.puzzle().visit(AfterOneMove);
        let (algorithm, heuristic) = ("ida".parse().unwrap(), "zero".parse().ok());
        let options = SearchOptions { algorithm, heuristic, ..SearchOptions::default() };
        report(&solver, &labels, &options).solution.map(|solution| solution.len())
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(search).unwrap();
    assert_eq!(thread.join().unwrap(), Some(4_619));
}

/// The board after the first move.
struct AfterOneMove;

impl PuzzleVisitor for AfterOneMove {
    type Output = Vec<u8>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Vec<u8> {
        puzzle.labels(puzzle.apply(puzzle.goal(), Move(0)))
    }
}

/// The estimate is 5, and two moves suffice: subtrees five moves deep would all lie beyond the goal.
#[test]
fn parallel_ida_does_not_pass_over_the_goal_if_the_estimate_is_too_high() {
    let text = "shape = \"2x3\"\n[[move]]\nname = \"m\"\ncycles = [[5, 6, 1, 3, 2, 4]]\n";
    let solver = solver(custom::define("cycle.toml", text).unwrap());
    let board = "2 5 4 / 6 1 3".parse().unwrap();
    let (algorithm, heuristic) = ("pida".parse().unwrap(), "misplaced".parse().ok());
    let options = SearchOptions { algorithm, heuristic, threads: 2, ..SearchOptions::default() };
    let answer = solver.solve(&board, &options, &mut Silent).unwrap();
    assert_eq!(answer.solution().unwrap().len(), 2);
}

#[test]
fn a_board_that_is_the_goal_needs_no_memory() {
    for id in ["sliding3", "torus3"] {
        let solver = solver(registry::define(id).unwrap());
        let goal: Vec<u8> = (0..9).collect();
        for (algorithm, _) in algorithms() {
            let limits = Limits { bytes: Some(1), ..Limits::default() };
            let options = SearchOptions { algorithm, limits, ..SearchOptions::default() };
            assert_eq!(report(&solver, &goal, &options).lower_bound, 0, "{algorithm} on {id}");
        }
    }
}

/// Asks for counts of nodes all the time, and keeps the last ones.
#[derive(Default)]
struct Counts {
    last: Vec<NodeCount>,
    calls: usize,
}

impl Observer for Counts {
    fn nodes_until_counts(&self, _: u64) -> Option<u64> {
        Some(100)
    }

    fn node_counts(&mut self, expanded: u64, counts: &[NodeCount]) {
        let sum: u64 = counts.iter().map(|count| count.expanded).sum();
        assert_eq!(sum, expanded, "{counts:?}");
        self.calls += 1;
        self.last = counts.to_vec();
    }
}

#[test]
fn whoever_asks_is_told_how_nodes_are_distributed() {
    let solver = solver(registry::define("sliding3").unwrap());
    let board = "0 8 7/6 5 4/3 2 1".parse().unwrap();
    for name in ["bfs", "astar", "astar-textbook", "ucs", "greedy", "wastar", "ida", "pida"] {
        let algorithm = name.parse().unwrap();
        let options = SearchOptions { algorithm, ..SearchOptions::default() };
        let mut counts = Counts::default();
        let Answer::Searched(report) = solver.solve(&board, &options, &mut counts).unwrap() else {
            panic!("the board can be solved");
        };
        let quiet = self::report(&solver, &solver.frame().encode(&board).unwrap(), &options);
        assert_eq!(report.statistics, quiet.statistics, "{name}: watching changes nothing");
        assert!(counts.calls > 1, "{name}: {} calls", counts.calls);
        let sum: u64 = counts.last.iter().map(|count| count.expanded).sum();
        assert_eq!(sum, report.statistics.expanded, "{name}");
        if name == "bfs" {
            let sizes: Vec<u64> = counts.last.iter().map(|it| it.expanded + it.open).collect();
            assert_eq!(sizes[..8], [1, 2, 4, 8, 16, 20, 39, 62], "the layers of a corner");
        }
        let by_depth = solver.ida_counts(&board, &options, 1_000_000);
        assert_eq!(by_depth.is_some(), name == "ida", "{name}");
    }
}

#[test]
fn deepening_is_counted_by_depth_as_it_searches() {
    for id in ["sliding3", "sliding:2x4", "torus3", "rings3"] {
        let solver = solver(registry::define(id).unwrap());
        for (labels, _) in solver.puzzle().visit(SomeBoards) {
            let board = solver.frame().decode(&labels);
            for name in ["ida", "iddfs"] {
                let algorithm = name.parse().unwrap();
                let limits = Limits { nodes: Some(5_000), ..Limits::default() };
                let options = SearchOptions { algorithm, limits, ..SearchOptions::default() };
                let report = report(&solver, &labels, &options);
                let counts = solver.ida_counts(&board, &options, 5_000);
                let sum = counts.map(|all| all.iter().map(|count| count.expanded).sum::<u64>());
                let is_solved = report.solution.is_some();
                assert_eq!(
                    sum,
                    is_solved.then_some(report.statistics.expanded),
                    "{id} {name} {board}"
                );
            }
        }
    }
}
