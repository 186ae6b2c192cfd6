//! Answers in a form that is easy to draw (`Answer` in `openapi.json`).

use std::collections::BTreeMap;

use destrier::count::ByStart;
use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Claim, Metric, Puzzle, Shape, Square, Tour, TourProblem,
    Verified, Wrap,
};
use destrier_rules::{Leaper, Problem as _, SwapProblem};
use serde_json::{Value, json};

/// The lower bound, if there is one, and whether the answer is proved to meet it.
fn bound(claim: &Claim) -> (Option<u64>, bool) {
    match claim {
        Claim::Fewest { lower_bound, .. } => (Some(*lower_bound), true),
        Claim::AtLeast { lower_bound } => (Some(*lower_bound), false),
        _ => (None, false),
    }
}

fn on_board(mut answer: Value, board: &Board) -> Value {
    answer["board"] = board.size().into();
    if !board.holes().is_empty() {
        answer["holes"] = json!(board.holes());
    }
    if let Some(wrap) = wrap_name(board.wrap()) {
        answer["wrap"] = wrap.into();
    }
    answer
}

/// Which edges are joined, as `--wrap` names them.
#[must_use]
pub const fn wrap_name(wrap: Wrap) -> Option<&'static str> {
    match wrap {
        Wrap::None => None,
        Wrap::Files => Some("x"),
        Wrap::Ranks => Some("y"),
        Wrap::Both => Some("both"),
    }
}

/// A tour that is listed.
pub(crate) fn tour(tour: &Verified<TourProblem>) -> Value {
    let (problem, Tour(squares)) = (tour.problem(), tour.solution());
    let mut answer = json!({
        "kind": "tour", "closed": problem.shape == Shape::Closed, "length": squares.len(),
        "squares": squares, "access": "list",
    });
    if problem.leaper != Leaper::KNIGHT {
        answer["leaper"] = problem.leaper.to_string().into();
    }
    on_board(answer, &problem.board)
}

/// A number for each square.
pub(crate) fn by_start(question: &TourProblem, counts: &ByStart) -> Value {
    let numbers: BTreeMap<Square, String> =
        counts.iter().map(|(square, n)| (*square, n.to_string())).collect();
    let board = &question.board;
    let row = |rank: u32| -> Vec<Option<&String>> {
        (0..board.files()).map(|file| numbers.get(&Square::new(file, rank))).collect()
    };
    let grid: Vec<_> = (0..board.ranks()).rev().map(row).collect();
    let by_name: serde_json::Map<String, Value> =
        numbers.iter().map(|(square, n)| (square.to_string(), n.as_str().into())).collect();
    on_board(
        json!({ "kind": "by-start", "shape": question.shape, "directed": by_name, "grid": grid }),
        board,
    )
}

/// A plan of captures.
pub(crate) fn capture(plan: &Verified<CaptureProblem>, claim: &Claim, hint: Option<u64>) -> Value {
    let (problem, CapturePlan(squares)) = (plan.problem(), plan.solution());
    let mut left = problem.targets.clone();
    let taken: Vec<usize> = squares
        .iter()
        .enumerate()
        .filter(|(_, square)| left.remove(square))
        .map(|(at, _)| at)
        .collect();
    let (lower_bound, proved) = bound(claim);
    let mut answer = json!({
        "kind": "capture", "fen": Puzzle::fen(problem), "squares": squares, "taken": taken,
        "moves": plan.solution().moves(), "proved": proved,
    });
    if let Some(bound) = lower_bound {
        answer["lower_bound"] = bound.into();
    }
    if let Some(hint) = hint {
        answer["hint"] = hint.into();
    }
    on_board(answer, &problem.board)
}

/// A plan of moves.
pub(crate) fn swap(plan: &Verified<SwapProblem>, claim: &Claim) -> Value {
    let problem = plan.problem();
    let (lower_bound, proved) = bound(claim);
    let metric = if problem.rules.metric == Metric::Runs { "runs" } else { "moves" };
    let mut answer = json!({
        "kind": "swap", "start": problem.start_fen(), "goal": problem.goal_fen(), "moves": plan.solution(),
        "cost": problem.cost(plan.solution()), "metric": metric, "proved": proved,
    });
    if let Some(bound) = lower_bound {
        answer["lower_bound"] = bound.into();
    }
    on_board(answer, &problem.board)
}
