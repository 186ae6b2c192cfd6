//! The distances between the stops of a capture, measured by the checker itself.
//!
//! Breadth-first searches from many stops at once: each square has a bit for each search, so one visit of a square
//! serves all searches that reach it in the same layer.
//!
//! Invariant: a distance is that of the board, without any solver code.
//! Cost: a visit for each square and each layer in which a search reaches it; two bytes for each pair of stops.

use super::{Checked, Length, TREE_UNIT};
use crate::budget::Budget;
use crate::capture::CaptureProblem;
use crate::leaper::Leaper;
use crate::square::Square;

/// The largest table of distances that the checker makes.
pub(super) const MOST_STOPS: usize = 1 << 14;
/// The largest board that it searches, and the most squares that it visits in all.
pub(super) const MOST_SQUARES: u64 = 1 << 23;
pub(super) const MOST_VISITS: u64 = 1 << 34;
/// The largest board on which a square has bits for more than 64 searches: 64 bytes a square.
const MOST_SQUARES_AT_ONCE: u64 = 1 << 20;
/// The steps that a square takes in the table of jumps, and in one search.
const STEPS_PER_SQUARE: u64 = 32;
const STEPS_PER_VISIT: u64 = 16;
/// A distance that is unknown or too large.
pub(super) const FAR: u16 = u16::MAX;

/// Distances between stops, computed without any solver code.
pub(super) struct Table {
    pub(super) stops: usize,
    pub(super) distance: Vec<u16>,
}

/// Would the table of distances, or the searches for it, take more than the checker spends on a proof?
pub(super) const fn is_too_large(stops: usize, area: u64) -> bool {
    stops > MOST_STOPS || area > MOST_SQUARES || stops as u64 * area > MOST_VISITS
}

/// The distances between any two of these squares. The jumps of each square are given; where it has fewer than eight, the
/// rest lead to one more square behind all others, which no search enters.
///
/// Searches from `64 * WORDS` squares at a time, breadth first: bit `i` of a square is for the search from square
/// `begun + i`. While few squares are in a layer, these pass their searches on; while many are, all squares look at
/// their neighbours.
fn distances<const WORDS: usize>(
    squares: &[u32],
    jumps: &[[u32; 8]],
    budget: &Budget<'_>,
) -> Checked<Vec<u16>> {
    let (stops, outside) = (squares.len(), jumps.len());
    let mut distance = vec![FAR; stops * stops];
    let [mut seen, mut now, mut next] = [(); 3].map(|()| vec![[0_u64; WORDS]; outside + 1]);
    let mut stop_at = vec![0_u32; outside];
    for (stop, &square) in (1..).zip(squares) {
        stop_at[square as usize] = stop;
    }
    let mut layer = Vec::new();
    for (begun, sources) in (0..).step_by(64 * WORDS).zip(squares.chunks(64 * WORDS)) {
        for searches in [&mut seen, &mut now, &mut next] {
            searches.fill([0; WORDS]);
        }
        seen[outside] = [u64::MAX; WORDS];
        layer.clear();
        for (bit, &from) in sources.iter().enumerate() {
            next[from as usize][bit / 64] |= 1 << (bit % 64);
            layer.push(from);
        }
        let mut unknown = sources.len() * stops;
        let mut far = 0;
        // What is farther than any number counts as unreachable.
        while unknown > 0 && !layer.is_empty() && far < FAR {
            budget.step(layer.len() as u64 * STEPS_PER_VISIT)?;
            for &at in &layer {
                let at = at as usize;
                now[at] = std::mem::replace(&mut next[at], [0; WORDS]);
                for (seen, now) in seen[at].iter_mut().zip(now[at]) {
                    *seen |= now;
                }
                let Some(stop) = stop_at[at].checked_sub(1) else { continue };
                for (from, mut left) in (begun..).step_by(64).zip(now[at]) {
                    unknown -= left.count_ones() as usize;
                    while left != 0 {
                        let from = from + left.trailing_zeros() as usize;
                        distance[stop as usize * stops + from] = far;
                        left &= left - 1;
                    }
                }
            }
            let mut reached = Vec::with_capacity(layer.len());
            if layer.len() > outside / 4 {
                for ((at, jumps), seen) in (0..).zip(jumps).zip(&seen) {
                    let mut from = [0; WORDS];
                    for &jump in jumps {
                        or(&mut from, &now[jump as usize]);
                    }
                    let new: [u64; WORDS] = std::array::from_fn(|w| from[w] & !seen[w]);
                    if new != [0; WORDS] {
                        next[at as usize] = new;
                        reached.push(at);
                    }
                }
            } else {
                for &at in &layer {
                    for &to in &jumps[at as usize] {
                        let (seen, next) = (&seen[to as usize], &mut next[to as usize]);
                        let is_first = *next == [0; WORDS];
                        let searches = &now[at as usize];
                        or(next, &std::array::from_fn(|w| searches[w] & !seen[w]));
                        if is_first && *next != [0; WORDS] {
                            reached.push(to);
                        }
                    }
                }
            }
            for at in std::mem::replace(&mut layer, reached) {
                now[at as usize] = [0; WORDS];
            }
            far += 1;
        }
    }
    Ok(distance)
}

fn or<const WORDS: usize>(to: &mut [u64; WORDS], more: &[u64; WORDS]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to |= more;
    }
}

impl Table {
    pub(super) fn new(problem: &CaptureProblem, budget: &Budget<'_>) -> Checked<Table> {
        let board = &problem.board;
        let stops = problem.targets.len() + 1;
        if is_too_large(stops, board.area()) {
            return Err(budget.undecided("the board is too large, or has too many pieces"));
        }
        let (area, visits) = (board.area(), (stops as u64).saturating_mul(STEPS_PER_VISIT));
        budget.afford(area.saturating_mul(STEPS_PER_SQUARE + visits))?;
        let narrow = stops <= 64 || area > MOST_SQUARES_AT_ONCE;
        let bits = if narrow { 8 } else { 32 };
        // The jumps of a square, three sets of searches, its stop, a place in two layers.
        let square = 32 + 3 * bits + 4 + 2 * 4;
        budget.hold(area * square + 2 * (stops * stops) as u64)?;
        let index = |square: Square| square.rank * board.files() + square.file;
        let outside = u32::try_from(area).expect("at most 2²³ squares");
        let mut jumps = Vec::new();
        let (knight, mut reached) = (Leaper::KNIGHT.jumps(), Vec::new());
        for rank in 0..board.ranks() {
            budget.step(u64::from(board.files()) * STEPS_PER_SQUARE)?;
            for square in (0..board.files()).map(|file| Square::new(file, rank)) {
                let mut of_square = [outside; 8];
                if board.contains(square) {
                    board.list_jumps(&knight, square, &mut reached);
                    for (jump, to) in of_square.iter_mut().zip(reached.drain(..)) {
                        *jump = index(to);
                    }
                }
                jumps.push(of_square);
            }
        }
        let squares: Vec<u32> = std::iter::once(problem.start)
            .chain(problem.targets.iter().copied())
            .map(index)
            .collect();
        let search = if narrow { distances::<1> } else { distances::<4> };
        let distance = search(&squares, &jumps, budget)?;
        if distance.contains(&FAR) {
            return Err(format!("a piece cannot be reached in fewer than {FAR} moves"));
        }
        Ok(Table { stops, distance })
    }

    /// The distances from a stop to all stops.
    pub(super) fn row(&self, u: usize) -> &[u16] {
        &self.distance[u * self.stops..][..self.stops]
    }

    pub(super) fn distance(&self, u: usize, v: usize) -> u16 {
        self.distance[u * self.stops + v]
    }

    pub(super) fn charge(&self, potentials: &[i64], u: usize, v: usize) -> i64 {
        i64::from(self.distance(u, v)) * TREE_UNIT - potentials[u] - potentials[v]
    }

    /// The kinds of length that plans have, and the stops where plans of that kind end.
    pub(super) fn endings(&self) -> Vec<(Length, Vec<usize>)> {
        let odd = |v: usize| self.distance(0, v) % 2 == 1;
        let agree = |u: usize| {
            let pairs = self.row(u).iter().zip(self.row(0));
            pairs.fold(0, |wrong, (far, from_start)| {
                wrong | (far ^ from_start ^ self.distance(0, u))
            }) % 2
                == 0
        };
        if !(0..self.stops).all(agree) {
            return vec![(Length::Any, (1..self.stops).collect())];
        }
        let ends = |want: bool| (1..self.stops).filter(|&v| odd(v) == want).collect::<Vec<_>>();
        let both = [(Length::Even, ends(false)), (Length::Odd, ends(true))];
        both.into_iter().filter(|(_, ends)| !ends.is_empty()).collect()
    }
}
