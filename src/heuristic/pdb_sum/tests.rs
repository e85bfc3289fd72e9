//! What the scorer carries along, against sums from scratch.

use super::*;
use crate::board::text;
use crate::heuristic::scorer::{Child, NO_MOVE, Parents};
use crate::limits::Limits;
use crate::puzzle::arch::Simd;
use crate::puzzle::{AnyPuzzle, Goal, PuzzleVisitor, registry};
use std::collections::HashMap;
use std::time::Instant;

fn puzzle(id: &str, goal: Goal) -> AnyPuzzle {
    AnyPuzzle::new(registry::define(id).unwrap(), goal, Simd::off()).unwrap()
}

fn goal(board: &str) -> Goal {
    Goal::Board(text::parse_one("goal", board.as_bytes(), None).unwrap().board)
}

fn sum_of(frame: &Frame, tiles: usize) -> PdbSum {
    let size = ScoreSize::new(frame, tiles).unwrap();
    PdbSum::with_size(frame, size, &TableSource::default()).unwrap()
}

/// Walks at random with patterns of so many tiles.
struct Walk {
    tiles: usize,
    steps: usize,
}

impl Walk {
    /// A node as it is made from scratch, and its score.
    fn begun(sum: &PdbSum, labels: &[u8]) -> (Vec<u64>, u32) {
        let mut node = vec![u64::MAX; sum.node_words()];
        let score = sum.begin(labels, &mut node);
        (node, score)
    }
}

impl PuzzleVisitor for Walk {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let sum = sum_of(puzzle.frame(), self.tiles);
        let what = format!("{}, {} tiles", puzzle.frame().id(), self.tiles);
        let (mut state, mut last, mut random) = (puzzle.goal(), NO_MOVE, 1_u64);
        let mut value = 0;
        let (mut layer, mut scores, mut lasts) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.steps {
            let (node, score) = Walk::begun(&sum, &puzzle.labels(state));
            assert_eq!(Heuristic::<P>::evaluate(&sum, puzzle, state), score, "{what}");
            assert_eq!(value, score, "{what}: incremental and full");
            assert_eq!(score == 0, state == puzzle.goal(), "{what}");
            let parents = Parents { nodes: &node, first: 0, scores: &[score], last: &[last] };
            let mut children = Vec::new();
            let generated = sum.children(parents, u32::MAX, &mut children);
            let moves: Vec<Move> = children.iter().map(|child| child.m).collect();
            let is_back = |m: Move| sum.inverse.get(usize::from(last)) == Some(&m.0);
            let legal = puzzle.legal(state).filter(|&m| !is_back(m));
            assert!(moves.iter().copied().eq(legal), "{what}: {moves:?} after {last}");
            assert_eq!(generated, moves.len() as u64, "{what}");
            let mut made = vec![u64::MAX; children.len() * node.len()];
            sum.make(&node, &children, &mut made);
            for (child, made) in children.iter().zip(made.chunks(node.len())) {
                let labels = puzzle.labels(puzzle.apply(state, child.m));
                assert_eq!(sum.labels(made), labels, "{what}");
                // Whatever the path, the same board is the same node.
                assert_eq!((made.to_vec(), child.score), Walk::begun(&sum, &labels), "{what}");
                assert_eq!(made[0], child.hash, "{what}");
            }
            layer.extend(&node);
            scores.push(score);
            lasts.push(last);
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let m = moves[(random >> 33) as usize % moves.len()];
            value = Heuristic::<P>::update(&sum, puzzle, value, state, m);
            (state, last) = (puzzle.apply(state, m), m.0);
        }
        let children_of = |range: std::ops::Range<usize>, most: u32| {
            let words = sum.node_words();
            let mut children = Vec::new();
            let parents = Parents {
                nodes: &layer[range.start * words..range.end * words],
                first: range.start as u32,
                scores: &scores[range.clone()],
                last: &lasts[range],
            };
            (sum.children(parents, most, &mut children), children)
        };
        let all = 0..self.steps;
        let one_by_one: Vec<Child> =
            all.clone().flat_map(|at| children_of(at..at + 1, u32::MAX).1).collect();
        let most = scores[self.steps / 2];
        let (generated, few) = children_of(all, most);
        assert_eq!(generated, one_by_one.len() as u64, "{what}");
        let expected = one_by_one.iter().filter(|child| child.score <= most);
        assert!(few.iter().eq(expected), "{what}: all together and one by one");
        let mut made = vec![0; few.len() * sum.node_words()];
        sum.make(&layer, &few, &mut made);
        for (child, made) in few.iter().zip(made.chunks(sum.node_words())) {
            let (node, score) = Walk::begun(&sum, &sum.labels(made));
            assert_eq!((made, child.score), (&node[..], score), "{what}");
        }
    }
}

#[test]
fn nodes_along_walks_are_those_made_from_scratch() {
    let middle =
        [("sliding3", "8 1 2 / 3 0 4 / 5 6 7"), ("sliding:3x4", "1 2 3 4 / 5 6 0 7 / 8 9 10 11")];
    for (id, tiles) in [
        ("sliding2", 3),
        ("sliding3", 4),
        ("sliding:2x5", 4),
        ("sliding:3x5", 3),
        ("sliding:5x3", 5),
        ("sliding4", 5),
        ("sliding5", 4),
        ("sliding6", 3),
        ("sliding7", 3),
        ("sliding10", 2),
        ("sliding16", 1),
    ] {
        for goal in [Goal::BlankFirst, Goal::BlankLast] {
            puzzle(id, goal).visit(Walk { tiles, steps: 100 });
        }
    }
    for (id, board) in middle {
        puzzle(id, goal(board)).visit(Walk { tiles: 3, steps: 100 });
    }
}

/// Compares estimates with distances on all boards.
struct Audit(usize);

impl PuzzleVisitor for Audit {
    /// How much of the distances the estimates are, in all.
    type Output = f64;

    fn visit<P: Puzzle>(self, puzzle: &P) -> f64 {
        let sum = sum_of(puzzle.frame(), self.0);
        let h = |state| {
            let value = Heuristic::<P>::evaluate(&sum, puzzle, state);
            assert_eq!(value as usize % sum.sides.len(), 0, "both sides have the board's parity");
            Heuristic::<P>::estimate(&sum, value)
        };
        let mut distances = HashMap::from([(puzzle.key(puzzle.goal()), 0_u32)]);
        let (mut layer, mut distance, mut of_all) = (vec![puzzle.goal()], 0, (0_u64, 0_u64));
        while !layer.is_empty() {
            let mut next = Vec::new();
            for &state in &layer {
                let estimate = h(state);
                assert!(estimate <= distance);
                of_all = (of_all.0 + u64::from(estimate), of_all.1 + u64::from(distance));
                for m in puzzle.legal(state) {
                    let after = puzzle.apply(state, m);
                    distances.entry(puzzle.key(after)).or_insert_with(|| {
                        next.push(after);
                        distance + 1
                    });
                }
            }
            (layer, distance) = (next, distance + 1);
        }
        of_all.0 as f64 / of_all.1 as f64
    }
}

#[test]
fn larger_patterns_say_more_and_never_too_much() {
    let puzzle = puzzle("sliding:2x4", Goal::BlankLast);
    let shares: Vec<f64> = (1..=6).map(|tiles| puzzle.visit(Audit(tiles))).collect();
    assert!(shares[0] < shares[3] && shares[3] < shares[5] && shares[5] < 1.0, "{shares:?}");
}

#[test]
fn sizes_grow_and_obey_limits() {
    for id in [
        "sliding2",
        "sliding:2x3",
        "sliding4",
        "sliding5",
        "sliding6",
        "sliding7",
        "sliding10",
        "sliding16",
        "sliding:2x128",
        "sliding:3x30",
    ] {
        let puzzle = puzzle(id, Goal::Default);
        let sizes = sizes(puzzle.frame());
        assert!(!sizes.is_empty(), "{id}");
        assert!(sizes.is_sorted_by_key(|size| (size.tiles, size.build_time)), "{id}: {sizes:?}");
        let quick = PdbSum::quick(puzzle.frame(), &TableSource::default()).unwrap();
        assert_eq!(quick.size(), &sizes[0]);
        let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        let few = Limits { bytes: Some(1 << 10), ..Limits::default() };
        for (limits, reason) in [(late, StopReason::Time), (few, StopReason::Memory)] {
            let tables = TableSource { cache: None, limits };
            let stopped = PdbSum::with_size(puzzle.frame(), sizes[0].clone(), &tables);
            assert_eq!(stopped.err(), Some(reason), "{id}");
        }
    }
}
