//! Counts: the checker's own numbers against plain enumeration, and every number of a certificate spoiled.

use destrier_rules::{
    AnyCertificate, Budget, CountCertificate, CountStatement, Fault, Leaper, Problem as _, Shape,
    Square, Support, Tour, TourProblem, TourSymmetry, Unchecked, Wrap,
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
    let symmetric = TourProblem::open("3x4".parse().unwrap()).with_symmetry(TourSymmetry::HalfTurn);
    assert_eq!(check(statement(symmetric, 99)), Ok(Support::Search));
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
