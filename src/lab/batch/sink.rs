//! Receives the records of a batch from all workers: writes them, in order if requested, adds
//! them to the table, and counts them.

use super::BoardIndex;
use super::lines::{Closed, LineSink};
use super::order::RecordOrder;
use super::output::{AppendLines, OutputError, RecordWriter};
use super::ticker::Ticker;
use crate::lab::csv_table::CsvTable;
use crate::lab::journal::{self, Journal};
use crate::lab::record::Record;
use crate::lab::summary::{Summary, Tally};
use crate::sync::{CachePadded, into_inner, lock};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

pub(super) struct RecordSink<'a> {
    lines: LineSink<'a, RecordWriter<'a>>,
    table: Option<Mutex<CsvTable>>,
    order: Option<Mutex<RecordOrder>>,
    /// What each worker has counted.
    tallies: Vec<CachePadded<Mutex<Tally>>>,
    /// The first error of the table.
    table_failure: OnceLock<OutputError>,
}

impl<'a> RecordSink<'a> {
    pub(super) fn new(
        writer: RecordWriter<'a>,
        table: Option<CsvTable>,
        order: Option<RecordOrder>,
        workers: usize,
        ticker: &'a Ticker,
    ) -> RecordSink<'a> {
        RecordSink {
            lines: LineSink::new(writer, workers, ticker),
            table: table.map(Mutex::new),
            order: order.map(Mutex::new),
            tallies: (0..workers).map(|_| CachePadded::default()).collect(),
            table_failure: OnceLock::new(),
        }
    }

    /// Sets how many boards a piece of the input has.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub(super) fn set_size(&self, piece: usize, boards: usize) -> Result<(), Closed> {
        self.in_order(|order| order.set_size(piece, boards))
    }

    /// A board has no record in this run.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub(super) fn leave_out(&self, board: BoardIndex) -> Result<(), Closed> {
        self.in_order(|order| order.leave_out(board))
    }

    /// Takes in a record of an earlier run, which is in the journal already.
    ///
    /// # Errors
    /// As for [`Self::add`].
    pub(super) fn keep(
        &self,
        worker: usize,
        board: BoardIndex,
        record: &Record,
        known_length: Option<u32>,
    ) -> Result<(), Closed> {
        lock(&self.tallies[worker]).add_earlier(record, known_length);
        self.in_order(|order| order.keep(board, record)).and(self.add_row(record))
    }

    /// Takes in a record of this run from a worker.
    ///
    /// # Errors
    /// If something cannot be written; [`Self::finish`] tells what went wrong.
    pub(super) fn add(
        &self,
        worker: usize,
        board: BoardIndex,
        record: &Record,
        known_length: Option<u32>,
    ) -> Result<(), Closed> {
        lock(&self.tallies[worker]).add(record, known_length);
        // The journal first: a table that cannot be written does not cost it the record.
        let written = match &self.order {
            None => self.lines.add(worker, |lines| journal::write_line(record, lines)),
            Some(_) => self.in_order(|order| order.add(board, record, journal::to_line(record))),
        };
        written.and(self.add_row(record))
    }

    /// Writes lines that workers keep back; whether there were any.
    pub(super) fn write_kept(&self) -> bool {
        self.lines.write_kept()
    }

    /// Updates the order, if there is one, and writes the lines whose turn it is then: as
    /// those of one worker, so that they stay in that order.
    fn in_order(&self, tell: impl FnOnce(&mut RecordOrder)) -> Result<(), Closed> {
        let Some(order) = &self.order else { return Ok(()) };
        let mut order = lock(order);
        tell(&mut order);
        let mut next = std::iter::from_fn(|| order.next_line());
        next.try_for_each(|line| self.lines.add(0, |lines| lines.extend(line)))
    }

    fn add_row(&self, record: &Record) -> Result<(), Closed> {
        let Some(table) = &self.table else { return Ok(()) };
        lock(table).add(record).map_err(|error| {
            let _ = self.table_failure.set(error.into());
            Closed
        })
    }

    /// Writes what is still to be written; the summary. A journal that is rewritten in the order of
    /// the boards also keeps the `remaining` records of an earlier run, at its end.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub(super) fn finish(
        self,
        elapsed: Duration,
        remaining: impl Iterator<Item = Record>,
    ) -> Result<Summary, OutputError> {
        let mut writer = self.lines.finish()?;
        if let Some(failure) = self.table_failure.into_inner() {
            return Err(failure);
        }
        if let Some(order) = self.order {
            let (lines, records) = into_inner(order).finish();
            lines.iter().try_for_each(|line| writer.append(line))?;
            if let (RecordWriter::Journal(journal), Some(mut records)) = (writer, records) {
                records.extend(remaining);
                let path = journal.path().to_owned();
                // The one that takes its place has a lock of its own.
                drop(journal);
                Journal::replace(&path, &records)?;
            }
        }
        self.table.map_or(Ok(()), |table| into_inner(table).finish())?;
        let mut total = Tally::default();
        for tally in self.tallies {
            total.join(into_inner(tally.into_inner()));
        }
        Ok(total.summary(Some(elapsed.as_secs_f64())))
    }
}
