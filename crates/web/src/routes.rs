//! Which path leads where. The contract, `openapi.json`, has the same paths; a test compares them.

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
use destrier_ask::{Question, Refusal, RefusalKind, Service, VerifyOptions};
use serde_json::{Value, json};

use crate::job::{Listener, Work};
use crate::queue::JobQueue;
use crate::refusal::{self, Refused};
use crate::{compare, guard, page, sse};

/// The contract, which is also served.
const CONTRACT: &str = include_str!("../openapi.json");
/// A question that is refused within this time is refused in the answer to its request.
const AT_ONCE: Duration = Duration::from_millis(20);
/// A question of more bytes is read on a thread of its own.
const LONG_REQUEST: usize = 1 << 14;
/// How long a cancelled job is waited for.
const WINDING_UP: Duration = Duration::from_secs(1);

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) queue: JobQueue,
    pub(crate) service: Service,
    pub(crate) command: Option<Arc<PathBuf>>,
}

/// The whole server.
pub(crate) fn router(hosts: guard::Hosts, app: App) -> Router {
    let body = DefaultBodyLimit::max(app.queue.limits.body);
    Router::new()
        .route("/api/jobs", post(submit))
        .route("/api/jobs/{job}", get(result).delete(cancel))
        .route("/api/jobs/{job}/events", get(events))
        .route("/api/verify", post(verify))
        .route("/api/export", post(export))
        .route("/api/window", post(window))
        .route("/api/steps", post(steps))
        .route("/api/methods", get(async || json_of(&destrier_ask::methods())))
        .route("/api/presets", get(async || json_of(&destrier_ask::presets())))
        .route("/api/limits", get(limits))
        .route("/api/openapi.json", get(async || text_of_json(CONTRACT.to_owned())))
        .method_not_allowed_fallback(wrong_method)
        .fallback(elsewhere)
        .with_state(app)
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
        let why = format!("there is no `{}`; /api/openapi.json lists what there is", uri.path());
        return Refused(Refusal::new(RefusalKind::NotFound, why)).into_response();
    }
    page::file(&uri, &headers)
}

async fn wrong_method(uri: Uri) -> Response {
    let why = format!("`{}` does not have this method; see /api/openapi.json", uri.path());
    refusal::error(StatusCode::METHOD_NOT_ALLOWED, &Refusal::malformed(why))
}

type Body = Result<Bytes, BytesRejection>;
type Options<T> = Result<Query<T>, QueryRejection>;

/// The body of a request, if it is not too long.
fn whole(body: Body, app: &App) -> Result<Bytes, Refusal> {
    body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            let most = app.queue.limits.body;
            Refusal::new(RefusalKind::TooLarge, format!("a request has at most {most} bytes here"))
        }
        _ => Refusal::malformed(rejection.body_text()),
    })
}

/// The words after the `?` of an address.
fn query<T>(options: Options<T>) -> Result<T, Refusal> {
    match options {
        Ok(Query(options)) => Ok(options),
        Err(rejection) => Err(Refusal::malformed(rejection.body_text())),
    }
}

async fn submit(State(app): State<App>, body: Body) -> Result<Response, Refused> {
    let body = whole(body, &app)?;
    let request = if body.len() > LONG_REQUEST {
        let service = app.service.clone();
        app.queue.off_thread(move || service.submit(&body)).await?
    } else {
        app.service.submit(&body)?
    };
    let mut bounds = request.bounds;
    let work: Work = match request.question {
        Question::Compare(fields) => {
            bounds.time = None; // the question's is that of each run
            compare::work(fields, app.command.as_ref())?
        }
        question => Box::new(move |watch, events| {
            let mut recorder = events.recorder();
            destrier_ask::work(question, watch, &mut |step| recorder.record(step))
        }),
    };
    let job = app.queue.submit(request.echo, bounds, work)?;
    job.over_within(AT_ONCE).await;
    if let Some(refusal) = job.refusal() {
        return Err(refusal.into());
    }
    let place = [(header::LOCATION, format!("/api/jobs/{}", job.id))];
    Ok((StatusCode::ACCEPTED, place, json_of(&json!({ "job": job.id }))).into_response())
}

async fn result(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refused> {
    let job = app.queue.job(&id)?;
    Ok(text_of_json(app.queue.state(&job).to_string()))
}

async fn cancel(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refused> {
    let job = app.queue.job(&id)?;
    app.queue.cancel(&job);
    job.over_within(WINDING_UP).await;
    Ok(text_of_json(app.queue.state(&job).to_string()))
}

async fn events(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let job = app.queue.job(&id)?;
    let heard = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    Ok(sse::stream(Listener::new(app.queue, job), heard.unwrap_or(0)).into_response())
}

async fn verify(
    State(app): State<App>,
    options: Options<VerifyOptions>,
    body: Body,
) -> Result<Response, Refused> {
    let (options, body) = (query(options)?, whole(body, &app)?);
    let verdict = app.queue.off_thread(move || app.service.verify(&body, &options)).await?;
    Ok(json_of(&verdict))
}

/// The format that is asked for.
#[derive(serde::Deserialize)]
struct ExportOptions {
    format: String,
}

async fn export(
    State(app): State<App>,
    options: Options<ExportOptions>,
    body: Body,
) -> Result<Response, Refused> {
    let (ExportOptions { format }, body) = (query(options)?, whole(body, &app)?);
    let file = app.queue.off_thread(move || app.service.export(&body, &format)).await?;
    let name = format!("attachment; filename=\"{}\"", file.name);
    let about =
        [(header::CONTENT_TYPE, file.media_type.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((about, file.bytes).into_response())
}

async fn window(State(app): State<App>, body: Body) -> Result<Response, Refused> {
    let body = whole(body, &app)?;
    let window = app.queue.off_thread(move || app.service.window(&body)).await?;
    Ok(json_of(&window))
}

async fn steps(State(app): State<App>, body: Body) -> Result<Response, Refused> {
    let body = whole(body, &app)?;
    let steps = app.queue.off_thread(move || app.service.steps(&body)).await?;
    Ok(json_of(&steps))
}

async fn limits(State(app): State<App>) -> Response {
    let limits = app.queue.limits;
    let (running, waiting) = app.queue.load();
    json_of(&json!({
        "jobs": limits.jobs, "queue": limits.queue, "memory": limits.memory, "threads": limits.threads,
        "time_ms": u64::try_from(limits.time.as_millis()).unwrap_or(u64::MAX), "body": limits.body,
        "listed": limits.questions.listed, "window": limits.questions.window,
        "running": running, "waiting": waiting, "version": env!("CARGO_PKG_VERSION"),
    }))
}
