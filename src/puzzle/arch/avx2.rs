//! 32-byte shuffles (AVX2, with the bit deposits of BMI2 that came with it).

use std::arch::x86_64::{
    __m256i, _mm256_blendv_epi8, _mm256_cmpgt_epi8, _mm256_extract_epi64, _mm256_loadu_si256,
    _mm256_permute2x128_si256, _mm256_set_epi64x, _mm256_set1_epi8, _mm256_shuffle_epi8, _pdep_u64,
    _pext_u64,
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
}

/// The five low bits of each byte.
const CELLS: u64 = 0x1f1f_1f1f_1f1f_1f1f;

#[inline]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the load is unaligned and reads the 32 bytes of the array; this is only
    // called, inlined, from functions that enable AVX2.
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

#[target_feature(enable = "avx2,bmi2")]
fn shuffle_quints(word: u128, sources: &[u8; 32]) -> u128 {
    let labels = spread(word);
    let sources = load(sources);
    // A shuffle stays within 16 bytes: look into either half, then take the right one.
    let from_low = _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x00>(labels, labels), sources);
    let from_high = _mm256_shuffle_epi8(_mm256_permute2x128_si256::<0x11>(labels, labels), sources);
    let high = _mm256_cmpgt_epi8(sources, _mm256_set1_epi8(15));
    gather(_mm256_blendv_epi8(from_low, from_high, high))
}
