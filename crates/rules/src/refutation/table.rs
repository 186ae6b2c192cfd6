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

/// The jumps between any two of these squares; the jumps of square `i` are `jumps[first[i]..first[i + 1]]`.
///
/// Searches from `64 * WORDS` squares at a time, breadth first: bit `i` of a square is for the search from square
/// `begun + i`.
fn distances<const WORDS: usize>(
    squares: &[u32],
    first: &[u32],
    jumps: &[u32],
    budget: &Budget<'_>,
) -> Checked<Vec<u16>> {
    let stops = squares.len();
    let mut distance = vec![FAR; stops * stops];
    let mut seen = vec![[0_u64; WORDS]; first.len() - 1];
    let mut new = vec![[0_u64; WORDS]; first.len() - 1]; // in the next layer
    let mut stop_at = vec![0_u32; first.len() - 1];
    for (stop, &square) in (1..).zip(squares) {
        stop_at[square as usize] = stop;
    }
    let (mut layer, mut reached) = (Vec::new(), Vec::new());
    for (begun, sources) in (0..).step_by(64 * WORDS).zip(squares.chunks(64 * WORDS)) {
        seen.fill([0; WORDS]);
        layer.clear();
        for (bit, &from) in sources.iter().enumerate() {
            let mut searches = [0; WORDS];
            searches[bit / 64] = 1 << (bit % 64);
            layer.push((from as usize, searches));
        }
        let mut unknown = sources.len() * stops;
        let mut far = 0;
        // What is farther than any number counts as unreachable.
        while unknown > 0 && !layer.is_empty() && far < FAR {
            budget.step(layer.len() as u64 * STEPS_PER_VISIT)?;
            for &(at, searches) in &layer {
                for (seen, &searches) in seen[at].iter_mut().zip(&searches) {
                    *seen |= searches;
                }
                let Some(stop) = stop_at[at].checked_sub(1) else { continue };
                for (from, mut left) in (begun..).step_by(64).zip(searches) {
                    unknown -= left.count_ones() as usize;
                    while left != 0 {
                        let from = from + left.trailing_zeros() as usize;
                        distance[stop as usize * stops + from] = far;
                        left &= left - 1;
                    }
                }
            }
            for &(at, searches) in &layer {
                for &to in &jumps[first[at] as usize..first[at + 1] as usize] {
                    let (seen, new) = (&seen[to as usize], &mut new[to as usize]);
                    if *new == [0; WORDS] && (0..WORDS).any(|w| searches[w] & !seen[w] != 0) {
                        reached.push(to as usize);
                    }
                    for w in 0..WORDS {
                        new[w] |= searches[w] & !seen[w];
                    }
                }
            }
            layer.clear();
            let taken = |at: usize| (at, std::mem::replace(&mut new[at], [0; WORDS]));
            layer.extend(reached.drain(..).map(taken));
            far += 1;
        }
    }
    Ok(distance)
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
        // The jumps of a square and where they begin, two sets of searches, its stop, a place in two layers.
        let square = 40 + 2 * bits + 4 + 2 * (bits + 8);
        budget.hold(area * square + 2 * (stops * stops) as u64)?;
        let index = |square: Square| square.rank * board.files() + square.file;
        // The jumps of square `i` are `jumps[first[i]..first[i + 1]]`.
        let (mut first, mut jumps) = (vec![0_u32], Vec::<u32>::new());
        let (knight, mut reached) = (Leaper::KNIGHT.jumps(), Vec::new());
        for rank in 0..board.ranks() {
            budget.step(u64::from(board.files()) * STEPS_PER_SQUARE)?;
            for square in (0..board.files()).map(|file| Square::new(file, rank)) {
                if board.contains(square) {
                    board.list_jumps(&knight, square, &mut reached);
                    jumps.extend(reached.drain(..).map(index));
                }
                first.push(u32::try_from(jumps.len()).expect("eight jumps of 2²³ squares"));
            }
        }
        let squares: Vec<u32> = std::iter::once(problem.start)
            .chain(problem.targets.iter().copied())
            .map(index)
            .collect();
        let search = if narrow { distances::<1> } else { distances::<4> };
        let distance = search(&squares, &first, &jumps, budget)?;
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
