//! What a user may choose about a search.

use super::{AlgorithmChoice, HeuristicKind, Limits};
use crate::puzzle::{Frame, Move};
use std::time::{Duration, Instant};

/// The options of a search, from the command line down to the search itself.
#[derive(Clone, Debug)]
pub struct SearchOptions<'a> {
    /// The algorithm.
    pub algorithm: AlgorithmChoice,
    /// The heuristic; the puzzle's own first choice if not given.
    pub heuristic: Option<HeuristicKind>,
    /// How long each board may take.
    pub timeout: Option<Duration>,
    /// What each board may use; the deadline is that of all boards together.
    pub limits: Limits<'a>,
    /// How many threads a parallel search uses.
    pub threads: usize,
    /// How much weighted A* trusts the heuristic; at least 1.
    pub weight: f64,
    /// In which order breadth-first, depth-first and the textbooks' A* generate successors, as
    /// names of moves; those that are not named come last.
    pub order: Vec<String>,
    /// Which of equally promising nodes the textbooks' A* takes first.
    pub ties: Ties,
    /// Whether the goal counts as an expanded node, as some courses have it.
    pub count_goal: bool,
}

impl Default for SearchOptions<'_> {
    fn default() -> Self {
        SearchOptions {
            algorithm: AlgorithmChoice::Auto,
            heuristic: None,
            timeout: None,
            limits: Limits::default(),
            threads: 1,
            weight: 2.0,
            order: Vec::new(),
            ties: Ties::default(),
            count_goal: false,
        }
    }
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

/// A part of [`SearchOptions`] that only some algorithms follow;
/// [`AlgorithmChoice::follows`] says which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// [`SearchOptions::heuristic`].
    Heuristic,
    /// [`SearchOptions::weight`].
    Weight,
    /// [`SearchOptions::order`].
    Order,
    /// [`SearchOptions::ties`].
    Ties,
}

/// A move order names a move that the puzzle does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{puzzle} has no move \"{name}\"")]
pub struct UnknownMove {
    /// What was named.
    pub name: String,
    /// The puzzle.
    pub puzzle: String,
}

impl<'a> SearchOptions<'a> {
    /// The limits of a search that begins now.
    pub fn limits_from_now(&self) -> Limits<'a> {
        let of_board = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let deadline = [self.limits.deadline, of_board].into_iter().flatten().min();
        Limits { deadline, ..self.limits }
    }

    /// The moves of a puzzle that the order names.
    ///
    /// # Errors
    /// If it names one that the puzzle does not have.
    pub fn named_moves(&self, frame: &Frame) -> Result<Vec<Move>, UnknownMove> {
        let by_name = |name: &String| {
            let unknown = || UnknownMove { name: name.clone(), puzzle: frame.id().to_owned() };
            frame.moves().by_name(name.trim()).ok_or_else(unknown)
        };
        self.order.iter().map(by_name).collect()
    }

    /// What decides about the answers, in words: the choices that are not the default. Threads
    /// and memory are no part of it, as they depend on the machine.
    pub fn in_words(&self) -> String {
        let default = SearchOptions::default();
        let mut words = vec![self.algorithm.to_string()];
        words.extend(self.heuristic.as_ref().map(|kind| format!("heuristic {}", kind.name())));
        words.extend(self.timeout.map(|timeout| format!("timeout {timeout:?}")));
        words.extend(self.limits.nodes.map(|nodes| format!("max-nodes {nodes}")));
        if self.weight != default.weight {
            words.push(format!("weight {}", self.weight));
        }
        if !self.order.is_empty() {
            words.push(format!("order {}", self.order.join(",")));
        }
        if self.ties != default.ties {
            words.push("ties board".to_owned());
        }
        if self.count_goal {
            words.push("count-goal".to_owned());
        }
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_say_what_decides() {
        assert_eq!(SearchOptions::default().in_words(), "auto");
        let options = SearchOptions {
            algorithm: "wastar".parse().unwrap(),
            heuristic: Some("manhattan".parse().unwrap()),
            timeout: Some(Duration::from_millis(1500)),
            limits: Limits { nodes: Some(7), bytes: Some(1 << 30), ..Limits::default() },
            weight: 1.5,
            threads: 8,
            ..SearchOptions::default()
        };
        let words = "wastar, heuristic manhattan, timeout 1.5s, max-nodes 7, weight 1.5";
        assert_eq!(options.in_words(), words);
    }

    #[test]
    fn the_earlier_deadline_counts() {
        let soon = Instant::now();
        let options = SearchOptions {
            timeout: Some(Duration::from_secs(60)),
            limits: Limits { deadline: Some(soon), ..Limits::default() },
            ..SearchOptions::default()
        };
        assert_eq!(options.limits_from_now().deadline, Some(soon));
        let options = SearchOptions { limits: Limits::default(), ..options };
        assert!(options.limits_from_now().deadline > Some(soon));
    }
}
