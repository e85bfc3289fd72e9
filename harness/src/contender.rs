//! A heuristic that takes part: one estimate of one state, from scratch and by an update after a
//! move; and the estimates after all moves of a state.

use crate::{Session, Ways, group_id, walk};
use criterion::Throughput;
use permutile::heuristic::formula::Formula;
use permutile::heuristic::{After, Heuristic, NamedHeuristic, OnEveryEngine};
use permutile::puzzle::{AnyPuzzle, Frame, Move, Puzzle};
use permutile::search::HeuristicKind;
use std::cell::LazyCell;
use std::hint::black_box;
use std::marker::PhantomData;

/// A heuristic on every engine.
pub(crate) trait Contender {
    fn kind(&self) -> &HeuristicKind;

    /// Measures its estimates on a puzzle to which it applies, without SIMD as well or not.
    fn bench(&self, session: &mut Session, ways: &Ways, with_scalar: bool);
}

/// Runs the same code on whichever engine it is, compiled for those of small puzzles alone.
macro_rules! on_small_engine {
    ($ways:expr, ($puzzle:ident, $scalar:ident) => $code:expr) => {
        match ($ways.puzzle.clone(), $ways.scalar.clone()) {
            (AnyPuzzle::PermutingNibbles($puzzle), AnyPuzzle::PermutingNibbles($scalar)) => $code,
            (AnyPuzzle::PermutingQuints($puzzle), AnyPuzzle::PermutingQuints($scalar)) => $code,
            (AnyPuzzle::SlidingNibbles($puzzle), AnyPuzzle::SlidingNibbles($scalar)) => $code,
            (AnyPuzzle::SlidingQuints($puzzle), AnyPuzzle::SlidingQuints($scalar)) => $code,
            _ => unreachable!("no puzzle that is measured has more than 25 cells"),
        }
    };
}

/// A heuristic that is a type.
pub(crate) struct OfType<R> {
    kind: HeuristicKind,
    of: PhantomData<R>,
}

impl<R: NamedHeuristic<Heuristic: OnEveryEngine> + 'static> OfType<R> {
    pub(crate) fn new(kind: HeuristicKind) -> OfType<R> {
        OfType { kind, of: PhantomData }
    }

    /// One of another crate.
    pub(crate) fn foreign() -> OfType<R> {
        OfType::new(HeuristicKind::of::<R>())
    }
}

impl<R: NamedHeuristic<Heuristic: OnEveryEngine> + 'static> Contender for OfType<R> {
    fn kind(&self) -> &HeuristicKind {
        &self.kind
    }

    fn bench(&self, session: &mut Session, ways: &Ways, with_scalar: bool) {
        on_small_engine!(ways, (puzzle, scalar) => bench_type::<R, _>(session, &*puzzle, with_scalar.then_some(&*scalar)));
    }
}

fn bench_type<R, P>(session: &mut Session, puzzle: &P, scalar: Option<&P>)
where
    R: NamedHeuristic<Heuristic: Heuristic<P>>,
    P: Puzzle,
{
    // A constant: what is behind it is not compiled for puzzles out of scope.
    if const { R::SCOPE.includes(P::HAS_BLANK) } {
        bench(session, R::NAME, puzzle, scalar, &R::build);
    }
}

/// A heuristic of a file.
pub(crate) struct OfFile {
    kind: HeuristicKind,
    formula: Formula,
}

impl OfFile {
    pub(crate) fn new(formula: Formula) -> OfFile {
        OfFile { kind: HeuristicKind::from_formula(formula.clone()), formula }
    }
}

impl Contender for OfFile {
    fn kind(&self) -> &HeuristicKind {
        &self.kind
    }

    fn bench(&self, session: &mut Session, ways: &Ways, with_scalar: bool) {
        let build = |frame: &Frame| self.formula.build(frame).expect("it applies");
        let name = self.kind.name();
        on_small_engine!(ways, (puzzle, scalar) => bench(session, name, &*puzzle, with_scalar.then_some(&*scalar), &build));
    }
}

fn bench<P: Puzzle, H: Heuristic<P>>(
    session: &mut Session,
    name: &str,
    puzzle: &P,
    scalar: Option<&P>,
    build: &dyn Fn(&Frame) -> H,
) {
    let id = group_id(puzzle.frame().id(), name);
    let note = |way: &str| session.measured.borrow_mut().insert(format!("{id}/{way}"));
    let steps = walk(puzzle, 1024);
    // Tables may take long to build, and are not needed unless the bench is asked for.
    let built = LazyCell::new(|| Built::new(build(puzzle.frame()), puzzle, &steps));
    let mut group = session.criterion.benchmark_group(&id);
    group.throughput(Throughput::Elements(1));
    group.bench_function("evaluate", |b| {
        note("evaluate");
        let Built { heuristic, .. } = &*built;
        let mut next = steps.iter().cycle();
        b.iter(|| {
            let &(state, _) = next.next().expect("it cycles");
            heuristic.estimate(heuristic.evaluate(puzzle, black_box(state)))
        });
    });
    if let Some(scalar) = scalar {
        group.bench_function("table", |b| {
            note("table");
            let heuristic = build(scalar.frame());
            let estimate = |state| heuristic.estimate(heuristic.evaluate(scalar, state));
            for &(state, _) in &steps {
                let by_simd = built.heuristic.evaluate(puzzle, state);
                let agree = estimate(state) == built.heuristic.estimate(by_simd);
                assert!(agree, "{name}: with SIMD and without is the same");
            }
            let mut next = steps.iter().cycle();
            b.iter(|| {
                let &(state, _) = next.next().expect("it cycles");
                estimate(black_box(state))
            });
        });
    }
    group.bench_function("update", |b| {
        note("update");
        let Built { heuristic, values } = &*built;
        let mut next = values.iter().cycle();
        b.iter(|| {
            let &(state, m, value) = next.next().expect("it cycles");
            heuristic.estimate(heuristic.update(puzzle, value, black_box(state), m))
        });
    });
    if const { !P::HAS_BLANK } {
        let moves = puzzle.legal(puzzle.goal()).len() as u64;
        group.throughput(Throughput::Elements(moves));
    }
    group.bench_function("after-all-moves", |b| {
        note("after-all-moves");
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
