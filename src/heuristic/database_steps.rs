//! The steps of the search of sliding puzzles with pattern databases.

use super::pattern_databases::{PatternDatabases, SIDES, Spots, Step};
use super::unit_steps::Steps;
use crate::puzzle::Depth;
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

impl Spare {
    /// With so many moves left; `None` if they are too few.
    pub fn new(spots: Spots, budget: Depth) -> Option<Spare> {
        let [board, mirror] = spots.sums().map(|sum| budget.checked_sub(sum));
        Some(Spare { spots, spare: [board? / 2, mirror? / 2] })
    }
}

impl<const MIRRORED: bool, const NEAR: bool> Steps for DatabaseSteps<'_, MIRRORED, NEAR> {
    type Carried = Spare;

    /// Where tables are near, both sides are looked at, whatever the first one says: a branch that
    /// cannot be foreseen costs more than a look-up. Where they are not, first the side with less
    /// to spare.
    #[inline(always)]
    fn step<const M: usize>(&self, carried: &Spare, blank: usize, label: usize) -> Option<Spare> {
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
