//! The permutation group that a puzzle's moves generate: which arrangements can be
//! reached at all, how many there are, and one of them drawn at random.
//!
//! # Convention
//!
//! Everything is said of [`Permutation`] in gather form: `p` *is* the function
//! `c ↦ p.source(c)`, and `a.then(b)` is the function "first `b`, then `a`" on cells,
//! because what ends in `c` was in `b.source(c)` after `a`, hence in
//! `a.source(b.source(c))` before both. "`p` takes `b` to `x`" below always means
//! `p.source(b) == x`. Orbits, stabilizers, order and membership do not depend on
//! this choice.
//!
//! # The chain
//!
//! A stabilizer chain (Sims 1970, "Computational methods in the study of permutation
//! groups") has one level per cell, in the order of the cells, as in Knuth 1991,
//! "Efficient representation of perm groups". Level `b` is about the subgroup `G_b`
//! that fixes every cell below `b`; it holds the orbit of `b` under `G_b` and, for each
//! `x` of the orbit, an element of `G_b` that takes `x` back to `b`. The order of the
//! group is the product of the orbits' lengths, and an element is a member if and only
//! if taking `0`, `1`, … back in turn is possible and ends in the identity (*sifting*).
//!
//! # Why the result is proven
//!
//! 1. Pseudo-random members (product replacement: Celler, Leedham-Green, Murray,
//!    Niemeyer, O'Brien 1995) are sifted, and what remains of them is added to the
//!    chain. Their seed is fixed, so equal input gives an equal chain. Whatever is
//!    added is a member, so the chain's order never exceeds that of the group.
//! 2. If the chain's order reaches an upper bound on the group's order (see
//!    `OrderBound`) it is complete. This ends the work for most puzzles, whose
//!    moves generate everything that orbits and parities permit.
//! 3. Otherwise every level is checked by Schreier's lemma (see
//!    `ChainBuilder::suspects`; Seress 2003, "Permutation Group Algorithms",
//!    chapter 4) and what fails is added, until nothing fails.
//!
//! Chance therefore decides how long the construction takes, never what it finds.
//!
//! A chain on `n` cells takes at most about `n³ / 2` bytes: 8 MB for 256 cells. To build
//! that of a torus takes a tenth of a millisecond for 5x5, two for 10x10 and forty for
//! 16x16. Where step 3 is needed, 100 cells take milliseconds; 256 cells take less than
//! a second as a rule, and ten seconds at worst among those tried (blocks of blocks).

mod chain;
mod order;
#[cfg(test)]
mod tests;

use super::permutation::Permutation;
use crate::board::MAX_CELLS;
use crate::limits::{Limits, StopReason};
use chain::{ChainBuilder, Level, orbit_lengths, sift};
use order::OrderBound;
use std::fmt;

pub(super) use chain::SplitMix64;
pub use order::Order;

/// The group of all rearrangements that sequences of some moves can bring about.
///
/// ```
/// use permutile::puzzle::group::Group;
/// use permutile::puzzle::permutation::Permutation;
///
/// let rotate = Permutation::from_cycles(5, &[[0, 1, 2, 3]]);
/// let swap = Permutation::from_cycles(5, &[[0, 1]]);
/// let group = Group::generated_by(5, &[rotate, swap]);
/// assert_eq!(group.order().to_string(), "4! = 24");
/// assert!(!group.contains(&Permutation::from_cycles(5, &[[0, 4]])));
/// ```
#[derive(Clone)]
pub struct Group {
    cells: usize,
    orbits: Vec<Vec<usize>>,
    /// For each cell, which of the orbits it is in.
    orbit_of: Vec<usize>,
    all_even: bool,
    /// One level per cell: a complete stabilizer chain.
    levels: Vec<Level>,
    extent: Extent,
}

/// How much of all rearrangements a group has. Most puzzles have all of them, or all even ones,
/// so that membership is clear at a glance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    All,
    AllEven,
    Fewer,
}

/// Why a rearrangement is out of a group's reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// What is in `cell` would have to come to the cell `to`, but no sequence of moves
    /// takes it there.
    Orbit {
        /// Where the content is.
        cell: usize,
        /// Where it cannot get.
        to: usize,
    },
    /// Every move is an even permutation of the cells, and the rearrangement is odd.
    Parity,
    /// Each content could reach its cell, and the parity is right, but the moves do
    /// not generate the rearrangement (or it is one of another number of cells).
    Other,
}

impl Extent {
    /// Of a group with a complete chain. All rearrangements take the base of a level to every cell
    /// that is not fixed; so do all even ones, but for the last two cells.
    fn new(levels: &[Level], all_even: bool) -> Extent {
        let cells = levels.len();
        let free = if all_even { cells.saturating_sub(2) } else { cells };
        let mut freely_moved = levels[..free].iter().zip((0..=cells).rev());
        match freely_moved.all(|(level, unfixed)| level.orbit.len() == unfixed) {
            true if all_even => Extent::AllEven,
            true => Extent::All,
            false => Extent::Fewer,
        }
    }
}

impl Group {
    /// The group generated by `generators`, each a rearrangement of `cells` cells.
    ///
    /// The order of the generators may change the time this takes, and nothing else.
    ///
    /// # Panics
    ///
    /// If there are more than [`MAX_CELLS`] cells, or a generator has another number
    /// of them.
    pub fn generated_by(cells: usize, generators: &[Permutation]) -> Group {
        let group = Group::generated_within(cells, generators, &Limits::default());
        group.expect("nothing limits it")
    }

    /// The same within limits on time.
    ///
    /// # Errors
    /// If a limit is hit.
    ///
    /// # Panics
    /// As [`generated_by`](Self::generated_by) does.
    pub fn generated_within(
        cells: usize,
        generators: &[Permutation],
        limits: &Limits<'_>,
    ) -> Result<Group, StopReason> {
        assert!(cells <= MAX_CELLS, "a cell's index fits a byte");
        assert!(
            generators.iter().all(|generator| generator.cells() == cells),
            "every generator rearranges all {cells} cells"
        );
        let orbits = orbits(cells, generators);
        let mut builder = ChainBuilder::new(cells, generators);
        builder.complete(generators, &OrderBound::new(&orbits, generators), limits)?;
        let levels = builder.levels;
        let all_even = !generators.iter().any(Permutation::is_odd);
        let extent = Extent::new(&levels, all_even);
        Ok(Group { cells, orbit_of: orbit_of(cells, &orbits), orbits, all_even, levels, extent })
    }

    /// How many cells the group's elements rearrange.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// How many elements there are.
    pub fn order(&self) -> Order {
        let moved = self.orbits.iter().map(Vec::len).filter(|&length| length > 1).sum();
        Order::new(orbit_lengths(&self.levels).collect(), self.cells, moved)
    }

    /// For each cell, to how many cells those elements take it that fix all cells before it.
    pub(super) fn orbit_lengths(&self) -> impl Iterator<Item = usize> {
        self.levels.iter().map(|level| level.orbit.len())
    }

    /// Whether some sequence of moves has the effect of `element`.
    pub fn contains(&self, element: &Permutation) -> bool {
        element.cells() == self.cells
            && match self.extent {
                Extent::All => true,
                Extent::AllEven => !element.is_odd(),
                Extent::Fewer => sift(&self.levels, 0, element).is_none(),
            }
    }

    /// Whether every rearrangement of the cells is a member.
    pub fn is_symmetric(&self) -> bool {
        self.extent == Extent::All
    }

    /// What keeps `element` out of the group, or `None` if it is a member.
    ///
    /// The most telling reason is given: orbits before parity before anything else.
    pub fn why_not(&self, element: &Permutation) -> Option<Obstacle> {
        if self.contains(element) {
            return None;
        }
        if element.cells() != self.cells {
            return Some(Obstacle::Other);
        }
        let stranded = element.moved().map(|to| (element.source(to), to)).find(|&(cell, to)| {
            // Orbits are those of contents as well as of sources: a group holds the
            // inverses of its elements.
            self.orbit_of[cell] != self.orbit_of[to]
        });
        Some(match stranded {
            Some((cell, to)) => Obstacle::Orbit { cell, to },
            None if self.all_even && element.is_odd() => Obstacle::Parity,
            None => Obstacle::Other,
        })
    }

    /// The sets of cells between which contents can travel: a partition of all cells,
    /// each set sorted, and the sets in the order of their least cells.
    pub fn orbits(&self) -> Vec<Vec<usize>> {
        self.orbits.clone()
    }

    /// Whether the content of any cell can reach any other.
    pub fn is_transitive(&self) -> bool {
        self.orbits.len() <= 1
    }

    /// Whether every element is an even permutation of the cells.
    pub fn all_even(&self) -> bool {
        self.all_even
    }

    /// An element drawn uniformly, if `next(bound)` draws uniformly below `bound`.
    ///
    /// `next` is called once for each of the [factors](Order::factors) of the order, in
    /// their order, with the factor as its bound. The numbers drawn say where the
    /// element stands among all elements in the lexicographic order of their
    /// [sources](Permutation::sources), as the digits of a mixed-radix number, most
    /// significant first. So the element depends on nothing but the group (not on its
    /// generators, nor on how it was constructed) and the numbers: a seed means the
    /// same element for ever.
    ///
    /// # Panics
    ///
    /// If `next` returns its bound or more.
    pub fn random(&self, mut next: impl FnMut(u64) -> u64) -> Permutation {
        let mut element = Permutation::identity(self.cells);
        for level in self.levels.iter().filter(|level| !level.is_trivial()) {
            // With the sources of all cells below the level's settled, these are the
            // cells that can still be the source of the level's own.
            let mut choices: Vec<(usize, usize)> =
                level.orbit.iter().map(|&cell| (element.source(cell), cell)).collect();
            choices.sort_unstable();
            let (_, chosen) = choices[next(choices.len() as u64) as usize];
            element = element.then(&level.representative(chosen));
        }
        element
    }
}

impl fmt::Debug for Group {
    /// Leaves out the chain, which may take megabytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group")
            .field("cells", &self.cells)
            .field("orbits", &self.orbits)
            .field("all_even", &self.all_even)
            .field("order", &self.order())
            .finish_non_exhaustive()
    }
}

/// The orbits of all cells, each sorted, in the order of their least cells.
fn orbits(cells: usize, generators: &[Permutation]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; cells];
    let mut orbits = Vec::new();
    for start in 0..cells {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut orbit = vec![start];
        let mut visited = 0;
        while let Some(&cell) = orbit.get(visited) {
            visited += 1;
            for source in generators.iter().map(|generator| generator.source(cell)) {
                if !std::mem::replace(&mut seen[source], true) {
                    orbit.push(source);
                }
            }
        }
        orbit.sort_unstable();
        orbits.push(orbit);
    }
    orbits
}

/// For each cell, the index of the orbit that holds it.
fn orbit_of(cells: usize, orbits: &[Vec<usize>]) -> Vec<usize> {
    let mut orbit_of = vec![0; cells];
    for (index, orbit) in orbits.iter().enumerate() {
        for &cell in orbit {
            orbit_of[cell] = index;
        }
    }
    orbit_of
}
