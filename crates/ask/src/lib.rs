//! A question and its answer in words and in JSON, for whatever carries them: command, page, WebAssembly, Python, MPI.
//!
//! ```text
//! bytes ─► Request ─► Question ─► work ─► Report ─► JSON
//!             │                    ▲ │
//!          Refusal          Options ─┘ └─► Progress, Step
//! ```
//!
//! A *carrier* brings requests and takes answers away: an HTTP server, a worker in a browser, a binding for another
//! language. What it calls is [`Service`]; what it decides itself is where the work runs, when it is cancelled, and what
//! becomes of a [`RefusalKind`]. Everything here is in memory: no socket, no file, no process, no thread of its own.
//! The JSON is that of `crates/web/openapi.json`.
//!
//! | a carrier wants to | it calls |
//! |---|---|
//! | read a question | [`Service::submit`] |
//! | work on it, with progress and cancelling | [`work`], with [`destrier::Options`] from [`Bounds::options`] |
//! | report how it stands, and its steps | [`Pace::json`], [`trace_json`] |
//! | report how it ended | [`job_json`] |
//! | check an answer, or read a question alone | [`Service::verify`] |
//! | have a file made of an answer | [`Service::export`] |
//! | look into a tour too long to list | [`Service::window`], [`Service::steps`] |
//! | offer a choice | [`methods`], [`presets`] |
//!
//! A hint in a game is a question like any other. The sentences, and the readers of what users type, are functions of
//! their own ([`board`], [`named`], [`Counted`], …), which the command uses without any JSON.
//!
//! ```
//! use destrier_ask::{Limits, Service, work};
//!
//! let service = Service::new(Limits::default());
//! let request = service.submit(br#"{"kind": "swap", "preset": "guarini"}"#)?;
//! let options = request.bounds.options(1 << 30, 1);
//! let report = work(request.question, &options, &mut |_step| {})?;
//! assert!(report.says.starts_with("16 moves, the fewest"));
//! let wrong = service.submit(br#"{"kind": "tour", "board": "0x8"}"#).unwrap_err();
//! assert_eq!(wrong.json()["field"], "board");
//! # Ok::<(), destrier_ask::Refusal>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod bounded;
mod certificate;
mod counts;
mod document;
mod draw;
mod export;
#[cfg(feature = "raster")]
mod film;
mod hint;
mod limits;
mod numbered;
mod progress;
mod question;
mod refusal;
mod report;
mod request;
mod service;
mod solve;
mod tables;
mod verify;
mod window;
mod words;

pub use bounded::JsonWeight;
pub use counts::KeptCount;
pub use document::Document;
pub use draw::wrap_name;
pub use export::File;
pub use limits::Limits;
pub use progress::{Pace, Step, trace_json};
pub use question::{
    Bounds, CaptureQuestion, CountQuestion, Pick, Question, SwapQuestion, TourQuestion,
};
pub use refusal::{Refusal, RefusalKind};
pub use report::{Conclusion, Report, job_json};
pub use request::{Fields, Request};
pub use service::Service;
pub use solve::work;
pub use tables::{methods, presets};
pub use verify::VerifyOptions;
pub use words::*;
