//! Adding a half's share of the middle edges, one final degree pattern at a time.
//!
//! A final pattern P can come from any pattern that P leaves when some of the middle edges are taken
//! away. For each such set of edges the kept matchings are read and taken through one table for each edge: an
//! edge between two untouched squares adds a pair, between an end and an untouched square
//! moves the end, between two ends contracts them. Nothing is sorted or hashed, and only patterns
//! that the other half can complete are ever asked for.
//!
//! Invariant: edges are added in one order, so that each set of edges is met once.
//! Cost: one entry read and at most seven small look-ups a transition.
//! Source: `docs/design.md`, section 2.

use crate::count::middle::half::turn::Turn;
use crate::count::middle::join::kept::{Found, Kept};
use crate::count::middle::join::matching::{DENSE, Level, MOST_POINTS, rank, unrank};
use crate::count::middle::join::pattern::{Pattern, digit, edge, ends_before, pairs};

/// A number that counts are added up in; the caller has shown that it is wide enough.
pub(in crate::count::middle) trait Word:
    Copy + Default + Send + Sync + PartialEq
{
    fn of(count: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn widen(self) -> u128;
}

impl Word for u64 {
    fn of(count: u64) -> u64 {
        count
    }
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }
    fn times(self, other: u64) -> u64 {
        self.wrapping_mul(other)
    }
    fn widen(self) -> u128 {
        u128::from(self)
    }
}

impl Word for u128 {
    fn of(count: u64) -> u128 {
        u128::from(count)
    }
    fn plus(self, other: u128) -> u128 {
        self.wrapping_add(other)
    }
    fn times(self, other: u128) -> u128 {
        self.wrapping_mul(other)
    }
    fn widen(self) -> u128 {
        self
    }
}

/// The counts of all matchings of one final pattern.
#[derive(Debug, Default)]
pub(in crate::count::middle) struct Column<T> {
    pub(in crate::count::middle) pairs: usize,
    /// By number, with one more cell for the sink; used up to [`DENSE`] pairs.
    pub(in crate::count::middle) dense: Vec<T>,
    /// Sorted by number; used above.
    pub(in crate::count::middle) sparse: Vec<(u32, T)>,
    /// The sum of all counts.
    pub(in crate::count::middle) total: u128,
}

/// Pulls final patterns out of a kept half.
#[derive(Debug)]
pub(in crate::count::middle) struct Linker<'a> {
    kept: &'a Kept,
    links: &'a [(usize, usize)],
}

/// Edges that lead from one pattern to another, and the tables of matchings along them.
pub(in crate::count) struct Way {
    /// The last edge first.
    maps: [&'static [u16]; 32],
    used: [(usize, usize); 32],
    length: usize,
    has_tables: bool,
}

impl Way {
    /// Shows every pattern that some of the links lead from to this one, with the links used. `hopes` is asked on the way,
    /// with how many links are left to decide about, and may turn it back.
    pub(in crate::count) fn each(
        links: &[(usize, usize)],
        to: Pattern,
        hopes: &mut impl FnMut(usize, Pattern) -> bool,
        visit: &mut impl FnMut(Pattern, &Way),
    ) {
        let has_tables = pairs(to) <= DENSE;
        let mut way = Way { maps: [&[]; 32], used: [(0, 0); 32], length: 0, has_tables };
        way.back(links, to, hopes, visit);
    }

    /// Decides about the last of the links. The depth is their number, some for each file.
    fn back(
        &mut self,
        links: &[(usize, usize)],
        from: Pattern,
        hopes: &mut impl FnMut(usize, Pattern) -> bool,
        visit: &mut impl FnMut(Pattern, &Way),
    ) {
        if !hopes(links.len(), from) {
            return;
        }
        let Some((&(x, y), earlier)) = links.split_last() else {
            visit(from, self);
            return;
        };
        self.back(earlier, from, hopes, visit);
        if digit(from, x) > 0 && digit(from, y) > 0 {
            let before = from - edge(x, y);
            let had_tables = self.has_tables;
            self.used[self.length] = (x, y);
            match link_map(before, x, y) {
                Some(map) => self.maps[self.length] = map,
                None => self.has_tables = false,
            }
            self.length += 1;
            self.back(earlier, before, hopes, visit);
            self.length -= 1;
            self.has_tables = had_tables;
        }
    }

    /// The tables from the numbers of the one pattern to those of the other, if there are tables.
    pub(in crate::count) fn maps(&self) -> Option<impl Iterator<Item = &'static [u16]> + '_> {
        self.has_tables.then(|| self.maps[..self.length].iter().rev().copied())
    }

    /// The number that a matching has at the other end, found the slow way; nothing if a cycle closes.
    pub(in crate::count) fn carried(
        &self,
        places: usize,
        (from, to): (Pattern, Pattern),
        number: u32,
    ) -> Option<u32> {
        carried(places, from, to, number, self.used[..self.length].iter().rev().copied())
    }
}

impl<'a> Linker<'a> {
    pub(in crate::count::middle) fn new(kept: &'a Kept, links: &'a [(usize, usize)]) -> Linker<'a> {
        Linker { kept, links }
    }

    /// All patterns that can come of the kept ones, sorted.
    pub(in crate::count::middle) fn reachable(&self) -> Vec<Pattern> {
        let mut patterns = self.kept.patterns();
        for &(x, y) in self.links {
            let more: Vec<Pattern> = patterns
                .iter()
                .filter(|&&pattern| digit(pattern, x) < 2 && digit(pattern, y) < 2)
                .map(|&pattern| pattern + edge(x, y))
                .collect();
            patterns = merged(&patterns, &more);
        }
        patterns
    }

    /// Adds up all ways to come to a final pattern.
    pub(in crate::count::middle) fn pull<T: Word>(&self, pattern: Pattern, column: &mut Column<T>) {
        column.pairs = pairs(pattern);
        column.dense.clear();
        column.sparse.clear();
        if column.pairs <= DENSE {
            column.dense.resize(Level::of(column.pairs).sink() + 1, T::default());
        }
        if let Some(opened) = self.kept.open(pattern) {
            Way::each(self.links, pattern, &mut |_, _| true, &mut |from, way| {
                if let Some(found) = opened.get(from) {
                    self.carry(found, from, pattern, way, column);
                }
            });
        }
        if column.pairs <= DENSE {
            let sink = column.dense.len() - 1;
            column.dense[sink] = T::default();
            column.total = column.dense.iter().map(|count| count.widen()).sum();
        } else {
            gather(&mut column.sparse);
            column.total = column.sparse.iter().map(|&(_, count)| count.widen()).sum();
        }
    }

    /// Takes the entries of one pattern through all edges of the way.
    fn carry<T: Word>(
        &self,
        found: Found<'_>,
        from: Pattern,
        to: Pattern,
        way: &Way,
        column: &mut Column<T>,
    ) {
        let bits = self.kept.rank_bits();
        let mask = (1 << bits) - 1;
        if let Some(links) = way.maps() {
            let mut maps = [&[] as &[u16]; 36];
            let mut length = 0;
            if found.turned {
                let turn = Turn::mirror(self.kept.middle(), self.kept.middle().mirrored(from));
                for map in turn.maps() {
                    maps[length] = map;
                    length += 1;
                }
            }
            for map in links {
                maps[length] = map;
                length += 1;
            }
            carry_by_maps(&maps[..length], found.entries, bits, &mut column.dense);
            return;
        }
        let turn = found
            .turned
            .then(|| Turn::mirror(self.kept.middle(), self.kept.middle().mirrored(from)));
        for &entry in found.entries {
            let number = turn.as_ref().map_or(entry & mask, |turn| turn.apply(entry & mask));
            let number = u32::try_from(number).expect("a number of a matching");
            if let Some(number) = way.carried(self.kept.middle().places(), (from, to), number) {
                let count = T::of(entry >> bits);
                if column.pairs <= DENSE {
                    let cell = &mut column.dense[number as usize];
                    *cell = cell.plus(count);
                } else {
                    column.sparse.push((number, count));
                }
            }
        }
    }
}

/// The table of adding an edge to a pattern, where there are tables.
fn link_map(before: Pattern, x: usize, y: usize) -> Option<&'static [u16]> {
    let after = before + edge(x, y);
    let ends = pairs(before);
    if ends.max(pairs(after)) > DENSE {
        return None;
    }
    Some(match (digit(before, x), digit(before, y)) {
        (0, 0) => {
            let (p, q) = (ends_before(after, x), ends_before(after, y));
            Level::of(ends + 1).inserted(p.min(q), p.max(q))
        }
        (1, 0) => Level::of(ends).moved(ends_before(before, x), ends_before(after, y)),
        (0, _) => Level::of(ends).moved(ends_before(before, y), ends_before(after, x)),
        _ => {
            let (p, q) = (ends_before(before, x), ends_before(before, y));
            Level::of(ends).contracted(p.min(q), p.max(q))
        }
    })
}

/// Adds entries to the cells that a chain of maps leads them to.
fn carry_by_maps<T: Word>(maps: &[&[u16]], entries: &[u64], bits: u32, cells: &mut [T]) {
    match *maps {
        [] => scatter(entries, bits, cells, |number| number),
        [a] => scatter(entries, bits, cells, |number| at(a, number)),
        [a, b] => scatter(entries, bits, cells, |number| at(b, at(a, number))),
        [a, b, c] => scatter(entries, bits, cells, |number| at(c, at(b, at(a, number)))),
        [a, b, c, d] => scatter(entries, bits, cells, |number| at(d, at(c, at(b, at(a, number))))),
        _ => scatter(entries, bits, cells, |number| {
            maps.iter().fold(number, |number, map| at(map, number))
        }),
    }
}

#[inline]
fn at(map: &[u16], number: usize) -> usize {
    usize::from(map[number])
}

#[inline]
fn scatter<T: Word>(entries: &[u64], bits: u32, cells: &mut [T], place: impl Fn(usize) -> usize) {
    let mask = (1 << bits) - 1;
    for &entry in entries {
        #[expect(clippy::cast_possible_truncation, reason = "the number of a matching of a level")]
        let cell = &mut cells[place((entry & mask) as usize)];
        *cell = cell.plus(T::of(entry >> bits));
    }
}

/// The slow way: the partners themselves, edge by edge. Nothing if a cycle closes.
fn carried(
    places: usize,
    from: Pattern,
    to: Pattern,
    number: u32,
    used: impl Iterator<Item = (usize, usize)>,
) -> Option<u32> {
    let mut partner: [u8; 32] = std::array::from_fn(|place| u8::try_from(place).expect("small"));
    let mut ends = [0; MOST_POINTS];
    let mut points = 0;
    for place in 0..places {
        if digit(from, place) == 1 {
            ends[points] = u8::try_from(place).expect("few places");
            points += 1;
        }
    }
    for (point, &other) in unrank(points / 2, number)[..points].iter().enumerate() {
        partner[usize::from(ends[point])] = ends[usize::from(other)];
    }
    for (x, y) in used {
        let (a, b) = (partner[x], partner[y]);
        if usize::from(a) == y {
            return None;
        }
        partner[usize::from(a)] = b;
        partner[usize::from(b)] = a;
    }
    let mut point_of = [0; 32];
    let mut last = 0;
    for (place, point) in point_of.iter_mut().enumerate().take(places) {
        if digit(to, place) == 1 {
            *point = u8::try_from(last).expect("few places");
            ends[last] = u8::try_from(place).expect("few places");
            last += 1;
        }
    }
    let mut partners = [0; MOST_POINTS];
    for (point, &place) in ends[..last].iter().enumerate() {
        partners[point] = point_of[usize::from(partner[usize::from(place)])];
    }
    Some(rank(&partners[..last]))
}

/// Sorts by number and adds up.
pub(in crate::count::middle) fn gather<T: Word>(list: &mut Vec<(u32, T)>) {
    list.sort_unstable_by_key(|&(number, _)| number);
    let mut kept = 0;
    for at in 0..list.len() {
        if kept > 0 && list[kept - 1].0 == list[at].0 {
            list[kept - 1].1 = list[kept - 1].1.plus(list[at].1);
        } else {
            list[kept] = list[at];
            kept += 1;
        }
    }
    list.truncate(kept);
}

/// The union of two sorted lists.
fn merged(left: &[Pattern], right: &[Pattern]) -> Vec<Pattern> {
    let mut union = Vec::with_capacity(left.len() + right.len());
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        let least = left[l].min(right[r]);
        l += usize::from(left[l] == least);
        r += usize::from(right[r] == least);
        union.push(least);
    }
    union.extend_from_slice(&left[l..]);
    union.extend_from_slice(&right[r..]);
    union
}

/// The most counts that any final number can hold: each kept way leads to at most 2^links final ones.
pub(in crate::count::middle) fn bound(kept: &Kept, links: usize) -> Option<u128> {
    kept.mass().checked_mul(1 << links)
}
