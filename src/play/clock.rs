//! How long a game takes: a clock that can be stopped, and is told what time it is.

use std::time::{Duration, Instant};

/// A stopwatch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    /// What it showed when it was last stopped.
    before: Duration,
    running_since: Option<Instant>,
}

impl Clock {
    /// A clock that stands at this time.
    pub fn at(elapsed: Duration) -> Clock {
        Clock { before: elapsed, running_since: None }
    }

    /// Starts it, unless it runs.
    pub fn start(&mut self, now: Instant) {
        self.running_since.get_or_insert(now);
    }

    /// Stops it, if it runs.
    pub fn stop(&mut self, now: Instant) {
        *self = Clock::at(self.elapsed(now));
    }

    /// Whether it runs.
    pub fn is_running(&self) -> bool {
        self.running_since.is_some()
    }

    /// What it shows.
    pub fn elapsed(&self, now: Instant) -> Duration {
        let running = self.running_since.map(|since| now.saturating_duration_since(since));
        self.before + running.unwrap_or_default()
    }
}

/// A time as players read it: `0:07.3`, `12:34`, `1:02:03`. Tenths are for the first minute.
pub fn in_words(time: Duration) -> String {
    let (seconds, tenths) = (time.as_secs(), time.subsec_millis() / 100);
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("0:{rest:02}.{tenths}"),
        (0, _) => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_runs_from_start_to_stop() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let mut clock = Clock::default();
        assert_eq!(clock.elapsed(at(5)), Duration::ZERO);
        clock.start(at(5));
        clock.start(at(6));
        assert_eq!(clock.elapsed(at(8)), Duration::from_secs(3));
        clock.stop(at(9));
        assert_eq!(clock.elapsed(at(20)), Duration::from_secs(4));
        clock.start(at(20));
        assert_eq!(clock.elapsed(at(21)), Duration::from_secs(5));
    }

    #[test]
    fn times_are_read_at_a_glance() {
        let words = |seconds: f64| in_words(Duration::from_secs_f64(seconds));
        assert_eq!([words(7.35), words(61.9), words(3723.0)], ["0:07.3", "1:01", "1:02:03"]);
    }
}
