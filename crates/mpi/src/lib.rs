//! Destrier on many machines: captures, counts and lists of tours, over MPI.
//!
//! Rank 0 reads the question and prints the answer, in the same words as the command `destrier`; all
//! ranks, rank 0 among them, do the work.
//!
//! ```text
//!              fleet ─► count · capture · enumerate      who does what of a question
//!                │
//! job ─► crew ◄──┘   deals tasks, shares bounds, exchanges, halts
//!          │
//!        post            messages of any length, counted
//!          │
//!        wire ◄── threads (tests) · universe (MPI)
//! ```
//!
//! Everything above the wire is the same with MPI and with threads that stand in for ranks.
#![forbid(unsafe_code)]

pub mod args;
pub mod capture;
pub mod count;
pub mod crew;
pub mod enumerate;
pub mod fleet;
pub mod job;
pub mod post;
pub mod report;
pub mod threads;
pub mod trade;
#[cfg(feature = "mpi")]
pub mod universe;
pub mod wire;

pub use crew::Crew;
pub use fleet::Fleet;
pub use job::{Setup, serve};
