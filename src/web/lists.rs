//! What there is to choose from: puzzles, algorithms, heuristics; and one puzzle with its moves.

use super::Server;
use super::error::ApiError;
use super::question::{BoardField, PuzzleFields};
use super::reply::{Body, Parameters, json};
use crate::board::{Board, steps};
use crate::puzzle::permutation::Permutation;
use crate::puzzle::registry::FAMILIES;
use crate::puzzle::{AnyPuzzle, Move};
use crate::search::{AUTO_SUMMARY, AlgorithmChoice, HeuristicKind, Optimality};
use crate::solver::Solver;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// The puzzles that the page offers; any other can be asked for by its id.
const OFFERED: [(&str, &str); 11] = [
    ("sliding3", "8-puzzle"),
    ("sliding4", "15-puzzle"),
    ("sliding5", "24-puzzle"),
    ("sliding6", "35-puzzle"),
    ("torus3", "Torus 3×3"),
    ("torus4", "Torus 4×4"),
    ("torus:4x5", "Torus 4×5"),
    ("torus5", "Torus 5×5"),
    ("rings3", "Rings 3×3"),
    ("rings4", "Rings 4×4"),
    ("rings5", "Rings 5×5"),
];

/// `GET /api/puzzles`.
pub(super) async fn puzzles() -> Response {
    let family = |id: &str| FAMILIES.iter().find(|family| id.starts_with(family.name));
    let puzzles: Vec<_> = OFFERED
        .iter()
        .map(|&(id, name)| {
            json!({ "puzzle": id, "name": name, "family": family(id).map(|family| family.name) })
        })
        .collect();
    let families: Vec<_> = FAMILIES
        .iter()
        .map(|family| {
            json!({ "name": family.name, "summary": family.summary, "shapes": family.shapes })
        })
        .collect();
    json(&json!({ "puzzles": puzzles, "families": families }))
}

/// `GET /api/algorithms`.
pub(super) async fn algorithms() -> Response {
    let all: Vec<_> = AlgorithmChoice::all()
        .map(|choice| {
            let summary = match choice {
                AlgorithmChoice::Auto => AUTO_SUMMARY,
                AlgorithmChoice::Named(algorithm) => algorithm.summary,
            };
            json!({
                "name": choice.name(), "summary": summary, "guided": choice.is_guided(),
                "optimal": worth(choice.optimality()), "parallel": choice.is_parallel(),
            })
        })
        .collect();
    json(&json!({ "algorithms": all }))
}

fn worth(optimality: Optimality) -> &'static str {
    match optimality {
        Optimality::Always => "always",
        Optimality::IfAdmissible => "if the heuristic is admissible",
        Optimality::Never => "no",
    }
}

#[derive(Deserialize)]
pub(super) struct HeuristicsQuery {
    puzzle: Option<String>,
}

/// A heuristic on one puzzle.
#[derive(Serialize)]
struct HeuristicFacts {
    name: &'static str,
    summary: &'static str,
    admissible: bool,
    consistent: bool,
    /// Whether its tables take seconds to build.
    large: bool,
}

fn heuristics_of(solver: &Solver) -> Vec<HeuristicFacts> {
    let facts = |kind: &'static HeuristicKind| {
        let promise = solver.promise(kind).ok()?;
        Some(HeuristicFacts {
            name: kind.name(),
            summary: kind.summary(),
            admissible: promise.admissible,
            consistent: promise.consistent,
            large: kind.is_large(),
        })
    };
    HeuristicKind::built_in().iter().filter_map(facts).collect()
}

/// `GET /api/heuristics?puzzle=torus4`: those that apply to it.
pub(super) async fn heuristics(
    State(server): State<Arc<Server>>,
    Parameters(HeuristicsQuery { puzzle }): Parameters<HeuristicsQuery>,
) -> Result<Response, ApiError> {
    let puzzle = Some(puzzle.unwrap_or_else(|| "torus4".to_owned()));
    let fields = PuzzleFields { puzzle, ..PuzzleFields::default() };
    let work = Arc::clone(&server);
    server
        .quick
        .run(move |_| {
            let solver = fields.solver(&work)?;
            let heuristics = heuristics_of(&solver);
            Ok(json(&json!({ "puzzle": solver.frame().id(), "heuristics": heuristics })))
        })
        .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PuzzleRequest {
    puzzle: Option<String>,
    definition: Option<String>,
    goal: Option<BoardField>,
}

/// A puzzle as the page plays it.
#[derive(Serialize)]
struct PuzzleFacts<'a> {
    puzzle: &'a str,
    rows: usize,
    cols: usize,
    blank: bool,
    goal: &'a Board,
    goal_name: Option<&'static str>,
    moves: Vec<MoveFacts<'a>>,
    heuristics: Vec<HeuristicFacts>,
}

#[derive(Serialize)]
struct MoveFacts<'a> {
    name: &'a str,
    /// As in "row 2 left"; empty where the name is all that is known.
    words: String,
    /// The move that undoes it, if there is one.
    inverse: Option<&'a str>,
    /// For each cell, the one whose tile comes there; nothing for moves of a blank.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a [u8]>,
}

/// `POST /api/puzzle`: shape, goal, moves, and the heuristics that apply.
pub(super) async fn puzzle(
    State(server): State<Arc<Server>>,
    Body(PuzzleRequest { puzzle, definition, goal }): Body<PuzzleRequest>,
) -> Result<Response, ApiError> {
    let fields = PuzzleFields { puzzle, definition, goal };
    let work = Arc::clone(&server);
    server.quick.run(move |_| Ok(json(&facts(&*fields.solver(&work)?)))).await
}

fn facts(solver: &Solver) -> PuzzleFacts<'_> {
    let frame = solver.frame();
    let shape = frame.shape();
    PuzzleFacts {
        puzzle: frame.id(),
        rows: shape.rows(),
        cols: shape.cols(),
        blank: frame.blank_label().is_some(),
        goal: frame.goal(),
        goal_name: frame.goal_name(),
        moves: frame.moves().all().map(|m| move_facts(solver.puzzle(), m)).collect(),
        heuristics: heuristics_of(solver),
    }
}

fn move_facts(puzzle: &AnyPuzzle, m: Move) -> MoveFacts<'_> {
    let frame = puzzle.frame();
    let moves = frame.moves();
    let name = moves.name(m);
    // What a move of a blank does depends on the board.
    let step = match frame.blank_label() {
        Some(_) => None,
        None => steps::steps(frame.rules(), frame.goal(), &[name]).next().and_then(Result::ok),
    };
    MoveFacts {
        name,
        words: step.map_or_else(String::new, |step| step.words),
        inverse: moves.inverse(m).map(|inverse| moves.name(inverse)),
        from: moves.permutation(m).map(Permutation::sources),
    }
}
