//! Who solves which board: what rank 0 knows and decides. It has no clock and sends nothing itself,
//! so that it can be tested with messages that are delayed in any way.
//!
//! A rank has as many boards as it has threads, and as many ahead as it is expected to solve within
//! [`AHEAD`]: many easy ones, hardly a hard one. Towards the end that is no more than its share of
//! what is left. When nothing is left, ranks that have boards which they have not begun give some
//! back for those that have nothing to do; so a rank that happens to have several hard boards does
//! not keep the others waiting.

use super::messages::{Job, Order, Report};
use crate::cluster::pace::Pace;
use std::collections::HashMap;
use std::time::Duration;

/// How much work a rank has ahead.
const AHEAD: Duration = Duration::from_millis(50);

/// What a board is taken to need before the first one is solved.
const FIRST_GUESS: Duration = Duration::from_millis(2);

/// The most boards that a thread has ahead.
const MOST_AHEAD: f64 = 4096.0;

/// Of the boards that are left, those that a rank has ahead are one part in so many of its share.
const SHARES: f64 = 2.0;

/// Where boards come from, and where their records go.
pub(crate) trait Source {
    /// A board as its source knows it.
    type Board;

    /// The next board.
    fn next(&mut self) -> Option<Self::Board>;

    /// About how many there are still.
    fn left(&self) -> usize;

    /// How many threads of rank 0 have nothing to do.
    fn idle_threads(&self) -> usize;

    /// Whether the run is to end before everything is solved.
    fn is_over(&self) -> bool;

    /// The name of a board, and the board as text.
    fn describe(board: &Self::Board) -> (String, String);

    /// Takes the record of a board, as a line.
    ///
    /// # Errors
    /// If it is none.
    fn finish(&mut self, board: Self::Board, line: &[u8]) -> Result<(), DispenserError>;

    /// Takes back a board that was not begun.
    fn give_back(&mut self, board: Self::Board);
}

/// Why a run cannot go on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum DispenserError {
    /// A rank said so.
    #[error("rank {rank}: {reason}")]
    Failed { rank: usize, reason: String },
    /// A rank reports on a board that it was not given.
    #[error("rank {rank} reports on a board that it does not have")]
    NotGiven { rank: usize },
    /// What should be a record is none.
    #[error("rank {rank} sent a record that cannot be read: {reason}")]
    NoRecord { rank: usize, reason: String },
}

/// What rank 0 knows of a rank.
struct Rank<B> {
    threads: usize,
    /// The boards that it has, by their ids.
    boards: HashMap<u64, B>,
    pace: Pace,
    /// Whether it was asked to give boards back, and has not answered.
    asked_back: bool,
}

impl<B> Rank<B> {
    /// How many boards it cannot have begun. One that leaves gives all of them back unasked.
    fn waiting(&self) -> usize {
        if self.threads == 0 { 0 } else { self.boards.len().saturating_sub(self.threads) }
    }

    /// How many of its threads have nothing to do, or soon will.
    fn idle(&self) -> usize {
        self.threads.saturating_sub(self.boards.len())
    }
}

/// Hands out boards.
pub(crate) struct Dispenser<S: Source> {
    /// All ranks; the first is rank 0, which has no boards from here.
    ranks: Vec<Rank<S::Board>>,
    all_threads: usize,
    next_id: u64,
    /// The source had nothing when it was last asked.
    is_empty: bool,
    /// All ranks were told to stop.
    stopped: bool,
}

impl<S: Source> Dispenser<S> {
    /// For ranks with so many threads each.
    pub(crate) fn new(threads: &[usize]) -> Dispenser<S> {
        let rank = |&threads: &usize| Rank {
            threads,
            boards: HashMap::new(),
            pace: Pace::new(FIRST_GUESS),
            asked_back: false,
        };
        Dispenser {
            ranks: threads.iter().map(rank).collect(),
            all_threads: threads.iter().sum(),
            next_id: 0,
            is_empty: false,
            stopped: false,
        }
    }

    /// Takes in what a rank reports.
    ///
    /// # Errors
    /// If the run cannot go on.
    pub(crate) fn take(
        &mut self,
        rank: usize,
        report: Report,
        source: &mut S,
    ) -> Result<(), DispenserError> {
        let Report { finished, given_back, answers, leaves, busy, failure } = report;
        let of = &mut self.ranks[rank];
        of.pace.add(finished.len(), busy);
        of.asked_back &= !answers;
        if leaves {
            self.all_threads -= std::mem::take(&mut of.threads);
        }
        for done in finished {
            let board = of.boards.remove(&done.id).ok_or(DispenserError::NotGiven { rank })?;
            source.finish(board, &done.line).map_err(|error| match error {
                DispenserError::NoRecord { reason, .. } => {
                    DispenserError::NoRecord { rank, reason }
                }
                other => other,
            })?;
        }
        for id in given_back {
            let board = of.boards.remove(&id).ok_or(DispenserError::NotGiven { rank })?;
            // Who stops needs it no more.
            if !self.stopped {
                self.is_empty = false;
                source.give_back(board);
            }
        }
        failure.map_or(Ok(()), |reason| Err(DispenserError::Failed { rank, reason }))
    }

    /// What the ranks are to do next.
    pub(crate) fn orders(&mut self, source: &mut S) -> Vec<(usize, Order)> {
        if source.is_over() {
            let first = !std::mem::replace(&mut self.stopped, true);
            let all = if first { 1..self.ranks.len() } else { 0..0 };
            return all.map(|rank| (rank, Order::Stop)).collect();
        }
        let mut orders = Vec::new();
        for rank in 1..self.ranks.len() {
            let wanted = self.wanted(rank, source.left());
            let jobs: Vec<Job> = (0..wanted).map_while(|_| self.give(rank, source)).collect();
            if !jobs.is_empty() {
                orders.push((rank, Order::Solve(jobs)));
            }
        }
        if self.is_empty {
            orders.extend(self.ask_back(source));
        }
        orders
    }

    /// Whether everything has come back that was handed out, and nothing more is to be.
    pub(crate) fn is_done(&self) -> bool {
        let others = &self.ranks[1..];
        let all_left = others.iter().all(|rank| rank.threads == 0);
        let is_over = self.is_empty || self.stopped || all_left;
        is_over && others.iter().all(|rank| rank.boards.is_empty())
    }

    /// How many boards a rank should have now, besides those that it has. It has to have used up
    /// half of what it has ahead, so that boards go out in handfuls.
    fn wanted(&self, rank: usize, left: usize) -> usize {
        let of = &self.ranks[rank];
        let share = left as f64 * of.threads as f64 / (SHARES * self.all_threads.max(1) as f64);
        let ahead = of.pace.within(AHEAD).min(MOST_AHEAD) * of.threads as f64;
        let ahead = ahead.min(share);
        let has = of.boards.len();
        if has as f64 >= of.threads as f64 + ahead / 2.0 && has >= of.threads {
            return 0;
        }
        (of.threads + ahead as usize).saturating_sub(has)
    }

    fn give(&mut self, rank: usize, source: &mut S) -> Option<Job> {
        let Some(board) = source.next() else {
            self.is_empty = true;
            return None;
        };
        self.is_empty = false;
        let id = self.next_id;
        self.next_id += 1;
        let (name, text) = S::describe(&board);
        self.ranks[rank].boards.insert(id, board);
        Some(Job { id, name, board: text })
    }

    /// Has the rank with the most boards that it has not begun give some back, if there are threads
    /// that have nothing to do.
    fn ask_back(&mut self, source: &S) -> Option<(usize, Order)> {
        let others = self.ranks.iter().skip(1).map(Rank::idle).sum::<usize>();
        let idle = others + source.idle_threads();
        if idle == 0 || self.ranks.iter().any(|rank| rank.asked_back) {
            return None;
        }
        let (rank, of) = self.ranks.iter_mut().enumerate().max_by_key(|(_, of)| of.waiting())?;
        let boards = idle.min(of.waiting().div_ceil(2));
        if boards == 0 {
            return None;
        }
        of.asked_back = true;
        Some((rank, Order::GiveBack(boards)))
    }
}
