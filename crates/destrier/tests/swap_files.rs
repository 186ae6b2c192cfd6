//! Swaps whose layers do not fit in memory: the same answers from files, after halts and damage too.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use destrier::{Halt, Method as _, Options, Outcome, Solve as _, SwapMethod, SwapProblem};

/// A symmetry exchanges start and goal; none does; open squares; two parts; distinct knights; no plan; runs.
fn puzzles() -> Vec<SwapProblem> {
    let mut puzzles: Vec<SwapProblem> = [
        ("nnn/3/3/NNN", "NNN/3/3/nnn"),
        ("nnn/3/2N/1NN", "2n/nnN/3/NN1"),
        ("nnn/3/3/NNN", "???/3/3/?nn"),
        ("n1N##N2/3##3/N1n##3", "N1n##2N/3##3/n1N##3"),
        ("AB1C/4/D3", "D2C/4/B1A1"),
        ("AB2C/5/D3E", "BA2C/5/E3D"),
    ]
    .into_iter()
    .map(|(from, to)| SwapProblem::from_fens(from, to).expect("a puzzle"))
    .collect();
    let mut runs = puzzles[0].clone();
    runs.rules.metric = destrier::Metric::Runs;
    puzzles.push(runs);
    puzzles
}

fn cost(problem: &SwapProblem, method: SwapMethod, options: &Options) -> Outcome<u64, ()> {
    match problem.solve_by(method, options).expect("it is supported").outcome {
        Outcome::Solved(plan) => Outcome::Solved(plan.cost()),
        Outcome::Impossible(_) => Outcome::Impossible(()),
        Outcome::Unfinished { why, .. } => Outcome::Unfinished { why, best: None },
    }
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    inside(folder).iter().flat_map(|folder| inside(folder)).collect()
}

#[test]
fn files_give_the_same_answers_as_memory() {
    for problem in puzzles() {
        let folder = tempfile::tempdir().unwrap();
        let plain = cost(&problem, SwapMethod::Meet, &Options::new());
        for threads in [1, 2] {
            let tight = Options::new().memory(1).threads(threads);
            let without = cost(&problem, SwapMethod::Meet, &tight);
            assert_eq!(without, Outcome::Unfinished { why: Halt::Memory, best: None });
            let with = cost(&problem, SwapMethod::Meet, &tight.scratch(folder.path()));
            assert_eq!(with, plain, "{}", problem.start_fen());
            assert!(files_in(folder.path()).is_empty(), "nothing stays behind an answer");
        }
    }
}

#[test]
fn a_search_in_files_resumes_where_it_was_halted() {
    for problem in puzzles() {
        let folder = tempfile::tempdir().unwrap();
        let plain = cost(&problem, SwapMethod::Meet, &Options::new());
        let options = Options::new().memory(1).threads(1).scratch(folder.path()).node_limit(600);
        let mut halts = 0;
        let answer = loop {
            match cost(&problem, SwapMethod::Meet, &options) {
                Outcome::Unfinished { why: Halt::Nodes, .. } => halts += 1,
                answer => break answer,
            }
            assert!(halts < 10_000, "it does not get on");
        };
        assert_eq!(answer, plain, "{} after {halts} halts", problem.start_fen());
    }
}

#[test]
fn damage_costs_time_but_no_answer() {
    let problem = &puzzles()[5];
    let folder = tempfile::tempdir().unwrap();
    let plain = cost(problem, SwapMethod::Meet, &Options::new());
    let notes = Arc::new(Mutex::new(Vec::new()));
    let heard = notes.clone();
    let options = Options::new().memory(1).threads(1).scratch(folder.path());
    let whole = problem.solve_by(SwapMethod::Meet, &Options::new()).unwrap().effort.nodes;
    let tight = options.clone().node_limit(whole / 2);
    for change in 0..3 {
        assert!(matches!(cost(problem, SwapMethod::Meet, &tight), Outcome::Unfinished { .. }));
        let mut damaged = 0;
        for path in files_in(folder.path()) {
            if path.file_name().is_some_and(|name| name == "journal") {
                continue;
            }
            damaged += 1;
            match change {
                0 => fs::remove_file(path).unwrap(),
                1 => fs::write(path, b"nothing like it").unwrap(),
                _ => {
                    let mut bytes = fs::read(&path).unwrap();
                    let middle = bytes.len() / 2;
                    bytes[middle] ^= 1;
                    fs::write(path, bytes).unwrap();
                }
            }
        }
        assert!(damaged > 0, "change {change}");
        let heard = heard.clone();
        let options = options.clone().on_progress(move |progress| {
            heard.lock().unwrap().clone_from(&progress.notes);
        });
        let first = cost(problem, SwapMethod::Meet, &options);
        // Damage may be seen only when a file is read: then the next run begins the pass again.
        let second = if let Outcome::Unfinished { why, .. } = first {
            assert_eq!(why, Halt::Memory);
            assert!(notes.lock().unwrap().iter().any(|note| note.contains("scratch file")));
            cost(problem, SwapMethod::Meet, &options)
        } else {
            first
        };
        assert_eq!(second, plain, "change {change}");
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let options = Options::new().scratch(&file);
    for &method in SwapMethod::ALL {
        let asked = puzzles()[0].solve_by(method, &options);
        if matches!(
            method,
            SwapMethod::Auto | SwapMethod::Meet | SwapMethod::AStar | SwapMethod::Ranked
        ) {
            let error = asked.unwrap_err().to_string();
            assert!(error.contains("the scratch folder") && error.contains("file"), "{error}");
        }
    }
}
