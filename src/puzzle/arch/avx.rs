//! 16-byte shuffles with minimum and blend (SSE4.1), by instructions that leave their operands as they
//! are (AVX): canonical forms of boards of up to 16 cells that are carried together with their
//! inverses.

use super::{BoardPair, PairStep, PairTables};
use std::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_add_epi16, _mm_add_epi32, _mm_and_si128, _mm_blendv_epi8,
    _mm_cmpeq_epi8, _mm_cvtsi128_si32, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_madd_epi16,
    _mm_maddubs_epi16, _mm_min_epu8, _mm_minpos_epu16, _mm_movemask_epi8, _mm_or_si128,
    _mm_packus_epi16, _mm_set1_epi8, _mm_set1_epi16, _mm_setr_epi8, _mm_shuffle_epi8,
    _mm_shuffle_epi32, _mm_srli_epi16, _mm_storeu_si128, _mm_sub_epi8, _mm_sub_epi16,
};

/// Proof that the processor has AVX, and so SSE4.1.
#[derive(Clone, Copy, Debug)]
pub struct Avx(());

impl Avx {
    /// The token, if the processor has the instructions.
    pub fn new() -> Option<Avx> {
        is_x86_feature_detected!("avx").then_some(Avx(()))
    }

    /// A board and its inverse after a move.
    #[inline]
    pub fn moved(self, pair: &BoardPair, step: &PairStep) -> BoardPair {
        // SAFETY: the token exists only where the processor has AVX.
        unsafe { moved(pair, step) }
    }

    /// The form that stands for a board, its inverse and the images of both.
    #[inline]
    pub fn canonical_pair(self, pair: &BoardPair, tables: &PairTables) -> u64 {
        // SAFETY: the token exists only where the processor has AVX.
        unsafe { canonical_pair(pair, tables) }
    }

    /// The forms of the boards after some moves, one after the other; how many there are.
    #[inline]
    pub fn canonical_after(
        self,
        pair: &BoardPair,
        moves: u64,
        steps: &[PairStep],
        tables: &PairTables,
        forms: &mut [u64; 64],
    ) -> usize {
        // SAFETY: the token exists only where the processor has AVX.
        unsafe { canonical_after(pair, moves, steps, tables, forms) }
    }
}

#[inline]
fn load(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the load is unaligned and reads the 16 bytes of the array; SSE2 is part
    // of every x86-64.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
fn store(bytes: __m128i) -> [u8; 16] {
    let mut array = [0; 16];
    // SAFETY: the store is unaligned and writes the 16 bytes of the array; SSE2 is part
    // of every x86-64.
    unsafe { _mm_storeu_si128(array.as_mut_ptr().cast(), bytes) };
    array
}

/// One nibble for each byte: pairs become `low + 16 * high`, then the pairs are packed.
#[inline]
#[target_feature(enable = "avx")]
fn gather(bytes: __m128i) -> u64 {
    let pairs = _mm_maddubs_epi16(bytes, _mm_set1_epi16(0x1001));
    _mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs)).cast_unsigned()
}

#[target_feature(enable = "avx")]
fn moved(pair: &BoardPair, step: &PairStep) -> BoardPair {
    BoardPair {
        board: store(_mm_shuffle_epi8(load(&pair.board), load(&step.sources))),
        inverse: store(_mm_shuffle_epi8(load(&step.targets), load(&pair.inverse))),
    }
}

/// How far each label is from the cell it is in, modulo 4 in rows and in columns.
#[inline]
#[target_feature(enable = "avx")]
fn displacements(labels: __m128i) -> __m128i {
    let cells = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let (rows, cols) = (_mm_set1_epi8(12), _mm_set1_epi8(3));
    // Of the whole difference, the lowest two bits are those of the columns.
    let right = _mm_sub_epi8(labels, cells);
    let down = _mm_sub_epi8(_mm_and_si128(labels, rows), _mm_and_si128(cells, rows));
    _mm_or_si128(_mm_and_si128(down, rows), _mm_and_si128(right, cols))
}

/// What `values` has for each cell and the label in it.
#[inline]
fn for_each_pair(values: &[u8; 256], labels: &[u8; 16]) -> __m128i {
    let value = |cell: usize| values[cell * 16 + usize::from(labels[cell] & 15)];
    load(&std::array::from_fn(value))
}

/// The class of each cell.
#[inline]
#[target_feature(enable = "avx")]
fn classes<const PLAIN: bool>(labels: __m128i, tables: &PairTables) -> __m128i {
    if PLAIN {
        _mm_shuffle_epi8(load(&tables.by_displacement), displacements(labels))
    } else {
        for_each_pair(&tables.class, &store(labels))
    }
}

/// Below zero for the inverse of each board for which it is above, and the same for all images.
#[inline]
#[target_feature(enable = "avx")]
fn side<const PLAIN: bool>(labels: __m128i, classes: __m128i, tables: &PairTables) -> i32 {
    let weights = &tables.weights;
    let (first, second, single) = if PLAIN || tables.few {
        let of_class = |by_class: &[u8; 16]| _mm_shuffle_epi8(load(by_class), classes);
        let few = &weights.by_class;
        (of_class(&few.first), of_class(&few.second), of_class(&few.single))
    } else {
        let of_pair = |by_pair: &[u8; 256]| for_each_pair(by_pair, &store(labels));
        let many = &weights.by_pair;
        (of_pair(&many.first), of_pair(&many.second), of_pair(&many.single))
    };
    let first_next = _mm_shuffle_epi8(first, labels);
    let second_next = _mm_shuffle_epi8(second, labels);
    let chained =
        _mm_sub_epi16(_mm_maddubs_epi16(first, second_next), _mm_maddubs_epi16(first_next, second));
    let sums = if PLAIN {
        chained
    } else {
        _mm_add_epi16(chained, _mm_maddubs_epi16(_mm_set1_epi8(1), single))
    };
    let quarters = _mm_madd_epi16(sums, _mm_set1_epi16(1));
    let halves = _mm_add_epi32(quarters, _mm_shuffle_epi32::<0x4e>(quarters));
    _mm_cvtsi128_si32(_mm_add_epi32(halves, _mm_shuffle_epi32::<0xb1>(halves)))
}

/// The smallest of the candidate images.
#[inline]
#[target_feature(enable = "avx")]
fn least_image<const PLAIN: bool>(labels: __m128i, classes: __m128i, tables: &PairTables) -> u64 {
    let ranks = if PLAIN || tables.few {
        let second = _mm_shuffle_epi8(classes, labels);
        let third = _mm_shuffle_epi8(second, labels);
        let [high, middle, low] = &tables.digits;
        let high = _mm_shuffle_epi8(load(high), classes);
        let middle = _mm_shuffle_epi8(load(middle), second);
        _mm_add_epi8(_mm_add_epi8(high, middle), _mm_shuffle_epi8(load(low), third))
    } else {
        classes
    };
    let in_words =
        _mm_and_si128(_mm_min_epu8(ranks, _mm_srli_epi16::<8>(ranks)), _mm_set1_epi16(0xff));
    let least = _mm_cvtsi128_si32(_mm_minpos_epu16(in_words)) as i8;
    let mut cells = _mm_movemask_epi8(_mm_cmpeq_epi8(ranks, _mm_set1_epi8(least))).cast_unsigned();
    let bytes = store(labels);
    let mut best = u64::MAX;
    while cells != 0 {
        let cell = cells.trailing_zeros() as usize;
        cells &= cells - 1;
        let pair = cell * 16 + usize::from(bytes[cell & 15] & 15);
        let start = usize::from(tables.start[pair & 255]);
        let count = usize::from(tables.count[pair & 255]);
        let candidates = &tables.candidates[start..start + count];
        let image = |candidate: u8| {
            let (sources, relabel) = &tables.images[usize::from(candidate) % PairTables::IMAGES];
            gather(_mm_shuffle_epi8(load(relabel), _mm_shuffle_epi8(labels, load(sources))))
        };
        if PLAIN {
            for two in candidates.chunks_exact(2) {
                best = best.min(image(two[0]).min(image(two[1])));
            }
        } else {
            best = candidates.iter().fold(best, |best, &candidate| best.min(image(candidate)));
        }
    }
    best
}

#[inline]
#[target_feature(enable = "avx")]
fn canonical<const PLAIN: bool>(board: __m128i, inverse: __m128i, tables: &PairTables) -> u64 {
    let of_board = classes::<PLAIN>(board, tables);
    let side = side::<PLAIN>(board, of_board, tables);
    if side == 0 {
        return of_either_side(board, inverse, tables);
    }
    let take_inverse = _mm_set1_epi8((side >> 31) as i8);
    let chosen = _mm_blendv_epi8(board, inverse, take_inverse);
    let of_chosen = if PLAIN || tables.symmetric_classes {
        // A tile's cell and goal have the same class the other way round.
        let of_inverse = _mm_shuffle_epi8(of_board, inverse);
        _mm_blendv_epi8(of_board, of_inverse, take_inverse)
    } else {
        classes::<PLAIN>(chosen, tables)
    };
    least_image::<PLAIN>(chosen, of_chosen, tables) & tables.grid
}

/// The form of boards that are images of their own inverses, and few others.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx")]
fn of_either_side(board: __m128i, inverse: __m128i, tables: &PairTables) -> u64 {
    let least = |labels| {
        let classes = for_each_pair(&tables.class, &store(labels));
        least_image::<false>(labels, classes, tables)
    };
    least(board).min(least(inverse)) & tables.grid
}

#[target_feature(enable = "avx")]
fn canonical_pair(pair: &BoardPair, tables: &PairTables) -> u64 {
    let (board, inverse) = (load(&pair.board), load(&pair.inverse));
    if tables.is_plain {
        canonical::<true>(board, inverse, tables)
    } else {
        canonical::<false>(board, inverse, tables)
    }
}

#[target_feature(enable = "avx")]
fn canonical_after(
    pair: &BoardPair,
    moves: u64,
    steps: &[PairStep],
    tables: &PairTables,
    forms: &mut [u64; 64],
) -> usize {
    if tables.is_plain {
        canonical_after_in::<true>(pair, moves, steps, tables, forms)
    } else {
        canonical_after_in::<false>(pair, moves, steps, tables, forms)
    }
}

#[inline]
#[target_feature(enable = "avx")]
fn canonical_after_in<const PLAIN: bool>(
    pair: &BoardPair,
    mut moves: u64,
    steps: &[PairStep],
    tables: &PairTables,
    forms: &mut [u64; 64],
) -> usize {
    let (board, inverse) = (load(&pair.board), load(&pair.inverse));
    let mut count = 0;
    while moves != 0 {
        let step = &steps[moves.trailing_zeros() as usize];
        moves &= moves - 1;
        let board = _mm_shuffle_epi8(board, load(&step.sources));
        let inverse = _mm_shuffle_epi8(load(&step.targets), inverse);
        forms[count & 63] = canonical::<PLAIN>(board, inverse, tables);
        count += 1;
    }
    count
}
