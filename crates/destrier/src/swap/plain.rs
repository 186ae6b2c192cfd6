//! Positions as plain lists of codes, and their neighbours straight from the rules.
//!
//! Nothing here is packed or cached: this is what the fast methods are compared with.
//!
//! Invariant: two positions are equal exactly when the same codes are on the same vertices and the
//! same side is to move.
//! Cost: a list of bytes per position.

use super::instance::{Instance, Step};

/// The code on each vertex, and whose turn it is where that matters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Position {
    pub(super) codes: Vec<u8>,
    pub(super) white_moves: Option<bool>,
}

/// A position that was reached from another, whose index comes with it, by some jumps.
pub(super) struct Reached {
    pub(super) position: Position,
    pub(super) parent: usize,
    pub(super) jumps: Vec<Step>,
}

impl Reached {
    /// The first position.
    pub(super) fn start(instance: &Instance) -> Reached {
        let (codes, white_moves) = (instance.start.clone(), instance.white_begins);
        Reached { position: Position { codes, white_moves }, parent: 0, jumps: Vec::new() }
    }
}

/// The jumps from the first of some positions to another.
pub(super) fn path_to(mut index: usize, reached: &[Reached]) -> Vec<Step> {
    let mut steps = Vec::new();
    while index != 0 {
        steps.extend(reached[index].jumps.iter().rev());
        index = reached[index].parent;
    }
    steps.reverse();
    steps
}

/// Every position one move (or run) away, with the jumps made.
pub(super) fn neighbours(instance: &Instance, position: &Position) -> Vec<(Position, Vec<Step>)> {
    let mut found = Vec::new();
    for from in 0..instance.len() {
        let code = position.codes[from];
        if code == 0
            || position.white_moves.is_some_and(|white| white != instance.white[usize::from(code)])
        {
            continue;
        }
        let mut walks: Vec<(usize, Vec<Step>)> = vec![(from, Vec::new())];
        let mut next = 0;
        while next < walks.len() && (next == 0 || instance.runs) {
            let (at, jumps) = walks[next].clone();
            next += 1;
            for &to in &instance.neighbours[at] {
                let to = usize::from(to);
                if position.codes[to] != 0 || walks.iter().any(|&(seen, _)| seen == to) {
                    continue;
                }
                let mut codes = position.codes.clone();
                codes[from] = 0;
                codes[to] = code;
                if instance.peaceful && instance.attacking_pair(&codes).is_some() {
                    continue;
                }
                let mut jumps = jumps.clone();
                jumps.push((as_u8(at), as_u8(to)));
                walks.push((to, jumps.clone()));
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
