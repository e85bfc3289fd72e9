//! Solutions tile by tile, and windows: replayed by the checker, and against breadth-first search.

use crate::support::{Dice, plain_distances};
use permutile::board::check;
use permutile::puzzle::arch::Simd;
use permutile::puzzle::{AnyPuzzle, Frame, Goal, Move, Puzzle, PuzzleVisitor, registry};
use permutile::search::windows::{Effort, shorten};
use permutile::search::{Limits, StopReason, constructive};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn replay(frame: &Frame, start: &[u8], moves: &[Move]) {
    let names: Vec<&str> = moves.iter().map(|&m| frame.moves().name(m)).collect();
    let board = frame.decode(start);
    let replayed = check::verify(frame.rules(), &board, &names, frame.goal());
    assert_eq!(replayed, Ok(()), "{} {board}", frame.id());
}

/// A puzzle whose goal is any arrangement at all.
fn with_random_goal(id: &str, dice: &mut Dice) -> AnyPuzzle {
    let define = || registry::define(id).unwrap();
    let plain = AnyPuzzle::new(define(), Goal::Default, Simd::off()).unwrap();
    let goal = plain.frame().decode(&dice.labels(plain.frame()));
    AnyPuzzle::new(define(), Goal::Board(goal), Simd::off()).unwrap()
}

/// Any arrangement that can be solved.
fn solvable(frame: &Frame, dice: &mut Dice) -> Vec<u8> {
    let mut labels = dice.labels(frame);
    if frame.check_solvable(&labels).is_err() {
        let tiles: Vec<usize> =
            (0..labels.len()).filter(|&c| Some(labels[c]) != frame.blank_label()).take(2).collect();
        labels.swap(tiles[0], tiles[1]);
    }
    labels
}

fn solve(frame: &Frame, start: &[u8]) -> Vec<Move> {
    let moves = constructive::solve(frame, start, &Limits::default()).unwrap();
    replay(frame, start, &moves);
    moves
}

#[test]
fn boards_of_all_shapes_with_any_goal_are_solved() {
    let mut dice = Dice::new(1);
    for rows in 2..=6 {
        for cols in 2..=6 {
            for _ in 0..40 {
                let puzzle = with_random_goal(&format!("sliding:{rows}x{cols}"), &mut dice);
                for _ in 0..4 {
                    let start = solvable(puzzle.frame(), &mut dice);
                    solve(puzzle.frame(), &start);
                }
            }
        }
    }
}

#[test]
fn large_and_long_boards_are_solved() {
    let mut dice = Dice::new(2);
    for id in ["sliding10", "sliding16", "sliding:2x20", "sliding:20x2", "sliding:3x30"] {
        for _ in 0..4 {
            let puzzle = with_random_goal(id, &mut dice);
            let start = solvable(puzzle.frame(), &mut dice);
            solve(puzzle.frame(), &start);
        }
    }
    let longest = with_random_goal("sliding:2x128", &mut dice);
    let start = solvable(longest.frame(), &mut dice);
    solve(longest.frame(), &start);
}

/// All boards of a small puzzle, with their distances.
struct AllBoards;

impl PuzzleVisitor for AllBoards {
    type Output = Vec<(Vec<u8>, u32)>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let mut all: Vec<_> = plain_distances(puzzle, usize::MAX / 16).into_iter().collect();
        all.sort_unstable_by_key(|&(key, _)| key);
        all.iter().map(|&(key, d)| (puzzle.labels(puzzle.state(key)), d)).collect()
    }
}

/// What is left of a larger board is solved by a shortest way, so that the smallest are.
#[test]
fn the_smallest_boards_are_solved_by_shortest_ways() {
    let mut dice = Dice::new(3);
    for (id, count, step) in [
        ("sliding2", 12, 1),
        ("sliding:2x3", 360, 1),
        ("sliding:3x2", 360, 1),
        ("sliding3", 181_440, 1),
    ] {
        let puzzle = with_random_goal(id, &mut dice);
        let boards = puzzle.visit(AllBoards);
        assert_eq!(boards.len(), count);
        for (start, distance) in boards.iter().step_by(step) {
            assert_eq!(solve(puzzle.frame(), start).len() as u32, *distance, "{id}");
        }
    }
}

#[test]
fn what_is_solved_already_costs_nothing() {
    let puzzle = AnyPuzzle::from_id("sliding10").unwrap();
    let goal: Vec<u8> = (0..100).collect();
    assert_eq!(solve(puzzle.frame(), &goal), []);
    // The blank goes into the corner and back: the rows on the way stay as they are.
    struct Walk;
    impl PuzzleVisitor for Walk {
        type Output = Vec<u8>;

        fn visit<P: Puzzle>(self, puzzle: &P) -> Vec<u8> {
            let moves = puzzle.frame().moves();
            let [down, right] = ["Down", "Right"].map(|name| moves.by_name(name).unwrap());
            let state = (0..9)
                .fold(puzzle.goal(), |state, _| puzzle.apply(puzzle.apply(state, down), right));
            puzzle.labels(state)
        }
    }
    let length = solve(puzzle.frame(), &puzzle.visit(Walk)).len();
    assert!(length <= 60, "{length}");
}

#[test]
fn limits_are_obeyed() {
    let puzzle = AnyPuzzle::from_id("sliding16").unwrap();
    let start = solvable(puzzle.frame(), &mut Dice::new(4));
    let stopped = |limits: Limits<'_>| constructive::solve(puzzle.frame(), &start, &limits);
    let cancelled = AtomicBool::new(true);
    let some = Limits::default();
    for (limits, reason) in [
        (Limits { nodes: Some(100), ..some }, StopReason::Nodes),
        (Limits { deadline: Some(Instant::now()), ..some }, StopReason::Time),
        (Limits { cancelled: Some(&cancelled), ..some }, StopReason::Cancelled),
        (Limits { bytes: Some(1_000), ..some }, StopReason::Memory),
    ] {
        assert_eq!(stopped(limits), Err(reason));
    }
}

/// A board and a way from it to the goal: a random walk, backwards.
struct WayBack<'a> {
    steps: usize,
    dice: &'a mut Dice,
}

impl PuzzleVisitor for WayBack<'_> {
    type Output = (Vec<u8>, Vec<Move>);

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let mut state = puzzle.goal();
        let mut moves = Vec::new();
        for _ in 0..self.steps {
            let legal: Vec<Move> = puzzle.legal(state).collect();
            let m = legal[self.dice.below(legal.len())];
            state = puzzle.apply(state, m);
            moves.push(puzzle.frame().moves().inverse(m).unwrap());
        }
        moves.reverse();
        (puzzle.labels(state), moves)
    }
}

fn shortened(frame: &Frame, start: &[u8], moves: &[Move], effort: Effort) -> Vec<Move> {
    let mut lengths = vec![moves.len()];
    let mut improved = |path: &[Move]| {
        replay(frame, start, path);
        lengths.push(path.len());
    };
    let limits = Limits::default();
    let shorter = shorten(frame, start, moves.to_vec(), effort, &limits, &mut improved);
    replay(frame, start, &shorter.moves);
    assert!(lengths.is_sorted_by(|before, after| before > after), "{lengths:?}");
    assert_eq!(lengths.last(), Some(&shorter.moves.len()));
    assert_eq!(shorter.stop, None);
    shorter.moves
}

#[test]
fn windows_that_cover_the_whole_path_find_shortest_solutions() {
    let mut dice = Dice::new(5);
    for (id, steps, count) in [
        ("sliding2", 30, 10),
        ("sliding:2x3", 60, 20),
        ("sliding:4x2", 60, 20),
        ("sliding3", 90, 30),
    ] {
        let puzzle = with_random_goal(id, &mut dice);
        let frame = puzzle.frame();
        let boards: std::collections::HashMap<_, _> = puzzle.visit(AllBoards).into_iter().collect();
        for n in 0..count {
            let (start, moves) = puzzle.visit(WayBack { steps: steps + n, dice: &mut dice });
            let effort = Effort { nodes: u64::MAX, threads: 1 };
            let shorter = shorten(frame, &start, moves, effort, &Limits::default(), &mut |_| {});
            assert!(shorter.optimal);
            assert_eq!(shorter.moves.len() as u32, boards[&start], "{id}");
        }
    }
}

#[test]
fn windows_do_not_depend_on_the_number_of_threads() {
    let mut dice = Dice::new(6);
    for (id, nodes) in [("sliding5", 5_000), ("sliding:3x7", 3_000), ("sliding10", 1_000)] {
        let puzzle = with_random_goal(id, &mut dice);
        let start = solvable(puzzle.frame(), &mut dice);
        let long = solve(puzzle.frame(), &start);
        let [one, two, three] = [1, 2, 3]
            .map(|threads| shortened(puzzle.frame(), &start, &long, Effort { nodes, threads }));
        assert!(one.len() < long.len());
        assert_eq!(one, two);
        assert_eq!(one, three);
    }
}

#[test]
fn windows_obey_limits_and_never_lengthen() {
    let mut dice = Dice::new(7);
    let puzzle = with_random_goal("sliding6", &mut dice);
    let frame = puzzle.frame();
    let start = solvable(frame, &mut dice);
    let long = solve(frame, &start);
    let cancelled = AtomicBool::new(true);
    for (limits, reason) in [
        (Limits { nodes: Some(10_000), ..Limits::default() }, StopReason::Nodes),
        (Limits { deadline: Some(Instant::now()), ..Limits::default() }, StopReason::Time),
        (Limits { cancelled: Some(&cancelled), ..Limits::default() }, StopReason::Cancelled),
    ] {
        let effort = Effort { nodes: u64::MAX, threads: 2 };
        let shorter = shorten(frame, &start, long.clone(), effort, &limits, &mut |_| {});
        assert_eq!(shorter.stop, Some(reason));
        assert!(shorter.moves.len() <= long.len() && !shorter.optimal);
        assert!(limits.nodes.is_none_or(|most| shorter.expanded <= most));
        replay(frame, &start, &shorter.moves);
    }
    let empty = shorten(
        frame,
        &(0..36).collect::<Vec<u8>>(),
        Vec::new(),
        Effort { nodes: 1, threads: 1 },
        &Limits::default(),
        &mut |_| {},
    );
    assert!(empty.moves.is_empty() && empty.optimal);
}
