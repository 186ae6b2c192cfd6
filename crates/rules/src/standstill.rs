//! Reasons why knights cannot come to their goal, looked at again from the board alone.
//!
//! Each reason is about one part of the board, which no jump leaves: it has other knights than the
//! goal has there, or no empty square, or it is a path or a ring on which knights cannot pass, or it
//! has one empty square and knights all different, in an order of the wrong parity.
//!
//! Invariant: nothing here trusts the text of an obstacle; only its name is read.

use std::collections::BTreeMap;

use crate::board::Board;
use crate::leaper::Leaper;
use crate::parts::Parts;
use crate::square::Square;
use crate::swap::{Placement, SwapProblem};

/// Does the named reason hold for some part of the board?
pub(crate) fn holds(problem: &SwapProblem, name: &str) -> bool {
    let board = &problem.board;
    let mut parts = Parts::new(board, Leaper::KNIGHT);
    let reason: fn(&SwapProblem, &[Square]) -> bool = match name {
        "parts" => counts_differ,
        "full" => is_full_and_wrong,
        "path" => |problem, part| order_differs(problem, part, false),
        "ring" => |problem, part| order_differs(problem, part, true),
        "parity (Wilson 1974)" => is_odd,
        _ => return false,
    };
    parts.any(|part| reason(problem, &part))
}

fn counts_differ(problem: &SwapProblem, part: &[Square]) -> bool {
    let any = part.iter().filter(|square| problem.goal.any.contains(square)).count();
    let tally = |knights: &Placement| {
        let mut tally = BTreeMap::<char, usize>::new();
        for letter in part.iter().filter_map(|square| knights.get(square)) {
            *tally.entry(*letter).or_default() += 1;
        }
        tally
    };
    let (have, want) = (tally(&problem.start), tally(&problem.goal.knights));
    have.keys().chain(want.keys()).any(|letter| {
        let (have, want) = (have.get(letter).unwrap_or(&0), want.get(letter).unwrap_or(&0));
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
    let first = ends.first().copied().unwrap_or(part[0]);
    let (mut line, mut before) = (vec![first], first);
    while let Some(next) = jumps(line[line.len() - 1]).into_iter().find(|&s| s != before) {
        if next == first {
            break;
        }
        before = line[line.len() - 1];
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

/// One empty square, no two knights alike, and a permutation that jumps cannot make: each jump is an
/// exchange of two squares and takes the empty square to the other colour.
fn is_odd(problem: &SwapProblem, part: &[Square]) -> bool {
    let at = |square: &Square| problem.start.get(square).copied();
    let alike = |one: &Square| part.iter().filter(|other| at(other) == at(one)).count() > 1;
    let two_coloured = Board::is_two_coloured(&problem.board, Leaper::KNIGHT);
    if !two_coloured || !is_fixed(problem, part) || part.iter().any(alike) {
        return false;
    }
    let goes = |square: &Square| {
        part.iter().position(|to| problem.goal.knights.get(to).copied() == at(square))
    };
    let Some(image) = part.iter().map(goes).collect::<Option<Vec<usize>>>() else { return false };
    let pairs = (0..image.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    let turned = pairs.filter(|&(j, i)| image[j] > image[i]).count();
    let empty = part.iter().position(|square| at(square).is_none());
    let Some(empty) = empty else { return false };
    let moved = part[empty].is_dark() != part[image[empty]].is_dark();
    (turned % 2 == 1) != moved
}
