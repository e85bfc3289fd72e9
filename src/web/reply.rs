//! Bodies: JSON in, bounded in size and time, and JSON out.

use super::error::ApiError;
use axum::body::{Bytes, HttpBody};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// The largest body that is read.
pub(super) const MOST_BYTES: usize = 256 << 10;

/// How long a client may take to send one.
const PATIENCE: Duration = Duration::from_secs(10);

/// A value as a response.
pub(super) fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => {
            (StatusCode::INTERNAL_SERVER_ERROR, format!("no JSON: {error}")).into_response()
        }
    }
}

/// The body of a request, read as JSON.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        if !is_json(request.headers()) {
            let message = "send a JSON object, with the header Content-Type: application/json";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        let too_large = || {
            let message = format!("the body may have at most {MOST_BYTES} bytes");
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
        };
        if request.body().size_hint().lower() > MOST_BYTES as u64 {
            return Err(too_large());
        }
        let bytes = tokio::time::timeout(PATIENCE, Bytes::from_request(request, state)).await;
        let bytes = bytes
            .map_err(|_| {
                ApiError::new(StatusCode::REQUEST_TIMEOUT, "the body of the request did not come")
            })?
            .map_err(|rejection| match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => too_large(),
                _ => ApiError::new(StatusCode::BAD_REQUEST, "the body could not be read"),
            })?;
        // Fields without their names, as a list, are nothing that anybody means.
        if bytes.trim_ascii_start().first().is_some_and(|&first| first != b'{') {
            let message = "the body of the request is not a JSON object, as in {\"board\": …}";
            return Err(ApiError::new(StatusCode::BAD_REQUEST, message));
        }
        serde_json::from_slice(&bytes).map(Body).map_err(|error| {
            ApiError::new(StatusCode::BAD_REQUEST, format!("the body of the request: {error}"))
        })
    }
}

/// What the address of a request says after the question mark.
pub(super) struct Parameters<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Parameters<T>, ApiError> {
        let query = Query::from_request_parts(parts, state).await;
        query
            .map(|Query(parameters)| Parameters(parameters))
            .map_err(|rejection| ApiError::new(StatusCode::BAD_REQUEST, rejection.body_text()))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}
