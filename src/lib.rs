//! permutile solves puzzles in which numbered tiles are rearranged on a grid, and lets
//! heuristics for them be compared.
//!
//! The layers, each of which uses only those before it: [`board`] (plain boards and the
//! independent checker), [`puzzle`] (packed states, move tables, symmetry), [`table`]
//! (precomputed distances), [`heuristic`], [`search`], [`solver`] (which search with
//! what), [`lab`] (records, journals, counts). The program on top of them is `cli`.
//!
//! ```
//! use permutile::board::text;
//! use permutile::puzzle::{Goal, arch::Simd, registry};
//! use permutile::search::Silent;
//! use permutile::solver::{Answer, Request, Solver};
//!
//! let entry = text::parse_one("example", b"2 3 1 / 4 5 6 / 7 8 9", None)?;
//! let solver = Solver::new(registry::infer(&entry.board)?, Goal::Default, Simd::detect())?;
//! let Answer::Searched(found) = solver.solve(&entry.board, &Request::default(), &mut Silent)?
//! else {
//!     panic!("it can be solved");
//! };
//! let solution = found.outcome.solution.expect("there was no limit");
//! assert_eq!(solver.names(&solution.moves), ["R1"]);
//! assert!(solution.optimal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
mod hash;
pub mod heuristic;
pub mod lab;
mod limits;
pub mod puzzle;
pub mod search;
mod shelf;
pub mod solver;
pub mod table;
mod toml_text;

pub use limits::{Limits, Observer, Silent, StopReason};
pub use toml_text::TomlError;
