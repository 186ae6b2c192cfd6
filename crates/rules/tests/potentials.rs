//! Potentials of swaps: true ones are followed, and none shows more than is true.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use destrier_rules::{
    Board, Budget, Fault, Goal, LetterPotentials, Metric, Potentials, Problem as _, Proof,
    Refutation, Side, Square, Support, SwapProblem, SwapRules, Wrap,
};

fn puzzle(from: &str, to: &str) -> SwapProblem {
    SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap()
}

fn letter(letter: char, knights: &[(&str, i64)], goals: &[(&str, i64)]) -> LetterPotentials {
    let square = |&(name, value): &(&str, i64)| (name.parse::<Square>().unwrap(), value);
    LetterPotentials {
        letter,
        knights: knights.iter().map(square).collect(),
        goals: goals.iter().map(square).collect(),
    }
}

fn shows(problem: &SwapProblem, bound: u64, letters: &[LetterPotentials]) -> Result<(), String> {
    let proof = Proof::Potentials(Potentials { letters: letters.to_vec() });
    match problem.prove(bound, &proof) {
        Ok(support) => {
            assert_eq!(support, Support::Checked);
            Ok(())
        }
        Err(fault) => Err(fault.to_string()),
    }
}

/// Two knights of one letter on 3x3, each two jumps from one goal and four from the other.
fn two_alike() -> (SwapProblem, LetterPotentials) {
    // The ring is a1 b3 c1 a2 c3 b1 a3 c2.
    let problem = puzzle("3/3/N1N", "N1N/3/3");
    (problem, letter('N', &[("a1", 2), ("c1", 2)], &[]))
}

#[test]
fn a_bound_is_added_up_and_nothing_beyond_it_is_shown() {
    let (problem, sound) = two_alike();
    for bound in 0..=4 {
        shows(&problem, bound, std::slice::from_ref(&sound)).unwrap();
    }
    let why = shows(&problem, 5, std::slice::from_ref(&sound)).unwrap_err();
    assert_eq!(why, "the claim does not hold: the potentials prove 4, but the lower bound is 5");
    // A letter that is not named needs nothing.
    shows(&problem, 0, &[]).unwrap();
    assert!(shows(&problem, 1, &[]).is_err());
}

#[test]
fn no_change_of_a_number_shows_more_than_is_true() {
    let (problem, sound) = two_alike();
    for by in [-4096, -2, -1, 1, 2, 4096, 1 << 32, i64::MAX, i64::MIN] {
        for square in ["a1", "c1", "a3", "c3"] {
            let mut spoiled = sound.clone();
            let square: Square = square.parse().unwrap();
            let side = if square.rank == 0 { &mut spoiled.knights } else { &mut spoiled.goals };
            let value = side.entry(square).or_insert(0);
            *value = value.saturating_add(by);
            assert!(shows(&problem, 5, &[spoiled]).is_err(), "{square} by {by}");
        }
    }
}

#[test]
fn numbers_of_other_squares_and_letters_are_refused() {
    let (problem, sound) = two_alike();
    let refused = |letters: &[LetterPotentials]| shows(&problem, 1, letters).unwrap_err();
    let twice = refused(&[sound.clone(), sound]);
    assert!(twice.contains("`N` occurs twice"), "{twice}");
    let elsewhere = refused(&[letter('N', &[("b2", 9)], &[])]);
    assert!(elsewhere.contains("no `N` stands on b2 at the start"), "{elsewhere}");
    let elsewhere = refused(&[letter('N', &[], &[("b2", 9)])]);
    assert!(elsewhere.contains("no `N` can end on b2"), "{elsewhere}");
    let foreign = refused(&[letter('Q', &[("a1", 9)], &[])]);
    assert!(foreign.contains("no `Q` stands on a1 at the start"), "{foreign}");
    let greedy = refused(&[letter('N', &[("a1", 3)], &[])]);
    assert!(greedy.contains("a1 and a3 add up to 3, but are 2 apart"), "{greedy}");
    let capture_proof = Proof::Refutation(Refutation { endings: Vec::new() });
    assert!(problem.prove(1, &capture_proof).is_err());
}

#[test]
fn an_open_square_may_stay_empty_so_it_adds_nothing() {
    // One of the two must come to a3; the other may stay where it is.
    let problem = puzzle("3/3/N1N", "N2/3/?1?");
    let must = letter('N', &[("a1", 0), ("c1", 0)], &[("a3", 2)]);
    shows(&problem, 2, &[must]).unwrap();
    let paid = letter('N', &[("a1", -1), ("c1", -1)], &[("a3", 3), ("a1", 1), ("c1", 1)]);
    let why = shows(&problem, 3, &[paid]).unwrap_err();
    assert!(why.contains("may stay empty"), "{why}");
    // Without room for it there the second knight counts, and the open squares do not.
    let full = puzzle("3/3/N1N", "N1N/3/?1?");
    let why = shows(&full, 1, &[letter('N', &[], &[("a1", -1)])]).unwrap_err();
    assert!(why.contains("no `N` can end on a1"), "{why}");
}

#[test]
fn runs_turns_and_colours_of_squares_are_minded() {
    let mut problem = puzzle("n1n/3/N1N", "N1N/3/n1n");
    let both = |value: i64| {
        [
            letter('N', &[("a1", value), ("c1", value)], &[]),
            letter('n', &[("a3", value), ("c3", value)], &[]),
        ]
    };
    shows(&problem, 8, &both(2)).unwrap();
    assert!(shows(&problem, 9, &both(2)).is_err());
    // In turns: four moves each, and whoever begins makes no fewer.
    problem.rules.alternate = Some(Side::White);
    shows(&problem, 8, &both(2)).unwrap();
    // White alone needs four; it begins, so black moves three times between.
    let white_only = &both(2)[..1];
    shows(&problem, 8, white_only).unwrap(); // 7, and the number of moves is even here
    problem.rules.alternate = Some(Side::Black);
    shows(&problem, 8, white_only).unwrap();
    assert!(shows(&problem, 9, white_only).is_err());
    problem.rules.alternate = None;
    problem.rules.metric = Metric::Runs;
    shows(&problem, 4, &both(1)).unwrap();
    assert!(shows(&problem, 5, &both(1)).is_err());
    assert!(shows(&problem, 4, &both(2)).is_err());
}

/// The greatest bound that is shown.
fn most(problem: &SwapProblem, letters: &[LetterPotentials]) -> u64 {
    (0..100).take_while(|&bound| shows(problem, bound, letters).is_ok()).count() as u64 - 1
}

#[test]
fn the_side_that_begins_makes_one_move_more() {
    // White needs two moves, black one: three in all, or two by white with one between.
    let mut problem = puzzle("3/n2/N2", "2n/3/2N");
    let letters = [letter('N', &[("a1", 2)], &[]), letter('n', &[("a2", 1)], &[])];
    for (begins, least) in [(None, 3), (Some(Side::White), 3), (Some(Side::Black), 5)] {
        problem.rules.alternate = begins;
        assert_eq!(most(&problem, &letters), least, "{begins:?}");
    }
}

#[test]
fn the_colours_of_squares_add_a_move_only_where_they_tell() {
    let one = [letter('N', &[("a1", 1)], &[])];
    // From dark to dark the number of moves is even.
    let mut problem = puzzle("3/3/N2", "3/3/2N");
    assert_eq!(most(&problem, &one), 2);
    problem.rules.metric = Metric::Runs;
    assert_eq!(most(&problem, &one), 1);
    // An open square says nothing of the number of moves.
    assert_eq!(most(&puzzle("3/3/NN1", "3/3/1?N"), &one), 1);
    // On a torus of odd sides squares have no colours.
    let mut torus = puzzle("5/5/5/5/N4", "5/5/5/5/2N2");
    assert_eq!(most(&torus, &one), 2);
    torus.board = torus.board.wrapped(Wrap::Both);
    assert_eq!(most(&torus, &one), 1);
}

#[test]
fn limits_are_kept_to_the_last_number() {
    let alone = |files: u32, ranks: u32| SwapProblem {
        board: Board::new(files, ranks).unwrap(),
        start: [("a1".parse().unwrap(), 'N')].into(),
        goal: Goal { knights: [("b3".parse().unwrap(), 'N')].into(), any: [].into() },
        rules: SwapRules::default(),
    };
    let one = [letter('N', &[("a1", 1)], &[])];
    shows(&alone(64, 64), 1, &one).unwrap();
    for ranks in [65, 66, 1000] {
        let why = shows(&alone(64, ranks), 1, &one).unwrap_err();
        assert!(why.contains("more than 4096 squares"), "{why}");
    }
    let (problem, _) = two_alike();
    shows(&problem, 0, &[letter('N', &[("a1", -(1 << 32))], &[])]).unwrap();
    let why = shows(&problem, 0, &[letter('N', &[("a1", -(1 << 32) - 1)], &[])]).unwrap_err();
    assert!(why.contains("is above 4294967296"), "{why}");
    // A square that may stay empty may be named with 0.
    let open = puzzle("3/3/N1N", "N2/3/?1?");
    shows(&open, 2, &[letter('N', &[], &[("a3", 2), ("a1", 0)])]).unwrap();
}

#[test]
fn potentials_are_refused_one_step_below_what_they_take() {
    let (problem, sound) = two_alike();
    let proof = Proof::Potentials(Potentials { letters: vec![sound] });
    let check = |most: u64| problem.prove_within(4, &proof, &Budget::new(most, &|| false));
    // 32 for each of two knights and nine squares, and for each square once more from each knight.
    let steps = 32 * (2 + 9 + 2 * 9);
    let most = steps - 1;
    assert_eq!(check(steps), Ok(Support::Checked));
    assert_eq!(check(most), Err(Fault::TooMuchWork { steps, most }));
}
