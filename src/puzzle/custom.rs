//! Custom puzzles: a grid and named moves as cycles of cells, in a TOML text.
//!
//! ```toml
//! shape = "2x3"
//!
//! [[move]]
//! name = "A"
//! cycles = [[1, 2, 5, 4]]   # cells from 1, row by row; each tile goes to the next cell
//! inverse = "A'"            # also adds the way back; without it the move is one-way
//! ```

use super::definition::{Definition, Dynamics, NamedMove};
use super::moves::MAX_MOVES;
use super::permutation::Permutation;
use crate::board::Shape;
use crate::board::check::{CycleMove, Rules};
use crate::toml_text::{TomlError, TomlText};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

/// A custom puzzle's file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PuzzleFile {
    shape: Spanned<String>,
    #[serde(rename = "move")]
    moves: Spanned<Vec<FileMove>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileMove {
    name: Spanned<String>,
    cycles: Spanned<Vec<Vec<Spanned<i64>>>>,
    inverse: Option<Spanned<String>>,
}

/// Reads a custom puzzle from its text; `source_name` is its path, and becomes its id.
///
/// # Errors
/// If the text is not TOML of the form above, or its moves are no moves.
pub fn define(source_name: &str, text: &str) -> Result<Definition, TomlError> {
    let text = TomlText { source_name, text };
    let fail = |span: Range<usize>, problem: String| text.error(span, problem);
    let file: PuzzleFile =
        text.parse("`shape = \"RxC\"` and one [[move]] with `name` and `cycles` for each move")?;
    let shape: Shape = file
        .shape
        .get_ref()
        .parse()
        .map_err(|error| fail(file.shape.span(), format!("{error}")))?;
    let mut moves: Vec<NamedMove> = Vec::new();
    for entry in file.moves.get_ref() {
        let cycles =
            read_cycles(shape, &entry.cycles).map_err(|(span, problem)| fail(span, problem))?;
        let permutation = Permutation::from_cycles(shape.cells(), &cycles);
        let inverse = entry.inverse.iter().map(|name| (name, permutation.inverse()));
        for (name, permutation) in [(&entry.name, permutation.clone())].into_iter().chain(inverse) {
            let text = name.get_ref();
            if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c == ',') {
                let problem =
                    format!("\"{text}\" cannot name a move: it is empty or has a space or a comma");
                return Err(fail(name.span(), problem));
            }
            if moves.iter().any(|m| m.name == *text) {
                return Err(fail(name.span(), format!("a move named \"{text}\" is there already")));
            }
            moves.push(NamedMove::new(text.clone(), permutation));
        }
    }
    if moves.is_empty() || moves.len() > MAX_MOVES {
        let problem = format!("a puzzle has 1 to {MAX_MOVES} moves, here are {}", moves.len());
        return Err(fail(file.moves.span(), problem));
    }
    let rules = Rules::Cycles { shape, moves: moves.iter().map(checker_move).collect() };
    let dynamics = Dynamics::Permutations(moves);
    Ok(Definition { id: source_name.to_owned(), shape, dynamics, rules })
}

fn checker_move(m: &NamedMove) -> CycleMove {
    CycleMove { name: m.name.clone(), cycles: m.permutation.cycles() }
}

/// Cycles of cells from 0, each cell at most once in all of them.
fn read_cycles(
    shape: Shape,
    cycles: &Spanned<Vec<Vec<Spanned<i64>>>>,
) -> Result<Vec<Vec<usize>>, (Range<usize>, String)> {
    let mut seen = vec![false; shape.cells()];
    let mut result = Vec::new();
    for cycle in cycles.get_ref() {
        let mut cells = Vec::new();
        for number in cycle {
            let cell = number
                .get_ref()
                .checked_sub(1)
                .and_then(|c| usize::try_from(c).ok())
                .filter(|&c| c < shape.cells());
            let Some(cell) = cell else {
                let problem = format!(
                    "cell {} does not exist: the cells of a {shape} grid are numbered 1 to {}",
                    number.get_ref(),
                    shape.cells()
                );
                return Err((number.span(), problem));
            };
            if std::mem::replace(&mut seen[cell], true) {
                let problem = format!("cell {} is in this move twice", cell + 1);
                return Err((number.span(), problem));
            }
            cells.push(cell);
        }
        result.push(cells);
    }
    if result.iter().all(|cycle| cycle.len() < 2) {
        return Err((
            cycles.span(),
            "this move moves nothing: a cycle has at least 2 cells".to_owned(),
        ));
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        define("p.toml", text).unwrap_err().to_string()
    }

    #[test]
    fn reads_moves_and_their_inverses() {
        let text = "shape = \"2x3\"\n[[move]]\nname = \"A\"\ncycles = [[1, 2, 5, 4]]\ninverse = \"a\"\n\
                    [[move]]\nname = \"B\"\ncycles = [[2, 3], [5, 6]]\n";
        let definition = define("p.toml", text).unwrap();
        let Dynamics::Permutations(moves) = definition.dynamics else { panic!("no blank here") };
        let names: Vec<&str> = moves.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["A", "a", "B"]);
        assert_eq!(moves[0].permutation.cycles(), [[0, 1, 4, 3]]);
        assert!(moves[0].permutation.then(&moves[1].permutation).is_identity());
    }

    #[test]
    fn says_where_a_file_is_wrong() {
        let with = |moves: &str| format!("shape = \"2x2\"\n[[move]]\nname = \"A\"\n{moves}\n");
        assert!(error("shape = 3").starts_with("p.toml:1:9: "));
        assert!(error("shape = \"2x2\"").contains("move"));
        assert!(error("shape = \"2x1\"\nmove = []").starts_with("p.toml:1:9: a grid of 2x1"));
        assert!(error("shape = \"2x2\"\nmove = []").contains("1 to 64 moves, here are 0"));
        assert!(error(&with("cycles = [[1, 5]]")).starts_with("p.toml:4:15: cell 5 does not"));
        assert!(error(&with("cycles = [[0, 1]]")).starts_with("p.toml:4:12: cell 0 does not"));
        assert!(error(&with("cycles = [[1, 2], [2, 3]]")).starts_with("p.toml:4:20: cell 2 is"));
        assert!(error(&with("cycles = [[1]]")).contains("moves nothing"));
        assert!(
            error(&with("cycles = [[1, 2]]\ninverse = \"A\"")).starts_with("p.toml:5:11: a move")
        );
        assert!(error(&with("cycles = [[1, 2]]\nspeed = 3")).contains("speed"));
        assert!(error(&with("cycles = [[1, -9223372036854775808]]")).contains("does not exist"));
    }
}
