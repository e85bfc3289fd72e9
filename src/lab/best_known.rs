//! Lists of the best solutions known, with what is proven of their lengths.
//!
//! What is in a list rests on two kinds of evidence. A solution can be replayed, and is, before it
//! is taken and whenever the list is read. A bound cannot: it is what a search has proven and its
//! record says. So a bound that a solution refutes is reported and never taken.
//!
//! ```
//! use permutile::lab::best_known::{Evidence, update, verify};
//!
//! let journal = r#"{"schema":1,"board":"easy","puzzle":"sliding2","goal":"blank-first",
//!     "start":[1,0,2,3],"status":"solved","length":1,"moves":["Left"],"optimal":true,
//!     "lower_bound":1,"algorithm":"ida","heuristic":"manhattan","threads":1,"expanded":1,
//!     "generated":1,"max_depth":1,"seconds":0.001,"peak_bytes":0}"#.replace('\n', "");
//! let mut evidence = Evidence::default();
//! evidence.add_file("journal", journal.as_bytes())?;
//! let folder = tempfile::tempdir()?;
//! let list = folder.path().join("best.toml");
//! let merged = update(&list, evidence)?;
//! assert_eq!((merged.boards, merged.optimal, merged.problems.len()), (1, 1, 0));
//! assert_eq!(verify(&list)?.boards, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod list_file;

#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use list_file::survive;
pub use list_file::{ListError, update, verify};

use super::input::natural_order;
use super::record::{GoalField, Location, Record, Status};
use super::verify::{Replayer, Violation, each_line, read_record};
use crate::board::Board;
use crate::hash::HashMap;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::{self, BufRead};

/// A board towards a goal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Question {
    puzzle: String,
    goal: GoalField,
    start: Board,
}

impl Question {
    /// What a record is about: towards a goal that has a name by that name.
    fn of(record: &Record, replayer: &mut Replayer) -> Result<Question, Violation> {
        let (frame, start) = replayer.puzzle_and_start(record)?;
        Ok(Question { puzzle: frame.id().to_owned(), goal: GoalField::from(frame), start })
    }
}

/// The best that is known of a board.
#[derive(Clone, PartialEq, Debug)]
struct Best {
    question: Question,
    /// What the board is called.
    name: String,
    /// The moves of the shortest solution known.
    moves: Vec<String>,
    /// No solution is shorter than this.
    lower_bound: u32,
}

/// A length, and what is proven of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Known {
    /// The number of moves of the shortest solution known.
    pub length: u32,
    /// No solution is shorter than this.
    pub lower_bound: u32,
}

impl Known {
    /// Whether the solution is proven shortest.
    pub fn is_optimal(self) -> bool {
        self.length == self.lower_bound
    }
}

impl Best {
    fn known(&self) -> Known {
        Known { length: self.moves.len() as u32, lower_bound: self.lower_bound }
    }

    /// The order of boards in a list.
    fn in_order(&self, other: &Best) -> Ordering {
        let (a, b) = (&self.question, &other.question);
        natural_order(&a.puzzle, &b.puzzle)
            .then_with(|| natural_order(&self.name, &other.name))
            .then_with(|| a.start.tiles().cmp(b.start.tiles()))
            .then_with(|| list_file::goal_text(a).cmp(&list_file::goal_text(b)))
    }
}

/// What speaks against a record, an entry of a list, or a bound.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It does not hold by itself.
    #[error("{place}: {violation}")]
    Violation {
        /// Where it is.
        place: Location,
        /// Why not.
        violation: Violation,
    },
    /// A bound above the length of a solution.
    #[error(
        "{place}: at least {bound} moves are said to be necessary here, but {length} suffice \
         ({by}, which replays); this bound is left out"
    )]
    Refuted {
        /// Where the bound is.
        place: Location,
        /// The bound.
        bound: u32,
        /// The length of the solution.
        length: u32,
        /// Where the solution is.
        by: Location,
    },
    /// The same of a bound in the list that is to be changed.
    #[error(
        "{place}: the list has at least {bound} moves as proven, but {length} suffice ({by}, which \
         replays); this board is left as it is: correct its lower_bound"
    )]
    RefutedInList {
        /// Where the bound is.
        place: Location,
        /// The bound.
        bound: u32,
        /// The length of the solution.
        length: u32,
        /// Where the solution is.
        by: Location,
    },
}

/// What journals and lists have to say, by board.
#[derive(Default)]
pub struct Evidence {
    replayer: Replayer,
    found: HashMap<Question, Found>,
    /// How many records and entries were read.
    pub records: u64,
    /// What does not hold.
    pub problems: Vec<Problem>,
}

/// What is said of one board.
struct Found {
    name: String,
    /// The moves of the shortest solution, and where it is.
    solution: Option<(Vec<String>, Location)>,
    /// All bounds, and where each was met first.
    bounds: BTreeMap<u32, Location>,
}

impl Evidence {
    /// Takes the records of a journal, or the entries of a list; which of the two it is can be seen
    /// from its first character.
    ///
    /// # Errors
    /// If it cannot be read, or is a list that is not well-formed.
    pub fn add_file(&mut self, file: &str, mut text: impl BufRead) -> Result<(), ListError> {
        let failed = |error| ListError::Io { path: file.into(), error };
        let first = text.fill_buf().map_err(failed)?.trim_ascii_start().first();
        if matches!(first, None | Some(b'{')) {
            self.add_journal(file, text).map_err(failed)
        } else {
            let text = io::read_to_string(text).map_err(failed)?;
            self.add_list(file, &text)
        }
    }

    fn add_journal(&mut self, file: &str, journal: impl BufRead) -> io::Result<()> {
        each_line(journal, |line, text| {
            let place = |column| Location { file: file.to_owned(), line: Some(line), column };
            let added = read_record(text).and_then(|record| self.add(&record, &place(None)));
            match added {
                Ok(()) => self.records += 1,
                // A run that was killed leaves a torn last line.
                Err(Violation::CutOff) if !text.ends_with(b"\n") => {}
                Err(violation) => {
                    let column = match violation {
                        Violation::NotJson { column } => Some(column),
                        _ => None,
                    };
                    self.problems.push(Problem::Violation { place: place(column), violation });
                }
            }
        })
    }

    fn add_list(&mut self, file: &str, text: &str) -> Result<(), ListError> {
        for (record, place) in list_file::records(file, text)? {
            match self.add(&record, &place) {
                Ok(()) => self.records += 1,
                Err(violation) => self.problems.push(Problem::Violation { place, violation }),
            }
        }
        Ok(())
    }

    /// Takes what a record says, if its solution replays.
    fn add(&mut self, record: &Record, place: &Location) -> Result<(), Violation> {
        let has_solution = self.replayer.check(record)?;
        let bound = record.lower_bound.filter(|&bound| bound > 0);
        if matches!(record.status, Status::Unsolvable | Status::Invalid)
            || !(has_solution || bound.is_some())
        {
            return Ok(());
        }
        let question = Question::of(record, &mut self.replayer)?;
        let found = self.found.entry(question).or_insert_with(|| Found {
            name: record.board.clone(),
            solution: None,
            bounds: BTreeMap::new(),
        });
        if let Some(moves) = &record.moves
            && found.solution.as_ref().is_none_or(|(known, _)| moves.len() < known.len())
        {
            found.solution = Some((moves.clone(), place.clone()));
        }
        // What rests on the claim of a heuristic is not in it: `lower_bound` is proven without.
        if let Some(bound) = bound {
            found.bounds.entry(bound).or_insert_with(|| place.clone());
        }
        Ok(())
    }
}

/// What has become better for a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Improvement {
    /// What the board is called in the list.
    pub board: String,
    /// The puzzle's id.
    pub puzzle: String,
    /// What was known; absent if the board is new.
    pub before: Option<Known>,
    /// What is known now.
    pub now: Known,
}

/// What has come of merging.
#[derive(Debug, Default)]
pub struct Merged {
    /// How many boards the list has.
    pub boards: usize,
    /// How many of their solutions are proven shortest.
    pub optimal: usize,
    /// What has become better, in the order of the list.
    pub improvements: Vec<Improvement>,
    /// Of how many boards there are bounds but no solution, so that they are not in the list.
    pub without_solution: usize,
    /// What contradicts each other.
    pub problems: Vec<Problem>,
}

/// The list with what is better than what it has, and what has come of it.
fn merge(list: Vec<(Best, Location)>, evidence: Evidence) -> (Vec<Best>, Merged) {
    let mut merged = Merged { problems: evidence.problems, ..Merged::default() };
    let mut found = evidence.found;
    let mut all: Vec<(Best, Option<Known>)> = Vec::new();
    for (best, place) in list {
        let before = best.known();
        let after = match found.remove(&best.question) {
            Some(found) => found.improve(best, &place, &mut merged.problems),
            None => best,
        };
        all.push((after, Some(before)));
    }
    for (question, found) in found {
        match found.first(question, &mut merged.problems) {
            Some(best) => all.push((best, None)),
            None => merged.without_solution += 1,
        }
    }
    all.sort_by(|(a, _), (b, _)| a.in_order(b));
    merged.boards = all.len();
    merged.optimal = all.iter().filter(|(best, _)| best.known().is_optimal()).count();
    let better = all.iter().filter(|(best, before)| *before != Some(best.known()));
    merged.improvements = better
        .map(|(best, before)| Improvement {
            board: best.name.clone(),
            puzzle: best.question.puzzle.clone(),
            before: *before,
            now: best.known(),
        })
        .collect();
    merged.problems.sort_by(|a, b| {
        let (a, b) = (a.place(), b.place());
        natural_order(&a.file, &b.file).then(a.line.cmp(&b.line))
    });
    (all.into_iter().map(|(best, _)| best).collect(), merged)
}

impl Found {
    /// The better of this and what a list has at a place.
    fn improve(self, list: Best, place: &Location, problems: &mut Vec<Problem>) -> Best {
        let own_length = list.known().length;
        let shorter = self.solution.filter(|(moves, _)| (moves.len() as u32) < own_length);
        if let Some((moves, by)) = &shorter
            && (moves.len() as u32) < list.lower_bound
        {
            problems.push(Problem::RefutedInList {
                place: place.clone(),
                bound: list.lower_bound,
                length: moves.len() as u32,
                by: by.clone(),
            });
            return list;
        }
        let (moves, by) = shorter.unwrap_or((list.moves, place.clone()));
        let bound = highest(self.bounds, moves.len() as u32, &by, problems);
        Best { moves, lower_bound: list.lower_bound.max(bound), ..list }
    }

    /// The entry of a board that a list does not have yet; none if no solution is known.
    fn first(self, question: Question, problems: &mut Vec<Problem>) -> Option<Best> {
        let (moves, by) = self.solution?;
        let lower_bound = highest(self.bounds, moves.len() as u32, &by, problems);
        Some(Best { question, name: self.name, moves, lower_bound })
    }
}

/// The highest of the bounds that a solution does not refute.
fn highest(
    mut bounds: BTreeMap<u32, Location>,
    length: u32,
    by: &Location,
    problems: &mut Vec<Problem>,
) -> u32 {
    for (bound, place) in bounds.split_off(&(length + 1)) {
        problems.push(Problem::Refuted { place, bound, length, by: by.clone() });
    }
    bounds.last_key_value().map_or(0, |(&bound, _)| bound)
}

impl Problem {
    fn place(&self) -> &Location {
        match self {
            Problem::Violation { place, .. }
            | Problem::Refuted { place, .. }
            | Problem::RefutedInList { place, .. } => place,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of a journal about a board three moves away: `Left Left Up` is the shortest way.
    fn line(name: &str, moves: &str, lower_bound: u32) -> String {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let solved = !moves.is_empty();
        let record = Record {
            puzzle: Some("sliding:2x3".to_owned()),
            goal: Some(GoalField::Named("blank-first".to_owned())),
            start: Some(vec![3, 1, 2, 4, 5, 0]),
            status: if solved { Status::Solved } else { Status::Timeout },
            length: solved.then_some(moves.len() as u32),
            optimal: solved && moves.len() as u32 == lower_bound,
            moves: solved.then(|| moves.into_iter().map(str::to_owned).collect()),
            lower_bound: Some(lower_bound),
            ..Record::invalid(name.to_owned(), String::new())
        };
        format!("{}\n", serde_json::to_string(&record).unwrap())
    }

    const SHORT: &str = "Left Left Up";
    const LONG: &str = "Left Right Left Left Up";

    fn evidence(lines: &[String]) -> Evidence {
        let mut evidence = Evidence::default();
        evidence.add_file("j", lines.concat().as_bytes()).unwrap();
        evidence
    }

    /// A list that is changed, and looked at, from outside.
    #[derive(Default)]
    struct List(Vec<Best>);

    impl List {
        fn merge(&mut self, evidence: Evidence) -> Merged {
            let place = Location { file: "list".to_owned(), line: Some(1), column: None };
            let list = std::mem::take(&mut self.0).into_iter().map(|best| (best, place.clone()));
            let (list, merged) = merge(list.collect(), evidence);
            self.0 = list;
            merged
        }

        fn known(&self) -> Vec<(u32, u32)> {
            let known = self.0.iter().map(Best::known);
            known.map(|known| (known.length, known.lower_bound)).collect()
        }
    }

    #[test]
    fn what_is_better_is_taken_in_any_order() {
        let lines = [line("a", LONG, 1), line("b", SHORT, 2), line("c", "", 3), line("d", "", 1)];
        let mut reversed = lines.clone();
        reversed.reverse();
        for lines in [&lines, &reversed] {
            let mut at_once = List::default();
            let merged = at_once.merge(evidence(lines));
            assert_eq!((at_once.known(), merged.optimal), (vec![(3, 3)], 1));
            let mut one_by_one = List::default();
            for line in lines {
                one_by_one.merge(evidence(std::slice::from_ref(line)));
            }
            assert_eq!(one_by_one.known()[0].0, 3);
            let again = one_by_one.merge(evidence(lines));
            assert_eq!((one_by_one.known(), again.problems.len()), (vec![(3, 3)], 0));
            assert!(one_by_one.merge(evidence(lines)).improvements.is_empty());
        }
    }

    #[test]
    fn bounds_without_a_solution_wait_for_one() {
        let merged = List::default().merge(evidence(&[line("a", "", 2)]));
        assert_eq!((merged.boards, merged.without_solution), (0, 1));
    }

    #[test]
    fn a_bound_that_a_solution_refutes_is_reported_and_not_taken() {
        let [bound, solution] = [line("a", "", 4), line("a", SHORT, 2)];
        for lines in [[bound.clone(), solution.clone()], [solution, bound]] {
            let mut list = List::default();
            let merged = list.merge(evidence(&lines));
            assert_eq!(list.known(), [(3, 2)]);
            let [Problem::Refuted { bound: 4, length: 3, .. }] = merged.problems[..] else {
                panic!("{:?}", merged.problems);
            };
        }
        // A bound in the list that turns out to be wrong is for somebody to look at.
        let mut list = List::default();
        list.merge(evidence(&[line("a", LONG, 5)]));
        let merged = list.merge(evidence(&[line("a", SHORT, 3)]));
        assert_eq!((list.known(), merged.improvements.len()), (vec![(5, 5)], 0));
        assert!(matches!(
            merged.problems[..],
            [Problem::RefutedInList { bound: 5, length: 3, .. }]
        ));
    }
}
