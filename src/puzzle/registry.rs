//! The puzzle families, and the way from a name to a searchable puzzle.
//!
//! A new family is one file with a `FAMILY` and one line in [`FAMILIES`]; it then
//! appears in the command line, in `info`, in the benches and in the tests that run
//! over all families.

use super::arch::Simd;
use super::definition::{Definition, Dynamics};
use super::frame::{Frame, Goal, GoalError};
use super::packed::{Nibbles, Packed, Quints, Wide};
use super::permuting::Permuting;
use super::sliding::{self, Sliding};
use super::{Puzzle, rings, torus};
use crate::board::{Board, MAX_CELLS, Shape};
use std::sync::Arc;

/// All puzzle families that have a name.
pub const FAMILIES: &[Family] = &[torus::FAMILY, rings::FAMILY, sliding::FAMILY];

/// One kind of puzzle, on grids of several shapes.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The first part of an id.
    pub name: &'static str,
    /// What its moves are.
    pub summary: &'static str,
    /// How ids are written, and which shapes there are.
    pub shapes: &'static str,
    /// Whether the family has a puzzle of this shape.
    pub fits: fn(Shape) -> bool,
    /// The puzzle of a shape that fits.
    pub define: fn(Shape) -> Definition,
}

/// `torus4` for a square grid, `torus:4x5` for another.
pub(super) fn short_id(family: &str, shape: Shape) -> String {
    if shape.is_square() {
        format!("{family}{}", shape.rows())
    } else {
        format!("{family}:{shape}")
    }
}

/// Why a text is not the id of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IdError {
    /// No family of that name.
    #[error("there is no puzzle \"{id}\": expected {}; or a path to a .toml file", known_ids())]
    Unknown {
        /// What was asked for.
        id: String,
    },
    /// The shape cannot be read, or is too small or too large for any grid.
    #[error("\"{id}\": {error}")]
    Shape {
        /// What was asked for.
        id: String,
        /// What is wrong with its shape.
        error: crate::board::ShapeError,
    },
    /// The family has no puzzle of that shape.
    #[error("there is no \"{id}\": expected {shapes}")]
    Unfit {
        /// What was asked for.
        id: String,
        /// What there is.
        shapes: &'static str,
    },
}

fn known_ids() -> String {
    let ids: Vec<&str> = FAMILIES.iter().map(|family| family.shapes).collect();
    ids.join("; ")
}

/// The puzzle of an id such as `torus4` or `sliding:3x4`.
///
/// # Errors
/// If there is no such puzzle.
pub fn define(id: &str) -> Result<Definition, IdError> {
    let unknown = || IdError::Unknown { id: id.to_owned() };
    let family = FAMILIES.iter().find(|f| id.starts_with(f.name)).ok_or_else(unknown)?;
    let rest = &id[family.name.len()..];
    let shape_error = |error| IdError::Shape { id: id.to_owned(), error };
    let shape = if let Some(shape) = rest.strip_prefix(':') {
        shape.parse::<Shape>().map_err(shape_error)?
    } else {
        let side = rest.parse::<usize>().map_err(|_| unknown())?;
        Shape::new(side, side).map_err(shape_error)?
    };
    if !(family.fits)(shape) {
        return Err(IdError::Unfit { id: id.to_owned(), shapes: family.shapes });
    }
    Ok((family.define)(shape))
}

/// The puzzle that a board most likely belongs to: `sliding` if it has a blank, else
/// `rings5` if it is 5x5, else the torus of its shape.
///
/// # Errors
/// If that family has no puzzle of the board's shape.
pub fn infer(board: &Board) -> Result<Definition, IdError> {
    let shape = board.shape();
    let family = if board.blank().is_some() {
        sliding::FAMILY
    } else if (shape.rows(), shape.cols()) == (5, 5) {
        rings::FAMILY
    } else {
        torus::FAMILY
    };
    if !(family.fits)(shape) {
        let id = short_id(family.name, shape);
        return Err(IdError::Unfit { id, shapes: family.shapes });
    }
    Ok((family.define)(shape))
}

/// The id of another puzzle that a board may well belong to, where [`infer`] had to choose: most
/// boards without a blank are taken for a torus, those of 5x5 for rings.
pub fn other_than_inferred(board: &Board) -> Option<String> {
    let inferred = infer(board).ok()?;
    let of_torus = (torus::FAMILY.define)(board.shape());
    (board.blank().is_none() && inferred.id != of_torus.id).then_some(of_torus.id)
}

/// A puzzle whose engine was chosen at run time, by size and kind.
#[expect(missing_docs, reason = "one engine each, named by how it packs and moves")]
#[derive(Clone, Debug)]
pub enum AnyPuzzle {
    PermutingNibbles(Arc<Permuting<Nibbles>>),
    PermutingQuints(Arc<Permuting<Quints>>),
    PermutingWide(Arc<Permuting<Wide<MAX_CELLS>>>),
    SlidingNibbles(Arc<Sliding<Nibbles>>),
    SlidingQuints(Arc<Sliding<Quints>>),
    SlidingWide64(Arc<Sliding<Wide<64>>>),
    SlidingWide256(Arc<Sliding<Wide<MAX_CELLS>>>),
}

/// Runs the same code on whichever engine it is, compiled once for each.
#[doc(hidden)]
#[macro_export]
macro_rules! on_engine {
    ($any:expr, $puzzle:ident => $code:expr) => {
        match $any {
            $crate::puzzle::AnyPuzzle::PermutingNibbles($puzzle) => $code,
            $crate::puzzle::AnyPuzzle::PermutingQuints($puzzle) => $code,
            $crate::puzzle::AnyPuzzle::PermutingWide($puzzle) => $code,
            $crate::puzzle::AnyPuzzle::SlidingNibbles($puzzle) => $code,
            $crate::puzzle::AnyPuzzle::SlidingQuints($puzzle) => $code,
            $crate::puzzle::AnyPuzzle::SlidingWide64($puzzle) => $code,
            $crate::puzzle::AnyPuzzle::SlidingWide256($puzzle) => $code,
        }
    };
}
pub(crate) use crate::on_engine;

/// Code that is compiled once for each engine.
pub trait PuzzleVisitor {
    /// What it yields.
    type Output;
    /// Runs it on the engine at hand.
    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output;
}

impl AnyPuzzle {
    /// Builds the engine for a puzzle and a goal.
    ///
    /// # Errors
    /// If the goal is not a board of this puzzle.
    pub fn new(definition: Definition, goal: Goal, simd: Simd) -> Result<AnyPuzzle, GoalError> {
        let blank = matches!(definition.dynamics, Dynamics::Blank);
        let frame = Frame::new(definition, goal, simd)?;
        let cells = frame.shape().cells();
        Ok(match (blank, cells) {
            (false, ..=Nibbles::CAPACITY) => {
                AnyPuzzle::PermutingNibbles(Arc::new(Permuting::new(frame)))
            }
            (false, ..=Quints::CAPACITY) => {
                AnyPuzzle::PermutingQuints(Arc::new(Permuting::new(frame)))
            }
            (false, _) => AnyPuzzle::PermutingWide(Arc::new(Permuting::new(frame))),
            (true, ..=Nibbles::CAPACITY) => {
                AnyPuzzle::SlidingNibbles(Arc::new(Sliding::new(frame)))
            }
            (true, ..=Quints::CAPACITY) => AnyPuzzle::SlidingQuints(Arc::new(Sliding::new(frame))),
            // With 256 bytes a state, IDA* is a third slower, and A* takes four times the memory.
            (true, ..=64) => AnyPuzzle::SlidingWide64(Arc::new(Sliding::new(frame))),
            (true, _) => AnyPuzzle::SlidingWide256(Arc::new(Sliding::new(frame))),
        })
    }

    /// The puzzle of an id with its default goal.
    ///
    /// # Errors
    /// If there is no such puzzle.
    pub fn from_id(id: &str) -> Result<AnyPuzzle, IdError> {
        let puzzle = AnyPuzzle::new(define(id)?, Goal::Default, Simd::detect());
        Ok(puzzle.expect("each puzzle has its default goal"))
    }

    /// Runs `visitor` on the engine.
    pub fn visit<V: PuzzleVisitor>(&self, visitor: V) -> V::Output {
        on_engine!(self, puzzle => visitor.visit(&**puzzle))
    }

    /// Everything that does not depend on how states are packed.
    pub fn frame(&self) -> &Frame {
        on_engine!(self, puzzle => puzzle.frame())
    }
}
