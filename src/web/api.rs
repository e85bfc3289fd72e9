//! The table of what can be asked, from which the router is made and which `GET /api` shows.

use super::error::ApiError;
use super::reply::json;
use super::{Server, estimates, journal, lists, reply, scramble, solve, texts};
use crate::board::MAX_CELLS;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use serde_json::json;
use std::sync::Arc;

/// The description of the interface for programs.
const OPENAPI: &str = include_str!("openapi.json");

/// One question.
struct Endpoint {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    route: fn() -> MethodRouter<Arc<Server>>,
}

const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        method: "GET",
        path: "/api",
        summary: "what can be asked, and the limits of this server",
        route: || get(overview),
    },
    Endpoint {
        method: "GET",
        path: "/api/openapi.json",
        summary: "the same for programs, as OpenAPI 3.1",
        route: || get(openapi),
    },
    Endpoint {
        method: "GET",
        path: "/api/puzzles",
        summary: "the puzzles that the page offers, and all families",
        route: || get(lists::puzzles),
    },
    Endpoint {
        method: "GET",
        path: "/api/algorithms",
        summary: "the search algorithms",
        route: || get(lists::algorithms),
    },
    Endpoint {
        method: "GET",
        path: "/api/heuristics",
        summary: "the heuristics that apply to a puzzle, and what each promises",
        route: || get(lists::heuristics),
    },
    Endpoint {
        method: "POST",
        path: "/api/puzzle",
        summary: "a puzzle's shape, goal, moves and heuristics",
        route: || post(lists::puzzle),
    },
    Endpoint {
        method: "POST",
        path: "/api/solve",
        summary: "solves a board: a record, or events on the way there (Accept: text/event-stream)",
        route: || post(solve::solve),
    },
    Endpoint {
        method: "POST",
        path: "/api/scramble",
        summary: "a random board of a seed",
        route: || post(scramble::scramble),
    },
    Endpoint {
        method: "POST",
        path: "/api/parse",
        summary: "boards from text",
        route: || post(texts::parse),
    },
    Endpoint {
        method: "POST",
        path: "/api/moves",
        summary: "moves from text, replayed on a board",
        route: || post(texts::moves),
    },
    Endpoint {
        method: "POST",
        path: "/api/estimates",
        summary: "what heuristics say along a path",
        route: || post(estimates::estimates),
    },
    Endpoint {
        method: "GET",
        path: "/api/journal",
        summary: "rows of the journal that is open",
        route: || get(journal::rows),
    },
    Endpoint {
        method: "GET",
        path: "/api/journal/{number}",
        summary: "one record of the journal",
        route: || get(journal::record),
    },
];

/// The routes of all of them.
pub(super) fn routes() -> Router<Arc<Server>> {
    ENDPOINTS
        .iter()
        .fold(Router::new(), |router, endpoint| router.route(endpoint.path, (endpoint.route)()))
}

fn listing() -> Vec<serde_json::Value> {
    let listed =
        |it: &Endpoint| json!({ "method": it.method, "path": it.path, "summary": it.summary });
    ENDPOINTS.iter().map(listed).collect()
}

async fn overview(State(server): State<Arc<Server>>) -> Response {
    json(&json!({
        "name": "permutile",
        "version": env!("CARGO_PKG_VERSION"),
        "endpoints": listing(),
        "journal": server.journal.as_ref().map(|journal| &journal.name),
        "report": server.report.as_ref().map(|report| &report.name),
        "limits": {
            "body_bytes": reply::MOST_BYTES,
            "cells": MAX_CELLS,
            "timeout_ms": server.longest.as_millis() as u64,
            "memory_bytes": server.bytes,
            "threads": server.threads,
        },
    }))
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

/// There is no such address.
pub(super) async fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "there is nothing here: GET /api lists what there is")
}

/// There is such an address, but not for this method.
pub(super) async fn wrong_method() -> ApiError {
    let message = "this address is for another method: GET /api lists them";
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
}
