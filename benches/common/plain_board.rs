//! Moves as a straightforward program makes them.

use permutile::puzzle::moves::Action;
use permutile::puzzle::{Move, Puzzle};

/// An array of bytes, and a loop over what moves.
pub(crate) struct PlainBoard<'a> {
    pub(crate) labels: Vec<u8>,
    scratch: Vec<u8>,
    blank: usize,
    action: &'a Action,
}

impl<'a> PlainBoard<'a> {
    /// The goal.
    pub(crate) fn new<P: Puzzle>(puzzle: &'a P) -> PlainBoard<'a> {
        let labels = puzzle.labels(puzzle.goal());
        let blank = puzzle.frame().blank_label().map_or(0, usize::from);
        PlainBoard {
            scratch: labels.clone(),
            labels,
            blank,
            action: puzzle.frame().moves().action(),
        }
    }

    pub(crate) fn make(&mut self, m: Move) {
        match self.action {
            Action::Permutations(permutations) => {
                let sources = permutations[m.index()].sources();
                for (to, &from) in self.scratch.iter_mut().zip(sources) {
                    *to = self.labels[usize::from(from)];
                }
                std::mem::swap(&mut self.labels, &mut self.scratch);
            }
            Action::Blank(targets) => {
                let target = targets[m.index()][self.blank].expect("the walk is legal");
                self.labels.swap(self.blank, usize::from(target));
                self.blank = usize::from(target);
            }
        }
    }
}
