//! User-defined partitions, as text.
//!
//! Either patterns are separated by `/` and the numbers of their tiles by commas, as in
//! `1,4,5,8,9,12/2,3,6,7,10,11/13,14,15`. Or there is one number for each cell of the goal, row by
//! row, that says to which pattern the tile belongs whose goal that cell is, and 0 for the blank
//! and for tiles in no pattern: `0,1,2,2,1,1,2,2,1,1,2,2,1,3,3,3`. A list without `/` is that just
//! if there is a 0 in it, since no pattern has the blank and no goal is without one.

use super::partition::Partition;
use super::pattern_databases::MOST_PATTERNS;
use crate::board::Tile;
use crate::puzzle::{Frame, Goal};
use crate::table::sliding::{MOST_CELLS, MOST_TILES};
use std::collections::BTreeMap;

/// A partition as it was written, independent of any puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UserPartition {
    name: String,
    /// The tiles of each pattern, in order.
    patterns: Vec<Vec<u16>>,
    /// How many cells there are, if a number was written for each.
    cells: Option<usize>,
}

/// What is wrong with a partition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PartitionError {
    /// Something else than a number.
    #[error(
        "\"{0}\" is not the number of a tile: expected tiles separated by commas and patterns by /, \
         as in 1,2,3/4,5,6/7,8, or one number for each cell of the goal, with 0 for the blank"
    )]
    NotANumber(String),
    /// The blank is in a pattern.
    #[error("0 is the blank, which is in no pattern: leave it out")]
    Blank,
    /// In a list of all cells, the blank has a pattern.
    #[error(
        "the blank belongs in cell {cell} of the goal: write 0 there instead of {number} or, if \
         these are the tiles of a pattern, leave out the 0, which is the blank"
    )]
    BlankNumbered {
        /// The cell, from 1.
        cell: usize,
        /// What is there.
        number: u16,
    },
    /// In two patterns, or in one of them twice.
    #[error("tile {0} is there twice: a tile is in one pattern at most")]
    Twice(u16),
    /// More tiles than a table can be of.
    #[error(
        "there are {0} tiles in one pattern, and {MOST_TILES} is the most: divide it by /, or \
         write one number for each cell of the goal, with 0 for the blank"
    )]
    TooManyTiles(usize),
    /// More patterns than are added up.
    #[error(
        "there are {0} patterns, and {MOST_PATTERNS} is the most: join some, or leave some out"
    )]
    TooManyPatterns(usize),
    /// All numbers are 0.
    #[error("no tile is in a pattern: number the patterns from 1")]
    Nothing,
    /// Not a puzzle of this kind.
    #[error("it has no blank, and the patterns are of sliding puzzles")]
    WithoutBlank,
    /// No table has so many cells.
    #[error("it has {0} cells, and {MOST_CELLS} is the most for pattern databases")]
    TooLarge(usize),
    /// Not a tile of this puzzle.
    #[error("there is no tile {tile}: its tiles are 1 to {largest}")]
    NoSuchTile {
        /// The tile.
        tile: u16,
        /// The largest that there is.
        largest: usize,
    },
    /// A number too many, or too few.
    #[error(
        "there are {written} numbers for its {cells} cells: write one for each cell of the goal or, \
         if they are the tiles of a pattern, leave out the 0, which is the blank"
    )]
    WrongLength {
        /// How many there are.
        written: usize,
        /// How many there should be.
        cells: usize,
    },
}

impl UserPartition {
    /// Reads a partition; what belongs in which cell is as the goal says.
    ///
    /// # Errors
    /// If it fits no puzzle.
    pub fn parse(text: &str, goal: &Goal) -> Result<UserPartition, PartitionError> {
        let number = |part: &str| {
            let part = part.trim();
            part.parse::<u16>().map_err(|_| PartitionError::NotANumber(part.to_owned()))
        };
        let numbers = |list: &str| list.split(',').map(number).collect::<Result<Vec<u16>, _>>();
        let mut patterns: Vec<Vec<u16>> = text.split('/').map(numbers).collect::<Result<_, _>>()?;
        let mut cells = None;
        if let [list] = patterns.as_slice()
            && list.contains(&0)
        {
            cells = Some(list.len());
            patterns = by_number(list, goal)?;
        }
        patterns.iter_mut().for_each(|tiles| tiles.sort_unstable());
        patterns.sort_unstable();
        check(&patterns)?;
        let words = |tiles: &Vec<u16>| {
            let tiles: Vec<String> = tiles.iter().map(u16::to_string).collect();
            tiles.join(",")
        };
        let name = format!("pdb:{}", patterns.iter().map(words).collect::<Vec<_>>().join("/"));
        Ok(UserPartition { name, patterns, cells })
    }

    /// `pdb:`, and the patterns with their tiles in order: the same for all ways to write it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The partition of a puzzle.
    ///
    /// # Errors
    /// If it does not fit the puzzle.
    pub fn partition(&self, frame: &Frame) -> Result<Partition, PartitionError> {
        let cells = frame.shape().cells();
        if frame.blank_label().is_none() {
            return Err(PartitionError::WithoutBlank);
        }
        if cells > MOST_CELLS {
            return Err(PartitionError::TooLarge(cells));
        }
        if let Some(written) = self.cells.filter(|&written| written != cells) {
            return Err(PartitionError::WrongLength { written, cells });
        }
        let label = |&tile: &u16| {
            let cell = frame.goal().tiles().iter().position(|&other| other == Tile(tile));
            let missing = PartitionError::NoSuchTile { tile, largest: cells - 1 };
            cell.map(|cell| cell as u8).ok_or(missing)
        };
        let labels = |tiles: &Vec<u16>| tiles.iter().map(label).collect::<Result<Vec<u8>, _>>();
        let patterns: Vec<Vec<u8>> = self.patterns.iter().map(labels).collect::<Result<_, _>>()?;
        let patterns: Vec<&[u8]> = patterns.iter().map(Vec::as_slice).collect();
        Ok(Partition::from_labels(frame, &patterns).expect("all of that has been checked"))
    }
}

/// The tiles of each pattern, from the number of a pattern for each cell of the goal.
fn by_number(numbers: &[u16], goal: &Goal) -> Result<Vec<Vec<u16>>, PartitionError> {
    let cells = numbers.len();
    let mut patterns: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
    for (cell, &number) in numbers.iter().enumerate() {
        let tile = match goal {
            Goal::Default | Goal::BlankFirst => cell as u16,
            Goal::BlankLast => ((cell + 1) % cells) as u16,
            Goal::Board(board) if board.shape().cells() == cells => board.tiles()[cell].0,
            Goal::Board(board) => {
                let cells = board.shape().cells();
                return Err(PartitionError::WrongLength { written: numbers.len(), cells });
            }
        };
        match (tile, number) {
            (_, 0) => {}
            (0, _) => return Err(PartitionError::BlankNumbered { cell: cell + 1, number }),
            _ => patterns.entry(number).or_default().push(tile),
        }
    }
    Ok(patterns.into_values().collect())
}

/// The checks that need no puzzle.
fn check(patterns: &[Vec<u16>]) -> Result<(), PartitionError> {
    if patterns.is_empty() {
        return Err(PartitionError::Nothing);
    }
    if patterns.len() > MOST_PATTERNS {
        return Err(PartitionError::TooManyPatterns(patterns.len()));
    }
    if let Some(tiles) = patterns.iter().find(|tiles| tiles.len() > MOST_TILES) {
        return Err(PartitionError::TooManyTiles(tiles.len()));
    }
    let mut all = patterns.concat();
    all.sort_unstable();
    if all.first() == Some(&0) {
        return Err(PartitionError::Blank);
    }
    match all.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(PartitionError::Twice(pair[0])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Shape};
    use crate::puzzle::arch::Simd;
    use crate::puzzle::registry;

    fn parse(text: &str) -> Result<UserPartition, PartitionError> {
        UserPartition::parse(text, &Goal::BlankFirst)
    }

    fn frame(id: &str, goal: Goal) -> Frame {
        Frame::new(registry::define(id).unwrap(), goal, Simd::off()).unwrap()
    }

    const NAME: &str = "pdb:1,4,5,8,9,12/2,3,6,7,10,11/13,14,15";

    #[test]
    fn all_ways_to_write_a_partition_have_one_name() {
        let known = Partition::new_663(&frame("sliding4", Goal::BlankFirst));
        for text in [
            "1,4,5,8,9,12/2,3,6,7,10,11/13,14,15",
            " 15,14,13 / 12,9,8,5,4,1 / 2,3,6,7,11,10 ",
            "0,1,2,2,1,1,2,2,1,1,2,2,1,3,3,3",
            "0,7,1,1,7,7,1,1,7,7,1,1,7,900,900,900",
        ] {
            let own = parse(text).unwrap();
            assert_eq!(own.name(), NAME);
            let partition = own.partition(&frame("sliding4", Goal::BlankFirst)).unwrap();
            assert_eq!(Some(partition), known);
        }
    }

    #[test]
    fn tiles_are_those_of_the_goal() {
        let last = UserPartition::parse("1,1,2,0,2,2,0,3,0", &Goal::BlankLast).unwrap();
        assert_eq!(last.name(), "pdb:1,2/3,5,6/8");
        let shape = Shape::new(3, 3).unwrap();
        let board = Board::new(shape, [1, 2, 3, 8, 0, 4, 7, 6, 5].map(Tile)).unwrap();
        let goal = Goal::Board(board);
        let spiral = UserPartition::parse("1,1,1,2,0,2,2,2,2", &goal).unwrap();
        assert_eq!(spiral.name(), "pdb:1,2,3/4,5,6,7,8");
        assert!(spiral.partition(&frame("sliding3", goal.clone())).is_ok());
        let too_few = UserPartition::parse("1,1,0,2", &goal);
        assert_eq!(too_few, Err(PartitionError::WrongLength { written: 4, cells: 9 }));
        let blank = UserPartition::parse("0,1,1,2,1,2,2,2,2", &goal);
        assert_eq!(blank, Err(PartitionError::BlankNumbered { cell: 5, number: 1 }));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |text: &str| parse(text).unwrap_err();
        for (text, part) in [
            ("", ""),
            ("1,,2", ""),
            ("1,2/", ""),
            ("1;2", "1;2"),
            ("-1", "-1"),
            ("1,70000", "70000"),
        ] {
            assert_eq!(wrong(text), PartitionError::NotANumber(part.to_owned()), "{text}");
        }
        assert_eq!(wrong("0,1/2"), PartitionError::Blank);
        assert_eq!(wrong("1,2/3,1"), PartitionError::Twice(1));
        assert_eq!(wrong("4,4"), PartitionError::Twice(4));
        assert_eq!(wrong("1,2,3,4,5,6,7,8,9"), PartitionError::TooManyTiles(9));
        assert_eq!(wrong("1/2/3/4/5"), PartitionError::TooManyPatterns(5));
        assert_eq!(wrong("0,0,0,0"), PartitionError::Nothing);
        assert_eq!(wrong("1,0"), PartitionError::BlankNumbered { cell: 1, number: 1 });
    }

    #[test]
    fn a_partition_fits_a_puzzle_or_is_refused() {
        let on = |text: &str, id: &str| {
            parse(text).unwrap().partition(&frame(id, Goal::Default)).map(|_| ())
        };
        assert_eq!(on("1,2/5", "sliding:2x3"), Ok(()));
        assert_eq!(on("1,2/15", "sliding4"), Ok(()));
        let missing = PartitionError::NoSuchTile { tile: 15, largest: 8 };
        assert_eq!(on("1,2/15", "sliding3"), Err(missing));
        assert_eq!(on("1,2", "torus4"), Err(PartitionError::WithoutBlank));
        assert_eq!(on("1,2", "sliding6"), Err(PartitionError::TooLarge(36)));
        let wrong_length = PartitionError::WrongLength { written: 4, cells: 9 };
        assert_eq!(on("0,1,1,1", "sliding3"), Err(wrong_length));
    }
}
