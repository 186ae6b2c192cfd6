//! How far a count has come, as a fraction of the whole.
//!
//! A section of the work knows which part of the whole it is; within it, the part done is the part of its input
//! that has been read.
//!
//! Invariant: fractions lie between the section's ends.
//! Cost: nothing to speak of.

use crate::run::watch::Watch;

/// The part of the whole that some work is.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Stretch {
    start: f64,
    length: f64,
}

impl Stretch {
    /// No part of it.
    pub(in crate::count::middle) const NONE: Stretch = Stretch { start: 0.0, length: 0.0 };

    /// The whole work.
    pub(in crate::count::middle) const WHOLE: Stretch = Stretch { start: 0.0, length: 1.0 };

    /// The part of this stretch from one fraction of it to another.
    pub(in crate::count::middle) fn part(self, from: f64, to: f64) -> Stretch {
        Stretch { start: self.start + self.length * from, length: self.length * (to - from) }
    }

    /// From the beginning of this stretch to the end of a later one.
    pub(in crate::count::middle) fn to(self, last: Stretch) -> Stretch {
        Stretch { start: self.start, length: last.start + last.length - self.start }
    }
}

/// Tells the watch of a run how much of a stretch is done.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Report<'w> {
    pub(in crate::count::middle) watch: &'w Watch,
    pub(in crate::count::middle) stretch: Stretch,
}

impl<'w> Report<'w> {
    /// Says nothing.
    pub(in crate::count::middle) const fn silent(watch: &'w Watch) -> Report<'w> {
        Report { watch, stretch: Stretch::NONE }
    }

    /// The report of a part of this stretch, from one fraction of it to another.
    pub(in crate::count::middle) fn part(self, from: f64, to: f64) -> Report<'w> {
        Report { stretch: self.stretch.part(from, to), ..self }
    }

    /// Tells that so much of this stretch is done.
    #[expect(clippy::cast_precision_loss, reason = "a fraction for the eye")]
    pub(in crate::count::middle) fn tell(self, done: usize, total: usize) {
        if total > 0 {
            self.tell_part(done as f64 / total as f64);
        }
    }

    /// Tells that this part of the stretch is done.
    pub(in crate::count::middle) fn tell_part(self, part: f64) {
        let Stretch { start, length } = self.stretch;
        if length > 0.0 {
            let fraction = start + length * part.min(1.0);
            self.watch.tell(|progress| progress.fraction = Some(fraction));
        }
    }
}
