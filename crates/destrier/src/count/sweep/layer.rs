//! One layer of a sweep: its states, each with the number of pasts that lead to it.
//!
//! A step sends every state to a few states of the next layer; only choices that the degrees allow
//! are made. States are partitioned by their degrees, so that the lookups of a part stay together.
//!
//! Invariant: within a layer no state occurs twice.
//! Cost: 20 to 40 ns for each transition.
//! Source: Knuth's SIMPATH; `docs/frontier.md`.

use num_bigint::BigUint;

use super::course::{Course, Next};
use super::deal::{Entry, Merge, deal};
use super::degrees::Degrees;
use super::state::hash;
use crate::outcome::Stop;
use crate::run::watch::Watch;

/// A number of pasts: added with care, so that no overflow passes unseen.
pub(crate) trait Tally: Merge + PartialEq + std::fmt::Debug {
    const ZERO: Self;
    const ONE: Self;
}

impl Merge for u64 {
    #[inline]
    fn merged(self, other: u64) -> Option<u64> {
        self.checked_add(other)
    }
}

impl Tally for u64 {
    const ZERO: u64 = 0;
    const ONE: u64 = 1;
}

impl Merge for u128 {
    #[inline]
    fn merged(self, other: u128) -> Option<u128> {
        self.checked_add(other)
    }
}

impl Tally for u128 {
    const ZERO: u128 = 0;
    const ONE: u128 = 1;
}

/// A number of up to 512 bits, lowest word first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide(pub(crate) [u64; 8]);

impl Merge for Wide {
    fn merged(self, other: Wide) -> Option<Wide> {
        let mut sum = [0; 8];
        let mut carry = false;
        for ((sum, a), b) in sum.iter_mut().zip(self.0).zip(other.0) {
            let (half, first) = a.overflowing_add(b);
            let (whole, second) = half.overflowing_add(u64::from(carry));
            *sum = whole;
            carry = first || second;
        }
        (!carry).then_some(Wide(sum))
    }
}

impl From<u128> for Wide {
    #[expect(clippy::cast_possible_truncation, reason = "cut into its two words")]
    fn from(number: u128) -> Wide {
        Wide([number as u64, (number >> 64) as u64, 0, 0, 0, 0, 0, 0])
    }
}

impl From<Wide> for BigUint {
    fn from(Wide(words): Wide) -> BigUint {
        words.iter().rev().fold(BigUint::ZERO, |sum, &word| (sum << 64) + word)
    }
}

impl Tally for Wide {
    const ZERO: Wide = Wide([0; 8]);
    const ONE: Wide = Wide([1, 0, 0, 0, 0, 0, 0, 0]);
}

/// The states of a layer, dealt out by the hash of their degrees.
#[derive(Clone, Debug)]
pub(crate) struct Layer<const W: usize, T> {
    pub(crate) parts: Vec<Vec<Entry<W, T>>>,
}

impl<const W: usize, T: Tally> Layer<W, T> {
    /// The layer before the first step: nothing settled, one past.
    pub(crate) fn first() -> Layer<W, T> {
        Layer { parts: vec![vec![([0; W], T::ONE)]] }
    }

    /// How many states.
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// The same states with wider numbers.
    pub(crate) fn widened<U: Tally>(&self, widen: impl Fn(T) -> U) -> Layer<W, U> {
        let part = |part: &Vec<Entry<W, T>>| part.iter().map(|&(s, n)| (s, widen(n))).collect();
        Layer { parts: self.parts.iter().map(part).collect() }
    }

    /// The next layer, and for each turn the number of cycles closed on the way.
    pub(crate) fn advance(
        &self,
        course: &Course,
        degrees: &Degrees<W>,
        at: usize,
        watch: &Watch,
    ) -> Result<(Layer<W, T>, [T; 4]), Stop> {
        let stepper = course.step::<W>(at);
        let (parts, reports) = deal(&self.parts, 2 * self.len(), &|share, dealt| {
            let mut ticker = watch.ticker();
            let mut closed = [T::ZERO; 4];
            let mut overflow = false;
            for &(state, pasts) in share.iter().flatten() {
                ticker.tick()?;
                let allowed = degrees.allowed(at, &course.pattern(&state));
                stepper.each(&state, allowed, |_, next| match next {
                    Next::To(next) => dealt.push(hash(&course.pattern(&next)), next, pasts),
                    Next::Closed(turn, _) => match closed[usize::from(turn)].merged(pasts) {
                        Some(sum) => closed[usize::from(turn)] = sum,
                        None => overflow = true,
                    },
                });
            }
            if overflow { Err(Stop::Overflow) } else { Ok(closed) }
        })?;
        let mut closed = [T::ZERO; 4];
        for some in &reports {
            for (sum, more) in closed.iter_mut().zip(some) {
                *sum = sum.merged(*more).ok_or(Stop::Overflow)?;
            }
        }
        Ok((Layer { parts }, closed))
    }
}
