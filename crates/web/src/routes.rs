//! Which path leads where.

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::{guard, page};

/// The contract, which is also served.
const CONTRACT: &str = include_str!("../openapi.json");

/// The whole server.
pub(crate) fn app(hosts: guard::Hosts) -> Router {
    Router::new()
        .route("/api/openapi.json", get(contract))
        .fallback_service(get(page::file))
        .layer(axum::middleware::from_fn_with_state(hosts, guard::protect))
}

async fn contract() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], CONTRACT)
}
