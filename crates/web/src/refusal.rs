//! A refusal as a response: the one place where its kind becomes a status.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use destrier_ask::{Refusal, RefusalKind};

/// A refusal on its way to the client.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) Refusal);

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        Refused(refusal)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = match self.0.kind() {
            RefusalKind::Malformed => StatusCode::BAD_REQUEST,
            RefusalKind::Unfit => StatusCode::UNPROCESSABLE_ENTITY,
            RefusalKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            RefusalKind::NotFound => StatusCode::NOT_FOUND,
            RefusalKind::Busy => StatusCode::TOO_MANY_REQUESTS,
            RefusalKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            RefusalKind::Unsupported => StatusCode::NOT_IMPLEMENTED,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        error(status, &self.0)
    }
}

/// A refusal with this status.
pub(crate) fn error(status: StatusCode, refusal: &Refusal) -> Response {
    let media_type = [(header::CONTENT_TYPE, "application/json")];
    (status, media_type, refusal.json().to_string()).into_response()
}
