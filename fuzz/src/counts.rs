//! Counts of small worlds: totals by every method, by start, up to symmetry, and the numbers of tours.
//!
//! The input says what is asked of a question beyond its count: so an input costs little, and everything is asked of all
//! worlds over many inputs.

use arbitrary::{Result, Unstructured};
use destrier::{
    CountMethod, Method as _, Outcome, SolveError, Square, TourCount, TourSymmetry, Tours as _,
};

use crate::answered;
use crate::oracle::AllTours;
use crate::world;

/// Asks `auto` and another method how many there are, and one thing more.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let question = world::tour(u, 12)?;
    let other = *u.choose(&CountMethod::ALL[1..])?;
    let by_start = *u.choose(CountMethod::ALL)?;
    let more = u.int_in_range(0..=3_u8)?;
    let options = world::options(u)?;
    let Some(truth) = AllTours::of(&question, 4000, 300) else { return Ok(()) };
    let count = truth.found.len();
    let mut counted: Option<TourCount> = None;
    for method in [CountMethod::Auto, other] {
        let Some(found) = answered(&question, question.count_by(method, &options)) else {
            assert_ne!(method, CountMethod::Auto, "auto refuses {question:?}");
            continue;
        };
        if matches!(found.outcome, Outcome::Impossible(_)) {
            assert_eq!(count, 0, "{method} on {question:?}");
        }
        let found = found.total().expect("nothing stops it");
        assert_eq!(found.undirected(), count.into(), "{method} on {question:?}");
        assert_eq!(found, *counted.get_or_insert(found.clone()), "{method} on {question:?}");
    }
    let undirected = count.into();
    let has_ends = question.start.is_some() || question.end.is_some();
    match more {
        0 if question.start.is_none()
            && question.symmetry != Some(TourSymmetry::FourPaths)
            && question.board.len() > 1 =>
        {
            let found = question.count_by_start(by_start, &options);
            if let Some(found) = answered(&question, found) {
                let Outcome::Solved(found) = found.outcome else { panic!("nothing stops it") };
                let truth = truth.by_start(question.end);
                let truth: Vec<_> = truth.into_iter().map(|(s, n)| (s, n.into())).collect();
                assert_eq!(found, truth, "{by_start} by start on {question:?}");
            }
        }
        1 if !has_ends && question.symmetry.is_none() => {
            let found = question.classes(&undirected, &options);
            let found = found.unwrap_or_else(|error| panic!("{error} on {question:?}"));
            assert_eq!(found.classes, truth.classes().into(), "classes of {question:?}");
            for (symmetry, fixed) in truth.fixed() {
                assert_eq!(
                    found.fixed_by(symmetry),
                    Some(&fixed.into()),
                    "{symmetry:?} {question:?}"
                );
            }
        }
        1 if !has_ends => {
            let found = question.symmetric_classes(&undirected, &options);
            assert_eq!(found, Ok(truth.classes().into()), "classes of {question:?}");
        }
        2 if question.symmetry.is_none() => {
            let census = match question.census_with(&options) {
                Ok(census) => census,
                Err(SolveError::Unsuited { .. }) => return Ok(()),
                Err(error) => panic!("{error} on {question:?}"),
            };
            assert_eq!(census.total(), count as u128, "the census of {question:?}");
            assert_eq!(census.unrank(count as u128), Ok(None));
            let is_known = |squares: &[Square]| {
                truth.word(squares).is_some_and(|word| truth.found.binary_search(&word).is_ok())
            };
            for number in (0..count as u128).take(20) {
                let tour = census.unrank(number).expect("the checker accepts it");
                let (_, tour) = tour.expect("it is below the total").into_parts();
                assert!(is_known(&tour.0), "{tour} of {question:?}");
                assert_eq!(census.rank(&tour), Ok(number), "{tour} of {question:?}");
            }
            let drawn = census.sample(7).next();
            assert_eq!(drawn.is_some(), count > 0);
            let drawn = drawn.map(|tour| tour.expect("the checker accepts it"));
            assert!(drawn.is_none_or(|tour| is_known(&tour.solution().0)));
        }
        _ => {}
    }
    Ok(())
}
