//! What may end a search or the building of a table before it is done, and who hears how it is
//! getting on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much a search or the building of a table may use. The default is: as much as it takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The most nodes to expand.
    pub nodes: Option<u64>,
    /// The most bytes to hold.
    pub bytes: Option<u64>,
    /// The longest solution of interest.
    pub depth: Option<u32>,
    /// Set by another thread to stop soon.
    pub cancelled: Option<&'a AtomicBool>,
}

/// Why a search or the building of a table ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StopReason {
    /// The deadline has passed.
    #[error("the time limit was reached")]
    Time,
    /// As many nodes were expanded as allowed.
    #[error("the node limit was reached")]
    Nodes,
    /// More memory would be needed than is allowed, or than there is.
    #[error("the memory limit was reached")]
    Memory,
    /// No solution is as short as asked for.
    #[error("no solution is as short as asked for")]
    Depth,
    /// Another thread asked for it.
    #[error("interrupted")]
    Cancelled,
}

impl Limits<'_> {
    /// The limits of what is done while so many bytes are held besides.
    #[must_use]
    pub fn less(self, bytes: u64) -> Self {
        Limits { bytes: self.bytes.map(|most| most.saturating_sub(bytes)), ..self }
    }

    /// Whether to stop, given how many nodes were expanded so far.
    ///
    /// # Errors
    /// If so, with the reason.
    pub fn check(&self, expanded: u64) -> Result<(), StopReason> {
        let cancelled = self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
        if !cancelled && self.nodes.is_some_and(|most| expanded >= most) {
            return Err(StopReason::Nodes);
        }
        self.check_time()
    }

    /// Whether to stop because time is up or because another thread asked for it.
    ///
    /// # Errors
    /// If so, with the reason.
    pub fn check_time(&self) -> Result<(), StopReason> {
        if self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(StopReason::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(StopReason::Time);
        }
        Ok(())
    }

    /// Whether so many bytes may be held.
    ///
    /// # Errors
    /// If not.
    pub fn check_bytes(&self, bytes: u64) -> Result<(), StopReason> {
        match self.bytes {
            Some(most) if bytes > most => Err(StopReason::Memory),
            _ => Ok(()),
        }
    }

    /// Whether the deadline, if there is one, is at least so far away.
    pub(crate) fn has_left(&self, time: Duration) -> bool {
        self.deadline.is_none_or(|deadline| deadline >= Instant::now() + time)
    }

    /// How many nodes may be expanded before the next [`check`](Self::check): few enough
    /// for 50 ms, and not beyond the limit.
    pub fn stride(&self, expanded: u64) -> u64 {
        const NODES: u64 = 1 << 13;
        self.nodes.map_or(NODES, |most| NODES.min(most.saturating_sub(expanded)))
    }
}

/// The nodes of a search that have one depth and one estimated length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeCount {
    /// How many moves they are from the start, or from either end in a search from both; unknown of
    /// iterations, whose nodes have many depths. Of a very deep search, the first of several depths.
    pub depth: Option<u32>,
    /// The depth plus the estimate; of an iteration, its bound.
    pub length: u32,
    /// How many were expanded.
    pub expanded: u64,
    /// How many wait to be expanded, some of which may turn out to be known already.
    pub open: u64,
}

/// Receives the progress of a search or of the building of a table.
///
/// ```
/// use permutile::{Board, Observer, SearchOptions, Solver};
///
/// struct Lengths(Vec<u32>);
///
/// impl Observer for Lengths {
///     fn improved(&mut self, length: u32, lower_bound: u32) {
///         assert!(lower_bound <= length);
///         self.0.push(length);
///     }
/// }
///
/// let board: Board = "0 8 7 / 6 5 4 / 3 2 1".parse()?;
/// let mut lengths = Lengths(Vec::new());
/// Solver::infer(&board)?.solve(&board, &SearchOptions::default(), &mut lengths)?;
/// assert!(lengths.0.is_sorted_by(|a, b| a > b));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Observer {
    /// Called from time to time, and never from an inner loop: the bound being tried and
    /// the nodes expanded so far.
    fn progress(&mut self, bound: u32, expanded: u64) {
        let _ = (bound, expanded);
    }

    /// Called from time to time while a table is built: for which distance, and which share of
    /// that is done.
    fn building_table(&mut self, distance: u32, share: f64) {
        let _ = (distance, share);
    }

    /// Called when a solution was found that is shorter than those before: its length, and what is
    /// proven of all lengths so far.
    fn improved(&mut self, length: u32, lower_bound: u32) {
        let _ = (length, lower_bound);
    }

    /// Whether [`node_counts`](Self::node_counts) is to be called, and if so, after how many more
    /// nodes at most it is to be called again.
    fn nodes_until_counts(&self, expanded: u64) -> Option<u64> {
        let _ = expanded;
        None
    }

    /// What was expanded and what waits by now, from searches that know.
    fn node_counts(&mut self, expanded: u64, counts: &[NodeCount]) {
        let _ = (expanded, counts);
    }
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Observer for Silent {}
