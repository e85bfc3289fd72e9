//! The moves of a puzzle and what follows from their tables.
//!
//! Nothing here is written by hand for one puzzle: inverses, orders, parities and
//! commuting pairs are computed from the permutations themselves.

use super::permutation::Permutation;

/// The most moves that a puzzle may have: a set of moves fits a word.
pub const MAX_MOVES: usize = 64;

/// One move of a puzzle, as an index into its [`MoveTable`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(pub u8);

impl Move {
    /// The index of the move in its table.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of moves; iterating yields them in the order of their indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MoveSet(pub u64);

impl MoveSet {
    /// The set without any move.
    pub const EMPTY: MoveSet = MoveSet(0);

    /// The first `count` moves.
    pub fn first(count: usize) -> MoveSet {
        assert!(count <= MAX_MOVES, "a set of moves fits a word");
        MoveSet(if count == MAX_MOVES { u64::MAX } else { (1 << count) - 1 })
    }

    /// Whether `m` is in the set.
    #[inline]
    pub fn contains(self, m: Move) -> bool {
        self.0 >> m.0 & 1 == 1
    }

    /// The set together with `m`.
    #[inline]
    #[must_use]
    pub fn with(self, m: Move) -> MoveSet {
        MoveSet(self.0 | 1 << m.0)
    }

    /// The moves in both sets.
    #[inline]
    #[must_use]
    pub fn and(self, other: MoveSet) -> MoveSet {
        MoveSet(self.0 & other.0)
    }

    /// The moves of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn without(self, other: MoveSet) -> MoveSet {
        MoveSet(self.0 & !other.0)
    }

    /// How many moves are in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no move in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for MoveSet {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let m = Move(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(m)
    }
}

/// How a puzzle's moves act on a state.
#[derive(Clone, Debug)]
pub enum Action {
    /// Each move is a fixed rearrangement of the cells, legal everywhere.
    Permutations(Vec<Permutation>),
    /// Each move swaps the blank with a neighbour. For every move, by the blank's
    /// cell, where the blank goes, or `None` where the move is illegal.
    Blank(Vec<Vec<Option<u8>>>),
}

/// The moves of one puzzle: names, and everything that follows from their action.
#[derive(Clone, Debug)]
pub struct MoveTable {
    names: Vec<String>,
    action: Action,
    inverse: Vec<Option<Move>>,
    commuting: Vec<MoveSet>,
    duplicates: MoveSet,
    odd: MoveSet,
}

impl MoveTable {
    /// Derives the table from the names and the action of the moves.
    pub fn new(names: Vec<String>, action: Action) -> MoveTable {
        let count = names.len();
        assert!((1..=MAX_MOVES).contains(&count), "a puzzle has 1 to {MAX_MOVES} moves");
        let pairs = |holds: &dyn Fn(usize, usize) -> bool| -> Vec<MoveSet> {
            let row = |a| {
                (0..count).filter(|&b| holds(a, b)).fold(MoveSet::EMPTY, |set, b| set.with(mv(b)))
            };
            (0..count).map(row).collect()
        };
        let (inverse_pairs, commuting, equal) = match &action {
            Action::Permutations(moves) => (
                pairs(&|a, b| moves[a].then(&moves[b]).is_identity()),
                pairs(&|a, b| moves[a].commutes_with(&moves[b])),
                pairs(&|a, b| moves[a] == moves[b]),
            ),
            Action::Blank(targets) => (
                pairs(&|a, b| undoes(&targets[a], &targets[b])),
                pairs(&|a, b| a == b),
                pairs(&|a, b| a == b),
            ),
        };
        let inverse = inverse_pairs.into_iter().map(|mut set| set.next()).collect();
        let duplicates = (0..count)
            .filter(|&b| equal[b].into_iter().any(|a| a.index() < b))
            .fold(MoveSet::EMPTY, |set, b| set.with(mv(b)));
        let is_odd = |m: &usize| match &action {
            Action::Permutations(moves) => moves[*m].is_odd(),
            Action::Blank(_) => true,
        };
        let odd = (0..count).filter(is_odd).fold(MoveSet::EMPTY, |set, m| set.with(mv(m)));
        MoveTable { names, action, inverse, commuting, duplicates, odd }
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never true: a puzzle has at least one move.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All moves, in order.
    pub fn all(&self) -> MoveSet {
        MoveSet::first(self.len())
    }

    /// The name of a move.
    pub fn name(&self, m: Move) -> &str {
        &self.names[m.index()]
    }

    /// The move of this name.
    pub fn by_name(&self, name: &str) -> Option<Move> {
        self.names.iter().position(|n| n == name).map(mv)
    }

    /// How the moves act.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// The move as a rearrangement of cells, where it is one.
    pub fn permutation(&self, m: Move) -> Option<&Permutation> {
        match &self.action {
            Action::Permutations(moves) => Some(&moves[m.index()]),
            Action::Blank(_) => None,
        }
    }

    /// The move that undoes `m`, if it is in the set.
    pub fn inverse(&self, m: Move) -> Option<Move> {
        self.inverse[m.index()]
    }

    /// The move back after a move, given by its number, as a set: empty if none undoes it, or if
    /// there was no move of that number.
    pub fn back_from(&self, last: u8) -> MoveSet {
        let back = self.inverse.get(usize::from(last)).copied().flatten();
        back.map_or(MoveSet::EMPTY, |back| MoveSet::EMPTY.with(back))
    }

    /// Whether every move can be undone by another.
    pub fn closed_under_inversion(&self) -> bool {
        self.inverse.iter().all(Option::is_some)
    }

    /// How often `m` must be repeated to change nothing; `None` where a repetition
    /// runs into the edge.
    pub fn order(&self, m: Move) -> Option<u64> {
        self.permutation(m).map(Permutation::order)
    }

    /// Whether `m` is an odd permutation of the cells' contents, the blank included.
    pub fn is_odd(&self, m: Move) -> bool {
        self.odd.contains(m)
    }

    /// Whether each move changes the parity of the arrangement, so that a board
    /// fixes the parity of the length of its solutions.
    pub fn all_odd(&self) -> bool {
        self.odd == self.all()
    }

    /// The moves that may be exchanged with a neighbouring `m` (`m` is one of them).
    pub fn commuting(&self, m: Move) -> MoveSet {
        self.commuting[m.index()]
    }

    /// The moves that do the same as an earlier one, as left and right do in a row of two.
    pub fn duplicates(&self) -> MoveSet {
        self.duplicates
    }

    /// The most tiles that one move shifts.
    pub fn most_tiles_shifted(&self) -> usize {
        match &self.action {
            Action::Permutations(moves) => {
                moves.iter().map(|p| p.moved().count()).max().unwrap_or(0)
            }
            Action::Blank(_) => 1,
        }
    }
}

fn mv(index: usize) -> Move {
    Move(index as u8)
}

/// Whether the blank move `back` returns the blank wherever `there` is legal.
fn undoes(there: &[Option<u8>], back: &[Option<u8>]) -> bool {
    there.iter().enumerate().all(|(cell, target)| {
        target.is_none_or(|target| back[usize::from(target)] == Some(cell as u8))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_in_order() {
        let set = MoveSet::EMPTY.with(Move(5)).with(Move(63)).with(Move(0));
        assert_eq!(set.collect::<Vec<_>>(), [Move(0), Move(5), Move(63)]);
        assert_eq!((set.len(), MoveSet::first(64).len()), (3, 64));
    }

    #[test]
    fn facts_come_from_the_permutations() {
        let turn = Permutation::from_cycles(4, &[[0, 1, 2]]);
        let swap = Permutation::from_cycles(4, &[[0, 3]]);
        let table = MoveTable::new(
            ["turn", "back", "swap", "again"].map(String::from).into(),
            Action::Permutations(vec![turn.clone(), turn.inverse(), swap.clone(), swap]),
        );
        assert_eq!(table.inverse(Move(0)), Some(Move(1)));
        assert_eq!(table.inverse(Move(2)), Some(Move(2)));
        assert_eq!(table.order(Move(0)), Some(3));
        assert!(table.is_odd(Move(2)) && !table.is_odd(Move(0)) && !table.all_odd());
        assert_eq!(table.commuting(Move(0)), MoveSet(0b0011));
        assert_eq!(table.duplicates(), MoveSet(0b1000));
        assert_eq!(table.most_tiles_shifted(), 3);
        assert_eq!(table.by_name("back"), Some(Move(1)));
    }

    #[test]
    fn a_one_way_move_has_no_inverse() {
        let turn = Permutation::from_cycles(3, &[[0, 1, 2]]);
        let table = MoveTable::new(vec!["turn".to_owned()], Action::Permutations(vec![turn]));
        assert_eq!(table.inverse(Move(0)), None);
        assert!(!table.closed_under_inversion());
    }
}
