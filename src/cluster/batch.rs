//! A batch over the ranks of a job.
//!
//! Rank 0 runs the batch as always: it alone reads boards and writes records, and its own threads
//! solve boards. Besides, a [`Dispatcher`] takes boards for the other ranks and sends them as text,
//! in handfuls; the others [`assist`], and their records come back as lines of the journal.
//!
//! What is lost if a rank dies is what it has not reported, some milliseconds of work: a run with
//! `--resume` solves those boards again.

mod dispenser;
pub(crate) mod messages;
#[cfg(test)]
mod simulation;
mod station;
#[cfg(test)]
mod tests;

use super::hello::{JobError, Team};
use super::post::Post;
use super::transport::Message;
use crate::board::text;
use crate::lab::answered::Answered;
use crate::lab::batch::{Delegate, Delegated, Delegation};
use crate::lab::input::Item;
use crate::lab::journal;
use crate::lab::record::Record;
use crate::lab::solvers::Solvers;
use crate::search::{Limits, SearchOptions, Silent};
use crate::sync::lock;
use dispenser::{Dispenser, DispenserError, Source};
use messages::{Finished, Job, Order, Report};
use station::Station;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often rank 0 looks whether the run is to end, and whether its own threads have nothing to do.
const LOOK_AROUND: Duration = Duration::from_millis(10);

/// How long a rank waits for an order before it looks around.
const PATIENCE: Duration = Duration::from_millis(25);

/// How long ranks that are to stop wait for each other: the job may be stopped because one of them
/// is gone.
const LAST_WORDS: Duration = Duration::from_millis(400);

/// Has the boards of a batch solved by other ranks. It is for rank 0.
#[derive(Debug)]
pub struct Dispatcher<'a> {
    post: &'a Post,
    team: &'a Team,
}

impl<'a> Dispatcher<'a> {
    /// For all ranks of a job.
    pub fn new(post: &'a Post, team: &'a Team) -> Dispatcher<'a> {
        Dispatcher { post, team }
    }

    fn dispense(&self, boards: &Delegation<'_, '_>) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut source = BatchSource { boards };
        let mut dispenser = Dispenser::new(&self.team.threads);
        let mut stopped: Option<Instant> = None;
        loop {
            for (rank, order) in dispenser.orders(&mut source) {
                self.post.send(rank, order.encode());
            }
            if boards.is_over() {
                stopped.get_or_insert_with(Instant::now);
            }
            if dispenser.is_done() || stopped.is_some_and(|since| since.elapsed() > LAST_WORDS) {
                return Ok(());
            }
            let mut patience = LOOK_AROUND;
            while let Some(Message { from, bytes }) = self.post.receive(patience)? {
                dispenser.take(from, Report::decode(&bytes)?, &mut source)?;
                patience = Duration::ZERO;
            }
        }
    }
}

impl Delegate for Dispatcher<'_> {
    fn solve(&mut self, boards: &Delegation<'_, '_>) -> Result<(), Box<dyn Error + Send + Sync>> {
        let end = self.dispense(boards);
        dismiss(self.post);
        end
    }
}

/// Lets the other ranks go, which wait for boards.
pub fn dismiss(post: &Post) {
    post.others().for_each(|rank| post.send(rank, Order::End.encode()));
}

/// The boards of a batch.
struct BatchSource<'s, 'a, 'r> {
    boards: &'s Delegation<'a, 'r>,
}

impl Source for BatchSource<'_, '_, '_> {
    type Board = Delegated;

    fn next(&mut self) -> Option<Delegated> {
        self.boards.next()
    }

    fn left(&self) -> usize {
        self.boards.left()
    }

    fn idle_threads(&self) -> usize {
        self.boards.idle_workers()
    }

    fn is_over(&self) -> bool {
        self.boards.is_over()
    }

    fn describe(board: &Delegated) -> (String, String) {
        (board.name().to_owned(), board.board().to_string())
    }

    fn finish(&mut self, board: Delegated, line: &[u8]) -> Result<(), DispenserError> {
        let record: Record = serde_json::from_slice(line)
            .map_err(|error| DispenserError::NoRecord { rank: 0, reason: error.to_string() })?;
        self.boards.finish(board, record);
        Ok(())
    }

    fn give_back(&mut self, board: Delegated) {
        self.boards.give_back(board);
    }
}

/// Solves boards that rank 0 sends, until it says that all is done. The flag that cancels the options
/// has this rank leave.
///
/// # Errors
/// If a rank is gone.
pub fn assist(
    post: &Post,
    team: &Team,
    solvers: &Solvers,
    options: &SearchOptions<'_>,
) -> Result<(), JobError> {
    let threads = team.threads[post.rank()];
    let stop = &AtomicBool::new(false);
    let limits = Limits { cancelled: Some(stop), ..options.limits };
    let assistant = Assistant {
        post,
        solvers,
        options: &SearchOptions { limits, ..options.clone() },
        station: Mutex::new(Station::new(threads, post.size())),
        boards_came: Condvar::new(),
        leave: options.limits.cancelled.unwrap_or(stop),
        stop,
    };
    thread::scope(|scope| {
        let assistant = &assistant;
        for _ in 0..threads {
            scope.spawn(|| assistant.work());
        }
        let ended = assistant.report();
        // Whatever has happened, the threads are to end.
        stop.store(true, Ordering::SeqCst);
        lock(&assistant.station).obey(Order::End);
        assistant.boards_came.notify_all();
        ended
    })
}

/// What the threads of a rank share.
struct Assistant<'a> {
    post: &'a Post,
    solvers: &'a Solvers,
    options: &'a SearchOptions<'a>,
    station: Mutex<Station>,
    boards_came: Condvar,
    /// Set by others if this rank is to leave.
    leave: &'a AtomicBool,
    /// Ends what is being solved.
    stop: &'a AtomicBool,
}

impl Assistant<'_> {
    /// Receives orders and reports, until the end.
    fn report(&self) -> Result<(), JobError> {
        let began = Instant::now();
        let mut left: Option<Instant> = None;
        loop {
            let patience = {
                let mut station = lock(&self.station);
                let is_over = left.is_some_and(|since| since.elapsed() > LAST_WORDS);
                if station.is_ended() || (is_over && station.is_idle()) {
                    return Ok(());
                }
                if self.leave.load(Ordering::Relaxed) && left.is_none() {
                    left = Some(Instant::now());
                    station.leave();
                    self.stop.store(true, Ordering::SeqCst);
                }
                let now = began.elapsed();
                match station.due() {
                    Some(due) if due <= now => {
                        let report = station.report(now);
                        drop(station);
                        self.post.send(0, report.encode());
                        continue;
                    }
                    Some(due) => due - now,
                    None => PATIENCE,
                }
            };
            if let Some(message) = self.post.receive(patience)? {
                let mut station = lock(&self.station);
                station.obey(Order::decode(&message.bytes)?);
                if station.is_stopped() {
                    self.stop.store(true, Ordering::SeqCst);
                }
                drop(station);
                self.boards_came.notify_all();
            }
        }
    }

    /// Solves boards until the end.
    fn work(&self) {
        loop {
            let jobs = {
                let station = lock(&self.station);
                let nothing = |station: &mut Station| station.is_empty() && !station.is_ended();
                let woken = self.boards_came.wait_while(station, nothing);
                let mut station = woken.unwrap_or_else(PoisonError::into_inner);
                if station.is_ended() {
                    return;
                }
                station.begin()
            };
            let began = Instant::now();
            let finished: Result<Vec<Finished>, String> =
                jobs.into_iter().map(|job| self.solve(job)).collect();
            let mut station = lock(&self.station);
            let is_news = match finished {
                Ok(finished) => station.finish(finished, began.elapsed()),
                Err(reason) => {
                    station.fail(reason);
                    true
                }
            };
            drop(station);
            if is_news {
                self.post.nudge();
            }
        }
    }

    fn solve(&self, job: Job) -> Result<Finished, String> {
        let Job { id, name, board } = job;
        let entry = text::parse_one(&name, board.as_bytes(), None).map_err(|e| e.to_string())?;
        let item = Item { name, entry: Ok(entry) };
        let answered = Answered::new(item, self.solvers, self.options, &mut Silent);
        let record = match answered.map_err(|error| error.to_string())? {
            Answered::Refused { record, .. } | Answered::Searched { record, .. } => record,
        };
        Ok(Finished { id, line: journal::to_line(&record) })
    }
}
