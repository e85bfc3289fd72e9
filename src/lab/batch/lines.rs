//! Lines of records from several workers into one journal or writer.
//!
//! A worker hands a line to the system at once, unless it has written a moment ago: lines that come
//! in quick succession are written together, a millisecond later. Were each written by itself,
//! workers would wait for each other in the system for longer than easy boards take. A worker whose
//! next board is hard cannot write soon what it keeps back; the [`Ticker`] of the run does that.

use super::output::{AppendLines, OutputError};
use super::ticker::Ticker;
use crate::sync::{CachePadded, into_inner, lock};
use std::sync::{Mutex, OnceLock, TryLockError};
use std::time::{Duration, Instant};

/// How long lines may wait for others to be written with.
const TOGETHER: Duration = Duration::from_millis(1);

/// A worker that keeps back as many bytes waits until it can write: the system is slower than the
/// boards.
const MOST_KEPT: usize = 1 << 20;

/// Something could not be written, and nothing more is; the error is reported at the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed;

/// Takes lines from several workers.
pub(super) struct LineSink<'a, W> {
    writer: CachePadded<Mutex<W>>,
    /// What each worker keeps back.
    kept: Vec<CachePadded<Mutex<Kept>>>,
    /// Set once something could not be written: nothing is any more.
    failure: OnceLock<OutputError>,
    ticker: &'a Ticker,
}

/// The lines that a worker keeps back.
#[derive(Debug, Default)]
struct Kept {
    lines: Vec<u8>,
    /// When it last wrote.
    written: Option<Instant>,
}

impl<'a, W: AppendLines> LineSink<'a, W> {
    pub(super) fn new(writer: W, workers: usize, ticker: &'a Ticker) -> LineSink<'a, W> {
        LineSink {
            writer: CachePadded::new(Mutex::new(writer)),
            kept: (0..workers).map(|_| CachePadded::default()).collect(),
            failure: OnceLock::new(),
            ticker,
        }
    }

    /// Takes lines of a worker, which `add` appends to those that it keeps back.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub(super) fn add(&self, worker: usize, add: impl FnOnce(&mut Vec<u8>)) -> Result<(), Closed> {
        {
            let mut own = lock(&self.kept[worker]);
            add(&mut own.lines);
            let now = Instant::now();
            let may_wait = own.written.is_some_and(|written| now - written < TOGETHER);
            if !may_wait && self.write(&mut own) {
                own.written = Some(now);
                return self.check();
            }
        }
        self.ticker.wake();
        self.check()
    }

    /// Writes what workers keep back, unless another thread is writing; returns whether there was
    /// anything.
    pub(super) fn write_kept(&self) -> bool {
        let mut found = false;
        for kept in &self.kept {
            let mut kept = lock(kept);
            if !kept.lines.is_empty() {
                found = true;
                self.write(&mut kept);
            }
        }
        found
    }

    /// Writes what is kept back; what all lines went to.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub(super) fn finish(self) -> Result<W, OutputError> {
        self.write_kept();
        self.failure.into_inner().map_or(Ok(into_inner(self.writer.into_inner())), Err)
    }

    /// Writes what a worker keeps back; returns whether that is done. While another thread is
    /// writing, it can wait, unless it is too much.
    fn write(&self, kept: &mut Kept) -> bool {
        let mut writer = match self.writer.try_lock() {
            Ok(writer) => writer,
            Err(TryLockError::WouldBlock) if kept.lines.len() < MOST_KEPT => return false,
            Err(_) => lock(&self.writer),
        };
        if !kept.lines.is_empty()
            && self.failure.get().is_none()
            && let Err(error) = append_what_fits(&mut *writer, &kept.lines)
        {
            let _ = self.failure.set(error);
        }
        kept.lines.clear();
        true
    }

    fn check(&self) -> Result<(), Closed> {
        if self.failure.get().is_some() { Err(Closed) } else { Ok(()) }
    }
}

/// Appends lines all together if that is possible, else those before the first that does not fit.
fn append_what_fits(to: &mut impl AppendLines, lines: &[u8]) -> Result<(), OutputError> {
    let Err(error) = to.append(lines) else { return Ok(()) };
    let mut each = lines.split_inclusive(|&byte| byte == b'\n');
    if each.all(|line| to.append(line).is_ok()) { Ok(()) } else { Err(error) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;

    /// Has room for so many bytes, and sends its size each time that something is written.
    struct Memory {
        bytes: Vec<u8>,
        room: usize,
        sizes: mpsc::Sender<usize>,
    }

    impl AppendLines for Memory {
        fn append(&mut self, lines: &[u8]) -> Result<(), OutputError> {
            assert!(lines.ends_with(b"\n"));
            if self.bytes.len() + lines.len() > self.room {
                let error = io::ErrorKind::StorageFull.into();
                return Err(OutputError::Writer { name: "memory".to_owned(), error });
            }
            self.bytes.extend_from_slice(lines);
            let _ = self.sizes.send(self.bytes.len());
            Ok(())
        }
    }

    fn memory(room: usize) -> (Memory, mpsc::Receiver<usize>) {
        let (sizes, news) = mpsc::channel();
        (Memory { bytes: Vec::new(), room, sizes }, news)
    }

    /// Adds lines from several threads: what became of them, and whether any was told that
    /// something could not be written.
    fn written(room: usize, each: usize) -> (Vec<usize>, bool, bool) {
        let ((memory, news), ticker) = (memory(room), Ticker::default());
        let sink = LineSink::new(memory, 4, &ticker);
        let refused = AtomicUsize::new(0);
        let add_lines = |thread: usize| {
            for i in 0..each {
                let line = format!("{}\n", thread * each + i);
                let added = sink.add(thread, |lines| lines.extend(line.bytes()));
                refused.fetch_add(usize::from(added.is_err()), Ordering::Relaxed);
                if i % 1_000 == 0 {
                    thread::sleep(2 * TOGETHER);
                }
            }
        };
        let add_lines = &add_lines;
        let work = || {
            thread::scope(|scope| {
                (0..4).for_each(|thread| drop(scope.spawn(move || add_lines(thread))));
            });
        };
        ticker.during(|| sink.write_kept(), None, work);
        sink.write_kept();
        let bytes = lock(&sink.writer).bytes.clone();
        let failed = sink.finish().is_err();
        drop(news);
        let text = String::from_utf8(bytes).unwrap();
        let lines = text.lines().map(|line| line.parse().unwrap()).collect();
        (lines, failed, refused.into_inner() > 0)
    }

    #[test]
    fn every_line_of_every_thread_is_written_once_and_in_its_order() {
        let (mut lines, failed, refused) = written(usize::MAX, 5_000);
        assert!(!failed && !refused);
        let from_first: Vec<usize> = lines.iter().copied().filter(|&line| line < 5_000).collect();
        assert!(from_first.is_sorted());
        lines.sort_unstable();
        assert!(lines.into_iter().eq(0..20_000));
    }

    #[test]
    fn after_a_failure_nothing_is_written_and_threads_are_told() {
        let (lines, failed, refused) = written(1_003, 5_000);
        assert!(failed && refused);
        // Lines have five digits at most, and as many are there as fit.
        let bytes: usize = lines.iter().map(|line| line.to_string().len() + 1).sum();
        assert!((1_003 - 6..=1_003).contains(&bytes), "{bytes} bytes");
    }

    #[test]
    fn a_line_does_not_wait_for_the_next() {
        let ((memory, news), ticker) = (memory(usize::MAX), Ticker::default());
        let sink = LineSink::new(memory, 1, &ticker);
        ticker.during(
            || sink.write_kept(),
            None,
            || {
                for i in 1..=20 {
                    sink.add(0, |lines| lines.extend(b"abc\n")).unwrap();
                    // Were it kept back until the next one, this would wait for ever.
                    while news.recv().unwrap() < 4 * i {}
                }
            },
        );
        let memory = sink.finish().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(memory.bytes, b"abc\n".repeat(20));
    }
}
