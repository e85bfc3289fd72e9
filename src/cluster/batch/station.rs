//! The boards of one rank: what waits, what is being solved, what is finished and not yet
//! reported. It has no threads and sends nothing itself, so that it can be tested with messages that
//! are delayed in any way.

use super::messages::{Finished, Job, Order, Report};
use std::collections::VecDeque;
use std::time::Duration;

/// How long a report may wait for more to be reported, for each rank of the job and at least: rank
/// 0 can read some tens of thousands of reports a second.
const TOGETHER: [Duration; 2] = [Duration::from_micros(20), Duration::from_millis(2)];

/// A thread takes several boards at a time, if they take no longer together than this.
const AT_ONCE: Duration = Duration::from_micros(500);

/// The boards of a rank. Times are counted from any fixed moment.
#[derive(Debug)]
pub(crate) struct Station {
    threads: usize,
    /// How long a report may wait.
    together: Duration,
    waiting: VecDeque<Job>,
    /// How many boards are being solved.
    running: usize,
    report: Report,
    reported: Option<Duration>,
    /// How many boards were finished since the start, and how long that took.
    pace: (u64, Duration),
    /// What is being solved is to be given up, and nothing else begun.
    stopped: bool,
    ended: bool,
}

impl Station {
    /// For so many threads, in a job of so many ranks.
    pub(crate) fn new(threads: usize, ranks: usize) -> Station {
        let [each, least] = TOGETHER;
        Station {
            threads,
            together: least.max(each * ranks as u32),
            waiting: VecDeque::new(),
            running: 0,
            report: Report::default(),
            reported: None,
            pace: (0, Duration::ZERO),
            stopped: false,
            ended: false,
        }
    }

    /// Does what rank 0 wants.
    pub(crate) fn obey(&mut self, order: Order) {
        match order {
            Order::Solve(jobs) => {
                self.waiting.extend(jobs);
                if self.stopped {
                    self.give_back(usize::MAX);
                }
            }
            Order::GiveBack(boards) => {
                self.report.answers = true;
                self.give_back(boards);
            }
            Order::Stop => {
                self.stopped = true;
                self.give_back(usize::MAX);
            }
            Order::End => (self.stopped, self.ended) = (true, true),
        }
    }

    /// Takes no more boards, and gives back what waits.
    pub(crate) fn leave(&mut self) {
        if !self.stopped {
            self.stopped = true;
            self.report.leaves = true;
            self.give_back(usize::MAX);
        }
    }

    fn give_back(&mut self, boards: usize) {
        let kept = self.waiting.len().saturating_sub(boards);
        self.report.given_back.extend(self.waiting.drain(kept..).map(|job| job.id));
    }

    /// The next boards for a thread.
    pub(crate) fn begin(&mut self) -> Vec<Job> {
        let (boards, took) = self.pace;
        let at_once = AT_ONCE.as_secs_f64() * boards as f64 / took.as_secs_f64().max(1e-9);
        let share = self.waiting.len() / (2 * self.threads);
        let boards = share.min(at_once as usize).max(1).min(self.waiting.len());
        self.running += boards;
        self.waiting.drain(..boards).collect()
    }

    /// Some boards are finished, which took a thread so long; whether nothing else is waiting to be
    /// reported.
    pub(crate) fn finish(&mut self, finished: Vec<Finished>, took: Duration) -> bool {
        let first = self.report.finished.is_empty();
        self.running -= finished.len();
        self.pace.0 += finished.len() as u64;
        self.pace.1 += took;
        self.report.busy += took;
        self.report.finished.extend(finished);
        first || self.waiting.len() < self.threads
    }

    /// Something went wrong, so that the run has to end.
    pub(crate) fn fail(&mut self, reason: String) {
        self.report.failure.get_or_insert(reason);
    }

    /// When the next report is due, if there is anything to be reported.
    pub(crate) fn due(&self) -> Option<Duration> {
        let Report { finished, given_back, answers, leaves, failure, .. } = &self.report;
        if *answers || *leaves || !given_back.is_empty() || failure.is_some() {
            return Some(Duration::ZERO);
        }
        if finished.is_empty() {
            return None;
        }
        // Without more boards, threads will soon have nothing to do.
        if self.waiting.is_empty() {
            return Some(Duration::ZERO);
        }
        Some(self.reported.map_or(Duration::ZERO, |reported| reported + self.together))
    }

    /// What is to be reported now.
    pub(crate) fn report(&mut self, now: Duration) -> Report {
        self.reported = Some(now);
        std::mem::take(&mut self.report)
    }

    /// Whether what is being solved is to be given up.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether it is all done.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended
    }

    /// Whether nothing is being solved, and nothing has to be reported.
    pub(crate) fn is_idle(&self) -> bool {
        self.running == 0 && self.due().is_none()
    }

    /// Whether nothing waits to be solved.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
