//! The program with moments at which it can be stopped (`src/failpoint.rs`), for `scripts/faults`.

use clap::Parser;
use permutile::cli;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    let arguments = cli::Arguments::parse();
    cli::run(arguments).into()
}
