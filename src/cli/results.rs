//! Where a batch's results go: the journal or standard output, a table, and the tally. Workers
//! hand them in from several threads.

use super::apart::Apart;
use super::line_sink::{Append, LineSink};
use super::output::data_lines;
use super::results_order::Order;
use super::results_table::Table;
use anyhow::bail;
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
    /// What each worker has handed in.
    tallies: Vec<Mutex<Apart<Tally>>>,
    /// What went wrong first with the table.
    failure: Mutex<Option<anyhow::Error>>,
}

/// Where lines go.
enum Destination {
    Journal(Journal),
    StandardOutput { failed: bool },
}

impl Append for Destination {
    fn append(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        match self {
            Destination::Journal(journal) => Ok(journal.append(lines)?),
            // What was written of lines before cannot be taken back, and must not come again.
            Destination::StandardOutput { failed: true } => bail!("standard output"),
            Destination::StandardOutput { failed } => {
                data_lines(lines).inspect_err(|_| *failed = true)
            }
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
        let to =
            journal.map_or(Destination::StandardOutput { failed: false }, Destination::Journal);
        Results {
            sink: LineSink::new(to, workers.max(1)),
            table: table.map(Mutex::new),
            order: ordered.then(|| Mutex::new(Order::new(resumed))),
            tallies: (0..workers.max(1)).map(|_| Mutex::default()).collect(),
            failure: Mutex::new(None),
        }
    }

    /// Takes note that there are so many boards in a piece of the input.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub(super) fn learn_size(&self, piece: usize, boards: usize) -> Result<(), ()> {
        self.in_order(|order| order.learn_size(piece, boards))
    }

    /// Takes note that a board has no record in this run.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub(super) fn leave_out(&self, place: Place) -> Result<(), ()> {
        self.in_order(|order| order.leave_out(place))
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
        lock(&self.tallies[worker]).0.add_earlier(record, known_length);
        self.in_order(|order| order.keep(place, record)).and(self.add_row(record))
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
        lock(&self.tallies[worker]).0.add(record, known_length);
        // The journal first: a table that cannot be written does not cost it the record.
        let written = match &self.order {
            None => self.sink.add(worker, |lines| journal::write_line(record, lines)),
            Some(_) => self.in_order(|order| order.add(place, record, journal::line_of(record))),
        };
        written.and(self.add_row(record))
    }

    /// If there is an order, tells it something, and writes the lines whose turn it is then: as
    /// those of one worker, so that they stay in that order.
    fn in_order(&self, tell: impl FnOnce(&mut Order)) -> Result<(), ()> {
        let Some(order) = &self.order else { return Ok(()) };
        let mut order = lock(order);
        tell(&mut order);
        let mut next = std::iter::from_fn(|| order.next_line());
        next.try_for_each(|line| self.sink.add(0, |lines| lines.extend(line)))
    }

    fn add_row(&self, record: &Record) -> Result<(), ()> {
        let Some(table) = &self.table else { return Ok(()) };
        lock(table).add(record).map_err(|error| {
            lock(&self.failure).get_or_insert(error);
        })
    }

    /// Writes what is still to be written; the summary.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub(super) fn finish(self, path: Option<&Path>, seconds: f64) -> anyhow::Result<Summary> {
        let mut destination = self.sink.finish()?;
        if let Some(failure) = into_inner(self.failure) {
            return Err(failure);
        }
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
        for of_worker in self.tallies {
            tally.join(into_inner(of_worker).0);
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
