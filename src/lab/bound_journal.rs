//! What is proven of hard boards, kept in a journal while they are searched, so that a later run
//! goes on from there.
//!
//! Each length that is ruled out appends a record without a solution; the end of a search appends
//! its result. Of several records of a board, the last counts, also if its search was not
//! finished.

use super::input::Item;
use super::journal::{self, Counting, Journal, JournalError};
use super::plan::{Asked, Plan};
use super::record::Record;
use super::solvers::Solvers;
use crate::limits::Observer;
use crate::puzzle::Depth;
use crate::search::SearchOptions;
use crate::search::ida::IDA;
use crate::search::iddfs::IDDFS;
use crate::search::parallel_ida::PARALLEL_IDA;
use std::path::Path;

/// A journal of what is proven.
#[derive(Debug)]
pub struct BoundJournal {
    journal: Journal,
    records: Vec<Record>,
    plan: Plan,
    /// The first error of writing, after which nothing is written.
    failure: Option<JournalError>,
}

impl BoundJournal {
    /// Continues a journal, or begins one, for searches with these options.
    ///
    /// # Errors
    /// If it is not a journal, if another run is writing to it, or if the system refuses.
    pub fn open(
        path: &Path,
        options: &SearchOptions<'_>,
        solvers: &Solvers,
    ) -> Result<BoundJournal, JournalError> {
        let (journal, records) = Journal::resume(path, Counting::Last)?;
        let records = records.into_records().collect();
        Ok(BoundJournal { journal, records, plan: Plan::new(options, solvers), failure: None })
    }

    /// What earlier runs have proven of a board: no solution is shorter.
    pub fn bound(&self, item: &Item, solvers: &Solvers) -> Depth {
        let Ok(entry) = &item.entry else { return 0 };
        let question = self.plan.question(item, solvers);
        let tiles: Vec<u16> = entry.board.tiles().iter().map(|tile| tile.0).collect();
        let answers = |record: &&Record| {
            record.start.as_ref() == Some(&tiles)
                && self.plan.compare(question, record.plan.as_deref()) != Asked::OtherQuestion
        };
        let bounds = self.records.iter().filter(answers).filter_map(|record| record.lower_bound);
        bounds.max().unwrap_or(0)
    }

    /// An observer of the search of a board, which keeps what is proven and passes everything on.
    /// Only lengths that are ruled out one after the other, by heuristics of this crate, are kept.
    pub fn keep<'a>(
        &'a mut self,
        item: &Item,
        solvers: &Solvers,
        options: &SearchOptions<'_>,
        observer: &'a mut dyn Observer,
    ) -> Keeper<'a> {
        let proven = self.bound(item, solvers);
        let record = item.entry.as_ref().ok().and_then(|entry| {
            let solver = solvers.for_board(&entry.board).ok()?;
            let named = options.algorithm.named();
            let deepens = named.is_none_or(|named| [&IDA, &PARALLEL_IDA, &IDDFS].contains(&named));
            let is_admissible = options.heuristic.as_ref().is_none_or(|kind| {
                let promise = solver.promise(kind);
                !kind.only_claims() && promise.is_ok_and(|promise| promise.admissible)
            });
            let plan = self.plan.with_limits(self.plan.question(item, solvers));
            let record = Record::unfinished(item.name.clone(), entry, solver.frame());
            (deepens && is_admissible).then_some(Record { plan: Some(plan), ..record })
        });
        Keeper { journal: self, record, proven, observer }
    }

    /// Keeps the result of a search, of a board that was found to be solvable.
    pub fn finish(&mut self, mut record: Record, item_plan: String) {
        record.plan = Some(item_plan);
        self.append(&record);
    }

    /// What records of an item state as their plan.
    pub fn plan_of(&self, item: &Item, solvers: &Solvers) -> String {
        self.plan.with_limits(self.plan.question(item, solvers))
    }

    fn append(&mut self, record: &Record) {
        if self.failure.is_none() {
            self.failure = self.journal.append(&journal::to_line(record)).err();
        }
    }

    /// Ends it: records that newer ones replace are dropped.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub fn close(mut self) -> Result<(), JournalError> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.journal.tidy(None::<fn(journal::BoardKey) -> Option<usize>>)
    }
}

/// Keeps what a search proves.
pub struct Keeper<'a> {
    journal: &'a mut BoundJournal,
    /// Absent if nothing can be kept.
    record: Option<Record>,
    proven: Depth,
    observer: &'a mut dyn Observer,
}

impl Observer for Keeper<'_> {
    fn progress(&mut self, bound: u32, expanded: u64) {
        if let Some(record) = self.record.as_mut().filter(|_| bound > self.proven) {
            self.proven = bound;
            (record.lower_bound, record.expanded) = (Some(bound), expanded);
            self.journal.append(record);
        }
        self.observer.progress(bound, expanded);
    }

    fn building_table(&mut self, distance: u32, share: f64) {
        self.observer.building_table(distance, share);
    }

    fn improved(&mut self, length: u32, lower_bound: u32) {
        self.observer.improved(length, lower_bound);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::answered::Answered;
    use crate::lab::input::Source;
    use crate::puzzle::Goal;
    use crate::puzzle::arch::Simd;
    use crate::search::{Limits, Silent};

    fn options(nodes: Option<u64>, heuristic: &str) -> SearchOptions<'static> {
        SearchOptions {
            algorithm: "ida".parse().unwrap(),
            heuristic: Some(heuristic.parse().unwrap()),
            limits: Limits { nodes, ..Limits::default() },
            ..SearchOptions::default()
        }
    }

    fn board() -> Item {
        Source::from_argument("8 6 7 2 5 4 3 0 1").read(None).remove(0)
    }

    /// Searches a board for so many nodes: the bound to begin with, and the record.
    fn search(path: &Path, nodes: Option<u64>, heuristic: &str) -> (Depth, Record) {
        let solvers = Solvers::new(None, Goal::Default, Simd::detect()).unwrap();
        let options = options(nodes, heuristic);
        let mut journal = BoundJournal::open(path, &options, &solvers).unwrap();
        let item = board();
        let at_least = journal.bound(&item, &solvers);
        let options = SearchOptions { at_least, ..options };
        let plan = journal.plan_of(&item, &solvers);
        let name = item.name.clone();
        let mut silent = Silent;
        let mut keeper = journal.keep(&item, &solvers, &options, &mut silent);
        let answered = Answered::new(item, &solvers, &options, &mut keeper).unwrap();
        let Answered::Searched { record, .. } = answered else { panic!("{name} is a board") };
        journal.finish(record.clone(), plan);
        journal.close().unwrap();
        (at_least, record)
    }

    #[test]
    fn a_later_run_goes_on_from_what_is_proven() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bounds.jsonl");
        let (first, record) = search(&path, Some(500), "manhattan");
        let bound = record.lower_bound.unwrap();
        assert!(first == 0 && record.length.is_none() && bound > 21, "{bound}");
        let (second, solved) = search(&path, None, "manhattan");
        assert_eq!((second, solved.length, solved.optimal), (bound, Some(27), true));
        let (_, from_scratch) = search(&folder.path().join("other"), None, "manhattan");
        assert!(solved.expanded < from_scratch.expanded);
        // Another question.
        assert_eq!(search(&path, Some(1), "linear-conflict").0, 0);
        assert_eq!(journal::read(&path).unwrap().len(), 1, "one record a board is left");
    }

    #[test]
    fn what_a_run_has_proven_counts_also_if_it_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bounds.jsonl");
        let bound = search(&path, Some(500), "manhattan").1.lower_bound.unwrap();
        let solvers = Solvers::new(None, Goal::Default, Simd::detect()).unwrap();
        let (options, item) = (options(None, "manhattan"), board());
        let open = || BoundJournal::open(&path, &options, &solvers).unwrap();
        let mut journal = open();
        journal.keep(&item, &solvers, &options, &mut Silent).progress(bound + 2, 1_000);
        drop(journal);
        assert_eq!(open().bound(&item, &solvers), bound + 2);
        open().close().unwrap();
        assert_eq!(open().bound(&item, &solvers), bound + 2);
    }
}
