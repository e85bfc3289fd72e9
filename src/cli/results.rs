//! Where a batch's results go: the journal or standard output, a table, and the tally. Workers
//! hand them in from several threads.

use super::output::{data_lines, refuse_to_overwrite};
use anyhow::Context;
use permutile::lab::journal::{self, Journal};
use permutile::lab::record::{GoalField, Record};
use permutile::lab::summary::{Summary, Tally};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The results of a run.
pub(super) struct Results {
    inner: Mutex<Inner>,
}

struct Inner {
    journal: Option<Journal>,
    table: Option<Table>,
    tally: Tally,
    order: Option<Order>,
    /// What went wrong first.
    failure: Option<anyhow::Error>,
}

/// What is needed to write in the order of the boards.
struct Order {
    next: usize,
    /// Lines that wait for an earlier board; `None` for one that an earlier run has written.
    waiting: BTreeMap<usize, Option<Vec<u8>>>,
    /// All records by number, if those of an earlier run have to be sorted in at the end.
    all: Option<BTreeMap<usize, Record>>,
}

impl Results {
    pub(super) fn new(
        journal: Option<Journal>,
        table: Option<Table>,
        ordered: bool,
        resumed: bool,
    ) -> Results {
        let order = ordered.then(|| Order {
            next: 0,
            waiting: BTreeMap::new(),
            all: resumed.then(BTreeMap::new),
        });
        let inner = Inner { journal, table, tally: Tally::default(), order, failure: None };
        Results { inner: Mutex::new(inner) }
    }

    /// Takes in a record of an earlier run, which is in the journal already.
    pub(super) fn keep(&self, number: usize, record: &Record, known_length: Option<u32>) {
        let mut inner = self.lock();
        inner.tally.add_earlier(record, known_length);
        if let Some(order) = &mut inner.order {
            order.waiting.insert(number, None);
            if let Some(all) = &mut order.all {
                all.insert(number, record.clone());
            }
        }
        let written = inner.add_row(record).and_then(|()| inner.write_what_can_be());
        inner.note_failure(written);
    }

    /// Takes in a record of this run.
    ///
    /// # Errors
    /// If it cannot be written; what went wrong is told at the end.
    pub(super) fn add(
        &self,
        number: usize,
        record: &Record,
        known_length: Option<u32>,
    ) -> Result<(), ()> {
        // Outside the lock: this is most of the work.
        let line = journal::line_of(record);
        let mut inner = self.lock();
        inner.tally.add(record, known_length);
        let written = match &mut inner.order {
            None => inner.write(&line),
            Some(order) => {
                order.waiting.insert(number, Some(line));
                if let Some(all) = &mut order.all {
                    all.insert(number, record.clone());
                }
                inner.write_what_can_be()
            }
        };
        let written = written.and_then(|()| inner.add_row(record));
        inner.note_failure(written);
        if inner.failure.is_some() { Err(()) } else { Ok(()) }
    }

    /// Writes what is still to be written; the summary.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub(super) fn finish(self, path: Option<&Path>, seconds: f64) -> anyhow::Result<Summary> {
        let mut inner = self.inner.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = inner.failure {
            return Err(failure);
        }
        if let Some(order) = &mut inner.order {
            // Boards that were not begun leave gaps.
            let rest = std::mem::take(&mut order.waiting);
            let all = order.all.take();
            for line in rest.into_values().flatten() {
                inner.write(&line)?;
            }
            if let (Some(path), Some(all)) = (path, all) {
                let records: Vec<Record> = all.into_values().collect();
                drop(inner.journal.take());
                Journal::replace(path, &records)?;
            }
        }
        if let Some(table) = inner.table {
            table.finish()?;
        }
        Ok(inner.tally.summary(Some(seconds)))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn write(&mut self, line: &[u8]) -> anyhow::Result<()> {
        match &mut self.journal {
            Some(journal) => Ok(journal.append(line)?),
            None => data_lines(line),
        }
    }

    /// Writes the lines whose turn it is.
    fn write_what_can_be(&mut self) -> anyhow::Result<()> {
        while let Some(order) = &mut self.order
            && let Some(line) = order.waiting.remove(&order.next)
        {
            order.next += 1;
            if let Some(line) = line {
                self.write(&line)?;
            }
        }
        Ok(())
    }

    fn add_row(&mut self, record: &Record) -> anyhow::Result<()> {
        self.table.as_mut().map_or(Ok(()), |table| table.add(record))
    }

    fn note_failure(&mut self, result: anyhow::Result<()>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error);
        }
    }
}

/// A table for spreadsheets: one row a record.
pub(super) struct Table {
    path: PathBuf,
    writer: csv::Writer<File>,
}

const COLUMNS: [&str; 17] = [
    "board",
    "puzzle",
    "goal",
    "status",
    "length",
    "optimal",
    "lower_bound",
    "algorithm",
    "heuristic",
    "threads",
    "expanded",
    "generated",
    "max_depth",
    "seconds",
    "peak_bytes",
    "moves",
    "error",
];

impl Table {
    /// Begins a table.
    ///
    /// # Errors
    /// If there is such a file, unless it may be overwritten; or if the system refuses.
    pub(super) fn create(path: &Path, overwrite: bool) -> anyhow::Result<Table> {
        refuse_to_overwrite(path, overwrite)?;
        let file = File::create(path).with_context(|| path.display().to_string())?;
        let mut table = Table { path: path.into(), writer: csv::Writer::from_writer(file) };
        table.row(&COLUMNS)?;
        Ok(table)
    }

    /// Adds the row of a record.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        fn text<T: ToString>(value: Option<&T>) -> String {
            value.map(ToString::to_string).unwrap_or_default()
        }
        let joined =
            |tiles: &[u16]| tiles.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let goal = record.goal.as_ref().map(|goal| match goal {
            GoalField::Named(name) => name.clone(),
            GoalField::Tiles(tiles) => joined(tiles),
        });
        let status = serde_json::to_value(record.status)?;
        self.row(&[
            record.board.as_str(),
            record.puzzle.as_deref().unwrap_or_default(),
            goal.as_deref().unwrap_or_default(),
            status.as_str().unwrap_or_default(),
            &text(record.length.as_ref()),
            &record.optimal.to_string(),
            &text(record.lower_bound.as_ref()),
            record.algorithm.as_deref().unwrap_or_default(),
            record.heuristic.as_deref().unwrap_or_default(),
            &record.threads.to_string(),
            &record.expanded.to_string(),
            &record.generated.to_string(),
            &record.max_depth.to_string(),
            &record.seconds.to_string(),
            &record.peak_bytes.to_string(),
            &record.moves.as_deref().unwrap_or_default().join(" "),
            record.error.as_deref().unwrap_or_default(),
        ])
    }

    fn row(&mut self, fields: &[&str; COLUMNS.len()]) -> anyhow::Result<()> {
        self.writer.write_record(fields).with_context(|| self.path.display().to_string())
    }

    /// Writes what is still to be written.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.writer.flush().with_context(|| self.path.display().to_string())
    }
}
