//! Tours by number: a bijection, uniform draws, and every tour listed once.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use destrier::count::Census;
use destrier::rules::{Board, Problem as _, Shape, Square, Tour, TourProblem};
use destrier::tour::Naive;
use destrier::{Counter as _, Outcome, Watch};

fn census(question: &TourProblem) -> Census {
    Census::new(question, &Watch::unlimited()).unwrap().unwrap()
}

#[test]
fn numbers_and_tours_are_one_to_one() {
    let mut questions = Vec::new();
    for size in ["3x4", "4x5", "5x4", "5x5", "5x6", "3x10", "3x7"] {
        let board: Board = size.parse().unwrap();
        questions.push(TourProblem::closed(board.clone()));
        questions.push(TourProblem::open(board.clone()));
        let (a, b) = (Square::new(0, 0), Square::new(2, 0));
        for shape in [Shape::Open, Shape::Closed] {
            let plain = TourProblem { shape, ..TourProblem::open(board.clone()) };
            questions.push(plain.clone().from(b));
            questions.push(plain.clone().to(a));
            questions.push(plain.clone().from(a).to(b));
            questions.push(plain.from(a).to(Square::new(2, 1)));
        }
    }
    for question in questions {
        let census = census(&question);
        let mut listed: Vec<Tour> = Vec::new();
        census.each(0, &mut |tour| {
            assert_eq!(question.verify(tour), Ok(()), "{question:?}");
            listed.push(tour.clone());
            if listed.len() < 1500 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert!(census.total() >= listed.len() as u128);
        let different: BTreeSet<&Vec<Square>> = listed.iter().map(|tour| &tour.0).collect();
        assert_eq!(different.len(), listed.len());
        for (number, tour) in (0..).zip(&listed) {
            assert_eq!(census.rank(tour), Ok(number), "{question:?}");
            assert_eq!(census.unrank(number).as_ref(), Some(tour));
        }
        assert_eq!(census.unrank(census.total()), None);
        if question.board.len() <= 20 {
            let counted = Naive.count(&question, &Watch::unlimited()).unwrap().outcome;
            let Outcome::Solved(count) = counted else { panic!("unfinished") };
            assert_eq!(*count.undirected(), census.total().into(), "{question:?}");
        }
    }
}

#[test]
fn a_tour_has_its_number_from_any_square_and_either_way() {
    let question = TourProblem::closed("6x6".parse().unwrap());
    let census = census(&question);
    assert_eq!(census.total(), 9862);
    for number in [0, 4711, 9861] {
        let Tour(mut squares) = census.unrank(number).unwrap();
        squares.rotate_left(17);
        assert_eq!(census.rank(&Tour(squares.clone())), Ok(number));
        squares.reverse();
        assert_eq!(census.rank(&Tour(squares)), Ok(number));
    }
}

/// Draws over the 9862 tours in 100 bins: the statistic has mean 99 and deviation 14.1, so a value
/// outside 99 ± 70 would come up less than once in a hundred thousand seeds.
#[test]
fn draws_are_uniform_on_6x6() {
    let question = TourProblem::closed("6x6".parse().unwrap());
    let census = census(&question);
    let draws = 40_000_usize;
    let mut bins = vec![0_usize; 100];
    let mut size = vec![0_usize; 100];
    for number in 0..9862 {
        size[number * 100 / 9862] += 1;
    }
    for tour in census.sample(7).take(draws) {
        let number = usize::try_from(census.rank(&tour).unwrap()).unwrap();
        bins[number * 100 / 9862] += 1;
    }
    let square: f64 = bins
        .iter()
        .zip(&size)
        .map(|(&seen, &size)| {
            let expected = draws as f64 * size as f64 / 9862.0;
            (seen as f64 - expected).powi(2) / expected
        })
        .sum();
    assert!((29.0..169.0).contains(&square), "{square}");
    let again: Vec<Tour> = census.sample(7).take(3).collect();
    assert_eq!(again, census.sample(7).take(3).collect::<Vec<_>>());
}
