//! The progress of a batch.

use crate::lab::record::Status;
use crate::puzzle::Depth;
use crate::sync::{CachePadded, lock};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Receives the progress of a batch, on a thread that belongs to the run.
pub trait BatchObserver: Send {
    /// How long after the start of the run the first report comes.
    fn first_report(&self) -> Duration {
        Duration::from_millis(500)
    }

    /// How long after a report the next one comes.
    fn interval(&self) -> Duration {
        Duration::from_millis(100)
    }

    /// A report. Until it returns, lines that workers keep back may have to wait.
    fn progress(&mut self, progress: &BatchProgress);
}

/// The progress of a batch.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchProgress {
    /// Time since the start of the run.
    pub elapsed: Duration,
    /// How many boards there are: an estimate, until all of them are read.
    pub boards: usize,
    /// How many boards have a record of an earlier run.
    pub earlier: usize,
    /// How many boards this run has finished.
    pub finished: usize,
    /// How many of those it has solved.
    pub solved: usize,
    /// Of the boards that are being solved, the one that was begun first.
    pub longest: Option<RunningBoard>,
}

/// A board that is being solved.
#[derive(Clone, PartialEq, Debug)]
pub struct RunningBoard {
    /// As in [`Record::board`](crate::lab::record::Record::board).
    pub name: String,
    /// Time since it was begun.
    pub elapsed: Duration,
    /// The length of solutions that is being tried.
    pub bound: Depth,
    /// The length of the best solution found so far.
    pub found: Option<Depth>,
    /// Nodes expanded so far.
    pub expanded: u64,
}

/// The counts that workers keep during a run that is observed.
#[derive(Debug)]
pub(super) struct Counters {
    began: Instant,
    /// How many boards there are, estimated before they are read.
    expected: CachePadded<AtomicUsize>,
    workers: Vec<CachePadded<Mutex<WorkerCounters>>>,
}

#[derive(Debug, Default)]
struct WorkerCounters {
    finished: usize,
    solved: usize,
    earlier: usize,
    /// How many more boards there are in what it has read than were expected.
    surplus: isize,
    /// The board that it solves, or solved last; kept, so that its memory is used again.
    name: String,
    running: Option<Running>,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    since: Instant,
    bound: Depth,
    found: Option<Depth>,
    expanded: u64,
}

impl Counters {
    pub(super) fn new(workers: usize) -> Counters {
        Counters {
            began: Instant::now(),
            expected: CachePadded::default(),
            workers: (0..workers).map(|_| CachePadded::default()).collect(),
        }
    }

    /// Sets how many boards there are, estimated before they are read.
    pub(super) fn expect(&self, boards: usize) {
        self.expected.store(boards, Ordering::Relaxed);
    }

    /// Corrects that number by what a worker has found out.
    pub(super) fn correct(&self, worker: usize, surplus: isize) {
        lock(&self.workers[worker]).surplus += surplus;
    }

    pub(super) fn skip(&self, worker: usize) {
        lock(&self.workers[worker]).earlier += 1;
    }

    pub(super) fn begin(&self, worker: usize, name: &str) {
        let mut worker = lock(&self.workers[worker]);
        worker.name.clear();
        worker.name.push_str(name);
        let since = Instant::now();
        worker.running = Some(Running { since, bound: 0, found: None, expanded: 0 });
    }

    pub(super) fn advance(&self, worker: usize, bound: Depth, expanded: u64) {
        if let Some(running) = &mut lock(&self.workers[worker]).running {
            (running.bound, running.expanded) = (bound, expanded);
        }
    }

    pub(super) fn improve(&self, worker: usize, length: Depth) {
        if let Some(running) = &mut lock(&self.workers[worker]).running {
            running.found = Some(length);
        }
    }

    pub(super) fn finish(&self, worker: usize, status: Status) {
        let mut worker = lock(&self.workers[worker]);
        worker.finished += 1;
        worker.solved += usize::from(status == Status::Solved);
        worker.running = None;
    }

    pub(super) fn snapshot(&self) -> BatchProgress {
        let [mut finished, mut solved, mut earlier] = [0; 3];
        let mut boards = self.expected.load(Ordering::Relaxed);
        let mut longest: Option<(Instant, RunningBoard)> = None;
        for worker in self.workers.iter().map(|worker| lock(worker)) {
            finished += worker.finished;
            solved += worker.solved;
            earlier += worker.earlier;
            boards = boards.saturating_add_signed(worker.surplus);
            if let Some(Running { since, bound, found, expanded }) = worker.running
                && longest.as_ref().is_none_or(|(first, _)| since < *first)
            {
                let (name, elapsed) = (worker.name.clone(), since.elapsed());
                longest = Some((since, RunningBoard { name, elapsed, bound, found, expanded }));
            }
        }
        BatchProgress {
            elapsed: self.began.elapsed(),
            boards: boards.max(earlier + finished),
            earlier,
            finished,
            solved,
            longest: longest.map(|(_, board)| board),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_adds_up_what_workers_have_done() {
        let counters = Counters::new(3);
        counters.expect(10);
        counters.correct(2, -3);
        counters.skip(1);
        for (worker, name, status) in
            [(0, "a", Status::Solved), (1, "b", Status::Timeout), (0, "c", Status::Solved)]
        {
            counters.begin(worker, name);
            counters.finish(worker, status);
        }
        counters.begin(1, "first");
        counters.begin(0, "second");
        counters.improve(1, 12);
        counters.advance(1, 7, 1_000);
        let BatchProgress { boards, earlier, finished, solved, longest, .. } = counters.snapshot();
        assert_eq!((boards, earlier, finished, solved), (7, 1, 3, 2));
        let longest = longest.unwrap();
        assert_eq!((&*longest.name, longest.bound, longest.expanded), ("first", 7, 1_000));
        assert_eq!(longest.found, Some(12));
    }

    #[test]
    fn there_are_no_fewer_boards_than_are_done() {
        let counters = Counters::new(1);
        counters.finish(0, Status::Invalid);
        counters.skip(0);
        assert_eq!(counters.snapshot().boards, 2);
    }
}
