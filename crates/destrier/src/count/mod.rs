//! Counting tours, and sorting them into classes under the symmetries of the board.
//!
//! Uses: `graph`, and of `tour` the complete searches and the reasons against any tour; `tour` uses nothing
//! of `count`.

pub(crate) mod brute;
mod census;
mod classes;
mod frontier;
pub(crate) mod middle;
mod orders;
mod plan;
pub(crate) mod recheck;
mod starts;
mod sweep;
mod symmetric;
pub mod transfer;

pub use census::Census;
pub use classes::Classes;
pub(crate) use classes::{classes, symmetric_classes};
use frontier::Frontier;
pub use middle::Estimate;
pub use plan::{CountMethod, CountPlan};
pub use starts::ByStart;
pub(crate) use starts::by_start;
use transfer::Transfer;

pub use crate::tour_count::TourCount;
