//! The steps of the search of sliding puzzles with pattern databases.

use super::pattern_databases::{PatternDatabases, SIDES, Spots, Step};
use super::unit_steps::{Steps, spare};
use crate::puzzle::Depth;
use crate::puzzle::ring::Ring;
use crate::table::sliding::Spot;

/// The steps of the search with one side or both, the tables being near in the caches or not.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseSteps<'a, const MIRRORED: bool, const NEAR: bool>(pub &'a PatternDatabases);

/// The spots, and on each side how many moves in vain there may still be.
#[derive(Clone, Copy, Debug)]
pub struct Spare {
    spots: Spots,
    spare: [u32; SIDES],
}

impl<const MIRRORED: bool, const NEAR: bool> Steps for DatabaseSteps<'_, MIRRORED, NEAR> {
    type Value = Spots;
    type Carried = Spare;

    fn begin(&self, spots: Spots, _: &[u8], budget: Depth) -> Option<Spare> {
        let [board, mirror] = spots.sums().map(|sum| spare(budget, sum));
        Some(Spare { spots, spare: [board?, mirror?] })
    }

    /// Where tables are near, both sides are looked at, whatever the first one says: a branch that
    /// cannot be foreseen costs more than a look-up. Where they are not, first the side with less
    /// to spare.
    #[inline(always)]
    fn step<R: Ring, const M: usize>(
        &self,
        carried: &Spare,
        _: R,
        blank: usize,
        label: usize,
    ) -> Option<Spare> {
        let Spare { spots: Spots(spots), spare } = carried;
        let step = Step { blank, m: M, label };
        let first = usize::from(MIRRORED && !NEAR && spare[1] < spare[0]);
        let (one, spot) = self.0.slid(first, &spots[first], &step);
        let taken = farther(spots[first][one], spot);
        if (!NEAR || !MIRRORED) && taken > spare[first] {
            return None;
        }
        let mut after = *carried;
        if MIRRORED {
            let second = 1 - first;
            let (other, mirrored) = self.0.slid(second, &spots[second], &step);
            let taken_there = farther(spots[second][other], mirrored);
            if (taken > spare[first]) | (taken_there > spare[second]) {
                return None;
            }
            after.spots.0[second][other] = mirrored;
            after.spare[second] -= taken_there;
        }
        after.spots.0[first][one] = spot;
        after.spare[first] -= taken;
        Some(after)
    }
}

/// 1 if a distance has become greater, and 0 if smaller.
#[inline(always)]
fn farther(before: Spot, after: Spot) -> u32 {
    u32::from(after.distance() > before.distance())
}
