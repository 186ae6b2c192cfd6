//! What every run needs: settings, a way to stop, progress, threads, memory, the clock, random numbers.
//!
//! This is the only folder that knows of threads and of the clock, so that a host without them (a browser) has
//! one place to look at.
//!
//! Uses: nothing else of this crate.

pub(crate) mod clock;
pub mod memory;
pub(crate) mod options;
pub(crate) mod random;
pub(crate) mod sealed;
pub(crate) mod share;
pub(crate) mod threads;
pub mod trace;
pub(crate) mod watch;
