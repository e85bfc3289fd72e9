//! Records of an earlier run, matched with the boards of one that continues it.

use crate::lab::input::Item;
use crate::lab::plan::{Asked, Plan};
use crate::lab::record::{Record, Status};
use crate::lab::summary::Repeated;
use std::collections::HashMap;

/// Records of an earlier run, found by the boards that they are of.
#[derive(Debug)]
pub(super) struct EarlierRecords {
    by_board: HashMap<(String, Option<Vec<u16>>), Record>,
    /// The statuses of boards that are to be solved again, if the user said so.
    retry: Option<Vec<Status>>,
    repeated: Repeated,
    /// Whether records of this run replace some of these.
    replaces: bool,
}

impl EarlierRecords {
    /// The records of a journal, one for each board.
    pub(super) fn new(records: Vec<Record>, retry: Option<Vec<Status>>) -> EarlierRecords {
        let key = |record: &Record| (record.board.clone(), record.start.clone());
        let by_board = records.into_iter().map(|record| (key(&record), record)).collect();
        EarlierRecords { by_board, retry, repeated: Repeated::default(), replaces: false }
    }

    /// Takes out the record of an item, if it answers what this run asks.
    pub(super) fn take(&mut self, item: &Item, plan: &Plan, question: &str) -> Option<Record> {
        let tiles = item.entry.as_ref().ok().map(|entry| entry.board.tiles());
        let tiles: Option<Vec<u16>> = tiles.map(|tiles| tiles.iter().map(|tile| tile.0).collect());
        let mut with_start = |start| self.by_board.remove(&(item.name.clone(), start));
        // The record of a board that fits no puzzle has no start.
        let record = with_start(tiles).or_else(|| with_start(None))?;
        if self.answers(&record, plan.compare(question, record.plan.as_deref())) {
            return Some(record);
        }
        self.replaces = true;
        None
    }

    /// Whether a record is an answer. If it is not, its board is solved again.
    fn answers(&mut self, record: &Record, asked: Asked) -> bool {
        let status = record.status;
        let hit_limit = matches!(status, Status::Timeout | Status::NodeLimit | Status::MemoryLimit);
        let again = match (asked, &self.retry) {
            _ if status == Status::Interrupted => return false,
            (Asked::OtherQuestion, _) => {
                self.repeated.earlier_plan.get_or_insert_with(|| {
                    record.plan.clone().unwrap_or_else(|| "what it does not tell".to_owned())
                });
                &mut self.repeated.other_question
            }
            (_, Some(retry)) if retry.contains(&status) => &mut self.repeated.retried,
            (Asked::OtherLimits, None) if hit_limit => &mut self.repeated.other_limits,
            _ => return true,
        };
        *again += 1;
        false
    }

    /// How many boards were solved again, and why.
    pub(super) fn repeated(&self) -> &Repeated {
        &self.repeated
    }

    /// Whether records of this run replace earlier ones.
    pub(super) fn replaces(&self) -> bool {
        self.replaces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input::Source;
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

    #[test]
    fn an_answer_is_of_the_same_board_and_the_same_question() {
        let solvers = Solvers::new(None, Goal::Default, Simd::detect()).unwrap();
        let limits = Limits { nodes: Some(7), ..Limits::default() };
        let plan = Plan::new(&SearchOptions { limits, ..SearchOptions::default() }, &solvers);
        let item = Source::from_argument("1 0 2 3").read(None).remove(0);
        let question = plan.question(&item, &solvers);
        let same = plan.with_limits(question);
        let start: Option<&[u16]> = Some(&[1, 0, 2, 3]);
        let taken = |record: Record, retry: Option<Vec<Status>>| {
            let mut earlier = EarlierRecords::new(vec![record], retry);
            let taken = earlier.take(&item, &plan, question).is_some();
            let Repeated { other_question, other_limits, retried, .. } = *earlier.repeated();
            (taken, [other_question, other_limits, retried], earlier.replaces())
        };
        let kept = (true, [0, 0, 0], false);
        let not_there = (false, [0, 0, 0], false);
        let (solved, timeout) = (Status::Solved, Status::Timeout);
        assert_eq!(taken(record("argument", start, solved, &same), None), kept);
        assert_eq!(taken(record("argument", None, Status::Invalid, &same), None), kept);
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
        let retry = Some(vec![timeout]);
        assert_eq!(taken(limited.clone(), retry.clone()), (false, [0, 0, 1], true));
        assert_eq!(taken(limited, Some(vec![Status::MemoryLimit])), kept);
        assert_eq!(taken(record("argument", start, timeout, &same), None), kept);
        assert_eq!(
            taken(record("argument", start, timeout, &same), retry),
            (false, [0, 0, 1], true)
        );
    }
}
