//! permutile solves puzzles in which numbered tiles are rearranged on a grid, and is a laboratory
//! for their heuristics. This page is a tour of the library; the program is described in the
//! README.
//!
//! # From text to a checked solution
//!
//! ```
//! use permutile::{Board, SearchOptions, Silent, Solver};
//!
//! let board: Board = "2 3 1 / 4 5 6 / 7 8 9".parse()?;
//! let solver = Solver::infer(&board)?;
//! let solution = solver.solve(&board, &SearchOptions::default(), &mut Silent)?.solution();
//! assert_eq!(solution.unwrap().names(), ["R1"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Solution`] exists only if the independent checker ([`board::check`]) has replayed it;
//! [`is_optimal`](Solution::is_optimal) is true only if it is proven that none is shorter.
//!
//! # Choosing the puzzle, the search and its limits
//!
//! [`Solver::new`] takes any puzzle and [`Goal`]. [`SearchOptions`] say which algorithm and
//! heuristic to use and when to give up. A limit that is hit ends in an answer with what is proven
//! so far.
//!
//! ```
//! use permutile::puzzle::{arch::Simd, registry};
//! use permutile::{Answer, Goal, Limits, SearchOptions, Silent, Solver, StopReason};
//!
//! let solver = Solver::new(registry::define("sliding4")?, Goal::BlankFirst, Simd::detect())?;
//! let options = SearchOptions {
//!     algorithm: "ida".parse()?,
//!     heuristic: Some("walking-distance".parse()?),
//!     limits: Limits { nodes: Some(1000), ..Limits::default() },
//!     ..SearchOptions::default()
//! };
//! let board = "15 10 8 12 / 11 14 9 13 / 2 6 5 1 / 3 7 4 0".parse()?;
//! let Answer::Searched(report) = solver.solve(&board, &options, &mut Silent)? else {
//!     panic!("it can be solved");
//! };
//! assert_eq!(report.stop, Some(StopReason::Nodes));
//! assert!(report.lower_bound >= 58);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A heuristic of your own
//!
//! Implement [`Heuristic`] for every [`Puzzle`], say in [`NamedHeuristic`](heuristic::NamedHeuristic)
//! what it [promises](Promise), and use [`HeuristicKind::of`] wherever a heuristic is asked for.
//! [`heuristic`] has one written out.
//!
//! # Many boards
//!
//! [`lab::batch`] solves folders of boards into journals, [`lab::compare`] runs algorithms and
//! heuristics on the same boards, [`lab::audit`] tries to refute what a heuristic promises, and
//! [`lab::best_known`] keeps a list of the best solutions.
//!
//! # The layers
//!
//! Each uses only those before it: [`board`] (plain boards and the checker), [`puzzle`] (packed
//! states, move tables, symmetry), [`table`] (precomputed distances), [`heuristic`], [`search`],
//! [`solver`] (which search with what), [`lab`], [`cluster`] (several machines), [`play`] (the game),
//! and the local page (`web`, a feature).

// The command line is written as another crate would use the library.
extern crate self as permutile;

pub mod board;
#[doc(hidden)]
pub mod cli;
pub mod cluster;
mod failpoint;
#[doc(hidden)]
pub mod format;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod hash;
pub mod heuristic;
pub mod lab;
mod limits;
mod once_list;
mod parallel;
pub mod play;
pub mod puzzle;
pub mod search;
pub mod solver;
mod sync;
pub mod table;
mod toml_text;
#[cfg(feature = "web")]
pub mod web;

pub use board::Board;
pub use heuristic::{Heuristic, Promise};
pub use limits::{Limits, NodeCount, Observer, Silent, StopReason};
pub use puzzle::{Goal, Puzzle};
pub use search::{HeuristicKind, SearchOptions};
pub use solver::{Answer, Solution, SolveError, Solver};
pub use toml_text::TomlError;
