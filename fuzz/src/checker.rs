//! The checker says of any list of squares or moves what a plain replay by the definition says.

use std::collections::HashSet;

use arbitrary::{Result, Unstructured};
use destrier::{
    CapturePlan, CaptureProblem, Leaper, Metric, Move, Options, Outcome, Placement, Problem as _,
    Shape, Side, Solve as _, Square, SwapPlan, SwapProblem, Tour, TourProblem, Verified,
};

use crate::{answered, world};

/// Makes a solution or something near one, and asks both.
pub fn check(data: &[u8]) {
    let _ = one(&mut Unstructured::new(data));
}

fn one(u: &mut Unstructured<'_>) -> Result<()> {
    match u.int_in_range(0..=2)? {
        0 => {
            let problem = TourProblem { symmetry: None, ..world::tour(u, 20)? };
            let answer = problem.solve_with(&Options::new().node_limit(20_000));
            let mut squares: Vec<Square> = problem.board.squares().collect();
            if let Some(Outcome::Solved(tour)) = answered(&problem, answer).map(|a| a.outcome) {
                squares = tour.squares().to_vec();
            }
            spoil(u, &mut squares)?;
            let is_tour = is_tour(&problem, &squares);
            assert_eq!(Verified::check(problem, Tour(squares)).is_ok(), is_tour);
        }
        1 => {
            let problem = world::capture(u, 24, 4)?;
            let mut walk = vec![problem.start];
            for _ in 0..u.int_in_range(0..=12)? {
                let jumps = problem.board.jumps_from(Leaper::KNIGHT, walk[walk.len() - 1]);
                if !jumps.is_empty() {
                    walk.push(*u.choose(&jumps)?);
                }
            }
            spoil(u, &mut walk)?;
            let is_capture = is_capture(&problem, &walk);
            assert_eq!(Verified::check(problem, CapturePlan(walk)).is_ok(), is_capture);
        }
        _ => {
            let mut problem = world::swap(u, 14, 5)?;
            let mut moves = Vec::new();
            let mut knights = problem.start.clone();
            for _ in 0..u.int_in_range(0..=8)? {
                let places: Vec<Square> = knights.keys().copied().collect();
                if places.is_empty() {
                    break;
                }
                let from = *u.choose(&places)?;
                let jumps = problem.board.jumps_from(Leaper::KNIGHT, from);
                let to = if jumps.is_empty() { from } else { *u.choose(&jumps)? };
                moves.push(Move { from, to });
                if !knights.contains_key(&to)
                    && let Some(letter) = knights.remove(&from)
                {
                    knights.insert(to, letter);
                }
            }
            if u.ratio(3, 4)? {
                // The goal that was reached, if the moves were good.
                problem.goal.knights = knights;
                problem.goal.any.clear();
            }
            if problem.validate().is_ok() {
                let is_swap = is_swap(&problem, &moves);
                assert_eq!(Verified::check(problem, SwapPlan(moves)).is_ok(), is_swap);
            }
        }
    }
    Ok(())
}

/// Changes a list in up to three places.
fn spoil(u: &mut Unstructured<'_>, squares: &mut Vec<Square>) -> Result<()> {
    for _ in 0..u.int_in_range(0..=3)? {
        if squares.is_empty() {
            return Ok(());
        }
        let at = u.choose_index(squares.len())?;
        let other = u.choose_index(squares.len())?;
        match u.int_in_range(0..=4)? {
            0 => squares.swap(at, other),
            1 => drop(squares.remove(at)),
            2 => squares.insert(at, squares[other]),
            3 => squares[at] = Square::new(u.int_in_range(0..=7)?, u.int_in_range(0..=7)?),
            _ => squares[at.min(other)..=at.max(other)].reverse(),
        }
    }
    Ok(())
}

/// Do two squares lie a jump apart, by the definition?
fn jumps(problem: &TourProblem, from: Square, to: Square) -> bool {
    let board = &problem.board;
    let (a, b) = problem.leaper.legs();
    let apart = |one: u32, other: u32, side: u32, joined: bool, leg: u32| {
        let there = (one + leg, i64::from(one) - i64::from(leg));
        if joined {
            there.0 % side == other || there.1.rem_euclid(i64::from(side)) == i64::from(other)
        } else {
            there.0 == other || there.1 == i64::from(other)
        }
    };
    let across = |leg| apart(from.file, to.file, board.files(), board.wrap().joins_files(), leg);
    let up = |leg| apart(from.rank, to.rank, board.ranks(), board.wrap().joins_ranks(), leg);
    from != to && ((across(a) && up(b)) || (across(b) && up(a)))
}

fn is_tour(problem: &TourProblem, squares: &[Square]) -> bool {
    let visited: HashSet<Square> = squares.iter().copied().collect();
    let all: HashSet<Square> = problem.board.squares().collect();
    let walked = squares.windows(2).all(|pair| jumps(problem, pair[0], pair[1]));
    let (Some(&first), Some(&last)) = (squares.first(), squares.last()) else { return false };
    visited == all
        && squares.len() == all.len()
        && walked
        && problem.start.is_none_or(|start| start == first)
        && problem.end.is_none_or(|end| end == last)
        && (problem.shape == Shape::Open || (squares.len() > 2 && jumps(problem, last, first)))
}

fn is_capture(problem: &CaptureProblem, squares: &[Square]) -> bool {
    let tour = TourProblem::open(problem.board.clone());
    let all: HashSet<Square> = problem.board.squares().collect();
    squares.first() == Some(&problem.start)
        && squares.iter().all(|square| all.contains(square))
        && squares.windows(2).all(|pair| jumps(&tour, pair[0], pair[1]))
        && problem.targets.iter().all(|target| squares.contains(target))
}

fn is_swap(problem: &SwapProblem, moves: &[Move]) -> bool {
    let tour = TourProblem::open(problem.board.clone());
    let all: HashSet<Square> = problem.board.squares().collect();
    let by_case = problem.start.values().any(char::is_ascii_uppercase)
        && problem.start.values().any(char::is_ascii_lowercase);
    let opposed = |one: char, other: char| {
        if by_case { one.is_ascii_uppercase() != other.is_ascii_uppercase() } else { one != other }
    };
    let peaceful = |knights: &Placement| {
        knights.iter().all(|(&one, &a)| {
            knights.iter().all(|(&other, &b)| !(jumps(&tour, one, other) && opposed(a, b)))
        })
    };
    let mut knights = problem.start.clone();
    let mut turn = problem.rules.alternate;
    for (step, &Move { from, to }) in moves.iter().enumerate() {
        let Some(letter) = knights.remove(&from) else { return false };
        if !all.contains(&to) || !jumps(&tour, from, to) || knights.insert(to, letter).is_some() {
            return false;
        }
        let goes_on =
            problem.rules.metric == Metric::Runs && step > 0 && moves[step - 1].to == from;
        if let Some(side) = turn
            && !goes_on
        {
            if (side == Side::White) != letter.is_ascii_uppercase() {
                return false;
            }
            turn = Some(if side == Side::White { Side::Black } else { Side::White });
        }
        if problem.rules.peaceful && !peaceful(&knights) {
            return false;
        }
    }
    // In turns, a run ends elsewhere than it began.
    if problem.rules.alternate.is_some() && problem.rules.metric == Metric::Runs {
        let runs = moves.chunk_by(|one, next| one.to == next.from);
        if runs.into_iter().any(|run| run[0].from == run[run.len() - 1].to) {
            return false;
        }
    }
    all.iter()
        .filter(|square| !problem.goal.any.contains(square))
        .all(|square| knights.get(square) == problem.goal.knights.get(square))
}
