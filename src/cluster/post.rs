//! The one thread of a process that sends and receives: it takes what other threads want to send,
//! and puts what arrives where they wait for it.
//!
//! Libraries for messages are best used by a single thread, and those for MPI spin while they wait.
//! So that thread asks for messages and pauses in between: for some tenths of a millisecond after
//! the last message, for up to a millisecond or two when nothing has come for a while. A rank that
//! waits thus uses less than a hundredth of a core. Messages to be sent wake it at once.
//!
//! Only while a thread has nothing to do until a message comes, so that a core is free, does it ask
//! without pauses, and for no longer than `SPIN`.

use super::transport::{Lost, Message, Transport};
use crate::sync::lock;
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The shortest pause. Each takes some microseconds from a thread that works.
const LEAST_PAUSE: Duration = Duration::from_micros(300);

/// How long there are no pauses after the last message, or after a thread has begun to wait for the
/// next one.
const SPIN: Duration = Duration::from_millis(3);

/// The longest one, and that of a rank for which nothing has come for [`LONG`].
const MOST_PAUSE: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(2)];

/// After so long, a rank is idle rather than waiting for the next message of a conversation.
const LONG: Duration = Duration::from_millis(200);

/// A pause is one in so many parts of the time since the last message: who has waited for long can
/// wait for a little longer.
const PAUSES: u32 = 4;

/// Sends and receives for all threads of a process.
#[derive(Debug)]
pub struct Post {
    rank: usize,
    size: usize,
    neighbours: usize,
    outgoing: Tray<Departure>,
    incoming: Tray<Arrival>,
    /// How many threads have nothing to do until a message comes.
    waiting: AtomicUsize,
    /// Whether there are as many cores as processes here.
    may_spin: bool,
}

/// What the thread is told that sends and receives.
#[derive(Debug)]
enum Departure {
    /// A message to be sent to a rank.
    Message(usize, Vec<u8>),
    /// That a thread waits for a message.
    Wait,
}

/// What those wait for who receive.
#[derive(Clone, Debug)]
enum Arrival {
    Message(Message),
    Lost(Lost),
    /// Nothing: another thread has something to say.
    Nudge,
}

/// Things from threads for threads.
#[derive(Debug)]
struct Tray<T> {
    things: Mutex<Things<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Things<T> {
    waiting: VecDeque<T>,
    /// Nothing more will come.
    closed: bool,
}

impl<T> Tray<T> {
    fn new() -> Tray<T> {
        let things = Things { waiting: VecDeque::new(), closed: false };
        Tray { things: Mutex::new(things), changed: Condvar::new() }
    }

    fn put(&self, thing: T) {
        lock(&self.things).waiting.push_back(thing);
        self.changed.notify_one();
    }

    fn close(&self) {
        lock(&self.things).closed = true;
        self.changed.notify_one();
    }

    /// The next thing, for which it waits for so long.
    fn take(&self, patience: Duration) -> Taken<T> {
        let mut things = lock(&self.things);
        if !patience.is_zero() {
            let nothing = |things: &mut Things<T>| things.waiting.is_empty() && !things.closed;
            let waited = self.changed.wait_timeout_while(things, patience, nothing);
            (things, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        match things.waiting.pop_front() {
            Some(thing) => Taken::Thing(thing),
            None if things.closed => Taken::Closed,
            None => Taken::Nothing,
        }
    }
}

enum Taken<T> {
    Thing(T),
    Nothing,
    Closed,
}

impl Post {
    /// The number of this process.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many processes there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many of them run on this machine, this one included.
    pub fn neighbours(&self) -> usize {
        self.neighbours
    }

    /// The other processes.
    pub fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.rank;
        (0..self.size).filter(move |&rank| rank != own)
    }

    /// Sends a message, without waiting.
    pub fn send(&self, to: usize, message: Vec<u8>) {
        self.outgoing.put(Departure::Message(to, message));
    }

    /// The next message, for which it waits for so long; `None` also if it was nudged.
    ///
    /// # Errors
    /// If a process is gone.
    pub fn receive(&self, patience: Duration) -> Result<Option<Message>, Lost> {
        match self.incoming.take(patience) {
            Taken::Thing(Arrival::Message(message)) => Ok(Some(message)),
            Taken::Thing(Arrival::Lost(lost)) => {
                // Whoever asks next is told the same.
                self.incoming.put(Arrival::Lost(lost));
                Err(lost)
            }
            Taken::Thing(Arrival::Nudge) | Taken::Nothing | Taken::Closed => Ok(None),
        }
    }

    /// To be held by a thread that has nothing to do until a message comes.
    pub fn wait_for_message(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        self.outgoing.put(Departure::Wait);
        Waiting(self)
    }

    /// Has the thread that receives look around.
    pub fn nudge(&self) {
        self.incoming.put(Arrival::Nudge);
    }

    /// Does some work on another thread, while this one carries its messages.
    pub fn serve<T: Send>(
        mut transport: impl Transport,
        work: impl FnOnce(&Post) -> T + Send,
    ) -> T {
        let post = Post {
            rank: transport.rank(),
            size: transport.size(),
            neighbours: transport.neighbours(),
            outgoing: Tray::new(),
            incoming: Tray::new(),
            waiting: AtomicUsize::new(0),
            may_spin: thread::available_parallelism()
                .is_ok_and(|cores| transport.neighbours() <= cores.get()),
        };
        thread::scope(|scope| {
            let worker = scope.spawn(|| {
                // Also if the work panics, in which case the transport is dropped as it is.
                let _close = CloseOnDrop(&post.outgoing);
                work(&post)
            });
            post.carry(&mut transport);
            match worker.join() {
                Ok(done) => {
                    transport.flush();
                    done
                }
                Err(panic) => {
                    drop(transport);
                    resume_unwind(panic)
                }
            }
        })
    }

    /// Whether to ask for messages without pauses, so long after the last one.
    fn is_to_spin(&self, since: Duration) -> bool {
        self.may_spin && since < SPIN && self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Carries messages until nothing more is to be sent.
    fn carry(&self, transport: &mut impl Transport) {
        let mut last = Instant::now();
        let mut lost = false;
        let mut pause = Duration::ZERO;
        loop {
            match self.outgoing.take(pause) {
                Taken::Thing(departure) => {
                    if let Departure::Message(to, message) = departure {
                        transport.send(to, message);
                    }
                    (last, pause) = (Instant::now(), Duration::ZERO);
                    continue;
                }
                Taken::Closed => return,
                Taken::Nothing => {}
            }
            let arrived = if lost { Ok(None) } else { transport.receive() };
            match arrived {
                Ok(Some(message)) => {
                    self.incoming.put(Arrival::Message(message));
                    (last, pause) = (Instant::now(), Duration::ZERO);
                }
                Ok(None) => {
                    let since = last.elapsed();
                    if self.is_to_spin(since) {
                        thread::yield_now();
                        pause = Duration::ZERO;
                        continue;
                    }
                    let most = MOST_PAUSE[usize::from(since >= LONG)];
                    pause = (since / PAUSES).clamp(LEAST_PAUSE, most);
                }
                Err(error) => {
                    lost = true;
                    self.incoming.put(Arrival::Lost(error));
                }
            }
        }
    }
}

/// While it is there, a thread waits for a message.
#[derive(Debug)]
pub struct Waiting<'a>(&'a Post);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Closes a tray, whatever happens.
struct CloseOnDrop<'a, T>(&'a Tray<T>);

impl<T> Drop for CloseOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::super::channels::Channels;
    use super::*;

    /// Runs the same work on all ranks.
    fn on_all<T: Send>(size: usize, work: impl Fn(&Post) -> T + Sync) -> Vec<thread::Result<T>> {
        thread::scope(|scope| {
            let work = &work;
            let start = |end| scope.spawn(move || Post::serve(end, work));
            let threads: Vec<_> = Channels::connect(size).into_iter().map(start).collect();
            threads.into_iter().map(thread::ScopedJoinHandle::join).collect()
        })
    }

    const PATIENCE: Duration = Duration::from_secs(10);

    #[test]
    fn messages_go_round() {
        let sums = on_all(4, |post| {
            let (rank, size) = (post.rank(), post.size());
            post.send((rank + 1) % size, vec![rank as u8]);
            let mut sum = 0;
            for _ in 1..size {
                let message = post.receive(PATIENCE).unwrap().unwrap();
                assert_eq!(message.from, (rank + size - 1) % size);
                sum += message.bytes[0];
                post.send((rank + 1) % size, message.bytes);
            }
            // The last message comes home.
            post.receive(PATIENCE).unwrap().unwrap();
            sum
        });
        let sums: Vec<u8> = sums.into_iter().map(Result::unwrap).collect();
        assert_eq!(sums, [6, 5, 4, 3]);
    }

    #[test]
    fn a_panic_of_a_rank_is_told_to_the_others() {
        let ended = on_all(3, |post| {
            assert!(post.rank() != 1, "as it should");
            post.receive(PATIENCE)
        });
        let [first, second, third] = ended.try_into().unwrap();
        assert!(second.is_err());
        for other in [first, third] {
            assert_eq!(other.unwrap(), Err(Lost { rank: 1 }));
        }
    }

    #[test]
    fn a_nudge_wakes_who_receives() {
        on_all(1, |post| {
            post.nudge();
            assert_eq!(post.receive(PATIENCE), Ok(None));
        });
    }
}
