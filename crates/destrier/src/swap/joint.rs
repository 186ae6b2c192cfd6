//! A search from both ends by several processes, as they agree on it.
//!
//! One process solves the puzzle as if it were alone. When only a long search from both ends is left, it tells the
//! others what that is about, and all do it together (see `team`). Then it goes on alone, with the answer.
//!
//! Invariant: all have the same puzzle, and the same pattern tables if any, so all prune alike.
//! Cost: that of `meet`, in time and in memory, divided by the number of processes; patterns are made by each.

use destrier_rules::SwapProblem;

use super::bound::INFINITE;
use super::encoding::Encoding;
use super::exact::parts;
use super::key::with_key;
use super::meet::{Resources, meet};
use super::moves::Tables;
use super::team::Team;
use crate::run::peers::Peers;
use crate::run::watch::Watch;

/// What a search is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Joint {
    /// The connected part of the board, among those that have something to do.
    pub(super) part: usize,
    /// What every plan is known to need.
    pub(super) lower: u16,
    /// The length of the best plan so far.
    pub(super) upper: Option<u16>,
    /// Are there tables for better bounds?
    pub(super) tables: bool,
}

/// The processes, in the hands of the one that asks.
pub trait Ranks {
    /// Tells all others what the search is about, and does this one's share of it.
    fn search(&mut self, joint: Joint, share: &mut (dyn FnMut(&mut dyn Peers) + Send));
}

/// The share of a process that was told what the search is about.
///
/// # Panics
/// When that is no puzzle that a first process could have asked about.
pub fn join(problem: &SwapProblem, joint: Joint, peers: &mut dyn Peers, watch: &Watch) {
    let encoding = Encoding::new(problem, "auto").expect("the first process has encoded it");
    let parts = parts(&encoding.settled());
    let part = &parts[joint.part];
    let tables = if joint.tables { Tables::of(part, &[], INFINITE) } else { Tables::default() };
    let memory = usize::try_from(watch.memory().unwrap_or(super::MEMORY)).unwrap_or(usize::MAX);
    let mut resources = Resources::new(watch, memory);
    resources.team = Team::of(peers);
    with_key!(part, K => {
        // The first process draws the conclusions.
        let _ = meet::<K>(part, joint.lower, joint.upper, tables, &mut resources);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;
    use crate::run::options::Options;
    use crate::run::peers::tests::team;
    use crate::run::watch::Halt;
    use crate::swap::SwapMethod;
    use destrier_rules::Problem as _;
    use std::sync::{Condvar, Mutex};

    fn puzzle(from: &str, to: &str) -> SwapProblem {
        SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap()
    }

    /// The first process with the others, who wait for what is told to them.
    struct Table<'t> {
        told: &'t (Mutex<Vec<Option<Joint>>>, Condvar),
        peers: &'t mut dyn Peers,
    }

    impl Ranks for Table<'_> {
        fn search(&mut self, joint: Joint, share: &mut (dyn FnMut(&mut dyn Peers) + Send)) {
            self.told.0.lock().unwrap().push(Some(joint));
            self.told.1.notify_all();
            share(self.peers);
        }
    }

    /// What the first of so many processes says, and how often it asked the others.
    fn solved(
        problem: &SwapProblem,
        method: SwapMethod,
        size: usize,
        options: &Options,
    ) -> (Outcome<u64>, usize) {
        let told = (Mutex::new(Vec::new()), Condvar::new());
        let answers = team(size, |peers| {
            let watch = Watch::new(options);
            if peers.rank() == 0 {
                let run = method.run_with(problem, Some(&mut Table { told: &told, peers }), &watch);
                told.0.lock().unwrap().push(None);
                told.1.notify_all();
                return Some(match run.unwrap().outcome {
                    Outcome::Solved(plan) => {
                        problem.verify(&plan).unwrap();
                        Outcome::Solved(problem.cost(&plan))
                    }
                    Outcome::Impossible(why) => Outcome::Impossible(why),
                    Outcome::Unfinished { why, .. } => Outcome::Unfinished { why, best: None },
                });
            }
            for next in 0.. {
                let mut list = told.0.lock().unwrap();
                while list.len() <= next {
                    list = told.1.wait(list).unwrap();
                }
                let joint = list[next]?;
                drop(list);
                join(problem, joint, peers, &Watch::new(&Options::new().threads(1)));
            }
            None
        });
        let asked = told.0.lock().unwrap().len() - 1;
        (answers.into_iter().flatten().next().unwrap(), asked)
    }

    #[test]
    fn one_to_four_processes_find_the_same_numbers_of_moves() {
        for (from, to) in [
            // A symmetry exchanges start and goal.
            ("nnn/3/3/NNN", "NNN/3/3/nnn"),
            ("AB2/4/C2D", "BA2/4/D2C"),
            // None does.
            ("AB1C/4/D3", "D2C/4/B1A1"),
            ("nnn/3/2N/1NN", "2n/nnN/3/NN1"),
            // Open squares.
            ("nnn/3/3/NNN", "???/3/3/?nn"),
            // Two parts of a board.
            ("n1N##N2/3##3/N1n##3", "N1n##2N/3##3/n1N##3"),
        ] {
            let problem = puzzle(from, to);
            let options = Options::new().threads(1);
            let alone = solved(&problem, SwapMethod::Meet, 1, &options).0;
            let naive = SwapMethod::Naive.run(&problem, &Watch::unlimited()).unwrap().outcome;
            let Outcome::Solved(fewest) = naive else { panic!("{from} has a plan") };
            assert_eq!(alone, Outcome::Solved(problem.cost(&fewest)), "{from}");
            for size in 2..=4 {
                let (together, asked) = solved(&problem, SwapMethod::Meet, size, &options);
                assert_eq!(together, alone, "{from}, {size} processes");
                assert!(asked > 0, "the others were not asked");
            }
        }
    }

    #[test]
    fn a_halt_of_one_is_a_halt_of_all() {
        let problem = puzzle("nnnnn/nnnnn/5/NNNNN/NNNNN", "NNNNN/NNNNN/5/nnnnn/nnnnn");
        for limit in [1, 500, 20_000] {
            let options = Options::new().threads(1).node_limit(limit);
            let (outcome, _) = solved(&problem, SwapMethod::Meet, 3, &options);
            assert_eq!(outcome, Outcome::Unfinished { why: Halt::Nodes, best: None });
        }
    }
}
