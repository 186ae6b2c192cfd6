//! A search from both ends by several processes, as they agree on it.
//!
//! One process solves the puzzle as if it were alone. When only a long search from both ends is left, it sends the
//! others its description, and all take part (see `team`). Then it continues alone, with the answer.
//!
//! Invariant: all have the same puzzle, and the same pattern tables if any, so all prune alike.
//! Cost: that of `meet`, in time and in memory, divided by the number of processes; patterns are made by each.

use std::path::Path;

use destrier_rules::SwapProblem;

use super::bound::INFINITE;
use super::encoding::Encoding;
use super::exact::parts;
use super::key::with_key;
use super::meet::{Resources, meet};
use super::moves::Tables;
use super::scratch::{self, Process, Scratch, Store};
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
    /// Do layers that do not fit in memory go to files?
    pub(super) files: bool,
}

/// The processes, in the hands of the one that asks.
pub trait Ranks {
    /// How many they are, the one that asks included.
    fn size(&self) -> usize;

    /// Tells all others what the search is about, and does this one's share of it.
    fn search(&mut self, joint: Joint, share: &mut (dyn FnMut(&mut dyn Peers) + Send));

    /// Tells all others to [`remove_files`] their files: the answer is known.
    fn remove_files(&mut self);
}

/// The share of a process that was told what the search is about; `folder` is the user's, for files.
///
/// # Panics
/// When that is no puzzle that a first process could have asked about.
pub fn join(
    problem: &SwapProblem,
    joint: Joint,
    folder: Option<&Path>,
    peers: &mut dyn Peers,
    watch: &Watch,
) {
    let encoding = Encoding::new(problem, METHOD).expect("the first process has encoded it");
    let parts = parts(&encoding.settled());
    let part = &parts[joint.part];
    let process = Process { rank: peers.rank(), size: peers.size() };
    let mut scratch = None;
    if joint.files {
        let folder = folder.unwrap_or(Path::new("."));
        let opened = Scratch::open(folder, problem, process, METHOD);
        let failure = opened.as_ref().err().map(ToString::to_string);
        if failure_to_open(peers, failure).is_some() {
            return;
        }
        scratch = opened.ok();
    }
    let tables = if joint.tables { Tables::of(part, &[], INFINITE) } else { Tables::default() };
    let memory = usize::try_from(watch.memory().unwrap_or(super::MEMORY)).unwrap_or(usize::MAX);
    let mut resources = Resources::new(watch, memory);
    resources.team = Team::of(peers);
    resources.store = scratch.as_ref().map(|scratch| Store::new(scratch, joint.part));
    with_key!(part, K => {
        // The first process draws the conclusions.
        let _ = meet::<K>(part, joint.lower, joint.upper, tables, &mut resources);
    });
    if let Some(scratch) = scratch.filter(Scratch::is_empty) {
        scratch.remove();
    }
}

/// What a process other than the first keeps in files is no longer needed.
pub fn remove_files(problem: &SwapProblem, folder: &Path, rank: usize, size: usize) {
    scratch::remove(folder, problem, Process { rank, size });
}

/// What errors here call the method.
const METHOD: &str = "auto";

/// Why a process has no folder for its files, if one of them has none; all ask together.
pub(super) fn failure_to_open(peers: &mut dyn Peers, own: Option<String>) -> Option<String> {
    let all = peers.share(own.unwrap_or_default().into_bytes());
    let (rank, why) = all.into_iter().enumerate().find(|(_, why)| !why.is_empty())?;
    Some(format!("rank {rank}: {}", String::from_utf8_lossy(&why)))
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
    use std::fs;
    use std::sync::{Arc, Condvar, Mutex};

    fn puzzle(from: &str, to: &str) -> SwapProblem {
        SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap()
    }

    /// The first process with the others, who wait for what is told to them.
    struct Table<'t> {
        told: &'t (Mutex<Vec<Option<Joint>>>, Condvar),
        peers: &'t mut dyn Peers,
        problem: &'t SwapProblem,
        folder: Option<&'t Path>,
    }

    impl Ranks for Table<'_> {
        fn size(&self) -> usize {
            self.peers.size()
        }

        fn search(&mut self, joint: Joint, share: &mut (dyn FnMut(&mut dyn Peers) + Send)) {
            self.told.0.lock().unwrap().push(Some(joint));
            self.told.1.notify_all();
            share(self.peers);
        }

        fn remove_files(&mut self) {
            for rank in 1..self.size() {
                remove_files(self.problem, self.folder.unwrap(), rank, self.size());
            }
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
        let watch = Watch::new(options);
        let folder = watch.scratch();
        let answers = team(size, |peers| {
            if peers.rank() == 0 {
                let table = &mut Table { told: &told, peers, problem, folder };
                let run = method.run_with(problem, Some(table), &watch);
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
                let memory = watch.memory().unwrap_or(crate::swap::MEMORY);
                let options = Options::new().threads(1).memory(memory);
                join(problem, joint, folder, peers, &Watch::new(&options));
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

    /// Distinct knights; a symmetry exchanges start and goal; none does; open squares; two parts of a board.
    const IN_FILES: [(&str, &str); 5] = [
        ("ABCD/4/EFGH", "BACD/4/EFGH"),
        ("nnn/3/3/NNN", "NNN/3/3/nnn"),
        ("nnn/3/2N/1NN", "2n/nnN/3/NN1"),
        ("nnn/3/3/NNN", "???/3/3/?nn"),
        ("n1N##N2/3##3/N1n##3", "N1n##2N/3##3/n1N##3"),
    ];

    fn is_empty(folder: &Path) -> bool {
        fs::read_dir(folder).unwrap().next().is_none()
    }

    #[test]
    fn processes_with_files_find_the_same_numbers_of_moves() {
        for (from, to) in IN_FILES {
            let problem = puzzle(from, to);
            let alone = solved(&problem, SwapMethod::Meet, 1, &Options::new().threads(1)).0;
            let folder = tempfile::tempdir().unwrap();
            for size in [2, 3] {
                let tight = Options::new().threads(1).memory(1).scratch(folder.path());
                let together = solved(&problem, SwapMethod::Meet, size, &tight).0;
                assert_eq!(together, alone, "{from}, {size} processes");
                assert!(is_empty(folder.path()), "nothing stays behind an answer");
            }
        }
    }

    /// Halts a search again and again, and changes what it leaves before it is resumed.
    fn resumed(
        problem: &SwapProblem,
        size: usize,
        change: impl Fn(usize, &Path),
    ) -> (Outcome<u64>, usize) {
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new().threads(1).memory(1).scratch(folder.path());
        let mut nodes = 60;
        for halts in 0.. {
            let limited = options.clone().node_limit(nodes);
            match solved(problem, SwapMethod::Meet, size, &limited).0 {
                // Damage may be noticed late.
                Outcome::Unfinished { why: Halt::Nodes | Halt::Memory, .. } => {
                    change(halts, folder.path());
                    nodes += 20;
                }
                answer => return (answer, halts),
            }
        }
        unreachable!("it ends in the loop")
    }

    #[test]
    fn processes_resume_where_they_were_halted() {
        for (from, to) in &IN_FILES[..3] {
            let problem = puzzle(from, to);
            let alone = solved(&problem, SwapMethod::Meet, 1, &Options::new().threads(1)).0;
            for size in [1, 4] {
                let (answer, _) = resumed(&problem, size, |_, _| ());
                assert_eq!(answer, alone, "{from}, {size} processes");
            }
        }
    }

    #[test]
    fn processes_that_stopped_some_steps_apart_resume_together() {
        let problem = puzzle(IN_FILES[0].0, IN_FILES[0].1);
        let alone = solved(&problem, SwapMethod::Meet, 1, &Options::new().threads(1)).0;
        let size = 3;
        // The last lines of a journal, a whole journal, or some layers are lost.
        for kind in 0..6 {
            let (answer, halts) = resumed(&problem, size, |halts, folder| {
                let process = Process { rank: halts % size, size };
                let folder = scratch::folder(folder, &problem, process);
                let journal = folder.join("journal");
                let Ok(bytes) = fs::read(&journal) else { return };
                match kind {
                    4 => fs::remove_file(&journal).unwrap(),
                    5 if halts % 4 == 0 => {
                        let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
                        let layers = files.filter(|file| *file != journal);
                        layers.step_by(3).for_each(|file| fs::remove_file(file).unwrap());
                    }
                    5 => {}
                    lines => {
                        let mut ends: Vec<usize> =
                            (1..=bytes.len()).filter(|&end| bytes[end - 1] == b'\n').collect();
                        ends.truncate(ends.len().saturating_sub(lines).max(1));
                        fs::write(&journal, &bytes[..*ends.last().unwrap()]).unwrap();
                    }
                }
            });
            assert_eq!(answer, alone, "kind {kind}");
            assert!(halts > 2, "it was halted only {halts} times");
        }
    }

    #[test]
    fn another_number_of_processes_is_refused() {
        let problem = puzzle(IN_FILES[0].0, IN_FILES[0].1);
        let folder = tempfile::tempdir().unwrap();
        let options = Options::new().threads(1).memory(1).scratch(folder.path());
        let halted = solved(&problem, SwapMethod::Meet, 2, &options.clone().node_limit(300)).0;
        assert!(matches!(halted, Outcome::Unfinished { why: Halt::Nodes, .. }), "{halted:?}");
        let error = SwapMethod::Meet.run(&problem, &Watch::new(&options)).unwrap_err().to_string();
        assert!(error.contains("another number of ranks (2); resume it on as many"), "{error}");
        let answer = solved(&problem, SwapMethod::Meet, 2, &options).0;
        assert!(matches!(answer, Outcome::Solved(_)), "{answer:?}");
        let alone = SwapMethod::Meet.run(&problem, &Watch::new(&options)).unwrap().outcome;
        assert!(matches!(alone, Outcome::Solved(_)), "nothing is in the way any more");
    }

    #[test]
    fn a_process_without_a_folder_stops_all_with_a_note() {
        let problem = puzzle(IN_FILES[0].0, IN_FILES[0].1);
        let folder = tempfile::tempdir().unwrap();
        let taken = scratch::folder(folder.path(), &problem, Process { rank: 1, size: 2 });
        fs::write(taken, "not a folder").unwrap();
        let notes = Arc::new(Mutex::new(Vec::new()));
        let heard = notes.clone();
        let options = Options::new().threads(1).memory(1).scratch(folder.path());
        let options = options.on_progress(move |progress| {
            heard.lock().unwrap().clone_from(&progress.notes);
        });
        let outcome = solved(&problem, SwapMethod::Meet, 2, &options).0;
        assert_eq!(outcome, Outcome::Unfinished { why: Halt::Memory, best: None });
        let notes = notes.lock().unwrap();
        assert!(notes.iter().any(|note| note.starts_with("rank 1: ")), "{notes:?}");
    }
}
