//! One half of the board, swept row by row: which squares it settles, in which order, and what its last row leaves.
//!
//! ```text
//! cut ─► plan ─► step ─► rows ─► sweep ─► collector
//! ```
//!
//! May use: `join::pattern` and `join::matching` for what a state is, and `storage` for where states lie.

pub(in crate::count) mod collector;
pub(in crate::count) mod cut;
pub(in crate::count) mod plan;
pub(in crate::count) mod rows;
pub(in crate::count) mod spread;
pub(in crate::count) mod state;
pub(in crate::count) mod step;
pub(in crate::count) mod sweep;
pub(in crate::count) mod turn;
