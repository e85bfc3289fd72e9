//! Which boards of a layer are kept, and in which order.

use super::hash_set::HashSet64;
use super::queues::Queues;
use crate::hash::HashMap;
use crate::heuristic::scorer::{Child, HIGHEST_SCORE};

/// The choice of the boards of one layer.
pub(super) struct Choice {
    /// The most boards that are kept of any layer, and of the one at hand.
    widest: usize,
    width: usize,
    /// Whether a place is filled when the children of its parents are there, and not of all.
    monotonic: bool,
    /// By rank, the children that are waiting for a place.
    queues: Queues,
    /// By rank, how many distinct children were queued in this layer.
    counts: Vec<usize>,
    /// How many there are with ranks up to `top`.
    counted: usize,
    /// The highest rank that may still come into a place.
    top: usize,
    /// Children with higher scores are of no use.
    pub(super) most: u32,
    /// No queue below this one has children.
    lowest: usize,
    seen: HashSet64,
    /// The boards that were in one of the first places of an older layer, and in which.
    closed: HashMap<u64, u32>,
    pub(super) chosen: Vec<Child>,
    pub(super) places: Vec<u32>,
    /// The next place to be filled.
    place: u32,
    /// Empty lists for the children of a piece.
    pub(super) spare: Vec<Vec<Child>>,
}

/// A beam whose width follows the time has at least so many places.
const NARROWEST: usize = 100;

/// The places from which boards never come back.
const CLOSED_PLACES: usize = 300;

/// Of equal scores, some bits of the hash decide, which are as good as drawn at random: the children
/// of one parent are much alike, and should not take all places.
const TIE_BITS: u32 = 3;

/// Ranks from here on are taken for one.
const HIGHEST_RANK: usize = ((HIGHEST_SCORE as usize + 1) << TIE_BITS) - 1;

/// The score and the bits that decide between equals, in one number.
#[inline]
fn rank(child: &Child) -> usize {
    let tie = child.hash >> (64 - TIE_BITS);
    ((u64::from(child.score) << TIE_BITS | tie) as usize).min(HIGHEST_RANK)
}

impl Choice {
    pub(super) fn new(width: usize, monotonic: bool) -> Choice {
        Choice {
            widest: width,
            width,
            monotonic,
            queues: Queues::default(),
            counts: Vec::new(),
            counted: 0,
            top: 0,
            most: u32::MAX,
            lowest: 0,
            seen: HashSet64::default(),
            closed: HashMap::default(),
            chosen: Vec::new(),
            places: Vec::new(),
            place: 0,
            spare: Vec::new(),
        }
    }

    /// The most boards that are kept.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Keeps so many boards from now on, but at least a few.
    pub(super) fn fit(&mut self, width: usize) {
        self.width = width.max(NARROWEST).min(self.widest);
    }

    /// Begins with a new layer.
    pub(super) fn begin(&mut self) {
        self.queues.clear();
        self.counts.fill(0);
        (self.counted, self.top, self.most) = (0, 0, u32::MAX);
        self.lowest = self.queues.ranks();
        self.seen.clear();
        self.chosen.clear();
        self.places.clear();
        self.place = 0;
    }

    /// Takes the children of the next parents; a monotonic beam fills the places up to theirs.
    pub(super) fn take(&mut self, children: &[Child], places: &[u32]) {
        /// How many children later the entries of the set are looked up.
        const PREFETCHED: usize = 12;
        for (number, &child) in children.iter().enumerate() {
            if let Some(ahead) = children.get(number + PREFETCHED) {
                self.seen.prefetch(ahead.hash);
            }
            let place = places[child.parent as usize];
            if self.monotonic {
                self.fill_below(place);
            }
            if child.score <= self.most {
                self.queue(child, place);
            }
        }
    }

    /// Queues a child of the parent in a place, unless its board was met.
    #[inline]
    fn queue(&mut self, child: Child, place: u32) {
        let rank = rank(&child);
        if self.counted >= self.width && rank > self.top {
            return;
        }
        let is_closed = |&at: &u32| at <= place;
        if (place as usize) < CLOSED_PLACES && self.closed.get(&child.hash).is_some_and(is_closed) {
            return;
        }
        if !self.seen.insert(child.hash) {
            return;
        }
        self.queues.push(rank, child);
        if rank >= self.counts.len() {
            self.counts.resize(rank + 1, 0);
        }
        self.lowest = self.lowest.min(rank);
        self.top = self.top.max(rank);
        self.counts[rank] += 1;
        self.counted += 1;
        while self.counted - self.counts[self.top] >= self.width {
            self.counted -= self.counts[self.top];
            self.queues.drop_rank(self.top);
            self.top -= 1;
        }
        if self.counted >= self.width && self.top < HIGHEST_RANK {
            self.most = (self.top >> TIE_BITS) as u32;
        }
    }

    /// Fills the places below this one.
    #[inline]
    fn fill_below(&mut self, place: u32) {
        while self.place < place {
            self.fill_place();
        }
    }

    /// Fills the next place with the best child that is waiting, if there is one.
    fn fill_place(&mut self) -> bool {
        let place = self.place;
        self.place += 1;
        while self.lowest < self.queues.ranks() {
            if let Some(child) = self.queues.pop(self.lowest) {
                self.chosen.push(child);
                self.places.push(place);
                if (place as usize) < CLOSED_PLACES {
                    let at = self.closed.entry(child.hash).or_insert(place);
                    *at = place.min(*at);
                }
                return true;
            }
            self.lowest += 1;
        }
        false
    }

    /// Fills the places that are left when all parents had their turn.
    pub(super) fn fill_the_rest(&mut self) {
        while (self.place as usize) < self.width && self.fill_place() {}
    }

    pub(super) fn bytes(&self) -> usize {
        let chosen = self.chosen.capacity() * size_of::<Child>();
        let spare: usize = self.spare.iter().map(Vec::capacity).sum();
        self.queues.bytes() + chosen + spare * size_of::<Child>() + self.seen.bytes()
    }
}
