//! A heuristic of your own in the benches, next to those that others are compared with. In a crate
//! of your own this is a file in `benches/`, with `harness = false` in its `Cargo.toml`. Run it with
//! `cargo run --release --example bench_my_heuristic -- --bench`.

#[expect(dead_code, reason = "it is an example of its own")]
#[path = "my_heuristic.rs"]
mod my_heuristic;

pub(crate) fn main() {
    permutile_bench::Harness::new()
        .with::<my_heuristic::LinesOff>()
        .with_files_of_environment()
        .run();
}
