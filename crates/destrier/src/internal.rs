//! The one door by which the other crates of this workspace reach the engine; what is behind it may change in any release.

pub use crate::count::recheck::{PLAIN, Record};
pub use crate::outcome::Run;
pub use crate::run::memory;
pub use crate::run::sealed::checksum;
pub use crate::run::watch::Watch;
pub use crate::tour::classic::Tally;

/// The pool of threads.
pub mod threads {
    pub use crate::run::threads::{Pool, each, within};
}

/// Meeting in the middle, in parts.
pub mod middle {
    pub use crate::count::middle::{
        Agenda, Begun, Bound, Figure, MiddleCount, Partial, Settings, Slice, Stop, agreed, count,
        outgrown, too_little,
    };
}

/// What ranks of `destrier-mpi` share.
pub mod distributed {
    pub use crate::capture::distributed::{
        Broadcast, Case, CaseResult, CaseTree, Distribution, Worker,
    };
    pub use crate::capture::exact::Auto;
    pub use crate::capture::textbook::{Branch, Tree, TreeBuilder};
    pub use crate::count::brute::{BruteCount, PartialCount};
    pub use crate::list::{Batch, Beginnings, Numbered};
    pub use crate::run::share::{Peers, Tasks};
    pub use crate::swap::joint::{join, lead};
}

/// Shows the tours of a census in order, as nobody has checked them.
#[cfg(feature = "lies")]
pub fn each_unchecked(
    census: &crate::Census,
    visit: &mut dyn FnMut(&crate::Tour) -> std::ops::ControlFlow<()>,
) {
    census.each(0, visit);
}
