//! The two halves joined, pattern by pattern: the links across the middle, and the contraction of each pair.
//!
//! Uses: `half` for what was kept.

pub(in crate::count) mod contract;
pub(in crate::count) mod link;
pub(in crate::count) mod matching;
pub(in crate::count) mod meeting;
pub(in crate::count) mod pair;
pub(in crate::count) mod pattern;
