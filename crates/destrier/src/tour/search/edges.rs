//! Complete search for a cycle through every vertex, by choosing and striking out edges.
//!
//! Edges are undecided, chosen or struck out. A vertex with two chosen edges needs no other; a vertex
//! with two edges left needs both; an edge that would close a cycle too early goes. These rules
//! run to the end after every decision. Then the live graph must still be two-connected, or the
//! branch is dead. The search branches on one edge at the end of a fragment: with it, then without it,
//! so every cycle is found exactly once and nothing is tried twice.
//!
//! Invariant: `mate[mate[v]] == v` for the ends of every fragment; the trail undoes to any earlier length.
//! Cost: a decision costs the edges it touches; the check of connection costs the live edges.
//! Source: forced edges as in Rubin (1974) and Vandegriend and Culberson (1998); lowpoints by Tarjan (1972).

use std::ops::ControlFlow;

use crate::graph::cycle::CycleGraph;
use crate::graph::fold::FoldedTour;
use crate::graph::narrow;
use crate::run::random::Random;
use crate::run::watch::Halt;
use crate::tour::racer::Racer;

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The visitor broke off.
    Ended,
    /// Everything was tried.
    Exhausted,
    /// The node limit of this attempt was met.
    GaveUp,
}

const UNDECIDED: u8 = 0;
const CHOSEN: u8 = 1;
const STRUCK: u8 = 2;

enum Undo {
    Strike(u32),
    Choose { edge: u32, far: [u32; 2], turns: [u8; 2] },
}

/// A contradiction: this branch holds no cycle.
struct Dead;

/// The state of a search.
pub(crate) struct EdgeSearch<'g> {
    graph: &'g CycleGraph,
    state: Vec<u8>,
    live: Vec<u32>,
    chosen: Vec<u8>,
    mate: Vec<u32>,
    /// The turn from an end of a fragment to its other end.
    turn: Vec<u8>,
    total: usize,
    trail: Vec<Undo>,
    due: Vec<u32>,
    connection: Connection,
    /// Where the scan for a branching vertex begins.
    from: usize,
    nodes: u64,
    dead: u64,
    cut: u64,
}

impl<'g> EdgeSearch<'g> {
    /// A search that has decided nothing yet.
    pub(crate) fn new(graph: &'g CycleGraph) -> EdgeSearch<'g> {
        let n = graph.vertices();
        EdgeSearch {
            graph,
            state: vec![UNDECIDED; graph.edges().len()],
            live: (0..narrow(n)).map(|v| narrow(graph.at(v).len())).collect(),
            chosen: vec![0; n],
            mate: (0..narrow(n)).collect(),
            turn: vec![0; n],
            total: 0,
            trail: Vec::new(),
            due: Vec::new(),
            connection: Connection::default(),
            from: 0,
            nodes: 0,
            dead: 0,
            cut: 0,
        }
    }

    /// Decisions taken so far.
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Branches that ended in a contradiction, and how many of them by the check of connection.
    pub(crate) const fn dead_ends(&self) -> (u64, u64) {
        (self.dead, self.cut)
    }

    /// Looks at every cycle, or until the visitor breaks off, or for `limit` decisions.
    ///
    /// Ties are broken by `random`, where given.
    pub(crate) fn run(
        &mut self,
        limit: u64,
        mut random: Option<&mut Random>,
        racer: &mut Racer,
        visit: &mut dyn FnMut(FoldedTour) -> ControlFlow<()>,
    ) -> Result<Verdict, Halt> {
        let stop_at = self.nodes.saturating_add(limit);
        let mut branches: Vec<(u32, usize)> = Vec::new();
        let n = self.graph.vertices();
        if let Some(random) = random.as_deref_mut() {
            self.from = random.below(n.max(1));
        }
        let mut alive = self.begin();
        // A fresh branch is checked for connection from time to time, a second branch always.
        let mut unchecked = u32::MAX;
        loop {
            racer.tick()?;
            if alive && unchecked >= 4 && self.total < n {
                unchecked = 0;
                if !self.connection.is_sound(self.graph, &self.state, &self.chosen, &self.mate) {
                    self.cut += 1;
                    alive = false;
                }
            }
            if alive && self.total == n {
                if visit(self.graph.tour(|e| self.state[e as usize] == CHOSEN)).is_break() {
                    return Ok(Verdict::Ended);
                }
                alive = false;
            } else if !alive {
                self.dead += 1;
            }
            if alive {
                if self.nodes >= stop_at {
                    return Ok(Verdict::GaveUp);
                }
                self.nodes += 1;
                unchecked = unchecked.saturating_add(1);
                let edge = self.branch(random.as_deref_mut());
                branches.push((edge, self.trail.len()));
                alive = self.choose(edge).and_then(|()| self.settle()).is_ok();
            } else {
                let Some((edge, kept)) = branches.pop() else {
                    return Ok(Verdict::Exhausted);
                };
                self.undo(kept);
                unchecked = u32::MAX;
                alive = self.strike(edge).and_then(|()| self.settle()).is_ok();
            }
        }
    }

    /// Settles what is forced from the beginning; says whether a cycle is still possible.
    fn begin(&mut self) -> bool {
        let n = narrow(self.graph.vertices());
        if (0..n).any(|v| self.live[v as usize] < 2) {
            return false;
        }
        self.due.extend((0..n).filter(|&v| self.live[v as usize] == 2));
        self.settle().is_ok()
    }

    /// Chooses an edge, and strikes out what that makes useless.
    fn choose(&mut self, edge: u32) -> Result<(), Dead> {
        let [u, v] = self.graph.ends(edge);
        debug_assert_eq!(self.state[edge as usize], UNDECIDED);
        let far = [self.mate[u as usize], self.mate[v as usize]];
        let turns = [self.turn[far[0] as usize], self.turn[far[1] as usize]];
        self.state[edge as usize] = CHOSEN;
        self.chosen[u as usize] += 1;
        self.chosen[v as usize] += 1;
        self.total += 1;
        self.trail.push(Undo::Choose { edge, far, turns });
        if far[0] == v {
            // It closes a cycle: only the whole cycle, with an allowed turn, is wanted.
            let around = self.graph.add(self.graph.turn_from(edge, u), self.turn[v as usize]);
            return if self.total == self.graph.vertices() && self.graph.allows(around) {
                Ok(())
            } else {
                Err(Dead)
            };
        }
        let along = self.graph.add(self.graph.turn_from(edge, u), self.turn[v as usize]);
        let whole = self.graph.add(self.turn[far[0] as usize], along);
        self.mate[far[0] as usize] = far[1];
        self.mate[far[1] as usize] = far[0];
        self.turn[far[0] as usize] = whole;
        self.turn[far[1] as usize] = self.graph.minus(whole);
        for w in [u, v] {
            if self.chosen[w as usize] == 2 {
                self.strike_others(w)?;
            }
        }
        self.strike_early(far[0], far[1])
    }

    /// A vertex with two chosen edges gives up the rest.
    fn strike_others(&mut self, v: u32) -> Result<(), Dead> {
        let graph = self.graph;
        for &e in graph.at(v) {
            if self.state[e as usize] == UNDECIDED {
                self.strike(e)?;
            }
        }
        Ok(())
    }

    /// The two ends of a fragment must not be joined, except to finish with an allowed turn.
    fn strike_early(&mut self, a: u32, b: u32) -> Result<(), Dead> {
        let graph = self.graph;
        let last = self.total + 1 == graph.vertices();
        let from = if graph.at(a).len() <= graph.at(b).len() { a } else { b };
        for &e in graph.at(from) {
            if self.state[e as usize] == UNDECIDED && graph.across(e, from) == a ^ b ^ from {
                let other = a ^ b ^ from;
                let around = graph.add(graph.turn_from(e, from), self.turn[other as usize]);
                if !(last && graph.allows(around)) {
                    self.strike(e)?;
                }
            }
        }
        Ok(())
    }

    /// Strikes an edge out, and notes the vertices that now need all they have.
    fn strike(&mut self, edge: u32) -> Result<(), Dead> {
        debug_assert_eq!(self.state[edge as usize], UNDECIDED);
        self.state[edge as usize] = STRUCK;
        self.trail.push(Undo::Strike(edge));
        let mut enough = true;
        for v in self.graph.ends(edge) {
            self.live[v as usize] -= 1;
            match self.live[v as usize] {
                0 | 1 => enough = false,
                2 => self.due.push(v),
                _ => {}
            }
        }
        if enough { Ok(()) } else { Err(Dead) }
    }

    /// Runs the forced choices to their end.
    fn settle(&mut self) -> Result<(), Dead> {
        let graph = self.graph;
        while let Some(v) = self.due.pop() {
            for &e in graph.at(v) {
                if self.live[v as usize] == 2 && self.state[e as usize] == UNDECIDED {
                    self.choose(e)?;
                }
            }
        }
        Ok(())
    }

    /// Takes back everything after the trail had this length.
    fn undo(&mut self, length: usize) {
        self.due.clear();
        while self.trail.len() > length {
            match self.trail.pop().expect("the trail is longer than that") {
                Undo::Strike(edge) => {
                    self.state[edge as usize] = UNDECIDED;
                    for v in self.graph.ends(edge) {
                        self.live[v as usize] += 1;
                    }
                }
                Undo::Choose { edge, far, turns } => {
                    let near = self.graph.ends(edge);
                    self.state[edge as usize] = UNDECIDED;
                    self.total -= 1;
                    for side in 0..2 {
                        self.chosen[near[side] as usize] -= 1;
                        self.mate[far[side] as usize] = near[side];
                        self.turn[far[side] as usize] = turns[side];
                    }
                }
            }
        }
    }

    /// The edge to decide next: at the fragment end with the fewest edges to go on by, towards the vertex with the
    /// fewest.
    fn branch(&mut self, random: Option<&mut Random>) -> u32 {
        let n = self.graph.vertices();
        let mut best = (u32::MAX, 0);
        for offset in 0..n {
            let v = (self.from + offset) % n;
            if self.chosen[v] == 2 {
                continue;
            }
            // An end of a fragment has live − 1 edges to go on by; a bare vertex is a worse choice.
            let onward = if self.chosen[v] == 1 { self.live[v] - 1 } else { self.live[v] + 2 };
            if onward < best.0 {
                best = (onward, v);
                if onward == 2 {
                    break;
                }
            }
        }
        let v = narrow(best.1);
        let mut salt = random.map_or(0, Random::next);
        let mut pick = (u32::MAX, u64::MAX, 0);
        for &e in self.graph.at(v) {
            if self.state[e as usize] == UNDECIDED {
                let w = self.graph.across(e, v) as usize;
                let left = self.live[w] - u32::from(self.chosen[w]);
                let rank = (left, salt & 0xff, e);
                salt = salt.rotate_right(8);
                pick = pick.min(rank);
            }
        }
        pick.2
    }
}

/// The check that what is left is two-connected: a cycle through everything can live in nothing less.
///
/// Insides of fragments are left out; a fragment is an edge between its ends.
#[derive(Default)]
struct Connection {
    number: Vec<u32>,
    low: Vec<u32>,
    /// (vertex, its parent, position in its list; the fragment edge comes first)
    stack: Vec<(u32, u32, u32)>,
}

impl Connection {
    fn is_sound(&mut self, graph: &CycleGraph, state: &[u8], chosen: &[u8], mate: &[u32]) -> bool {
        let n = graph.vertices();
        let open = (0..n).filter(|&v| chosen[v] < 2).count();
        if open < 3 {
            return true;
        }
        let root = narrow((0..n).find(|&v| chosen[v] < 2).expect("some vertex is open"));
        self.number.clear();
        self.number.resize(n, 0);
        self.low.clear();
        self.low.resize(n, 0);
        self.stack.clear();
        let mut clock = 1;
        let mut root_children = 0;
        self.number[root as usize] = clock;
        self.low[root as usize] = clock;
        self.stack.push((root, u32::MAX, 0));
        while let Some(top) = self.stack.last_mut() {
            let (v, parent, place) = *top;
            top.2 += 1;
            let list = graph.at(v);
            let w = if place == 0 {
                mate[v as usize]
            } else if let Some(&e) = list.get(place as usize - 1) {
                if state[e as usize] == UNDECIDED { graph.across(e, v) } else { v }
            } else {
                self.stack.pop();
                if parent != u32::MAX {
                    let low = self.low[v as usize];
                    self.low[parent as usize] = self.low[parent as usize].min(low);
                    if parent != root && low >= self.number[parent as usize] {
                        return false;
                    }
                }
                continue;
            };
            if w == v || w == parent {
                continue;
            }
            if self.number[w as usize] == 0 {
                clock += 1;
                self.number[w as usize] = clock;
                self.low[w as usize] = clock;
                if v == root {
                    root_children += 1;
                    if root_children > 1 {
                        return false;
                    }
                }
                self.stack.push((w, v, 0));
            } else {
                self.low[v as usize] = self.low[v as usize].min(self.number[w as usize]);
            }
        }
        clock as usize == open
    }
}

#[cfg(test)]
mod tests {
    use destrier_rules::{Board, Symmetry};

    use super::*;
    use crate::graph::KnightGraph;
    use crate::graph::cycle::{Aim, Edge};
    use crate::graph::fold::Fold;
    use crate::run::watch::Watch;

    fn board(files: u32, ranks: u32) -> KnightGraph {
        KnightGraph::new(&Board::new(files, ranks).unwrap())
    }

    /// Looks at every cycle, checking the state's invariants at each.
    fn number_of(folded: &Fold, aim: &Aim) -> u64 {
        let graph = CycleGraph::new(folded, aim);
        let mut found = 0;
        let mut search = EdgeSearch::new(&graph);
        let watch = Watch::unlimited();
        let verdict = search.run(u64::MAX, None, &mut Racer::alone(&watch), &mut |tour| {
            assert_eq!(tour.visits.len(), folded.len());
            found += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(verdict, Ok(Verdict::Exhausted));
        found
    }

    #[test]
    fn every_closed_tour_is_met_once() {
        for (files, ranks, count) in [(5, 6, 8), (3, 10, 16), (6, 6, 9_862)] {
            let graph = board(files, ranks);
            let board = Fold::new(&graph, Symmetry::Identity, None);
            assert_eq!(number_of(&board, &Aim::Cycle { turns: 1 }), count, "{files}x{ranks}");
        }
    }

    #[test]
    fn closed_tours_with_half_turns_are_as_many_as_knuth_has() {
        for (files, ranks, kept, reversed) in
            [(6, 7, 526, 38), (6, 5, 0, 0), (10, 3, 0, 4), (8, 5, 0, 22)]
        {
            let graph = board(files, ranks);
            let board = Fold::new(&graph, Symmetry::HalfTurn, None);
            assert_eq!(number_of(&board, &Aim::Cycle { turns: 0b10 }), kept);
            let through: Vec<u32> = board.orbits().filter(|&o| board.loops(o) > 0).collect();
            let aim = Aim::Path { starts: vec![through[0]], ends: vec![through[1]] };
            assert_eq!(number_of(&board, &aim), reversed, "{files}x{ranks}");
            assert_eq!(number_of(&board, &Aim::PathAmong(through)), reversed, "{files}x{ranks}");
        }
    }

    #[test]
    fn an_undone_search_is_as_it_was_at_the_beginning() {
        let board = board(6, 6);
        let graph = CycleGraph::new(
            &Fold::new(&board, Symmetry::HalfTurn, None),
            &Aim::Cycle { turns: 0b10 },
        );
        let mut search = EdgeSearch::new(&graph);
        let fresh = EdgeSearch::new(&graph);
        let mut random = Random::new(5);
        for _ in 0..50 {
            while search.total + 1 < graph.vertices() {
                let edge = search.branch(Some(&mut random));
                if search.choose(edge).and_then(|()| search.settle()).is_err() {
                    break;
                }
                for v in 0..graph.vertices() {
                    if search.chosen[v] < 2 {
                        assert_eq!(search.mate[search.mate[v] as usize] as usize, v);
                    }
                }
            }
            search.undo(0);
            assert_eq!(search.state, fresh.state);
            assert_eq!(search.live, fresh.live);
            assert_eq!(search.mate, fresh.mate);
            assert_eq!(search.turn, fresh.turn);
            assert_eq!((search.total, search.chosen.iter().max()), (0, Some(&0)));
        }
    }

    #[test]
    fn a_board_held_together_by_one_square_is_not_sound() {
        // Two rings that share a square: every vertex has two edges or more, and there is no cycle.
        let rings = [(0, 1), (0, 2), (1, 5), (2, 5), (0, 3), (0, 4), (3, 6), (4, 6)];
        let ring = [(0, 1), (1, 2), (2, 3), (0, 3)];
        for (vertices, pairs, sound) in [(7, &rings[..], false), (4, &ring[..], true)] {
            let edges = pairs.iter().map(|&(a, b)| Edge::plain(a, b)).collect();
            let graph = CycleGraph::of_edges(vertices, edges);
            let search = EdgeSearch::new(&graph);
            let mut connection = Connection::default();
            let is_sound = connection.is_sound(&graph, &search.state, &search.chosen, &search.mate);
            assert_eq!(is_sound, sound);
        }
    }
}
