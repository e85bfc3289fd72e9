//! The circular Manhattan distance: how far all tiles are from their goals on the grid
//! that wraps around, divided by what one move can do about it.
//!
//! **Admissible and consistent.** A move carries each tile that it shifts over some
//! circular distance (1 on the torus and on full rings), so it changes the sum by at
//! most the total of these, by the triangle inequality. The divisor is the largest such
//! total over all moves: the most tiles that one move shifts, where each goes one step.
//! Rounding up keeps both, because distances are whole numbers.

use super::per_tile::{PerTile, circular_steps};
use super::{Heuristic, Promise, Registered};
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// Sum of circular distances ÷ the most that one move can change it, rounded up.
#[derive(Clone, Debug)]
pub struct CircularManhattan {
    distances: PerTile,
    divisor: u32,
}

impl Registered for CircularManhattan {
    const NAME: &'static str = "circular-manhattan";
    const SUMMARY: &'static str = "sum of the tiles' distances with wrap-around, divided by the most that one move changes it, rounded up";

    fn promise(frame: &Frame) -> Option<Promise> {
        frame.blank_label().is_none().then_some(Promise::CONSISTENT)
    }

    fn new(frame: &Frame) -> CircularManhattan {
        CircularManhattan {
            distances: PerTile::new(frame, circular_steps),
            divisor: divisor(frame),
        }
    }
}

/// The most that one move can change the sum.
fn divisor(frame: &Frame) -> u32 {
    let Action::Permutations(moves) = frame.moves().action() else {
        return 1;
    };
    let shape = frame.shape();
    let carried = |p: &crate::puzzle::permutation::Permutation| {
        p.moved().map(|to| circular_steps(shape, p.source(to), to)).sum::<usize>()
    };
    moves.iter().map(carried).max().unwrap_or(1) as u32
}

impl<P: Puzzle> Heuristic<P> for CircularManhattan {
    type Value = u32;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        self.distances.sum(puzzle, state)
    }

    #[inline]
    fn update(&self, puzzle: &P, sum: u32, before: P::State, m: Move) -> u32 {
        self.distances.updated(puzzle, sum, before, m)
    }

    #[inline]
    fn estimate(&self, sum: u32) -> Depth {
        sum.div_ceil(self.divisor)
    }
}
