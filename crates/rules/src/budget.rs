//! What the check of one certificate may take.
//!
//! A certificate of a few hundred bytes can name a board of millions of squares, so the work of a check does not follow
//! from what was received. A check whose cost is known beforehand says it ([`Budget::afford`]) and is refused if that is
//! too much. Every long loop reports its steps ([`Budget::step`]), and ends when the check has taken too many or when it
//! is told to. What the checker takes on from nobody, however long the certificate is, it leaves undecided.
//!
//! Invariant: once a check has been refused or stopped, [`Budget::stopped`] says so, and no verdict of that check counts.
//! Cost: an addition for each report, and a question to the caller every [`INTERVAL`] steps.

use std::cell::{Cell, RefCell};
use std::fmt;

use crate::fault::Fault;

/// Steps between two questions to the caller whether to go on.
const INTERVAL: u64 = 1 << 16;
/// The most steps of a check that nobody limits: minutes.
const MOST_STEPS: u64 = 1 << 40;
/// The steps that the smallest certificate may take: some seconds.
const LEAST_STEPS: u64 = 1 << 27;
/// The further steps for each byte of a certificate.
const STEPS_PER_BYTE: u64 = 1 << 16;
/// The positions of a search that is repeated where a certificate rests on one: about a second.
const POSITIONS: usize = 250_000;

/// How many steps a check may take, and whether to go on.
///
/// A step is about a nanosecond.
pub struct Budget<'a> {
    most: u64,
    positions: usize,
    taken: Cell<u64>,
    since_asked: Cell<u64>,
    stop: &'a dyn Fn() -> bool,
    stopped: RefCell<Option<Fault>>,
}

impl<'a> Budget<'a> {
    /// For a certificate of so many bytes; `stop` says when the check should end.
    #[must_use]
    pub fn of_certificate(bytes: u64, stop: &'a dyn Fn() -> bool) -> Budget<'a> {
        let most = bytes.saturating_mul(STEPS_PER_BYTE).saturating_add(LEAST_STEPS);
        Budget::new(most.min(MOST_STEPS), stop).searching(POSITIONS)
    }

    /// So many steps; `stop` says when the check should end.
    #[must_use]
    pub fn new(most: u64, stop: &'a dyn Fn() -> bool) -> Budget<'a> {
        let (taken, since_asked, stopped) = (Cell::new(0), Cell::new(0), RefCell::new(None));
        Budget { most, positions: 0, taken, since_asked, stop, stopped }
    }

    /// The same, and the checker repeats searches that take no more than so many positions.
    #[must_use]
    pub const fn searching(mut self, positions: usize) -> Budget<'a> {
        self.positions = positions;
        self
    }

    /// The most positions of a search that is repeated; none unless that was asked for.
    pub(crate) const fn positions(&self) -> usize {
        self.positions
    }

    /// Why the check was refused or stopped, if it was.
    pub fn stopped(&self) -> Option<Fault> {
        self.stopped.borrow().clone()
    }

    /// Is there enough for so many steps? Asked before the work begins.
    pub(crate) fn afford(&self, steps: u64) -> Result<(), String> {
        if steps > self.most {
            return Err(self.refuse(steps, self.most));
        }
        self.go_on(INTERVAL)
    }

    /// Refuses a check that takes more than the checker spends on any, whatever the budget; the text says so.
    pub(crate) fn refuse(&self, steps: u64, most: u64) -> String {
        self.end(Fault::TooMuchWork { steps, most })
    }

    /// Reports so many steps of work; an error when the check should end.
    pub(crate) fn step(&self, steps: u64) -> Result<(), String> {
        self.go_on(steps)?;
        let (taken, most) = (self.taken.get().saturating_add(steps), self.most);
        self.taken.set(taken);
        if taken > most {
            return Err(self.end(Fault::TooMuchWork { steps: taken, most }));
        }
        Ok(())
    }

    /// The same for work that has a limit of its own, and is not counted.
    pub(crate) fn go_on(&self, steps: u64) -> Result<(), String> {
        if let Some(fault) = &*self.stopped.borrow() {
            return Err(fault.to_string());
        }
        let since_asked = self.since_asked.get().saturating_add(steps);
        if since_asked < INTERVAL {
            self.since_asked.set(since_asked);
            return Ok(());
        }
        self.since_asked.set(0);
        if (self.stop)() { Err(self.end(Fault::Stopped)) } else { Ok(()) }
    }

    /// Ends the check because the checker does not take this on, from nobody.
    pub(crate) fn undecided(&self, why: impl Into<String>) -> String {
        self.end(Fault::Undecided(why.into()))
    }

    fn end(&self, fault: Fault) -> String {
        let why = fault.to_string();
        *self.stopped.borrow_mut() = Some(fault);
        why
    }
}

impl Default for Budget<'_> {
    /// As much as any check takes, without a stop.
    fn default() -> Self {
        Budget::new(MOST_STEPS, &|| false)
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("most", &self.most).finish_non_exhaustive()
    }
}
