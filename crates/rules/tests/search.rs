//! The checker's own search, against plain ones of all positions, orders and paths.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{BTreeSet, HashMap, VecDeque};

use destrier_rules::{
    Board, Budget, CaptureProblem, Claim, Fault, Goal, Impossible, Leaper, Metric, Obstacle,
    Placement, Problem, Proof, Puzzle, Shape, Side, Sought, Square, Support, SwapProblem,
    SwapRules, Tour, TourProblem, TourSymmetry, Verified, Wrap,
};

/// Numbers that look random and are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn board(&mut self) -> Board {
        let (files, ranks) = self.of(&[(3, 3), (3, 4), (4, 3), (2, 4), (5, 2), (1, 6)]);
        let board = Board::new(files, ranks).unwrap();
        let squares: Vec<Square> = board.squares().collect();
        let holes: BTreeSet<Square> = (0..self.below(3)).map(|_| self.of(&squares)).collect();
        let wrap = self.of(&[Wrap::None, Wrap::None, Wrap::Files, Wrap::Ranks, Wrap::Both]);
        board.without(holes).unwrap().wrapped(wrap)
    }

    fn placement(&mut self, board: &Board, letters: &[char]) -> Placement {
        let mut squares: Vec<Square> = board.squares().collect();
        let mut placement = Placement::new();
        for &letter in letters {
            placement.insert(squares.swap_remove(self.below(squares.len())), letter);
        }
        placement
    }
}

fn enough<P: Problem>(problem: &P, below: u64) -> Sought {
    problem.search(below, &Budget::default().searching(usize::MAX))
}

/// What the search must say for every bound, if this is the least cost.
fn agrees<P: Problem + std::fmt::Debug>(problem: &P, least: Option<u64>) {
    let expected = |below| match least {
        Some(cost) if cost < below => Sought::Found(cost),
        _ => Sought::Nothing,
    };
    let around = least.map_or(0..4, |cost| cost.saturating_sub(1)..cost + 3);
    for below in around.chain([u64::MAX]) {
        assert_eq!(enough(problem, below), expected(below), "below {below}: {problem:?}");
    }
}

/// Knights, whose turn it is, and where the last run began and is now.
type State = (Placement, Option<Side>, Option<(Square, Square)>);

/// The least cost of a swap: the cost of every state is lowered until none can be lowered any more.
fn least_swap(problem: &SwapProblem) -> Option<u64> {
    let SwapRules { metric, alternate, peaceful } = problem.rules;
    let mut costs: HashMap<State, u64> = HashMap::new();
    let mut open: VecDeque<(State, u64)> = [((problem.start.clone(), alternate, None), 0)].into();
    while let Some((state, cost)) = open.pop_front() {
        if costs.get(&state).is_some_and(|&known| known <= cost) {
            continue;
        }
        costs.insert(state.clone(), cost);
        let (knights, turn, last) = state;
        let idle = alternate.is_some() && last.is_some_and(|(began, at)| began == at);
        for (&from, &letter) in &knights {
            let same_run = metric == Metric::Runs && last.is_some_and(|(_, at)| at == from);
            if !same_run && idle {
                continue;
            }
            if !same_run && turn.is_some_and(|turn| turn != Side::of(letter)) {
                continue;
            }
            for to in problem.board.squares() {
                if knights.contains_key(&to) || !problem.board.is_jump(Leaper::KNIGHT, from, to) {
                    continue;
                }
                let mut next = knights.clone();
                next.remove(&from);
                next.insert(to, letter);
                let attacked = next.iter().any(|(&one, &l)| {
                    next.iter().any(|(&other, &m)| {
                        problem.are_opposed(l, m)
                            && problem.board.is_jump(Leaper::KNIGHT, one, other)
                    })
                });
                if peaceful && attacked {
                    continue;
                }
                let turn = if same_run { turn } else { turn.map(Side::other) };
                let began = last.filter(|_| same_run).map_or(from, |(began, _)| began);
                let last = (metric == Metric::Runs).then_some((began, to));
                open.push_back(((next, turn, last), cost + u64::from(!same_run)));
            }
        }
    }
    let fits = |knights: &Placement| {
        let named = problem.board.squares().filter(|square| !problem.goal.any.contains(square));
        named.into_iter().all(|s| knights.get(&s) == problem.goal.knights.get(&s))
    };
    let ends = |(knights, turn, last): &State| {
        fits(knights) && !(turn.is_some() && last.is_some_and(|(began, at)| began == at))
    };
    costs.iter().filter(|(state, _)| ends(state)).map(|(_, &cost)| cost).min()
}

#[test]
fn swaps_are_as_cheap_as_the_states_say() {
    let mut random = Random(1);
    let mut found = [0; 2];
    for _ in 0..400 {
        let board = random.board();
        let letters: &[char] = random.of(&[
            &['N', 'n'][..],
            &['A', 'B'],
            &['N', 'N', 'n'],
            &['A', 'b', 'b'],
            &['N'],
            &['K', 'n', 'Q'],
        ]);
        if board.squares().count() < letters.len() {
            continue;
        }
        let start = random.placement(&board, letters);
        let mut knights = random.placement(&board, letters);
        let mut any = BTreeSet::new();
        for _ in 0..random.below(3) {
            any.extend(random.of(&[knights.pop_first().map(|(square, _)| square), None]));
        }
        let rules = SwapRules {
            metric: random.of(&[Metric::Moves, Metric::Runs]),
            alternate: random.of(&[None, None, Some(Side::White), Some(Side::Black)]),
            peaceful: random.below(4) == 0,
        };
        let problem = SwapProblem { board, start, goal: Goal { knights, any }, rules };
        if problem.validate().is_ok() {
            let least = least_swap(&problem);
            found[usize::from(least.is_some())] += 1;
            agrees(&problem, least);
        }
    }
    assert!(found[0] > 50 && found[1] > 100, "{found:?}");
}

/// The least cost of a capture: all orders of the pieces.
fn least_capture(board: &Board, from: Square, targets: &BTreeSet<Square>) -> Option<u64> {
    let orders = targets.iter().map(|&to| {
        let mut left = targets.clone();
        left.remove(&to);
        Some(board.distance(Leaper::KNIGHT, from, to)? + least_capture(board, to, &left)?)
    });
    if targets.is_empty() { Some(0) } else { orders.flatten().min() }
}

#[test]
fn captures_are_as_cheap_as_the_best_order() {
    let mut random = Random(2);
    for _ in 0..300 {
        let board = random.board();
        let squares: Vec<Square> = board.squares().collect();
        let start = random.of(&squares);
        let mut targets: BTreeSet<Square> =
            (0..random.below(6)).map(|_| random.of(&squares)).collect();
        targets.remove(&start);
        let least = least_capture(&board, start, &targets);
        agrees(&CaptureProblem { board, start, targets }, least);
    }
}

/// A tour that goes on from these squares.
fn tour_after(problem: &TourProblem, squares: &mut Vec<Square>) -> bool {
    if problem.verify(&Tour(squares.clone())).is_ok() {
        return true;
    }
    let nexts: Vec<Square> =
        problem.board.squares().filter(|next| !squares.contains(next)).collect();
    nexts.into_iter().any(|next| {
        if squares.last().is_some_and(|&last| !problem.is_jump(last, next)) {
            return false;
        }
        squares.push(next);
        let found = tour_after(problem, squares);
        squares.pop();
        found
    })
}

#[test]
fn tours_are_found_where_a_plain_search_finds_them() {
    let mut random = Random(3);
    let mut found = [0; 2];
    for _ in 0..400 {
        let board = random.board();
        let squares: Vec<Square> = board.squares().collect();
        let ends = [(); 2].map(|()| (random.below(2) == 0).then(|| random.of(&squares)));
        let problem = TourProblem {
            shape: random.of(&[Shape::Open, Shape::Closed]),
            start: ends[0],
            end: ends[1],
            leaper: random.of(&[Leaper::KNIGHT, Leaper::new(0, 1).unwrap()]),
            ..TourProblem::open(board)
        };
        if problem.validate().is_err() {
            continue;
        }
        let exists = tour_after(&problem, &mut Vec::new());
        found[usize::from(exists)] += 1;
        let said = enough(&problem, u64::MAX);
        assert_eq!(matches!(said, Sought::Found(_)), exists, "{problem:?}");
        assert_eq!(said == Sought::Nothing, !exists, "{problem:?}");
        // All tours of a question cost the same.
        let jumps = problem.board.len() - u64::from(problem.shape == Shape::Open);
        agrees(&problem, exists.then_some(jumps));
    }
    assert!(found[0] > 100 && found[1] > 50, "{found:?}");
}

#[test]
fn no_tour_is_shorter_than_another() {
    let searching = Budget::default().searching(10_000);
    let tour: Tour = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4".parse().unwrap();
    let question = TourProblem::open(Board::new(3, 4).unwrap());
    let check = || Verified::check(question.clone(), tour.clone()).unwrap();
    let proof = Proof::BoundMet { by: "jumps".to_owned() };
    for claim in [Claim::Fewest { lower_bound: 11, proof }, Claim::AtLeast { lower_bound: 11 }] {
        let said = check().claiming_within(claim, &searching).unwrap();
        assert_eq!(said.support(), Some(Support::SearchedAgain));
    }
    assert!(check().claiming_within(Claim::AtLeast { lower_bound: 12 }, &searching).is_err());
}

#[test]
fn symmetric_tours_are_looked_for_one_by_one() {
    let square = |size: &str| TourProblem::open(size.parse().unwrap());
    let (mut found, mut none) = (0, 0);
    for size in ["3x3", "3x4", "4x3", "2x5"] {
        for symmetry in TourSymmetry::ALL {
            let problem = square(size).with_symmetry(symmetry);
            if problem.validate().is_err() {
                continue;
            }
            // Every order of the squares of 3x4 would be too many: of tours, only those with jumps.
            let mut walks = vec![Vec::new()];
            let mut is_there = false;
            while let Some(walk) = walks.pop() {
                is_there |= problem.verify(&Tour(walk.clone())).is_ok();
                for next in problem.board.squares().filter(|next| !walk.contains(next)) {
                    if walk.last().is_none_or(|&last| problem.is_jump(last, next)) {
                        walks.push([&walk[..], &[next]].concat());
                    }
                }
            }
            *(if is_there { &mut found } else { &mut none }) += 1;
            let cost = problem.board.len() - 1;
            let expected = if is_there { Sought::Found(cost) } else { Sought::Nothing };
            assert_eq!(enough(&problem, u64::MAX), expected, "{problem:?}");
        }
    }
    assert!(found > 1 && none > 3, "{found} {none}");
}

#[test]
fn it_stops_at_the_budget_and_at_large_boards() {
    let question = SwapProblem::from_fens("n1n/3/N1N", "N1N/3/n1n").unwrap();
    let most = |positions| question.search(16, &Budget::default().searching(positions));
    let enough = (0..10_000).find(|&positions| most(positions) != Sought::Unfinished).unwrap();
    assert!((50..300).contains(&enough), "{enough}");
    assert_eq!(most(enough), Sought::Nothing);
    let stopped = Budget::new(u64::MAX, &|| true).searching(usize::MAX);
    assert_eq!(question.search(16, &stopped), Sought::Unfinished);
    assert!(stopped.stopped().is_some());
    for (size, expected) in [("128x1", Sought::Nothing), ("129x1", Sought::Unfinished)] {
        let board: Board = size.parse().unwrap();
        assert_eq!(self::enough(&TourProblem::open(board.clone()), u64::MAX), expected);
        let (start, far) = (Square::new(0, 0), Square::new(2, 0));
        let capture = CaptureProblem { board: board.clone(), start, targets: [far].into() };
        assert_eq!(self::enough(&capture, u64::MAX), expected);
        let goal = Goal { knights: [(far, 'N')].into(), any: BTreeSet::new() };
        let (start, rules) = ([(start, 'N')].into(), SwapRules::default());
        assert_eq!(self::enough(&SwapProblem { board, start, goal, rules }, u64::MAX), expected);
    }
}

#[test]
fn what_the_distances_rule_out_takes_no_position() {
    let none = Budget::default().searching(0);
    let capture: Puzzle = "1p1/3/N1p".parse().unwrap();
    let moves = SwapProblem::from_fens("n1n/3/N1N", "N1N/3/n1n").unwrap();
    let mut runs = moves.clone();
    runs.rules.metric = Metric::Runs;
    // Two pieces; four knights, each two jumps from where it may end.
    for (least, search) in [
        (2, &(|below| capture.problem.search(below, &none)) as &dyn Fn(u64) -> Sought),
        (8, &|below| moves.search(below, &none)),
        (4, &|below| runs.search(below, &none)),
    ] {
        for below in 0..20 {
            let expected = if below <= least { Sought::Nothing } else { Sought::Unfinished };
            assert_eq!(search(below), expected, "{below}");
        }
    }
    // A knight that has no way to the middle.
    let mut stuck = SwapProblem::from_fens("N2/3/3", "3/1N1/3").unwrap();
    for metric in [Metric::Moves, Metric::Runs] {
        stuck.rules.metric = metric;
        assert_eq!(stuck.search(1000, &none), Sought::Nothing);
    }
}

#[test]
fn three_squares_in_a_ring_are_a_closed_tour() {
    let wazir = Leaper::new(0, 1).unwrap();
    for (files, found) in [(1, false), (2, false), (3, true), (4, true)] {
        let board = Board::new(files, 1).unwrap().wrapped(Wrap::Files);
        let problem = TourProblem::closed(board).with_leaper(wazir);
        let expected = if found { Sought::Found(files.into()) } else { Sought::Nothing };
        assert_eq!(enough(&problem, u64::MAX), expected, "{files}");
    }
}

#[test]
fn what_rests_on_a_search_is_confirmed_or_refuted() {
    let searching = Budget::default().searching(10_000);
    let question = SwapProblem::from_fens("n1n/3/N1N", "N1N/3/n1n").unwrap();
    let plan = "c1-a2 a1-b3 a3-c2 b3-c1 c2-a1 a1-b3 c3-b1 b1-a3 a2-c3 a3-c2 c2-a1 c3-b1 c1-a2 b3-c1 a2-c3 b1-a3";
    let check = || Verified::check(question.clone(), plan.parse().unwrap()).unwrap();
    let proof = || Proof::Search { by: "naive".to_owned(), nodes: 1 };
    let fewest = Claim::Fewest { lower_bound: 16, proof: proof() };
    let said = check().claiming_within(fewest.clone(), &searching).unwrap();
    assert_eq!(said.support(), Some(Support::SearchedAgain));
    assert_eq!(check().claiming(fewest).unwrap().support(), Some(Support::Search));
    for lower_bound in [15, 16] {
        let claim = Claim::AtLeast { lower_bound };
        let said = check().claiming_within(claim.clone(), &searching).unwrap();
        assert_eq!(said.support(), Some(Support::SearchedAgain));
        assert_eq!(check().claiming(claim).unwrap().support(), None);
    }
    let detour = format!("c1-a2 a2-c1 {plan}");
    let longer = Verified::check(question.clone(), detour.parse().unwrap()).unwrap();
    let claim = Claim::Fewest { lower_bound: 18, proof: proof() };
    assert!(longer.clone().claiming(claim.clone()).is_ok());
    let fault = longer.claiming_within(claim, &searching).unwrap_err();
    assert_eq!(
        fault,
        Fault::Claim(
            "the lower bound is 18, but the checker found a solution that costs 16".to_owned()
        )
    );

    let stopped = Budget::new(u64::MAX, &|| true).searching(10_000);
    let claim = Claim::AtLeast { lower_bound: 16 };
    assert_eq!(check().claiming_within(claim, &stopped).unwrap_err(), Fault::Stopped);

    let searched = Obstacle::Exhausted { method: "naive".to_owned(), nodes: 1 };
    let stuck = SwapProblem::from_fens("N2/3/3", "3/1N1/3").unwrap();
    let none = Impossible::check_within(stuck, searched.clone(), &searching).unwrap();
    assert_eq!(none.support(), Support::SearchedAgain);
    let fault = Impossible::check_within(question, searched, &searching).unwrap_err();
    assert_eq!(fault, Fault::Reason("the checker found a solution".to_owned()));
}
