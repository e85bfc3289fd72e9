//! How long things are measured, and what is asked for besides.

use crate::{Criterion, SteadyClock, criterion_files};
use criterion::PlottingBackend;
use std::time::Duration;

/// Criterion with times that are short and long enough: a median of 30 samples, each of many
/// iterations, is good to two or three percent on a quiet machine. Arguments may say otherwise.
pub fn criterion() -> Criterion {
    let clock = if measuring() {
        SteadyClock::new(&criterion_files::home())
    } else {
        SteadyClock::unused()
    };
    criterion::Criterion::default()
        .with_measurement(clock)
        .warm_up_time(Duration::from_millis(60))
        .measurement_time(Duration::from_millis(240))
        .sample_size(30)
        .nresamples(10_000)
        .plotting_backend(PlottingBackend::Plotters)
}

/// Whether `PERMUTILE_BENCH=full` asks for everything, and not just for what tells most.
pub fn full() -> bool {
    std::env::var_os("PERMUTILE_BENCH").is_some_and(|value| value == "full")
}

/// Whether times are taken at all; `cargo test --benches` and `cargo bench -- --test` only run
/// everything once.
pub fn measuring() -> bool {
    let given = |option: &str| std::env::args().any(|argument| argument == option);
    given("--bench") && !given("--test")
}
