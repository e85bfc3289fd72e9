//! Solutions move by move: what each move does, in words, and the board after it.

use super::Board;
use super::check::{CheckError, Rules, replay};

/// One move of a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What moves, and which way: "row 2 left", "tile 5 down". Empty where the name of the move is
    /// all that is known.
    pub words: String,
    /// The board after the move.
    pub board: Board,
}

/// The steps of a solution from `start` on, up to the first move that cannot be made.
pub fn steps<'a, M: AsRef<str>>(
    rules: &'a Rules,
    start: &Board,
    moves: &'a [M],
) -> impl Iterator<Item = Result<Step, CheckError>> + 'a {
    let mut before = Some(start.clone());
    moves.iter().map_while(move |name| {
        let board = before.take()?;
        let name = name.as_ref();
        Some(replay(rules, &board, &[name]).map(|after| {
            let words = in_words(rules, name, &board, &after);
            before = Some(after.clone());
            Step { words, board: after }
        }))
    })
}

fn in_words(rules: &Rules, name: &str, before: &Board, after: &Board) -> String {
    match rules {
        Rules::Torus(_) => line(name),
        Rules::Rings(_) => ring(name).unwrap_or_else(|| line(name)),
        Rules::Sliding(_) => {
            // The tile goes to where the blank was, the opposite way.
            let way = match name {
                "Up" => "down",
                "Down" => "up",
                "Left" => "right",
                _ => "left",
            };
            let tile = after.blank().map(|cell| before.tiles()[cell]);
            tile.map_or_else(String::new, |tile| format!("tile {tile} {way}"))
        }
        Rules::Cycles { .. } => String::new(),
    }
}

fn line(name: &str) -> String {
    let (letter, number) = name.split_at(name.len().min(1));
    match letter {
        "L" => format!("row {number} left"),
        "R" => format!("row {number} right"),
        "U" => format!("column {number} up"),
        _ => format!("column {number} down"),
    }
}

fn ring(name: &str) -> Option<String> {
    let (ring, way) = match name.strip_suffix("cc") {
        Some(ring) => (ring, "counter-clockwise"),
        None => (name.strip_suffix('c')?, "clockwise"),
    };
    Some(match ring.split_at_checked(1)? {
        ("O", _) => format!("outer ring {way}"),
        ("I", "") => format!("inner ring {way}"),
        (_, number) => format!("inner ring {number} {way}"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::check::CycleMove;
    use super::*;

    fn told(rules: &Rules, start: &str, moves: &[&str]) -> Vec<String> {
        let start: Board = start.parse().unwrap();
        let told = |step: Result<Step, CheckError>| match step {
            Ok(Step { words, board }) => format!("{words}: {board}"),
            Err(error) => error.to_string(),
        };
        steps(rules, &start, moves).map(told).collect()
    }

    #[test]
    fn every_kind_of_move_has_its_words() {
        let shape = "3x3".parse().unwrap();
        assert_eq!(
            told(&Rules::Sliding(shape), "1 2 5 3 4 0 6 7 8", &["Up", "Left", "Down", "Right"]),
            [
                "tile 5 down: 1 2 0 3 4 5 6 7 8",
                "tile 2 right: 1 0 2 3 4 5 6 7 8",
                "tile 4 up: 1 4 2 3 0 5 6 7 8",
                "tile 5 left: 1 4 2 3 5 0 6 7 8",
            ]
        );
        let ordered = "1 2 3 4 5 6 7 8 9";
        assert_eq!(
            told(&Rules::Torus(shape), ordered, &["L2", "R1", "U3", "D1"]),
            [
                "row 2 left: 1 2 3 5 6 4 7 8 9",
                "row 1 right: 3 1 2 5 6 4 7 8 9",
                "column 3 up: 3 1 4 5 6 9 7 8 2",
                "column 1 down: 7 1 4 3 6 9 5 8 2",
            ]
        );
        assert_eq!(
            told(&Rules::Rings(shape), ordered, &["Oc", "Occ", "D2"]),
            [
                "outer ring clockwise: 4 1 2 7 5 3 8 9 6",
                "outer ring counter-clockwise: 1 2 3 4 5 6 7 8 9",
                "column 2 down: 1 8 3 4 2 6 7 5 9",
            ]
        );
        let shape = "5x6".parse().unwrap();
        let words = |step: Result<Step, CheckError>| step.unwrap().words;
        let start = Board::ordered(shape);
        let rings = Rules::Rings(shape);
        assert_eq!(
            steps(&rings, &start, &["Ic", "I2cc", "R5"]).map(words).collect::<Vec<_>>(),
            ["inner ring clockwise", "inner ring 2 counter-clockwise", "row 5 right"]
        );
        let shape = "3x3".parse().unwrap();
        let swap = CycleMove { name: "swap".to_owned(), cycles: vec![vec![0, 1]] };
        let rules = Rules::Cycles { shape, moves: vec![swap] };
        assert_eq!(told(&rules, ordered, &["swap"]), [": 2 1 3 4 5 6 7 8 9"]);
    }

    #[test]
    fn steps_end_at_a_move_that_cannot_be_made() {
        let rules = Rules::Sliding("3x3".parse().unwrap());
        let steps = told(&rules, "0 1 2 3 4 5 6 7 8", &["Right", "Up", "Left"]);
        assert_eq!(steps.len(), 2);
        assert!(steps[1].contains("the blank is at the edge"), "{steps:?}");
    }
}
