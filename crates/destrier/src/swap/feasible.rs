//! Reasons why a swap cannot be, found before any search.
//!
//! Knights stay in their part of the board, a full part cannot stir, knights on a path or a ring
//! cannot pass each other, and knights stay in the regions that the number of empty squares allows
//! them; with one empty square and all knights of a region different, only half of all orders can
//! be reached when jumps alternate between two classes of squares. A goal that leaves squares open is
//! refused if each of the few ways to fill them is, or breaks the peace that is asked for.
//!
//! Invariant: what is said here holds whatever else the rules forbid.
//! Cost: linear in the board, but for regions (see there).
//! After: Wilson, Graph puzzles, homotopy, and the alternating group, 1974; Kornhauser, Miller and
//! Spirakis 1984.

use destrier_rules::Obstacle;

use super::arena::{ANY, Arena};
use super::question::Question;
use super::regions::{self, Forbidden};

/// Open squares of the goal may be filled in so many ways at most.
const MOST_WAYS: usize = 64;

/// The first reason against the whole puzzle, if one of these holds.
pub(super) fn obstacle(question: &Question) -> Option<Obstacle> {
    let reason = reason(question).or_else(|| {
        let ways = ways_to_fill(&question.arena)?;
        let refused: Option<Vec<_>> =
            ways.into_iter().map(|goal| reason(&question.towards(goal))).collect();
        let refused = refused?;
        let (name, text) = refused.first()?;
        let text = match refused.len() {
            1 => format!("there is one way to fill them; {name}: {text}"),
            ways => format!("none of the {ways} ways to fill them can be reached; {name}: {text}"),
        };
        Some(("open squares", text))
    });
    reason.map(|(name, text)| Obstacle::Theorem { name: name.to_owned(), text })
}

/// Every complete goal that a goal with open squares allows; `None` where they are too many, or there is
/// nothing to fill.
pub(super) fn ways_to_fill(arena: &Arena) -> Option<Vec<Vec<u8>>> {
    let open: Vec<usize> = (0..arena.len()).filter(|&v| arena.goal[v] == ANY).collect();
    if open.is_empty() {
        return None;
    }
    // Of each code, and of empty squares, what the goal does not place yet.
    let mut missing = vec![0_usize; arena.colours + 1];
    for &code in &arena.start {
        missing[usize::from(code)] += 1;
    }
    for &code in arena.goal.iter().filter(|&&code| code != ANY) {
        missing[usize::from(code)] = missing[usize::from(code)].checked_sub(1)?;
    }
    let mut ways = vec![(arena.goal.clone(), missing)];
    for v in open {
        let mut next = Vec::new();
        for (goal, missing) in ways {
            for (code, _) in (0u8..).zip(&missing).filter(|&(_, &left)| left > 0) {
                let (mut goal, mut missing) = (goal.clone(), missing.clone());
                goal[v] = code;
                missing[usize::from(code)] -= 1;
                next.push((goal, missing));
            }
        }
        if next.len() > MOST_WAYS {
            return None;
        }
        ways = next;
    }
    Some(ways.into_iter().map(|(goal, _)| goal).collect())
}

fn reason(question: &Question) -> Option<(&'static str, String)> {
    let arena = &question.arena;
    // Searches from the goal begin there, and would not see it.
    if arena.peaceful
        && arena.is_goal_complete()
        && let Some((one, other)) = arena.quarrel(&arena.goal)
    {
        let (one, other) = (question.square(one), question.square(other));
        return Some(("peace", format!("{one} and {other} would attack each other")));
    }
    let part = arena.parts();
    let parts = part.iter().max().map_or(0, |&last| last + 1);
    (0..parts).find_map(|p| {
        let squares: Vec<usize> = (0..arena.len()).filter(|&v| part[v] == p).collect();
        against(question, &squares)
    })
}

fn against(question: &Question, squares: &[usize]) -> Option<(&'static str, String)> {
    let arena = &question.arena;
    let met = |&v: &usize| arena.goal[v] == ANY || arena.start[v] == arena.goal[v];
    if squares.iter().all(met) {
        return None;
    }
    let here = question.square(squares[0]);
    let of = |codes: &[u8], code: u8| squares.iter().filter(|&&v| codes[v] == code).count();
    let any = of(&arena.goal, ANY);
    for code in (1u8..).take(arena.colours) {
        let (have, want) = (of(&arena.start, code), of(&arena.goal, code));
        if want > have || have - want > any {
            let letter = question.letter(code);
            let text = format!(
                "no jump leads into or out of the part of the board with {here}; \
                 it has {have} of `{letter}`, and the goal has {want} there"
            );
            return Some(("parts", text));
        }
    }
    if of(&arena.start, 0) == 0 {
        return Some((
            "full",
            format!("the part of the board with {here} has no empty square: nothing moves"),
        ));
    }
    if any > 0 {
        return None;
    }
    let (line, closed) =
        line(arena, squares).map_or((None, false), |(line, closed)| (Some(line), closed));
    if let Some(line) = line {
        let order = |codes: &[u8]| -> Vec<u8> {
            line.iter().map(|&v| codes[v]).filter(|&code| code != 0).collect()
        };
        let (first, last) = (order(&arena.start), order(&arena.goal));
        let same = if closed {
            (0..first.len().max(1))
                .any(|by| (0..last.len()).all(|i| last[i] == first[(i + by) % first.len()]))
        } else {
            first == last
        };
        if !same {
            let (name, shape) = if closed { ("ring", "a ring") } else { ("path", "a path") };
            let text = format!(
                "the part of the board with {here} is {shape}, on which knights cannot pass each other, \
                 and the goal has them in another order"
            );
            return Some((name, text));
        }
    }
    let regions = regions::forbid(arena, squares)?;
    let empty = match of(&arena.start, 0) {
        1 => "one empty square".to_owned(),
        more => format!("{more} empty squares"),
    };
    let settled = "once the empty squares are where the goal has them";
    Some(match regions {
        Forbidden::Counts { region, code, have, want } => {
            let (square, letter) = (question.square(region), question.letter(code));
            let text = format!(
                "with {empty}, knights on the part of the board with {here} stay in their regions; \
                 {settled}, that of {square} has {have} of `{letter}`, and the goal has {want} there"
            );
            ("regions", text)
        }
        Forbidden::Wheel { region } => {
            let square = question.square(region);
            let text = format!(
                "with {empty}, the knights of the region of {square} can only be turned in a ring, \
                 and no turn gives the order of the goal"
            );
            ("wheel", text)
        }
        Forbidden::Odd { region } => {
            let square = question.square(region);
            let text = format!(
                "with {empty} and no two knights alike in the region of {square}, only even \
                 permutations can be reached there, and the goal is an odd one"
            );
            ("parity (Wilson 1974)", text)
        }
    })
}

/// The squares of a path in order, or of a ring (then `true`), where the part is one.
fn line(arena: &Arena, squares: &[usize]) -> Option<(Vec<usize>, bool)> {
    let degree = |v: usize| arena.neighbours[v].len();
    if squares.len() < 2 || squares.iter().any(|&v| degree(v) > 2) {
        return None;
    }
    let end = squares.iter().copied().find(|&v| degree(v) == 1);
    let mut line = vec![end.unwrap_or(squares[0])];
    while let Some(&next) =
        arena.neighbours[line[line.len() - 1]].iter().find(|&&u| !line.contains(&usize::from(u)))
    {
        line.push(usize::from(next));
    }
    (line.len() == squares.len()).then_some((line, end.is_none()))
}
