//! The clock of a run: the one place that asks the system for the time.
//!
//! Cost: a system call at most, a few tens of nanoseconds.

use std::sync::OnceLock;
use std::time::Duration;

/// A moment, as the time since some fixed point before the first run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// This very moment. Without a clock, time stands still and no deadline passes.
    #[must_use]
    pub fn now() -> Moment {
        Moment(own())
    }

    /// So much later; nothing if that is beyond all time.
    #[must_use]
    pub fn after(self, time: Duration) -> Option<Moment> {
        self.0.checked_add(time).map(Moment)
    }

    /// The time from an earlier moment to this one.
    #[must_use]
    pub fn since(self, earlier: Moment) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn own() -> Duration {
    static BEGIN: OnceLock<std::time::Instant> = OnceLock::new();
    BEGIN.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn own() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_does_not_run_backwards() {
        let (first, second) = (Moment::now(), Moment::now());
        assert!(first <= second);
        let later = first.after(Duration::from_secs(1)).expect("not beyond all time");
        assert_eq!(later.since(first), Duration::from_secs(1));
        assert_eq!(first.since(later), Duration::ZERO);
        assert_eq!(later.after(Duration::MAX), None);
    }
}
