//! How a batch is getting on: a line that changes on a terminal, and now and then a plain line
//! where there is none.

use super::apart::Apart;
use super::output::{duration, grouped, note};
use super::summary::rate;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use permutile::lab::record::Status;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a run may take before it is worth a line.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the line on a terminal changes.
const ON_TERMINAL: Duration = Duration::from_millis(100);

/// How often there is a plain line.
const IN_A_FILE: Duration = Duration::from_secs(10);

/// What is known of a run while it goes on.
pub(super) struct BatchProgress {
    bar: Option<ProgressBar>,
    quiet: bool,
    began: Instant,
    /// How many boards there are, as far as could be told before they were read.
    expected: Apart<AtomicUsize>,
    workers: Vec<Mutex<Apart<Worker>>>,
    over: Mutex<bool>,
    end: Condvar,
}

/// What a worker has done, and what it is at.
#[derive(Default)]
struct Worker {
    done: usize,
    solved: usize,
    /// Boards that an earlier run has done.
    earlier: usize,
    /// How many boards more there are in what it has read than was expected.
    surplus: isize,
    /// The board that it is at, or was at last.
    name: String,
    running: Option<Running>,
}

#[derive(Clone, Copy)]
struct Running {
    since: Instant,
    bound: u32,
    nodes: u64,
}

impl BatchProgress {
    pub(super) fn new(quiet: bool, workers: usize) -> BatchProgress {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
            bar.set_style(style.expect("the template is fixed"));
            bar
        });
        BatchProgress {
            bar,
            quiet,
            began: Instant::now(),
            expected: Apart::default(),
            workers: (0..workers.max(1)).map(|_| Mutex::default()).collect(),
            over: Mutex::new(false),
            end: Condvar::new(),
        }
    }

    /// So many boards there are, as far as can be told before they are read.
    pub(super) fn expect(&self, boards: usize) {
        self.expected.0.store(boards, Ordering::Relaxed);
    }

    /// A worker knows better: so many boards are there besides.
    pub(super) fn correct(&self, worker: usize, surplus: isize) {
        self.at(worker).0.surplus += surplus;
    }

    /// A board needs no work.
    pub(super) fn skip(&self, worker: usize) {
        self.at(worker).0.earlier += 1;
    }

    pub(super) fn begin(&self, worker: usize, name: &str) {
        if self.quiet {
            return;
        }
        let worker = &mut self.at(worker).0;
        worker.name.clear();
        worker.name.push_str(name);
        worker.running = Some(Running { since: Instant::now(), bound: 0, nodes: 0 });
    }

    pub(super) fn advance(&self, worker: usize, bound: u32, nodes: u64) {
        if self.quiet {
            return;
        }
        if let Some(running) = &mut self.at(worker).0.running {
            (running.bound, running.nodes) = (bound, nodes);
        }
    }

    pub(super) fn finish(&self, worker: usize, status: Status) {
        if self.quiet {
            return;
        }
        let worker = &mut self.at(worker).0;
        worker.done += 1;
        worker.solved += usize::from(status == Status::Solved);
        worker.running = None;
    }

    fn at(&self, worker: usize) -> MutexGuard<'_, Apart<Worker>> {
        self.workers[worker].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something while another thread shows how far it is.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.quiet {
            return work();
        }
        std::thread::scope(|scope| {
            scope.spawn(|| self.show_until_the_end());
            let result = work();
            *self.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
            self.end.notify_all();
            result
        })
    }

    fn show_until_the_end(&self) {
        let mut pause = if self.bar.is_some() { PATIENCE } else { IN_A_FILE };
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        while !*over {
            let waited = self.end.wait_timeout(over, pause);
            over = waited.unwrap_or_else(PoisonError::into_inner).0;
            if *over {
                break;
            }
            match &self.bar {
                Some(bar) => {
                    bar.set_message(self.line());
                    bar.tick();
                    pause = ON_TERMINAL;
                }
                None => note(self.line()),
            }
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Boards done and to do, how fast that goes, and the board that takes longest.
    fn line(&self) -> String {
        let [mut done, mut solved, mut earlier] = [0; 3];
        let mut expected = self.expected.0.load(Ordering::Relaxed);
        for worker in (0..self.workers.len()).map(|worker| self.at(worker)) {
            done += worker.0.done;
            solved += worker.0.solved;
            earlier += worker.0.earlier;
            expected = expected.saturating_add_signed(worker.0.surplus);
        }
        let expected = expected.max(earlier + done);
        let per_second = done as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        let mut line = format!(
            "{}/{} boards, {solved} solved, {} failed, {} a second",
            grouped((earlier + done) as u64),
            grouped(expected as u64),
            done - solved,
            rate(per_second)
        );
        if done > 0 {
            let left = (expected - earlier - done) as f64 / per_second;
            line += &format!(", {} to go", duration(left));
        }
        if let Some(hardest) = self.hardest() {
            line += &format!("; {hardest}");
        }
        line
    }

    fn hardest(&self) -> Option<String> {
        let workers = (0..self.workers.len()).map(|worker| self.at(worker));
        let running = workers.filter_map(|worker| {
            let running = worker.0.running?;
            Some((running, worker.0.name.clone()))
        });
        let (Running { since, bound, nodes }, name) = running.min_by_key(|(r, _)| r.since)?;
        let time = duration(since.elapsed().as_secs_f64());
        // Without its folders it fits on the line.
        let name = name.rsplit(std::path::MAIN_SEPARATOR).next().unwrap_or(&name);
        Some(format!("{name}: {time}, trying {bound} moves, {} nodes", grouped(nodes)))
    }
}
