//! Small worlds with symmetry, all of them: boards so small that a mirror may move no square and the centre may be
//! half of the board, with holes, joined edges and several leapers.
//!
//! The truth is every walk over the open squares, as this file finds them, that the checker accepts. Held against it:
//! every method's count, every method's list, the classes that counting gives, and the classes that listing gives.
//! `auto` must answer every question.
//!
//! By default the boards to five open squares, those to two with every pair of ends; `DESTRIER_LIMIT=1000000` takes
//! those to seven, and to four with every pair of ends.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod tally;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use destrier::{
    Board, CountMethod, Leaper, ListMethod, Listing, Method, Options, Outcome, Problem, Shape,
    Solve, Square, Symmetry, Tour, TourMethod, TourProblem, TourSymmetry, Tours, Wrap,
};
use tally::Tally;

fn all_are_asked_for() -> bool {
    let limit = std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse::<u64>().ok());
    limit.is_some_and(|limit| limit >= 1_000_000)
}

fn options() -> Options {
    Options::new().threads(1)
}

/// Every walk that visits each open square once.
fn walks(board: &Board, leaper: Leaper) -> Vec<Vec<Square>> {
    fn go_on(
        jumps: &BTreeMap<Square, Vec<Square>>,
        walk: &mut Vec<Square>,
        all: &mut Vec<Vec<Square>>,
    ) {
        if walk.len() == jumps.len() {
            all.push(walk.clone());
            return;
        }
        for &next in &jumps[&walk[walk.len() - 1]] {
            if !walk.contains(&next) {
                walk.push(next);
                go_on(jumps, walk, all);
                walk.pop();
            }
        }
    }
    let squares: Vec<Square> = board.squares().collect();
    let near = |&from: &Square| {
        let to = squares.iter().copied().filter(|&to| board.is_jump(leaper, from, to));
        (from, to.collect())
    };
    let jumps = squares.iter().map(near).collect();
    let mut all = Vec::new();
    for &first in &squares {
        go_on(&jumps, &mut vec![first], &mut all);
    }
    all
}

/// One name for a tour, wherever it begins and whichever way it is run.
fn undirected(shape: Shape, squares: &[Square]) -> Vec<Square> {
    let mut reversed = squares.to_vec();
    reversed.reverse();
    let ways = [squares.to_vec(), reversed].map(|mut way| {
        if shape == Shape::Closed {
            let smallest = (0..way.len()).min_by_key(|&step| way[step]).unwrap();
            way.rotate_left(smallest);
        }
        way
    });
    ways.into_iter().min().unwrap()
}

/// The ends that are asked for: all of them on boards of up to so many squares, a few on larger ones.
fn ends(squares: &[Square], all_to: usize) -> Vec<(Option<Square>, Option<Square>)> {
    if squares.len() <= all_to {
        let any = || squares.iter().copied().map(Some).chain([None]);
        return any().flat_map(|start| any().map(move |end| (start, end))).collect();
    }
    let (first, last) = (Some(squares[0]), Some(squares[squares.len() - 1]));
    vec![(last, None), (None, first), (first, last), (None, None)]
}

/// Every question about a board and a leaper: each shape, each symmetry or none, and ends.
fn questions(board: &Board, leaper: Leaper, all_ends_to: usize) -> Vec<TourProblem> {
    let mut questions = Vec::new();
    let ends = ends(&board.squares().collect::<Vec<_>>(), all_ends_to);
    for shape in [Shape::Open, Shape::Closed] {
        for symmetry in TourSymmetry::ALL.map(Some).into_iter().chain([None]) {
            let plain = TourProblem { shape, symmetry, leaper, ..TourProblem::open(board.clone()) };
            let with_ends =
                ends.iter().map(|&(start, end)| TourProblem { start, end, ..plain.clone() });
            questions.extend(with_ends.filter(|question| question.validate().is_ok()));
        }
    }
    questions
}

#[derive(Default)]
struct Asked {
    questions: u64,
    classes: u64,
    turned: u64,
    counts: Tally,
    lists: Tally,
    tours: Tally,
}

impl Asked {
    fn ask(&mut self, question: &TourProblem, walks: &[Vec<Square>]) {
        self.questions += 1;
        let shape = question.shape;
        let accepted = walks.iter().filter(|walk| question.verify(&Tour((*walk).clone())).is_ok());
        let truth: BTreeSet<Vec<Square>> = accepted.map(|walk| undirected(shape, walk)).collect();
        for &method in CountMethod::ALL {
            let found = question.count_by(method, &options());
            if let Some(found) = self.counts.answer(method, found) {
                let total = found.total().unwrap().undirected();
                assert_eq!(total, truth.len().into(), "{method} counts {question:?}");
            }
        }
        for &method in ListMethod::ALL {
            let mut seen = BTreeSet::new();
            let listing = Listing::all().by(method);
            let listed = question.enumerate(listing, &options(), &mut |tour: &Tour| {
                let new = seen.insert(undirected(shape, &tour.0));
                assert!(new, "{method} lists {tour} twice: {question:?}");
                ControlFlow::Continue(())
            });
            if self.lists.answer(method, listed).is_some() {
                assert_eq!(seen, truth, "{method} lists {question:?}");
            }
        }
        for &method in TourMethod::ALL {
            let answer = question.solve_by(method, &options());
            let Some(answer) = self.tours.answer(method, answer) else { continue };
            match answer.outcome {
                Outcome::Solved(_) => assert!(!truth.is_empty(), "{method} on {question:?}"),
                Outcome::Impossible(why) => assert!(truth.is_empty(), "{method}: {why:?}"),
                Outcome::Unfinished { why, .. } => {
                    assert_ne!(method, TourMethod::Auto, "{why}: {question:?}");
                }
            }
        }
        self.classify(question, &truth);
    }

    /// The classes by counting and by listing, held against the images of the tours.
    fn classify(&mut self, question: &TourProblem, truth: &BTreeSet<Vec<Square>>) {
        let (files, ranks) = (question.board.files(), question.board.ranks());
        let image = |turn: Symmetry, tour: &Vec<Square>| {
            let image: Vec<Square> = tour.iter().map(|&s| turn.apply(s, files, ranks)).collect();
            undirected(question.shape, &image)
        };
        let stays = |turn: &Symmetry, end: Option<Square>| {
            end.is_none_or(|end| turn.apply(end, files, ranks) == end)
        };
        let mut turns = question.board.symmetries();
        turns.retain(|turn| stays(turn, question.start) && stays(turn, question.end));
        let classes: BTreeSet<Vec<Square>> = truth
            .iter()
            .map(|tour| turns.iter().map(|&turn| image(turn, tour)).min().unwrap())
            .collect();
        let mut listed = 0;
        let found = question.enumerate(Listing::all().distinct(), &options(), &mut |_| {
            listed += 1;
            ControlFlow::Continue(())
        });
        found.unwrap();
        assert_eq!(listed, classes.len(), "one of each class: {question:?}");
        if question.start.is_some() || question.end.is_some() {
            return;
        }
        self.classes += 1;
        let undirected = truth.len().into();
        if question.symmetry.is_some() {
            let counted = question.symmetric_classes(&undirected, &options()).unwrap();
            assert_eq!(counted, classes.len().into(), "classes of {question:?}");
            return;
        }
        let counted = question.classes(&undirected, &options()).unwrap();
        assert_eq!(counted.classes, classes.len().into(), "classes of {question:?}");
        for &turn in &turns {
            let fixed = truth.iter().filter(|tour| image(turn, tour) == **tour).count();
            assert_eq!(counted.fixed_by(turn), Some(&fixed.into()), "{turn} on {question:?}");
        }
        let Some((half, quarter)) = counted.turned() else { return };
        self.turned += 1;
        let with = |turn: Symmetry| {
            let has = |tour: &&Vec<Square>| image(turn, tour) == **tour;
            num(classes.iter().filter(has).count())
        };
        let expected = (with(Symmetry::HalfTurn), with(Symmetry::QuarterTurn));
        let quarter_is = question.board.symmetries().contains(&Symmetry::QuarterTurn);
        assert_eq!(half, expected.0, "half turns of {question:?}");
        assert_eq!(quarter, if quarter_is { expected.1 } else { num(0) }, "{question:?}");
    }
}

fn num(number: usize) -> destrier::BigUint {
    number.into()
}

/// Every board of these sides with at most so many open squares.
fn boards(files: u32, ranks: u32, most: u32) -> impl Iterator<Item = Board> {
    let area = files * ranks;
    let masks = (0..1_u32 << area).filter(move |open| (1..=most).contains(&open.count_ones()));
    masks.map(move |open| {
        let holes = (0..area).filter(|bit| open >> bit & 1 == 0);
        let holes = holes.map(|at| Square::new(at % files, at / files));
        Board::new(files, ranks).unwrap().without(holes).unwrap()
    })
}

const WRAPS: [Wrap; 4] = [Wrap::None, Wrap::Files, Wrap::Ranks, Wrap::Both];

#[test]
fn all_methods_agree_on_every_symmetric_question_about_small_boards() {
    let mut asked = Asked::default();
    let (most, long, all_ends_to) = if all_are_asked_for() { (7, 8, 4) } else { (5, 6, 2) };
    let lines = (1..=long).flat_map(|side| [(side, 1), (1, side)]);
    for (files, ranks) in lines.chain([(2, 2), (2, 3), (3, 2), (3, 3)]) {
        for board in boards(files, ranks, most) {
            for wrap in WRAPS {
                let board = board.clone().wrapped(wrap);
                for (a, b) in [(1, 2), (0, 1), (1, 1), (0, 3)] {
                    let leaper = Leaper::new(a, b).unwrap();
                    let walks = walks(&board, leaper);
                    for question in questions(&board, leaper, all_ends_to) {
                        asked.ask(&question, &walks);
                    }
                }
            }
        }
    }
    let (questions, classes) =
        if all_are_asked_for() { (724_048, 69_344) } else { (158_656, 34_528) };
    assert_eq!((asked.questions, asked.classes), (questions, classes));
    assert!(asked.turned >= 2_009, "{} boards with turns", asked.turned);
    let all = questions;
    asked.counts.expect(&[
        ("auto", all),
        ("middle", 0),
        ("frontier", 125_848),
        ("transfer", 88),
        ("search", all),
        ("backtrack", all),
        ("naive", all),
    ]);
    asked.lists.expect(&[
        ("auto", all),
        ("census", 70_272),
        ("search", all),
        ("backtrack", all),
        ("naive", all),
    ]);
    asked.tours.expect(&[
        ("auto", all),
        ("compose", 0),
        ("search", all),
        ("warnsdorff", 0),
        ("pohl", 0),
        ("roth", 0),
        ("race", 0),
        ("race-plain", 0),
        ("random-walk", 0),
        ("backtrack", all),
        ("naive", all),
    ]);
}
