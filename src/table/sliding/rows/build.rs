//! Distances of all placements of a pattern on a board of any size, layer by layer, as bit sets.
//!
//! As in the building of the other tables, a row of bits has all orders of one zone, and a layer is
//! made row by row from the rows of the zones beside it. Rows are looked at only if a zone
//! beside them has something new: on large boards these are few.

use super::super::build::{add, words_of};
use super::super::tile_orders::TileOrders;
use super::cell_sets::{CellSets, ZoneStep};
use crate::limits::{Limits, StopReason};
use crate::table::storage::ZeroedBuffer;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many bit sets, with a bit for each placement, are held while a table is built.
const SETS: u64 = 4;

/// What else is held for each zone.
const BESIDES: u64 = 8;

/// How many rows are made between two checks of the limits.
const STRIDE: usize = 1 << 8;

/// The memory that is needed for a table of so many zones and orders.
pub(super) fn bytes_for(zones: u64, orders: usize) -> u64 {
    zones * (SETS * 8 * words_of(orders) as u64 + BESIDES)
}

/// The second bit of each distance, in rows of this many words: one row a zone, one bit an order.
/// `held` is what is held besides, for the limit on memory.
///
/// # Errors
/// If the limits do not allow it.
pub(super) fn second_bits(
    sets: &CellSets,
    orders: &TileOrders,
    goal: u32,
    limits: &Limits<'_>,
    held: u64,
) -> Result<ZeroedBuffer<u64>, StopReason> {
    let (zones, words) = (sets.zones(), words_of(orders.count()));
    limits.check_bytes(held + bytes_for(zones as u64, orders.count()))?;
    let bits = || ZeroedBuffer::<u64>::new(zones * words).map_err(|_| StopReason::Memory);
    let (mut layer, mut next, mut seen, mut second) = (bits()?, bits()?, bits()?, bits()?);
    // How many orders of each zone have been reached, whether any of them is in the layer, and
    // whether a zone beside it has some there.
    let mut reached = vec![0_u16; zones];
    let (mut is_in_layer, mut is_in_next) = (vec![false; zones], vec![false; zones]);
    let flags = || -> Vec<AtomicBool> { (0..zones).map(|_| AtomicBool::new(false)).collect() };
    let (mut is_near, mut is_near_next) = (flags(), flags());
    let goal = goal as usize;
    (layer[goal * words], seen[goal * words]) = (1, 1);
    (reached[goal], is_in_layer[goal]) = (1, true);
    let mut steps = Vec::new();
    sets.steps(goal as u32, &mut steps);
    steps.iter().for_each(|step| is_near[step.zone as usize].store(true, Ordering::Relaxed));
    for distance in 1_u32.. {
        let make = |steps: &mut Vec<ZoneStep>, (zone, row): (usize, Row<'_>)| {
            let ((((row, seen), second), reached), in_next) = row;
            *in_next = false;
            if zone % STRIDE == 0 {
                limits.check_time()?;
            }
            if !is_near[zone].swap(false, Ordering::Relaxed)
                || usize::from(*reached) == orders.count()
            {
                return Ok(false);
            }
            sets.steps(zone as u32, steps);
            row.fill(0);
            for step in steps.iter().filter(|step| is_in_layer[step.zone as usize]) {
                let at = step.zone as usize * words;
                // Seen from there, the tile comes here.
                let moved = (step.rank_after != step.rank)
                    .then(|| orders.moved(step.rank_after, step.rank));
                add(row, &layer[at..at + words], moved);
            }
            let mut new = 0;
            for ((row, seen), second) in row.iter_mut().zip(seen).zip(second) {
                *row &= !*seen;
                *seen |= *row;
                *second |= if distance & 2 == 2 { *row } else { 0 };
                new += row.count_ones();
            }
            if new > 0 {
                *reached += new as u16;
                *in_next = true;
                for step in steps.iter() {
                    is_near_next[step.zone as usize].store(true, Ordering::Relaxed);
                }
            }
            Ok(new > 0)
        };
        let rows = next
            .par_chunks_mut(words)
            .zip(seen.par_chunks_mut(words))
            .zip(second.par_chunks_mut(words))
            .zip(&mut reached)
            .zip(&mut is_in_next);
        let any_new = rows
            .enumerate()
            .with_min_len(1 << 10)
            .map_init(Vec::new, make)
            .try_reduce(|| false, |some, more| Ok(some | more))?;
        if !any_new {
            break;
        }
        std::mem::swap(&mut layer, &mut next);
        std::mem::swap(&mut is_in_layer, &mut is_in_next);
        std::mem::swap(&mut is_near, &mut is_near_next);
    }
    Ok(second)
}

/// What there is of a zone: its rows of the next layer, of all layers so far, and of second bits; how
/// many orders have been reached, and whether some are in the next layer.
type Row<'a> = ((((&'a mut [u64], &'a mut [u64]), &'a mut [u64]), &'a mut u16), &'a mut bool);
