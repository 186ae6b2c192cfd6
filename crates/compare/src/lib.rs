//! Methods side by side on the same questions: measured, checked against each other, in tables and plots.
//!
//! ```text
//! Question, Method, Team ─► Comparison ─► trials, each a fresh process ─► Report ─► table · CSV · JSON · plots
//!                                                                             └─► Document: HTML, LaTeX, Markdown
//! ```
//!
//! Where no process can be started, as in a browser, trials run in this one ([`Runner::in_process`]). Everything here is typed. A question and a method are put into words only where a trial starts
//! `destrier VERB …` as a process of its own; what that process took comes back as [`Stats`].
//!
//! ```no_run
//! use destrier_compare::{Ask, Comparison, Form, Kind, Limits, Question, Runner, Team};
//! use destrier_rules::{Board, TourProblem};
//!
//! let question = Question::of(Ask::Tour(TourProblem::open(Board::new(8, 8)?)));
//! let mut comparison = Comparison::new("finding a tour", 5, Limits::default())?;
//! comparison.add(&[question], &Kind::Tour.methods(&["auto", "roth"])?, &Team::all(&[1, 2], &[]))?;
//! let runner = Runner::new("destrier".into())?;
//! let report = comparison.run(&runner, &destrier::internal::Watch::unlimited(), &mut |_| {})?;
//! print!("{}", String::from_utf8(Form::Table.of(&report)?)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod chart;
mod comparison;
mod document;
mod drawing;
mod error;
mod export;
mod figure;
mod form;
mod in_process;
mod launcher;
mod machine;
mod method;
mod prose;
mod question;
mod report;
mod request;
mod sets;
mod stats;
mod table;
mod trial;

pub use comparison::{Comparison, Limits, MOST_THREADS, Team, Turn, doubling};
pub use document::Document;
pub use error::Error;
pub use form::Form;
pub use launcher::Launcher;
pub use machine::cores;
pub use method::{Method, WALKS};
pub use question::{Ask, Kind, Question, Subject};
pub use report::{Report, Row};
pub use request::{Allowed, answer, read};
pub use sets::{Part, SETS, Set};
pub use stats::{Stats, StatsFile, cpu_time};
pub use trial::{ENDS_WITH_STDIN, RANK_0_ALONE, Runner};
