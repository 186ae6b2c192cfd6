//! A* as somebody watches it: on the board as it stands, one position after the other.
//!
//! The same search as `astar.rs`, by the same bound, without what makes positions hard to recognise: no symmetries, and
//! the board in one part. Each position is kept with the one that it came from.
//!
//! Invariant: no position looked at has a smaller sum of moves made and lower bound than the one before it.
//! Cost: two keys and a few numbers for each position reached.
//! Source: Hart, Nilsson and Raphael 1968.

use destrier_rules::{Claim, Obstacle, Proof, SwapPlan, SwapProblem};

use super::bound::INFINITE;
use super::encoding::Encoding;
use super::feasibility;
use super::instance::Step;
use super::key::{Key, with_key};
use super::moves::{Child, Direction, MoveGenerator};
use super::table::Index;
use super::trace::{self, Listener, Look, heard};
use crate::outcome::{Outcome, Run, SolveError};
use crate::run::watch::{Halt, Watch};

const METHOD: &str = "astar";

/// Solves while somebody listens.
///
/// # Errors
/// When the board is too large.
pub(super) fn solve(
    problem: &SwapProblem,
    watch: &Watch,
    listener: &mut Listener<'_>,
) -> Result<Run<SwapPlan>, SolveError> {
    let encoding = Encoding::new(problem, METHOD)?;
    if let Some(obstacle) = feasibility::obstacle(&encoding) {
        return Ok(Run::new(Outcome::Impossible(obstacle), 0));
    }
    let encoding = encoding.settled();
    Ok(with_key!(&encoding.instance, K => search::<K>(&encoding, watch, listener)))
}

/// A position: the one that it came from, by a jump or a run, and the moves made.
#[derive(Clone, Copy)]
struct Reached<K> {
    key: K,
    parent: usize,
    step: Step,
    made: u16,
}

/// All positions reached, in order.
struct Tree<K>(Vec<Reached<K>>);

impl<K: Key> Tree<K> {
    /// The jumps that led to a position from the one before it; none for the start.
    fn jumps(&self, generator: &MoveGenerator<K>, at: usize) -> Vec<Step> {
        let Reached { parent, step: (from, to), .. } = self.0[at];
        if at == 0 { Vec::new() } else { generator.jumps(self.0[parent].key, from, to) }
    }

    /// All jumps from the start to a position.
    fn path(&self, generator: &MoveGenerator<K>, at: usize) -> Vec<Step> {
        let before = |&at: &usize| (at > 0).then(|| self.0[at].parent);
        let mut way: Vec<usize> = std::iter::successors(Some(at), before).collect();
        way.reverse();
        way.into_iter().flat_map(|at| self.jumps(generator, at)).collect()
    }
}

fn search<K: Key>(
    encoding: &Encoding,
    watch: &Watch,
    listener: &mut Listener<'_>,
) -> Run<SwapPlan> {
    let memory = usize::try_from(watch.memory().unwrap_or(super::MEMORY)).unwrap_or(usize::MAX);
    let most = memory / 2 / (size_of::<Reached<K>>() + 4 * size_of::<(K, u32)>());
    let mut generator = MoveGenerator::<K>::new(&encoding.instance, memory / 8)
        .expect("the key was chosen for the instance");
    let mut ticker = watch.ticker();
    let (mut nodes, mut asked) = (0, None);
    let start = generator.start();
    let first = generator.value(start);
    let mut tree = Tree(vec![Reached { key: start, parent: 0, step: (0, 0), made: 0 }]);
    let mut known = Index::<K>::new();
    known.insert(start, 0);
    // By how much a plan through a position exceeds the bound of the start; the deepest first.
    let mut open: Vec<Vec<u32>> = vec![if first == INFINITE { Vec::new() } else { vec![0] }];
    let mut children: Vec<Child<K>> = Vec::new();
    let mut excess = 0;
    while excess < open.len() {
        let Some(number) = open[excess].pop() else {
            excess += 1;
            continue;
        };
        let at = number as usize;
        let Reached { key, parent, made, .. } = tree.0[at];
        // It may have been reached in fewer moves since.
        if known.get(key) != Some(number) {
            continue;
        }
        let jumps = tree.jumps(&generator, at);
        asked = asked.or(heard(listener(trace::at(encoding, at, parent, &jumps))));
        let is_full = tree.0.len() > most;
        let halted = asked.or(generator.tick(&mut ticker).err());
        if let Some(why) = halted.or(is_full.then_some(Halt::Memory)) {
            let lower_bound = u64::from(first) + excess as u64;
            let outcome = Outcome::Unfinished { why, best: None };
            return Run::new(outcome, nodes).claiming(Claim::AtLeast { lower_bound });
        }
        nodes += 1;
        if generator.expand(key, Direction::Forward, &mut children) == 0 {
            let _ = listener(Look::Found);
            let plan = encoding.plan(&encoding.instance, &tree.path(&generator, at));
            let proof = Proof::Search { by: "A*".to_owned(), nodes };
            let claim = Claim::Fewest { lower_bound: made.into(), proof };
            return Run::new(Outcome::Solved(plan), nodes).claiming(claim);
        }
        let before = tree.0.len();
        for child in children.iter().filter(|child| child.value != INFINITE) {
            let fresh = u32::try_from(tree.0.len()).expect("memory holds fewer positions");
            let (entry, is_new) = known.entry(child.key, fresh);
            if !is_new {
                if tree.0[*entry as usize].made <= made + 1 {
                    continue;
                }
                *entry = fresh;
            }
            let step = (child.from, child.to);
            tree.0.push(Reached { key: child.key, parent: at, step, made: made + 1 });
            // Never a bucket that has been left, whatever the bound.
            let bucket = usize::from((made + 1 + child.value).saturating_sub(first)).max(excess);
            if bucket >= open.len() {
                open.resize(bucket + 1, Vec::new());
            }
            open[bucket].push(fresh);
        }
        if tree.0.len() == before {
            asked = asked.or(heard(listener(Look::DeadEnd)));
        }
    }
    let obstacle = Obstacle::Exhausted { method: METHOD.to_owned(), nodes };
    Run::new(Outcome::Impossible(obstacle), nodes)
}
