//! Best-first searches: shortest where they promise it, exact about limits, and never stuck.

use crate::support::{Dice, SMALL, custom_definitions, plain_distances};
use permutile::heuristic::Heuristic;
use permutile::on_engine;
use permutile::puzzle::arch::Simd;
use permutile::puzzle::packed::Packed;
use permutile::puzzle::{AnyPuzzle, Definition, Goal, Move, Puzzle, PuzzleVisitor, registry};
use permutile::search::astar::ASTAR;
use permutile::search::estimator::SearchKey;
use permutile::search::parallel_astar::PARALLEL_ASTAR;
use permutile::search::{Limits, OnEngine, SearchOptions, Silent, StopReason, Task};
use permutile::solver::{Answer, Report, Solver};
use std::collections::HashMap;
use std::sync::Arc;

fn solver(definition: Definition) -> Solver {
    Solver::new(definition, Goal::Default, Simd::detect()).unwrap()
}

/// Named puzzles of all packings, and custom ones with one-way moves.
fn solvers() -> impl Iterator<Item = Solver> {
    let named = SMALL.iter().map(|id| registry::define(id).unwrap());
    named.chain(custom_definitions()).map(solver)
}

/// The outcome of a search whose solution, if any, the checker has replayed.
fn outcome(solver: &Solver, labels: &[u8], options: &SearchOptions<'_>) -> Report {
    match solver.solve(&solver.frame().decode(labels), options, &mut Silent).unwrap() {
        Answer::Searched(report) => report,
        Answer::Unsolvable(reason) => panic!("{reason}"),
    }
}

fn options(algorithm: &str, threads: usize) -> SearchOptions<'static> {
    let algorithm = algorithm.parse().unwrap();
    SearchOptions { algorithm, threads, ..SearchOptions::default() }
}

/// About so many boards at all distances that plain breadth-first search reaches, as labels.
struct Sample(usize);

impl PuzzleVisitor for Sample {
    type Output = Vec<(Vec<u8>, u32)>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let mut all: Vec<_> = plain_distances(puzzle, 20_000).into_iter().collect();
        all.sort_unstable_by_key(|&(key, distance)| (distance, key));
        let step = (all.len() / self.0).max(1);
        let sample = all.iter().rev().step_by(step).chain([&all[0]]);
        sample.map(|&(key, distance)| (puzzle.labels(puzzle.state(key)), distance)).collect()
    }
}

#[test]
fn optimal_searches_find_the_distances_of_plain_breadth_first_search() {
    let searches = [("astar", 1), ("ucs", 1), ("pastar", 1), ("pastar", 2), ("pastar", 3)];
    for solver in solvers() {
        for (labels, distance) in solver.puzzle().visit(Sample(40)) {
            for (algorithm, threads) in searches {
                let outcome = outcome(&solver, &labels, &options(algorithm, threads));
                let what = format!("{algorithm} {threads} on {}", solver.frame().id());
                let solution = outcome.solution.expect(&what);
                assert_eq!(solution.len() as u32, distance, "{what}");
                assert!(solution.is_optimal(), "{what}");
                assert_eq!((outcome.lower_bound, outcome.stop), (distance, None), "{what}");
                let statistics = outcome.statistics;
                assert!(statistics.expanded_below <= statistics.expanded, "{what}");
                assert!(statistics.max_depth >= distance, "{what}");
            }
        }
    }
}

#[test]
fn other_searches_find_solutions_and_say_no_more_than_they_know() {
    for solver in solvers() {
        let mut solved = 0;
        let boards = solver.puzzle().visit(Sample(20));
        for (labels, distance) in &boards {
            for algorithm in ["greedy", "wastar"] {
                // Where many boards have the same estimate, greedy search may stray.
                let limits = Limits { nodes: Some(5_000), ..Limits::default() };
                let options = SearchOptions { limits, ..options(algorithm, 1) };
                let outcome = outcome(&solver, labels, &options);
                assert_eq!(outcome.solution.is_none(), outcome.stop == Some(StopReason::Nodes));
                if let Some(solution) = outcome.solution {
                    let length = solution.len() as u32;
                    assert!(length >= *distance && outcome.lower_bound <= *distance);
                    assert_eq!(solution.is_optimal(), outcome.lower_bound == length);
                    solved += 1;
                }
            }
        }
        assert!(solved > boards.len(), "{}: {solved}", solver.frame().id());
    }
}

/// Weighted A* keeps to its weight, and its bound is right.
#[test]
fn weighted_astar_keeps_to_its_weight() {
    for solver in solvers() {
        for (labels, distance) in solver.puzzle().visit(Sample(20)) {
            for weight in [1.0, 1.3, 2.0, 5.0] {
                let options = SearchOptions { weight, ..options("wastar", 1) };
                let outcome = outcome(&solver, &labels, &options);
                let length = outcome.solution.unwrap().len() as u32;
                let longest = (weight * f64::from(distance)) as u32;
                assert!((distance..=longest).contains(&length), "{length} for {distance}");
                assert!(outcome.lower_bound <= distance);
                assert!(f64::from(length) <= weight * f64::from(outcome.lower_bound) + 1e-9);
            }
        }
    }
}

/// Exact here, zero there: admissible, and as inconsistent as can be.
struct Patchy<K>(HashMap<K, u32>);

impl<P: Puzzle> Heuristic<P> for Patchy<P::Key> {
    type Value = u32;

    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        let key = puzzle.key(state);
        self.0.get(&key).copied().filter(|_| key.hash64() % 3 != 0).unwrap_or(0)
    }

    fn update(&self, puzzle: &P, _: u32, before: P::State, m: Move) -> u32 {
        self.evaluate(puzzle, puzzle.apply(before, m))
    }

    fn estimate(&self, value: u32) -> u32 {
        value
    }
}

/// How many nodes A* and its parallel kin reopen with a patchy heuristic.
fn reopened<P: Puzzle<Key: SearchKey>>(puzzle: &Arc<P>) -> u64 {
    let heuristic = Patchy(plain_distances(&**puzzle, 20_000));
    let estimator = OnEngine::new(Arc::clone(puzzle), heuristic);
    let mut reopened = 0;
    for (labels, distance) in Sample(60).visit(&**puzzle) {
        for threads in [1, 2] {
            let options = SearchOptions { threads, ..SearchOptions::default() };
            let task = Task::new(&labels, Limits::default(), &options);
            for algorithm in [&ASTAR, &PARALLEL_ASTAR] {
                let outcome = (algorithm.search)(&task, &estimator, &mut Silent);
                let length = outcome.solution.unwrap().moves.len() as u32;
                assert_eq!((length, outcome.lower_bound), (distance, distance));
                reopened += outcome.statistics.reopened;
            }
        }
    }
    reopened
}

#[test]
fn shorter_paths_reopen_what_was_expanded() {
    let reopened = |id: &str| on_engine!(&AnyPuzzle::from_id(id).unwrap(), p => reopened(p));
    assert!(reopened("sliding3") + reopened("rings3") > 0);
}

/// A 15-puzzle of 80 moves: nothing here solves it in a moment.
const HARD: [u8; 16] = [15, 10, 8, 12, 11, 14, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0];

/// Its Manhattan distance.
const HARD_ESTIMATE: u32 = 58;

#[test]
fn a_limit_on_memory_is_kept_and_ends_with_what_is_proven() {
    let solver = solver(registry::define("sliding4").unwrap());
    for bytes in [0, 700, 20_000, 300_000, 5_000_000] {
        for (algorithm, threads) in
            [("astar", 1), ("ucs", 1), ("greedy", 1), ("wastar", 1), ("pastar", 1), ("pastar", 3)]
        {
            let limits = Limits { bytes: Some(bytes), ..Limits::default() };
            let options = SearchOptions { limits, ..options(algorithm, threads) };
            let outcome = outcome(&solver, &HARD, &options);
            let what = format!("{algorithm} {threads} in {bytes} bytes");
            if outcome.solution.is_some() {
                assert!(["greedy", "wastar"].contains(&algorithm), "{what}");
                continue;
            }
            assert_eq!(outcome.stop, Some(StopReason::Memory), "{what}");
            let peak = outcome.statistics.peak_bytes;
            assert!(peak <= bytes, "{what}: {peak}");
            assert!(bytes < 300_000 || peak >= bytes / 4, "{what}: {peak}");
            if algorithm.ends_with("pastar") || algorithm == "astar" {
                let bound = outcome.lower_bound;
                assert!((HARD_ESTIMATE..=80).contains(&bound), "{what}: {bound}");
            }
        }
    }
}

#[test]
fn a_limit_on_nodes_is_exact() {
    let solver = solver(registry::define("sliding4").unwrap());
    for (algorithm, threads) in [("astar", 1), ("ucs", 1), ("pastar", 1), ("pastar", 3)] {
        for nodes in [0, 1, 12_345] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let options = SearchOptions { limits, ..options(algorithm, threads) };
            let outcome = outcome(&solver, &HARD, &options);
            assert_eq!(outcome.stop, Some(StopReason::Nodes), "{algorithm} {threads}");
            assert_eq!(outcome.statistics.expanded, nodes, "{algorithm} {threads}");
            let least = if algorithm == "ucs" { 0 } else { HARD_ESTIMATE };
            assert!((least..=80).contains(&outcome.lower_bound), "{algorithm} {threads}");
        }
    }
}

#[test]
fn a_limit_on_the_length_is_exact() {
    let solver = solver(registry::define("sliding3").unwrap());
    let board = [0, 8, 7, 6, 5, 4, 3, 2, 1];
    for (algorithm, threads) in [("astar", 1), ("ucs", 1), ("pastar", 2)] {
        let within = |depth| {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            outcome(&solver, &board, &SearchOptions { limits, ..options(algorithm, threads) })
        };
        let short = within(29);
        assert_eq!(short.stop, Some(StopReason::Depth), "{algorithm}");
        assert!(short.solution.is_none(), "{algorithm}");
        assert_eq!(short.lower_bound, 30, "{algorithm}");
        let enough = within(30);
        assert_eq!((enough.stop, enough.lower_bound), (None, 30), "{algorithm}");
    }
}

/// Nodes of A* with one thread are the same on every machine.
#[test]
fn node_counts_are_golden() {
    let count = |id: &str, labels: &[u8], algorithm| {
        let solver = solver(registry::define(id).unwrap());
        let statistics = outcome(&solver, labels, &options(algorithm, 1)).statistics;
        assert_eq!(statistics.reopened, 0, "the heuristic is consistent");
        (statistics.expanded, statistics.generated, statistics.expanded_below)
    };
    let eight = [0, 8, 7, 6, 5, 4, 3, 2, 1];
    let board8c = [1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14];
    for algorithm in ["astar", "pastar"] {
        assert_eq!(count("sliding3", &eight, algorithm), (7_352, 12_141, 7_271), "{algorithm}");
        assert_eq!(count("torus4", &board8c, algorithm), (2_094, 2_507, 845), "{algorithm}");
    }
}

/// Many threads on small boards: each race for the end is another one.
#[test]
fn parallel_astar_always_ends() {
    for id in ["sliding:2x3", "sliding3", "torus3", "torus4"] {
        let solver = solver(registry::define(id).unwrap());
        let boards = solver.puzzle().visit(Sample(25));
        let mut dice = Dice::new(7);
        for _ in 0..200 {
            let (labels, distance) = &boards[dice.below(boards.len())];
            let outcome = outcome(&solver, labels, &options("pastar", 4));
            assert_eq!(outcome.solution.unwrap().len() as u32, *distance, "{id}");
        }
    }
}
