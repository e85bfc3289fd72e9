//! The hashes of the boards that were met in a layer.

use crate::puzzle::arch::prefetch;

/// A set of hashes: open addressing, at most half full.
#[derive(Default)]
pub(super) struct HashSet64 {
    /// 0 where there is none.
    slots: Vec<u64>,
    len: usize,
}

impl HashSet64 {
    const FIRST_SLOTS: usize = 1 << 10;

    pub(super) fn clear(&mut self) {
        // A set that was much larger than needed takes long to be cleared.
        if self.len * 16 < self.slots.len() {
            self.slots.truncate((self.slots.len() / 4).max(Self::FIRST_SLOTS));
        }
        self.slots.fill(0);
        self.len = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }

    #[inline]
    pub(super) fn prefetch(&self, hash: u64) {
        if let Some(slot) = self.slots.get(hash as usize & self.slots.len().wrapping_sub(1)) {
            prefetch(slot);
        }
    }

    /// Adds a hash; whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        let hash = hash.max(1);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                0 => {
                    self.slots[slot] = hash;
                    self.len += 1;
                    return true;
                }
                found if found == hash => return false,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(Self::FIRST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![0; slots]);
        self.len = 0;
        for hash in old.into_iter().filter(|&hash| hash != 0) {
            self.insert(hash);
        }
    }
}
