//! Search algorithms, one file each, and what they have in common: tasks, limits,
//! statistics, observers and outcomes.
//!
//! A search takes a [`Task`] (a puzzle, a start, a heuristic unless it is blind, [`Limits`]
//! and [`Settings`]) and an [`Observer`], and yields an [`Outcome`]. It prints nothing, reads
//! no file and knows no boards. Every algorithm is compiled for each engine and heuristic;
//! there is no dynamic dispatch in an inner loop.
//!
//! A new algorithm is one file with a type that implements [`Guided`] or [`Blind`], and one
//! line in [`registry`].

pub mod all_shortest;
pub mod astar;
mod best_first;
pub mod bfs;
pub mod bidirectional;
pub mod closed;
pub mod dfs;
pub mod greedy;
pub mod ida;
pub mod iddfs;
mod outcome;
mod pace;
pub mod parallel_astar;
pub mod parallel_ida;
mod path;
pub mod registry;
mod slide;
pub mod textbook;
pub mod ucs;
pub mod weighted_astar;

pub use crate::limits::{Limits, Observer, Silent, StopReason};
pub use outcome::{Iteration, Outcome, Solution, Statistics};

use crate::heuristic::Heuristic;
use crate::puzzle::{Depth, Move, MoveSet, Puzzle};

/// What is to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a, P: Puzzle> {
    /// The puzzle.
    pub puzzle: &'a P,
    /// Where to start.
    pub start: P::State,
    /// No solution is shorter than this, as far as is known already.
    pub at_least: Depth,
    /// When to give up.
    pub limits: Limits<'a>,
    /// What the user may choose.
    pub settings: &'a Settings,
}

/// What the user may choose, besides the algorithm and the heuristic.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// How much weighted A* trusts the heuristic; at least 1.
    pub weight: f64,
    /// How many threads a parallel search uses.
    pub threads: usize,
    /// In which order breadth-first, depth-first and the textbooks' A* generate successors; the
    /// order of the moves' numbers if empty. Moves that are not named come last.
    pub order: Vec<Move>,
    /// Which of equally promising nodes the textbook A* takes first.
    pub ties: Ties,
}

/// Which of equally promising nodes comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// The one that was put there first.
    #[default]
    FirstIn,
    /// The one whose board, read as a number tile by tile, is smaller.
    SmallerBoard,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { weight: 2.0, threads: 1, order: Vec::new(), ties: Ties::default() }
    }
}

impl Settings {
    /// All moves in the order that the user wants.
    pub fn move_order(&self, moves: MoveSet) -> Vec<Move> {
        let named = self.order.iter().copied().filter(|&m| moves.contains(m));
        let others = moves.filter(|m| !self.order.contains(m));
        named.chain(others).collect()
    }
}

/// What the length of a solution that was found is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Optimality {
    /// It is shortest.
    Always,
    /// It is shortest if the heuristic is admissible.
    IfAdmissible,
    /// It may be longer than needed.
    Never,
}

/// What is said of an algorithm.
pub trait Described {
    /// The name on the command line.
    const NAME: &'static str;
    /// What it is, in one line.
    const SUMMARY: &'static str;
    /// What its solutions are worth.
    const OPTIMALITY: Optimality;
    /// Whether it uses more than one thread.
    const PARALLEL: bool = false;
}

/// An algorithm that a heuristic guides.
pub trait Guided: Described {
    /// Searches.
    fn search<P: Puzzle, H: Heuristic<P>>(
        task: &Task<'_, P>,
        heuristic: &H,
        observer: &mut dyn Observer,
    ) -> Outcome;
}

/// An algorithm that knows only the goal.
pub trait Blind: Described {
    /// Searches.
    fn search<P: Puzzle>(task: &Task<'_, P>, observer: &mut dyn Observer) -> Outcome;
}
