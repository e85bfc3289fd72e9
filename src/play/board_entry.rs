//! A board that is typed in row by row: each row is checked as it comes, and there is a way back.

use crate::board::{Board, Shape, Tile, largest_tile};
use crate::puzzle::Frame;
use crate::puzzle::moves::Action;
use std::fmt;
use std::iter;

/// The rows that were accepted so far.
#[derive(Debug)]
pub struct BoardEntry<'a> {
    shape: Shape,
    /// The puzzle, where it is known before the tiles.
    frame: Option<&'a Frame>,
    rows: Vec<Vec<Tile>>,
}

/// Why a row is refused. The rows before it stay.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RowError {
    /// Not a number.
    #[error("\"{0}\" is no tile: expected whole numbers, as in 3 1 2")]
    NoNumber(String),
    /// Too few or too many.
    #[error("a row has {expected} tiles, here are {found}")]
    Count {
        /// As many as there are columns.
        expected: usize,
        /// As many as were given.
        found: usize,
    },
    /// Too large, or a blank where there is none.
    #[error("there is no tile {tile}: the tiles are {range}")]
    OutOfRange {
        /// The tile.
        tile: u64,
        /// What there is.
        range: TileRange,
    },
    /// There already.
    #[error("tile {tile} is in row {row} already")]
    Twice {
        /// The tile.
        tile: Tile,
        /// Where it is, from 1.
        row: usize,
    },
    /// The puzzle's moves never bring it home.
    #[error("unsolvable: no moves bring tile {tile} from here to its goal")]
    OutOfReach {
        /// The tile.
        tile: Tile,
    },
}

/// The tiles that a board may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TileRange {
    /// Every cell has a tile.
    Full(Tile),
    /// One cell is blank.
    WithBlank(Tile),
    /// Either; the tiles will tell. The largest is that without a blank.
    Either(Tile),
}

impl fmt::Display for TileRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TileRange::Full(last) => write!(f, "1 to {last}"),
            TileRange::WithBlank(last) => write!(f, "1 to {last}, and 0 for the blank"),
            TileRange::Either(last) => {
                write!(f, "1 to {last}, or 1 to {} and 0 for the blank", last.0 - 1)
            }
        }
    }
}

impl<'a> BoardEntry<'a> {
    /// For a board of this size; its tiles tell the puzzle.
    pub fn of_size(shape: Shape) -> BoardEntry<'a> {
        BoardEntry { shape, frame: None, rows: Vec::new() }
    }

    /// For a board of this puzzle.
    pub fn of_puzzle(frame: &'a Frame) -> BoardEntry<'a> {
        BoardEntry { shape: frame.shape(), frame: Some(frame), rows: Vec::new() }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The grid.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The tiles that the board may have, as far as that is known.
    pub fn range(&self) -> TileRange {
        let [full, with_blank] = [false, true].map(|blank| largest_tile(self.shape, blank));
        let has = |tile: Tile| self.rows.iter().flatten().any(|&there| there == tile);
        match self.frame.map(|frame| frame.blank_label().is_some()) {
            Some(true) => TileRange::WithBlank(with_blank),
            Some(false) => TileRange::Full(full),
            None if has(Tile::BLANK) => TileRange::WithBlank(with_blank),
            None if has(full) => TileRange::Full(full),
            None => TileRange::Either(full),
        }
    }

    /// The tiles that are still to come. Which of the blank and the last tile it is may be open.
    pub fn left(&self) -> Vec<Tile> {
        let (first, last) = match self.range() {
            TileRange::Full(last) => (1, last),
            TileRange::WithBlank(last) | TileRange::Either(last) => (0, last),
        };
        let has = |tile: Tile| self.rows.iter().flatten().any(|&there| there == tile);
        (first..=last.0).map(Tile).filter(|&tile| !has(tile)).collect()
    }

    /// All boards that this can become; none are listed while more than a few cells are open.
    pub fn completions(&self) -> Option<impl Iterator<Item = Board>> {
        let (shape, begun, left) = (self.shape, self.rows.concat(), self.left());
        let cells = shape.cells() - begun.len();
        if cells > MOST_OPEN {
            return None;
        }
        // While it is open whether there is a blank, the last tile or the blank is one too many.
        let sets = match left.len() {
            count if count == cells => vec![left],
            count => vec![left[..count - 1].to_vec(), left[1..].to_vec()],
        };
        let rests = sets
            .into_iter()
            .flat_map(|set| iter::successors(Some(set), |tiles| next_arrangement(tiles)));
        Some(rests.filter_map(move |rest| Board::new(shape, [&*begun, &rest].concat()).ok()))
    }

    /// Takes a row; the board, if it was the last one.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub fn add(&mut self, line: &str) -> Result<Option<Board>, RowError> {
        let words = line.split(|c: char| c.is_whitespace() || ",;|".contains(c));
        let mut numbers = Vec::new();
        for word in words.filter(|word| !word.is_empty()) {
            let number = word.parse::<u64>().map_err(|_| RowError::NoNumber(word.to_owned()))?;
            numbers.push(number);
        }
        let (expected, found) = (self.shape.cols(), numbers.len());
        self.rows.push(Vec::new());
        let added = if found == expected {
            numbers.into_iter().try_for_each(|number| self.add_tile(number))
        } else {
            Err(RowError::Count { expected, found })
        };
        if let Err(error) = added {
            self.rows.pop();
            return Err(error);
        }
        if self.rows.len() < self.shape.rows() {
            return Ok(None);
        }
        // As many different tiles as cells, none beyond the range: that is a board.
        Ok(Board::new(self.shape, self.rows.concat()).ok())
    }

    fn add_tile(&mut self, number: u64) -> Result<(), RowError> {
        let range = self.range();
        let (first, last) = match range {
            TileRange::Full(last) => (1, last),
            TileRange::WithBlank(last) | TileRange::Either(last) => (0, last),
        };
        let tile = u16::try_from(number).ok().filter(|tile| (first..=last.0).contains(tile));
        let tile = Tile(tile.ok_or(RowError::OutOfRange { tile: number, range })?);
        if let Some(row) = self.rows.iter().position(|row| row.contains(&tile)) {
            return Err(RowError::Twice { tile, row: row + 1 });
        }
        let row = self.rows.last_mut().expect("the row was begun");
        row.push(tile);
        let cell = self.rows.iter().map(Vec::len).sum::<usize>() - 1;
        if self.frame.is_some_and(|frame| !can_come_home(frame, tile, cell)) {
            return Err(RowError::OutOfReach { tile });
        }
        Ok(())
    }

    /// Takes the last row back; whether there was one.
    pub fn back(&mut self) -> bool {
        self.rows.pop().is_some()
    }
}

/// With so many cells open, there are 720 boards that it can become, or twice as many.
const MOST_OPEN: usize = 6;

/// The next arrangement of tiles in lexicographic order.
fn next_arrangement(tiles: &[Tile]) -> Option<Vec<Tile>> {
    let mut next = tiles.to_vec();
    let pivot = next.windows(2).rposition(|pair| pair[0] < pair[1])?;
    let larger = next.iter().rposition(|tile| *tile > next[pivot])?;
    next.swap(pivot, larger);
    next[pivot + 1..].reverse();
    Some(next)
}

/// Whether some moves bring a tile from a cell to its goal, wherever the others go. A blank lets
/// every tile go anywhere.
fn can_come_home(frame: &Frame, tile: Tile, cell: usize) -> bool {
    let Action::Permutations(moves) = frame.moves().action() else { return true };
    let mut reached = vec![false; frame.shape().cells()];
    let mut waiting = vec![cell];
    while let Some(cell) = waiting.pop() {
        if frame.goal().tiles()[cell] == tile {
            return true;
        }
        if !std::mem::replace(&mut reached[cell], true) {
            // A permutation's cycles come back, so that going against its arrows leads as far.
            waiting.extend(moves.iter().map(|m| m.source(cell)));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Goal, custom, registry};

    #[test]
    fn rows_are_checked_as_they_come() {
        let mut entry = BoardEntry::of_size("3x3".parse().unwrap());
        let mut refused = |line: &str| entry.add(line).unwrap_err().to_string();
        assert_eq!(refused("1 2"), "a row has 3 tiles, here are 2");
        assert_eq!(refused("1 2 x"), "\"x\" is no tile: expected whole numbers, as in 3 1 2");
        assert_eq!(refused("1 2 1"), "tile 1 is in row 1 already");
        assert!(refused("1 2 10").contains("1 to 9, or 1 to 8 and 0 for the blank"));
        // The last tile and the blank are not on the same board.
        assert!(refused("1 0 9").contains("no tile 9: the tiles are 1 to 8, and 0 for the blank"));
        assert_eq!(entry.add("1, 2, 9"), Ok(None));
        assert!(entry.add("0 3 4").unwrap_err().to_string().contains("no tile 0"));
        assert_eq!(entry.add("3 4 2").unwrap_err().to_string(), "tile 2 is in row 1 already");
        assert_eq!(entry.add("3 4 5"), Ok(None));
        assert_eq!(entry.left(), [6, 7, 8].map(Tile));
        assert!(entry.back());
        assert_eq!(entry.add("3 4 8"), Ok(None));
        let board = entry.add("5 6 7").unwrap().unwrap();
        assert_eq!(board.to_string(), "1 2 9 3 4 8 5 6 7");
        assert!(entry.back() && entry.back() && entry.back() && !entry.back());
    }

    #[test]
    fn the_last_rows_leave_few_boards() {
        let mut entry = BoardEntry::of_size("3x2".parse().unwrap());
        assert_eq!(entry.completions().unwrap().count(), 2 * 720);
        assert_eq!(entry.add("1 2"), Ok(None));
        assert_eq!(entry.add("3 4"), Ok(None));
        let boards: Vec<String> = entry.completions().unwrap().map(|b| b.to_string()).collect();
        assert_eq!(
            boards,
            ["1 2 / 3 4 / 0 5", "1 2 / 3 4 / 5 0", "1 2 / 3 4 / 5 6", "1 2 / 3 4 / 6 5"]
        );
        assert!(BoardEntry::of_size("3x3".parse().unwrap()).completions().is_none());
    }

    #[test]
    fn a_puzzle_knows_its_tiles_and_where_they_can_go() {
        let frame = |definition| Frame::new(definition, Goal::Default, Simd::off()).unwrap();
        let torus = frame(registry::define("torus2").unwrap());
        let mut entry = BoardEntry::of_puzzle(&torus);
        assert!(entry.add("0 1").unwrap_err().to_string().ends_with("the tiles are 1 to 4"));
        let text = "shape = \"2x2\"\n[[move]]\nname = \"A\"\ncycles = [[1, 2]]\n";
        let apart = frame(custom::define("apart.toml", text).unwrap());
        let mut entry = BoardEntry::of_puzzle(&apart);
        assert_eq!(entry.add("1 3"), Err(RowError::OutOfReach { tile: Tile(3) }));
        assert_eq!(entry.add("2 1"), Ok(None));
        assert_eq!(entry.left(), [3, 4].map(Tile));
    }
}
