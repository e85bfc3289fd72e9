//! Distances of all placements of a pattern, layer by layer, as bit sets.
//!
//! A row of bits has all orders of one zone. A layer is made row by row from the rows of the
//! zones beside it: a step along a row of the board takes over all orders at once, a step along
//! a column those that are there, one by one, within a row that fits the L1 cache. Each row is
//! written by one thread, so no synchronization is needed.
//!
//! Layers are even and odd by turns, and so are zones: one set of rows holds the last layer and
//! the one before it.

use super::tile_orders::TileOrders;
use super::zones::Zones;
use crate::limits::{Limits, StopReason};
use crate::table::storage::ZeroedBuffer;
use rayon::prelude::*;

/// How many bit sets, with a bit for each placement, are held while a table is built.
pub(super) const SETS: u64 = 3;

/// How many rows are made between two checks of the limits.
const STRIDE: usize = 1 << 8;

/// The second bit of each distance, in rows of this many words: one row a zone, one bit an order.
/// `held` is what is held besides, for the limit on memory.
///
/// # Errors
/// If the limits do not allow it.
pub(super) fn second_bits(
    zones: &Zones,
    orders: &TileOrders,
    goal: u32,
    limits: &Limits<'_>,
    held: u64,
) -> Result<ZeroedBuffer<u64>, StopReason> {
    let words = words_of(orders.count());
    let length = zones.len() * words;
    limits.check_bytes(held + SETS * 8 * length as u64)?;
    let set = || ZeroedBuffer::<u64>::new(length).map_err(|_| StopReason::Memory);
    let (mut layer, mut seen, mut second) = (set()?, set()?, set()?);
    let goal = goal as usize;
    (layer[goal * words], seen[goal * words]) = (1, 1);
    // How many orders of each zone have been reached, and whether any of them is in the layer.
    let mut reached = vec![0_u32; zones.len()];
    let mut is_in_layer = vec![false; zones.len()];
    (reached[goal], is_in_layer[goal]) = (1, true);
    let mut odd = goal >= zones.even();
    for distance in 1_u32.. {
        odd = !odd;
        let even = zones.even();
        let (own, other) = halves(&mut layer, even * words, odd);
        let (own_in_layer, other_in_layer) = halves(&mut is_in_layer, even, odd);
        let first = if odd { even } else { 0 };
        let first_other = if odd { 0 } else { even };
        let rows = own
            .par_chunks_mut(words)
            .zip(halves(&mut seen, even * words, odd).0.par_chunks_mut(words))
            .zip(halves(&mut second, even * words, odd).0.par_chunks_mut(words))
            .zip(halves(&mut reached, even, odd).0)
            .zip(own_in_layer);
        let make = |steps: &mut Vec<_>, (number, row): (usize, _)| {
            let ((((row, seen), second), reached), in_layer): ((((&mut [u64], _), _), _), _) = row;
            let (reached, in_layer): (&mut u32, &mut bool) = (reached, in_layer);
            let (seen, second): (&mut [u64], &mut [u64]) = (seen, second);
            *in_layer = false;
            if number % STRIDE == 0 {
                limits.check_time()?;
            }
            if *reached as usize == orders.count() {
                return Ok(0);
            }
            zones.steps((first + number) as u32, steps);
            steps.retain(|step| other_in_layer[step.zone as usize - first_other]);
            if steps.is_empty() {
                return Ok(0);
            }
            row.fill(0);
            for step in steps {
                let at = (step.zone as usize - first_other) * words;
                // Seen from there, the tile comes here.
                let moved = (step.rank_after != step.rank)
                    .then(|| orders.moved(step.rank_after, step.rank));
                add(row, &other[at..at + words], moved);
            }
            let mut new = 0;
            for ((row, seen), second) in row.iter_mut().zip(seen).zip(second) {
                *row &= !*seen;
                *seen |= *row;
                *second |= if distance & 2 == 2 { *row } else { 0 };
                new += row.count_ones();
            }
            *reached += new;
            *in_layer = new > 0;
            Ok(u64::from(new))
        };
        let new: u64 = rows
            .enumerate()
            .with_min_len(16)
            .map_init(Vec::new, make)
            .try_reduce(|| 0, |some, more| Ok(some + more))?;
        if new == 0 {
            break;
        }
    }
    Ok(second)
}

/// The words of a row of this many orders.
pub(super) fn words_of(orders: usize) -> usize {
    orders.div_ceil(64)
}

/// Those of even zones or odd ones, and the others.
fn halves<T>(all: &mut [T], even: usize, odd: bool) -> (&mut [T], &[T]) {
    let (evens, odds) = all.split_at_mut(even);
    if odd { (odds, evens) } else { (evens, odds) }
}

/// Adds the orders of a row after a step, which may move them.
pub(super) fn add(row: &mut [u64], from: &[u64], moved: Option<&[u16]>) {
    let Some(moved) = moved else {
        row.iter_mut().zip(from).for_each(|(row, from)| *row |= from);
        return;
    };
    for (&word, moved) in from.iter().zip(moved.chunks(64)) {
        let mut left = word;
        while left != 0 {
            let order = usize::from(moved[left.trailing_zeros() as usize]);
            row[order / 64] |= 1 << (order % 64);
            left &= left - 1;
        }
    }
}
