//! Reasons why a swap is impossible, found before any search.
//!
//! Knights stay in their part of the board; a full part cannot move; knights on a path or a ring cannot
//! pass each other; and knights stay in the regions that the number of empty vertices allows. With one
//! empty vertex and all knights of a region different, only half of all orders can be reached where the
//! graph is bipartite. A goal with open squares is impossible if each of the few ways to fill them is, or
//! makes opposing knights attack each other where that is forbidden.
//!
//! Invariant: a reason found here holds whatever else the rules forbid.
//! Cost: linear in the board, except for regions (see there).
//! Source: Wilson, *Graph puzzles, homotopy, and the alternating group*, 1974; Kornhauser, Miller and
//! Spirakis 1984.

use destrier_rules::Obstacle;

use super::encoding::Encoding;
use super::instance::{ANY, Instance};
use super::regions::{self, Forbidden};

/// Goals with open squares are refuted if there are at most this many ways to fill them.
const MOST_FILLINGS: usize = 64;

/// The name of a reason, and what it says here.
type Reason = (&'static str, String);

/// The first reason why the whole puzzle is impossible, if one of these holds.
pub(super) fn obstacle(encoding: &Encoding) -> Option<Obstacle> {
    let reason = reason(encoding).or_else(|| {
        let goals = fillings(&encoding.instance)?.into_iter();
        let reasons: Option<Vec<_>> = goals.map(|goal| reason(&encoding.towards(goal))).collect();
        let reasons = reasons?;
        let (name, text) = reasons.first()?;
        let text = match reasons.len() {
            1 => format!("there is only one way to fill them; {name}: {text}"),
            ways => format!("none of the {ways} ways to fill them can be reached; {name}: {text}"),
        };
        Some(("open squares", text))
    });
    reason.map(|(name, text)| Obstacle::Theorem { name: name.to_owned(), text })
}

/// Every complete goal that a goal with open squares allows; `None` where there are too many, or nothing
/// is open.
pub(super) fn fillings(instance: &Instance) -> Option<Vec<Vec<u8>>> {
    let open: Vec<usize> = (0..instance.len()).filter(|&v| instance.goal[v] == ANY).collect();
    if open.is_empty() {
        return None;
    }
    // How many of each code, and of empty vertices, the goal does not place yet.
    let mut missing = vec![0_usize; instance.colours + 1];
    for &code in &instance.start {
        missing[usize::from(code)] += 1;
    }
    for &code in instance.goal.iter().filter(|&&code| code != ANY) {
        missing[usize::from(code)] = missing[usize::from(code)].checked_sub(1)?;
    }
    let mut goals = vec![(instance.goal.clone(), missing)];
    for v in open {
        let mut next = Vec::new();
        for (goal, missing) in goals {
            for (code, _) in (0u8..).zip(&missing).filter(|&(_, &left)| left > 0) {
                let (mut goal, mut missing) = (goal.clone(), missing.clone());
                goal[v] = code;
                missing[usize::from(code)] -= 1;
                next.push((goal, missing));
            }
        }
        if next.len() > MOST_FILLINGS {
            return None;
        }
        goals = next;
    }
    Some(goals.into_iter().map(|(goal, _)| goal).collect())
}

fn reason(encoding: &Encoding) -> Option<Reason> {
    let instance = &encoding.instance;
    // Searches from the goal begin there, and would not notice it.
    if instance.peaceful
        && instance.is_goal_complete()
        && let Some((one, other)) = instance.attacking_pair(&instance.goal)
    {
        let (one, other) = (encoding.square(one), encoding.square(other));
        return Some((
            "peace",
            format!("the opposing knights on {one} and {other} would attack each other"),
        ));
    }
    instance.parts().iter().find_map(|part| reason_in_part(encoding, part))
}

fn reason_in_part(encoding: &Encoding, part: &[usize]) -> Option<Reason> {
    let instance = &encoding.instance;
    let met = |&v: &usize| instance.goal[v] == ANY || instance.start[v] == instance.goal[v];
    if part.iter().all(met) {
        return None;
    }
    let here = encoding.square(part[0]);
    let of = |codes: &[u8], code: u8| part.iter().filter(|&&v| codes[v] == code).count();
    let any = of(&instance.goal, ANY);
    for code in (1u8..).take(instance.colours) {
        let (have, want) = (of(&instance.start, code), of(&instance.goal, code));
        if want > have || have - want > any {
            let letter = encoding.letter(code);
            let text = format!(
                "no jump leads into or out of the part of the board with {here}; \
                 it has {have} of `{letter}`, but the goal has {want} there"
            );
            return Some(("parts", text));
        }
    }
    let empty = of(&instance.start, 0);
    if empty == 0 {
        return Some(("full", format!("no empty square around {here}, so no knight can move")));
    }
    if any > 0 {
        return None;
    }
    reason_on_line(encoding, part).or_else(|| reason_in_region(encoding, part, empty))
}

/// On a path or a ring knights cannot pass each other.
fn reason_on_line(encoding: &Encoding, part: &[usize]) -> Option<Reason> {
    let instance = &encoding.instance;
    let (line, closed) = line(instance, part)?;
    let order = |codes: &[u8]| -> Vec<u8> {
        line.iter().map(|&v| codes[v]).filter(|&code| code != 0).collect()
    };
    let (first, last) = (order(&instance.start), order(&instance.goal));
    let is_rotated = |by: usize| (0..last.len()).all(|i| last[i] == first[(i + by) % first.len()]);
    let same = if closed { (0..first.len().max(1)).any(is_rotated) } else { first == last };
    if same {
        return None;
    }
    let here = encoding.square(part[0]);
    let (name, shape) = if closed { ("ring", "a ring") } else { ("path", "a path") };
    let text = format!(
        "the part of the board with {here} is {shape}, on which knights cannot pass each other, \
         but the goal has them in another order"
    );
    Some((name, text))
}

fn reason_in_region(encoding: &Encoding, part: &[usize], empty: usize) -> Option<Reason> {
    let forbidden = regions::forbid(&encoding.instance, part)?;
    let empty = if empty == 1 { "one empty square" } else { &format!("{empty} empty squares") };
    Some(match forbidden {
        Forbidden::Counts { region, code, have, want } => {
            let (here, square) = (encoding.square(part[0]), encoding.square(region));
            let letter = encoding.letter(code);
            let text = format!(
                "with {empty}, knights on the part of the board with {here} stay in their regions; \
                 once the empty squares are where the goal has them, the region of {square} has {have} \
                 of `{letter}`, but the goal has {want} there"
            );
            ("regions", text)
        }
        Forbidden::Wheel { region } => {
            let square = encoding.square(region);
            let text = format!(
                "with {empty}, the knights in the region of {square} can only rotate in a ring, \
                 and no rotation gives the order of the goal"
            );
            ("wheel", text)
        }
        Forbidden::Odd { region } => {
            let square = encoding.square(region);
            let text = format!(
                "with {empty} and no two equal knights in the region of {square}, only even \
                 permutations can be reached there, but the goal is an odd one"
            );
            ("parity (Wilson 1974)", text)
        }
    })
}

/// The vertices of a path in order, or of a ring (then `true`), if the part is one.
fn line(instance: &Instance, part: &[usize]) -> Option<(Vec<usize>, bool)> {
    let degree = |v: usize| instance.neighbours[v].len();
    if part.iter().any(|&v| degree(v) > 2) {
        return None;
    }
    let end = part.iter().copied().find(|&v| degree(v) == 1);
    let mut line = vec![end.unwrap_or(part[0])];
    while let Some(&next) =
        instance.neighbours[line[line.len() - 1]].iter().find(|&&u| !line.contains(&usize::from(u)))
    {
        line.push(usize::from(next));
    }
    (line.len() == part.len()).then_some((line, end.is_none()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A path with these codes, whose goal leaves every vertex open.
    fn open(start: Vec<u8>, colours: usize) -> Instance {
        let count = u8::try_from(start.len()).unwrap();
        let near = |v: u8| v.checked_sub(1).into_iter().chain((v + 1 < count).then_some(v + 1));
        let neighbours = (0..count).map(|v| near(v).collect()).collect();
        let goal = vec![ANY; start.len()];
        Instance::new(neighbours, start, goal, vec![false; colours + 1])
    }

    #[test]
    fn open_squares_are_filled_with_what_the_goal_does_not_place_each_way_once() {
        let mut instance = open(vec![1, 1, 2, 0], 2);
        instance.goal[1] = 0;
        let filled = fillings(&instance).unwrap();
        let distinct: BTreeSet<Vec<u8>> = filled.iter().cloned().collect();
        assert_eq!((distinct.len(), filled.len()), (3, 3));
        assert!(distinct.contains(&vec![1, 0, 1, 2]) && distinct.contains(&vec![2, 0, 1, 1]));
        assert!(distinct.contains(&vec![1, 0, 2, 1]));
    }

    #[test]
    fn up_to_64_ways_to_fill_open_squares_are_looked_at() {
        let one_knight = |count: usize| open((0..count).map(|v| u8::from(v == 0)).collect(), 1);
        assert_eq!(fillings(&one_knight(64)).map(|filled| filled.len()), Some(64));
        assert_eq!(fillings(&one_knight(65)), None);
    }
}
