//! `permutile info`: the moves of a puzzle, and what follows from them.

use super::Common;
use super::exit::Exit;
use super::options::{GoalOption, OptionalPuzzle};
use super::output::data;
use clap::Args;
use permutile::format::grouped;
use permutile::lab::solvers::load_definition;
use permutile::puzzle::registry::FAMILIES;
use permutile::puzzle::{AnyPuzzle, Frame, Move, MoveSet};

/// Show a puzzle's moves, symmetries, group and parity rules; without one, list the puzzles
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  permutile info\n  permutile info rings5\n  permutile info my-puzzle.toml --json"
)]
pub(super) struct Info {
    #[command(flatten)]
    puzzle: OptionalPuzzle,
    #[command(flatten)]
    goal: GoalOption,
}

/// How many lengths of sequences are shown.
const SEQUENCE_DEPTH: usize = 8;

pub(super) fn run(command: &Info, common: &Common) -> anyhow::Result<Exit> {
    let Some(id) = command.puzzle.id() else {
        return list_families(common);
    };
    let definition = load_definition(id)?;
    let goal = command.goal.get(Some(definition.shape))?;
    let puzzle = AnyPuzzle::new(definition, goal, common.simd())?;
    let facts = Facts::new(puzzle.frame());
    if common.json {
        data(facts.json())?;
    } else {
        data(facts.text())?;
    }
    Ok(Exit::Success)
}

fn list_families(common: &Common) -> anyhow::Result<Exit> {
    for family in FAMILIES {
        if common.json {
            let object = serde_json::json!({
                "family": family.name, "summary": family.summary, "shapes": family.shapes
            });
            data(object)?;
        } else {
            data(format!("{}\n  {}\n  {}", family.name, family.summary, family.shapes))?;
        }
    }
    if !common.json {
        data(
            "custom\n  any grid and any moves, given as cycles of cells in a .toml file\n  a path to the file",
        )?;
    }
    Ok(Exit::Success)
}

struct Facts<'a> {
    frame: &'a Frame,
    /// How many boards can be solved, as a text.
    reachable: String,
    parity: &'static str,
    sequences: Vec<u128>,
}

impl Facts<'_> {
    fn new(frame: &Frame) -> Facts<'_> {
        let moves = frame.moves();
        let all_even = moves.all().all(|m| !moves.is_odd(m));
        let parity = if frame.blank_label().is_some() {
            "each move is odd and takes the blank one step: a board is solvable if its parity fits the blank's way, \
             which also fixes whether solutions are odd or even in length"
        } else if moves.all_odd() {
            "each move is odd: the parity of a board fixes whether its solutions are odd or even in length"
        } else if all_even {
            "each move is even: an odd board cannot be solved"
        } else {
            "some moves are odd, some even: the parity of a board fixes that of the number of odd moves"
        };
        let reachable = match frame.group() {
            Some(group) => group.order().to_string(),
            None => format!("{}!/2", frame.shape().cells()),
        };
        Facts {
            frame,
            reachable,
            parity,
            sequences: frame.automaton().sequences().take(SEQUENCE_DEPTH + 1).collect(),
        }
    }

    fn names(&self, set: MoveSet) -> String {
        let names: Vec<&str> = set.map(|m| self.frame.moves().name(m)).collect();
        names.join(" ")
    }

    fn text(&self) -> String {
        let frame = self.frame;
        let moves = frame.moves();
        let goal = frame.goal_name().unwrap_or("as given");
        let inversion = if frame.has_inversion() {
            ", and inversion: a board and its inverse are equally far"
        } else {
            ", no inversion"
        };
        let mut lines = vec![
            format!(
                "{}: {} cells ({}), goal {goal}",
                frame.id(),
                frame.shape().cells(),
                frame.shape()
            ),
            format!("boards that can be solved: {}", self.reachable),
            format!("symmetries: {} of the grid{inversion}", frame.symmetries().len()),
            format!("parity: {}", self.parity),
            format!("most tiles shifted by one move: {}", moves.most_tiles_shifted()),
            format!("{} moves:", moves.len()),
            format!(
                "  {:<8} {:>5}  {:<6}  {:<8}  commutes with",
                "name", "order", "parity", "inverse"
            ),
        ];
        lines.extend(moves.all().map(|m| self.move_line(m)));
        if frame.blank_label().is_some() {
            lines.push("move ordering: the blank never goes straight back".to_owned());
        } else {
            lines.push(format!(
                "move ordering: {} states, {:.2} moves on average; sequences of 0, 1, 2, ... moves let through:",
                frame.automaton().states(),
                frame.automaton().branching_factor(),
            ));
            let sequences: Vec<String> =
                self.sequences.iter().map(|&count| grouped(count)).collect();
            lines.push(format!("  {}", sequences.join("  ")));
        }
        lines.join("\n")
    }

    fn move_line(&self, m: Move) -> String {
        let moves = self.frame.moves();
        let order = moves.order(m).map_or("-".to_owned(), |order| order.to_string());
        let parity = if moves.is_odd(m) { "odd" } else { "even" };
        let inverse = moves.inverse(m).map_or("none", |inverse| moves.name(inverse));
        let others = moves.commuting(m).without(MoveSet::EMPTY.with(m));
        let line = format!(
            "  {:<8} {order:>5}  {parity:<6}  {inverse:<8}  {}",
            moves.name(m),
            self.names(others)
        );
        line.trim_end().to_owned()
    }

    fn json(&self) -> serde_json::Value {
        let frame = self.frame;
        let moves = frame.moves();
        let list: Vec<serde_json::Value> = moves
            .all()
            .map(|m| {
                let commuting: Vec<&str> =
                    moves.commuting(m).map(|other| moves.name(other)).collect();
                serde_json::json!({
                    "name": moves.name(m), "order": moves.order(m), "odd": moves.is_odd(m),
                    "inverse": moves.inverse(m).map(|inverse| moves.name(inverse)),
                    "commutes_with": commuting,
                })
            })
            .collect();
        let sequences: Vec<String> = self.sequences.iter().map(ToString::to_string).collect();
        serde_json::json!({
            "puzzle": frame.id(), "rows": frame.shape().rows(), "cols": frame.shape().cols(),
            "goal": frame.goal(), "reachable": self.reachable,
            "symmetries": frame.symmetries().len(), "inversion": frame.has_inversion(),
            "parity": self.parity, "most_tiles_shifted": moves.most_tiles_shifted(), "moves": list,
            "branching_factor": frame.automaton().branching_factor(), "sequences": sequences,
        })
    }
}
