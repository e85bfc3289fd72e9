//! The steps of the search of sliding puzzles with pattern databases.

use super::pattern_databases::{MOST_PATTERNS, PatternDatabases, PatternStates, SIDES, TileMove};
use super::unit_steps::{Steps, slack};
use crate::puzzle::Depth;
use crate::puzzle::blank_relative::BlankRelative;
use crate::table::sliding::PatternState;

/// The steps of the search with one side or both.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseSteps<'a, const MIRRORED: bool>(pub &'a PatternDatabases);

/// The states of the patterns, and the slack of the board and of its reflection.
#[derive(Clone, Copy, Debug)]
pub struct Slack {
    spots: PatternStates,
    slack: [u32; SIDES],
}

/// By side: the pattern of the tile that moves, where it is afterwards, and whether farther away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Landing {
    pattern: [u8; SIDES],
    farther: [bool; SIDES],
    spot: [PatternState; SIDES],
}

impl<const MIRRORED: bool> DatabaseSteps<'_, MIRRORED> {
    /// How many sides there are.
    const SIDES: usize = if MIRRORED { SIDES } else { 1 };
}

impl<const MIRRORED: bool> Steps for DatabaseSteps<'_, MIRRORED> {
    type Value = PatternStates;
    type Carried = Slack;
    type Ahead = Landing;

    fn begin(&self, spots: PatternStates, _: &[u8], budget: Depth) -> Option<Slack> {
        let [board, mirror] = spots.sums().map(|sum| slack(budget, sum));
        Some(Slack { spots, slack: [board?, mirror?] })
    }

    /// Both sides are looked at, whatever the first one says: a branch that cannot be foreseen
    /// costs more than a look-up.
    #[inline(always)]
    fn ahead<const M: usize>(&self, carried: &Slack, blank: usize, label: usize) -> Landing {
        let step = TileMove { blank, m: M, label };
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
    fn step<R: BlankRelative, const M: usize>(
        &self,
        carried: &Slack,
        landing: Landing,
        _: R,
        _: usize,
        _: usize,
    ) -> Option<Slack> {
        let taken = landing.farther.map(u32::from);
        let too_many = |side: usize| side < Self::SIDES && taken[side] > carried.slack[side];
        if too_many(0) | too_many(1) {
            return None;
        }
        let mut after = *carried;
        for (side, taken) in taken.into_iter().enumerate().take(Self::SIDES) {
            let pattern = usize::from(landing.pattern[side]) % MOST_PATTERNS;
            after.spots.0[side][pattern] = landing.spot[side];
            after.slack[side] -= taken;
        }
        Some(after)
    }
}
