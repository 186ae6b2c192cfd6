//! The engine of the page without a server: a program that answers one request and ends.
//!
//! ```text
//! stdin                                     stdout
//! {"call": "work", "bytes": 33, …}          accepted
//! {"kind": "tour", "board": "8x8"} ─► ask ─► progress {…}   trace {…}   …
//! (a byte here cancels)                     done {…}   or   refused 422 {…}
//! ```
//!
//! It is built for WASI, so there is nothing to bind: the page starts an instance for each request, as a shell starts a
//! process, with an input, an output and a clock (`site/js/engine.js`), and nothing that an instance does can harm the
//! next. The requests and answers are those of the HTTP API, by the same functions.
//!
//! A line of output is a word, a space and JSON, but for `file`, after whose line the file itself comes.
#![forbid(unsafe_code)]

use std::io::{self, BufRead as _, Read as _, Write as _};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use destrier::{Cancel, Moment, Options, Progress};
use destrier_ask::{
    Limits, Pace, Question, Refusal, RefusalKind, Request, Service, Step, VerifyOptions, job_json,
    methods, presets, trace_json,
};
use destrier_compare::{Allowed, Comparison, Runner};
use serde::Deserialize;
use serde_json::{Value, json};

/// The memory of a search: WebAssembly has addresses of 32 bits, and a half of that for one allocation at most.
const MEMORY: u64 = 2 << 30;
/// The time of a search, if the question names none.
const TIME: Duration = Duration::from_secs(600);
/// The time between two reports of progress.
const REPORTING: Duration = Duration::from_millis(100);
/// The longest request.
const MOST_BYTES: usize = 16 << 20;
/// The most steps of a search that are reported, and those that are reported together.
const MOST_STEPS: usize = 1 << 18;
const BATCH: usize = 256;

/// The first line of a request; the body follows it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    call: Call,
    /// The length of the body.
    #[serde(default)]
    bytes: usize,
    /// The number of the job.
    #[serde(default)]
    job: String,
    /// What stands in the address over HTTP.
    #[serde(default)]
    query: Query,
}

#[derive(Deserialize, Default)]
struct Query {
    format: Option<String>,
    board: Option<String>,
    #[serde(default)]
    closed: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Call {
    Work,
    Verify,
    Export,
    Window,
    Steps,
    Methods,
    Presets,
    Limits,
}

fn main() -> ExitCode {
    match respond() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("destrier: {error}");
            ExitCode::from(2)
        }
    }
}

/// Writes a line; the carrier hears it at once.
fn say(word: &str, value: &Value) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{word} {value}")
}

fn refuse(refusal: &Refusal) -> io::Result<()> {
    say(&format!("refused {}", refusal.kind().status()), &refusal.json())
}

fn respond() -> io::Result<()> {
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let header: Header = serde_json::from_str(&line)?;
    if header.bytes > MOST_BYTES {
        let why = format!("a request has at most {MOST_BYTES} bytes here");
        return refuse(&Refusal::new(RefusalKind::TooLarge, why));
    }
    let mut body = vec![0; header.bytes];
    io::stdin().lock().read_exact(&mut body)?;
    let service = Service::default();
    let answer = match header.call {
        Call::Work => return answer_job(&service, &header.job, &body),
        Call::Export => return export(&service, &header.query, &body),
        Call::Verify => {
            let Query { board, closed, .. } = header.query;
            service.verify(&body, &VerifyOptions { board, closed: closed == "true" })
        }
        Call::Window => service.window(&body),
        Call::Steps => service.steps(&body),
        Call::Methods => Ok(methods()),
        Call::Presets => Ok(presets()),
        Call::Limits => Ok(limits(service.limits())),
    };
    match answer {
        Ok(answer) => say("done", &answer),
        Err(refusal) => refuse(&refusal),
    }
}

fn limits(limits: &Limits) -> Value {
    json!({
        "memory": MEMORY, "threads": 1, "time_ms": u64::try_from(TIME.as_millis()).unwrap_or(u64::MAX),
        "body": MOST_BYTES, "listed": limits.listed, "window": limits.window, "processes": false,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn export(service: &Service, query: &Query, body: &[u8]) -> io::Result<()> {
    let Some(format) = &query.format else {
        return refuse(&Refusal::malformed("missing field `format`"));
    };
    match service.export(body, format) {
        Ok(file) => {
            say("file", &json!({ "media_type": file.media_type, "name": file.name }))?;
            io::stdout().lock().write_all(&file.bytes)
        }
        Err(refusal) => refuse(&refusal),
    }
}

/// What a job does.
enum Work {
    Ask(Question),
    Compare(Comparison),
}

/// Works on a question, and reports how it goes.
fn answer_job(service: &Service, job: &str, body: &[u8]) -> io::Result<()> {
    let Request { question, mut bounds, echo } = match service.submit(body) {
        Ok(request) => request,
        Err(refusal) => return refuse(&refusal),
    };
    let work = match question {
        Question::Compare(fields) => {
            bounds.time = None; // the question's is that of each run
            match destrier_compare::read(fields, Allowed { threads: 1, memory: MEMORY, time: TIME })
            {
                Ok(comparison) => Work::Compare(comparison),
                Err(refusal) => return refuse(&refusal),
            }
        }
        question => Work::Ask(question),
    };
    say("accepted", &Value::Null)?;
    let (began, cancel) = (Moment::now(), Cancel::new());
    let time = bounds.time.unwrap_or(TIME).min(TIME);
    let mut options = bounds.options(MEMORY, 1).cancel(&cancel);
    if let Some(end) = began.after(time) {
        options = options.deadline(end);
    }
    let options = listened_to(options, cancel.clone(), began);
    let mut steps = Steps { batch: Vec::new(), reported: 0 };
    let report = match work {
        Work::Ask(question) => destrier_ask::work(question, &options, &mut |step| steps.step(step)),
        Work::Compare(methods) => {
            destrier_compare::answer(&methods, &Runner::in_process(), &options)
        }
    };
    steps.flush();
    match report {
        Err(refusal) => refuse(&refusal),
        report => {
            let elapsed = Moment::now().since(began);
            say("done", &job_json(job, &echo, report, cancel.is_cancelled(), Some(elapsed)))
        }
    }
}

/// Reports progress from time to time, and looks whether the carrier cancels.
fn listened_to(options: Options, cancel: Cancel, began: Moment) -> Options {
    let heard = Mutex::new((Pace::default(), None::<Moment>));
    options.on_progress(move |progress: &Progress| {
        let (pace, last) = &mut *heard.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Moment::now();
        if last.is_some_and(|last| now.since(last) < REPORTING) {
            return;
        }
        *last = Some(now);
        let is_heard = say("progress", &pace.json(progress, now.since(began))).is_ok();
        let is_asked = io::stdin().lock().read(&mut [0]).is_ok_and(|bytes| bytes > 0);
        if is_asked || !is_heard {
            cancel.now();
        }
    })
}

/// Reports the steps of a search, some at a time, and not too many in all.
struct Steps {
    batch: Vec<Step>,
    reported: usize,
}

impl Steps {
    fn step(&mut self, step: Step) {
        if self.reported == MOST_STEPS {
            return;
        }
        self.reported += 1;
        self.batch.push(step);
        if self.batch.len() == BATCH || self.reported == MOST_STEPS {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.batch.is_empty() {
            // Nobody hears it only when the carrier has gone, and this instance with it.
            let _ = say("trace", &trace_json(&self.batch, self.reported == MOST_STEPS));
            self.batch.clear();
        }
    }
}
