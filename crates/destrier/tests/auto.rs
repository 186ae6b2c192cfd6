//! Whatever some method answers, `auto` answers, and the same: counting, listing and finding tours of a small world with
//! every option of a question.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::ControlFlow;

use destrier::{
    Board, CaptureMethod, CountMethod, CountPlan, Effort, Leaper, ListMethod, Listing, Method,
    Options, Outcome, Problem, Shape, Solve, SolveError, Square, SwapMethod, TourMethod,
    TourProblem, TourSymmetry, Tours, Wrap,
};

/// A question as one would type it.
fn in_words(act: &str, question: &TourProblem) -> String {
    let board = &question.board;
    let mut words = format!("{act} {}", board.size());
    let holes: Vec<String> = board.holes().iter().map(ToString::to_string).collect();
    if !holes.is_empty() {
        write!(words, " --holes {}", holes.join(",")).unwrap();
    }
    words.push_str(match board.wrap() {
        Wrap::None => "",
        Wrap::Files => " --wrap x",
        Wrap::Ranks => " --wrap y",
        Wrap::Both => " --wrap both",
    });
    if question.leaper != Leaper::KNIGHT {
        write!(words, " --leaper {}", question.leaper).unwrap();
    }
    words.push_str(if question.shape == Shape::Closed { " --closed" } else { " --open" });
    if let Some(symmetry) = question.symmetry {
        write!(words, " --symmetry {symmetry}").unwrap();
    }
    for (flag, end) in [("from", question.start), ("to", question.end)] {
        if let Some(end) = end {
            write!(words, " --{flag} {end}").unwrap();
        }
    }
    words
}

/// Boards of up to twelve squares, some with symmetric holes; and of up to six with joined edges, on which tours are many.
fn boards() -> Vec<Board> {
    let mut boards = Vec::new();
    for (files, ranks) in (1..=6).flat_map(|files| (1..=6).map(move |ranks| (files, ranks))) {
        let board = Board::new(files, ranks).unwrap();
        if board.len() <= 6 {
            let joined = |wrap| board.clone().wrapped(wrap);
            boards.extend([Wrap::Files, Wrap::Ranks, Wrap::Both].map(joined));
        }
        if board.len() <= 12 {
            boards.push(board);
        }
    }
    let holed = |size: &str, holes: &str| {
        let holes = holes.split(',').map(|hole| hole.parse::<Square>().unwrap());
        size.parse::<Board>().unwrap().without(holes).unwrap()
    };
    boards.extend([
        holed("3x3", "b2"),
        holed("4x3", "a2,d2"),
        holed("4x4", "a1,d1,a4,d4"),
        holed("4x4", "b2,c2,b3,c3"),
        holed("5x3", "c2"),
    ]);
    boards
}

/// Every question about these boards: shapes, ends, symmetries, leapers, joined edges.
fn questions() -> Vec<TourProblem> {
    let mut questions = Vec::new();
    let leapers = [(1, 2), (0, 1)].map(|(a, b)| Leaper::new(a, b).unwrap());
    let symmetries = [None].into_iter().chain(TourSymmetry::ALL.map(Some));
    for board in boards() {
        let squares: Vec<Square> = board.squares().collect();
        let (first, last) = (squares[0], squares[squares.len() - 1]);
        for leaper in leapers {
            for symmetry in symmetries.clone() {
                for shape in [Shape::Open, Shape::Closed] {
                    let free = TourProblem::open(board.clone());
                    let free = TourProblem { shape, symmetry, leaper, ..free };
                    questions.extend([
                        free.clone().starting_at(first),
                        free.clone().ending_at(last),
                        free.clone().starting_at(first).ending_at(last),
                        free,
                    ]);
                }
            }
        }
    }
    questions.retain(|question| question.validate().is_ok());
    questions
}

/// An answer in a word, which two methods must have in common; nothing where the question is not supported or not decided.
fn said<T: AsRef<Effort>>(
    words: &str,
    answer: Result<T, SolveError>,
    word: impl FnOnce(T) -> Option<String>,
) -> Option<String> {
    match answer {
        Ok(answer) => {
            assert_eq!(answer.as_ref().refused, [], "{words}");
            word(answer)
        }
        Err(SolveError::Unsuited { .. }) => None,
        Err(error) => panic!("{words}: {error}"),
    }
}

fn counted(question: &TourProblem, method: CountMethod, words: &str) -> Option<String> {
    let found = question.count_by(method, &Options::new().threads(1));
    said(words, found, |found| Some(found.total().unwrap().undirected().to_string()))
}

fn listed(question: &TourProblem, method: ListMethod, words: &str) -> Option<String> {
    let mut tours = BTreeSet::new();
    let found =
        question.enumerate(Listing::all().by(method), &Options::new().threads(1), &mut |tour| {
            assert!(tours.insert(tour.0.clone()), "{words} by {method} lists {tour} twice");
            ControlFlow::Continue(())
        });
    said(words, found, |_| Some(tours.len().to_string()))
}

fn decided(question: &TourProblem, method: TourMethod, words: &str) -> Option<String> {
    let answer = question.solve_by(method, &Options::new().threads(1));
    said(words, answer, |answer| match answer.outcome {
        Outcome::Solved(_) => Some("a tour".to_owned()),
        Outcome::Impossible(_) => Some("none".to_owned()),
        Outcome::Unfinished { .. } => None,
    })
}

/// Asks all methods; does `auto` refuse what another one answers?
fn is_refused<M: Method>(words: &str, ask: impl Fn(M) -> Option<String>) -> bool {
    let answers: Vec<(M, String)> =
        M::ALL.iter().filter_map(|&method| Some((method, ask(method)?))).collect();
    for (method, answer) in &answers {
        assert_eq!(
            *answer,
            answers[0].1,
            "{words}: {} against {}",
            method.name(),
            answers[0].0.name()
        );
    }
    !answers.is_empty() && answers[0].0 != M::default()
}

#[test]
fn what_some_method_answers_auto_answers() {
    let questions = questions();
    let mut refused = Vec::new();
    for question in &questions {
        let words = in_words("count", question);
        if is_refused(&words, |method| counted(question, method, &words)) {
            refused.push(words);
        }
        let words = in_words("enumerate", question);
        if is_refused(&words, |method| listed(question, method, &words)) {
            refused.push(words);
        }
        let words = in_words("tour", question);
        if is_refused(&words, |method| decided(question, method, &words)) {
            refused.push(words);
        }
    }
    assert_eq!(questions.len(), 3744);
    assert_eq!(refused, Vec::<String>::new());
}

/// One square, and two that are a jump apart or not: each tour has a number, and each number its tour.
#[test]
fn the_smallest_boards_have_their_tours_numbered() {
    let (mut asked, mut tours) = (0, 0);
    let small = questions().into_iter().filter(|question| question.board.len() < 3);
    for question in small.filter(|question| question.symmetry.is_none()) {
        let census = question.census().unwrap();
        let total = question.count().unwrap().undirected();
        assert_eq!(total, census.total().into(), "{}", in_words("count", &question));
        for number in 0..census.total() {
            let tour = census.unrank(number).unwrap().unwrap();
            question.verify(tour.solution()).unwrap();
            assert_eq!(census.rank(tour.solution()), Ok(number));
            assert_eq!(census.sample(7).next(), Some(Ok(tour)));
            tours += 1;
        }
        assert_eq!(census.unrank(census.total()), Ok(None));
        asked += 1;
    }
    assert_eq!((asked, tours), (192, 80));
}

/// A board too wide for every sweep, with tours so few that listing them is soon done.
#[test]
fn the_few_tours_of_a_board_that_is_too_wide_are_listed() {
    let board = Board::new(1, 121).unwrap().wrapped(Wrap::Ranks);
    let question = TourProblem::closed(board).with_leaper(Leaper::new(0, 60).unwrap());
    let swept = question.count_by(CountMethod::Frontier, &Options::new());
    assert!(matches!(swept, Err(SolveError::Unsuited { .. })), "{swept:?}");
    assert_eq!(question.count().unwrap().undirected().to_string(), "1");
}

/// Halves are met in the middle wherever that is possible, but for strips, whose states soon repeat, and small boards.
#[test]
fn long_boards_are_counted_by_the_method_that_is_fastest() {
    let plan = |size: &str, shape: Shape| {
        let board: Board = size.parse().unwrap();
        let question = TourProblem { shape, ..TourProblem::open(board) };
        CountMethod::Auto.plan(&question, &Options::new()).unwrap()
    };
    for shape in [Shape::Open, Shape::Closed] {
        for size in ["6x11", "6x12", "16x6", "6x24", "7x12", "16x7", "8x12", "5x14", "5x24"] {
            assert_eq!(plan(size, shape), CountPlan::By(CountMethod::Middle), "{size} {shape:?}");
        }
        for size in ["3x40", "60x3", "5x40"] {
            assert_eq!(plan(size, shape), CountPlan::By(CountMethod::Transfer), "{size} {shape:?}");
        }
        assert_eq!(plan("6x40", shape), CountPlan::By(CountMethod::Frontier), "{shape:?}");
    }
}

/// A certificate may name each method; the checker and the schema have the same list.
#[test]
fn the_checker_knows_the_name_of_every_method() {
    fn names<M: Method>() -> impl Iterator<Item = &'static str> {
        M::ALL.iter().map(|method| method.name())
    }
    let schema = include_str!("../../../docs/certificate.schema.json");
    let all = names::<TourMethod>().chain(names::<CountMethod>()).chain(names::<ListMethod>());
    let all = all.chain(names::<CaptureMethod>()).chain(names::<SwapMethod>());
    for name in all.chain(["eccentricity", "obstacle", "unknown"]) {
        assert!(destrier_rules::is_method(name), "{name}");
        assert!(schema.contains(&format!("\"{name}\"")), "{name} is missing in the schema");
    }
    assert!(!destrier_rules::is_method("checked and confirmed"));
}
