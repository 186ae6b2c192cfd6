//! What is true, by trying everything: jumps by arithmetic, tours by trying all, captures and swaps breadth first.
//!
//! Shares nothing with the engine but the words of a question.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use destrier::{
    Board, CaptureProblem, Leaper, Metric, Placement, Shape, Side, Square, SwapProblem, Symmetry,
    TourProblem, TourSymmetry,
};

/// The squares that a leaper can reach from a square in one jump, by arithmetic.
pub(crate) fn jumps(board: &Board, leaper: Leaper, from: Square) -> BTreeSet<Square> {
    let (a, b) = leaper.legs();
    let along = |at: u32, by: i64, side: u32, joined: bool| {
        let to = i64::from(at) + by;
        let to = if joined { to.rem_euclid(i64::from(side)) } else { to };
        u32::try_from(to).ok().filter(|&to| to < side)
    };
    let (a, b) = (i64::from(a), i64::from(b));
    let mut found = BTreeSet::new();
    for (x, y) in [(a, b), (b, a)] {
        for (x, y) in [(x, y), (-x, y), (x, -y), (-x, -y)] {
            let file = along(from.file, x, board.files(), board.wrap().joins_files());
            let rank = along(from.rank, y, board.ranks(), board.wrap().joins_ranks());
            if let (Some(file), Some(rank)) = (file, rank) {
                found.insert(Square::new(file, rank));
            }
        }
    }
    let open: HashSet<Square> = board.squares().collect();
    found.retain(|square| open.contains(square) && *square != from);
    found
}

/// A tour without its direction, and without its start where it is closed.
pub(crate) fn undirected(shape: Shape, squares: &[Square]) -> Vec<Square> {
    let mut ways = [squares.to_vec(), squares.iter().rev().copied().collect()];
    if shape == Shape::Closed {
        for way in &mut ways {
            let least = way.iter().enumerate().min_by_key(|(_, square)| **square).unwrap().0;
            way.rotate_left(least);
        }
    }
    ways.into_iter().min().unwrap()
}

/// All tours that answer a question, undirected, by trying every jump.
pub(crate) fn all_tours(question: &TourProblem) -> BTreeSet<Vec<Square>> {
    fn extend(
        question: &TourProblem,
        near: &BTreeMap<Square, BTreeSet<Square>>,
        path: &mut Vec<Square>,
        found: &mut BTreeSet<Vec<Square>>,
    ) {
        let (first, last) = (path[0], path[path.len() - 1]);
        if path.len() == near.len() {
            let ends = question.end.is_none_or(|end| end == last);
            let closes = path.len() > 2 && near[&last].contains(&first);
            if ends && (question.shape == Shape::Open || closes) {
                found.insert(undirected(question.shape, path));
            }
            return;
        }
        for &next in &near[&last] {
            if !path.contains(&next) {
                path.push(next);
                extend(question, near, path, found);
                path.pop();
            }
        }
    }
    let board = &question.board;
    let near = |square| (square, jumps(board, question.leaper, square));
    let near: BTreeMap<Square, BTreeSet<Square>> = board.squares().map(near).collect();
    let mut found = BTreeSet::new();
    for start in board.squares().filter(|&s| question.start.is_none_or(|start| start == s)) {
        extend(question, &near, &mut vec![start], &mut found);
    }
    if let Some(symmetry) = question.symmetry {
        let turns = match symmetry {
            TourSymmetry::HalfTurn => vec![Symmetry::HalfTurn],
            TourSymmetry::Mirror => vec![Symmetry::MirrorFiles, Symmetry::MirrorRanks],
            TourSymmetry::DiagonalMirror => {
                vec![Symmetry::MirrorDiagonal, Symmetry::MirrorAntidiagonal]
            }
            other => panic!("{other} is not in the battery"),
        };
        found.retain(|tour| turns.iter().any(|&turn| image(question, turn, tour) == *tour));
    }
    found
}

/// What a symmetry of the board makes of a tour, undirected.
pub(crate) fn image(question: &TourProblem, symmetry: Symmetry, tour: &[Square]) -> Vec<Square> {
    let (right, top) = (question.board.files() - 1, question.board.ranks() - 1);
    let image = |&Square { file, rank }: &Square| match symmetry {
        Symmetry::Identity => Square::new(file, rank),
        Symmetry::HalfTurn => Square::new(right - file, top - rank),
        Symmetry::MirrorFiles => Square::new(right - file, rank),
        Symmetry::MirrorRanks => Square::new(file, top - rank),
        Symmetry::QuarterTurn => Square::new(rank, right - file),
        Symmetry::ThreeQuarterTurn => Square::new(top - rank, file),
        Symmetry::MirrorDiagonal => Square::new(rank, file),
        Symmetry::MirrorAntidiagonal => Square::new(top - rank, right - file),
    };
    undirected(question.shape, &tour.iter().map(image).collect::<Vec<_>>())
}

/// The fewest moves that take all pieces, breadth first over squares and pieces left.
pub(crate) fn fewest_captures(question: &CaptureProblem) -> Option<u64> {
    let start = (question.start, question.targets.clone());
    let mut seen = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some(((at, left), moves)) = queue.pop_front() {
        if left.is_empty() {
            return Some(moves);
        }
        for next in jumps(&question.board, Leaper::KNIGHT, at) {
            let mut left = left.clone();
            left.remove(&next);
            if seen.insert((next, left.clone())) {
                queue.push_back(((next, left), moves + 1));
            }
        }
    }
    None
}

/// Positions with the side to move, each with its distance and the number of shortest ways to it.
pub(crate) type Positions = HashMap<(Placement, Option<Side>), (u64, u128)>;

/// All positions that can be reached.
pub(crate) fn all_positions(question: &SwapProblem) -> Positions {
    let near = |square| jumps(&question.board, Leaper::KNIGHT, square);
    let letters: String = question.start.values().collect();
    let by_case =
        letters.chars().any(char::is_uppercase) && letters.chars().any(char::is_lowercase);
    let foes = |one: char, other: char| {
        if by_case { one.is_uppercase() != other.is_uppercase() } else { one != other }
    };
    let is_peaceful = |knights: &Placement| {
        knights.iter().all(|(&at, &one)| {
            near(at).iter().filter_map(|to| knights.get(to)).all(|&other| !foes(one, other))
        })
    };
    let allowed = |knights: &Placement| !question.rules.peaceful || is_peaceful(knights);
    let mut found = HashMap::new();
    let start = (question.start.clone(), question.rules.alternate);
    let mut queue = VecDeque::from([start.clone()]);
    found.insert(start, (0, 1));
    while let Some(position) = queue.pop_front() {
        let (cost, ways) = found[&position];
        let (knights, turn) = position;
        for (&from, &letter) in &knights {
            if turn.is_some_and(|side| (side == Side::White) != letter.is_uppercase()) {
                continue;
            }
            // Where this knight can be after one move, or after one run.
            let mut reached = BTreeSet::new();
            let mut at = VecDeque::from([from]);
            while let Some(here) = at.pop_front() {
                for to in near(here) {
                    let mut after = knights.clone();
                    after.remove(&from);
                    let free = !after.contains_key(&to) && to != from;
                    after.insert(to, letter);
                    if free && allowed(&after) && reached.insert(to) {
                        at.push_back(to);
                    }
                }
                if question.rules.metric == Metric::Moves {
                    break;
                }
            }
            for to in reached {
                let mut after = knights.clone();
                after.remove(&from);
                after.insert(to, letter);
                let next = (after, turn.map(Side::other));
                match found.get_mut(&next) {
                    Some((known, sum)) if *known == cost + 1 => *sum += ways,
                    Some(_) => {}
                    None => {
                        found.insert(next.clone(), (cost + 1, ways));
                        queue.push_back(next);
                    }
                }
            }
        }
    }
    found
}

/// The fewest moves or runs to the goal, and how many plans have so few.
pub(crate) fn fewest_swaps(question: &SwapProblem, positions: &Positions) -> Option<(u64, u128)> {
    let is_goal = |knights: &Placement| {
        let fits = |square: &Square| knights.get(square) == question.goal.knights.get(square);
        question.board.squares().all(|square| question.goal.any.contains(&square) || fits(&square))
    };
    let goals = positions.iter().filter(|((knights, _), _)| is_goal(knights));
    let goals: Vec<(u64, u128)> = goals.map(|(_, &found)| found).collect();
    let fewest = goals.iter().map(|&(cost, _)| cost).min()?;
    Some((fewest, goals.iter().filter(|(cost, _)| *cost == fewest).map(|(_, ways)| ways).sum()))
}
