//! How far a count has come, as a fraction of the whole.
//!
//! A section of the work knows which part of the whole it is; within it, the part done is the part of its input
//! that has been read.
//!
//! Invariant: fractions lie between the section's ends.
//! Cost: nothing to speak of.

use crate::run::watch::Watch;

/// The part of the whole that a stretch of work is.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Report {
    start: f64,
    length: f64,
}

impl Report {
    /// Says nothing.
    pub(in crate::count::middle) const SILENT: Report = Report { start: 0.0, length: 0.0 };

    /// The whole work.
    pub(in crate::count::middle) const WHOLE: Report = Report { start: 0.0, length: 1.0 };

    /// The part of this stretch from one fraction of it to another.
    pub(in crate::count::middle) fn part(self, from: f64, to: f64) -> Report {
        Report { start: self.start + self.length * from, length: self.length * (to - from) }
    }

    /// From the beginning of this stretch to the end of a later one.
    pub(in crate::count::middle) fn to(self, last: Report) -> Report {
        Report { start: self.start, length: last.start + last.length - self.start }
    }

    /// Tells that so much of this stretch is done.
    #[expect(clippy::cast_precision_loss, reason = "a fraction for the eye")]
    pub(in crate::count::middle) fn tell(self, watch: &Watch, done: usize, total: usize) {
        if total > 0 {
            self.tell_part(watch, done as f64 / total as f64);
        }
    }

    /// Tells that this part of the stretch is done.
    pub(in crate::count::middle) fn tell_part(self, watch: &Watch, part: f64) {
        if self.length > 0.0 {
            let fraction = self.start + self.length * part.min(1.0);
            watch.tell(|progress| progress.fraction = Some(fraction));
        }
    }
}
