//! Words in the moves for all elements of their group: how any arrangement that can be solved is
//! solved, without a search.
//!
//! This is the factorization problem in permutation groups (Minkwitz 1998, "An algorithm for
//! solving the factorization problem in permutation groups"). As in [`group`](super::group), a
//! chain of levels brings one label after the other home. Level `i` is about the elements that
//! leave the cells of all earlier levels as they are; it has, for each cell from which one of them
//! carries a content to the level's own cell, the base, how that is done in the fewest moves, by
//! elements of a [`Library`] one after the other. To solve an arrangement, each level in turn
//! brings its label to its base.
//!
//! **Words are short** because the library has short words that move few cells: commutators,
//! powers and conjugates of moves. A level takes the shortest way through those that leave earlier
//! bases alone (Dijkstra). Which cell is the base of which level matters: moves are of no use any
//! more to levels after the first whose base they move. Some orders are tried, and the one whose
//! ways are the shortest is taken.
//!
//! **It cannot fail.** The lengths of the orbits of all levels are known from the proven
//! [`Group`]. While a level lacks a cell of its orbit, elements are *sifted*:
//! the levels are applied to one, until the level that cannot go on; what it does by then leaves
//! all earlier bases alone, and adds to that level's orbit. First the elements of the library are
//! tried, then random words, then all generators of Schreier's lemma (see `schreier_generators`),
//! which are enough.
//!
//! No inverses are needed: a finite group has them as powers, so that a cell from which the base
//! can be reached can be reached from it. One-way moves are as good as others, only longer. The
//! number of moves in a word may be beyond all bounds (moves of cycles whose lengths have no common
//! factor are the simplest example); words are therefore written out last.

mod library;
#[cfg(test)]
mod tests;

pub(crate) use library::{ElementId, Library, rearrange};

use super::frame::Frame;
use super::group::{Group, SplitMix64};
use super::moves::Action;
use super::permutation::Permutation;
use crate::limits::{Limits, StopReason};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A word for each element of the group of a puzzle without a blank.
#[derive(Debug)]
pub(crate) struct Factorization {
    library: Library,
    /// The cells in the order in which they are filled.
    levels: Vec<Level>,
}

/// How one label is brought home without touching those of earlier levels.
#[derive(Debug)]
struct Level {
    /// The label, and its home.
    base: usize,
    /// By the cell that the label is in: which element comes next, if that cell is in the orbit
    /// and not the base.
    next: Vec<Option<ElementId>>,
    /// By the cell that the label is in: how many moves it takes; `u64::MAX` if it is not known
    /// how.
    distance: Vec<u64>,
    /// How many cells are in the orbit.
    orbit: usize,
}

/// What became of an arrangement.
enum Sifted {
    /// Every label is at home after these.
    Home(Vec<ElementId>),
    /// After these, the label of this level is in a cell that the level does not know.
    Stuck(usize, Vec<ElementId>),
}

/// So many random words in a row that add nothing are a reason to try something else.
const QUIET: usize = 50;

impl Factorization {
    /// Finds short words for everything that the moves of a puzzle without a blank generate.
    ///
    /// # Errors
    /// If a limit is hit.
    ///
    /// # Panics
    /// If the puzzle has a blank.
    pub(crate) fn new(frame: &Frame, limits: &Limits<'_>) -> Result<Factorization, StopReason> {
        let cells = frame.shape().cells();
        frame.find_group(limits)?;
        let library = Library::new(frame.moves(), limits)?;
        limits.check_bytes(library.bytes() + (cells * cells * 16) as u64)?;
        let mut best: Option<(f64, Vec<Level>)> = None;
        for order in base_orders(cells, &library) {
            let levels = levels(&library, &order, limits)?;
            let moves: f64 = levels.iter().map(Level::mean_distance).sum();
            if best.as_ref().is_none_or(|&(fewest, _)| moves < fewest) {
                best = Some((moves, levels));
            }
        }
        let (_, levels) = best.expect("there are orders of the cells");
        let mut factorization = Factorization { library, levels };
        factorization.complete(frame, limits)?;
        Ok(factorization)
    }

    /// The elements whose words solve an arrangement, given for each cell by the label in it;
    /// `None` if it cannot be solved.
    pub(crate) fn solve(&self, labels: &[u8]) -> Option<Vec<ElementId>> {
        match self.sift(labels) {
            Sifted::Home(elements) => Some(elements),
            Sifted::Stuck(..) => None,
        }
    }

    /// The elements that words are made of.
    pub(crate) fn library(&self) -> &Library {
        &self.library
    }

    /// Brings home one label after the other, as far as it is known how.
    fn sift(&self, labels: &[u8]) -> Sifted {
        let mut labels = labels.to_vec();
        let mut elements = Vec::new();
        for (index, level) in self.levels.iter().enumerate() {
            let is_base = |&label: &u8| usize::from(label) == level.base;
            let mut cell = labels.iter().position(is_base).expect("each label is in some cell");
            while cell != level.base {
                let Some(element) = level.next[cell] else {
                    return Sifted::Stuck(index, elements);
                };
                let carried = self.library.carried(element);
                rearrange(&mut labels, carried);
                elements.push(element);
                let from = carried.binary_search_by_key(&cell, |&(from, _)| usize::from(from));
                cell = usize::from(carried[from.expect("it carries the label on")].1);
            }
        }
        Sifted::Home(elements)
    }

    /// Adds words until each level knows all cells of its orbit.
    fn complete(&mut self, frame: &Frame, limits: &Limits<'_>) -> Result<(), StopReason> {
        self.find_orbits(frame, limits)?;
        let short: Vec<ElementId> = {
            let mut ids: Vec<ElementId> = self.library.ids().collect();
            ids.sort_by_key(|&id| self.library.length(id));
            ids
        };
        for element in short {
            if self.is_complete() {
                return Ok(());
            }
            self.learn(&[element], limits)?;
        }
        let moves: Vec<ElementId> = self.library.moves().collect();
        let mut random = SplitMix64 { state: 0 };
        let (mut quiet, mut length) = (0, 2);
        while quiet < QUIET && !self.is_complete() {
            let word: Vec<ElementId> =
                (0..length).map(|_| moves[random.below(moves.len())]).collect();
            quiet = if self.learn(&word, limits)? { 0 } else { quiet + 1 };
            // Long enough for anything, and short ones first.
            length = (length + 1).min(4 * self.levels.len());
        }
        while !self.is_complete() {
            let mut learnt = false;
            for level in (0..self.levels.len()).rev() {
                let mut words = self.schreier_generators(level).into_iter();
                while let Some(word) = words.next()
                    && !self.is_complete()
                {
                    if self.learn(&word, limits)? {
                        learnt = true;
                    }
                }
            }
            assert!(learnt || self.is_complete(), "Schreier's lemma");
        }
        Ok(())
    }

    /// Notes how long the orbits of all levels are.
    fn find_orbits(&mut self, frame: &Frame, limits: &Limits<'_>) -> Result<(), StopReason> {
        let Action::Permutations(moves) = frame.moves().action() else {
            unreachable!("the puzzle has no blank");
        };
        // The levels of the group are in the order of the cells: rename them.
        let mut names = vec![0; self.levels.len()];
        for (index, level) in self.levels.iter().enumerate() {
            names[level.base] = index as u8;
        }
        let names = Permutation::from_sources(names).expect("each cell is a base");
        let renamed: Vec<Permutation> = moves.iter().map(|m| m.renamed(&names)).collect();
        let group = Group::generated_within(self.levels.len(), &renamed, limits)?;
        for (level, orbit) in self.levels.iter_mut().zip(group.orbit_lengths()) {
            level.orbit = orbit;
        }
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.levels.iter().all(Level::is_complete)
    }

    /// Sifts a product; whether that adds to what is known.
    fn learn(&mut self, word: &[ElementId], limits: &Limits<'_>) -> Result<bool, StopReason> {
        limits.check_time()?;
        let mut labels: Vec<u8> = (0..self.levels.len()).map(|cell| cell as u8).collect();
        for &element in word {
            rearrange(&mut labels, self.library.carried(element));
        }
        let Sifted::Stuck(stuck, rest) = self.sift(&labels) else { return Ok(false) };
        let product = [word, &rest].concat();
        let added =
            self.library.add_product(&product).expect("it moves the base where it is stuck");
        self.library.add_inverse(added);
        limits.check_bytes(self.library.bytes())?;
        let order: Vec<usize> = self.levels.iter().map(|level| level.base).collect();
        let reach = Reach::new(&self.library, &order);
        let orbit = self.levels[stuck].orbit;
        self.levels[stuck] = Level { orbit, ..Level::new(&self.library, &reach, stuck) };
        Ok(true)
    }

    /// Words that leave the base of a level and all before it alone, and generate all that does,
    /// if the elements that leave all before it alone generate all that does that.
    ///
    /// With `b` for the base, `t_x` for the level's way from `x` to `b`, and `r_x` for one from `b`
    /// to `x`, Schreier's lemma asks for `t_x⁻¹ s t_(sx)` for each `s` of a generating set and each
    /// `x` of the orbit. That is the inverse of `r_x t_x` followed by `r_x s t_(sx)`, and both
    /// leave `b` alone. (Read from left to right.)
    fn schreier_generators(&self, index: usize) -> Vec<Vec<ElementId>> {
        let level = &self.levels[index];
        let leaves_alone = |&id: &ElementId| {
            let carried = self.library.carried(id);
            let earlier = &self.levels[..index];
            earlier
                .iter()
                .all(|level| carried.iter().all(|&(from, _)| usize::from(from) != level.base))
        };
        let generators: Vec<ElementId> = self.library.ids().filter(leaves_alone).collect();
        let target = |id: ElementId, cell: usize| {
            let carried = self.library.carried(id);
            let found = carried.binary_search_by_key(&cell, |&(from, _)| usize::from(from));
            found.map_or(cell, |at| usize::from(carried[at].1))
        };
        let way_home = |mut cell: usize| {
            let mut way = Vec::new();
            while let Some(element) = level.next[cell] {
                way.push(element);
                cell = target(element, cell);
            }
            way
        };
        let mut way_out: Vec<Option<Vec<ElementId>>> = vec![None; self.levels.len()];
        way_out[level.base] = Some(Vec::new());
        let mut found = vec![level.base];
        let mut words = Vec::new();
        let mut visited = 0;
        while let Some(&cell) = found.get(visited) {
            visited += 1;
            let out = way_out[cell].clone().expect("it was found");
            words.push([out.clone(), way_home(cell)].concat());
            for &generator in &generators {
                let to = target(generator, cell);
                let there = [out.as_slice(), &[generator]].concat();
                words.push([there.clone(), way_home(to)].concat());
                if way_out[to].is_none() {
                    way_out[to] = Some(there);
                    found.push(to);
                }
            }
        }
        words
    }
}

impl Level {
    /// The shortest ways to the base of a level.
    fn new(library: &Library, reach: &Reach, index: usize) -> Level {
        let cells = reach.order.len();
        let base = reach.order[index];
        let mut level =
            Level { base, next: vec![None; cells], distance: vec![u64::MAX; cells], orbit: 1 };
        level.distance[base] = 0;
        let mut nearest = BinaryHeap::from([Reverse((0, base))]);
        while let Some(Reverse((distance, to))) = nearest.pop() {
            if distance > level.distance[to] {
                continue;
            }
            for &(element, from) in &reach.into[to] {
                if reach.depth[element.index()] < index {
                    continue;
                }
                let (from, longer) =
                    (usize::from(from), distance.saturating_add(library.length(element)));
                if longer < level.distance[from] {
                    level.distance[from] = longer;
                    level.next[from] = Some(element);
                    nearest.push(Reverse((longer, from)));
                }
            }
        }
        level
    }

    fn is_complete(&self) -> bool {
        self.next.iter().flatten().count() + 1 >= self.orbit
    }

    /// Of the cells from which it is known how to get to the base.
    fn mean_distance(&self) -> f64 {
        let known = self.distance.iter().filter(|&&distance| distance < u64::MAX);
        let sum: f64 = known.clone().map(|&distance| distance as f64).sum();
        sum / known.count() as f64
    }
}

/// Which elements carry contents where, and from which level on they are of no use.
struct Reach {
    order: Vec<usize>,
    /// By cell: the elements that carry something there, and from where.
    into: Vec<Vec<(ElementId, u8)>>,
    /// By element: the first level whose base it moves.
    depth: Vec<usize>,
}

impl Reach {
    fn new(library: &Library, order: &[usize]) -> Reach {
        let mut place = vec![0; order.len()];
        for (index, &cell) in order.iter().enumerate() {
            place[cell] = index;
        }
        let mut into: Vec<Vec<(ElementId, u8)>> = vec![Vec::new(); order.len()];
        let mut depth = Vec::new();
        for id in library.ids() {
            let carried = library.carried(id);
            for &(from, to) in carried {
                into[usize::from(to)].push((id, from));
            }
            depth
                .push(carried.iter().map(|&(from, _)| place[usize::from(from)]).min().unwrap_or(0));
        }
        Reach { order: order.to_vec(), into, depth }
    }
}

fn levels(
    library: &Library,
    order: &[usize],
    limits: &Limits<'_>,
) -> Result<Vec<Level>, StopReason> {
    let reach = Reach::new(library, order);
    let level = |index| limits.check_time().map(|()| Level::new(library, &reach, index));
    (0..order.len()).map(level).collect()
}

/// Orders of the cells to try: as they are, the other way round, and the one that loses the
/// fewest short words from each level to the next.
fn base_orders(cells: usize, library: &Library) -> [Vec<usize>; 3] {
    let weight = |id: ElementId| 1_000_000 / library.length(id).saturating_pow(2).max(1);
    let mut lost = vec![0; cells];
    let mut movers: Vec<Vec<ElementId>> = vec![Vec::new(); cells];
    for id in library.ids() {
        for &(cell, _) in library.carried(id) {
            lost[usize::from(cell)] += weight(id);
            movers[usize::from(cell)].push(id);
        }
    }
    let mut is_lost = vec![false; library.len()];
    let mut left: Vec<usize> = (0..cells).collect();
    let mut greedy = Vec::new();
    while let Some(&base) = left.iter().min_by_key(|&&cell| (lost[cell], cell)) {
        left.retain(|&cell| cell != base);
        greedy.push(base);
        for &id in &movers[base] {
            if !std::mem::replace(&mut is_lost[id.index()], true) {
                for &(cell, _) in library.carried(id) {
                    lost[usize::from(cell)] -= weight(id);
                }
            }
        }
    }
    [(0..cells).collect(), (0..cells).rev().collect(), greedy]
}
