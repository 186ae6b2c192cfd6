//! Searches for captures and swaps while somebody listens: they say what they do, and stop when the listener has enough.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod follower;

use std::ops::ControlFlow;

use destrier::swap::trace::Look;
use destrier::trace::JsonLines;
use destrier::{
    CaptureMethod, Captures as _, Halt, Method as _, Metric, Options, Outcome, Problem as _,
    Puzzle, Side, Solve as _, SwapMethod, SwapProblem, Swaps as _,
};
use follower::Follower;

fn capture() -> destrier::CaptureProblem {
    "4p/5/2p2/5/N3p".parse::<Puzzle>().unwrap().problem
}

fn guarini() -> SwapProblem {
    SwapProblem::between(&"n1n/3/N1N".parse().unwrap(), &"N1N/3/n1n".parse().unwrap()).unwrap()
}

#[test]
fn the_branch_and_bound_visits_what_it_counts_and_its_last_find_is_the_plan() {
    let method = CaptureMethod::named("bb-dfs").unwrap();
    let mut follower = Follower::default();
    let answer = capture().trace(method, &Options::new(), &mut follower).unwrap();
    let silent = capture().solve_by(method, &Options::new()).unwrap();
    assert_eq!((answer.effort.nodes, follower.visits), (silent.effort.nodes, silent.effort.nodes));
    assert_eq!(follower.found, answer.solved().unwrap().squares());
    assert_eq!(follower.path.len(), 1, "it ends where it began");

    let mut lines = JsonLines::new(Vec::new());
    capture().trace(method, &Options::new(), &mut lines).unwrap();
    let text = String::from_utf8(lines.finish().unwrap()).unwrap();
    assert_eq!(text.lines().count() as u64, follower.events);
}

#[test]
fn the_search_of_all_positions_looks_at_what_it_counts_and_ends_with_the_plan() {
    let mut follower = Follower::default();
    let answer = capture().trace(CaptureMethod::Naive, &Options::new(), &mut follower).unwrap();
    let silent = capture().solve_by(CaptureMethod::Naive, &Options::new()).unwrap();
    assert_eq!((answer.effort.nodes, follower.visits), (silent.effort.nodes, silent.effort.nodes));
    // The way of the last position begins after the knight's own square.
    assert_eq!(follower.found, answer.solved().unwrap().squares()[1..]);

    let mut lines = JsonLines::new(Vec::new());
    capture().trace(CaptureMethod::Naive, &Options::new(), &mut lines).unwrap();
    let text = String::from_utf8(lines.finish().unwrap()).unwrap();
    assert!(text.starts_with("{\"event\":\"look\",\"position\":0}\n"), "{text}");
    assert!(text.ends_with("{\"event\":\"found\"}\n"), "{text}");
    assert_eq!(text.lines().count() as u64, follower.events);
}

#[test]
fn a_listener_that_has_enough_ends_the_search_undecided() {
    for enough in 1..40 {
        let mut follower = Follower { enough: Some(enough), ..Follower::default() };
        let answer = capture().trace(CaptureMethod::Auto, &Options::new(), &mut follower).unwrap();
        assert!(matches!(answer.outcome, Outcome::Unfinished { why: Halt::Asked, .. }));
        assert_eq!(follower.events, enough);
        let mut follower = Follower { enough: Some(enough), ..Follower::default() };
        let answer = capture().trace(CaptureMethod::Naive, &Options::new(), &mut follower).unwrap();
        assert!(matches!(answer.outcome, Outcome::Unfinished { why: Halt::Asked, .. }));
        assert_eq!(follower.events, enough);
    }
    for method in ["naive", "best-first", "astar"] {
        let method = SwapMethod::named(method).unwrap();
        for enough in 1..30 {
            let mut heard = 0;
            let answer = guarini().trace(method, &Options::new(), &mut |_| {
                heard += 1;
                if heard == enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let outcome = answer.unwrap().outcome;
            assert!(matches!(outcome, Outcome::Unfinished { why: Halt::Asked, .. }), "{enough}");
            // What is known of the last position is told, too.
            assert!(heard <= enough + 1, "{heard} of {enough}");
        }
    }
}

#[test]
fn a_search_of_positions_says_where_each_came_from() {
    for method in [SwapMethod::Naive, SwapMethod::AStar, SwapMethod::named("best-first").unwrap()] {
        let mut positions = vec![Some(guarini().start)];
        let (mut last, mut found) = (0, false);
        let answer = guarini().trace(method, &Options::new(), &mut |look| {
            match look {
                Look::Start => last = 0,
                Look::At { number, from, step } => {
                    let mut knights = positions[from].clone().unwrap();
                    let letter = knights.remove(&step.from).unwrap();
                    assert_eq!(knights.insert(step.to, letter), None);
                    positions.resize(positions.len().max(number + 1), None);
                    (positions[number], last) = (Some(knights), number);
                }
                Look::DeadEnd => {}
                Look::Found => found = true,
            }
            ControlFlow::Continue(())
        });
        answer.unwrap().solved().unwrap();
        assert!(found);
        assert_eq!(positions[last], Some(guarini().goal.knights), "it ends at the goal");
    }
    let refused =
        guarini().trace(SwapMethod::Meet, &Options::new(), &mut |_| ControlFlow::Break(()));
    let why = "meet does not support this: its steps cannot be traced: it looks at many positions at once; \
               those of astar, best-first, hill-climbing and naive can";
    assert_eq!(refused.unwrap_err().to_string(), why);
}

#[test]
fn a_star_that_is_watched_says_what_it_says_unwatched() {
    let swap = |start: &str, goal: &str| {
        SwapProblem::between(&start.parse().unwrap(), &goal.parse().unwrap()).unwrap()
    };
    let mut problems = vec![
        guarini(),
        swap("nnn/3/3/NNN", "NNN/3/3/nnn"),
        swap("n1n/3/N1N", "n1N/3/n1N"),
        swap("ab1/3/3", "ba1/3/3"),
        swap("N2/3/2n/3", "?2/3/2?/3"),
        swap("n###/3N/nN1#/2##", "N###/3n/Nn1#/2##"),
        swap("nn/NN", "NN/nn"),
    ];
    for problem in problems.clone() {
        for (runs, side) in [(true, None), (false, Some(Side::White)), (false, Some(Side::Black))] {
            let mut problem = problem.clone();
            problem.rules.metric = if runs { Metric::Runs } else { Metric::Moves };
            problem.rules.alternate = side;
            problem.rules.peaceful = side == Some(Side::Black);
            problems.push(problem);
        }
    }
    let mut tally = [0, 0];
    for problem in problems {
        if problem.validate().is_err() {
            continue;
        }
        let mut looks = 0;
        let watched = problem.trace(SwapMethod::AStar, &Options::new(), &mut |look| {
            looks += u64::from(matches!(look, Look::Start | Look::At { .. }));
            ControlFlow::Continue(())
        });
        let (watched, alone) =
            (watched.unwrap(), problem.solve_by(SwapMethod::Naive, &Options::new()).unwrap());
        assert_eq!(watched.effort.nodes, looks, "{problem:?}");
        match (watched.outcome, alone.outcome) {
            (Outcome::Solved(watched), Outcome::Solved(alone)) => {
                assert_eq!(watched.cost(), alone.cost(), "{problem:?}");
                tally[0] += 1;
            }
            (Outcome::Impossible(_), Outcome::Impossible(_)) => tally[1] += 1,
            (watched, alone) => panic!("{problem:?}: {watched:?}, {alone:?}"),
        }
    }
    assert!(tally[0] >= 8 && tally[1] >= 2, "{tally:?}");
}
