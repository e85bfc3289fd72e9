//! Lines from several threads into one file or stream, each handed to the system at once, and
//! nobody waiting for another's line to be written.
//!
//! Who has a line writes it, from memory of its own, so that what it says does not travel between
//! cores. If somebody else is writing at that moment, the line is left behind, and that one writes
//! it next.

use super::apart::Apart;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where lines go in the end.
pub(super) trait Append {
    /// Hands lines to the system in one go.
    ///
    /// # Errors
    /// If it refuses.
    fn append(&mut self, lines: &[u8]) -> anyhow::Result<()>;
}

/// Takes lines from several threads.
pub(super) struct LineSink<W> {
    /// In one place, because who writes needs both.
    desk: Apart<WritingDesk<W>>,
    /// Lines whose owners found somebody else writing.
    left: Apart<Mutex<Vec<u8>>>,
}

struct WritingDesk<W> {
    /// [`FREE`], [`WRITING`] or [`LEFT`].
    state: AtomicU8,
    /// Locked only by who is writing by the state, so that nobody ever waits for it.
    writing: Mutex<Writing<W>>,
}

/// Nobody is writing, and nothing was left behind.
const FREE: u8 = 0;
/// Somebody is writing, and nothing was left behind since that one looked.
const WRITING: u8 = 1;
/// Somebody is writing, and lines were left behind.
const LEFT: u8 = 2;

struct Writing<W> {
    to: W,
    /// Once something could not be written, nothing is any more.
    failed: bool,
    /// Room for lines that were left behind, while they are being written.
    room: Vec<u8>,
}

impl<W: Append> LineSink<W> {
    pub(super) fn new(to: W) -> LineSink<W> {
        let writing = Mutex::new(Writing { to, failed: false, room: Vec::new() });
        let desk = WritingDesk { state: AtomicU8::new(FREE), writing };
        LineSink { desk: Apart(desk), left: Apart::default() }
    }

    /// Writes lines, now or as soon as whoever is writing has done so.
    ///
    /// # Errors
    /// If the system refuses them, or what others have left; only the first failure is told.
    pub(super) fn write(&self, lines: &[u8]) -> anyhow::Result<()> {
        let state = &self.desk.0.state;
        if state.compare_exchange(FREE, WRITING, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.leave(lines);
            return self.write_what_is_left();
        }
        let written = lock(&self.desk.0.writing).append(lines);
        written.and(self.stop_writing())
    }

    /// Leaves lines behind, which are written in the order in which they were left. Whoever
    /// leaves some must call [`Self::write_what_is_left`] afterwards.
    pub(super) fn leave(&self, lines: &[u8]) {
        lock(&self.left.0).extend_from_slice(lines);
    }

    /// Sees to it that what was left behind is written: by whoever is writing, or else now.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn write_what_is_left(&self) -> anyhow::Result<()> {
        if self.desk.0.state.swap(LEFT, Ordering::AcqRel) == FREE {
            self.stop_writing()
        } else {
            Ok(())
        }
    }

    /// Ends what who is writing has begun, once nothing is left behind.
    fn stop_writing(&self) -> anyhow::Result<()> {
        let state = &self.desk.0.state;
        let mut written = Ok(());
        // Who leaves lines says so afterwards, in the one state that this one looks at before it
        // goes: either they are seen here, or their owner finds that nobody is writing.
        while state.compare_exchange(WRITING, FREE, Ordering::AcqRel, Ordering::Acquire).is_err() {
            state.swap(WRITING, Ordering::AcqRel);
            let mut writing = lock(&self.desk.0.writing);
            let mut lines = std::mem::take(&mut writing.room);
            std::mem::swap(&mut *lock(&self.left.0), &mut lines);
            written = written.and(writing.append(&lines));
            lines.clear();
            writing.room = lines;
        }
        written
    }

    /// What the lines went to.
    pub(super) fn into_inner(self) -> W {
        self.desk.0.writing.into_inner().unwrap_or_else(PoisonError::into_inner).to
    }
}

impl<W: Append> Writing<W> {
    fn append(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        if self.failed || lines.is_empty() {
            return Ok(());
        }
        let written = self.to.append(lines);
        self.failed = written.is_err();
        written
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    /// Takes a while over each line, so that others come upon it; has room for so many bytes.
    struct Memory {
        bytes: Vec<u8>,
        room: usize,
    }

    impl Append for Memory {
        fn append(&mut self, lines: &[u8]) -> anyhow::Result<()> {
            assert!(lines.ends_with(b"\n"));
            if self.bytes.len() + lines.len() > self.room {
                bail!("no room");
            }
            thread::yield_now();
            self.bytes.extend_from_slice(lines);
            Ok(())
        }
    }

    /// Writes lines from several threads: what became of them, and how many threads were told of
    /// a failure.
    fn written(room: usize, each: usize, in_order: bool) -> (Vec<usize>, usize) {
        let sink = LineSink::new(Memory { bytes: Vec::new(), room });
        let (failures, next) = (AtomicUsize::new(0), Mutex::new(0));
        thread::scope(|scope| {
            for thread in 0..4 {
                let (sink, failures, next) = (&sink, &failures, &next);
                scope.spawn(move || {
                    for i in 0..each {
                        let done = if in_order {
                            {
                                let mut next = lock(next);
                                sink.leave(format!("{next}\n").as_bytes());
                                *next += 1;
                            }
                            sink.write_what_is_left()
                        } else {
                            sink.write(format!("{}\n", thread * each + i).as_bytes())
                        };
                        failures.fetch_add(usize::from(done.is_err()), Ordering::Relaxed);
                    }
                });
            }
        });
        assert!(lock(&sink.left.0).is_empty());
        let text = String::from_utf8(sink.into_inner().bytes).unwrap();
        (text.lines().map(|line| line.parse().unwrap()).collect(), failures.into_inner())
    }

    #[test]
    fn every_line_of_every_thread_is_written_once() {
        let (mut lines, failures) = written(usize::MAX, 5_000, false);
        lines.sort_unstable();
        assert_eq!(failures, 0);
        assert!(lines.into_iter().eq(0..20_000));
    }

    #[test]
    fn lines_left_in_order_are_written_in_order() {
        let (lines, failures) = written(usize::MAX, 5_000, true);
        assert_eq!(failures, 0);
        assert!(lines.into_iter().eq(0..20_000));
    }

    #[test]
    fn one_failure_is_told_and_nothing_is_written_after_it() {
        for in_order in [false, true] {
            let (lines, failures) = written(1_000, 1_000, in_order);
            assert_eq!(failures, 1);
            assert!((1..1_000).contains(&lines.len()));
            if in_order {
                assert!(lines.iter().copied().eq(0..lines.len()));
            }
        }
    }
}
