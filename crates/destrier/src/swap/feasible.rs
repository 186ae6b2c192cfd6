//! Reasons why a swap cannot be, found before any search.
//!
//! Knights stay in their part of the board, a full part cannot stir, knights on a path or a ring
//! cannot pass each other, and knights stay in the regions that the number of empty squares allows
//! them; with one empty square and all knights of a region different, only half of all orders can
//! be reached when jumps alternate between two classes of squares.
//!
//! Invariant: what is said here holds whatever else the rules forbid.
//! Cost: linear in the board, but for regions (see there).
//! After: Wilson, Graph puzzles, homotopy, and the alternating group, 1974; Kornhauser, Miller and
//! Spirakis 1984.

use destrier_rules::Obstacle;

use super::arena::{ANY, Arena};
use super::question::Question;
use super::regions::{self, Forbidden};

/// The first reason against the whole puzzle, if one of these holds.
pub(super) fn obstacle(question: &Question) -> Option<Obstacle> {
    let arena = &question.arena;
    let part = arena.parts();
    let parts = part.iter().max().map_or(0, |&last| last + 1);
    (0..parts).find_map(|p| {
        let squares: Vec<usize> = (0..arena.len()).filter(|&v| part[v] == p).collect();
        against(question, &squares)
            .map(|(name, text)| Obstacle::Theorem { name: name.to_owned(), text })
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
