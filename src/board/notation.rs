//! Sequences of moves as text: names, or the short form of sliding-puzzle players.
//!
//! In the short form a letter says which way a **tile** moves, and a number how many times:
//! `URDL2UR2`. Our names say where the **blank** goes, which is the opposite way.

/// Our name of a move and the players' letter for it.
const LETTERS: [(&str, char); 4] = [("Up", 'D'), ("Down", 'U'), ("Left", 'R'), ("Right", 'L')];

/// Why a text is not a sequence of moves in the short form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    /// Something other than a letter for a direction.
    #[error(
        "column {column}: found \"{found}\", expected U, D, L or R and possibly a number after it"
    )]
    Unexpected {
        /// Counted from 1, in characters.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// A repetition that is zero or absurd.
    #[error("column {column}: a move is repeated 1 to 999 times")]
    Repetition {
        /// Counted from 1, in characters.
        column: usize,
    },
}

/// A number repeats a move at most so many times.
const MOST_REPETITIONS: usize = 999;

/// The short form of sliding moves; `None` if some name is not one of them.
pub fn to_short<M: AsRef<str>>(moves: &[M]) -> Option<String> {
    let letter = |name: &str| LETTERS.iter().find(|(known, _)| *known == name).map(|row| row.1);
    let letters: Vec<char> = moves.iter().map(|m| letter(m.as_ref())).collect::<Option<_>>()?;
    let runs = letters.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(MOST_REPETITIONS));
    Some(
        runs.map(|run| {
            if run.len() == 1 { run[0].to_string() } else { format!("{}{}", run[0], run.len()) }
        })
        .collect(),
    )
}

/// The names of moves in the short form.
///
/// # Errors
/// If the text is not in that form.
pub fn from_short(text: &str) -> Result<Vec<&'static str>, NotationError> {
    let mut moves = Vec::new();
    let mut characters = text.chars().enumerate().peekable();
    while let Some((index, found)) = characters.next() {
        if found.is_whitespace() || found == ',' {
            continue;
        }
        let column = index + 1;
        let name = LETTERS.iter().find(|row| row.1 == found.to_ascii_uppercase()).map(|row| row.0);
        let name = name.ok_or(NotationError::Unexpected { column, found })?;
        let mut digits = String::new();
        while let Some((_, digit)) = characters.next_if(|(_, c)| c.is_ascii_digit()) {
            digits.push(digit);
        }
        let times = if digits.is_empty() { Ok(1) } else { digits.parse::<usize>() };
        let times = times.ok().filter(|times| (1..=MOST_REPETITIONS).contains(times));
        let times = times.ok_or(NotationError::Repetition { column: column + 1 })?;
        moves.extend(std::iter::repeat_n(name, times));
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_say_which_way_a_tile_moves() {
        assert_eq!(to_short(&["Down", "Left", "Left", "Up"]).unwrap(), "UR2D");
        assert_eq!(from_short("U R2,d").unwrap(), ["Down", "Left", "Left", "Up"]);
        // More repetitions than a number may say.
        let many = ["Up"; 1500];
        assert_eq!(to_short(&many).unwrap(), "D999D501");
        assert_eq!(from_short("D999D501").unwrap(), many);
        assert_eq!(to_short(&["L1"]), None);
        assert_eq!(to_short::<&str>(&[]).unwrap(), "");
    }

    #[test]
    fn what_is_no_short_form_is_refused() {
        assert_eq!(from_short("UX"), Err(NotationError::Unexpected { column: 2, found: 'X' }));
        assert_eq!(from_short("U0"), Err(NotationError::Repetition { column: 2 }));
        assert!(from_short("U99999999999999999999").is_err());
        assert!(from_short("2U").is_err());
    }
}
