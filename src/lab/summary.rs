//! Summaries of many records.

use super::circumstances::Circumstances;
use super::input::InputRemarks;
use super::record::{Location, Record, Status};
use crate::solver::LargerTable;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Totals over many records.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// How many boards there were.
    pub boards: usize,
    /// How many ended in which way.
    pub statuses: BTreeMap<Status, usize>,
    /// How many of those that are solved a limit kept from a proof, by that limit.
    pub stopped: BTreeMap<Status, usize>,
    /// How many boards state their optimal length and were solved optimally.
    pub compared: usize,
    /// How many of these agree.
    pub agreeing: usize,
    /// Proven lengths and bounds that contradict what a board states.
    pub contradictions: Vec<String>,
    /// What is wrong with boards that are invalid or unsolvable: the first few, which suffice to
    /// see that a run was given the wrong folder.
    pub faults: Vec<Fault>,
    /// The boards of each puzzle, in the order of their names; what is no board is left out.
    pub puzzles: Vec<PuzzleSummary>,
    /// Boards that had a record and were solved again.
    pub repeated: Repeated,
    /// What there is to say about the input.
    pub input: InputRemarks,
    /// The tables that were built on the way because there were many boards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub larger_tables: Vec<LargerTable>,
    /// How long the run took, unless the records are of several runs.
    pub run: Option<Run>,
}

impl Summary {
    /// The puzzles with solutions that are shortest if a heuristic is admissible, as it claims;
    /// with its name.
    pub fn claims(&self) -> impl Iterator<Item = (&str, &str)> {
        self.puzzles.iter().flat_map(|of| {
            of.rests_on.keys().map(|heuristic| (of.puzzle.as_str(), heuristic.as_str()))
        })
    }
}

/// How many boards had a record of an earlier run and were solved again, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Repeated {
    /// The records answer another question.
    pub other_question: usize,
    /// The plan of one of these records, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier_plan: Option<String>,
    /// The boards had hit a limit, and the limits are others now.
    pub other_limits: usize,
    /// The user wanted boards with such a status to be solved again.
    pub retried: usize,
}

/// The speed of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// From its start to its end.
    pub wall_seconds: f64,
    /// Boards solved or given up in a second, without those of an earlier run.
    pub boards_per_second: f64,
    /// How many threads were searching on average.
    pub cores_used: f64,
    /// Where it was, and when it ended.
    pub circumstances: Circumstances,
}

/// The boards of one puzzle in numbers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PuzzleSummary {
    /// The puzzle's id.
    pub puzzle: String,
    /// How many boards.
    pub boards: usize,
    /// How many have a solution.
    pub solved: usize,
    /// How many of the solutions are proven shortest.
    pub optimal: usize,
    /// How many are not.
    pub unproven: usize,
    /// How many others would be if a heuristic is admissible, as it claims; by its name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rests_on: BTreeMap<String, usize>,
    /// How many solutions have which length.
    pub lengths: BTreeMap<u32, usize>,
    /// The lengths; absent if nothing was solved.
    pub length: Option<Quantiles>,
    /// By how many moves solutions that are not proven shortest exceed what is proven; absent if
    /// there are none.
    pub gap: Option<Quantiles>,
    /// How solutions compare with the optimal lengths that boards state; absent if none does.
    pub excess: Option<Excess>,
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes generated.
    pub generated: u64,
    /// Seconds for each board.
    pub seconds: Option<Quantiles>,
}

/// Solutions of boards whose optimal lengths are known.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Excess {
    /// How many there are.
    pub boards: usize,
    /// How many of them are shortest.
    pub shortest: usize,
    /// By how many moves they are longer, on average.
    pub mean: f64,
    /// By how many moves the worst is longer.
    pub max: f64,
}

impl Excess {
    /// In numbers, from how many moves each solution is longer, if there are any.
    fn from_numbers(excess: &[f64]) -> Option<Excess> {
        let Quantiles { mean, max, .. } = Quantiles::from_numbers(excess)?;
        let shortest = excess.iter().filter(|&&moves| moves <= 0.0).count();
        Some(Excess { boards: excess.len(), shortest, mean, max })
    }
}

/// The distribution of some numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[expect(missing_docs, reason = "the usual names")]
pub struct Quantiles {
    pub mean: f64,
    pub median: f64,
    pub p90: f64,
    pub p99: f64,
    pub max: f64,
}

impl Quantiles {
    /// The distribution of these numbers, if there are any. A percentile is the smallest of them
    /// that at least so many percent do not exceed.
    pub fn from_numbers(numbers: &[f64]) -> Option<Quantiles> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let max = *sorted.last()?;
        let at = |share: f64| {
            let rank = (share * sorted.len() as f64).ceil() as usize;
            sorted[rank.clamp(1, sorted.len()) - 1]
        };
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        Some(Quantiles { mean, median: at(0.5), p90: at(0.9), p99: at(0.99), max })
    }
}

/// Whether what is proven contradicts the length that the board states; then, how.
pub fn contradiction(record: &Record, known_length: Option<u32>) -> Option<String> {
    let known = known_length?;
    let stated = format!("the file states an optimal length of {known}");
    match (record.length, record.lower_bound) {
        (Some(length), _) if record.optimal && known != length => {
            Some(format!("{stated}, but {length} is proven"))
        }
        (Some(length), _) if record.rests_on.is_some() && known < length => {
            let heuristic = record.rests_on.as_deref().unwrap_or_default();
            Some(format!(
                "{stated}, but {length} moves are the fewest if {heuristic} is admissible: one of \
                 the two is wrong"
            ))
        }
        (Some(length), _) if length < known => {
            Some(format!("{stated}, but here is a solution of {length}"))
        }
        (_, Some(bound)) if known < bound => Some(format!(
            "{stated}, but it is proven that no solution has fewer than {bound} moves"
        )),
        _ => None,
    }
}

/// How many faults a summary shows.
const FAULTS: usize = 5;

/// What is wrong with a board. Displayed as `board: error`, or as `file:line:column: error` where
/// the input could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fault {
    /// The board, as in [`Record::board`].
    pub board: String,
    /// Where the input is that could not be read as a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// What is wrong, without saying where.
    pub error: String,
}

impl Fault {
    /// What a record says is wrong.
    fn from_record(record: &Record) -> Option<Fault> {
        let (error, location) = (record.error.as_deref()?, record.location.as_ref());
        // The error of a record is complete, so it begins with the location.
        let prefix = location.map(|location| format!("{location}: "));
        let error = prefix.and_then(|prefix| error.strip_prefix(&prefix)).unwrap_or(error);
        let (board, location) = (record.board.clone(), location.cloned());
        Some(Fault { board, location, error: error.to_owned() })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{location}: {}", self.error),
            None => write!(f, "{}: {}", self.board, self.error),
        }
    }
}

/// Counts records one by one, for a [`Summary`].
#[derive(Clone, Debug, Default)]
pub struct Tally {
    statuses: BTreeMap<Status, usize>,
    stopped: BTreeMap<Status, usize>,
    compared: usize,
    agreeing: usize,
    contradictions: Vec<String>,
    faults: Vec<Fault>,
    puzzles: BTreeMap<String, PuzzleTally>,
    /// Boards of this run.
    fresh: usize,
    busy_seconds: f64,
}

#[derive(Clone, Debug, Default)]
struct PuzzleTally {
    boards: usize,
    optimal: usize,
    rests_on: BTreeMap<String, usize>,
    expanded: u64,
    generated: u64,
    lengths: Vec<f64>,
    gaps: Vec<f64>,
    excess: Vec<f64>,
    seconds: Vec<f64>,
}

impl Tally {
    /// Counts a record of this run.
    pub fn add(&mut self, record: &Record, known_length: Option<u32>) {
        self.add_earlier(record, known_length);
        self.fresh += 1;
        self.busy_seconds += record.seconds * record.threads.max(1) as f64;
    }

    /// Counts a record that an earlier run has made.
    pub fn add_earlier(&mut self, record: &Record, known_length: Option<u32>) {
        *self.statuses.entry(record.status).or_default() += 1;
        if let Some(limit) = record.stopped_by {
            *self.stopped.entry(limit).or_default() += 1;
        }
        if let (Some(known), true) = (known_length, record.optimal) {
            self.compared += 1;
            self.agreeing += usize::from(record.length == Some(known));
        }
        if let Some(contradiction) = contradiction(record, known_length) {
            self.contradictions.push(format!("{}: {contradiction}", record.board));
        }
        if self.faults.len() < FAULTS {
            self.faults.extend(Fault::from_record(record));
        }
        let Some(puzzle) = &record.puzzle else { return };
        let of = match self.puzzles.get_mut(puzzle) {
            Some(of) => of,
            None => self.puzzles.entry(puzzle.clone()).or_default(),
        };
        of.boards += 1;
        of.optimal += usize::from(record.optimal);
        if let Some(heuristic) = &record.rests_on {
            *of.rests_on.entry(heuristic.clone()).or_default() += 1;
        }
        of.expanded += record.expanded;
        of.generated += record.generated;
        if let Some(length) = record.length.map(f64::from) {
            of.lengths.push(length);
            if !record.optimal {
                of.gaps.push(length - f64::from(record.lower_bound.unwrap_or(0)));
            }
            of.excess.extend(known_length.map(|known| length - f64::from(known)));
        }
        of.seconds.push(record.seconds);
    }

    /// Adds the counts of another tally.
    pub fn join(&mut self, other: Tally) {
        for (status, boards) in other.statuses {
            *self.statuses.entry(status).or_default() += boards;
        }
        for (limit, boards) in other.stopped {
            *self.stopped.entry(limit).or_default() += boards;
        }
        self.compared += other.compared;
        self.agreeing += other.agreeing;
        self.contradictions.extend(other.contradictions);
        self.faults.extend(other.faults);
        self.faults.truncate(FAULTS);
        for (puzzle, other) in other.puzzles {
            let of = self.puzzles.entry(puzzle).or_default();
            of.boards += other.boards;
            of.optimal += other.optimal;
            for (heuristic, boards) in other.rests_on {
                *of.rests_on.entry(heuristic).or_default() += boards;
            }
            of.expanded += other.expanded;
            of.generated += other.generated;
            of.lengths.extend(other.lengths);
            of.gaps.extend(other.gaps);
            of.excess.extend(other.excess);
            of.seconds.extend(other.seconds);
        }
        self.fresh += other.fresh;
        self.busy_seconds += other.busy_seconds;
    }

    /// How many boards were counted.
    pub fn boards(&self) -> usize {
        self.statuses.values().sum()
    }

    /// The summary; with the speed of the run, if it is known how long it took.
    pub fn summary(&self, wall_seconds: Option<f64>) -> Summary {
        let run = wall_seconds.map(|seconds| {
            let per_second = |amount: f64| if seconds > 0.0 { amount / seconds } else { 0.0 };
            Run {
                wall_seconds: seconds,
                boards_per_second: per_second(self.fresh as f64),
                cores_used: per_second(self.busy_seconds),
                circumstances: Circumstances::now(),
            }
        });
        Summary {
            boards: self.boards(),
            statuses: self.statuses.clone(),
            stopped: self.stopped.clone(),
            compared: self.compared,
            agreeing: self.agreeing,
            contradictions: self.contradictions.clone(),
            faults: self.faults.clone(),
            puzzles: self.puzzles.iter().map(|(puzzle, of)| of.summary(puzzle)).collect(),
            repeated: Repeated::default(),
            input: InputRemarks::default(),
            larger_tables: Vec::new(),
            run,
        }
    }
}

impl PuzzleTally {
    fn summary(&self, puzzle: &str) -> PuzzleSummary {
        let mut lengths = BTreeMap::new();
        for &length in &self.lengths {
            *lengths.entry(length as u32).or_default() += 1;
        }
        PuzzleSummary {
            puzzle: puzzle.to_owned(),
            boards: self.boards,
            solved: self.lengths.len(),
            optimal: self.optimal,
            unproven: self.gaps.len(),
            rests_on: self.rests_on.clone(),
            lengths,
            length: Quantiles::from_numbers(&self.lengths),
            gap: Quantiles::from_numbers(&self.gaps),
            excess: Excess::from_numbers(&self.excess),
            expanded: self.expanded,
            generated: self.generated,
            seconds: Quantiles::from_numbers(&self.seconds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(length: u32, seconds: f64) -> Record {
        Record {
            puzzle: Some("torus4".to_owned()),
            status: Status::Solved,
            length: Some(length),
            optimal: true,
            lower_bound: Some(length),
            seconds,
            threads: 1,
            error: None,
            ..Record::invalid(format!("board{length}"), String::new())
        }
    }

    #[test]
    fn percentiles_are_members() {
        let numbers: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let quantiles = Quantiles::from_numbers(&numbers).unwrap();
        assert_eq!(
            (quantiles.median, quantiles.p90, quantiles.p99, quantiles.max),
            (50.0, 90.0, 99.0, 100.0)
        );
        assert_eq!(quantiles.mean, 50.5);
        assert_eq!(Quantiles::from_numbers(&[]), None);
        assert_eq!(Quantiles::from_numbers(&[3.0]).unwrap().p90, 3.0);
    }

    #[test]
    fn records_are_counted() {
        let mut tally = Tally::default();
        tally.add_earlier(&solved(3, 9.0), Some(3));
        let mut other = Tally::default();
        other.add(&solved(3, 1.0), None);
        other.add(&solved(5, 2.0), Some(6));
        tally.join(other);
        tally.add(&Record::invalid("x".to_owned(), "no".to_owned()), None);
        let summary = tally.summary(Some(2.0));
        assert_eq!((summary.boards, summary.compared, summary.agreeing), (4, 2, 1));
        assert_eq!(summary.contradictions.len(), 1);
        let faults: Vec<String> = summary.faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults, ["x: no"]);
        let run = summary.run.unwrap();
        assert_eq!((run.boards_per_second, run.cores_used), (1.5, 1.5));
        let [torus] = summary.puzzles.as_slice() else { panic!("one puzzle") };
        assert_eq!((torus.boards, torus.solved, torus.optimal), (3, 3, 3));
        assert_eq!(torus.lengths, BTreeMap::from([(3, 2), (5, 1)]));
    }

    #[test]
    fn solutions_without_proof_are_told_from_the_others() {
        let unproven = |length, bound, stopped_by| Record {
            optimal: false,
            lower_bound: Some(bound),
            stopped_by,
            ..solved(length, 1.0)
        };
        let timeout = Some(Status::Timeout);
        let mut tally = Tally::default();
        tally.add(&solved(5, 1.0), Some(5));
        tally.add(&unproven(9, 4, timeout), Some(7));
        let mut other = Tally::default();
        other.add(&unproven(8, 6, None), Some(8));
        other.add(&unproven(20, 9, timeout), None);
        tally.join(other);
        let summary = tally.summary(None);
        assert_eq!(summary.statuses, BTreeMap::from([(Status::Solved, 4)]));
        assert_eq!(summary.stopped, BTreeMap::from([(Status::Timeout, 2)]));
        assert_eq!((summary.compared, summary.agreeing, summary.contradictions.len()), (1, 1, 0));
        let [torus] = summary.puzzles.as_slice() else { panic!("one puzzle") };
        assert_eq!((torus.solved, torus.optimal, torus.unproven), (4, 1, 3));
        assert_eq!(torus.length.unwrap().mean, 10.5);
        let gap = torus.gap.unwrap();
        assert_eq!((gap.mean, gap.median, gap.max), (6.0, 5.0, 11.0));
        let expected = Excess { boards: 3, shortest: 2, mean: 2.0 / 3.0, max: 2.0 };
        assert_eq!(torus.excess, Some(expected));
        let mut proven = Tally::default();
        proven.add(&solved(5, 1.0), None);
        let [torus] = &proven.summary(None).puzzles[..] else { panic!("one puzzle") };
        assert_eq!((torus.unproven, torus.gap, torus.excess), (0, None, None));
    }

    #[test]
    fn a_fault_names_its_board_once() {
        let location = Location { file: "f".to_owned(), line: Some(3), column: Some(5) };
        let unreadable = Record {
            location: Some(location),
            ..Record::invalid("f:3".to_owned(), "f:3:5: no number".to_owned())
        };
        let misfit = Record::invalid("f:name".to_owned(), "no puzzle".to_owned());
        let unsolvable = Record {
            status: Status::Unsolvable,
            ..Record::invalid("f:other".to_owned(), "odd".to_owned())
        };
        let mut tally = Tally::default();
        for record in [unreadable, misfit, unsolvable] {
            tally.add(&record, None);
        }
        let faults = tally.summary(None).faults;
        let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["f:3:5: no number", "f:name: no puzzle", "f:other: odd"]);
        let errors: Vec<&str> = faults.iter().map(|fault| fault.error.as_str()).collect();
        assert_eq!(errors, ["no number", "no puzzle", "odd"]);
    }

    #[test]
    fn a_contradiction_needs_a_proof() {
        let unproven = Record { optimal: false, lower_bound: Some(4), ..solved(7, 0.0) };
        assert_eq!(contradiction(&unproven, Some(5)), None);
        assert!(contradiction(&unproven, Some(3)).is_some());
        assert!(contradiction(&unproven, Some(8)).is_some());
        assert!(contradiction(&solved(7, 0.0), Some(6)).is_some());
        let claimed = Record { rests_on: Some("mine".to_owned()), ..unproven };
        assert!(contradiction(&claimed, Some(6)).unwrap().contains("if mine is admissible"));
        assert_eq!(contradiction(&claimed, Some(7)), None);
        assert_eq!(contradiction(&solved(7, 0.0), Some(7)), None);
    }
}
