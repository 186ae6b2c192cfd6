//! Swaps: known optima, small worlds against the baseline, laws, and stops.
//!
//! `DESTRIER_LIMIT=N` raises the number of nodes a known row may take and the size of the samples.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod tally;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use destrier::{
    Board, Budget, Claim, Method, Metric, Move, Options, Outcome, Placement, Problem, Proof, Setup,
    Side, Solve, Square, Support, SwapMethod, SwapPlan, SwapProblem, SwapRules, Swaps, Verified,
    Wrap,
};
use tally::Tally;

fn limit() -> Option<u64> {
    std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse().ok())
}

fn puzzle(from: &str, to: &str) -> SwapProblem {
    SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap()
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Fewest(u64),
    /// A plan that is not claimed to be the shortest.
    Some(u64),
    Impossible,
    Undecided,
}

impl Verdict {
    const fn from_known(optimum: Option<u64>) -> Verdict {
        match optimum {
            Some(cost) => Verdict::Fewest(cost),
            None => Verdict::Impossible,
        }
    }
}

/// Asks one method; nothing where it does not support the question. The checker has looked at plan, claim and reason;
/// here a proof must show just what it says, and no more.
fn asked(
    plans: &mut Tally,
    problem: &SwapProblem,
    method: SwapMethod,
    options: &Options,
) -> Option<Verdict> {
    let answer = plans.answer(method, problem.solve_by(method, options))?;
    Some(match answer.outcome {
        Outcome::Solved(plan) => {
            let Claim::Fewest { proof, .. } = plan.claim() else {
                return Some(Verdict::Some(plan.cost()));
            };
            let shown = match proof {
                Proof::Search { .. } => Support::Search,
                _ => Support::Checked,
            };
            assert_eq!(plan.support(), Some(shown), "{proof:?}");
            assert_eq!(problem.prove(plan.cost() + 1, proof).is_ok(), shown == Support::Search);
            Verdict::Fewest(plan.cost())
        }
        Outcome::Impossible(_) => Verdict::Impossible,
        Outcome::Unfinished { best, .. } => {
            let bound = answer.lower_bound.unwrap_or(0);
            assert!(best.is_none_or(|plan| bound <= plan.cost()), "{method}");
            Verdict::Undecided
        }
    })
}

/// What `auto` says, which supports all that is asked here.
fn by_auto(problem: &SwapProblem, options: &Options) -> Verdict {
    asked(&mut Tally::default(), problem, SwapMethod::Auto, options).expect("auto supports it")
}

/// Is what a method says true, if this is the truth?
fn agrees(method: SwapMethod, said: Verdict, truth: Verdict) -> bool {
    let greedy = matches!(method, SwapMethod::BestFirst(_) | SwapMethod::HillClimbing);
    match (said, truth) {
        (Verdict::Undecided, _) => true,
        (Verdict::Some(cost), Verdict::Fewest(fewest)) => greedy && cost >= fewest,
        _ => said == truth,
    }
}

struct Row {
    id: &'static str,
    problem: SwapProblem,
    optimum: Option<u64>,
}

fn rows() -> Vec<Row> {
    let table = include_str!("../../../known/swaps.csv");
    let row = |line: &'static str| {
        let field: Vec<&'static str> = line.split(',').collect();
        let mut problem = puzzle(field[2], field[3]);
        let rule = field[4];
        let turn = if rule.contains("alt:W") { Side::White } else { Side::Black };
        problem.rules = SwapRules {
            metric: if rule.contains("run") { Metric::Runs } else { Metric::Moves },
            alternate: rule.contains("alt:").then_some(turn),
            peaceful: rule.contains("noattack"),
        };
        Row { id: field[0], problem, optimum: field[5].parse().ok() }
    };
    table.lines().filter(|line| !line.starts_with('#')).skip(1).map(row).collect()
}

#[test]
fn known_optima_are_found_and_proved() {
    let mut proved = 0;
    for row in rows() {
        let options = Options::new().node_limit(limit().unwrap_or(60_000)).threads(2);
        let found = by_auto(&row.problem, &options);
        if found != Verdict::Undecided {
            assert_eq!(found, Verdict::from_known(row.optimum), "{}", row.id);
            proved += 1;
        }
    }
    assert_eq!(rows().len(), 90);
    assert!(proved >= 68, "only {proved} rows were proved");
}

#[test]
fn every_method_agrees_on_known_rows() {
    let mut plans = Tally::default();
    let mut decided = 0;
    for row in rows() {
        for &method in SwapMethod::ALL {
            let options = Options::new().node_limit(limit().unwrap_or(4_000)).memory(64 << 20);
            let Some(said) = asked(&mut plans, &row.problem, method, &options) else { continue };
            let truth = Verdict::from_known(row.optimum);
            assert!(agrees(method, said, truth), "{}: {method} says {said:?}", row.id);
            decided += u32::from(said != Verdict::Undecided);
        }
    }
    plans.expect(&[
        ("auto", 90),
        ("astar", 90),
        ("meet", 84),
        ("ranked", 74),
        ("best-first", 90),
        ("hill-climbing", 0),
        ("naive", 90),
    ]);
    assert!(decided >= 200, "only {decided} answers came within the limit");
}

/// A small generator, so that samples are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, usize::try_from(self.below(i as u64 + 1)).unwrap());
        }
    }
}

fn setup(board: &Board, pieces: Placement, unknown: BTreeSet<Square>) -> Setup {
    Setup { board: board.clone(), pieces, unknown }
}

/// A random board to 3x4 with random holes, random knights of these letters, and a shuffled goal.
fn random_puzzle(random: &mut Random, letters: &[char], labelled: bool) -> Option<SwapProblem> {
    let (files, ranks) =
        (u32::try_from(random.below(2)).unwrap() + 2, u32::try_from(random.below(3)).unwrap() + 2);
    let board = Board::new(files, ranks).unwrap();
    let holes: Vec<Square> = board.squares().filter(|_| random.below(8) == 0).collect();
    let board = board.without(holes).ok()?;
    let mut squares: Vec<Square> = board.squares().collect();
    random.shuffle(&mut squares);
    let most = (squares.len() as u64).min(if labelled { 6 } else { 12 });
    let count = usize::try_from(1 + random.below(most)).unwrap();
    let kinds = letters.len() as u64;
    let knights: Vec<char> = (0..count)
        .map(|i| letters[if labelled { i } else { usize::try_from(random.below(kinds)).unwrap() }])
        .collect();
    let start: Placement = squares.iter().copied().zip(knights.iter().copied()).collect();
    if random.below(3) > 0 {
        random.shuffle(&mut squares);
    } else {
        let mut front = squares[..count].to_vec();
        random.shuffle(&mut front);
        squares[..count].copy_from_slice(&front);
    }
    let mut goal: Placement = squares.iter().copied().zip(knights).collect();
    let mut unknown = BTreeSet::new();
    if random.below(4) == 0 {
        // Leave some squares open.
        for &square in squares.iter().take(usize::try_from(random.below(4)).unwrap()) {
            goal.remove(&square);
            unknown.insert(square);
        }
    }
    let nothing = BTreeSet::new();
    SwapProblem::between(&setup(&board, start, nothing), &setup(&board, goal, unknown)).ok()
}

/// Asks every method about a puzzle that the naive one decides.
fn compare_with_naive(plans: &mut Tally, problem: &SwapProblem) -> bool {
    if problem.validate().is_err() {
        return false;
    }
    let limited = Options::new().node_limit(20_000);
    let truth = asked(&mut Tally::default(), problem, SwapMethod::Naive, &limited).unwrap();
    if truth == Verdict::Undecided {
        return false;
    }
    for &method in SwapMethod::ALL {
        let greedy = matches!(method, SwapMethod::BestFirst(_) | SwapMethod::HillClimbing);
        let options = if greedy { limited.clone() } else { Options::new().threads(2) };
        let Some(said) = asked(plans, problem, method, &options) else { continue };
        let (from, to) = (problem.start_fen(), problem.goal_fen());
        let text = format!("{method} says {said:?}: {from} to {to} under {:?}", problem.rules);
        assert!(agrees(method, said, truth), "{text}, not {truth:?}");
        assert!(greedy || said != Verdict::Undecided, "{text}");
    }
    true
}

#[test]
fn all_methods_agree_with_the_baseline_under_all_rules() {
    let mut random = Random(2024);
    let (mut plans, mut compared) = (Tally::default(), 0);
    let samples = limit().map_or(500, |limit| limit.min(100_000));
    for sample in 0..samples {
        let (letters, labelled): (Vec<char>, bool) = match sample % 4 {
            0 | 1 => (vec!['N', 'n'], false),
            2 => (vec!['A', 'b', 'C'], false),
            _ => (('A'..='F').collect(), true),
        };
        let Some(mut problem) = random_puzzle(&mut random, &letters, labelled) else { continue };
        let sides = [None, None, Some(Side::White), Some(Side::Black)];
        problem.rules = SwapRules {
            metric: if random.below(3) == 0 { Metric::Runs } else { Metric::Moves },
            alternate: sides[usize::try_from(random.below(4)).unwrap()],
            peaceful: random.below(4) == 0,
        };
        compared += u64::from(compare_with_naive(&mut plans, &problem));
    }
    if limit().is_none() {
        assert_eq!(compared, 306);
        plans.expect(&[
            ("auto", 306),
            ("astar", 306),
            ("meet", 215),
            ("ranked", 122),
            ("best-first", 306),
            ("hill-climbing", 0),
            ("naive", 306),
        ]);
    }
}

fn turned(problem: &SwapProblem) -> SwapProblem {
    // A quarter turn: file and rank change places, and one of them is mirrored.
    let ranks = problem.board.ranks();
    let turn = |square: &Square| Square::new(ranks - 1 - square.rank, square.file);
    let board = Board::new(ranks, problem.board.files()).unwrap();
    let board = board.without(problem.board.holes().iter().map(turn)).unwrap();
    let move_all =
        |knights: &Placement| knights.iter().map(|(s, &letter)| (turn(s), letter)).collect();
    let nothing = BTreeSet::new;
    let mut other = SwapProblem::between(
        &setup(&board, move_all(&problem.start), nothing()),
        &setup(&board, move_all(&problem.goal.knights), nothing()),
    )
    .unwrap();
    other.rules = problem.rules;
    other
}

#[test]
fn turning_exchanging_and_reversing_leave_the_optimum() {
    let mut compared = 0;
    for row in rows() {
        let want = by_auto(&row.problem, &Options::new().node_limit(limit().unwrap_or(1_500)));
        if want == Verdict::Undecided {
            continue;
        }
        let swap_case = |letter: char| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        };
        let mut exchanged = row.problem.clone();
        for knights in [&mut exchanged.start, &mut exchanged.goal.knights] {
            for letter in knights.values_mut() {
                *letter = swap_case(*letter);
            }
        }
        exchanged.rules.alternate = exchanged.rules.alternate.map(Side::other);
        let mut reversed = row.problem.clone();
        std::mem::swap(&mut reversed.start, &mut reversed.goal.knights);
        if let (Some(side), Some(optimum)) = (row.problem.rules.alternate, row.optimum) {
            // Backwards, the side that moved last begins.
            reversed.rules.alternate = Some(if optimum % 2 == 1 { side } else { side.other() });
        }
        for other in [turned(&row.problem), exchanged, reversed] {
            let found = by_auto(&other, &Options::new().node_limit(200_000));
            if found != Verdict::Undecided {
                assert_eq!(found, want, "{}", row.id);
                compared += 1;
            }
        }
    }
    assert!(compared >= 100, "only {compared} were compared");
}

#[test]
fn shortest_plans_are_counted() {
    let cases = [
        ("nnn/3/3/NNN", "NNN/3/3/nnn", 16, 98_496),
        ("nnnn/4/NNNN", "NNNN/4/nnnn", 10, 500),
        ("n1n/3/N1N", "N1N/3/n1n", 16, 4_726_784),
    ];
    for (from, to, cost, count) in cases {
        let problem = puzzle(from, to);
        let plans = problem.shortest_plans(30, &Options::new()).unwrap().found().unwrap();
        assert_eq!((plans.cost, plans.count), (cost, count));
        let distinct: BTreeSet<String> = plans.listed.iter().map(ToString::to_string).collect();
        assert_eq!(distinct.len(), 30);
        for plan in &plans.listed {
            problem.verify(plan).unwrap();
            assert_eq!(problem.cost(plan), cost);
        }
    }
}

#[test]
fn a_list_of_all_plans_is_as_long_as_the_count() {
    let mut random = Random(5);
    let mut looked = 0;
    for _ in 0..120 {
        let Some(mut problem) = random_puzzle(&mut random, &['N', 'n'], false) else { continue };
        problem.rules.metric = if random.below(2) == 0 { Metric::Runs } else { Metric::Moves };
        problem.rules.alternate = (random.below(3) == 0).then_some(Side::White);
        if problem.validate().is_err() {
            continue;
        }
        let found = problem.shortest_plans(2000, &Options::new().node_limit(50_000)).unwrap();
        let Outcome::Solved(plans) = found.outcome else { continue };
        assert_eq!(plans.listed.len() as u128, plans.count.min(2000));
        for plan in &plans.listed {
            problem.verify(plan).unwrap();
            assert_eq!(problem.cost(plan), plans.cost);
        }
        looked += 1;
    }
    assert_eq!(looked, 32);
}

#[test]
fn the_hardest_position_is_as_far_as_is_said() {
    for (from, distance, reachable) in [("nnn/3/3/NNN", 22, 18_480), ("n1n/3/N1N", 16, 280)] {
        let problem = puzzle(from, from);
        let found = problem.eccentricity(&Options::new().threads(2)).unwrap().found().unwrap();
        assert_eq!((found.distance, found.reachable()), (distance, reachable));
        let mut there = problem.clone();
        there.goal.knights.clone_from(&found.hardest);
        assert_eq!(by_auto(&there, &Options::new()), Verdict::Fewest(distance));
        // By runs, where placements are not numbered, the same are reached.
        let mut runs = problem;
        runs.rules.metric = Metric::Runs;
        let by_runs = runs.eccentricity(&Options::new()).unwrap().found().unwrap();
        assert_eq!(by_runs.reachable(), reachable);
    }
}

/// A plan that costs more: the engine's, after a walk that leads back to the start.
fn longer(problem: &SwapProblem, plan: &[Move]) -> Verified<SwapProblem> {
    let back = |Move { from, to }: Move| Move { from: to, to: from };
    let jumps = |from: Square| {
        let to = problem.board.squares().filter(move |&to| !problem.start.contains_key(&to));
        to.filter(move |&to| problem.board.is_jump(destrier::Leaper::KNIGHT, from, to))
            .map(move |to| Move { from, to })
    };
    let moves: Vec<Move> = problem.start.keys().flat_map(|&from| jumps(from)).collect();
    let pairs = moves.iter().flat_map(|&one| moves.iter().map(move |&other| (one, other)));
    // In turns, each side goes and comes back.
    let mut walks = moves
        .iter()
        .map(|&one| vec![one, back(one)])
        .chain(pairs.map(|(one, other)| vec![one, other, back(one), back(other)]));
    let cost = problem.cost(&SwapPlan(plan.to_vec()));
    let found = walks.find_map(|walk| {
        let plan = SwapPlan([&walk[..], plan].concat());
        Verified::check(problem.clone(), plan).ok().filter(|longer| longer.cost() > cost)
    });
    found.unwrap()
}

/// Optima that rest on a search of ten thousand to 250,000 positions, which the checker repeats.
#[test]
fn the_checker_confirms_searched_optima_and_refutes_longer_plans() {
    let moves = SwapRules::default();
    let runs = SwapRules { metric: Metric::Runs, ..moves };
    let peaceful = SwapRules { peaceful: true, ..moves };
    let in_turns = |rules, side| SwapRules { alternate: Some(side), ..rules };
    for (from, to, wrap, rules, positions) in [
        ("nnn/3/3/NNN", "NNN/3/3/nnn", Wrap::None, moves, 18_480),
        ("nnn/3/3/NNN", "NNN/3/3/nnn", Wrap::None, runs, 18_480),
        ("nnn/3/3/NNN", "NNN/3/3/nnn", Wrap::None, in_turns(moves, Side::White), 18_452),
        ("nnn/3/3/3/NNN", "NNN/3/3/3/nnn", Wrap::None, moves, 100_100),
        ("nn3/5/5/3NN", "NN3/5/5/3nn", Wrap::None, peaceful, 12_878),
        ("ABC/3/def", "fed/3/CBA", Wrap::Files, moves, 60_480),
        ("ABCd/4/4/4", "4/4/4/dCBA", Wrap::None, moves, 43_680),
        ("AB1/c1D/3/3", "3/3/D1c/1BA", Wrap::None, runs, 11_880),
        ("ab1/3/3/1AB", "AB1/3/3/1ab", Wrap::None, in_turns(runs, Side::Black), 11_880),
        ("nn2/n3/3N/2NN", "NN2/N3/3n/2nn", Wrap::None, moves, 160_160),
    ] {
        let mut problem = puzzle(from, to);
        problem.board = problem.board.wrapped(wrap);
        problem.rules = rules;
        let reached = problem.eccentricity(&Options::new()).unwrap().found().unwrap().reachable();
        assert_eq!(reached, positions, "{from}");
        let Outcome::Solved(best) = problem.solve_with(&Options::new()).unwrap().outcome else {
            panic!("{from} has a plan")
        };
        let searched = |plan: &Verified<SwapProblem>| {
            let proof = Proof::Search { by: "test".to_owned(), nodes: 1 };
            let claim = Claim::Fewest { lower_bound: plan.cost(), proof };
            let plan = Verified::check(problem.clone(), plan.solution().clone()).unwrap();
            plan.claiming_within(claim, &Budget::of_certificate(1000, &|| false))
        };
        let support = searched(&best).unwrap().support();
        assert_eq!(support, Some(Support::SearchedAgain), "{from}");
        let longer = longer(&problem, best.moves());
        let refuted = searched(&longer).unwrap_err().to_string();
        let why = format!("the checker found a solution that costs {}", best.cost());
        assert!(refuted.contains(&why), "{from}: {refuted}");
    }
}

#[test]
fn the_farthest_so_far_is_as_far_as_it_says() {
    let mut stopped = 0;
    for metric in [Metric::Moves, Metric::Runs] {
        let mut problem = puzzle("5/5/5/5/N3n", "5/5/5/5/n3N");
        problem.rules.metric = metric;
        for nodes in (1..200).step_by(7) {
            let found = problem.eccentricity(&Options::new().node_limit(nodes)).unwrap();
            let Outcome::Unfinished { best: Some(found), .. } = found.outcome else { continue };
            stopped += 1;
            let mut there = problem.clone();
            there.goal.knights.clone_from(&found.hardest);
            let distance = by_auto(&there, &Options::new());
            assert_eq!(distance, Verdict::Fewest(found.distance), "{metric:?}, {nodes} nodes");
        }
    }
    assert!(stopped > 40, "{stopped} stops");
}

#[test]
fn a_stop_at_any_node_never_gives_a_wrong_answer() {
    let cases = [("nnn/3/3/NNN", "NNN/3/3/nnn", 16), ("ABC/3/3/DEF", "FED/3/3/CBA", 22)];
    let mut plans = Tally::default();
    for (from, to, optimum) in cases {
        let problem = puzzle(from, to);
        for &method in SwapMethod::ALL {
            let proves = !matches!(method, SwapMethod::BestFirst(_) | SwapMethod::HillClimbing);
            for nodes in (1..60).chain([100, 300, 1000, 1024, 2000, 5000]) {
                let options = Options::new().node_limit(nodes).threads(1);
                let answer = plans.answer(method, problem.solve_by(method, &options)).unwrap();
                match answer.outcome {
                    Outcome::Solved(plan) if proves => assert_eq!(plan.cost(), optimum),
                    Outcome::Solved(plan) => assert!(plan.cost() >= optimum),
                    Outcome::Impossible(reason) => panic!("{method}: {reason:?}"),
                    Outcome::Unfinished { best, .. } => {
                        assert_eq!(answer.lower_bound.is_some(), proves, "{method}");
                        let bound = answer.lower_bound.unwrap_or(0);
                        assert!(bound <= optimum, "{method} stopped at {nodes}");
                        assert!(best.is_none_or(|plan| plan.cost() >= optimum));
                    }
                }
            }
        }
    }
    let all = SwapMethod::ALL.iter().map(|method| (method.name(), 130));
    plans.expect(&all.collect::<Vec<_>>());
}

#[test]
fn listeners_hear_of_the_best_plan_and_of_what_is_proved() {
    let problem = puzzle("nnn/nnn/3/3/NNN/NNN", "NNN/NNN/3/3/nnn/nnn");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&heard);
    let options = Options::new()
        .threads(1)
        .on_progress(move |progress| ear.lock().unwrap().push((progress.bound, progress.best)));
    assert_eq!(by_auto(&problem, &options), Verdict::Fewest(28));
    let heard = heard.lock().unwrap();
    let bounds: Vec<u64> = heard.iter().filter_map(|&(bound, _)| bound).collect();
    let plans: Vec<u64> = heard.iter().filter_map(|&(_, best)| best).collect();
    assert!(bounds.is_sorted() && bounds.iter().all(|&bound| bound <= 28), "{bounds:?}");
    assert!(plans.is_sorted_by(|a, b| a >= b) && plans.iter().all(|&plan| plan >= 28), "{plans:?}");
    assert!(bounds.len() > 1 && !plans.is_empty());
}

#[test]
fn a_stop_before_the_first_plan_still_finds_one() {
    let problem = puzzle("nnnnn/nnnnn/5/NNNNN/NNNNN", "NNNNN/NNNNN/5/nnnnn/nnnnn");
    // The beam has some milliseconds: on a busy machine it may take several goes.
    let found = (0..50).any(|_| {
        let answer = problem.solve_with(&Options::new().node_limit(10)).unwrap();
        let Outcome::Unfinished { best, .. } = answer.outcome else { panic!("it was not stopped") };
        assert!(answer.lower_bound.expect("a bound is always known") <= 34);
        assert!(best.as_ref().is_none_or(|plan| plan.cost() >= 34));
        best.is_some()
    });
    assert!(found);
}

#[test]
fn open_squares_that_can_be_filled_in_few_ways_are_filled_before_any_search() {
    let cases = [
        ("ABCD/EFGH/IJKL/MNO1", "BACD/EFGH/IJKL/MN?1"),
        ("A1B/3/C1D", "C1D/3/A1?"),
        ("A1B/3/C1D", "C?D/3/A1?"),
        ("n3N/5", "N3?/5"),
    ];
    for (from, to) in cases {
        let problem = puzzle(from, to);
        let answer = problem.solve_with(&Options::new().node_limit(1)).unwrap();
        let Outcome::Impossible(why) = answer.outcome else { panic!("{to} was searched for") };
        assert!(why.obstacle().to_string().starts_with("open squares: "), "{why:?}");
        assert_eq!(why.support(), Support::Checked);
        // It is no reason against a goal that can be reached.
        let there = puzzle(from, from);
        assert!(there.confirm(why.obstacle()).is_err());
    }
    let problem = puzzle("nnn/3/3/NNN", "NNN/3/3/n?n");
    assert_eq!(by_auto(&problem, &Options::new()), Verdict::Fewest(16));
}

#[test]
fn large_boards_and_bad_questions_are_refused() {
    let problem = puzzle("12N/13/13/13/13/13/13/13/13/13", "N12/13/13/13/13/13/13/13/13/13");
    let error = problem.solve().unwrap_err();
    assert_eq!(
        error.to_string(),
        "auto does not support this: the board has 130 squares; the limit is 128"
    );
    let problem = puzzle("15N/16/16/16/16/16/16/16", "N15/16/16/16/16/16/16/16");
    assert_eq!(by_auto(&problem, &Options::new()), Verdict::Fewest(9));
    let mut attacked = puzzle("n2/2N/3", "N2/2n/3");
    attacked.rules.peaceful = true;
    let error = attacked.solve().unwrap_err();
    assert!(error.to_string().contains("attack each other"), "{error}");
}

#[test]
fn many_colours_on_many_squares_are_supported() {
    // 52 different knights on 128 squares, two of them to change places: the widest key.
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').collect();
    let board = Board::new(16, 8).unwrap();
    let squares: Vec<Square> = board.squares().collect();
    let start: Placement = squares.iter().copied().zip(letters).collect();
    let mut goal = start.clone();
    let (one, two) = (squares[0], squares[18]);
    let (a, b) = (goal[&one], goal[&two]);
    goal.insert(one, b);
    goal.insert(two, a);
    let nothing = BTreeSet::new;
    let problem =
        SwapProblem::between(&setup(&board, start, nothing()), &setup(&board, goal, nothing()))
            .unwrap();
    let answer = problem.solve_with(&Options::new().node_limit(100_000).threads(1)).unwrap();
    let plan = answer.outcome.best().expect("a plan is found before the proof");
    assert!(plan.cost() >= 2);
}
