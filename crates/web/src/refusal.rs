//! A refusal as a response.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use destrier_ask::Refusal;

/// The response to a request that is refused.
pub(crate) fn response(refusal: &Refusal) -> Response {
    let status = StatusCode::from_u16(refusal.kind().status());
    with_status(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), refusal)
}

/// A refusal with a status that only HTTP has.
pub(crate) fn with_status(status: StatusCode, refusal: &Refusal) -> Response {
    let media_type = [(header::CONTENT_TYPE, "application/json")];
    (status, media_type, refusal.json().to_string()).into_response()
}
