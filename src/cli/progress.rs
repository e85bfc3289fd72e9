//! A line that says how far things are: on a terminal only, and only after half a second.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How long something may take before it is worth a line.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(100);

/// A progress line.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    next: Instant,
}

impl Progress {
    /// A line for a command, unless nobody would see it.
    pub(super) fn new(quiet: bool) -> Progress {
        let wanted = !quiet && std::io::stderr().is_terminal();
        let bar = wanted.then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
            bar.set_style(style.expect("the template is fixed"));
            bar
        });
        Progress { bar, next: Instant::now() + PATIENCE }
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

    /// Takes the line away, before something else is printed.
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
