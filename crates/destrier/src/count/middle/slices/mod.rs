//! A count in slices that are independent of each other: listing them, computing one, summing them up, kept in a
//! journal, shared among ranks, estimated from a sample.
//!
//! Uses: `half` and `join`, through the engine of one slice.

pub(in crate::count) mod agenda;
pub(in crate::count) mod engine;
pub(in crate::count) mod estimate;
pub(in crate::count) mod journal;
pub(in crate::count) mod report;
pub(in crate::count) mod slice;
pub(in crate::count) mod together;
