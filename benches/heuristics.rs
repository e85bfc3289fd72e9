//! One estimate of one state, in ns: the plain loop, the look-up tables, and the update
//! after a move. Every registered heuristic is measured on each puzzle to which it applies.

mod common;

use common::walk;
use criterion::{Criterion, criterion_group, criterion_main};
use permutile::heuristic::Heuristic;
use permutile::heuristic::registry::{self, HEURISTICS, HeuristicVisitor};
use permutile::puzzle::{AnyPuzzle, Puzzle, PuzzleVisitor};
use std::hint::black_box;

const PUZZLES: &[&str] = &["torus4", "torus5", "rings5", "sliding4", "sliding5"];

struct BenchHeuristic<'a> {
    criterion: &'a mut Criterion,
    name: &'static str,
}

impl PuzzleVisitor for BenchHeuristic<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let name = self.name;
        let _ = registry::visit(name, puzzle, self);
    }
}

impl<P: Puzzle> HeuristicVisitor<P> for BenchHeuristic<'_> {
    type Output = ();

    fn visit<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) {
        let walk = walk(puzzle, 1024);
        let mut value = heuristic.evaluate(puzzle, puzzle.goal());
        for &(before, m) in &walk {
            value = heuristic.update(puzzle, value, before, m);
            let after = puzzle.apply(before, m);
            assert_eq!(value, heuristic.evaluate(puzzle, after), "update and evaluation agree");
        }
        let id = format!("heuristics/{}/{}", puzzle.frame().id(), self.name);
        let mut group = self.criterion.benchmark_group(id);
        group.bench_function("evaluate", |b| {
            let mut next = walk.iter().cycle();
            b.iter(|| {
                let &(state, _) = next.next().expect("it cycles");
                heuristic.estimate(heuristic.evaluate(puzzle, black_box(state)))
            });
        });
        let values: Vec<_> =
            walk.iter().map(|&(state, m)| (state, m, heuristic.evaluate(puzzle, state))).collect();
        group.bench_function("update", |b| {
            let mut next = values.iter().cycle();
            b.iter(|| {
                let &(state, m, value) = next.next().expect("it cycles");
                heuristic.estimate(heuristic.update(puzzle, value, black_box(state), m))
            });
        });
        group.finish();
    }
}

/// What a straightforward program does: rows and columns by division, for each tile.
struct BenchPlainLoop<'a> {
    criterion: &'a mut Criterion,
}

impl PuzzleVisitor for BenchPlainLoop<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let frame = puzzle.frame();
        let (wraps, name) = if frame.blank_label().is_some() {
            (false, "manhattan")
        } else {
            (true, "circular-manhattan")
        };
        let boards: Vec<Vec<u8>> =
            walk(puzzle, 1024).iter().map(|&(state, _)| puzzle.labels(state)).collect();
        let (rows, cols) = (frame.shape().rows(), frame.shape().cols());
        let blank = frame.blank_label();
        let divisor = if wraps { frame.moves().most_tiles_shifted() } else { 1 };
        let axis = |a: usize, b: usize, length: usize| {
            let straight = a.abs_diff(b);
            if wraps { straight.min(length - straight) } else { straight }
        };
        let plain = |labels: &[u8]| {
            let tiles = labels.iter().enumerate().filter(|&(_, &label)| Some(label) != blank);
            let sum: usize = tiles
                .map(|(cell, &label)| {
                    let goal = usize::from(label);
                    axis(cell / cols, goal / cols, rows) + axis(cell % cols, goal % cols, cols)
                })
                .sum();
            sum.div_ceil(divisor) as u32
        };
        let estimates = registry::visit(name, puzzle, Estimates { boards: &boards });
        let agree = estimates.expect("it applies").iter().zip(&boards).all(|(&h, b)| h == plain(b));
        assert!(agree, "the plain loop and the tables agree");
        self.criterion.bench_function(
            &format!("heuristics/{}/{name}/plain-loop", frame.id()),
            |b| {
                let mut next = boards.iter().cycle();
                b.iter(|| plain(black_box(next.next().expect("it cycles"))));
            },
        );
    }
}

struct Estimates<'a> {
    boards: &'a [Vec<u8>],
}

impl<P: Puzzle> HeuristicVisitor<P> for Estimates<'_> {
    type Output = Vec<u32>;

    fn visit<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) -> Vec<u32> {
        let estimate = |labels: &Vec<u8>| {
            heuristic.estimate(heuristic.evaluate(puzzle, puzzle.state_of(labels)))
        };
        self.boards.iter().map(estimate).collect()
    }
}

fn heuristics(criterion: &mut Criterion) {
    for id in PUZZLES {
        let puzzle = AnyPuzzle::from_id(id).expect("a known puzzle");
        puzzle.visit(BenchPlainLoop { criterion });
        for entry in HEURISTICS {
            puzzle.visit(BenchHeuristic { criterion, name: entry.name });
        }
    }
}

criterion_group!(benches, heuristics);
criterion_main!(benches);
