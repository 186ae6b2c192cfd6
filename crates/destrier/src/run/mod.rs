//! What every run needs: limits, a way to stop, progress, threads, memory, random numbers.
//!
//! This is the only folder that knows of threads and of the clock, so that a host without them (a browser) has
//! one place to look at. It uses nothing else of this crate.

pub mod memory;
pub(crate) mod random;
#[doc(hidden)]
pub mod threads;
pub(crate) mod watch;
