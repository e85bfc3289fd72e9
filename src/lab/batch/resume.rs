//! Records of an earlier run, matched with the boards of one that continues it.

use crate::lab::input::Item;
use crate::lab::journal::{BoardKey, KnownRecords};
use crate::lab::plan::{Asked, Plan};
use crate::lab::record::{Record, Status, UnknownStatus};
use crate::lab::summary::Repeated;
use crate::sync::{into_inner, lock};
use std::fmt;
use std::str::FromStr;
use std::sync::Mutex;

/// Which boards of a journal are to be solved again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retry {
    /// Those with this status.
    Status(Status),
    /// Those with a solution that is not proven shortest.
    Unproven,
}

impl Retry {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Retry> {
        Status::ALL.into_iter().map(Retry::Status).chain([Retry::Unproven])
    }

    fn applies_to(self, record: &Record) -> bool {
        match self {
            Retry::Status(status) => record.status == status,
            Retry::Unproven => record.is_unproven(),
        }
    }
}

impl fmt::Display for Retry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Retry::Status(status) => status.name(),
            Retry::Unproven => "unproven",
        })
    }
}

impl FromStr for Retry {
    type Err = UnknownStatus;

    fn from_str(name: &str) -> Result<Retry, UnknownStatus> {
        if name == Retry::Unproven.to_string() {
            return Ok(Retry::Unproven);
        }
        name.parse().map(Retry::Status)
    }
}

/// What an earlier run has found out about a board.
#[derive(Debug)]
pub(super) enum Earlier {
    /// The answer to what this run asks.
    Answer(Box<Record>),
    /// What is known already of that, though the board is to be solved again.
    Again(Box<Record>),
    /// Nothing.
    Nothing,
}

/// What is known of a board that was solved again: the new record, unless it was interrupted or lacks
/// a proof that the old one has; completed by what only the other one has found or proven.
pub(super) fn joined(new: Record, known: Record) -> Record {
    if new.is_interrupted() || (known.optimal && !new.optimal) {
        known.with_better_of(&new)
    } else {
        new.with_better_of(&known)
    }
}

/// Records of an earlier run, found by the boards that they are of.
#[derive(Debug)]
pub(super) struct EarlierRecords {
    records: KnownRecords,
    /// Which boards are to be solved again, if the user said so.
    retry: Option<Vec<Retry>>,
    again: Mutex<Again>,
}

/// What is solved again.
#[derive(Debug, Default)]
pub(super) struct Again {
    /// How many boards, and why.
    pub(super) repeated: Repeated,
    /// Whether records of this run replace some of the earlier ones.
    pub(super) replaces: bool,
}

impl EarlierRecords {
    /// The records of a journal.
    pub(super) fn new(records: KnownRecords, retry: Option<Vec<Retry>>) -> EarlierRecords {
        EarlierRecords { records, retry, again: Mutex::default() }
    }

    /// The record of an item, which is a board of a puzzle or not.
    pub(super) fn of(
        &self,
        item: &Item,
        is_of_puzzle: bool,
        plan: &Plan,
        question: &str,
    ) -> Earlier {
        let unread = BoardKey::new(&item.name, None);
        let record = if is_of_puzzle {
            let tiles = item.entry.as_ref().ok().map(|entry| entry.board.tiles());
            let start: Option<Vec<u16>> =
                tiles.map(|tiles| tiles.iter().map(|tile| tile.0).collect());
            if self.records.contains(unread) {
                // It has been corrected.
                lock(&self.again).replaces = true;
            }
            self.records.get(BoardKey::new(&item.name, start.as_deref()))
        } else {
            self.records.get(unread)
        };
        let Some(record) = record else { return Earlier::Nothing };
        let asked = plan.compare(question, record.plan.as_deref());
        let mut again = lock(&self.again);
        if self.answers(&record, asked, &mut again.repeated) {
            return Earlier::Answer(Box::new(record));
        }
        again.replaces = true;
        match asked {
            Asked::Same | Asked::OtherLimits => Earlier::Again(Box::new(record)),
            Asked::OtherQuestion => Earlier::Nothing,
        }
    }

    /// Whether a record is an answer. If it is not, its board is solved again.
    fn answers(&self, record: &Record, asked: Asked, repeated: &mut Repeated) -> bool {
        let again = match (asked, &self.retry) {
            _ if record.is_interrupted() => return false,
            (Asked::OtherQuestion, _) => {
                repeated.earlier_plan.get_or_insert_with(|| {
                    record.plan.clone().unwrap_or_else(|| "what it does not tell".to_owned())
                });
                &mut repeated.other_question
            }
            (_, Some(retry)) if retry.iter().any(|retry| retry.applies_to(record)) => {
                &mut repeated.retried
            }
            (Asked::OtherLimits, None) if record.hit_limit() => &mut repeated.other_limits,
            _ => return true,
        };
        *again += 1;
        false
    }

    /// What was solved again.
    pub(super) fn into_again(self) -> Again {
        into_inner(self.again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input::Source;
    use crate::lab::journal::{Counting, Journal, to_line};
    use crate::lab::solvers::Solvers;
    use crate::puzzle::Goal;
    use crate::puzzle::arch::Simd;
    use crate::search::{Limits, SearchOptions};

    /// The name of a record, its start, how it ended and its plan.
    fn record(name: &str, start: Option<&[u16]>, status: Status, plan: &str) -> Record {
        Record {
            start: start.map(<[u16]>::to_vec),
            status,
            plan: Some(plan.to_owned()),
            ..Record::invalid(name.to_owned(), String::new())
        }
    }

    /// The records of a journal with this one.
    fn earlier(record: &Record, retry: Option<Vec<Retry>>) -> EarlierRecords {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        std::fs::write(&path, to_line(record)).unwrap();
        EarlierRecords::new(Journal::resume(&path, Counting::Finished).unwrap().1, retry)
    }

    #[test]
    fn an_answer_is_of_the_same_board_and_the_same_question() {
        let solvers = Solvers::new(None, Goal::Default, Simd::detect()).unwrap();
        let limits = Limits { nodes: Some(7), ..Limits::default() };
        let plan = Plan::new(&SearchOptions { limits, ..SearchOptions::default() }, &solvers);
        let item = Source::from_argument("1 0 2 3").read(None).remove(0);
        let question = plan.question(&item, &solvers);
        let same = plan.with_limits(question);
        let start: Option<&[u16]> = Some(&[1, 0, 2, 3]);
        let taken = |record: Record, retry: Option<Vec<Retry>>| {
            let earlier = earlier(&record, retry);
            let taken = matches!(earlier.of(&item, true, &plan, question), Earlier::Answer(_));
            let Again { repeated, replaces } = earlier.into_again();
            let Repeated { other_question, other_limits, retried, .. } = repeated;
            (taken, [other_question, other_limits, retried], replaces)
        };
        let kept = (true, [0, 0, 0], false);
        let not_there = (false, [0, 0, 0], false);
        let (solved, timeout) = (Status::Solved, Status::Timeout);
        assert_eq!(taken(record("argument", start, solved, &same), None), kept);
        // What could not be read has been corrected; else it is still the answer.
        let unread = || record("argument", None, Status::Invalid, &same);
        assert_eq!(taken(unread(), None), (false, [0, 0, 0], true));
        let again = earlier(&unread(), None);
        assert!(matches!(again.of(&item, false, &plan, question), Earlier::Answer(_)));
        assert_eq!(taken(record("other", start, solved, &same), None), not_there);
        assert_eq!(taken(record("argument", Some(&[0]), solved, &same), None), not_there);
        let interrupted = record("argument", start, Status::Interrupted, &same);
        assert_eq!(taken(interrupted, None), (false, [0, 0, 0], true));
        let other = "puzzle sliding2, goal blank-last, auto; max-nodes 7";
        assert_eq!(taken(record("argument", start, solved, other), None), (false, [1, 0, 0], true));
        // Other limits matter to boards that hit one.
        assert_eq!(taken(record("argument", start, solved, question), None), kept);
        let limited = record("argument", start, timeout, question);
        assert_eq!(taken(limited.clone(), None), (false, [0, 1, 0], true));
        let retry = Some(vec![Retry::Status(timeout)]);
        assert_eq!(taken(limited.clone(), retry.clone()), (false, [0, 0, 1], true));
        let other = Some(vec![Retry::Status(Status::MemoryLimit), Retry::Unproven]);
        assert_eq!(taken(limited, other), kept);
        assert_eq!(taken(record("argument", start, timeout, &same), None), kept);
        assert_eq!(
            taken(record("argument", start, timeout, &same), retry),
            (false, [0, 0, 1], true)
        );
        // A solution that a limit kept from being proven depends on the limit, and others do not.
        let unproven = |stopped_by, plan: &str| Record {
            stopped_by,
            length: Some(3),
            lower_bound: Some(1),
            ..record("argument", start, solved, plan)
        };
        assert_eq!(taken(unproven(Some(timeout), &same), None), kept);
        assert_eq!(taken(unproven(Some(timeout), question), None), (false, [0, 1, 0], true));
        assert_eq!(taken(unproven(None, question), None), kept);
        let again = Some(vec![Retry::Unproven]);
        assert_eq!(taken(unproven(None, &same), again.clone()), (false, [0, 0, 1], true));
        let proven = Record { optimal: true, ..unproven(None, &same) };
        assert_eq!(taken(proven, again), kept);
        let cut_off = unproven(Some(Status::Interrupted), &same);
        assert_eq!(taken(cut_off, None), (false, [0, 0, 0], true));
    }

    #[test]
    fn what_is_known_already_is_of_the_same_question() {
        let solvers = Solvers::new(None, Goal::Default, Simd::detect()).unwrap();
        let plan = Plan::new(&SearchOptions::default(), &solvers);
        let item = Source::from_argument("1 0 2 3").read(None).remove(0);
        let question = plan.question(&item, &solvers);
        let taken = |plan_of_record: &str| {
            let start: Option<&[u16]> = Some(&[1, 0, 2, 3]);
            let record = record("argument", start, Status::Timeout, plan_of_record);
            let retry = Some(vec![Retry::Status(Status::Timeout)]);
            earlier(&record, retry).of(&item, true, &plan, question)
        };
        assert!(matches!(taken(question), Earlier::Again(_)));
        assert!(matches!(taken(&format!("{question}; timeout 1s")), Earlier::Again(_)));
        let other = "puzzle sliding2, goal blank-last, auto";
        assert!(matches!(taken(other), Earlier::Nothing));
    }

    #[test]
    fn what_was_known_is_not_lost_to_a_search_that_found_less() {
        let plan = |plan: &str, length, lower_bound, status, expanded| Record {
            length,
            lower_bound: Some(lower_bound),
            optimal: length == Some(lower_bound),
            expanded,
            ..record("a", None, status, plan)
        };
        let joined = |new, known| {
            let Record { length, lower_bound, expanded, plan, .. } = joined(new, known);
            (length, lower_bound.unwrap(), expanded, plan.unwrap())
        };
        let (solved, timeout, interrupted) = (Status::Solved, Status::Timeout, Status::Interrupted);
        let known = || plan("old", Some(9), 4, solved, 50);
        let of = |length, bound, expanded, plan: &str| (length, bound, expanded, plan.to_owned());
        // A search that was over tells what it took, and keeps what it did not find.
        assert_eq!(joined(plan("new", Some(7), 3, solved, 5), known()), of(Some(7), 4, 5, "new"));
        assert_eq!(joined(plan("new", None, 6, timeout, 5), known()), of(Some(9), 6, 5, "new"));
        // One that was not answers nothing, but may have found something.
        let cut_off =
            Record { stopped_by: Some(interrupted), ..plan("new", Some(7), 3, solved, 5) };
        assert_eq!(joined(cut_off, known()), of(Some(7), 4, 50, "old"));
        assert_eq!(
            joined(plan("new", None, 3, interrupted, 5), known()),
            of(Some(9), 4, 50, "old")
        );
        // A proof is told with what it took.
        let proven = || plan("old", Some(7), 7, solved, 50);
        assert_eq!(joined(plan("new", None, 3, timeout, 5), proven()), of(Some(7), 7, 50, "old"));
        assert_eq!(joined(plan("new", Some(7), 7, solved, 5), proven()), of(Some(7), 7, 5, "new"));
    }

    #[test]
    fn what_to_solve_again_is_known_by_name() {
        for retry in Retry::all() {
            assert_eq!(retry.to_string().parse(), Ok(retry));
        }
        assert!("slow".parse::<Retry>().is_err());
    }
}
