//! Lines from several threads into one file or stream.
//!
//! Who has a line hands it to the system at once, unless it has done so a moment ago: lines that
//! come one quickly after the other are written together, a millisecond later. Were each written by
//! itself, threads would wait for each other in the system for longer than easy boards take. A thread
//! that does not come back soon, because its next board is hard, cannot write what it has kept
//! back; a watch does that, which sleeps otherwise.

use super::apart::Apart;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long lines may wait for others to be written with.
const TOGETHER: Duration = Duration::from_millis(1);

/// How long they may wait for a thread that does not come back.
const PATIENCE: Duration = Duration::from_millis(20);

/// A thread with so many bytes unwritten waits until it can write: the system is slower than the
/// boards.
const MOST_UNWRITTEN: usize = 1 << 20;

/// Where lines go in the end.
pub(super) trait Append {
    /// Hands lines to the system in one go. If it refuses, either none of them is there, or nothing
    /// is taken after that.
    ///
    /// # Errors
    /// If it refuses.
    fn append(&mut self, lines: &[u8]) -> anyhow::Result<()>;
}

/// Takes lines from several threads.
pub(super) struct LineSink<W> {
    inner: Arc<Inner<W>>,
    /// Who keeps watch, begun when something is kept back for the first time; nobody where the
    /// system has no more threads, so that lines may have to wait for their own.
    watch: OnceLock<Option<JoinHandle<()>>>,
}

struct Inner<W> {
    to: Apart<Mutex<W>>,
    /// By thread.
    unwritten: Vec<Apart<Mutex<Unwritten>>>,
    watch: Apart<Watch>,
    /// Set once something could not be written: nothing is any more.
    failure: OnceLock<anyhow::Error>,
}

/// What a thread has kept back.
#[derive(Default)]
struct Unwritten {
    lines: Vec<u8>,
    /// When it last wrote.
    written: Option<Instant>,
}

/// Who writes what threads that do not come back have kept.
#[derive(Default)]
struct Watch {
    /// Whether it has found nothing that was kept back, and is to be woken up if there is.
    asleep: AtomicBool,
    /// Whether there will be no more lines.
    over: AtomicBool,
}

impl<W: Append + Send + 'static> LineSink<W> {
    pub(super) fn new(to: W, threads: usize) -> LineSink<W> {
        let inner = Inner {
            to: Apart(Mutex::new(to)),
            unwritten: (0..threads).map(|_| Apart::default()).collect(),
            watch: Apart::default(),
            failure: OnceLock::new(),
        };
        LineSink { inner: Arc::new(inner), watch: OnceLock::new() }
    }

    /// Takes lines of a thread, which `add` puts behind those that it has kept back.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub(super) fn add(&self, thread: usize, add: impl FnOnce(&mut Vec<u8>)) -> Result<(), ()> {
        let inner = &self.inner;
        {
            let mut own = lock(&inner.unwritten[thread].0);
            add(&mut own.lines);
            let now = Instant::now();
            let may_wait = own.written.is_some_and(|written| now - written < TOGETHER);
            if !may_wait && inner.write(&mut own) {
                own.written = Some(now);
                return inner.is_sound();
            }
        }
        let watch = self.watch.get_or_init(|| {
            let inner = Arc::clone(inner);
            thread::Builder::new().spawn(move || inner.keep_watch()).ok()
        });
        // The watch says that it is going to sleep before it looks for lines for the last time:
        // either it finds these, or it is seen here that it sleeps.
        let asleep = &inner.watch.0.asleep;
        if asleep.load(Ordering::Relaxed) && asleep.swap(false, Ordering::Relaxed) {
            watch.iter().for_each(|watch| watch.thread().unpark());
        }
        inner.is_sound()
    }

    /// Writes what has been kept back; what all lines went to.
    ///
    /// # Errors
    /// If something could not be written, now or before.
    pub(super) fn finish(self) -> anyhow::Result<W> {
        self.inner.watch.0.over.store(true, Ordering::Relaxed);
        if let Some(Some(watch)) = self.watch.into_inner() {
            watch.thread().unpark();
            watch.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        let inner = Arc::into_inner(self.inner).expect("only the watch had it besides");
        for unwritten in &inner.unwritten {
            inner.write(&mut lock(&unwritten.0));
        }
        let to = inner.to.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        inner.failure.into_inner().map_or(Ok(to), Err)
    }
}

impl<W: Append> Inner<W> {
    /// Writes what a thread has kept back; whether that is done. If somebody else is writing, it
    /// can wait, unless it is too much.
    fn write(&self, unwritten: &mut Unwritten) -> bool {
        let mut to = match self.to.0.try_lock() {
            Ok(to) => to,
            Err(TryLockError::WouldBlock) if unwritten.lines.len() < MOST_UNWRITTEN => {
                return false;
            }
            Err(_) => lock(&self.to.0),
        };
        if !unwritten.lines.is_empty()
            && self.failure.get().is_none()
            && let Err(error) = append_what_fits(&mut *to, &unwritten.lines)
        {
            let _ = self.failure.set(error);
        }
        unwritten.lines.clear();
        true
    }

    /// Fails if something could not be written.
    fn is_sound(&self) -> Result<(), ()> {
        if self.failure.get().is_some() { Err(()) } else { Ok(()) }
    }

    fn keep_watch(&self) {
        let Watch { asleep, over, .. } = &self.watch.0;
        while !over.load(Ordering::Relaxed) {
            let mut found = false;
            for unwritten in &self.unwritten {
                let mut unwritten = lock(&unwritten.0);
                if !unwritten.lines.is_empty() {
                    found = true;
                    self.write(&mut unwritten);
                }
            }
            if found {
                thread::park_timeout(PATIENCE);
            } else if asleep.swap(true, Ordering::Relaxed) {
                thread::park();
            }
        }
    }
}

/// Appends lines all together if that is possible, else those before the first that does not fit.
fn append_what_fits(to: &mut impl Append, lines: &[u8]) -> anyhow::Result<()> {
    let Err(error) = to.append(lines) else { return Ok(()) };
    let mut each = lines.split_inclusive(|&byte| byte == b'\n');
    if each.all(|line| to.append(line).is_ok()) { Ok(()) } else { Err(error) }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc;

    /// Has room for so many bytes, and tells of each time that something is written.
    struct Memory {
        bytes: Arc<Mutex<Vec<u8>>>,
        room: usize,
        told: mpsc::Sender<usize>,
    }

    impl Append for Memory {
        fn append(&mut self, lines: &[u8]) -> anyhow::Result<()> {
            assert!(lines.ends_with(b"\n"));
            let mut bytes = lock(&self.bytes);
            if bytes.len() + lines.len() > self.room {
                bail!("no room");
            }
            bytes.extend_from_slice(lines);
            let _ = self.told.send(bytes.len());
            Ok(())
        }
    }

    fn sink(room: usize, threads: usize) -> (LineSink<Memory>, mpsc::Receiver<usize>) {
        let (told, news) = mpsc::channel();
        (LineSink::new(Memory { bytes: Arc::default(), room, told }, threads), news)
    }

    /// Adds lines from several threads: what became of them, and whether any was told that
    /// something could not be written.
    fn written(room: usize, each: usize) -> (Vec<usize>, bool, bool) {
        let (sink, _news) = sink(room, 4);
        let refused = AtomicUsize::new(0);
        thread::scope(|scope| {
            for thread in 0..4 {
                let (sink, refused) = (&sink, &refused);
                scope.spawn(move || {
                    for i in 0..each {
                        let line = format!("{}\n", thread * each + i);
                        let added = sink.add(thread, |lines| lines.extend(line.bytes()));
                        refused.fetch_add(usize::from(added.is_err()), Ordering::Relaxed);
                        if i % 1_000 == 0 {
                            thread::sleep(2 * TOGETHER);
                        }
                    }
                });
            }
        });
        let bytes = Arc::clone(&sink.inner.to.0.lock().unwrap().bytes);
        let failed = sink.finish().is_err();
        let text = String::from_utf8(bytes.lock().unwrap().clone()).unwrap();
        let lines = text.lines().map(|line| line.parse().unwrap()).collect();
        (lines, failed, refused.into_inner() > 0)
    }

    #[test]
    fn every_line_of_every_thread_is_written_once_and_in_its_order() {
        let (mut lines, failed, refused) = written(usize::MAX, 5_000);
        assert!(!failed && !refused);
        let of_first: Vec<usize> = lines.iter().copied().filter(|&line| line < 5_000).collect();
        assert!(of_first.is_sorted());
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
        let (sink, news) = sink(usize::MAX, 1);
        for i in 1..=20 {
            sink.add(0, |lines| lines.extend(b"abc\n")).unwrap();
            // Were it kept back until the next one, this would wait for ever.
            while news.recv().unwrap() < 4 * i {}
        }
        assert_eq!(*lock(&sink.finish().unwrap().bytes), b"abc\n".repeat(20));
    }
}
