//! What is better in either of two plans, in one: partition crossover.
//!
//! Where the plans differ, their edges fall into parts that share no stop. In each part the edges of one plan can be
//! replaced by those of the other, and every stop still has two. If that is shorter and still one round trip, it is done.
//!
//! Invariant: the outcome is a plan, and none of its parts has the longer of two choices that were possible alone.
//! Cost: linear in the stops for each part where the plans differ.
//! Source: Whitley, Hains and Howe, partition crossover, 2009.

use super::metric::Metric;

/// The neighbours of each stop in the round trip; the rest, behind the last, joins its ends.
fn links_of(plan: &[usize]) -> Vec<[usize; 2]> {
    let rest = plan.len();
    let mut links = vec![[rest; 2]; rest + 1];
    for pair in plan.windows(2) {
        links[pair[0]][1] = pair[1];
        links[pair[1]][0] = pair[0];
    }
    links[rest] = [plan[rest - 1], plan[0]];
    links
}

/// The plan with these links, if they are one round trip. Each link must be there at both of its ends.
pub(crate) fn plan_of(links: &[[usize; 2]]) -> Option<Vec<usize>> {
    let rest = links.len() - 1;
    let mut plan = Vec::with_capacity(rest);
    let (mut before, mut at) = (rest, 0);
    while at != rest && plan.len() < rest {
        plan.push(at);
        let next = links[at][usize::from(links[at][0] == before)];
        (before, at) = (at, next);
    }
    (at == rest && plan.len() == rest).then_some(plan)
}

/// The first plan, with those parts of the second that make it shorter.
pub(crate) fn merged(metric: &Metric, best: &[usize], other: &[usize]) -> Vec<usize> {
    let rest = best.len();
    let (mut links, theirs) = (links_of(best), links_of(other));
    let length = |v: usize, to: [usize; 2]| -> i64 {
        let cost = |u: usize| if u.max(v) == rest { 0 } else { i64::from(metric.distance(v, u)) };
        to.map(cost).into_iter().sum()
    };
    let mut seen = vec![false; rest + 1];
    for first in 0..=rest {
        // The stops that edges of only one plan join with the first.
        let mut stops = Vec::new();
        let mut agenda = vec![first];
        while let Some(v) = agenda.pop() {
            let (ours, theirs) = (links[v], theirs[v]);
            let differ = |u: &usize| ours.contains(u) != theirs.contains(u);
            if !seen[v] && ours.iter().chain(&theirs).any(differ) {
                seen[v] = true;
                stops.push(v);
                agenda.extend(ours.into_iter().chain(theirs).filter(differ));
            }
        }
        let change: i64 = stops.iter().map(|&v| length(v, theirs[v]) - length(v, links[v])).sum();
        if change < 0 {
            let mut changed = links.clone();
            for &v in &stops {
                changed[v] = theirs[v];
            }
            if plan_of(&changed).is_some() {
                links = changed;
            }
        }
    }
    plan_of(&links).expect("each change was one round trip")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::stops::Stops;
    use crate::run::random::Random;
    use crate::run::watch::Watch;
    use destrier_rules::{Board, CaptureProblem, Square};

    #[test]
    fn links_of_several_trips_are_no_plan() {
        // Stops 0 to 4; the rest is 5.
        assert_eq!(plan_of(&links_of(&[0, 3, 1, 4, 2])), Some(vec![0, 3, 1, 4, 2]));
        assert_eq!(plan_of(&[[5, 1], [0, 5], [3, 4], [2, 4], [2, 3], [0, 1]]), None);
        assert_eq!(plan_of(&[[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]]), None);
    }

    #[test]
    fn a_merged_plan_is_a_plan_and_no_longer_than_the_first() {
        let board = Board::new(9, 9).unwrap();
        let squares = (0..9).flat_map(|x| (0..9).map(move |y| Square::new(x, y)));
        let mut squares: Vec<Square> = squares.step_by(3).collect();
        let start = squares.remove(0);
        let problem = CaptureProblem { board, start, targets: squares.into_iter().collect() };
        let watch = Watch::unlimited();
        let metric = Stops::new(&problem).unwrap().metric(&watch).unwrap().unwrap();
        let mut random = Random::new(1);
        let mut best: Vec<usize> = (0..metric.stops()).collect();
        let (mut shorter, mut other) = (0, best.clone());
        for _ in 0..20_000 {
            // A few reversals of the best, so that the plans differ in several places.
            other.clone_from(&best);
            for _ in 0..4 {
                let at = 1 + random.below(other.len() - 3);
                let size = 2 + random.below(4.min(other.len() - at - 1));
                let end = (at + size).min(other.len());
                other[at..end].reverse();
            }
            let plan = merged(&metric, &best, &other);
            let mut stops = plan.clone();
            stops.sort_unstable();
            assert!(stops.iter().copied().eq(0..metric.stops()) && plan[0] == 0);
            assert!(metric.length(&plan) <= metric.length(&best));
            shorter +=
                u32::from(metric.length(&plan) < metric.length(&best).min(metric.length(&other)));
            best = plan;
        }
        assert!(shorter > 0, "parts of both were never better than either");
    }
}
