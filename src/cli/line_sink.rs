//! Lines from several threads into one file or stream, each handed to the system at once, and
//! nobody waiting for another's line to be written.
//!
//! Who has a line writes it, from memory of its own, so that what it says does not travel between
//! cores. If somebody else is writing at that moment, the line is left behind, and that one writes
//! it next.

use super::apart::Apart;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Where lines go in the end.
pub(super) trait Append {
    /// Hands lines to the system in one go.
    ///
    /// # Errors
    /// If it refuses.
    fn append(&mut self, lines: &[u8]) -> anyhow::Result<()>;
}

/// Takes lines from several threads.
#[derive(Default)]
pub(super) struct LineSink<W> {
    writing: Apart<Mutex<Writing<W>>>,
    left: Apart<LeftBehind>,
}

#[derive(Default)]
struct Writing<W> {
    to: W,
    /// Once something could not be written, nothing is any more.
    failed: bool,
    /// Room for lines that were left behind, while they are being written.
    room: Vec<u8>,
}

/// Lines whose owners found somebody else writing.
#[derive(Default)]
struct LeftBehind {
    /// Whether there are any.
    some: AtomicBool,
    lines: Mutex<Vec<u8>>,
}

impl<W: Append> LineSink<W> {
    pub(super) fn new(to: W) -> LineSink<W> {
        let writing = Writing { to, failed: false, room: Vec::new() };
        LineSink { writing: Apart(Mutex::new(writing)), left: Apart::default() }
    }

    /// Writes lines, now or as soon as whoever is writing has done so.
    ///
    /// # Errors
    /// If the system refuses them, or what others have left; only the first failure is told.
    pub(super) fn write(&self, lines: &[u8]) -> anyhow::Result<()> {
        match self.try_writing() {
            Some(mut writing) => writing.append(lines)?,
            None => self.leave(lines),
        }
        self.write_what_is_left()
    }

    /// Leaves lines behind, which are written in the order in which they were left. Whoever
    /// leaves some must call [`Self::write_what_is_left`] afterwards.
    pub(super) fn leave(&self, lines: &[u8]) {
        let mut left = lock(&self.left.0.lines);
        left.extend_from_slice(lines);
        self.left.0.some.store(true, Ordering::Relaxed);
    }

    /// Writes what was left behind, unless somebody is writing: that one will do it.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn write_what_is_left(&self) -> anyhow::Result<()> {
        loop {
            // One has left a line and then finds the lock taken; the other one opens it and then
            // finds no line: the fence between the two steps of each rules out that both happen.
            fence(Ordering::SeqCst);
            if !self.left.0.some.load(Ordering::Relaxed) {
                return Ok(());
            }
            let Some(mut writing) = self.try_writing() else { return Ok(()) };
            let mut lines = std::mem::take(&mut writing.room);
            {
                let mut left = lock(&self.left.0.lines);
                std::mem::swap(&mut *left, &mut lines);
                self.left.0.some.store(false, Ordering::Relaxed);
            }
            let written = writing.append(&lines);
            lines.clear();
            writing.room = lines;
            written?;
        }
    }

    /// What the lines went to.
    pub(super) fn into_inner(self) -> W {
        self.writing.0.into_inner().unwrap_or_else(PoisonError::into_inner).to
    }

    fn try_writing(&self) -> Option<MutexGuard<'_, Writing<W>>> {
        match self.writing.0.try_lock() {
            Ok(writing) => Some(writing),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
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
    fn written(room: usize, each: usize, in_order: bool) -> (Vec<String>, usize) {
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
        assert!(!sink.left.0.some.load(Ordering::Relaxed));
        let text = String::from_utf8(sink.into_inner().bytes).unwrap();
        (text.lines().map(str::to_owned).collect(), failures.into_inner())
    }

    #[test]
    fn every_line_of_every_thread_is_written_once() {
        let (mut lines, failures) = written(usize::MAX, 5_000, false);
        lines.sort_by_key(|line| line.parse::<usize>().unwrap());
        assert_eq!(failures, 0);
        assert!(lines.iter().map(|line| line.parse().unwrap()).eq(0..20_000_usize));
    }

    #[test]
    fn lines_left_in_order_are_written_in_order() {
        let (lines, failures) = written(usize::MAX, 5_000, true);
        assert_eq!(failures, 0);
        assert!(lines.iter().map(|line| line.parse().unwrap()).eq(0..20_000_usize));
    }

    #[test]
    fn one_failure_is_told_and_nothing_is_written_after_it() {
        for in_order in [false, true] {
            let (lines, failures) = written(1_000, 1_000, in_order);
            assert_eq!(failures, 1);
            assert!((1..1_000).contains(&lines.len()));
            if in_order {
                assert!(lines.iter().map(|line| line.parse().unwrap()).eq(0..lines.len()));
            }
        }
    }
}
