//! Hash tables with fixed seeds, so that a run can be repeated exactly.

use crate::limits::{Limits, StopReason};
use ahash::RandomState;
use std::hash::{BuildHasher, Hash};

/// The seeds of every hash in the program: the first digits of π in base 16.
const SEEDS: [u64; 4] =
    [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];

/// Builds hashers with the program's fixed seeds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FixedSeeds;

impl BuildHasher for FixedSeeds {
    type Hasher = <RandomState as BuildHasher>::Hasher;

    #[inline]
    fn build_hasher(&self) -> Self::Hasher {
        let [a, b, c, d] = SEEDS;
        RandomState::with_seeds(a, b, c, d).build_hasher()
    }
}

/// A hash map whose order and speed are the same in each run.
pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, FixedSeeds>;

/// How many bytes a map holds.
pub(crate) fn bytes_of<K, V>(map: &HashMap<K, V>) -> u64 {
    bytes_for::<K, V>(map.capacity())
}

/// What a map with room for so many entries takes: an eighth of it is free, and each has a byte
/// more.
fn bytes_for<K, V>(entries: usize) -> u64 {
    (entries * (size_of::<(K, V)>() + 1) / 7 * 8) as u64
}

/// Makes sure that there is room for one more entry: a full map grows to twice its size, if the
/// limits allow that. `held` is what is held besides.
///
/// # Errors
/// If there is no room.
#[inline]
pub(crate) fn make_room<K: Eq + Hash, V>(
    map: &mut HashMap<K, V>,
    limits: &Limits<'_>,
    held: u64,
) -> Result<(), StopReason> {
    if map.len() < map.capacity() { Ok(()) } else { grow(map, limits, held) }
}

#[cold]
fn grow<K: Eq + Hash, V>(
    map: &mut HashMap<K, V>,
    limits: &Limits<'_>,
    held: u64,
) -> Result<(), StopReason> {
    let more = map.capacity().max(1 << 6);
    // Both sizes are held while one is copied to the other.
    let both = bytes_of(map) + bytes_for::<K, V>(map.capacity() + more);
    limits.check_bytes(held + both)?;
    map.try_reserve(more).map_err(|_| StopReason::Memory)
}
