//! The tokens on a processor without these instruction sets: they have no value.

use super::{BoardPair, PairStep, PairTables, Shuffle16, Shuffle32, WrappedGrid};

/// 16-byte shuffles, which are not to be had here.
#[derive(Clone, Copy, Debug)]
pub enum Ssse3 {}

impl Ssse3 {
    /// Always `None`.
    pub fn new() -> Option<Ssse3> {
        None
    }

    /// Cannot be called.
    pub fn shuffle_nibbles(self, _: u64, _: &[u8; 16]) -> u64 {
        match self {}
    }

    /// Cannot be called.
    pub fn canonical_nibbles(self, _: u64, _: &Shuffle16) -> (u64, u32) {
        match self {}
    }

    /// Cannot be called.
    pub fn wrapped_steps_4x4(self, _: u64) -> u32 {
        match self {}
    }
}

/// The same with minimum and blend, which are not to be had here.
#[derive(Clone, Copy, Debug)]
pub enum Avx {}

impl Avx {
    /// Always `None`.
    pub fn new() -> Option<Avx> {
        None
    }

    /// Cannot be called.
    pub fn moved(self, _: &BoardPair, _: &PairStep) -> BoardPair {
        match self {}
    }

    /// Cannot be called.
    pub fn canonical_pair(self, _: &BoardPair, _: &PairTables) -> u64 {
        match self {}
    }

    /// Cannot be called.
    pub fn canonical_after(
        self,
        _: &BoardPair,
        _: u64,
        _: &[PairStep],
        _: &PairTables,
        _: &mut [u64; 64],
    ) -> usize {
        match self {}
    }
}

/// 32-byte shuffles, which are not to be had here.
#[derive(Clone, Copy, Debug)]
pub enum Avx2 {}

impl Avx2 {
    /// Always `None`.
    pub fn new() -> Option<Avx2> {
        None
    }

    /// Cannot be called.
    pub fn shuffle_quints(self, _: u128, _: &[u8; 32]) -> u128 {
        match self {}
    }

    /// Cannot be called.
    pub fn canonical_quints(self, _: u128, _: &Shuffle32) -> (u128, u32) {
        match self {}
    }

    /// Cannot be called.
    pub fn wrapped_steps(self, _: u128, _: &WrappedGrid) -> u32 {
        match self {}
    }
}
