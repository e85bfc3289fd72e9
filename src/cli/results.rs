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
///
/// A worker leaves its line with the others, and then writes what there is; if another one is
/// writing already, that one writes it next. So nobody waits for the system in vain.
pub(super) struct Results {
    inner: Mutex<Inner>,
    sink: Mutex<Sink>,
    /// What each worker has handed in.
    tallies: Vec<Mutex<Apart<Tally>>>,
}

/// Something in cache lines of its own, which one worker writes to all the time.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

/// Where lines go.
enum Sink {
    Journal(Journal),
    StandardOutput,
}

struct Inner {
    table: Option<Table>,
    order: Option<Order>,
    /// Lines that are to be written.
    unwritten: Vec<u8>,
    /// Room for them while others are being written.
    spare: Vec<u8>,
    /// Whether a worker is writing.
    writing: bool,
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
        workers: usize,
    ) -> Results {
        let order = ordered.then(|| Order {
            next: 0,
            waiting: BTreeMap::new(),
            all: resumed.then(BTreeMap::new),
        });
        let inner = Inner {
            table,
            order,
            unwritten: Vec::new(),
            spare: Vec::new(),
            writing: false,
            failure: None,
        };
        let sink = journal.map_or(Sink::StandardOutput, Sink::Journal);
        let tallies = (0..workers.max(1)).map(|_| Mutex::default()).collect();
        Results { inner: Mutex::new(inner), sink: Mutex::new(sink), tallies }
    }

    /// Takes in a record of an earlier run, which is in the journal already.
    pub(super) fn keep(&self, number: usize, record: &Record, known_length: Option<u32>) {
        lock(&self.tallies[0]).0.add_earlier(record, known_length);
        let mut inner = lock(&self.inner);
        if let Some(order) = &mut inner.order {
            order.waiting.insert(number, None);
            if let Some(all) = &mut order.all {
                all.insert(number, record.clone());
            }
        }
        let added = inner.add_row(record);
        inner.note_failure(added);
        inner.queue_what_can_be();
        drop(self.write(inner));
    }

    /// Takes in a record of this run from a worker.
    ///
    /// # Errors
    /// If it cannot be written; what went wrong is told at the end.
    pub(super) fn add(
        &self,
        worker: usize,
        number: usize,
        record: &Record,
        known_length: Option<u32>,
    ) -> Result<(), ()> {
        // Outside the lock: this is most of the work.
        let line = journal::line_of(record);
        lock(&self.tallies[worker]).0.add(record, known_length);
        let mut inner = lock(&self.inner);
        match &mut inner.order {
            None => inner.unwritten.extend_from_slice(&line),
            Some(order) => {
                order.waiting.insert(number, Some(line));
                if let Some(all) = &mut order.all {
                    all.insert(number, record.clone());
                }
                inner.queue_what_can_be();
            }
        }
        // The journal first: a table that cannot be written does not cost it the record.
        let mut inner = self.write(inner);
        let added = inner.add_row(record);
        inner.note_failure(added);
        if inner.failure.is_some() { Err(()) } else { Ok(()) }
    }

    /// Writes all lines that there are, unless somebody is at it. The lock is open meanwhile.
    fn write<'a>(&'a self, mut inner: MutexGuard<'a, Inner>) -> MutexGuard<'a, Inner> {
        if inner.writing {
            return inner;
        }
        inner.writing = true;
        while !inner.unwritten.is_empty() && inner.failure.is_none() {
            let spare = std::mem::take(&mut inner.spare);
            let mut lines = std::mem::replace(&mut inner.unwritten, spare);
            drop(inner);
            let written = lock(&self.sink).append(&lines);
            lines.clear();
            inner = lock(&self.inner);
            inner.spare = lines;
            inner.note_failure(written);
        }
        inner.writing = false;
        inner
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
        let mut sink = self.sink.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(order) = inner.order.take() {
            // Boards that were not begun leave gaps.
            for line in order.waiting.into_values().flatten() {
                sink.append(&line)?;
            }
            if let (Some(path), Some(all)) = (path, order.all) {
                let records: Vec<Record> = all.into_values().collect();
                drop(sink);
                Journal::replace(path, &records)?;
            }
        }
        if let Some(table) = inner.table {
            table.finish()?;
        }
        let mut tally = Tally::default();
        for of_worker in self.tallies {
            tally.join(of_worker.into_inner().unwrap_or_else(PoisonError::into_inner).0);
        }
        Ok(tally.summary(Some(seconds)))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sink {
    fn append(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        match self {
            Sink::Journal(journal) => Ok(journal.append(lines)?),
            Sink::StandardOutput => data_lines(lines),
        }
    }
}

impl Inner {
    /// The lines whose turn it is are to be written.
    fn queue_what_can_be(&mut self) {
        while let Some(order) = &mut self.order
            && let Some(line) = order.waiting.remove(&order.next)
        {
            order.next += 1;
            self.unwritten.extend(line.unwrap_or_default());
        }
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
