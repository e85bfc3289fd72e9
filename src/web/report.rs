//! The report of `compare` that the server was started with: a page of its own, which the page shows
//! in a frame. It can load nothing and run nothing.

use super::Server;
use super::error::ApiError;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// What a browser may do with a report: draw it, within the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'self'; sandbox";

/// A report in memory.
#[derive(Debug)]
pub struct OpenReport {
    /// What it is called.
    pub name: String,
    /// The page, which all answers share.
    pub html: Bytes,
}

/// Where it is.
pub(super) fn routes() -> Router<Arc<Server>> {
    Router::new().route("/report", get(report))
}

async fn report(State(server): State<Arc<Server>>) -> Result<Response, ApiError> {
    let none = "no report is open: start the server with --report PATH";
    let report = server.report.as_ref();
    let report = report.ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, none))?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok((headers, report.html.clone()).into_response())
}
