//! Work that is divided among the threads of the pool, by code that is compiled once.
//!
//! A parallel iterator is compiled anew for each closure and each engine, some thousands of lines
//! at a time. Here the pool calls an object once for each piece of the work, and only what is done
//! within a piece is compiled for its types.

use crate::sync::{into_inner, lock};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What `work` makes of each piece of `0..count`, in order; no piece is longer than `longest`.
pub(crate) fn map_pieces<T: Send>(
    count: usize,
    longest: usize,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let pieces = count.div_ceil(longest);
    let results: Vec<Mutex<Option<T>>> = (0..pieces).map(|_| Mutex::new(None)).collect();
    for_each(pieces, &|piece| {
        *lock(&results[piece]) = Some(work(range_of(piece, count, longest)));
    });
    results.into_iter().map(|result| into_inner(result).expect("each piece was done")).collect()
}

/// The first thing that `find` finds in the pieces of `0..count`: whatever there is in later
/// pieces, and whichever thread is the quickest.
pub(crate) fn find_first<T: Send>(
    count: usize,
    longest: usize,
    find: impl Fn(Range<usize>) -> Option<T> + Sync,
) -> Option<T> {
    let pieces = count.div_ceil(longest);
    let least = AtomicUsize::new(pieces);
    let first: Mutex<Option<T>> = Mutex::new(None);
    for_each(pieces, &|piece| {
        if piece > least.load(Ordering::Relaxed) {
            return;
        }
        if let Some(found) = find(range_of(piece, count, longest)) {
            let mut first = lock(&first);
            if piece < least.load(Ordering::Relaxed) {
                least.store(piece, Ordering::Relaxed);
                *first = Some(found);
            }
        }
    });
    into_inner(first)
}

fn range_of(piece: usize, count: usize, longest: usize) -> Range<usize> {
    piece * longest..count.min((piece + 1) * longest)
}

/// Calls `work` with each number below `count`.
fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().with_max_len(1).for_each(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_everything_in_order() {
        for (count, longest) in [(0, 5), (1, 5), (5, 5), (6, 5), (1000, 7)] {
            let pieces = map_pieces(count, longest, Range::collect::<Vec<_>>);
            assert!(pieces.iter().all(|piece| (1..=longest).contains(&piece.len())));
            assert_eq!(pieces.concat(), (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_thing_is_found_whatever_comes_later() {
        let find = |divisor: usize| {
            find_first(10_000, 16, |mut range| range.find(|n| n % divisor == divisor - 1))
        };
        assert_eq!([7, 100, 9999].map(find), [Some(6), Some(99), Some(9998)]);
        assert_eq!(find(20_000), None);
    }
}
