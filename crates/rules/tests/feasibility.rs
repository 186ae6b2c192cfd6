//! Reasons why a swap cannot be, against a search of all positions.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use destrier_rules::{
    Board, Budget, Fault, Leaper, Obstacle, Placement, Problem as _, Setup, Square, Support,
    SwapProblem, Wrap,
};

const REASONS: [&str; 7] =
    ["parts", "full", "path", "ring", "parity (Wilson 1974)", "regions", "wheel"];

fn swap(start: &str, goal: &str) -> SwapProblem {
    let setup = |fen: &str| fen.parse::<Setup>().unwrap();
    SwapProblem::between(&setup(start), &setup(goal)).unwrap()
}

fn holds(problem: &SwapProblem, name: &str) -> bool {
    let obstacle = Obstacle::Theorem { name: name.to_owned(), text: String::new() };
    match problem.confirm(&obstacle) {
        Ok(support) => {
            assert_eq!(support, Support::Checked);
            true
        }
        Err(_) => false,
    }
}

/// Can the goal be reached? Every position is looked at.
fn can_be(problem: &SwapProblem) -> bool {
    let is_goal = |knights: &Placement| {
        problem
            .board
            .squares()
            .filter(|square| !problem.goal.any.contains(square))
            .all(|square| knights.get(&square) == problem.goal.knights.get(&square))
    };
    let mut seen = BTreeSet::from([problem.start.clone()]);
    let mut left = vec![problem.start.clone()];
    while let Some(knights) = left.pop() {
        if is_goal(&knights) {
            return true;
        }
        for (&from, &letter) in &knights {
            for to in problem.board.jumps_from(Leaper::KNIGHT, from) {
                if !knights.contains_key(&to) {
                    let mut next = knights.clone();
                    next.remove(&from);
                    next.insert(to, letter);
                    if seen.insert(next.clone()) {
                        left.push(next);
                    }
                }
            }
        }
    }
    false
}

/// Numbers that look random and are the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }
}

#[test]
#[expect(clippy::cast_possible_truncation, reason = "sides of small boards")]
fn no_reason_stands_against_a_swap_that_can_be() {
    let mut dice = Dice(3);
    let mut refused = [0; REASONS.len()];
    for round in 0..300 {
        let (files, ranks) = [(3, 3), (2, 4), (3, 2), (4, 2), (3, 2)][dice.roll(5)];
        let wrap = [Wrap::None, Wrap::None, Wrap::Files, Wrap::Both][dice.roll(4)];
        let holes: Vec<Square> = (0..dice.roll(3))
            .map(|_| Square::new(dice.roll(files) as u32, dice.roll(ranks) as u32))
            .collect();
        let board = Board::new(files as u32, ranks as u32).unwrap().without(holes).unwrap();
        let board = board.wrapped(wrap);
        let squares: Vec<Square> = board.squares().collect();
        let most = [squares.len(), 5, 4][dice.roll(3)].min(squares.len()).min(5);
        let mut letters: Vec<char> =
            (0..most).map(|_| ['a', 'b', 'c', 'N', 'a', 'a'][dice.roll(6)]).collect();
        if round % 4 == 0 {
            letters = "abcdefg".chars().take(most).collect();
        }
        let mut place = |squares: &[Square]| {
            let mut left = squares.to_vec();
            let spots: Vec<Square> =
                letters.iter().map(|_| left.swap_remove(dice.roll(left.len()))).collect();
            spots.into_iter().zip(letters.iter().copied()).collect::<Placement>()
        };
        let (start, mut goal) = (place(&squares), place(&squares));
        let mut any = BTreeSet::new();
        if round % 3 == 0 {
            let first = *goal.keys().next().unwrap();
            goal.remove(&first);
            any.insert(first);
        }
        let setup = Setup { pieces: start, ..Setup::empty(board.clone()) };
        let goal = Setup { board, pieces: goal, unknown: any };
        let problem = SwapProblem::between(&setup, &goal).unwrap();
        if problem.validate().is_err() {
            continue;
        }
        let possible = can_be(&problem);
        for (name, refused) in REASONS.iter().zip(&mut refused) {
            if holds(&problem, name) {
                *refused += 1;
                assert!(!possible, "{name}: {} to {}", problem.start_fen(), problem.goal_fen());
            }
        }
    }
    assert!(
        refused[..4].iter().all(|&times| times > 0),
        "each but parity stood at times: {refused:?}"
    );
}

#[test]
fn on_a_path_and_on_a_ring_the_order_decides() {
    let mut dice = Dice(5);
    // The ring round the middle of 3x3; less two neighbours it is a path.
    for (name, holes) in [("ring", vec!["b2"]), ("path", vec!["b2", "a1", "b3"])] {
        let holes = holes.into_iter().map(|square| square.parse().unwrap());
        let board = Board::new(3, 3).unwrap().without(holes).unwrap();
        let squares: Vec<Square> = board.squares().collect();
        for round in 0..120 {
            let knights = 1 + dice.roll(squares.len() - 1);
            let letters: Vec<char> =
                (0..knights).map(|k| ['a', 'b', 'a', 'c'][(k + round) % 4]).collect();
            let mut place = || {
                let mut left = squares.clone();
                let spots = letters.iter().map(|_| left.swap_remove(dice.roll(left.len())));
                let spots: Vec<Square> = spots.collect();
                spots.into_iter().zip(letters.iter().copied()).collect::<Placement>()
            };
            let start = Setup { pieces: place(), ..Setup::empty(board.clone()) };
            let goal = Setup { pieces: place(), ..Setup::empty(board.clone()) };
            let problem = SwapProblem::between(&start, &goal).unwrap();
            let (fen, other) = (problem.start_fen(), problem.goal_fen());
            assert_eq!(holds(&problem, name), !can_be(&problem), "{name}: {fen} to {other}");
            let other_name = if name == "ring" { "path" } else { "ring" };
            assert!(!holds(&problem, other_name));
        }
    }
}

#[test]
fn with_one_empty_square_parity_decides_what_a_walk_can_reach() {
    let mut dice = Dice(7);
    for start in ["abc/d#e/fg1", "abcd/e#fg/hi#1", "abcd/efgh/ij#1"] {
        let first: Setup = start.parse().unwrap();
        let part: BTreeSet<Square> = {
            let empty = first.board.squares().find(|s| !first.pieces.contains_key(s)).unwrap();
            let mut part = BTreeSet::from([empty]);
            let mut left = vec![empty];
            while let Some(square) = left.pop() {
                for next in first.board.jumps_from(Leaper::KNIGHT, square) {
                    if part.insert(next) {
                        left.push(next);
                    }
                }
            }
            part
        };
        for round in 0..60 {
            let mut knights = first.pieces.clone();
            for _ in 0..dice.roll(30) {
                let empty = *part.iter().find(|s| !knights.contains_key(s)).unwrap();
                let from = first.board.jumps_from(Leaper::KNIGHT, empty);
                let from = from[dice.roll(from.len())];
                let letter = knights.remove(&from).unwrap();
                knights.insert(empty, letter);
            }
            let swapped = round % 2 == 1;
            if swapped {
                let occupied: Vec<Square> =
                    part.iter().copied().filter(|s| knights.contains_key(s)).collect();
                let one = dice.roll(occupied.len());
                let other = (one + 1 + dice.roll(occupied.len() - 1)) % occupied.len();
                let (a, b) = (knights[&occupied[one]], knights[&occupied[other]]);
                knights.insert(occupied[one], b);
                knights.insert(occupied[other], a);
            }
            let goal = Setup { pieces: knights, ..first.clone() };
            let problem = SwapProblem::between(&first, &goal).unwrap();
            assert_eq!(holds(&problem, REASONS[4]), swapped, "{start} to {}", goal.fen());
        }
    }
}

#[test]
fn each_reason_stands_where_it_should_and_nowhere_else() {
    // 2x3: a1-b3 and b1-a3 are parts of two squares, the others of one.
    let cases = [
        ("parts", "2/2/n1", "2/n1/2", true),
        ("parts", "2/2/n1", "1n/2/2", false),
        ("parts", "2/2/nN", "1N/2/1n", true),
        ("parts", "nn/2/nn", "nn/2/nn", false),
        ("parts", "2/2/n1", "?1/2/2", true),
        ("parts", "2/2/n1", "1?/2/2", false),
        ("parts", "1n/2/n1", "1?/2/2", true),
        ("parts", "1N/2/n1", "1?/2/?1", false),
        ("full", "1N/2/n1", "1n/2/N1", true),
        ("full", "1N/2/n1", "1N/2/n1", false),
        ("full", "1N/2/n1", "1?/2/?1", false),
        ("full", "2/2/n1", "1n/2/2", false),
        ("full", "1N/2/n1", "1?/2/N1", true),
        ("full", "2/N1/2", "2/N1/2", false),
        ("path", "1N/2/n1", "1n/2/N1", true),
        ("path", "1N/2/n1", "1?/2/N1", false),
        ("ring", "1N/2/n1", "1n/2/N1", false),
        ("regions", "##1#/n###/#N#n", "##1#/N###/#n#n", true),
        ("regions", "##1#/n###/#N#n", "##1#/n###/#N#n", false),
        ("regions", "##1#/n###/#N#1", "##1#/N###/#n#1", false),
        ("regions", "nNn/3/3", "Nnn/3/3", false),
        ("wheel", "1##/nnN/n#N/nNN", "1##/NnN/n#N/nNn", true),
        ("wheel", "1##/nnN/n#N/nNN", "1##/nnN/n#N/nNN", false),
        ("wheel", "nnN/n1N/nN1", "NnN/n1N/nn1", true),
        ("wheel", "nnN/n1N/n2", "nNn/n1N/n2", false),
        ("no such reason", "1N/2/n1", "1n/2/N1", false),
        ("", "1N/2/n1", "1n/2/N1", false),
    ];
    for (name, start, goal, stands) in cases {
        assert_eq!(holds(&swap(start, goal), name), stands, "{name}: {start} to {goal}");
    }
    // On a torus of odd sides a jump need not change the colour, and parity says nothing.
    let mut torus = swap("abcd/efgh/ij#1", "bacd/efgh/ij#1");
    assert!(holds(&torus, REASONS[4]));
    torus.board = torus.board.wrapped(Wrap::Both);
    assert!(!holds(&torus, REASONS[4]));
    // Two empty squares, or two knights alike, can be exchanged.
    assert!(!holds(&swap("abcd/efgh/i1#1", "bacd/efgh/i1#1"), REASONS[4]));
    assert!(!holds(&swap("abcd/efga/ij#1", "bacd/efga/ij#1"), REASONS[4]));
    // The other `a` on d3 can only be reached from b2: it is in a region of its own, and no help.
    assert!(holds(&swap("abca/efgh/ij#1", "baca/efgh/ij#1"), REASONS[4]));
    assert!(!holds(&swap("abcd/efgh/ij#1", "b?cd/efgh/ij#1"), REASONS[4]));
}

#[test]
fn a_long_path_is_walked_in_no_time() {
    let line = |first: &str| format!("{first}/100000");
    let (start, goal) = (line("a3b99995"), line("b3a99995"));
    let problem = swap(&start, &goal);
    assert!(holds(&problem, "path"));
    assert!(holds(&swap(&start, &line("b3a99995")), "path"));
    assert!(!holds(&swap(&start, &line("a3b99995")), "path"));
}

#[test]
fn other_obstacles_are_none_against_a_swap() {
    let problem = swap("2/2/n1", "1n/2/2");
    let exhausted = Obstacle::Exhausted { method: "naive".to_owned(), nodes: 2 };
    assert_eq!(problem.confirm(&exhausted), Ok(Support::Search));
    let others = [
        Obstacle::Colours { dark: 3, light: 3 },
        Obstacle::DeadEnds { squares: vec![] },
        Obstacle::Schwenk { short: 2, long: 3 },
    ];
    for obstacle in others {
        assert!(problem.confirm(&obstacle).is_err());
    }
    let huge = swap("n9999999/10000000/10000000", "9999999n/10000000/10000000");
    assert!(!holds(&huge, "path"), "a board that is too large to be walked");
}

#[test]
fn open_squares_whose_only_filling_makes_opponents_attack_are_a_reason() {
    // The ring is a1 b3 c1 a2 c3 b1 a3 c2: whoever comes to b3 attacks a1.
    let mut problem = swap("2n/3/N2", "1?1/3/N2");
    assert!(can_be(&problem) && !holds(&problem, "open squares"));
    problem.rules.peaceful = true;
    assert!(holds(&problem, "open squares"));
    let mut roomy = swap("2n/3/N2", "1?1/?2/N2");
    roomy.rules.peaceful = true;
    assert!(!holds(&roomy, "open squares"));
}

#[test]
fn open_squares_are_filled_with_all_that_is_missing() {
    // Nothing moves on a single row. Three of eight squares can be chosen in 56 ways, and 64 is the most.
    let problem = swap("nnn8", "3????????");
    assert!(!can_be(&problem) && holds(&problem, "open squares"));
    for (open, is_followed) in [(1, true), (63, true), (64, true), (65, false), (80, false)] {
        let problem = swap(&format!("n{open}"), &format!("1{}", "?".repeat(open)));
        assert_eq!(holds(&problem, "open squares"), is_followed, "{open}");
    }
}

#[test]
fn open_squares_are_no_reason_where_one_of_several_fillings_can_be_reached() {
    // The knight can be on a1 or b3: the last of the open squares, the first, and none of them.
    for (goal, stands) in [("1?/?1/2", false), ("2/??/?1", false), ("?1/??/2", true)] {
        let problem = swap("2/2/n1", goal);
        assert_eq!(
            (can_be(&problem), holds(&problem, "open squares")),
            (!stands, stands),
            "{goal}"
        );
    }
}

#[test]
fn a_reason_is_refused_one_step_below_what_it_takes() {
    // 64 steps for each square: to find the parts and to look at them; with open squares, for all seven reasons against
    // both fillings, and once more to find the parts.
    for (name, goal, steps) in
        [("parts", "1n/2/2", 2 * 6 * 64), ("open squares", "1?/?1/2", 15 * 6 * 64)]
    {
        let obstacle = Obstacle::Theorem { name: name.to_owned(), text: String::new() };
        let check = |most: u64| {
            swap("2/2/n1", goal).confirm_within(&obstacle, &Budget::new(most, &|| false))
        };
        let most = steps - 1;
        assert_eq!(check(most), Err(Fault::TooMuchWork { steps, most }), "{name}");
        assert!(matches!(check(2 * steps), Err(Fault::Reason(_))), "{name}");
    }
}
