//! What is shown while a board is searched.

use crate::cli::progress::Progress;
use permutile::format::{counted, duration, grouped};
use permutile::search::Observer;
use std::time::Instant;

/// Shows a running search.
pub(super) struct Watcher<'a> {
    progress: &'a mut Progress,
    name: &'a str,
    done: usize,
    total: usize,
    began: Instant,
    /// The best solution so far.
    found: Option<Found>,
    /// The length of the one that was told last.
    told: Option<u32>,
}

/// A solution, when it was found, and what is proven of all lengths.
#[derive(Clone, Copy)]
struct Found {
    seconds: f64,
    length: u32,
    at_least: u32,
}

impl<'a> Watcher<'a> {
    /// Of a board, after so many of all.
    pub(super) fn new(
        progress: &'a mut Progress,
        name: &'a str,
        done: usize,
        total: usize,
    ) -> Watcher<'a> {
        Watcher { progress, name, done, total, began: Instant::now(), found: None, told: None }
    }

    /// Tells of the best solution so far, if that is news and takes long enough to be waited for:
    /// of one board alone, as a line that stays.
    fn tell(&mut self) {
        let Some(Found { seconds, length, at_least }) = self.found else { return };
        if self.total > 1 || self.told == Some(length) || !self.progress.is_due() {
            return;
        }
        self.told = Some(length);
        let (time, moves) = (duration(seconds), counted(length.into(), "move"));
        self.progress.keep_line(&format!("{time:>9}  {moves}, at least {at_least}"));
    }
}

impl Observer for Watcher<'_> {
    fn progress(&mut self, bound: u32, expanded: u64) {
        self.tell();
        let Watcher { name, done, total, found, .. } = self;
        let (found, nodes) = (*found, grouped(expanded));
        self.progress.show(|| match found {
            Some(Found { length, .. }) => {
                format!(
                    "{done}/{total} {name}: {length} moves found, trying {bound}, {nodes} nodes"
                )
            }
            None => format!("{done}/{total} {name}: trying {bound} moves, {nodes} nodes"),
        });
    }

    fn improved(&mut self, length: u32, at_least: u32) {
        let seconds = self.began.elapsed().as_secs_f64();
        self.found = Some(Found { seconds, length, at_least });
        self.tell();
    }

    fn building_table(&mut self, distance: u32, share: f64) {
        let Watcher { name, done, total, .. } = self;
        self.progress.show(|| {
            let share = 100.0 * share;
            format!("{done}/{total} {name}: making a table, distance {distance}, {share:.0} %")
        });
    }
}
