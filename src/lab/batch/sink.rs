//! Receives the records of a batch from all workers: writes them, in order if requested, adds
//! them to the table, and counts them.

use super::BoardIndex;
use super::lines::{Closed, LineSink};
use super::order::RecordOrder;
use super::output::{AppendLines, OutputError, RecordWriter};
use super::ticker::Ticker;
use crate::hash::HashMap;
use crate::lab::csv_table::CsvTable;
use crate::lab::journal::{self, BoardKey};
use crate::lab::record::Record;
use crate::lab::summary::{Summary, Tally};
use crate::sync::{CachePadded, into_inner, lock};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

pub(super) struct RecordSink<'a> {
    lines: LineSink<'a, RecordWriter<'a>>,
    table: Option<Mutex<CsvTable>>,
    order: Order,
    /// What each worker has counted.
    tallies: Vec<CachePadded<Mutex<Tally>>>,
    /// The first error of the table.
    table_failure: OnceLock<OutputError>,
}

/// In which order records are written.
enum Order {
    /// As they are made.
    AsMade,
    /// In that of the boards: each waits for those before it.
    Waiting(Mutex<RecordOrder>),
    /// As they are made, so that a run that is killed loses none that would have to wait; the
    /// journal is sorted at the end. Here is the place of each board.
    Sorted(Mutex<HashMap<BoardKey, BoardIndex>>),
}

impl<'a> RecordSink<'a> {
    pub(super) fn new(
        writer: RecordWriter<'a>,
        table: Option<CsvTable>,
        ordered: bool,
        workers: usize,
        ticker: &'a Ticker,
    ) -> RecordSink<'a> {
        let order = match writer {
            _ if !ordered => Order::AsMade,
            RecordWriter::Journal(_) => Order::Sorted(Mutex::default()),
            RecordWriter::Writer { .. } => Order::Waiting(Mutex::new(RecordOrder::new())),
        };
        RecordSink {
            lines: LineSink::new(writer, workers, ticker),
            table: table.map(Mutex::new),
            order,
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
        self.remember(board, record);
        self.leave_out(board).and(self.add_row(record))
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
            Order::Waiting(_) => self.in_order(|order| order.add(board, journal::to_line(record))),
            Order::AsMade | Order::Sorted(_) => {
                self.remember(board, record);
                self.lines.add(worker, |lines| journal::write_line(record, lines))
            }
        };
        written.and(self.add_row(record))
    }

    /// Remembers the place of a board, if the journal is sorted at the end.
    fn remember(&self, board: BoardIndex, record: &Record) {
        if let Order::Sorted(places) = &self.order {
            lock(places).insert(record.into(), board);
        }
    }

    /// Writes lines that workers keep back; whether there were any.
    pub(super) fn write_kept(&self) -> bool {
        self.lines.write_kept()
    }

    /// Updates the order, if records wait for their turn, and writes the lines whose turn it is
    /// then: as those of one worker, so that they stay in that order.
    fn in_order(&self, tell: impl FnOnce(&mut RecordOrder)) -> Result<(), Closed> {
        let Order::Waiting(order) = &self.order else { return Ok(()) };
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

    /// Writes what is still to be written; the summary. A journal in which records were replaced,
    /// or that is to be in order, is made tidy; records of boards that this run has not come to,
    /// or that are not among its input, come last in the order.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub(super) fn finish(
        self,
        elapsed: Duration,
        has_replaced: bool,
    ) -> Result<Summary, OutputError> {
        let mut writer = self.lines.finish()?;
        let places = match self.order {
            Order::AsMade => None,
            Order::Waiting(order) => {
                into_inner(order).into_waiting().try_for_each(|line| writer.append(&line))?;
                None
            }
            Order::Sorted(places) => Some(into_inner(places)),
        };
        if let RecordWriter::Journal(journal) = &mut writer
            && (has_replaced || journal.has_replaced() || places.is_some())
        {
            let place = |places: HashMap<BoardKey, BoardIndex>| {
                move |board: BoardKey| places.get(&board).copied()
            };
            journal.tidy(places.map(place))?;
        }
        if let Some(failure) = self.table_failure.into_inner() {
            return Err(failure);
        }
        self.table.map_or(Ok(()), |table| into_inner(table).finish())?;
        let mut total = Tally::default();
        for tally in self.tallies {
            total.join(into_inner(tally.into_inner()));
        }
        Ok(total.summary(Some(elapsed.as_secs_f64())))
    }
}
