//! What arguments of the command line mean: paths, standard input, or boards.

use super::Source;
use crate::board::text;
use std::path::Path;

/// Numbers as separate arguments, some of which are also names of files.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "\"{file}\" is a tile of the board {board}, or the file of that name: put the board in quotes, \
     or write ./{file} for the file"
)]
pub struct UnclearArguments {
    /// The argument that is both.
    pub file: String,
    /// The board that the arguments make.
    pub board: String,
}

impl Source {
    /// Reads an argument: `-`, a path, or a board.
    pub fn from_argument(argument: &str) -> Source {
        if argument == "-" {
            Source::Standard
        } else if !Path::new(argument).exists() && looks_like_a_board(argument) {
            Source::Inline(argument.to_owned())
        } else {
            Source::Path(argument.into())
        }
    }

    /// Reads several arguments, of which those that are single tiles make one board together:
    /// `0 8 7 6 5 4 3 2 1`.
    ///
    /// # Errors
    /// If some of these tiles are files, and others are not.
    pub fn from_arguments(arguments: &[String]) -> Result<Vec<Source>, UnclearArguments> {
        let mut sources = Vec::new();
        for run in arguments.chunk_by(|a, b| is_tile(a) && is_tile(b)) {
            let (files, tiles): (Vec<&String>, Vec<_>) =
                run.iter().partition(|argument| is_file_and_tile(argument));
            let is_board = run.len() > 1 && !tiles.is_empty();
            match files.first() {
                None if is_board => sources.push(Source::Inline(run.join(" "))),
                Some(&file) if is_board => {
                    let (file, board) = (file.clone(), run.join(" "));
                    return Err(UnclearArguments { file, board });
                }
                _ => sources.extend(run.iter().map(|argument| Source::from_argument(argument))),
            }
        }
        Ok(sources)
    }

    /// Reads an argument that is `-` or a path.
    pub fn from_path(argument: &str) -> Source {
        if argument == "-" { Source::Standard } else { Source::Path(argument.into()) }
    }
}

/// Whether an argument is one tile, as in `8`, `8,` or `[8,`, or stands between two rows. Numbers of
/// more digits are boards of their own.
fn is_tile(argument: &str) -> bool {
    let digits = argument.trim_matches(|c| "[](),;/".contains(c));
    argument == "/" || (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

fn is_file_and_tile(argument: &str) -> bool {
    argument != "/" && Path::new(argument).exists()
}

/// Whether a text that is no path was meant as a board: numbers and separators, and at most a
/// slip or two; or a board without separators. Nothing at all is a board that was forgotten.
fn looks_like_a_board(text: &str) -> bool {
    let on_a_board = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",;/[]()'\"".contains(c);
    let numbers = text.contains(|c: char| c.is_ascii_digit()) && text.contains([',', ' ', ';']);
    text.trim().is_empty()
        || (numbers && text.chars().filter(|c| !on_a_board(*c)).count() <= 2)
        || text::looks_compact(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_told_apart() {
        assert_eq!(Source::from_argument("-"), Source::Standard);
        for board in [
            "0,8,7,6,5,4,3,2,1",
            "5 3 8/0 2 4/1 7 6",
            "0,8,x,6,5,4,3,2,1",
            "(0, 8, 7, 6, 5, 4, 3, 2, 1)",
            "['0', '8', '7', '6', '5', '4', '3', '2', '1']",
            "087654321",
            "1023456789012345",
            "087/654/321",
            "ABCDE/FGHIJ/KLMNO/PQRST/UVWXX",
            "BACD",
        ] {
            assert!(matches!(Source::from_argument(board), Source::Inline(_)), "{board}");
        }
        for path in
            ["boards/board1", "src", "7", "123", "board", "BOARD", "ab/cd/12", "/", "12/345"]
        {
            assert!(matches!(Source::from_argument(path), Source::Path(_)), "{path}");
        }
    }

    #[test]
    fn tiles_as_separate_arguments_are_one_board() {
        let read = |arguments: &str| {
            let arguments: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
            Source::from_arguments(&arguments)
        };
        let board = |text: &str| Source::Inline(text.to_owned());
        assert_eq!(read("0 8 7 6 5 4 3 2 1"), Ok(vec![board("0 8 7 6 5 4 3 2 1")]));
        assert_eq!(read("[3, 1, 2, 0]"), Ok(vec![board("[3, 1, 2, 0]")]));
        assert_eq!(read("1 2 3 / 4 5 0"), Ok(vec![board("1 2 3 / 4 5 0")]));
        assert_eq!(read("1 2"), Ok(vec![board("1 2")]));
        let path = |path: &str| Source::Path(path.into());
        assert_eq!(read("7"), Ok(vec![path("7")]));
        assert_eq!(read("/"), Ok(vec![path("/")]));
        assert_eq!(
            read("3120 1,2,3,0 src 3 1 2 0 - 1 0 2 3"),
            Ok(vec![
                board("3120"),
                board("1,2,3,0"),
                path("src"),
                board("3 1 2 0"),
                Source::Standard,
                board("1 0 2 3"),
            ])
        );
    }
}
