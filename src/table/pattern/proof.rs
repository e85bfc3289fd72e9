//! Verifies a pattern database by local rules, checked at each entry.
//!
//! The distance is 0 at home and nowhere else, a move changes it by at most one, and wherever it
//! is more than 0 but less than [`MOST`], some move lowers it. By the first two it is at most the
//! true distance; by the third it is at least that, up to [`MOST`].

use super::predecessors::Predecessors;
use super::{MOST, PatternTable, home};
use crate::limits::{Limits, Observer, StopReason};
use crate::parallel;
use crate::puzzle::Depth;
use crate::puzzle::permutation::Permutation;

/// How many sets are checked between two checks of the limits.
const STRIDE: usize = 1 << 12;

/// An entry that breaks a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// A distance of 0 away from home, or another one at home.
    #[error("entry {number} says {distance}, and only at home is the distance 0")]
    Home {
        /// The entry.
        number: usize,
        /// What it says.
        distance: Depth,
    },
    /// A move changes the distance by more than one.
    #[error("entry {number} says {distance}, and entry {other}, one move away, says {its}")]
    Leap {
        /// The entry.
        number: usize,
        /// What it says.
        distance: Depth,
        /// The other.
        other: usize,
        /// What that says.
        its: Depth,
    },
    /// No move lowers the distance.
    #[error("entry {number} says {distance}, and no move leads to one that says less")]
    Stuck {
        /// The entry.
        number: usize,
        /// What it says.
        distance: Depth,
    },
}

impl PatternTable {
    /// The first entry that breaks a rule; `None` if there is none.
    ///
    /// # Errors
    /// If a limit is hit before that is known.
    pub fn flaw(
        &self,
        moves: &[Permutation],
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Flaw>, StopReason> {
        let predecessors = Predecessors::new(moves, &self.places)?;
        let (sets, home) = (self.places.sets(), home(&self.places, &self.tiles));
        for first in (0..sets).step_by(STRIDE) {
            limits.check_time()?;
            observer.building_table(self.counts.len() as u32, first as f64 / sets as f64);
            let flaw = parallel::find_first(STRIDE.min(sets - first), 1, |range| {
                self.flaw_of_set(&predecessors, first + range.start, home)
            });
            if flaw.is_some() {
                return Ok(flaw);
            }
        }
        Ok(None)
    }

    fn flaw_of_set(&self, predecessors: &Predecessors, set: usize, home: usize) -> Option<Flaw> {
        let orders = self.places.orders();
        (0..orders).find_map(|order| {
            let number = set * orders + order;
            let distance = self.distance(number);
            if (distance == 0) != (number == home) {
                return Some(Flaw::Home { number, distance });
            }
            let mut falls = distance == 0 || distance == MOST;
            for &previous in predecessors.of_set(set) {
                let before = predecessors.order_map(previous).was[order];
                let other = previous.set as usize * orders + usize::from(before);
                let its = self.distance(other);
                if its.abs_diff(distance) > 1 {
                    return Some(Flaw::Leap { number, distance, other, its });
                }
                falls |= its < distance;
            }
            (!falls).then_some(Flaw::Stuck { number, distance })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Silent;
    use crate::puzzle::AnyPuzzle;
    use crate::puzzle::moves::Action;

    #[test]
    fn a_wrong_entry_is_found() {
        let puzzle = AnyPuzzle::from_id("torus4").unwrap();
        let Action::Permutations(moves) = puzzle.frame().moves().action() else {
            unreachable!("there is no blank")
        };
        let limits = Limits::default();
        let table = PatternTable::build(moves, &[0, 1, 4], &limits, &mut Silent).unwrap();
        let flaw = |table: &PatternTable| table.flaw(moves, &limits, &mut Silent).unwrap();
        assert_eq!(flaw(&table), None);
        for (at, bits) in [(0, 0x0f), (100, 0x10), (1000, 0xf0), (1679, 0x02)] {
            let mut nibbles = table.nibbles.to_vec();
            nibbles[at] ^= bits;
            let wrong = PatternTable {
                tiles: table.tiles.clone(),
                places: super::super::PlacementIndex::new(16, 3),
                nibbles: nibbles.into(),
                counts: table.counts.clone(),
            };
            assert!(flaw(&wrong).is_some(), "{bits:x} at {at}");
        }
    }
}
