//! Lists of moves as people hand them in: `['Up', 'Left']`, `up left`, `ULLD`, `D2L3`, `L1 R2`.
//!
//! Whatever only separates is skipped, letters may be large or small, and names may follow each
//! other without a separator; the longest name that fits is taken. On a sliding puzzle a word says
//! where the blank goes or where a tile goes, which is the opposite way: the text does not tell, and
//! the caller chooses a [`Reading`]. A number after a word then repeats it.

use super::check::Rules;
use std::borrow::Cow;
use std::collections::HashSet;

/// What `Up`, `Down`, `Left` and `Right` say on a sliding puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Where the blank goes, as in our names of moves and in courses.
    Blank,
    /// Where a tile goes, as players write.
    Tile,
}

/// Why a text is no list of moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveListError {
    /// A word that is no move.
    #[error("move {}, {found:?}: this puzzle has no such move", index + 1)]
    Unknown {
        /// How many moves come before it.
        index: usize,
        /// The word.
        found: String,
    },
    /// A list that nobody can have meant.
    #[error("there are more than {MOST_MOVES} moves")]
    TooMany,
}

/// The most moves that are read.
pub const MOST_MOVES: usize = 10_000_000;

/// A move is repeated fewer times than this.
const MOST_REPETITIONS: usize = 1_000;

/// The longest word that an error shows.
const LONGEST_WORD: usize = 24;

/// How the moves of a puzzle are spelled.
#[derive(Clone, Debug)]
pub struct Spellings<'r> {
    /// Spellings, the longest first, and the moves that they stand for.
    spellings: Vec<(String, &'r str)>,
    /// Whether large letters are read as small ones; not if that would make two names the same.
    fold: bool,
    /// Whether a number after a move repeats it.
    repeats: bool,
}

impl<'r> Spellings<'r> {
    /// Those of the moves with these names.
    pub fn new(rules: &Rules, names: &'r [String], reading: Reading) -> Spellings<'r> {
        let sliding = matches!(rules, Rules::Sliding(_));
        let folded: HashSet<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        let fold = folded.len() == names.len();
        let mut spellings: Vec<(String, &str)> = Vec::new();
        for (index, name) in names.iter().enumerate() {
            if sliding {
                // Up, Down, Left, Right: each beside its opposite.
                let meant = match reading {
                    Reading::Blank => name,
                    Reading::Tile => &names[index ^ 1],
                };
                let arrow = ["↑", "↓", "←", "→"][index];
                let word = name.to_ascii_lowercase();
                let letter = word[..1].to_owned();
                spellings
                    .extend([word, letter, arrow.to_owned()].map(|text| (text, meant.as_str())));
            } else {
                let spelling = if fold { name.to_ascii_lowercase() } else { name.clone() };
                spellings.push((spelling, name));
            }
        }
        spellings.sort_by_key(|(spelling, _)| std::cmp::Reverse(spelling.len()));
        Spellings { spellings, fold, repeats: sliding }
    }

    /// Whether a word is a single move.
    pub fn is_move(&self, word: &str) -> bool {
        let word = self.folded(word);
        self.spellings.iter().any(|(spelling, _)| *spelling == word)
    }

    /// The moves of a text, by their names.
    ///
    /// # Errors
    /// If there is something else in it.
    pub fn read(&self, text: &str) -> Result<Vec<&'r str>, MoveListError> {
        let folded = self.folded(text);
        let mut moves = Vec::new();
        let mut at = 0;
        // Where the word begins that is being read, and how many moves come before it.
        let mut word = (0, 0);
        let unknown = |(begin, index)| unknown(index, &text[begin..]);
        while let Some(first) = folded[at..].chars().next() {
            let Some((spelling, name)) = self.first(&folded[at..]) else {
                if !separates(first) {
                    return Err(unknown(word));
                }
                at += first.len_utf8();
                word = (at, moves.len());
                continue;
            };
            at += spelling.len();
            let digits = folded[at..].bytes().take_while(u8::is_ascii_digit).count();
            let mut times = 1;
            if self.repeats && digits > 0 {
                let number = folded[at..at + digits].parse().ok();
                let number = number.filter(|times| (1..MOST_REPETITIONS).contains(times));
                times = number.ok_or_else(|| unknown(word))?;
                at += digits;
            }
            if moves.len() + times > MOST_MOVES {
                return Err(MoveListError::TooMany);
            }
            moves.extend(std::iter::repeat_n(name, times));
        }
        Ok(moves)
    }

    fn folded<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.fold { text.to_ascii_lowercase().into() } else { text.into() }
    }

    /// The longest spelling with which a text begins. A number must not go on after it.
    fn first(&self, text: &str) -> Option<(&str, &'r str)> {
        let digit = |c: char| c.is_ascii_digit();
        let begins = |spelling: &str| {
            let after = text.strip_prefix(spelling);
            after.is_some_and(|after| !(spelling.ends_with(digit) && after.starts_with(digit)))
        };
        let found = self.spellings.iter().find(|(spelling, _)| begins(spelling));
        found.map(|(spelling, name)| (spelling.as_str(), *name))
    }
}

/// Whether a character is no part of a word.
fn separates(c: char) -> bool {
    c.is_whitespace() || c.is_control() || ",;:.|[](){}<>'\"`´‘’“”-=/\\\u{feff}".contains(c)
}

fn unknown(index: usize, word: &str) -> MoveListError {
    let end = word.find(separates).unwrap_or(word.len());
    let found: String = word[..end].chars().take(LONGEST_WORD).collect();
    MoveListError::Unknown { index, found }
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::*;

    fn read(rules: &Rules, reading: Reading, text: &str) -> Result<Vec<String>, MoveListError> {
        let names = rules.move_names();
        let moves = Spellings::new(rules, &names, reading).read(text)?;
        Ok(moves.into_iter().map(str::to_owned).collect())
    }

    fn sliding() -> Rules {
        Rules::Sliding(Shape::new(3, 3).unwrap())
    }

    #[test]
    fn a_blank_and_a_tile_go_opposite_ways() {
        for text in
            ["['Up', 'Left', 'Left']", "up left LEFT", "U L L", "ULL", "u,l2", "UpLeft2", "↑←←"]
        {
            let blank = read(&sliding(), Reading::Blank, text).unwrap();
            assert_eq!(blank, ["Up", "Left", "Left"], "{text}");
            let tile = read(&sliding(), Reading::Tile, text).unwrap();
            assert_eq!(tile, ["Down", "Right", "Right"], "{text}");
        }
        assert!(read(&sliding(), Reading::Blank, " [] \u{feff}\r\n").unwrap().is_empty());
        assert_eq!(read(&sliding(), Reading::Tile, "D2L3").unwrap().len(), 5);
    }

    #[test]
    fn lines_and_rings_have_their_names() {
        let rings = Rules::Rings(Shape::new(5, 5).unwrap());
        for text in
            ["L1 R2 Occ Ic", "l1r2occic", "[\"L1\", \"R2\", \"OCC\", \"ic\"]", "L1->R2->Occ->Ic"]
        {
            let moves = read(&rings, Reading::Blank, text).unwrap();
            assert_eq!(moves, ["L1", "R2", "Occ", "Ic"], "{text}");
        }
        let long = Rules::Torus(Shape::new(2, 10).unwrap());
        assert_eq!(read(&long, Reading::Blank, "U1U10").unwrap(), ["U1", "U10"]);
    }

    #[test]
    fn what_is_no_move_is_named_with_its_number() {
        let error = |text: &str| match read(&sliding(), Reading::Blank, text).unwrap_err() {
            MoveListError::Unknown { index, found } => (index, found),
            MoveListError::TooMany => panic!("{text}"),
        };
        assert_eq!(error("Up Lefft"), (1, "Lefft".to_owned()));
        assert_eq!(error("Up, Sideways"), (1, "Sideways".to_owned()));
        assert_eq!(error("Up 0"), (1, "0".to_owned()));
        assert_eq!(error("U0"), (0, "U0".to_owned()));
        assert_eq!(error("U1000"), (0, "U1000".to_owned()));
        assert_eq!(error("L99999999999999999999999"), (0, "L99999999999999999999999".to_owned()));
        assert_eq!(error("é"), (0, "é".to_owned()));
        let torus = Rules::Torus(Shape::new(4, 4).unwrap());
        for text in ["L5", "L12", "L", "Up"] {
            assert!(read(&torus, Reading::Blank, text).is_err(), "{text}");
        }
        let many = "u999".repeat(MOST_MOVES / 999 + 1);
        assert_eq!(read(&sliding(), Reading::Blank, &many), Err(MoveListError::TooMany));
    }
}
