//! What a heuristic is worth: IDA* on fixed boards, as `permutile compare` runs it, and the mean
//! estimate of random ones.

use crate::{Session, group_id, measuring};
use criterion::Throughput;
use permutile::board::text::{self, Entry, Form, TextOptions};
use permutile::lab::compare::{ComparePlan, Row, compare};
use permutile::lab::estimate_sample::sample_estimates;
use permutile::lab::input::Item;
use permutile::lab::solvers::Solvers;
use permutile::puzzle::{Goal, arch::Simd};
use permutile::search::ida::IDA;
use permutile::search::{HeuristicKind, Limits, SearchOptions, Silent};
use permutile::solver::{Answer, Solver};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// A puzzle, with the heuristic that others are compared with, and boards with known lengths.
pub(crate) struct Subject {
    pub(crate) puzzle: &'static str,
    pub(crate) baseline: &'static str,
    pub(crate) boards: &'static str,
}

/// A puzzle's boards, ready to be solved.
pub(crate) struct Solving<'a> {
    pub(crate) subject: &'a Subject,
    solvers: Solvers,
    entries: Vec<Entry>,
    /// What was solved with each heuristic.
    rows: RefCell<BTreeMap<String, Row>>,
}

/// How many nodes may be expanded for a board.
pub(crate) fn max_nodes() -> u64 {
    if measuring() { 500_000 } else { 1_000 }
}

/// How many random boards are estimated.
pub(crate) fn sample() -> u64 {
    if measuring() { 100_000 } else { 100 }
}

impl Subject {
    pub(crate) fn prepare(&self) -> Solving<'_> {
        let solvers = Solvers::new(Some(self.puzzle), Goal::Default, Simd::detect());
        let solvers = solvers.expect("a known puzzle");
        let options = TextOptions { shape: solvers.shape(), form: Form::Collection };
        let entries = text::parse(self.puzzle, self.boards.as_bytes(), &options).into_iter();
        let entries = entries.map(|entry| entry.expect("a board")).collect();
        Solving { subject: self, solvers, entries, rows: RefCell::default() }
    }
}

impl Solving<'_> {
    pub(crate) fn boards(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn solver(&self) -> &Solver {
        let board = &self.entries[0].board;
        self.solvers.for_board(board).expect("it is a board of the puzzle")
    }

    fn options(&self, kind: &HeuristicKind) -> SearchOptions<'static> {
        SearchOptions {
            algorithm: (&IDA).into(),
            heuristic: Some(kind.clone()),
            limits: Limits { nodes: Some(max_nodes()), ..Limits::default() },
            threads: 1,
            ..SearchOptions::default()
        }
    }

    /// IDA* with a heuristic on all boards. Lengths must be those that are known.
    pub(crate) fn row(&self, kind: &HeuristicKind) -> Row {
        let mut rows = self.rows.borrow_mut();
        rows.entry(kind.name().to_owned()).or_insert_with(|| self.solve(kind)).clone()
    }

    fn solve(&self, kind: &HeuristicKind) -> Row {
        let item = |entry: &Entry| {
            let name = entry.name.clone().unwrap_or_default();
            Item { name, entry: Ok(entry.clone()) }
        };
        let plan = ComparePlan {
            heuristics: vec![kind.clone()],
            options: self.options(kind),
            workers: 1,
            sample: 0,
            ..ComparePlan::default()
        };
        let items = self.entries.iter().map(item).collect();
        let compared = compare(items, &self.solvers, &plan, &AtomicBool::new(false), &|_| ());
        let mut compared = compared.unwrap_or_else(|error| panic!("{}: {error}", kind.name()));
        assert!(compared.contradictions.is_empty(), "{}", compared.contradictions.join("\n"));
        compared.puzzles.remove(0).groups.remove(0).rows.remove(0)
    }

    /// The mean estimate of random boards.
    pub(crate) fn mean_h(&self, kind: &HeuristicKind) -> f64 {
        let kinds = std::slice::from_ref(kind);
        let cancelled = AtomicBool::new(false);
        let sampled = sample_estimates(self.solver(), kinds, sample(), 0, &cancelled);
        sampled.expect("it applies")[0].mean()
    }

    /// Measures the time to solve all boards, if they are within reach.
    pub(crate) fn bench(&self, session: &mut Session, kind: &HeuristicKind) {
        let group_id = group_id(self.subject.puzzle, kind.name());
        let id = format!("{group_id}/solve");
        if !session.selection.includes(&id) {
            return;
        }
        let row = self.row(kind);
        session.note(&id);
        if row.solved < self.boards() {
            return;
        }
        let solver = self.solver();
        let options = self.options(kind);
        let mut group = session.criterion.benchmark_group(&group_id);
        let nodes = row.generated.unwrap_or(0.0) * row.solved as f64;
        group.throughput(Throughput::Elements(nodes.round() as u64));
        group.bench_function("solve", |b| {
            b.iter(|| {
                for entry in &self.entries {
                    let answer = solver.solve(&entry.board, &options, &mut Silent);
                    let Ok(Answer::Searched(report)) = answer else { panic!("it was solved") };
                    assert!(report.solution.is_some(), "it was solved before");
                }
            });
        });
        group.finish();
    }
}
