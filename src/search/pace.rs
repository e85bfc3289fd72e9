//! Looking up from the work: limits and observer, every few thousand nodes.

use super::{Limits, Observer, StopReason};
use crate::puzzle::Depth;

/// When a search looks around again.
pub(super) struct Pace<'a> {
    limits: &'a Limits<'a>,
    observer: &'a mut dyn Observer,
    /// How many steps may be made before that.
    left: u64,
}

impl<'a> Pace<'a> {
    pub(super) fn new(limits: &'a Limits<'a>, observer: &'a mut dyn Observer) -> Pace<'a> {
        Pace { limits, observer, left: 0 }
    }

    /// Called before each node is expanded, with the bound that is being tried and the number of
    /// nodes expanded so far.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline]
    pub(super) fn step(&mut self, bound: Depth, expanded: u64) -> Result<(), StopReason> {
        self.steps(1, bound, expanded)
    }

    /// Called before several nodes are expanded, as many as [may be](Self::most) at once.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline]
    pub(super) fn steps(
        &mut self,
        steps: u64,
        bound: Depth,
        expanded: u64,
    ) -> Result<(), StopReason> {
        if self.left == 0 {
            self.look(bound, expanded)?;
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
    fn look(&mut self, bound: Depth, expanded: u64) -> Result<(), StopReason> {
        self.limits.check(expanded)?;
        self.observer.progress(bound, expanded);
        // A step expands one node at most. It is less than the limit allows, so at least one.
        self.left = self.limits.stride(expanded);
        Ok(())
    }
}
