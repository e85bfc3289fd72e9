//! The engine of puzzles whose moves are fixed rearrangements of the cells.

use super::Puzzle;
use super::canonical::Canonicalize;
use super::cell_sum::Weigh;
use super::frame::Frame;
use super::moves::{Action, Move, MoveSet};
use super::permutation::Permutation;
use super::rearrange::Rearrange;
use super::sum_changes::AddChanges;

/// A puzzle without a blank, its arrangements packed in `K`.
#[derive(Debug)]
pub struct Permuting<K: Rearrange> {
    frame: Frame,
    forward: K::Plan,
    backward: K::Plan,
    /// For each move, from which cell to which it carries a tile.
    carried: Vec<Vec<(u8, u8)>>,
    goal: K,
}

impl<K: Rearrange> Permuting<K> {
    pub(super) fn new(frame: Frame) -> Permuting<K> {
        let simd = frame.simd();
        let Action::Permutations(moves) = frame.moves().action() else {
            unreachable!("this engine is for fixed rearrangements");
        };
        let inverses: Vec<Permutation> = moves.iter().map(Permutation::inverse).collect();
        let carried = |p: &Permutation| p.moved().map(|to| (p.sources()[to], to as u8)).collect();
        Permuting {
            forward: K::plan(moves, simd),
            backward: K::plan(&inverses, simd),
            carried: moves.iter().map(carried).collect(),
            goal: K::from_labels(Permutation::identity(frame.shape().cells()).sources()),
            frame,
        }
    }
}

impl<K: Canonicalize + Weigh + AddChanges> Puzzle for Permuting<K> {
    const HAS_BLANK: bool = false;

    type Key = K;
    type State = K;

    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn goal(&self) -> K {
        self.goal
    }

    #[inline]
    fn key(&self, state: K) -> K {
        state
    }

    #[inline]
    fn state(&self, key: K) -> K {
        key
    }

    #[inline]
    fn label(&self, state: K, cell: usize) -> u8 {
        state.label(cell)
    }

    #[inline]
    fn legal(&self, _: K) -> MoveSet {
        self.frame.moves().all()
    }

    #[inline]
    fn apply(&self, state: K, m: Move) -> K {
        state.rearranged(&self.forward, m)
    }

    #[inline]
    fn legal_back(&self, _: K) -> MoveSet {
        self.frame.moves().all()
    }

    #[inline]
    fn apply_back(&self, state: K, m: Move) -> K {
        state.rearranged(&self.backward, m)
    }

    #[inline]
    fn each_carried(&self, _: K, m: Move, mut visit: impl FnMut(usize, usize)) {
        for &(from, to) in &self.carried[m.index()] {
            visit(usize::from(from), usize::from(to));
        }
    }
}
