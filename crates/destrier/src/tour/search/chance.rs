//! A stream of chances that is the same for the same seed, on every machine.
//!
//! Restarted searches break their ties by it. Anyone can ask for the same search again by its
//! seed, so it must not change with a library's version: the whole of it is written here.
//!
//! Invariant: the numbers drawn depend on the seed alone.
//! Cost: one multiplication chain a number.
//! After: Steele, Lea and Flood's `SplitMix64` (2014).

/// A seeded stream of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The stream of a seed.
    pub(crate) const fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The next number, all 64 bits of it.
    pub(crate) const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is at least 1.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.draw()) * bound as u128;
        usize::try_from(wide >> 64).expect("a number below a usize is a usize")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_is_the_published_one() {
        // The first outputs of SplitMix64 for the seed 1234567, as its authors' test vectors have them.
        let mut chance = Chance::new(1_234_567);
        assert_eq!(chance.draw(), 6_457_827_717_110_365_317);
        assert_eq!(chance.draw(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn below_keeps_below_and_reaches_everything() {
        let mut chance = Chance::new(1);
        let mut seen = [false; 7];
        for _ in 0..200 {
            seen[chance.below(7)] = true;
        }
        assert!(seen.iter().all(|&hit| hit));
    }
}
