//! The memory that a count may use, and what of it is in use.
//!
//! Whatever grows with the board is charged before it is made, or as soon as its size is known. A charge that does not fit
//! ends the work on the slice, which is then cut.
//!
//! Invariant: what is charged is given back when the charge is dropped.
//! Cost: an atomic addition per charge, and charges are few.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::count::middle::half::cut::Cut;
use crate::outcome::Stop;
use crate::run::memory;
use crate::run::watch::Halt;

/// A limit in bytes, and how many of them are in use; all clones share them.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Budget {
    limit: u64,
    used: Arc<AtomicU64>,
}

/// What the program itself takes, with small tables and what the allocator keeps; and each of its threads.
const PROGRAM: (u64, u64) = (18 << 20, 3 << 20);
/// What the tables of matchings take where so many files, with the apex of an open count, need the large ones.
const TABLES: (usize, u64) = (8, 36 << 20);

impl Budget {
    /// The budget of a count that may take so much memory in all, on so many threads.
    pub(in crate::count::middle) fn new(memory: Option<u64>, threads: usize, cut: &Cut) -> Budget {
        let has_tables = cut.files + usize::from(cut.is_open()) >= TABLES.0;
        let program = PROGRAM.0 + PROGRAM.1 * threads as u64;
        let fixed = program + if has_tables { TABLES.1 } else { 0 };
        let memory = memory.or_else(|| memory::free().map(|free| free / 10 * 9));
        // The rest is the allocator's own share, and lists that grow by doubling.
        let limit = memory.map_or(u64::MAX, |bytes| bytes.saturating_sub(fixed) / 5 * 4);
        Budget { limit, used: Arc::default() }
    }

    pub(in crate::count::middle) fn limit(&self) -> u64 {
        self.limit
    }

    /// Charges bytes that are about to be used.
    ///
    /// # Errors
    /// When there are not so many left.
    pub(in crate::count::middle) fn charge(&self, bytes: usize) -> Result<Charge, Stop> {
        let mut charge = Charge { budget: self.clone(), bytes: 0 };
        charge.grow(bytes)?;
        Ok(charge)
    }
}

/// Bytes in use.
#[derive(Debug)]
pub(in crate::count::middle) struct Charge {
    budget: Budget,
    bytes: u64,
}

impl Charge {
    /// Charges so many bytes more.
    ///
    /// # Errors
    /// When there are not so many left.
    pub(in crate::count::middle) fn grow(&mut self, bytes: usize) -> Result<(), Stop> {
        let bytes = bytes as u64;
        self.bytes += bytes;
        let used = self.budget.used.fetch_add(bytes, Relaxed) + bytes;
        if used > self.budget.limit { Err(Stop::Halt(Halt::Memory)) } else { Ok(()) }
    }

    /// Charges so many bytes in place of what was charged.
    ///
    /// # Errors
    /// When there are not so many left.
    pub(in crate::count::middle) fn set(&mut self, bytes: usize) -> Result<(), Stop> {
        self.budget.used.fetch_sub(self.bytes, Relaxed);
        self.bytes = 0;
        self.grow(bytes)
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_charged_comes_back() {
        let budget = Budget { limit: 100, used: Arc::default() };
        let mut first = budget.charge(60).unwrap();
        assert!(budget.charge(41).is_err());
        let second = budget.charge(40).unwrap();
        assert!(first.grow(1).is_err());
        drop(second);
        first.set(100).unwrap();
        drop(first);
        assert_eq!(budget.used.load(Relaxed), 0);
    }
}
