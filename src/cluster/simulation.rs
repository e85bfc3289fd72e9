//! Simulated jobs for tests: time is a number, and messages take as long as a seed says, in order
//! between each pair of ranks and in no order otherwise. The same seed gives the same job.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// What happens at some time.
#[derive(Debug)]
pub(super) enum Event<E> {
    /// A message arrives.
    Arrival { from: usize, to: usize, bytes: Vec<u8> },
    /// Something that a rank has planned.
    Planned(E),
}

/// A network, and the clock of all its ranks, in microseconds.
#[derive(Debug)]
pub(super) struct Network<E> {
    now: u64,
    planned: u64,
    events: BTreeMap<(u64, u64), Event<E>>,
    /// When the last message between two ranks arrives.
    last: HashMap<(usize, usize), u64>,
    random: ChaCha8Rng,
    /// The longest that messages usually take.
    delay: u64,
}

impl<E> Network<E> {
    pub(super) fn new(seed: u64) -> Network<E> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let delay = [1, 100, 1_000, 20_000][random.next_u64() as usize % 4];
        let (events, last) = (BTreeMap::new(), HashMap::new());
        Network { now: 0, planned: 0, events, last, random, delay }
    }

    /// Has messages take no longer than this, usually.
    pub(super) fn set_delay(&mut self, microseconds: u64) {
        self.delay = microseconds;
    }

    pub(super) fn now(&self) -> Duration {
        Duration::from_micros(self.now)
    }

    /// A number below another one.
    pub(super) fn below(&mut self, most: u64) -> u64 {
        self.random.next_u64() % most
    }

    /// Plans something for later.
    pub(super) fn plan(&mut self, at: Duration, event: E) {
        self.put(at.as_micros() as u64, Event::Planned(event));
    }

    pub(super) fn send(&mut self, from: usize, to: usize, bytes: Vec<u8>) {
        // Now and then, one takes much longer.
        let most = if self.below(20) == 0 { 50 * self.delay } else { self.delay };
        let arrival = self.now + 1 + self.below(most);
        let last = self.last.entry((from, to)).or_default();
        *last = arrival.max(*last + 1);
        let at = *last;
        self.put(at, Event::Arrival { from, to, bytes });
    }

    fn put(&mut self, at: u64, event: Event<E>) {
        self.planned += 1;
        self.events.insert((at.max(self.now), self.planned), event);
    }

    /// The next event, at which time it then is.
    pub(super) fn next(&mut self) -> Option<Event<E>> {
        let ((at, _), event) = self.events.pop_first()?;
        self.now = at;
        Some(event)
    }
}
