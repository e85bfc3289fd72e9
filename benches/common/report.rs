//! When a bench prints a report of its own, beside criterion's.

use permutile_bench::measuring;
use std::time::Duration;

/// Whether what criterion cannot measure is to be printed: with `-- report`, and then nothing else
/// is.
pub(crate) fn reports_wanted() -> bool {
    measuring() && std::env::args().any(|argument| argument == "report")
}

/// The median of several times.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
