//! Which board a solution is of, by the names on its line, of its file and of its folder.

use crate::lab::input::Item;
use std::collections::HashMap;
use std::path::Path;

/// Names of files that say nothing about whose they are.
const PLAIN: [&str; 9] = [
    "answer",
    "answers",
    "moves",
    "output",
    "path",
    "result",
    "solution",
    "solutions",
    "standard input",
];

/// Boards by what they may be called.
#[derive(Debug)]
pub(super) struct BoardNames {
    /// The boards with each name, in small letters.
    named: HashMap<String, Vec<usize>>,
    boards: usize,
}

/// Why it is not known of which board a solution is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoBoard {
    /// No name is that of a board.
    #[error("no board has its name ({names}), and there are {boards} boards")]
    Unknown {
        /// What the solution is called.
        names: String,
        /// How many boards there are.
        boards: usize,
    },
    /// A name is that of several boards.
    #[error("{boards} boards are called \"{name}\"")]
    Ambiguous {
        /// The name.
        name: String,
        /// How many boards have it.
        boards: usize,
    },
}

impl BoardNames {
    pub(super) fn new(boards: &[Item]) -> BoardNames {
        let mut named: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, item) in boards.iter().enumerate() {
            for name in names_of(item) {
                let boards = named.entry(name.to_ascii_lowercase()).or_default();
                if boards.last() != Some(&index) {
                    boards.push(index);
                }
            }
        }
        BoardNames { named, boards: boards.len() }
    }

    /// The student and the board of a solution, by its names from the nearest on; it is the
    /// `number`th `of` so many in its file.
    pub(super) fn assign(
        &self,
        names: &[String],
        number: usize,
        of: usize,
    ) -> (String, Result<usize, NoBoard>) {
        let mut board = None;
        let mut student = None;
        for name in names {
            let found = if board.is_none() { self.find(name) } else { None };
            let rest = match found {
                Some((of_board, rest)) => {
                    board = Some(of_board);
                    rest
                }
                None => name.clone(),
            };
            if student.is_none()
                && !rest.is_empty()
                && !PLAIN.contains(&&*rest.to_ascii_lowercase())
            {
                student = Some(rest);
            }
        }
        let student = student.or_else(|| names.first().cloned()).unwrap_or_default();
        let board = board.unwrap_or_else(|| match self.boards {
            1 => Ok(0),
            boards if boards == of => Ok(number),
            boards => Err(NoBoard::Unknown { names: names.join(", "), boards }),
        });
        (student, board)
    }

    /// The board that a name begins or ends with, and the rest of the name.
    fn find(&self, name: &str) -> Option<(Result<usize, NoBoard>, String)> {
        let lower = name.to_ascii_lowercase();
        let inside = |c: char| c.is_alphanumeric();
        let found = self.named.keys().filter_map(|known| {
            if let Some(rest) = lower.strip_suffix(known.as_str())
                && !rest.ends_with(inside)
            {
                return Some((known, &name[..rest.len()]));
            }
            let rest =
                lower.strip_prefix(known.as_str()).filter(|rest| !rest.starts_with(inside))?;
            Some((known, &name[name.len() - rest.len()..]))
        });
        // The longest says most; of equally long ones the first in the alphabet, to be definite.
        let (known, rest) = found.max_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then(b.cmp(a)))?;
        let rest = rest.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
        let board = match self.named[known].as_slice() {
            [only] => Ok(*only),
            several => Err(NoBoard::Ambiguous { name: known.clone(), boards: several.len() }),
        };
        Some((board, rest))
    }
}

/// What a board may be called: as in records, by its own name, by its file's.
fn names_of(item: &Item) -> Vec<String> {
    let mut names = vec![item.name.clone()];
    let (own, line) = match &item.entry {
        Ok(entry) => (entry.name.as_deref(), Some(entry.line.to_string())),
        Err(_) => (None, None),
    };
    let file = |suffix: &str| Some(item.name.strip_suffix(suffix)?.strip_suffix(':')?.to_owned());
    match (own, line.as_deref().and_then(file)) {
        (Some(own), _) => {
            names.push(own.to_owned());
            let of_file = file(own).into_iter().flat_map(|file| of_file(&file));
            names.extend(of_file.map(|file| format!("{file}:{own}")));
        }
        // One of several boards in a file.
        (None, Some(file)) => {
            let line = line.unwrap_or_default();
            names.extend(of_file(&file).into_iter().map(|file| format!("{file}:{line}")));
        }
        (None, None) => names.extend(of_file(&item.name)),
    }
    names
}

/// The name of a file, and that without its ending.
fn of_file(path: &str) -> Vec<String> {
    let path = Path::new(path);
    let names = [path.file_name(), path.file_stem()];
    names.into_iter().flatten().map(|name| name.to_string_lossy().into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text::{self, Form, TextOptions};

    /// A board in a file of its own.
    fn file(path: &str) -> Item {
        let entry = text::parse_one(path, b"1 0 2 3", None).unwrap();
        Item { name: path.to_owned(), entry: Ok(entry) }
    }

    /// The boards of a collection.
    fn collection(path: &str, content: &str) -> Vec<Item> {
        let options = TextOptions { shape: None, form: Form::Collection };
        let named = |entry: text::Entry| {
            let own = entry.name.clone().unwrap_or_else(|| entry.line.to_string());
            Item { name: format!("{path}:{own}"), entry: Ok(entry) }
        };
        text::parse(path, content.as_bytes(), &options)
            .into_iter()
            .map(|entry| named(entry.unwrap()))
            .collect()
    }

    fn assign(boards: &[Item], names: &[&str]) -> (String, Option<usize>) {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let (student, board) = BoardNames::new(boards).assign(&names, 0, 1);
        (student, board.ok())
    }

    fn is(student: &str, board: usize) -> (String, Option<usize>) {
        (student.to_owned(), Some(board))
    }

    #[test]
    fn boards_are_found_by_line_file_and_folder() {
        let boards =
            [file("tasks/board1.txt"), file("tasks/board2.txt"), file("tasks/board12.txt")];
        let assign = |names: &[&str]| assign(&boards, names);
        assert_eq!(assign(&["board2", "alice"]), is("alice", 1));
        assert_eq!(assign(&["Board12", "alice"]), is("alice", 2));
        assert_eq!(assign(&["alice board2", "class"]), is("alice", 1));
        assert_eq!(assign(&["alice", "board2"]), is("alice", 1));
        assert_eq!(assign(&["board2", "alice"]), is("alice", 1));
        assert_eq!(assign(&["Zoë_board12"]), is("Zoë", 2));
        assert_eq!(assign(&["board12-Zoë"]), is("Zoë", 2));
        assert_eq!(assign(&["alice", "output", "board1"]), is("alice", 0));
        assert_eq!(assign(&["output", "alice_board1"]), is("alice", 0));
        assert_eq!(assign(&["tasks/board2.txt", "alice"]), is("alice", 1));
        assert_eq!(assign(&["alice"]), ("alice".to_owned(), None));
        assert_eq!(assign(&["board3"]), ("board3".to_owned(), None));
    }

    #[test]
    fn one_board_needs_no_name_and_several_may_come_in_order() {
        let one = [file("easy.txt")];
        assert_eq!(assign(&one, &["alice"]), is("alice", 0));
        let two = collection("set.boards", "first: 1 0 2 3\n1 2 0 3\n");
        assert_eq!(assign(&two, &["first", "bob"]), is("bob", 0));
        assert_eq!(assign(&two, &["set:2", "bob"]), is("bob", 1));
        let names = BoardNames::new(&two);
        let alice = ["alice".to_owned()];
        assert_eq!(names.assign(&alice, 1, 2), ("alice".to_owned(), Ok(1)));
        assert!(names.assign(&alice, 1, 3).1.is_err());
    }

    #[test]
    fn a_name_of_several_boards_is_not_guessed_at() {
        let boards = [file("a/x.txt"), file("b/x.txt")];
        let (_, board) = BoardNames::new(&boards).assign(&["x".to_owned()], 0, 1);
        assert_eq!(board, Err(NoBoard::Ambiguous { name: "x".to_owned(), boards: 2 }));
        assert_eq!(assign(&boards, &["b/x.txt", "carol"]), is("carol", 1));
    }
}
