//! The two halves joined, pattern by pattern: the links across the middle, and the contraction of each pair.
//!
//! May use: `half` for what was kept, and `storage` for where it lies.

pub(in crate::count) mod contract;
pub(in crate::count) mod halves;
pub(in crate::count) mod kept;
pub(in crate::count) mod link;
pub(in crate::count) mod matching;
pub(in crate::count) mod pair;
pub(in crate::count) mod pattern;
