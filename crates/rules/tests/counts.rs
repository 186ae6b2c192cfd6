//! Counts: the checker's own numbers against plain enumeration, and every number of a certificate spoiled.

#![cfg(feature = "serde")]
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{BTreeMap, BTreeSet};

use destrier_rules::{
    AnyCertificate, Board, Budget, CountCertificate, CountStatement, Fault, Leaper, Problem as _,
    Shape, Square, Support, Symmetry, Tour, TourProblem, TourSymmetry, Unchecked, Wrap,
    check_by_start,
};
use serde_json::{Value, json};

/// All directed tours that go on from these squares.
fn walks(problem: &TourProblem, squares: &mut Vec<Square>) -> u64 {
    if squares.len() as u64 == problem.board.len() {
        return problem.verify(&Tour(squares.clone())).is_ok().into();
    }
    let nexts: Vec<Square> =
        problem.board.squares().filter(|next| !squares.contains(next)).collect();
    let mut found = 0;
    for next in nexts {
        if squares.last().is_none_or(|&last| problem.is_jump(last, next)) {
            squares.push(next);
            found += walks(problem, squares);
            squares.pop();
        }
    }
    found
}

fn undirected(problem: &TourProblem) -> u64 {
    let directed = walks(problem, &mut Vec::new());
    let free = problem.start.is_none() && problem.end.is_none();
    // A closed tour is met once from each square, or from the given one, and either way unless both ends are given.
    let times = match problem.shape {
        Shape::Open if free && problem.board.len() > 1 => 2,
        Shape::Open => 1,
        Shape::Closed if free => 2 * problem.board.len(),
        Shape::Closed => 1 + u64::from(problem.start.is_none() || problem.end.is_none()),
    };
    directed / times
}

fn statement(question: TourProblem, undirected: u64) -> CountStatement {
    let directed = if question.is_one_way() { undirected } else { 2 * undirected };
    CountStatement {
        destrier: 1,
        question,
        complete: true,
        undirected: undirected.to_string(),
        directed: directed.to_string(),
        method: "naive".to_owned(),
        evidence: Vec::new(),
        classes: None,
        fixed: [].into(),
    }
}

fn check(statement: CountStatement) -> Result<Support, Fault> {
    let budget = Budget::default().searching(100_000);
    CountCertificate::check(statement, &budget).map(|certificate| certificate.support())
}

#[test]
fn the_checker_counts_as_enumeration_does() {
    let mut positive = 0;
    for size in ["1x1", "1x2", "2x2", "3x3", "3x4", "2x4", "1x6"] {
        for wrap in [Wrap::None, Wrap::Files, Wrap::Both] {
            for leaper in [Leaper::KNIGHT, Leaper::new(0, 1).unwrap()] {
                // Larger tori have too many tours to list.
                if size == "3x4" && wrap != Wrap::None {
                    continue;
                }
                let board: destrier_rules::Board = size.parse().unwrap();
                let squares: Vec<Square> = board.squares().collect();
                let ends = [None, Some(squares[0]), Some(squares[squares.len() - 1])];
                for (start, end) in ends.iter().flat_map(|&s| ends.map(|e| (s, e))) {
                    for shape in [Shape::Open, Shape::Closed] {
                        let board = board.clone().wrapped(wrap);
                        let open = TourProblem::open(board);
                        let problem = TourProblem { shape, start, end, leaper, ..open };
                        if problem.validate().is_err() {
                            continue;
                        }
                        let true_number = undirected(&problem);
                        positive += u64::from(true_number > 0);
                        let said = |number| check(statement(problem.clone(), number));
                        assert_eq!(said(true_number), Ok(Support::SearchedAgain), "{problem:?}");
                        assert!(said(true_number + 1).is_err(), "{problem:?}");
                        assert!(true_number == 0 || said(true_number - 1).is_err());
                        let so_far = |undirected| {
                            let complete = false;
                            check(CountStatement {
                                complete,
                                ..statement(problem.clone(), undirected)
                            })
                        };
                        assert_eq!(so_far(true_number), Ok(Support::Search));
                        assert_eq!(so_far(0), Ok(Support::Search));
                        assert!(so_far(true_number + 1).is_err());
                    }
                }
            }
        }
    }
    assert!(positive > 100, "{positive}");
}

#[test]
fn what_it_cannot_count_it_does_not_confirm() {
    // Few positions, but too many tours to look at each.
    let torus: Board = "3x4".parse().unwrap();
    let torus = TourProblem::open(torus.wrapped(Wrap::Both));
    let some = || Budget::default().searching(50_000);
    assert!(CountCertificate::check(statement(torus.clone(), 99), &some()).is_err());
    let symmetric = statement(torus.with_symmetry(TourSymmetry::HalfTurn), 99);
    let symmetric = CountCertificate::check(symmetric, &some());
    assert_eq!(symmetric.map(|count| count.support()), Ok(Support::Search));
    let large = TourProblem::closed("6x6".parse().unwrap());
    assert_eq!(check(statement(large.clone(), 9_862)), Ok(Support::Search));
    assert_eq!(
        check(statement(TourProblem::open("129x1".parse().unwrap()), 0)),
        Ok(Support::Search)
    );
    let small = TourProblem::open("3x4".parse().unwrap());
    let unasked = CountCertificate::check(statement(small.clone(), 7), &Budget::default());
    assert_eq!(unasked.unwrap().support(), Support::Search);
    let stopped = Budget::new(u64::MAX, &|| true).searching(100);
    assert_eq!(CountCertificate::check(statement(small, 8), &stopped), Err(Fault::Stopped));
}

/// Small boards on which symmetries do all that they can do: move every square, some, none, or reverse nothing but the
/// order.
fn degenerate() -> Vec<TourProblem> {
    let mut found = Vec::new();
    for (size, holes, wrap, legs) in [
        ("1x1", "", Wrap::None, (1, 2)),
        ("1x2", "", Wrap::None, (0, 1)),
        ("1x5", "", Wrap::None, (0, 1)),
        ("1x5", "", Wrap::Files, (1, 2)),
        ("4x1", "", Wrap::Both, (1, 2)),
        ("6x1", "c1", Wrap::Both, (1, 2)),
        ("2x2", "", Wrap::None, (0, 1)),
        ("2x3", "", Wrap::None, (0, 1)),
        ("3x3", "b2", Wrap::None, (1, 2)),
        ("3x3", "a1", Wrap::None, (0, 1)),
        ("3x3", "b1 a2 c2 b3", Wrap::Both, (1, 2)),
        ("3x3", "a1 a3 c1 c3", Wrap::Both, (1, 1)),
        ("3x4", "", Wrap::None, (1, 2)),
    ] {
        let holes = holes.split_whitespace().map(|hole| hole.parse().unwrap());
        let board: Board = size.parse().unwrap();
        let board = board.without(holes.collect::<BTreeSet<_>>()).unwrap().wrapped(wrap);
        let leaper = Leaper::new(legs.0, legs.1).unwrap();
        for shape in [Shape::Open, Shape::Closed] {
            found.push(TourProblem { shape, leaper, ..TourProblem::open(board.clone()) });
        }
    }
    found
}

#[test]
fn symmetric_tours_are_counted_as_enumeration_does() {
    let (mut asked, mut positive) = (0, 0);
    for free in degenerate() {
        let last = free.board.squares().last();
        for symmetry in TourSymmetry::ALL {
            for (start, end) in [(None, None), (last, None), (None, last)] {
                let problem = TourProblem { symmetry: Some(symmetry), start, end, ..free.clone() };
                if problem.validate().is_err() {
                    continue;
                }
                let number = undirected(&problem);
                let said = |number| check(statement(problem.clone(), number));
                assert_eq!(said(number), Ok(Support::SearchedAgain), "{problem:?}");
                assert!(said(number + 1).is_err(), "{problem:?}");
                asked += 1;
                positive += u32::from(number > 0);
            }
        }
    }
    assert!(asked > 100 && positive > 40, "{asked} {positive}");
}

/// The undirected tours of a question without ends, each written in one way.
fn tours(problem: &TourProblem) -> BTreeSet<Vec<Square>> {
    fn extend(problem: &TourProblem, squares: &mut Vec<Square>, found: &mut BTreeSet<Vec<Square>>) {
        if problem.verify(&Tour(squares.clone())).is_ok() {
            found.insert(written(problem, squares));
        }
        for next in problem.board.squares() {
            if !squares.contains(&next)
                && squares.last().is_none_or(|&last| problem.is_jump(last, next))
            {
                squares.push(next);
                extend(problem, squares, found);
                squares.pop();
            }
        }
    }
    let mut found = BTreeSet::new();
    extend(problem, &mut Vec::new(), &mut found);
    found
}

/// The first of all lists of a tour.
fn written(problem: &TourProblem, squares: &[Square]) -> Vec<Square> {
    let firsts = if problem.shape == Shape::Closed { squares.len() } else { 1 };
    let lists = (0..firsts).flat_map(|first| {
        let there = [&squares[first..], &squares[..first]].concat();
        let back = there.iter().rev().copied().collect();
        [there, back]
    });
    lists.min().unwrap()
}

fn image(problem: &TourProblem, tour: &[Square], symmetry: Symmetry) -> Vec<Square> {
    let (files, ranks) = (problem.board.files(), problem.board.ranks());
    let squares: Vec<Square> = tour.iter().map(|&s| symmetry.apply(s, files, ranks)).collect();
    written(problem, &squares)
}

#[test]
fn classes_and_what_symmetries_fix_are_counted_as_by_listing() {
    let budget = || Budget::default().searching(100_000);
    let mut several = 0;
    for free in degenerate() {
        for symmetry in std::iter::once(None).chain(TourSymmetry::ALL.map(Some)) {
            let problem = TourProblem { symmetry, ..free.clone() };
            if problem.validate().is_err() {
                continue;
            }
            let tours = tours(&problem);
            let symmetries = problem.board.symmetries();
            let class = |tour: &Vec<Square>| {
                symmetries.iter().map(|&symmetry| image(&problem, tour, symmetry)).min()
            };
            let classes = tours.iter().map(class).collect::<BTreeSet<_>>().len();
            several += usize::from(classes > 1);
            let fixed: BTreeMap<String, String> = symmetries
                .iter()
                .map(|&symmetry| {
                    let stays = tours.iter().filter(|t| image(&problem, t, symmetry) == **t);
                    (symmetry.to_string(), stays.count().to_string())
                })
                .collect();
            let said = |classes: usize, fixed: &BTreeMap<String, String>| {
                let number = tours.len() as u64;
                let statement = CountStatement {
                    classes: Some(classes.to_string()),
                    fixed: fixed.clone(),
                    ..statement(problem.clone(), number)
                };
                let checked = CountCertificate::check(statement, &budget());
                checked.map(|certificate| certificate.classes_support())
            };
            let confirmed = Ok(Some(Support::SearchedAgain));
            assert_eq!(said(classes, &fixed), confirmed, "{problem:?}");
            assert_eq!(said(classes, &[].into()), confirmed, "{problem:?}");
            for wrong in [classes + 1, classes.wrapping_sub(1)] {
                assert!(said(wrong, &[].into()).is_err(), "{problem:?}");
            }
            // One class more, and as many more tours fixed by one of the symmetries: that adds up, and is wrong.
            for name in fixed.keys().filter(|&name| name != "identity") {
                let mut other = fixed.clone();
                let more: usize = other[name].parse::<usize>().unwrap() + symmetries.len();
                other.insert(name.clone(), more.to_string());
                let refuted = said(classes + 1, &other).unwrap_err().to_string();
                assert!(refuted.contains("the checker counts: the "), "{refuted}");
            }
        }
    }
    assert!(several > 10, "{several}");
}

#[test]
fn what_is_said_of_classes_without_being_counted_is_not_confirmed() {
    let question = TourProblem::open("3x4".parse().unwrap());
    let classes = |question: &TourProblem, complete: bool| CountStatement {
        classes: Some("3".to_owned()),
        complete,
        ..statement(question.clone(), 8)
    };
    let said = |statement: CountStatement, budget: &Budget<'_>| {
        CountCertificate::check(statement, budget).map(|count| count.classes_support())
    };
    let searching = Budget::default().searching(100_000);
    assert_eq!(said(classes(&question, true), &searching), Ok(Some(Support::SearchedAgain)));
    // Of a count that was stopped, or with no searches allowed, nothing is known.
    assert_eq!(said(classes(&question, false), &searching), Ok(Some(Support::Search)));
    assert_eq!(said(classes(&question, true), &Budget::default()), Ok(Some(Support::Search)));
    assert_eq!(said(statement(question.clone(), 8), &searching), Ok(None));
    for ends in
        [question.clone().starting_at(Square::new(0, 0)), question.ending_at(Square::new(0, 0))]
    {
        let statement = CountStatement { directed: "8".to_owned(), ..classes(&ends, true) };
        let refused = said(statement, &Budget::default()).unwrap_err().to_string();
        assert!(refused.contains("`classes` are of questions without ends"), "{refused}");
    }
}

#[test]
fn numbers_by_start_are_counted_as_enumeration_does() {
    let mut positive = 0;
    for problem in degenerate() {
        let from = |start: Square| {
            let mut path = vec![start];
            walks(&problem, &mut path)
        };
        let directed: BTreeMap<Square, u64> =
            problem.board.squares().map(|square| (square, from(square))).collect();
        positive += usize::from(directed.values().any(|&number| number > 0));
        let check = |numbers: &BTreeMap<Square, u64>| {
            let texts = numbers.iter().map(|(&square, number)| (square, number.to_string()));
            check_by_start(&problem, &texts.collect(), &Budget::default().searching(100_000))
        };
        assert_eq!(check(&directed), Ok(Support::SearchedAgain), "{problem:?}");
        for square in directed.keys() {
            let mut wrong = directed.clone();
            *wrong.get_mut(square).unwrap() += 1;
            assert!(matches!(check(&wrong), Err(Fault::Claim(_))), "{problem:?}");
            wrong.remove(square);
            assert!(matches!(check(&wrong), Err(Fault::Certificate(_))), "{problem:?}");
            wrong.insert(Square::new(9, 9), 1);
            assert!(matches!(check(&wrong), Err(Fault::Certificate(_))), "{problem:?}");
        }
        // All of them wrong by as much: no two closed tours contradict each other.
        let more = directed.iter().map(|(&square, number)| (square, number + 2)).collect();
        assert!(matches!(check(&more), Err(Fault::Claim(_))), "{problem:?}");
    }
    assert!(positive > 10, "{positive}");
}

#[test]
fn numbers_by_start_of_a_large_board_are_compared_and_no_more() {
    let closed = TourProblem::closed("6x6".parse().unwrap());
    let numbers = |number: &str| -> BTreeMap<Square, String> {
        closed.board.squares().map(|square| (square, number.to_owned())).collect()
    };
    let searching = || Budget::default().searching(10_000);
    let said = |question: &TourProblem, numbers: &BTreeMap<Square, String>| {
        check_by_start(question, numbers, &searching())
    };
    assert_eq!(said(&closed, &numbers("19724")), Ok(Support::Search));
    let unasked = check_by_start(&closed, &numbers("19724"), &Budget::default());
    assert_eq!(unasked, Ok(Support::Search));
    let mut unequal = numbers("19724");
    unequal.insert(Square::new(0, 0), "19725".to_owned());
    assert!(matches!(said(&closed, &unequal), Err(Fault::Claim(_))));
    let open = TourProblem::open(closed.board.clone());
    assert_eq!(said(&open, &unequal), Ok(Support::Search));
    assert!(matches!(said(&open, &numbers("x")), Err(Fault::Certificate(_))));
    let corner = Square::new(0, 0);
    for unfit in [
        open.clone().starting_at(corner),
        open.clone().ending_at(corner),
        open.clone().with_symmetry(TourSymmetry::HalfTurn),
        open.clone().starting_at(Square::new(9, 9)),
    ] {
        assert!(said(&unfit, &numbers("0")).is_err(), "{unfit:?}");
    }
    let stopped = Budget::new(u64::MAX, &|| true).searching(100_000);
    assert_eq!(check_by_start(&open, &numbers("0"), &stopped), Err(Fault::Stopped));
}

fn sound() -> Value {
    json!({
        "destrier": 1, "kind": "count", "complete": true, "method": "frontier",
        "question": { "board": { "size": "6x6" }, "shape": "closed" },
        "undirected": "9862", "directed": "19724", "classes": "1245",
        "fixed": {
            "identity": "9862", "half turn": "58", "quarter turn": "20", "three-quarter turn": "20",
            "left-right mirror": "0", "top-bottom mirror": "0", "diagonal mirror": "0", "antidiagonal mirror": "0",
        },
        "evidence": [
            { "method": "backtrack", "undirected": "9862" },
            { "method": "middle", "undirected": "9862", "slices": { "1:0": "9000", "1:30a": "862" } },
        ],
    })
}

fn read(value: &Value) -> Result<AnyCertificate, String> {
    let read: Unchecked =
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    read.check(&Budget::default()).map_err(|fault| fault.to_string())
}

#[test]
fn numbers_that_disagree_are_refuted() {
    let Ok(AnyCertificate::Count(count)) = read(&sound()) else { panic!("{:?}", read(&sound())) };
    assert_eq!(
        count.methods().into_iter().collect::<Vec<_>>(),
        ["backtrack", "frontier", "middle"]
    );
    assert_eq!(count.slices().unwrap().len(), 2);
    for (path, wrong, why) in [
        ("/undirected", "9863", "9863 undirected tours are 19726 directed ones"),
        ("/directed", "9862", "9862 undirected tours are 19724 directed ones"),
        ("/directed", "019724", "`directed` is not a number in decimal"),
        ("/undirected", "", "`undirected` is not a number in decimal"),
        ("/classes", "1246", "1246 classes of 8 symmetries do not fix 9960 tours"),
        ("/classes", "x", "`classes` is not a number in decimal"),
        ("/fixed/half turn", "50", "1245 classes of 8 symmetries do not fix 9952 tours"),
        ("/fixed/half turn", "5a", "`fixed` is not a number in decimal"),
        ("/fixed/identity", "9861", "the identity leaves every tour as it is"),
        ("/evidence/0/undirected", "9861", "backtrack counts 9861, not 9862"),
        ("/evidence/0/method", "a\nb", "`a\\nb` is not the name of a method"),
        ("/method", "", "`` is not the name of a method"),
        ("/evidence/1/slices/1:0", "8999", "the slices of middle add up to 9861, not 9862"),
        ("/evidence/1/slices/1:0", "1e3", "`slices` is not a number in decimal"),
    ] {
        let mut spoiled = sound();
        *spoiled.pointer_mut(path).unwrap() = wrong.into();
        let said = read(&spoiled).unwrap_err();
        assert!(said.contains(why), "{path} = {wrong}: {said}");
    }
    let mut other = sound();
    other["fixed"].as_object_mut().unwrap().remove("half turn");
    assert!(read(&other).unwrap_err().contains("a number for each symmetry of the board"));
    let mut other = sound();
    other.as_object_mut().unwrap().remove("classes");
    assert!(read(&other).unwrap_err().contains("missing field `classes`"));
    for name in ["1:\n0", "", "1:0g"] {
        let mut other = sound();
        other["evidence"][1]["slices"] = json!({ name: "9862" });
        assert!(read(&other).unwrap_err().contains("a slice is written like"), "{name:?}");
    }
    let mut other = sound();
    other["destrier"] = 2.into();
    assert!(read(&other).unwrap_err().contains("format 2 is not known"));
    let many = |slices: usize| {
        let mut other = sound();
        let mut names = serde_json::Map::new();
        (0..slices).for_each(|n| drop(names.insert(format!("1:{n:x}"), "0".into())));
        names["1:0"] = "9862".into();
        other["evidence"] = json!([{ "method": "middle", "undirected": "9862", "slices": names }]);
        read(&other)
    };
    assert!(many(65_535).is_ok() && many(65_536).is_err());
}

#[test]
fn what_a_count_says_costs_no_more_than_its_digits() {
    let question = TourProblem::open("20x20".parse().unwrap());
    let number = |text: String| Value::from(text);
    let counted = |undirected: &str, slices: &Value| {
        json!({
            "destrier": 1, "kind": "count", "question": question, "method": "middle",
            "undirected": undirected, "directed": undirected,
            "evidence": [{ "method": "middle", "undirected": undirected, "slices": slices }],
        })
    };
    let check = |value: Value, budget: &Budget<'_>| {
        serde_json::from_value::<Unchecked>(value).unwrap().check(budget).unwrap_err()
    };
    let one_way = TourProblem::open("20x20".parse().unwrap()).starting_at(Square::new(0, 0));
    // A number that would take hours to add up, or to read.
    let long = counted(&"9".repeat(1 << 20), &json!({}));
    let refused = check(long, &Budget::default()).to_string();
    assert!(refused.contains("up to 16384 digits") && refused.len() < 200, "{refused}");
    // Numbers that contradict each other are told by their ends.
    let total = format!("1{}", "0".repeat(9000));
    let mut wrong = counted(&total, &json!({}));
    let refused = check(wrong.clone(), &Budget::default()).to_string();
    assert!(refused.contains("(9001 digits)") && refused.len() < 300, "{refused}");
    // Slices are added within the budget.
    let slices: serde_json::Map<String, Value> =
        (0..2000).map(|slice| (format!("1:{slice:x}"), number(total.clone()))).collect();
    wrong["question"] = json!(one_way);
    wrong["evidence"][0]["slices"] = slices.into();
    let refused = check(wrong.clone(), &Budget::default()).to_string();
    assert!(refused.contains("add up to 2000000") && refused.len() < 400, "{refused}");
    assert_eq!(check(wrong.clone(), &Budget::new(u64::MAX, &|| true)), Fault::Stopped);
    let little = check(wrong, &Budget::new(1 << 20, &|| false));
    assert!(matches!(little, Fault::TooMuchWork { .. }), "{little}");
}

#[test]
fn a_count_is_complete_and_of_an_unknown_method_unless_it_says_otherwise() {
    let read = |method: Option<&str>, complete: Option<bool>| {
        let mut count = sound();
        for (field, value) in [("method", json!(method)), ("complete", json!(complete))] {
            let fields = count.as_object_mut().unwrap();
            if value.is_null() {
                fields.remove(field)
            } else {
                fields.insert(field.into(), value)
            };
        }
        let Ok(AnyCertificate::Count(count)) = read(&count) else { panic!("{count}") };
        (count.statement().method.clone(), count.statement().complete)
    };
    assert_eq!(read(None, None), ("unknown".to_owned(), true));
    assert_eq!(read(Some("middle"), Some(false)), ("middle".to_owned(), false));
}

#[test]
fn the_slices_of_a_count_take_four_steps_a_digit() {
    // 9000 and 862.
    let check = |most: u64| {
        let read: Unchecked = serde_json::from_value(sound()).unwrap();
        read.check(&Budget::new(most, &|| false))
    };
    assert!(check(28).is_ok());
    assert_eq!(check(27), Err(Fault::TooMuchWork { steps: 28, most: 27 }));
}
