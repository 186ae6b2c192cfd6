//! Random numbers that are the same for the same seed, everywhere and always.
//!
//! `SplitMix64` of Steele and others: a counter, well mixed. Numbers below a bound are drawn by throwing
//! away what would make some of them likelier than others.
//!
//! Invariant: `below(n)` gives each of `0..n` with the same chance.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    state: u64,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the bound, which is not zero.
    pub(crate) fn below(&mut self, bound: u128) -> u128 {
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
    fn draws_stay_below_the_bound_and_reach_every_number() {
        let mut dice = Dice::new(7);
        for bound in [1, 2, 3, 5, 6, 64] {
            let mut seen = vec![false; usize::try_from(bound).unwrap()];
            for _ in 0..2000 {
                seen[usize::try_from(dice.below(bound)).unwrap()] = true;
            }
            assert!(seen.iter().all(|&seen| seen), "{bound}");
        }
        let mut again = Dice::new(7);
        assert_eq!(Dice::new(7).below(1 << 100), again.below(1 << 100));
    }
}
