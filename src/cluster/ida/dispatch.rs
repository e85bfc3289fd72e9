//! Who searches which packets: what rank 0 knows and decides in one search. It has no clock and
//! sends nothing itself, so that it can be tested with messages that are delayed in any way.
//!
//! Rank 0's own threads take packets one by one, others ranges of them, some milliseconds of work
//! ahead of need, so that nobody waits for a message. When none are left, who has nothing to do
//! takes over what another rank has ahead, without asking: if that rank has begun it meanwhile, both
//! search it, and come to the same result. An iteration ends when all packets are done, or all up to
//! the first one that has a solution. So what is counted does not depend on who was quicker.

use super::messages::{Key, Order, RangeResult};
use super::portion::Portion;
use super::threads::Work;
use crate::cluster::pace::Pace;
use crate::puzzle::{Depth, Move};
use crate::search::StopReason;
use crate::search::ida::PassResult;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

/// How much work a rank has ahead.
const AHEAD: Duration = Duration::from_millis(3);

/// How much it has ahead at least, so that it need not wait for messages.
const LEAST_AHEAD: Duration = Duration::from_millis(1);

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
    /// The packets of rank 0's own threads.
    own: Portion,
    bound: Depth,
    /// The first packet that nobody has.
    next: usize,
    /// What ranks have, by the first packet.
    open: BTreeMap<usize, Open>,
    /// Ranks that may need more.
    to_feed: BTreeSet<usize>,
    /// Ranks of which others have taken something over.
    relieved: BTreeMap<usize, Relief>,
    results: Vec<RangeResult>,
    /// The first packet known to have a solution.
    winner: Option<(usize, Vec<Move>)>,
    /// The packet that others were told is the last of interest.
    told: Option<usize>,
    /// Why the iteration cannot be finished.
    stop: Option<StopReason>,
}

/// A range that is not done, and the rank that has it.
#[derive(Debug)]
struct Open {
    end: usize,
    rank: usize,
}

/// What a rank is to leave to others, and what they are done with.
#[derive(Debug, Default)]
struct Relief {
    given: Vec<Range<usize>>,
    done: Vec<Range<usize>>,
}

#[derive(Debug)]
struct Rank {
    threads: usize,
    /// Whether it takes part. Rank 0 does, but has packets one by one.
    joined: bool,
    pace: Pace,
    /// What it has, in the order in which it begins it.
    open: Vec<Range<usize>>,
    /// How many packets that is.
    packets: usize,
    /// The nodes that it has expanded in this iteration, as far as it has told.
    expanded: u64,
}

impl Rank {
    fn open(&mut self, range: Range<usize>) {
        self.packets += range.len();
        self.open.push(range);
    }

    fn close(&mut self, range: &Range<usize>) {
        if let Some(at) = self.open.iter().position(|open| open == range) {
            self.open.remove(at);
            self.packets -= range.len();
        }
    }

    /// How many packets it has for each thread besides those that are being searched, negative if
    /// threads have nothing to do.
    fn surplus(&self) -> f64 {
        (self.packets as f64 - self.threads as f64) / self.threads as f64
    }
}

impl Dispatch {
    /// A search of so many packets, by ranks with so many threads each.
    pub(crate) fn new(key: Key, packets: usize, threads: &[usize]) -> Dispatch {
        let rank = |(rank, &threads): (usize, &usize)| Rank {
            threads: threads.max(1),
            joined: rank == 0,
            pace: Pace::new(FIRST_GUESS),
            open: Vec::new(),
            packets: 0,
            expanded: 0,
        };
        Dispatch {
            key,
            packets,
            ranks: threads.iter().enumerate().map(rank).collect(),
            own: Portion::new(threads[0]),
            bound: 0,
            next: packets,
            open: BTreeMap::new(),
            to_feed: BTreeSet::new(),
            relieved: BTreeMap::new(),
            results: Vec::new(),
            winner: None,
            told: None,
            stop: None,
        }
    }

    /// From now on, a rank takes part.
    pub(crate) fn join(&mut self, rank: usize) {
        self.ranks[rank].joined = true;
        self.to_feed.insert(rank);
    }

    /// The ranks that take part, without this one.
    pub(crate) fn joined(&self) -> impl Iterator<Item = usize> {
        let others = self.ranks.iter().enumerate().skip(1);
        others.filter(|(_, rank)| rank.joined).map(|(number, _)| number)
    }

    /// Begins an iteration. The last one has to be complete.
    pub(crate) fn begin_iteration(&mut self, bound: Depth) {
        (self.bound, self.next) = (bound, 0);
        self.own.begin_bound(bound);
        self.open.clear();
        self.to_feed = self.joined().collect();
        self.relieved.clear();
        self.results.clear();
        (self.winner, self.told, self.stop) = (None, None, None);
        for rank in &mut self.ranks {
            rank.open.clear();
            (rank.packets, rank.expanded) = (0, 0);
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
        if rank > 0 {
            self.to_feed.insert(rank);
        }
        for result in results {
            let range = &result.range;
            let is_it = |open: &&Open| open.end == range.end;
            let Some(has) = self.open.get(&range.start).filter(is_it).map(|open| open.rank) else {
                // Another rank was quicker.
                continue;
            };
            self.open.remove(&range.start);
            self.ranks[has].close(range);
            if has == 0 {
                self.own.relieve(bound, &[], std::slice::from_ref(range));
            } else if has != rank {
                self.relieved.entry(has).or_default().done.push(range.clone());
            }
            if let Some((packet, moves)) = &result.found
                && self.winner.as_ref().is_none_or(|(first, _)| packet < first)
            {
                self.winner = Some((*packet, moves.clone()));
                self.own.cut(bound, *packet);
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
        let is_done = || self.open.keys().next().is_none_or(|&first| first >= end);
        self.stop.is_some() || (self.next >= end && is_done())
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
            let beyond: BTreeSet<usize> =
                self.open.range(packet + 1..).map(|(_, open)| open.rank).collect();
            let concerned = beyond.into_iter().filter(|&rank| rank > 0);
            orders.extend(concerned.map(|rank| (rank, Order::Cut { key, bound, packet })));
        }
        let all_threads: usize =
            self.ranks.iter().filter(|rank| rank.joined).map(|rank| rank.threads).sum();
        let mut given = Vec::new();
        for rank in std::mem::take(&mut self.to_feed) {
            let ranges = self.ranges_for(rank, all_threads);
            if !ranges.is_empty() {
                given.push((rank, Order::Packets { key, bound, ranges }));
            }
        }
        // These come first: what a rank is relieved of may come back to it.
        let relieved = std::mem::take(&mut self.relieved).into_iter();
        orders.extend(relieved.map(|(rank, Relief { given, done })| {
            (rank, Order::Relieve { key, bound, given, done })
        }));
        orders.extend(given);
        orders
    }

    /// Takes packets for a rank, as many as it should have besides those that it has: several small
    /// ranges, so that a packet that takes long keeps few others from being reported, or from being
    /// taken over; single packets towards the end.
    fn ranges_for(&mut self, rank: usize, all_threads: usize) -> Vec<Range<usize>> {
        let of = &self.ranks[rank];
        if !of.joined {
            return Vec::new();
        }
        let left = self.end().saturating_sub(self.next) as f64;
        let share = left / (SHARES * all_threads as f64);
        let [least, most] = [LEAST_AHEAD, AHEAD].map(|time| of.pace.within(time).min(MOST_AHEAD));
        let ahead = share.clamp(least, most);
        let wanted = of.threads + ((ahead * of.threads as f64) as usize).max(1);
        let mut missing = wanted.saturating_sub(of.packets);
        let each = (ahead.min(share) / 2.0).max(1.0) as usize;
        let mut ranges = Vec::new();
        while missing > 0
            && let Some(range) = self.give(each.min(missing))
        {
            missing -= range.len();
            self.open_for(rank, range.clone());
            ranges.push(range);
        }
        while self.ranks[rank].surplus() < 1.0
            && let Some(range) = self.take_over(rank)
        {
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

    fn open_for(&mut self, rank: usize, range: Range<usize>) {
        self.open.insert(range.start, Open { end: range.end, rank });
        self.ranks[rank].open(range);
    }

    /// Once all packets are given away: takes over what another rank will begin last, if this one
    /// has less ahead. Should it have begun that after all, both search it, and the first to report
    /// it counts: it is the same.
    fn take_over(&mut self, rank: usize) -> Option<Range<usize>> {
        let end = self.end();
        if self.next < end || self.stop.is_some() {
            return None;
        }
        let surplus = |rank: &usize| self.ranks[*rank].surplus();
        let others = (1..self.ranks.len()).filter(|&other| other != rank);
        let richest = others.max_by(|a, b| surplus(a).total_cmp(&surplus(b)))?;
        let range = self.ranks[richest].open.iter().rfind(|range| range.start < end)?.clone();
        let each = |rank: usize| range.len() as f64 / self.ranks[rank].threads as f64;
        let (left, own) = (surplus(&richest) - each(richest), surplus(&rank));
        if left < 0.0 || (own >= 0.0 && left < own + each(rank)) {
            return None;
        }
        self.ranks[richest].close(&range);
        self.relieved.entry(richest).or_default().given.push(range.clone());
        self.open_for(rank, range.clone());
        Some(range)
    }

    /// What came of the iteration.
    pub(crate) fn result(&mut self) -> PassResult {
        let end = self.end();
        let found = self.winner.take().map(|(_, moves)| moves);
        let mut all = PassResult {
            end: match (found, self.stop) {
                // All shorter lengths are ruled out, whatever has stopped this one.
                (Some(moves), _) => Ok(Some(moves)),
                (None, Some(stop)) => Err(stop),
                (None, None) => Ok(None),
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
        let begun = self.own.begin();
        if begun.is_some() {
            return begun;
        }
        let range = match self.give(1) {
            Some(range) => {
                self.open_for(0, range.clone());
                range
            }
            None => self.take_over(0)?,
        };
        self.own.add(self.bound, vec![range]);
        self.own.begin()
    }

    fn finish(&mut self, packet: usize, bound: Depth, result: PassResult, took: Duration) {
        self.own.finish(packet, bound, result, took);
        let (results, busy) = self.own.report();
        self.take_results(0, self.bound, results, busy, 0);
    }

    fn has_news(&self) -> bool {
        self.is_complete() || self.cut() != self.told || !self.relieved.is_empty()
    }

    fn is_wanted(&self, packet: usize, bound: Depth) -> bool {
        self.stop.is_none() && self.own.is_wanted(packet, bound)
    }
}
