//! The heuristic that knows nothing: a search with it is blind.

use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::puzzle::{Depth, Frame, Move, Puzzle};

/// Always zero.
#[derive(Clone, Copy, Debug)]
pub struct Zero;

impl NamedHeuristic for Zero {
    const NAME: &'static str = "zero";
    const SUMMARY: &'static str = "always 0: a blind search, the baseline of every comparison";
    const SCOPE: Scope = Scope::Every;

    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(_: &Frame) -> Self {
        Zero
    }
}

impl<P: Puzzle> Heuristic<P> for Zero {
    type Value = ();

    #[inline]
    fn evaluate(&self, _: &P, _: P::State) {}

    #[inline]
    fn update(&self, _: &P, (): (), _: P::State, _: Move) {}

    #[inline]
    fn estimate(&self, (): ()) -> Depth {
        0
    }
}
