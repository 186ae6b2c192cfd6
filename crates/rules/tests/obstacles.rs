//! Why there is no answer: which reasons the checker accepts, square by square, and how they are told.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use destrier_rules::{
    Board, Budget, CaptureProblem, Fault, Leaper, Obstacle, Problem as _, Proof, Refutation, Shape,
    Square, Support, TourProblem, TourSymmetry, Wrap,
};

fn at(text: &str) -> Square {
    text.parse().unwrap()
}

fn holed(size: &str, holes: &str) -> Board {
    size.parse::<Board>().unwrap().without(holes.split_whitespace().map(at)).unwrap()
}

#[test]
fn obstacles_against_tours_hold_to_the_square() {
    let tour = |board: &Board, shape| TourProblem { shape, ..TourProblem::open(board.clone()) };
    let confirmed = |problem: &TourProblem, obstacle: Obstacle| problem.confirm(&obstacle);
    let colours = |dark, light| Obstacle::Colours { dark, light };
    let ends = |dark, light| Obstacle::EndColours { dark, light };
    // Colours: one more is enough against a closed tour, two against an open one.
    for (board, dark, light, open, closed) in [
        (holed("4x4", ""), 8, 8, false, false),
        (holed("3x3", ""), 5, 4, false, true),
        (holed("3x3", "b1"), 5, 3, true, true),
        (holed("3x3", "a1 c1 a3"), 2, 4, true, true),
    ] {
        assert_eq!(confirmed(&tour(&board, Shape::Open), colours(dark, light)).is_ok(), open);
        assert_eq!(confirmed(&tour(&board, Shape::Closed), colours(dark, light)).is_ok(), closed);
        assert!(confirmed(&tour(&board, Shape::Closed), colours(dark + 1, light)).is_err());
    }
    let camel = TourProblem {
        leaper: Leaper::new(1, 3).unwrap(),
        ..tour(&holed("3x3", ""), Shape::Closed)
    };
    assert!(confirmed(&camel, colours(5, 4)).is_err(), "a camel keeps its colour");
    let torus = tour(&holed("3x3", "").wrapped(Wrap::Both), Shape::Closed);
    assert!(confirmed(&torus, colours(5, 4)).is_err(), "a torus of odd sides has no colours");
    // The ends: every pair of squares on an even and an odd board.
    for (board, dark, light) in [
        (holed("3x4", ""), 6, 6),
        (holed("3x3", ""), 5, 4),
        (holed("3x3", "a1"), 4, 4),
        (holed("3x3", "a1 c3"), 3, 4),
    ] {
        for from in board.squares() {
            for to in board.squares().filter(|&to| to != from) {
                let problem = tour(&board, Shape::Open).starting_at(from).ending_at(to);
                let may_be = if dark == light {
                    from.is_dark() != to.is_dark()
                } else {
                    from.is_dark() == (dark > light) && to.is_dark() == (dark > light)
                };
                assert_eq!(confirmed(&problem, ends(dark, light)).is_ok(), !may_be, "{from} {to}");
            }
            let problem = tour(&board, Shape::Open).starting_at(from);
            let may_be = dark == light || from.is_dark() == (dark > light);
            assert_eq!(confirmed(&problem, ends(dark, light)).is_ok(), !may_be, "{from}");
        }
    }
    assert!(confirmed(&tour(&holed("3x3", "b1"), Shape::Open), ends(5, 3)).is_ok());
}

#[test]
fn dead_ends_and_cuts_hold_to_the_square() {
    let dead = |squares: &str| Obstacle::DeadEnds {
        squares: squares.split_whitespace().map(at).collect(),
    };
    // 3x4: a path a-b-c of dead ends on a board of few squares: the corners of 2x3 have one jump each.
    let pairs = TourProblem::open(holed("2x3", "a2 b2"));
    assert!(pairs.confirm(&dead("a1 b1 a3")).is_ok());
    assert!(pairs.confirm(&dead("a1 b1")).is_err(), "two dead ends can be the ends");
    assert!(pairs.confirm(&dead("a1 a1 a1")).is_err(), "named again is not one more");
    assert!(pairs.clone().starting_at(at("a3")).confirm(&dead("a1 b1")).is_ok(), "an end is taken");
    assert!(pairs.clone().starting_at(at("a1")).confirm(&dead("a1 b1")).is_err());
    assert!(
        pairs.clone().starting_at(at("a1")).ending_at(at("a3")).confirm(&dead("b1 a3")).is_ok()
    );
    assert!(
        pairs.clone().starting_at(at("a1")).ending_at(at("b1")).confirm(&dead("b1 a1")).is_err()
    );
    assert!(pairs.clone().starting_at(at("a1")).ending_at(at("b1")).confirm(&dead("a3")).is_ok());
    assert!(pairs.confirm(&dead("a1 a2 b1")).is_err(), "a hole is no dead end");
    let closed = TourProblem { shape: Shape::Closed, ..pairs };
    assert!(closed.confirm(&dead("a1")).is_ok());
    assert!(closed.confirm(&dead("")).is_err());
    let whole = TourProblem::open(holed("3x4", ""));
    assert!(whole.confirm(&dead("a1 b1 c1 a2")).is_err(), "they have two jumps");
    let single = TourProblem::open(holed("1x1", ""));
    assert!(single.confirm(&dead("a1")).is_err(), "one square alone is a tour");
    assert!(TourProblem::open(holed("3x3", "")).confirm(&dead("b2")).is_ok());
    assert!(TourProblem::open(holed("1x2", "")).confirm(&dead("a1")).is_ok(), "it is stranded");
    // Cuts: removing k squares may leave k parts of a closed tour, and k + 1 of an open one.
    let cut = |removed: &str, parts| Obstacle::Cut {
        removed: removed.split_whitespace().map(at).collect(),
        parts,
    };
    let ring = holed("3x3", "b2");
    let (open, closed) = (TourProblem::open(ring.clone()), TourProblem::closed(ring));
    assert!(closed.confirm(&cut("a1 c3", 2)).is_err());
    assert!(open.confirm(&cut("a1 c3", 2)).is_err());
    assert!(open.confirm(&cut("", 1)).is_err());
    assert!(closed.confirm(&cut("", 1)).is_err());
    let path = holed("3x3", "b2 a1");
    let (open, closed) = (TourProblem::open(path.clone()), TourProblem::closed(path));
    assert!(closed.confirm(&cut("c3", 2)).is_ok(), "a square whose loss parts a path");
    assert!(open.confirm(&cut("c3", 2)).is_err());
    assert!(open.confirm(&cut("c3", 3)).is_err(), "that is not what it leaves");
    assert!(open.confirm(&cut("c3 z9", 2)).is_err(), "a square off the board only weakens it");
    let whole = TourProblem::open(holed("3x3", ""));
    assert!(whole.confirm(&cut("", 2)).is_ok());
    assert!(
        whole.confirm(&cut("c3", 2)).is_err(),
        "an open tour joins two parts through one square"
    );
    assert!(whole.confirm(&cut("c3 a1", 3)).is_err());
    // 2x6: four parts.
    assert!(TourProblem::open(holed("2x6", "")).confirm(&cut("", 4)).is_ok());
    let huge = TourProblem::open(Board::new(4097, 4096).unwrap());
    assert!(huge.confirm(&cut("", 1)).unwrap_err().to_string().contains("too large"));
}

#[test]
fn a_board_at_the_limit_is_walked_and_one_beyond_is_not() {
    // Two ranks of 2²³ files: four parts, and a row that is just too long.
    let cut = |parts| Obstacle::Cut { removed: vec![], parts };
    let long = |files| TourProblem::open(Board::new(files, 2).unwrap());
    if cfg!(not(debug_assertions)) {
        assert!(long(1 << 23).confirm(&cut(4)).is_ok());
    }
    // Nothing is walked for a square that is not there.
    let nowhere = Obstacle::Unreachable { from: Square::new(0, 9), to: at("a1") };
    let within = long(1 << 23).confirm(&nowhere).unwrap_err();
    assert!(!within.to_string().contains("too large"));
    let beyond = long((1 << 23) + 1).confirm(&cut(4)).unwrap_err();
    assert!(beyond.to_string().contains("too large"));
}

#[test]
fn unreachable_means_that_no_way_leads_there() {
    let between = |from: &str, to: &str| Obstacle::Unreachable { from: at(from), to: at(to) };
    let problem = TourProblem::open(holed("3x3", "c3"));
    assert!(problem.confirm(&between("a1", "b2")).is_ok());
    assert!(problem.confirm(&between("a1", "b3")).is_err());
    assert!(problem.confirm(&between("a1", "c3")).is_err(), "a hole is no goal");
    assert!(problem.confirm(&between("c3", "b2")).is_err());
    assert!(problem.confirm(&between("a1", "a1")).is_err());
    assert!(problem.confirm(&between("a1", "d4")).is_err());
    let capture = CaptureProblem {
        board: holed("3x3", ""),
        start: at("a1"),
        targets: [at("b2"), at("b3")].into(),
    };
    assert_eq!(capture.confirm(&between("a1", "b2")), Ok(Support::Checked));
    assert!(capture.confirm(&between("a1", "b3")).is_err());
    assert!(capture.confirm(&between("b3", "b2")).is_err(), "the knight is elsewhere");
    let other = CaptureProblem { targets: [at("b3")].into(), ..capture.clone() };
    assert!(other.confirm(&between("a1", "b2")).is_err(), "there is no piece");
    let exhausted = Obstacle::Exhausted { method: "naive".to_owned(), nodes: 1 };
    assert_eq!(capture.confirm(&exhausted), Ok(Support::Search));
    assert_eq!(problem.confirm(&exhausted), Ok(Support::Search));
    assert!(capture.confirm(&Obstacle::Schwenk { short: 3, long: 3 }).is_err());
}

#[test]
fn schwenks_theorem_is_applied_where_it_applies() {
    for short in 1..8_u32 {
        for long in short..10 {
            let refused = short * long % 2 == 1
                || matches!(short, 1 | 2 | 4)
                || (short == 3 && matches!(long, 4 | 6 | 8));
            let obstacle = Obstacle::Schwenk { short, long };
            for (files, ranks) in [(short, long), (long, short)] {
                let closed = TourProblem::closed(Board::new(files, ranks).unwrap());
                let found = closed.confirm(&obstacle);
                assert_eq!(found.is_ok(), refused, "{files}x{ranks}");
                assert!(found.is_err() || found == Ok(Support::Theorem));
                let open = TourProblem { shape: Shape::Open, ..closed.clone() };
                assert!(open.confirm(&obstacle).is_err());
                let leaper = Leaper::new(0, 1).unwrap();
                assert!(TourProblem { leaper, ..closed.clone() }.confirm(&obstacle).is_err());
                let torus = closed.board.clone().wrapped(Wrap::Both);
                assert!(TourProblem { board: torus, ..closed }.confirm(&obstacle).is_err());
            }
            let text = obstacle.to_string();
            let odd = short % 2 == 1 && long % 2 == 1;
            assert_eq!(text.contains("odd number of squares"), odd, "{text}");
            assert_eq!(text.contains("a side of"), !odd && matches!(short, 1 | 2 | 4), "{text}");
        }
    }
    let other = TourProblem::closed(Board::new(3, 5).unwrap());
    assert!(other.confirm(&Obstacle::Schwenk { short: 3, long: 7 }).is_err(), "of another board");
    assert!(other.confirm(&Obstacle::Schwenk { short: 4, long: 5 }).is_err());
}

#[test]
fn reasons_are_told_in_words() {
    let squares = |names: &str| names.split_whitespace().map(at).collect::<Vec<_>>();
    let told = [
        (
            Obstacle::Colours { dark: 5, light: 3 },
            "every jump changes the colour, and there are 5 dark and 3 light squares",
        ),
        (
            Obstacle::DeadEnds { squares: squares("a1") },
            "a1 has too few jumps to be passed through",
        ),
        (
            Obstacle::DeadEnds { squares: squares("a1 b1") },
            "a1 and b1 have too few jumps to be passed through",
        ),
        (
            Obstacle::DeadEnds { squares: squares("a1 a2 a3 a4 a5 a6") },
            "a1, a2, a3, a4, a5 and a6 have too few jumps to be passed through",
        ),
        (
            Obstacle::DeadEnds { squares: squares("a1 a2 a3 a4 a5 a6 a7") },
            "a1, a2, a3, a4, a5, a6 and 1 more have too few jumps to be passed through",
        ),
        (Obstacle::Cut { removed: vec![], parts: 2 }, "no jump joins the 2 parts of the board"),
        (
            Obstacle::Cut { removed: squares("c3"), parts: 3 },
            "without c3 the board falls into 3 parts, more than a tour can join",
        ),
        (Obstacle::Unreachable { from: at("a1"), to: at("b2") }, "b2 cannot be reached from a1"),
        (
            Obstacle::Exhausted { method: "naive".to_owned(), nodes: 7 },
            "exhaustive search by naive (7 nodes)",
        ),
        (
            Obstacle::Exhausted { method: "naive".to_owned(), nodes: 1 },
            "exhaustive search by naive (1 node)",
        ),
    ];
    for (obstacle, words) in told {
        assert_eq!(obstacle.to_string(), words);
    }
    for (dark, light, ends) in
        [(6, 6, "opposite colours"), (5, 4, "both ends must be dark"), (3, 4, "be light")]
    {
        assert!(Obstacle::EndColours { dark, light }.to_string().ends_with(ends));
    }
    assert_eq!(Support::Checked.to_string(), "checked");
    assert!(Support::Search.to_string().contains("search"));
}

#[test]
fn a_theorem_is_known_by_its_name_alone() {
    let ring =
        "knights on a ring cannot pass each other, and no rotation gives the order of the goal";
    let half_turn = "no tour of such a board is mapped to itself by a half turn";
    for (name, says) in [
        ("ring", Some(ring)),
        ("the half-turn rule", Some(half_turn)),
        ("Ring", None),
        ("a rule of mine", None),
        ("", None),
    ] {
        assert_eq!(Obstacle::theorem(name), says, "{name}");
    }
}

#[test]
fn only_what_the_checker_went_through_is_confirmed() {
    for (support, is_confirmed) in [
        (Support::Checked, true),
        (Support::Theorem, true),
        (Support::Stated, false),
        (Support::Search, false),
        (Support::SearchedAgain, true),
    ] {
        assert_eq!(support.is_confirmed(), is_confirmed, "{support}");
    }
}

/// Is there a tour? By trying every path.
fn has_tour(problem: &TourProblem) -> bool {
    fn onward(problem: &TourProblem, at: Square, path: &mut Vec<Square>, all: usize) -> bool {
        path.push(at);
        let done = path.len() == all
            && problem.end.is_none_or(|end| end == at)
            && (problem.shape == Shape::Open || all == 1 || problem.is_jump(at, path[0]));
        let found = done
            || problem
                .board
                .jumps_from(problem.leaper, at)
                .into_iter()
                .any(|next| !path.contains(&next) && onward(problem, next, path, all));
        path.pop();
        found
    }
    let all = usize::try_from(problem.board.len()).unwrap();
    let starts =
        problem.board.squares().filter(|&at| problem.start.is_none_or(|start| start == at));
    starts.into_iter().any(|at| onward(problem, at, &mut Vec::new(), all))
}

/// What a theorem rules out by conditions that the checker looks at is compared with trying every path.
#[test]
fn theorems_about_tours_rule_out_only_what_is_impossible() {
    let names = ["the connection of leapers", "closing jump", "four rows", "corner rule"];
    let mut ruled_out = [0; 4];
    for (files, ranks) in [(1, 1), (1, 2), (1, 4), (2, 2), (2, 4), (3, 2), (3, 3), (3, 4)] {
        for wrap in [Wrap::None, Wrap::Files, Wrap::Both] {
            for legs in ["1,2", "0,1", "1,1", "0,2", "1,3"] {
                let board = Board::new(files, ranks).unwrap().wrapped(wrap);
                let squares: Vec<Square> = board.squares().collect();
                let ends: Vec<Option<Square>> =
                    squares.iter().copied().map(Some).chain([None]).collect();
                for shape in [Shape::Open, Shape::Closed] {
                    for (&start, &end) in ends.iter().flat_map(|a| ends.iter().map(move |b| (a, b)))
                    {
                        let plain = TourProblem { shape, ..TourProblem::open(board.clone()) };
                        let plain = plain.with_leaper(legs.parse().unwrap());
                        let problem = TourProblem { start, end, ..plain };
                        if problem.validate().is_err() {
                            continue;
                        }
                        for (name, ruled_out) in names.iter().zip(&mut ruled_out) {
                            let theorem =
                                Obstacle::Theorem { name: (*name).to_owned(), text: String::new() };
                            if problem.confirm(&theorem) == Ok(Support::Theorem) {
                                *ruled_out += 1;
                                assert!(!has_tour(&problem), "{name}: {problem:?}");
                            }
                        }
                    }
                }
            }
        }
    }
    assert_eq!(ruled_out, [2478, 3224, 360, 894]);
}

/// A symmetry rule speaks of the symmetry that is asked for, and forced jumps need both ends.
#[test]
fn arguments_in_words_are_for_the_questions_that_they_speak_of() {
    let board = Board::new(6, 6).unwrap();
    let stated = |problem: &TourProblem, name: &str| {
        let theorem = Obstacle::Theorem { name: name.to_owned(), text: String::new() };
        problem.confirm(&theorem) == Ok(Support::Stated)
    };
    for symmetry in TourSymmetry::ALL {
        let problem =
            TourProblem { symmetry: Some(symmetry), ..TourProblem::closed(board.clone()) };
        for other in TourSymmetry::ALL {
            assert_eq!(stated(&problem, &format!("the {other} rule")), symmetry == other);
        }
    }
    let open = TourProblem::open(board.clone()).starting_at(Square::new(0, 0));
    assert!(!stated(&open, "forced jumps"));
    assert!(stated(&open.ending_at(Square::new(2, 1)), "forced jumps"));
    assert!(!stated(&TourProblem::closed(board), "the half-turn rule"));
}

/// A table that takes more memory than is allowed is not made, and nothing is said of the claim.
#[test]
fn what_takes_more_memory_than_is_allowed_is_undecided() {
    let board = Board::new(300, 300).unwrap();
    let needs = |said: Result<Support, Fault>| matches!(said, Err(Fault::Undecided(why)) if why.contains("MiB are allowed"));
    let little = Budget::default().memory(1 << 20);
    let closed = TourProblem::closed(board.clone());
    let cut = Obstacle::Cut { removed: vec![at("c3")], parts: 2 };
    assert!(needs(closed.confirm_within(&cut, &little)));
    assert!(matches!(closed.confirm(&cut), Err(Fault::Reason(_))));
    let capture = CaptureProblem { board, start: at("a1"), targets: [at("b3")].into() };
    let proof = Proof::Refutation(Refutation { endings: Vec::new() });
    let little = Budget::default().memory(1 << 20);
    assert!(needs(capture.prove_within(1, &proof, &little)));
    assert!(!needs(capture.prove_within(1, &proof, &Budget::default())));
}
