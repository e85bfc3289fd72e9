//! `permutile-mpi`: `batch` and `solve` on several machines.

use permutile::cli;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    permutile_mpi::as_rank(cli::run_rank).map_or(ExitCode::FAILURE, ExitCode::from)
}
