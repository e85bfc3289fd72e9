//! Looking up from the work: limits and observer, every few thousand nodes.

use super::{Limits, Observer, Stop};
use crate::puzzle::Depth;

/// When a search looks around again.
pub(super) struct Pace<'a> {
    limits: &'a Limits<'a>,
    observer: &'a mut dyn Observer,
    look_at: u64,
}

impl<'a> Pace<'a> {
    pub(super) fn new(limits: &'a Limits<'a>, observer: &'a mut dyn Observer) -> Pace<'a> {
        Pace { limits, observer, look_at: 0 }
    }

    /// Called before each node is expanded, with the bound that is being tried and the number of
    /// nodes expanded so far.
    ///
    /// # Errors
    /// If the search is to stop.
    #[inline]
    pub(super) fn step(&mut self, bound: Depth, expanded: u64) -> Result<(), Stop> {
        if expanded < self.look_at { Ok(()) } else { self.look(bound, expanded) }
    }

    #[cold]
    fn look(&mut self, bound: Depth, expanded: u64) -> Result<(), Stop> {
        self.limits.check(expanded)?;
        self.observer.progress(bound, expanded);
        self.look_at = expanded + self.limits.stride(expanded);
        Ok(())
    }
}
