//! Which path leads where. The contract, `openapi.json`, has the same paths; a test compares them.
//!
//! A router of axum is compiled anew for each type of handler. Here all handlers have one type, a function pointer from
//! a [`Call`] to a boxed future.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Query, Request};
use axum::handler::Handler;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use destrier_ask::{Fields, Question, Refusal, RefusalKind, Service, VerifyOptions};
use destrier_compare::{Allowed, Runner};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::job::{Job, Listener, Work};
use crate::queue::{JobQueue, Limits};
use crate::room::Room;
use crate::{guard, page, refusal, sse};

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
    pub(crate) room: Room,
    pub(crate) command: Option<Arc<PathBuf>>,
}

/// The whole server.
pub(crate) fn router(hosts: guard::Hosts, app: &App) -> Router {
    let body = DefaultBodyLimit::max(app.queue.limits.body);
    let by = |action: Action| Respond { action, app: app.clone() };
    let (result, cancel) = (by(|call| at_once(result(&call))), by(|call| Box::pin(cancel(call))));
    Router::new()
        .route("/api/jobs", post(by(|call| Box::pin(submit(call)))))
        .route("/api/jobs/{job}", get(result).delete(cancel))
        .route("/api/jobs/{job}/events", get(by(|call| at_once(events(call)))))
        .route("/api/verify", post(by(|call| Box::pin(verify(call)))))
        .route("/api/export", post(by(|call| Box::pin(export(call)))))
        .route("/api/window", post(by(|call| Box::pin(window(call)))))
        .route("/api/steps", post(by(|call| Box::pin(steps(call)))))
        .route("/api/methods", get(by(|_| at_once(Ok(json_of(&destrier_ask::methods()))))))
        .route("/api/presets", get(by(|_| at_once(Ok(json_of(&destrier_ask::presets()))))))
        .route("/api/limits", get(by(|call| at_once(Ok(limits(&call.app))))))
        .route("/api/openapi.json", get(by(|_| at_once(Ok(text_of_json(CONTRACT))))))
        .method_not_allowed_fallback(by(|call| at_once(Ok(wrong_method(&call.uri)))))
        .fallback(by(|call| at_once(elsewhere(&call))))
        .layer(body)
        .layer(axum::middleware::from_fn_with_state(hosts, guard::protect))
}

/// A request that was read.
struct Call {
    app: App,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

/// A response, or why there is none.
type Reply = Result<Response, Refusal>;
type Action = fn(Call) -> Pin<Box<dyn Future<Output = Reply> + Send>>;

fn at_once(reply: Reply) -> Pin<Box<dyn Future<Output = Reply> + Send>> {
    Box::pin(std::future::ready(reply))
}

/// Reads a request, acts on it, and responds.
#[derive(Clone)]
struct Respond {
    action: Action,
    app: App,
}

impl Handler<(), ()> for Respond {
    type Future = Pin<Box<dyn Future<Output = Response> + Send>>;

    fn call(self, request: Request, (): ()) -> Self::Future {
        Box::pin(async move {
            let reply = respond(self.action, self.app, request).await;
            reply.unwrap_or_else(|refusal| refusal::response(&refusal))
        })
    }
}

/// What is asked for by `GET` is kept anyhow; other answers are made for one client, and take room until it has read them.
async fn respond(action: Action, app: App, request: Request) -> Reply {
    let (room, method) = (app.room.clone(), request.method().clone());
    let is_kept = method == Method::GET;
    let (uri, headers) = (request.uri().clone(), request.headers().clone());
    let (body, place) = room.body(request, app.queue.limits.body).await?;
    let response = action(Call { app, method, uri, headers, body }).await?;
    drop(place);
    if is_kept { Ok(response) } else { room.answer(response).await }
}

impl Call {
    /// The job that the path `/api/jobs/{job}` names.
    fn job(&self) -> Result<Arc<Job>, Refusal> {
        self.app.queue.job(self.uri.path().split('/').nth(3).unwrap_or(""))
    }

    /// The words after the `?` of the address.
    fn query<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        match Query::try_from_uri(&self.uri) {
            Ok(Query(options)) => Ok(options),
            Err(rejection) => Err(Refusal::malformed(rejection.body_text())),
        }
    }
}

fn json_of(value: &Value) -> Response {
    text_of_json(value.to_string())
}

fn text_of_json(text: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text.into()).into_response()
}

/// Any other path: a file of the page.
fn elsewhere(call: &Call) -> Reply {
    if call.uri.path().starts_with("/api/") {
        let why =
            format!("there is no `{}`; /api/openapi.json lists what there is", call.uri.path());
        return Err(Refusal::new(RefusalKind::NotFound, why));
    }
    if !matches!(call.method, Method::GET | Method::HEAD) {
        return Ok(([(header::ALLOW, "GET, HEAD")], wrong_method(&call.uri)).into_response());
    }
    Ok(page::file(&call.uri, &call.headers))
}

fn wrong_method(uri: &Uri) -> Response {
    let why = format!("`{}` does not have this method; see /api/openapi.json", uri.path());
    refusal::with_status(StatusCode::METHOD_NOT_ALLOWED, &Refusal::malformed(why))
}

async fn submit(Call { app, body, .. }: Call) -> Reply {
    let request = if body.len() > LONG_REQUEST {
        let service = app.service.clone();
        app.queue.off_thread(move |_| service.submit(&body)).await?
    } else {
        app.service.submit(&body)?
    };
    let mut bounds = request.bounds;
    let work: Work = match request.question {
        Question::Compare(fields) => {
            bounds.time = None; // the question's is that of each run
            comparing(fields, app.command.as_ref(), &app.queue.limits)?
        }
        question => Box::new(move |options, events| {
            let mut recorder = events.recorder();
            destrier_ask::work(question, options, &mut |step| recorder.record(step))
        }),
    };
    let job = app.queue.submit(&request.echo, bounds, work)?;
    job.over_within(AT_ONCE).await;
    if let Some(refusal) = job.refusal() {
        return Err(refusal);
    }
    let place = [(header::LOCATION, format!("/api/jobs/{}", job.id))];
    Ok((StatusCode::ACCEPTED, place, json_of(&json!({ "job": job.id }))).into_response())
}

/// The work of comparing, in fresh processes of the command: times mean little beside other work in one process.
fn comparing(
    fields: Fields,
    command: Option<&Arc<PathBuf>>,
    limits: &Limits,
) -> Result<Work, Refusal> {
    let Some(command) = command.cloned() else {
        let why = "this server has no command that compares; start it with `destrier serve`";
        return Err(Refusal::new(RefusalKind::Unsupported, why));
    };
    let Limits { threads, memory, time, .. } = *limits;
    let comparison = destrier_compare::read(fields, Allowed { threads, memory, time })?;
    Ok(Box::new(move |options, _| {
        let runner = Runner::new(command.to_path_buf()).and_then(Runner::without_files)?;
        destrier_compare::answer(&comparison, &runner, options)
    }))
}

fn result(call: &Call) -> Reply {
    let job = call.job()?;
    Ok(text_of_json(call.app.queue.state(&job)))
}

async fn cancel(call: Call) -> Reply {
    let job = call.job()?;
    call.app.queue.cancel(&job);
    job.over_within(WINDING_UP).await;
    Ok(text_of_json(call.app.queue.state(&job)))
}

fn events(call: Call) -> Reply {
    let job = call.job()?;
    let heard = call.headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    Ok(sse::stream(Listener::new(call.app.queue, job), heard.unwrap_or(0)))
}

async fn verify(call: Call) -> Reply {
    let options: VerifyOptions = call.query()?;
    let Call { app, body, .. } = call;
    let verdict =
        app.queue.off_thread(move |stop| app.service.verify_until(&body, &options, stop)).await?;
    Ok(json_of(&verdict))
}

/// The format that is asked for.
#[derive(serde::Deserialize)]
struct ExportOptions {
    format: Option<String>,
}

async fn export(call: Call) -> Reply {
    let ExportOptions { format } = call.query()?;
    let format = format.ok_or_else(|| Refusal::malformed("`format` is missing"))?;
    let Call { app, body, .. } = call;
    let file =
        app.queue.off_thread(move |stop| app.service.export_until(&body, &format, stop)).await?;
    let name = format!("attachment; filename=\"{}\"", file.name);
    let about =
        [(header::CONTENT_TYPE, file.media_type.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((about, file.bytes).into_response())
}

async fn window(Call { app, body, .. }: Call) -> Reply {
    let window = app.queue.off_thread(move |_| app.service.window(&body)).await?;
    Ok(json_of(&window))
}

async fn steps(Call { app, body, .. }: Call) -> Reply {
    let steps = app.queue.off_thread(move |_| app.service.steps(&body)).await?;
    Ok(json_of(&steps))
}

fn limits(app: &App) -> Response {
    let limits = app.queue.limits;
    let (running, waiting) = app.queue.load();
    json_of(&json!({
        "jobs": limits.jobs, "queue": limits.queue, "memory": limits.memory, "threads": limits.threads,
        "time_ms": u64::try_from(limits.time.as_millis()).unwrap_or(u64::MAX), "body": limits.body,
        "listed": limits.questions.listed, "window": limits.questions.window,
        "processes": true, "running": running, "waiting": waiting, "version": env!("CARGO_PKG_VERSION"),
    }))
}
