//! The packets of one rank: what waits, what is being searched, what is done and not yet reported.
//! It has no threads and sends nothing itself.

use super::messages::RangeResult;
use super::threads::Work;
use crate::puzzle::{Depth, Move};
use crate::search::ida::PassResult;
use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

/// A thread reports after so much work, or when the rank has no packet left that is not begun.
const REPORT_AFTER: Duration = Duration::from_micros(500);

/// The packets that a rank has to search under one bound.
#[derive(Debug)]
pub(crate) struct Portion {
    threads: u32,
    bound: Depth,
    ranges: VecDeque<Progress>,
    /// The last packet of interest.
    cut: usize,
    done: Vec<RangeResult>,
    busy: Duration,
}

/// A range that is not done.
#[derive(Debug)]
struct Progress {
    range: Range<usize>,
    /// The first packet that no thread has begun.
    next: usize,
    /// How many are being searched.
    running: usize,
    /// What came of those that are done.
    results: Vec<(usize, PassResult)>,
    found: Option<(usize, Vec<Move>)>,
}

impl Progress {
    /// The end of what is of interest.
    fn end(&self, cut: usize) -> usize {
        let last = self.found.as_ref().map_or(cut, |(packet, _)| cut.min(*packet));
        self.range.end.min(last.saturating_add(1))
    }

    fn is_done(&self, cut: usize) -> bool {
        self.running == 0 && self.next >= self.end(cut)
    }

    fn result(self, cut: usize) -> RangeResult {
        let end = self.end(cut);
        let mut all =
            RangeResult { range: self.range, next_bound: Depth::MAX, ..RangeResult::default() };
        for (_, result) in self.results.into_iter().filter(|(packet, _)| *packet < end) {
            all.expanded += result.expanded;
            all.generated += result.generated;
            all.deepest = all.deepest.max(result.deepest);
            all.next_bound = all.next_bound.min(result.next_bound);
        }
        all.found = self.found.filter(|(packet, _)| *packet < end);
        all
    }
}

impl Portion {
    /// For a rank with so many threads.
    pub(crate) fn new(threads: usize) -> Portion {
        Portion {
            threads: threads as u32,
            bound: 0,
            ranges: VecDeque::new(),
            cut: usize::MAX,
            done: Vec::new(),
            busy: Duration::ZERO,
        }
    }

    /// Begins with another bound: what there was is of no interest.
    pub(crate) fn begin_bound(&mut self, bound: Depth) {
        *self = Portion { bound, ..Portion::new(self.threads as usize) };
    }

    /// Takes more packets to be searched under a bound; whether that is a new bound.
    pub(crate) fn add(&mut self, bound: Depth, ranges: Vec<Range<usize>>) -> bool {
        let is_new = bound != self.bound;
        if is_new {
            self.begin_bound(bound);
        }
        for range in ranges {
            // One that was given to another rank and comes back may have been begun here.
            if self.ranges.iter().any(|has| has.range == range) {
                continue;
            }
            let (next, results) = (range.start, Vec::new());
            self.ranges.push_back(Progress { range, next, running: 0, results, found: None });
        }
        is_new
    }

    /// Other ranks have some ranges now, which are left to them unless they are begun, and are done
    /// with others.
    pub(crate) fn relieve(&mut self, bound: Depth, given: &[Range<usize>], done: &[Range<usize>]) {
        if bound == self.bound {
            let is_begun = |of: &Progress| of.next > of.range.start;
            self.ranges.retain(|of| {
                !done.contains(&of.range) && (is_begun(of) || !given.contains(&of.range))
            });
        }
    }

    /// What comes after a packet is of no interest under this bound.
    pub(crate) fn cut(&mut self, bound: Depth, packet: usize) {
        if bound == self.bound {
            self.cut = self.cut.min(packet);
            self.sort_out();
        }
    }

    /// The bound that is being tried.
    pub(crate) fn bound(&self) -> Depth {
        self.bound
    }

    /// Moves ranges that are done to what is to be reported.
    fn sort_out(&mut self) {
        let cut = self.last();
        let mut at = 0;
        while at < self.ranges.len() {
            if self.ranges[at].is_done(cut)
                && let Some(range) = self.ranges.remove(at)
            {
                self.done.push(range.result(cut));
            } else {
                at += 1;
            }
        }
    }

    /// What is to be reported, and how long that took.
    pub(crate) fn report(&mut self) -> (Vec<RangeResult>, Duration) {
        (std::mem::take(&mut self.done), std::mem::take(&mut self.busy))
    }

    fn has_begun_all(&self) -> bool {
        let cut = self.last();
        self.ranges.iter().all(|of| of.next >= of.end(cut))
    }

    /// The last packet of interest.
    fn last(&self) -> usize {
        let found = self.ranges.iter().filter_map(|range| range.found.as_ref());
        let done = self.done.iter().filter_map(|range| range.found.as_ref());
        found.chain(done).map(|(packet, _)| *packet).min().unwrap_or(usize::MAX).min(self.cut)
    }
}

impl Work for Portion {
    fn begin(&mut self) -> Option<(usize, Depth)> {
        let cut = self.last();
        let range = self.ranges.iter_mut().find(|range| range.next < range.end(cut))?;
        range.next += 1;
        range.running += 1;
        Some((range.next - 1, self.bound))
    }

    fn finish(&mut self, packet: usize, bound: Depth, result: PassResult, took: Duration) {
        let is_in = |range: &&mut Progress| range.range.contains(&packet);
        let Some(of) = self.ranges.iter_mut().find(is_in).filter(|_| bound == self.bound) else {
            return;
        };
        of.running -= 1;
        self.busy += took;
        if let Ok(Some(moves)) = &result.end
            && of.found.as_ref().is_none_or(|(first, _)| packet < *first)
        {
            of.found = Some((packet, moves.clone()));
        }
        of.results.push((packet, result));
        self.sort_out();
    }

    /// That something is to be reported, and should be soon.
    fn has_news(&self) -> bool {
        let has_solution = || self.done.iter().any(|done| done.found.is_some());
        let is_enough = || self.busy >= REPORT_AFTER * self.threads;
        !self.done.is_empty() && (is_enough() || self.has_begun_all() || has_solution())
    }

    fn is_wanted(&self, packet: usize, bound: Depth) -> bool {
        let is_here = || self.ranges.iter().any(|of| of.range.contains(&packet));
        bound == self.bound && packet <= self.last() && is_here()
    }
}
