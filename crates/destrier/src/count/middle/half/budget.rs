//! The memory that a count may use, and what of it is in use.
//!
//! Whatever grows with the board is charged before it is made, or as soon as its size is known. Where the columns of
//! several slices are collected at once and a charge does not fit, the last slices are given up: their columns
//! are dropped, and so is what would come to them. The same is done, early on, where all of them would take too long for a
//! count that is to be resumed from a journal. Where nothing is left to give up, the work ends.
//!
//! Invariant: what is charged is given back when the charge is dropped; the first slice is never given up.
//! Cost: an atomic addition per charge, and charges are few.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::count::middle::as_real;
use crate::count::middle::half::cut::Cut;
use crate::outcome::Stop;
use crate::run::clock::Moment;
use crate::run::memory;
use crate::run::watch::Halt;

/// A limit in bytes, and how many of them are in use; all clones share them.
#[derive(Clone, Debug)]
pub(in crate::count::middle) struct Budget {
    limit: u64,
    used: Arc<AtomicU64>,
    slices: Arc<Collected>,
}

/// What the columns of each slice take that a sweep collects.
#[derive(Debug)]
struct Collected {
    /// So many of the slices are still collected.
    open: AtomicUsize,
    bytes: Vec<AtomicU64>,
    /// The part of the sweep that is done.
    done: Mutex<f64>,
    begun: Moment,
    /// A sweep that would take longer than this gives up slices, once.
    patience: Mutex<Option<Duration>>,
}

impl Collected {
    fn of(open: usize, slices: usize, patience: Option<Duration>) -> Arc<Collected> {
        Arc::new(Collected {
            open: AtomicUsize::new(open),
            bytes: (0..slices).map(|_| AtomicU64::new(0)).collect(),
            done: Mutex::default(),
            begun: Moment::now(),
            patience: Mutex::new(patience),
        })
    }

    /// The bytes of the first so many slices.
    fn of_first(&self, slices: usize) -> u64 {
        self.bytes[..slices].iter().map(|slice| slice.load(Relaxed)).sum()
    }

    /// Gives up the slices beyond those that are expected to come to so many bytes.
    fn give_up(&self, done: f64, room: f64) -> usize {
        let first = self.open.load(Relaxed);
        let part = (done * AHEAD).clamp(0.1, 1.0);
        let fits = |&kept: &usize| as_real(self.of_first(kept)) / part <= room;
        let kept = (1..first).rev().find(fits).unwrap_or(1).min(first);
        self.open.store(kept, Relaxed);
        kept
    }
}

/// Columns are collected faster than the sweep goes on: measured on 8×8 closed and 7×8 open.
const AHEAD: f64 = 1.3;

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
        Budget::of(limit)
    }

    fn of(limit: u64) -> Budget {
        Budget { limit, used: Arc::default(), slices: Collected::of(usize::MAX, 0, None) }
    }

    /// The same memory, for a sweep that collects so many slices and may give some of them up: where they do not fit, or where
    /// the sweep would take longer than this.
    pub(in crate::count::middle) fn shared_by(
        &self,
        slices: usize,
        patience: Option<Duration>,
    ) -> Budget {
        Budget { slices: Collected::of(slices, slices, patience), ..self.clone() }
    }

    /// How many of the slices are still collected: the first ones.
    #[inline]
    pub(in crate::count::middle) fn open(&self) -> usize {
        self.slices.open.load(Relaxed)
    }

    /// Hears that so much of the sweep is done.
    pub(in crate::count::middle) fn hear(&self, done: f64) {
        *self.slices.done.lock().expect("no worker panics") = done;
        let mut patience = self.slices.patience.lock().expect("no worker panics");
        let Some(most) = *patience else { return };
        let time = Moment::now().since(self.slices.begun);
        if time < most / 16 || done <= 0.0 {
            return;
        }
        *patience = None;
        let all = self.slices.of_first(self.open().min(self.slices.bytes.len()));
        let share = most.as_secs_f64() / (time.as_secs_f64() / done);
        if share < 1.0 {
            self.slices.give_up(done, share * as_real(all) / (done * AHEAD).clamp(0.1, 1.0));
        }
    }

    pub(in crate::count::middle) fn limit(&self) -> u64 {
        self.limit
    }

    /// Charges bytes that are about to be used.
    ///
    /// # Errors
    /// When there are not so many left.
    pub(in crate::count::middle) fn charge(&self, bytes: usize) -> Result<Charge, Stop> {
        let mut charge = Charge { budget: self.clone(), bytes: 0, slice: None };
        charge.grow(bytes)?;
        Ok(charge)
    }

    /// A charge for columns of a slice, of nothing at first.
    pub(in crate::count::middle) fn charge_slice(&self, slice: usize) -> Charge {
        let slice = Some(slice).filter(|&slice| slice < self.slices.bytes.len());
        Charge { budget: self.clone(), bytes: 0, slice }
    }

    /// Gives slices up until all is within the limit, once they are dropped.
    fn relieve(&self) -> Result<(), Stop> {
        let all = self.slices.bytes.len();
        if all == 0 {
            return Err(Stop::Halt(Halt::Memory));
        }
        let done = self.slices.done.lock().expect("no worker panics");
        let used = self.used.load(Relaxed);
        let collected = self.slices.of_first(all);
        let rest = used.saturating_sub(collected);
        // Those given up are dropped as soon as their threads come to it.
        let fits = |open: usize| rest + self.slices.of_first(open) <= self.limit;
        if fits(self.open()) {
            return Ok(());
        }
        // The others go on to grow. The rest stays as it is.
        let room = self.limit.saturating_sub(rest) / 8 * 7;
        let kept = self.slices.give_up(*done, as_real(room));
        if fits(kept) { Ok(()) } else { Err(Stop::Halt(Halt::Memory)) }
    }
}

/// Bytes in use.
#[derive(Debug)]
pub(in crate::count::middle) struct Charge {
    budget: Budget,
    bytes: u64,
    /// Whose columns they are, if they may be given up.
    slice: Option<usize>,
}

impl Charge {
    /// Charges so many bytes more.
    ///
    /// # Errors
    /// When there are not so many left.
    pub(in crate::count::middle) fn grow(&mut self, bytes: usize) -> Result<(), Stop> {
        let bytes = bytes as u64;
        self.bytes += bytes;
        if let Some(slice) = self.slice {
            self.budget.slices.bytes[slice].fetch_add(bytes, Relaxed);
        }
        let used = self.budget.used.fetch_add(bytes, Relaxed) + bytes;
        if used > self.budget.limit { self.budget.relieve() } else { Ok(()) }
    }

    /// Charges so many bytes in place of what was charged.
    ///
    /// # Errors
    /// When there are not so many left.
    pub(in crate::count::middle) fn set(&mut self, bytes: usize) -> Result<(), Stop> {
        self.give_back();
        self.grow(bytes)
    }

    fn give_back(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        self.budget.used.fetch_sub(bytes, Relaxed);
        if let Some(slice) = self.slice {
            self.budget.slices.bytes[slice].fetch_sub(bytes, Relaxed);
        }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_charged_comes_back() {
        let budget = Budget::of(100);
        let mut first = budget.charge(60).unwrap();
        assert!(budget.charge(41).is_err());
        let second = budget.charge(40).unwrap();
        assert!(first.grow(1).is_err());
        drop(second);
        first.set(100).unwrap();
        drop(first);
        assert_eq!(budget.used.load(Relaxed), 0);
    }

    #[test]
    fn the_last_slices_are_given_up_and_the_first_never() {
        let all = Budget::of(1000);
        let budget = all.shared_by(3, None);
        budget.hear(0.5);
        let mut charges: Vec<Charge> = (0..3).map(|slice| budget.charge_slice(slice)).collect();
        let other = budget.charge(200).unwrap();
        charges[0].grow(200).unwrap();
        charges[1].grow(300).unwrap();
        assert_eq!(budget.open(), 3);
        // At half time, the first alone is expected to come to 308, both to 769 of the 700 that are left.
        charges[2].grow(301).unwrap();
        assert_eq!(budget.open(), 1);
        // What was given up does not count, even before it is dropped.
        charges[0].grow(500).unwrap();
        assert!(charges[0].grow(101).is_err());
        drop(charges);
        drop(other);
        assert_eq!(all.used.load(Relaxed), 0);
    }

    #[test]
    fn a_sweep_that_would_take_too_long_gives_up_slices_once() {
        let all = Budget::of(1000);
        let budget = all.shared_by(3, Some(Duration::from_nanos(1)));
        let mut charges: Vec<Charge> = (0..3).map(|slice| budget.charge_slice(slice)).collect();
        for charge in &mut charges {
            charge.grow(100).unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
        budget.hear(0.5);
        assert_eq!(budget.open(), 1);
        let patient = all.shared_by(3, Some(Duration::from_secs(1 << 30)));
        patient.hear(0.5);
        assert_eq!(patient.open(), 3);
    }
}
