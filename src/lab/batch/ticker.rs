//! The one thread of a batch that does what is due at certain times: it writes lines that workers
//! keep back for longer than they may, and reports progress.
//!
//! While no lines are kept back it sleeps until the next report, or forever if nobody receives
//! reports; the worker that keeps a line back then wakes it. A run does without it where the system
//! has no more threads: lines then wait until their worker has its next record.

use super::progress::{BatchObserver, Counters};
use crate::sync::CachePadded;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long lines may be kept back.
const KEPT_BACK: Duration = Duration::from_millis(20);

#[derive(Debug, Default)]
pub(super) struct Ticker {
    /// Set if the thread could be started.
    thread: OnceLock<Thread>,
    /// Whether it has found no lines, and is to be woken when there are some.
    asleep: CachePadded<AtomicBool>,
    over: AtomicBool,
}

/// The progress of a run for its observer, at the times that the observer wants.
pub(super) struct Reports<'a> {
    observer: &'a mut dyn BatchObserver,
    counters: &'a Counters,
    next: Instant,
}

impl<'a> Reports<'a> {
    pub(super) fn new(observer: &'a mut dyn BatchObserver, counters: &'a Counters) -> Self {
        let next = Instant::now() + observer.first_report();
        Reports { observer, counters, next }
    }

    /// Reports if that is due; returns the time until the next report.
    fn report(&mut self) -> Duration {
        let now = Instant::now();
        if now >= self.next {
            self.observer.progress(&self.counters.snapshot());
            self.next = now + self.observer.interval();
        }
        self.next.saturating_duration_since(now)
    }
}

impl Ticker {
    /// To be called after lines were kept back.
    pub(super) fn wake(&self) {
        // The thread sets the flag before it looks for lines for the last time, under the lock
        // that guards them: either it finds them, or the flag is seen here.
        if self.asleep.load(Ordering::Relaxed)
            && self.asleep.swap(false, Ordering::Relaxed)
            && let Some(thread) = self.thread.get()
        {
            thread.unpark();
        }
    }

    /// Does some work while the thread runs. `write_kept` writes lines that are kept back, and says
    /// whether there were any.
    pub(super) fn during<T>(
        &self,
        write_kept: impl Fn() -> bool + Send,
        reports: Option<Reports<'_>>,
        work: impl FnOnce() -> T,
    ) -> T {
        thread::scope(|scope| {
            let _stop = StopOnDrop(self);
            let run = || self.run(write_kept, reports);
            if let Ok(handle) = thread::Builder::new().spawn_scoped(scope, run) {
                let _ = self.thread.set(handle.thread().clone());
            }
            work()
        })
    }

    fn run(&self, write_kept: impl Fn() -> bool, mut reports: Option<Reports<'_>>) {
        while !self.over.load(Ordering::Relaxed) {
            let kept = write_kept();
            let until_report = reports.as_mut().map(Reports::report);
            if kept {
                thread::park_timeout(until_report.map_or(KEPT_BACK, |time| time.min(KEPT_BACK)));
            } else if self.asleep.swap(true, Ordering::Relaxed) {
                until_report.map_or_else(thread::park, thread::park_timeout);
            }
        }
    }
}

/// Ends the thread, even if the work panics: the scope waits for it.
struct StopOnDrop<'a>(&'a Ticker);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.0.thread.get() {
            thread.unpark();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_panic_of_the_work_ends_the_thread() {
        let ticker = Ticker::default();
        let panics = || ticker.during(|| false, None, || panic!("as it should"));
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics));
        assert!(caught.is_err());
    }

    #[test]
    fn a_sleeping_ticker_is_woken_for_lines() {
        let (ticker, kept) = (Ticker::default(), AtomicBool::new(false));
        let (written, news) = mpsc::channel();
        let write_kept = || {
            let found = kept.swap(false, Ordering::AcqRel);
            if found {
                written.send(()).unwrap();
            }
            found
        };
        ticker.during(write_kept, None, || {
            for _ in 0..5 {
                while !ticker.asleep.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                // Long enough that it is parked.
                thread::sleep(Duration::from_millis(5));
                kept.store(true, Ordering::Release);
                ticker.wake();
                news.recv().unwrap();
            }
        });
    }
}
