//! The program: parse the arguments, run one command, end with its exit code.

use clap::Parser;
use permutile::cli;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    let arguments = cli::Arguments::parse();
    cli::run(arguments).into()
}
