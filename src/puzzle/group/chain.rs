//! The construction of a stabilizer chain, by random members first and by proof after that;
//! see the documentation of [`super`].

use super::order::OrderBound;
use crate::board::MAX_CELLS;
use crate::limits::{Limits, StopReason};
use crate::puzzle::permutation::Permutation;
use std::ops::RangeInclusive;

/// One level of a stabilizer chain: how the subgroup that fixes all cells below the
/// level's own cell, its base, acts on the base.
#[derive(Clone)]
pub(super) struct Level {
    /// The base, then the other cells to which the subgroup takes it, as found.
    pub(super) orbit: Vec<usize>,
    /// For each cell of the orbit, an element of the subgroup that takes it to the base.
    undo: Vec<Option<Permutation>>,
}

impl Level {
    /// Of the trivial subgroup.
    fn trivial(cells: usize, base: usize) -> Level {
        let mut undo = vec![None; cells];
        undo[base] = Some(Permutation::identity(cells));
        Level { orbit: vec![base], undo }
    }

    pub(super) fn is_trivial(&self) -> bool {
        self.orbit.len() == 1
    }

    fn has(&self, cell: usize) -> bool {
        self.undo[cell].is_some()
    }

    /// The element that takes `cell`, which must be in the orbit, to the base.
    fn undo(&self, cell: usize) -> &Permutation {
        self.undo[cell].as_ref().expect("orbits are closed under their subgroups")
    }

    /// The element that takes the base to `cell`, which must be in the orbit.
    pub(super) fn representative(&self, cell: usize) -> Permutation {
        self.undo(cell).inverse()
    }

    /// For each of `generators`, what it does to the representative of `cell`: a product
    /// that fixes the base.
    fn schreier<'a>(
        &'a self,
        cell: usize,
        generators: impl Iterator<Item = &'a StrongGenerator>,
    ) -> impl Iterator<Item = Permutation> {
        let representative = self.representative(cell);
        generators.map(move |StrongGenerator { element, .. }| {
            self.undo(element.source(cell)).then(element).then(&representative)
        })
    }

    /// Adds the cell to which `generator` takes `cell`, if it is new.
    fn follow(&mut self, cell: usize, generator: &StrongGenerator) {
        let reached = generator.element.source(cell);
        if !self.has(reached) {
            self.orbit.push(reached);
            self.undo[reached] = Some(self.undo(cell).then(&generator.inverse));
        }
    }

    /// Closes the orbit under `generators`, all but the last of which it is closed under.
    fn close<'a>(&mut self, generators: &(impl Iterator<Item = &'a StrongGenerator> + Clone)) {
        let known = self.orbit.len();
        if let Some(newest) = generators.clone().last() {
            for index in 0..known {
                self.follow(self.orbit[index], newest);
            }
        }
        let mut visited = known;
        while let Some(&cell) = self.orbit.get(visited) {
            visited += 1;
            for generator in generators.clone() {
                self.follow(cell, generator);
            }
        }
    }
}

/// The factors of the chain's order that are not one.
pub(super) fn orbit_lengths(levels: &[Level]) -> impl Iterator<Item = usize> {
    levels.iter().filter(|level| !level.is_trivial()).map(|level| level.orbit.len())
}

/// What is left of an element that fixes all cells below `from` when the levels have
/// taken one cell after the other back to its place: `None` if all are, which makes the
/// element a member; else what remains at the first level that cannot.
pub(super) fn sift(levels: &[Level], from: usize, element: &Permutation) -> Option<Permutation> {
    let mut sources = element.sources().to_vec();
    for (base, level) in levels.iter().enumerate().skip(from) {
        let source = usize::from(sources[base]);
        if source == base {
            continue;
        }
        let Some(undo) = &level.undo[source] else {
            let residue = Permutation::from_sources(sources);
            return Some(residue.expect("a product of permutations is a permutation"));
        };
        // `undo.then(element)`, in place; what is below the base is fixed by both.
        for source in &mut sources[base..] {
            *source = undo.sources()[usize::from(*source)];
        }
    }
    None
}

/// An element that the chain is built from.
struct StrongGenerator {
    element: Permutation,
    inverse: Permutation,
    /// The first cell it moves: it belongs to the subgroups of this and earlier levels.
    depth: usize,
}

/// A stabilizer chain under construction.
///
/// Invariants: level `b` has the orbit of `b` under the group `H_b` of all strong
/// generators of depth `b` or more, and representatives from `H_b`. `H_0` is the whole
/// group. The chain is complete when each `H_(b+1)` is *all* that fixes `b` in `H_b`.
pub(super) struct ChainBuilder {
    pub(super) levels: Vec<Level>,
    strong: Vec<StrongGenerator>,
}

/// So many members in a row that the chain already has make it worth while to check it.
/// Each would have betrayed an incomplete chain with a probability of at least one half
/// if it were truly random.
const QUIET: usize = 20;

impl ChainBuilder {
    pub(super) fn new(cells: usize, generators: &[Permutation]) -> ChainBuilder {
        let levels = (0..cells).map(|base| Level::trivial(cells, base)).collect();
        let mut builder = ChainBuilder { levels, strong: Vec::new() };
        for generator in generators {
            builder.insert(generator.clone());
        }
        builder
    }

    /// Adds a member of the group to the strong generators. Returns its depth: deeper
    /// levels stay as they were. The identity is left out.
    fn insert(&mut self, element: Permutation) -> Option<usize> {
        let depth = element.moved().next()?;
        self.strong.push(StrongGenerator { inverse: element.inverse(), element, depth });
        for (base, level) in self.levels.iter_mut().enumerate().take(depth + 1) {
            level.close(&self.strong.iter().filter(|generator| generator.depth >= base));
        }
        Some(depth)
    }

    /// Completes the chain, given what it was started with and a bound on its order.
    ///
    /// # Errors
    /// If a limit is hit.
    pub(super) fn complete(
        &mut self,
        generators: &[Permutation],
        bound: &OrderBound,
        limits: &Limits<'_>,
    ) -> Result<(), StopReason> {
        let Some(mut members) = RandomMembers::new(generators) else {
            return Ok(());
        };
        let mut quiet = 0;
        while !bound.is_reached_by(orbit_lengths(&self.levels)) {
            limits.check_time()?;
            match sift(&self.levels, 0, &members.draw()) {
                Some(residue) => {
                    self.insert(residue);
                    quiet = 0;
                }
                None => quiet += 1,
            }
            if quiet == QUIET {
                return self.prove(limits);
            }
        }
        Ok(())
    }

    /// Checks each level, the deepest first, and adds whatever is missing. This alone
    /// would complete the chain, only slowly. It ends because what is added makes some
    /// orbit larger.
    ///
    /// # Errors
    /// If a limit is hit.
    pub(super) fn prove(&mut self, limits: &Limits<'_>) -> Result<(), StopReason> {
        let mut unproven = self.levels.len();
        while let Some(base) = unproven.checked_sub(1) {
            let mut suspects = self.suspects(base);
            let missing = loop {
                limits.check_time()?;
                let Some(suspect) = suspects.next() else { break None };
                if let Some(residue) = sift(&self.levels, base + 1, &suspect) {
                    break Some(residue);
                }
            };
            drop(suspects);
            unproven = match missing.and_then(|residue| self.insert(residue)) {
                Some(depth) => depth + 1,
                None => base,
            };
        }
        Ok(())
    }

    /// Elements that fix the level's base `b`, and whose membership in `H = H_(b+1)`
    /// proves that `H` is all of `H_b` that fixes `b`, provided that deeper levels are
    /// complete.
    ///
    /// With `r_x` for the representative that takes `b` to `x`, Schreier's lemma asks
    /// for `r_(sx)⁻¹ s r_x ∈ H`, or `s r_x H = r_(sx) H`, for each `s` of a set that
    /// generates `H_b` and each `x` of the orbit. Such a set are the strong generators
    /// that move `b`, of which there are few, and those of `H`. Two things spare most of
    /// the work for the latter:
    ///
    /// - At `x = b` there is nothing to check, since `r_b` is the identity.
    /// - Let `c` be the first cell that `H` moves, and in the orbit of `b`. Suppose that
    ///   `r_c⁻¹ s r_c ∈ H` for all generators `s` of the part of `H` that fixes `c`, and
    ///   `h_x r_c H = r_x H` for all `x` in the orbit of `c`, where `h_x` is the
    ///   representative of the level of `c`. Then for every `s` of `H` and such an `x`
    ///   the lemma's condition holds, as `h_(sx)⁻¹ s h_x` is in `H` and fixes `c`. This
    ///   asks for a sum of checks in place of a product (after the algorithm "Verify" of
    ///   Sims; Seress 2003, chapter 8).
    fn suspects(&self, base: usize) -> impl Iterator<Item = Permutation> {
        let level = &self.levels[base];
        let next = self.first_moved_above(base);
        let shortcut = next.filter(|&cell| level.has(cell));
        let by_shortcut = move |cell: usize| shortcut.is_some_and(|c| self.levels[c].has(cell));

        let movers = level
            .orbit
            .iter()
            .flat_map(move |&cell| level.schreier(cell, self.at_depths(base..=base)));
        let fixers = level
            .orbit
            .iter()
            .filter(move |&&cell| cell != base && !by_shortcut(cell))
            .flat_map(move |&cell| level.schreier(cell, self.at_depths(base + 1..=MAX_CELLS)));
        let shortcuts = shortcut.into_iter().flat_map(move |cell| {
            let representative = level.representative(cell);
            let next = &self.levels[cell];
            next.orbit
                .iter()
                .map(move |&x| level.undo(x).then(&next.representative(x)).then(&representative))
                .chain(level.schreier(cell, self.at_depths(cell + 1..=MAX_CELLS)))
        });
        movers.chain(fixers).chain(shortcuts)
    }

    /// The first cell above `base` that the strong generators of such a depth move.
    fn first_moved_above(&self, base: usize) -> Option<usize> {
        (base + 1..self.levels.len()).find(|&cell| !self.levels[cell].is_trivial())
    }

    fn at_depths(&self, depths: RangeInclusive<usize>) -> impl Iterator<Item = &StrongGenerator> {
        self.strong.iter().filter(move |generator| depths.contains(&generator.depth))
    }
}

/// An endless sequence of members of a group, nearly uniform after a while, and the same
/// for the same generators: product replacement with an accumulator.
struct RandomMembers {
    /// They generate the group at all times.
    slots: Vec<Permutation>,
    accumulator: Permutation,
    numbers: SplitMix64,
}

/// Fewer slots than this mix badly (Celler and others 1995 advise at least ten).
const LEAST_SLOTS: usize = 10;

/// How many steps per slot are done before the first member is used.
const WARM_UP: usize = 4;

impl RandomMembers {
    /// `None` if there are no generators.
    fn new(generators: &[Permutation]) -> Option<RandomMembers> {
        let accumulator = Permutation::identity(generators.first()?.cells());
        let slots: Vec<Permutation> =
            generators.iter().cycle().take(generators.len().max(LEAST_SLOTS)).cloned().collect();
        let mut members = RandomMembers { slots, accumulator, numbers: SplitMix64 { state: 0 } };
        for _ in 0..WARM_UP * members.slots.len() {
            members.draw();
        }
        Some(members)
    }

    fn draw(&mut self) -> Permutation {
        let changed = self.numbers.below(self.slots.len());
        let offset = 1 + self.numbers.below(self.slots.len() - 1);
        let other = &self.slots[(changed + offset) % self.slots.len()];
        let slot = &self.slots[changed];
        // Both sides, or else the products would all be built in one direction.
        let product = if self.numbers.below(2) == 0 { slot.then(other) } else { other.then(slot) };
        self.accumulator = self.accumulator.then(&product);
        self.slots[changed] = product;
        self.accumulator.clone()
    }
}

/// The generator of Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators": small, and the same on every machine.
pub(in crate::puzzle) struct SplitMix64 {
    pub(in crate::puzzle) state: u64,
}

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; the bias of this is of no account here.
    pub(in crate::puzzle) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}
