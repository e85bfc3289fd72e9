//! Names for the boards of one file, no two of them the same.
//!
//! A board is called by its own name, or by its line if it has none. A name that was there before
//! gets its line added, and a line whose number is the name of another board is called `line N`. So
//! a board's name depends on the file alone, and not on which part of it is read first.

use crate::board::text;
use crate::hash::FixedSeeds;
use std::collections::HashSet;
use std::hash::BuildHasher;

/// The lines of a file whose boards cannot be called as usual.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The own names of these were there before.
    repeated: HashSet<usize>,
    /// The numbers of these are the names of boards on other lines.
    taken: HashSet<usize>,
}

impl Names {
    /// The names in a file with several boards.
    pub(super) fn new(bytes: &[u8]) -> Names {
        let mut names = Names::default();
        // Hashes are enough: if two names have the same one, one of them gets its line for nothing.
        let mut met: HashSet<u64> = HashSet::new();
        for (line, name) in text::names(bytes) {
            // What looks like the names that are made here would not be unique.
            let looks_made =
                name.ends_with(')') && name.contains("(line ") || name.starts_with("line ");
            if !met.insert(FixedSeeds.hash_one(name)) || looks_made {
                names.repeated.insert(line);
            }
            names.taken.extend(name.parse::<usize>().ok().filter(|&number| number != line));
        }
        names
    }

    /// What to call a board of a source, and whether that is not its usual name.
    pub(super) fn name(&self, source: &str, line: usize, own: Option<&str>) -> (String, bool) {
        match own {
            Some(own) if self.repeated.contains(&line) => {
                (format!("{source}:{own} (line {line})"), true)
            }
            Some(own) => ([source, ":", own].concat(), false),
            None if self.taken.contains(&line) => (format!("{source}:line {line}"), true),
            None => (format!("{source}:{line}"), false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_boards_have_the_same_name() {
        let lines = [
            "a: 1 0 2 3",
            "b: 1 0 2 3",
            "a: 1 0 2 3",
            "1 0 2 3",
            "4: 1 0 2 3",
            "6: 1 0 2 3",
            "# comment: none",
            "a: x",
            "a (line 3): 1 0 2 3",
            "line 4: 1 0 2 3",
            "4: 1 0 2 3",
        ];
        let bytes = lines.join("\n").into_bytes();
        let names = Names::new(&bytes);
        let own = |line: usize| lines[line - 1].rsplit_once(": ").map(|(own, _)| own);
        let called = |line, own| names.name("f", line, own).0;
        let found: Vec<String> = (1..=11)
            .filter(|&line| line != 7 && line != 8)
            .map(|line| called(line, own(line)))
            .collect();
        let expected = [
            "f:a",
            "f:b",
            "f:a (line 3)",
            "f:line 4",
            "f:4",
            "f:6",
            "f:a (line 3) (line 9)",
            "f:line 4 (line 10)",
            "f:4 (line 11)",
        ];
        assert_eq!(found, expected);
        // A board that cannot be read has no name.
        assert_eq!(names.name("f", 8, None), ("f:8".to_owned(), false));
    }
}
