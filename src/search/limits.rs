//! What may end a search before it is done.

use crate::puzzle::Depth;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How much a search may use. The default is: as much as it takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The most nodes to expand.
    pub nodes: Option<u64>,
    /// The most bytes of search memory.
    pub bytes: Option<u64>,
    /// The longest solution of interest.
    pub depth: Option<Depth>,
    /// Set by another thread to stop soon.
    pub cancelled: Option<&'a AtomicBool>,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time is over.
    Time,
    /// As many nodes were expanded as allowed.
    Nodes,
    /// More memory would have been needed than is allowed, or than there is.
    Memory,
    /// No solution is as short as asked for.
    Depth,
    /// Another thread said so.
    Cancelled,
}

impl Limits<'_> {
    /// Whether to stop, given how many nodes were expanded so far.
    ///
    /// # Errors
    /// If so, with the reason.
    pub fn check(&self, expanded: u64) -> Result<(), Stop> {
        if self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Stop::Cancelled);
        }
        if self.nodes.is_some_and(|most| expanded >= most) {
            return Err(Stop::Nodes);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Time);
        }
        Ok(())
    }

    /// Whether so many bytes may be held.
    ///
    /// # Errors
    /// If not.
    pub fn check_bytes(&self, bytes: u64) -> Result<(), Stop> {
        match self.bytes {
            Some(most) if bytes > most => Err(Stop::Memory),
            _ => Ok(()),
        }
    }

    /// How many nodes may be expanded before the next [`check`](Self::check): few enough
    /// for 50 ms, and not beyond the limit.
    pub fn stride(&self, expanded: u64) -> u64 {
        const NODES: u64 = 1 << 13;
        self.nodes.map_or(NODES, |most| NODES.min(most.saturating_sub(expanded)))
    }
}
