//! One hard board, searched by all ranks of a job: distributed IDA*.
//!
//! All ranks solve the board in the same way, each with its own tables, until they come to a
//! search that is worth sharing ([`Crew::search`](crate::search::Crew::search)). There they cut the
//! tree into the same packets; [`Leader`], rank 0, tries one bound after the other, and sends the
//! numbers of packets to ranks that are ready, while its own threads search, too. What comes of a
//! search is told to all, so that they go on in the same way: a rank that comes late is told at once.
//! No rank waits for another one to be ready.
//!
//! Another rank, if there is one to spare, looks for solutions by beams meanwhile; it takes part in
//! the proof when it finds no better ones.

mod dispatch;
mod follower;
mod leader;
pub(crate) mod messages;
mod portion;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
mod threads;

pub use follower::follow;
pub use leader::Leader;

use super::hello::Team;
use crate::puzzle::Depth;
use crate::search::Aim;
use crate::search::packets::PACKETS_PER_THREAD;

/// How many packets a search is cut into, at least.
fn packets_wanted(given: Option<usize>, team: &Team) -> usize {
    given.unwrap_or(PACKETS_PER_THREAD * team.all_threads())
}

/// Whether a solution of some length is good enough, if no solution is shorter than a bound.
fn proven_by(length: Depth, bound: Depth, aim: Aim) -> bool {
    match aim {
        Aim::Within(ratio) => f64::from(length) <= ratio * f64::from(bound),
        Aim::Best | Aim::First | Aim::Proven => length <= bound,
    }
}
