//! Exact and fast answers to knight problems on a chessboard: tours, counts, captures, swaps.
//!
//! An answer is a solution, a reason why there is none, or how far the run got; whichever it is, solution, claim and
//! reason have passed [`destrier_rules`], a checker that shares no code with any solver. An error means that the
//! question contradicts itself, or that the method does not support it.
//!
//! | to | call |
//! |---|---|
//! | find a tour, or learn why there is none | [`solve`](Solve::solve) on a [`TourProblem`] |
//! | look up steps of a tour too long to store, or write it out | [`Tours::itinerary`], [`TourStream`] |
//! | count tours: all, from each square, up to symmetry | [`Tours::count`], [`Tours::count_by_start`], [`Tours::classes`] |
//! | list tours | [`Tours::enumerate`] |
//! | draw tours at random; a tour's number, and back | [`Tours::census`] |
//! | count on boards of one width and any length | [`count::transfer::Strip`] |
//! | take all pieces in the fewest moves | [`solve`](Solve::solve) on a [`CaptureProblem`] |
//! | exchange knights in the fewest moves | [`solve`](Solve::solve) on a [`SwapProblem`]; [`Swaps`] for all shortest plans |
//! | choose a method | `solve_by`, `count_by`, … with [`TourMethod`], [`CountMethod`], [`ListMethod`], [`CaptureMethod`], [`SwapMethod`] |
//! | set threads, memory, limits, a seed | [`Options`] |
//! | stop a run, hear of its progress | [`Cancel`], [`Options::on_progress`] |
//! | keep an answer, and check it elsewhere | [`Answer::certificate`], [`AnyCertificate`] |
//! | draw it | [`render`] |
//!
//! # Tours
//!
//! ```
//! use destrier::{Board, Outcome, Solve as _, TourProblem};
//!
//! let tour = TourProblem::closed(Board::new(8, 8)?).solve()?.solved()?;
//! assert_eq!((tour.len(), tour.grid().len()), (64, 8));
//!
//! let none = TourProblem::closed(Board::new(5, 5)?).solve()?;
//! let Outcome::Impossible(none) = none.outcome else { panic!("odd boards have no closed tour") };
//! assert!(none.obstacle().to_string().contains("13 dark and 12 light squares"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Counts
//!
//! ```
//! use destrier::{Board, TourProblem, Tours as _};
//!
//! let question = TourProblem::closed(Board::new(6, 6)?);
//! let number = question.count()?.undirected();
//! assert_eq!(number.to_string(), "9862");
//! let census = question.census()?;
//! let tour = census.unrank(4711)?.expect("there are 9862");
//! assert_eq!(census.rank(tour.solution()), Ok(4711));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Captures
//!
//! ```
//! use destrier::{CaptureProblem, Solve as _, Support};
//!
//! let problem: CaptureProblem = "4p/5/2p2/5/N3p".parse()?; // or `CaptureProblem::read` of a file
//! let plan = problem.solve()?.solved()?;
//! assert_eq!((plan.cost(), plan.support()), (8, Some(Support::Checked)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Swaps
//!
//! ```
//! use std::time::Duration;
//! use destrier::{Options, Solve as _, SwapProblem};
//!
//! let guarini = SwapProblem::from_fens("n1n/3/N1N", "N1N/3/n1n")?;
//! let answer = guarini.solve_with(&Options::new().time_limit(Duration::from_secs(10)))?;
//! assert_eq!(answer.solved()?.cost(), 16);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! None is on by default.
//!
//! - `serde`: problems and certificates as JSON ([`Certificate`]`::to_json`, [`AnyCertificate`]`::from_json`).
//! - `raster`: pictures as PNG and animated GIF; SVG needs no feature.
//!
//! # In a debug build
//!
//! Without optimisation a search takes many times as long, and the library alone takes 200 MB of `target`, most of it debug
//! information; it takes 30 MB if the program's `Cargo.toml` has
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 1
//! debug = false
//! ```
//!
//! What these pages do not show (the hidden module `internal`) serves the other crates of this workspace, and may change
//! in any release.
//!
//! The examples (`cargo run -p destrier --example first_tour`) show each of these in twenty lines.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
pub mod capture;
pub mod count;
pub mod graph;
#[doc(hidden)]
pub mod internal;
#[cfg(feature = "lies")]
pub mod lies;
#[cfg(not(feature = "lies"))]
#[path = "truth.rs"]
mod lies;
mod list;
mod method;
mod outcome;
mod question;
pub mod render;
mod run;
pub mod swap;
mod table;
pub mod tour;
mod tour_count;

pub use answer::{Answer, Finding, NotSolved, origin};
pub use capture::{BbDfs, CaptureMethod, Distance, Parallel};
pub use count::{Census, Classes, CountMethod, CountPlan, TourCount};
pub use destrier_rules as rules;
pub use destrier_rules::*;
pub use graph::{KnightGraph, Vertex};
pub use list::{ListMethod, Listing};
pub use method::Method;
pub use num_bigint::BigUint;
pub use outcome::{Effort, Outcome, SolveError};
pub use question::{Captures, Solve, Swaps, Tours};
pub use run::clock::Moment;
pub use run::options::{Cancel, Options, Progress, Schedule};
pub use run::trace;
pub use run::watch::Halt;
pub use swap::{BestFirst, SwapMethod};
pub use tour::compose::Itinerary;
pub use tour::{
    Centre, MoveOrder, MoveOrderError, Race, StreamError, Ties, TourMethod, TourStream, Warnsdorff,
};

/// The README's library example, so that it compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
