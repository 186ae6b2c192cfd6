//! Plans that read the same from both ends, where a symmetry exchanges start and goal.
//!
//! If the symmetry leaves a position as it is, any way from the start to that position, followed by
//! its own image backwards, is a plan. So half a plan is sought, to a position that is its own image
//! (or a jump away from it). A position and its image are apart by at least the cheapest matching of
//! the knights of one to those of the other, and a move of the half brings them two nearer at best:
//! a much sharper limit than that towards the goal, and few positions are left. Such a plan need not
//! exist, and another may be shorter: what is found here is an upper bound.
//!
//! Invariant: layer `d` holds the positions `d` moves from the start within `length - 2 d` of their image.
//! Cost: for 12 v 12 on 3x9, 0.7 million positions where a search from both ends takes 59 million.
//! After: bidirectional search with one side mirrored (see `meet`); the rest is the project's own.

use super::arena::{Arena, Step};
use super::assignment::{Assignment, FAR};
use super::astar::retrace;
use super::bound::HOPELESS;
use super::key::{Key, Layout};
use super::mirror::Exchange;
use super::steps::{Child, Steps, Way};
use super::table::{Index, Set};
use crate::run::watch::{Halt, Ticker};

/// How far positions are from their own image, at least.
struct Apart<'a, K> {
    arena: &'a Arena,
    layout: &'a Layout<K>,
    exchange: &'a Exchange<K>,
    far: Vec<Vec<u16>>,
    assignment: Assignment,
    /// Per colour that keeps its name: its squares → how far they are from their image.
    known: Vec<Index<K>>,
    /// Entries that the tables may have.
    most: usize,
}

impl<K: Key> Apart<'_, K> {
    fn of(&mut self, key: K) -> u32 {
        let image = self.exchange.image(key);
        let mut sum = 0;
        for code in (1u8..).take(self.arena.colours) {
            let here = self.layout.holding(key, code);
            let there = self.layout.holding(image, code);
            let known = &mut self.known[usize::from(code) - 1];
            let kept = self.exchange.colour(code) == code;
            if let Some(apart) = known.get(here).filter(|_| kept) {
                sum += apart;
                continue;
            }
            let apart = matching(&mut self.assignment, &self.far, self.layout, here, there);
            if kept {
                if known.len() > self.most {
                    *known = Index::new();
                }
                known.insert(here, apart);
            }
            sum += apart;
        }
        sum
    }
}

/// The cheapest matching of some squares to others. Squares in both stay matched to themselves:
/// with true distances no detour is shorter.
fn matching<K: Key>(
    assignment: &mut Assignment,
    far: &[Vec<u16>],
    layout: &Layout<K>,
    here: K,
    there: K,
) -> u32 {
    let only = |mut squares: K, other: K| {
        let mut list = Vec::new();
        while let Some(at) = squares.pop() {
            if other.code(at, 1) == 0 {
                list.push(usize::from(layout.vertex_at[usize::from(at)]));
            }
        }
        list
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
/// `most` is lowered by those looked at.
pub(super) fn palindrome<K: Key>(
    steps: &mut Steps<K>,
    exchange: &Exchange<K>,
    length: u16,
    most: &mut usize,
    ticker: &mut Ticker,
) -> Result<Option<Vec<Step>>, Halt> {
    let (arena, layout) = (steps.arena.clone(), steps.layout.clone());
    let mut apart = Apart {
        arena: &arena,
        layout: &layout,
        exchange,
        far: arena.distances(),
        assignment: Assignment::default(),
        known: vec![Index::new(); arena.colours],
        most: *most,
    };
    let start = exchange.mirrors.least(steps.start());
    let half = length / 2;
    let mut layers = vec![Set::<K>::new()];
    layers[0].insert(start, start.mix());
    let mut children: Vec<Child<K>> = Vec::new();
    for made in 1..=half {
        let mut next = Set::<K>::new();
        let (earlier, [.., current]) = layers.split_at(layers.len() - 1) else { break };
        for key in current.iter() {
            steps.tick(ticker)?;
            steps.expand(key, Way::Onward, &mut children);
            for child in &children {
                if child.value == HOPELESS || child.value + made > length {
                    continue;
                }
                let least = exchange.mirrors.least(child.key);
                let hash = least.mix();
                let old = next.contains(least, hash)
                    || earlier.last().is_some_and(|layer| layer.contains(least, hash));
                if !old && apart.of(least) <= u32::from(length - 2 * made) {
                    next.insert(least, hash);
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
    let ends: Vec<K> = last.iter().collect();
    for end in ends {
        let joined = length.is_multiple_of(2) || {
            steps.expand(end, Way::Onward, &mut children);
            children.iter().any(|child| child.key == exchange.image(end))
        };
        if joined {
            return Ok(Some(unfold(steps, exchange, &layers, end, length % 2 == 1)));
        }
    }
    Ok(None)
}

/// The plan through an end of the last layer.
fn unfold<K: Key>(
    steps: &mut Steps<K>,
    exchange: &Exchange<K>,
    layers: &[Set<K>],
    end: K,
    odd: bool,
) -> Vec<Step> {
    let mut children = Vec::new();
    let mut way = vec![end];
    let mut here = end;
    for layer in layers.iter().rev().skip(1) {
        steps.expand(here, Way::Back, &mut children);
        here = children
            .iter()
            .map(|child| exchange.mirrors.least(child.key))
            .find(|&key| layer.contains(key, key.mix()))
            .expect("every position was reached from the layer before");
        way.push(here);
    }
    way.reverse();
    let mut plan = retrace(steps, &exchange.mirrors, &way);
    let first_half = plan.clone();
    if odd {
        // The position itself, not its least image: walk there.
        let mut here = steps.start();
        for &(from, to) in &plan {
            let (from, to) = (usize::from(from), usize::from(to));
            let code = steps.layout.code(here, from);
            here = here.flip(steps.layout.at[from], code).flip(steps.layout.at[to], code);
        }
        steps.expand(here, Way::Onward, &mut children);
        let image = exchange.image(here);
        let middle = children.iter().find(|child| child.key == image);
        plan.extend(middle.map(|child| (child.from, child.to)));
    }
    let reflected = first_half.iter().rev();
    plan.extend(reflected.map(|&(from, to)| (exchange.square(to), exchange.square(from))));
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::watch::Watch;
    use crate::swap::question::Question;
    use destrier_rules::{Problem as _, SwapProblem};

    /// The length of the shortest plan that is its own image, checked.
    fn shortest(from: &str, to: &str, longest: u16) -> Option<u16> {
        let problem = SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap();
        let question = Question::new(&problem, "test").unwrap();
        let arena = &question.arena;
        let mut steps = Steps::<u64>::new(arena, 1 << 20).unwrap();
        let exchanges = Exchange::all(arena, &steps.layout);
        let watch = Watch::unlimited();
        (1..=longest).find(|&length| {
            exchanges.iter().any(|exchange| {
                let (mut most, mut ticker) = (1 << 16, watch.ticker());
                let found = palindrome(&mut steps, exchange, length, &mut most, &mut ticker);
                let Some(plan) = found.unwrap() else { return false };
                assert_eq!(plan.len(), usize::from(length));
                problem.verify(&question.plan(arena, &plan)).unwrap();
                let image = |&(from, to): &Step| (exchange.square(to), exchange.square(from));
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
