//! Finds relations: sets of pairs of cells that nearly every move maps to pairs of the same set.
//!
//! A relation is grown from one pair, greedily: the next pair is the one that the largest share of its
//! moves takes to pairs in the relation, as long as each cell has one partner: the cell to its
//! right, its column, its neighbour in a circle. Where no such relation is stable, pairs may be
//! unordered, because moves reverse them, as those of pancakes do; each cell then has two partners, one
//! on either side. In the end, pairs that most moves take out of the grown set are removed again.
//!
//! The **leak** of a relation is the share of all moves of its pairs that lead out of it.

use crate::puzzle::permutation::Permutation;

/// Stands for pairs without a relation.
pub(super) const NONE: u16 = 0;

/// Which relation each pair of cells is in.
pub(super) struct Found {
    /// By pair, first cell times the number of cells plus second: its relation, or [`NONE`]. A cell
    /// with itself is a pair as well: it stands for the cell's place on the board.
    pub(super) of_pair: Vec<u16>,
    /// How many there are, [`NONE`] included.
    pub(super) count: usize,
}

/// One that was grown.
struct Relation {
    pairs: Vec<usize>,
    /// The part of all moves of its pairs that lead out of it.
    leak: f64,
}

/// The relations between the cells of one orbit and those of the same or another one.
struct Kind {
    /// In ascending order of their leaks.
    relations: Vec<Relation>,
    /// How many pairs there are.
    pairs: usize,
    /// Whether a pair and its reverse are the same.
    unordered: bool,
}

/// The most relations that are kept.
const MOST_RELATIONS: usize = 400;

impl Kind {
    /// How much the best of them leaks.
    fn least(&self) -> f64 {
        self.relations.first().map_or(f64::MAX, |relation| relation.leak)
    }
}

/// Relations that leak more are left out.
const MOST_LEAK: f64 = 0.25;

/// The relations of pairs are useful if the best leaks at most this many times as much as the places of
/// single cells do: then tiles stay together as they move.
const TOGETHER: f64 = 0.5;

/// Of a kind, and of all kinds, the relations are taken that leak at most this many times as much as
/// the best.
const LEAKIER: f64 = 4.0;

/// If these do not contain nearly all pairs, the number of steps from one to another is unreliable:
/// then only those are taken which are hardly worse than the best.
const HARDLY_LEAKIER: f64 = 1.9;
const NEARLY_ALL: f64 = 0.9;

/// A pair and its reverse count as one where only such relations are stable, or where they leak this
/// many times less.
const UNORDERED: f64 = 3.0;

/// If the first relations leak this many times as much as places, no others are grown.
const HOPELESS: f64 = 0.75;

/// How many pairs are looked at in all, some hundredths of a second's work: each kind may use half
/// of what the kinds before it have left.
const WORK: u64 = 20_000_000;

/// The relations of a puzzle's cells.
pub(super) fn find(cells: usize, moves: &[Permutation]) -> Found {
    let orbits = orbits(cells, moves);
    let mut ways: Vec<Permutation> = moves.iter().map(Permutation::inverse).collect();
    if ways.iter().any(|way| !moves.contains(way)) {
        ways.extend(moves.iter().cloned());
    }
    let mut growth = Growth::new(cells, &ways);
    let mut kinds = Vec::new();
    let mut work = WORK;
    for (number, first) in orbits.iter().enumerate() {
        for second in &orbits[..=number] {
            let (many, few) =
                if first.len() < second.len() { (second, first) } else { (first, second) };
            kinds.push(growth.kind(many, few, &mut work));
        }
    }
    if !kinds.iter().any(|kind| growth.holds(kind)) {
        return Found { of_pair: vec![NONE; cells * cells], count: 1 };
    }
    kinds.push(growth.places());
    choose(cells, &kinds)
}

/// The cells by orbit, without those that no move changes.
fn orbits(cells: usize, moves: &[Permutation]) -> Vec<Vec<usize>> {
    let mut orbit_of = vec![usize::MAX; cells];
    let mut orbits: Vec<Vec<usize>> = Vec::new();
    for first in 0..cells {
        if orbit_of[first] != usize::MAX {
            continue;
        }
        let mut orbit = vec![first];
        orbit_of[first] = orbits.len();
        let mut next = 0;
        while let Some(&cell) = orbit.get(next) {
            next += 1;
            for from in moves.iter().map(|m| m.source(cell)) {
                if orbit_of[from] == usize::MAX {
                    orbit_of[from] = orbits.len();
                    orbit.push(from);
                }
            }
        }
        orbit.sort_unstable();
        orbits.push(orbit);
    }
    orbits.retain(|orbit| orbit.len() > 1);
    orbits
}

/// Takes the relations that leak least, so that no two have a pair in common.
fn choose(cells: usize, kinds: &[Kind]) -> Found {
    let least_of_all = kinds.iter().map(Kind::least).fold(f64::MAX, f64::min);
    let mut found = Found { of_pair: vec![NONE; cells * cells], count: 1 };
    for kind in kinds {
        let least = kind.least();
        if least > (LEAKIER * least_of_all).min(MOST_LEAK) {
            continue;
        }
        let within = |most: f64| {
            let most = most.min(MOST_LEAK);
            kind.relations.iter().take_while(move |relation| relation.leak <= most)
        };
        let mut held: Vec<usize> =
            within(LEAKIER * least).flat_map(|relation| relation.pairs.iter().copied()).collect();
        held.sort_unstable();
        held.dedup();
        let is_whole = held.len() as f64 >= NEARLY_ALL * kind.pairs as f64;
        for relation in within(if is_whole { LEAKIER } else { HARDLY_LEAKIER } * least) {
            found.add(cells, &relation.pairs, kind.unordered);
        }
    }
    found
}

impl Found {
    /// Adds a relation and its reverse, unless most of its pairs are in one already.
    fn add(&mut self, cells: usize, pairs: &[usize], unordered: bool) {
        let reverse = |pair: usize| pair % cells * cells + pair / cells;
        let is_free = |pair: &usize| self.of_pair[*pair] == NONE;
        let free: Vec<usize> = pairs.iter().copied().filter(is_free).collect();
        if free.len() * 2 <= pairs.len() || self.count + 2 > MOST_RELATIONS {
            return;
        }
        // The relation of a pair has to tell that of its reverse: each pair is looked at in one
        // direction only, and moves may turn it round.
        let reversed = free.iter().filter(|&&pair| pairs.contains(&reverse(pair))).count();
        if !unordered && reversed > 0 && reversed < free.len() {
            return;
        }
        let (one, other) = (self.count as u16, self.count as u16 + 1);
        for pair in free {
            if self.of_pair[pair] != NONE {
                // The reverse of one that was just added.
                continue;
            }
            self.of_pair[pair] = one;
            let turned = reverse(pair);
            if unordered || turned == pair {
                self.of_pair[turned] = one;
            } else if self.of_pair[turned] == NONE {
                self.of_pair[turned] = if pairs.contains(&turned) { one } else { other };
            }
        }
        self.count = usize::from(other) + 1;
    }
}

/// Grows relations, in memory that is reused.
struct Growth<'a> {
    cells: usize,
    ways: &'a [Permutation],
    /// The part of all moves that change what is in a cell, on average.
    place_leak: f64,
    unordered: bool,
    /// By pair, whether it is in the relation.
    is_in: Vec<bool>,
    /// By pair, how many moves lead from the relation there.
    support: Vec<u32>,
    /// By pair, how many moves change it: of ordered pairs, and of unordered ones.
    changed: [Vec<u32>; 2],
    /// By cell, in how many pairs of the relation it comes first and second.
    firsts: Vec<usize>,
    seconds: Vec<usize>,
    /// All that were added.
    grown: Vec<usize>,
    /// The candidates for the next pair, and some that no longer are.
    frontier: Vec<usize>,
}

impl Growth<'_> {
    fn new(cells: usize, ways: &[Permutation]) -> Growth<'_> {
        let mut growth = Growth {
            cells,
            ways,
            place_leak: 0.0,
            unordered: false,
            is_in: vec![false; cells * cells],
            support: vec![0; cells * cells],
            changed: [Vec::new(), Vec::new()],
            firsts: vec![0; cells],
            seconds: vec![0; cells],
            grown: Vec::new(),
            frontier: Vec::new(),
        };
        let places = growth.places().relations;
        let sum: f64 = places.iter().map(|place| place.leak).sum();
        growth.place_leak = sum / places.len().max(1) as f64;
        growth
    }

    /// Whether the best of a kind keeps tiles together on their ways.
    fn holds(&self, kind: &Kind) -> bool {
        kind.least() <= TOGETHER * self.place_leak
    }

    /// The cells that moves seldom change, such as the plate under a stack of pancakes.
    fn places(&self) -> Kind {
        let leak = |cell: usize| {
            let changes = self.ways.iter().filter(|way| way.source(cell) != cell).count();
            changes as f64 / self.ways.len() as f64
        };
        let place = |cell| Relation { pairs: vec![cell * self.cells + cell], leak: leak(cell) };
        let relations = sorted((0..self.cells).map(place).collect());
        Kind { pairs: relations.len(), relations, unordered: true }
    }

    /// The relations between the cells of two orbits, or of one.
    fn kind(&mut self, many: &[usize], few: &[usize], work: &mut u64) -> Kind {
        let ordered = self.grow_all(many, few, work);
        if many != few {
            // A pair and its reverse are pairs of the same two orbits.
            return Kind { relations: ordered, pairs: many.len() * few.len(), unordered: true };
        }
        self.unordered = true;
        let unordered = self.grow_all(many, few, work);
        self.unordered = false;
        let pairs = many.len() * (many.len() - 1);
        let ordered = Kind { relations: ordered, pairs, unordered: false };
        let unordered = Kind { relations: unordered, pairs: pairs / 2, unordered: true };
        let is_worse = ordered.least() > UNORDERED * unordered.least();
        let only_unordered = !self.holds(&ordered) && self.holds(&unordered);
        if is_worse || only_unordered { unordered } else { ordered }
    }

    /// The relations grown from all pairs, as far as there is time. If those that begin with one of a
    /// few cells all leak far too much, so do the others.
    fn grow_all(&mut self, many: &[usize], few: &[usize], work: &mut u64) -> Vec<Relation> {
        let mut left = *work / 2;
        *work -= left;
        let unordered = usize::from(self.unordered);
        if self.changed[unordered].is_empty() {
            self.changed[unordered] = self.count_changes();
        }
        let mut relations: Vec<Relation> = Vec::new();
        let tried_first = [0, many.len() / 2, many.len() - 1];
        let others = (0..many.len()).filter(|number| !tried_first.contains(number));
        for (tried, number) in tried_first.into_iter().chain(others).enumerate() {
            let most = HOPELESS * self.place_leak;
            let holds = |relation: &Relation| relation.leak <= most;
            if tried == tried_first.len() && !relations.iter().any(holds) {
                break;
            }
            let first = many[number];
            for &second in few {
                if first == second || left == 0 {
                    continue;
                }
                let (one, other) = (first, second);
                let (one, other) =
                    if self.unordered { (one.min(other), one.max(other)) } else { (one, other) };
                let seed = one * self.cells + other;
                relations.extend(self.grow(seed, many.len(), few.len(), &mut left));
            }
        }
        *work += left;
        sorted(relations)
    }

    /// By pair, how many moves change it.
    fn count_changes(&self) -> Vec<u32> {
        let changes = |pair| self.ways.iter().filter(|way| self.after(pair, way) != pair).count();
        (0..self.cells * self.cells).map(|pair| changes(pair) as u32).collect()
    }

    /// The pair that a move takes a pair to.
    fn after(&self, pair: usize, way: &Permutation) -> usize {
        let (first, second) = (way.source(pair / self.cells), way.source(pair % self.cells));
        let (first, second) =
            if self.unordered { (first.min(second), first.max(second)) } else { (first, second) };
        first * self.cells + second
    }

    /// The relation that is grown from a pair, if it is stable.
    fn grow(&mut self, seed: usize, many: usize, few: usize, left: &mut u64) -> Option<Relation> {
        let cells = self.cells;
        let mut next = Some(seed);
        while let Some(pair) = next {
            self.add(pair);
            *left = left.saturating_sub((self.frontier.len() + self.ways.len()) as u64);
            if self.grown.len() == many || *left == 0 {
                break;
            }
            let unordered = self.unordered;
            let Growth { is_in, firsts, seconds, frontier, support, changed, .. } = self;
            let changed = &changed[usize::from(unordered)];
            let most_seconds = many.div_ceil(few);
            frontier.retain(|&pair| {
                let (first, second) = (pair / cells, pair % cells);
                let has_room = if unordered {
                    firsts[first] + seconds[first] < 2 && firsts[second] + seconds[second] < 2
                } else {
                    firsts[first] < 1 && seconds[second] < most_seconds
                };
                has_room && !is_in[pair]
            });
            // The first of those with the largest part of moves from here.
            next = frontier.iter().copied().reduce(|best, pair| {
                let is_better = support[pair] * changed[best] > support[best] * changed[pair];
                if is_better { pair } else { best }
            });
        }
        let relation = self.result();
        self.clear();
        let holds = relation.pairs.len() * 2 >= many && relation.leak > 0.0 && *left > 0;
        holds.then_some(relation)
    }

    fn add(&mut self, pair: usize) {
        self.is_in[pair] = true;
        self.grown.push(pair);
        self.firsts[pair / self.cells] += 1;
        self.seconds[pair % self.cells] += 1;
        for way in self.ways {
            let after = self.after(pair, way);
            if !self.is_in[after] {
                if self.support[after] == 0 {
                    self.frontier.push(after);
                }
                self.support[after] += 1;
            }
        }
    }

    /// How many moves take a pair of the relation out of it.
    fn ways_out(&self, pair: usize) -> usize {
        self.ways.iter().filter(|way| !self.is_in[self.after(pair, way)]).count()
    }

    /// What was grown, without what most moves take out of it.
    fn result(&mut self) -> Relation {
        let mut pairs = self.grown.clone();
        loop {
            let is_loose = |pair: &usize| self.ways_out(*pair) * 2 > self.ways.len();
            let loose: Vec<usize> = pairs.iter().copied().filter(is_loose).collect();
            if loose.is_empty() {
                break;
            }
            for pair in loose {
                self.is_in[pair] = false;
            }
            pairs.retain(|&pair| self.is_in[pair]);
        }
        let out: usize = pairs.iter().map(|&pair| self.ways_out(pair)).sum();
        let leak = out as f64 / (pairs.len() * self.ways.len()).max(1) as f64;
        Relation { pairs, leak }
    }

    /// Clears the memory for the next one.
    fn clear(&mut self) {
        for pair in std::mem::take(&mut self.grown) {
            self.is_in[pair] = false;
            for way in self.ways {
                let after = self.after(pair, way);
                self.support[after] = 0;
            }
        }
        self.frontier.clear();
        self.firsts.fill(0);
        self.seconds.fill(0);
    }
}

/// Those that leak least first.
fn sorted(mut relations: Vec<Relation>) -> Vec<Relation> {
    relations.retain(|relation| relation.leak > 0.0);
    relations.sort_by(|one, other| one.leak.total_cmp(&other.leak));
    relations
}
