//! Work on a thread of its own, while the game goes on: solving and dealing. It can be stopped, and
//! tells how it is getting on.

use crate::board::Board;
use crate::limits::{Limits, Observer};
use crate::search::SearchOptions;
use crate::solver::{Answer, SolveError, Solver};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

/// A piece of work that gives a `T`.
pub struct Background<T> {
    cancelled: Arc<AtomicBool>,
    news: Receiver<News<T>>,
}

/// What is heard of it.
#[derive(Debug)]
pub enum News<T> {
    /// A solution was found, of so many moves, and none has fewer than `at_least`.
    Found {
        /// Its length.
        length: u32,
        /// What is proven.
        at_least: u32,
    },
    /// It is done.
    Done(T),
    /// Its thread panicked, or could not be started.
    Lost,
}

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Bytes.
    pub bytes: u64,
    /// Threads.
    pub threads: usize,
}

impl<T: Send + 'static> Background<T> {
    /// Starts it; it is given the flag that says when to stop, and where to report to.
    fn start(
        work: impl FnOnce(&AtomicBool, &Sender<News<T>>) -> T + Send + 'static,
    ) -> Background<T> {
        let (sender, news) = channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&cancelled);
        // A thread that cannot be started drops the sender, which is noticed.
        let _ = thread::Builder::new().name("player's help".to_owned()).spawn(move || {
            let done = work(&flag, &sender);
            // Nobody may be listening any more.
            let _ = sender.send(News::Done(done));
        });
        Background { cancelled, news }
    }

    /// What happened since the last call, if anything did.
    pub fn poll(&self) -> Option<News<T>> {
        match self.news.try_recv() {
            Ok(news) => Some(news),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(News::Lost),
        }
    }

    /// Waits for the next news; `None` if there are none for so long.
    pub fn wait(&self, longest: Duration) -> Option<News<T>> {
        match self.news.recv_timeout(longest) {
            Ok(news) => Some(news),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => None,
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => Some(News::Lost),
        }
    }

    /// Stops it soon; a search ends with the best solution so far.
    pub fn stop(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Solves a board, with shorter and shorter solutions until one is proven shortest or the time is
/// up.
pub fn solve(
    solver: &Arc<Solver>,
    board: &Board,
    timeout: Duration,
    means: Means,
) -> Background<Result<Answer, SolveError>> {
    let (solver, board) = (Arc::clone(solver), board.clone());
    Background::start(move |cancelled, sender| {
        let options = SearchOptions {
            timeout: Some(timeout),
            limits: Limits {
                bytes: Some(means.bytes),
                cancelled: Some(cancelled),
                ..Limits::default()
            },
            threads: means.threads,
            ..SearchOptions::default()
        };
        solver.solve(&board, &options, &mut Reporter(sender))
    })
}

struct Reporter<'a, T>(&'a Sender<News<T>>);

impl<T> Observer for Reporter<'_, T> {
    fn improved(&mut self, length: u32, at_least: u32) {
        let _ = self.0.send(News::Found { length, at_least });
    }
}

/// Deals a board.
pub fn deal(
    solver: &Arc<Solver>,
    deal: super::deal::Deal,
    means: Means,
) -> Background<Result<Board, super::deal::DealError>> {
    let solver = Arc::clone(solver);
    Background::start(move |cancelled, _| {
        let limits =
            Limits { bytes: Some(means.bytes), cancelled: Some(cancelled), ..Limits::default() };
        deal.board(&solver, &limits)
    })
}
