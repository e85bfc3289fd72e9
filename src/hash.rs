//! Hash tables with fixed seeds, so that a run can be repeated exactly.

use ahash::RandomState;
use std::hash::BuildHasher;

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
