//! What only some processors can do: byte shuffles, one file per instruction set.
//!
//! Each instruction set is a token that can only be had on a processor that has it
//! ([`Simd::detect`]), so that its methods are safe to call. But for the storage of
//! tables, this folder holds the only `unsafe` code of the library; everything in it has
//! a scalar twin that it is tested against. On other processors, and with
//! `--cfg permutile_scalar`, the tokens have no value and the twins are used.

#[cfg(all(target_arch = "x86_64", not(permutile_scalar)))]
mod avx;
#[cfg(all(target_arch = "x86_64", not(permutile_scalar)))]
mod avx2;
mod prefetch;
#[cfg(all(target_arch = "x86_64", not(permutile_scalar)))]
mod ssse3;
#[cfg(all(target_arch = "x86_64", not(permutile_scalar)))]
pub use {avx::Avx, avx2::Avx2, ssse3::Ssse3};

#[cfg(not(all(target_arch = "x86_64", not(permutile_scalar))))]
mod none;
#[cfg(not(all(target_arch = "x86_64", not(permutile_scalar))))]
pub use none::{Avx, Avx2, Ssse3};

pub use prefetch::prefetch;

/// Which instruction sets may be used.
#[derive(Clone, Copy, Debug)]
pub struct Simd {
    ssse3: Option<Ssse3>,
    avx: Option<Avx>,
    avx2: Option<Avx2>,
}

/// The environment variable that, set to `off`, makes a processor look as if it had no
/// instruction set of these.
pub const VARIABLE: &str = "PERMUTILE_SIMD";

impl Simd {
    /// All that this processor has, unless [`VARIABLE`] says otherwise.
    pub fn detect() -> Simd {
        if std::env::var_os(VARIABLE).is_some_and(|value| value == "off") {
            return Simd::off();
        }
        Simd { ssse3: Ssse3::new(), avx: Avx::new(), avx2: Avx2::new() }
    }

    /// None: the scalar twins everywhere.
    pub fn off() -> Simd {
        Simd { ssse3: None, avx: None, avx2: None }
    }

    /// 16-byte shuffles.
    pub fn ssse3(self) -> Option<Ssse3> {
        self.ssse3
    }

    /// The same with minimum and blend, by instructions of three operands.
    pub fn avx(self) -> Option<Avx> {
        self.avx
    }

    /// 32-byte shuffles.
    pub fn avx2(self) -> Option<Avx2> {
        self.avx2
    }
}

/// Where the cells of a grid of up to 25 cells and 8 rows and columns are, and how far apart
/// rows and columns are where it wraps around.
#[derive(Clone, Debug)]
pub struct WrappedGrid {
    /// For each label, 16 times its row + its column.
    pub row_col: [u8; 32],
    /// The row of each cell, less [`WrappedGrid::MOST_LINES`], modulo 256.
    pub row: [u8; 32],
    /// The column of each cell, likewise.
    pub col: [u8; 32],
    /// How far apart two rows are, by their difference + [`WrappedGrid::MOST_LINES`].
    pub row_steps: [u8; 16],
    /// How far apart two columns are, likewise.
    pub col_steps: [u8; 16],
}

impl WrappedGrid {
    /// The most rows and columns: 16 bytes have room for all differences.
    pub const MOST_LINES: usize = 8;

    /// The tables of a grid, if it is not too large.
    pub fn new(rows: usize, cols: usize) -> Option<WrappedGrid> {
        let cells = rows * cols;
        if cells > 25 || rows.max(cols) > Self::MOST_LINES {
            return None;
        }
        // Cells beyond the grid are taken for the first one, as is the label that they hold.
        let on_grid = |cell: usize| if cell < cells { cell } else { 0 };
        let less = |line: usize| (line as u8).wrapping_sub(Self::MOST_LINES as u8);
        let steps = |lines: usize, difference: usize| {
            let straight = difference.abs_diff(Self::MOST_LINES).min(lines);
            straight.min(lines - straight) as u8
        };
        Some(WrappedGrid {
            row_col: std::array::from_fn(|i| (on_grid(i) / cols * 16 + on_grid(i) % cols) as u8),
            row: std::array::from_fn(|i| less(on_grid(i) / cols)),
            col: std::array::from_fn(|i| less(on_grid(i) % cols)),
            row_steps: std::array::from_fn(|i| steps(rows, i)),
            col_steps: std::array::from_fn(|i| steps(cols, i)),
        })
    }
}

/// Tables for the canonical form of 16 cells under symmetries of which all classes of
/// (cell, label) pairs depend only on the label's displacement on the 4x4 torus. See
/// [`super::canonical`] for what they mean and who builds them. About 6 KB.
#[derive(Clone, Debug)]
pub struct Shuffle16 {
    /// The class of each displacement.
    pub class: [u8; 16],
    /// For each (cell, label), the first of its candidates.
    pub start: [u16; 256],
    /// For each class, how many candidates each of its pairs has.
    pub stabilizer: [u8; Shuffle16::MOST_CLASSES],
    /// Indices of symmetries.
    pub candidates: Vec<u8>,
    /// For each symmetry, from which cell each cell comes, and what each label becomes.
    pub images: Vec<([u8; 16], [u8; 16])>,
}

impl Shuffle16 {
    /// The most classes: ranks of three classes fit a byte.
    pub const MOST_CLASSES: usize = 6;
}

/// A board of up to 16 cells together with its inverse, a byte a cell; cells beyond the grid hold
/// themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(16))]
pub struct BoardPair {
    /// The label in each cell.
    pub board: [u8; 16],
    /// The cell of each label.
    pub inverse: [u8; 16],
}

/// A move on a [`BoardPair`].
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub struct PairStep {
    /// From which cell each cell's content comes.
    pub sources: [u8; 16],
    /// To which cell each cell's content goes.
    pub targets: [u8; 16],
}

/// Tables for the form that stands for a board of up to 16 cells, its inverse, and the symmetric
/// images of both. See [`super::board_pair`] for what they mean and who builds them. About 10 KB.
#[derive(Clone, Debug)]
pub struct PairTables {
    /// Whether the class of a (cell, label) pair depends only on the label's displacement on the 4x4
    /// torus, classes are few and symmetric, and pairs have even numbers of candidates.
    pub is_plain: bool,
    /// If so, the class of each displacement.
    pub by_displacement: [u8; 16],
    /// The class of each (cell, label) pair.
    pub class: [u8; 256],
    /// Whether a class's number can be looked up in 16 bytes.
    pub few: bool,
    /// Whether (label, cell) has the class of (cell, label).
    pub symmetric_classes: bool,
    /// If there are few classes: what the class of a cell, of the next, and of the one after that
    /// add to its rank. If not, the rank is the class.
    pub digits: [[u8; 16]; 3],
    /// What tells a board from its inverse.
    pub weights: PairWeights,
    /// For each (cell, label), the first of its candidates.
    pub start: [u16; 256],
    /// For each (cell, label), how many candidates it has.
    pub count: [u8; 256],
    /// Indices of symmetries.
    pub candidates: Vec<u8>,
    /// For each symmetry, from which cell each cell comes, and what each label becomes.
    pub images: Box<[([u8; 16], [u8; 16]); PairTables::IMAGES]>,
    /// All bits of the cells that are on the grid.
    pub grid: u64,
}

impl PairTables {
    /// The most classes that are few, with one more for cells beyond the grid.
    pub const FEW_CLASSES: usize = 15;
    /// The most symmetries.
    pub const IMAGES: usize = 128;
}

/// The weights of [`PairTables`], twice.
#[derive(Clone, Debug)]
pub struct PairWeights {
    /// By class, if there are few.
    pub by_class: Weights<16>,
    /// By (cell, label) pair.
    pub by_pair: Weights<256>,
}

/// Two weights that a class shares with the one that it becomes in the inverse, and one that has the
/// opposite sign there. The second and the last are signed.
#[derive(Clone, Debug)]
pub struct Weights<const N: usize> {
    /// From 0 to 90.
    pub first: [u8; N],
    /// From −63 to 63.
    pub second: [u8; N],
    /// From −100 to 100.
    pub single: [u8; N],
}

/// The same for up to 25 cells and any symmetries with fewer than 255 classes of pairs.
/// About 3 KB, and 64 bytes for each symmetry.
#[derive(Clone, Debug)]
pub struct Shuffle32 {
    /// The class of each (cell, label); 255, which no class has, beyond the grid.
    pub class: [[u8; 32]; 32],
    /// For each (cell, label), the first of its candidates.
    pub start: [[u16; 32]; 25],
    /// For each class, how many candidates each of its pairs has.
    pub stabilizer: Vec<u16>,
    /// Indices of symmetries.
    pub candidates: Vec<u16>,
    /// For each symmetry, from which cell each cell comes, and what each label becomes.
    pub images: Vec<([u8; 32], [u8; 32])>,
    /// All bits of the cells that are on the grid.
    pub grid: u128,
}
