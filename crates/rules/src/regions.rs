//! The regions in which knights stay, computed from the board alone.
//!
//! Move the empty squares of a part to where the goal has them. Mark one knight. While it stands still,
//! each component of the rest of the part keeps its number of empty squares, and they can be anywhere in
//! it; so the square of the knight and those numbers determine where it can go next. All such states are
//! searched. Knights whose states are not connected never take each other's places.
//!
//! With one empty square, all that can happen until it is back is a product of *turns*: the empty square goes along
//! a tree to a jump outside the tree, over it, and home. Two facts follow for a region: if one turn alone acts on
//! it, its knights can only take the orders that this turn gives again and again; if every turn permutes it evenly,
//! so does everything.
//!
//! Invariant: nothing is claimed about a part with too many states to search.
//! Source: Wilson 1974; Kornhauser, Miller and Spirakis 1984.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::board::Board;
use crate::budget::Budget;
use crate::leaper::Leaper;
use crate::square::Square;
use crate::swap::{Placement, SwapProblem};

/// At most this many states of marked knights are searched, and this many jumps of the knight between them.
const MOST_STATES: usize = 100_000;
const MOST_JUMPS: usize = 1_600_000;
/// The steps that a square or a jump between states takes.
const STEPS: u64 = 64;
/// Nothing is claimed about larger parts.
const MOST_SQUARES: usize = 128;

/// A part of the board, with its knights moved so that the empty squares are those of the goal.
pub(crate) struct Aligned<'a> {
    problem: &'a SwapProblem,
    knights: Placement,
    empty: BTreeSet<Square>,
    regions: Vec<Vec<Square>>,
}

/// Whether a part has regions that the checker can find.
pub(crate) enum Regions<'a> {
    /// They are found.
    Found(Aligned<'a>),
    /// They say nothing: there is no empty square, or the goal is open or has another number of knights.
    None,
    /// There are too many squares or states.
    TooMany,
}

impl<'a> Aligned<'a> {
    /// The regions of a part; an error means that the budget does not allow an answer.
    pub(crate) fn find(
        problem: &'a SwapProblem,
        part: &[Square],
        budget: &Budget<'_>,
    ) -> Result<Regions<'a>, String> {
        let goal = &problem.goal;
        let count = |knights: &Placement| part.iter().filter(|s| knights.contains_key(s)).count();
        if part.iter().any(|square| goal.any.contains(square))
            || count(&problem.start) != count(&goal.knights)
            || count(&problem.start) == part.len()
        {
            return Ok(Regions::None);
        }
        if part.len() > MOST_SQUARES {
            return Ok(Regions::TooMany);
        }
        budget.step((part.len() * part.len()) as u64 * STEPS)?;
        let knights = align(problem, part);
        let empty = part.iter().copied().filter(|s| !knights.contains_key(s)).collect();
        let mut aligned = Self { problem, knights, empty, regions: Vec::new() };
        let regions = aligned.find_regions(part, MOST_STATES, MOST_JUMPS, budget)?;
        Ok(regions.map_or(Regions::TooMany, |regions| {
            aligned.regions = regions;
            Regions::Found(aligned)
        }))
    }

    /// `None` where there are more states or jumps than this.
    fn find_regions(
        &self,
        part: &[Square],
        most_states: usize,
        most_jumps: usize,
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Vec<Square>>>, String> {
        let mut jumps_left = most_jumps;
        let components: BTreeMap<Square, Vec<BTreeSet<Square>>> =
            part.iter().map(|&square| (square, self.components_without(square, part))).collect();
        let state = |square: Square| -> State {
            let held = |component: &BTreeSet<Square>| component.intersection(&self.empty).count();
            (square, components[&square].iter().map(held).collect())
        };
        let mut region_of: BTreeMap<State, usize> = BTreeMap::new();
        let mut regions: Vec<Vec<Square>> = Vec::new();
        for &square in part.iter().filter(|square| !self.empty.contains(square)) {
            let first = state(square);
            if let Some(&region) = region_of.get(&first) {
                regions[region].push(square);
                continue;
            }
            let name = regions.len();
            regions.push(vec![square]);
            region_of.insert(first.clone(), name);
            let mut waiting = VecDeque::from([first]);
            while let Some(state) = waiting.pop_front() {
                for next in self.next_states(&state, &components) {
                    budget.step(STEPS)?;
                    if region_of.len() > most_states || jumps_left == 0 {
                        return Ok(None);
                    }
                    jumps_left -= 1;
                    if !region_of.contains_key(&next) {
                        region_of.insert(next.clone(), name);
                        waiting.push_back(next);
                    }
                }
            }
        }
        Ok(Some(regions))
    }

    /// The connected components of the part without one square.
    fn components_without(&self, square: Square, part: &[Square]) -> Vec<BTreeSet<Square>> {
        let mut left: BTreeSet<Square> = part.iter().copied().filter(|&s| s != square).collect();
        let mut components = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut component = BTreeSet::from([first]);
            let mut waiting = vec![first];
            while let Some(here) = waiting.pop() {
                for next in jumps(&self.problem.board, here) {
                    if left.remove(&next) {
                        component.insert(next);
                        waiting.push(next);
                    }
                }
            }
            components.push(component);
        }
        components
    }

    /// The states after one jump of the marked knight, for every arrangement of the empty squares before it, one by one:
    /// there can be millions.
    fn next_states<'s>(
        &'s self,
        (from, held): &'s State,
        components: &'s BTreeMap<Square, Vec<BTreeSet<Square>>>,
    ) -> impl Iterator<Item = State> + 's {
        jumps(&self.problem.board, *from).into_iter().flat_map(move |to| {
            let at = components[from].iter().position(|component| component.contains(&to));
            let spare = at.and_then(|at| held[at].checked_sub(1));
            // Without the square jumped to, the component jumped into falls apart: into what is still
            // connected to the square jumped from, and the rest.
            let behind = &components[&to];
            let room: Vec<usize> = behind
                .iter()
                .map(|component| if component.contains(from) { 0 } else { component.len() })
                .collect();
            let size = at.map_or(0, |at| components[from][at].len());
            let near = size.saturating_sub(1 + room.iter().sum::<usize>());
            let shares = spare.map(|spare| Shares::new(room, spare.saturating_sub(near), spare));
            shares.into_iter().flatten().map(move |mut share| {
                let left = self.empty.len() - share.iter().sum::<usize>();
                for (held, component) in share.iter_mut().zip(behind) {
                    if component.contains(from) {
                        *held = left;
                    }
                }
                (to, share)
            })
        })
    }

    /// Do the knights of some region differ from those of the goal there?
    pub(crate) fn counts_differ(&self) -> bool {
        let sorted = |knights: &Placement, region: &[Square]| {
            let letter = |square| knights.get(square).copied();
            let mut letters: Vec<Option<char>> = region.iter().map(letter).collect();
            letters.sort_unstable();
            letters
        };
        let goal = &self.problem.goal.knights;
        self.regions.iter().any(|region| sorted(&self.knights, region) != sorted(goal, region))
    }

    /// With one empty square, is some region (or the whole part) without equal knights in an odd order, while every
    /// turn is even there?
    pub(crate) fn is_odd(&self) -> bool {
        let turns = self.turns();
        let goal = &self.problem.goal.knights;
        let odd = |region: &Vec<Square>| {
            let place = |square: &Square| region.iter().position(|s| s == square);
            let even = |turn: &Turn| is_even(region.iter().map(|s| place(&turn[s])));
            let goes = |square: &Square| {
                let letter = self.knights.get(square);
                let alike = region.iter().filter(|s| self.knights.get(s) == letter).count();
                let to = region.iter().position(|s| goal.get(s) == letter);
                to.filter(|_| alike == 1)
            };
            turns.iter().all(|turn| even(turn) == Some(true))
                && is_even(region.iter().map(goes)) == Some(false)
        };
        let any = || self.regions.iter().any(odd) || odd(&self.regions.concat());
        self.empty.len() == 1 && any()
    }

    /// With one empty square, is there a region on which one turn alone acts, however often it is repeated never
    /// with the order of the goal?
    pub(crate) fn wheel_differs(&self) -> bool {
        let turns = self.turns();
        let differs = |region: &Vec<Square>| {
            let mut acting = turns.iter().filter(|turn| region.iter().any(|s| turn[s] != *s));
            let (Some(turn), None) = (acting.next(), acting.next()) else { return false };
            let goal = &self.problem.goal.knights;
            let mut knights = self.knights.clone();
            let ring = std::iter::successors(Some(turn[&region[0]]), |square| Some(turn[square]));
            let is_ring =
                ring.take_while(|square| *square != region[0]).count() + 1 == region.len();
            is_ring
                && !region.iter().any(|_| {
                    let turned = knights.iter().map(|(square, &letter)| (turn[square], letter));
                    knights = turned.collect();
                    region.iter().all(|square| knights.get(square) == goal.get(square))
                })
        };
        self.empty.len() == 1 && self.regions.iter().any(differs)
    }

    /// What the one empty square does to the knights on its way along the tree to each jump outside it, over that
    /// jump, and home: where the knight on each square goes.
    fn turns(&self) -> Vec<Turn> {
        let Some(&home) = self.empty.first() else { return Vec::new() };
        let board = &self.problem.board;
        let mut before = BTreeMap::from([(home, home)]);
        let mut reached = vec![home];
        let mut at = 0;
        while let Some(&here) = reached.get(at) {
            for next in jumps(board, here) {
                if let Entry::Vacant(entry) = before.entry(next) {
                    entry.insert(here);
                    reached.push(next);
                }
            }
            at += 1;
        }
        let way_home = |from: Square| {
            std::iter::successors(Some(from), |square| (*square != home).then(|| before[square]))
        };
        let mut turns = Vec::new();
        for (number, &one) in reached.iter().enumerate() {
            for &other in &reached[..number] {
                if before[&one] == other || !board.is_jump(Leaper::KNIGHT, one, other) {
                    continue;
                }
                let mut walk: Vec<Square> = way_home(one).collect();
                walk.reverse();
                walk.extend(way_home(other));
                // The knight that began on each square, by where it stands now.
                let mut began: Turn = reached.iter().map(|&square| (square, square)).collect();
                for step in walk.windows(2) {
                    let moved = began.insert(step[1], began[&step[0]]).unwrap_or(step[1]);
                    began.insert(step[0], moved);
                }
                turns.push(began.into_iter().map(|(to, from)| (from, to)).collect());
            }
        }
        turns
    }
}

/// The ways to spread at least and at most this many empty squares over components with this room, in lexicographic order.
struct Shares {
    room: Vec<usize>,
    least: usize,
    most: usize,
    next: Option<Vec<usize>>,
}

impl Shares {
    fn new(room: Vec<usize>, least: usize, most: usize) -> Shares {
        let none = vec![0; room.len()];
        let mut shares = Shares { room, least, most, next: None };
        shares.next = shares.first_from(0, none);
        shares
    }

    /// The first way that begins as this one does before component `at`.
    fn first_from(&self, at: usize, mut share: Vec<usize>) -> Option<Vec<usize>> {
        let mut lacking = self.least.saturating_sub(share[..at].iter().sum());
        for at in (at..share.len()).rev() {
            share[at] = lacking.min(self.room[at]);
            lacking -= share[at];
        }
        (lacking == 0).then_some(share)
    }
}

impl Iterator for Shares {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let share = self.next.take()?;
        let has_room = |&at: &usize| {
            share[at] < self.room[at] && share[..=at].iter().sum::<usize>() < self.most
        };
        self.next = (0..share.len()).rev().find(has_room).and_then(|at| {
            let mut next = share.clone();
            next[at] += 1;
            self.first_from(at + 1, next)
        });
        Some(share)
    }
}

/// Where the knight on each square goes.
type Turn = BTreeMap<Square, Square>;

/// Is this permutation even? Nothing where it is none.
fn is_even(image: impl Iterator<Item = Option<usize>>) -> Option<bool> {
    let image: Vec<usize> = image.collect::<Option<_>>()?;
    let pairs = (0..image.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    Some(pairs.filter(|&(j, i)| image[j] > image[i]).count() % 2 == 0)
}

/// The square of the marked knight, and the number of empty squares in each component of the rest.
type State = (Square, Vec<usize>);

fn jumps(board: &Board, square: Square) -> Vec<Square> {
    board.jumps_from(Leaper::KNIGHT, square)
}

/// The knights of a part after jumps that move its empty squares to where the goal has them.
fn align(problem: &SwapProblem, part: &[Square]) -> Placement {
    let goal = &problem.goal.knights;
    let mut knights: Placement =
        part.iter().filter_map(|s| problem.start.get(s).map(|&letter| (*s, letter))).collect();
    // Between an empty square that the goal fills and a knight where the goal has none, all knights on
    // a path move one place along it, the first into the empty square.
    while let Some(&from) = part.iter().find(|s| goal.contains_key(s) && !knights.contains_key(s)) {
        let mut came: BTreeMap<Square, Square> = BTreeMap::from([(from, from)]);
        let mut waiting = VecDeque::from([from]);
        let mut last = None;
        while let Some(here) = waiting.pop_front() {
            if !goal.contains_key(&here) && knights.contains_key(&here) {
                last = Some(here);
                break;
            }
            for next in jumps(&problem.board, here) {
                if let Entry::Vacant(entry) = came.entry(next) {
                    entry.insert(here);
                    waiting.push_back(next);
                }
            }
        }
        let Some(last) = last else { break };
        let mut path = vec![last];
        while path[path.len() - 1] != from {
            path.push(came[&path[path.len() - 1]]);
        }
        // From `from` on, each knight takes the place of the one before it.
        path.reverse();
        let mut free = from;
        for &square in &path {
            if let Some(letter) = knights.remove(&square) {
                knights.insert(free, letter);
                free = square;
            }
        }
    }
    knights
}

#[cfg(test)]
mod tests;
