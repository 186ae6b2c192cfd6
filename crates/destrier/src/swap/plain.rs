//! Positions as plain lists of codes, and their neighbours by the letter of the rules.
//!
//! Nothing here is packed, cached or clever: this is what the quick methods are held to.
//!
//! Invariant: two positions are equal exactly when the same codes stand on the same squares and the
//! same side is to move.
//! Cost: a list of bytes a position.
//! After: the rules of the puzzle, read aloud.

use super::arena::{Arena, Step};

/// Who stands where, and whose turn it is where that matters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Position {
    pub(super) codes: Vec<u8>,
    pub(super) white_moves: Option<bool>,
}

/// The first position.
pub(super) fn start(arena: &Arena) -> Position {
    Position { codes: arena.start.clone(), white_moves: arena.white_begins }
}

/// Every position one move away (one run away, where runs are counted) with the jumps made.
pub(super) fn neighbours(arena: &Arena, position: &Position) -> Vec<(Position, Vec<Step>)> {
    let mut found = Vec::new();
    for from in 0..arena.len() {
        let code = position.codes[from];
        if code == 0
            || position.white_moves.is_some_and(|white| white != arena.white[usize::from(code)])
        {
            continue;
        }
        let mut ways: Vec<(usize, Vec<Step>)> = vec![(from, Vec::new())];
        let mut next = 0;
        while next < ways.len() && (next == 0 || arena.runs) {
            let (at, jumps) = ways[next].clone();
            next += 1;
            for &to in &arena.neighbours[at] {
                let to = usize::from(to);
                if position.codes[to] != 0 || ways.iter().any(|&(seen, _)| seen == to) {
                    continue;
                }
                let mut codes = position.codes.clone();
                codes[from] = 0;
                codes[to] = code;
                if arena.peaceful && arena.quarrel(&codes).is_some() {
                    continue;
                }
                let mut jumps = jumps.clone();
                jumps.push((as_u8(at), as_u8(to)));
                ways.push((to, jumps.clone()));
                found.push((
                    Position { codes, white_moves: position.white_moves.map(|w| !w) },
                    jumps,
                ));
            }
        }
    }
    found
}

#[expect(clippy::cast_possible_truncation, reason = "at most 128 squares")]
fn as_u8(v: usize) -> u8 {
    v as u8
}
