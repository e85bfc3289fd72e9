//! Benchmarks of heuristics with criterion: what an estimate costs, what it says, and what a board
//! takes with it, next to permutile's own. [`Harness`] is for a bench of your crate:
//!
//! ```no_run
//! # use permutile::heuristic::zero::Zero as MyHeuristic;
//! permutile_bench::Harness::new().with::<MyHeuristic>().run();
//! ```
//!
//! The ids are `heuristics/PUZZLE/NAME/WAY`, and filters, baselines and all other arguments are
//! criterion's. Every bench checks its own answer: ways to the same estimate must agree, and
//! solutions must be as long as they are known to be.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints its results")]

mod answer;
mod contender;
mod criterion_files;
mod naive;
mod selection;
mod settings;
mod solving;
mod steady_clock;
mod walk;

pub use selection::Selection;
pub use settings::{criterion, full, measuring};
pub use steady_clock::{Criterion, SteadyClock};
pub use walk::walk;

use answer::Answer;
use contender::{Contender, OfFile, OfType};
use permutile::heuristic::formula::Formula;
use permutile::heuristic::registry::{self, RegistryVisitor};
use permutile::heuristic::{NamedHeuristic, OnEveryEngine};
use permutile::puzzle::packed::Nibbles;
use permutile::puzzle::{AnyPuzzle, Frame, Goal, Permuting, arch::Simd};
use permutile::search::HeuristicKind;
use solving::Subject;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

/// The environment variable that names heuristic files, separated as in `PATH`.
pub const FILES: &str = "PERMUTILE_HEURISTIC_FILE";

/// Heuristics to measure.
pub struct Harness {
    contenders: Vec<Box<dyn Contender>>,
}

impl Default for Harness {
    fn default() -> Harness {
        Harness::new()
    }
}

impl Harness {
    /// Those that others are compared with: `circular-manhattan` or, where there is a blank,
    /// `manhattan`. With `PERMUTILE_BENCH=full`, all of permutile's.
    pub fn new() -> Harness {
        let mut all = Harness::built_in();
        if !full() {
            let is_baseline = |name: &str| SUBJECTS.iter().any(|subject| subject.baseline == name);
            all.contenders.retain(|contender| is_baseline(contender.kind().name()));
        }
        all
    }

    /// All of permutile's but those whose tables take long to build.
    pub fn built_in() -> Harness {
        struct Collect(Vec<Box<dyn Contender>>);

        // Any engine will do.
        impl RegistryVisitor<Permuting<Nibbles>> for Collect {
            fn visit<R: NamedHeuristic<Heuristic: OnEveryEngine> + 'static>(&mut self) {
                if !R::LARGE {
                    let kind = R::NAME.parse().expect("it is registered");
                    self.0.push(Box::new(OfType::<R>::new(kind)));
                }
            }
        }

        let mut all = Collect(Vec::new());
        registry::visit_all(&mut all);
        Harness { contenders: all.0 }
    }

    /// Adds a heuristic.
    ///
    /// # Panics
    /// If there is one of that name.
    #[must_use]
    pub fn with<R: NamedHeuristic<Heuristic: OnEveryEngine> + 'static>(self) -> Harness {
        self.and(Box::new(OfType::<R>::foreign()))
    }

    /// Adds the heuristic of a file.
    ///
    /// # Panics
    /// If it cannot be read, or if there is one of that name.
    #[must_use]
    pub fn with_file(self, path: &Path) -> Harness {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("{name} cannot be read: {error}"));
        let formula = Formula::parse(&name, &text).unwrap_or_else(|error| panic!("{error}"));
        self.and(Box::new(OfFile::new(formula)))
    }

    /// Adds the heuristics of the files that the environment names ([`FILES`]).
    ///
    /// # Panics
    /// If one cannot be read, or if there is one of that name.
    #[must_use]
    pub fn with_files_of_environment(self) -> Harness {
        let files = std::env::var_os(FILES).unwrap_or_default();
        std::env::split_paths(&files)
            .filter(|path| !path.as_os_str().is_empty())
            .fold(self, |harness, path| harness.with_file(&path))
    }

    fn and(mut self, contender: Box<dyn Contender>) -> Harness {
        let name = contender.kind().name();
        let is_taken = self.contenders.iter().any(|other| other.kind().name() == name);
        assert!(!is_taken, "there is a heuristic \"{name}\" already: choose another name");
        self.contenders.push(contender);
        self
    }

    /// Measures what the arguments ask for, and prints a table for each puzzle.
    ///
    /// # Panics
    /// If a heuristic contradicts itself, or what it promises.
    pub fn run(self) {
        let mut session = Session {
            criterion: criterion().configure_from_args().output_directory(&criterion_files::home()),
            selection: Selection::from_arguments(),
            measured: RefCell::default(),
        };
        let mut answers = Vec::new();
        for subject in SUBJECTS {
            let solving = subject.prepare();
            let puzzles = Ways {
                puzzle: subject.puzzle(Simd::detect()),
                scalar: subject.puzzle(Simd::off()),
            };
            for contender in &self.contenders {
                if contender.kind().promise(puzzles.puzzle.frame()).is_err() {
                    continue;
                }
                if contender.kind().name() == subject.baseline {
                    naive::bench(&mut session, &puzzles.puzzle, subject.baseline);
                }
                let with_scalar =
                    with_scalar(contender.kind(), puzzles.puzzle.frame(), subject.baseline);
                contender.bench(&mut session, &puzzles, with_scalar);
                solving.bench(&mut session, contender.kind());
            }
            let kinds = self.contenders.iter().map(|contender| contender.kind());
            answers.extend(Answer::new(&session, &solving, kinds));
        }
        session.criterion.final_summary();
        answer::tell(&answers);
    }
}

/// The puzzles to measure on. Each has as many cells as a packed word holds.
const SUBJECTS: &[Subject] = &[
    Subject {
        puzzle: "torus4",
        baseline: "circular-manhattan",
        boards: include_str!("../boards/torus4.boards"),
    },
    Subject {
        puzzle: "torus5",
        baseline: "circular-manhattan",
        boards: include_str!("../boards/torus5.boards"),
    },
    Subject {
        puzzle: "rings5",
        baseline: "circular-manhattan",
        boards: include_str!("../boards/rings5.boards"),
    },
    Subject {
        puzzle: "sliding4",
        baseline: "manhattan",
        boards: include_str!("../boards/sliding4.boards"),
    },
    Subject {
        puzzle: "sliding5",
        baseline: "manhattan",
        boards: include_str!("../boards/sliding5.boards"),
    },
];

/// A puzzle with the instructions that the processor has, and without.
struct Ways {
    puzzle: AnyPuzzle,
    scalar: AnyPuzzle,
}

/// Whether a heuristic is measured without special instructions, too. Of permutile's, those that
/// ask for them are sums of distances with wrap-around, as the baseline is; the others would do the
/// same again.
fn with_scalar(kind: &HeuristicKind, frame: &Frame, baseline: &str) -> bool {
    frame.blank_label().is_none() && (kind.name() == baseline || !kind.is_built_in())
}

/// What is being measured.
struct Session {
    criterion: Criterion,
    selection: Selection,
    /// The ids that were run.
    measured: RefCell<BTreeSet<String>>,
}

impl Session {
    /// Notes that a bench was asked for.
    fn note(&self, id: &str) {
        self.measured.borrow_mut().insert(id.to_owned());
    }
}

/// The id of the benches of a heuristic.
fn group_id(puzzle: &str, heuristic: &str) -> String {
    format!("heuristics/{puzzle}/{heuristic}")
}

impl Subject {
    fn puzzle(&self, simd: Simd) -> AnyPuzzle {
        let definition = permutile::puzzle::registry::define(self.puzzle).expect("it is known");
        AnyPuzzle::new(definition, Goal::Default, simd).expect("it has a default goal")
    }
}
