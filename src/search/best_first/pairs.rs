//! Nodes taken together are expanded together where each move changes the estimate by exactly
//! one: all their successors then have one of two estimates, and are gathered in two lists.
//!
//! Which moves are legal and which way they lead is as good as random, so there is no branch on
//! either: each successor is written to the end of both lists, and the end of one moves on, or
//! of none.

use super::open::{Batch, OpenNode, PackedNode};
use super::runs::Run;
use super::{MOST_TOGETHER, SuccessorRules};
use crate::heuristic::{After, Heuristic};
use crate::puzzle::{Depth, Move, Puzzle};

/// The moves of a puzzle with a blank.
const MOVES: usize = 4;

/// No more successors can be in a list.
const ROOM: usize = MOVES * MOST_TOGETHER;

/// The successors of nodes taken together.
#[derive(Debug)]
pub(super) struct Pair<K: Copy> {
    nearer: List<K>,
    farther: List<K>,
    depth: Depth,
    /// Of the nearer ones, and of the farther ones.
    estimates: [Depth; 2],
}

/// Successors with the same estimate.
#[derive(Debug)]
struct List<K: Copy> {
    /// Beyond the length, whatever was there before.
    items: Box<[PackedNode<K>; ROOM]>,
    len: usize,
}

impl<K: Copy> List<K> {
    fn items(&self) -> &[PackedNode<K>] {
        &self.items[..self.len]
    }
}

impl<K: Copy> Pair<K> {
    pub(super) fn new(any: K) -> Pair<K> {
        let any = OpenNode { key: any, depth: 0, estimate: 0, last: Move(0), again: false }.item();
        let list = || List { items: Box::new([any; ROOM]), len: 0 };
        Pair { nearer: list(), farther: list(), depth: 0, estimates: [0; 2] }
    }

    pub(super) fn clear(&mut self) {
        (self.nearer.len, self.farther.len) = (0, 0);
    }

    /// The successors by their estimates.
    #[inline]
    pub(super) fn runs(&self) -> [Run<'_, K>; 2] {
        let Pair { nearer, farther, depth, estimates } = self;
        [
            Run { depth: *depth, estimate: estimates[0], items: nearer.items() },
            Run { depth: *depth, estimate: estimates[1], items: farther.items() },
        ]
    }

    /// How many successors there are.
    pub(super) fn len(&self) -> usize {
        self.nearer.len + self.farther.len
    }
}

impl<K: Copy> Pair<K> {
    /// The successors of a batch, whose nodes all have this value, in place of those before.
    #[inline]
    pub(super) fn fill<P: Puzzle<Key = K>, H: Heuristic<P>>(
        &mut self,
        puzzle: &P,
        heuristic: &H,
        value: H::Value,
        batch: &Batch<K>,
        rules: &SuccessorRules,
    ) {
        // What changes with each successor is in registers.
        let (nearer, farther) = (&mut *self.nearer.items, &mut *self.farther.items);
        let (mut near, mut far) = (0, 0);
        for node in batch.nodes().rev() {
            let state = puzzle.state(node.key);
            let after = heuristic.after(puzzle, value, state);
            let moves = rules.moves_of(&node).and(puzzle.legal(state));
            for m in (0..MOVES as u8).map(Move) {
                let key = puzzle.key(puzzle.apply(state, m));
                let item = OpenNode { key, last: m, again: false, ..node }.item();
                let is_farther = heuristic.estimate(after.value(m)) > batch.estimate;
                let stays = moves.contains(m);
                // Each is written to where the next one of either list is going to be.
                nearer[near % ROOM] = item;
                farther[far % ROOM] = item;
                near += usize::from(stays & !is_farther);
                far += usize::from(stays & is_farther);
            }
        }
        (self.nearer.len, self.farther.len) = (near, far);
        self.depth = batch.depth + 1;
        self.estimates = [batch.estimate.saturating_sub(1), batch.estimate + 1]
            .map(|estimate| rules.parity.raised(estimate, self.depth));
    }
}
