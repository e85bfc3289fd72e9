//! Who searches which packets: what rank 0 knows and decides in one search. It has no clock and
//! sends nothing itself, so that it can be tested with messages that are delayed in any way.
//!
//! Rank 0's own threads take packets one by one, others ranges of them, some milliseconds of work
//! ahead of need, so that nobody waits for a message; when few are left, nobody has any ahead. An
//! iteration ends when all packets are done, or all up to the first one that has a solution. So
//! what is counted does not depend on who was quicker.

use super::messages::{Key, Order, RangeResult};
use super::threads::Work;
use crate::cluster::pace::Pace;
use crate::puzzle::{Depth, Move};
use crate::search::StopReason;
use crate::search::ida::PassResult;
use std::ops::Range;
use std::time::Duration;

/// How much work a rank has ahead.
const AHEAD: Duration = Duration::from_millis(3);

/// What a packet is taken to need before the first one is done.
const FIRST_GUESS: Duration = Duration::from_millis(1);

/// The most packets that a thread has ahead.
const MOST_AHEAD: f64 = 64.0;

/// Of the packets that are left, those that a rank has ahead are one part in so many of its share.
const SHARES: f64 = 4.0;

/// The state of one search.
#[derive(Debug)]
pub(crate) struct Dispatch {
    key: Key,
    packets: usize,
    ranks: Vec<Rank>,
    bound: Depth,
    /// The first packet that nobody has.
    next: usize,
    results: Vec<RangeResult>,
    /// The first packet known to have a solution.
    winner: Option<(usize, Vec<Move>)>,
    /// The packet that others were told is the last of interest.
    told: Option<usize>,
    /// Why the iteration cannot be finished.
    stop: Option<StopReason>,
}

#[derive(Debug)]
struct Rank {
    threads: usize,
    /// Whether it takes part. Rank 0 does, but has packets one by one.
    joined: bool,
    pace: Pace,
    /// What it has.
    open: Vec<Range<usize>>,
    /// The nodes that it has expanded in this iteration, as far as it has told.
    expanded: u64,
}

impl Rank {
    fn open_packets(&self) -> usize {
        self.open.iter().map(ExactSizeIterator::len).sum()
    }

    fn close(&mut self, range: &Range<usize>) -> bool {
        let found = self.open.iter().position(|open| open == range);
        found.map(|at| self.open.swap_remove(at)).is_some()
    }
}

impl Dispatch {
    /// A search of so many packets, by ranks with so many threads each.
    pub(crate) fn new(key: Key, packets: usize, threads: &[usize]) -> Dispatch {
        let rank = |(rank, &threads): (usize, &usize)| Rank {
            threads,
            joined: rank == 0,
            pace: Pace::new(FIRST_GUESS),
            open: Vec::new(),
            expanded: 0,
        };
        Dispatch {
            key,
            packets,
            ranks: threads.iter().enumerate().map(rank).collect(),
            bound: 0,
            next: packets,
            results: Vec::new(),
            winner: None,
            told: None,
            stop: None,
        }
    }

    /// From now on, a rank takes part.
    pub(crate) fn join(&mut self, rank: usize) {
        self.ranks[rank].joined = true;
    }

    /// The ranks that take part, without this one.
    pub(crate) fn joined(&self) -> impl Iterator<Item = usize> {
        let others = self.ranks.iter().enumerate().skip(1);
        others.filter(|(_, rank)| rank.joined).map(|(number, _)| number)
    }

    /// Begins an iteration. The last one has to be complete.
    pub(crate) fn begin_iteration(&mut self, bound: Depth) {
        (self.bound, self.next) = (bound, 0);
        self.results.clear();
        (self.winner, self.told, self.stop) = (None, None, None);
        for rank in &mut self.ranks {
            rank.open.clear();
            rank.expanded = 0;
        }
    }

    /// Takes in what a rank has found out under some bound.
    pub(crate) fn take_results(
        &mut self,
        rank: usize,
        bound: Depth,
        results: Vec<RangeResult>,
        busy: Duration,
        expanded: u64,
    ) {
        // Of an iteration that is over.
        if bound != self.bound {
            return;
        }
        let of = &mut self.ranks[rank];
        of.expanded = of.expanded.max(expanded);
        let packets = results.iter().map(|result| result.range.len()).sum();
        of.pace.add(packets, busy);
        for result in results {
            if !of.close(&result.range) {
                continue;
            }
            if let Some((packet, moves)) = &result.found
                && self.winner.as_ref().is_none_or(|(first, _)| packet < first)
            {
                self.winner = Some((*packet, moves.clone()));
            }
            self.results.push(result);
        }
    }

    /// Ends the iteration without a result.
    pub(crate) fn halt(&mut self, stop: StopReason) {
        self.stop.get_or_insert(stop);
    }

    /// The last packet of interest, if that is not the last of all.
    pub(crate) fn cut(&self) -> Option<usize> {
        self.winner.as_ref().map(|(packet, _)| *packet)
    }

    /// How many nodes other ranks have expanded in this iteration, as far as they have told.
    pub(crate) fn expanded_elsewhere(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.expanded).sum()
    }

    /// Whether everything of interest is done.
    pub(crate) fn is_complete(&self) -> bool {
        let end = self.end();
        let is_open = |rank: &Rank| rank.open.iter().any(|range| range.start < end);
        self.stop.is_some() || (self.next >= end && !self.ranks.iter().any(is_open))
    }

    /// The number of packets of interest.
    fn end(&self) -> usize {
        self.cut().map_or(self.packets, |packet| packet + 1)
    }

    /// What other ranks are to do next.
    pub(crate) fn orders(&mut self) -> Vec<(usize, Order)> {
        if self.stop.is_some() {
            return Vec::new();
        }
        let (key, bound) = (self.key, self.bound);
        let mut orders = Vec::new();
        if let Some(packet) = self.cut().filter(|&cut| self.told != Some(cut)) {
            self.told = Some(packet);
            let others = self.ranks.iter().enumerate().skip(1);
            let concerned = others.filter(|(_, of)| of.open.iter().any(|open| open.end > packet));
            orders.extend(concerned.map(|(rank, _)| (rank, Order::Cut { key, bound, packet })));
        }
        let all_threads: usize =
            self.ranks.iter().filter(|rank| rank.joined).map(|rank| rank.threads).sum();
        for rank in 1..self.ranks.len() {
            let ranges = self.ranges_for(rank, all_threads);
            if !ranges.is_empty() {
                orders.push((rank, Order::Packets { key, bound, ranges }));
            }
        }
        orders
    }

    /// Takes packets for a rank, as many as it should have besides those that it has: several small
    /// ranges, so that a packet that takes long keeps few others from being reported.
    fn ranges_for(&mut self, rank: usize, all_threads: usize) -> Vec<Range<usize>> {
        let of = &self.ranks[rank];
        if !of.joined {
            return Vec::new();
        }
        let left = self.end().saturating_sub(self.next) as f64;
        let share = left / (SHARES * all_threads as f64);
        let ahead = of.pace.within(AHEAD).min(MOST_AHEAD).min(share);
        let wanted = of.threads + (ahead * of.threads as f64) as usize;
        let mut missing = wanted.saturating_sub(of.open_packets());
        let each = (ahead / 2.0).max(1.0) as usize;
        let mut ranges = Vec::new();
        while missing > 0
            && let Some(range) = self.give(each.min(missing))
        {
            missing -= range.len();
            self.ranks[rank].open.push(range.clone());
            ranges.push(range);
        }
        ranges
    }

    /// The next packets that nobody has.
    fn give(&mut self, most: usize) -> Option<Range<usize>> {
        let end = self.end().min(self.next + most);
        if self.next >= end || self.stop.is_some() {
            return None;
        }
        let range = self.next..end;
        self.next = end;
        Some(range)
    }

    /// What came of the iteration.
    pub(crate) fn result(&mut self) -> PassResult {
        let end = self.end();
        let found = self.winner.take().map(|(_, moves)| moves);
        let mut all = PassResult {
            end: match (found, self.stop) {
                (_, Some(stop)) => Err(stop),
                (found, None) => Ok(found),
            },
            ..PassResult::default()
        };
        for result in self.results.drain(..).filter(|result| result.range.start < end) {
            all.expanded += result.expanded;
            all.generated += result.generated;
            all.deepest = all.deepest.max(result.deepest);
            all.next_bound = all.next_bound.min(result.next_bound);
        }
        all
    }
}

/// For this rank's own threads, which take packets one by one.
impl Work for Dispatch {
    fn begin(&mut self) -> Option<(usize, Depth)> {
        let range = self.give(1)?;
        let packet = range.start;
        self.ranks[0].open.push(range);
        Some((packet, self.bound))
    }

    fn finish(&mut self, packet: usize, bound: Depth, result: PassResult, took: Duration) -> bool {
        let PassResult { end, expanded, generated, deepest, next_bound, .. } = result;
        let found = end.ok().flatten().map(|moves| (packet, moves));
        let has_solution = found.is_some();
        let range = packet..packet + 1;
        let result = RangeResult { range, expanded, generated, deepest, next_bound, found };
        self.take_results(0, bound, vec![result], took, 0);
        has_solution || self.is_complete()
    }

    fn last(&self) -> usize {
        self.cut().unwrap_or(usize::MAX)
    }
}
