//! 32-byte shuffles (AVX2, with the bit deposits of BMI2 that came with it).

use super::{Shuffle32, WrappedGrid};
use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_alignr_epi8, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_min_epu8,
    _mm_unpackhi_epi64, _mm256_add_epi8, _mm256_adds_epu8, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_extract_epi64,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_sad_epu8, _mm256_set_epi64x, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_storeu_si256,
    _mm256_sub_epi8, _pdep_u64, _pext_u64,
};

/// Proof that the processor has AVX2 and BMI2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The token, if the processor has the instructions.
    pub fn new() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")).then_some(Avx2(()))
    }

    /// Cell `c` of the result holds what is in cell `sources[c]`, for the 25 cells.
    #[inline]
    pub fn shuffle_quints(self, word: u128, sources: &[u8; 32]) -> u128 {
        // SAFETY: the token exists only where the processor has AVX2 and BMI2.
        unsafe { shuffle_quints(word, sources) }
    }

    /// The smallest of the candidate images of `word`, and how many candidates give it.
    #[inline]
    pub fn canonical_quints(self, word: u128, tables: &Shuffle32) -> (u128, u32) {
        // SAFETY: the token exists only where the processor has AVX2 and BMI2.
        unsafe { canonical_quints(word, tables) }
    }

    /// How many steps all labels are from their goals on a grid that wraps around.
    #[inline]
    pub fn wrapped_steps(self, word: u128, grid: &WrappedGrid) -> u32 {
        // SAFETY: the token exists only where the processor has AVX2 and BMI2.
        unsafe { wrapped_steps(word, grid) }
    }
}

/// The five low bits of each byte.
const CELLS: u64 = 0x1f1f_1f1f_1f1f_1f1f;

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the load is unaligned and reads the 32 bytes of the array.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// One byte for each five bits, the lowest first; 40 bits make 8 cells.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn spread(word: u128) -> __m256i {
    let eight = |first: u32| _pdep_u64((word >> (5 * first)) as u64, CELLS).cast_signed();
    _mm256_set_epi64x(eight(24), eight(16), eight(8), eight(0))
}

/// Five bits for each byte.
#[inline]
#[target_feature(enable = "avx2,bmi2")]
fn gather(bytes: __m256i) -> u128 {
    let eight = |cells: i64| u128::from(_pext_u64(cells.cast_unsigned(), CELLS));
    let last = _mm256_extract_epi64::<3>(bytes) & 0x1f;
    eight(_mm256_extract_epi64::<0>(bytes))
        | eight(_mm256_extract_epi64::<1>(bytes)) << 40
        | eight(_mm256_extract_epi64::<2>(bytes)) << 80
        | eight(last) << 120
}

/// For each byte of `index`, the byte of `table` with that number, below 32.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(table: __m256i, index: __m256i) -> __m256i {
    // A shuffle stays within 16 bytes, and gives 0 where the highest bit of an index is set:
    // look into both halves, with indices that have it set where they mean the other one.
    let in_low = _mm256_adds_epu8(index, _mm256_set1_epi8(0x70));
    let in_high = _mm256_sub_epi8(index, _mm256_set1_epi8(16));
    let from_low = _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x00>(table, table), in_low);
    let from_high = _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x11>(table, table), in_high);
    _mm256_or_si256(from_low, from_high)
}

#[target_feature(enable = "avx2,bmi2")]
fn shuffle_quints(word: u128, sources: &[u8; 32]) -> u128 {
    gather(look_up(spread(word), load(sources)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(bytes: __m256i) -> [u8; 32] {
    let mut array = [0; 32];
    // SAFETY: the store is unaligned and writes the 32 bytes of the array.
    unsafe { _mm256_storeu_si256(array.as_mut_ptr().cast(), bytes) };
    array
}

/// The least of 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn least_byte(bytes: __m256i) -> u8 {
    let least = _mm_min_epu8(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes));
    let least = _mm_min_epu8(least, _mm_alignr_epi8::<8>(least, least));
    let least = _mm_min_epu8(least, _mm_alignr_epi8::<4>(least, least));
    let least = _mm_min_epu8(least, _mm_alignr_epi8::<2>(least, least));
    let least = _mm_min_epu8(least, _mm_alignr_epi8::<1>(least, least));
    (_mm_cvtsi128_si32(least) & 0xff) as u8
}

#[target_feature(enable = "avx2,bmi2")]
fn canonical_quints(word: u128, tables: &Shuffle32) -> (u128, u32) {
    let spread_labels = spread(word);
    let labels = store(spread_labels);
    let class_of = |cell: usize| tables.class[cell][usize::from(labels[cell] & 31)];
    let classes: [u8; 32] = std::array::from_fn(class_of);
    let all_classes = load(&classes);
    let chosen = least_byte(all_classes);
    let here = _mm256_cmpeq_epi8(all_classes, _mm256_set1_epi8(chosen.cast_signed()));
    let mut cells = _mm256_movemask_epi8(here).cast_unsigned();
    if !cells.is_power_of_two() {
        cells = of_least_rank(cells, &labels, &classes);
    }
    let stabilizer = usize::from(tables.stabilizer[usize::from(chosen)]);
    let mut best = u128::MAX;
    let mut ties = 0;
    while cells != 0 {
        let cell = cells.trailing_zeros() as usize;
        cells &= cells - 1;
        let start = usize::from(tables.start[cell][usize::from(labels[cell] & 31)]);
        for &symmetry in &tables.candidates[start..start + stabilizer] {
            let (sources, relabel) = &tables.images[usize::from(symmetry)];
            let moved = look_up(spread_labels, load(sources));
            let image = gather(look_up(load(relabel), moved)) & tables.grid;
            ties = match image.cmp(&best) {
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => ties + 1,
                std::cmp::Ordering::Greater => ties,
            };
            best = best.min(image);
        }
    }
    (best, ties)
}

/// Of these cells, which share their class, those whose second and third classes are least.
#[inline]
fn of_least_rank(cells: u32, labels: &[u8; 32], classes: &[u8; 32]) -> u32 {
    let mut rest = cells;
    let mut least = u16::MAX;
    let mut chosen = 0;
    while rest != 0 {
        let cell = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let second = usize::from(labels[cell] & 31);
        let third = usize::from(labels[second] & 31);
        let rank = u16::from_be_bytes([classes[second], classes[third]]);
        if rank < least {
            (least, chosen) = (rank, 0);
        }
        if rank == least {
            chosen |= 1 << cell;
        }
    }
    chosen
}

/// The same 16 bytes in both halves.
#[inline]
#[target_feature(enable = "avx2")]
fn load_twice(bytes: &[u8; 16]) -> __m256i {
    // SAFETY: the load is unaligned and reads the 16 bytes of the array.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

#[target_feature(enable = "avx2,bmi2")]
fn wrapped_steps(word: u128, grid: &WrappedGrid) -> u32 {
    let row_col = look_up(load(&grid.row_col), spread(word));
    let half = _mm256_set1_epi8(15);
    let row = _mm256_and_si256(_mm256_srli_epi16::<4>(row_col), half);
    let col = _mm256_and_si256(row_col, half);
    let down = _mm256_sub_epi8(row, load(&grid.row));
    let right = _mm256_sub_epi8(col, load(&grid.col));
    let steps = _mm256_add_epi8(
        _mm256_shuffle_epi8(load_twice(&grid.row_steps), down),
        _mm256_shuffle_epi8(load_twice(&grid.col_steps), right),
    );
    let quarters = _mm256_sad_epu8(steps, _mm256_setzero_si256());
    let (low, high) = (_mm256_castsi256_si128(quarters), _mm256_extracti128_si256::<1>(quarters));
    let halves = _mm_add_epi32(low, high);
    let sum = _mm_add_epi32(halves, _mm_unpackhi_epi64(halves, halves));
    _mm_cvtsi128_si32(sum).cast_unsigned()
}
