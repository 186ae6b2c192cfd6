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

use crate::budget::Budget;
use crate::leaper::Leaper;
use crate::parts::Parts;
use crate::regions::Aligned;
use crate::square::Square;
use crate::swap::{Goal, Placement, SwapProblem};

/// The reasons that concern one part of the board.
const REASONS: [&str; 7] =
    ["parts", "full", "path", "ring", "parity (Wilson 1974)", "regions", "wheel"];
/// The steps that a reason takes for each square of a part.
const STEPS: u64 = 64;
/// Goals with open squares are checked if there are at most this many ways to fill them.
const MOST_FILLINGS: usize = 64;

/// Does the named reason rule the swap out, for some part of the board or for every way to fill open squares?
///
/// An error means that the budget does not allow an answer.
pub(crate) fn rules_out(
    problem: &SwapProblem,
    name: &str,
    budget: &Budget<'_>,
) -> Result<bool, String> {
    let squares = problem.board.area();
    if name != "open squares" {
        budget.afford(squares.saturating_mul(STEPS))?;
        let parts: Vec<_> = Parts::new(&problem.board, Leaper::KNIGHT, budget)?.collect();
        return rules_out_a_part(problem, &parts, name, budget);
    }
    let Some(goals) = fillings(problem) else { return Ok(false) };
    let passes = 1 + (goals.len() * REASONS.len()) as u64;
    budget.afford(squares.saturating_mul(STEPS).saturating_mul(passes))?;
    let parts: Vec<_> = Parts::new(&problem.board, Leaper::KNIGHT, budget)?.collect();
    for knights in goals {
        let goal = Goal { knights, any: BTreeSet::new() };
        let filled = SwapProblem { goal, ..problem.clone() };
        let attacked =
            filled.rules.peaceful && filled.attacking_pair(&filled.goal.knights).is_some();
        let mut ruled_out = attacked;
        for name in REASONS {
            ruled_out = ruled_out || rules_out_a_part(&filled, &parts, name, budget)?;
        }
        if !ruled_out {
            return Ok(false);
        }
    }
    Ok(true)
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
        for (mut knights, mut missing, left_empty) in goals {
            let needed = missing.iter().filter(|&(_, &left)| left > 0);
            let mut letters: Vec<char> = needed.map(|(&letter, _)| letter).collect();
            if left_empty > 0 {
                next.push((knights.clone(), missing.clone(), left_empty - 1));
            }
            // The last choice takes the position over: where there is only one, nothing is copied.
            if let Some(last) = letters.pop() {
                for letter in letters {
                    let (mut knights, mut missing) = (knights.clone(), missing.clone());
                    knights.insert(square, letter);
                    missing.entry(letter).and_modify(|left| *left -= 1);
                    next.push((knights, missing, left_empty));
                }
                knights.insert(square, last);
                missing.entry(last).and_modify(|left| *left -= 1);
                next.push((knights, missing, left_empty));
            }
        }
        if next.len() > MOST_FILLINGS {
            return None;
        }
        goals = next;
    }
    Some(goals.into_iter().map(|(knights, ..)| knights).collect())
}

fn rules_out_a_part(
    problem: &SwapProblem,
    parts: &[Vec<Square>],
    name: &str,
    budget: &Budget<'_>,
) -> Result<bool, String> {
    let aligned = |part: &[Square], differs: &dyn Fn(&Aligned<'_>) -> bool| {
        let aligned = Aligned::new(problem, part, budget);
        aligned.map(|aligned| aligned.is_some_and(|part| differs(&part)))
    };
    for part in parts {
        budget.step(part.len() as u64 * STEPS)?;
        let ruled_out = match name {
            "parts" => counts_differ(problem, part),
            "full" => is_full_and_differs(problem, part),
            "path" => order_differs(problem, part, false),
            "ring" => order_differs(problem, part, true),
            "parity (Wilson 1974)" => aligned(part, &|part| part.is_odd())?,
            "regions" => aligned(part, &|part| part.counts_differ())?,
            "wheel" => aligned(part, &|part| part.wheel_differs())?,
            _ => false,
        };
        if ruled_out {
            return Ok(true);
        }
    }
    Ok(false)
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
    if ring { !is_rotation(&first, &last) } else { first != last }
}

/// Is one order a rotation of the other? Linear: rings can be long.
///
/// Source: Knuth, Morris and Pratt 1977, on the first order written twice.
fn is_rotation(first: &[char], last: &[char]) -> bool {
    if first.len() != last.len() {
        return false;
    }
    let mut fallback = vec![0; last.len()];
    let mut matched = 0;
    for at in 1..last.len() {
        while matched > 0 && last[at] != last[matched] {
            matched = fallback[matched - 1];
        }
        matched += usize::from(last[at] == last[matched]);
        fallback[at] = matched;
    }
    matched = 0;
    for &letter in first.iter().chain(first) {
        while matched > 0 && (matched == last.len() || letter != last[matched]) {
            matched = fallback[matched - 1];
        }
        matched += usize::from(letter == last[matched]);
        if matched == last.len() {
            return true;
        }
    }
    first.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_found_exactly_where_turning_finds_it() {
        // All pairs of words of up to five of two letters.
        let words = |length: u32| {
            (0..1_u32 << length).map(move |bits| {
                (0..length).map(|i| if bits >> i & 1 == 1 { 'a' } else { 'b' }).collect::<Vec<_>>()
            })
        };
        for length in 0..=5 {
            for first in words(length) {
                for last in words(length) {
                    let mut turned = first.clone();
                    let found = (0..length.max(1)).any(|_| {
                        let same = turned == last;
                        if !turned.is_empty() {
                            turned.rotate_left(1);
                        }
                        same
                    });
                    assert_eq!(is_rotation(&first, &last), found, "{first:?} {last:?}");
                }
            }
        }
        assert!(!is_rotation(&['a'], &[]));
    }
}
