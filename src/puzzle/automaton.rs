//! Which move may follow which: a finite automaton that keeps a depth-first search
//! from generating duplicate paths.
//!
//! Two kinds of duplicates are pruned, both read from the [`MoveTable`]:
//!
//! * **Order.** Where moves commute, only one order of them is generated: the
//!   lexicographically smallest (Cartier and Foata 1969; as a pruning automaton in
//!   Taylor and Korf 1993, "Pruning duplicate nodes in depth-first search"). A move
//!   is forbidden while it could be pulled forward past larger moves.
//! * **Turns.** A move and its inverse form a *line*. Within a run of a line, only
//!   the shortest way round is generated, and of two equal ones the smaller. For
//!   that, moves are ordered by line first.
//!
//! Nothing is lost: for each arrangement, take the smallest among the shortest
//! sequences that reach it (by length, then lexicographically). If it broke a rule,
//! exchanging the commuting moves, or turning the line the other way, would give a
//! smaller one. So every arrangement keeps a shortest sequence that is accepted.

pub mod loops;

use super::moves::{MAX_MOVES, Move, MoveSet, MoveTable};
use crate::hash::HashMap;
use std::sync::OnceLock;

/// A state of the [`Automaton`]: what must be remembered of the moves so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Memory(u16);

impl Memory {
    /// No move has been made yet.
    pub const START: Memory = Memory(0);

    /// The number of the state, below [`Automaton::states`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The move-ordering automaton of one puzzle.
#[derive(Clone, Debug)]
pub struct Automaton {
    rows: Vec<Transitions>,
    /// Computed on first use: that takes longer than solving an easy board.
    branching_factor: OnceLock<f64>,
}

/// The moves that one state allows, and the state after each.
#[derive(Clone, Debug)]
struct Transitions {
    allowed: MoveSet,
    next: [Memory; MAX_MOVES],
}

/// Beyond this many states only the last move is remembered: still sound, and the
/// tables stay in the cache.
const MAX_STATES: usize = 4096;

/// What a state of the automaton stands for.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Past {
    /// Moves that could be pulled forward past larger ones.
    out_of_order: MoveSet,
    /// The last move, and how many times it was made. (A run of another line never stays open:
    /// after a commuting move of a larger line it is out of order, and any other ends it.)
    run: Option<(Move, u64)>,
}

impl Past {
    fn empty() -> Past {
        Past { out_of_order: MoveSet::EMPTY, run: None }
    }

    fn forbidden(&self, table: &MoveTable) -> MoveSet {
        let turned = match self.run {
            None => MoveSet::EMPTY,
            Some((m, length)) => {
                let back = table.inverse(m).filter(|&inverse| inverse != m);
                let enough = (length >= longest_run(table, m)).then_some(m);
                back.into_iter().chain(enough).fold(MoveSet::EMPTY, MoveSet::with)
            }
        };
        MoveSet(self.out_of_order.0 | turned.0 | table.duplicates().0)
    }

    fn after(&self, m: Move, table: &MoveTable) -> Past {
        let commuting = table.commuting(m);
        let same_line = |a: Move| line(table, a) == line(table, m);
        let out_of_order = table
            .all()
            .filter(|&a| commuting.contains(a) && !same_line(a))
            .filter(|&a| line(table, a) < line(table, m) || self.out_of_order.contains(a))
            .fold(MoveSet::EMPTY, MoveSet::with);
        let before = self.run.filter(|run| run.0 == m).map_or(0, |run| run.1);
        // A run that may be of any length needs no counting.
        let length = if table.order(m).is_some() { before + 1 } else { 1 };
        Past { out_of_order, run: Some((m, length)) }
    }
}

/// The line of a move, named by its smaller member. Commuting moves are ordered by
/// their lines, so that the moves of one line stand together.
fn line(table: &MoveTable, m: Move) -> Move {
    table.inverse(m).map_or(m, |inverse| inverse.min(m))
}

/// How many times `m` may be made in a row before another way is at least as good.
fn longest_run(table: &MoveTable, m: Move) -> u64 {
    let Some(order) = table.order(m) else {
        return u64::MAX;
    };
    match table.inverse(m) {
        None => order - 1,
        Some(inverse) if inverse > m || order % 2 == 1 => order / 2,
        Some(inverse) if inverse == m => 1,
        Some(_) => order / 2 - 1,
    }
}

impl Automaton {
    /// Derives the automaton from the moves.
    pub fn new(table: &MoveTable) -> Automaton {
        let mut numbers: HashMap<Past, Memory> = HashMap::default();
        let mut pasts = vec![Past::empty()];
        numbers.insert(Past::empty(), Memory::START);
        // The states that remember one move come first: they are the fallback.
        for m in table.all() {
            number_of(Past::empty().after(m, table), &mut numbers, &mut pasts);
        }
        let fallbacks: Vec<Memory> =
            table.all().map(|m| numbers[&Past::empty().after(m, table)]).collect();
        let mut rows: Vec<Transitions> = Vec::new();
        while let Some(past) = pasts.get(rows.len()).cloned() {
            let allowed = table.all().without(past.forbidden(table));
            let mut next = [Memory::START; MAX_MOVES];
            for m in allowed {
                let then = past.after(m, table);
                next[m.index()] = if pasts.len() < MAX_STATES || numbers.contains_key(&then) {
                    number_of(then, &mut numbers, &mut pasts)
                } else {
                    fallbacks[m.index()]
                };
            }
            rows.push(Transitions { allowed, next });
        }
        Automaton { rows, branching_factor: OnceLock::new() }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.rows.len()
    }

    /// The moves that may come next.
    #[inline]
    pub fn allowed(&self, memory: Memory) -> MoveSet {
        self.rows[memory.index()].allowed
    }

    /// What to remember after an allowed move.
    #[inline]
    pub fn after(&self, memory: Memory, m: Move) -> Memory {
        debug_assert!(self.allowed(memory).contains(m));
        self.rows[memory.index()].next[m.index() % MAX_MOVES]
    }

    /// How many sequences of 0, 1, 2, … moves are let through; saturating.
    ///
    /// On a puzzle whose moves are not legal everywhere this counts sequences of
    /// moves, not walks.
    pub fn sequences(&self) -> impl Iterator<Item = u128> {
        let mut ways = vec![0u128; self.states()];
        ways[Memory::START.index()] = 1;
        std::iter::from_fn(move || {
            let total = ways.iter().fold(0u128, |sum, &count| sum.saturating_add(count));
            let mut longer = vec![0u128; self.states()];
            for (row, &count) in self.rows.iter().zip(&ways).filter(|&(_, &count)| count > 0) {
                for m in row.allowed {
                    let to = &mut longer[row.next[m.index()].index()];
                    *to = to.saturating_add(count);
                }
            }
            ways = longer;
            Some(total)
        })
    }

    /// By which factor the number of sequences grows with each move, in the long run.
    pub fn branching_factor(&self) -> f64 {
        *self.branching_factor.get_or_init(|| self.growth())
    }

    fn growth(&self) -> f64 {
        const STEPS: usize = 64;
        let mut weights = vec![1.0f64; self.states()];
        let mut factor = 0.0;
        for _ in 0..STEPS {
            let weight = |row: &Transitions| -> f64 {
                row.allowed.map(|m| weights[row.next[m.index()].index()]).sum()
            };
            let grown: Vec<f64> = self.rows.iter().map(weight).collect();
            factor = grown.iter().fold(0.0, |a, &b| f64::max(a, b));
            if factor == 0.0 {
                return 0.0;
            }
            weights = grown.iter().map(|weight| weight / factor).collect();
        }
        factor
    }
}

fn number_of(past: Past, numbers: &mut HashMap<Past, Memory>, pasts: &mut Vec<Past>) -> Memory {
    let fresh = Memory(pasts.len() as u16);
    *numbers.entry(past.clone()).or_insert_with(|| {
        pasts.push(past);
        fresh
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::moves::Action;
    use crate::puzzle::permutation::Permutation;

    fn table(permutations: Vec<Permutation>) -> MoveTable {
        let names = (0..permutations.len()).map(|i| format!("m{i}")).collect();
        MoveTable::new(names, Action::Permutations(permutations))
    }

    /// Every arrangement is still reached by a sequence as short as without pruning.
    fn keeps_all_distances(table: &MoveTable) {
        let automaton = Automaton::new(table);
        let permutation = |m| table.permutation(m).unwrap();
        let start = Permutation::identity(permutation(Move(0)).cells());
        let mut free: Vec<Permutation> = vec![start.clone()];
        let mut pruned = vec![(start, Memory::START)];
        let mut seen = free.clone();
        let mut seen_pruned = free.clone();
        for depth in 1..=7 {
            free = free.iter().flat_map(|p| table.all().map(|m| p.then(permutation(m)))).collect();
            free.sort();
            free.dedup();
            free.retain(|p| !seen.contains(p));
            seen.extend(free.iter().cloned());
            // By state and memory: a walk may come to a known arrangement and go on.
            pruned = pruned
                .iter()
                .flat_map(|(p, memory)| {
                    automaton
                        .allowed(*memory)
                        .map(|m| (p.then(permutation(m)), automaton.after(*memory, m)))
                        .collect::<Vec<_>>()
                })
                .collect();
            pruned.sort_by_key(|(p, memory)| (p.clone(), memory.index()));
            pruned.dedup();
            let mut reached: Vec<Permutation> = pruned.iter().map(|(p, _)| p.clone()).collect();
            reached.dedup();
            reached.retain(|p| !seen_pruned.contains(p));
            seen_pruned.extend(reached.iter().cloned());
            assert_eq!(reached, free, "depth {depth}");
        }
    }

    #[test]
    fn loses_no_arrangement() {
        let turn = |cells: &[usize]| Permutation::from_cycles(6, &[cells]);
        let a = turn(&[0, 1, 2, 3]);
        let b = turn(&[3, 4]);
        let c = turn(&[0, 5, 4]);
        // Closed under inversion.
        let closed = vec![a.clone(), a.inverse(), b.clone(), c.clone(), c.inverse()];
        keeps_all_distances(&table(closed));
        // In another order, which changes what "smallest" means.
        keeps_all_distances(&table(vec![
            c.inverse(),
            b.clone(),
            a.inverse(),
            c.clone(),
            a.clone(),
        ]));
        // One-way moves, a duplicate, and commuting pairs that do not form classes:
        // p commutes with q and with r, which do not commute with each other.
        let (p, q, r) = (turn(&[0, 1, 2]), turn(&[3, 4]), turn(&[4, 5]));
        keeps_all_distances(&table(vec![q.clone(), p.clone(), r.clone(), q.clone()]));
        keeps_all_distances(&table(vec![p.inverse(), q, p, r]));
        keeps_all_distances(&table(vec![a, c, b]));
    }

    #[test]
    fn commuting_moves_come_in_one_order_even_at_a_distance() {
        // b commutes with a and with c; a and c do not commute.
        let turn = |cells: &[usize]| Permutation::from_cycles(6, &[cells]);
        let table = table(vec![turn(&[4, 5]), turn(&[0, 1]), turn(&[1, 2])]);
        let automaton = Automaton::new(&table);
        let (b, a, c) = (Move(0), Move(1), Move(2));
        let after = |moves: &[Move]| {
            moves.iter().fold(Memory::START, |memory, &m| automaton.after(memory, m))
        };
        // "b a c" is smaller than "a c b" and than "a b c".
        assert!(!automaton.allowed(after(&[a, c])).contains(b));
        assert!(!automaton.allowed(after(&[a])).contains(b));
        assert!(automaton.allowed(after(&[b, a])).contains(c));
        assert!(!automaton.allowed(after(&[b, a, c, a])).contains(b));
    }
}
