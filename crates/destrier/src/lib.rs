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

mod answer;
pub mod capture;
pub mod count;
pub mod graph;
#[cfg(feature = "lies")]
pub mod lies;
#[cfg(not(feature = "lies"))]
#[path = "truth.rs"]
mod lies;
#[doc(hidden)]
pub mod list;
mod method;
#[doc(hidden)]
pub mod outcome;
mod question;
pub mod render;
pub mod run;
pub mod swap;
mod table;
pub mod tour;
mod tour_count;

pub use answer::{Answer, Finding, NotSolved, origin};
pub use capture::{BbDfs, CaptureMethod, Parallel};
pub use count::{Census, Classes, CountMethod, CountPlan, TourCount};
pub use destrier_rules as rules;
pub use destrier_rules::*;
pub use graph::{KnightGraph, Vertex};
pub use list::{ListMethod, Listing};
pub use method::Method;
pub use num_bigint::BigUint;
pub use outcome::{Effort, Outcome, SolveError};
pub use question::{Solve, Swaps, Tours};
pub use run::options::{Cancel, Options, Progress};
pub use run::watch::Halt;
pub use swap::{BestFirst, SwapMethod};
pub use tour::compose::Itinerary;
pub use tour::{StreamError, Ties, TourMethod, TourStream, Warnsdorff};

/// The README's library example, so that it compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
