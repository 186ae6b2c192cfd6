//! Local cuts: inequalities that hold because they hold for all tours of a few contracted sets.
//!
//! Sets next to each other in the fractional graph are atoms, and all other nodes together are one more. Crossings of
//! weighted unions of atoms are then a distance between atoms, and a round trip is at least as long as a shortest
//! tour of them. A linear program finds the weights that the fractional solution violates most; its rows are the
//! tours that were too short under earlier weights.
//!
//! Invariant: the right side of a cut is the length of a shortest tour of its atoms, in integers.
//! Cost: a dozen dynamic programs over subsets of the atoms, and as many small linear programs, for each chunk.
//! Source: Applegate, Bixby, Chvátal, Cook 2001 (local cuts).

mod tours;

use std::collections::BTreeSet;

use super::comb::tight_sets;
use super::cut::{Cut, Family, FractionalEdge, Links};
use super::program::{Program, Verdict};
use crate::run::watch::{Halt, Ticker};
use tours::Tours;

/// How many contracted sets a chunk has; with two more it takes four times as long.
pub(crate) const CHUNK: usize = 9;
/// Sets that the fractional solution crosses more often have no part in a cut.
const MOST_CROSSINGS: f64 = 3.5;
/// A cut must be violated by this much, as a share of its right side while weights are sought, and then in all.
const LEAST_SHARE: f64 = 0.002;
const LEAST_VIOLATION: f64 = 0.02;
/// The most rows of tours in one linear program, and those that a round adds.
const MOST_TOURS: usize = 400;
const TOURS_AT_ONCE: usize = 6;
/// The largest factor that makes weights integral, and their largest sum.
const LARGEST_FACTOR: u32 = 12;
const LARGEST_SUM: u32 = 40;

/// Cuts that are violated within chunks of so many contracted sets.
pub(crate) fn local_cuts(
    nodes: usize,
    support: &[FractionalEdge],
    size: usize,
    ticker: &mut Ticker<'_>,
) -> Result<Vec<Cut>, Halt> {
    let (members, links) = tight_sets(nodes, support);
    let mut cuts = Vec::new();
    if members.len() <= size {
        return Ok(cuts);
    }
    for inner in chunks(size, &links) {
        let mut chunk = Chunk::new(inner, &links);
        if let Some(weights) = chunk.weights(ticker)? {
            cuts.extend(chunk.cut(&weights, &members));
        }
    }
    cuts.sort_by(|a, b| a.sets.cmp(&b.sets));
    cuts.dedup();
    Ok(cuts)
}

/// Two chunks around each contracted set.
fn chunks(size: usize, links: &Links) -> BTreeSet<Vec<usize>> {
    let around = (0..links.len()).flat_map(|v| [attached(v, size, links), nearest(v, size, links)]);
    let whole = around.filter(|chunk| chunk.len() == size);
    whole
        .map(|mut chunk| {
            chunk.sort_unstable();
            chunk
        })
        .collect()
}

/// A chunk that takes what is attached to it most, one by one.
fn attached(seed: usize, size: usize, links: &Links) -> Vec<usize> {
    let mut chunk = vec![seed];
    let mut border: Vec<(usize, f64)> = Vec::new();
    while chunk.len() < size {
        let last = *chunk.last().expect("the seed is there");
        for &(to, x) in links[last].iter().filter(|(to, _)| !chunk.contains(to)) {
            match border.iter_mut().find(|(v, _)| *v == to) {
                Some((_, sum)) => *sum += x,
                None => border.push((to, x)),
            }
        }
        let most = (0..border.len()).max_by(|&a, &b| border[a].1.total_cmp(&border[b].1));
        let Some(most) = most else { break };
        chunk.push(border.swap_remove(most).0);
    }
    chunk
}

/// A chunk of those that are fewest edges away, along large edges first.
fn nearest(seed: usize, size: usize, links: &Links) -> Vec<usize> {
    let mut chunk = vec![seed];
    let mut at = 0;
    while at < chunk.len() && chunk.len() < size {
        let mut next = links[chunk[at]].clone();
        next.sort_by(|a, b| b.1.total_cmp(&a.1));
        next.retain(|(to, _)| !chunk.contains(to));
        chunk.extend(next.iter().map(|&(to, _)| to).take(size - chunk.len()));
        at += 1;
    }
    chunk
}

/// A union of inner atoms, and how often the fractional solution crosses its border.
#[derive(Debug, Clone, Copy)]
struct Union {
    atoms: u32,
    crossings: f64,
}

/// The inner atoms of a place, and the unions of them that may have weights.
struct Chunk {
    inner: Vec<usize>,
    unions: Vec<Union>,
    tours: Tours,
}

impl Chunk {
    fn new(inner: Vec<usize>, links: &Links) -> Chunk {
        let count = inner.len();
        let x = |a: usize, b: usize| {
            let link = links[inner[a]].iter().find(|&&(to, _)| to == inner[b]);
            link.map_or(0.0, |&(_, x)| x)
        };
        let x: Vec<Vec<f64>> = (0..count).map(|a| (0..count).map(|b| x(a, b)).collect()).collect();
        let border = |a: usize| -> f64 { links[inner[a]].iter().map(|&(_, x)| x).sum() };
        // The crossings of each union, from those of the union without its first atom.
        let mut crossings = vec![0.0; 1 << count];
        for atoms in 1..1_usize << count {
            let (first, rest) = (atoms.trailing_zeros() as usize, atoms & (atoms - 1));
            let between: f64 = (0..count).filter(|b| rest >> b & 1 == 1).map(|b| x[first][b]).sum();
            crossings[atoms] = crossings[rest] + border(first) - 2.0 * between;
        }
        let unions = (0..).zip(crossings).skip(1);
        let unions = unions.map(|(atoms, crossings)| Union { atoms, crossings });
        let unions = unions.filter(|union| union.crossings < MOST_CROSSINGS).collect();
        Chunk { inner, unions, tours: Tours::new(count) }
    }

    /// Weights of the unions under which every tour has length one at least, and the fractional solution less.
    fn weights(&mut self, ticker: &mut Ticker<'_>) -> Result<Option<Vec<f64>>, Halt> {
        let mut program = Program::new();
        for union in &self.unions {
            program.add_column(Vec::new(), union.crossings, 0.5); // a tour crosses twice at least
        }
        let mut weights = vec![0.0; self.unions.len()];
        let mut rows = 0;
        while rows < MOST_TOURS {
            self.measure(|union| weights[union] as f32);
            let tours = self.tours.shorter_than(1.0 - 1e-4, TOURS_AT_ONCE);
            if tours.is_empty() {
                return Ok(Some(weights));
            }
            for tour in &tours {
                let count = |union: &Union| f64::from(crossings(tour, union.atoms));
                let entries = (0..).zip(self.unions.iter().map(count));
                program.add_row(entries.filter(|&(_, count)| count > 0.0).collect(), 1.0, false);
            }
            rows += tours.len();
            let verdict = program.solve(1.0 - LEAST_SHARE, u64::MAX, ticker)?;
            if verdict != Verdict::Optimal || program.objective() > 1.0 - LEAST_SHARE {
                return Ok(None);
            }
            weights = program.solution();
            for weight in weights.iter_mut().filter(|weight| **weight < 1e-7) {
                *weight = 0.0;
            }
        }
        Ok(None)
    }

    fn measure(&mut self, weight: impl Fn(usize) -> f32) {
        let weighted = self.unions.iter().enumerate().map(|(k, union)| (union.atoms, weight(k)));
        self.tours.measure(weighted.filter(|&(_, weight)| weight > 0.0));
    }

    /// The cut with these weights made integral, if it is still violated.
    fn cut(&mut self, weights: &[f64], members: &[Vec<u32>]) -> Option<Cut> {
        let times = integral(weights)?;
        self.measure(|union| times[union] as f32);
        let tour = self.tours.shorter_than(f32::INFINITY, 1).pop()?;
        let weighted = || self.unions.iter().zip(&times);
        let right = weighted().map(|(union, &times)| times * crossings(&tour, union.atoms)).sum();
        let crossed: f64 =
            weighted().map(|(union, &times)| f64::from(times) * union.crossings).sum();
        if crossed > f64::from(right) - LEAST_VIOLATION {
            return None;
        }
        let mut sets = Vec::new();
        for (union, &times) in self.unions.iter().zip(&times).filter(|&(_, &times)| times > 0) {
            let atoms = (0..self.inner.len()).filter(|a| union.atoms >> a & 1 == 1);
            let mut set: Vec<u32> = atoms.flat_map(|a| &members[self.inner[a]]).copied().collect();
            set.sort_unstable();
            sets.extend(std::iter::repeat_n(set, times as usize));
        }
        sets.sort();
        Some(Cut { family: Family::Local, sets, right })
    }
}

/// The least multiple of the weights that is integral, as far as their digits say.
fn integral(weights: &[f64]) -> Option<Vec<u32>> {
    let least = weights.iter().copied().filter(|&w| w > 1e-6).fold(f64::INFINITY, f64::min);
    let multiple = |factor: u32| -> Option<Vec<u32>> {
        let scaled = weights.iter().map(|w| w / least * f64::from(factor));
        let whole = |w: f64| (0..=LARGEST_SUM).find(|&times| (w - f64::from(times)).abs() < 1e-3);
        scaled.map(whole).collect()
    };
    let times = (1..=LARGEST_FACTOR).find_map(multiple)?;
    (times.iter().sum::<u32>() <= LARGEST_SUM).then_some(times)
}

/// How often a tour, given by its inner atoms in order, crosses the border of a union of them.
fn crossings(tour: &[usize], atoms: u32) -> u32 {
    let (mut was_inside, mut count) = (false, 0);
    for &a in tour {
        let is_inside = atoms >> a & 1 == 1;
        count += u32::from(is_inside != was_inside);
        was_inside = is_inside;
    }
    count + u32::from(was_inside)
}

#[cfg(test)]
mod tests {
    use super::super::cut::tests::{halves, violation};
    use super::*;
    use crate::run::random::Random;
    use crate::run::watch::Watch;

    /// The fewest crossings of all round trips through the nodes left, from one to the first.
    fn fewest(cut: &Cut, at: u32, left: &[u32]) -> u32 {
        let ways = left.iter().map(|&next| {
            let rest: Vec<u32> = left.iter().copied().filter(|&v| v != next).collect();
            cut.crossings(at, next) + fewest(cut, next, &rest)
        });
        ways.min().unwrap_or_else(|| cut.crossings(at, 0))
    }

    #[test]
    fn a_local_cut_is_violated_and_demands_what_the_cheapest_round_trip_pays() {
        let (watch, mut random) = (Watch::unlimited(), Random::new(3));
        // Two triangles of halves with whole edges between them, and means of two sets of cycles.
        let triangles = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)].map(|ends| (ends, 0.5));
        let between = [(0, 3), (1, 4), (2, 5)].map(|ends| (ends, 1.0));
        let edges = triangles.into_iter().chain(between);
        let prism = edges.map(|((u, v), x)| FractionalEdge { u, v, x }).collect();
        let others = (0..60).map(|_| (8, halves(8, &mut random)));
        let mut seen = Vec::new();
        for (nodes, support) in std::iter::once((6, prism)).chain(others.collect::<Vec<_>>()) {
            let cuts = local_cuts(nodes, &support, 5, &mut watch.ticker()).expect("no limit");
            for cut in &cuts {
                assert!(violation(cut, nodes, &support) > 0.01, "{cut:?} is not violated");
                let rest: Vec<u32> = (1..nodes as u32).collect();
                assert_eq!(fewest(cut, 0, &rest), cut.right, "{cut:?}");
            }
            seen.push(cuts.len());
        }
        assert!(seen[0] > 0, "the prism violates a comb");
    }

    #[test]
    fn weights_become_the_least_whole_numbers() {
        assert_eq!(integral(&[0.25, 0.0, 0.5]), Some(vec![1, 0, 2]));
        assert_eq!(integral(&[0.2, 0.3, 0.0]), Some(vec![2, 3, 0]));
        assert_eq!(integral(&[0.1, 0.131_7]), None);
        assert_eq!(integral(&[0.01, 0.5]), None);
    }

    #[test]
    fn a_tour_crosses_a_border_whenever_it_enters_or_leaves() {
        assert_eq!(crossings(&[0, 1, 2], 0b010), 2);
        assert_eq!(crossings(&[0, 1, 2], 0b101), 4);
        assert_eq!(crossings(&[0, 1, 2], 0b111), 2);
    }
}
