//! Named sets: the tables of course reports. They need no files.

use destrier_rules::{Board, Puzzle, TourProblem, TourSymmetry, WordError};
use destrier_words::{PRESETS, between, facing};

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
    parts: &'static [PartOfSet],
}

/// Questions with the methods and numbers of threads that answer them.
#[derive(Clone, Debug)]
pub struct Part {
    /// The questions.
    pub questions: Vec<Question>,
    /// The names of the methods.
    pub methods: &'static [&'static str],
    /// The numbers of threads.
    pub threads: Vec<usize>,
}

#[derive(Debug)]
struct PartOfSet {
    questions: Questions,
    methods: &'static [&'static str],
    threads: Threads,
}

/// Questions as they stand in a table.
#[derive(Debug)]
enum Questions {
    /// Open tours of these boards are counted.
    Counts(&'static [&'static str]),
    /// Four-path tours of these boards are found.
    FourPaths(&'static [&'static str]),
    /// Walks on these boards start from all squares, or from so many.
    Surveys(&'static [&'static str], Option<usize>),
    /// Well-known puzzles by name, and rows against rows on boards.
    Swaps(&'static [&'static str]),
    /// Puzzles as FEN.
    Captures(&'static [&'static str]),
}

#[derive(Clone, Copy, Debug)]
enum Threads {
    One,
    /// 1, 2, 4 … up to the number of cores, and at least 2.
    Doubling,
}

const PUZZLES: &[&str] = &[
    "3N1p/4p1/6/3p1p/1p4/2p1p1",
    "p5p/3p3/1p5/5p1/2N4/p6/4p1p",
    "8/p7/7p/6N1/2p2pp1/p7/8/2p3p1",
    "4p2p/8/pN6/7p/4p3/8/p2p2p1/3p4",
];

/// All sets.
pub const SETS: &[Set] = &[
    Set {
        name: "brute-force-speedup",
        about: "open tours counted by brute force on 1, 2, 4 … threads",
        repeat: 5,
        parts: &[PartOfSet {
            questions: Questions::Counts(&["3x4", "3x7", "4x5", "3x8", "4x6", "5x5", "5x6"]),
            methods: &["naive", "backtrack"],
            threads: Threads::Doubling,
        }],
    },
    Set {
        name: "warnsdorff-failures",
        about: "how often walks by fewest exits fail, by size and tie-break",
        repeat: 1,
        parts: &[
            PartOfSet {
                questions: Questions::Surveys(
                    &["5x5", "6x6", "7x7", "8x8", "10x10", "20x20", "30x30", "40x40", "50x50"],
                    None,
                ),
                methods: &["warnsdorff", "pohl", "roth"],
                threads: Threads::One,
            },
            PartOfSet {
                questions: Questions::Surveys(&["70x70", "100x100"], Some(400)),
                methods: &["warnsdorff", "pohl", "roth"],
                threads: Threads::One,
            },
        ],
    },
    Set {
        name: "symmetric",
        about: "one path and its three quarter turns, on 5x5 to 51x51",
        repeat: 5,
        parts: &[
            PartOfSet {
                questions: Questions::FourPaths(&["5x5", "6x6", "7x7", "9x9"]),
                methods: &["naive", "backtrack", "search"],
                threads: Threads::One,
            },
            PartOfSet {
                questions: Questions::FourPaths(&["11x11", "13x13", "21x21", "31x31", "51x51"]),
                methods: &["search"],
                threads: Threads::One,
            },
        ],
    },
    Set {
        name: "six-knights",
        about: "knights that change places: brute force, best-first, exact",
        repeat: 5,
        parts: &[PartOfSet {
            questions: Questions::Swaps(&["guarini", "six-knights", "3x5"]),
            methods: &["naive", "best-first", "ranked", "meet", "astar", "auto"],
            threads: Threads::One,
        }],
    },
    Set {
        name: "jes",
        about: "taking all pieces: bb-dfs alone, by tasks, by data; exact",
        repeat: 5,
        parts: &[
            PartOfSet {
                questions: Questions::Captures(PUZZLES),
                methods: &["bb-dfs:none"],
                threads: Threads::One,
            },
            PartOfSet {
                questions: Questions::Captures(PUZZLES),
                methods: &["bb-dfs:task", "bb-dfs:data"],
                threads: Threads::Doubling,
            },
            PartOfSet {
                questions: Questions::Captures(PUZZLES),
                methods: &["auto"],
                threads: Threads::One,
            },
            PartOfSet {
                questions: Questions::Captures(&[
                    "p3p4p/3p2p3/1p5p2/p4p4/3N2p3/1p6p1/4p2p2/p2p6/6p2p/1p3p4",
                ]),
                methods: &["bb-dfs:none", "auto"],
                threads: Threads::One,
            },
        ],
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
    ///
    /// # Panics
    /// When the table of sets is wrong, which a test would show.
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        self.parts.iter().map(|part| Part {
            questions: part.questions.all(),
            methods: part.methods,
            threads: match part.threads {
                Threads::One => vec![1],
                Threads::Doubling => doubling(1, cores().max(2)),
            },
        })
    }
}

impl Questions {
    fn all(&self) -> Vec<Question> {
        match self {
            Questions::Counts(boards) => boards
                .iter()
                .map(|size| Question::of(Ask::Count(TourProblem::open(board(size)))))
                .collect(),
            Questions::FourPaths(boards) => {
                let tour = |size: &&str| {
                    let symmetry = Some(TourSymmetry::FourPaths);
                    let problem = TourProblem { symmetry, ..TourProblem::open(board(size)) };
                    Question::of(Ask::Tour(problem))
                };
                boards.iter().map(tour).collect()
            }
            Questions::Surveys(boards, starts) => {
                let survey = |size: &&str| {
                    let problem = TourProblem::open(board(size));
                    Question::of(Ask::Survey { problem, starts: *starts })
                };
                boards.iter().map(survey).collect()
            }
            Questions::Swaps(puzzles) => puzzles.iter().map(|puzzle| swap(puzzle)).collect(),
            Questions::Captures(fens) => {
                let capture = |fen: &&str| {
                    let puzzle: Puzzle = fen.parse().expect("a set has puzzles that can be read");
                    Question::of(Ask::Capture(puzzle.problem))
                };
                fens.iter().map(capture).collect()
            }
        }
    }
}

fn board(size: &str) -> Board {
    size.parse().expect("a set has boards that can be read")
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
            assert!(std::ptr::eq(Set::named(set.name).unwrap(), set));
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
