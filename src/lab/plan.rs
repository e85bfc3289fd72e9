//! What a run asks about a board, in words: each record states it as its `plan`, and a run that is
//! resumed takes a record as an answer only if it was asked the same.
//!
//! The question comes first: the puzzle, the goal, and the options that decide about answers, with
//! a hash of every file that does. The limits come after a semicolon: they decide whether there is
//! an answer, and not what it is. Threads and memory are no part of it, as they depend on the
//! machine.

use super::input::Item;
use super::solvers::Solvers;
use crate::board::Board;
use crate::board::check::Rules;
use crate::once_list::OnceList;
use crate::puzzle::{Frame, Goal};
use crate::search::SearchOptions;
use std::convert::Infallible;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// What a run asks about its boards.
#[derive(Debug)]
pub struct Plan {
    options: String,
    limits: String,
    /// What is asked about an item that is no board of any puzzle.
    without_puzzle: String,
    /// What is asked about boards, by the address of their solver.
    with_puzzle: OnceList<(usize, String)>,
}

/// How what was asked for a record compares with what is asked now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// The same.
    Same,
    /// The same under other limits.
    OtherLimits,
    /// Something else.
    OtherQuestion,
}

impl Plan {
    /// The plan of a run with these options.
    pub fn new(options: &SearchOptions<'_>, solvers: &Solvers) -> Plan {
        let puzzle = match solvers.definition() {
            Some(definition) => puzzle_in_words(&definition.id, &definition.rules),
            None => "any".to_owned(),
        };
        let goal = match solvers.goal() {
            Goal::Default => "default".to_owned(),
            Goal::BlankFirst => "blank-first".to_owned(),
            Goal::BlankLast => "blank-last".to_owned(),
            Goal::Board(board) => goal_in_words(board),
        };
        let options_in_words = options.in_words();
        Plan {
            without_puzzle: question(&puzzle, &goal, &options_in_words),
            options: options_in_words,
            limits: options.limits_in_words(),
            with_puzzle: OnceList::default(),
        }
    }

    /// What is asked about an item, without the limits.
    pub fn question(&self, item: &Item, solvers: &Solvers) -> &str {
        let solver = item.entry.as_ref().ok().and_then(|e| solvers.for_board(&e.board).ok());
        let Some(solver) = solver else { return &self.without_puzzle };
        let address = std::ptr::from_ref(solver).addr();
        let make = || Ok::<_, Infallible>((address, self.question_about(solver.frame())));
        match self.with_puzzle.find_or_try_make(|(of, _)| *of == address, make) {
            Ok((_, question)) => question,
            Err(never) => match never {},
        }
    }

    fn question_about(&self, frame: &Frame) -> String {
        let goal = frame.goal_name().map_or_else(|| goal_in_words(frame.goal()), str::to_owned);
        question(&puzzle_in_words(frame.id(), frame.rules()), &goal, &self.options)
    }

    /// What a run asks about its boards, whatever they are, and its limits.
    pub fn in_words(&self) -> String {
        self.with_limits(&self.without_puzzle)
    }

    /// All of it, as records state it.
    pub fn with_limits(&self, question: &str) -> String {
        if self.limits.is_empty() {
            question.to_owned()
        } else {
            [question, LIMITS, &self.limits].concat()
        }
    }

    /// Compares a question with what a record states.
    pub fn compare(&self, question: &str, stated: Option<&str>) -> Asked {
        match stated.and_then(|stated| stated.strip_prefix(question)) {
            Some("") if self.limits.is_empty() => Asked::Same,
            Some("") => Asked::OtherLimits,
            Some(rest) => match rest.strip_prefix(LIMITS) {
                Some(limits) if limits == self.limits => Asked::Same,
                Some(_) => Asked::OtherLimits,
                None => Asked::OtherQuestion,
            },
            None => Asked::OtherQuestion,
        }
    }
}

/// What comes between the question and the limits.
const LIMITS: &str = "; ";

fn question(puzzle: &str, goal: &str, options: &str) -> String {
    format!("puzzle {puzzle}, goal {goal}, {options}")
}

/// The id, and a hash of the moves if these are what a file says.
fn puzzle_in_words(id: &str, rules: &Rules) -> String {
    let Rules::Cycles { shape, moves } = rules else { return id.to_owned() };
    let mut hash = Xxh3Default::new();
    hash.update(shape.to_string().as_bytes());
    for m in moves {
        // No name has a space or a comma.
        hash.update(format!(" {},{:?}", m.name, m.cycles).as_bytes());
    }
    format!("{id} (moves {:016x})", hash.digest())
}

/// A goal without a name by its hash: its tiles are in the record.
fn goal_in_words(goal: &Board) -> String {
    format!("{:016x}", xxh3_64(goal.to_string().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input::Source;
    use crate::puzzle::arch::Simd;
    use crate::search::Limits;
    use std::time::Duration;

    fn asked(puzzle: Option<&str>, goal: Goal, options: &SearchOptions<'_>) -> (Plan, String) {
        let solvers = Solvers::new(puzzle, goal, Simd::detect()).unwrap();
        let plan = Plan::new(options, &solvers);
        let item = Source::from_argument("3,1,2,0,4,5,6,7,8").read(None).remove(0);
        let question = plan.question(&item, &solvers).to_owned();
        (plan, question)
    }

    #[test]
    fn a_puzzle_that_is_inferred_is_the_same_as_one_that_is_named() {
        let options = SearchOptions::default();
        let (plan, inferred) = asked(None, Goal::Default, &options);
        assert_eq!(inferred, "puzzle sliding3, goal blank-first, auto");
        assert_eq!(asked(Some("sliding3"), Goal::BlankFirst, &options).1, inferred);
        assert_ne!(asked(None, Goal::BlankLast, &options).1, inferred);
        assert_eq!(plan.with_limits(&inferred), inferred);
    }

    #[test]
    fn limits_are_told_from_the_question() {
        let limited = SearchOptions {
            timeout: Some(Duration::from_millis(1500)),
            limits: Limits { nodes: Some(7), ..Limits::default() },
            ..SearchOptions::default()
        };
        let (plain, question) = asked(None, Goal::Default, &SearchOptions::default());
        let (plan, same_question) = asked(None, Goal::Default, &limited);
        assert_eq!(question, same_question);
        let stated = plan.with_limits(&question);
        assert_eq!(stated, format!("{question}; timeout 1.5s, max-nodes 7"));
        assert_eq!(plan.compare(&question, Some(&stated)), Asked::Same);
        assert_eq!(plan.compare(&question, Some(&question)), Asked::OtherLimits);
        assert_eq!(plain.compare(&question, Some(&stated)), Asked::OtherLimits);
        assert_eq!(plain.compare(&question, Some(&question)), Asked::Same);
        let other = format!("{question}, heuristic zero; timeout 1.5s, max-nodes 7");
        assert_eq!(plan.compare(&question, Some(&other)), Asked::OtherQuestion);
        assert_eq!(plan.compare(&question, None), Asked::OtherQuestion);
    }
}
