//! The Manhattan distance of the sliding puzzle: how many steps all tiles are from their
//! goals, the blank not counted.
//!
//! **Admissible and consistent**: a move carries one tile by one step.

use super::per_tile::PerTile;
use super::unit_steps::{StepsRoot, StepsVisitor, TileSteps};
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// Up, Down, Left, Right.
const MOVES: usize = 4;

/// Sum of the tiles' distances.
#[derive(Clone, Debug)]
pub struct Manhattan {
    distances: PerTile,
    /// By how much a move changes the sum: by the blank's cell, the move, and the label of the
    /// tile that goes there. One look-up that waits for nothing but the label.
    changes: Vec<i8>,
    label_bits: u32,
    /// The same in other words, on boards small enough.
    steps: Option<Box<TileSteps>>,
}

impl NamedHeuristic for Manhattan {
    const NAME: &'static str = "manhattan";
    const SUMMARY: &'static str = "sum of the tiles' distances in rows and columns";
    const SCOPE: Scope = Scope::WithBlank;

    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Self {
        let distances = distances(frame);
        let cells = frame.shape().cells();
        let label_bits = cells.next_power_of_two().trailing_zeros();
        let Action::Blank(targets) = frame.moves().action() else {
            unreachable!("this heuristic is for puzzles with a blank");
        };
        let mut changes = vec![0; (cells * MOVES) << label_bits];
        let mut steps = TileSteps::where_it_fits(frame.shape());
        for (m, targets) in targets.iter().enumerate() {
            for (blank, target) in targets.iter().enumerate() {
                let Some(from) = *target else { continue };
                for label in 0..cells {
                    let change = distances.change(label as u8, from.into(), blank);
                    let change = change as i8;
                    changes[((blank * MOVES + m) << label_bits) | label] = change;
                    if let Some(steps) = steps.as_mut().filter(|_| change > 0) {
                        steps.add(blank, m, label);
                    }
                }
            }
        }
        Manhattan { distances, changes, label_bits, steps }
    }
}

/// Each tile's distance from its goal, the blank's not counted.
pub(super) fn distances(frame: &Frame) -> PerTile {
    let shape = frame.shape();
    PerTile::new(frame, |cell, label| {
        let (rows, cols) = shape.apart(cell, label);
        (rows + cols) as u32
    })
}

impl<P: Puzzle> Heuristic<P> for Manhattan {
    type Value = u32;

    #[inline]
    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        self.distances.sum(puzzle, state)
    }

    #[inline]
    fn update(&self, puzzle: &P, sum: u32, before: P::State, m: Move) -> u32 {
        let mut sum = sum;
        puzzle.each_carried(before, m, |from, blank| {
            let label = usize::from(puzzle.label(before, from));
            let change = self.changes[((blank * MOVES + m.index()) << self.label_bits) | label];
            sum = sum.wrapping_add_signed(change.into());
        });
        sum
    }

    #[inline]
    fn estimate(&self, sum: u32) -> Depth {
        sum
    }

    #[inline]
    fn unit_value(&self, estimate: Depth) -> Option<u32> {
        Some(estimate)
    }

    #[inline]
    fn unit_steps<V: StepsVisitor>(
        &self,
        root: StepsRoot<'_, u32>,
        visitor: V,
    ) -> Option<V::Output> {
        Some(visitor.visit(self.steps.as_deref()?, root))
    }
}
