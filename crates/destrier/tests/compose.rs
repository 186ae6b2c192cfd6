//! Compose against the rule, the checker and itself.
//!
//! Boards up to 64 squares are asked about every pair of ends; `DESTRIER_LIMIT=144` takes them to 12×12.
#![expect(clippy::unwrap_used, reason = "a test may fail")]
#![expect(clippy::cast_possible_truncation, reason = "random numbers are below a bound that fits")]

use std::ops::ControlFlow;

use destrier::{
    Answer, Board, Halt, Impossible, Itinerary, Leaper, Options, Outcome, Problem, Shape, Solve,
    Square, Tour, TourMethod, TourProblem, Tours,
};

/// The most squares of a board whose every pair of ends is asked about.
fn limit() -> u64 {
    std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse().ok()).unwrap_or(64)
}

/// Splitmix64, so that a failure is the same tomorrow.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(bound)) >> 64) as u64
    }

    fn square(&mut self, board: &Board) -> Square {
        let file = self.below(board.files().into()) as u32;
        Square::new(file, self.below(board.ranks().into()) as u32)
    }
}

/// A planned tour, or the reason why there is none, which the checker has looked at.
fn plan(problem: &TourProblem) -> Outcome<Itinerary, Impossible<TourProblem>> {
    problem.itinerary().expect("a question for compose").outcome
}

fn compose(problem: &TourProblem, options: &Options) -> Answer<TourProblem> {
    problem.solve_by(TourMethod::Compose, options).unwrap()
}

fn solved(problem: &TourProblem) -> Itinerary {
    match plan(problem) {
        Outcome::Solved(itinerary) => itinerary,
        other => panic!("{problem:?}: {other:?}"),
    }
}

fn squares(itinerary: &Itinerary) -> Vec<Square> {
    let mut squares = Vec::new();
    let flow: ControlFlow<()> = itinerary.walk(1..itinerary.len() + 1, |square| {
        squares.push(square);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    squares
}

/// The checker accepts the tour, and every way of reading it says the same.
fn is_sound(problem: &TourProblem, itinerary: &Itinerary) {
    let squares = squares(itinerary);
    let mut steps = vec![0_u32; squares.len()];
    itinerary.fill(&mut steps);
    for (step, &square) in (1..).zip(&squares) {
        assert_eq!(itinerary.at_step(step), Some(square), "{problem:?}");
        assert_eq!(itinerary.step_of(square), Some(step), "{problem:?}");
        let slot = square.rank as usize * itinerary.files() as usize + square.file as usize;
        assert_eq!(u64::from(steps[slot]), step, "{problem:?}");
    }
    problem.verify(&Tour(squares)).unwrap_or_else(|fault| panic!("{problem:?}: {fault}"));
}

/// Could the colours be right?
fn admitted(board: &Board, start: Square, end: Square) -> bool {
    if board.area().is_multiple_of(2) {
        start.is_dark() != end.is_dark()
    } else {
        start.is_dark() && end.is_dark() && start != end
    }
}

#[test]
fn every_pair_of_ends_on_small_boards_has_a_checked_answer() {
    let sides = (1..=12).flat_map(|files| (1..=12).map(move |ranks| (files, ranks)));
    for (files, ranks) in sides.filter(|&(w, h)| u64::from(w * h) <= limit()) {
        let board = Board::new(files, ranks).unwrap();
        let all: Vec<Square> = board.squares().collect();
        for &start in &all {
            for &end in all.iter().filter(|&&end| end != start) {
                let problem = TourProblem::open(board.clone()).starting_at(start).ending_at(end);
                match plan(&problem) {
                    Outcome::Solved(itinerary) => {
                        assert!(admitted(&board, start, end));
                        is_sound(&problem, &itinerary);
                    }
                    Outcome::Impossible(why) => {
                        let wide = files.min(ranks) >= 6;
                        assert!(!(wide && admitted(&board, start, end)), "{why:?}");
                    }
                    Outcome::Unfinished { .. } => panic!("{problem:?} is undecided"),
                }
            }
        }
    }
}

#[test]
fn a_complete_search_agrees_on_small_boards() {
    for (files, ranks) in (1..=7).flat_map(|w| (1..=7).map(move |h| (w, h))) {
        if files * ranks > 24 {
            continue;
        }
        let board = Board::new(files, ranks).unwrap();
        for shape in [Shape::Open, Shape::Closed] {
            let asked = TourProblem { shape, ..TourProblem::open(board.clone()) };
            let mut questions = vec![asked.clone()];
            for start in board.squares() {
                questions.push(asked.clone().starting_at(start));
                questions.push(asked.clone().ending_at(start));
                let ends = board.squares().filter(|&end| end != start);
                questions.extend(ends.map(|end| asked.clone().starting_at(start).ending_at(end)));
            }
            for problem in questions {
                let complete = problem.solve_by(TourMethod::Backtrack, &Options::new()).unwrap();
                let expected = matches!(complete.outcome, Outcome::Solved(_));
                match plan(&problem) {
                    Outcome::Solved(itinerary) => {
                        assert!(expected, "{problem:?}");
                        is_sound(&problem, &itinerary);
                    }
                    Outcome::Impossible(why) => assert!(!expected, "{why:?}"),
                    Outcome::Unfinished { .. } => panic!("{problem:?} is undecided"),
                }
            }
        }
    }
}

#[test]
fn every_board_to_60_has_its_closed_tour_and_one_from_a_random_start() {
    let mut random = Random(60);
    for (files, ranks) in (1..=60).flat_map(|w| (1..=60).map(move |h| (w, h))) {
        let board = Board::new(files, ranks).unwrap();
        let (short, long) = (files.min(ranks), files.max(ranks));
        let expected = board.area().is_multiple_of(2)
            && !matches!(short, 1 | 2 | 4)
            && !(short == 3 && matches!(long, 4 | 6 | 8));
        let closed = TourProblem::closed(board.clone());
        match plan(&closed) {
            Outcome::Solved(itinerary) => {
                assert!(expected, "{closed:?}");
                // Reading every tour in every way takes a while: most are only verified.
                if random.below(8) == 0 {
                    is_sound(&closed, &itinerary);
                } else {
                    closed.verify(&Tour(squares(&itinerary))).unwrap();
                }
            }
            Outcome::Impossible(why) => assert!(!expected, "{why:?}"),
            Outcome::Unfinished { .. } => panic!("{closed:?} is undecided"),
        }
        let start = random.square(&board);
        let from = TourProblem::open(board.clone()).starting_at(start);
        let minority = board.area() % 2 == 1 && !start.is_dark();
        match plan(&from) {
            Outcome::Solved(itinerary) => {
                assert!(!minority);
                from.verify(&Tour(squares(&itinerary))).unwrap();
            }
            Outcome::Impossible(why) => {
                assert!(minority || short <= 4 || long <= 6, "{why:?}");
            }
            Outcome::Unfinished { .. } => panic!("{from:?} is undecided"),
        }
    }
}

#[test]
fn random_pairs_on_middling_boards_have_sound_tours() {
    let mut random = Random(7);
    let mut asked = 0;
    while asked < 1500 {
        let (files, ranks) = (6 + random.below(60) as u32, 6 + random.below(60) as u32);
        let board = Board::new(files, ranks).unwrap();
        let (start, end) = (random.square(&board), random.square(&board));
        if admitted(&board, start, end) {
            let problem = TourProblem::open(board).starting_at(start).ending_at(end);
            is_sound(&problem, &solved(&problem));
            asked += 1;
        }
    }
}

#[test]
fn narrow_boards_of_any_length_have_sound_tours() {
    let mut random = Random(345);
    let (mut solved, mut impossible) = (0, 0);
    for short in 3..=5 {
        for long in 7..=70 {
            for turned in [false, true] {
                let (files, ranks) = if turned { (short, long) } else { (long, short) };
                let board = Board::new(files, ranks).unwrap();
                for _ in 0..6 {
                    let problem = TourProblem::open(board.clone())
                        .starting_at(random.square(&board))
                        .ending_at(random.square(&board));
                    if problem.start == problem.end {
                        continue;
                    }
                    match plan(&problem) {
                        Outcome::Solved(itinerary) => {
                            is_sound(&problem, &itinerary);
                            solved += 1;
                        }
                        Outcome::Impossible(_) => impossible += 1,
                        Outcome::Unfinished { .. } => panic!("{problem:?} is undecided"),
                    }
                }
            }
        }
    }
    assert_eq!((solved, impossible), (667, 1609));
}

/// Both inverses and the jumps between neighbours in time, at random steps and squares.
fn is_sound_here_and_there(problem: &TourProblem, itinerary: &Itinerary, random: &mut Random) {
    let board = &problem.board;
    assert_eq!(itinerary.len(), board.area());
    let length = itinerary.len();
    let mut steps: Vec<u64> = (0..200).map(|_| 1 + random.below(length)).collect();
    steps.extend([1, 2, length - 1, length]);
    for step in steps {
        let square = itinerary.at_step(step).unwrap();
        assert!(board.contains(square), "{problem:?}");
        assert_eq!(itinerary.step_of(square), Some(step), "{problem:?}");
        if let Some(next) = itinerary.at_step(step + 1) {
            assert!(board.is_jump(Leaper::KNIGHT, square, next), "{problem:?} step {step}");
        }
        let square = random.square(board);
        let step = itinerary.step_of(square).unwrap();
        assert_eq!(itinerary.at_step(step), Some(square), "{problem:?}");
    }
    let first = itinerary.at_step(1).unwrap();
    let last = itinerary.at_step(length).unwrap();
    assert!(problem.start.is_none_or(|start| start == first));
    assert!(problem.end.is_none_or(|end| end == last));
    assert!(problem.shape == Shape::Open || board.is_jump(Leaper::KNIGHT, last, first));
    assert_eq!((itinerary.at_step(0), itinerary.at_step(length + 1)), (None, None));
}

#[test]
fn huge_boards_answer_at_random_steps_and_squares() {
    let mut random = Random(31);
    let mut sizes =
        vec![(1_000_000, 1_000_000), (1 << 31, 1 << 31), ((1 << 31) - 1, (1 << 31) - 1)];
    sizes.extend([(1 << 31, 6), (7, 1 << 31), (3, 1 << 31), (1 << 31, 3), (3, (1 << 31) - 1)]);
    sizes.extend([(4, 1 << 31), ((1 << 31) - 1, 4), (5, 1 << 31), ((1 << 31) - 1, 5)]);
    for _ in 0..60 {
        let mut side = || 6 + random.below(1 << (3 + random.0 % 28)) as u32;
        sizes.push((side(), side()));
    }
    let mut closable = 0;
    for (files, ranks) in sizes {
        let board = Board::new(files, ranks).unwrap();
        let closed = TourProblem::closed(board.clone());
        if let Outcome::Solved(itinerary) = plan(&closed) {
            closable += 1;
            is_sound_here_and_there(&closed, &itinerary, &mut random);
            let from = closed.starting_at(random.square(&board));
            is_sound_here_and_there(&from, &solved(&from), &mut random);
        }
        let mut pairs = 0;
        while pairs < 4 {
            let (start, end) = (random.square(&board), random.square(&board));
            let outer = files.min(ranks) != 4 || {
                let row = |s: Square| if files == 4 { s.file } else { s.rank };
                [row(start), row(end)].iter().all(|r| matches!(r, 0 | 3))
            };
            if admitted(&board, start, end) && outer {
                let problem = TourProblem::open(board.clone()).starting_at(start).ending_at(end);
                is_sound_here_and_there(&problem, &solved(&problem), &mut random);
                pairs += 1;
            }
        }
    }
    assert_eq!(closable, 49);
}

#[test]
fn a_part_of_a_tour_is_the_tour_in_part() {
    let mut random = Random(3);
    for (files, ranks) in [(8, 8), (37, 24), (4, 31), (19, 3), (25, 25)] {
        let board = Board::new(files, ranks).unwrap();
        let problem = TourProblem::open(board).starting_at(Square::new(0, 0));
        let itinerary = solved(&problem);
        let whole = squares(&itinerary);
        for _ in 0..50 {
            let (a, b) = (1 + random.below(itinerary.len()), 1 + random.below(itinerary.len() + 9));
            let mut part = Vec::new();
            let _ = itinerary.walk(a..b, |square| {
                part.push(square);
                ControlFlow::<()>::Continue(())
            });
            let last = (b.max(a) as usize - 1).min(whole.len());
            assert_eq!(part, whole[a as usize - 1..last]);
            assert_eq!(itinerary.steps(a..b).collect::<Vec<_>>(), part);
            let rank = random.below(ranks.into()) as u32;
            let mut row = vec![0_u64; files as usize];
            itinerary.fill_ranks(rank..rank + 1, &mut row);
            for (file, step) in (0..).zip(row) {
                assert_eq!(itinerary.step_of(Square::new(file, rank)), Some(step));
            }
        }
    }
}

#[test]
fn a_stop_at_any_node_never_gives_a_wrong_answer() {
    let board = Board::new(5, 6).unwrap();
    let problem =
        TourProblem::open(board).starting_at(Square::new(1, 2)).ending_at(Square::new(2, 2));
    let whole = compose(&problem, &Options::new());
    assert!(matches!(whole.outcome, Outcome::Impossible(_)));
    for nodes in 1..whole.effort.nodes + 10 {
        match compose(&problem, &Options::new().node_limit(nodes)).outcome {
            Outcome::Unfinished { why, best } => assert_eq!((why, best), (Halt::Nodes, None)),
            Outcome::Impossible(_) => assert!(nodes >= whole.effort.nodes),
            Outcome::Solved(_) => panic!("there is no such tour"),
        }
    }
}

#[test]
fn what_compose_does_not_support_it_says() {
    let holed = Board::new(8, 8).unwrap().without([Square::new(3, 3)]).unwrap();
    let refused = TourProblem::open(holed).itinerary().unwrap_err();
    assert!(refused.to_string().starts_with("compose does not support this"), "{refused}");
    let huge = TourProblem::closed(Board::new(1 << 20, 1 << 20).unwrap());
    let refused = huge.solve_by(TourMethod::Compose, &Options::new()).unwrap_err();
    assert!(refused.to_string().contains("1099511627776 squares"), "{refused}");
}
