//! What every run needs: settings, a way to stop, progress, threads, memory, the clock, random numbers.
//!
//! This is the only folder that knows of threads and of the clock, so that a host without them (a browser) has
//! one place to look at.
//!
//! Uses: nothing else of this crate.

pub mod clock;
pub mod memory;
pub(crate) mod options;
pub(crate) mod random;
pub mod sealed;
#[doc(hidden)]
pub mod share;
#[doc(hidden)]
pub mod threads;
pub mod trace;
#[doc(hidden)]
pub mod watch;
