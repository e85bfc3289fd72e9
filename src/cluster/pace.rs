//! How long things take: an average in which those of the last reports count most.

use std::time::Duration;

/// The pace of a rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    things: f64,
    seconds: f64,
}

impl Pace {
    /// Before anything is done, with a guess.
    pub(super) fn new(guess: Duration) -> Pace {
        // It counts next to nothing once something is known.
        const WEIGHT: f64 = 1e-3;
        Pace { things: WEIGHT, seconds: WEIGHT * guess.as_secs_f64() }
    }

    /// So many things took the threads of the rank so long, added up.
    pub(super) fn add(&mut self, things: usize, busy: Duration) {
        if things > 0 {
            self.things = self.things / 2.0 + things as f64;
            self.seconds = self.seconds / 2.0 + busy.as_secs_f64();
        }
    }

    /// How many things a thread is expected to do in some time.
    pub(super) fn within(self, time: Duration) -> f64 {
        let mean = self.seconds / self.things;
        time.as_secs_f64() / mean.max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_reports_count_most() {
        let mut pace = Pace::new(Duration::from_millis(5));
        let in_a_second = |pace: Pace| pace.within(Duration::from_secs(1)).round();
        assert_eq!(in_a_second(pace), 200.0);
        pace.add(1, Duration::from_millis(100));
        assert_eq!(in_a_second(pace), 10.0);
        pace.add(1000, Duration::from_secs(1));
        assert!((900.0..=1000.0).contains(&in_a_second(pace)));
        pace.add(0, Duration::from_secs(1));
        assert!((900.0..=1000.0).contains(&in_a_second(pace)));
    }
}
