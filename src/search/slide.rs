//! The end of IDA* on sliding puzzles, with heuristics that each move changes by exactly one
//! (see [`crate::heuristic::unit_steps`]).
//!
//! It visits the nodes that IDA* visits, in the same order, and counts them likewise, but does
//! less at each: no estimate is added up and compared, only the slack is counted; the goal
//! is reached when no moves are left; and the board is a ring that begins at the blank
//! (see [`crate::puzzle::blank_relative`]).

mod batches;

use super::ida::{End, Meter, ORDER};
use crate::heuristic::unit_steps::{BatchSteps, Steps, StepsRoot, StepsVisitor};
use crate::puzzle::automaton::Memory;
use crate::puzzle::automaton::loops::{Loops, Row};
use crate::puzzle::blank_relative::BlankRelative;
use crate::puzzle::{Depth, Frame, Move, MoveSet};
use std::ops::ControlFlow::{self, Break, Continue};

/// The most moves that are searched by recursion.
const DEEPEST: Depth = 500;

/// A search that is still to be given its steps. It adds the end of a solution to `tail`, last
/// move first.
pub(super) struct Search<'a, 'p> {
    pub(super) frame: &'a Frame,
    /// The moves that may come first.
    pub(super) allowed: MoveSet,
    /// The automaton to follow, if there is one, and its state.
    pub(super) loops: Option<(&'a Loops, Memory)>,
    pub(super) meter: &'a mut Meter<'p>,
    pub(super) tail: &'a mut Vec<Move>,
}

impl StepsVisitor for Search<'_, '_> {
    /// `None` if the board is none of those that this is compiled for.
    type Output = Option<ControlFlow<End>>;

    /// Searches on a ring for boards of this size, with their number of columns as a constant.
    fn visit<S: Steps>(self, steps: &S, root: StepsRoot<'_, S::Value>) -> Self::Output {
        if root.budget > DEEPEST {
            return None;
        }
        let StepsRoot { value, labels, budget } = root;
        let carried = steps.begin(value, labels, budget)?;
        let node = (labels, budget, carried);
        match self.loops {
            Some((loops, memory)) => self.run(steps, loops, loops.row(memory), node),
            None => {
                let followers = NoWayBack { first: self.allowed.0 as u8 };
                self.run(steps, &followers, (), node)
            }
        }
    }

    /// In batches, where loops are left out: without that, the nodes are to be visited in the
    /// classical order.
    fn visit_batched<S: BatchSteps>(
        self,
        steps: &S,
        root: StepsRoot<'_, S::Value>,
    ) -> Self::Output {
        let Some((loops, memory)) = self.loops.filter(|_| root.budget <= DEEPEST) else {
            return self.visit(steps, root);
        };
        let StepsRoot { value, labels, budget } = root;
        let node = (budget, steps.begin(value, labels, budget)?, loops.row(memory));
        let shape = self.frame.shape();
        Some(match (shape.cells(), shape.cols()) {
            (..=16, 4) => {
                Slide::<S, Loops, 4>::new(steps, loops, self).run_in_batches::<u64>(labels, node)
            }
            (17..=25, 5) => {
                Slide::<S, Loops, 5>::new(steps, loops, self).run_in_batches::<u128>(labels, node)
            }
            _ => return self.visit(steps, root),
        })
    }
}

impl<'a> Search<'a, '_> {
    fn run<S: Steps, F: Followers>(
        self,
        steps: &'a S,
        followers: &'a F,
        memory: F::Memory,
        (labels, budget, carried): (&[u8], Depth, S::Carried),
    ) -> Option<ControlFlow<End>> {
        let shape = self.frame.shape();
        let node = (budget, carried, memory);
        Some(match (shape.cells(), shape.cols()) {
            (..=16, 3) => Slide::<S, F, 3>::new(steps, followers, self).run::<u64>(labels, node),
            (..=16, 4) => Slide::<S, F, 4>::new(steps, followers, self).run::<u64>(labels, node),
            (17..=25, 5) => Slide::<S, F, 5>::new(steps, followers, self).run::<u128>(labels, node),
            _ => return None,
        })
    }
}

/// Which moves may follow those that were made.
trait Followers {
    /// What is remembered of these, but for the last one.
    type Memory: Copy;

    /// The moves that may come next, one bit each.
    fn allowed<const LAST: usize>(&self, memory: Self::Memory) -> u8;

    /// What is to be remembered after one of them.
    fn after<const M: usize>(&self, memory: Self::Memory) -> Self::Memory;
}

/// All but the one that takes the last move back.
struct NoWayBack {
    /// Those that may come first.
    first: u8,
}

impl Followers for NoWayBack {
    type Memory = ();

    #[inline(always)]
    fn allowed<const LAST: usize>(&self, (): ()) -> u8 {
        FOLLOWERS.get(LAST).copied().unwrap_or(self.first)
    }

    #[inline(always)]
    fn after<const M: usize>(&self, (): ()) {}
}

impl Followers for Loops {
    type Memory = Row;

    #[inline(always)]
    fn allowed<const LAST: usize>(&self, row: Row) -> u8 {
        row.allowed()
    }

    #[inline(always)]
    fn after<const M: usize>(&self, row: Row) -> Row {
        self.next(row, M)
    }
}

/// Instead of a last move: none, so that those may come that are allowed at the root.
const NONE: usize = 4;

/// By the last move, those that do not take it back.
const FOLLOWERS: [u8; 4] = [0b1101, 0b1110, 0b0111, 0b1011];

/// How many moves there are in each set.
const SIZES: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

/// A search on a board of so many columns.
struct Slide<'a, 'p, S, F, const COLS: usize> {
    steps: &'a S,
    followers: &'a F,
    /// By the blank's cell.
    legal: [u8; 32],
    meter: &'a mut Meter<'p>,
    tail: &'a mut Vec<Move>,
    blank_label: u8,
}

impl<'a, 'p, S: Steps, F: Followers, const COLS: usize> Slide<'a, 'p, S, F, COLS> {
    fn new(steps: &'a S, followers: &'a F, search: Search<'a, 'p>) -> Self {
        let Search { frame, meter, tail, .. } = search;
        let rows = frame.shape().rows();
        let legal = |cell: usize| {
            let (row, col) = (cell / COLS, cell % COLS);
            let ways = [row > 0, row + 1 < rows, col > 0, col + 1 < COLS];
            ways.into_iter().enumerate().map(|(m, legal)| u8::from(legal) << m).sum()
        };
        Slide {
            steps,
            followers,
            legal: std::array::from_fn(legal),
            meter,
            tail,
            blank_label: frame.blank_label().expect("the puzzle has a blank"),
        }
    }

    fn run<R: BlankRelative>(
        &mut self,
        labels: &[u8],
        (budget, carried, memory): (Depth, S::Carried, F::Memory),
    ) -> ControlFlow<End> {
        let blank = self.blank(labels);
        self.below::<R, NONE>(R::new(labels, blank), blank, carried, memory, budget)
    }

    /// The cell of the blank.
    fn blank(&self, labels: &[u8]) -> usize {
        let blank = labels.iter().position(|&label| label == self.blank_label);
        blank.expect("one cell is blank")
    }

    /// Searches below a node with `budget` moves left, at least one.
    fn below<R: BlankRelative, const LAST: usize>(
        &mut self,
        ring: R,
        blank: usize,
        carried: S::Carried,
        memory: F::Memory,
        budget: Depth,
    ) -> ControlFlow<End> {
        let budget = budget - 1;
        self.meter.count(budget)?;
        let followers = self.followers.allowed::<LAST>(memory);
        let moves = MoveSet(u64::from(self.legal[blank & 31] & followers));
        let at = (ring, blank, memory);
        let first = self.ahead::<R, { ORDER[0].0 as usize }>(moves, ring, blank, &carried);
        let second = self.ahead::<R, { ORDER[1].0 as usize }>(moves, ring, blank, &carried);
        let third = self.ahead::<R, { ORDER[2].0 as usize }>(moves, ring, blank, &carried);
        let fourth = self.ahead::<R, { ORDER[3].0 as usize }>(moves, ring, blank, &carried);
        self.meter.generated += u64::from(SIZES[moves.0 as usize & 15]);
        if moves.contains(ORDER[0]) {
            self.go::<R, { ORDER[0].0 as usize }>(moves, at, &carried, first, budget)?;
        }
        if moves.contains(ORDER[1]) {
            self.go::<R, { ORDER[1].0 as usize }>(moves, at, &carried, second, budget)?;
        }
        if moves.contains(ORDER[2]) {
            self.go::<R, { ORDER[2].0 as usize }>(moves, at, &carried, third, budget)?;
        }
        if moves.contains(ORDER[3]) {
            self.go::<R, { ORDER[3].0 as usize }>(moves, at, &carried, fourth, budget)?;
        }
        Continue(())
    }

    /// A look at where a move leads, if it is one of these.
    #[inline(always)]
    fn ahead<R: BlankRelative, const M: usize>(
        &self,
        moves: MoveSet,
        ring: R,
        blank: usize,
        carried: &S::Carried,
    ) -> S::Ahead {
        if !moves.contains(Move(M as u8)) {
            return S::Ahead::default();
        }
        self.steps.ahead::<M>(carried, blank, ring.label(const { Self::place::<R>(M) }))
    }

    /// Where in the ring the tile is that a move of the blank meets: Up, Down, Left, Right.
    const fn place<R: BlankRelative>(m: usize) -> usize {
        [R::CELLS - COLS, COLS, R::CELLS - 1, 1][m & 3]
    }

    /// What a move of the blank adds to its cell.
    const fn step(m: usize) -> usize {
        [COLS.wrapping_neg(), COLS, 1_usize.wrapping_neg(), 1][m & 3]
    }

    /// Makes a move, and searches below where it leads.
    #[inline(always)]
    fn go<R: BlankRelative, const M: usize>(
        &mut self,
        moves: MoveSet,
        (ring, blank, memory): (R, usize, F::Memory),
        carried: &S::Carried,
        ahead: S::Ahead,
        budget: Depth,
    ) -> ControlFlow<End> {
        let place = const { Self::place::<R>(M) };
        let label = ring.label(place);
        let Some(carried) = self.steps.step::<R, M>(carried, ahead, ring, blank, label) else {
            return Continue(());
        };
        if budget == 0 {
            return self.unwind(End::Found, M, moves);
        }
        let (ring, blank) = (ring.slid(place, label), blank.wrapping_add(const { Self::step(M) }));
        let memory = self.followers.after::<M>(memory);
        match self.below::<R, M>(ring, blank, carried, memory, budget) {
            Continue(()) => Continue(()),
            Break(end) => self.unwind(end, M, moves),
        }
    }

    /// Notes the moves of a solution on the way back from its end. Of the `moves` of a node, those
    /// that come after the one made there have been counted, and are not made.
    #[cold]
    #[inline(never)]
    fn unwind(&mut self, end: End, m: usize, moves: MoveSet) -> ControlFlow<End> {
        let later = ORDER.iter().skip_while(|other| other.index() != m).skip(1);
        self.meter.generated -= later.filter(|&&other| moves.contains(other)).count() as u64;
        if end == End::Found {
            self.tail.push(Move(m as u8));
        }
        Break(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::packed::Quints;
    use crate::puzzle::{AnyPuzzle, Puzzle, Sliding};

    #[test]
    fn followers_are_those_of_the_automaton() {
        for id in ["sliding2", "sliding:2x7", "sliding3", "sliding4", "sliding:5x3", "sliding5"] {
            let puzzle = AnyPuzzle::from_id(id).unwrap();
            let automaton = puzzle.frame().automaton();
            for (m, &followers) in (0..).map(Move).zip(&FOLLOWERS) {
                let allowed = automaton.allowed(automaton.after(Memory::START, m));
                assert_eq!(allowed, MoveSet(followers.into()), "{m:?} of {id}");
                let unrolled = <Sliding<Quints> as Puzzle>::FOUR_MOVES.unwrap();
                assert_eq!(allowed, unrolled[m.index()], "{m:?} of {id}");
            }
        }
    }
}
