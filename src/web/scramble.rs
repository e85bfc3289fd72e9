//! `POST /api/scramble`: random boards of a seed, and the one of the day; the same as in the terminal.

use super::Server;
use super::error::ApiError;
use super::question::{BoardField, PuzzleFields};
use super::reply::{Body, json};
use crate::board::Board;
use crate::limits::Limits;
use crate::play::deal::{Deal, DealKind, FARTHEST};
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
    /// The one of today, whose seed is the date.
    #[serde(default)]
    daily: bool,
    seed: Option<u64>,
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
    let ScrambleRequest { puzzle, definition, goal, moves, exact_depth, daily, seed } = request;
    let fields = PuzzleFields { puzzle, definition, goal };
    let kind = match (moves, exact_depth) {
        (Some(_), Some(_)) => {
            return Err(ApiError::field("moves", &"give moves or exact_depth, not both"));
        }
        (Some(moves), None) if moves > MOST_MOVES => {
            return Err(ApiError::field("moves", &format!("at most {MOST_MOVES} moves")));
        }
        (Some(moves), None) => DealKind::Moves(moves),
        (None, Some(depth)) if depth > FARTHEST => {
            return Err(ApiError::field("exact_depth", &format!("at most {FARTHEST} moves away")));
        }
        (None, Some(depth)) => DealKind::ExactDepth(depth),
        (None, None) => DealKind::Uniform,
    };
    let deal = match (daily, kind, seed) {
        (true, DealKind::Uniform, None) => Deal::random(DealKind::Daily),
        (true, ..) => {
            let message = "today's board has a kind and a seed of its own: give nothing else";
            return Err(ApiError::field("daily", &message));
        }
        (false, kind, Some(seed)) => Deal { kind, seed },
        (false, _, None) => {
            return Err(ApiError::field("seed", &"give a seed, or \"daily\": true"));
        }
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
            let found = solver.frame().find_group(&limits);
            found.map_err(|stop| ApiError::field("puzzle", &stop))?;
            let board = deal.board(&solver, &limits);
            let board = board.map_err(|error| ApiError::field("exact_depth", &error))?;
            let (puzzle, seed, distance) = (solver.frame().id(), deal.seed, deal.shortest());
            Ok(json(&Scrambled { puzzle, board, seed, distance }))
        })
        .await
}
