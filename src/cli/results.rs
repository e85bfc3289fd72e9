//! Where a batch's results go: the journal or standard output, a table, and the tally. Workers
//! hand them in from several threads.

use super::apart::Apart;
use super::line_sink::{Append, LineSink};
use super::output::data_lines;
use super::results_order::Order;
use super::results_table::Table;
use permutile::lab::batch::Place;
use permutile::lab::journal::{self, Journal};
use permutile::lab::record::Record;
use permutile::lab::summary::{Summary, Tally};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The results of a run.
pub(super) struct Results {
    sink: LineSink<Destination>,
    table: Option<Mutex<Table>>,
    /// Present if records are to be written in the order of the boards.
    order: Option<Mutex<Order>>,
    workers: Vec<Mutex<Apart<OfWorker>>>,
    /// What went wrong first.
    failure: Mutex<Option<anyhow::Error>>,
}

/// What a worker has to itself.
#[derive(Default)]
struct OfWorker {
    /// What it has handed in.
    tally: Tally,
    /// Room for a record as a line.
    line: Vec<u8>,
}

/// Where lines go.
enum Destination {
    Journal(Journal),
    StandardOutput,
}

impl Append for Destination {
    fn append(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        match self {
            Destination::Journal(journal) => Ok(journal.append(lines)?),
            Destination::StandardOutput => data_lines(lines),
        }
    }
}

impl Results {
    pub(super) fn new(
        journal: Option<Journal>,
        table: Option<Table>,
        ordered: bool,
        resumed: bool,
        workers: usize,
    ) -> Results {
        let to = journal.map_or(Destination::StandardOutput, Destination::Journal);
        Results {
            sink: LineSink::new(to),
            table: table.map(Mutex::new),
            order: ordered.then(|| Mutex::new(Order::new(resumed))),
            workers: (0..workers.max(1)).map(|_| Mutex::default()).collect(),
            failure: Mutex::new(None),
        }
    }

    /// Takes note that there are so many boards in a piece of the input.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub(super) fn learn_size(&self, piece: usize, boards: usize) -> Result<(), ()> {
        let written = self.in_order(|order| order.learn_size(piece, boards));
        self.note_failure(written)
    }

    /// Takes note that a board has no record in this run.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub(super) fn leave_out(&self, place: Place) -> Result<(), ()> {
        let written = self.in_order(|order| order.leave_out(place));
        self.note_failure(written)
    }

    /// Takes in a record of an earlier run, which is in the journal already.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub(super) fn keep(
        &self,
        worker: usize,
        place: Place,
        record: &Record,
        known_length: Option<u32>,
    ) -> Result<(), ()> {
        lock(&self.workers[worker]).0.tally.add_earlier(record, known_length);
        let written = self.in_order(|order| order.keep(place, record));
        self.note_failure(written.and_then(|()| self.add_row(record)))
    }

    /// Takes in a record of this run from a worker.
    ///
    /// # Errors
    /// If something cannot be written; what went wrong is told at the end.
    pub(super) fn add(
        &self,
        worker: usize,
        place: Place,
        record: &Record,
        known_length: Option<u32>,
    ) -> Result<(), ()> {
        let OfWorker { tally, line } = &mut lock(&self.workers[worker]).0;
        tally.add(record, known_length);
        line.clear();
        journal::write_line(record, line);
        // The journal first: a table that cannot be written does not cost it the record.
        let written = match &self.order {
            None => self.sink.write(line),
            Some(_) => self.in_order(|order| order.add(place, record, line)),
        };
        self.note_failure(written.and_then(|()| self.add_row(record)))
    }

    /// If there is an order, tells it something, and writes the lines whose turn it is then.
    fn in_order(&self, tell: impl FnOnce(&mut Order)) -> anyhow::Result<()> {
        let Some(order) = &self.order else { return Ok(()) };
        {
            let mut order = lock(order);
            tell(&mut order);
            while let Some(line) = order.next_line() {
                self.sink.leave(&line);
            }
        }
        self.sink.write_what_is_left()
    }

    fn add_row(&self, record: &Record) -> anyhow::Result<()> {
        self.table.as_ref().map_or(Ok(()), |table| lock(table).add(record))
    }

    fn note_failure(&self, result: anyhow::Result<()>) -> Result<(), ()> {
        result.map_err(|error| {
            lock(&self.failure).get_or_insert(error);
        })
    }

    /// Writes what is still to be written; the summary.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub(super) fn finish(self, path: Option<&Path>, seconds: f64) -> anyhow::Result<Summary> {
        if let Some(failure) = into_inner(self.failure) {
            return Err(failure);
        }
        let mut destination = self.sink.into_inner();
        if let Some(order) = self.order {
            let (lines, records) = into_inner(order).finish();
            lines.iter().try_for_each(|line| destination.append(line))?;
            if let (Some(path), Some(records)) = (path, records) {
                drop(destination);
                Journal::replace(path, &records)?;
            }
        }
        self.table.map_or(Ok(()), |table| into_inner(table).finish())?;
        let mut tally = Tally::default();
        for worker in self.workers {
            tally.join(into_inner(worker).0.tally);
        }
        Ok(tally.summary(Some(seconds)))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
