//! From rows of numbers to a board, or to the fault that helps most.

use super::super::{Board, BoardError, MAX_CELLS, Shape, Tile, largest_tile};
use super::error::{self, Fault, ParseErrorKind};
use super::scan::{Number, Spot};

/// Makes a board of the numbers of a text, or says at `otherwise` that there are
/// none.
///
/// One row, or a column of single numbers, is a list without rows: no board is
/// that narrow.
pub(super) fn arrange<'a>(
    rows: &[Vec<Number<'a>>],
    wanted: Option<Shape>,
    otherwise: Spot<'a>,
) -> Result<Board, Fault<'a>> {
    let joined;
    let numbers = match rows {
        [only] => only.as_slice(),
        _ => {
            joined = rows.concat();
            &joined
        }
    };
    let &[first, ..] = numbers else {
        return Err(Fault { spot: otherwise, kind: ParseErrorKind::Empty });
    };
    if let Some(extra) = numbers.get(MAX_CELLS) {
        return Err(Fault { spot: extra.spot, kind: ParseErrorKind::TooLarge });
    }
    let shape = match rows {
        [top, others @ ..] if others.iter().any(|row| top.len().max(row.len()) > 1) => {
            rows_shape(first, top.len(), others, wanted)?
        }
        _ => list_shape(first, numbers, wanted)?,
    };
    // A number too large for a tile is too large for the board all the more.
    let tiles: Vec<Tile> = numbers.iter().map(|n| Tile(n.value.unwrap_or(u16::MAX))).collect();
    Board::new(shape, tiles).map_err(|error| explain(error, first, numbers, shape))
}

/// The shape of a board whose rows the text does not tell.
fn list_shape<'a>(
    first: Number<'a>,
    numbers: &[Number<'a>],
    wanted: Option<Shape>,
) -> Result<Shape, Fault<'a>> {
    let found = numbers.len();
    if let Some(shape) = wanted.or(Shape::square_of(found))
        && shape.cells() == found
    {
        return Ok(shape);
    }
    let kind = wanted
        .or(Shape::square_of(found + 1))
        .and_then(|shape| one_missing(numbers, shape))
        .unwrap_or(ParseErrorKind::WrongCount { found, shape: wanted });
    let limit = wanted.map_or(found, Shape::cells);
    Err(Fault { spot: extra_or_end(numbers, limit).unwrap_or(first.spot), kind })
}

/// The shape of a board that is written in rows: `first` is its first number,
/// in a top row of `cols` numbers with the `others` below.
fn rows_shape<'a>(
    first: Number<'a>,
    cols: usize,
    others: &[Vec<Number<'a>>],
    wanted: Option<Shape>,
) -> Result<Shape, Fault<'a>> {
    if let Some((row, number)) = others.iter().zip(2..).find(|(row, _)| row.len() != cols) {
        let kind = ParseErrorKind::Ragged { row: number, found: row.len(), first: cols };
        return Err(Fault { spot: extra_or_end(row, cols).unwrap_or(first.spot), kind });
    }
    let refuse = |kind| Err(Fault { spot: first.spot, kind });
    match (Shape::new(1 + others.len(), cols), wanted) {
        (Ok(found), Some(wanted)) if found != wanted => {
            refuse(ParseErrorKind::ShapeMismatch { found, wanted })
        }
        (Ok(shape), _) => Ok(shape),
        (Err(_), shape) => {
            refuse(ParseErrorKind::WrongCount { found: cols * (1 + others.len()), shape })
        }
    }
}

/// The place of the first number beyond the limit or, if there are too few, the
/// place where the next one should be.
fn extra_or_end<'a>(numbers: &[Number<'a>], limit: usize) -> Option<Spot<'a>> {
    numbers.get(limit).map(|number| number.spot).or(numbers.last().map(Number::end))
}

/// If the numbers are a board of this shape but for one tile: which one.
fn one_missing(numbers: &[Number<'_>], shape: Shape) -> Option<ParseErrorKind> {
    let cells = shape.cells();
    if numbers.len() + 1 != cells {
        return None;
    }
    let mut seen = [false; MAX_CELLS + 1];
    for number in numbers {
        let value = usize::from(number.value?);
        if value > cells || std::mem::replace(&mut seen[value], true) {
            return None;
        }
    }
    // As many different numbers of 0..=cells as cells but one: two are not there.
    let mut absent = (0..=cells).filter(|&value| !seen[value]).map(|value| Tile(value as u16));
    let (low, high) = (absent.next()?, absent.next()?);
    let largest = largest_tile(shape, false);
    let (tile, or) = match (low, high) {
        (Tile::BLANK, high) if high == largest => (low, Some(high)),
        (Tile::BLANK, high) => (high, None),
        (low, high) if high == largest => (low, None),
        // Both a blank and the tile that only boards without a blank have.
        _ => return None,
    };
    Some(ParseErrorKind::Missing { tile, or, shape })
}

/// Finds the numbers that a board was refused for.
fn explain<'a>(
    error: BoardError,
    first: Number<'a>,
    numbers: &[Number<'a>],
    shape: Shape,
) -> Fault<'a> {
    let is_there = |tile: Tile| numbers.iter().any(|number| number.value == Some(tile.0));
    let blank = is_there(Tile::BLANK);
    let mut guilty = numbers.iter().filter(|number| match error {
        BoardError::OutOfRange { largest, .. } => number.value.is_none_or(|v| v > largest.0),
        BoardError::Twice(tile) => number.value == Some(tile.0),
        BoardError::Count { .. } => true,
    });
    let first = guilty.next().unwrap_or(&first);
    let second = guilty.next().unwrap_or(first);
    match error {
        BoardError::OutOfRange { .. } => {
            let kind = ParseErrorKind::OutOfRange { found: error::clean(first.text), shape, blank };
            Fault { spot: first.spot, kind }
        }
        BoardError::Twice(Tile::BLANK) => {
            let kind = ParseErrorKind::TwoBlanks { first: first.spot.position() };
            Fault { spot: second.spot, kind }
        }
        BoardError::Twice(tile) => {
            let largest = largest_tile(shape, blank);
            let missing = (1..=largest.0).map(Tile).find(|&tile| !is_there(tile));
            let kind = ParseErrorKind::Twice { tile, first: first.spot.position(), missing };
            Fault { spot: second.spot, kind }
        }
        BoardError::Count { shape, found } => {
            let kind = ParseErrorKind::WrongCount { found, shape: Some(shape) };
            Fault { spot: first.spot, kind }
        }
    }
}
