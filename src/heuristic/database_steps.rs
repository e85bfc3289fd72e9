//! The steps of the search of sliding puzzles with pattern databases.

use super::pattern_databases::{MOST_PATTERNS, PatternDatabases, SIDES, Spots, Step};
use super::unit_steps::{Steps, spare};
use crate::puzzle::Depth;
use crate::puzzle::ring::Ring;
use crate::table::sliding::Spot;

/// The steps of the search with one side or both.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseSteps<'a, const MIRRORED: bool>(pub &'a PatternDatabases);

/// The spots, and on each side how many moves in vain there may still be.
#[derive(Clone, Copy, Debug)]
pub struct Spare {
    spots: Spots,
    spare: [u32; SIDES],
}

/// By side: the pattern of the tile that moves, where it is afterwards, and whether farther away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Landing {
    pattern: [u8; SIDES],
    farther: [bool; SIDES],
    spot: [Spot; SIDES],
}

impl<const MIRRORED: bool> DatabaseSteps<'_, MIRRORED> {
    /// How many sides there are.
    const SIDES: usize = if MIRRORED { SIDES } else { 1 };
}

impl<const MIRRORED: bool> Steps for DatabaseSteps<'_, MIRRORED> {
    type Value = Spots;
    type Carried = Spare;
    type Ahead = Landing;

    fn begin(&self, spots: Spots, _: &[u8], budget: Depth) -> Option<Spare> {
        let [board, mirror] = spots.sums().map(|sum| spare(budget, sum));
        Some(Spare { spots, spare: [board?, mirror?] })
    }

    /// Both sides are looked at, whatever the first one says: a branch that cannot be foreseen
    /// costs more than a look-up.
    #[inline(always)]
    fn ahead<const M: usize>(&self, carried: &Spare, blank: usize, label: usize) -> Landing {
        let step = Step { blank, m: M, label };
        let mut landing = Landing::default();
        for (side, spots) in carried.spots.0.iter().enumerate().take(Self::SIDES) {
            let (pattern, spot) = self.0.slid(side, spots, &step);
            landing.pattern[side] = pattern as u8;
            landing.farther[side] = spot.distance() > spots[pattern].distance();
            landing.spot[side] = spot;
        }
        landing
    }

    #[inline(always)]
    fn step<R: Ring, const M: usize>(
        &self,
        carried: &Spare,
        landing: Landing,
        _: R,
        _: usize,
        _: usize,
    ) -> Option<Spare> {
        let taken = landing.farther.map(u32::from);
        let too_many = |side: usize| side < Self::SIDES && taken[side] > carried.spare[side];
        if too_many(0) | too_many(1) {
            return None;
        }
        let mut after = *carried;
        for (side, taken) in taken.into_iter().enumerate().take(Self::SIDES) {
            let pattern = usize::from(landing.pattern[side]) % MOST_PATTERNS;
            after.spots.0[side][pattern] = landing.spot[side];
            after.spare[side] -= taken;
        }
        Some(after)
    }
}
