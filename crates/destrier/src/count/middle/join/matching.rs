//! Numbering the perfect matchings of 2j points, and what linking two points does to the numbers.
//!
//! A half board is a set of paths; once it is known which squares are path ends, all that is left
//! is who is joined to whom: a perfect matching of the ends. Matchings of 2j points are numbered
//! from 0 to (2j−1)!!−1, most significant first by the partner of the lowest point, so that fixing
//! that partner is a contiguous stretch of numbers. Moving a point, adding a pair and contracting
//! two points are then tables from number to number.
//!
//! Invariant: `rank(unrank(r)) == r`, and every table of a level ends with a sink that maps to a sink.
//! Cost: O(j) for a number; the tables of level 6 are 5 MB and are built in some 20 ms, once.
//! Source: the diagrams of the Brauer algebra; the tables are our own.

use std::sync::OnceLock;

/// The largest number of pairs that has tables.
pub(in crate::count) const DENSE: usize = 6;

/// The most points that a matching may have.
pub(in crate::count) const MOST_POINTS: usize = 22;

/// How many perfect matchings 2j points have: (2j−1)!!.
pub(in crate::count::middle) const fn matchings(pairs: usize) -> u64 {
    let mut product = 1;
    let mut factor = 1;
    while factor < 2 * pairs as u64 {
        product *= factor;
        factor += 2;
    }
    product
}

const COUNTS: [u64; 12] = {
    let mut counts = [1; 12];
    let mut pairs = 0;
    while pairs < 12 {
        counts[pairs] = matchings(pairs);
        pairs += 1;
    }
    counts
};

/// The number of a matching, given the partner of each of its points.
pub(in crate::count) fn rank(partners: &[u8]) -> u32 {
    let mut open: u32 = (1 << partners.len()) - 1;
    let mut number = 0;
    for below in (0..partners.len() / 2).rev() {
        let point = open.trailing_zeros() as usize;
        open &= open - 1;
        let partner: u32 = 1 << partners[point];
        let place = (open & (partner - 1)).count_ones();
        open &= !partner;
        number += u64::from(place) * COUNTS[below];
    }
    u32::try_from(number).expect("22 points have fewer than 2^32 matchings, 20 pairs of them less")
}

/// The partners in the matching of this number; the inverse of [`rank`].
pub(in crate::count) fn unrank(pairs: usize, number: u32) -> [u8; MOST_POINTS] {
    let mut partners = [0; MOST_POINTS];
    let mut open: u32 = (1 << (2 * pairs)) - 1;
    let mut rest = u64::from(number);
    for below in (0..pairs).rev() {
        let point = open.trailing_zeros();
        open &= open - 1;
        let mut later = open;
        for _ in 0..rest / COUNTS[below] {
            later &= later - 1;
        }
        rest %= COUNTS[below];
        let partner = later.trailing_zeros();
        open &= !(1 << partner);
        partners[point as usize] = small(partner);
        partners[partner as usize] = small(point);
    }
    partners
}

fn small(point: u32) -> u8 {
    u8::try_from(point).expect("a point is below 22")
}

/// From the number of a matching to the number of another; the last entry is the sink.
pub(in crate::count::middle) type Map = Box<[u16]>;

/// The tables for matchings of a fixed number of pairs, none above [`DENSE`].
#[derive(Debug)]
pub(in crate::count) struct Level {
    pairs: usize,
    /// `moved[from * 2j + to]`: the point at place `from` taken out and put back at place `to`.
    moved: Vec<Map>,
    /// `contracted[p * 2j + q]` for p < q: the ends p and q linked; the sink if they were partners.
    contracted: Vec<Map>,
    /// `inserted[p * 2j + q]` for p < q: from one pair fewer, a pair put in at places p and q.
    inserted: Vec<Map>,
    /// All places reversed, and all but the last reversed.
    reversed: [Map; 2],
    /// `sources[(a − 1) * (2j−3)!! + t]`: the 2j−2 matchings that contracting 0 and `a` maps to `t`.
    sources: Vec<u16>,
}

impl Level {
    /// The tables for so many pairs, built at the first call.
    pub(in crate::count) fn of(pairs: usize) -> &'static Level {
        static LEVELS: [OnceLock<Level>; DENSE + 1] = [const { OnceLock::new() }; DENSE + 1];
        LEVELS[pairs].get_or_init(|| Level::build(pairs))
    }

    /// The number that stands for no matching at all.
    pub(in crate::count) fn sink(&self) -> usize {
        index(COUNTS[self.pairs])
    }

    /// The map of taking the end at place `from` out and putting it back at place `to`.
    pub(in crate::count::middle) fn moved(&self, from: usize, to: usize) -> &[u16] {
        &self.moved[from * 2 * self.pairs + to]
    }

    /// The map to one pair fewer when the ends at places p < q are linked.
    pub(in crate::count::middle) fn contracted(&self, p: usize, q: usize) -> &[u16] {
        &self.contracted[p * 2 * self.pairs + q]
    }

    /// The map from one pair fewer when a new pair is put in at places p < q.
    pub(in crate::count::middle) fn inserted(&self, p: usize, q: usize) -> &[u16] {
        &self.inserted[p * 2 * self.pairs + q]
    }

    /// The map of reading the places backwards; the last stays where it is when `but_last`.
    pub(in crate::count::middle) fn reversed(&self, but_last: bool) -> &[u16] {
        &self.reversed[usize::from(but_last)]
    }

    /// For each partner of point 0 and each smaller matching, the 2j−2 matchings contracted to it.
    pub(in crate::count::middle) fn sources(&self) -> &[u16] {
        &self.sources
    }

    fn build(pairs: usize) -> Level {
        let points = 2 * pairs;
        let sink = index(COUNTS[pairs]);
        let identity: Map = (0..=sink).map(narrow).collect();
        let swapped: Vec<Map> = (1..points)
            .map(|place| {
                permuted(pairs, |p| {
                    if p == place {
                        p - 1
                    } else if p + 1 == place {
                        p + 1
                    } else {
                        p
                    }
                })
            })
            .collect();
        let mut moved = vec![Map::default(); points * points];
        for from in 0..points {
            moved[from * points + from].clone_from(&identity);
            for to in from + 1..points {
                moved[from * points + to] =
                    composed(&moved[from * points + to - 1], &swapped[to - 1]);
            }
            for to in (0..from).rev() {
                moved[from * points + to] = composed(&moved[from * points + to + 1], &swapped[to]);
            }
        }
        let mut level = Level {
            pairs,
            moved,
            contracted: vec![Map::default(); points * points],
            inserted: vec![Map::default(); points * points],
            reversed: [
                permuted(pairs, |p| points - 1 - p),
                permuted(pairs, |p| if p + 1 == points { p } else { points - 2 - p }),
            ],
            sources: Vec::new(),
        };
        if pairs > 0 {
            level.link_tables();
        }
        level
    }

    fn link_tables(&mut self) {
        let points = 2 * self.pairs;
        let fewer = index(COUNTS[self.pairs - 1]);
        // A pair at places 0 and 1 adds nothing to the number: the map in is the identity.
        let first_two: Map = (0..fewer).map(narrow).chain([narrow(self.sink())]).collect();
        let linked: Map = (0..=self.sink())
            .map(|number| match number {
                number if number < fewer || number == self.sink() => narrow(fewer),
                number => {
                    let mut partners = unrank(self.pairs, u32::from(narrow(number)));
                    let (b, c) = (partners[0], partners[1]);
                    partners[usize::from(b)] = c;
                    partners[usize::from(c)] = b;
                    let rest: Vec<u8> = partners[2..points].iter().map(|&p| p - 2).collect();
                    narrow(rank(&rest) as usize)
                }
            })
            .collect();
        for p in 0..points {
            for q in p + 1..points {
                let spread = composed(&composed(&first_two, self.moved(1, q)), self.moved(0, p));
                self.inserted[p * points + q] = spread;
                let gathered = composed(&composed(self.moved(p, 0), self.moved(q, 1)), &linked);
                self.contracted[p * points + q] = gathered;
            }
        }
        let fan = points - 2;
        self.sources = Vec::with_capacity((points - 1) * fewer * fan);
        for a in 1..points {
            let mut into: Vec<Vec<u16>> = vec![Vec::with_capacity(fan); fewer + 1];
            for (number, &to) in self.contracted(0, a)[..self.sink()].iter().enumerate() {
                into[usize::from(to)].push(narrow(number));
            }
            self.sources.extend(into[..fewer].iter().flatten());
        }
        debug_assert_eq!(self.sources.len(), (points - 1) * fewer * fan);
    }
}

fn index(number: u64) -> usize {
    usize::try_from(number).expect("matchings of a level are few")
}

fn narrow(number: usize) -> u16 {
    u16::try_from(number).expect("levels with tables have fewer than 2^16 matchings")
}

fn composed(first: &[u16], then: &[u16]) -> Map {
    first.iter().map(|&number| then[usize::from(number)]).collect()
}

/// The map of moving each place p to `to(p)`.
fn permuted(pairs: usize, to: impl Fn(usize) -> usize) -> Map {
    let sink = COUNTS[pairs];
    (0..sink)
        .map(|number| {
            let partners = unrank(pairs, u32::try_from(number).expect("small"));
            let mut other = [0; MOST_POINTS];
            for p in 0..2 * pairs {
                other[to(p)] = small(u32::try_from(to(usize::from(partners[p]))).expect("small"));
            }
            narrow(rank(&other[..2 * pairs]) as usize)
        })
        .chain([narrow(index(sink))])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_matchings_are_the_same_thing() {
        for pairs in 1..=7 {
            for number in 0..u32::try_from(matchings(pairs)).unwrap() {
                let partners = unrank(pairs, number);
                for p in 0..2 * pairs {
                    assert_eq!(usize::from(partners[usize::from(partners[p])]), p);
                    assert_ne!(usize::from(partners[p]), p);
                }
                assert_eq!(rank(&partners[..2 * pairs]), number);
            }
        }
    }

    /// The slow way: carry the partners over, point by point.
    fn by_hand(pairs: usize, number: u32, places: &[usize]) -> u32 {
        let partners = unrank(pairs, number);
        let mut other = vec![0; 2 * pairs];
        for p in 0..2 * pairs {
            other[places[p]] = u8::try_from(places[usize::from(partners[p])]).unwrap();
        }
        rank(&other)
    }

    #[test]
    fn tables_say_what_the_partners_say() {
        for pairs in 1..=4 {
            let level = Level::of(pairs);
            let points = 2 * pairs;
            for number in 0..level.sink() {
                let plain = u32::try_from(number).unwrap();
                for from in 0..points {
                    for to in 0..points {
                        let mut order: Vec<usize> = (0..points).filter(|&p| p != from).collect();
                        order.insert(to, from);
                        let mut places = vec![0; points];
                        for (place, &p) in order.iter().enumerate() {
                            places[p] = place;
                        }
                        let want = by_hand(pairs, plain, &places);
                        assert_eq!(u32::from(level.moved(from, to)[number]), want);
                    }
                }
                for p in 0..points {
                    for q in p + 1..points {
                        let partners = unrank(pairs, plain);
                        let contracted = usize::from(level.contracted(p, q)[number]);
                        if usize::from(partners[p]) == q {
                            assert_eq!(contracted, Level::of(pairs - 1).sink());
                            continue;
                        }
                        let kept: Vec<usize> = (0..points).filter(|&x| x != p && x != q).collect();
                        let smaller = unrank(pairs - 1, u32::try_from(contracted).unwrap());
                        for (place, &x) in kept.iter().enumerate() {
                            let mut mate = usize::from(partners[x]);
                            if mate == p {
                                mate = usize::from(partners[q]);
                            } else if mate == q {
                                mate = usize::from(partners[p]);
                            }
                            assert_eq!(kept[usize::from(smaller[place])], mate);
                        }
                    }
                }
            }
            let fewer = Level::of(pairs - 1).sink();
            for number in 0..fewer {
                for p in 0..points {
                    for q in p + 1..points {
                        let grown = u32::from(level.inserted(p, q)[number]);
                        let partners = unrank(pairs, grown);
                        assert_eq!(usize::from(partners[p]), q);
                        let kept: Vec<usize> = (0..points).filter(|&x| x != p && x != q).collect();
                        let smaller = unrank(pairs - 1, u32::try_from(number).unwrap());
                        for (place, &x) in kept.iter().enumerate() {
                            assert_eq!(kept[usize::from(smaller[place])], usize::from(partners[x]));
                        }
                    }
                }
            }
        }
    }
}
