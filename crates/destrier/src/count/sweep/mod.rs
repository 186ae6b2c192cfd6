//! The frontier sweep that counting, sampling and ranking share.
//!
//! Uses: `graph` and `run`; nothing of what is counted with it.
#![expect(clippy::cast_possible_truncation, reason = "slots, links and hash prefixes are small")]

pub(crate) mod course;
pub(crate) mod deal;
pub(crate) mod degrees;
pub(crate) mod layer;
pub(crate) mod roll;
pub(crate) mod state;
