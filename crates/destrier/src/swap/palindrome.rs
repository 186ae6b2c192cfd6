//! Palindromes: plans that are their own image, where a symmetry exchanges start and goal.
//!
//! If the symmetry maps a position to itself, any path from the start to that position, followed by
//! its own image backwards, is a plan. So half a plan is searched for, to a position that is its own
//! image (or one jump away from its image). The distance between a position and its image is at least
//! the cheapest matching of the knights of one to those of the other, and a move of the half plan lowers
//! it by at most two: a much tighter limit than that of the goal, and few positions are left. Such a plan
//! need not exist, and another may be shorter: what is found here is an upper bound.
//!
//! Invariant: layer `d` has the positions `d` moves from the start within `length - 2 d` of their image.
//! Cost: for 12 v 12 on 3x9, 0.7 million positions where a search from both ends takes 59 million.
//! Source: bidirectional search with one side mirrored (see `meet`); palindromic plans are new here.

use super::assignment::{Assignment, FAR};
use super::astar::unfold;
use super::bound::INFINITE;
use super::instance::{Instance, Step};
use super::key::{Key, Layout};
use super::moves::{Child, Direction, MoveGenerator};
use super::symmetry::Exchange;
use super::table::{Index, Set};
use crate::run::watch::{Halt, Ticker};

/// Lower bounds for the distance between positions and their images.
struct ImageDistance<'a, K> {
    instance: &'a Instance,
    layout: &'a Layout<K>,
    exchange: &'a Exchange<K>,
    far: Vec<Vec<u16>>,
    assignment: Assignment,
    /// For each colour that is its own image: its vertices → the distance from their image.
    known: Vec<Index<K>>,
    /// The most entries of a table.
    most: usize,
}

impl<K: Key> ImageDistance<'_, K> {
    fn of(&mut self, key: K) -> u32 {
        let image = self.exchange.image(key);
        let mut sum = 0;
        for code in (1u8..).take(self.instance.colours) {
            let here = self.layout.holding(key, code);
            let there = self.layout.holding(image, code);
            let known = &mut self.known[usize::from(code) - 1];
            let is_fixed = self.exchange.colour(code) == code;
            if let Some(distance) = known.get(here).filter(|_| is_fixed) {
                sum += distance;
                continue;
            }
            let distance = matching(&mut self.assignment, &self.far, self.layout, here, there);
            if is_fixed {
                if known.len() > self.most {
                    *known = Index::new();
                }
                known.insert(here, distance);
            }
            sum += distance;
        }
        sum
    }
}

/// The cheapest matching of some vertices to others. Vertices in both are matched to themselves: by
/// the triangle inequality nothing is cheaper.
fn matching<K: Key>(
    assignment: &mut Assignment,
    far: &[Vec<u16>],
    layout: &Layout<K>,
    here: K,
    there: K,
) -> u32 {
    let only = |occupied: K, other: K| -> Vec<usize> {
        let list = layout.vertices(occupied).into_iter();
        list.filter(|&v| layout.code(other, v) == 0).collect()
    };
    let (rows, columns) = (only(here, there), only(there, here));
    let total = assignment.solve(rows.len(), columns.len(), |cost| {
        for &v in &rows {
            cost.extend(columns.iter().map(|&u| match far[v][u] {
                u16::MAX => FAR,
                far => i32::from(far),
            }));
        }
    });
    u32::try_from(total).unwrap_or(u32::MAX)
}

/// A plan of `length` moves that is its own image, if one is found among at most `most` positions;
/// `most` is lowered by those visited.
pub(super) fn palindrome<K: Key>(
    generator: &mut MoveGenerator<K>,
    exchange: &Exchange<K>,
    length: u16,
    most: &mut usize,
    ticker: &mut Ticker,
) -> Result<Option<Vec<Step>>, Halt> {
    let (instance, layout) = (generator.instance.clone(), generator.layout.clone());
    let mut distance = ImageDistance {
        instance: &instance,
        layout: &layout,
        exchange,
        far: instance.distances(),
        assignment: Assignment::default(),
        known: vec![Index::new(); instance.colours],
        most: *most,
    };
    let start = exchange.symmetries.canonical(generator.start());
    let half = length / 2;
    let mut layers = vec![Set::<K>::new()];
    layers[0].insert(start, start.mix());
    let mut children: Vec<Child<K>> = Vec::new();
    for made in 1..=half {
        let mut next = Set::<K>::new();
        let (earlier, [.., current]) = layers.split_at(layers.len() - 1) else { break };
        for key in current.iter() {
            generator.tick(ticker)?;
            generator.expand(key, Direction::Forward, &mut children);
            for child in &children {
                if child.value == INFINITE || child.value + made > length {
                    continue;
                }
                let image = exchange.symmetries.canonical(child.key);
                let hash = image.mix();
                let old = next.contains(image, hash)
                    || earlier.last().is_some_and(|layer| layer.contains(image, hash));
                if !old && distance.of(image) <= u32::from(length - 2 * made) {
                    next.insert(image, hash);
                }
            }
        }
        if next.len() == 0 || next.len() > *most {
            *most = most.saturating_sub(next.len());
            return Ok(None);
        }
        *most -= next.len();
        layers.push(next);
    }
    let last = &layers[layers.len() - 1];
    let middle = last.iter().find(|&middle| {
        length.is_multiple_of(2) || {
            generator.expand(middle, Direction::Forward, &mut children);
            children.iter().any(|child| child.key == exchange.image(middle))
        }
    });
    Ok(middle.map(|middle| complete(generator, exchange, &layers, middle, length)))
}

/// The plan whose first half ends at `middle`, a position of the last layer.
fn complete<K: Key>(
    generator: &mut MoveGenerator<K>,
    exchange: &Exchange<K>,
    layers: &[Set<K>],
    middle: K,
    length: u16,
) -> Vec<Step> {
    let is_at = |key: K, depth: u16| layers[usize::from(depth)].contains(key, key.mix());
    let mut plan = unfold(generator, &exchange.symmetries, middle, length / 2, is_at);
    let first_half = plan.clone();
    if !length.is_multiple_of(2) {
        // The middle jump starts at the position itself, not at its canonical image.
        let mut here = generator.start();
        for &(from, to) in &plan {
            let (from, to) = (usize::from(from), usize::from(to));
            let code = generator.layout.code(here, from);
            here = here.flip(generator.layout.at[from], code).flip(generator.layout.at[to], code);
        }
        let mut children = Vec::new();
        generator.expand(here, Direction::Forward, &mut children);
        let image = exchange.image(here);
        let jump = children.iter().find(|child| child.key == image);
        plan.extend(jump.map(|child| (child.from, child.to)));
    }
    let reflected = first_half.iter().rev();
    plan.extend(reflected.map(|&(from, to)| (exchange.vertex(to), exchange.vertex(from))));
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::watch::Watch;
    use crate::swap::encoding::Encoding;
    use destrier_rules::{Problem as _, SwapProblem};

    /// The length of the shortest plan that is its own image, checked.
    fn shortest(from: &str, to: &str, longest: u16) -> Option<u16> {
        let problem = SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap();
        let encoding = Encoding::new(&problem, "test").unwrap();
        let instance = &encoding.instance;
        let mut generator = MoveGenerator::<u64>::new(instance, 1 << 20).unwrap();
        let exchanges = Exchange::all(instance, &generator.layout);
        let watch = Watch::unlimited();
        (1..=longest).find(|&length| {
            exchanges.iter().any(|exchange| {
                let (mut most, mut ticker) = (1 << 16, watch.ticker());
                let found = palindrome(&mut generator, exchange, length, &mut most, &mut ticker);
                let Some(plan) = found.unwrap() else { return false };
                assert_eq!(plan.len(), usize::from(length));
                problem.verify(&encoding.plan(instance, &plan)).unwrap();
                let image = |&(from, to): &Step| (exchange.vertex(to), exchange.vertex(from));
                let backwards: Vec<Step> = plan.iter().rev().map(image).collect();
                assert_eq!(backwards, plan, "the plan is its own image");
                true
            })
        })
    }

    #[test]
    fn plans_are_their_own_images_and_never_too_short() {
        // The shortest of all has 16 moves, and is not its own image.
        assert_eq!(shortest("nnn/3/3/NNN", "NNN/3/3/nnn", 20), Some(18));
        assert_eq!(shortest("nnnn/4/NNNN", "NNNN/4/nnnn", 20), Some(10));
        assert_eq!(shortest("n1n/3/N1N", "N1N/3/n1n", 20), Some(16));
        assert_eq!(shortest("n1N/3/N1n", "N1n/3/n1N", 20), Some(8));
        // One move, which is its own image.
        assert_eq!(shortest("N2/3", "3/2N", 5), Some(1));
        // Nothing exchanges start and goal here.
        assert_eq!(shortest("nn1/3/3/NNN", "NNN/3/3/1nn", 5), None);
    }
}
