//! Swaps: known optima, small worlds against the baseline, laws, and halting.
//!
//! `DESTRIER_LIMIT=N` raises the number of nodes a known row may take and the size of the samples.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use destrier::swap::{self, SWAP_SOLVERS};
use destrier::{Outcome, SolveError, Watch, method};
use destrier_rules::{
    Claim, Metric, Placement, Problem, Proof, Setup, Side, Square, Support, SwapProblem, SwapRules,
};

fn limit() -> Option<u64> {
    std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse().ok())
}

fn puzzle(from: &str, to: &str) -> SwapProblem {
    SwapProblem::between(&from.parse().unwrap(), &to.parse().unwrap()).unwrap()
}

/// The cost that a method gives, `Some(None)` for impossible, `None` for unfinished or unsuited.
#[expect(clippy::option_option, reason = "undecided, decided as impossible, or a cost")]
fn fewest(problem: &SwapProblem, method: &str, watch: &Watch) -> Option<Option<u64>> {
    let run = match swap::solve(problem, method, watch) {
        Ok(run) => run,
        Err(SolveError::Unsuited { .. }) => return None,
        Err(error) => {
            panic!("{method} on {} to {}: {error}", problem.start_fen(), problem.goal_fen())
        }
    };
    match run.outcome {
        Outcome::Solved(plan) => {
            let cost = problem.cost(plan.solution());
            if let Claim::Fewest { lower_bound, proof } = run.claim {
                assert_eq!(lower_bound, cost);
                // What the bound shows, the checker sees for itself, and it sees no more.
                let shown = problem.prove(cost, &proof).unwrap();
                match proof {
                    Proof::Search { .. } => assert_eq!(shown, Support::Search),
                    _ => assert_eq!(shown, Support::Checked, "{proof:?}"),
                }
                assert_eq!(problem.prove(cost + 1, &proof).is_ok(), shown == Support::Search);
            }
            Some(Some(cost))
        }
        Outcome::Impossible(_) => Some(None),
        Outcome::Unfinished { best, .. } => {
            if let (Some(plan), Claim::AtLeast { lower_bound }) = (best, run.claim) {
                assert!(lower_bound <= problem.cost(plan.solution()));
            }
            None
        }
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
        let watch = Watch::unlimited().with_node_limit(limit().unwrap_or(60_000)).with_threads(2);
        if let Some(found) = fewest(&row.problem, "auto", &watch) {
            assert_eq!(found, row.optimum, "{}", row.id);
            proved += 1;
        }
    }
    assert!(proved >= 68, "only {proved} rows were proved");
}

#[test]
fn every_method_agrees_on_known_rows() {
    let mut agreed = 0;
    for row in rows() {
        for solver in SWAP_SOLVERS.iter().filter(|solver| solver.name() != "auto") {
            let watch = Watch::halting_at(limit().unwrap_or(4_000)).with_memory(Some(64 << 20));
            match fewest(&row.problem, solver.name(), &watch) {
                Some(found) if solver.name() == "best-first" => {
                    assert_eq!(found.is_some(), row.optimum.is_some(), "{}", row.id);
                    assert!(found >= row.optimum, "{}: best-first nodes the optimum", row.id);
                    agreed += 1;
                }
                Some(found) => {
                    assert_eq!(found, row.optimum, "{} by {}", row.id, solver.name());
                    agreed += 1;
                }
                None => {}
            }
        }
    }
    assert!(agreed >= 200, "only {agreed} answers came within the limit");
}

/// A small generator, so that samples are the same everywhere.
struct Die(u64);

impl Die {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, usize::try_from(self.roll(i as u64 + 1)).unwrap());
        }
    }
}

fn setup(board: &destrier_rules::Board, pieces: Placement, unknown: BTreeSet<Square>) -> Setup {
    Setup { board: board.clone(), pieces, unknown }
}

/// A random board to 3x4 with random holes, random knights of these letters, and a shuffled goal.
fn random_puzzle(die: &mut Die, letters: &[char], labelled: bool) -> Option<SwapProblem> {
    let (files, ranks) =
        (u32::try_from(die.roll(2)).unwrap() + 2, u32::try_from(die.roll(3)).unwrap() + 2);
    let board = destrier_rules::Board::new(files, ranks).unwrap();
    let holes: Vec<Square> = board.squares().filter(|_| die.roll(8) == 0).collect();
    let board = board.without(holes).ok()?;
    let mut squares: Vec<Square> = board.squares().collect();
    die.shuffle(&mut squares);
    let most = (squares.len() as u64).min(if labelled { 6 } else { 12 });
    let count = usize::try_from(1 + die.roll(most)).unwrap();
    let kinds = letters.len() as u64;
    let knights: Vec<char> = (0..count)
        .map(|i| letters[if labelled { i } else { usize::try_from(die.roll(kinds)).unwrap() }])
        .collect();
    let start: Placement = squares.iter().copied().zip(knights.iter().copied()).collect();
    if die.roll(3) > 0 {
        die.shuffle(&mut squares);
    } else {
        let mut front = squares[..count].to_vec();
        die.shuffle(&mut front);
        squares[..count].copy_from_slice(&front);
    }
    let mut goal: Placement = squares.iter().copied().zip(knights).collect();
    let mut unknown = BTreeSet::new();
    if die.roll(4) == 0 {
        // Leave some squares open.
        for &square in squares.iter().take(usize::try_from(die.roll(4)).unwrap()) {
            goal.remove(&square);
            unknown.insert(square);
        }
    }
    let nothing = BTreeSet::new();
    SwapProblem::between(&setup(&board, start, nothing), &setup(&board, goal, unknown)).ok()
}

fn compare_with_naive(problem: &SwapProblem) -> bool {
    if problem.validate().is_err() {
        return false;
    }
    let want = fewest(problem, "naive", &Watch::halting_at(20_000));
    let Some(want) = want else { return false };
    for method in ["auto", "astar", "meet", "ranked"] {
        if let Some(found) = fewest(problem, method, &Watch::unlimited().with_threads(2)) {
            let (from, to) = (problem.start_fen(), problem.goal_fen());
            assert_eq!(found, want, "{method}: {from} to {to} under {:?}", problem.rules);
        }
    }
    if let Some(found) = fewest(problem, "best-first", &Watch::halting_at(20_000)) {
        assert_eq!(found.is_some(), want.is_some());
        assert!(found >= want);
    }
    true
}

#[test]
fn exact_methods_agree_with_the_baseline_under_all_rules() {
    let mut die = Die(2024);
    let mut compared = 0;
    let samples = limit().map_or(500, |limit| limit.min(100_000));
    for sample in 0..samples {
        let (letters, labelled): (Vec<char>, bool) = match sample % 4 {
            0 | 1 => (vec!['N', 'n'], false),
            2 => (vec!['A', 'b', 'C'], false),
            _ => (('A'..='F').collect(), true),
        };
        let Some(mut problem) = random_puzzle(&mut die, &letters, labelled) else { continue };
        let sides = [None, None, Some(Side::White), Some(Side::Black)];
        problem.rules = SwapRules {
            metric: if die.roll(3) == 0 { Metric::Runs } else { Metric::Moves },
            alternate: sides[usize::try_from(die.roll(4)).unwrap()],
            peaceful: die.roll(4) == 0,
        };
        compared += u32::from(compare_with_naive(&problem));
    }
    assert!(u64::from(compared) * 4 > samples, "only {compared} puzzles were compared");
}

fn turned(problem: &SwapProblem) -> SwapProblem {
    // A quarter turn: file and rank change places, and one of them is mirrored.
    let ranks = problem.board.ranks();
    let turn = |square: &Square| Square::new(ranks - 1 - square.rank, square.file);
    let board = destrier_rules::Board::new(ranks, problem.board.files()).unwrap();
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
    for row in rows() {
        let watch = || Watch::halting_at(limit().unwrap_or(1_500));
        let Some(want) = fewest(&row.problem, "auto", &watch()) else { continue };
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
            if let Some(found) = fewest(&other, "auto", &Watch::halting_at(200_000)) {
                assert_eq!(found, want, "{}", row.id);
            }
        }
    }
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
        let run = swap::shortest_plans(&problem, 30, &Watch::unlimited()).unwrap();
        let Outcome::Solved(plans) = run.outcome else { panic!("{from} was not finished") };
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
    let mut die = Die(5);
    let mut looked = 0;
    for _ in 0..120 {
        let Some(mut problem) = random_puzzle(&mut die, &['N', 'n'], false) else { continue };
        problem.rules.metric = if die.roll(2) == 0 { Metric::Runs } else { Metric::Moves };
        problem.rules.alternate = (die.roll(3) == 0).then_some(Side::White);
        if problem.validate().is_err() {
            continue;
        }
        let run = swap::shortest_plans(&problem, 2000, &Watch::halting_at(50_000)).unwrap();
        let Outcome::Solved(plans) = run.outcome else { continue };
        assert_eq!(plans.listed.len() as u128, plans.count.min(2000));
        for plan in &plans.listed {
            problem.verify(plan).unwrap();
            assert_eq!(problem.cost(plan), plans.cost);
        }
        looked += 1;
    }
    assert!(looked > 30);
}

#[test]
fn the_hardest_position_is_as_far_as_is_said() {
    for (from, distance, reachable) in [("nnn/3/3/NNN", 22, 18_480), ("n1n/3/N1N", 16, 280)] {
        let problem = puzzle(from, from);
        let run = swap::eccentricity(&problem, &Watch::unlimited().with_threads(2)).unwrap();
        let Outcome::Solved(found) = run.outcome else { panic!("{from} was not finished") };
        assert_eq!((found.distance, found.reachable()), (distance, reachable));
        let mut there = problem.clone();
        there.goal.knights.clone_from(&found.hardest);
        assert_eq!(fewest(&there, "auto", &Watch::unlimited()), Some(Some(distance)));
        // By runs, where placements are not numbered, the same are reached.
        let mut runs = problem;
        runs.rules.metric = Metric::Runs;
        let run = swap::eccentricity(&runs, &Watch::unlimited()).unwrap();
        let Outcome::Solved(by_runs) = run.outcome else { panic!("{from} was not finished") };
        assert_eq!(by_runs.reachable(), reachable);
    }
}

#[test]
fn a_halt_at_any_beat_never_yields_a_wrong_answer() {
    let cases = [("nnn/3/3/NNN", "NNN/3/3/nnn", 16), ("ABC/3/3/DEF", "FED/3/3/CBA", 22)];
    for (from, to, optimum) in cases {
        let problem = puzzle(from, to);
        for solver in SWAP_SOLVERS.iter().filter(|solver| solver.name() != "best-first") {
            for tick in (1..60).chain([100, 300, 1000, 1024, 2000, 5000]) {
                let watch = Watch::halting_at(tick).with_threads(1);
                let run = method::solve_checked(*solver, &problem, &watch).unwrap();
                match run.outcome {
                    Outcome::Solved(plan) => assert_eq!(problem.cost(plan.solution()), optimum),
                    Outcome::Impossible(reason) => panic!("{}: {reason}", solver.name()),
                    Outcome::Unfinished { best, .. } => {
                        let Claim::AtLeast { lower_bound } = run.claim else { panic!("no bound") };
                        assert!(lower_bound <= optimum, "{} at tick {tick}", solver.name());
                        assert!(best.is_none_or(|plan| problem.cost(plan.solution()) >= optimum));
                    }
                }
            }
        }
    }
}

#[test]
fn listeners_hear_of_the_best_plan_and_of_what_is_proved() {
    let problem = puzzle("nnn/nnn/3/3/NNN/NNN", "NNN/NNN/3/3/nnn/nnn");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = Arc::clone(&heard);
    let watch = Watch::unlimited()
        .with_threads(1)
        .telling(move |progress| ear.lock().unwrap().push((progress.bound, progress.best)));
    assert_eq!(fewest(&problem, "auto", &watch), Some(Some(28)));
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
        let run = swap::solve(&problem, "auto", &Watch::halting_at(10)).unwrap();
        let Outcome::Unfinished { best, .. } = run.outcome else { panic!("it was not stopped") };
        let Claim::AtLeast { lower_bound } = run.claim else { panic!("no bound") };
        assert!(lower_bound <= 34);
        assert!(best.as_ref().is_none_or(|plan| problem.cost(plan.solution()) >= 34));
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
        let run = swap::solve(&problem, "auto", &Watch::halting_at(1)).unwrap();
        let Outcome::Impossible(obstacle) = run.outcome else { panic!("{to} was searched for") };
        assert!(obstacle.to_string().starts_with("open squares: "), "{obstacle}");
        assert_eq!(problem.confirm(&obstacle).unwrap(), Support::Checked);
        // It is no reason against a goal that can be reached.
        let there = puzzle(from, from);
        assert!(there.confirm(&obstacle).is_err());
    }
    let problem = puzzle("nnn/3/3/NNN", "NNN/3/3/n?n");
    assert_eq!(fewest(&problem, "auto", &Watch::unlimited()), Some(Some(16)));
}

#[test]
fn large_boards_and_bad_questions_are_refused() {
    let problem = puzzle("12N/13/13/13/13/13/13/13/13/13", "N12/13/13/13/13/13/13/13/13/13");
    let error = swap::solve(&problem, "auto", &Watch::unlimited()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "auto cannot take this on: the board has 130 squares; the limit is 128"
    );
    let problem = puzzle("15N/16/16/16/16/16/16/16", "N15/16/16/16/16/16/16/16");
    assert_eq!(fewest(&problem, "auto", &Watch::unlimited()), Some(Some(9)));
    let mut attacked = puzzle("n2/2N/3", "N2/2n/3");
    attacked.rules.peaceful = true;
    let error = swap::solve(&attacked, "auto", &Watch::unlimited()).unwrap_err();
    assert!(error.to_string().contains("attack each other"), "{error}");
}

#[test]
fn many_colours_on_many_squares_are_taken_on() {
    // 52 different knights on 128 squares, two of them to change places: the widest key.
    let letters: Vec<char> = ('A'..='Z').chain('a'..='z').collect();
    let board = destrier_rules::Board::new(16, 8).unwrap();
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
    let run = swap::solve(&problem, "auto", &Watch::halting_at(400_000).with_threads(1)).unwrap();
    let plan = run.outcome.best().expect("a plan is found before the proof");
    assert!(problem.cost(plan.solution()) >= 2);
}
