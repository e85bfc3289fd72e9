//! Boards of up to 16 cells that are carried together with their inverses, so that one form can stand
//! for both at no cost.
//!
//! Where the inverse of each move is a move, a board and its inverse are equally far from the goal.
//! Making both canonical and taking the smaller form takes twice the time. Here, only one of the two
//! is made canonical, and which one is told by a sum that all images of a board agree on, and that
//! changes its sign with inversion:
//!
//! * Write k(c) for the class of the pair (c, x(c)) of a cell and the label in it, and k' for the
//!   class of the same pair the other way round, which is the class of the label's cell in the
//!   inverse. The pairs of the inverse are those of the board the other way round, and where the
//!   board goes from c to x(c) and on to x(x(c)), the inverse comes back.
//! * Let u and v be weights of classes with u(k) = u(k') and v(k) = v(k'), and w one with
//!   w(k) = −w(k'). The sum over all cells c of w(k(c)) + u(k(c)) v(k(x(c))) − u(k(x(c))) v(k(c))
//!   has the opposite sign for the inverse: the first term by the choice of w, the rest because
//!   the two classes change places.
//! * It is the same for all images, as classes are.
//!
//! If the sum is above zero, the board is made canonical; if it is below, its inverse; if it is zero,
//! as for boards that are images of their own inverses, both, and the smaller form stands for them.
//! So the form is the same for the board, its inverse and all images. A move is one byte shuffle on
//! each of the two, so that carrying both costs next to nothing.

use super::arch::{Avx, BoardPair, PairStep, PairTables, PairWeights, Simd, Weights};
use super::canonical::PairClasses;
use super::frame::Frame;
use super::moves::{Action, MAX_MOVES, Move, MoveSet};
use super::packed::{Nibbles, Packed, Quints, Wide};
use super::permutation::Permutation;
use std::convert::Infallible;
use std::fmt::Debug;

/// The class of cells beyond the grid, where there are few classes.
const BEYOND_FEW: u8 = PairTables::FEW_CLASSES as u8;

/// The same where there are many; no cell of the grid has so high a rank.
const BEYOND: u8 = u8::MAX;

/// Packed boards of which some can be carried with their inverses.
pub trait Paired: Packed {
    /// What does that: a [`PairEngine`], or nothing.
    type Engine: AsRef<PairEngine> + Debug + Send + Sync;

    /// The engine of a puzzle, if its boards can be.
    fn engine(frame: &Frame) -> Option<Self::Engine>;

    /// The form that stands for a board, its inverse and the images of both.
    fn form(self, engine: &Self::Engine) -> Self;

    /// Adds the forms of all boards that are one move from the class that this form stands for.
    fn add_neighbours(self, engine: &Self::Engine, found: &mut Vec<Self>);
}

impl Paired for Nibbles {
    type Engine = PairEngine;

    fn engine(frame: &Frame) -> Option<PairEngine> {
        PairEngine::new(frame)
    }

    fn form(self, engine: &PairEngine) -> Nibbles {
        engine.canonical(&engine.unpacked(self))
    }

    fn add_neighbours(self, engine: &PairEngine, found: &mut Vec<Nibbles>) {
        engine.add_neighbours(self, found);
    }
}

/// The engine of boards that are not carried with their inverses: there is none.
#[derive(Debug)]
pub struct NoEngine(Infallible);

impl AsRef<PairEngine> for NoEngine {
    fn as_ref(&self) -> &PairEngine {
        match self.0 {}
    }
}

impl AsRef<PairEngine> for PairEngine {
    fn as_ref(&self) -> &PairEngine {
        self
    }
}

/// Says that words of this kind are not carried with their inverses.
macro_rules! unpaired {
    ($word:ty $(, $size:ident)?) => {
        impl$(<const $size: usize>)? Paired for $word {
            type Engine = NoEngine;

            fn engine(_: &Frame) -> Option<NoEngine> {
                None
            }

            fn form(self, engine: &NoEngine) -> Self {
                match engine.0 {}
            }

            fn add_neighbours(self, engine: &NoEngine, _: &mut Vec<Self>) {
                match engine.0 {}
            }
        }
    };
}
unpaired!(Quints);
unpaired!(Wide<N>, N);

/// Moves and canonical forms of boards that are carried with their inverses.
#[derive(Debug)]
pub struct PairEngine {
    avx: Option<Avx>,
    cells: usize,
    steps: Vec<PairStep>,
    tables: Box<PairTables>,
}

impl PairEngine {
    /// The engine of a puzzle; `None` if it has more than 16 cells, or moves without inverses.
    pub fn new(frame: &Frame) -> Option<PairEngine> {
        let cells = frame.shape().cells();
        let Action::Permutations(moves) = frame.moves().action() else { return None };
        if cells > Nibbles::CAPACITY || !frame.has_inversion() {
            return None;
        }
        let step = |m: &Permutation| PairStep {
            sources: padded(m.sources()),
            targets: padded(m.inverse().sources()),
        };
        let classes = PairClasses::new(cells, frame.symmetries());
        let tables = Box::new(tables(&classes)?);
        let steps = moves.iter().map(step).collect();
        Some(PairEngine { avx: frame.simd().avx(), cells, steps, tables })
    }

    /// The same by scalar code, to compare it with the SIMD code.
    #[must_use]
    pub fn without_simd(self) -> Self {
        PairEngine { avx: Simd::off().avx(), ..self }
    }

    /// A board, given as the label of each cell, with its inverse.
    pub fn pair(&self, labels: &[u8]) -> BoardPair {
        let board: [u8; 16] = padded(labels);
        let mut inverse = [0; 16];
        for (cell, &label) in (0..).zip(&board) {
            inverse[usize::from(label & 15)] = cell;
        }
        BoardPair { board, inverse }
    }

    /// A packed board with its inverse.
    #[inline]
    pub fn unpacked(&self, key: Nibbles) -> BoardPair {
        let mut labels = [0; 16];
        key.unpack(&mut labels);
        self.pair(&labels[..self.cells])
    }

    /// A board and its inverse after a move.
    #[inline]
    pub fn moved(&self, pair: &BoardPair, m: Move) -> BoardPair {
        let step = &self.steps[m.index()];
        match self.avx {
            Some(avx) => avx.moved(pair, step),
            None => moved(pair, step),
        }
    }

    /// The form that stands for a board, its inverse and the images of both.
    #[inline]
    pub fn canonical(&self, pair: &BoardPair) -> Nibbles {
        Nibbles(match self.avx {
            Some(avx) => avx.canonical_pair(pair, &self.tables),
            None => canonical(pair, &self.tables),
        })
    }

    /// The forms of the boards after some moves, in the order of the moves; how many there are.
    #[inline]
    pub fn canonical_after(
        &self,
        pair: &BoardPair,
        moves: MoveSet,
        forms: &mut [u64; MAX_MOVES],
    ) -> usize {
        if let Some(avx) = self.avx {
            return avx.canonical_after(pair, moves.0, &self.steps, &self.tables, forms);
        }
        for (m, form) in moves.zip(forms.iter_mut()) {
            *form = canonical(&moved(pair, &self.steps[m.index()]), &self.tables);
        }
        moves.len()
    }

    /// Adds the forms of all boards that are one move from a class, given the form that stands for
    /// it: those next to the board itself, and those next to its inverse.
    fn add_neighbours(&self, form: Nibbles, found: &mut Vec<Nibbles>) {
        let all = MoveSet::first(self.steps.len());
        let mut forms = [0; MAX_MOVES];
        let BoardPair { board, inverse } = self.unpacked(form);
        let count = self.canonical_after(&BoardPair { board, inverse }, all, &mut forms);
        found.extend(forms[..count].iter().map(|&form| Nibbles(form)));
        if board != inverse {
            let other_way_round = BoardPair { board: inverse, inverse: board };
            let count = self.canonical_after(&other_way_round, all, &mut forms);
            found.extend(forms[..count].iter().map(|&form| Nibbles(form)));
        }
    }
}

/// A list for 16 cells; those beyond the grid stay what they are.
fn padded(list: &[u8]) -> [u8; 16] {
    std::array::from_fn(|cell| list.get(cell).copied().unwrap_or(cell as u8))
}

/// Weights that look random: those of a class and of the class that it becomes in the inverse, by the
/// smaller of their numbers.
fn weights_of(class: usize, inverted: usize) -> [u8; 3] {
    let number = class.min(inverted);
    let first = 1 + (number * 37 + 11) % 90;
    let second = (number * 53 + 29) % 127;
    let single = 1 + (number * 29 + 17) % 100;
    let signed = match class.cmp(&inverted) {
        std::cmp::Ordering::Less => single as i8,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => -(single as i8),
    };
    [first as u8, (second as i8 - 63).cast_unsigned(), signed.cast_unsigned()]
}

/// The tables of the classes of pairs; `None` if there are too many symmetries.
fn tables(classes: &PairClasses) -> Option<PairTables> {
    let PairClasses { cells, symmetries, class, stabilizer, start, candidates } = classes;
    let cells = *cells;
    if symmetries.len() > PairTables::IMAGES {
        return None;
    }
    let on_grid = |pair: usize| pair / 16 < cells && pair % 16 < cells;
    let number = |pair: usize| pair / 16 * cells + pair % 16;
    let class_of = |pair: usize| usize::from(class[number(pair)]);
    let turned = |pair: usize| pair % 16 * 16 + pair / 16;
    let all_pairs = || (0..256).filter(|&pair| on_grid(pair));
    let alone = symmetries.len() == 1;
    let few = !alone && stabilizer.len() <= PairTables::FEW_CLASSES;
    let in_byte = |pair: usize| match on_grid(pair) {
        // Any cell will do to choose the only image there is.
        true if alone && pair / 16 > 0 => BEYOND,
        true if alone => 0,
        true => class_of(pair) as u8,
        false if few => BEYOND_FEW,
        false => BEYOND,
    };
    let mut by_class = Weights { first: [0; 16], second: [0; 16], single: [0; 16] };
    let mut by_pair = Weights { first: [0; 256], second: [0; 256], single: [0; 256] };
    for pair in all_pairs() {
        let [first, second, single] = weights_of(class_of(pair), class_of(turned(pair)));
        by_pair.first[pair] = first;
        by_pair.second[pair] = second;
        by_pair.single[pair] = single;
        if few {
            by_class.first[class_of(pair)] = first;
            by_class.second[class_of(pair)] = second;
            by_class.single[class_of(pair)] = single;
        }
    }
    let bytes = |p: &Permutation| padded(p.sources());
    let mut images = Box::new([([0; 16], [0; 16]); PairTables::IMAGES]);
    for (image, (to, from)) in images.iter_mut().zip(symmetries) {
        *image = (bytes(from), bytes(to));
    }
    let at = |pair: usize| if on_grid(pair) { start[number(pair)] as usize } else { 0 };
    let how_many = |pair: usize| if on_grid(pair) { stabilizer[class_of(pair)] } else { 0 };
    let symmetric_classes =
        !alone && all_pairs().all(|pair| class_of(pair) == class_of(turned(pair)));
    let by_displacement = displacement_classes(classes)
        .filter(|_| few && symmetric_classes && stabilizer.iter().all(|&count| count % 2 == 0));
    Some(PairTables {
        is_plain: by_displacement.is_some(),
        by_displacement: by_displacement.unwrap_or_default(),
        class: std::array::from_fn(in_byte),
        few,
        symmetric_classes,
        digits: if few { digits(stabilizer.len()) } else { [[0; 16]; 3] },
        weights: PairWeights { by_class, by_pair },
        start: std::array::from_fn(|pair| at(pair) as u16),
        count: std::array::from_fn(|pair| how_many(pair) as u8),
        candidates: candidates.iter().map(|&index| index as u8).collect(),
        images,
        grid: if cells == 16 { u64::MAX } else { (1 << (4 * cells)) - 1 },
    })
}

/// What the classes of three cells in a row add to a rank that fits a byte: the class of the first
/// counts most. As many of them as there is room for, and cells beyond the grid last.
fn digits(classes: usize) -> [[u8; 16]; 3] {
    let mut digits = [[0; 16]; 3];
    let factors: [usize; 3] = if classes.pow(3) <= usize::from(BEYOND) {
        [classes.pow(2), classes, 1]
    } else {
        [classes, 1, 0]
    };
    for (digit, factor) in digits.iter_mut().zip(factors) {
        for (class, value) in digit[..classes].iter_mut().enumerate() {
            *value = (class * factor) as u8;
        }
    }
    digits[0][usize::from(BEYOND_FEW)] = BEYOND;
    digits
}

/// The class of each displacement, if the grid is a 4x4 torus and classes depend on nothing else.
fn displacement_classes(classes: &PairClasses) -> Option<[u8; 16]> {
    let displaced = |cell: usize, by: usize| {
        (((cell >> 2) + (by >> 2)) & 3) << 2 | (((cell & 3) + (by & 3)) & 3)
    };
    let class_of = |cell: usize, by: usize| classes.class[cell * 16 + displaced(cell, by)];
    let fits = classes.cells == 16
        && (0..16).all(|cell| (0..16).all(|by| class_of(cell, by) == class_of(0, by)));
    fits.then(|| std::array::from_fn(|by| class_of(0, by) as u8))
}

/// The scalar twin of [`Avx::moved`].
fn moved(pair: &BoardPair, step: &PairStep) -> BoardPair {
    BoardPair {
        board: step.sources.map(|source| pair.board[usize::from(source & 15)]),
        inverse: pair.inverse.map(|cell| step.targets[usize::from(cell & 15)]),
    }
}

/// Which of a pair is made canonical: the board if it is above zero, the inverse if it is below.
fn side(labels: &[u8; 16], tables: &PairTables) -> i32 {
    let Weights { first, second, single } = &tables.weights.by_pair;
    let pair = |cell: usize| cell * 16 + usize::from(labels[cell]);
    let signed = |byte: u8| i32::from(byte.cast_signed());
    let of_cell = |cell: usize| {
        let (this, next) = (pair(cell), pair(usize::from(labels[cell])));
        signed(single[this]) + i32::from(first[this]) * signed(second[next])
            - i32::from(first[next]) * signed(second[this])
    };
    (0..16).map(of_cell).sum()
}

/// The smallest of the candidate images, chosen as [`super::canonical`] says.
fn least_image(labels: &[u8; 16], tables: &PairTables) -> u64 {
    let class = |cell: usize| tables.class[cell * 16 + usize::from(labels[cell])];
    let rank = |cell: usize| {
        if !tables.few {
            return class(cell);
        }
        let second = usize::from(labels[cell]);
        let third = usize::from(labels[second]);
        let [high, middle, low] = &tables.digits;
        let digit = |digits: &[u8; 16], cell: usize| digits[usize::from(class(cell))];
        digit(high, cell) + digit(middle, second) + digit(low, third)
    };
    let ranks: [u8; 16] = std::array::from_fn(rank);
    let least = ranks.into_iter().min().unwrap_or(0);
    let mut best = u64::MAX;
    for cell in (0..16).filter(|&cell| ranks[cell] == least) {
        let pair = cell * 16 + usize::from(labels[cell]);
        let start = usize::from(tables.start[pair]);
        for &candidate in &tables.candidates[start..start + usize::from(tables.count[pair])] {
            let (sources, relabel) = &tables.images[usize::from(candidate)];
            let image = |source: &u8| relabel[usize::from(labels[usize::from(*source)])];
            let word = sources.iter().rev().map(image);
            best = best.min(word.fold(0, |word, label| word << 4 | u64::from(label)));
        }
    }
    best
}

/// The scalar twin of [`Avx::canonical_pair`].
fn canonical(pair: &BoardPair, tables: &PairTables) -> u64 {
    let least = match side(&pair.board, tables) {
        1.. => least_image(&pair.board, tables),
        0 => least_image(&pair.board, tables).min(least_image(&pair.inverse, tables)),
        _ => least_image(&pair.inverse, tables),
    };
    least & tables.grid
}
