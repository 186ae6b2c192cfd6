//! Numbering the perfect matchings of 2j points, and what adding an edge does to the numbers.
//!
//! A half board is a set of paths; once it is known which squares are path ends, all that is left is who is joined to
//! whom: a perfect matching of the ends. Matchings of 2j points are numbered from 0 to (2j−1)!!−1, most significant
//! first by the partner of the lowest point, so that fixing that partner is a contiguous range of numbers. Adding an
//! edge moves an end, links two ends, or puts in a pair of new ones: each is a table from number to number.
//!
//! Invariant: `rank(unrank(r)) == r`; a table ends with the sink, which stands for no matching and maps to the sink.
//! Cost: O(j) for a number. Tables are made when first asked for, in about a nanosecond an entry: 20 KB each for six
//! pairs, 0.5 MB for seven.
//! Source: the diagrams of the Brauer algebra (1937); the tables are our own.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::count::middle::join::pattern::{Middle, Pattern, digit, ends_before, pairs};

/// The most points that a matching may have.
pub(in crate::count) const MOST_POINTS: usize = 24;

/// Matchings of at most so many pairs have numbers of sixteen bits, and columns with a cell for each.
pub(in crate::count) const DENSE: usize = 6;

/// Operations on more pairs than this have no tables.
const TABLED: usize = 7;

/// How many perfect matchings 2j points have: (2j−1)!!.
const MATCHINGS: [u64; 12] = {
    let mut counts = [1; 12];
    let mut pairs = 1;
    while pairs < 12 {
        counts[pairs] = counts[pairs - 1] * (2 * pairs as u64 - 1);
        pairs += 1;
    }
    counts
};

/// How many perfect matchings so many pairs of points have, as an index.
pub(in crate::count) fn matchings(pairs: usize) -> usize {
    usize::try_from(MATCHINGS[pairs]).expect("matchings of few points")
}

/// The partners of the points of a matching.
pub(in crate::count) type Partners = [u8; MOST_POINTS];

/// The number of a matching, given the partner of each of its points.
pub(in crate::count) fn rank(partners: &[u8]) -> u32 {
    let mut open: u32 = (1 << partners.len()) - 1;
    let mut number = 0;
    for below in (0..partners.len() / 2).rev() {
        let point = open.trailing_zeros() as usize;
        open &= open - 1;
        let partner: u32 = 1 << partners[point];
        number += u64::from((open & (partner - 1)).count_ones()) * MATCHINGS[below];
        open &= !partner;
    }
    u32::try_from(number).expect("20 points have fewer than 2^32 matchings")
}

/// The partners in the matching of this number; the inverse of [`rank`].
pub(in crate::count) fn unrank(pairs: usize, number: u32) -> Partners {
    let mut partners = [0; MOST_POINTS];
    let mut open: u32 = (1 << (2 * pairs)) - 1;
    let mut rest = number;
    for below in (0..pairs).rev() {
        let point = open.trailing_zeros();
        open &= open - 1;
        let (place, less) = split(rest, below);
        rest = less;
        let mut later = open;
        for _ in 0..place {
            later &= later - 1;
        }
        let partner = later.trailing_zeros();
        open &= !(1 << partner);
        partners[point as usize] = small(partner);
        partners[partner as usize] = small(point);
    }
    partners
}

/// Quotient and remainder by (2j−1)!!, each a division by a constant.
#[inline]
fn split(number: u32, pairs: usize) -> (u32, u32) {
    const fn by<const DIVISOR: u32>(number: u32) -> (u32, u32) {
        (number / DIVISOR, number % DIVISOR)
    }
    match pairs {
        0 | 1 => (number, 0),
        2 => by::<3>(number),
        3 => by::<15>(number),
        4 => by::<105>(number),
        5 => by::<945>(number),
        6 => by::<10_395>(number),
        7 => by::<135_135>(number),
        8 => by::<2_027_025>(number),
        9 => by::<34_459_425>(number),
        10 => by::<654_729_075>(number),
        _ => unreachable!("more than eleven pairs"),
    }
}

fn small(point: u32) -> u8 {
    u8::try_from(point).expect("few points")
}

/// For each partner a of point 0 and each matching of one pair fewer: the 2j−2 matchings that linking 0 and a
/// makes it of.
pub(in crate::count::middle) fn sources(pairs: usize) -> &'static [u16] {
    static SOURCES: [OnceLock<Box<[u16]>>; DENSE + 1] = [const { OnceLock::new() }; DENSE + 1];
    SOURCES[pairs].get_or_init(|| {
        let fewer = matchings(pairs - 1);
        let partners = 1..small(u32::try_from(2 * pairs).expect("few points"));
        let made_of = |a| {
            let mut into: Vec<Vec<u16>> = vec![Vec::with_capacity(2 * pairs - 2); fewer + 1];
            let table = Op::Link { p: 0, q: a }.small_table(pairs);
            for (number, &to) in (0..).zip(&table[..matchings(pairs)]) {
                into[usize::from(to)].push(number);
            }
            into.truncate(fewer);
            into.into_iter().flatten()
        };
        partners.flat_map(made_of).collect()
    })
}

/// What adding an edge does to the ends of a pattern, which are numbered in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::count) enum Op {
    /// Nothing.
    Same,
    /// The end at one place is taken out and put back at another.
    Move { from: u8, to: u8 },
    /// The ends at places p < q are linked, and gone; if they were partners, a cycle closes.
    Link { p: u8, q: u8 },
    /// A pair of partners is put in, at places p < q of the ends there are then.
    Insert { p: u8, q: u8 },
}

impl Op {
    /// What adding an edge between two places does to the ends of a pattern: `before` becomes `after`.
    #[inline]
    pub(in crate::count) fn edge(before: Pattern, after: Pattern, x: usize, y: usize) -> Op {
        let place = |pattern: Pattern, at: usize| small(ends_before(pattern, at));
        let in_order = |a: u8, b: u8| (a.min(b), a.max(b));
        let moved = |from: u8, to: u8| if from == to { Op::Same } else { Op::Move { from, to } };
        match (digit(before, x), digit(before, y)) {
            (0, 0) => {
                let (p, q) = in_order(place(after, x), place(after, y));
                Op::Insert { p, q }
            }
            (0, _) => moved(place(before, y), place(after, x)),
            (_, 0) => moved(place(before, x), place(after, y)),
            _ => {
                let (p, q) = in_order(place(before, x), place(before, y));
                Op::Link { p, q }
            }
        }
    }

    /// How many pairs there are afterwards.
    pub(in crate::count) fn pairs_after(self, pairs: usize) -> usize {
        match self {
            Op::Same | Op::Move { .. } => pairs,
            Op::Link { .. } => pairs - 1,
            Op::Insert { .. } => pairs + 1,
        }
    }

    /// The number afterwards; nothing if a cycle closes.
    pub(in crate::count) fn apply(self, pairs: usize, number: u32) -> Option<u32> {
        if self == Op::Same {
            return Some(number);
        }
        let points = 2 * pairs;
        let mut before = unrank(pairs, number);
        let mut after = [0; MOST_POINTS];
        let to = |point: u8| match self {
            Op::Same => point,
            Op::Move { from, to } if point == from => to,
            Op::Move { from, to } => {
                let closed = point - u8::from(point > from);
                closed + u8::from(closed >= to)
            }
            Op::Link { p, q } => point - u8::from(point > p) - u8::from(point > q),
            Op::Insert { p, q } => {
                let first = point + u8::from(point >= p);
                first + u8::from(first >= q)
            }
        };
        if let Op::Link { p, q } = self {
            let (b, c) = (before[usize::from(p)], before[usize::from(q)]);
            if b == q {
                return None;
            }
            (before[usize::from(b)], before[usize::from(c)]) = (c, b);
        }
        for point in 0..small(u32::try_from(points).expect("few points")) {
            if !matches!(self, Op::Link { p, q } if point == p || point == q) {
                after[usize::from(to(point))] = to(before[usize::from(point)]);
            }
        }
        if let Op::Insert { p, q } = self {
            (after[usize::from(p)], after[usize::from(q)]) = (q, p);
        }
        Some(rank(&after[..2 * self.pairs_after(pairs)]))
    }

    /// Has it a table of sixteen bits?
    pub(in crate::count) fn is_small(self, pairs: usize) -> bool {
        pairs.max(self.pairs_after(pairs)) <= DENSE
    }

    /// The table of sixteen bits, by number; the sink is last.
    pub(in crate::count) fn small_table(self, pairs: usize) -> &'static [u16] {
        static TABLES: OnceLock<Tables<u16>> = OnceLock::new();
        TABLES.get_or_init(Tables::new).slot(self, pairs).get_or_init(|| self.build(pairs))
    }

    /// One or two tables to go through, by number, if there are any; the sink is last in each.
    ///
    /// Two, so that there are few: an end goes by way of the first place. Large ones are made when so many states have
    /// asked for them that it pays.
    pub(in crate::count) fn tables(
        self,
        pairs: usize,
        states: usize,
    ) -> Option<[&'static [u32]; 2]> {
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        let most = pairs.max(self.pairs_after(pairs));
        let is_worth_it = || ASKED.fetch_add(states, Relaxed) > 4 * matchings(TABLED);
        if most > TABLED || most > DENSE && !is_worth_it() {
            return None;
        }
        let move_of = |from, to| if from == to { Op::Same } else { Op::Move { from, to } };
        let [one, other] = match self {
            Op::Move { from, to } => [move_of(from, 0), move_of(0, to)],
            Op::Link { p, q } => [move_of(p, 0), Op::Link { p: 0, q }],
            Op::Same | Op::Insert { .. } => [Op::Same, self],
        };
        Some([one, other].map(|op| if op == Op::Same { &[][..] } else { op.table(pairs) }))
    }

    fn table(self, pairs: usize) -> &'static [u32] {
        static TABLES: OnceLock<Tables<u32>> = OnceLock::new();
        TABLES.get_or_init(Tables::new).slot(self, pairs).get_or_init(|| self.build(pairs))
    }

    /// A table, made of those for one pair fewer.
    ///
    /// The matchings in which point 0 has a given partner are a stretch of numbers, in which the other points are numbered
    /// as if they were alone: what becomes of them is an operation on one pair fewer.
    fn build<N: TryFrom<u32>>(self, pairs: usize) -> Box<[N]> {
        let stretch = |pairs: usize| u32::try_from(MATCHINGS[pairs]).expect("a tabled level");
        let numbers = 0..stretch(pairs);
        let end = stretch(self.pairs_after(pairs));
        let mut table: Vec<u32> = Vec::with_capacity(matchings(pairs) + 1);
        match self {
            Op::Same | Op::Move { from: 0, to: 0 } => table.extend(numbers),
            Op::Insert { p: 0, q } => {
                table.extend(numbers.map(|number| u32::from(q - 1) * stretch(pairs) + number));
            }
            Op::Move { from, to: 0 } => {
                table.resize(matchings(pairs), 0);
                let there = Op::Move { from: 0, to: from };
                there.each_number(pairs, |number, to| table[to as usize] = number);
            }
            _ => {
                for partner in 1..small(u32::try_from(2 * pairs).expect("few points")) {
                    let Some((now, rest)) = self.beside(partner) else {
                        table.extend((0..stretch(pairs - 1)).map(|_| end));
                        continue;
                    };
                    let sink = stretch(rest.pairs_after(pairs - 1));
                    let first = now.map_or(0, |now| u32::from(now - 1) * sink);
                    rest.each_number(pairs - 1, |_, to| {
                        table.push(if to == sink { end } else { first + to });
                    });
                }
            }
        }
        table.push(end);
        let number = |to: u32| N::try_from(to).ok().expect("a number of a tabled level");
        table.into_iter().map(number).collect()
    }

    /// Where point 0 has this partner: the partner that it has afterwards, if it is still there and the lowest, and what
    /// becomes of the other points, or of all points but the partner; nothing if a cycle closes.
    fn beside(self, partner: u8) -> Option<(Option<u8>, Op)> {
        // The place of a point among those without two others.
        let without =
            |point: u8, one: u8, two: u8| point - u8::from(point > one) - u8::from(point > two);
        let moved = |from: u8, to: u8| if from == to { Op::Same } else { Op::Move { from, to } };
        Some(match self {
            Op::Same => (Some(partner), Op::Same),
            Op::Insert { p, q } => {
                let first = partner + u8::from(partner >= p);
                let now = first + u8::from(first >= q);
                let [p, q] = [p, q].map(|new| without(new, 0, now));
                (Some(now), Op::Insert { p, q })
            }
            // The pair is taken out and put in elsewhere.
            Op::Move { from: 0, to } => {
                let now = partner - u8::from(partner <= to);
                (None, Op::Insert { p: now.min(to), q: now.max(to) })
            }
            Op::Move { from, to } if partner == from => (Some(to), Op::Same),
            Op::Move { from, to } => {
                let closed = partner - u8::from(partner > from);
                let now = closed + u8::from(closed >= to);
                (Some(now), moved(without(from, 0, partner), without(to, 0, now)))
            }
            // The partner of one end becomes that of the other end's partner, which takes its place.
            Op::Link { p: 0, q } if partner == q => return None,
            Op::Link { p: 0, q } => (None, moved(without(q, 0, partner), without(partner, 0, q))),
            Op::Link { p, q } if partner == p => (None, moved(without(q, 0, p), 0)),
            Op::Link { p, q } if partner == q => (None, moved(without(p, 0, q), 0)),
            Op::Link { p, q } => {
                let [from, to] = [p, q].map(|end| without(end, 0, partner));
                (Some(without(partner, p, q)), Op::Link { p: from, q: to })
            }
        })
    }

    /// Shows every number with the one that it becomes.
    fn each_number(self, pairs: usize, mut show: impl FnMut(u32, u32)) {
        let last = matchings(pairs);
        if self.is_small(pairs) {
            let table = &self.small_table(pairs)[..last];
            (0..).zip(table).for_each(|(number, &to)| show(number, to.into()));
        } else {
            let table = &self.table(pairs)[..last];
            (0..).zip(table).for_each(|(number, &to)| show(number, to));
        }
    }
}

/// A table for each operation and number of pairs, made when it is first asked for.
struct Tables<T>(Vec<OnceLock<Box<[T]>>>);

/// Places of ends that tables can have, at most.
const PLACES: usize = 2 * TABLED;

impl<T> Tables<T> {
    fn new() -> Tables<T> {
        Tables((0..4 * (TABLED + 1) * PLACES * PLACES).map(|_| OnceLock::new()).collect())
    }

    fn slot(&self, op: Op, pairs: usize) -> &OnceLock<Box<[T]>> {
        let (kind, one, other) = match op {
            Op::Same => (0, 0, 0),
            Op::Move { from, to } => (1, from, to),
            Op::Link { p, q } => (2, p, q),
            Op::Insert { p, q } => (3, p, q),
        };
        let level = kind * (TABLED + 1) + pairs;
        &self.0[(level * PLACES + usize::from(one)) * PLACES + usize::from(other)]
    }
}

/// The order of the ends read backwards, but for the last where that is the apex, and with two neighbours exchanged
/// where the two squares of the centre file are both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::count::middle) struct Mirror {
    pub(in crate::count::middle) pairs: usize,
    pub(in crate::count::middle) but_last: bool,
    /// After reversing, the place of the first of the two that are exchanged.
    pub(in crate::count::middle) centre: Option<u8>,
}

impl Mirror {
    /// From the matchings of a pattern of the middle rows to those of its mirror image.
    pub(in crate::count::middle) fn of(middle: Middle, pattern: Pattern) -> Mirror {
        let centre = middle.centre_ends(middle.mirrored(pattern)).map(small);
        Mirror { pairs: pairs(pattern), but_last: middle.apex_is_end(pattern), centre }
    }

    /// The number of the mirrored matching.
    pub(in crate::count::middle) fn apply(self, number: u32) -> u32 {
        if self.pairs <= DENSE {
            return self.maps().fold(number, |number, map| u32::from(map[number as usize]));
        }
        let points = 2 * self.pairs;
        let partners = unrank(self.pairs, number);
        let centre = self.centre.map(usize::from);
        permuted(&partners[..points], |point| {
            let back = reversed(points, self.but_last, point);
            match centre {
                Some(place) if back == place => place + 1,
                Some(place) if back == place + 1 => place,
                _ => back,
            }
        })
    }

    /// Turns numbers into those of the mirrored matchings.
    pub(in crate::count::middle) fn turn(self, numbers: &mut [u32]) {
        if self.pairs > DENSE {
            for number in numbers {
                *number = self.apply(*number);
            }
            return;
        }
        for map in self.maps() {
            for number in &mut *numbers {
                *number = map[*number as usize].into();
            }
        }
    }

    /// The tables to go through, in order; there are some up to [`DENSE`] pairs.
    pub(in crate::count::middle) fn maps(self) -> impl Iterator<Item = &'static [u16]> {
        static TABLES: [[OnceLock<Box<[u16]>>; 2]; DENSE + 1] =
            [const { [const { OnceLock::new() }; 2] }; DENSE + 1];
        let Mirror { pairs, but_last, centre } = self;
        let reversal = TABLES[pairs][usize::from(but_last)].get_or_init(|| {
            let numbers = 0..u32::try_from(MATCHINGS[pairs]).expect("a small level");
            let back = |point| reversed(2 * pairs, but_last, point);
            let images = numbers.map(|n| permuted(&unrank(pairs, n)[..2 * pairs], back));
            let sink = u32::try_from(MATCHINGS[pairs]).expect("a small level");
            images.chain([sink]).map(|n| u16::try_from(n).expect("a small level")).collect()
        });
        let exchange = centre.map(|from| Op::Move { from, to: from + 1 }.small_table(pairs));
        std::iter::once(&**reversal).chain(exchange)
    }
}

/// A point read backwards, among so many, the last of which may stay.
fn reversed(points: usize, but_last: bool, point: usize) -> usize {
    match but_last {
        true if point + 1 == points => point,
        true => points - 2 - point,
        false => points - 1 - point,
    }
}

/// The number of a matching whose points are put elsewhere.
pub(in crate::count::middle) fn permuted(partners: &[u8], to: impl Fn(usize) -> usize) -> u32 {
    let mut moved = [0; MOST_POINTS];
    for (point, &partner) in partners.iter().enumerate() {
        moved[to(point)] = u8::try_from(to(usize::from(partner))).expect("few points");
    }
    rank(&moved[..partners.len()])
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

    fn all_operations(pairs: usize) -> Vec<Op> {
        let places = |pairs: usize| 0..u8::try_from(2 * pairs).unwrap();
        let mut all = vec![Op::Same];
        for p in places(pairs) {
            all.extend(places(pairs).map(|to| Op::Move { from: p, to }));
            all.extend((p + 1..places(pairs).end).map(|q| Op::Link { p, q }));
        }
        for p in places(pairs + 1) {
            all.extend((p + 1..places(pairs + 1).end).map(|q| Op::Insert { p, q }));
        }
        all
    }

    #[test]
    fn tables_say_what_the_partners_say() {
        // Large tables are made once enough states have asked.
        let _ = Op::Link { p: 0, q: 1 }.tables(TABLED, 1 << 30);
        for pairs in (1..=4).chain([6]) {
            let all = all_operations(pairs);
            for op in all.into_iter().step_by(if pairs > 4 { 11 } else { 1 }) {
                let sink = u32::try_from(matchings(op.pairs_after(pairs))).unwrap();
                let [one, other] = op.tables(pairs, 1).expect("a tabled level");
                let through = |table: &[u32], n: u32| {
                    if table.is_empty() { n } else { table[n as usize] }
                };
                for number in 0..u32::try_from(matchings(pairs)).unwrap() {
                    let to = op.apply(pairs, number).unwrap_or(sink);
                    assert_eq!(through(other, through(one, number)), to, "{op:?}");
                    if op.is_small(pairs) {
                        assert_eq!(u32::from(op.small_table(pairs)[number as usize]), to, "{op:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn linking_point_0_leads_from_all_sources_and_from_nowhere_else() {
        for pairs in 2..=5 {
            let fewer = matchings(pairs - 1);
            for (a, of_a) in (1..).zip(sources(pairs).chunks_exact(fewer * (2 * pairs - 2))) {
                let link = Op::Link { p: 0, q: a };
                for (to, from) in (0..).zip(of_a.chunks_exact(2 * pairs - 2)) {
                    assert!(from.iter().all(|&n| link.apply(pairs, n.into()) == Some(to)));
                    assert!(from.windows(2).all(|two| two[0] < two[1]));
                }
            }
        }
    }

    /// The ends by name: an operation keeps all partners but those that it is about.
    #[test]
    fn an_operation_changes_what_it_is_about_and_nothing_else() {
        for pairs in 1..=4 {
            for op in all_operations(pairs) {
                for number in 0..u32::try_from(matchings(pairs)).unwrap() {
                    let before = unrank(pairs, number);
                    // Ends by name, in order; new ones are 100 and 101.
                    let mut names: Vec<u8> = (0..u8::try_from(2 * pairs).unwrap()).collect();
                    let mut partner: Vec<(u8, u8)> =
                        names.iter().map(|&end| (end, before[usize::from(end)])).collect();
                    match op {
                        Op::Same => {}
                        Op::Move { from, to } => {
                            let end = names.remove(usize::from(from));
                            names.insert(usize::from(to), end);
                        }
                        Op::Insert { p, q } => {
                            names.insert(usize::from(p), 100);
                            names.insert(usize::from(q), 101);
                            partner.extend([(100, 101), (101, 100)]);
                        }
                        Op::Link { p, q } => {
                            let (b, c) = (before[usize::from(p)], before[usize::from(q)]);
                            names.retain(|&end| end != p && end != q);
                            partner.retain(|&(end, _)| end != p && end != q);
                            for (end, other) in &mut partner {
                                if *end == b {
                                    *other = c;
                                } else if *end == c {
                                    *other = b;
                                }
                            }
                            if b == q {
                                assert_eq!(op.apply(pairs, number), None);
                                continue;
                            }
                        }
                    }
                    let after = unrank(names.len() / 2, op.apply(pairs, number).unwrap());
                    for (place, end) in names.iter().enumerate() {
                        let other = names[usize::from(after[place])];
                        assert!(partner.contains(&(*end, other)), "{op:?} of {number}");
                    }
                }
            }
        }
    }

    #[test]
    fn mirroring_twice_changes_nothing() {
        for pairs in 1..=5 {
            for but_last in [false, true] {
                let mirror = Mirror { pairs, but_last, centre: None };
                for number in 0..u32::try_from(matchings(pairs)).unwrap() {
                    assert_eq!(mirror.apply(mirror.apply(number)), number);
                }
            }
        }
    }
}
