//! The sliding puzzle: one blank, exchanged with a neighbour. The family and its engine.

use super::canonical::Canonicalize;
use super::cell_sum::Weigh;
use super::definition::{Definition, Dynamics};
use super::frame::Frame;
use super::moves::{Action, Move, MoveSet, MoveTable};
use super::permutation::Permutation;
use super::registry::{Family, short_id};
use super::sum_changes::AddChanges;
use super::{Puzzle, packed::Packed};
use crate::board::check::Rules;
use crate::board::{Board, MAX_CELLS, Shape, Tile};

pub(super) const FAMILY: Family = Family {
    name: "sliding",
    summary: "one blank, exchanged with a neighbouring tile; moves say where the blank goes",
    shapes: "sliding:RxC with R,C >= 2 and at most 256 cells; short: sliding3, sliding4, sliding5, ...",
    fits: |shape| shape.rows() >= 2,
    define,
};

/// The sliding puzzle of a shape.
pub(crate) fn define(shape: Shape) -> Definition {
    Definition {
        id: short_id(FAMILY.name, shape),
        shape,
        dynamics: Dynamics::Blank,
        rules: Rules::Sliding(shape),
    }
}

/// `0 1 2 …`
pub(super) fn blank_first(shape: Shape) -> Board {
    let tiles: Vec<Tile> = (0..shape.cells()).map(|tile| Tile(tile as u16)).collect();
    Board::new(shape, tiles).expect("each tile is there once")
}

/// `1 2 … 0`
pub(super) fn blank_last(shape: Shape) -> Board {
    let mut tiles: Vec<Tile> = (0..shape.cells()).map(|tile| Tile(tile as u16)).collect();
    tiles.rotate_left(1);
    Board::new(shape, tiles).expect("each tile is there once")
}

/// How many moves the blank needs from one cell to another.
pub(super) fn steps(shape: Shape, from: usize, to: usize) -> usize {
    let ((r0, c0), (r1, c1)) = (shape.row_col(from), shape.row_col(to));
    r0.abs_diff(r1) + c0.abs_diff(c1)
}

/// `Up Down Left Right`: where the blank goes.
pub(super) fn blank_moves(shape: Shape) -> MoveTable {
    let by_cell = |target: &dyn Fn(usize, usize) -> Option<(usize, usize)>| {
        let go = |cell| {
            let (row, col) = shape.row_col(cell);
            target(row, col).map(|(row, col)| shape.cell(row, col) as u8)
        };
        (0..shape.cells()).map(go).collect::<Vec<_>>()
    };
    let up = by_cell(&|row, col| Some((row.checked_sub(1)?, col)));
    let down = by_cell(&|row, col| (row + 1 < shape.rows()).then_some((row + 1, col)));
    let left = by_cell(&|row, col| Some((row, col.checked_sub(1)?)));
    let right = by_cell(&|row, col| (col + 1 < shape.cols()).then_some((row, col + 1)));
    let names = ["Up", "Down", "Left", "Right"].map(String::from).into();
    MoveTable::new(names, Action::Blank(vec![up, down, left, right]))
}

/// A sliding puzzle, its arrangements packed in `K`.
#[derive(Debug)]
pub struct Sliding<K: Packed> {
    frame: Frame,
    /// By the blank's cell and the move, where the blank goes; the cell itself where
    /// the move is illegal. As many entries as a byte has values, so that no lookup needs a bounds check.
    targets: [[u8; 4]; MAX_CELLS],
    legal: [MoveSet; MAX_CELLS],
    legal_back: [MoveSet; MAX_CELLS],
    inverse: [Move; 4],
    blank_label: u8,
    goal: SlidingState<K>,
}

/// An arrangement, and where its blank is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlidingState<K> {
    key: K,
    blank: u8,
}

impl<K: Packed> Sliding<K> {
    pub(super) fn new(frame: Frame) -> Sliding<K> {
        let Action::Blank(moves) = frame.moves().action() else {
            unreachable!("this engine is for puzzles with a blank");
        };
        let cells = frame.shape().cells();
        let goes = |m: usize, cell: usize| moves[m].get(cell).copied().flatten();
        let target = |cell: usize| std::array::from_fn(|m| goes(m, cell).unwrap_or(cell as u8));
        let legal =
            |cell: usize| frame.moves().all().filter(move |m| goes(m.index(), cell).is_some());
        let inverse = |m| frame.moves().inverse(m).expect("the blank can go back");
        let set = |moves: &mut dyn Iterator<Item = Move>| moves.fold(MoveSet::EMPTY, MoveSet::with);
        let blank_label = frame.blank_label().expect("the goal has a blank");
        let key = K::from_labels(Permutation::identity(cells).sources());
        Sliding {
            targets: std::array::from_fn(target),
            legal: std::array::from_fn(|cell| set(&mut legal(cell))),
            legal_back: std::array::from_fn(|cell| set(&mut legal(cell).map(inverse))),
            inverse: std::array::from_fn(|m| inverse(Move(m as u8))),
            blank_label,
            goal: SlidingState { key, blank: blank_label },
            frame,
        }
    }

    /// Where the blank goes by a legal move.
    #[inline]
    fn target(&self, state: SlidingState<K>, m: Move) -> u8 {
        self.targets[usize::from(state.blank)][m.index() & 3]
    }
}

impl<K: Canonicalize + Weigh + AddChanges> Puzzle for Sliding<K> {
    const HAS_BLANK: bool = true;

    /// The blank does not go straight back. Up, Down, Left and Right are moves 0 to 3. Copies of
    /// a search are worth their code only where states are small.
    const FOUR_MOVES: Option<[MoveSet; 4]> = if size_of::<K>() <= size_of::<u128>() {
        Some([MoveSet(0b1101), MoveSet(0b1110), MoveSet(0b0111), MoveSet(0b1011)])
    } else {
        None
    };

    type Key = K;
    type State = SlidingState<K>;

    fn frame(&self) -> &Frame {
        &self.frame
    }

    fn goal(&self) -> SlidingState<K> {
        self.goal
    }

    #[inline]
    fn key(&self, state: SlidingState<K>) -> K {
        state.key
    }

    #[inline]
    fn state(&self, key: K) -> SlidingState<K> {
        SlidingState { key, blank: key.cell_of(self.blank_label) as u8 }
    }

    #[inline]
    fn label(&self, state: SlidingState<K>, cell: usize) -> u8 {
        state.key.label(cell)
    }

    #[inline]
    fn legal(&self, state: SlidingState<K>) -> MoveSet {
        self.legal[usize::from(state.blank)]
    }

    #[inline]
    fn apply(&self, state: SlidingState<K>, m: Move) -> SlidingState<K> {
        let target = self.target(state, m);
        let (from, to) = (usize::from(state.blank), usize::from(target));
        SlidingState { key: state.key.swapped(from, self.blank_label, to), blank: target }
    }

    #[inline]
    fn legal_back(&self, state: SlidingState<K>) -> MoveSet {
        self.legal_back[usize::from(state.blank)]
    }

    #[inline]
    fn apply_back(&self, state: SlidingState<K>, m: Move) -> SlidingState<K> {
        self.apply(state, self.inverse[m.index()])
    }

    #[inline]
    fn each_carried(&self, state: SlidingState<K>, m: Move, mut visit: impl FnMut(usize, usize)) {
        visit(usize::from(self.target(state, m)), usize::from(state.blank));
    }
}
