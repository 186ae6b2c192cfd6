//! Reasons why a swap cannot be, found before any search.
//!
//! Knights stay in their part of the board, a full part cannot stir, knights on a path or a ring
//! cannot pass each other, and with one empty square and all knights different only half of all
//! orders can be reached when jumps alternate between two classes of squares.
//!
//! Invariant: what is said here holds whatever else the rules forbid.
//! Cost: linear in the board.
//! After: Wilson, Graph puzzles, homotopy, and the alternating group, 1974; Kornhauser, Miller and
//! Spirakis 1984.

use destrier_rules::Obstacle;

use super::arena::{ANY, Arena};
use super::question::Question;

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
    parity(arena, squares).then(|| {
        let text = format!(
            "the part of the board with {here} has one empty square and no two knights alike; \
             only even permutations can be reached, and the goal is an odd one"
        );
        ("parity (Wilson 1974)", text)
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

/// Is the goal in the class that a single empty square cannot reach?
///
/// Each jump exchanges a knight with the empty square: an odd permutation of all squares, and the
/// empty square changes its class. So the permutation is odd exactly when the empty square's class
/// has changed.
fn parity(arena: &Arena, squares: &[usize]) -> bool {
    let Some(class) = arena.two_classes() else { return false };
    let place = |codes: &[u8], code: u8| squares.iter().position(|&v| codes[v] == code);
    let mut image = Vec::new();
    for &v in squares {
        let code = arena.start[v];
        if squares.iter().filter(|&&u| arena.start[u] == code).count() > 1 {
            return false;
        }
        let Some(to) = place(&arena.goal, code) else { return false };
        image.push(to);
    }
    let mut seen = vec![false; image.len()];
    let mut odd = false;
    for first in 0..image.len() {
        let mut at = image[first];
        while !std::mem::replace(&mut seen[at], true) && at != first {
            odd = !odd;
            at = image[at];
        }
        seen[first] = true;
    }
    let (Some(from), Some(to)) = (place(&arena.start, 0), place(&arena.goal, 0)) else {
        return false;
    };
    odd != (class[squares[from]] != class[squares[to]])
}
