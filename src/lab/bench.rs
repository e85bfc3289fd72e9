//! A fixed suite of searches, and the sum of their nodes: the program's signature.
//!
//! The idea is that of chess engines (Stockfish's `bench`): the sum depends on every move
//! generator, heuristic, order of moves and cut-off at once, and on nothing else. It is the same
//! in each run, in each build (with SIMD or without) and on each machine. A change that was meant
//! to make something faster and alters the sum has altered the search as well.
//!
//! Algorithms and heuristics that were there when the suite was made are all in it, on small
//! boards where they are weak; a new one needs no row, which would change the signature. All
//! searches run on one thread, without limits. The solutions pass the independent checker, as
//! all do, and what they prove is held against the known lengths.

use crate::board::text::{self, Entry, Form, TextOptions};
use crate::puzzle::arch::Simd;
use crate::puzzle::{Definition, Goal, custom, registry};
use crate::search::{Aim, Limits, SearchOptions, Silent, StopReason};
use crate::solver::{Answer, SolveError, Solver};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Boards of one puzzle, and what is run on each of them.
struct Group {
    puzzle: &'static str,
    goal: Goal,
    /// One board a line, with name and known length.
    boards: &'static str,
    /// Algorithms, and the heuristics that guide them; `-` for those that take none.
    searches: &'static [(&'static str, &'static str)],
}

/// The custom puzzles of the suite by their names.
const CUSTOM: &[(&str, &str)] = &[
    ("top-spin-2x5", include_str!("../../data/puzzles/top-spin-2x5.toml")),
    ("one-way-4x5", include_str!("../../data/puzzles/one-way-4x5.toml")),
];

const SUITE: &[Group] = &[
    Group {
        puzzle: "torus3",
        goal: Goal::Default,
        boards: "uniform: 5 4 8 1 7 2 3 9 6 # 7",
        searches: &[
            ("ida", "circular-manhattan"),
            ("ida", "zero"),
            ("astar", "circular-manhattan"),
            ("bfs", "-"),
            ("iddfs", "-"),
            ("bidirectional", "-"),
        ],
    },
    Group {
        puzzle: "torus4",
        goal: Goal::Default,
        boards: "s10-1: 14 2 15 5 3 10 1 16 6 12 7 13 9 4 11 8 # 10",
        searches: &[
            ("ida", "misplaced-max"),
            ("ida", "tuned-manhattan"),
            ("astar", "circular-manhattan"),
            ("astar-textbook", "circular-manhattan"),
            ("wastar", "circular-manhattan"),
            ("greedy", "circular-manhattan"),
            ("bidirectional", "-"),
        ],
    },
    Group {
        puzzle: "torus4",
        goal: Goal::Default,
        boards: "uniform-2: 4 5 2 9 8 12 15 11 7 10 3 16 6 14 1 13 # 13
            uniform-10: 1 12 10 15 2 7 8 3 13 9 14 11 5 4 6 16 # 13",
        searches: &[
            ("ida", "circular-manhattan"),
            ("ida", "circular-manhattan-axes"),
            ("ida", "walking-distance"),
            ("pida", "circular-manhattan-axes"),
        ],
    },
    Group {
        puzzle: "torus5",
        goal: Goal::Default,
        boards: "s10-5: 6 21 3 4 24 11 22 8 5 10 9 17 2 13 14 7 19 20 15 25 1 12 18 23 16 # 10",
        searches: &[
            ("ida", "circular-manhattan"),
            ("ida", "circular-manhattan-axes"),
            ("astar", "circular-manhattan"),
            ("pastar", "circular-manhattan"),
        ],
    },
    Group {
        puzzle: "torus:4x5",
        goal: Goal::Default,
        boards: "board12: 12 18 15 14 10 / 17 8 5 20 2 / 3 7 13 4 16 / 11 6 19 9 1 # 12",
        searches: &[("ida", "circular-manhattan"), ("astar", "circular-manhattan-axes")],
    },
    Group {
        puzzle: "torus:3x5",
        goal: Goal::Default,
        boards: "moves9-1: 3 14 6 11 1 / 15 12 8 9 4 / 7 2 13 10 5 # 8",
        searches: &[("ida", "misplaced-max"), ("astar", "circular-manhattan")],
    },
    Group {
        puzzle: "rings5",
        goal: Goal::Default,
        boards: "s6-2: 21 2 8 4 5 10 1 12 7 13 6 17 18 9 15 23 19 14 20 11 25 16 22 3 24 # 6",
        searches: &[
            ("ida", "misplaced"),
            ("ida", "circular-manhattan-last-move"),
            ("bidirectional", "-"),
        ],
    },
    Group {
        puzzle: "rings5",
        goal: Goal::Default,
        boards: "s7-5: 6 7 24 25 1 12 17 13 8 5 16 22 14 4 10 21 18 15 9 11 2 3 23 19 20 # 7",
        searches: &[
            ("ida", "circular-manhattan"),
            ("pida", "circular-manhattan"),
            ("astar", "circular-manhattan"),
            ("pastar", "circular-manhattan"),
            ("wastar", "circular-manhattan"),
        ],
    },
    Group {
        puzzle: "sliding3",
        goal: Goal::BlankFirst,
        boards: "hard8-1: 8 0 6 5 4 7 2 3 1 # 31",
        searches: &[
            ("ida", "manhattan"),
            ("ida", "misplaced"),
            ("ida", "euclidean"),
            ("ida", "inversion-distance"),
            ("astar", "linear-conflict"),
            ("astar", "max-of"),
            ("astar-textbook", "manhattan"),
            ("wastar", "walking-distance"),
            ("greedy", "manhattan"),
            ("bfs", "-"),
            ("ucs", "-"),
            ("dfs", "-"),
            ("bidirectional", "-"),
        ],
    },
    Group {
        puzzle: "sliding:3x4",
        goal: Goal::BlankFirst,
        boards: "uniform-1: 4 11 2 6 / 8 10 7 9 / 0 5 3 1 # 36",
        searches: &[("ida", "manhattan"), ("astar", "walking-distance")],
    },
    Group {
        puzzle: "sliding4",
        goal: Goal::BlankFirst,
        boards: "korf-28: 13 14 6 12 4 5 1 0 9 3 10 2 15 11 8 7 # 52
            korf-55: 13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11 # 41
            korf-95: 4 3 6 13 7 15 9 0 10 5 8 11 2 12 1 14 # 50",
        searches: &[
            ("ida", "manhattan"),
            ("ida", "linear-conflict"),
            ("ida", "walking-distance"),
            ("ida", "max-of"),
            ("greedy", "manhattan"),
        ],
    },
    Group {
        puzzle: "sliding4",
        goal: Goal::BlankFirst,
        boards: "korf-79: 0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15 # 42",
        searches: &[
            ("ida", "inversion-distance"),
            ("pida", "manhattan"),
            ("astar", "manhattan"),
            ("pastar", "linear-conflict"),
            ("wastar", "manhattan"),
        ],
    },
    Group {
        puzzle: "sliding4",
        goal: Goal::BlankLast,
        boards: "dca15-1: 9 1 7 4 5 10 8 14 15 6 2 11 13 0 12 3 # 38",
        searches: &[("ida", "manhattan"), ("astar", "max-of")],
    },
    Group {
        puzzle: "sliding5",
        goal: Goal::BlankFirst,
        boards: "moves60-4: 16 6 2 8 11 1 5 7 13 3 15 10 0 9 4 21 20 12 19 14 22 17 18 23 24 # 50",
        searches: &[
            ("ida", "manhattan"),
            ("ida", "linear-conflict"),
            ("ida", "max-of"),
            ("astar", "manhattan"),
        ],
    },
    Group {
        puzzle: "sliding6",
        goal: Goal::BlankFirst,
        boards: "moves40-2: 8 2 6 3 5 11 12 1 7 4 9 10 0 13 14 15 16 17 18 19 20 21 22 23 31 25 26 \
            27 28 29 24 30 32 33 34 35 # 34",
        searches: &[("ida", "manhattan"), ("astar", "manhattan")],
    },
    Group {
        puzzle: "top-spin-2x5",
        goal: Goal::Default,
        boards: "uniform-1: 2 10 7 1 4 / 9 8 3 6 5 # 21",
        searches: &[
            ("ida", "circular-manhattan"),
            ("astar", "circular-manhattan"),
            ("bidirectional", "-"),
        ],
    },
    Group {
        puzzle: "one-way-4x5",
        goal: Goal::Default,
        boards: "board1: 1 17 3 4 5 / 10 2 7 8 9 / 11 6 13 14 15 / 16 12 18 19 20 # 7",
        searches: &[
            ("ida", "misplaced-max"),
            ("astar", "circular-manhattan"),
            ("bidirectional", "-"),
        ],
    },
];

/// The cost of one search of the suite.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measured {
    /// The puzzle's id.
    pub puzzle: String,
    /// The board's name.
    pub board: String,
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// The heuristic that guided it, if the algorithm takes one.
    pub heuristic: Option<String>,
    /// How many moves the solution has.
    pub length: u32,
    /// Whether it is proven that none is shorter.
    pub optimal: bool,
    /// Nodes generated.
    pub nodes: u64,
    /// How long it took, with the tables that the heuristic needs.
    pub seconds: f64,
}

/// Why the suite has no signature.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// A search contradicts the known length of its board.
    #[error("{search}: {found}, but the shortest solution has {known} moves")]
    Disagreement {
        /// Puzzle, board, algorithm and heuristic.
        search: String,
        /// What the search says.
        found: String,
        /// The length that is known.
        known: u32,
    },
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
    /// The checker rejected a solution.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The suite, ready to run.
pub struct Suite {
    prepared: Vec<(Solver, Vec<Entry>, &'static Group)>,
}

impl Suite {
    /// Prepares the puzzles and reads the boards.
    pub fn new(simd: Simd) -> Suite {
        let prepared = SUITE.iter().map(|group| {
            let definition = definition(group.puzzle);
            let options = TextOptions { shape: Some(definition.shape), form: Form::Collection };
            let boards = text::parse("suite", group.boards.as_bytes(), &options);
            let boards =
                boards.into_iter().map(|board| board.expect("the suite's boards are right"));
            let solver = Solver::new(definition, group.goal.clone(), simd);
            (solver.expect("the suite's goals fit"), boards.collect(), group)
        });
        Suite { prepared: prepared.collect() }
    }

    /// All searches in their order.
    pub fn searches(&self) -> impl Iterator<Item = Search<'_>> {
        self.prepared.iter().flat_map(|(solver, boards, group)| {
            boards.iter().flat_map(move |board| {
                let search = move |&(algorithm, heuristic)| {
                    let heuristic = Some(heuristic).filter(|&name| name != "-");
                    Search { solver, board, algorithm, heuristic }
                };
                group.searches.iter().map(search)
            })
        })
    }
}

fn definition(id: &str) -> Definition {
    match CUSTOM.iter().find(|(name, _)| *name == id) {
        Some((name, text)) => custom::define(name, text).expect("the suite's puzzles are right"),
        None => registry::define(id).expect("the suite's puzzles are known"),
    }
}

/// One search of the suite.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    solver: &'a Solver,
    board: &'a Entry,
    algorithm: &'static str,
    heuristic: Option<&'static str>,
}

impl Search<'_> {
    /// Runs it. Another thread may set `cancelled` to stop it soon.
    ///
    /// # Errors
    /// If it was stopped, or if what it found is wrong.
    pub fn run(&self, cancelled: &AtomicBool) -> Result<Measured, BenchError> {
        let options = SearchOptions {
            algorithm: self.algorithm.parse().expect("the suite's algorithms are known"),
            heuristic: self
                .heuristic
                .map(|name| name.parse().expect("the suite's heuristics are known")),
            limits: Limits { cancelled: Some(cancelled), ..Limits::default() },
            aim: Aim::Proven,
            ..SearchOptions::default()
        };
        let began = Instant::now();
        let answer = self.solver.solve(&self.board.board, &options, &mut Silent)?;
        let seconds = began.elapsed().as_secs_f64();
        let report = match answer {
            Answer::Searched(report) => report,
            Answer::Unsolvable(reason) => return Err(self.disagreement(reason.to_string())),
        };
        if report.stop == Some(StopReason::Cancelled) {
            return Err(BenchError::Interrupted);
        }
        let Some(solution) = &report.solution else {
            return Err(self.disagreement("no solution was found".to_owned()));
        };
        let length = solution.len() as u32;
        if !(report.lower_bound..=length).contains(&self.known_length()) {
            let bound = report.lower_bound;
            let found = format!("a solution of {length} moves, and a proven bound of {bound}");
            return Err(self.disagreement(found));
        }
        Ok(Measured {
            puzzle: self.solver.frame().id().to_owned(),
            board: self.board_name().to_owned(),
            algorithm: report.algorithm.name,
            heuristic: report.guides_in_words(),
            length,
            optimal: solution.is_optimal(),
            nodes: report.statistics.generated,
            seconds,
        })
    }

    fn board_name(&self) -> &str {
        self.board.name.as_deref().expect("the suite's boards have names")
    }

    fn known_length(&self) -> u32 {
        self.board.known_length.expect("the suite's boards have known lengths")
    }

    fn disagreement(&self, found: String) -> BenchError {
        let heuristic = self.heuristic.unwrap_or("no heuristic");
        let (puzzle, board) = (self.solver.frame().id(), self.board_name());
        let search = format!("{puzzle} {board} by {} with {heuristic}", self.algorithm);
        BenchError::Disagreement { search, found, known: self.known_length() }
    }
}
