//! When a bench prints a report of its own, beside criterion's.

use std::time::Duration;

/// Whether times are taken at all; `cargo test --benches` and `cargo bench -- --test` only run
/// everything once.
pub(crate) fn measuring() -> bool {
    let given = |option: &str| std::env::args().any(|argument| argument == option);
    given("--bench") && !given("--test")
}

/// Whether what criterion cannot measure is to be printed: unless only something else is wanted,
/// as in `cargo bench --bench search -- torus4`. With `-- report`, nothing else is.
pub(crate) fn reports_wanted() -> bool {
    let known = |argument: String| argument == "--bench" || argument == "report";
    measuring() && std::env::args().skip(1).all(known)
}

/// The median of several times.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
