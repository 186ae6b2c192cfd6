//! How to find it.
