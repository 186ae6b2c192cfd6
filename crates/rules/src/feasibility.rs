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
use crate::regions::{Aligned, Regions};
use crate::square::Square;
use crate::swap::{Goal, Placement, SwapProblem};

/// The reasons that concern one part of the board.
const REASONS: [&str; 7] =
    ["parts", "full", "path", "ring", "parity (Wilson 1974)", "regions", "wheel"];
/// The steps that a reason takes for each square of a part.
const STEPS: u64 = 64;
/// Goals with open squares are checked if there are at most this many ways to fill them.
const MOST_FILLINGS: usize = 64;

/// Does a reason rule a swap out? Of several reasons the greatest answer counts, of several goals the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RulesOut {
    /// It does not.
    No,
    /// There is more to look at than the checker does.
    Undecided,
    /// It does.
    Yes,
}

impl From<bool> for RulesOut {
    fn from(yes: bool) -> RulesOut {
        if yes { RulesOut::Yes } else { RulesOut::No }
    }
}

/// Does the named reason rule the swap out, for some part of the board or for every way to fill open squares?
///
/// An error means that the budget does not allow an answer.
pub(crate) fn rules_out(
    problem: &SwapProblem,
    name: &str,
    budget: &Budget<'_>,
) -> Result<RulesOut, String> {
    let squares = problem.board.area();
    if name != "open squares" {
        budget.afford(squares.saturating_mul(STEPS))?;
        let parts: Vec<_> = Parts::new(&problem.board, Leaper::KNIGHT, budget)?.collect();
        return rules_out_a_part(problem, &parts, name, budget);
    }
    budget.afford((problem.goal.any.len() as u64).saturating_mul(STEPS))?;
    let Some(fillings) = fillings(problem, budget)? else { return Ok(RulesOut::Undecided) };
    let passes = 1 + (fillings.len() * REASONS.len()) as u64;
    budget.afford(squares.saturating_mul(STEPS).saturating_mul(passes))?;
    let parts: Vec<_> = Parts::new(&problem.board, Leaper::KNIGHT, budget)?.collect();
    let mut all = RulesOut::Yes;
    for mut knights in fillings {
        knights.extend(&problem.goal.knights);
        let goal = Goal { knights, any: BTreeSet::new() };
        let filled = SwapProblem { goal, ..problem.clone() };
        let attacked =
            filled.rules.peaceful && filled.attacking_pair(&filled.goal.knights).is_some();
        let mut ruled_out = RulesOut::from(attacked);
        for name in REASONS {
            if ruled_out != RulesOut::Yes {
                ruled_out = ruled_out.max(rules_out_a_part(&filled, &parts, name, budget)?);
            }
        }
        all = all.min(ruled_out);
        if all == RulesOut::No {
            break;
        }
    }
    Ok(all)
}

/// A way to fill some of the open squares: the knights on them, and what is left for the others.
#[derive(Clone)]
struct Filling {
    knights: Placement,
    missing: BTreeMap<char, usize>,
    empty: usize,
}

impl Filling {
    fn fill(&mut self, square: Square, choice: Option<char>) {
        match choice {
            Some(letter) => {
                self.knights.insert(square, letter);
                self.missing.entry(letter).and_modify(|left| *left -= 1);
            }
            None => self.empty -= 1,
        }
    }
}

/// Every way to fill the open squares with the knights that the goal does not place; `None` where there are too many.
fn fillings(problem: &SwapProblem, budget: &Budget<'_>) -> Result<Option<Vec<Placement>>, String> {
    let mut missing: BTreeMap<char, usize> = BTreeMap::new();
    for &letter in problem.start.values() {
        *missing.entry(letter).or_default() += 1;
    }
    for letter in problem.goal.knights.values() {
        match missing.get_mut(letter) {
            Some(left) if *left > 0 => *left -= 1,
            _ => return Ok(None),
        }
    }
    let empty = problem.goal.any.len().checked_sub(missing.values().sum());
    let Some(empty) = empty else { return Ok(None) };
    let mut fillings = vec![Filling { knights: Placement::new(), missing, empty }];
    for &square in &problem.goal.any {
        budget.step(fillings.len() as u64 * STEPS)?;
        let mut next = Vec::new();
        for mut filling in fillings {
            let letters = filling.missing.iter().filter(|&(_, &left)| left > 0);
            let mut choices: Vec<Option<char>> = letters.map(|(&letter, _)| Some(letter)).collect();
            choices.extend((filling.empty > 0).then_some(None));
            if next.len() + choices.len() > MOST_FILLINGS {
                return Ok(None);
            }
            // The last choice takes the filling over: where there is only one, nothing is copied.
            let last = choices.pop();
            for choice in choices {
                let mut other = filling.clone();
                other.fill(square, choice);
                next.push(other);
            }
            if let Some(last) = last {
                filling.fill(square, last);
                next.push(filling);
            }
        }
        fillings = next;
    }
    Ok(Some(fillings.into_iter().map(|filling| filling.knights).collect()))
}

fn rules_out_a_part(
    problem: &SwapProblem,
    parts: &[Vec<Square>],
    name: &str,
    budget: &Budget<'_>,
) -> Result<RulesOut, String> {
    let regions = |part: &[Square], differs: &dyn Fn(&Aligned<'_>) -> bool| {
        Aligned::find(problem, part, budget).map(|regions| match regions {
            Regions::Found(part) => differs(&part).into(),
            Regions::None => RulesOut::No,
            Regions::TooMany => RulesOut::Undecided,
        })
    };
    let mut any = RulesOut::No;
    for part in parts {
        budget.step(part.len() as u64 * STEPS)?;
        any = any.max(match name {
            "parts" => counts_differ(problem, part).into(),
            "full" => is_full_and_differs(problem, part).into(),
            "path" => order_differs(problem, part, false).into(),
            "ring" => order_differs(problem, part, true).into(),
            "parity (Wilson 1974)" => regions(part, &|part| part.is_odd())?,
            "regions" => regions(part, &|part| part.counts_differ())?,
            "wheel" => regions(part, &|part| part.wheel_differs())?,
            _ => RulesOut::No,
        });
        if any == RulesOut::Yes {
            break;
        }
    }
    Ok(any)
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
    fn open_squares_are_filled_within_the_budget() {
        let stays = "a".repeat(9);
        let of = |goal: &str| {
            let mut problem = SwapProblem::from_fens(&format!("bcdefghijk{stays}"), goal).unwrap();
            problem.rules.peaceful = true;
            problem
        };
        // Ten letters on ten open squares: 3,628,800 ways.
        let many = of(&format!("??????????{stays}"));
        assert!(fillings(&many, &Budget::default()).unwrap().is_none());
        let few = of(&format!("bc??fghijk{stays}"));
        let ways = fillings(&few, &Budget::default()).unwrap().unwrap();
        assert_eq!(ways.len(), 2);
        assert!(ways.iter().all(|way| way.len() == 2), "only what is filled in is copied");
        let line = format!("N{}", "?".repeat(3000));
        let still = SwapProblem::from_fens("N3000", &line).unwrap();
        assert_eq!(fillings(&still, &Budget::default()).unwrap().unwrap(), [Placement::new()]);
        assert!(fillings(&still, &Budget::new(1000, &|| false)).is_err());
        assert!(fillings(&still, &Budget::new(u64::MAX, &|| true)).is_err());
        // One way before the first square, two before the second.
        let two = SwapProblem::from_fens("n1", "??").unwrap();
        assert_eq!(fillings(&two, &Budget::new(3 * STEPS, &|| false)).unwrap().unwrap().len(), 2);
        assert!(fillings(&two, &Budget::new(3 * STEPS - 1, &|| false)).is_err());
    }

    #[test]
    fn a_goal_with_knights_that_do_not_exist_is_filled_in_no_way() {
        for goal in ["nn?", "nN?", "N??"] {
            let problem = SwapProblem::from_fens("n2", goal).unwrap();
            assert_eq!(fillings(&problem, &Budget::default()), Ok(None), "{goal}");
        }
    }

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
