//! One half of the board, swept row by row: which squares it settles, in which order, and what its last row leaves.
//!
//! ```text
//! cut ─► plan ─► sweep ─► kept        slots: patterns of the frontier        budget: the memory that is used
//!                parts: what threads share        column: states by pattern        packed: columns as bytes
//!                cells: which slice a pattern is in
//! ```
//!
//! Uses: `join::pattern` and `join::matching` for what patterns and matchings are.

pub(in crate::count) mod budget;
pub(in crate::count) mod cells;
pub(in crate::count) mod column;
pub(in crate::count) mod cut;
pub(in crate::count) mod kept;
pub(in crate::count) mod packed;
pub(in crate::count) mod parts;
pub(in crate::count) mod plan;
pub(in crate::count) mod rows;
pub(in crate::count) mod slots;
pub(in crate::count) mod sweep;
