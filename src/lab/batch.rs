//! Many boards at once: solved side by side, each into its record.
//!
//! Workers take pieces of the input and read them themselves, so that the first result does not
//! wait for the last file; once there are no more, they steal work from each other (`queue`).
//! Solvers, with their tables, are shared. Records go into a journal, which a later run can
//! continue (`resume`), or to any writer, in the order in which they are made or in that of the
//! boards (`order`). A board that cannot be solved never stops the others: its record says why.
//!
//! A record is handed to the system when its board is finished; where boards are finished in quick
//! succession, with others about a millisecond later, and 20 ms later at most (`lines`, `ticker`).
//!
//! ```
//! use permutile::lab::batch::{Batch, RecordOutput};
//! use permutile::lab::input::Source;
//! use permutile::lab::solvers::Solvers;
//! use permutile::puzzle::{Goal, arch::Simd};
//! use permutile::search::SearchOptions;
//!
//! let solvers = Solvers::new(None, Goal::Default, Simd::detect())?;
//! let sources = [Source::Inline("3,1,2,0,4,5,6,7,8".to_owned())];
//! let mut journal = Vec::new();
//! let records = RecordOutput::Writer { name: "memory".to_owned(), writer: Box::new(&mut journal) };
//! let options = SearchOptions::default();
//! let summary = Batch::new(&sources, &options, &solvers, records).run(None)?;
//! assert_eq!(summary.boards, 1);
//! assert!(journal.ends_with(b"}\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod delegate;
mod lines;
mod order;
mod output;
mod progress;
mod queue;
mod resume;
mod sink;
mod ticker;

pub use delegate::{Delegate, Delegated, Delegation};
pub use output::{Existing, OutputError, RecordOutput};
pub use progress::{BatchObserver, BatchProgress, RunningBoard};
pub use resume::Retry;

use super::answered::Answered;
use super::csv_table::{CsvError, CsvTable};
use super::input::{Boards, Item, Source, Unread};
use super::plan::Plan;
use super::record::Record;
use super::shard::Shard;
use super::solvers::Solvers;
use super::summary::Summary;
use crate::board::Shape;
use crate::puzzle::Depth;
use crate::search::{Limits, Observer, SearchOptions};
use crate::solver::{InternalError, LargerTable, Series, Solver};
use crate::sync::{into_inner, lock};
use delegate::Lobby;
use lines::Closed;
use progress::Counters;
use queue::{PieceRead, Queue};
use resume::{Again, Earlier, EarlierRecords, joined};
use sink::RecordSink;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::Instant;
use ticker::{Reports, Ticker};

/// A run over many boards.
pub struct Batch<'a> {
    /// Where the boards come from.
    pub sources: &'a [Source],
    /// The shape of boards that are written on one line; inferred if not given.
    pub shape: Option<Shape>,
    /// Which files of folders are taken.
    pub include: &'a dyn Fn(&Path) -> bool,
    /// How each board is solved. The flag that cancels it ends the run: boards that are being
    /// solved are given up, and no other is begun. The run sets it itself when its output can no
    /// longer be written.
    pub options: &'a SearchOptions<'a>,
    /// The solvers, which may be used by others at the same time.
    pub solvers: &'a Solvers,
    /// How many boards are solved at once.
    pub workers: usize,
    /// Which slice of the boards is solved; all of them if not given.
    pub shard: Option<Shard>,
    /// Where records are written.
    pub records: RecordOutput<'a>,
    /// If a journal is continued, boards to which one of these applies are solved again, and no
    /// other that has an answer to the same question. If not given, those are that hit a limit, if
    /// the limits of this run are others. A solution or a bound that is better than what is found
    /// now stays.
    pub retry: Option<Vec<Retry>>,
    /// Whether records are written in the order of the boards.
    pub ordered: bool,
    /// A CSV table to write as well.
    pub csv: Option<CsvOutput>,
}

/// A CSV table to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CsvOutput {
    /// Into a file.
    File {
        /// Its path.
        path: PathBuf,
        /// What happens if there is a file of that name. A run that continues a journal writes its
        /// table anew, and fails if the file is something else.
        existing: Existing,
    },
    /// To standard output.
    Standard,
}

impl CsvOutput {
    /// Whether a file of that name can be overwritten.
    ///
    /// # Errors
    /// If it must not be.
    fn check(&self) -> Result<(), CsvError> {
        let CsvOutput::File { path, existing } = self else { return Ok(()) };
        match existing {
            Existing::Refuse if path.exists() => Err(CsvError::Exists(path.clone())),
            Existing::Resume if path.exists() && !CsvTable::is_at(path)? => {
                Err(CsvError::NotATable(path.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Begins the table.
    fn open(&self) -> Result<CsvTable, CsvError> {
        match self {
            CsvOutput::File { path, existing } => {
                CsvTable::create(path, *existing != Existing::Refuse)
            }
            CsvOutput::Standard => CsvTable::on_standard_output(),
        }
    }
}

/// Why a batch has no summary.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A bug in this crate.
    #[error(transparent)]
    Internal(#[from] InternalError),
    /// Boards could not be solved elsewhere.
    #[error(transparent)]
    Delegate(Box<dyn Error + Send + Sync>),
}

/// Which board of the input: in the order of the boards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct BoardIndex {
    /// The number of the piece of the input that it is in, from 0 without gaps.
    piece: usize,
    /// Its number among the items of the piece, from 0 without gaps.
    index: usize,
}

impl<'a> Batch<'a> {
    /// All boards of the sources, solved one after the other.
    pub fn new(
        sources: &'a [Source],
        options: &'a SearchOptions<'a>,
        solvers: &'a Solvers,
        records: RecordOutput<'a>,
    ) -> Batch<'a> {
        Batch {
            sources,
            shape: None,
            include: &|_| true,
            options,
            solvers,
            workers: 1,
            shard: None,
            records,
            retry: None,
            ordered: false,
            csv: None,
        }
    }

    /// Solves all boards, and reports progress to the observer, if there is one. The summary also
    /// counts boards that an earlier run has solved.
    ///
    /// # Errors
    /// If the output cannot be written, which is then as complete as possible; or if the checker rejects a solution.
    pub fn run(self, observer: Option<&mut dyn BatchObserver>) -> Result<Summary, BatchError> {
        self.run_with(observer, None)
    }

    /// As [`Self::run`], with boards solved elsewhere, too.
    ///
    /// # Errors
    /// As for [`Self::run`], and if boards could not be solved elsewhere.
    pub fn run_with(
        self,
        observer: Option<&mut dyn BatchObserver>,
        delegate: Option<&mut dyn Delegate>,
    ) -> Result<Summary, BatchError> {
        let began = Instant::now();
        // Whoever delegates is one more.
        let workers = self.workers.max(1) + usize::from(delegate.is_some());
        let mut boards = Boards::open(self.sources, self.shape, self.include);
        // Before the journal is touched.
        self.csv.as_ref().map_or(Ok(()), CsvOutput::check).map_err(OutputError::from)?;
        let (writer, earlier) = self.records.open()?;
        let earlier = earlier.filter(|records| !records.is_empty());
        let earlier = earlier.map(|records| EarlierRecords::new(records, self.retry));
        let table = self.csv.as_ref().map(CsvOutput::open).transpose();
        let table = table.map_err(OutputError::from)?;
        let (ticker, own_flag) = (Ticker::default(), AtomicBool::new(false));
        let cancelled = self.options.limits.cancelled.unwrap_or(&own_flag);
        let limits = Limits { cancelled: Some(cancelled), ..self.options.limits };
        let run = Run {
            options: SearchOptions { limits, ..self.options.clone() },
            plan: Plan::new(self.options, self.solvers),
            solvers: self.solvers,
            shard: self.shard,
            cancelled,
            earlier,
            sink: RecordSink::new(writer, table, self.ordered, workers, &ticker),
            counters: observer.is_some().then(|| Counters::new(workers)),
            workers,
            expected: AtomicUsize::new(0),
            unread: AtomicUsize::new(0),
            begun: AtomicUsize::new(0),
            larger_tables: Mutex::default(),
            failure: OnceLock::new(),
        };
        let mut handed_out = 0;
        let counters = run.counters.as_ref();
        let pieces = std::iter::from_fn(|| {
            let unread = boards.next_unread()?;
            handed_out += unread.expected();
            let expected = handed_out + boards.expected();
            run.expected.store(expected, Ordering::Relaxed);
            run.unread.store(boards.expected(), Ordering::Relaxed);
            counters.inspect(|counters| counters.expect(expected));
            Some(unread)
        });
        let reports =
            observer.zip(counters).map(|(observer, counters)| Reports::new(observer, counters));
        let solve = || run.solve(pieces, workers, delegate);
        let delegated = ticker.during(|| run.sink.write_kept(), reports, solve);
        let larger_tables = into_inner(run.larger_tables);
        let Again { repeated, replaces } =
            run.earlier.map(EarlierRecords::into_again).unwrap_or_default();
        let summary = run.sink.finish(began.elapsed(), replaces);
        match (run.failure.into_inner(), delegated) {
            (Some(error), _) => Err(error.into()),
            (None, Err(error)) => Err(BatchError::Delegate(error)),
            (None, Ok(())) => {
                Ok(Summary { repeated, input: boards.remarks(), larger_tables, ..summary? })
            }
        }
    }
}

impl fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Batch { sources, shape, options, workers, shard, records, retry, ordered, csv, .. } =
            self;
        f.debug_struct("Batch")
            .field("sources", sources)
            .field("shape", shape)
            .field("options", options)
            .field("workers", workers)
            .field("shard", shard)
            .field("records", records)
            .field("retry", retry)
            .field("ordered", ordered)
            .field("csv", csv)
            .finish_non_exhaustive()
    }
}

/// What the workers of a run share.
struct Run<'a> {
    options: SearchOptions<'a>,
    /// What is asked about each board, which its record states.
    plan: Plan,
    solvers: &'a Solvers,
    shard: Option<Shard>,
    cancelled: &'a AtomicBool,
    /// Present if an earlier run is continued.
    earlier: Option<EarlierRecords>,
    sink: RecordSink<'a>,
    /// Present if the run is observed.
    counters: Option<Counters>,
    /// How many boards are solved at once.
    workers: usize,
    /// How many boards there are, estimated before they are read, and how many were begun.
    expected: AtomicUsize,
    begun: AtomicUsize,
    /// About how many of them are in pieces that nobody has taken.
    unread: AtomicUsize,
    /// The tables that were built because there were many boards.
    larger_tables: Mutex<Vec<LargerTable>>,
    /// The first solution that the checker rejected, which stops the run.
    failure: OnceLock<InternalError>,
}

impl Run<'_> {
    /// Solves everything. Of the workers, who delegates is the last one.
    fn solve(
        &self,
        pieces: impl Iterator<Item = Unread> + Send,
        workers: usize,
        delegate: Option<&mut dyn Delegate>,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let queue = Queue::new(pieces, workers, |read| self.piece_read(read));
        let lobby = Lobby::default();
        let solves_all_here = delegate.is_none();
        let work = |worker| {
            while !self.is_over()
                && let Some((board, item)) = queue.next(worker)
            {
                self.begun.fetch_add(1, Ordering::Relaxed);
                let question = self.plan.question(&item, self.solvers);
                if self.is_left_out(worker, board, &item) {
                    continue;
                }
                match self.earlier_record(&item, question) {
                    Earlier::Answer(record) => self.keep(worker, board, &item, &record),
                    Earlier::Again(known) => {
                        self.solve_item(worker, board, item, question, Some(*known));
                    }
                    Earlier::Nothing => self.solve_item(worker, board, item, question, None),
                }
            }
            while !solves_all_here
                && let Some(Delegated { index, item, known }) = lobby.wait()
                && !self.is_over()
            {
                let question = self.plan.question(&item, self.solvers);
                self.solve_item(worker, index, item, question, known.map(|known| *known));
            }
        };
        // This thread is a worker as well, so that none has to be moved to a free core. None
        // belongs to a pool: one that waits for tables to be built cannot come upon another's
        // work, and the pool has all its threads for the building.
        let work = &work;
        thread::scope(|scope| {
            let start = |worker| thread::Builder::new().spawn_scoped(scope, move || work(worker));
            let Some(delegate) = delegate else {
                // Where the system has no more threads, there are fewer workers.
                (1..workers).try_for_each(|worker| start(worker).map(drop).ok());
                work(0);
                return Ok(());
            };
            (0..workers - 1).try_for_each(|worker| start(worker).map(drop).ok());
            // The workers go home also if this thread panics: the scope waits for them.
            let _lobby = CloseOnDrop(&lobby);
            let delegated = delegate.solve(&Delegation::new(self, &queue, workers - 1, &lobby));
            if delegated.is_err() {
                self.cancelled.store(true, Ordering::SeqCst);
            }
            delegated
        })
    }

    /// About how many boards nobody has taken.
    fn left(&self) -> usize {
        self.unread.load(Ordering::Relaxed)
    }

    fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || self.failure.get().is_some()
    }

    /// Cancels the run: without a place for results there is no point in going on.
    fn stop_if_closed(&self, written: Result<(), Closed>) {
        if written.is_err() {
            self.cancelled.store(true, Ordering::SeqCst);
        }
    }

    fn piece_read(&self, PieceRead { worker, piece, expected, items }: PieceRead) {
        if let Some(counters) = &self.counters {
            counters.correct(worker, items as isize - expected as isize);
        }
        self.stop_if_closed(self.sink.set_size(piece, items));
    }

    /// Whether a board belongs to another slice.
    fn is_left_out(&self, worker: usize, board: BoardIndex, item: &Item) -> bool {
        let left_out = self.shard.is_some_and(|shard| !shard.takes(item));
        if left_out {
            if let Some(counters) = &self.counters {
                counters.correct(worker, -1);
            }
            self.stop_if_closed(self.sink.leave_out(board));
        }
        left_out
    }

    fn earlier_record(&self, item: &Item, question: &str) -> Earlier {
        match &self.earlier {
            Some(all) => {
                let entry = item.entry.as_ref();
                let is_of_puzzle =
                    entry.is_ok_and(|entry| self.solvers.for_board(&entry.board).is_ok());
                all.of(item, is_of_puzzle, &self.plan, question)
            }
            None => Earlier::Nothing,
        }
    }

    /// Takes in the answer of an earlier run.
    fn keep(&self, worker: usize, board: BoardIndex, item: &Item, record: &Record) {
        let known_length = item.entry.as_ref().ok().and_then(|entry| entry.known_length);
        if let Some(counters) = &self.counters {
            counters.skip(worker);
        }
        self.stop_if_closed(self.sink.keep(worker, board, record, known_length));
    }

    /// Solves a board, of which an earlier run may have found out something.
    fn solve_item(
        &self,
        worker: usize,
        board: BoardIndex,
        item: Item,
        question: &str,
        known: Option<Record>,
    ) {
        if let Some(counters) = &self.counters {
            counters.begin(worker, &item.name);
        }
        let mut progress = WorkerProgress { counters: self.counters.as_ref(), worker };
        // What an earlier run has proven need not be proven again: where several processes are on
        // one board, that took long. Otherwise a board takes the same nodes in every run.
        let is_proven = |known: &&Record| self.options.crew.is_some() && known.rests_on.is_none();
        let proven = known.as_ref().filter(is_proven);
        let at_least = proven.and_then(|known| known.lower_bound).unwrap_or(0);
        let continued = (at_least > 0).then(|| SearchOptions { at_least, ..self.options.clone() });
        let options = continued.as_ref().unwrap_or(&self.options);
        let answered = Answered::new(item, self.solvers, options, &mut progress);
        let (record, known_length, solver) = match answered {
            Ok(Answered::Refused { record, .. }) => (record, None, None),
            Ok(Answered::Searched { record, entry, solver }) => {
                (record, entry.known_length, Some(solver))
            }
            Err(error) => {
                let _ = self.failure.set(error);
                return;
            }
        };
        self.finish(worker, board, record, known_length, question, known);
        solver.into_iter().for_each(|solver| self.prepare_for_others(solver));
    }

    /// Takes in the record of a board, of which an earlier run may have found out something.
    fn finish(
        &self,
        worker: usize,
        board: BoardIndex,
        mut record: Record,
        known_length: Option<u32>,
        question: &str,
        known: Option<Record>,
    ) {
        record.plan = Some(self.plan.with_limits(question));
        if let Some(known) = known {
            record = joined(record, known);
        }
        self.stop_if_closed(self.sink.add(worker, board, &record, known_length));
        if let Some(counters) = &self.counters {
            counters.finish(worker, record.status);
        }
    }

    /// Builds a larger table if the boards to come are worth it. They are taken to be of the puzzle
    /// of this solver.
    fn prepare_for_others(&self, solver: &Solver) {
        let begun = self.begun.load(Ordering::Relaxed);
        let to_come = self.expected.load(Ordering::Relaxed).saturating_sub(begun) as u64;
        let series = Series { to_come, workers: self.workers, limits: self.options.limits };
        if let Some(table) = solver.build_larger_table(&series) {
            lock(&self.larger_tables).push(table);
        }
    }
}

/// Closes the lobby, whatever happens.
struct CloseOnDrop<'a>(&'a Lobby);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Records the progress of a worker's search.
struct WorkerProgress<'a> {
    counters: Option<&'a Counters>,
    worker: usize,
}

impl Observer for WorkerProgress<'_> {
    fn progress(&mut self, bound: Depth, expanded: u64) {
        if let Some(counters) = self.counters {
            counters.advance(self.worker, bound, expanded);
        }
    }

    fn improved(&mut self, length: Depth, _: Depth) {
        if let Some(counters) = self.counters {
            counters.improve(self.worker, length);
        }
    }
}

#[cfg(test)]
mod tests;
