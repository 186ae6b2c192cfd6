//! Reasons why knights cannot come to their goal, looked at again from the board alone.
//!
//! Each reason is about one part of the board, which no jump leaves: it has other knights than the
//! goal has there, or no empty square, or it is a path or a ring on which knights cannot pass, or
//! its knights stay in regions (see `regions`), of which one is not as the goal has it.
//!
//! Invariant: nothing here trusts the text of an obstacle; only its name is read.

use std::collections::BTreeSet;

use crate::leaper::Leaper;
use crate::regions::Settled;
use crate::square::Square;
use crate::swap::SwapProblem;

/// Does the named reason hold for some part of the board?
pub(crate) fn holds(problem: &SwapProblem, name: &str) -> bool {
    let settled = |part: &[Square]| Settled::new(problem, part);
    let mut left: BTreeSet<Square> = problem.board.squares().collect();
    while let Some(first) = left.pop_first() {
        let mut part = vec![first];
        let mut head = 0;
        while head < part.len() {
            for next in problem.board.jumps_from(Leaper::KNIGHT, part[head]) {
                if left.remove(&next) {
                    part.push(next);
                }
            }
            head += 1;
        }
        part.sort_unstable();
        let found = match name {
            "parts" => counts_differ(problem, &part),
            "full" => is_full_and_wrong(problem, &part),
            "path" => order_differs(problem, &part, false),
            "ring" => order_differs(problem, &part, true),
            "parity (Wilson 1974)" => settled(&part).is_some_and(|part| part.is_odd()),
            "regions" => settled(&part).is_some_and(|part| part.counts_differ()),
            "wheel" => settled(&part).is_some_and(|part| part.is_wheel_and_wrong()),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

fn counts_differ(problem: &SwapProblem, part: &[Square]) -> bool {
    let any = part.iter().filter(|square| problem.goal.any.contains(square)).count();
    problem.start.values().chain(problem.goal.knights.values()).any(|letter| {
        let have = part.iter().filter(|square| problem.start.get(square) == Some(letter)).count();
        let want =
            part.iter().filter(|square| problem.goal.knights.get(square) == Some(letter)).count();
        want > have || have - want > any
    })
}

fn is_full_and_wrong(problem: &SwapProblem, part: &[Square]) -> bool {
    let wrong = |square: &&Square| {
        !problem.goal.any.contains(square)
            && problem.start.get(square) != problem.goal.knights.get(square)
    };
    part.iter().all(|square| problem.start.contains_key(square)) && part.iter().any(|s| wrong(&s))
}

fn is_fixed(problem: &SwapProblem, part: &[Square]) -> bool {
    part.iter().all(|square| !problem.goal.any.contains(square))
}

/// The letters along a path or ring, at first and in the goal, are not the same row.
fn order_differs(problem: &SwapProblem, part: &[Square], ring: bool) -> bool {
    let jumps = |square: Square| problem.board.jumps_from(Leaper::KNIGHT, square);
    let ends: Vec<Square> = part.iter().copied().filter(|&s| jumps(s).len() == 1).collect();
    let is_line = part.iter().all(|&s| (1..=2).contains(&jumps(s).len()));
    if !is_line || ends.is_empty() != ring || !is_fixed(problem, part) {
        return false;
    }
    let mut line = vec![ends.first().copied().unwrap_or(part[0])];
    while let Some(next) = jumps(line[line.len() - 1]).into_iter().find(|s| !line.contains(s)) {
        line.push(next);
    }
    let first: Vec<char> = line.iter().filter_map(|s| problem.start.get(s)).copied().collect();
    let last: Vec<char> =
        line.iter().filter_map(|s| problem.goal.knights.get(s)).copied().collect();
    let mut turned = first.clone();
    let turns = if ring { first.len() } else { 1 };
    let reached = (0..turns).any(|_| {
        let same = turned == last;
        if !turned.is_empty() {
            turned.rotate_left(1);
        }
        same
    });
    !reached && first != last
}
