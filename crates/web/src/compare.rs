//! Several methods on one question, timed: the command `destrier compare`, run as a child.
//!
//! Times mean little beside other jobs, so the comparison runs in a process of its own, which cancelling kills.

use std::path::PathBuf;
use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Map, Value};

use crate::desk::Work;
use crate::refusal::Refusal;

/// The work of comparing.
pub(crate) fn work(
    _fields: Map<String, Value>,
    _command: Option<Arc<PathBuf>>,
) -> Result<Work, Refusal> {
    Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, "this server has no command that compares"))
}
