//! How to find it: solvers and counters for knight problems.
//!
//! ```text
//! Board ─► Problem ─► Solver ─► Outcome ─► Verified ─► render · export
//!                       ▲
//!                     Watch   deadline · halt · progress
//! ```
//!
//! Every answer is checked by [`destrier_rules`], which knows no solver. *Impossible* is an answer with
//! a reason, *unfinished* is an outcome, and an error means that the question could not be taken on.
//!
//! ```
//! use destrier::{Outcome, Watch, tour};
//! use destrier_rules::{Board, TourProblem};
//!
//! let question = TourProblem::open(Board::new(5, 5)?);
//! let run = tour::find(&question, "auto", &Watch::unlimited())?;
//! let Outcome::Solved(tour) = run.outcome else { panic!("5x5 has tours") };
//! assert_eq!(tour.solution().0.len(), 25);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod capture;
pub mod count;
pub mod graph;
pub mod method;
pub mod outcome;
pub mod render;
pub mod run;
pub mod swap;
mod table;
pub mod tour;
mod tour_count;

pub use destrier_rules as rules;
pub use graph::{KnightGraph, Vertex};
pub use method::{Counter, Enumerator, Solver};
pub use outcome::{Effort, Outcome, Run, SolveError};
pub use run::watch::{Halt, Progress, Ticker, Watch};

/// The README's library example, so that it compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
