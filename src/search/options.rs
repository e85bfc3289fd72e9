//! What a user may choose about a search.

use super::{AlgorithmChoice, Crew, HeuristicKind, Limits, Role};
use crate::puzzle::{Depth, Frame, Move};
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
    /// How many boards of each layer a beam search keeps.
    pub width: usize,
    /// When `auto` is content with a solution.
    pub aim: Aim,
    /// What IDA* leaves out on puzzles with a blank.
    pub prune: Prune,
    /// In which order breadth-first, depth-first and the textbooks' A* generate successors, as
    /// names of moves or what they begin with, in either case; those that are not named come last.
    pub order: Vec<String>,
    /// Whether depth-first search takes the last successor first, as programs do that put them on a
    /// stack in their order.
    pub last_first: bool,
    /// Which of equally promising nodes the textbooks' A* takes first.
    pub ties: Ties,
    /// Whether the goal counts as an expanded node, as some courses have it.
    pub count_goal: bool,
    /// What is known before the search: no solution is shorter.
    pub at_least: Depth,
    /// Other processes that take part.
    pub crew: Option<&'a dyn Crew>,
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
            width: 1_000,
            aim: Aim::Best,
            prune: Prune::default(),
            order: Vec::new(),
            last_first: false,
            ties: Ties::default(),
            count_goal: false,
            at_least: 0,
            crew: None,
        }
    }
}

/// When `auto` is content with a solution.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Aim {
    /// When it is proven to be shortest; if that takes longer than allowed, with the best one found.
    #[default]
    Best,
    /// At once.
    First,
    /// When it is proven to be at most so many times as long as the shortest.
    Within(f64),
    /// When it is proven to be shortest, and with no other.
    Proven,
}

/// What IDA* leaves out on puzzles with a blank. `auto` always leaves out loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Prune {
    /// The move that takes the last one back, as in the literature.
    #[default]
    Back,
    /// All but one way through loops of up to 24 moves
    /// (see [`loops`](crate::puzzle::automaton::loops)).
    Loops,
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
    /// [`SearchOptions::width`].
    Width,
    /// [`SearchOptions::aim`].
    Aim,
    /// [`SearchOptions::prune`].
    Prune,
    /// [`SearchOptions::order`].
    Order,
    /// [`SearchOptions::last_first`].
    LastFirst,
    /// [`SearchOptions::ties`].
    Ties,
}

/// Why names are no order of moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OrderError {
    /// The puzzle does not have such a move.
    #[error("{puzzle} has no move \"{name}\"")]
    Unknown {
        /// What was named.
        name: String,
        /// The puzzle.
        puzzle: String,
    },
    /// Several moves begin like this.
    #[error("\"{name}\" may be {first} or {second}")]
    Unclear {
        /// What was named.
        name: String,
        /// One of the moves.
        first: String,
        /// Another one.
        second: String,
    },
    /// A move is named again.
    #[error("the order names {name} twice")]
    Twice {
        /// The move.
        name: String,
    },
}

impl<'a> SearchOptions<'a> {
    /// The limits of a search that begins now.
    pub fn limits_from_now(&self) -> Limits<'a> {
        let of_board = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let deadline = [self.limits.deadline, of_board].into_iter().flatten().min();
        Limits { deadline, ..self.limits }
    }

    /// How many threads a parallel search uses, those of other processes included.
    pub fn all_threads(&self) -> usize {
        self.crew_to_prove_with().map_or(self.threads, Crew::threads)
    }

    /// The other processes, if this one takes part in their proof.
    pub fn crew_to_prove_with(&self) -> Option<&'a dyn Crew> {
        self.crew.filter(|crew| crew.role() == Role::Prove)
    }

    /// The moves of a puzzle that the order names.
    ///
    /// # Errors
    /// If it names one that the puzzle does not have, or one twice.
    pub fn named_moves(&self, frame: &Frame) -> Result<Vec<Move>, OrderError> {
        let mut moves = Vec::new();
        for name in &self.order {
            let named = move_named(name.trim(), frame)?;
            if moves.contains(&named) {
                return Err(OrderError::Twice { name: frame.moves().name(named).to_owned() });
            }
            moves.push(named);
        }
        Ok(moves)
    }

    /// What decides about answers, in words: the choices that are not the default, without the
    /// limits. A heuristic from a file is named with a hash of that file.
    pub fn in_words(&self) -> String {
        let default = SearchOptions::default();
        let mut words = vec![self.algorithm.to_string()];
        words.extend(self.heuristic.as_ref().map(|kind| match kind.file_hash() {
            Some(hash) => format!("heuristic {} (file {hash:016x})", kind.name()),
            None => format!("heuristic {}", kind.name()),
        }));
        if self.weight != default.weight {
            words.push(format!("weight {}", self.weight));
        }
        if self.width != default.width {
            words.push(format!("width {}", self.width));
        }
        match self.aim {
            Aim::Best => {}
            Aim::First => words.push("first".to_owned()),
            Aim::Within(ratio) => words.push(format!("within {ratio}")),
            Aim::Proven => words.push("exact".to_owned()),
        }
        if self.prune != default.prune {
            words.push("prune loops".to_owned());
        }
        if !self.order.is_empty() {
            words.push(format!("order {}", self.order.join(",")));
        }
        if self.last_first {
            words.push("dfs-last-first".to_owned());
        }
        if self.ties != default.ties {
            words.push("ties board".to_owned());
        }
        if self.count_goal {
            words.push("count-goal".to_owned());
        }
        words.join(", ")
    }

    /// The limits on time and nodes, in words. Memory is none of them: what is free depends on the
    /// machine.
    pub fn limits_in_words(&self) -> String {
        let timeout = self.timeout.map(|timeout| format!("timeout {timeout:?}"));
        let nodes = self.limits.nodes.map(|nodes| format!("max-nodes {nodes}"));
        timeout.into_iter().chain(nodes).collect::<Vec<_>>().join(", ")
    }
}

/// The move of this name; else the only one of this name in either case, or that begins with it.
fn move_named(name: &str, frame: &Frame) -> Result<Move, OrderError> {
    let moves = frame.moves();
    if let Some(exact) = moves.by_name(name) {
        return Ok(exact);
    }
    let begins = |m: &Move| {
        let start = moves.name(*m).get(..name.len());
        !name.is_empty() && start.is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    let whole = |m: &Move| begins(m) && moves.name(*m).len() == name.len();
    let mut found: Vec<Move> = moves.all().filter(whole).collect();
    if found.is_empty() {
        found = moves.all().filter(begins).collect();
    }
    let name = name.to_owned();
    match found[..] {
        [only] => Ok(only),
        [] => Err(OrderError::Unknown { name, puzzle: frame.id().to_owned() }),
        [first, second, ..] => {
            let [first, second] = [first, second].map(|m| moves.name(m).to_owned());
            Err(OrderError::Unclear { name, first, second })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Goal, registry};

    #[test]
    fn an_order_names_moves_in_either_case_and_in_short() {
        let named = |puzzle: &str, order: &str| -> Result<Vec<String>, OrderError> {
            let definition = registry::define(puzzle).unwrap();
            let frame = Frame::new(definition, Goal::Default, Simd::off()).unwrap();
            let order = order.split(',').map(str::to_owned).collect();
            let moves = SearchOptions { order, ..SearchOptions::default() }.named_moves(&frame)?;
            Ok(moves.into_iter().map(|m| frame.moves().name(m).to_owned()).collect())
        };
        let all = ["Up", "Down", "Left", "Right"].map(str::to_owned).to_vec();
        for order in ["Up,Down,Left,Right", "U,D,L,R", "u,d,l,r", "UP, down ,Le,RIGHT"] {
            assert_eq!(named("sliding3", order), Ok(all.clone()), "{order}");
        }
        assert_eq!(named("torus3", "l2,D3"), Ok(vec!["L2".to_owned(), "D3".to_owned()]));
        assert_eq!(named("rings3", "oc,OCC"), Ok(vec!["Oc".to_owned(), "Occ".to_owned()]));
        let failed = |puzzle, order| named(puzzle, order).unwrap_err().to_string();
        assert_eq!(failed("sliding3", "U,D,u"), "the order names Up twice");
        assert_eq!(failed("sliding3", "U,X"), "sliding3 has no move \"X\"");
        assert_eq!(failed("sliding3", "U,,D"), "sliding3 has no move \"\"");
        assert_eq!(failed("sliding3", "Upper"), "sliding3 has no move \"Upper\"");
        assert_eq!(failed("torus3", "l"), "\"l\" may be L1 or L2");
    }

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
        assert_eq!(options.in_words(), "wastar, heuristic manhattan, weight 1.5");
        assert_eq!(options.limits_in_words(), "timeout 1.5s, max-nodes 7");
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
