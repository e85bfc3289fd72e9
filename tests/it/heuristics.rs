//! Every registered heuristic keeps its promises, as far as plain breadth-first search can see.

use crate::support::{Dice, all_puzzles, large_and_narrow_puzzles, plain_distances};
use permutile::board::text;
use permutile::heuristic::registry::{self, RegistryVisitor};
use permutile::heuristic::unit_steps::{Steps, StepsRoot, StepsVisitor};
use permutile::heuristic::{After, Heuristic, NamedHeuristic, OnEveryEngine, Promise};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::{AnyPuzzle, Goal, Move, Puzzle, PuzzleVisitor, registry as puzzles};
use permutile::search::HeuristicKind;
use permutile::table::source::TableSource;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Tries all heuristics on a puzzle.
struct Conformance {
    /// About how many boards near the goal are looked at.
    boards: usize,
}

impl PuzzleVisitor for Conformance {
    /// Of the heuristics that apply, the name, and whether it was seen to be too high.
    type Output = Vec<(&'static str, bool)>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let distances = &plain_distances(puzzle, self.boards);
        let mut trials = Trials { puzzle, distances, tried: Vec::new() };
        registry::visit_all(&mut trials);
        trials.tried
    }
}

/// Tries one after the other.
struct Trials<'a, P: Puzzle> {
    puzzle: &'a P,
    distances: &'a HashMap<P::Key, u32>,
    tried: Vec<(&'static str, bool)>,
}

impl<P: Puzzle> RegistryVisitor<P> for Trials<'_, P> {
    fn visit<R: NamedHeuristic<Heuristic: OnEveryEngine + Heuristic<P>> + 'static>(&mut self) {
        // A constant: what is behind it is not compiled for puzzles out of scope.
        if const { R::LARGE || !R::SCOPE.includes(P::HAS_BLANK) } {
            return;
        }
        let Trials { puzzle, distances, .. } = *self;
        if let Some(promise) = R::promise(puzzle.frame()) {
            let (name, path_dependent) = (R::NAME, R::PATH_DEPENDENT);
            let trial = Trial { name, promise, path_dependent, distances };
            self.tried.push((name, trial.run(puzzle, &R::build(puzzle.frame()))));
        }
    }
}

/// Asks whether there are steps.
struct HasSteps;

impl StepsVisitor for HasSteps {
    type Output = ();

    fn visit<S: Steps>(self, _: &S, _: StepsRoot<'_, S::Value>) {}
}

/// Tries one of them.
struct Trial<'a, P: Puzzle> {
    name: &'static str,
    promise: Promise,
    path_dependent: bool,
    distances: &'a HashMap<P::Key, u32>,
}

impl<P: Puzzle> Trial<'_, P> {
    /// Whether it was seen to be too high.
    fn run<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) -> bool {
        let (frame, promise) = (puzzle.frame(), self.promise);
        let what = format!("{} on {}", self.name, frame.id());
        let h = |state| heuristic.estimate(heuristic.evaluate(puzzle, state));
        assert_eq!(h(puzzle.goal()), 0, "{what} at the goal");
        let too_high = |state, value| {
            let distance = self.distances.get(&puzzle.key(state));
            u32::from(distance.is_some_and(|&distance| heuristic.estimate(value) > distance))
        };
        let (mut overestimates, mut jumps, mut path_matters) = (0, 0, false);
        let mut check = |state| {
            let value = heuristic.evaluate(puzzle, state);
            overestimates += too_high(state, value);
            let estimate = heuristic.estimate(value);
            let of_estimate = heuristic.unit_value(estimate);
            assert!(of_estimate.is_none_or(|of_estimate| of_estimate == value), "{what}");
            let root = StepsRoot { value, labels: &puzzle.labels(state), budget: estimate };
            let has_steps = heuristic.unit_steps(root, HasSteps).is_some();
            assert!(!has_steps || (estimate == 0) == (state == puzzle.goal()), "{what}");
            let by_one = of_estimate.is_some() || has_steps;
            let all_after = heuristic.after(puzzle, value, state);
            let moves = puzzle.legal(state);
            for most in 0..9 {
                let near = |&m: &Move| heuristic.estimate(all_after.value(m)) <= most;
                let within = all_after.within(moves, most);
                assert!(within.is_none_or(|within| within.eq(moves.filter(near))), "{what}");
            }
            for m in moves {
                let child = puzzle.apply(state, m);
                let after = heuristic.update(puzzle, value, state, m);
                assert_eq!(after, all_after.value(m), "{what}: one by one and together");
                let scratch = heuristic.evaluate(puzzle, child);
                assert_eq!(after, scratch, "{what}: incremental and full");
                path_matters |= heuristic.estimate(after) != heuristic.estimate(scratch);
                overestimates += too_high(child, after);
                let after = heuristic.estimate(after);
                jumps += u32::from(estimate > after + 1);
                assert!(!by_one || estimate.abs_diff(after) == 1, "{what}: steps of one");
            }
        };
        self.distances.keys().for_each(|&key| check(puzzle.state(key)));
        // Far from the goal no distance is known, but a consistent heuristic that is 0 at the
        // goal is admissible.
        let mut dice = Dice::new(1);
        (0..20).for_each(|_| check(dice.walk(puzzle, 500)));
        assert_eq!(path_matters, self.path_dependent, "{what}: does the path matter?");
        assert!(!promise.admissible || overestimates == 0, "{what}: {overestimates} too high");
        assert!(!promise.consistent || jumps == 0, "{what}: {jumps} edges drop by more than one");
        assert!(promise.admissible || !promise.consistent, "{what}: consistent is more");
        overestimates > 0
    }
}

/// What is not in the registry is tested by nobody and found by nobody.
#[test]
fn every_file_with_a_heuristic_is_registered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/heuristic");
    let lines = fs::read_to_string(folder.join("registry.rs")).unwrap();
    let mut registered = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        // Parts of a heuristic are in a folder of its name.
        if path.is_dir() {
            continue;
        }
        let file = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        // Indented or commented ones are examples; a partition with a name is a heuristic.
        let types = text.lines().filter_map(|line| {
            let of_a_heuristic = line.strip_prefix("impl NamedHeuristic for ");
            of_a_heuristic.or_else(|| line.strip_prefix("impl NamedPartition for "))
        });
        for name in types.map(|rest| rest.trim_end_matches(" {")) {
            let line = format!("    visitor.visit::<super::{file}::{name}>();\n");
            assert!(lines.contains(&line), "{name} of {file}.rs is not in registry.rs");
            registered += 1;
        }
    }
    assert_eq!(registered, HeuristicKind::built_in().len());
}

/// Sliding puzzles with other goals than the default: the blank last, and in the middle.
fn other_goals() -> Vec<AnyPuzzle> {
    let middle = [
        ("sliding:2x3", "1 2 3 / 4 0 5"),
        ("sliding3", "8 1 2 / 3 0 4 / 5 6 7"),
        ("sliding:3x4", "1 2 3 4 / 5 6 0 7 / 8 9 10 11"),
        ("sliding4", "1 2 3 4 / 5 0 6 7 / 8 9 10 11 / 12 13 15 14"),
    ];
    let board = |text: &str| text::parse_one("goal", text.as_bytes(), None).unwrap().board;
    let goals = middle.map(|(id, text)| [(id, Goal::BlankLast), (id, Goal::Board(board(text)))]);
    let puzzle =
        |(id, goal)| AnyPuzzle::new(puzzles::define(id).unwrap(), goal, Simd::detect()).unwrap();
    goals.into_iter().flatten().map(puzzle).collect()
}

#[test]
fn all_keep_their_promises_on_large_and_narrow_grids() {
    for puzzle in large_and_narrow_puzzles() {
        puzzle.visit(Conformance { boards: 300 });
    }
}

#[test]
fn all_keep_their_promises() {
    let puzzles: Vec<AnyPuzzle> = all_puzzles().into_iter().chain(other_goals()).collect();
    let trials: Vec<_> =
        puzzles.iter().flat_map(|puzzle| puzzle.visit(Conformance { boards: 20_000 })).collect();
    for kind in HeuristicKind::built_in() {
        let promised = |puzzle: &AnyPuzzle| kind.promise(puzzle.frame()).ok();
        let promises: Vec<Promise> = puzzles.iter().filter_map(promised).collect();
        assert!(!promises.is_empty(), "{} applies to no puzzle", kind.name());
        let refuted = trials.contains(&(kind.name(), true));
        let doubted = promises.iter().any(|promise| !promise.admissible);
        assert_eq!(refuted, doubted, "{} is refuted just where it says so", kind.name());
    }
}

#[test]
fn all_keep_their_promises_on_every_board_of_small_puzzles() {
    for id in ["sliding3", "torus3", "torus:2x4"] {
        let puzzle = AnyPuzzle::from_id(id).unwrap();
        assert!(!puzzle.visit(Conformance { boards: usize::MAX }).is_empty(), "{id}");
    }
}

/// The estimate of a board given as text.
fn estimate(puzzle: &AnyPuzzle, name: &str, board: &str) -> Option<u32> {
    let board = text::parse_one("board", board.as_bytes(), None).unwrap().board;
    let kind: HeuristicKind = name.parse().unwrap();
    let estimator = kind.build(puzzle, &TableSource::default()).ok()?;
    Some(estimator.estimate(&puzzle.frame().encode(&board).unwrap()))
}

#[test]
fn known_estimates() {
    let check = |id: &str, board: &str, expected: &[(&str, Option<u32>)]| {
        let puzzle = AnyPuzzle::from_id(id).unwrap();
        for &(name, expected) in expected {
            assert_eq!(estimate(&puzzle, name, board), expected, "{name} on {id}: {board}");
        }
    };
    // The first of Korf's boards, 57 moves from the goal.
    let korf = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    check(
        "sliding4",
        korf,
        &[
            ("misplaced", Some(15)),
            ("manhattan", Some(41)),
            ("euclidean", Some(35)),
            ("linear-conflict", Some(43)),
            ("walking-distance", Some(43)),
            ("inversion-distance", Some(47)),
            ("max-of", Some(47)),
            ("circular-manhattan-axes", None),
            ("tuned-manhattan", None),
        ],
    );
    // Two moves of the first row: one of the specimens says 2.44.
    check(
        "torus4",
        "3 4 1 2 / 5 6 7 8 / 9 10 11 12 / 13 14 15 16",
        &[
            ("misplaced", Some(4)),
            ("misplaced-max", Some(1)),
            ("circular-manhattan", Some(2)),
            ("circular-manhattan-axes", Some(2)),
            ("walking-distance", Some(2)),
            ("tuned-manhattan", Some(3)),
            ("manhattan", None),
            ("circular-manhattan-last-move", None),
        ],
    );
}
