//! What came of a board.

use super::Solution;
use crate::puzzle::{Depth, Unsolvable};
use crate::search::{Algorithm, HeuristicKind, Statistics, StopReason};
use std::fmt;
use std::time::Duration;

/// What came of a board.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It was searched.
    Searched(Report),
    /// No sequence of moves solves it.
    Unsolvable(Unsolvable),
}

impl Answer {
    /// The solution, if one was found.
    pub fn solution(self) -> Option<Solution> {
        match self {
            Answer::Searched(report) => report.solution,
            Answer::Unsolvable(_) => None,
        }
    }
}

/// What a search found out, and what it was run with.
#[derive(Clone, Debug)]
pub struct Report {
    /// The best solution found.
    pub solution: Option<Solution>,
    /// If the solution is not proven to be shortest, but is if this heuristic is admissible, as it
    /// claims: that heuristic. It is none of this crate's.
    pub rests_on: Option<HeuristicKind>,
    /// When solutions were found, each shorter than those before, of how many moves; nothing if the
    /// first one was the last.
    pub improvements: Vec<Improvement>,
    /// No solution is shorter than this.
    pub lower_bound: Depth,
    /// Why the search ended early, if it did.
    pub stop: Option<StopReason>,
    /// What it took.
    pub statistics: Statistics,
    /// The algorithm that was run.
    pub algorithm: &'static Algorithm,
    /// What guided it, one after the other; nothing if it takes no heuristic.
    pub guides: Vec<Guide>,
    /// How many threads it used.
    pub threads: usize,
}

/// A solution that is shorter than those before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Improvement {
    /// How long after the beginning of the search it was found.
    pub after: Duration,
    /// How many moves it has.
    pub length: u32,
}

/// What guided a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Guide {
    /// A heuristic.
    Heuristic(HeuristicKind),
    /// A heuristic, and a table of the boards near the goal.
    WithTable(HeuristicKind, TableKind),
    /// The pattern database of so many tiles, in many views of the board.
    Views(HeuristicKind, usize),
    /// Additive pattern databases of the goal.
    Databases(HeuristicKind),
    /// Those of other partitions of the tiles, by their numbers.
    Partitions(HeuristicKind, Vec<usize>),
    /// Those of the board as a goal: the search was backward.
    Backward(HeuristicKind),
}

/// A table of the boards near the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableKind {
    /// Every board's distance.
    Ball,
    /// Which boards may be how near.
    Reach,
}

impl Guide {
    /// Whether this is the other one and more.
    fn extends(&self, other: &Guide) -> bool {
        matches!(
            (self, other),
            (Guide::WithTable(kind, _) | Guide::Views(kind, _), Guide::Heuristic(first))
                if kind == first
        )
    }
}

impl fmt::Display for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guide::Heuristic(kind) | Guide::Databases(kind) => f.write_str(kind.name()),
            Guide::WithTable(kind, TableKind::Ball) => write!(f, "{}+ball", kind.name()),
            Guide::WithTable(kind, TableKind::Reach) => write!(f, "{}+reach", kind.name()),
            Guide::Views(kind, tiles) => write!(f, "{} of {tiles} tiles", kind.name()),
            Guide::Partitions(kind, numbers) => {
                let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
                write!(f, "{} by partition {}", kind.name(), numbers.join(" and "))
            }
            Guide::Backward(kind) => write!(f, "{} from the goal", kind.name()),
        }
    }
}

impl Report {
    /// What guided the search, in words; `None` if nothing did. What the next guide includes is
    /// not named twice.
    pub fn guides_in_words(&self) -> Option<String> {
        let mut words = Vec::new();
        for (i, guide) in self.guides.iter().enumerate() {
            if !self.guides.get(i + 1).is_some_and(|next| next.extends(guide)) {
                words.push(guide.to_string());
            }
        }
        (!words.is_empty()).then(|| words.join(", then "))
    }
}
