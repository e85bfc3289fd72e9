//! Errors as JSON, each with the status that says whose it is.

use super::reply;
use crate::board::text::ParseError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::fmt::Display;

/// Why a request was not answered.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ApiError {
    #[serde(skip)]
    status: StatusCode,
    message: String,
    /// The field of the request that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'static str>,
    /// Where in the text of that field.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

/// The body of an error.
#[derive(Serialize)]
pub(super) struct ErrorBody<'a> {
    error: &'a ApiError,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> ApiError {
        let message = message.into();
        ApiError { status, message, field: None, line: None, column: None, help: None }
    }

    /// A field says something that cannot be done.
    pub(super) fn field(field: &'static str, message: &(impl Display + ?Sized)) -> ApiError {
        let error = ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message.to_string());
        ApiError { field: Some(field), ..error }
    }

    /// The text of a field is no board.
    pub(super) fn text(field: &'static str, error: &ParseError) -> ApiError {
        let (line, column) = (Some(error.line), Some(error.column));
        let message = error.kind.to_string();
        ApiError { line, column, help: Some(error.help()), ..ApiError::field(field, &message) }
    }

    /// A fault of this program.
    pub(super) fn internal(message: &(impl Display + ?Sized)) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, message.to_string())
    }

    /// There is more to do than is accepted at once.
    pub(super) fn busy() -> ApiError {
        let message = "the server has as many searches to do as it takes at once: try again soon";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    pub(super) fn body(&self) -> ErrorBody<'_> {
        ErrorBody { error: self }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, reply::json(&self.body())).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
