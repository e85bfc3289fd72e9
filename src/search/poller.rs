//! Polling the limits and reporting progress, every few thousand nodes.

use super::node_counts::{counts_of, report};
use super::{Iteration, Limits, NodeCount, Observer, StopReason};
use crate::puzzle::Depth;

/// Decides from time to time whether a search goes on.
pub trait Poll {
    /// How many nodes may be expanded before the next poll, at least one, given the bound that is
    /// being tried and how many nodes were expanded so far.
    ///
    /// # Errors
    /// If the search is to stop.
    fn poll(&mut self, bound: Depth, expanded: u64) -> Result<u64, StopReason>;
}

/// Polls for a search on one thread: checks the limits, and tells the observer.
pub(super) struct Poller<'a> {
    limits: &'a Limits<'a>,
    observer: &'a mut dyn Observer,
    /// How many nodes were expanded before this part of the search.
    before: u64,
    /// The iterations before this part of the search.
    iterations: &'a [Iteration],
    /// How many nodes may be expanded before the next poll.
    left: u64,
}

impl<'a> Poller<'a> {
    pub(super) fn new(limits: &'a Limits<'a>, observer: &'a mut dyn Observer) -> Poller<'a> {
        Poller::after(0, &[], limits, observer)
    }

    /// For a part of a search, before which so many nodes were expanded, in these iterations and
    /// the one that has begun.
    pub(super) fn after(
        before: u64,
        iterations: &'a [Iteration],
        limits: &'a Limits<'a>,
        observer: &'a mut dyn Observer,
    ) -> Poller<'a> {
        Poller { limits, observer, before, iterations, left: 0 }
    }

    /// Called before each node is expanded, with the bound that is being tried and the number of
    /// nodes expanded so far.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline]
    pub(super) fn step(&mut self, bound: Depth, expanded: u64) -> Result<(), StopReason> {
        self.steps(1, bound, expanded, &Vec::new)
    }

    /// Called before several nodes are expanded, [no more](Self::most) than may be at once;
    /// `counts` says what was expanded before, for observers that ask.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline]
    pub(super) fn steps(
        &mut self,
        steps: u64,
        bound: Depth,
        expanded: u64,
        counts: &dyn Fn() -> Vec<NodeCount>,
    ) -> Result<(), StopReason> {
        if self.left == 0 {
            self.left = self.look(bound, expanded, counts)?;
        }
        self.left -= steps;
        Ok(())
    }

    /// How many nodes may be expanded at once.
    #[inline]
    pub(super) fn most(&self) -> u64 {
        self.left.max(1)
    }

    #[cold]
    fn look(
        &mut self,
        bound: Depth,
        expanded: u64,
        counts: &dyn Fn() -> Vec<NodeCount>,
    ) -> Result<u64, StopReason> {
        let total = self.before + expanded;
        self.limits.check(total)?;
        self.observer.progress(bound, total);
        // A limit on nodes that is not reached leaves at least one.
        let stride = self.limits.stride(total);
        let until_counts = report(self.observer, total, counts);
        Ok(until_counts.map_or(stride, |nodes| stride.min(nodes.max(1))))
    }

    /// Tells the observer at the end of a search.
    pub(super) fn finish(&mut self, expanded: u64, counts: &dyn Fn() -> Vec<NodeCount>) {
        report(self.observer, expanded, counts);
    }
}

impl Poll for Poller<'_> {
    fn poll(&mut self, bound: Depth, expanded: u64) -> Result<u64, StopReason> {
        let (iterations, total) = (self.iterations, self.before + expanded);
        self.look(bound, expanded, &|| {
            let earlier: u64 = iterations.iter().map(|iteration| iteration.expanded).sum();
            let now = Iteration { bound, expanded: total - earlier, generated: 0 };
            counts_of(&[iterations, &[now]].concat())
        })
    }
}
