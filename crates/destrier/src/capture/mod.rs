//! proto
#![allow(missing_docs, dead_code)]
pub(crate) mod metric;
pub(crate) mod simplex;
pub(crate) mod local;
pub(crate) mod onetree;
pub(crate) mod cut;
pub(crate) mod price;
pub(crate) mod branch;
pub(crate) mod exact;
pub(crate) mod stops;
pub(crate) mod proof;
pub use exact::Auto;
