//! Ranking: a number for every placement of the knights, without gaps, and back.
//!
//! The groups (empty vertices first, then the colours) choose their vertices one after the other among
//! those still free; each choice has a rank among its `C(free, count)`, and the ranks are the digits
//! of the number. The last group has no choice left.
//!
//! Invariant: `unrank` is the inverse of `rank`, and the numbers are exactly `0..len`.
//! Cost: two look-ups per group, and a few shifts for each vertex taken before.
//! Source: the combinatorial number system (Pascal 1887; Lehmer); Knuth 4A, 7.2.1.3.

/// How one group chooses its vertices.
#[derive(Clone, Debug)]
struct Stage {
    /// 0 for the empty vertices, otherwise the colour's code.
    group: usize,
    single: bool,
    /// How many choices there are.
    size: u64,
    low_bits: u32,
    /// By the upper half of the choice: how many choices have a smaller one.
    high_base: Vec<u32>,
    /// By the lower half: its rank among those with as many vertices.
    low_rank: Vec<u32>,
    /// All lower halves, in order, by their number of vertices.
    low_list: Vec<u32>,
    /// Where those with each number of vertices begin.
    low_start: Vec<usize>,
    /// The upper halves that occur.
    highs: Vec<High>,
}

/// An upper half: the choices that have it begin with rank `base`, and their lower halves are listed
/// from `lows` on.
#[derive(Clone, Copy, Debug)]
struct High {
    base: u32,
    half: u32,
    lows: u32,
}

/// Numbers for placements on at most 32 vertices.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    squares: u32,
    all: u32,
    stages: Vec<Stage>,
    last: usize,
    len: u64,
}

fn binomial(n: u32, k: u32) -> u64 {
    (0..u64::from(k.min(n - k))).fold(1, |c, i| c * (u64::from(n) - i) / (i + 1))
}

impl Stage {
    /// `count` vertices out of `width`; `None` where the choices do not fit a word.
    fn new(group: usize, width: u32, count: u32) -> Option<Self> {
        let size = binomial(width, count);
        if size > u64::from(u32::MAX) {
            return None;
        }
        let low_bits = width / 2;
        let high_bits = width - low_bits;
        let single = count == 1;
        let mut stage = Self {
            group,
            single,
            size,
            low_bits,
            high_base: Vec::new(),
            low_rank: Vec::new(),
            low_list: Vec::new(),
            low_start: vec![0],
            highs: Vec::new(),
        };
        if single {
            return Some(stage);
        }
        stage.low_rank = vec![0; 1 << low_bits];
        for ones in 0..=low_bits {
            let mut rank = 0;
            for low in 0..1u32 << low_bits {
                if low.count_ones() == ones {
                    stage.low_rank[low as usize] = rank;
                    stage.low_list.push(low);
                    rank += 1;
                }
            }
            stage.low_start.push(stage.low_list.len());
        }
        let mut base = 0u32;
        for high in 0..1u32 << high_bits {
            stage.high_base.push(base);
            let ones = high.count_ones();
            if ones <= count && count - ones <= low_bits {
                let lows = stage.low_start[(count - ones) as usize];
                let lows = u32::try_from(lows).expect("at most 2¹⁶ lower halves");
                stage.highs.push(High { base, half: high, lows });
                let choices = binomial(low_bits, count - ones);
                base = base.wrapping_add(u32::try_from(choices).expect("a part of `size`"));
            }
        }
        Some(stage)
    }

    #[inline]
    fn rank(&self, choice: u32) -> u32 {
        let low = choice & ((1 << self.low_bits) - 1);
        self.high_base[(choice >> self.low_bits) as usize] + self.low_rank[low as usize]
    }

    /// The choice with this rank. `hint` is where the last one was found.
    #[inline]
    fn unrank(&self, rank: u32, hint: &mut usize) -> u32 {
        let ends = |at: usize| self.highs.get(at + 1).map_or(u32::MAX, |next| next.base);
        if *hint >= self.highs.len() || rank < self.highs[*hint].base || rank >= ends(*hint) {
            let next = *hint + 1;
            *hint = if next < self.highs.len() && rank >= self.highs[next].base && rank < ends(next)
            {
                next
            } else {
                self.highs.partition_point(|high| high.base <= rank) - 1
            };
        }
        let High { base, half, lows } = self.highs[*hint];
        half << self.low_bits | self.low_list[(lows + rank - base) as usize]
    }
}

/// Removes the bits in `taken` from `mask` and closes the gaps.
#[inline]
fn compress(mut mask: u32, mut taken: u32) -> u32 {
    while taken != 0 {
        let top = taken.ilog2();
        taken ^= 1 << top;
        let below = (1u32 << top) - 1;
        mask = (mask & below) | (mask >> 1 & !below);
    }
    mask
}

/// Opens a gap in `mask` at each bit of `taken`.
#[inline]
fn expand(mut mask: u32, mut taken: u32) -> u32 {
    while taken != 0 {
        let below = (1u32 << taken.trailing_zeros()) - 1;
        taken &= taken - 1;
        mask = (mask & below) | (mask & !below) << 1;
    }
    mask
}

/// Remembers where the last number was, for numbers in rising order.
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    hints: Vec<usize>,
    /// For two colours: the numbers of all placements with these empty vertices.
    block: std::ops::Range<u64>,
    empty: u32,
}

impl Ranking {
    /// `counts[0]` empty vertices and `counts[c]` knights of colour `c`. `None` where there are more than
    /// 32 vertices or the numbers do not fit 63 bits.
    pub(super) fn new(counts: &[usize]) -> Option<Self> {
        let squares =
            u32::try_from(counts.iter().sum::<usize>()).ok().filter(|&n| (1..=32).contains(&n))?;
        let all = u32::MAX >> (32 - squares);
        let last = counts.len() - 1;
        let mut stages = Vec::new();
        let mut width = squares;
        let mut len = 1u64;
        for (group, &count) in counts[..last].iter().enumerate() {
            let count = u32::try_from(count).ok()?;
            if count > 0 {
                let stage = Stage::new(group, width, count)?;
                len = len.checked_mul(stage.size).filter(|&len| len < 1 << 62)?;
                stages.push(stage);
                width -= count;
            }
        }
        Some(Self { squares, all, stages, last, len })
    }

    /// How many placements there are.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The number of a placement; `masks[0]` are the empty vertices, `masks[c]` those of colour `c`.
    #[inline]
    pub(super) fn rank(&self, masks: &[u32]) -> u64 {
        let mut index = 0;
        let mut taken = 0u32;
        for stage in &self.stages {
            let mask = masks[stage.group];
            let digit = if stage.single {
                mask.trailing_zeros() - (taken & (mask - 1)).count_ones()
            } else {
                stage.rank(compress(mask, taken))
            };
            index = index * stage.size + u64::from(digit);
            taken |= mask;
        }
        index
    }

    /// The placement with this number.
    #[expect(clippy::cast_possible_truncation, reason = "a digit is below its stage's size")]
    pub(super) fn unrank(&self, index: u64, cursor: &mut Cursor, masks: &mut [u32]) {
        cursor.hints.resize(self.stages.len(), 0);
        let mut digits = [0u32; 64];
        let mut rest = index;
        for (i, stage) in self.stages.iter().enumerate().skip(1).rev() {
            digits[i] = (rest % stage.size) as u32;
            rest /= stage.size;
        }
        digits[0] = rest as u32;
        masks.fill(0);
        let mut taken = 0u32;
        for (i, stage) in self.stages.iter().enumerate() {
            let choice = if stage.single {
                1 << digits[i]
            } else {
                stage.unrank(digits[i], &mut cursor.hints[i])
            };
            let mask = expand(choice, taken);
            masks[stage.group] = mask;
            taken |= mask;
        }
        masks[self.last] = self.all & !taken;
        debug_assert!(self.squares <= 32);
    }

    /// Are there only empty vertices and two colours, for which there are faster functions?
    pub(super) fn is_two(&self) -> bool {
        self.stages.len() == 2 && self.last == 2
    }

    /// [`Self::rank`] for two colours: the empty vertices and those of colour 1.
    #[inline]
    pub(super) fn rank_two(&self, empty: u32, one: u32) -> u64 {
        let [first, second] = &self.stages[..] else { return 0 };
        let high = if first.single { empty.trailing_zeros() } else { first.rank(empty) };
        let choice = compress(one, empty);
        let low = if second.single { choice.trailing_zeros() } else { second.rank(choice) };
        u64::from(high) * second.size + u64::from(low)
    }

    /// [`Self::unrank`] for two colours, best with numbers in rising order.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a digit is below its stage's size")]
    pub(super) fn unrank_two(&self, index: u64, cursor: &mut Cursor) -> (u32, u32) {
        let [first, second] = &self.stages[..] else { return (0, 0) };
        if !cursor.block.contains(&index) {
            cursor.hints.resize(2, 0);
            let digit = index / second.size;
            cursor.block = digit * second.size..(digit + 1) * second.size;
            cursor.empty = if first.single {
                1 << digit
            } else {
                first.unrank(digit as u32, &mut cursor.hints[0])
            };
        }
        let digit = (index - cursor.block.start) as u32;
        let choice =
            if second.single { 1 << digit } else { second.unrank(digit, &mut cursor.hints[1]) };
        (cursor.empty, expand(choice, cursor.empty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_placements_are_one_to_one() {
        for counts in [
            vec![2, 3, 3],
            vec![1, 1, 1, 1, 1],
            vec![4, 2],
            vec![0, 3, 2],
            vec![3, 1, 2, 2],
            vec![5, 0],
        ] {
            let ranking = Ranking::new(&counts).unwrap();
            let mut cursor = Cursor::default();
            let mut masks = vec![0; counts.len()];
            for index in 0..ranking.len() {
                ranking.unrank(index, &mut cursor, &mut masks);
                let ones: Vec<usize> =
                    masks.iter().map(|mask| mask.count_ones() as usize).collect();
                assert_eq!(ones, counts);
                assert_eq!(ranking.rank(&masks), index);
                if ranking.is_two() {
                    assert_eq!(ranking.rank_two(masks[0], masks[1]), index);
                    let other = ranking.len() - 1 - index;
                    ranking.unrank_two(other, &mut cursor);
                    assert_eq!(ranking.unrank_two(index, &mut cursor), (masks[0], masks[1]));
                }
            }
        }
        assert_eq!(Ranking::new(&[1, 12, 12]).unwrap().len(), 67_603_900);
        assert!(Ranking::new(&[1, 16, 16]).is_none(), "33 squares are too many");
    }
}
