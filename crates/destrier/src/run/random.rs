//! Random numbers that are the same for the same seed, everywhere and always.
//!
//! Anyone can ask for the same search or sample again by its seed, so the numbers must not change with a
//! library's version: the whole generator is written here.
//!
//! Invariant: the numbers drawn depend on the seed alone.
//! Cost: one chain of two multiplications per number.
//! Source: Steele, Lea and Flood's `SplitMix64` (2014).

/// A seeded stream of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub(crate) const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number, all 64 bits of it.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is at least 1; for searches, as small bounds are all but uniform.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next()) * bound as u128;
        usize::try_from(wide >> 64).expect("a number below a usize is a usize")
    }

    /// A number below `bound`, which is at least 1, all exactly equally likely.
    pub(crate) fn uniform(&mut self, bound: u128) -> u128 {
        let mask = u128::MAX >> (bound - 1).leading_zeros().min(127);
        loop {
            let drawn = (u128::from(self.next()) << 64 | u128::from(self.next())) & mask;
            if drawn < bound {
                return drawn;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_is_the_published_one() {
        // The first outputs for the seed 1234567, as the test vectors of its authors have them.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn draws_stay_below_the_bound_and_reach_every_number() {
        let mut random = Random::new(7);
        for bound in [1, 2, 3, 5, 6, 64] {
            let mut seen = vec![(false, false); bound];
            for _ in 0..2000 {
                seen[random.below(bound)].0 = true;
                seen[usize::try_from(random.uniform(bound as u128)).unwrap()].1 = true;
            }
            assert!(seen.iter().all(|&seen| seen == (true, true)), "{bound}");
        }
        assert_eq!(Random::new(7).uniform(1 << 100), Random::new(7).uniform(1 << 100));
    }
}
