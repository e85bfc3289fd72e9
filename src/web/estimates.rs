//! `POST /api/estimates`: what the heuristics say of each board along a path.

use super::Server;
use super::error::ApiError;
use super::question::{BoardField, PuzzleFields};
use super::reply::{Body, json};
use super::texts::checked;
use crate::limits::Limits;
use crate::puzzle::Move;
use crate::search::HeuristicKind;
use crate::solver::Solver;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long the tables of all heuristics may take to build.
const TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EstimatesRequest {
    puzzle: Option<String>,
    definition: Option<String>,
    goal: Option<BoardField>,
    board: BoardField,
    moves: Vec<String>,
    /// Those to ask; all that need no large tables if none is named.
    heuristics: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Estimates {
    name: String,
    admissible: bool,
    /// Of the board, and of that after each move.
    values: Vec<u32>,
}

/// Asks heuristics about each board on a path.
pub(super) async fn estimates(
    State(server): State<Arc<Server>>,
    Body(request): Body<EstimatesRequest>,
) -> Result<Response, ApiError> {
    let work = Arc::clone(&server);
    server.quick.run(move |cancelled| ask(&work, request, cancelled)).await
}

pub(super) fn ask(
    server: &Server,
    request: EstimatesRequest,
    cancelled: &AtomicBool,
) -> Result<Response, ApiError> {
    let EstimatesRequest { puzzle, definition, goal, board, moves, heuristics } = request;
    let (board, solver) = PuzzleFields { puzzle, definition, goal }.board(server, &board)?;
    let frame = solver.frame();
    let moves = checked(frame.rules(), &board, &moves, "moves")?;
    let moves: Vec<Move> = moves.iter().filter_map(|name| frame.moves().by_name(name)).collect();
    let labels = frame.encode(&board).map_err(|error| ApiError::field("board", &error))?;
    let limits = Limits {
        deadline: Some(Instant::now() + TIMEOUT),
        bytes: Some(server.bytes),
        cancelled: Some(cancelled),
        ..Limits::default()
    };
    // Pattern databases have no entry for what cannot be solved.
    frame.find_group(&limits).map_err(|stop| ApiError::field("puzzle", &stop))?;
    frame.check_solvable(&labels).map_err(|reason| ApiError::field("board", &reason))?;
    let mut answers = Vec::new();
    for kind in chosen(&solver, heuristics)? {
        // Those that do not apply here, or whose tables take too long, are left out.
        let (Ok(promise), Ok(estimator)) =
            (solver.promise(&kind), solver.estimator(&kind, &limits))
        else {
            continue;
        };
        let values = estimator.path_estimates(&labels, &moves);
        let values = values.into_iter().map(|at| at.estimate).collect();
        let name = kind.name().to_owned();
        answers.push(Estimates { name, admissible: promise.admissible, values });
    }
    Ok(json(&json!({ "heuristics": answers })))
}

fn chosen(solver: &Solver, names: Option<Vec<String>>) -> Result<Vec<HeuristicKind>, ApiError> {
    let Some(names) = names else { return Ok(solver.heuristics().cloned().collect()) };
    let kind = |name: &String| {
        solver.heuristic(name).map_err(|error| ApiError::field("heuristics", &error))
    };
    names.iter().map(kind).collect()
}
