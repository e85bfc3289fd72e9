//! Several journals as one: the better of two records of a board is kept, with what only the other
//! has found or proven, and what they prove must fit together.

use super::input::{Item, natural_order};
use super::record::{GoalField, Record, Status};
use std::collections::HashMap;

/// The result of merging journals.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Merged {
    /// One record for each board, in the natural order of the boards' names.
    pub records: Vec<Record>,
    /// How many records were left out because there is one of the same board that says at least
    /// as much.
    pub duplicates: usize,
    /// What does not fit together, and which boards are missing.
    pub problems: Vec<String>,
}

/// A board towards a goal, whatever it is called.
type Question = (Option<String>, Option<GoalField>, Option<Vec<u16>>);

fn question(record: &Record) -> Question {
    (record.puzzle.clone(), record.goal.clone(), record.start.clone())
}

/// Merges records.
pub fn merge(records: impl IntoIterator<Item = Record>) -> Merged {
    let mut merged = Merged::default();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    let mut by_question: HashMap<Question, Record> = HashMap::new();
    for record in records {
        if record.start.is_some() {
            let known = by_question.entry(question(&record)).or_insert_with(|| record.clone());
            merged.problems.extend(disagreement(known, &record));
            if is_better(&record, known) {
                *known = record.clone();
            }
        }
        let Some(&index) = by_name.get(&record.board) else {
            by_name.insert(record.board.clone(), merged.records.len());
            merged.records.push(record);
            continue;
        };
        let known = &mut merged.records[index];
        if question(known) != question(&record) {
            let name = &record.board;
            merged.problems.push(format!("{name}: two different boards have this name"));
            continue;
        }
        merged.duplicates += 1;
        let agree = disagreement(known, &record).is_none();
        let other =
            if is_better(&record, known) { std::mem::replace(known, record) } else { record };
        if agree {
            *known = known.clone().with_better_of(&other);
        }
    }
    merged.records.sort_by(|a, b| natural_order(&a.board, &b.board));
    merged
}

impl Merged {
    /// Looks for boards that have no record, or one that was interrupted.
    pub fn find_missing(&mut self, boards: impl Iterator<Item = Item>) {
        let records: HashMap<&str, &Record> =
            self.records.iter().map(|record| (record.board.as_str(), record)).collect();
        let mut problems = Vec::new();
        for item in boards {
            let name = &item.name;
            match (records.get(name.as_str()), item.entry) {
                (None, _) => problems.push(format!("{name}: there is no record of this board")),
                (Some(record), _) if record.is_interrupted() => {
                    problems.push(format!("{name}: this board was interrupted"));
                }
                (Some(Record { start: Some(start), .. }), Ok(entry))
                    if !entry.board.tiles().iter().map(|tile| tile.0).eq(start.iter().copied()) =>
                {
                    problems.push(format!("{name}: the record is of another board"));
                }
                _ => {}
            }
        }
        self.problems.extend(problems);
    }
}

/// What two records of the same board say that cannot both be true.
fn disagreement(a: &Record, b: &Record) -> Option<String> {
    let between = |what: String| {
        let names = if a.board == b.board {
            a.board.clone()
        } else {
            format!("{} and {}", a.board, b.board)
        };
        Some(format!("{names}: {what}"))
    };
    let unsolvable = |record: &Record| record.status == Status::Unsolvable;
    if (unsolvable(a) && b.length.is_some()) || (unsolvable(b) && a.length.is_some()) {
        return between("one record says unsolvable, another has a solution".to_owned());
    }
    let beyond = |bound: Option<u32>, length: Option<u32>| bound > length && length.is_some();
    match (a.length, b.length) {
        (Some(one), Some(two)) if one != two && a.optimal && b.optimal => {
            between(format!("{one} and {two} moves are both said to be proven optimal"))
        }
        (one, two) if beyond(a.lower_bound, two) || beyond(b.lower_bound, one) => between(
            "one record has a solution that is shorter than another says is possible".to_owned(),
        ),
        _ => None,
    }
}

/// Whether a record says more than another of the same board.
fn is_better(new: &Record, old: &Record) -> bool {
    let rank = |record: &Record| {
        let unsolvable = record.status == Status::Unsolvable;
        (!record.is_interrupted(), record.optimal, unsolvable, record.length.is_some())
    };
    let (a, b) = (rank(new), rank(old));
    let shorter = matches!((new.length, old.length), (Some(n), Some(o)) if n < o);
    let tighter = new.length == old.length && new.lower_bound > old.lower_bound;
    a > b || (a == b && (shorter || tighter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input::Source;

    fn record(name: &str, start: &[u16], status: Status, length: Option<u32>) -> Record {
        Record {
            puzzle: Some("sliding2".to_owned()),
            start: Some(start.to_vec()),
            status,
            length,
            optimal: length.is_some(),
            lower_bound: Some(length.unwrap_or(1)),
            ..Record::invalid(name.to_owned(), String::new())
        }
    }

    #[test]
    fn the_better_record_stays() {
        let records = [
            record("b10", &[1, 0, 2, 3], Status::Solved, Some(1)),
            record("b9", &[0, 1, 2, 3], Status::Timeout, None),
            record("b9", &[0, 1, 2, 3], Status::Solved, Some(3)),
            record("b9", &[0, 1, 2, 3], Status::Interrupted, None),
        ];
        let merged = merge(records.clone());
        assert_eq!(merged.records, [records[2].clone(), records[0].clone()]);
        assert_eq!((merged.duplicates, merged.problems.len()), (2, 0));
    }

    #[test]
    fn what_either_record_knows_is_kept() {
        let start = [1, 0, 2, 3];
        let unproven = |length, bound, stopped_by| Record {
            optimal: false,
            lower_bound: Some(bound),
            stopped_by: Some(stopped_by),
            ..record("a", &start, Status::Solved, Some(length))
        };
        let bound = |bound, status| Record {
            lower_bound: Some(bound),
            ..record("a", &start, status, None)
        };
        let of = |records: [Record; 2]| {
            let [both, reversed] = [records.clone(), [records[1].clone(), records[0].clone()]];
            let [both, reversed] = [merge(both).records, merge(reversed).records];
            assert_eq!(both, reversed);
            let Record { length, lower_bound, optimal, stopped_by, .. } = both[0];
            (length, lower_bound, optimal, stopped_by)
        };
        let (timeout, interrupted) = (Status::Timeout, Status::Interrupted);
        let expected = (Some(7), Some(5), false, Some(timeout));
        assert_eq!(of([unproven(7, 3, timeout), unproven(9, 5, timeout)]), expected);
        assert_eq!(of([unproven(7, 5, interrupted), unproven(9, 3, timeout)]), expected);
        assert_eq!(of([unproven(7, 5, interrupted), bound(3, timeout)]), expected);
        let proven = (Some(7), Some(7), true, None);
        assert_eq!(of([unproven(7, 3, timeout), bound(7, timeout)]), proven);
        // What contradicts each other is not mixed.
        let merged = merge([unproven(7, 3, timeout), bound(8, timeout)]);
        assert_eq!((merged.problems.len(), merged.records[0].lower_bound), (1, Some(3)));
    }

    #[test]
    fn contradictions_are_found_under_any_name() {
        let a = record("a", &[1, 0, 2, 3], Status::Solved, Some(1));
        let problems = |b: Record| merge([a.clone(), b]).problems.len();
        assert_eq!(problems(record("b", &[1, 0, 2, 3], Status::Solved, Some(1))), 0);
        assert_eq!(problems(record("b", &[1, 0, 2, 3], Status::Solved, Some(3))), 1);
        assert_eq!(problems(record("a", &[1, 0, 2, 3], Status::Unsolvable, None)), 1);
        assert_eq!(problems(record("a", &[2, 0, 1, 3], Status::Solved, Some(1))), 1);
        let bound =
            Record { lower_bound: Some(2), ..record("b", &[1, 0, 2, 3], Status::Timeout, None) };
        assert_eq!(problems(bound), 1);
    }

    #[test]
    fn missing_boards_are_named() {
        let named = |name: &str, start: &[u16]| record(name, start, Status::Solved, Some(1));
        let mut merged = merge([named("argument", &[1, 0, 2, 3])]);
        let boards = |text: &str| Source::from_argument(text).read(None).into_iter();
        merged.find_missing(boards("1 0 2 3"));
        assert!(merged.problems.is_empty());
        merged.find_missing(boards("0 1 2 3"));
        assert_eq!(merged.problems.len(), 1);
        let mut none = merge([]);
        none.find_missing(boards("0 1 2 3"));
        assert_eq!(none.problems.len(), 1);
    }
}
