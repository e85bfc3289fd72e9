//! Ways back from where a search ended to where it started, by the move that led to each state.

use crate::puzzle::{Move, Puzzle};

/// The note of the state where a search started.
pub(super) const START: u8 = u8::MAX;

/// The moves from the start to `end`, where `led_to` tells for each state on the way which move
/// led there ([`START`] at the start).
pub(super) fn back_to_start<P: Puzzle>(
    puzzle: &P,
    end: P::State,
    led_to: impl Fn(P::Key) -> u8,
) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut state = end;
    loop {
        let m = led_to(puzzle.key(state));
        if m == START {
            moves.reverse();
            return moves;
        }
        moves.push(Move(m));
        state = puzzle.apply_back(state, Move(m));
    }
}
