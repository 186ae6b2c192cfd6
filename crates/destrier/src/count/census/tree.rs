//! Patterns by the digits of their files: which of them agree with the digits that are known, file by file.
//!
//! Links are decided about from the last file to the first. Each time the digits of a file become final, one look
//! goes on to the patterns that have them, or finds that there are none.
//!
//! Invariant: a node stands for the patterns with certain digits in their last files, and there is at least one.
//! Cost: 36 bytes for each different beginning of a pattern.
//! Source: the digital trees of Knuth, "The Art of Computer Programming", 6.3.

use super::frame::{Frame, Rung};
use crate::count::middle::join::pattern::{Pattern, digit};

/// Patterns, the last file first.
#[derive(Debug)]
pub(super) struct Tree {
    /// What follows each pair of digits: a node or, at the end, the place of a pattern and one more; 0 if nothing does.
    nodes: Vec<Node>,
    has_apex: bool,
}

/// Two digits are 0, 1 or 2 each.
type Node = [u32; 9];

/// Where all patterns are still possible; after it come the patterns that agree with the digits so far.
pub(super) const ROOT: u32 = 1;

impl Tree {
    /// A tree of different patterns.
    pub(super) fn new(frame: Frame, patterns: &[Pattern]) -> Tree {
        // The node that stands for no pattern leads back to itself.
        let mut tree = Tree { nodes: vec![Node::default(); 2], has_apex: frame.is_open };
        let place = |at: usize| u32::try_from(at).expect("fewer than 2^32 patterns");
        for (at, &pattern) in patterns.iter().enumerate() {
            let files =
                (0..frame.files).rev().map(|file| digits(pattern, frame.place(false, file)));
            let mut path: Vec<usize> = files.collect();
            path.extend(frame.is_open.then_some(apex_digit(pattern)));
            let last = path.pop().expect("a board has files");
            let mut node = ROOT as usize;
            for digits in path {
                if tree.nodes[node][digits] == 0 {
                    tree.nodes[node][digits] = place(tree.nodes.len());
                    tree.nodes.push(Node::default());
                }
                node = tree.nodes[node][digits] as usize;
            }
            tree.nodes[node][last] = place(at + 1);
        }
        tree
    }

    /// The node after the files whose digits have become final; 0 if no pattern has these.
    #[inline]
    pub(super) fn after(&self, node: u32, rung: Rung, pattern: Pattern) -> u32 {
        (0..rung.files).rev().fold(node, |node, file| {
            self.nodes[node as usize][digits(pattern, rung.place + 2 * file)]
        })
    }

    /// The place of a pattern, given the node after all its files.
    #[inline]
    pub(super) fn found(&self, node: u32, pattern: Pattern) -> Option<usize> {
        let found =
            if self.has_apex { self.nodes[node as usize][apex_digit(pattern)] } else { node };
        (found as usize).checked_sub(1)
    }
}

/// The digits of two places.
#[inline]
fn digits(pattern: Pattern, place: usize) -> usize {
    small(digit(pattern, place) + 3 * digit(pattern, place + 1))
}

/// The digit of the apex.
#[inline]
fn apex_digit(pattern: Pattern) -> usize {
    small(digit(pattern, 0))
}

#[inline]
fn small(digits: u64) -> usize {
    usize::try_from(digits).expect("two digits at most")
}

#[cfg(test)]
mod tests {
    use super::super::frame::Links;
    use super::*;
    use crate::run::random::Random;

    #[test]
    fn a_tree_finds_its_patterns_and_no_others() {
        let mut random = Random::new(7);
        for (files, is_open) in [(3, false), (3, true), (4, false), (5, true)] {
            let frame = Frame::new(files, 4, is_open).expect("a small board");
            let every = 3_u64.pow(u32::try_from(frame.places()).expect("few places"));
            let pattern = |mut number: u64| {
                (0..frame.places()).fold(0, |pattern: Pattern, place| {
                    let digit = number % 3;
                    number /= 3;
                    pattern | digit << (2 * place)
                })
            };
            let kept: Vec<u64> = (0..every).filter(|_| random.below(3) == 0).collect();
            let tree = Tree::new(frame, &kept.iter().map(|&n| pattern(n)).collect::<Vec<_>>());
            let rungs = Links::of(frame).rungs;
            for number in 0..every {
                let pattern = pattern(number);
                let steps = rungs.iter().rev().flatten();
                let node = steps.fold(ROOT, |node, &rung| tree.after(node, rung, pattern));
                let found = if node == 0 { None } else { tree.found(node, pattern) };
                assert_eq!(found, kept.binary_search(&number).ok(), "{files} {pattern:b}");
            }
        }
    }
}
