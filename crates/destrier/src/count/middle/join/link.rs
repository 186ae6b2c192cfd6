//! Adding a half's share of the middle edges, one final degree pattern at a time.
//!
//! A final pattern P can come from any pattern that P leaves when some of the middle edges are taken
//! away. For each such set of edges the kept matchings are read and taken through one table for each edge: an
//! edge between two untouched squares adds a pair, between an end and an untouched square
//! moves the end, between two ends links them. Nothing is sorted or hashed, and only patterns
//! that the other half can complete are ever asked for. Where one of two mirror images was kept, the mirror image
//! of P is asked for, too.
//!
//! Invariant: edges are added in one order, so that each set of edges occurs once.
//! Cost: one entry read and at most five small look-ups a transition.
//! Source: `docs/design.md`, section 2.

use crate::count::middle::half::column::Cell;
use crate::count::middle::half::cut::Cut;
use crate::count::middle::half::kept::{Filing, Kept};
use crate::count::middle::half::packed::Unpacked;
use crate::count::middle::join::matching::{
    DENSE, MOST_POINTS, Mirror, Op, matchings, rank, unrank,
};
use crate::count::middle::join::pattern::{Middle, Pattern, digit, edge, pairs};
use crate::outcome::Stop;
use crate::run::threads;

/// A number that counts are added up in; the caller has shown that it is wide enough.
pub(in crate::count::middle) trait Word:
    Copy + Default + Send + Sync + PartialEq
{
    fn of(count: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn widen(self) -> u128;
    /// Can it hold such a number?
    fn holds(number: u128) -> bool;
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
    fn holds(number: u128) -> bool {
        u64::try_from(number).is_ok()
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
    fn holds(_: u128) -> bool {
        true
    }
}

/// The counts of all matchings of one final pattern.
#[derive(Debug, Default)]
pub(in crate::count::middle) struct Sums<T> {
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
pub(in crate::count::middle) struct Linker<'k, C> {
    kept: &'k Kept<C>,
    middle: Middle,
    /// The edges to add.
    links: Vec<(usize, usize)>,
    /// Those that a half in the mirror adds, where one of two mirror images was kept.
    mirrored: Option<Vec<(usize, usize)>>,
}

/// Edges that lead from one pattern to another.
pub(in crate::count) struct Way {
    from: Pattern,
    /// The last edge first.
    used: [(u8, u8); 16],
    length: usize,
}

/// Tables from the numbers of one pattern to those of another, to go through in order.
struct Chain<T> {
    tables: [T; 20],
    length: usize,
}

impl<T: Copy> Chain<T> {
    fn push(&mut self, table: T) {
        self.tables[self.length] = table;
        self.length += 1;
    }

    fn tables(&self) -> &[T] {
        &self.tables[..self.length]
    }
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
        Way { from: to, used: [(0, 0); 16], length: 0 }.back(links, hopes, visit);
    }

    /// Decides about the last of the links. The depth is their number, some for each file.
    fn back(
        &mut self,
        links: &[(usize, usize)],
        hopes: &mut impl FnMut(usize, Pattern) -> bool,
        visit: &mut impl FnMut(Pattern, &Way),
    ) {
        if !hopes(links.len(), self.from) {
            return;
        }
        let Some((&(x, y), earlier)) = links.split_last() else {
            visit(self.from, self);
            return;
        };
        self.back(earlier, hopes, visit);
        if digit(self.from, x) > 0 && digit(self.from, y) > 0 {
            self.from -= edge(x, y);
            let short = |place: usize| u8::try_from(place).expect("few places");
            self.used[self.length] = (short(x), short(y));
            self.length += 1;
            self.back(earlier, hopes, visit);
            self.length -= 1;
            self.from += edge(x, y);
        }
    }

    /// The edges, the first one first.
    fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.used[..self.length].iter().rev().map(|&(x, y)| (x.into(), y.into()))
    }

    /// What each edge does, in order, with the pairs that there are before it.
    fn ops(&self) -> impl Iterator<Item = (Op, usize)> + '_ {
        let mut before = self.from;
        self.edges().map(move |(x, y)| {
            let after = before + edge(x, y);
            let op = Op::edge(before, after, x, y);
            let ends = pairs(before);
            before = after;
            (op, ends)
        })
    }

    /// The tables from the numbers of the one pattern to those of the other, if there are tables.
    pub(in crate::count) fn maps(&self) -> Option<impl Iterator<Item = &'static [u16]> + '_> {
        let has_tables =
            pairs(self.from) <= DENSE && self.ops().all(|(op, ends)| op.is_small(ends));
        let maps = || self.ops().filter(|(op, _)| *op != Op::Same);
        has_tables.then(|| maps().map(|(op, ends)| op.small_table(ends)))
    }

    /// The same with wider tables, for one pair more.
    fn wide_maps(&self, states: usize) -> Option<Chain<&'static [u32]>> {
        let mut chain = Chain { tables: [&[] as &[u32]; 20], length: 0 };
        for (op, ends) in self.ops() {
            let tables = op.tables(ends, states)?;
            tables
                .into_iter()
                .filter(|table| !table.is_empty())
                .for_each(|table| chain.push(table));
        }
        Some(chain)
    }

    /// The number that a matching has at the other end, found the slow way; nothing if a cycle closes.
    pub(in crate::count) fn carried(
        &self,
        places: usize,
        from: Pattern,
        to: Pattern,
        number: u32,
    ) -> Option<u32> {
        carried(places, from, to, number, self.edges())
    }
}

impl<'k, C: Cell> Linker<'k, C> {
    /// For a half that was kept with the edges of so many outer files already added.
    ///
    /// # Errors
    /// When the sum of all counts of a final pattern may outgrow what they are added up in.
    pub(in crate::count::middle) fn new(
        cut: &Cut,
        early: usize,
        mirror: bool,
        kept: &'k Kept<C>,
    ) -> Result<Linker<'k, C>, Stop> {
        let links = cut.late_links(early, false);
        // Each kept way leads to at most 2^links final ones, and counts once more in the mirror.
        let bound = kept.mass().checked_mul(2 << links.len()).ok_or(Stop::Overflow)?;
        if !C::Sum::holds(bound) {
            return Err(Stop::Overflow);
        }
        let mirrored = mirror.then(|| cut.late_links(early, true));
        Ok(Linker { kept, middle: cut.middle(), links, mirrored })
    }

    /// All patterns that can come of the kept ones.
    pub(in crate::count::middle) fn reachable(&self) -> Reachable {
        let reached = |links: &[(usize, usize)]| {
            threads::map(0..self.kept.buckets(), |bucket| reach(self.kept.patterns(bucket), links))
        };
        let own = reached(&self.links);
        let images = match &self.mirrored {
            Some(mirrored) if *mirrored != self.links => Some(reached(mirrored)),
            _ => None,
        };
        let mirror = self.mirrored.as_ref().map(|_| self.middle);
        Reachable { filing: self.kept.filing().clone(), own, images, mirror }
    }

    /// Adds up all ways to come to a final pattern; each counts twice where one of two mirror images was kept.
    pub(in crate::count::middle) fn pull(
        &self,
        pattern: Pattern,
        sums: &mut Sums<C::Sum>,
        column: &mut Unpacked<C>,
    ) {
        sums.pairs = pairs(pattern);
        sums.dense.clear();
        sums.sparse.clear();
        if sums.pairs <= DENSE {
            sums.dense.resize(matchings(sums.pairs) + 1, C::Sum::default());
        }
        self.pull_by(&self.links, pattern, None, sums, column);
        if let Some(mirrored) = &self.mirrored {
            let image = self.middle.mirrored(pattern);
            self.pull_by(mirrored, image, Some(Mirror::of(self.middle, image)), sums, column);
        }
        if sums.pairs <= DENSE {
            let sink = sums.dense.len() - 1;
            sums.dense[sink] = C::Sum::default();
            sums.total = sums.dense.iter().map(|count| count.widen()).sum();
        } else {
            gather(&mut sums.sparse);
            sums.total = sums.sparse.iter().map(|&(_, count)| count.widen()).sum();
        }
    }

    /// Adds up the ways to come to a pattern by some edges, and what becomes of them in the mirror.
    fn pull_by(
        &self,
        links: &[(usize, usize)],
        pattern: Pattern,
        mirror: Option<Mirror>,
        sums: &mut Sums<C::Sum>,
        column: &mut Unpacked<C>,
    ) {
        let Some(cluster) = self.kept.beside(pattern) else { return };
        Way::each(links, pattern, &mut |_, _| true, &mut |from, way| {
            if let Some(packed) = cluster.column(from) {
                packed.read(column);
                self.carry(column, from, pattern, way, mirror, sums);
            }
        });
    }

    /// Takes a column through all edges of the way, and through the mirror.
    fn carry(
        &self,
        Unpacked { numbers, counts }: &Unpacked<C>,
        from: Pattern,
        to: Pattern,
        way: &Way,
        mirror: Option<Mirror>,
        sums: &mut Sums<C::Sum>,
    ) {
        if let Some(links) = way.maps() {
            let mut chain = Chain { tables: [&[] as &[u16]; 20], length: 0 };
            links.chain(mirror.into_iter().flat_map(Mirror::maps)).for_each(|map| chain.push(map));
            carry_by_maps(chain.tables(), numbers, counts, &mut sums.dense);
            return;
        }
        let tables = way.wide_maps(counts.len());
        let sink = matchings(sums.pairs);
        let carried = |number: u32| match &tables {
            Some(chain) => {
                let number = chain.tables().iter().fold(number, |n, table| table[n as usize]);
                (number as usize != sink).then_some(number)
            }
            None => way.carried(self.middle.places(), from, to, number),
        };
        for (&number, &count) in numbers.iter().zip(counts) {
            let Some(number) = carried(number) else { continue };
            let number = mirror.map_or(number, |mirror| mirror.apply(number));
            let count = C::Sum::of(count.into());
            if sums.pairs <= DENSE {
                let cell = &mut sums.dense[number as usize];
                *cell = cell.plus(count);
            } else {
                sums.sparse.push((number, count));
            }
        }
    }
}

/// Adds counts to the cells that a chain of maps leads their numbers to.
fn carry_by_maps<C: Cell>(maps: &[&[u16]], numbers: &[u32], counts: &[C], cells: &mut [C::Sum]) {
    let states = numbers.iter().zip(counts);
    match *maps {
        [] => scatter(states, cells, |number| number),
        [a] => scatter(states, cells, |number| at(a, number)),
        [a, b] => scatter(states, cells, |number| at(b, at(a, number))),
        [a, b, c] => scatter(states, cells, |number| at(c, at(b, at(a, number)))),
        _ => {
            scatter(states, cells, |number| {
                maps.iter().fold(number, |number, map| at(map, number))
            });
        }
    }
}

#[inline]
fn at(map: &[u16], number: usize) -> usize {
    usize::from(map[number])
}

#[inline]
fn scatter<'k, C: Cell>(
    states: impl Iterator<Item = (&'k u32, &'k C)>,
    cells: &mut [C::Sum],
    place: impl Fn(usize) -> usize,
) {
    for (&number, &count) in states {
        let cell = &mut cells[place(number as usize)];
        *cell = cell.plus(C::Sum::of(count.into()));
    }
}

/// The patterns that can come of a half. No link leads from one bucket to another.
#[derive(Debug)]
pub(in crate::count::middle) struct Reachable {
    filing: Filing,
    /// For each bucket those that the links lead to, ascending.
    own: Vec<Vec<Pattern>>,
    /// Where one of two mirror images was kept: whatever is in here, in the mirror; nothing if that is the same list.
    images: Option<Vec<Vec<Pattern>>>,
    mirror: Option<Middle>,
}

impl Reachable {
    pub(in crate::count::middle) fn bytes(&self) -> usize {
        let lists = self.own.iter().chain(self.images.iter().flatten());
        lists.map(|list| size_of_val(&list[..])).sum()
    }

    fn images(&self) -> &[Vec<Pattern>] {
        self.images.as_ref().unwrap_or(&self.own)
    }

    pub(in crate::count::middle) fn has_own(&self, pattern: Pattern) -> bool {
        has(&self.filing, &self.own, pattern)
    }

    pub(in crate::count::middle) fn contains(&self, pattern: Pattern) -> bool {
        self.has_own(pattern)
            || self
                .mirror
                .is_some_and(|middle| has(&self.filing, self.images(), middle.mirrored(pattern)))
    }

    /// How many lists there are to look through.
    pub(in crate::count::middle) fn lists(&self) -> usize {
        self.own.len()
    }

    /// The patterns of one list, and those that their mirror images stand for: these only if [`Reachable::has_own`] does
    /// not have them elsewhere.
    pub(in crate::count::middle) fn list(
        &self,
        list: usize,
    ) -> (&[Pattern], impl Iterator<Item = Pattern>) {
        let images = self
            .mirror
            .map(|middle| self.images()[list].iter().map(move |&image| middle.mirrored(image)));
        (&self.own[list], images.into_iter().flatten())
    }
}

/// Is a pattern in the list of its bucket?
fn has(filing: &Filing, lists: &[Vec<Pattern>], pattern: Pattern) -> bool {
    let list = filing.bucket(pattern).and_then(|bucket| lists.get(bucket));
    list.is_some_and(|list| list.binary_search(&pattern).is_ok())
}

/// All patterns that some of the links lead to, sorted.
fn reach(mut patterns: Vec<Pattern>, links: &[(usize, usize)]) -> Vec<Pattern> {
    for &(x, y) in links {
        let more: Vec<Pattern> = patterns
            .iter()
            .filter(|&&pattern| digit(pattern, x) < 2 && digit(pattern, y) < 2)
            .map(|&pattern| pattern + edge(x, y))
            .collect();
        patterns = merged(&patterns, &more);
    }
    patterns
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
