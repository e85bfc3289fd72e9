//! The pool of threads: as many as are wanted, or as the system starts.

use super::output::yellow;
use permutile::table::storage::ZeroedBuffer;
use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::io;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What a thread needs to begin with, its stack included: one that does not get it ends the
/// program.
const ROOM: usize = 32 << 20;

/// As many as the user wants, or one for each core that this process may use.
pub(super) fn wanted(given: Option<u16>) -> usize {
    given.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// As [`wanted`], for one of several processes on this machine. Those that are bound to cores of
/// their own use these; if all may use all cores, each takes its share.
pub(super) fn wanted_by_one_of(processes: usize, given: Option<u16>) -> usize {
    let wanted = wanted(given);
    match cores().filter(|_| given.is_none()) {
        Some(cores) => wanted.min((cores / processes).max(1)),
        None => wanted,
    }
}

/// How many cores the machine has, where the system reports it.
fn cores() -> Option<usize> {
    let online = std::fs::read_to_string("/sys/devices/system/cpu/online").ok()?;
    let count = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(last.parse::<usize>().ok()? + 1 - first.parse::<usize>().ok()?)
    };
    online.trim().split(',').map(count).sum()
}

/// Makes the pool. A system that has no more threads makes it smaller, which is told; without any,
/// this thread does all the work.
pub(super) fn start(wanted: usize, tell: fn(String)) {
    // The pool can be made once only, so its threads are started first.
    let (hand_over, work) = mpsc::channel::<ThreadBuilder>();
    let work = Arc::new(Mutex::new(work));
    let start = |_| {
        let work = Arc::clone(&work);
        let run = move || {
            let next = work.lock().unwrap_or_else(PoisonError::into_inner).recv();
            next.into_iter().for_each(ThreadBuilder::run);
        };
        let has_room = ZeroedBuffer::<u8>::new(ROOM).is_ok();
        has_room.then(|| thread::Builder::new().spawn(run).ok()).flatten()
    };
    let threads: Vec<JoinHandle<()>> = (0..wanted).map_while(start).collect();
    let started = threads.len();
    // What stopped the others would soon stop these, if all were to stay: searches start threads
    // of their own.
    let staying = if started < wanted { started / 4 } else { started };
    if started < wanted {
        let warning = yellow("warning:");
        let used = staying.max(1);
        tell(format!("{warning} the system has no more threads: {used} of {wanted} are used"));
    }
    let hand_over =
        move |thread| hand_over.send(thread).map_err(|_| io::ErrorKind::BrokenPipe.into());
    let pool = match staying {
        0 => ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global(),
        _ => ThreadPoolBuilder::new().num_threads(staying).spawn_handler(hand_over).build_global(),
    };
    pool.expect("the pool is made once, before it is used");
    let ended = || threads.iter().filter(|thread| thread.is_finished()).count();
    while ended() < started - staying {
        thread::sleep(Duration::from_millis(1));
    }
}
