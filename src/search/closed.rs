//! The states that a search has met, packed: an open-addressing table of bare keys with a
//! small note for each.
//!
//! Key and note stand side by side without padding, so that a look-up touches one cache line,
//! seldom two.
//!
//! The table is cut into segments by the high bits of the hash, so that only a small part is
//! moved at a time. While a segment is small, time counts for more than memory: it grows to four
//! times its size when it is 60 % full. A large one grows by three fifths when it is 85 % full, and
//! each at another time, so that all together are always about two thirds full. From about a
//! million keys on, with a note of two bytes, this takes at most 15.6 bytes for each stored `u64`
//! key, and 28.1 for each `u128` key; a path is rebuilt from the notes by undoing moves, without
//! any pointer.

use super::{Limits, StopReason};
use crate::puzzle::arch::prefetch;
use crate::puzzle::packed::Packed;
use crate::table::storage::ZeroedBuffer;
use bytemuck::{Pod, Zeroable};
use std::cmp::Ordering::{Equal, Greater, Less};
use std::hint::black_box;

/// How many segments there are, as a power of two.
const SEGMENT_BITS: u32 = 4;

/// The capacity of a segment when it gets its first key.
const FIRST_CAPACITY: usize = 64;

/// A segment with no more slots is small.
const SMALL_CAPACITY: usize = 1 << 16;

/// With a memory limit of at least this, what the allocator keeps of segments that have grown does not
/// matter: some tens of megabytes.
const PLENTY: u64 = 1 << 30;

/// How many bytes the system gives at a time, at least.
const PAGE: usize = 4096;

/// How many bytes memory hands over at a time.
const LINE: usize = 64;

/// A segment with more slots may not fit the caches.
const CACHED_CAPACITY: usize = 1 << 18;

/// The states met so far, each with a note.
#[derive(Debug)]
pub struct Closed<K: Packed, N: Pod> {
    segments: Box<[Segment<K, N>; 1 << SEGMENT_BITS]>,
    len: usize,
    slots: usize,
}

#[derive(Debug)]
struct Segment<K: Packed, N: Pod> {
    slots: ZeroedBuffer<Slot<K, N>>,
    len: usize,
    /// How many more keys there may be before it has to grow.
    room: usize,
}

/// A key and its note, with no byte between them or after. The key of a free slot is zero, which
/// packs no arrangement.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, packed)]
struct Slot<K, N> {
    key: K,
    note: N,
}

/// What came of putting a key into the table.
#[derive(Clone, Copy, Debug)]
pub enum Met<N> {
    /// It was not there; now it is, with the note given.
    New,
    /// It was there, with this note.
    Before(Place, N),
}

/// Where a key is, until the next one is put into the table.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    segment: usize,
    slot: usize,
}

impl<K: Packed, N: Pod> Closed<K, N> {
    /// A table without keys.
    pub fn new() -> Closed<K, N> {
        let segment = |_| Segment { slots: ZeroedBuffer::default(), len: 0, room: 0 };
        let segments = Box::new(std::array::from_fn(segment));
        Closed { segments, len: 0, slots: 0 }
    }

    /// How many keys are stored.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no key is stored.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bytes the table takes.
    pub fn bytes(&self) -> u64 {
        (self.slots * size_of::<Slot<K, N>>()) as u64
    }

    /// Puts a key with a note into the table, unless the key is there already. `held` is what
    /// the search holds besides, for the limit on memory.
    ///
    /// # Errors
    /// If the table would have to grow beyond what is allowed, or than there is.
    #[inline]
    pub fn insert(
        &mut self,
        key: K,
        note: N,
        limits: &Limits<'_>,
        held: u64,
    ) -> Result<Met<N>, StopReason> {
        let hash = key.hash64();
        let index = segment_of(hash);
        if self.segments[index].room == 0 {
            self.grow(index, limits, held)?;
        }
        let segment = &mut self.segments[index];
        let slot = segment.slot_of(key, hash);
        let found = segment.slots[slot];
        if { found.key } == key {
            return Ok(Met::Before(Place { segment: index, slot }, found.note));
        }
        segment.slots[slot] = Slot { key, note };
        segment.len += 1;
        segment.room -= 1;
        self.len += 1;
        Ok(Met::New)
    }

    /// Where a key is, and its note.
    #[inline]
    pub fn find(&self, key: K) -> Option<(Place, N)> {
        let hash = key.hash64();
        let index = segment_of(hash);
        let segment = &self.segments[index];
        if segment.slots.is_empty() {
            return None;
        }
        let slot = segment.slot_of(key, hash);
        let found = segment.slots[slot];
        ({ found.key } == key).then_some((Place { segment: index, slot }, found.note))
    }

    /// The note of a key.
    #[inline]
    pub fn get(&self, key: K) -> Option<N> {
        self.find(key).map(|(_, note)| note)
    }

    /// Changes the note of a key that has just been found.
    #[inline]
    pub fn set(&mut self, place: Place, note: N) {
        self.segments[place.segment].slots[place.slot].note = note;
    }

    /// Prefetches the memory where a key is or would be, for a look-up soon after.
    #[inline]
    pub fn warm(&self, key: K) {
        let hash = key.hash64();
        let segment = &self.segments[segment_of(hash)];
        let home = segment.home(hash);
        let prefetch_line = |line: usize| {
            if let Some(slot) = segment.slots.get(home + line * LINE / size_of::<Slot<K, N>>()) {
                prefetch(slot);
            }
        };
        // The search for a key often goes on beyond the line where it begins.
        prefetch_line(0);
        prefetch_line(1);
        // A miss on one line costs more than prefetching ten.
        if segment.slots.len() > CACHED_CAPACITY {
            prefetch_line(2);
            prefetch_line(3);
        }
    }

    #[cold]
    fn grow(&mut self, index: usize, limits: &Limits<'_>, held: u64) -> Result<(), StopReason> {
        let old = &self.segments[index];
        let slots = old.slots.len();
        let more = match slots.cmp(&SMALL_CAPACITY) {
            Less => 3 * slots,
            // By so much that from now on each grows at another time.
            Equal => slots / 5 * 3 * (index + 1) / self.segments.len(),
            Greater => slots / 5 * 3,
        };
        let capacity = (slots + more).max(FIRST_CAPACITY);
        let bytes = (capacity * size_of::<Slot<K, N>>()) as u64;
        limits.check_bytes(held + self.bytes() + bytes)?;
        let is_short = limits.bytes.is_some_and(|most| most < PLENTY);
        let new = if is_short { ZeroedBuffer::new } else { ZeroedBuffer::short_lived };
        self.segments[index].grow(new(capacity).map_err(|_| StopReason::Memory)?);
        self.slots += capacity - slots;
        Ok(())
    }
}

/// The segment of a hash.
#[inline]
fn segment_of(hash: u64) -> usize {
    (hash >> (64 - SEGMENT_BITS)) as usize
}

/// Writes to each page of free slots. One that is read before it is written is given twice: first
/// the one that all share as long as they are zero, then one of its own, which interrupts all threads.
fn touch<K: Packed, N: Pod>(slots: &mut [Slot<K, N>]) {
    for slot in slots.iter_mut().step_by(PAGE / size_of::<Slot<K, N>>()) {
        *slot = black_box(Slot::zeroed());
    }
}

impl<K: Packed, N: Pod> Default for Closed<K, N> {
    fn default() -> Self {
        Closed::new()
    }
}

impl<K: Packed, N: Pod> Segment<K, N> {
    /// Gives it more slots. All keys are copied to fresh memory: only that is in huge pages. Memory
    /// that is made longer is not.
    fn grow(&mut self, slots: ZeroedBuffer<Slot<K, N>>) {
        let capacity = slots.len();
        let old = std::mem::replace(&mut self.slots, slots);
        touch(&mut self.slots);
        for &moved in old.iter().filter(|slot| { slot.key } != K::zeroed()) {
            let slot = self.slot_of(moved.key, { moved.key }.hash64());
            self.slots[slot] = moved;
        }
        let keys_allowed = capacity / 20 * if capacity <= SMALL_CAPACITY { 12 } else { 17 };
        self.room = keys_allowed - self.len;
    }

    /// The slot where the search for a key begins: the bits of its hash below those that chose
    /// the segment, scaled to the capacity.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash << SEGMENT_BITS) * self.slots.len() as u128) >> 64) as usize
    }

    /// The slot that holds `key`, or the free one where it would be put.
    #[inline]
    fn slot_of(&self, key: K, hash: u64) -> usize {
        let mut slot = self.home(hash);
        loop {
            let found = self.slots[slot].key;
            if found == key || found == K::zeroed() {
                return slot;
            }
            slot += 1;
            if slot == self.slots.len() {
                slot = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::packed::Nibbles;
    use std::collections::HashMap;

    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

    #[test]
    fn agrees_with_a_plain_map() {
        let mut closed: Closed<Nibbles, u16> = Closed::new();
        let mut plain: HashMap<u64, u16> = HashMap::new();
        let limits = Limits::default();
        for i in 0..40_000u64 {
            let word = (i * 7919 % 20_011 + 1).wrapping_mul(0x1234_5678_9abc_def1);
            let met = closed.insert(Nibbles(word), i as u16, &limits, 0).unwrap();
            match (met, plain.get(&word)) {
                (Met::New, None) => {}
                (Met::Before(_, note), Some(known)) => assert_eq!(note, *known),
                (met, known) => panic!("{met:?} against {known:?}"),
            }
            plain.entry(word).or_insert(i as u16);
        }
        assert_eq!(closed.len(), plain.len());
        assert!(plain.iter().all(|(&word, &note)| closed.get(Nibbles(word)) == Some(note)));
        assert_eq!(closed.get(Nibbles(1)), None);
        assert!(closed.bytes() <= 67 * closed.len() as u64, "{} bytes", closed.bytes());
    }

    #[test]
    fn a_large_table_takes_less_than_16_bytes_a_key() {
        let mut closed: Closed<Nibbles, u16> = Closed::new();
        for i in 1..3_000_000u64 {
            closed.insert(Nibbles(i.wrapping_mul(MIX)), 0, &Limits::default(), 0).unwrap();
            assert!(i < 1_100_000 || closed.bytes() <= 16 * i, "{} bytes", closed.bytes());
        }
        assert!((1..3_000_000u64).all(|i| closed.get(Nibbles(i.wrapping_mul(MIX))).is_some()));
        assert_eq!(closed.len(), 2_999_999);
    }

    #[test]
    fn does_not_grow_beyond_its_limit() {
        let mut closed: Closed<Nibbles, u8> = Closed::new();
        let limits = Limits { bytes: Some(50_000), ..Limits::default() };
        let stop = (1..).find_map(|i: u64| {
            closed.insert(Nibbles(i.wrapping_mul(MIX)), 0, &limits, 1_000).err()
        });
        assert_eq!(stop, Some(StopReason::Memory));
        assert!(closed.bytes() <= 49_000 && closed.len() > 1_000);
    }
}
