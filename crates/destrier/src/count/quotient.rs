//! Counting tours that a turn or mirror of the board maps to themselves.
//!
//! Fold the board along the symmetry: each orbit of squares becomes one vertex, and each edge carries
//! the turn it makes. A cycle of the board that the symmetry turns along itself is a Hamiltonian cycle
//! of the folded graph whose turns add up to a generator. A cycle or path that the symmetry runs
//! backwards is a Hamiltonian path of the folded graph that ends where the symmetry fixes something:
//! a square, or an edge between a square and its image.
//!
//! Invariant: lifting and folding are inverse, so symmetric tours and folded ones are one to one.
//! Cost: a sweep over half or a quarter of the squares: 8×8 by a half turn takes 32 steps.
//! After: voltage graphs (Gross and Tucker); Knuth, TAOCP pre-fascicle 8a, answers 137–139.

use destrier_rules::{Shape, Symmetry, TourProblem, TourSymmetry};
use num_bigint::BigUint;

use super::TourCount;
use super::frontier::{cycles, graph_of};
use super::net::Net;
use super::sweep::course::Edge;
use crate::graph::{KnightGraph, Vertex};
use crate::outcome::{Run, SolveError, Stop};
use crate::run::watch::Watch;

const NAME: &str = "frontier";

/// A board folded along a symmetry.
struct Folded {
    net: Net,
    /// Orbits of a single square.
    fixed: Vec<Vertex>,
    /// Orbits with an edge from a square to its image under the half of the symmetry.
    joined: Vec<Vertex>,
    /// Loops: edges inside an orbit that the symmetry does not turn round.
    loops: usize,
}

fn fold(graph: &KnightGraph, symmetry: Symmetry, files: u32, ranks: u32) -> Option<Folded> {
    let image = |v: Vertex| graph.vertex(symmetry.apply(graph.square(v), files, ranks));
    let order: u8 = match symmetry {
        Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => 4,
        Symmetry::Identity => 1,
        _ => 2,
    };
    let n = graph.len();
    let mut orbit = vec![Vertex::MAX; n];
    let mut turn = vec![0_u8; n];
    let mut firsts = Vec::new();
    let mut fixed = Vec::new();
    for v in graph.vertices() {
        if orbit[v as usize] != Vertex::MAX {
            continue;
        }
        let number = u32::try_from(firsts.len()).ok()?;
        firsts.push(v);
        let (mut u, mut steps) = (v, 0);
        loop {
            orbit[u as usize] = number;
            turn[u as usize] = steps;
            u = image(u)?;
            steps += 1;
            if u == v {
                break;
            }
        }
        if steps == 1 && order > 1 {
            fixed.push(number);
        } else if steps != order {
            return None; // an orbit of two under a quarter turn: only off the lattice
        }
    }
    let is_fixed = |o: Vertex| fixed.binary_search(&o).is_ok();
    let (mut edges, mut joined, mut loops) = (Vec::new(), Vec::new(), 0);
    for (a, &v) in (0..).zip(&firsts) {
        for &u in graph.neighbours(v) {
            let (b, turned) = (orbit[u as usize], turn[u as usize]);
            if a == b {
                if 2 * turned == order {
                    joined.push(a);
                } else {
                    loops += 1;
                }
            } else if a < b && !(is_fixed(a) && (is_fixed(b) || turned > 0)) {
                // A fixed square's two edges to an orbit are one when folded; none joins two fixed.
                edges.push(Edge { a, b, turn: turned });
            }
        }
    }
    let mut orders: Vec<Vec<Vertex>> = Vec::new();
    for key in [
        |s: destrier_rules::Square| (s.rank, s.file),
        |s: destrier_rules::Square| (s.file, s.rank),
        |s: destrier_rules::Square| (s.rank + s.file, s.file),
        |s: destrier_rules::Square| (s.rank.max(s.file), s.file),
    ] {
        // Orbits in the order in which their first, or their last, square is met.
        let mut squares: Vec<Vertex> = graph.vertices().collect();
        squares.sort_by_key(|&v| key(graph.square(v)));
        let mut met = vec![false; firsts.len()];
        let order = squares.iter().map(|&v| orbit[v as usize]);
        orders.push(order.filter(|&o| !std::mem::replace(&mut met[o as usize], true)).collect());
    }
    orders.push(super::net::greedy(firsts.len(), &edges));
    let net = Net { vertices: firsts.len(), edges, orders, modulus: order, rows: Vec::new() };
    Some(Folded { net, fixed, joined, loops })
}

/// The folded graph without its turns: for paths they do not matter.
fn unturned(mut net: Net) -> Net {
    net.edges.iter_mut().for_each(|edge| edge.turn = 0);
    Net { modulus: 1, ..net }
}

/// The tours of the board that the symmetry maps to themselves, undirected.
///
/// # Errors
/// When the folded board is still too wide.
pub(crate) fn invariant(
    problem: &TourProblem,
    graph: &KnightGraph,
    symmetry: Symmetry,
    watch: &Watch,
) -> Result<BigUint, Stop> {
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let Some(folded) = fold(graph, symmetry, files, ranks) else {
        return Ok(BigUint::ZERO);
    };
    let sum = |net: &Net, wanted: fn(usize) -> bool| -> Result<BigUint, Stop> {
        let turns = (0..).zip(cycles(net, watch)?);
        Ok(turns.filter(|(turn, _)| wanted(*turn)).map(|(_, count)| count).sum())
    };
    let Folded { net, fixed, joined, loops } = folded;
    let order = net.modulus;
    if problem.shape == Shape::Open {
        // Run backwards: the middle of the path is fixed, or an edge that is turned round.
        if order != 2 {
            return Ok(BigUint::ZERO);
        }
        let middles = match fixed.len() {
            0 => joined,
            1 => fixed,
            _ => return Ok(BigUint::ZERO),
        };
        if middles.is_empty() {
            return Ok(BigUint::ZERO);
        }
        if net.vertices == 1 {
            return Ok(BigUint::from(middles.len()));
        }
        let all: Vec<Vertex> = (0..).take(net.vertices).collect();
        let mut net = unturned(net);
        net.anchor(&middles, &all);
        return sum(&net, |_| true);
    }
    let mut total = BigUint::ZERO;
    if fixed.is_empty() {
        if net.vertices == 1 {
            return Ok(BigUint::from(usize::from(order == 4 && loops > 0)));
        }
        total += sum(&net, |turn| turn % 2 == 1)?;
    }
    if order == 2 {
        // Run backwards: two fixed things, squares or edges, at the ends of a folded path.
        let mut net = unturned(net);
        match (fixed.as_slice(), joined.len()) {
            (&[], 2..) => net.apex(&joined),
            (&[only], 1..) => net.anchor(&[only], &joined),
            (&[one, other], _) => net.anchor(&[one], &[other]),
            _ => return Ok(total),
        }
        if net.vertices < 3 {
            return Ok(total);
        }
        total += sum(&net, |_| true)?;
    }
    Ok(total)
}

/// Counts the tours with the symmetry that the question asks for.
///
/// # Errors
/// When the question fixes an end, or the folded board is too wide.
pub(crate) fn count(problem: &TourProblem, watch: &Watch) -> Result<Run<TourCount>, SolveError> {
    let total = symmetric(problem, watch);
    Run::ended(total.map(|total| TourCount::of_undirected(problem, total)), NAME, watch)
}

fn symmetric(problem: &TourProblem, watch: &Watch) -> Result<BigUint, Stop> {
    let unsuited =
        |why: &str| Stop::Error(SolveError::Unsuited { method: NAME, why: why.to_owned() });
    if problem.start.is_some() || problem.end.is_some() {
        return Err(unsuited("symmetric tours are counted without fixed ends"));
    }
    let symmetry = problem.symmetry.ok_or_else(|| unsuited("no symmetry is asked for"))?;
    if symmetry == TourSymmetry::FourPaths {
        return Err(unsuited("tours of four paths are not symmetric themselves; use `backtrack`"));
    }
    let graph = graph_of(problem, NAME)?;
    let mut total = BigUint::ZERO;
    let mut parts = Vec::new();
    for turn in symmetry.turns_of(&problem.board) {
        let count = invariant(problem, &graph, turn, watch)?;
        total += &count;
        parts.push(count);
    }
    // A tour with both mirrors would be counted twice; it has the half turn too, which on such boards
    // leaves no room for both. Where it might, say so rather than guess.
    if parts.len() == 2 && parts.iter().all(|count| *count > BigUint::ZERO) {
        return Err(unsuited("both mirrors have tours here; use `backtrack`"));
    }
    Ok(total)
}
