//! The packets of one rank: what waits, what is being searched, what is done and not yet reported.
//! It has no threads and sends nothing itself.

use super::messages::RangeResult;
use super::threads::Work;
use crate::puzzle::{Depth, Move};
use crate::search::ida::PassResult;
use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

/// The packets that a rank has to search under one bound.
#[derive(Debug)]
pub(crate) struct Portion {
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
    pub(crate) fn new() -> Portion {
        Portion {
            bound: 0,
            ranges: VecDeque::new(),
            cut: usize::MAX,
            done: Vec::new(),
            busy: Duration::ZERO,
        }
    }

    /// Takes more packets to be searched under a bound; whether that is a new bound.
    pub(crate) fn add(&mut self, bound: Depth, ranges: Vec<Range<usize>>) -> bool {
        let is_new = bound != self.bound;
        if is_new {
            *self = Portion { bound, ..Portion::new() };
        }
        self.ranges.extend(ranges.into_iter().map(|range| Progress {
            next: range.start,
            range,
            running: 0,
            results: Vec::new(),
            found: None,
        }));
        is_new
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

    /// Whether there is something to be reported.
    pub(crate) fn has_news(&self) -> bool {
        !self.done.is_empty()
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

    fn finish(&mut self, packet: usize, bound: Depth, result: PassResult, took: Duration) -> bool {
        let is_in = |range: &&mut Progress| range.range.contains(&packet);
        let Some(of) = self.ranges.iter_mut().find(is_in).filter(|_| bound == self.bound) else {
            return false;
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
        self.has_news()
    }

    fn last(&self) -> usize {
        let found = self.ranges.iter().filter_map(|range| range.found.as_ref());
        let done = self.done.iter().filter_map(|range| range.found.as_ref());
        found.chain(done).map(|(packet, _)| *packet).min().unwrap_or(usize::MAX).min(self.cut)
    }
}
