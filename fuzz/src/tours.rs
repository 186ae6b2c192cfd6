//! Tours of small worlds: solvers and enumerators agree with trying everything.
//!
//! The input says which methods are asked: `auto`, one other, and one that lists. So an input costs little, and all methods
//! meet all worlds over many inputs.

use std::ops::ControlFlow;

use arbitrary::{Result, Unstructured};
use destrier::{
    Centre, ListMethod, Listing, Method as _, Outcome, Solve as _, Tour, TourMethod, TourSymmetry,
    Tours as _,
};

use crate::answered;
use crate::oracle::AllTours;
use crate::world;

/// Asks some methods the same question.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    let question = world::tour(u, 12)?;
    let mut other = *u.choose(&TourMethod::ALL[1..])?;
    let lists = *u.choose(ListMethod::ALL)?;
    let is_distinct = u.ratio(1, 4)?;
    let options = world::options(u)?;
    // A thread for each first move takes longer than all other methods together.
    if matches!(other, TourMethod::Race(_)) && !u.ratio(1, 8)? {
        other = TourMethod::Search;
    }
    if question.symmetry == Some(TourSymmetry::FourPaths) && u.ratio(1, 4)? {
        let places = [Centre::Anywhere, Centre::First, Centre::Between, Centre::Last];
        other = TourMethod::FourPaths(*u.choose(&places)?);
    }
    let Some(truth) = AllTours::of(&question, 4000, 100) else { return Ok(()) };
    let exists = !truth.found.is_empty();
    for method in [TourMethod::Auto, other] {
        let Some(answer) = answered(&question, question.solve_by(method, &options)) else {
            assert_ne!(method, TourMethod::Auto, "auto refuses {question:?}");
            continue;
        };
        match answer.outcome {
            Outcome::Solved(tour) => {
                let word = truth.word(tour.squares()).expect("it visits open squares");
                assert!(truth.found.binary_search(&word).is_ok(), "{method} on {question:?}");
            }
            Outcome::Impossible(why) => assert!(!exists, "{method}: {why:?} on {question:?}"),
            Outcome::Unfinished { .. } => {}
        }
    }
    let mut seen = Vec::new();
    let mut listing = Listing::all().by(lists);
    if is_distinct {
        listing = listing.distinct();
    }
    let listed = question.enumerate(listing, &options, &mut |tour: &Tour| {
        seen.push(truth.word(&tour.0).expect("it visits open squares"));
        ControlFlow::Continue(())
    });
    let Some(listed) = answered(&question, listed) else {
        assert_ne!(lists, ListMethod::Auto, "auto refuses {question:?}");
        return Ok(());
    };
    seen.sort_unstable();
    if !is_distinct {
        assert_eq!(seen, truth.found, "{lists} on {question:?}");
        let total = listed.total().expect("nothing stops it");
        assert_eq!(total.undirected(), seen.len().into(), "{lists} on {question:?}");
    } else if question.start.is_none() && question.end.is_none() {
        assert_eq!(seen.len(), truth.classes(), "{lists}: classes of {question:?}");
        assert!(seen.iter().all(|word| truth.found.binary_search(word).is_ok()));
    }
    Ok(())
}
