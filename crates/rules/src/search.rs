//! The checker's own search: every position of a small question, breadth first.
//!
//! That nothing is cheaper, or that nothing exists, may rest on a search, which a certificate can only report. Where a
//! question has few positions the checker looks at all of them itself. It uses nothing of the engine: no symmetry, no
//! meeting in the middle, no numbering, and of bounds only what follows from distances on the empty board.
//!
//! Invariant: it finds nothing only where no solution costs less, and finds a solution only where one does.
//! Cost: memory for the positions that the budget allows, and at most a few microseconds for each: the steps out of one
//! position count, too.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::board::Board;
use crate::budget::Budget;
use crate::capture::CaptureProblem;
use crate::leaper::Leaper;
use crate::square::Square;
use crate::swap::{Metric, Side, SwapProblem};
use crate::symmetry::Symmetry;
use crate::tour::{Shape, TourProblem};

/// What a search for something cheaper came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sought {
    /// No solution costs less.
    Nothing,
    /// There is one, at this cost.
    Found(u64),
    /// There are more positions than the budget allows, or the question is not one for this search.
    Unfinished,
}

/// The steps of the budget that a position takes, however often it is met.
const STEPS_PER_POSITION: u64 = 1 << 8;
/// The most steps between positions, for each position that the budget allows.
const STEPS_OUT: usize = 16;
/// The most squares of a board that is searched.
const MOST_SQUARES: u64 = 128;
/// What has no way to its goal is this far from it.
const FAR: u64 = 1 << 32;

/// A question as a graph of positions.
trait Positions {
    type Position: Clone + Eq + Hash;

    fn starts(&self) -> Vec<Self::Position>;

    fn is_goal(&self, position: &Self::Position) -> bool;

    /// No way from here to a goal costs less.
    fn at_least(&self, position: &Self::Position) -> u64;

    /// Shows each position one step further, and whether the step costs 1 or nothing.
    fn steps(&self, from: &Self::Position, show: impl FnMut(Self::Position, bool));
}

fn seek<P: Positions>(graph: &P, below: u64, budget: &Budget<'_>) -> Sought {
    let most = budget.positions();
    let mut steps_left = most.saturating_mul(STEPS_OUT);
    let mut seen = HashSet::new();
    let mut layer = graph.starts();
    layer.retain(|start| graph.at_least(start) < below);
    for cost in 0..below {
        let mut next = HashSet::new();
        while let Some(position) = layer.pop() {
            if !seen.insert(position.clone()) {
                continue;
            }
            if graph.is_goal(&position) {
                return Sought::Found(cost);
            }
            let mut steps = 0;
            graph.steps(&position, |to, costs| {
                steps += 1;
                let least = (cost + u64::from(costs)).saturating_add(graph.at_least(&to));
                if least < below && !seen.contains(&to) {
                    if costs { next.extend([to]) } else { layer.push(to) }
                }
            });
            // All that is kept counts, not only what was looked at.
            let kept = seen.len() + layer.len() + next.len();
            let work = (1 + steps as u64) * STEPS_PER_POSITION;
            if kept > most || steps > steps_left || budget.go_on(work).is_err() {
                return Sought::Unfinished;
            }
            steps_left -= steps;
        }
        if next.is_empty() {
            break;
        }
        layer = next.into_iter().collect();
    }
    Sought::Nothing
}

/// The squares of a small board by number, and the jumps between them.
struct Net {
    squares: Vec<Square>,
    jumps: Vec<Vec<usize>>,
}

impl Net {
    fn new(board: &Board, leaper: Leaper) -> Option<Net> {
        if board.area() > MOST_SQUARES {
            return None;
        }
        let squares: Vec<Square> = board.squares().collect();
        let number = |to: Square| squares.iter().position(|&square| square == to);
        let jumps = |&from: &Square| {
            board.jumps_from(leaper, from).into_iter().filter_map(number).collect()
        };
        let jumps = squares.iter().map(jumps).collect();
        Some(Net { squares, jumps })
    }

    fn number(&self, of: Square) -> Option<usize> {
        self.squares.iter().position(|&square| square == of)
    }

    /// The jumps from each square to the nearest of these.
    fn distances(&self, to: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut distances = vec![FAR; self.squares.len()];
        let mut layer: Vec<usize> = to.collect();
        let mut distance = 0;
        while !layer.is_empty() {
            layer.retain(|&at| distances[at] == FAR);
            for &at in &layer {
                distances[at] = distance;
            }
            layer = layer.iter().flat_map(|&at| self.jumps[at].iter().copied()).collect();
            distance += 1;
        }
        distances
    }
}

/// Squares that were visited, or are still to be visited, and where the knight stands.
type Walk = (u128, usize);

struct TourPositions {
    net: Net,
    first: Option<usize>,
    last: Option<usize>,
    closed: bool,
}

impl TourPositions {
    fn new(problem: &TourProblem) -> Option<TourPositions> {
        let net = Net::new(&problem.board, problem.leaper)?;
        let closed = problem.shape == Shape::Closed;
        // A tour can be walked either way, and a closed one from anywhere.
        let (first, last) = match (problem.start, problem.end) {
            (None, end) => (end, None),
            (start, end) => (start, end),
        };
        let first = first.and_then(|square| net.number(square)).or(closed.then_some(0));
        let last = last.and_then(|square| net.number(square));
        Some(TourPositions { net, first, last, closed })
    }

    /// Two squares joined by one jump are not a cycle.
    fn is_too_small(&self) -> bool {
        self.closed && self.net.squares.len() < 3
    }
}

impl Positions for TourPositions {
    type Position = Walk;

    fn starts(&self) -> Vec<Walk> {
        let all = self.first.map_or(0..self.net.squares.len(), |first| first..first + 1);
        all.map(|at| (1 << at, at)).collect()
    }

    fn is_goal(&self, &(visited, at): &Walk) -> bool {
        let closes = || self.first.is_some_and(|first| self.net.jumps[at].contains(&first));
        visited.count_ones() as usize == self.net.squares.len()
            && self.last.is_none_or(|last| last == at)
            && (!self.closed || closes())
    }

    fn at_least(&self, _: &Walk) -> u64 {
        0
    }

    fn steps(&self, &(visited, at): &Walk, mut show: impl FnMut(Walk, bool)) {
        for &to in self.net.jumps[at].iter().filter(|&&to| visited >> to & 1 == 0) {
            show((visited | 1 << to, to), true);
        }
    }
}

/// Looks for a tour. Positions know nothing of symmetries: where one is asked for, and there are tours, all are listed.
pub(crate) fn tour(problem: &TourProblem, budget: &Budget<'_>) -> Sought {
    let Some(positions) = TourPositions::new(problem) else { return Sought::Unfinished };
    if positions.is_too_small() {
        return Sought::Nothing;
    }
    // A walk over all squares has fewer jumps than squares.
    let sought = seek(&positions, positions.net.squares.len() as u64, budget);
    if problem.symmetry.is_none() || !matches!(sought, Sought::Found(_)) {
        return sought;
    }
    let mut found = Sought::Nothing;
    let listed = positions.list(budget, |walk| {
        if !problem.has_its_symmetry(walk) {
            return ControlFlow::Continue(());
        }
        found = sought;
        ControlFlow::Break(())
    });
    listed.map_or(Sought::Unfinished, |()| found)
}

impl TourPositions {
    /// Shows every tour, the symmetry aside, until the callback stops it: in both directions, unless the question has both ends.
    /// Nothing is returned when that takes too many steps.
    fn list(
        &self,
        budget: &Budget<'_>,
        mut show: impl FnMut(&[Square]) -> ControlFlow<()>,
    ) -> Option<()> {
        let mut steps_left = budget.positions().saturating_mul(STEPS_OUT);
        for start in self.starts() {
            let mut walks = vec![start];
            let mut path: Vec<Square> = Vec::new();
            while let Some(walk) = walks.pop() {
                steps_left = steps_left.checked_sub(1)?;
                budget.go_on(STEPS_PER_POSITION).ok()?;
                path.truncate(walk.0.count_ones() as usize - 1);
                path.push(self.net.squares[walk.1]);
                if self.is_goal(&walk) && show(&path).is_break() {
                    return Some(());
                }
                self.steps(&walk, |to, _| walks.push(to));
            }
        }
        Some(())
    }

    /// How many walks there are that are tours, by the number of the square where they end.
    fn count(&self, budget: &Budget<'_>) -> Option<Vec<u128>> {
        let mut walks = vec![0_u128; self.net.squares.len()];
        if self.is_too_small() {
            return Some(walks);
        }
        let mut layer: HashMap<Walk, u128> =
            self.starts().into_iter().map(|start| (start, 1)).collect();
        let mut seen = 0;
        for _ in 0..walks.len() {
            let mut next = HashMap::new();
            for (position, ways) in layer {
                seen += 1;
                if seen + next.len() > budget.positions()
                    || budget.go_on(STEPS_PER_POSITION * 8).is_err()
                {
                    return None;
                }
                if self.is_goal(&position) {
                    walks[position.1] = walks[position.1].checked_add(ways)?;
                }
                let mut fits = Some(());
                self.steps(&position, |to, _| {
                    let sum = next.entry(to).or_insert(0_u128);
                    match sum.checked_add(ways) {
                        Some(more) => *sum = more,
                        None => fits = None,
                    }
                });
                fits?;
            }
            layer = next;
        }
        Some(walks)
    }
}

/// A tour that may be run both ways was walked both ways.
fn undirected(problem: &TourProblem, walks: u128) -> u128 {
    if problem.is_one_way() { walks } else { walks / 2 }
}

/// The number of undirected tours, if the positions are few enough; symmetric ones are listed.
pub(crate) fn count(problem: &TourProblem, budget: &Budget<'_>) -> Option<u128> {
    if budget.positions() == 0 {
        return None;
    }
    let positions = TourPositions::new(problem)?;
    let mut walks = 0_u128;
    if problem.symmetry.is_none() {
        for number in positions.count(budget)? {
            walks = walks.checked_add(number)?;
        }
    } else if !positions.is_too_small() {
        positions.list(budget, |walk| {
            walks += u128::from(problem.has_its_symmetry(walk));
            ControlFlow::Continue(())
        })?;
    }
    Some(undirected(problem, walks))
}

/// The number of directed tours from each square of a question without ends and symmetry, if the positions are few
/// enough.
pub(crate) fn count_by_start(
    problem: &TourProblem,
    budget: &Budget<'_>,
) -> Option<Vec<(Square, u128)>> {
    if budget.positions() == 0 {
        return None;
    }
    let positions = TourPositions::new(problem)?;
    let mut walks = positions.count(budget)?;
    if positions.closed {
        // A closed tour passes through every square.
        let all = walks.iter().try_fold(0_u128, |sum, &number| sum.checked_add(number))?;
        walks.fill(all);
    }
    Some(positions.net.squares.iter().copied().zip(walks).collect())
}

/// The number of tours of a question without ends that each symmetry of its board leaves as they are, if there are few
/// enough to list them.
pub(crate) fn fixed(problem: &TourProblem, budget: &Budget<'_>) -> Option<Vec<(Symmetry, u128)>> {
    if budget.positions() == 0 {
        return None;
    }
    let positions = TourPositions::new(problem)?;
    let symmetries = problem.board.symmetries().into_iter();
    let mut fixed: Vec<(Symmetry, u128)> = symmetries.map(|symmetry| (symmetry, 0)).collect();
    if !positions.is_too_small() {
        positions.list(budget, |walk| {
            if problem.has_its_symmetry(walk) {
                for (symmetry, number) in &mut fixed {
                    *number += u128::from(problem.is_fixed(walk, *symmetry));
                }
            }
            ControlFlow::Continue(())
        })?;
    }
    for (_, number) in &mut fixed {
        *number = undirected(problem, *number);
    }
    Some(fixed)
}

struct CapturePositions {
    net: Net,
    start: Walk,
}

impl Positions for CapturePositions {
    type Position = Walk;

    fn starts(&self) -> Vec<Walk> {
        vec![self.start]
    }

    fn is_goal(&self, &(left, _): &Walk) -> bool {
        left == 0
    }

    /// A move takes at most one piece.
    fn at_least(&self, &(left, _): &Walk) -> u64 {
        left.count_ones().into()
    }

    fn steps(&self, &(left, at): &Walk, mut show: impl FnMut(Walk, bool)) {
        self.net.jumps[at].iter().for_each(|&to| show((left & !(1 << to), to), true));
    }
}

/// Looks for a capture that costs less.
pub(crate) fn capture(problem: &CaptureProblem, below: u64, budget: &Budget<'_>) -> Sought {
    let Some(net) = Net::new(&problem.board, Leaper::KNIGHT) else { return Sought::Unfinished };
    let Some(at) = net.number(problem.start) else { return Sought::Unfinished };
    let left = problem.targets.iter().filter_map(|&target| net.number(target));
    let start = (left.map(|target| 1_u128 << target).sum(), at);
    seek(&CapturePositions { net, start }, below, budget)
}

/// The letter on each square, 0 for none; whose turn it is; and where the run under way began, if it may not end there,
/// and has come to.
type Standing = (Box<[u8]>, Option<Side>, Option<(Option<usize>, usize)>);

/// Has the run under way come back to where it began?
fn is_idle((_, _, last): &Standing) -> bool {
    last.is_some_and(|(began, at)| began == Some(at))
}

struct SwapPositions {
    net: Net,
    start: Standing,
    /// The letter that must be on each square; none where anything may be.
    goal: Vec<Option<u8>>,
    /// The squares where a letter may end, and how far each square is from them.
    ways: Vec<Vec<u64>>,
    sides: Vec<Side>,
    /// Which letters oppose which, if they must not attack each other.
    opposed: Option<Vec<Vec<bool>>>,
    runs: bool,
}

impl SwapPositions {
    fn new(problem: &SwapProblem) -> Option<SwapPositions> {
        let net = Net::new(&problem.board, Leaper::KNIGHT)?;
        let mut letters: Vec<char> = problem.start.values().copied().collect();
        letters.sort_unstable();
        letters.dedup();
        let code = |letter: Option<&char>| {
            let code = letter.and_then(|letter| letters.iter().position(|l| l == letter));
            code.map_or(0, |code| u8::try_from(code + 1).unwrap_or(u8::MAX))
        };
        if letters.len() >= usize::from(u8::MAX) {
            return None;
        }
        let standing = net.squares.iter().map(|square| code(problem.start.get(square))).collect();
        let goal: Vec<Option<u8>> = net
            .squares
            .iter()
            .map(|square| {
                let any = problem.goal.any.contains(square);
                (!any).then(|| code(problem.goal.knights.get(square)))
            })
            .collect();
        let way = |letter: &char| {
            let fits = |at: &usize| goal[*at].is_none_or(|on| on == code(Some(letter)));
            net.distances((0..goal.len()).filter(fits))
        };
        let ways = letters.iter().map(way).collect();
        let sides = letters.iter().map(|&letter| Side::of(letter)).collect();
        let oppose = |&one: &char| letters.iter().map(|&o| problem.are_opposed(one, o)).collect();
        let opposed = problem.rules.peaceful.then(|| letters.iter().map(oppose).collect());
        let start = (standing, problem.rules.alternate, None);
        let runs = problem.rules.metric == Metric::Runs;
        Some(SwapPositions { net, start, goal, ways, sides, opposed, runs })
    }

    /// Does the knight that has come to this square attack an opposing one, where it must not?
    fn attacks(&self, knights: &[u8], at: usize) -> bool {
        let Some(opposed) = &self.opposed else { return false };
        let row = &opposed[usize::from(knights[at] - 1)];
        self.net.jumps[at].iter().any(|&to| knights[to] > 0 && row[usize::from(knights[to] - 1)])
    }
}

impl Positions for SwapPositions {
    type Position = Standing;

    fn starts(&self) -> Vec<Standing> {
        vec![self.start.clone()]
    }

    fn is_goal(&self, standing: &Standing) -> bool {
        let (knights, ..) = standing;
        let is_placed =
            |(goal, &letter): (&Option<u8>, &u8)| goal.is_none_or(|goal| goal == letter);
        !is_idle(standing) && self.goal.iter().zip(knights).all(is_placed)
    }

    /// Each knight goes to the nearest square where it may end, in one run if runs are counted; the run under way is
    /// paid for.
    fn at_least(&self, (knights, _, last): &Standing) -> u64 {
        let under_way = last.map(|(_, at)| at);
        let placed =
            (0..).zip(knights).filter(|&(at, &letter)| letter > 0 && under_way != Some(at));
        let ways = placed.map(|(at, &letter)| self.ways[usize::from(letter - 1)][at]);
        ways.map(|way| if self.runs && way < FAR { way.min(1) } else { way }).sum()
    }

    fn steps(&self, standing: &Standing, mut show: impl FnMut(Standing, bool)) {
        let (knights, turn, last) = standing;
        for from in (0..knights.len()).filter(|&from| knights[from] > 0) {
            let goes_on = last.is_some_and(|(_, at)| at == from);
            let side = self.sides[usize::from(knights[from] - 1)];
            if !goes_on && (is_idle(standing) || turn.is_some_and(|turn| turn != side)) {
                continue;
            }
            let began =
                if goes_on { last.and_then(|(began, _)| began) } else { turn.map(|_| from) };
            for &to in self.net.jumps[from].iter().filter(|&&to| knights[to] == 0) {
                let mut moved = knights.clone();
                moved.swap(from, to);
                if self.attacks(&moved, to) {
                    continue;
                }
                let turn = if goes_on { *turn } else { turn.map(Side::other) };
                show((moved, turn, self.runs.then_some((began, to))), !goes_on);
            }
        }
    }
}

/// Looks for a swap that costs less.
pub(crate) fn swap(problem: &SwapProblem, below: u64, budget: &Budget<'_>) -> Sought {
    let positions = SwapPositions::new(problem);
    positions.map_or(Sought::Unfinished, |positions| seek(&positions, below, budget))
}

#[cfg(test)]
mod tests;
