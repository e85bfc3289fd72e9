//! God's algorithm as a report: how many boards lie at each distance from the goal.

use crate::limits::{Limits, StopReason};
use crate::puzzle::{AnyPuzzle, Puzzle, PuzzleVisitor};
use crate::table::layers::{LayerSize, Layers};

/// Receives the progress of a count.
pub trait CountObserver {
    /// A layer is complete.
    fn layer(&mut self, size: LayerSize, peak_bytes: u64);
    /// How many of the classes of the last layer have been expanded.
    fn progress(&mut self, depth: u32, expanded: usize, of: usize);
}

/// How a count ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountEnd {
    /// Every board has been counted.
    Complete,
    /// The depth asked for was reached.
    Depth,
    /// A limit was hit.
    Stopped(StopReason),
}

/// Counts the boards at each distance up to `depth`.
pub fn count(
    puzzle: &AnyPuzzle,
    depth: u32,
    limits: &Limits<'_>,
    observer: &mut dyn CountObserver,
) -> CountEnd {
    puzzle.visit(CountVisitor { depth, limits, observer })
}

struct CountVisitor<'a> {
    depth: u32,
    limits: &'a Limits<'a>,
    observer: &'a mut dyn CountObserver,
}

impl PuzzleVisitor for CountVisitor<'_> {
    type Output = CountEnd;

    fn visit<P: Puzzle>(self, puzzle: &P) -> CountEnd {
        let mut layers = Layers::new(puzzle);
        self.observer.layer(layers.size(), layers.peak_bytes());
        while layers.depth() < self.depth {
            let (depth, of) = (layers.depth() + 1, layers.current().len());
            let mut progress = |expanded| self.observer.progress(depth, expanded, of);
            if let Err(stop) = layers.advance(self.limits, &mut progress) {
                return CountEnd::Stopped(stop);
            }
            if layers.current().is_empty() {
                return CountEnd::Complete;
            }
            self.observer.layer(layers.size(), layers.peak_bytes());
        }
        CountEnd::Depth
    }
}
