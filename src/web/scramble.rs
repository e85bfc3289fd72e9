//! `POST /api/scramble`: random boards of a seed, the same as on the command line.

use super::Server;
use super::error::ApiError;
use super::question::{BoardField, PuzzleFields};
use super::reply::{Body, json};
use crate::board::Board;
use crate::lab::exact_distance::{boards_at_distance, too_many_to_enumerate};
use crate::lab::scramble::{ScrambleKind, scramble as scrambled};
use crate::limits::Limits;
use crate::solver::Solver;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a board may take to be found.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The most random moves.
const MOST_MOVES: u32 = 100_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScrambleRequest {
    puzzle: Option<String>,
    definition: Option<String>,
    goal: Option<BoardField>,
    /// So many random moves from the goal.
    moves: Option<u32>,
    /// Exactly so far from the goal.
    exact_depth: Option<u32>,
    seed: u64,
}

/// A random board, and where it comes from.
#[derive(Serialize)]
struct Scrambled<'a> {
    puzzle: &'a str,
    board: Board,
    seed: u64,
    /// How far it is from the goal, if that is known.
    distance: Option<u32>,
}

/// Makes a board: after random moves, at an exact distance, or else each solvable one equally likely.
pub(super) async fn scramble(
    State(server): State<Arc<Server>>,
    Body(request): Body<ScrambleRequest>,
) -> Result<Response, ApiError> {
    let ScrambleRequest { puzzle, definition, goal, moves, exact_depth, seed } = request;
    let fields = PuzzleFields { puzzle, definition, goal };
    let kind = match (moves, exact_depth) {
        (Some(_), Some(_)) => {
            return Err(ApiError::field("moves", &"give moves or exact_depth, not both"));
        }
        (Some(moves), None) if moves > MOST_MOVES => {
            return Err(ApiError::field("moves", &format!("at most {MOST_MOVES} moves")));
        }
        (Some(moves), None) => ScrambleKind::Moves(moves),
        (None, Some(depth)) => ScrambleKind::ExactDepth(depth),
        (None, None) => ScrambleKind::Uniform,
    };
    let work = Arc::clone(&server);
    // What may take long waits with the searches.
    let place = if exact_depth.is_some() { &server.searches } else { &server.quick };
    place
        .run(move |cancelled| {
            let solver = fields.solver(&work)?;
            let deadline = Some(Instant::now() + TIMEOUT);
            let limits = Limits {
                deadline,
                bytes: Some(work.bytes),
                cancelled: Some(cancelled),
                ..Limits::default()
            };
            let board = board(&solver, kind, seed, &limits)?;
            let puzzle = solver.frame().id();
            Ok(json(&Scrambled { puzzle, board, seed, distance: exact_depth }))
        })
        .await
}

fn board(
    solver: &Solver,
    kind: ScrambleKind,
    seed: u64,
    limits: &Limits<'_>,
) -> Result<Board, ApiError> {
    solver.frame().find_group(limits).map_err(|stop| ApiError::field("puzzle", &stop))?;
    let mut boards = match kind {
        ScrambleKind::ExactDepth(depth) if too_many_to_enumerate(solver.frame(), depth) => {
            boards_at_distance(solver, depth, seed, 1, limits, &|| ())
                .map_err(|error| ApiError::field("exact_depth", &error))?
        }
        _ => scrambled(solver.puzzle(), kind, seed, 1, limits)
            .map_err(|error| ApiError::field("exact_depth", &error))?,
    };
    boards.pop().ok_or_else(|| ApiError::internal("one board was to be made"))
}
