//! Boards with nothing between their tiles: a digit for each (`102345678`), two digits (`00010203…`),
//! or a letter (`ABCDE…`, as Loopover players write), in one word or in a word for each row.
//!
//! They are tried only where the words make no board as numbers, so they never change what numbers
//! mean. One digit a tile is for at most ten cells, so the number of digits alone decides between
//! one and two: no square fits both.

use super::super::{Board, MAX_CELLS, Shape};
use super::arrange::arrange;
use super::error::{Fault, ParseErrorKind};
use super::scan::{Number, Word};

/// The most cells whose tiles are one digit each.
const MAX_ONE_DIGIT: usize = 10;

/// The board of such words, or else the fault that helps more: the one found here, or that of the
/// words as numbers.
pub(super) fn board<'a>(
    rows: &[Vec<Word<'a>>],
    wanted: Option<Shape>,
    as_numbers: Fault<'a>,
) -> Result<Board, Fault<'a>> {
    if let Some(letters) = letters(rows) {
        let beyond_doubt = is_beyond_doubt(rows);
        let board = arrange(&letters, wanted, as_numbers.spot);
        return board.map_err(|fault| if beyond_doubt { fault } else { as_numbers });
    }
    let Some(length) = digits(rows) else { return Err(as_numbers) };
    let mut fault = None;
    for width in widths(rows.len(), length, wanted) {
        match arrange(&cut(rows, width), wanted, as_numbers.spot) {
            Ok(board) => return Ok(board),
            Err(first) => fault = fault.or(Some(first)),
        }
    }
    if rows.len() == 1 && length <= MAX_ONE_DIGIT {
        let one_digit = arrange(&cut(rows, 1), wanted, as_numbers.spot).err();
        // Eight digits may be a board of nine that lacks one, and not one of four.
        let lacks_one =
            matches!(one_digit, Some(Fault { kind: ParseErrorKind::Missing { .. }, .. }));
        fault = if lacks_one { one_digit } else { fault.or(one_digit) };
    }
    let is_of_count = matches!(
        as_numbers.kind,
        ParseErrorKind::WrongCount { .. } | ParseErrorKind::Ragged { .. }
    );
    Err(match fault {
        // No tile has four digits.
        Some(fault) if length > 3 || is_of_count => fault,
        None if rows.len() == 1 => {
            let kind = ParseErrorKind::DigitCount { found: length, shape: wanted };
            Fault { spot: rows[0][0].spot, kind }
        }
        _ => as_numbers,
    })
}

/// Whether a text that is no path is written in this way, or at least was meant to be.
pub(super) fn is_like(rows: &[Vec<Word<'_>>]) -> bool {
    match letters(rows) {
        Some(letters) => {
            let Some(&[first, ..]) = letters.first().map(Vec::as_slice) else { return false };
            is_beyond_doubt(rows) || arrange(&letters, None, first.spot).is_ok()
        }
        None => digits(rows).is_some(),
    }
}

/// The letters as tiles, if there is nothing but letters, and no more than a board has cells.
fn letters<'a>(rows: &[Vec<Word<'a>>]) -> Option<Vec<Vec<Number<'a>>>> {
    let words = || rows.iter().flatten();
    let all_letters = words().all(|word| word.text.bytes().all(|b| b.is_ascii_alphabetic()));
    let count: usize = words().map(|word| word.text.len()).sum();
    if !all_letters || !(1..=MAX_CELLS).contains(&count) {
        return None;
    }
    let value =
        |letter: &str| letter.bytes().map(|b| u16::from(b.to_ascii_uppercase() - 64)).next();
    let tiles = |row: &Vec<Word<'a>>| {
        let tiles = row.iter().flat_map(|word| cut_word(*word, 1));
        tiles.map(|Word { spot, text }| Number { spot, text, value: value(text) }).collect()
    };
    Some(rows.iter().map(tiles).collect())
}

/// Whether letters are too many capitals for a word.
fn is_beyond_doubt(rows: &[Vec<Word<'_>>]) -> bool {
    let words = || rows.iter().flatten();
    let capitals = words().all(|word| word.text.bytes().all(|b| b.is_ascii_uppercase()));
    capitals && words().map(|word| word.text.len()).sum::<usize>() >= 9
}

/// How many digits each row has, if each is one word of as many.
fn digits(rows: &[Vec<Word<'_>>]) -> Option<usize> {
    let one_word = |row: &Vec<Word<'_>>| match row[..] {
        [word] if word.text.bytes().all(|byte| byte.is_ascii_digit()) => Some(word.text.len()),
        _ => None,
    };
    let length = rows.first().and_then(one_word)?;
    let shortest = if rows.len() == 1 { 4 } else { 2 };
    let fits = length >= shortest && length <= 2 * MAX_CELLS && rows.len() <= MAX_CELLS;
    (fits && rows.iter().all(|row| one_word(row) == Some(length))).then_some(length)
}

/// How many digits a tile may have, in the order in which to try.
fn widths(rows: usize, length: usize, wanted: Option<Shape>) -> Vec<usize> {
    let fits = |width: &usize| {
        let cells = rows * length / width;
        let has_shape = match wanted {
            Some(shape) => shape.cells() == cells,
            None => rows > 1 || Shape::square_of(cells).is_some(),
        };
        length.is_multiple_of(*width) && has_shape && (*width > 1 || cells <= MAX_ONE_DIGIT)
    };
    [1, 2].into_iter().filter(fits).collect()
}

/// The tiles of rows of digits.
fn cut<'a>(rows: &[Vec<Word<'a>>], width: usize) -> Vec<Vec<Number<'a>>> {
    let number =
        |Word { spot, text }: Word<'a>| Number { spot, text, value: text.parse::<u16>().ok() };
    let tiles = |row: &Vec<Word<'a>>| {
        row.iter().flat_map(|word| cut_word(*word, width)).map(number).collect()
    };
    rows.iter().map(tiles).collect()
}

/// The parts of a word of ASCII characters.
fn cut_word(word: Word<'_>, width: usize) -> impl Iterator<Item = Word<'_>> {
    (0..word.text.len()).step_by(width).map(move |at| Word {
        spot: word.spot.after(at),
        text: &word.text[at..word.text.len().min(at + width)],
    })
}
