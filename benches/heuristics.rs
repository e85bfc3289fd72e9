//! One estimate of one state, in ns: from scratch, and by an update after a move; the estimates
//! after all moves of a state; and the ways to a Manhattan distance from scratch: the naive loop,
//! look-up tables, SIMD. Every registered heuristic is measured on each puzzle to which it applies.

mod common;

use common::walk;
use criterion::{Criterion, criterion_group, criterion_main};
use permutile::heuristic::registry::{self, RegistryVisitor};
use permutile::heuristic::{After, Heuristic, NamedHeuristic, OnEveryEngine};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::cell_sum::{CellSum, Weigh};
use permutile::puzzle::{AnyPuzzle, Move, Puzzle, PuzzleVisitor};
use permutile::search::HeuristicKind;
use permutile::table::source::TableSource;
use std::cell::LazyCell;
use std::hint::black_box;

const PUZZLES: &[&str] = &["torus4", "torus5", "rings5", "sliding4", "sliding5"];

/// All heuristics that apply to a puzzle and need no large tables.
struct BenchHeuristics<'a> {
    criterion: &'a mut Criterion,
}

impl PuzzleVisitor for BenchHeuristics<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        registry::visit_all(&mut OnPuzzle { criterion: self.criterion, puzzle });
    }
}

struct OnPuzzle<'a, P> {
    criterion: &'a mut Criterion,
    puzzle: &'a P,
}

impl<P: Puzzle> RegistryVisitor<P> for OnPuzzle<'_, P> {
    fn visit<R: NamedHeuristic<Heuristic: OnEveryEngine + Heuristic<P>> + 'static>(&mut self) {
        // A constant: what is behind it is not compiled for puzzles out of scope.
        if const { R::LARGE || !R::SCOPE.includes(P::HAS_BLANK) } {
            return;
        }
        let frame = self.puzzle.frame();
        if R::promise(frame).is_some() {
            let id = format!("heuristics/{}/{}", frame.id(), R::NAME);
            bench(self.criterion, &id, self.puzzle, || R::build(frame));
        }
    }
}

fn bench<P: Puzzle, H: Heuristic<P>>(
    criterion: &mut Criterion,
    id: &str,
    puzzle: &P,
    build: impl FnOnce() -> H,
) {
    let walk = walk(puzzle, 1024);
    // Tables may take long to build, and are not needed unless the bench is asked for.
    let built = LazyCell::new(|| Built::new(build(), puzzle, &walk));
    let mut group = criterion.benchmark_group(id);
    group.bench_function("evaluate", |b| {
        let Built { heuristic, .. } = &*built;
        let mut next = walk.iter().cycle();
        b.iter(|| {
            let &(state, _) = next.next().expect("it cycles");
            heuristic.estimate(heuristic.evaluate(puzzle, black_box(state)))
        });
    });
    group.bench_function("update", |b| {
        let Built { heuristic, values } = &*built;
        let mut next = values.iter().cycle();
        b.iter(|| {
            let &(state, m, value) = next.next().expect("it cycles");
            heuristic.estimate(heuristic.update(puzzle, value, black_box(state), m))
        });
    });
    group.bench_function("after-all-moves", |b| {
        let Built { heuristic, values } = &*built;
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

/// A heuristic with its tables, and the steps of a walk with the values before them.
struct Built<P: Puzzle, H: Heuristic<P>> {
    heuristic: H,
    values: Vec<(P::State, Move, H::Value)>,
}

impl<P: Puzzle, H: Heuristic<P>> Built<P, H> {
    /// Checks on a walk that what the heuristic says agrees, however it is asked.
    fn new(heuristic: H, puzzle: &P, walk: &[(P::State, Move)]) -> Built<P, H> {
        let mut value = heuristic.evaluate(puzzle, puzzle.goal());
        assert_eq!(heuristic.estimate(value), 0, "nothing is left to do at the goal");
        for &(before, m) in walk {
            let after = heuristic.after(puzzle, value, before);
            for m in puzzle.legal(before) {
                let updated = heuristic.update(puzzle, value, before, m);
                assert_eq!(after.value(m), updated, "all moves at once and one by one agree");
            }
            value = heuristic.update(puzzle, value, before, m);
            let after = puzzle.apply(before, m);
            assert_eq!(value, heuristic.evaluate(puzzle, after), "update and evaluation agree");
        }
        let with_value = |&(state, m)| (state, m, heuristic.evaluate(puzzle, state));
        Built { values: walk.iter().map(with_value).collect(), heuristic }
    }
}

/// The (circular) Manhattan distance as a straightforward program computes it, with rows and
/// columns by division for each tile of a plain array; and with wrap-around each way that there
/// is, whichever of them the heuristic uses here.
struct BenchWays<'a> {
    criterion: &'a mut Criterion,
    puzzle: &'a AnyPuzzle,
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
        let kind: HeuristicKind = name.parse().expect("a known heuristic");
        let heuristic = kind.build(self.puzzle, &TableSource::default()).expect("it applies");
        let estimates: Vec<u32> = boards.iter().map(|labels| heuristic.estimate(labels)).collect();
        assert_eq!(estimates, expected, "the heuristic is the naive one");
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

fn heuristics(criterion: &mut Criterion) {
    for id in PUZZLES {
        let puzzle = AnyPuzzle::from_id(id).expect("a known puzzle");
        puzzle.visit(BenchWays { criterion, puzzle: &puzzle });
        puzzle.visit(BenchHeuristics { criterion });
    }
}

criterion_group!(benches, heuristics);
criterion_main!(benches);
