//! What Destrier's programs on a terminal share: `destrier`, and `destrier-mpi`.
//!
//! ```text
//! arguments ─► question ─► session ─► answer ─► output ─► exit code
//!   args, board            limits, Ctrl-C,      a file appears
//!   input                  progress, stats      whole or not at all
//! ```
//!
//! The verbs that several programs have are here too: [`count`], [`capture`], [`enumerate`] and [`swap`]. Each reads its
//! question and prints its answer; `run_by` lets another program do the work between.
//!
//! Exit codes: 0 solved, 1 proved impossible, 2 bad question or failure, 3 stopped before an answer.
#![deny(unsafe_code)]

/// Writes a line to stderr. A stderr that is closed is no reason to lose the answer.
#[macro_export]
macro_rules! message {
    ($($line:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($line)*);
    }};
}

pub mod allocator;
pub mod args;
mod board;
pub mod capture;
pub mod count;
pub mod enumerate;
pub mod exit;
pub mod guard;
pub mod input;
pub mod language;
pub mod output;
mod series;
pub mod session;
pub mod swap;
