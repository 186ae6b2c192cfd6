//! Destrier on many machines: captures, counts, lists of tours and swaps, over MPI.
//!
//! Rank 0 reads the question and prints the answer, in the same words as the command `destrier`; all
//! ranks, rank 0 among them, do the work.
//!
//! ```text
//! coordinator ─► count · capture · enumerate · swap    what each rank does for a question
//!      │
//!    rank      deals tasks, shares bounds, exchanges, halts
//!      │
//!  messages    of any length, counted
//!      │
//!  transport ◄── threads (tests) · universe (MPI)
//! ```
//!
//! Everything above the transport is the same with MPI and with threads that stand in for ranks.
#![forbid(unsafe_code)]

pub mod args;
pub mod batch;
pub mod capture;
pub mod coordinator;
pub mod count;
pub mod enumerate;
pub mod job;
pub mod messages;
pub mod rank;
pub mod report;
pub mod swap;
pub mod threads;
pub mod transport;
#[cfg(feature = "mpi")]
pub mod universe;
mod work;

pub use coordinator::Coordinator;
pub use job::{Setup, serve};
pub use rank::Rank;
