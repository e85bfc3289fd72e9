//! One job on several machines: a batch of boards, or one hard board, over the processes of a
//! cluster.
//!
//! What goes on between the processes is here, and knows nothing of how messages are carried: that
//! is a [`Transport`](transport::Transport), by MPI (the program `permutile-mpi`) or by
//! [channels] between threads, for tests. [`Post`](post::Post) is the thread that carries
//! them, [`hello`] compares the ranks at the start, [`batch`] hands out boards and collects their
//! records, and [`ida`] is IDA* on one board.
//!
//! What decides about who does what has no clock, no threads and no sockets, and is tested with
//! thousands of simulated jobs whose messages are delayed at random and whose ranks may die.

pub mod batch;
pub mod channels;
pub mod hello;
pub mod ida;
mod pace;
pub mod post;
#[cfg(test)]
mod simulation;
pub mod transport;
mod wire;
