//! Boards and moves as people write them: `POST /api/parse` and `POST /api/moves`.

use super::Server;
use super::error::ApiError;
use super::question::{BoardField, PuzzleFields};
use super::reply::{Body, json};
use crate::board::Board;
use crate::board::check::{Rules, replay};
use crate::board::move_list::{Reading, Spellings};
use crate::board::steps::steps;
use crate::board::text::{self, Form, TextOptions};
use crate::puzzle::registry;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// The most boards that are read from one text.
const MOST_BOARDS: usize = 5_000;

/// The most moves that are replayed.
pub(super) const MOST_MOVES: usize = 20_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParseRequest {
    text: String,
    puzzle: Option<String>,
    definition: Option<String>,
}

#[derive(Serialize)]
struct Parsed {
    name: Option<String>,
    line: usize,
    /// The puzzle that it most likely belongs to, or the one that was named.
    puzzle: String,
    rows: usize,
    cols: usize,
    board: Board,
    known_length: Option<u32>,
}

/// Reads boards from a text; the first that cannot be read is the error.
pub(super) async fn parse(
    State(server): State<Arc<Server>>,
    Body(request): Body<ParseRequest>,
) -> Result<Response, ApiError> {
    server.quick.run(move |_| boards(request)).await
}

pub(super) fn boards(request: ParseRequest) -> Result<Response, ApiError> {
    let ParseRequest { text, puzzle, definition } = request;
    let fields = PuzzleFields { puzzle, definition, goal: None };
    let named = fields.definition()?;
    let shape = named.as_ref().map(|definition| definition.shape);
    let options = TextOptions { shape, form: Form::Sniff };
    let mut boards = Vec::new();
    for entry in text::parse("text", text.as_bytes(), &options) {
        let entry = entry.map_err(|error| ApiError::text("text", &error))?;
        if boards.len() == MOST_BOARDS {
            return Err(ApiError::field(
                "text",
                &format!("there are more than {MOST_BOARDS} boards"),
            ));
        }
        let puzzle = match &named {
            Some(definition) => definition.id.clone(),
            None => {
                registry::infer(&entry.board).map_err(|error| ApiError::field("text", &error))?.id
            }
        };
        let text::Entry { name, line, board, known_length, .. } = entry;
        let (rows, cols) = (board.shape().rows(), board.shape().cols());
        boards.push(Parsed { name, line, puzzle, rows, cols, board, known_length });
    }
    Ok(json(&json!({ "boards": boards })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MovesRequest {
    puzzle: Option<String>,
    definition: Option<String>,
    goal: Option<BoardField>,
    board: BoardField,
    text: String,
}

/// Moves as they were understood.
#[derive(Serialize)]
pub(super) struct Understood {
    moves: Vec<String>,
    /// What each does, in words.
    words: Vec<String>,
    /// Whether they solve the board.
    solved: bool,
}

/// Reads moves in any usual form, and replays them on a board.
pub(super) async fn moves(
    State(server): State<Arc<Server>>,
    Body(request): Body<MovesRequest>,
) -> Result<Response, ApiError> {
    let work = Arc::clone(&server);
    server.quick.run(move |_| Ok(json(&understand(&work, request)?))).await
}

pub(super) fn understand(server: &Server, request: MovesRequest) -> Result<Understood, ApiError> {
    let MovesRequest { puzzle, definition, goal, board, text } = request;
    let (board, solver) = PuzzleFields { puzzle, definition, goal }.board(server, &board)?;
    let frame = solver.frame();
    // On a sliding puzzle a letter says where the blank goes, or a tile: what solves the board was
    // meant, else what can be played.
    let readings: &[Reading] = match frame.rules() {
        Rules::Sliding(_) => &[Reading::Blank, Reading::Tile],
        _ => &[Reading::Blank],
    };
    let read_as = |&reading| read(frame.rules(), &board, frame.goal(), &text, reading);
    let mut results: Vec<Result<Understood, ApiError>> = readings.iter().map(read_as).collect();
    let solves =
        |result: &Result<Understood, _>| matches!(result, Ok(Understood { solved: true, .. }));
    let best = results.iter().position(solves);
    let best = best.or_else(|| results.iter().position(Result::is_ok));
    results.swap_remove(best.unwrap_or(0))
}

fn read(
    rules: &Rules,
    board: &Board,
    goal: &Board,
    text: &str,
    reading: Reading,
) -> Result<Understood, ApiError> {
    let names = rules.move_names();
    let spellings = Spellings::new(rules, &names, reading);
    let moves = spellings.read(text).map_err(|error| ApiError::field("text", &error))?;
    let moves = checked(rules, board, &moves, "text")?;
    let words: Result<Vec<String>, _> =
        steps(rules, board, &moves).map(|step| step.map(|step| step.words)).collect();
    let words = words.map_err(|error| ApiError::field("text", &error))?;
    let end = replay(rules, board, &moves).map_err(|error| ApiError::field("text", &error))?;
    Ok(Understood { solved: end == *goal, moves, words })
}

/// Moves that can be made, and are not too many.
pub(super) fn checked<M: AsRef<str>>(
    rules: &Rules,
    board: &Board,
    moves: &[M],
    field: &'static str,
) -> Result<Vec<String>, ApiError> {
    if moves.len() > MOST_MOVES {
        return Err(ApiError::field(field, &format!("there are more than {MOST_MOVES} moves")));
    }
    replay(rules, board, moves).map_err(|error| ApiError::field(field, &error))?;
    Ok(moves.iter().map(|name| name.as_ref().to_owned()).collect())
}
