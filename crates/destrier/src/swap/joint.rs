//! A search from both ends by several processes, as they agree on it.
//!
//! The first process solves the puzzle as if it were alone, while the others wait for its word. When only a long search
//! from both ends is left, it announces what that is about, and all take part (see `team`). Then it continues alone,
//! with the answer.
//!
//! Invariant: all have the same puzzle, and the same pattern tables if any, so all prune alike.
//! Cost: that of `meet`, in time and in memory, divided by the number of processes; patterns are made by each.

use std::path::Path;

use destrier_rules::{SwapPlan, SwapProblem};

use super::SwapMethod;
use super::bound::INFINITE;
use super::encoding::Encoding;
use super::exact::parts;
use super::key::with_key;
use super::meet::{Resources, meet};
use super::moves::Tables;
use super::scratch::{self, Process, Scratch, Store};
use super::team::Team;
use crate::outcome::{Run, SolveError};
use crate::run::share::Peers;
use crate::run::watch::Watch;

/// What the first process announces to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announcement {
    /// A search for all.
    Search(Joint),
    /// The answer is known: files are no longer needed.
    RemoveFiles,
    /// There is nothing more to do.
    Over,
}

/// What a search is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joint {
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

impl Announcement {
    /// Tells all others.
    pub(super) fn send(self, peers: &mut dyn Peers) {
        let words = match self {
            Announcement::Search(Joint { part, lower, upper, tables, files }) => {
                let upper = upper.map_or(u64::MAX, u64::from);
                vec![part as u64, lower.into(), upper, tables.into(), files.into()]
            }
            Announcement::RemoveFiles => vec![0],
            Announcement::Over => Vec::new(),
        };
        peers.share(words.into_iter().flat_map(u64::to_le_bytes).collect());
    }

    /// Hears from the first process.
    fn receive(peers: &mut dyn Peers) -> Announcement {
        let told = peers.share(Vec::new());
        let words: Vec<u64> =
            told[0].as_chunks().0.iter().copied().map(u64::from_le_bytes).collect();
        let short = |word| u16::try_from(word).ok();
        match words[..] {
            [part, lower, upper, tables, files] => Announcement::Search(Joint {
                part: usize::try_from(part).expect("a part of the board"),
                lower: short(lower).expect("a number of moves"),
                upper: short(upper),
                tables: tables == 1,
                files: files == 1,
            }),
            [] => Announcement::Over,
            _ => Announcement::RemoveFiles,
        }
    }
}

/// Solves a puzzle as the first process; all others [`join`].
///
/// # Errors
/// When the method does not support the question.
pub fn lead(
    problem: &SwapProblem,
    method: SwapMethod,
    peers: &mut dyn Peers,
    watch: &Watch,
) -> Result<Run<SwapPlan>, SolveError> {
    let run = method.run_with(problem, Some(&mut *peers), watch);
    Announcement::Over.send(peers);
    run
}

/// Does the share of a process other than the first; `folder` is the user's, for files.
///
/// # Panics
/// When the first process could not have asked about this puzzle.
pub fn join(problem: &SwapProblem, folder: Option<&Path>, peers: &mut dyn Peers, watch: &Watch) {
    let process = Process { rank: peers.rank(), size: peers.size() };
    let folder = folder.unwrap_or(Path::new("."));
    loop {
        match Announcement::receive(peers) {
            Announcement::Search(joint) => search(problem, joint, folder, peers, watch),
            Announcement::RemoveFiles => scratch::remove(folder, problem, process),
            Announcement::Over => return,
        }
    }
}

fn search(
    problem: &SwapProblem,
    joint: Joint,
    folder: &Path,
    peers: &mut dyn Peers,
    watch: &Watch,
) {
    let encoding = Encoding::new(problem, METHOD).expect("the first process has encoded it");
    let parts = parts(&encoding.settled());
    let part = &parts[joint.part];
    let process = Process { rank: peers.rank(), size: peers.size() };
    let mut scratch = None;
    if joint.files {
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
    use crate::run::share::tests::team;
    use crate::run::watch::Halt;
    use destrier_rules::Problem as _;
    use std::fs;
    use std::sync::{Arc, Mutex};

    fn puzzle(from: &str, to: &str) -> SwapProblem {
        SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap()
    }

    /// What the first of so many processes says, and how many nodes the others have searched.
    fn solved(
        problem: &SwapProblem,
        method: SwapMethod,
        size: usize,
        options: &Options,
    ) -> (Outcome<u64>, u64) {
        let watch = Watch::new(options);
        let memory = watch.memory().unwrap_or(crate::swap::MEMORY);
        let others = Watch::new(&Options::new().threads(1).memory(memory));
        let answers = team(size, |peers| {
            if peers.rank() > 0 {
                join(problem, watch.scratch(), peers, &others);
                return None;
            }
            Some(match lead(problem, method, peers, &watch).unwrap().outcome {
                Outcome::Solved(plan) => {
                    problem.verify(&plan).unwrap();
                    Outcome::Solved(problem.cost(&plan))
                }
                Outcome::Impossible(why) => Outcome::Impossible(why),
                Outcome::Unfinished { why, .. } => Outcome::Unfinished { why, best: None },
            })
        });
        (answers.into_iter().flatten().next().unwrap(), others.nodes())
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
                let (together, nodes) = solved(&problem, SwapMethod::Meet, size, &options);
                assert_eq!(together, alone, "{from}, {size} processes");
                assert!(nodes > 0, "the others were not asked");
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
