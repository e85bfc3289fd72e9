//! The size of a grid.

use std::fmt;
use std::str::FromStr;

/// The most cells that a board may have: a cell's index fits a byte.
pub const MAX_CELLS: usize = 256;

/// Rows and columns of a grid: at least two columns, at most [`MAX_CELLS`] cells. A single row is
/// a grid for custom puzzles alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shape {
    rows: u16,
    cols: u16,
}

/// Why two numbers, or a text, are not a shape.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ShapeError {
    /// No row, or fewer than two columns.
    #[error("a grid of {rows}x{cols} is too small: it needs at least 1 row and 2 columns")]
    TooSmall {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// More than [`MAX_CELLS`] cells.
    #[error("a grid of {rows}x{cols} is too large: at most {MAX_CELLS} cells are supported")]
    TooLarge {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// Not of the form `RxC`.
    #[error("\"{0}\" is not a shape: write rows x columns, as in 4x5")]
    Syntax(String),
}

impl Shape {
    /// A grid of `rows` x `cols`.
    ///
    /// # Errors
    /// If it is smaller than 1x2 or larger than [`MAX_CELLS`] cells.
    pub fn new(rows: usize, cols: usize) -> Result<Shape, ShapeError> {
        if rows < 1 || cols < 2 {
            return Err(ShapeError::TooSmall { rows, cols });
        }
        if rows.saturating_mul(cols) > MAX_CELLS {
            return Err(ShapeError::TooLarge { rows, cols });
        }
        Ok(Shape { rows: rows as u16, cols: cols as u16 })
    }

    /// The square grid with this many cells, if there is one.
    pub fn square_of(cells: usize) -> Option<Shape> {
        let side = cells.isqrt();
        (side * side == cells).then(|| Shape::new(side, side).ok()).flatten()
    }

    /// The number of rows.
    pub fn rows(self) -> usize {
        usize::from(self.rows)
    }

    /// The number of columns.
    pub fn cols(self) -> usize {
        usize::from(self.cols)
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    /// Whether there are as many rows as columns.
    pub fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// The index of a cell, row by row from the top left.
    pub fn cell(self, row: usize, col: usize) -> usize {
        debug_assert!(row < self.rows() && col < self.cols());
        row * self.cols() + col
    }

    /// The row and column of a cell.
    pub fn row_col(self, cell: usize) -> (usize, usize) {
        (cell / self.cols(), cell % self.cols())
    }

    /// How many rows and columns two cells are apart.
    pub fn apart(self, a: usize, b: usize) -> (usize, usize) {
        let ((r0, c0), (r1, c1)) = (self.row_col(a), self.row_col(b));
        (r0.abs_diff(r1), c0.abs_diff(c1))
    }

    /// How many rows and columns two cells are apart where the grid wraps around.
    pub fn circular_apart(self, a: usize, b: usize) -> (usize, usize) {
        let (rows, cols) = self.apart(a, b);
        (rows.min(self.rows() - rows), cols.min(self.cols() - cols))
    }

    /// How many steps two cells are apart where the grid wraps around.
    pub fn circular_steps(self, a: usize, b: usize) -> usize {
        let (rows, cols) = self.circular_apart(a, b);
        rows + cols
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Shape, ShapeError> {
        let syntax = || ShapeError::Syntax(text.to_owned());
        let (rows, cols) = text.split_once(['x', 'X']).ok_or_else(syntax)?;
        let number = |part: &str| part.trim().parse::<usize>().map_err(|_| syntax());
        Shape::new(number(rows)?, number(cols)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_prints() {
        let shape: Shape = "4x5".parse().unwrap();
        assert_eq!((shape.rows(), shape.cols(), shape.cells()), (4, 5, 20));
        assert_eq!(shape.to_string(), "4x5");
        assert_eq!(shape.row_col(shape.cell(2, 3)), (2, 3));
    }

    #[test]
    fn one_row_is_a_grid() {
        for text in ["1x2", "1x25", "1x256"] {
            let shape: Shape = text.parse().unwrap();
            assert_eq!((shape.rows(), shape.to_string().as_str()), (1, text));
            assert_eq!(shape.row_col(shape.cells() - 1), (0, shape.cols() - 1));
            assert_eq!(shape.circular_steps(0, shape.cells() - 1), 1);
        }
    }

    #[test]
    fn refuses_what_is_no_grid() {
        for text in ["", "4", "4x", "ax4", "4x4x4"] {
            assert!(matches!(text.parse::<Shape>(), Err(ShapeError::Syntax(_))), "{text}");
        }
        for text in ["0x9", "9x1", "1x1"] {
            assert!(matches!(text.parse::<Shape>(), Err(ShapeError::TooSmall { .. })), "{text}");
        }
        for text in ["17x16", "1x257", "257x2"] {
            assert!(matches!(text.parse::<Shape>(), Err(ShapeError::TooLarge { .. })), "{text}");
        }
        assert_eq!(Shape::square_of(16), Shape::new(4, 4).ok());
        assert_eq!(Shape::square_of(15), None);
        assert_eq!(Shape::square_of(1), None);
    }
}
