//! 16-byte shuffles (SSSE3), and the bit count that came with them.

use super::Shuffle16;
use std::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_alignr_epi8, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi64_si128,
    _mm_cvtsi128_si64, _mm_loadu_si128, _mm_maddubs_epi16, _mm_min_epu8, _mm_movemask_epi8,
    _mm_or_si128, _mm_packus_epi16, _mm_set1_epi8, _mm_set1_epi16, _mm_setr_epi8, _mm_shuffle_epi8,
    _mm_sub_epi8, _mm_unpacklo_epi8,
};

/// Proof that the processor has SSSE3 and counts bits in one instruction.
#[derive(Clone, Copy, Debug)]
pub struct Ssse3(());

impl Ssse3 {
    /// The token, if the processor has the instructions.
    pub fn new() -> Option<Ssse3> {
        (is_x86_feature_detected!("ssse3") && is_x86_feature_detected!("popcnt"))
            .then_some(Ssse3(()))
    }

    /// Cell `c` of the result holds what is in cell `sources[c]`.
    #[inline]
    pub fn shuffle_nibbles(self, word: u64, sources: &[u8; 16]) -> u64 {
        // SAFETY: the token exists only where the processor has SSSE3.
        unsafe { shuffle_nibbles(word, sources) }
    }

    /// The smallest of the candidate images of `word`, and how many candidates give it.
    #[inline]
    pub fn canonical_nibbles(self, word: u64, tables: &Shuffle16) -> (u64, u32) {
        // SAFETY: the token exists only where the processor has SSSE3.
        unsafe { canonical_nibbles(word, tables) }
    }

    /// How many steps all labels are from their goals on 4x4 cells that wrap around.
    #[inline]
    pub fn wrapped_steps_4x4(self, word: u64) -> u32 {
        // SAFETY: the token exists only where the processor counts bits in one instruction.
        unsafe { wrapped_steps_4x4(word) }
    }
}

#[inline]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the load is unaligned and reads the 16 bytes of the array; SSE2 is part
    // of every x86-64.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// One byte for each nibble, the lowest first.
#[inline]
#[target_feature(enable = "ssse3")]
fn spread(word: u64) -> __m128i {
    const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
    let even = _mm_cvtsi64_si128((word & LOW).cast_signed());
    let odd = _mm_cvtsi64_si128((word >> 4 & LOW).cast_signed());
    _mm_unpacklo_epi8(even, odd)
}

/// One nibble for each byte: pairs become `low + 16 * high`, then the pairs are packed.
#[inline]
#[target_feature(enable = "ssse3")]
fn gather(bytes: __m128i) -> u64 {
    let pairs = _mm_maddubs_epi16(bytes, _mm_set1_epi16(0x1001));
    _mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs)).cast_unsigned()
}

#[target_feature(enable = "ssse3")]
fn shuffle_nibbles(word: u64, sources: &[u8; 16]) -> u64 {
    gather(_mm_shuffle_epi8(spread(word), load(sources)))
}

/// How far each label is from the cell it is in, modulo 4 in rows and in columns.
#[inline]
#[target_feature(enable = "ssse3")]
fn displacements(labels: __m128i) -> __m128i {
    let cells = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let rows = _mm_set1_epi8(12);
    let cols = _mm_set1_epi8(3);
    let down = _mm_sub_epi8(_mm_and_si128(labels, rows), _mm_and_si128(cells, rows));
    let right = _mm_sub_epi8(_mm_and_si128(labels, cols), _mm_and_si128(cells, cols));
    _mm_or_si128(_mm_and_si128(down, rows), _mm_and_si128(right, cols))
}

/// A digit times a factor, by digit.
const fn multiples(factor: u8) -> [u8; 16] {
    let mut table = [0; 16];
    let mut digit = 0;
    while digit < Shuffle16::MOST_CLASSES {
        table[digit] = digit as u8 * factor;
        digit += 1;
    }
    table
}

/// The three classes of each cell as the digits of one number.
#[inline]
#[target_feature(enable = "ssse3")]
fn rank(first: __m128i, second: __m128i, third: __m128i) -> __m128i {
    const BASE: u8 = Shuffle16::MOST_CLASSES as u8;
    const HIGH: [u8; 16] = multiples(BASE * BASE);
    const MIDDLE: [u8; 16] = multiples(BASE);
    let high = _mm_shuffle_epi8(load(&HIGH), first);
    let middle = _mm_shuffle_epi8(load(&MIDDLE), second);
    _mm_add_epi8(_mm_add_epi8(high, middle), third)
}

/// The least of 16 bytes, in each of them.
#[inline]
#[target_feature(enable = "ssse3")]
fn least_byte(bytes: __m128i) -> __m128i {
    let least = _mm_min_epu8(bytes, _mm_alignr_epi8::<8>(bytes, bytes));
    let least = _mm_min_epu8(least, _mm_alignr_epi8::<4>(least, least));
    let least = _mm_min_epu8(least, _mm_alignr_epi8::<2>(least, least));
    _mm_min_epu8(least, _mm_alignr_epi8::<1>(least, least))
}

#[target_feature(enable = "ssse3")]
fn canonical_nibbles(word: u64, tables: &Shuffle16) -> (u64, u32) {
    let labels = spread(word);
    let classes = _mm_shuffle_epi8(load(&tables.class), displacements(labels));
    let second = _mm_shuffle_epi8(classes, labels);
    let third = _mm_shuffle_epi8(second, labels);
    let ranks = rank(classes, second, third);
    let least = least_byte(ranks);
    let mut cells = _mm_movemask_epi8(_mm_cmpeq_epi8(ranks, least)).cast_unsigned();
    let rank = (_mm_cvtsi128_si64(least) & 0xff) as usize;
    let chosen = rank / (Shuffle16::MOST_CLASSES * Shuffle16::MOST_CLASSES);
    let stabilizer = usize::from(tables.stabilizer[chosen]);
    let mut best = u64::MAX;
    let mut ties = 0;
    while cells != 0 {
        let cell = cells.trailing_zeros() as usize;
        cells &= cells - 1;
        let label = (word >> (4 * cell) & 15) as usize;
        let start = usize::from(tables.start[cell * 16 + label]);
        for &symmetry in &tables.candidates[start..start + stabilizer] {
            let (sources, relabel) = &tables.images[usize::from(symmetry)];
            let moved = _mm_shuffle_epi8(labels, load(sources));
            let image = gather(_mm_shuffle_epi8(load(relabel), moved));
            ties = if image == best {
                ties + 1
            } else if image < best {
                1
            } else {
                ties
            };
            best = best.min(image);
        }
    }
    (best, ties)
}

/// The row and the column of a cell are two bits each, so that the whole word is 32 numbers of
/// two bits. A difference modulo 4 is 1 step if it is odd, and 2 steps if it is 2.
///
/// Shuffles of 16 bytes, as for larger grids, take half as long again.
#[target_feature(enable = "popcnt")]
fn wrapped_steps_4x4(word: u64) -> u32 {
    const CELLS: u64 = 0xfedc_ba98_7654_3210;
    const LOW: u64 = 0x5555_5555_5555_5555;
    // Subtraction of two bits: the low one borrows from the high one.
    let borrowed = (!word & CELLS & LOW) << 1;
    let differences = word ^ CELLS ^ borrowed;
    let odd = differences & LOW;
    let two = differences & !LOW & !(odd << 1);
    odd.count_ones() + 2 * two.count_ones()
}
