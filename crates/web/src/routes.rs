//! Which path leads where. The contract, `openapi.json`, has the same paths; a test holds them together.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};

use crate::ask::{Fields, MOST_LISTED, Question};
use crate::desk::{Desk, Listener, Work};
use crate::refusal::Refusal;
use crate::window::Plans;
use crate::{compare, events, export, guard, page, solve, tables, verify, window};

/// The contract, which is also served.
const CONTRACT: &str = include_str!("../openapi.json");
/// A question that is refused within this time is refused in the answer to its request.
const AT_ONCE: Duration = Duration::from_millis(20);
/// How long a cancelled job is waited for.
const WINDING_UP: Duration = Duration::from_secs(1);

/// What all requests share.
#[derive(Clone)]
pub(crate) struct Hall {
    pub(crate) desk: Desk,
    pub(crate) plans: Plans,
    pub(crate) command: Option<Arc<PathBuf>>,
}

/// The whole server.
pub(crate) fn app(hosts: guard::Hosts, hall: Hall) -> Router {
    let body = DefaultBodyLimit::max(hall.desk.limits.body);
    Router::new()
        .route("/api/jobs", post(submit))
        .route("/api/jobs/{job}", get(result).delete(cancel))
        .route("/api/jobs/{job}/events", get(listen))
        .route("/api/verify", post(check))
        .route("/api/export", post(keep))
        .route("/api/window", post(look))
        .route("/api/steps", post(walk))
        .route("/api/methods", get(async || json_of(&tables::methods())))
        .route("/api/presets", get(async || json_of(&tables::presets())))
        .route("/api/limits", get(limits))
        .route("/api/openapi.json", get(async || text_of_json(CONTRACT.to_owned())))
        .method_not_allowed_fallback(wrong_method)
        .fallback(elsewhere)
        .with_state(hall)
        .layer(body)
        .layer(axum::middleware::from_fn_with_state(hosts, guard::protect))
}

fn json_of(value: &Value) -> Response {
    text_of_json(value.to_string())
}

fn text_of_json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// Any other path: a file of the page.
async fn elsewhere(uri: Uri, headers: HeaderMap) -> Response {
    if uri.path().starts_with("/api/") {
        let why = format!("there is no `{}`; /api/openapi.json says what there is", uri.path());
        return Refusal::new(StatusCode::NOT_FOUND, why).into_response();
    }
    page::file(&uri, &headers)
}

async fn wrong_method(uri: Uri) -> Refusal {
    let why = format!("`{}` is not asked like that; /api/openapi.json says how", uri.path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why)
}

type Body = Result<Bytes, BytesRejection>;
type Words<T> = Result<Query<T>, QueryRejection>;

/// The body of a request, if it is not too long.
fn whole(body: Body, hall: &Hall) -> Result<Bytes, Refusal> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let most = hall.desk.limits.body;
            Refusal::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("a request has at most {most} bytes here"),
            )
        }
        status => Refusal::new(status, rejection.body_text()),
    })
}

async fn submit(State(hall): State<Hall>, body: Body) -> Result<Response, Refusal> {
    let body = whole(body, &hall)?;
    let fields = Fields::read(&body)?;
    let mut bounds = fields.bounds()?;
    let question = fields.question()?;
    let work: Work = match question {
        Question::Compare(fields) => {
            bounds.time = None; // the question's is that of each run
            compare::work(fields, hall.command.as_ref())?
        }
        question => Box::new(move |watch, live| solve::work(question, watch, live)),
    };
    let echo = serde_json::from_slice(&body).unwrap_or_default();
    let job = hall.desk.submit(echo, bounds, work)?;
    job.over_within(AT_ONCE).await;
    if let Some(refusal) = job.refusal() {
        return Err(refusal);
    }
    let place = [(header::LOCATION, format!("/api/jobs/{}", job.id))];
    Ok((StatusCode::ACCEPTED, place, json_of(&json!({ "job": job.id }))).into_response())
}

async fn result(State(hall): State<Hall>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let job = hall.desk.job(&id)?;
    Ok(text_of_json(hall.desk.standing(&job).to_string()))
}

async fn cancel(State(hall): State<Hall>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let job = hall.desk.job(&id)?;
    hall.desk.cancel(&job);
    job.over_within(WINDING_UP).await;
    Ok(text_of_json(hall.desk.standing(&job).to_string()))
}

async fn listen(
    State(hall): State<Hall>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let job = hall.desk.job(&id)?;
    let heard = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let listener = Listener::new(hall.desk.clone(), job);
    Ok(events::stream(hall.desk, listener, heard.unwrap_or(0)).into_response())
}

async fn check(
    State(hall): State<Hall>,
    meant: Words<verify::Meant>,
    body: Body,
) -> Result<Response, Refusal> {
    let Query(meant) = meant.map_err(|rejection| Refusal::malformed(rejection.body_text()))?;
    let body = whole(body, &hall)?;
    let verdict = move || {
        let text = str::from_utf8(&body).map_err(|error| {
            let line = body[..error.valid_up_to()].split(|&byte| byte == b'\n').count();
            Refusal::malformed(format!("line {line} is not UTF-8 text"))
        })?;
        Ok(verify::verdict(text, &meant))
    };
    hall.desk.aside(verdict).await.map(|verdict| json_of(&verdict))
}

/// The form that is asked for.
#[derive(serde::Deserialize)]
struct Form {
    format: String,
}

async fn keep(
    State(hall): State<Hall>,
    form: Words<Form>,
    body: Body,
) -> Result<Response, Refusal> {
    let Query(form) = form.map_err(|rejection| Refusal::malformed(rejection.body_text()))?;
    let body = whole(body, &hall)?;
    let file = hall.desk.aside(move || export::file(&body, &form.format)).await?;
    let name = format!("attachment; filename=\"{}\"", file.name);
    let about = [(header::CONTENT_TYPE, file.kind.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((about, file.bytes).into_response())
}

async fn look(State(hall): State<Hall>, body: Body) -> Result<Response, Refusal> {
    let body = whole(body, &hall)?;
    let plans = hall.plans.clone();
    hall.desk.aside(move || plans.window(&body)).await.map(|window| json_of(&window))
}

async fn walk(State(hall): State<Hall>, body: Body) -> Result<Response, Refusal> {
    let body = whole(body, &hall)?;
    let plans = hall.plans.clone();
    hall.desk.aside(move || plans.steps(&body)).await.map(|steps| json_of(&steps))
}

async fn limits(State(hall): State<Hall>) -> Response {
    let limits = hall.desk.limits;
    let (running, waiting) = hall.desk.load();
    json_of(&json!({
        "jobs": limits.jobs, "queue": limits.queue, "memory": limits.memory, "threads": limits.threads,
        "time_ms": u64::try_from(limits.time.as_millis()).unwrap_or(u64::MAX), "body": limits.body,
        "listed": MOST_LISTED, "window": window::MOST_SQUARES, "running": running, "waiting": waiting,
        "version": env!("CARGO_PKG_VERSION"),
    }))
}
