//! How all boards of a run are solved: from an item of the input to its record.

use super::input::{InputError, Item};
use super::record::{Record, Status};
use super::solvers::Solvers;
use crate::board::text::Entry;
use crate::puzzle::Frame;
use crate::search::{Limits, Observer, Settings, Ties};
use crate::solver::{AUTO, Request, SolveError, Solver};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What the user wants done with each board.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The name of an algorithm, or [`AUTO`].
    pub algorithm: String,
    /// The name of a heuristic; the puzzle's own first choice if not given.
    pub heuristic: Option<String>,
    /// How long a board may take.
    pub timeout: Option<Duration>,
    /// How many nodes may be expanded for a board.
    pub nodes: Option<u64>,
    /// How many bytes a board may take.
    pub bytes: Option<u64>,
    /// How many threads work on one board.
    pub threads: usize,
    /// How much weighted A* trusts the heuristic.
    pub weight: f64,
    /// In which order successors are tried, by name.
    pub order: Vec<String>,
    /// Which of equally promising nodes comes first.
    pub ties: Ties,
    /// Whether the goal counts as an expanded node.
    pub count_goal: bool,
}

impl Default for Plan {
    fn default() -> Plan {
        let Settings { weight, threads, ties, .. } = Settings::default();
        Plan {
            algorithm: AUTO.to_owned(),
            heuristic: None,
            timeout: None,
            nodes: None,
            bytes: None,
            threads,
            weight,
            order: Vec::new(),
            ties,
            count_goal: false,
        }
    }
}

/// What came of an item.
pub struct Answered<'a> {
    /// The record.
    pub record: Record,
    /// The board, if it was one.
    pub board: Option<(Entry, &'a Solver)>,
    /// Why it was no board, or not one that this can be asked about.
    pub refusal: Option<Refusal>,
}

/// Why an item was not searched.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It could not be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It does not fit what is asked.
    #[error("{0}")]
    Misfit(String),
}

impl Plan {
    /// Solves a board, or says why not.
    ///
    /// # Errors
    /// If the plan names what does not exist, or if the checker rejects what was found.
    pub fn answer<'a>(
        &self,
        item: Item,
        solvers: &'a Solvers,
        cancelled: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Answered<'a>, SolveError> {
        let Item { name, entry } = item;
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let record = Record::invalid(name, error.to_string());
                return Ok(Answered { record, board: None, refusal: Some(error.into()) });
            }
        };
        let solver = match solvers.for_board(&entry.board) {
            Ok(solver) => solver,
            Err(error) => {
                let refusal = Some(Refusal::Misfit(error.to_string()));
                let record = Record::invalid(name, error.to_string());
                return Ok(Answered { record, board: None, refusal });
            }
        };
        let began = Instant::now();
        let request = match self.request(solver.frame(), began, cancelled) {
            Ok(request) => request,
            Err(error) => return Ok(Answered::misfit(name, entry, solver, error)),
        };
        match solver.solve(&entry.board, &request, observer) {
            Ok(answer) => {
                let seconds = began.elapsed().as_secs_f64();
                let mut record = Record::of_answer(name, &entry, solver, &answer, seconds);
                if self.count_goal && record.status == Status::Solved {
                    record.expanded += 1;
                }
                Ok(Answered { record, board: Some((entry, solver)), refusal: None })
            }
            Err(
                error @ (SolveError::Encode(_)
                | SolveError::Inapplicable { .. }
                | SolveError::NotZeroAtGoal { .. }),
            ) => Ok(Answered::misfit(name, entry, solver, error.to_string())),
            Err(error) => Err(error),
        }
    }

    /// What a solver is asked for a board of a puzzle, at a time.
    ///
    /// # Errors
    /// If the plan does not fit the puzzle.
    pub(super) fn request<'a>(
        &'a self,
        frame: &Frame,
        now: Instant,
        cancelled: &'a AtomicBool,
    ) -> Result<Request<'a>, String> {
        let limits = Limits {
            deadline: self.timeout.and_then(|timeout| now.checked_add(timeout)),
            nodes: self.nodes,
            bytes: self.bytes,
            depth: None,
            cancelled: Some(cancelled),
        };
        let (algorithm, heuristic) = (self.algorithm.as_str(), self.heuristic.as_deref());
        Ok(Request { algorithm, heuristic, limits, settings: self.settings(frame)? })
    }

    /// The settings for a puzzle, whose moves the order names.
    fn settings(&self, frame: &Frame) -> Result<Settings, String> {
        let by_name = |name: &String| {
            let unknown = || format!("--order: {} has no move \"{name}\"", frame.id());
            frame.moves().by_name(name.trim()).ok_or_else(unknown)
        };
        Ok(Settings {
            weight: self.weight,
            threads: self.threads,
            order: self.order.iter().map(by_name).collect::<Result<_, _>>()?,
            ties: self.ties,
        })
    }

    /// What decides about the answers, in words: the choices that are not the default. Threads
    /// and memory are no part of it, as they depend on the machine.
    pub fn in_words(&self) -> String {
        let default = Plan::default();
        let mut words = vec![self.algorithm.clone()];
        words.extend(self.heuristic.as_ref().map(|name| format!("heuristic {name}")));
        words.extend(self.timeout.map(|timeout| format!("timeout {timeout:?}")));
        words.extend(self.nodes.map(|nodes| format!("max-nodes {nodes}")));
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

impl<'a> Answered<'a> {
    /// A board that cannot be asked about in this way.
    pub fn misfit(name: String, entry: Entry, solver: &'a Solver, error: String) -> Self {
        let record = Record::misfit(name, &entry, solver.frame(), error.clone());
        Answered { record, board: Some((entry, solver)), refusal: Some(Refusal::Misfit(error)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_what_decides() {
        assert_eq!(Plan::default().in_words(), "auto");
        let plan = Plan {
            algorithm: "wastar".to_owned(),
            heuristic: Some("manhattan".to_owned()),
            timeout: Some(Duration::from_millis(1500)),
            nodes: Some(7),
            weight: 1.5,
            threads: 8,
            bytes: Some(1 << 30),
            ..Plan::default()
        };
        let words = "wastar, heuristic manhattan, timeout 1.5s, max-nodes 7, weight 1.5";
        assert_eq!(plan.in_words(), words);
    }
}
