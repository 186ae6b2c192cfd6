//! The resources that checking one certificate may use.
//!
//! A certificate of a few hundred bytes can name a board of millions of squares, so the work of a check does not follow
//! from what was received. A check whose cost is known in advance declares it ([`Budget::afford`]) and is refused if that is
//! too much. Every long loop reports its steps ([`Budget::step`]), and ends when the check has taken too many or when it
//! is cancelled. The same holds for memory ([`Budget::hold`]). What exceeds the limits is left undecided.
//!
//! Invariant: once a check has been refused or stopped, [`Budget::stopped`] says so, and no verdict of that check counts.
//! Cost: an addition for each report, and a call to the caller every [`INTERVAL`] steps.

use std::cell::{Cell, RefCell};
use std::fmt;

use crate::fault::Fault;

/// Steps between two checks whether the caller wants to stop.
const INTERVAL: u64 = 1 << 16;
/// The most steps of a check without a limit: minutes.
const MOST_STEPS: u64 = 1 << 40;
/// The steps that the smallest certificate may take: a few seconds.
const LEAST_STEPS: u64 = 1 << 27;
/// The further steps for each byte of a certificate.
const STEPS_PER_BYTE: u64 = 1 << 16;
/// The positions of a search that is repeated where a certificate rests on one: about a second.
const POSITIONS: usize = 250_000;

/// How many steps a check may take, and when to stop.
///
/// A step is about a nanosecond.
pub struct Budget<'a> {
    most: u64,
    positions: usize,
    memory: u64,
    held: Cell<u64>,
    taken: Cell<u64>,
    since_asked: Cell<u64>,
    stop: &'a dyn Fn() -> bool,
    stopped: RefCell<Option<Fault>>,
}

impl<'a> Budget<'a> {
    /// For a certificate of this many bytes; `stop` says when the check should end.
    #[must_use]
    pub fn of_certificate(bytes: u64, stop: &'a dyn Fn() -> bool) -> Budget<'a> {
        let most = bytes.saturating_mul(STEPS_PER_BYTE).saturating_add(LEAST_STEPS);
        Budget::new(most.min(MOST_STEPS), stop).searching(POSITIONS)
    }

    /// This many steps; `stop` says when the check should end.
    #[must_use]
    pub fn new(most: u64, stop: &'a dyn Fn() -> bool) -> Budget<'a> {
        let zero = || Cell::new(0);
        let (held, taken, since_asked) = (zero(), zero(), zero());
        let (memory, stopped) = (u64::MAX, RefCell::new(None));
        Budget { most, positions: 0, memory, held, taken, since_asked, stop, stopped }
    }

    /// The same, with tables of at most this many bytes.
    #[must_use]
    pub const fn memory(mut self, bytes: u64) -> Budget<'a> {
        self.memory = bytes;
        self
    }

    /// The same, and the checker repeats searches of up to this many positions.
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

    /// Is there enough for this many steps? To be asked before the work begins.
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

    /// Reports this many steps of work; an error when the check should end.
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

    /// Asks for a table of this many bytes, before it is made.
    pub(crate) fn hold(&self, bytes: u64) -> Result<(), String> {
        let held = self.held.get().saturating_add(bytes);
        self.held.set(held);
        if held > self.memory {
            let (needed, most) = (held.div_ceil(1 << 20), self.memory >> 20);
            let why = format!("it needs at least {needed} MiB, but {most} MiB are allowed");
            return Err(self.undecided(why));
        }
        Ok(())
    }

    /// Gives back what was held.
    pub(crate) fn release(&self, bytes: u64) {
        self.held.set(self.held.get().saturating_sub(bytes));
    }

    /// Ends the check because the checker does not support this, whatever the budget.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_steps_of_a_budget_can_be_taken_and_no_more() {
        let budget = Budget::new(10, &|| false);
        assert_eq!(budget.afford(10), Ok(()));
        assert_eq!(budget.step(9), Ok(()));
        assert_eq!(budget.step(1), Ok(()));
        assert_eq!(budget.stopped(), None);
        assert!(budget.step(1).is_err());
        assert_eq!(budget.stopped(), Some(Fault::TooMuchWork { steps: 11, most: 10 }));
        assert!(budget.step(0).is_err(), "a check that was stopped stays so");
        let refused = Budget::new(10, &|| false);
        assert!(refused.afford(11).is_err());
        assert_eq!(refused.stopped(), Some(Fault::TooMuchWork { steps: 11, most: 10 }));
    }

    #[test]
    fn the_caller_is_asked_after_an_interval() {
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() == 2
        };
        let budget = Budget::new(u64::MAX, &stop);
        assert_eq!(budget.step(INTERVAL - 1), Ok(()));
        assert_eq!(asked.get(), 0);
        assert_eq!(budget.step(1), Ok(()));
        assert_eq!(asked.get(), 1);
        assert_eq!(budget.step(INTERVAL - 1), Ok(()));
        assert!(budget.go_on(1).is_err());
        assert_eq!((asked.get(), budget.stopped()), (2, Some(Fault::Stopped)));
    }

    #[test]
    fn a_certificate_may_take_seconds_and_more_for_each_byte_up_to_a_limit() {
        let (least, for_a_byte, limit) = (134_217_728, 65_536, 1_099_511_627_776);
        for (bytes, most) in [(0, least), (1000, least + 1000 * for_a_byte), (u64::MAX, limit)] {
            let budget = || Budget::of_certificate(bytes, &|| false);
            assert_eq!(budget().afford(most), Ok(()), "{bytes}");
            assert!(budget().afford(most + 1).is_err(), "{bytes}");
            assert_eq!(budget().positions(), 250_000);
        }
        assert_eq!(
            Budget::default().positions(),
            0,
            "a search is repeated only where that is asked for"
        );
    }

    #[test]
    fn tables_take_what_is_allowed_and_no_more() {
        let budget = Budget::default().memory(3 << 20);
        assert_eq!(budget.hold(2 << 20), Ok(()));
        assert_eq!(budget.hold(1 << 20), Ok(()));
        budget.release(1 << 20);
        assert_eq!(budget.hold(1 << 20), Ok(()));
        let why = "it needs at least 4 MiB, but 3 MiB are allowed".to_owned();
        assert!(budget.hold(1).is_err());
        assert_eq!(budget.stopped(), Some(Fault::Undecided(why)));
        assert_eq!(Budget::default().hold(u64::MAX), Ok(()), "without a limit all is allowed");
    }

    #[test]
    fn a_budget_is_shown_by_its_limit() {
        assert_eq!(format!("{:?}", Budget::new(10, &|| false)), "Budget { most: 10, .. }");
    }
}
