//! The progress of a batch: a line that is redrawn on a terminal, and occasional plain lines where
//! there is none.

use super::output::note;
use super::progress::{is_wanted, new_bar};
use indicatif::ProgressBar;
use permutile::format::{duration, grouped, rate};
use permutile::lab::batch::{BatchObserver, BatchProgress, RunningBoard};
use std::time::Duration;

/// How long a run takes before the line appears on a terminal.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the line on a terminal changes.
const ON_TERMINAL: Duration = Duration::from_millis(100);

/// How often there is a plain line.
const IN_A_FILE: Duration = Duration::from_secs(10);

/// Draws the progress of a batch on standard error, and clears it when dropped.
pub(super) struct ProgressLine {
    /// Present on a terminal.
    bar: Option<ProgressBar>,
}

impl ProgressLine {
    pub(super) fn new() -> ProgressLine {
        ProgressLine { bar: is_wanted(false).then(new_bar) }
    }
}

impl BatchObserver for ProgressLine {
    fn first_report(&self) -> Duration {
        if self.bar.is_some() { PATIENCE } else { IN_A_FILE }
    }

    fn interval(&self) -> Duration {
        if self.bar.is_some() { ON_TERMINAL } else { IN_A_FILE }
    }

    fn progress(&mut self, progress: &BatchProgress) {
        match &self.bar {
            Some(bar) => {
                bar.set_message(line(progress));
                bar.tick();
            }
            None => note(line(progress)),
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Boards done and to do, the rate, and the board that takes longest.
fn line(progress: &BatchProgress) -> String {
    let &BatchProgress { elapsed, boards, earlier, finished, solved, ref longest } = progress;
    let per_second = finished as f64 / elapsed.as_secs_f64().max(1e-9);
    let mut line = format!(
        "{}/{} boards, {solved} solved, {} failed, {} a second",
        grouped((earlier + finished) as u64),
        grouped(boards as u64),
        finished - solved,
        rate(per_second)
    );
    if finished > 0 {
        let left = boards.saturating_sub(earlier + finished) as f64 / per_second;
        line += &format!(", {} to go", duration(left));
    }
    if let Some(RunningBoard { name, elapsed, bound, found, expanded }) = longest {
        // Without its folders it fits on the line.
        let name = name.rsplit(std::path::MAIN_SEPARATOR).next().unwrap_or(name);
        let (time, nodes) = (duration(elapsed.as_secs_f64()), grouped(*expanded));
        let found = found.map_or(String::new(), |length| format!(", {length} found"));
        line += &format!("; {name}: {time}, trying {bound} moves{found}, {nodes} nodes");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_long_it_will_take_and_which_board_is_hard() {
        let mut progress = BatchProgress {
            elapsed: Duration::from_secs(2),
            boards: 1_500,
            earlier: 200,
            finished: 0,
            solved: 0,
            longest: None,
        };
        assert_eq!(line(&progress), "200/1,500 boards, 0 solved, 0 failed, 0.000 a second");
        progress.finished = 1_000;
        progress.solved = 990;
        progress.longest = Some(RunningBoard {
            name: ["boards", "hard"].join(std::path::MAIN_SEPARATOR_STR),
            elapsed: Duration::from_millis(1_500),
            bound: 23,
            found: None,
            expanded: 12_345,
        });
        let expected = "1,200/1,500 boards, 990 solved, 10 failed, 500 a second, 600.0 ms to go; \
                        hard: 1.50 s, trying 23 moves, 12,345 nodes";
        assert_eq!(line(&progress), expected);
        progress.longest.iter_mut().for_each(|board| board.found = Some(30));
        assert!(line(&progress).ends_with("trying 23 moves, 30 found, 12,345 nodes"));
    }
}
