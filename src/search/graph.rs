//! The state graph of a puzzle by packed keys, with the puzzle's own type erased: searches that
//! store states are compiled once for each key.

use crate::puzzle::packed::Packed;
use crate::puzzle::{Frame, Move, MoveSet, Puzzle};

/// States are keys, edges are moves.
pub trait Graph<K>: Send + Sync {
    fn frame(&self) -> &Frame;

    fn goal(&self) -> K;

    fn key(&self, labels: &[u8]) -> K;

    fn legal(&self, key: K) -> MoveSet;

    fn apply(&self, key: K, m: Move) -> K;

    /// The state before a move that can have led to this one.
    fn undo(&self, key: K, m: Move) -> K;

    /// The states after the legal ones of these moves, in place of what `successors` held.
    fn successors(&self, key: K, order: &[Move], successors: &mut Vec<(Move, K)>);

    /// The states from which one move leads here, in place of what `predecessors` held.
    fn predecessors(&self, key: K, predecessors: &mut Vec<(Move, K)>);
}

impl<P: Puzzle> Graph<P::Key> for P {
    fn frame(&self) -> &Frame {
        Puzzle::frame(self)
    }

    fn goal(&self) -> P::Key {
        Puzzle::key(self, Puzzle::goal(self))
    }

    fn key(&self, labels: &[u8]) -> P::Key {
        P::Key::from_labels(labels)
    }

    fn legal(&self, key: P::Key) -> MoveSet {
        Puzzle::legal(self, self.state(key))
    }

    fn apply(&self, key: P::Key, m: Move) -> P::Key {
        Puzzle::key(self, Puzzle::apply(self, self.state(key), m))
    }

    fn undo(&self, key: P::Key, m: Move) -> P::Key {
        Puzzle::key(self, self.apply_back(self.state(key), m))
    }

    fn successors(&self, key: P::Key, order: &[Move], successors: &mut Vec<(Move, P::Key)>) {
        let state = self.state(key);
        let legal = Puzzle::legal(self, state);
        successors.clear();
        let moves = order.iter().filter(|&&m| legal.contains(m));
        successors.extend(moves.map(|&m| (m, Puzzle::key(self, Puzzle::apply(self, state, m)))));
    }

    fn predecessors(&self, key: P::Key, predecessors: &mut Vec<(Move, P::Key)>) {
        let state = self.state(key);
        predecessors.clear();
        let moves = self.legal_back(state);
        predecessors.extend(moves.map(|m| (m, Puzzle::key(self, self.apply_back(state, m)))));
    }
}

/// Stands for the move that led to the state where a search started.
pub(super) const START: u8 = u8::MAX;

/// The moves from the start to `end`, where `led_to` tells for each state on the way which move
/// led there ([`START`] at the start).
pub(super) fn path_to<K: Copy>(
    graph: &dyn Graph<K>,
    end: K,
    led_to: &dyn Fn(K) -> u8,
) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut key = end;
    loop {
        let m = led_to(key);
        if m == START {
            moves.reverse();
            return moves;
        }
        moves.push(Move(m));
        key = graph.undo(key, Move(m));
    }
}
