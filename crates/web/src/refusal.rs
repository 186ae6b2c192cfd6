//! A refusal as a response: the one place where its kind becomes a status.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use destrier_ask::{Refusal, RefusalKind};

/// The response to a request that is refused.
pub(crate) fn response(refusal: &Refusal) -> Response {
    with_status(
        match refusal.kind() {
            RefusalKind::Malformed => StatusCode::BAD_REQUEST,
            RefusalKind::Unfit => StatusCode::UNPROCESSABLE_ENTITY,
            RefusalKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            RefusalKind::NotFound => StatusCode::NOT_FOUND,
            RefusalKind::Busy => StatusCode::TOO_MANY_REQUESTS,
            RefusalKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            RefusalKind::Unsupported => StatusCode::NOT_IMPLEMENTED,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        },
        refusal,
    )
}

/// A refusal with a status that only HTTP has.
pub(crate) fn with_status(status: StatusCode, refusal: &Refusal) -> Response {
    let media_type = [(header::CONTENT_TYPE, "application/json")];
    (status, media_type, refusal.json().to_string()).into_response()
}
