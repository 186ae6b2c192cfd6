//! Named sets: the tables of course reports. They need no files.

use destrier_ask::{PRESETS, between, facing};
use destrier_rules::{Board, Puzzle, TourProblem, TourSymmetry, WordError};

use crate::comparison::doubling;
use crate::error::Error;
use crate::machine::cores;
use crate::question::{Ask, Question, Subject};

/// A named set of comparisons.
#[derive(Debug)]
pub struct Set {
    /// Its name.
    pub name: &'static str,
    /// A line about it.
    pub about: &'static str,
    /// How many runs of each are measured, unless asked otherwise.
    pub repeat: usize,
    parts: fn() -> Vec<Part>,
}

/// Questions of one kind, with the methods and numbers of threads that answer them.
#[derive(Clone, Debug)]
pub struct Part {
    /// The questions.
    pub questions: Vec<Question>,
    /// The names of the methods.
    pub methods: &'static [&'static str],
    /// The numbers of threads.
    pub threads: Vec<usize>,
}

/// All sets.
pub const SETS: &[Set] = &[
    Set {
        name: "brute-force-speedup",
        about: "open tours counted by brute force on 1, 2, 4 … threads",
        repeat: 5,
        parts: || {
            let boards = ["3x4", "4x4", "3x7", "4x5", "3x8", "4x6", "5x5", "5x6"];
            let questions = boards.map(|size| Ask::Count(open(size))).map(Question::of).into();
            let threads = doubling(1, cores().max(2));
            let methods = &["naive", "naive:static", "backtrack"];
            vec![Part { questions, methods, threads }]
        },
    },
    Set {
        name: "warnsdorff-failures",
        about: "how often walks by fewest exits fail, by size and tie-break",
        repeat: 1,
        parts: || {
            let all = ["5x5", "6x6", "7x7", "8x8", "10x10", "20x20", "30x30", "40x40", "50x50"];
            let survey = |starts: Option<usize>| {
                move |size| Question::of(Ask::Survey { problem: open(size), starts })
            };
            let walks = &["warnsdorff", "pohl", "roth"];
            vec![
                on_one_thread(all.map(survey(None)).into(), walks),
                on_one_thread(["70x70", "100x100"].map(survey(Some(400))).into(), walks),
            ]
        },
    },
    Set {
        name: "symmetric",
        about: "one path and its three quarter turns, on 5x5 to 51x51",
        repeat: 5,
        parts: || {
            let four_paths = |size| {
                let symmetry = Some(TourSymmetry::FourPaths);
                Question::of(Ask::Tour(TourProblem { symmetry, ..open(size) }))
            };
            let small = ["5x5", "6x6", "7x7", "9x9"].map(four_paths);
            let large = ["11x11", "13x13", "21x21", "31x31", "51x51"].map(four_paths);
            vec![
                on_one_thread(small.into(), &["naive", "backtrack", "search"]),
                on_one_thread(large.into(), &["search"]),
            ]
        },
    },
    Set {
        name: "six-knights",
        about: "knights that change places: brute force, best-first, exact",
        repeat: 5,
        parts: || {
            let methods = &["naive", "best-first", "ranked", "meet", "astar", "auto"];
            vec![on_one_thread(["guarini", "six-knights", "3x5"].map(swap).into(), methods)]
        },
    },
    Set {
        name: "bb-dfs-speedup",
        about: "taking all pieces: bb-dfs alone, by tasks, by data; exact",
        repeat: 5,
        parts: || {
            let puzzles = || {
                let fens = [
                    "3N1p/4p1/6/3p1p/1p4/2p1p1",
                    "p5p/3p3/1p5/5p1/2N4/p6/4p1p",
                    "8/p7/7p/6N1/2p2pp1/p7/8/2p3p1",
                    "4p2p/8/pN6/7p/4p3/8/p2p2p1/3p4",
                ];
                fens.map(capture).into()
            };
            let large = capture("p3p4p/3p2p3/1p5p2/p4p4/3N2p3/1p6p1/4p2p2/p2p6/6p2p/1p3p4");
            vec![
                on_one_thread(puzzles(), &["bb-dfs:none"]),
                Part {
                    questions: puzzles(),
                    methods: &["bb-dfs:task", "bb-dfs:data"],
                    threads: doubling(1, cores().max(2)),
                },
                on_one_thread(puzzles(), &["auto"]),
                on_one_thread(vec![large], &["bb-dfs:none", "auto"]),
            ]
        },
    },
];

impl Set {
    /// The set of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<&'static Set, Error> {
        let found = SETS.iter().find(|set| set.name == name);
        found.ok_or_else(|| Error::Set(WordError::new(name, SETS.iter().map(|set| set.name))))
    }

    /// What is compared.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        (self.parts)()
    }
}

fn on_one_thread(questions: Vec<Question>, methods: &'static [&'static str]) -> Part {
    Part { questions, methods, threads: vec![1] }
}

fn board(size: &str) -> Board {
    size.parse().expect("a set has boards that can be read")
}

fn open(size: &str) -> TourProblem {
    TourProblem::open(board(size))
}

fn capture(fen: &str) -> Question {
    let puzzle: Puzzle = fen.parse().expect("a set has puzzles that can be read");
    Question::of(Ask::Capture(puzzle.problem))
}

/// A well-known puzzle by name, or a row against a row on a board.
fn swap(name: &str) -> Question {
    let preset = PRESETS.iter().find(|preset| preset.name == name);
    let (problem, words) = match preset {
        Some(preset) => (between(None, None, Some(preset)), vec!["--preset", name]),
        None => (facing(&board(name), 1), vec![name]),
    };
    let words = words.into_iter().map(str::to_owned).collect();
    let problem = problem.expect("a set has swaps that can be asked");
    Question::about(Ask::Swap(problem), Subject { words, label: name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_questions_and_methods_that_there_are() {
        for set in SETS {
            assert_eq!(Set::named(set.name).unwrap().about, set.about);
            for part in set.parts() {
                let kind = part.questions[0].ask().kind();
                assert_eq!(kind.methods(part.methods).unwrap().len(), part.methods.len());
                assert!(part.threads.iter().all(|&threads| threads > 0), "{}", set.name);
            }
        }
        let wrong = Set::named("nope").unwrap_err().to_string();
        assert!(wrong.starts_with("--set: there is no `nope`; there are brute-force-speedup, "));
    }

    #[test]
    fn swaps_are_asked_by_name() {
        assert_eq!(swap("guarini").typed(), "swap --preset guarini");
        assert_eq!(swap("3x5").typed(), "swap 3x5");
    }
}
