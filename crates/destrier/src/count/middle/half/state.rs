//! A half-built half board in sixteen bytes, with the number of ways to get there.
//!
//! Each frontier square has five bits: its own slot when no edge touches it, 31 when it has both,
//! and else the slot of the other end of its path. The count fills the bits that are left. Counts
//! that outgrow them are kept as several entries of the same state, so nothing is ever lost.
//!
//! Invariant: `mate(mate(x)) == x` for every end x; a count is at least 1.
//! Cost: a few shifts per edge; merging is one probe of a table that fits a cache.
//! Source: `docs/design.md`, section 2; the mate arrays of Knuth's SIMPATH (TAOCP 7.1.4).

/// A frontier and a count; see [`Packing`].
pub(in crate::count::middle) type State = u128;

/// The mate of a square that has both its edges.
pub(in crate::count::middle) const DONE: usize = 31;

/// How states are packed: so many slots of five bits, and the count above them.
#[derive(Clone, Copy, Debug)]
pub(in crate::count::middle) struct Packing {
    slots: usize,
}

impl Packing {
    pub(in crate::count::middle) fn new(slots: usize) -> Packing {
        assert!(slots < DONE.min(25), "five bits name a slot, and a count needs room");
        Packing { slots }
    }

    /// All slots untouched, reached in one way.
    pub(in crate::count::middle) fn blank(self) -> State {
        (0..self.slots)
            .fold(1 << (5 * self.slots), |state, slot| state | (slot as u128) << (5 * slot))
    }

    /// The bits that hold the frontier.
    pub(in crate::count::middle) fn key_mask(self) -> u128 {
        (1 << (5 * self.slots)) - 1
    }

    pub(in crate::count::middle) fn count(self, state: State) -> u128 {
        state >> (5 * self.slots)
    }

    /// Into how many lists states can be dealt at a time.
    pub(in crate::count::middle) const MOST_PARTS: usize = 1 << 6;

    /// How often a list can be dealt out further.
    pub(in crate::count::middle) const LEVELS: u32 = 4;

    /// Which of so many lists (a power of two) a state goes to; each level looks at other bits of its hash.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a few bits of a hash")]
    pub(in crate::count::middle) fn part(self, state: State, parts: usize, level: u32) -> usize {
        let mixed = hash(state & self.key_mask()).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> (58 - 9 * level)) as usize & (parts - 1)
    }

    /// Adds up the entries of equal states, leaving each once (or a few times, where the count is full).
    pub(in crate::count::middle) fn merge(self, list: &mut Vec<State>, room: &mut Vec<State>) {
        if list.len() < 2 {
            return;
        }
        if list.len() <= 12 {
            self.merge_few(list);
        } else if list.len() <= CHUNK {
            let merged = self.merge_hashed(list, room);
            list.truncate(merged);
        } else {
            self.merge_many(list, room);
        }
    }

    fn merge_few(self, list: &mut Vec<State>) {
        let mask = self.key_mask();
        let mut kept = 0;
        'next: for at in 0..list.len() {
            let state = list[at];
            for other in &mut list[..kept] {
                if (*other ^ state) & mask == 0
                    && let Some(sum) = other.checked_add(state & !mask)
                {
                    *other = sum;
                    continue 'next;
                }
            }
            list[kept] = state;
            kept += 1;
        }
        list.truncate(kept);
    }

    /// Merges in place by a table of twice the size; the merged states come first, in order of first sight.
    fn merge_hashed(self, list: &mut [State], room: &mut Vec<State>) -> usize {
        let mask = self.key_mask();
        let size = (2 * list.len()).next_power_of_two();
        let shift = 64 - size.trailing_zeros();
        if room.len() < size {
            room.resize(size, 0);
        }
        let table = &mut room[..size];
        table.fill(0);
        for &state in list.iter() {
            let mut at =
                usize::try_from(hash(state & mask) >> shift).expect("a place in the table");
            loop {
                let here = table[at];
                if here == 0 {
                    table[at] = state;
                    break;
                }
                if (here ^ state) & mask == 0
                    && let Some(sum) = here.checked_add(state & !mask)
                {
                    table[at] = sum;
                    break;
                }
                at = (at + 1) & (size - 1);
            }
        }
        let mut kept = 0;
        for &state in table.iter() {
            if state != 0 {
                list[kept] = state;
                kept += 1;
            }
        }
        kept
    }

    /// Deals a long list out by hash into stretches that fit a cache, and merges each.
    fn merge_many(self, list: &mut Vec<State>, room: &mut Vec<State>) {
        let mask = self.key_mask();
        let parts = (list.len() / (CHUNK / 2)).next_power_of_two();
        let part = |state: State| {
            (hash(state & mask).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize & (parts - 1)
        };
        let mut starts = vec![0; parts + 1];
        for &state in list.iter() {
            starts[part(state) + 1] += 1;
        }
        for at in 0..parts {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut dealt = vec![0; list.len()];
        for &state in list.iter() {
            let at = &mut next[part(state)];
            dealt[*at] = state;
            *at += 1;
        }
        list.clear();
        for stretch in starts.windows(2) {
            let stretch = &mut dealt[stretch[0]..stretch[1]];
            let merged = self.merge_hashed(stretch, room);
            list.extend_from_slice(&stretch[..merged]);
        }
    }
}

/// Lists up to this length are merged by one table.
const CHUNK: usize = 1 << 15;

fn hash(key: u128) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of the key")]
    let (low, high) = (key as u64, (key >> 64) as u64);
    let mixed = low.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ high.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// The slot of the other end, the slot itself if untouched, or [`DONE`].
#[inline]
pub(in crate::count::middle) fn mate(state: State, slot: usize) -> usize {
    (state >> (5 * slot)) as usize & 31
}

/// Writes a mate where `old` stood.
#[inline]
pub(in crate::count::middle) fn rewrite(
    state: State,
    slot: usize,
    old: usize,
    new: usize,
) -> State {
    state ^ (((old ^ new) as u128) << (5 * slot))
}

/// The degree of a slot: 0, 1 or 2.
#[inline]
pub(in crate::count::middle) fn degree(state: State, slot: usize) -> usize {
    match mate(state, slot) {
        DONE => 2,
        mate => usize::from(mate != slot),
    }
}

/// The lowest bit of each slot, and each slot holding its own name.
const LOW: u128 = each_slot(1, 0);
const OWN: u128 = each_slot(0, 1);

const fn each_slot(base: u128, step: u128) -> u128 {
    let mut bits = 0;
    let mut slot = 0;
    while slot < 25 {
        bits |= (base + step * slot) << (5 * slot);
        slot += 1;
    }
    bits
}

/// The lowest bits of a set of slots.
pub(in crate::count::middle) fn slot_bits(slots: impl IntoIterator<Item = usize>) -> u128 {
    slots.into_iter().fold(0, |bits, slot| bits | 1 << (5 * slot))
}

/// The sums of the degrees of two sets of slots, each given by [`slot_bits`].
#[inline]
pub(in crate::count::middle) fn degrees(state: State, sets: [u128; 2]) -> [u32; 2] {
    let other = state ^ OWN;
    let touched = (other | other >> 1 | other >> 2 | other >> 3 | other >> 4) & LOW;
    let done = state & state >> 1 & state >> 2 & state >> 3 & state >> 4 & LOW;
    sets.map(|set| (touched & set).count_ones() + (done & set).count_ones())
}

/// Links two slots by an edge; nothing if one is done or the edge would close a cycle.
#[inline]
pub(in crate::count::middle) fn linked(state: State, x: usize, y: usize) -> Option<State> {
    let (a, b) = (mate(state, x), mate(state, y));
    if a == DONE || b == DONE || a == y {
        return None;
    }
    let mut state = state;
    if a != x {
        state = rewrite(state, x, a, DONE);
    }
    if b != y {
        state = rewrite(state, y, b, DONE);
    }
    // The far ends become mates; an untouched square is its own far end.
    state = rewrite(state, a, x, b);
    state = rewrite(state, b, y, a);
    Some(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_keeps_every_count() {
        let packing = Packing::new(18);
        let one = packing.blank() & !packing.key_mask();
        for size in [1usize, 5, 13, 1000, 100_000] {
            let mut seed: u64 = 5;
            let mut list: Vec<State> = (0..size)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(3);
                    let key = u128::from(seed >> 50) << 60 | u128::from(seed >> 58);
                    key | (one * u128::from(1 + (seed >> 33) % 7))
                })
                .collect();
            let mut want = std::collections::BTreeMap::new();
            for &state in &list {
                *want.entry(state & packing.key_mask()).or_insert(0) += packing.count(state);
            }
            packing.merge(&mut list, &mut Vec::new());
            assert_eq!(list.len(), want.len());
            for state in list {
                assert_eq!(want[&(state & packing.key_mask())], packing.count(state));
            }
        }
    }

    #[test]
    fn degrees_of_sets_are_sums_of_degrees() {
        let packing = Packing::new(21);
        let mut state = packing.blank();
        for (x, y) in [(0, 5), (5, 20), (7, 8), (8, 0), (13, 2), (19, 13)] {
            state = linked(state, x, y).unwrap();
            let even = slot_bits((0..21).step_by(2));
            let odd = slot_bits((1..21).step_by(2));
            let sum =
                |from: usize| (from..21).step_by(2).map(|slot| degree(state, slot)).sum::<usize>();
            assert_eq!(degrees(state, [even, odd]).map(|sum| sum as usize), [sum(0), sum(1)]);
        }
    }

    #[test]
    fn a_full_count_is_split_and_not_lost() {
        let packing = Packing::new(24);
        let most = (1u128 << (128 - 5 * 24)) - 1;
        let key = packing.blank() & packing.key_mask();
        for copies in [3, 40] {
            let mut list = vec![key | most << (5 * 24); copies];
            packing.merge(&mut list, &mut Vec::new());
            assert_eq!(
                list.iter().map(|&state| packing.count(state)).sum::<u128>(),
                most * copies as u128
            );
        }
    }
}
