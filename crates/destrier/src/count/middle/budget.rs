//! The memory that a count may use.
//!
//! Tables are charged as they grow, in bytes, before the system is asked for them. A charge that goes over
//! the limit halts the work with [`Halt::Memory`]: a slice is then cut into smaller ones, and a table
//! that cannot be cut is refused with its size.
//!
//! Invariant: what is charged is at least what the tables hold.
//! Cost: one atomic addition for each part of a row.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::watch::Halt;

/// How many bytes may be used, and how many are.
#[derive(Debug)]
pub(super) struct Budget {
    limit: u64,
    used: AtomicU64,
}

impl Budget {
    /// Four fifths of the limit, which leaves the rest to what is not charged: the allocator's own losses,
    /// short lists of threads, the code. Without a limit from the user, what the system has free.
    pub(super) fn new(limit: Option<u64>) -> Budget {
        let limit = limit.or_else(free_memory).unwrap_or(u64::MAX);
        Budget { limit: limit / 5 * 4, used: AtomicU64::new(0) }
    }

    pub(super) fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// Takes so many bytes more.
    ///
    /// # Errors
    /// When that is more than there are.
    pub(super) fn charge(&self, bytes: u64) -> Result<(), Halt> {
        if self.used.fetch_add(bytes, Relaxed) + bytes > self.limit {
            Err(Halt::Memory)
        } else {
            Ok(())
        }
    }

    /// Goes back to an earlier state of the books: what came since has been given back.
    pub(super) fn set_used(&self, used: u64) {
        self.used.store(used, Relaxed);
    }
}

/// What Linux says is available.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}
