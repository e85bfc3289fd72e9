//! One estimate of one state, in ns: from scratch, and by an update after a move; the estimates
//! after all moves of a state; and the ways to a Manhattan distance from scratch: the naive loop,
//! look-up tables, SIMD. Every registered heuristic is measured on each puzzle to which it applies.

mod common;
#[path = "common/selection.rs"]
mod selection;

use common::walk;
use criterion::{Criterion, criterion_group, criterion_main};
use permutile::heuristic::registry::{self, Built, HEURISTICS, HeuristicVisitor};
use permutile::heuristic::{After, Heuristic};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::cell_sum::{CellSum, Weigh};
use permutile::puzzle::{AnyPuzzle, Puzzle, PuzzleVisitor};
use selection::Selection;
use std::hint::black_box;

const PUZZLES: &[&str] = &["torus4", "torus5", "rings5", "sliding4", "sliding5"];

/// What is measured of each heuristic.
const MEASURED: [&str; 3] = ["evaluate", "update", "after-all-moves"];

struct BenchHeuristic<'a> {
    criterion: &'a mut Criterion,
    name: &'static str,
}

impl PuzzleVisitor for BenchHeuristic<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let name = self.name;
        let _ = registry::visit(name, puzzle, &Built::default(), self);
    }
}

impl<P: Puzzle> HeuristicVisitor<P> for BenchHeuristic<'_> {
    type Output = ();

    fn visit<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) {
        let walk = walk(puzzle, 1024);
        let mut value = heuristic.evaluate(puzzle, puzzle.goal());
        assert_eq!(heuristic.estimate(value), 0, "nothing is left to do at the goal");
        for &(before, m) in &walk {
            let after = heuristic.after(puzzle, value, before);
            for m in puzzle.legal(before) {
                let updated = heuristic.update(puzzle, value, before, m);
                assert_eq!(after.value(m), updated, "all moves at once and one by one agree");
            }
            value = heuristic.update(puzzle, value, before, m);
            let after = puzzle.apply(before, m);
            assert_eq!(value, heuristic.evaluate(puzzle, after), "update and evaluation agree");
        }
        let [evaluate, update, after_all_moves] = MEASURED;
        let id = format!("heuristics/{}/{}", puzzle.frame().id(), self.name);
        let mut group = self.criterion.benchmark_group(id);
        group.bench_function(evaluate, |b| {
            let mut next = walk.iter().cycle();
            b.iter(|| {
                let &(state, _) = next.next().expect("it cycles");
                heuristic.estimate(heuristic.evaluate(puzzle, black_box(state)))
            });
        });
        let values: Vec<_> =
            walk.iter().map(|&(state, m)| (state, m, heuristic.evaluate(puzzle, state))).collect();
        group.bench_function(update, |b| {
            let mut next = values.iter().cycle();
            b.iter(|| {
                let &(state, m, value) = next.next().expect("it cycles");
                heuristic.estimate(heuristic.update(puzzle, value, black_box(state), m))
            });
        });
        group.bench_function(after_all_moves, |b| {
            let mut next = values.iter().cycle();
            b.iter(|| {
                let &(state, _, value) = next.next().expect("it cycles");
                let after = heuristic.after(puzzle, value, black_box(state));
                let estimates = puzzle.legal(state).map(|m| heuristic.estimate(after.value(m)));
                estimates.sum::<u32>()
            });
        });
        group.finish();
    }
}

/// The (circular) Manhattan distance as a straightforward program computes it, with rows and
/// columns by division for each tile of a plain array; and with wrap-around each way that there
/// is, whichever of them the heuristic uses here.
struct BenchWays<'a> {
    criterion: &'a mut Criterion,
}

impl PuzzleVisitor for BenchWays<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let frame = puzzle.frame();
        let shape = frame.shape();
        let blank = frame.blank_label();
        let (wraps, name) =
            if blank.is_some() { (false, "manhattan") } else { (true, "circular-manhattan") };
        let divisor = if wraps { frame.moves().most_tiles_shifted() } else { 1 };
        let axis = |a: usize, b: usize, length: usize| {
            let straight = a.abs_diff(b);
            if wraps { straight.min(length - straight) } else { straight }
        };
        let (rows, cols) = (black_box(shape.rows()), black_box(shape.cols()));
        let naive = |labels: &[u8]| {
            let tiles = labels.iter().enumerate().filter(|&(_, &label)| Some(label) != blank);
            let sum: usize = tiles
                .map(|(cell, &label)| {
                    let goal = usize::from(label);
                    axis(cell / cols, goal / cols, rows) + axis(cell % cols, goal % cols, cols)
                })
                .sum();
            sum.div_ceil(divisor) as u32
        };
        let walk = walk(puzzle, 1024);
        let boards: Vec<Vec<u8>> = walk.iter().map(|&(state, _)| puzzle.labels(state)).collect();
        let expected: Vec<u32> = boards.iter().map(|labels| naive(labels)).collect();
        let estimates =
            registry::visit(name, puzzle, &Built::default(), Estimates { boards: &boards });
        assert_eq!(estimates.expect("it applies"), expected, "the heuristic is the naive one");
        let mut group = self.criterion.benchmark_group(format!("heuristics/{}/{name}", frame.id()));
        group.bench_function("naive", |b| {
            let mut next = boards.iter().cycle();
            b.iter(|| naive(black_box(next.next().expect("it cycles"))));
        });
        let ways: &[_] =
            if wraps { &[("table", Simd::off()), ("simd", Simd::detect())] } else { &[] };
        for &(way, simd) in ways {
            let distances = CellSum::wrapped(shape, simd);
            let estimate = |state| puzzle.key(state).weigh(&distances).div_ceil(divisor as u32);
            let agree = walk.iter().zip(&expected).all(|(&(state, _), &h)| estimate(state) == h);
            assert!(agree, "{way} and the naive loop agree");
            group.bench_function(way, |b| {
                let mut next = walk.iter().cycle();
                b.iter(|| {
                    let &(state, _) = next.next().expect("it cycles");
                    estimate(black_box(state))
                });
            });
        }
        group.finish();
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
    let selection = Selection::from_arguments();
    for id in PUZZLES {
        let puzzle = AnyPuzzle::from_id(id).expect("a known puzzle");
        puzzle.visit(BenchWays { criterion });
        for entry in HEURISTICS.iter().filter(|entry| !entry.large) {
            // Its tables may take long to build.
            let id = |part| format!("heuristics/{id}/{}/{part}", entry.name);
            if MEASURED.iter().any(|part| selection.includes(&id(part))) {
                puzzle.visit(BenchHeuristic { criterion, name: entry.name });
            }
        }
    }
}

criterion_group!(benches, heuristics);
criterion_main!(benches);
