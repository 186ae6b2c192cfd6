//! Reasons why a swap is impossible, checked from the board alone.
//!
//! Each reason concerns one part of the board, which no jump leaves: its knights are not those that the
//! goal has there, or it has no empty square, or it is a path or a ring on which knights cannot pass each
//! other, or its knights stay in regions (see `regions`), and one region differs from the goal. A goal with
//! open squares is unreachable if every way to fill them is unreachable or makes opposing knights attack
//! each other where that is forbidden.
//!
//! Invariant: the text of an obstacle is not trusted; only its name is read.

use std::collections::{BTreeMap, BTreeSet};

use crate::leaper::Leaper;
use crate::parts::Parts;
use crate::regions::Aligned;
use crate::square::Square;
use crate::swap::{Goal, Placement, SwapProblem};

/// The reasons that concern one part of the board.
const REASONS: [&str; 7] =
    ["parts", "full", "path", "ring", "parity (Wilson 1974)", "regions", "wheel"];
/// Goals with open squares are checked if there are at most this many ways to fill them.
const MOST_FILLINGS: usize = 64;

/// Does the named reason rule the swap out, for some part of the board or for every way to fill open squares?
pub(crate) fn rules_out(problem: &SwapProblem, name: &str) -> bool {
    if name != "open squares" {
        return rules_out_a_part(problem, name);
    }
    let is_ruled_out = |goal: &Placement| {
        let goal = Goal { knights: goal.clone(), any: BTreeSet::new() };
        let filled = SwapProblem { goal, ..problem.clone() };
        let peaceful = filled.rules.peaceful;
        (peaceful && filled.attacking_pair(&filled.goal.knights).is_some())
            || REASONS.iter().any(|name| rules_out_a_part(&filled, name))
    };
    fillings(problem).is_some_and(|goals| goals.iter().all(is_ruled_out))
}

/// Every goal without open squares that this goal allows; `None` where there are too many.
fn fillings(problem: &SwapProblem) -> Option<Vec<Placement>> {
    let mut missing: BTreeMap<char, usize> = BTreeMap::new();
    for &letter in problem.start.values() {
        *missing.entry(letter).or_default() += 1;
    }
    for letter in problem.goal.knights.values() {
        let left = missing.get_mut(letter)?;
        *left = left.checked_sub(1)?;
    }
    let empty = problem.goal.any.len().checked_sub(missing.values().sum())?;
    let mut goals = vec![(problem.goal.knights.clone(), missing, empty)];
    for &square in &problem.goal.any {
        let mut next = Vec::new();
        for (knights, missing, left_empty) in goals {
            for &letter in missing.iter().filter(|&(_, &left)| left > 0).map(|(letter, _)| letter) {
                let (mut knights, mut missing) = (knights.clone(), missing.clone());
                knights.insert(square, letter);
                missing.entry(letter).and_modify(|left| *left -= 1);
                next.push((knights, missing, left_empty));
            }
            if left_empty > 0 {
                next.push((knights, missing, left_empty - 1));
            }
        }
        if next.len() > MOST_FILLINGS {
            return None;
        }
        goals = next;
    }
    Some(goals.into_iter().map(|(knights, ..)| knights).collect())
}

fn rules_out_a_part(problem: &SwapProblem, name: &str) -> bool {
    let board = &problem.board;
    let mut parts = Parts::new(board, Leaper::KNIGHT);
    let reason: fn(&SwapProblem, &[Square]) -> bool = match name {
        "parts" => counts_differ,
        "full" => is_full_and_differs,
        "path" => |problem, part| order_differs(problem, part, false),
        "ring" => |problem, part| order_differs(problem, part, true),
        "parity (Wilson 1974)" => {
            |problem, part| Aligned::new(problem, part).is_some_and(|part| part.is_odd())
        }
        "regions" => {
            |problem, part| Aligned::new(problem, part).is_some_and(|part| part.counts_differ())
        }
        "wheel" => {
            |problem, part| Aligned::new(problem, part).is_some_and(|part| part.wheel_differs())
        }
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

fn is_full_and_differs(problem: &SwapProblem, part: &[Square]) -> bool {
    let differs = |square: &Square| {
        !problem.goal.any.contains(square)
            && problem.start.get(square) != problem.goal.knights.get(square)
    };
    part.iter().all(|square| problem.start.contains_key(square)) && part.iter().any(differs)
}

fn is_fixed(problem: &SwapProblem, part: &[Square]) -> bool {
    part.iter().all(|square| !problem.goal.any.contains(square))
}

/// Do the letters along a path or ring come in another order in the goal?
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
