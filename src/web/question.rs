//! What requests say of puzzles, goals and boards, and what that means.

use super::Server;
use super::error::ApiError;
use super::solver_shelf::SolverKey;
use crate::board::{Board, Shape, Tile, text};
use crate::puzzle::registry::{self, IdError};
use crate::puzzle::{Definition, Goal, custom};
use crate::solver::Solver;
use serde::Deserialize;
use std::sync::Arc;

/// What a custom puzzle is called that comes without a name.
const CUSTOM: &str = "custom.toml";

/// The longest name of a custom puzzle.
const LONGEST_NAME: usize = 100;

/// A board in a request: row by row, or as text in any form that the command line takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum BoardField {
    Tiles(Vec<u16>),
    Text(String),
}

/// The puzzle that a request is about.
#[derive(Clone, Debug, Default)]
pub(super) struct PuzzleFields {
    /// Its id; of a custom puzzle, what it is called.
    pub(super) puzzle: Option<String>,
    /// The text of a custom puzzle's file.
    pub(super) definition: Option<String>,
    /// `blank-first`, `blank-last`, `ordered`, or a board.
    pub(super) goal: Option<BoardField>,
}

impl PuzzleFields {
    /// The puzzle that is named; none if it is to be inferred from a board.
    pub(super) fn definition(&self) -> Result<Option<Definition>, ApiError> {
        match (&self.puzzle, &self.definition) {
            (name, Some(text)) => {
                let name = name.as_deref().unwrap_or(CUSTOM);
                if name.chars().count() > LONGEST_NAME {
                    let message = format!("a puzzle's name has at most {LONGEST_NAME} characters");
                    return Err(ApiError::field("puzzle", &message));
                }
                let custom = custom::define(name, text);
                custom.map(Some).map_err(|error| ApiError::field("definition", &error))
            }
            // Paths are for the command line: the server opens no file because a client says so.
            (Some(id), None) => registry::define(id).map(Some).map_err(|error| match error {
                IdError::Unknown { id } => {
                    let message = format!(
                        "there is no puzzle {id:?}: expected torus4, rings5, sliding:3x4, …"
                    );
                    ApiError::field("puzzle", &message)
                }
                error => ApiError::field("puzzle", &error),
            }),
            (None, None) => Ok(None),
        }
    }

    fn goal(&self, shape: Shape) -> Result<Goal, ApiError> {
        Ok(match &self.goal {
            None => Goal::Default,
            Some(BoardField::Text(name)) if name == "blank-first" => Goal::BlankFirst,
            Some(BoardField::Text(name)) if name == "blank-last" => Goal::BlankLast,
            Some(BoardField::Text(name)) if name == "ordered" => Goal::Board(Board::ordered(shape)),
            Some(board) => Goal::Board(read_board("goal", board, Some(shape))?),
        })
    }

    /// The solver of the puzzle that is named.
    pub(super) fn solver(&self, server: &Server) -> Result<Arc<Solver>, ApiError> {
        let missing = || ApiError::field("puzzle", &"the puzzle is missing, as in \"torus4\"");
        self.solver_for(server, self.definition()?.ok_or_else(missing)?)
    }

    /// A board, and the solver of its puzzle.
    pub(super) fn board(
        &self,
        server: &Server,
        board: &BoardField,
    ) -> Result<(Board, Arc<Solver>), ApiError> {
        let named = self.definition()?;
        let board = read_board("board", board, named.as_ref().map(|definition| definition.shape))?;
        let definition = match named {
            Some(definition) => definition,
            None => registry::infer(&board).map_err(|error| ApiError::field("board", &error))?,
        };
        let solver = self.solver_for(server, definition)?;
        solver.frame().encode(&board).map_err(|error| ApiError::field("board", &error))?;
        Ok((board, solver))
    }

    fn solver_for(&self, server: &Server, definition: Definition) -> Result<Arc<Solver>, ApiError> {
        let goal = self.goal(definition.shape)?;
        let key = SolverKey { id: definition.id.clone(), custom: self.definition.clone(), goal };
        server.solvers.get(&key, definition).map_err(|error| ApiError::field("goal", &error))
    }
}

fn read_board(
    field: &'static str,
    board: &BoardField,
    shape: Option<Shape>,
) -> Result<Board, ApiError> {
    let tiles = match board {
        BoardField::Text(text) => {
            let entry = text::parse_one(field, text.as_bytes(), shape);
            return entry.map(|entry| entry.board).map_err(|error| ApiError::text(field, &error));
        }
        BoardField::Tiles(tiles) => tiles,
    };
    let side = tiles.len().isqrt();
    let shape = match shape {
        Some(shape) => shape,
        None if side * side == tiles.len() => {
            Shape::new(side, side).map_err(|error| ApiError::field(field, &error))?
        }
        None => {
            let message = format!("{} tiles are no square: name the puzzle", tiles.len());
            return Err(ApiError::field(field, &message));
        }
    };
    let tiles: Vec<Tile> = tiles.iter().map(|&tile| Tile(tile)).collect();
    Board::new(shape, tiles).map_err(|error| ApiError::field(field, &error))
}
