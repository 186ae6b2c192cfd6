//! Joining two halves: in how many ways do a matching from above and one from below make one cycle?
//!
//! With u and w counting the matchings of the same 2j ends from either side, the answer is the sum of
//! u(S)·w(T) over all S, T whose union is a single cycle. Let point 0 have the partner a in S.
//! Contracting 0 and a in T gives T′ on the other points, and S ∪ T is one cycle just when S∖{0a} ∪ T′
//! is. So the sum over S splits by a into ranges of u, each joined with w contracted: a
//! recursion of about j²(2j−1)!! additions in place of ((2j−1)!!)² products. Several patterns with
//! the same number of ends are joined side by side.
//!
//! Invariant: every intermediate sum is at most (Σu)·(Σw), which the caller has bounded.
//! Cost: 21,000 additions for five pairs, 333,000 for six.
//! Source: `docs/design.md`, section 2.

use crate::count::middle::join::link::{Word, gather};
use crate::count::middle::join::matching::{DENSE, Op, matchings, sources};
use crate::run::threads;

/// Room for the contracted columns of all levels.
#[derive(Debug)]
pub(in crate::count::middle) struct Room<T, const LANES: usize> {
    levels: Vec<Vec<[T; LANES]>>,
}

impl<T: Word, const LANES: usize> Room<T, LANES> {
    pub(in crate::count::middle) fn new() -> Room<T, LANES> {
        Room { levels: (0..=DENSE).map(|_| Vec::new()).collect() }
    }
}

/// Joins columns of at most [`DENSE`] pairs, given by number.
pub(in crate::count::middle) fn join<T: Word, const LANES: usize>(
    pairs: usize,
    upper: &[[T; LANES]],
    lower: &[[T; LANES]],
    room: &mut Room<T, LANES>,
) -> [T; LANES] {
    let mut sum = [T::default(); LANES];
    match pairs {
        0 => {}
        1 => add_product(&mut sum, &upper[0], &lower[0]),
        2 => join_two(&mut sum, upper, lower),
        _ => {
            let fewer = matchings(pairs - 1);
            let fan = 2 * pairs - 2;
            let sources = sources(pairs);
            let mut contracted = std::mem::take(&mut room.levels[pairs - 1]);
            contracted.resize(fewer, [T::default(); LANES]);
            for (upper, sources) in upper.chunks_exact(fewer).zip(sources.chunks_exact(fewer * fan))
            {
                if upper.iter().all(|counts| counts.iter().all(|&count| count == T::default())) {
                    continue;
                }
                for (to, sources) in contracted.iter_mut().zip(sources.chunks_exact(fan)) {
                    let mut cell = [T::default(); LANES];
                    for &from in sources {
                        add(&mut cell, &lower[usize::from(from)]);
                    }
                    *to = cell;
                }
                add(&mut sum, &join(pairs - 1, upper, &contracted, room));
            }
            room.levels[pairs - 1] = contracted;
        }
    }
    sum
}

/// Two different matchings of four points make one cycle.
fn join_two<T: Word, const LANES: usize>(
    sum: &mut [T; LANES],
    upper: &[[T; LANES]],
    lower: &[[T; LANES]],
) {
    for lane in 0..LANES {
        let (a, b, c) = (lower[0][lane], lower[1][lane], lower[2][lane]);
        let ab = upper[2][lane].times(a.plus(b));
        let ac = upper[1][lane].times(a.plus(c));
        let bc = upper[0][lane].times(b.plus(c));
        sum[lane] = sum[lane].plus(ab).plus(ac).plus(bc);
    }
}

fn add<T: Word, const LANES: usize>(sum: &mut [T; LANES], other: &[T; LANES]) {
    for lane in 0..LANES {
        sum[lane] = sum[lane].plus(other[lane]);
    }
}

fn add_product<T: Word, const LANES: usize>(
    sum: &mut [T; LANES],
    upper: &[T; LANES],
    lower: &[T; LANES],
) {
    for lane in 0..LANES {
        sum[lane] = sum[lane].plus(upper[lane].times(lower[lane]));
    }
}

/// A list of so many states is worth the work of all threads.
const LONG: usize = 1 << 17;

/// Joins columns of more pairs, given as sorted lists, by contracting them down to where the tables begin. There are few
/// such columns, but some are very long: then all threads work on one.
pub(in crate::count::middle) fn join_sparse<T: Word>(
    pairs: usize,
    upper: &[(u32, T)],
    lower: &[(u32, T)],
) -> T {
    let fewer = u32::try_from(matchings(pairs - 1)).expect("22 points at most");
    let stretches = upper.chunk_by(|one, other| one.0 / fewer == other.0 / fewer);
    let join_stretch = |stretch: &[(u32, T)]| {
        let partner = usize::try_from(stretch[0].0 / fewer).expect("small") + 1;
        let above: Vec<(u32, T)> =
            stretch.iter().map(|&(number, count)| (number % fewer, count)).collect();
        let mut below = all_linked(pairs, lower, partner);
        if pairs - 1 > DENSE {
            gather(&mut below);
            join_sparse(pairs - 1, &above, &below)
        } else {
            let (above, below) = (spread(pairs - 1, &above), spread(pairs - 1, &below));
            join(pairs - 1, &above, &below, &mut Room::new())[0]
        }
    };
    if lower.len() < LONG {
        return stretches.map(join_stretch).fold(T::default(), T::plus);
    }
    threads::map(stretches, join_stretch).into_iter().fold(T::default(), T::plus)
}

/// For each matching S of at most [`DENSE`] pairs, the sum of w(T) over all T that make one cycle with it.
///
/// The recursion of [`join`], with the upper counts left out: one number for each S in place of one in all.
pub(in crate::count) fn weigh(
    pairs: usize,
    lower: &[u64],
    sums: &mut [u64],
    room: &mut Vec<Vec<u64>>,
) {
    match pairs {
        0 => {}
        1 => sums[0] = lower[0],
        2 => {
            let all: u64 = lower[..3].iter().sum();
            sums.iter_mut().zip(lower).for_each(|(sum, own)| *sum = all - own);
        }
        _ => {
            let fewer = matchings(pairs - 1);
            let fan = 2 * pairs - 2;
            let sources = sources(pairs);
            room.resize(DENSE + 1, Vec::new());
            let mut contracted = std::mem::take(&mut room[pairs - 1]);
            contracted.resize(fewer, 0);
            for (sums, sources) in
                sums.chunks_exact_mut(fewer).zip(sources.chunks_exact(fewer * fan))
            {
                for (to, sources) in contracted.iter_mut().zip(sources.chunks_exact(fan)) {
                    *to = sources.iter().map(|&from| lower[usize::from(from)]).sum();
                }
                weigh(pairs - 1, &contracted, sums, room);
            }
            room[pairs - 1] = contracted;
        }
    }
}

/// The same for more pairs: for each matching asked for, in ascending order, its sum is filled in.
pub(in crate::count) fn weigh_sparse(
    pairs: usize,
    asked: &mut [(u32, u64)],
    lower: &[(u32, u64)],
    room: &mut Vec<Vec<u64>>,
) {
    if pairs <= DENSE {
        let mut cells = vec![0; matchings(pairs)];
        for &(number, count) in lower {
            cells[number as usize] += count;
        }
        let mut sums = vec![0; cells.len()];
        weigh(pairs, &cells, &mut sums, room);
        for (number, sum) in asked {
            *sum = sums[*number as usize];
        }
        return;
    }
    let fewer = u32::try_from(matchings(pairs - 1)).expect("22 points at most");
    for stretch in asked.chunk_by_mut(|a, b| a.0 / fewer == b.0 / fewer) {
        let place = stretch[0].0 / fewer;
        let partner = usize::try_from(place).expect("small") + 1;
        let mut below = all_linked(pairs, lower, partner);
        gather(&mut below);
        for (number, _) in &mut *stretch {
            *number %= fewer;
        }
        weigh_sparse(pairs - 1, stretch, &below, room);
        for (number, _) in stretch {
            *number += place * fewer;
        }
    }
}

/// The numbers of matchings after linking point 0 with another, with their counts; those in which the two are partners
/// are left out.
fn all_linked<T: Copy>(pairs: usize, list: &[(u32, T)], other: usize) -> Vec<(u32, T)> {
    let link = Op::Link { p: 0, q: u8::try_from(other).expect("few points") };
    if let Some([_, table]) = link.tables(pairs, list.len()) {
        let sink = u32::try_from(matchings(pairs - 1)).expect("a tabled level");
        let linked = list.iter().map(|&(number, count)| (table[number as usize], count));
        return linked.filter(|&(number, _)| number != sink).collect();
    }
    let linked = |&(number, count): &(u32, T)| Some((link.apply(pairs, number)?, count));
    list.iter().filter_map(linked).collect()
}

/// A list written out by number, repeated numbers added up.
fn spread<T: Word>(pairs: usize, list: &[(u32, T)]) -> Vec<[T; 1]> {
    let mut cells = vec![[T::default()]; matchings(pairs)];
    for &(number, count) in list {
        let cell = &mut cells[number as usize][0];
        *cell = cell.plus(count);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::middle::join::matching::unrank;

    fn is_one_cycle(upper: &[u8], lower: &[u8]) -> bool {
        let mut at = 0;
        let mut steps = 0;
        loop {
            at = usize::from(lower[usize::from(upper[at])]);
            steps += 2;
            if at == 0 {
                return steps == upper.len();
            }
        }
    }

    fn by_definition(pairs: usize, upper: &[(u32, u64)], lower: &[(u32, u64)]) -> u64 {
        let mut sum = 0;
        for &(s, u) in upper {
            for &(t, w) in lower {
                let (s, t) = (unrank(pairs, s), unrank(pairs, t));
                sum += u * w * u64::from(is_one_cycle(&s[..2 * pairs], &t[..2 * pairs]));
            }
        }
        sum
    }

    #[test]
    fn contracting_says_what_the_definition_says() {
        let mut seed: u64 = 11;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for pairs in 1..=8 {
            let all = matchings(pairs) as u64;
            let size = all.min(300);
            let mut list = || {
                let mut list: Vec<(u32, u64)> =
                    (0..size).map(|_| (u32::try_from(random(all)).unwrap(), random(9))).collect();
                gather(&mut list);
                list
            };
            let (upper, lower) = (list(), list());
            let want = by_definition(pairs, &upper, &lower);
            let mut asked: Vec<(u32, u64)> = upper.iter().map(|&(number, _)| (number, 0)).collect();
            weigh_sparse(pairs, &mut asked, &lower, &mut Vec::new());
            let weighed = upper.iter().zip(&asked).map(|(&(_, count), &(_, sum))| count * sum);
            assert_eq!(weighed.sum::<u64>(), want, "{pairs} pairs, one by one");
            if pairs <= DENSE {
                let got = join::<u64, 1>(
                    pairs,
                    &spread(pairs, &upper),
                    &spread(pairs, &lower),
                    &mut Room::new(),
                );
                assert_eq!(got[0], want);
            }
            if pairs >= 2 {
                assert_eq!(join_sparse(pairs, &upper, &lower), want, "{pairs} pairs");
            }
        }
    }
}
