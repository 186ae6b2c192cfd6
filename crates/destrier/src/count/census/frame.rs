//! The frontier of a plain board at the end of a row: two rows of squares, and what may join them.
//!
//! A place is a square of the two rows, near or far, or the apex of open tours. Paths are given by their ends' places; the
//! edges within the two rows and to the apex are the links, which belong to neither half yet.
//!
//! Invariant: turning the board upside down exchanges the near and the far place of a file.
//! Cost: a handful of steps per place.
//! Source: `docs/sampling.md`.

use super::super::sweep::course::Course;
use super::super::sweep::state::{State, UNTOUCHED};
use crate::count::middle::join::matching::{MOST_POINTS, rank};
use crate::count::middle::join::pattern::{Pattern, digit};
use crate::run::threads;

/// A plain board as its sweep goes: rows of so many squares, and an apex if tours are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(super) files: usize,
    pub(super) rows: usize,
    pub(super) is_open: bool,
}

/// The most places of two rows and an apex.
pub(super) const MOST_PLACES: usize = 21;

/// The other end of the path at each place: itself if untouched, [`INSIDE`] if the place has both its edges.
pub(super) type Mates = [u8; MOST_PLACES];

pub(super) const INSIDE: u8 = u8::MAX;

/// For each place of the two rows its slot, and the other way round.
#[derive(Clone, Debug)]
pub(super) struct Seats {
    slots: Vec<Option<usize>>,
    places: Vec<u8>,
}

impl Frame {
    /// The frame of a board with such rows, if it can be met in the middle.
    pub(crate) fn new(files: usize, rows: usize, is_open: bool) -> Option<Frame> {
        ((3..=10).contains(&files) && rows >= 4).then_some(Frame { files, rows, is_open })
    }

    /// Is it so wide that its states will not all be kept?
    pub(super) fn is_wide(self) -> bool {
        self.files >= 7
    }

    /// The row end at which all states are met at once.
    pub(super) fn lower(self) -> usize {
        (self.rows - 1) / 2
    }

    /// The rows that are left above the two rows of the frontier there.
    pub(super) fn upper(self) -> usize {
        self.rows - 2 - self.lower()
    }

    /// The row ends between which tours are drawn, by how many squares come before.
    pub(super) fn stops(self) -> Vec<usize> {
        (0..self.rows - 1).map(|row| row * self.files).collect()
    }

    pub(super) fn places(self) -> usize {
        2 * self.files + usize::from(self.is_open)
    }

    pub(super) fn place(self, is_far: bool, file: usize) -> usize {
        usize::from(self.is_open) + 2 * file + usize::from(is_far)
    }

    /// A place as the smaller board has it, upside down.
    pub(super) fn turned(self, place: usize) -> usize {
        let apex = usize::from(self.is_open);
        if place < apex { place } else { ((place - apex) ^ 1) + apex }
    }

    /// The edges that are left to a file and those before it, within the two rows and to the apex.
    fn links(self, file: usize) -> Vec<(usize, usize)> {
        let (near, far) = (self.place(false, file), self.place(true, file));
        let mut links = Vec::new();
        if file >= 2 {
            links.push((self.place(true, file - 2), near));
            links.push((self.place(false, file - 2), far));
        }
        if self.is_open {
            links.extend([(0, near), (0, far)]);
        }
        links
    }

    /// Where the places sit in the states of a course after so many rows.
    pub(super) fn seats(self, course: &Course, settled: usize) -> Seats {
        let squares = self.files * settled;
        let mut slots = vec![None; self.places()];
        for file in 0..self.files {
            slots[self.place(false, file)] = course.slot(squares + file, squares);
            slots[self.place(true, file)] = course.slot(squares + self.files + file, squares);
        }
        if self.is_open {
            slots[0] = course.slot(self.files * self.rows, squares);
        }
        let mut places = vec![0; course.packing().slots()];
        for (place, slot) in (0..).zip(&slots) {
            if let Some(slot) = *slot {
                places[slot] = place;
            }
        }
        Seats { slots, places }
    }

    /// The degrees that the other side must give.
    pub(super) fn complement(self, pattern: Pattern) -> Pattern {
        (0..self.places()).map(|place| (2 - digit(pattern, place)) << (2 * place)).sum()
    }
}

/// The paths of a state, by places; upside down for a state of the smaller board.
pub(super) fn mates<const W: usize>(
    course: &Course,
    seats: &Seats,
    state: &State<W>,
    turned: impl Fn(usize) -> usize,
) -> Mates {
    let packing = course.packing();
    let small = |place: usize| u8::try_from(place).expect("few places");
    let mut mates = [INSIDE; MOST_PLACES];
    for (place, slot) in seats.slots.iter().enumerate() {
        let code = slot.map_or(UNTOUCHED, |slot| packing.get(state, slot));
        mates[turned(place)] = if code == UNTOUCHED {
            small(turned(place))
        } else if code == packing.done() {
            INSIDE
        } else {
            let slot = usize::try_from(code).expect("a slot") - 1;
            small(turned(usize::from(seats.places[slot])))
        };
    }
    mates
}

/// The degrees of paths, two bits a place.
pub(super) fn pattern(mates: &Mates, places: usize) -> Pattern {
    let degree = |place: usize| match usize::from(mates[place]) {
        mate if mate == place => 0,
        mate if mate == usize::from(INSIDE) => 2,
        _ => 1,
    };
    (0..places).map(|place| degree(place) << (2 * place)).sum()
}

/// The number of the matching of path ends.
pub(super) fn number(mates: &Mates, places: usize) -> u32 {
    let is_end = |place: usize| mates[place] != INSIDE && usize::from(mates[place]) != place;
    let mut point_of = [0; MOST_PLACES];
    let mut ends = 0;
    for place in (0..places).filter(|&place| is_end(place)) {
        point_of[place] = ends;
        ends += 1;
    }
    let mut partners = [0; MOST_POINTS];
    for place in (0..places).filter(|&place| is_end(place)) {
        partners[usize::from(point_of[place])] = point_of[usize::from(mates[place])];
    }
    rank(&partners[..usize::from(ends)])
}

/// Adds an edge to paths; false, and nothing is done, if a place has both its edges or a cycle would close.
pub(super) fn join(mates: &mut Mates, x: usize, y: usize) -> bool {
    let (a, b) = (mates[x], mates[y]);
    if a == INSIDE || b == INSIDE || usize::from(a) == y {
        return false;
    }
    mates[x] = INSIDE;
    mates[y] = INSIDE;
    mates[usize::from(a)] = b;
    mates[usize::from(b)] = a;
    true
}

/// Does an edge close a cycle, while every other place has both its edges?
pub(super) fn closes_the_last_path(mates: &Mates, x: usize, y: usize) -> bool {
    usize::from(mates[x]) == y
        && (0..).zip(mates).all(|(place, &mate)| mate == INSIDE || place == x || place == y)
}

/// All links, in the order of the files.
#[derive(Debug)]
pub(super) struct Links {
    pub(super) list: Vec<(usize, usize)>,
    /// By how many links are left to decide about, the last ones first: the files whose digits become final with that.
    pub(super) rungs: Vec<Option<Rung>>,
}

/// Files whose digits become final together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rung {
    /// The first place of the first of them.
    pub(super) place: usize,
    pub(super) files: usize,
    /// How many links were left when the digits of the file after them became final.
    pub(super) before: usize,
}

impl Links {
    pub(super) fn of(frame: Frame) -> Links {
        let list: Vec<(usize, usize)> =
            (0..frame.files).flat_map(|file| frame.links(file)).collect();
        let mut rungs: Vec<Option<Rung>> = vec![None; list.len() + 1];
        let mut left = list.len();
        for file in (0..frame.files).rev() {
            let before = left;
            left -= frame.links(file).len();
            let rung = rungs[left].get_or_insert(Rung { place: 0, files: 0, before });
            rung.place = frame.place(false, file);
            rung.files += 1;
        }
        Links { list, rungs }
    }
}

/// What becomes of each state of the smaller board, in all its mirror images, with the ways to come to each.
pub(super) fn images<const W: usize, R: Send>(
    course: &Course,
    mirror: Option<&[Option<usize>]>,
    layer: &[Vec<(State<W>, u64)>],
    each: impl Fn(State<W>, u64) -> R + Sync,
) -> Vec<R> {
    let part = |part: &Vec<(State<W>, u64)>| {
        let mut made = Vec::with_capacity(2 * part.len());
        for &(state, ways) in part {
            let image = mirror.map(|to| course.packing().moved(&state, |slot| to[slot]));
            if let Some(image) = image.filter(|image| *image != state) {
                made.push(each(state, ways / 2));
                made.push(each(image, ways / 2));
            } else {
                made.push(each(state, ways));
            }
        }
        made
    };
    threads::map(layer, part).into_iter().flatten().collect()
}
