//! Plain boards: their shape, their text, and the checker that trusts nobody.
//!
//! Everything here works on ordinary arrays of tile numbers, the way a person
//! would write a board down. Nothing here knows how states are packed or how
//! they are searched; this layer uses no other layer and touches no file.

pub mod check;
pub mod move_list;
pub mod notation;
mod print;
mod shape;
pub mod steps;
pub mod text;

pub use print::BoardStyle;
pub use shape::{MAX_CELLS, Shape, ShapeError};

use serde::{Serialize, Serializer};

/// The number on a tile. `0` is the blank of a sliding puzzle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tile(pub u16);

impl Tile {
    /// The empty cell of a sliding puzzle.
    pub const BLANK: Tile = Tile(0);
}

impl std::fmt::Display for Tile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// An arrangement of tiles on a grid, row by row.
///
/// A board is valid by construction: its tiles are either `1..=n` (no blank) or
/// `0..n` (one blank), each exactly once, where `n` is the number of cells.
///
/// ```
/// use permutile::Board;
///
/// let board: Board = "3 1 2 / 4 5 0".parse()?;
/// assert_eq!(board.shape().to_string(), "2x3");
/// assert_eq!(board.grid().to_string(), "3 1 2\n4 5 0");
/// let error = "3 1 2 / 4 x 0".parse::<Board>().unwrap_err();
/// assert_eq!((error.line, error.column), (1, 11));
/// # Ok::<(), permutile::board::text::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    shape: Shape,
    tiles: Box<[Tile]>,
}

/// Why a list of tiles is not a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    /// The list is longer or shorter than the grid.
    #[error("a {shape} board has {} tiles, not {found}", shape.cells())]
    Count {
        /// The grid.
        shape: Shape,
        /// How many tiles were given.
        found: usize,
    },
    /// A tile that cannot be on a board of this size.
    #[error("tile {tile} is out of range: the largest tile here is {largest}")]
    OutOfRange {
        /// The tile.
        tile: Tile,
        /// The largest tile that may be there.
        largest: Tile,
    },
    /// The same tile twice.
    #[error("tile {0} is there twice")]
    Twice(Tile),
}

impl Board {
    /// Makes a board of `tiles`, row by row.
    ///
    /// # Errors
    /// If the tiles are not `1..=n` or `0..n`, each once, for the `n` cells of `shape`.
    pub fn new(shape: Shape, tiles: impl Into<Box<[Tile]>>) -> Result<Board, BoardError> {
        let tiles = tiles.into();
        if tiles.len() != shape.cells() {
            return Err(BoardError::Count { shape, found: tiles.len() });
        }
        let largest = largest_tile(shape, tiles.contains(&Tile::BLANK));
        let mut seen = [false; MAX_CELLS + 1];
        for &tile in &tiles {
            if tile > largest {
                return Err(BoardError::OutOfRange { tile, largest });
            }
            if std::mem::replace(&mut seen[usize::from(tile.0)], true) {
                return Err(BoardError::Twice(tile));
            }
        }
        Ok(Board { shape, tiles })
    }

    /// The board `1 2 3 …` without a blank.
    pub fn ordered(shape: Shape) -> Board {
        let tiles = (1..=shape.cells()).map(|t| Tile(t as u16)).collect();
        Board { shape, tiles }
    }

    /// The grid.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The tiles, row by row.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// The tiles, cut into rows.
    pub fn rows(&self) -> impl Iterator<Item = &[Tile]> {
        self.tiles.chunks(self.shape.cols())
    }

    /// Where the blank is, if there is one.
    pub fn blank(&self) -> Option<usize> {
        self.tiles.iter().position(|&tile| tile == Tile::BLANK)
    }
}

/// The largest tile on a board of this shape.
pub(crate) fn largest_tile(shape: Shape, has_blank: bool) -> Tile {
    Tile((shape.cells() - usize::from(has_blank)) as u16)
}

impl Serialize for Board {
    /// A row-major list of numbers.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.tiles.iter().map(|tile| tile.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: usize, cols: usize, tiles: &[u16]) -> Result<Board, BoardError> {
        let tiles: Vec<Tile> = tiles.iter().map(|&t| Tile(t)).collect();
        Board::new(Shape::new(rows, cols).unwrap(), tiles)
    }

    #[test]
    fn accepts_boards_with_and_without_a_blank() {
        assert_eq!(board(2, 2, &[4, 1, 3, 2]).unwrap().blank(), None);
        assert_eq!(board(2, 2, &[3, 1, 0, 2]).unwrap().blank(), Some(2));
    }

    #[test]
    fn refuses_everything_else() {
        assert!(matches!(board(2, 2, &[1, 2, 3]), Err(BoardError::Count { found: 3, .. })));
        assert_eq!(board(2, 2, &[1, 2, 2, 4]), Err(BoardError::Twice(Tile(2))));
        assert_eq!(
            board(2, 2, &[0, 1, 2, 4]),
            Err(BoardError::OutOfRange { tile: Tile(4), largest: Tile(3) })
        );
    }
}
