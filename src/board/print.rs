//! From boards to text that reads back as the same board.

use std::fmt;

use super::Board;

/// How a board is laid out as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BoardStyle {
    /// One row a line, in aligned columns; no line end after the last row.
    Grid,
    /// All on one line; rows are separated by ` / ` unless the board is square.
    #[default]
    Line,
}

impl Board {
    /// The board in the given style.
    pub fn styled(&self, style: BoardStyle) -> impl fmt::Display {
        Styled { board: self, style }
    }

    /// The board as a grid: [`BoardStyle::Grid`].
    pub fn grid(&self) -> impl fmt::Display {
        self.styled(BoardStyle::Grid)
    }

    /// The board on one line: [`BoardStyle::Line`], which is also how it is displayed.
    pub fn line(&self) -> impl fmt::Display {
        self.styled(BoardStyle::Line)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Styled { board: self, style: BoardStyle::Line }.fmt(f)
    }
}

struct Styled<'a> {
    board: &'a Board,
    style: BoardStyle,
}

impl fmt::Display for Styled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let largest = self.board.tiles().iter().map(|tile| tile.0).max().unwrap_or(0);
        let (row_end, width) = match self.style {
            BoardStyle::Grid => ("\n", largest.to_string().len()),
            BoardStyle::Line if self.board.shape().is_square() => (" ", 0),
            BoardStyle::Line => (" / ", 0),
        };
        for (index, row) in self.board.rows().enumerate() {
            if index > 0 {
                f.write_str(row_end)?;
            }
            for (index, tile) in row.iter().enumerate() {
                if index > 0 {
                    f.write_str(" ")?;
                }
                write!(f, "{:width$}", tile.0)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::text::{Entry, Form, TextOptions, parse, parse_one};
    use super::super::{Board, Shape, Tile};
    use super::BoardStyle;

    /// Any board, with or without a blank.
    fn boards() -> impl Strategy<Value = Board> {
        let shapes = (2..=16_usize, 2..=16_usize).prop_map(|(r, c)| Shape::new(r, c).unwrap());
        (shapes, any::<bool>())
            .prop_flat_map(|(shape, blank)| {
                let first = u16::from(!blank);
                let tiles: Vec<u16> = (first..).take(shape.cells()).collect();
                (Just(shape), Just(tiles).prop_shuffle())
            })
            .prop_map(|(shape, tiles)| {
                Board::new(shape, tiles.into_iter().map(Tile).collect::<Vec<_>>()).unwrap()
            })
    }

    #[test]
    fn square_boards_need_no_slashes() {
        let board = Board::ordered(Shape::new(2, 2).unwrap());
        assert_eq!(board.to_string(), "1 2 3 4");
        assert_eq!(board.line().to_string(), "1 2 3 4");
        assert_eq!(board.grid().to_string(), "1 2\n3 4");
    }

    #[test]
    fn other_boards_show_their_rows() {
        let board = Board::ordered(Shape::new(2, 5).unwrap());
        assert_eq!(board.to_string(), "1 2 3 4 5 / 6 7 8 9 10");
        assert_eq!(board.grid().to_string(), " 1  2  3  4  5\n 6  7  8  9 10");
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(board in boards(), grid: bool, with_shape: bool) {
            let style = if grid { BoardStyle::Grid } else { BoardStyle::Line };
            let text = board.styled(style).to_string();
            let shape = with_shape.then_some(board.shape());
            let entry = parse_one("test", text.as_bytes(), shape).unwrap();
            prop_assert_eq!(&entry.board, &board);
            let sniffed = parse("test", text.as_bytes(), &TextOptions { shape, form: Form::Sniff });
            prop_assert_eq!(sniffed, vec![Ok(entry)]);
        }

        #[test]
        fn tiles_without_spaces_read_back(board in boards()) {
            let joined = |tile: &dyn Fn(u16) -> String, end: &str| -> String {
                let row = |row: &[Tile]| row.iter().map(|t| tile(t.0)).collect::<String>();
                board.rows().map(row).collect::<Vec<_>>().join(end)
            };
            let (cells, square) = (board.shape().cells(), board.shape().is_square());
            let mut texts = Vec::new();
            for end in ["/", "\n"].into_iter().chain(square.then_some("")) {
                if board.tiles().iter().all(|tile| tile.0 < 10) {
                    texts.push(joined(&|tile| tile.to_string(), end));
                }
                if board.tiles().iter().all(|tile| tile.0 < 100) {
                    texts.push(joined(&|tile| format!("{tile:02}"), end));
                }
                if cells <= 25 && board.blank().is_none() {
                    let letter = |tile: u16| char::from(b'A' + tile as u8 - 1).to_string();
                    texts.push(joined(&letter, end));
                }
            }
            for text in texts {
                let entry = parse_one("test", text.as_bytes(), None);
                prop_assert_eq!(entry.map(|entry| entry.board), Ok(board.clone()), "{}", text);
            }
        }

        #[test]
        fn entries_read_back(
            all in prop::collection::vec(
                (boards(), prop::option::of("[a-z0-9:./ -]{0,6}[a-z0-9:]"), any::<Option<u32>>()),
                1..5,
            ),
        ) {
            let entries: Vec<Entry> = all
                .into_iter()
                .zip(1..)
                .map(|((board, name, known_length), line)| Entry {
                    name: name.map(|name| name.trim().to_owned()),
                    line,
                    board,
                    known_length,
                    heading: None,
                })
                .collect();
            let text: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
            let options = TextOptions { shape: None, form: Form::Collection };
            let read: Vec<Entry> =
                parse("test", text.as_bytes(), &options).into_iter().map(Result::unwrap).collect();
            prop_assert_eq!(read, entries);
        }
    }
}
