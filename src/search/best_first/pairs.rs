//! Nodes taken together are expanded together where each move changes the estimate by exactly
//! one: all their successors then have one of two estimates, and are gathered in two lists.
//!
//! Which moves are legal and which way they lead is as good as random, so there is no branch on
//! either: each successor is written to the end of both lists, and the end of one moves on, or
//! of none.

use super::open::Item;
use super::{Entry, Ground, MOST_TOGETHER, Run, Turns};
use crate::heuristic::{After, Heuristic};
use crate::puzzle::{Move, Puzzle};

/// The moves of a puzzle with a blank.
const MOVES: usize = 4;

/// No more successors can be in a list.
const ROOM: usize = MOVES * MOST_TOGETHER;

/// The successors of nodes taken together.
#[derive(Debug)]
pub(in crate::search) struct Pair<K: Copy> {
    nearer: List<K>,
    farther: List<K>,
}

/// Successors with the same estimate.
#[derive(Debug)]
struct List<K: Copy> {
    /// Beyond the length, whatever was there before.
    items: Box<[Item<K>; ROOM]>,
    len: usize,
}

impl<K: Copy> List<K> {
    /// Adds an item, or writes it where the next one is going to be.
    #[inline(always)]
    fn add(&mut self, item: Item<K>, stays: bool) {
        self.items[self.len % ROOM] = item;
        self.len += usize::from(stays);
    }

    fn items(&self) -> &[Item<K>] {
        &self.items[..self.len]
    }
}

impl<K: Copy> Pair<K> {
    pub(in crate::search) fn new(any: K) -> Pair<K> {
        let any = Entry { key: any, depth: 0, estimate: 0, last: Move(0), again: false }.item();
        let list = || List { items: Box::new([any; ROOM]), len: 0 };
        Pair { nearer: list(), farther: list() }
    }

    /// How many successors there are.
    pub(in crate::search) fn len(&self) -> usize {
        self.nearer.len + self.farther.len
    }
}

impl<P: Puzzle, H: Heuristic<P>> Ground<'_, P, H> {
    /// Gathers the successors of nodes; whether that is possible here.
    #[inline]
    pub(in crate::search) fn gather(&self, turns: &Turns<P::Key>, pair: &mut Pair<P::Key>) -> bool {
        let Some(value) = self.heuristic.unit_value(turns.estimate) else { return false };
        if P::FOUR_MOVES.is_none() {
            return false;
        }
        let Pair { nearer, farther } = pair;
        (nearer.len, farther.len) = (0, 0);
        for node in turns.nodes().rev() {
            let state = self.puzzle.state(node.key);
            let after = self.heuristic.after(self.puzzle, value, state);
            let moves = self.successors(state, node);
            for m in (0..MOVES as u8).map(Move) {
                let key = self.puzzle.key(self.puzzle.apply(state, m));
                let item = Entry { key, last: m, again: false, ..node }.item();
                let is_farther = self.heuristic.estimate(after.value(m)) > turns.estimate;
                let stays = moves.contains(m);
                nearer.add(item, stays & !is_farther);
                farther.add(item, stays & is_farther);
            }
        }
        true
    }

    /// What was gathered of nodes, by their estimates.
    #[inline]
    pub(in crate::search) fn gathered<'a>(
        &self,
        turns: &Turns<P::Key>,
        pair: &'a Pair<P::Key>,
    ) -> [Run<'a, P::Key>; 2] {
        let depth = turns.depth + 1;
        let run = |estimate, list: &'a List<P::Key>| Run {
            depth,
            estimate: self.parity.raised(estimate, depth),
            items: list.items(),
        };
        [
            run(turns.estimate.saturating_sub(1), &pair.nearer),
            run(turns.estimate + 1, &pair.farther),
        ]
    }
}
