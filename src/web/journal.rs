//! The journal that the server was started with: its records as a table, and one by one.

use super::Server;
use super::error::ApiError;
use super::reply::{Parameters, json};
use crate::lab::record::{Record, Status};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::cmp::Ordering;
use std::sync::Arc;

/// The most rows in one answer.
const MOST_ROWS: usize = 1_000;

/// A journal in memory.
#[derive(Debug)]
pub struct OpenJournal {
    /// Its name, without the folder.
    pub name: String,
    /// Its records, in their order.
    pub records: Vec<Record>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Column {
    Number,
    Board,
    Puzzle,
    Status,
    Length,
    LowerBound,
    Expanded,
    Generated,
    Seconds,
}

impl Column {
    fn compare(self, a: &Record, b: &Record) -> Ordering {
        match self {
            Column::Number => Ordering::Equal,
            Column::Board => a.board.cmp(&b.board),
            Column::Puzzle => a.puzzle.cmp(&b.puzzle),
            Column::Status => a.status.cmp(&b.status),
            Column::Length => a.length.cmp(&b.length),
            Column::LowerBound => a.lower_bound.cmp(&b.lower_bound),
            Column::Expanded => a.expanded.cmp(&b.expanded),
            Column::Generated => a.generated.cmp(&b.generated),
            Column::Seconds => a.seconds.total_cmp(&b.seconds),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct RowsQuery {
    #[serde(default)]
    from: usize,
    count: Option<usize>,
    sort: Option<Column>,
    #[serde(default)]
    descending: bool,
}

/// A record without its board and moves.
#[derive(Serialize)]
struct Row<'a> {
    number: usize,
    board: &'a str,
    puzzle: Option<&'a str>,
    status: Status,
    length: Option<u32>,
    optimal: bool,
    lower_bound: Option<u32>,
    algorithm: Option<&'a str>,
    heuristic: Option<&'a str>,
    expanded: u64,
    generated: u64,
    seconds: f64,
}

fn journal(server: &Server) -> Result<&OpenJournal, ApiError> {
    let none = "no journal is open: start the server with --journal FILE";
    server.journal.as_ref().ok_or_else(|| ApiError::new(StatusCode::NOT_FOUND, none))
}

/// `GET /api/journal`: some rows, sorted by a column.
pub(super) async fn rows(
    State(server): State<Arc<Server>>,
    Parameters(query): Parameters<RowsQuery>,
) -> Result<Response, ApiError> {
    journal(&server)?;
    let work = Arc::clone(&server);
    server
        .quick
        .run(move |_| {
            let journal = journal(&work)?;
            let mut order: Vec<(usize, &Record)> = journal.records.iter().enumerate().collect();
            if let Some(column) = query.sort {
                order.sort_by(|(_, a), (_, b)| column.compare(a, b));
            }
            if query.descending {
                order.reverse();
            }
            let count = query.count.unwrap_or(MOST_ROWS).min(MOST_ROWS);
            let rows: Vec<Row<'_>> = order
                .into_iter()
                .skip(query.from)
                .take(count)
                .map(|(at, it)| row(at, it))
                .collect();
            let (name, total) = (&journal.name, journal.records.len());
            Ok(json(&json!({ "journal": name, "total": total, "from": query.from, "rows": rows })))
        })
        .await
}

fn row(number: usize, record: &Record) -> Row<'_> {
    Row {
        number,
        board: &record.board,
        puzzle: record.puzzle.as_deref(),
        status: record.status,
        length: record.length,
        optimal: record.optimal,
        lower_bound: record.lower_bound,
        algorithm: record.algorithm.as_deref(),
        heuristic: record.heuristic.as_deref(),
        expanded: record.expanded,
        generated: record.generated,
        seconds: record.seconds,
    }
}

/// `GET /api/journal/{number}`: one record.
pub(super) async fn record(
    State(server): State<Arc<Server>>,
    number: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let journal = journal(&server)?;
    let none = || ApiError::new(StatusCode::NOT_FOUND, "the journal has no such record");
    let number = number.ok().and_then(|Path(number)| number.parse::<usize>().ok());
    let record = number.and_then(|number| journal.records.get(number));
    record.map(json).ok_or_else(none)
}
