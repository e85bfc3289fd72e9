//! The steps of the search of sliding puzzles with pattern databases.

use super::pattern_databases::{MOST_PATTERNS, PatternDatabases, PatternStates, TileMove};
use super::unit_steps::{BatchSteps, Steps, slack};
use crate::puzzle::Depth;
use crate::puzzle::blank_relative::BlankRelative;
use crate::table::sliding::{PatternState, StateLook};

/// The steps of the search with databases of so many sides.
#[derive(Clone, Copy, Debug)]
pub struct DatabaseSteps<'a, const SIDES: usize>(pub &'a PatternDatabases);

/// By side: the states of the patterns, and the slack.
#[derive(Clone, Copy, Debug)]
pub struct Slack<const SIDES: usize> {
    spots: [[PatternState; MOST_PATTERNS]; SIDES],
    slack: [u32; SIDES],
}

/// By side: the pattern of the tile that moves, where it is afterwards, and whether farther away.
#[derive(Clone, Copy, Debug)]
pub struct Landing<const SIDES: usize> {
    pattern: [u8; SIDES],
    farther: [bool; SIDES],
    spot: [PatternState; SIDES],
}

impl<const SIDES: usize> Default for Landing<SIDES> {
    fn default() -> Self {
        let spot = [PatternState::default(); SIDES];
        Landing { pattern: [0; SIDES], farther: [false; SIDES], spot }
    }
}

impl<const SIDES: usize> DatabaseSteps<'_, SIDES> {
    /// What is carried on; `None` if there is no slack left.
    #[inline(always)]
    fn landed(carried: &Slack<SIDES>, landing: &Landing<SIDES>) -> Option<Slack<SIDES>> {
        let taken = landing.farther.map(u32::from);
        let too_many = |side: usize| taken[side] > carried.slack[side];
        // All are looked at: which of them it is cannot be foreseen.
        if (0..SIDES).fold(false, |any, side| any | too_many(side)) {
            return None;
        }
        let mut after = *carried;
        for (side, taken) in taken.into_iter().enumerate() {
            let pattern = usize::from(landing.pattern[side]) % MOST_PATTERNS;
            after.spots[side][pattern] = landing.spot[side];
            after.slack[side] -= taken;
        }
        Some(after)
    }
}

impl<const SIDES: usize> Steps for DatabaseSteps<'_, SIDES> {
    type Value = PatternStates;
    type Carried = Slack<SIDES>;
    type Ahead = Landing<SIDES>;

    fn begin(&self, states: PatternStates, _: &[u8], budget: Depth) -> Option<Slack<SIDES>> {
        let mut begun = Slack { spots: [Default::default(); SIDES], slack: [0; SIDES] };
        for (side, sum) in states.sums().into_iter().enumerate().take(SIDES) {
            begun.spots[side] = states.0[side];
            begun.slack[side] = slack(budget, sum)?;
        }
        Some(begun)
    }

    /// All sides are looked at, whatever the first one says: a branch that cannot be foreseen
    /// costs more than a look-up.
    #[inline(always)]
    fn ahead<const M: usize>(
        &self,
        carried: &Slack<SIDES>,
        blank: usize,
        label: usize,
    ) -> Landing<SIDES> {
        let step = TileMove { blank, m: M, label };
        let mut landing = Landing::default();
        for (side, spots) in carried.spots.iter().enumerate() {
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
        carried: &Slack<SIDES>,
        landing: Landing<SIDES>,
        _: R,
        _: usize,
        _: usize,
    ) -> Option<Slack<SIDES>> {
        Self::landed(carried, &landing)
    }
}

/// By side: the pattern of the tile that moves, and where to read what becomes of it.
#[derive(Clone, Copy, Debug)]
pub struct Looks<const SIDES: usize> {
    look: [StateLook; SIDES],
    pattern: [u8; SIDES],
}

impl<const SIDES: usize> BatchSteps for DatabaseSteps<'_, SIDES> {
    type Look = Looks<SIDES>;

    #[inline(always)]
    fn look(&self, carried: &Slack<SIDES>, m: usize, blank: usize, label: usize) -> Looks<SIDES> {
        let step = TileMove { blank, m, label };
        let mut looks = Looks { look: [StateLook::default(); SIDES], pattern: [0; SIDES] };
        for (side, spots) in carried.spots.iter().enumerate() {
            let (pattern, look) = self.0.look(side, spots, &step);
            looks.pattern[side] = pattern as u8;
            looks.look[side] = look;
        }
        looks
    }

    #[inline(always)]
    fn see(&self, carried: &Slack<SIDES>, looks: &Looks<SIDES>) -> Option<Slack<SIDES>> {
        let mut landing = Landing::default();
        for (side, spots) in carried.spots.iter().enumerate() {
            let pattern = usize::from(looks.pattern[side]) % MOST_PATTERNS;
            let spot = self.0.seen(side, pattern, spots[pattern], &looks.look[side]);
            landing.pattern[side] = pattern as u8;
            landing.farther[side] = spot.distance() > spots[pattern].distance();
            landing.spot[side] = spot;
        }
        Self::landed(carried, &landing)
    }
}
