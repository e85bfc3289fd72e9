//! Long solutions for people: move by move with the boards, and shortened on terminals.

use permutile::board::Board;
use permutile::board::check::{CheckError, Rules};
use permutile::board::steps::{Step, steps};
use permutile::format::counted_grouped;

/// A terminal shows this many moves at each end of a longer list of names.
const NAMES_SHOWN: usize = 100;
/// And this many at each end of a longer list with boards.
const STEPS_SHOWN: usize = 20;

/// The moves of a solution in one line, as `write` writes them; shortened on a terminal.
pub(super) fn in_a_line<S>(moves: &[S], terminal: bool, write: impl Fn(&[S]) -> String) -> String {
    match left_out(moves.len(), NAMES_SHOWN, terminal) {
        None => write(moves),
        Some(left_out) => {
            let (first, last) = (&moves[..NAMES_SHOWN], &moves[moves.len() - NAMES_SHOWN..]);
            format!("{} … {} … {}", write(first), more(left_out), write(last))
        }
    }
}

/// Each move of a solution in words, with the board after it; shortened on a terminal.
pub(super) fn with_boards<S: AsRef<str>>(
    rules: &Rules,
    start: &Board,
    moves: &[S],
    terminal: bool,
) -> Result<String, CheckError> {
    let left_out = left_out(moves.len(), STEPS_SHOWN, terminal);
    let mut text = String::new();
    for (at, (step, name)) in steps(rules, start, moves).zip(moves).enumerate() {
        let Step { words, board } = step?;
        match left_out {
            Some(left_out) if at == STEPS_SHOWN => text += &format!("… {} …\n", more(left_out)),
            Some(left_out) if (STEPS_SHOWN..STEPS_SHOWN + left_out).contains(&at) => {}
            _ => {
                let separator = if words.is_empty() { "" } else { ": " };
                let name = name.as_ref();
                text += &format!("{}. {name}{separator}{words}\n{}\n", at + 1, board.grid());
            }
        }
    }
    Ok(text)
}

/// How many moves are left out between those shown at both ends.
fn left_out(moves: usize, shown: usize, terminal: bool) -> Option<usize> {
    (terminal && moves > 3 * shown).then(|| moves - 2 * shown)
}

fn more(left_out: usize) -> String {
    format!("({} more; a file or a pipe gets them all)", counted_grouped(left_out as u64, "move"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_terminals_get_less_than_all_moves() {
        let moves = |count: usize| ["Right", "Left"].repeat(count / 2);
        let line = |count, terminal| in_a_line(&moves(count), terminal, |moves| moves.join(" "));
        assert_eq!(line(54_498, false).split(' ').count(), 54_498);
        assert_eq!(line(300, true).split(' ').count(), 300);
        let short = line(54_498, true);
        assert!(short.contains("Left … (54,298 moves more; a file"), "{short}");
        assert_eq!(short.matches("Right").count(), 100);

        let start: Board = "0 1 2 3".parse().unwrap();
        let rules = Rules::Sliding(start.shape());
        let steps = |count, terminal| with_boards(&rules, &start, &moves(count), terminal).unwrap();
        let whole = steps(1_000, false);
        assert!(
            whole.starts_with("1. Right: tile 1 left\n1 0\n2 3\n2. Left: tile 1 right\n0 1\n2 3\n")
        );
        assert_eq!(whole.lines().count(), 3_000);
        assert_eq!(steps(60, true).lines().count(), 180);
        let short = steps(1_000, true);
        assert!(
            short.contains("\n20. Left: tile 1 right\n0 1\n2 3\n… (960 moves more; "),
            "{short}"
        );
        assert!(short.contains("…\n981. Right: tile 1 left\n"), "{short}");
        assert_eq!(short.lines().count(), 121);
    }
}
