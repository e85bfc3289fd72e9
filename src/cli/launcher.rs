//! What started this process: `mpirun` and its like start many copies of a program.

use super::exit::Exit;
use super::output::{complaint, note};
use anyhow::anyhow;
use std::env;

/// Where launchers tell a process its number, and how many there are: those of Open MPI, and of
/// MPICH and what descends from it.
const VARIABLES: [[&str; 2]; 2] =
    [["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"], ["PMI_RANK", "PMI_SIZE"]];

/// Refuses to run as one of several copies that would all do the same; one of them says so.
pub(super) fn refuse_copies() -> Option<Exit> {
    let number = |name: &str| env::var(name).ok()?.parse::<usize>().ok();
    let started = VARIABLES.map(|[rank, size]| Some((number(rank)?, number(size)?, size)));
    let (rank, copies, variable) =
        started.into_iter().flatten().next().filter(|&(_, copies, _)| copies > 1)?;
    if rank == 0 {
        let error = anyhow!(
            "{copies} copies of permutile were started, which would all do the same: use \
             permutile-mpi, which shares the work, or give each copy a slice (batch --shard I/N); \
             if each has boards of its own, unset {variable}"
        );
        note(complaint(&error));
    }
    Some(Exit::Usage)
}
