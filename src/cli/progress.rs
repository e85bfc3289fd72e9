//! A progress line: on a terminal only, and only after half a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How long an operation takes before the line appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(100);

/// A line that is redrawn in place; `None` where nobody would see it.
pub(super) fn new_bar(quiet: bool) -> Option<ProgressBar> {
    let wanted = !quiet && std::io::stderr().is_terminal();
    wanted.then(|| {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
        bar.set_style(style.expect("the template is fixed"));
        bar
    })
}

/// A progress line.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    next: Instant,
}

impl Progress {
    /// A line for a command, unless nobody would see it.
    pub(super) fn new(quiet: bool) -> Progress {
        Progress { bar: new_bar(quiet), next: Instant::now() + PATIENCE }
    }

    /// Shows what `text` says, if it is time for that.
    pub(super) fn show(&mut self, text: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar
            && Instant::now() >= self.next
        {
            bar.set_message(text());
            bar.tick();
            self.next = Instant::now() + INTERVAL;
        }
    }

    /// Clears the line, before something else is printed.
    pub(super) fn clear(&mut self) {
        if let Some(bar) = &self.bar {
            bar.set_message("");
            bar.finish_and_clear();
            bar.reset();
            self.next = Instant::now() + PATIENCE;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
