//! What the benches of whole searches share: boards with known lengths, and a stopwatch that does
//! not count the building of tables.

use permutile::board::text::{self, Entry, Form, TextOptions};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::{Definition, Goal};
use permutile::search::{
    Aim, AlgorithmChoice, HeuristicKind, Limits, Observer, Prune, SearchOptions, Statistics,
};
use permutile::solver::{Answer, Solver};
use std::time::{Duration, Instant};

/// A puzzle with some of its boards.
pub(crate) struct Boards {
    pub(crate) solver: Solver,
    pub(crate) entries: Vec<Entry>,
}

impl Boards {
    /// Reads boards, one a line with name and length.
    pub(crate) fn new(definition: Definition, text: &str) -> Boards {
        let options = TextOptions { shape: Some(definition.shape), form: Form::Collection };
        let entries = text::parse("bench", text.as_bytes(), &options);
        Boards {
            solver: Solver::new(definition, Goal::Default, Simd::detect()).expect("a goal"),
            entries: entries.into_iter().map(|entry| entry.expect("a board")).collect(),
        }
    }
}

pub(crate) fn name(entry: &Entry) -> &str {
    entry.name.as_deref().expect("a name")
}

pub(crate) fn known_length(entry: &Entry) -> usize {
    entry.known_length.expect("a known length") as usize
}

/// What solves boards.
pub(crate) struct Method {
    pub(crate) algorithm: AlgorithmChoice,
    pub(crate) heuristic: Option<HeuristicKind>,
    pub(crate) threads: usize,
}

/// A solution that was found, and what it took.
pub(crate) struct Solved {
    pub(crate) time: Duration,
    pub(crate) statistics: Statistics,
}

impl Method {
    pub(crate) fn new(algorithm: &str, heuristic: &str) -> Method {
        let algorithm = algorithm.parse().expect("a known algorithm");
        let heuristic = heuristic.parse().expect("a known heuristic");
        Method { algorithm, heuristic: Some(heuristic), threads: 1 }
    }

    /// Solves a board, and checks the length against the known one; `None` if that takes more
    /// than so many expanded nodes.
    pub(crate) fn solve(
        &self,
        solver: &Solver,
        entry: &Entry,
        nodes: Option<u64>,
    ) -> Option<Solved> {
        self.solve_pruning(Prune::default(), solver, entry, nodes)
    }

    /// The same, leaving out more.
    pub(crate) fn solve_pruning(
        &self,
        prune: Prune,
        solver: &Solver,
        entry: &Entry,
        nodes: Option<u64>,
    ) -> Option<Solved> {
        let options = SearchOptions {
            algorithm: self.algorithm,
            heuristic: self.heuristic.clone(),
            limits: Limits { nodes, ..Limits::default() },
            threads: self.threads,
            aim: Aim::Proven,
            prune,
            ..SearchOptions::default()
        };
        let (asked, mut stopwatch) = (Instant::now(), Stopwatch { began: None });
        let answer = solver.solve(&entry.board, &options, &mut stopwatch).expect("it applies");
        let time = stopwatch.began.unwrap_or(asked).elapsed();
        let Answer::Searched(report) = answer else { panic!("the board is solvable") };
        let solution = report.solution?;
        let (length, known) = (solution.len(), known_length(entry));
        assert!(length >= known && (length == known || !solution.is_optimal()), "{}", name(entry));
        Some(Solved { time, statistics: report.statistics })
    }
}

/// Runs from the first node on: a search tells its observer of that, after the heuristic has
/// built its tables. What searches nothing tells nothing, and builds none.
struct Stopwatch {
    began: Option<Instant>,
}

impl Observer for Stopwatch {
    fn progress(&mut self, _: u32, _: u64) {
        self.began.get_or_insert_with(Instant::now);
    }
}
