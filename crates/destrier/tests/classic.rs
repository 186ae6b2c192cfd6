//! The classic walks: their published ways to fail, their stepping back, their traces, and the race.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod follower;

use std::time::Duration;

use destrier::internal::Watch;
use destrier::trace::JsonLines;
use destrier::{
    Answer, Board, Halt, Leaper, MoveOrder, Obstacle, Options, Outcome, Race, Shape, Solve, Square,
    Ties, TourMethod, TourProblem, Tours, Warnsdorff, Wrap,
};
use follower::Follower;

const ALL: [Ties; 3] = [Ties::MoveOrder, Ties::Pohl, Ties::Roth];

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

fn open(side: u32) -> TourProblem {
    TourProblem::open(Board::new(side, side).unwrap())
}

/// The answer of a walk, which the checker has accepted.
fn walk(walk: Warnsdorff, problem: &TourProblem, options: &Options) -> Answer<TourProblem> {
    problem.solve_by(TourMethod::Warnsdorff(walk), options).unwrap()
}

#[test]
fn the_walks_fail_from_as_many_starts_as_is_known() {
    // Failures of plain Warnsdorff, Pohl and Roth over all admissible starts; measured before, and by others.
    for (side, failures) in [(7, [7, 5, 10]), (8, [1, 6, 0]), (20, [5, 3, 1])] {
        let problem = open(side);
        let starts: Vec<Square> =
            problem.board.squares().filter(|s| side % 2 == 0 || s.is_dark()).collect();
        for (ties, expected) in ALL.into_iter().zip(failures) {
            let seen =
                Warnsdorff::new(ties).survey(&problem, &starts, &Watch::unlimited()).unwrap();
            let failed = seen.iter().filter(|(tour, _)| !tour).count();
            assert_eq!(failed, expected, "{side} {ties:?}");
            for (tour, tally) in seen {
                assert_eq!(tour, tally.nodes == problem.board.len());
                assert_eq!(tour, tally.dead_ends == 0);
                let failure = if tour { 0 } else { tally.nodes };
                assert_eq!(tally.first_failure, failure, "a walk fails where it ends");
            }
        }
    }
}

#[test]
fn a_walk_that_is_stuck_gives_up_and_one_that_steps_back_resumes() {
    let (mut stuck, mut resumed) = (0, 0);
    for start in Board::new(7, 7).unwrap().squares().filter(|square| square.is_dark()) {
        let problem = open(7).starting_at(start);
        for ties in ALL {
            match walk(Warnsdorff::new(ties), &problem, &Options::new()).outcome {
                Outcome::Solved(_) => {}
                Outcome::Unfinished { why: Halt::GaveUp, .. } => {
                    stuck += 1;
                    let options = Options::new().node_limit(2_000_000);
                    match walk(Warnsdorff::new(ties).backtracking(), &problem, &options).outcome {
                        Outcome::Solved(_) => resumed += 1,
                        Outcome::Unfinished { why: Halt::Nodes, .. } => {}
                        other => panic!("{other:?}"),
                    }
                }
                other => panic!("{start}: {other:?}"),
            }
        }
    }
    assert_eq!((stuck, resumed), (22, 22));
}

fn is_exhausted(answer: &Answer<TourProblem>) -> bool {
    match &answer.outcome {
        Outcome::Impossible(why) => matches!(why.obstacle(), Obstacle::Exhausted { .. }),
        _ => false,
    }
}

#[test]
fn stepping_back_to_the_end_is_a_proof_and_nothing_less_is() {
    for ties in ALL {
        // 4×4 has no tour, though the colours allow one; 3×5 has none either.
        for (files, ranks) in [(4, 4), (3, 5)] {
            let problem = TourProblem::open(Board::new(files, ranks).unwrap());
            let plain = walk(Warnsdorff::new(ties), &problem, &Options::new());
            assert!(matches!(plain.outcome, Outcome::Unfinished { why: Halt::GaveUp, .. }));
            let whole = walk(Warnsdorff::new(ties).backtracking(), &problem, &Options::new());
            assert!(is_exhausted(&whole), "{files}x{ranks}: {whole:?}");
        }
    }
}

#[test]
fn walks_keep_to_the_ends_and_close_where_asked() {
    let closed = TourProblem::closed(Board::new(6, 6).unwrap());
    for problem in [
        open(6).starting_at(square("c3")).ending_at(square("a2")),
        open(5).ending_at(square("a1")),
        closed.clone(),
        closed.clone().starting_at(square("d4")),
        closed.clone().ending_at(square("b2")),
        closed.starting_at(square("a1")).ending_at(square("b3")),
    ] {
        let options = Options::new().node_limit(20_000_000);
        let answer = walk(Warnsdorff::new(Ties::Roth).backtracking(), &problem, &options);
        answer.solved().unwrap();
    }
}

#[test]
fn a_walk_over_a_large_board_is_linear_and_needs_no_stack() {
    let problem = open(400).starting_at(square("a1"));
    let answer = walk(Warnsdorff::new(Ties::Roth), &problem, &Options::new());
    assert_eq!(answer.effort.nodes, 160_000);
    answer.solved().unwrap();
}

#[test]
fn a_torus_and_other_leapers_can_be_walked() {
    let torus = TourProblem::open(Board::new(8, 8).unwrap().wrapped(Wrap::Both));
    let giraffe = TourProblem { leaper: Leaper::new(1, 4).unwrap(), ..open(16) };
    for problem in [torus, giraffe] {
        let options = Options::new().node_limit(5_000_000);
        walk(Warnsdorff::new(Ties::Pohl), &problem, &options).solved().unwrap();
    }
}

#[test]
fn from_the_corner_roths_walk_fails_on_few_sides_and_long_before_428() {
    // `bench/classic/sizes.csv` has every side to 600, and some to 2000.
    let fails = |side: u32| {
        let roth = Warnsdorff::new(Ties::Roth);
        let walked = roth.survey(&open(side), &[square("a1")], &Watch::unlimited()).unwrap();
        !walked[0].0
    };
    let failing: Vec<u32> =
        (5..=120).chain([260, 261, 262, 352, 428]).filter(|&s| fails(s)).collect();
    assert_eq!(failing, [11, 261, 352]);
}

#[test]
fn the_order_of_moves_decides_where_all_else_is_equal() {
    let problem = open(8).starting_at(square("c6"));
    let usual = Leaper::KNIGHT.jumps();
    let grid = |jumps: &[(i64, i64)]| {
        let order = MoveOrder::new(jumps, Leaper::KNIGHT).unwrap();
        let walked = Warnsdorff::new(Ties::MoveOrder).in_order(order);
        walk(walked, &problem, &Options::new()).solved().unwrap().grid()
    };
    let plain = walk(Warnsdorff::new(Ties::MoveOrder), &problem, &Options::new());
    assert_eq!(grid(&usual), plain.solved().unwrap().grid());
    let mut back = usual.clone();
    back.reverse();
    assert_ne!(grid(&back), grid(&usual));
    // The board upside down, and the moves with it: the same walk upside down.
    let flipped: Vec<(i64, i64)> = usual.iter().map(|&(across, up)| (across, -up)).collect();
    let order = MoveOrder::new(&flipped, Leaper::KNIGHT).unwrap();
    let walked = Warnsdorff::new(Ties::MoveOrder).in_order(order);
    let below = open(8).starting_at(square("c3"));
    let mut upside_down = walk(walked, &below, &Options::new()).solved().unwrap().grid();
    upside_down.reverse();
    assert_eq!(upside_down, grid(&usual));
    let torus = TourProblem::open(Board::new(8, 8).unwrap().wrapped(Wrap::Both));
    assert!(torus.solve_by(TourMethod::Warnsdorff(walked), &Options::new()).is_err());
}

#[test]
fn a_thread_whose_time_is_up_leaves_the_race_and_nothing_is_proved() {
    let none = TourProblem::open(Board::new(4, 4).unwrap()).starting_at(square("a1"));
    let race = |problem: &TourProblem, options: &Options| {
        problem.solve_by(TourMethod::Race(Race::Backtracking), options).unwrap()
    };
    let no_time = Options::new().thread_limit(Duration::ZERO);
    let late = race(&none, &no_time);
    assert!(matches!(late.outcome, Outcome::Unfinished { why: Halt::GaveUp, .. }));
    // With time enough the limit changes nothing.
    let patient = Options::new().thread_limit(Duration::from_secs(3600));
    assert!(is_exhausted(&race(&none, &patient)));
    race(&open(8).starting_at(square("a1")), &patient).solved().unwrap();
}

#[test]
fn the_race_has_a_winner_and_stops_when_told() {
    let race = |problem: &TourProblem, nodes| {
        problem
            .solve_by(TourMethod::Race(Race::Backtracking), &Options::new().node_limit(nodes))
            .unwrap()
    };
    for side in [5, 6, 8, 20, 51] {
        for shape in [Shape::Open, Shape::Closed] {
            if shape == Shape::Closed && (side % 2 == 1 || side > 8) {
                continue;
            }
            let problem = TourProblem { shape, ..open(side) }.starting_at(square("a1"));
            race(&problem, 50_000_000).solved().unwrap();
        }
    }
    let none = TourProblem::open(Board::new(4, 4).unwrap()).starting_at(square("a1"));
    assert!(is_exhausted(&race(&none, u64::MAX)));
    assert!(matches!(race(&none, 50).outcome, Outcome::Unfinished { why: Halt::Nodes, .. }));
}

#[test]
fn a_trace_tells_every_visit_and_retreat_and_ends_in_the_tour() {
    // A start from which the plain walk gets stuck on 7×7, so that there is something to retreat from.
    let failing = open(7).board.squares().filter(|s| s.is_dark()).find(|&start| {
        let seen = Warnsdorff::new(Ties::Roth).survey(&open(7), &[start], &Watch::unlimited());
        !seen.unwrap()[0].0
    });
    let problem = open(7).starting_at(failing.unwrap());
    let method = TourMethod::Warnsdorff(Warnsdorff::new(Ties::Roth).backtracking());
    let options = Options::new().node_limit(5_000_000);
    let mut follower = Follower::default();
    let answer = problem.trace(method, &options, &mut follower).unwrap();
    let nodes = answer.effort.nodes;
    assert_eq!(follower.path, answer.solved().unwrap().squares());
    assert_eq!((follower.found.len(), follower.retreats > 0), (49, true));
    assert_eq!(nodes, 49 + follower.retreats);

    let mut lines = JsonLines::new(Vec::new());
    problem.trace(method, &options, &mut lines).unwrap();
    let text = String::from_utf8(lines.finish().unwrap()).unwrap();
    assert_eq!(text.lines().count() as u64, follower.events);
    assert_eq!(text.lines().next(), Some(r#"{"event":"begin","attempt":1}"#));
    assert_eq!(text.lines().last(), Some(r#"{"event":"found","steps":49}"#));
}

#[test]
fn a_listener_that_has_enough_ends_the_search_undecided() {
    for enough in 1..40 {
        let mut follower = Follower { enough: Some(enough), ..Follower::default() };
        let method = TourMethod::Warnsdorff(Warnsdorff::new(Ties::Pohl).backtracking());
        let answer = open(8).trace(method, &Options::new(), &mut follower).unwrap();
        assert!(matches!(answer.outcome, Outcome::Unfinished { why: Halt::Asked, .. }));
        assert_eq!(follower.events, enough);
    }
}

#[test]
fn a_race_is_watched_in_turns_and_the_first_tour_wins() {
    let mut stepped_back = 0;
    for race in [Race::Backtracking, Race::Plain] {
        let corners = (5..=9).map(|side| open(side).starting_at(square("a1")));
        let narrow = TourProblem::open(Board::new(3, 4).unwrap());
        let squares = narrow.board.squares().map(|start| narrow.clone().starting_at(start));
        for problem in corners.chain(squares) {
            let (side, method) = (problem.board.ranks(), TourMethod::Race(race));
            let mut follower = Follower::default();
            let options = Options::new().node_limit(5_000_000);
            let answer = problem.trace(method, &options, &mut follower).unwrap();
            stepped_back += follower.retreats;
            let Outcome::Solved(tour) = answer.outcome else {
                assert!(race == Race::Plain || side == 4, "side {side}");
                continue;
            };
            // All knights moved as often as the winner, but for those that were stuck.
            assert_eq!(follower.found, tour.squares(), "side {side}");
            let knights = follower.others.len() as u64 + 1;
            assert!(follower.events <= knights * (2 + follower.visits + follower.retreats));
        }
    }
    assert!(stepped_back > 0, "some knight met a dead end");
    let none = TourProblem::open(Board::new(4, 4).unwrap()).starting_at(square("a1"));
    let method = TourMethod::Race(Race::Backtracking);
    let answer = none.trace(method, &Options::new(), &mut Follower::default()).unwrap();
    assert!(is_exhausted(&answer), "{:?}", answer.outcome);
    for enough in 1..40 {
        let mut follower = Follower { enough: Some(enough), ..Follower::default() };
        let answer = open(6).trace(method, &Options::new(), &mut follower).unwrap();
        assert!(matches!(answer.outcome, Outcome::Unfinished { why: Halt::Asked, .. }));
        assert_eq!(follower.events, enough);
    }
}
