//! A progress line: on a terminal only, and only after half a second.

use super::output::note;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How long an operation takes before the line appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(100);

/// Whether a line that is redrawn would be seen.
pub(super) fn is_wanted(quiet: bool) -> bool {
    !quiet && std::io::stderr().is_terminal()
}

/// A line that is redrawn in place. It is made when it is first drawn: resetting or ending one that
/// was never drawn would leave it on the terminal.
pub(super) fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    bar.set_style(style.expect("the template is fixed"));
    bar
}

/// A progress line.
pub(super) struct Progress {
    wanted: bool,
    /// The line while it is on the terminal.
    bar: Option<ProgressBar>,
    began: Instant,
    next: Instant,
}

impl Progress {
    /// A line for a command, unless nobody would see it.
    pub(super) fn new(quiet: bool) -> Progress {
        let now = Instant::now();
        Progress { wanted: is_wanted(quiet), bar: None, began: now, next: now + PATIENCE }
    }

    /// Shows what `text` says, if it is time for that.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        if self.wanted && Instant::now() >= self.next {
            let began = self.began;
            let bar = self.bar.get_or_insert_with(|| new_bar().with_elapsed(began.elapsed()));
            bar.set_message(text());
            bar.tick();
            self.next = Instant::now() + INTERVAL;
        }
    }

    /// Whether it takes so long that somebody who watches wants to know more.
    pub(super) fn is_due(&self) -> bool {
        self.wanted && self.began.elapsed() >= PATIENCE
    }

    /// Writes a line that stays, above the one that is redrawn.
    pub(super) fn keep_line(&mut self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| note(text)),
            None => note(text),
        }
    }

    /// Clears the line, before something else is printed.
    pub(super) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        self.began = Instant::now();
        self.next = self.began + PATIENCE;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
