//! The forms under which boards stand in the filters.

use crate::puzzle::board_pair::{PairEngine, Paired};
use crate::puzzle::canonical::Canonicalizer;
use crate::puzzle::{Frame, Puzzle};

/// How boards get their forms.
#[derive(Debug)]
pub(super) enum Forms<P: Puzzle> {
    /// One form for a board, its inverse and the images of both.
    WithInverses(<P::Key as Paired>::Engine),
    /// One form for a board and its images.
    Plain(Canonicalizer<P::Key>),
}

impl<P: Puzzle> Forms<P> {
    pub(super) fn new(puzzle: &P) -> Forms<P> {
        match P::Key::engine(puzzle.frame()) {
            Some(engine) => Forms::WithInverses(engine),
            None => {
                let mut canonicalizer = Canonicalizer::new(puzzle);
                canonicalizer.distinguish_inverses();
                Forms::Plain(canonicalizer)
            }
        }
    }

    /// The form of a board.
    #[inline]
    pub(super) fn of(&self, key: P::Key) -> P::Key {
        match self {
            Forms::WithInverses(engine) => key.form(engine),
            Forms::Plain(canonicalizer) => canonicalizer.canonical_with_inverse(key).key,
        }
    }

    /// Adds the forms of all boards from which a move leads to the class of a form.
    pub(super) fn add_neighbours(&self, puzzle: &P, form: P::Key, found: &mut Vec<P::Key>) {
        match self {
            Forms::WithInverses(engine) => form.add_neighbours(engine, found),
            Forms::Plain(_) => {
                let state = puzzle.state(form);
                let before = |m| self.of(puzzle.key(puzzle.apply_back(state, m)));
                found.extend(puzzle.legal_back(state).map(before));
            }
        }
    }

    /// The most neighbours that a class has.
    pub(super) fn most_neighbours(&self, frame: &Frame) -> usize {
        let moves = frame.moves().len();
        match self {
            Forms::WithInverses(_) => 2 * moves,
            Forms::Plain(_) => moves,
        }
    }

    /// What carries boards with their inverses.
    pub(super) fn pairs(&self) -> Option<&PairEngine> {
        match self {
            Forms::WithInverses(engine) => Some(engine.as_ref()),
            Forms::Plain(_) => None,
        }
    }
}
