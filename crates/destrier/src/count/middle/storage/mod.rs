//! Lists of pages within a limit of memory; what does not fit goes to a scratch file.
//!
//! May use: nothing of the counting.

pub(in crate::count) mod pages;
