//! The states that a search has met, packed: an open-addressing table of bare keys with a
//! small note for each.
//!
//! The table is cut into segments by the high bits of the hash, so that only a small part is
//! copied at a time. Each grows when it is more than 85 % full: to twice its size while it is
//! small, because then time counts for more than memory, and by a third once it is large, so
//! that it is never less than 64 % full. From about two million keys on, with a note of two
//! bytes, this takes at most 15.7 bytes for each stored `u64` key, and 28.2 for each `u128`
//! key; a path is rebuilt from the notes by undoing moves, without any pointer.

use super::limits::{Limits, Stop};
use crate::puzzle::packed::Packed;
use std::hint::black_box;

/// How many segments there are, as a power of two.
const SEGMENT_BITS: u32 = 4;

/// The capacity of a segment when it gets its first key.
const FIRST_CAPACITY: usize = 64;

/// A segment with fewer slots grows to twice its size.
const SMALL_CAPACITY: usize = 1 << 16;

/// The states met so far, each with a note.
#[derive(Debug)]
pub struct Closed<K, N> {
    segments: Vec<Segment<K, N>>,
    len: usize,
    slots: usize,
    /// The key of a free slot: zero, which packs no arrangement.
    free: K,
}

#[derive(Clone, Debug)]
struct Segment<K, N> {
    keys: Vec<K>,
    notes: Vec<N>,
    len: usize,
}

/// What came of putting a key into the table.
#[derive(Debug)]
pub enum Met<'a, N> {
    /// It was not there; now it is, with the note given.
    New,
    /// It was there; this is its note.
    Before(&'a mut N),
}

impl<K: Packed, N: Copy + Default> Closed<K, N> {
    /// A table without keys.
    pub fn new() -> Closed<K, N> {
        let segment = Segment { keys: Vec::new(), notes: Vec::new(), len: 0 };
        let segments = vec![segment; 1 << SEGMENT_BITS];
        Closed { segments, len: 0, slots: 0, free: K::from_labels(&[]) }
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
        (self.slots * (size_of::<K>() + size_of::<N>())) as u64
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
    ) -> Result<Met<'_, N>, Stop> {
        let hash = key.hash64();
        let index = (hash >> (64 - SEGMENT_BITS)) as usize;
        if self.segments[index].is_full() {
            self.grow(index, limits, held)?;
        }
        let segment = &mut self.segments[index];
        let slot = segment.slot_of(key, hash, self.free);
        if segment.keys[slot] == key {
            return Ok(Met::Before(&mut segment.notes[slot]));
        }
        segment.keys[slot] = key;
        segment.notes[slot] = note;
        segment.len += 1;
        self.len += 1;
        Ok(Met::New)
    }

    /// The note of a key.
    #[inline]
    pub fn get(&self, key: K) -> Option<N> {
        let hash = key.hash64();
        let segment = &self.segments[(hash >> (64 - SEGMENT_BITS)) as usize];
        if segment.keys.is_empty() {
            return None;
        }
        let slot = segment.slot_of(key, hash, self.free);
        (segment.keys[slot] == key).then(|| segment.notes[slot])
    }

    /// The note of a key, to be changed.
    #[inline]
    pub fn get_mut(&mut self, key: K) -> Option<&mut N> {
        let hash = key.hash64();
        let segment = &mut self.segments[(hash >> (64 - SEGMENT_BITS)) as usize];
        if segment.keys.is_empty() {
            return None;
        }
        let slot = segment.slot_of(key, hash, self.free);
        (segment.keys[slot] == key).then(|| &mut segment.notes[slot])
    }

    /// Fetches the memory where a key is or would be. Nothing waits for it: if several keys
    /// are warmed before the first is looked up, their cache misses overlap.
    #[inline]
    pub fn warm(&self, key: K) {
        let hash = key.hash64();
        let segment = &self.segments[(hash >> (64 - SEGMENT_BITS)) as usize];
        let home = segment.home(hash);
        if let (Some(key), Some(note)) = (segment.keys.get(home), segment.notes.get(home)) {
            // Reads are all that safe code can do to fetch memory; they must not be left out.
            black_box((*key, *note));
        }
    }

    #[cold]
    fn grow(&mut self, index: usize, limits: &Limits<'_>, held: u64) -> Result<(), Stop> {
        let old = &self.segments[index];
        let slots = old.keys.len();
        let more = if slots < SMALL_CAPACITY { slots } else { slots / 3 };
        let capacity = (slots + more).max(FIRST_CAPACITY);
        let entry = (size_of::<K>() + size_of::<N>()) as u64;
        limits.check_bytes(held + self.bytes() + capacity as u64 * entry)?;
        let free = self.free;
        let mut grown = Segment::with_capacity(capacity, free).ok_or(Stop::Memory)?;
        for (&key, &note) in old.keys.iter().zip(&old.notes).filter(|(key, _)| **key != free) {
            let slot = grown.slot_of(key, key.hash64(), free);
            grown.keys[slot] = key;
            grown.notes[slot] = note;
        }
        grown.len = old.len;
        self.slots += capacity - slots;
        self.segments[index] = grown;
        Ok(())
    }
}

impl<K: Packed, N: Copy + Default> Default for Closed<K, N> {
    fn default() -> Self {
        Closed::new()
    }
}

impl<K: Packed, N: Copy + Default> Segment<K, N> {
    /// A segment of free slots; `None` if there is no memory for it.
    fn with_capacity(capacity: usize, free: K) -> Option<Segment<K, N>> {
        let mut keys = Vec::new();
        keys.try_reserve_exact(capacity).ok()?;
        keys.resize(capacity, free);
        let mut notes = Vec::new();
        notes.try_reserve_exact(capacity).ok()?;
        notes.resize(capacity, N::default());
        Some(Segment { keys, notes, len: 0 })
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.len * 20 >= self.keys.len() * 17
    }

    /// The slot where the search for a key begins: the bits of its hash below those that chose
    /// the segment, scaled to the capacity.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash << SEGMENT_BITS) * self.keys.len() as u128) >> 64) as usize
    }

    /// The slot that holds `key`, or the free one where it would be put.
    #[inline]
    fn slot_of(&self, key: K, hash: u64, free: K) -> usize {
        let capacity = self.keys.len();
        let mut slot = self.home(hash);
        while self.keys[slot] != key && self.keys[slot] != free {
            slot += 1;
            if slot == capacity {
                slot = 0;
            }
        }
        slot
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
                (Met::Before(note), Some(known)) => assert_eq!(note, known),
                (met, known) => panic!("{met:?} against {known:?}"),
            }
            plain.entry(word).or_insert(i as u16);
        }
        assert_eq!(closed.len(), plain.len());
        assert!(plain.iter().all(|(&word, &note)| closed.get(Nibbles(word)) == Some(note)));
        assert_eq!(closed.get(Nibbles(1)), None);
        assert!(closed.bytes() <= 24 * closed.len() as u64, "{} bytes", closed.bytes());
    }

    #[test]
    fn a_large_table_takes_less_than_16_bytes_a_key() {
        let mut closed: Closed<Nibbles, u16> = Closed::new();
        for i in 1..3_000_000u64 {
            closed.insert(Nibbles(i.wrapping_mul(MIX)), 0, &Limits::default(), 0).unwrap();
            assert!(i < 2_000_000 || closed.bytes() <= 16 * i, "{} bytes", closed.bytes());
        }
    }

    #[test]
    fn does_not_grow_beyond_its_limit() {
        let mut closed: Closed<Nibbles, u8> = Closed::new();
        let limits = Limits { bytes: Some(50_000), ..Limits::default() };
        let stop = (1..).find_map(|i: u64| {
            closed.insert(Nibbles(i.wrapping_mul(MIX)), 0, &limits, 1_000).err()
        });
        assert_eq!(stop, Some(Stop::Memory));
        assert!(closed.bytes() <= 49_000 && closed.len() > 1_000);
    }
}
