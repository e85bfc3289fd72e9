//! A specimen: the circular Manhattan distance divided by the number of tiles that the *last*
//! move shifted (16, 8 or 5 on the 5x5 rings), rounded up. The start has no last move and
//! takes the largest divisor.
//!
//! **Not admissible**, although it has been said to be: what the last move shifted says
//! nothing about the moves that are left. Turn the outer ring and then the middle row of the
//! 5x5 rings: the sum is 16 + 5, the divisor 5 and the estimate 5, while two moves lead back.
//! The divisor that serves all that is to come is the largest, as in
//! [`circular_manhattan`](super::circular_manhattan).
//!
//! It is no function of the board either, but of the path to it: hence
//! [`PATH_DEPENDENT`](NamedHeuristic::PATH_DEPENDENT). It applies where moves differ in how many
//! tiles they shift.

use super::circular_manhattan::circular_distances;
use super::per_tile::PerTile;
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// Sum of circular distances ÷ the number of tiles that the last move shifted, rounded up.
#[derive(Clone, Debug)]
pub struct CircularManhattanLastMove {
    distances: PerTile,
    /// By move, how many tiles it shifts.
    shifted: Vec<u32>,
    most_shifted: u32,
}

/// What is known at the end of a path: of the board, and of the path.
#[derive(Clone, Copy, Debug)]
pub struct PathEnd {
    sum: u32,
    divisor: u32,
}

/// Equal if they say the same of the board, as the values of one board have to.
impl PartialEq for PathEnd {
    fn eq(&self, other: &PathEnd) -> bool {
        self.sum == other.sum
    }
}

impl NamedHeuristic for CircularManhattanLastMove {
    const NAME: &'static str = "circular-manhattan-last-move";
    const SUMMARY: &'static str = "a specimen: circular Manhattan distance divided by the number of tiles that the last move shifted, rounded up; it can be too high";
    const PATH_DEPENDENT: bool = true;
    const SCOPE: Scope = Scope::WithoutBlank;

    type Heuristic = Self;

    fn promise(frame: &Frame) -> Option<Promise> {
        let shifted = shifted(frame);
        let differ = shifted.iter().any(|&tiles| tiles != shifted[0]);
        differ.then_some(Promise::INADMISSIBLE)
    }

    fn build(frame: &Frame) -> Self {
        CircularManhattanLastMove {
            distances: circular_distances(frame),
            shifted: shifted(frame),
            most_shifted: frame.moves().most_tiles_shifted() as u32,
        }
    }
}

/// By move, how many tiles it shifts.
fn shifted(frame: &Frame) -> Vec<u32> {
    match frame.moves().action() {
        Action::Permutations(moves) => moves.iter().map(|p| p.moved().count() as u32).collect(),
        Action::Blank(moves) => vec![1; moves.len()],
    }
}

impl<P: Puzzle> Heuristic<P> for CircularManhattanLastMove {
    type Value = PathEnd;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> PathEnd {
        PathEnd { sum: self.distances.sum(puzzle, state), divisor: self.most_shifted }
    }

    #[inline]
    fn update(&self, puzzle: &P, value: PathEnd, before: P::State, m: Move) -> PathEnd {
        PathEnd {
            sum: self.distances.updated(puzzle, value.sum, before, m),
            divisor: self.shifted[m.index()],
        }
    }

    #[inline]
    fn estimate(&self, value: PathEnd) -> Depth {
        value.sum.div_ceil(value.divisor)
    }
}
