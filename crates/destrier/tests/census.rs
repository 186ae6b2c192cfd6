//! Tours by number: a bijection, uniform draws, and every tour listed once.

mod folder;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use destrier::{
    Board, Census, CountMethod, Leaper, ListMethod, Listing, Method, Options, Outcome, Problem,
    Shape, SolveError, Square, Tour, TourCount, TourProblem, Tours,
};
use folder::Folder;

/// The tour with a number that there is.
fn numbered(census: &Census, number: u128) -> Tour {
    let tour = census.unrank(number).expect("the checker accepts it");
    tour.expect("it is below the total").into_parts().1
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
            questions.push(plain.clone().starting_at(b));
            questions.push(plain.clone().ending_at(a));
            questions.push(plain.clone().starting_at(a).ending_at(b));
            questions.push(plain.starting_at(a).ending_at(Square::new(2, 1)));
        }
    }
    let mut counted = 0;
    for question in questions {
        let census = question.census().unwrap();
        let mut listed: Vec<Tour> = Vec::new();
        let by_number = Listing::all().by(ListMethod::Census).limit(1500);
        let found = question.enumerate(by_number, &Options::new(), &mut |tour| {
            assert_eq!(question.verify(tour), Ok(()), "{question:?}");
            listed.push(tour.clone());
            ControlFlow::Continue(())
        });
        assert!(found.is_ok(), "{question:?}");
        assert!(census.total() >= listed.len() as u128);
        let different: BTreeSet<&Vec<Square>> = listed.iter().map(|tour| &tour.0).collect();
        assert_eq!(different.len(), listed.len());
        for (number, tour) in (0..).zip(&listed) {
            assert_eq!(census.rank(tour), Ok(number), "{question:?}");
            assert_eq!(numbered(&census, number), *tour);
        }
        assert_eq!(census.unrank(census.total()), Ok(None));
        if question.board.len() <= 20 {
            let found = question.count_by(CountMethod::Naive, &Options::new()).unwrap();
            let count = found.total().unwrap();
            assert_eq!(count.undirected(), census.total().into(), "{question:?}");
            counted += 1;
        }
    }
    assert_eq!(counted, 30, "three sizes in ten ways are small enough");
}

#[test]
fn a_tour_has_its_number_from_any_square_and_either_way() {
    let question = TourProblem::closed("6x6".parse().unwrap());
    let census = question.census().unwrap();
    assert_eq!(census.total(), 9862);
    for number in [0, 4711, 9861] {
        let Tour(mut squares) = numbered(&census, number);
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
    let census = question.census().unwrap();
    let draws = 40_000_u32;
    let mut bins = vec![0_u32; 100];
    let mut size = vec![0_u32; 100];
    for number in 0..9862 {
        size[number * 100 / 9862] += 1;
    }
    for tour in census.sample(7).take(draws as usize) {
        let tour = tour.unwrap();
        let number = usize::try_from(census.rank(tour.solution()).unwrap()).unwrap();
        bins[number * 100 / 9862] += 1;
    }
    let square: f64 = bins
        .iter()
        .zip(&size)
        .map(|(&seen, &size)| {
            let expected = f64::from(draws) * f64::from(size) / 9862.0;
            (f64::from(seen) - expected).powi(2) / expected
        })
        .sum();
    assert!((29.0..169.0).contains(&square), "{square}");
    let again: Vec<_> = census.sample(7).take(3).collect();
    assert_eq!(again, census.sample(7).take(3).collect::<Vec<_>>());
}

/// A board too large for every state: the rows above the middle are never swept, and the count is that of the literature.
#[test]
fn a_wide_board_is_met_in_the_middle() {
    let question = TourProblem::closed("7x8".parse().unwrap());
    let census = question.census().unwrap();
    assert_eq!(census.total(), 34_524_432_316);
    for number in [0, 1, 4_711_000_000, 17_262_216_158, 34_524_432_315] {
        let tour = numbered(&census, number);
        assert_eq!(question.verify(&tour), Ok(()));
        assert_eq!(census.rank(&tour), Ok(number));
    }
    assert_eq!(census.unrank(census.total()), Ok(None));
    // Its states are too many to list from: `auto` searches instead, as it need not on 6×6.
    for (question, method) in
        [(question, "backtrack"), (TourProblem::closed("6x6".parse().unwrap()), "census")]
    {
        let first = &mut |_: &Tour| ControlFlow::Break(());
        let found = question.enumerate(Listing::all(), &Options::new(), first).unwrap();
        assert_eq!(found.effort.method, method);
    }
}

#[test]
fn a_list_of_no_tours_is_not_the_whole_list() {
    let question = TourProblem::open("5x5".parse().unwrap());
    for listing in [Listing::all(), Listing::all().distinct()] {
        for &method in ListMethod::ALL {
            let listing = listing.by(method).limit(0);
            let mut seen = 0;
            let mut see = |_: &Tour| {
                seen += 1;
                ControlFlow::Continue(())
            };
            let found = question.enumerate(listing, &Options::new(), &mut see).unwrap();
            assert_eq!(seen, 0, "{method:?}");
            let Outcome::Unfinished { best, .. } = found.outcome else { panic!("{method:?}") };
            assert_eq!(best.unwrap(), TourCount::ZERO);
        }
    }
}

#[test]
fn a_list_or_census_that_stopped_does_not_say_that_there_are_no_tours() {
    let wazir = Leaper::new(0, 1).unwrap();
    let mut stopped = 0;
    for size in ["1x1", "1x2", "2x1", "1x3", "2x2"] {
        let board: Board = size.parse().unwrap();
        let question = TourProblem { leaper: wazir, ..TourProblem::open(board) };
        let total = question.census().unwrap().total();
        assert!(total > 0, "{size}");
        for nodes in 0..12 {
            let options = Options::new().node_limit(nodes);
            match question.census_with(&options) {
                Ok(census) => assert_eq!(census.total(), total, "{size} at {nodes}"),
                Err(error) => {
                    assert!(matches!(error, SolveError::Stopped(_)), "{size} at {nodes}: {error}");
                    stopped += 1;
                }
            }
            for &method in ListMethod::ALL {
                let listing = Listing::all().by(method);
                let mut go_on = |_: &Tour| ControlFlow::Continue(());
                let found = question.enumerate(listing, &options, &mut go_on).unwrap();
                match found.outcome {
                    Outcome::Solved(count) => {
                        assert_eq!(
                            count.undirected(),
                            total.into(),
                            "{method} on {size} at {nodes}"
                        );
                    }
                    Outcome::Impossible(_) => panic!("{method} on {size} at {nodes}"),
                    Outcome::Unfinished { .. } => {}
                }
            }
        }
    }
    assert!(stopped >= 10, "{stopped} were stopped");
}

/// With little memory only the ends of rows are kept; the numbers stay the same.
#[test]
fn tables_of_row_ends_number_tours_as_all_states_do() {
    for (size, shape, memory) in [
        ("6x6", Shape::Closed, 6_000_000),
        ("5x6", Shape::Open, 12_000_000),
        ("6x5", Shape::Open, 12_000_000),
        ("4x7", Shape::Open, 2_000_000),
        ("5x7", Shape::Open, 24_000_000),
        ("5x8", Shape::Closed, 4_000_000),
        ("9x4", Shape::Open, 4_000_000),
    ] {
        let question = TourProblem { shape, ..TourProblem::open(size.parse().unwrap()) };
        let whole = question.census().unwrap();
        let sparse = question.census_with(&Options::new().memory(memory)).unwrap();
        assert!(sparse.states() * 4 < whole.states(), "{} states", sparse.states());
        assert_eq!(sparse.total(), whole.total());
        let step = usize::try_from(whole.total() / 40 + 1).unwrap();
        for number in (0..whole.total()).step_by(step) {
            let tour = numbered(&whole, number);
            assert_eq!(numbered(&sparse, number), tour);
            assert_eq!(sparse.rank(&tour), Ok(number));
        }
    }
}

#[test]
fn what_is_no_tour_has_no_number() {
    let question = TourProblem::closed("6x6".parse().unwrap());
    let census = question.census().unwrap();
    let Tour(mut squares) = numbered(&census, 5);
    squares.swap(3, 4);
    assert!(census.rank(&Tour(squares.clone())).is_err());
    squares.truncate(10);
    assert!(census.rank(&Tour(squares)).is_err());
}

#[test]
fn tables_from_disk_are_the_same_and_spoiled_ones_are_made_anew() {
    let folder = Folder::new("census");
    let question = TourProblem::closed("6x6".parse().unwrap());
    let options = Options::new().memory(6_000_000).cache(&folder.0);
    let cached = || -> Census { question.census_with(&options).unwrap() };
    let first = cached();
    let file = std::fs::read_dir(&folder.0).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(&file).unwrap();
    let again = cached();
    assert_eq!((first.total(), first.states()), (again.total(), again.states()));
    assert_eq!(first.unrank(4711), again.unrank(4711));
    for spoiled in [&bytes[..bytes.len() / 2], &bytes[..10], b"something else"] {
        std::fs::write(&file, spoiled).unwrap();
        assert_eq!(cached().total(), 9862);
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
    }
}

#[test]
fn one_bit_spoils_tables_on_disk_and_the_user_is_told() {
    let folder = Folder::new("census-bits");
    let question = TourProblem::closed("6x6".parse().unwrap());
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = told.clone();
    let options = Options::new().memory(6_000_000).cache(&folder.0).on_progress(move |progress| {
        heard.lock().unwrap().clone_from(&progress.notes);
    });
    assert_eq!(question.census_with(&options).unwrap().total(), 9862);
    assert!(told.lock().unwrap().is_empty());
    let file = std::fs::read_dir(&folder.0).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(&file).unwrap();
    let step = bytes.len() / 40;
    for at in (0..bytes.len()).step_by(step).chain([bytes.len() - 1]) {
        let mut spoiled = bytes.clone();
        spoiled[at] ^= 1 << (at % 8);
        std::fs::write(&file, &spoiled).unwrap();
        assert_eq!(question.census_with(&options).unwrap().total(), 9862, "byte {at}");
        let note = told.lock().unwrap().pop().unwrap();
        assert!(note.contains("rebuilt"), "{note}");
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
    }
    let names: Vec<_> = std::fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(names.len(), 1, "no temporary file stays: {names:?}");
}

#[test]
fn a_link_in_the_way_of_a_cache_is_not_followed() {
    let folder = Folder::new("census-link");
    let question = TourProblem::closed("6x6".parse().unwrap());
    let options = Options::new().memory(6_000_000).cache(&folder.0);
    question.census_with(&options).unwrap();
    let file = std::fs::read_dir(&folder.0).unwrap().next().unwrap().unwrap().path();
    let precious = Folder::new("census-precious");
    std::fs::create_dir_all(&precious.0).unwrap();
    let precious = precious.0.join("file");
    std::fs::write(&precious, "mine").unwrap();
    // The name that a temporary file had before, from the number of the process alone.
    let partial = file.with_extension(format!("{}.partial", std::process::id()));
    std::fs::remove_file(&file).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&precious, &partial).unwrap();
        // What stands in place of the tables is not even read.
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
    }
    question.census_with(&options).unwrap();
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "mine");
    assert!(std::fs::symlink_metadata(&file).unwrap().is_file());
}
