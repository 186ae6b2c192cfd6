//! Completions of a state at the end of a row, from what the rest of the board can look like.
//!
//! Behind a row end lie two rows of frontier squares, and behind those a smaller board upside down, whose
//! states the sweep has already visited. So a state is completed by a set of links in the two rows and a state of the
//! smaller board that gives every square its missing edges and makes one cycle of all paths. In the middle of the
//! board this is computed for all states at once (`clusters`); beyond it, for those that follow one
//! state, when a tour is drawn. The wide layers of the upper half are never computed.
//!
//! Invariant: the completions are those that the sweep to the end would find.
//! Cost: a few microseconds per state.
//! Source: `docs/sampling.md`.

use std::collections::HashMap;

use super::super::sweep::course::Course;
use super::super::sweep::state::State;
use super::frame::{
    Frame, INSIDE, Links, MOST_PLACES, Mates, Seats, closes_the_last_path, images, join, mates,
    pattern,
};
use super::tables::Kept;
use super::tree::{ROOT, Tree};
use crate::count::middle::join::link::Way;
use crate::count::middle::join::pattern::{Pattern, digit, edge, pairs};
use crate::run::threads;

/// What the rows above the frontier can look like: their paths, and in how many ways each comes about.
#[derive(Debug)]
struct Upper {
    /// The degrees that go with them from below, ascending; and where the paths of each begin.
    keys: Vec<Pattern>,
    tree: Tree,
    first: Vec<usize>,
    paths: Vec<(Mates, u64)>,
    /// Is there nothing above? Then a cycle may close below.
    is_blank: bool,
}

impl Upper {
    /// No rows at all.
    fn blank(frame: Frame) -> Upper {
        let untouched = std::array::from_fn(|place| u8::try_from(place).expect("few places"));
        Upper { is_blank: true, ..Upper::new(frame, vec![(untouched, 1)]) }
    }

    fn new(frame: Frame, mut paths: Vec<(Mates, u64)>) -> Upper {
        let key = |mates: &Mates| frame.complement(pattern(mates, frame.places()));
        threads::sort_unstable_by_key(&mut paths, |(mates, _)| (key(mates), *mates));
        let (mut keys, mut first) = (Vec::new(), Vec::new());
        for (at, (mates, _)) in paths.iter().enumerate() {
            if keys.last() != Some(&key(mates)) {
                keys.push(key(mates));
                first.push(at);
            }
        }
        first.push(paths.len());
        Upper { tree: Tree::new(frame, &keys), keys, first, paths, is_blank: false }
    }

    /// In how many ways the paths that go with a key make one cycle with these.
    fn cycles(&self, key: usize, mates: &Mates) -> u128 {
        let Some(start) = (0..MOST_PLACES)
            .find(|&place| mates[place] != INSIDE && usize::from(mates[place]) != place)
        else {
            return 0;
        };
        let pairs = pairs(self.keys[key]);
        let paths = &self.paths[self.first[key]..self.first[key + 1]];
        // A fixed number of steps and no early way out, so that the processor walks several cycles at a time.
        let whole = paths.iter().map(|(above, ways)| {
            let (mut at, mut is_short) = (start, false);
            for _ in 1..pairs {
                at = usize::from(above[usize::from(mates[at])]);
                is_short |= at == start;
            }
            if is_short { 0 } else { u128::from(*ways) }
        });
        whole.sum()
    }
}

/// The sets of links that lead from a pattern to a key, a bit for each link, and the key's place.
pub(super) type Ways = Vec<(u32, usize)>;

/// Finds the completions of states beyond the middle.
#[derive(Debug)]
pub(super) struct Meeting {
    frame: Frame,
    links: Links,
    /// The seats after each number of rows.
    seats: Vec<Seats>,
    /// The boards of 0, 1, 2, … rows above the frontier.
    uppers: Vec<Upper>,
    /// For each of these boards, the beginnings of the degrees that can be completed.
    beginnings: Vec<Beginnings>,
}

/// The first files' degrees of all patterns that can be completed, as bits; for one file, two files, …
#[derive(Debug)]
struct Beginnings {
    known: Vec<Vec<u64>>,
}

impl Beginnings {
    fn of(frame: Frame, upper: &Upper) -> Beginnings {
        // The mirror keeps the board, so the last files of one pattern are the first of another.
        let apex = usize::from(frame.is_open);
        let mut known: Vec<Vec<u64>> = (1..=frame.files.saturating_sub(3))
            .map(|files| vec![0; (1_usize << (4 * files)).div_ceil(64)])
            .collect();
        let links = Links::of(frame);
        for &key in &upper.keys {
            Way::each(
                &links.list,
                key,
                &mut |left, from| {
                    let Some(rung) = links.rungs[left] else { return true };
                    let files = frame.files - (rung.place - apex) / 2;
                    let Some(bits) = known.get_mut(files - 1) else { return false };
                    let at = usize::try_from(from >> (2 * rung.place)).expect("a few files");
                    bits[at / 64] |= 1 << (at % 64);
                    true
                },
                &mut |_, _| {},
            );
        }
        Beginnings { known }
    }

    /// Can degrees that begin so be completed?
    fn has(&self, files: usize, digits: usize) -> bool {
        files == 0 || self.known[files - 1][digits / 64] >> (digits % 64) & 1 == 1
    }
}

impl Meeting {
    /// Makes ready to meet the boards of 1, 2, … rows; `layers` has their states with the ways to each.
    pub(super) fn new<const W: usize>(
        frame: Frame,
        course: &Course,
        mirrors: &[Option<Vec<Option<usize>>>],
        layers: &[Kept<W>],
    ) -> Meeting {
        let seats: Vec<Seats> = (0..frame.rows - 1).map(|row| frame.seats(course, row)).collect();
        let upper = |(layer, rows): (&Kept<W>, usize)| {
            let mirror = mirrors[rows].as_deref();
            let paths = images(course, mirror, &layer.parts, |state, ways| {
                (mates(course, &seats[rows], &state, |place| frame.turned(place)), ways)
            });
            Upper::new(frame, paths)
        };
        let uppers =
            std::iter::once(Upper::blank(frame)).chain(layers.iter().zip(1..).map(upper)).collect();
        let links = Links::of(frame);
        let uppers: Vec<Upper> = uppers;
        let beginnings = uppers.iter().map(|upper| Beginnings::of(frame, upper)).collect();
        Meeting { frame, links, seats, uppers, beginnings }
    }

    /// Is it clear from its degrees that a state within a row beyond the middle cannot be completed?
    pub(super) fn is_hopeless<const W: usize>(
        &self,
        course: &Course,
        step: usize,
        state: &State<W>,
    ) -> bool {
        let Frame { files, rows, .. } = self.frame;
        let (row, settled) = (step / files, step % files);
        // The files whose squares in the next two rows no later square of this row can touch.
        let final_files = settled.saturating_sub(2);
        if row < self.frame.lower() || row + 3 > rows || final_files == 0 {
            return false;
        }
        let degrees = course.pattern(state);
        let degree = |place: usize| {
            let slot = course.slot(place, step);
            slot.map_or(0, |slot| course.packing().get(&degrees, slot))
        };
        let digits = (0..final_files).fold(0, |digits, file| {
            let near = degree((row + 1) * files + file);
            let far = degree((row + 2) * files + file);
            digits << 4 | far << 2 | near
        });
        let digits = usize::try_from(digits).expect("a few files");
        !self.beginnings[rows - 3 - row].has(final_files, digits)
    }

    /// In how many ways a state after so many rows can be completed. `known` has the ways of patterns after as many rows.
    pub(super) fn completions<const W: usize>(
        &self,
        course: &Course,
        rows: usize,
        state: &State<W>,
        known: &mut HashMap<Pattern, Ways>,
    ) -> u128 {
        let upper = &self.uppers[self.frame.rows - 2 - rows];
        let mates = mates(course, &self.seats[rows], state, |place| place);
        let pattern = pattern(&mates, self.frame.places());
        let ways = known.entry(pattern).or_insert_with(|| {
            let mut found = Vec::new();
            self.ways(&upper.tree, self.links.list.len(), pattern, 0, ROOT, &mut found);
            found
        });
        ways.iter().map(|&(used, key)| self.cycles(upper, &mates, used, key)).sum()
    }

    /// Finds the sets of links, among the first so many, that lead from a pattern to a key; the node has
    /// the keys that agree with the digits that are final.
    fn ways(
        &self,
        keys: &Tree,
        left: usize,
        from: Pattern,
        used: u32,
        node: u32,
        found: &mut Ways,
    ) {
        let node = self.links.rungs[left].map_or(node, |rung| keys.after(node, rung, from));
        if node == 0 {
            return;
        }
        if left == 0 {
            found.extend(keys.found(node, from).map(|key| (used, key)));
            return;
        }
        self.ways(keys, left - 1, from, used, node, found);
        let (x, y) = self.links.list[left - 1];
        if digit(from, x) < 2 && digit(from, y) < 2 {
            let (from, used) = (from + edge(x, y), used | 1 << (left - 1));
            self.ways(keys, left - 1, from, used, node, found);
        }
    }

    /// In how many ways paths make one cycle, by these links and what goes with a key.
    fn cycles(&self, upper: &Upper, mates: &Mates, used: u32, key: usize) -> u128 {
        let mut mates = *mates;
        let mut left = used;
        while left != 0 {
            let (x, y) = self.links.list[left.trailing_zeros() as usize];
            left &= left - 1;
            if !join(&mut mates, x, y) {
                let is_last = left == 0 && upper.is_blank;
                return u128::from(is_last && closes_the_last_path(&mates, x, y));
            }
        }
        upper.cycles(key, &mates)
    }

    /// How many states it holds.
    pub(super) fn len(&self) -> usize {
        self.uppers.iter().map(|upper| upper.paths.len()).sum()
    }
}
