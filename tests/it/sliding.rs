//! Sliding puzzles: the search made for them against the general one, and golden counts.

use crate::support::Dice;
use permutile::board::text::{self, Entry, Form, TextOptions};
use permutile::heuristic::pdb::{Automatic, Pdb555};
use permutile::heuristic::{Heuristic, Registered, manhattan::Manhattan};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::{AnyPuzzle, Depth, Goal, Move, Puzzle, PuzzleVisitor, registry};
use permutile::search::ida::Ida;
use permutile::search::parallel_ida::ParallelIda;
use permutile::search::{Guided, Limits, Outcome, Settings, Silent, Task};
use permutile::solver::{Answer, Found, Request, Solver};

/// A heuristic that does not tell that each move changes it by one.
struct Secretive<'a, H>(&'a H);

impl<P: Puzzle, H: Heuristic<P>> Heuristic<P> for Secretive<'_, H> {
    type Value = H::Value;

    fn evaluate(&self, puzzle: &P, state: P::State) -> H::Value {
        self.0.evaluate(puzzle, state)
    }

    fn update(&self, puzzle: &P, value: H::Value, before: P::State, m: Move) -> H::Value {
        self.0.update(puzzle, value, before, m)
    }

    fn estimate(&self, value: H::Value) -> Depth {
        self.0.estimate(value)
    }
}

/// Searches some boards in both ways.
struct BothWays {
    steps: usize,
}

impl BothWays {
    fn compare<P: Puzzle, H: Heuristic<P>>(&self, puzzle: &P, heuristic: &H) {
        let mut dice = Dice::new(7);
        for _ in 0..6 {
            let start = dice.walk(puzzle, self.steps);
            let settings = &Settings { threads: 2, ..Settings::default() };
            let limits = Limits { nodes: Some(400_000), ..Limits::default() };
            let task = Task { puzzle, start, at_least: 0, limits, settings };
            let quick = Ida::search(&task, heuristic, &mut Silent);
            let plain = Ida::search(&task, &Secretive(heuristic), &mut Silent);
            let what = |outcome: &Outcome| {
                let moves = outcome.solution.as_ref().map(|solution| solution.moves.clone());
                let counts = &outcome.statistics;
                let counts = (counts.expanded, counts.generated, counts.max_depth);
                (moves, outcome.lower_bound, outcome.stop, counts)
            };
            assert_eq!(what(&quick), what(&plain), "{}", puzzle.frame().id());
            if let Some(solution) = plain.solution {
                let parallel = ParallelIda::search(&task, heuristic, &mut Silent);
                let length = parallel.solution.map(|solution| solution.moves.len());
                assert_eq!(length, Some(solution.moves.len()), "{}", puzzle.frame().id());
            }
        }
    }
}

impl PuzzleVisitor for BothWays {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let frame = puzzle.frame();
        self.compare(puzzle, &Manhattan::build(frame));
        if Automatic::promise(frame).is_some() {
            self.compare(puzzle, &Automatic::build(frame));
        }
        if Pdb555::promise(frame).is_some() {
            self.compare(puzzle, &Pdb555::build(frame));
        }
    }
}

#[test]
fn the_search_for_unit_steps_visits_the_nodes_of_the_general_one() {
    let puzzles = [
        ("sliding:2x3", 40),
        ("sliding3", 60),
        ("sliding:3x4", 60),
        ("sliding:4x3", 60),
        ("sliding:5x3", 60),
        ("sliding4", 100),
        ("sliding:4x5", 50),
        ("sliding5", 60),
    ];
    for (id, steps) in puzzles {
        for goal in [Goal::BlankFirst, Goal::BlankLast] {
            let puzzle = AnyPuzzle::new(registry::define(id).unwrap(), goal, Simd::detect());
            puzzle.unwrap().visit(BothWays { steps });
        }
    }
}

fn solver(goal: Goal) -> Solver {
    Solver::new(registry::define("sliding4").unwrap(), goal, Simd::detect()).unwrap()
}

fn korf_boards() -> Vec<Entry> {
    let text = include_str!("../../data/boards/korf-easy.boards");
    let options = TextOptions { shape: None, form: Form::Collection };
    text::parse("korf-easy", text.as_bytes(), &options).into_iter().map(Result::unwrap).collect()
}

fn solved(solver: &Solver, entry: &Entry, request: &Request<'_>) -> Found {
    let Answer::Searched(found) = solver.solve(&entry.board, request, &mut Silent).unwrap() else {
        panic!("it can be solved");
    };
    let solution = found.outcome.solution.as_ref().unwrap();
    assert_eq!(Some(solution.moves.len() as u32), entry.known_length, "{:?}", entry.name);
    assert!(solution.optimal);
    found
}

/// Nodes of the 20 easiest of Korf's boards: each search has the known lengths and these counts.
///
/// With `manhattan` they are those that Korf published (1985), board by board, but for the start:
/// he counts it as generated, once for each board. All 100 boards take 36,302,807,931.
#[test]
fn node_totals_are_golden() {
    const PUBLISHED: u64 = 49_714_594;
    let totals = [
        ("manhattan", PUBLISHED - 20),
        ("linear-conflict", 9_997_920),
        ("walking-distance", 10_892_131),
        ("pdb-555", 764_549),
        ("pdb-663", 120_507),
    ];
    let solver = solver(Goal::BlankFirst);
    for (heuristic, expected) in totals {
        let request =
            Request { algorithm: "ida", heuristic: Some(heuristic), ..Request::default() };
        let generated = |entry| solved(&solver, entry, &request).outcome.statistics.generated;
        let total: u64 = korf_boards().iter().map(generated).sum();
        assert_eq!(total, expected, "{heuristic}");
    }
}

#[test]
fn auto_builds_databases_for_a_board_that_proves_hard() {
    let quick = solver(Goal::BlankFirst);
    let hard = board("korf-1: 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3 # 57");
    for threads in [1, 2] {
        let settings = Settings { threads, ..Settings::default() };
        let found = solved(&quick, &hard, &Request { settings, ..Request::default() });
        assert_eq!(found.heuristic.as_deref(), Some("manhattan, then pdb-663"));
        assert!(found.outcome.statistics.peak_bytes > 3_000_000);
    }
    let easy = board("easy: 1 2 6 3 4 5 10 7 8 9 0 11 12 13 14 15 # 4");
    let found = solved(&quick, &easy, &Request::default());
    assert_eq!(found.heuristic.as_deref(), Some("manhattan"));
    // Asked for one with databases of its own, it stays with that.
    let request = Request { heuristic: Some("pdb-555"), ..Request::default() };
    assert_eq!(solved(&quick, &hard, &request).heuristic.as_deref(), Some("pdb-555"));
    // There is no room for tables.
    let limits = Limits { bytes: Some(1 << 20), ..Limits::default() };
    let request = Request { limits, ..Request::default() };
    let found = solved(&solver(Goal::BlankFirst), &korf_boards()[1], &request);
    assert_eq!(found.heuristic.as_deref(), Some("manhattan"));
}

/// Up to nine cells, all boards are in one table, and no search goes astray.
#[test]
fn auto_walks_down_the_distances_of_small_boards() {
    let middle = || Goal::Board(board("goal: 1 2 3 8 0 4 7 6 5").board);
    let mut puzzles = vec![("sliding3", middle())];
    for id in ["sliding2", "sliding:2x3", "sliding:3x2", "sliding:2x4", "sliding:4x2", "sliding3"] {
        puzzles.extend([(id, Goal::BlankFirst), (id, Goal::BlankLast)]);
    }
    let mut dice = Dice::new(5);
    for (id, goal) in puzzles {
        let solver = Solver::new(registry::define(id).unwrap(), goal, Simd::detect()).unwrap();
        let mut solved = 0;
        while solved < 6 {
            let board = solver.frame().decode(&dice.labels(solver.frame()));
            let ask = |request| match solver.solve(&board, &request, &mut Silent).unwrap() {
                Answer::Searched(found) => Some(found),
                Answer::Unsolvable(_) => None,
            };
            let Some(plain) = ask(Request { algorithm: "bfs", ..Request::default() }) else {
                continue;
            };
            solved += 1;
            let length = plain.outcome.solution.unwrap().moves.len();
            let auto = ask(Request::default()).unwrap();
            assert_eq!(auto.outcome.solution.unwrap().moves.len(), length, "{board} of {id}");
            assert_eq!(auto.outcome.statistics.expanded, length as u64, "{board} of {id}");
            assert_eq!(auto.heuristic.as_deref(), Some("pdb"));
            // Who names a heuristic gets it.
            let named = ask(Request { heuristic: Some("manhattan"), ..Request::default() });
            assert_eq!(named.unwrap().heuristic.as_deref(), Some("manhattan"));
        }
    }
    // There is no room for the table.
    let limits = Limits { bytes: Some(50_000), ..Limits::default() };
    let small = Solver::new(registry::define("sliding3").unwrap(), Goal::Default, Simd::detect());
    let hard = board("hard: 8 0 6 5 4 7 2 3 1 # 31");
    let found = solved(&small.unwrap(), &hard, &Request { limits, ..Request::default() });
    assert_eq!(found.heuristic.as_deref(), Some("manhattan"));
}

fn board(text: &str) -> Entry {
    let options = TextOptions { shape: None, form: Form::Collection };
    text::parse("board", text.as_bytes(), &options).remove(0).unwrap()
}

#[test]
fn boards_of_the_other_goal_are_refused_at_once_with_a_hint() {
    let board = &korf_boards()[0].board;
    let answer = solver(Goal::BlankLast).solve(board, &Request::default(), &mut Silent).unwrap();
    let Answer::Unsolvable(reason) = answer else { panic!("it cannot be solved") };
    assert!(reason.to_string().contains("--goal blank-first"), "{reason}");
}
