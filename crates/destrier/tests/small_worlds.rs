//! Small worlds, all of them: every method of every list against the naive one, which is too simple to be wrong.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod tally;

use std::collections::HashSet;
use std::ops::ControlFlow;

use destrier::{
    Board, CountMethod, Leaper, ListMethod, Listing, Method, Options, Outcome, Shape, Solve,
    Square, Tour, TourCount, TourMethod, TourProblem, Tours, Wrap,
};
use tally::Tally;

/// Every board to 3×4 in squares with every set of holes would be 4095 boards of one size; a third of
/// the sets, spread evenly, keeps the test short and still meets every kind of board.
fn holed_boards() -> impl Iterator<Item = Board> {
    [(3, 3), (4, 3), (3, 4)].into_iter().flat_map(|(files, ranks)| {
        (0..1_u32 << (files * ranks)).step_by(3).filter_map(move |holes| {
            let holes = (0..files * ranks).filter(move |bit| holes >> bit & 1 == 1);
            let holes = holes.map(|at| Square::new(at % files, at / files));
            Board::new(files, ranks).unwrap().without(holes).ok()
        })
    })
}

fn questions(board: &Board) -> Vec<TourProblem> {
    let mut questions = Vec::new();
    let squares: Vec<Square> = board.squares().collect();
    for shape in [Shape::Open, Shape::Closed] {
        let plain = TourProblem { shape, ..TourProblem::open(board.clone()) };
        let (first, last) = (squares[0], squares[squares.len() - 1]);
        questions.push(plain.clone().starting_at(last));
        questions.push(plain.clone().ending_at(first));
        if first != last {
            questions.push(plain.clone().starting_at(first).ending_at(last));
        }
        questions.push(plain);
    }
    questions
}

fn options() -> Options {
    Options::new().threads(1)
}

/// How many tours there are, by trying everything.
fn truth(question: &TourProblem) -> TourCount {
    question.count_by(CountMethod::Naive, &options()).unwrap().total().unwrap()
}

/// Questions asked, and answers given.
#[derive(Default)]
struct Asked {
    questions: u64,
    counts: Tally,
    lists: Tally,
    tours: Tally,
}

/// How many questions are answered by the methods that do not support all of them.
struct Shares {
    middle: u64,
    transfer: u64,
    compose: u64,
    census: u64,
}

impl Asked {
    /// Asks every method, and holds each answer against the naive one. `auto` must always decide.
    fn ask(&mut self, question: &TourProblem) {
        self.questions += 1;
        let mut totals = Vec::new();
        for &method in CountMethod::ALL {
            let found = question.count_by(method, &options());
            if let Some(found) = self.counts.answer(method, found) {
                totals.push((method, found.total().unwrap()));
            }
        }
        let truth = totals.last().expect("the naive method answers all").1.clone();
        assert_eq!(totals.last().map(|total| total.0), Some(CountMethod::Naive));
        for (method, total) in totals {
            assert_eq!(total, truth, "{method} on {question:?}");
        }
        for &method in ListMethod::ALL {
            let mut seen = HashSet::new();
            let listed =
                question.enumerate(Listing::all().by(method), &options(), &mut |tour: &Tour| {
                    assert!(seen.insert(one_way(question, tour)), "{method} lists {tour} twice");
                    ControlFlow::Continue(())
                });
            if let Some(listed) = self.lists.answer(method, listed) {
                assert_eq!(listed.total(), Ok(truth.clone()), "{method} on {question:?}");
                assert_eq!(truth.undirected(), seen.len().into(), "{method} on {question:?}");
            }
        }
        let exists = truth.undirected() > 0_u32.into();
        for &method in TourMethod::ALL {
            let answer = question.solve_by(method, &options());
            let Some(answer) = self.tours.answer(method, answer) else { continue };
            match answer.outcome {
                Outcome::Solved(_) => assert!(exists, "{method} on {question:?}"),
                Outcome::Impossible(why) => assert!(!exists, "{method}: {why:?}"),
                Outcome::Unfinished { why, .. } => {
                    assert_ne!(method, TourMethod::Auto, "{why}: {question:?}");
                }
            }
        }
    }

    /// Were so many questions asked, and did each method answer its share? Where nothing else is said, it answers all.
    fn expect(&self, questions: u64, some: &Shares) {
        let all = questions;
        assert_eq!(self.questions, all);
        self.counts.expect(&[
            ("auto", all),
            ("middle", some.middle),
            ("frontier", all),
            ("transfer", some.transfer),
            ("search", all),
            ("backtrack", all),
            ("naive", all),
        ]);
        self.lists.expect(&[
            ("auto", all),
            ("census", some.census),
            ("search", all),
            ("backtrack", all),
            ("naive", all),
        ]);
        self.tours.expect(&[
            ("auto", all),
            ("compose", some.compose),
            ("search", all),
            ("warnsdorff", all),
            ("pohl", all),
            ("roth", all),
            ("race", all),
            ("race-plain", all),
            ("random-walk", all),
            ("backtrack", all),
            ("naive", all),
        ]);
    }
}

/// The smaller of a tour's ways of being run, from whichever square.
fn one_way(question: &TourProblem, tour: &Tour) -> Vec<Square> {
    let mut reversed = tour.0.clone();
    reversed.reverse();
    let mut ways = [tour.0.clone(), reversed];
    if question.shape == Shape::Closed {
        for way in &mut ways {
            let smallest = (0..way.len()).min_by_key(|&step| way[step]).unwrap();
            way.rotate_left(smallest);
        }
    }
    ways.into_iter().min().unwrap()
}

#[test]
fn all_methods_agree_on_boards_with_holes() {
    let mut asked = Asked::default();
    for board in holed_boards() {
        for question in &questions(&board) {
            asked.ask(question);
        }
    }
    asked.expect(23_198, &Shares { middle: 14, transfer: 6, compose: 24, census: 22_544 });
}

#[test]
fn all_methods_agree_on_joined_boards_and_for_other_leapers() {
    let mut asked = Asked::default();
    let whole = std::env::var_os("DESTRIER_LIMIT").is_some();
    for wrap in [Wrap::Files, Wrap::Ranks, Wrap::Both] {
        for (files, ranks) in [(1, 3), (2, 3), (3, 3), (4, 3), (3, 4)] {
            let mut board = Board::new(files, ranks).unwrap().wrapped(wrap);
            // A torus of twelve squares has so many tours that trying everything takes a while.
            if wrap == Wrap::Both && board.len() == 12 && !whole {
                board = board.without([Square::new(0, 0), Square::new(1, 2)]).unwrap();
            }
            for question in &questions(&board) {
                asked.ask(question);
            }
        }
    }
    for (a, b) in [(0, 1), (1, 1), (1, 3), (2, 3), (0, 2)] {
        for (files, ranks) in [(3, 3), (4, 3)] {
            for mut question in questions(&Board::new(files, ranks).unwrap()) {
                question.leaper = Leaper::new(a, b).unwrap();
                asked.ask(&question);
            }
        }
    }
    asked.expect(200, &Shares { middle: 0, transfer: 20, compose: 0, census: 200 });
}

#[test]
fn a_stop_at_any_node_never_gives_a_wrong_answer() {
    let (mut counts, mut lists, mut tours) = (Tally::default(), Tally::default(), Tally::default());
    for question in questions(&Board::new(3, 4).unwrap()) {
        let truth = truth(&question);
        let exists = truth.undirected() > 0_u32.into();
        for nodes in 1..200 {
            let options = Options::new().node_limit(nodes);
            for &method in TourMethod::ALL {
                let answer = question.solve_by(method, &options);
                let Some(answer) = tours.answer(method, answer) else { continue };
                match answer.outcome {
                    Outcome::Solved(_) => assert!(exists, "{method} stopped at {nodes}"),
                    Outcome::Impossible(_) => assert!(!exists, "{method} stopped at {nodes}"),
                    Outcome::Unfinished { .. } => {}
                }
            }
            for &method in CountMethod::ALL {
                let found = question.count_by(method, &options);
                let Some(found) = counts.answer(method, found) else { continue };
                match found.outcome {
                    Outcome::Solved(count) => assert_eq!(count, truth, "{method} at {nodes}"),
                    Outcome::Impossible(_) => assert!(!exists, "{method} stopped at {nodes}"),
                    Outcome::Unfinished { .. } => {}
                }
            }
            for &method in ListMethod::ALL {
                let mut shown = 0_u32;
                let found = question.enumerate(Listing::all().by(method), &options, &mut |_| {
                    shown += 1;
                    ControlFlow::Continue(())
                });
                let Some(found) = lists.answer(method, found) else { continue };
                match found.outcome {
                    Outcome::Solved(count) => assert_eq!(count, truth, "{method} at {nodes}"),
                    Outcome::Impossible(_) => assert!(!exists, "{method} stopped at {nodes}"),
                    Outcome::Unfinished { .. } => {}
                }
                assert!(truth.undirected() >= shown.into(), "{method} stopped at {nodes}");
            }
        }
    }
    let all = 8 * 199;
    counts.expect(&[
        ("auto", all),
        ("middle", all - 199),
        ("frontier", all),
        ("transfer", 2 * 199),
        ("search", all),
        ("backtrack", all),
        ("naive", all),
    ]);
    let of_every = |methods: &[&'static str]| -> Vec<(&str, u64)> {
        methods.iter().map(|&method| (method, all)).collect()
    };
    lists.expect(&of_every(&["auto", "census", "search", "backtrack", "naive"]));
    let walks = ["warnsdorff", "pohl", "roth", "race", "race-plain", "random-walk"];
    let complete = ["auto", "compose", "search", "backtrack", "naive"];
    tours.expect(&of_every(&[&walks[..], &complete].concat()));
}
