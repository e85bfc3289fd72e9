//! Ctrl-C: once to stop soon and in order, twice to stop at once.

#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether there is nothing that could be stopped in order.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Whether the flag is looked at all the time, and a terminal has to be put in order before the end.
static PLAYING: AtomicBool = AtomicBool::new(false);

/// Installs the handler. Where that is not possible, Ctrl-C ends the program as usual.
pub(super) fn listen() {
    let _ = ctrlc::set_handler(|| {
        let again = INTERRUPTED.swap(true, Ordering::SeqCst);
        let at_once = again || WAITING.load(Ordering::SeqCst);
        if at_once && !PLAYING.load(Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
    #[cfg(unix)]
    survive_full_files();
}

/// A file that may not grow further (`ulimit -f`) is an error where it is written, as a full disk is,
/// and not the end of the program.
#[cfg(unix)]
fn survive_full_files() {
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Stops everything in order, as one Ctrl-C does.
pub(super) fn stop() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Waits for input, as from a terminal: the first Ctrl-C ends the program at once.
pub(super) fn while_waiting<T>(read: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::SeqCst);
    if is_set() {
        std::process::exit(130);
    }
    let read = read();
    WAITING.store(false, Ordering::SeqCst);
    read
}

/// Runs what looks at the flag all the time: it ends in order, however often it is asked to.
#[cfg(feature = "play")]
pub(super) fn while_playing<T>(play: impl FnOnce() -> T) -> T {
    PLAYING.store(true, Ordering::SeqCst);
    let played = play();
    PLAYING.store(false, Ordering::SeqCst);
    played
}

/// The flag that searches poll.
pub(super) fn flag() -> &'static AtomicBool {
    &INTERRUPTED
}

/// Whether the user has asked to stop.
pub(super) fn is_set() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
