//! `permutile-mpi`: `batch` and `solve` on several machines.

use permutile::cli;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let exit = permutile_mpi::as_rank(cli::run_rank, |&exit| exit == cli::Exit::Interrupted);
    exit.map_or(ExitCode::FAILURE, ExitCode::from)
}
