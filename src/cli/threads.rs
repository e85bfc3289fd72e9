//! The pool of threads: as many as are wanted, or as the system starts.

use super::output::{note, yellow};
use permutile::table::storage::ZeroedBuffer;
use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::io;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What a thread needs to begin with, its stack included: one that does not get it ends the
/// program.
const ROOM: usize = 32 << 20;

/// Makes the pool. A system that has no more threads makes it smaller, which is told; without any,
/// this thread does all the work.
pub(super) fn start(wanted: Option<u16>) {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let wanted = wanted.map_or_else(cores, usize::from);
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
        note(format!("{warning} the system has no more threads: {used} of {wanted} are used"));
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
