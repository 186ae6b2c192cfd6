//! Pairing dark squares with light ones, a jump apart, as many as can be.
//!
//! A tour pairs its squares two by two, so a set of squares with too few neighbours forbids it. A
//! largest pairing shows such a set: follow unpaired squares along alternating paths, or, where all are
//! paired, find a set that the alternating paths do not leave.
//!
//! Invariant: `mate[mate[v]] == v` for every paired vertex; pairs are jumps between the colours.
//! Cost: the square root of the vertices times the edges.
//! Source: Hopcroft and Karp (1973); Dulmage and Mendelsohn (1958) for the sets.

use std::collections::VecDeque;

use crate::graph::{KnightGraph, Vertex};

const ALONE: Vertex = Vertex::MAX;

/// A largest pairing.
#[derive(Debug)]
pub(crate) struct Matching {
    mate: Vec<Vertex>,
}

impl Matching {
    /// Pairs vertices of the two colours; every edge must join different colours.
    pub(crate) fn new(graph: &KnightGraph, dark: &[bool]) -> Matching {
        let mut mate = vec![ALONE; graph.len()];
        for v in graph.vertices().filter(|&v| dark[v as usize]) {
            if let Some(&w) = graph.neighbours(v).iter().find(|&&w| mate[w as usize] == ALONE) {
                mate[v as usize] = w;
                mate[w as usize] = v;
            }
        }
        let mut matching = Matching { mate };
        while matching.lengthen(graph, dark) {}
        matching
    }

    /// One phase: a largest set of disjoint shortest augmenting paths. False when there are none.
    fn lengthen(&mut self, graph: &KnightGraph, dark: &[bool]) -> bool {
        let mut layer = vec![u32::MAX; graph.len()];
        let mut queue: VecDeque<Vertex> = graph
            .vertices()
            .filter(|&v| dark[v as usize] && self.mate[v as usize] == ALONE)
            .collect();
        for &v in &queue {
            layer[v as usize] = 0;
        }
        let mut reached = false;
        while let Some(v) = queue.pop_front() {
            for &w in graph.neighbours(v) {
                let next = self.mate[w as usize];
                if next == ALONE {
                    reached = true;
                } else if layer[next as usize] == u32::MAX {
                    layer[next as usize] = layer[v as usize] + 1;
                    queue.push_back(next);
                }
            }
        }
        if !reached {
            return false;
        }
        let mut place = vec![0_usize; graph.len()];
        let roots: Vec<Vertex> = graph.vertices().filter(|&v| layer[v as usize] == 0).collect();
        for root in roots {
            self.augment(graph, root, &mut layer, &mut place);
        }
        true
    }

    /// Follows layers from an unpaired dark vertex to an unpaired light one, and swaps along the way.
    fn augment(
        &mut self,
        graph: &KnightGraph,
        root: Vertex,
        layer: &mut [u32],
        place: &mut [usize],
    ) {
        let mut stack = vec![root];
        while let Some(&v) = stack.last() {
            let list = graph.neighbours(v);
            let Some(&w) = list.get(place[v as usize]) else {
                layer[v as usize] = u32::MAX;
                stack.pop();
                continue;
            };
            place[v as usize] += 1;
            let next = self.mate[w as usize];
            if next == ALONE {
                // The edge that each vertex on the stack looked at last is the one to pair by.
                for &u in &stack {
                    let to = graph.neighbours(u)[place[u as usize] - 1];
                    self.mate[u as usize] = to;
                    self.mate[to as usize] = u;
                    layer[u as usize] = u32::MAX;
                }
                return;
            }
            if layer[next as usize] == layer[v as usize].saturating_add(1) {
                stack.push(next);
            }
        }
    }

    /// A set of one colour with too few neighbours for a tour, if the pairing shows one; else nothing.
    pub(crate) fn crowded(&self, graph: &KnightGraph, dark: &[bool]) -> Vec<Vertex> {
        for colour in [true, false] {
            let alone: Vec<Vertex> = graph
                .vertices()
                .filter(|&v| dark[v as usize] == colour && self.mate[v as usize] == ALONE)
                .collect();
            if !alone.is_empty() {
                return self.reach(graph, alone, false);
            }
        }
        // All are paired: a set that alternating paths do not leave has just as many neighbours.
        let Some(first) = graph.vertices().find(|&v| dark[v as usize]) else { return Vec::new() };
        let half = graph.len() / 2;
        let onward = self.reach(graph, vec![first], false);
        if onward.len() < half {
            return onward;
        }
        let mut towards = vec![false; graph.len()];
        for v in self.reach(graph, vec![first], true) {
            towards[v as usize] = true;
        }
        graph.vertices().filter(|&v| dark[v as usize] && !towards[v as usize]).collect()
    }

    /// The vertices of the same colour on alternating paths from these, or towards these.
    fn reach(&self, graph: &KnightGraph, from: Vec<Vertex>, backwards: bool) -> Vec<Vertex> {
        let mut seen = vec![false; graph.len()];
        for &v in &from {
            seen[v as usize] = true;
        }
        let mut reached = from;
        let mut at = 0;
        while at < reached.len() {
            let v = reached[at];
            at += 1;
            let mate = self.mate[v as usize];
            let list = if backwards { graph.neighbours(mate) } else { graph.neighbours(v) };
            for &w in list {
                let next = if backwards { w } else { self.mate[w as usize] };
                if next != ALONE && !seen[next as usize] {
                    seen[next as usize] = true;
                    reached.push(next);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use destrier_rules::Board;

    #[test]
    fn every_pair_is_a_jump_and_no_pairing_is_larger() {
        for (files, ranks, pairs) in [(3, 3, 4), (3, 4, 6), (8, 8, 32), (5, 5, 12), (2, 5, 4)] {
            let graph = KnightGraph::new(&Board::new(files, ranks).unwrap());
            let dark: Vec<bool> = graph.vertices().map(|v| graph.square(v).is_dark()).collect();
            let matching = Matching::new(&graph, &dark);
            let paired = graph.vertices().filter(|&v| matching.mate[v as usize] != ALONE);
            let mut count = 0;
            for v in paired {
                let mate = matching.mate[v as usize];
                assert_eq!(matching.mate[mate as usize], v);
                assert!(graph.neighbours(v).contains(&mate));
                count += 1;
            }
            assert_eq!(count, 2 * pairs, "{files}x{ranks}");
        }
    }

    #[test]
    fn a_crowded_set_has_no_more_neighbours_than_squares() {
        let drawing = "....\n.##.\n....\n....";
        let graph = KnightGraph::new(&drawing.parse::<Board>().unwrap());
        let dark: Vec<bool> = graph.vertices().map(|v| graph.square(v).is_dark()).collect();
        let crowded = Matching::new(&graph, &dark).crowded(&graph, &dark);
        let mut near: Vec<Vertex> =
            crowded.iter().flat_map(|&v| graph.neighbours(v)).copied().collect();
        near.sort_unstable();
        near.dedup();
        assert!(near.len() <= crowded.len());
        assert!(!crowded.is_empty());
    }
}
