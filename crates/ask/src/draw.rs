//! Answers in a form that is easy to draw (`Answer` in `openapi.json`).

use destrier::count::ByStart;
use destrier_rules::{
    Board, CapturePlan, CaptureProblem, Claim, Leaper, Problem, Puzzle, Shape, Support,
    SwapProblem, Tour, TourProblem, Verified, Word as _, Wrap,
};
use serde_json::{Map, Value, json};

/// The lower bound, if there is one, and whether the answer is said to meet it.
fn bound(claim: &Claim) -> (Option<u64>, bool) {
    match claim {
        Claim::Fewest { lower_bound, .. } => (Some(*lower_bound), true),
        Claim::AtLeast { lower_bound } => (Some(*lower_bound), false),
        _ => (None, false),
    }
}

/// The drawing of a client's answer: only what the checker confirmed counts as proved.
pub(crate) fn brought<P: Problem>(answer: &Verified<P>, mut drawn: Value) -> Value {
    if drawn.get("proved").is_some() && !answer.support().is_some_and(Support::is_confirmed) {
        drawn["proved"] = false.into();
    }
    drawn
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
pub fn wrap_name(wrap: Wrap) -> Option<&'static str> {
    (wrap != Wrap::None).then(|| wrap.name())
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
    let board = &question.board;
    let (files, ranks) = (board.files() as usize, board.ranks() as usize);
    let mut grid = vec![vec![Value::Null; files]; ranks];
    let mut by_name = Map::new();
    for (square, number) in counts {
        let number = Value::from(number.to_string());
        grid[ranks - 1 - square.rank as usize][square.file as usize] = number.clone();
        by_name.insert(square.to_string(), number);
    }
    on_board(
        json!({ "kind": "by-start", "shape": question.shape, "directed": by_name, "grid": grid }),
        board,
    )
}

/// A plan of captures.
pub(crate) fn capture(plan: &Verified<CaptureProblem>, hint: Option<u64>) -> Value {
    let (problem, CapturePlan(squares)) = (plan.problem(), plan.solution());
    let mut left = problem.targets.clone();
    let taken: Vec<usize> = squares
        .iter()
        .enumerate()
        .filter(|(_, square)| left.remove(square))
        .map(|(at, _)| at)
        .collect();
    let (lower_bound, proved) = bound(plan.claim());
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
pub(crate) fn swap(plan: &Verified<SwapProblem>) -> Value {
    let problem = plan.problem();
    let (lower_bound, proved) = bound(plan.claim());
    let mut answer = json!({
        "kind": "swap", "start": problem.start_fen(), "goal": problem.goal_fen(), "moves": plan.solution(),
        "cost": problem.cost(plan.solution()), "metric": problem.rules.metric.name(), "proved": proved,
    });
    if let Some(bound) = lower_bound {
        answer["lower_bound"] = bound.into();
    }
    on_board(answer, &problem.board)
}
