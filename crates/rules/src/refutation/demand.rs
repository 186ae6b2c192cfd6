//! How often every round trip crosses the borders of some sets at least.
//!
//! The border of one set is crossed twice, and combs have a formula. For any other sets, stops that are in the same
//! ones are an atom. The borders between two atoms are a distance that satisfies the triangle inequality, so a round
//! trip crosses as many as a shortest tour of the atoms, or more; a dynamic program over their subsets finds it.
//!
//! Invariant: a demand holds for every round trip, however often a set is named.
//! Cost: for `n` atoms `n² 2ⁿ` steps at most, charged before they are taken; memory for the stops and the subsets.
//! Source: Chvátal 1973 (combs); Held and Karp 1962; Applegate, Bixby, Chvátal, Cook 2001 (local cuts).

use super::Checked;
use crate::budget::Budget;

/// The most atoms of a cut that is not a comb.
const MOST_ATOMS: usize = 13;
/// The steps that a stop takes in a set of a cut.
const STEPS_PER_MEMBER: u64 = 8;

/// The least number of crossings of the sets' borders, together.
pub(super) fn demand(cut: &[Vec<u32>], nodes: usize, budget: &Budget<'_>) -> Checked<i128> {
    let named: usize = cut.iter().map(Vec::len).sum();
    budget.step((nodes + named) as u64 * STEPS_PER_MEMBER)?;
    check_members(cut, nodes)?;
    match cut {
        [] => Err("a cut has no sets".to_owned()),
        [_] => Ok(2),
        [handle, teeth @ ..] if is_comb(handle, teeth, nodes) => Ok(3 * teeth.len() as i128 + 1),
        _ => shortest_tour(cut, &Atoms::new(cut, nodes)?, budget),
    }
}

/// Checks that each set has some of the stops, each named once, but not all of them.
fn check_members(cut: &[Vec<u32>], nodes: usize) -> Checked<()> {
    let mut last_set = vec![0; nodes];
    for (number, set) in (1_usize..).zip(cut) {
        for &v in set {
            let last = last_set.get_mut(v as usize);
            let last = last.ok_or_else(|| format!("there is no stop {v}"))?;
            if std::mem::replace(last, number) == number {
                return Err("a set names a stop twice".to_owned());
            }
        }
        if set.is_empty() || set.len() == nodes {
            return Err("a set must have some of the stops, but not all".to_owned());
        }
    }
    Ok(())
}

/// Are these an odd number of disjoint teeth, each with stops inside and outside the handle?
fn is_comb(handle: &[u32], teeth: &[Vec<u32>], nodes: usize) -> bool {
    let (mut in_handle, mut in_tooth) = (vec![false; nodes], vec![false; nodes]);
    for &v in handle {
        in_handle[v as usize] = true;
    }
    let crosses = |tooth: &Vec<u32>| {
        let within = tooth.iter().filter(|&&v| in_handle[v as usize]).count();
        let apart = tooth.iter().all(|&v| !std::mem::replace(&mut in_tooth[v as usize], true));
        apart && within > 0 && within < tooth.len()
    };
    teeth.len() % 2 == 1 && teeth.iter().all(crosses)
}

/// The classes of stops that are in the same sets.
struct Atoms {
    of: Vec<usize>,
    count: usize,
}

impl Atoms {
    fn new(cut: &[Vec<u32>], nodes: usize) -> Checked<Atoms> {
        let (mut of, mut sizes) = (vec![0; nodes], vec![nodes]);
        for set in cut {
            let mut inside = vec![0; sizes.len()];
            for &v in set {
                inside[of[v as usize]] += 1;
            }
            // The part of an atom that is in the set becomes a new one, unless it is all of it.
            let mut part: Vec<usize> = (0..sizes.len()).collect();
            for (atom, count) in inside.into_iter().enumerate() {
                if count > 0 && count < sizes[atom] {
                    part[atom] = sizes.len();
                    sizes[atom] -= count;
                    sizes.push(count);
                }
            }
            if sizes.len() > MOST_ATOMS {
                return Err(format!(
                    "a cut that is no comb divides the stops into more than {MOST_ATOMS} parts"
                ));
            }
            for &v in set {
                of[v as usize] = part[of[v as usize]];
            }
        }
        Ok(Atoms { of, count: sizes.len() })
    }

    /// How many of the sets have one of two atoms but not the other, for each two.
    fn distances(&self, cut: &[Vec<u32>]) -> Vec<Vec<u64>> {
        let mut distances = vec![vec![0; self.count]; self.count];
        for set in cut {
            let mut inside = vec![false; self.count];
            for &v in set {
                inside[self.of[v as usize]] = true;
            }
            for (a, line) in distances.iter_mut().enumerate() {
                for (b, distance) in line.iter_mut().enumerate() {
                    *distance += u64::from(inside[a] != inside[b]);
                }
            }
        }
        distances
    }
}

/// The length of a shortest tour of the atoms, which begins and ends in the last.
fn shortest_tour(cut: &[Vec<u32>], atoms: &Atoms, budget: &Budget<'_>) -> Checked<i128> {
    let squared = (atoms.count * atoms.count) as u64;
    budget.step(squared * (cut.len() as u64 + (1 << atoms.count)))?;
    let distances = atoms.distances(cut);
    let others = atoms.count - 1;
    let (home, all) = (&distances[others], (1_usize << others) - 1);
    // The shortest path from the last atom through a set of others, for each that it may end in.
    let mut shortest = vec![vec![u64::MAX; others]; all + 1];
    for set in 1..=all {
        for end in (0..others).filter(|end| set >> end & 1 == 1) {
            let before = set & !(1 << end);
            let along = (0..others).filter(|from| before >> from & 1 == 1);
            let along = along.map(|from| shortest[before][from] + distances[from][end]);
            shortest[set][end] = along.min().unwrap_or(home[end]);
        }
    }
    let tours = shortest[all].iter().zip(home).map(|(path, back)| path + back);
    Ok(tours.min().map_or(0, i128::from))
}
