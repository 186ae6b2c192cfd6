//! Tours by one short loop, and four turned copies of a path, against their definitions.

use std::collections::BTreeSet;

use super::*;

/// All lists of four turned copies of a path with a square of each orbit, with the centre at each place that it may
/// have.
fn four_copies(side: u32, orbits: &[Square]) -> BTreeSet<Vec<Square>> {
    let turned = |square: Square, times: usize| {
        (0..times).fold(square, |s, _| Symmetry::QuarterTurn.apply(s, side, side))
    };
    let mut paths = vec![Vec::new()];
    for _ in orbits {
        let longer = |path: Vec<Square>| {
            let is_new =
                |square: &Square| (0..4).all(|times| !path.contains(&turned(*square, times)));
            let next: Vec<Square> = orbits.iter().copied().filter(is_new).collect();
            let nexts =
                next.into_iter().flat_map(|square| (0..4).map(move |times| turned(square, times)));
            nexts.map(|square| [&path[..], &[square]].concat()).collect::<Vec<_>>()
        };
        paths = paths.into_iter().flat_map(longer).collect();
    }
    let mut all = BTreeSet::new();
    for path in paths {
        for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
            let copy = |times: usize| path.iter().map(|&s| turned(s, times)).collect::<Vec<_>>();
            let copies = [0, order[0], order[1], order[2]].map(copy);
            if side.is_multiple_of(2) {
                all.insert(copies.concat());
                continue;
            }
            for place in 0..=4 {
                let mut back = copies.clone();
                back[place..].iter_mut().for_each(|copy| copy.reverse());
                for mut listed in [copies.concat(), back.concat()] {
                    listed.insert(path.len() * place, Square::new(side / 2, side / 2));
                    all.insert(listed);
                }
            }
        }
    }
    all
}

/// Many such lists begun at every step, as it is and with two squares exchanged.
#[test]
fn four_copies_are_found_exactly_where_they_are() {
    let (mut found, mut none) = (0, 0);
    for (side, orbits) in [(4, "a1 b1 c1"), (4, "a1 b1"), (5, "a1 b1"), (3, "a1 b1")] {
        let all = four_copies(side, &orbits.parse::<Tour>().unwrap().0);
        let board = Board::new(side, side).unwrap();
        let (open, closed) = (TourProblem::open(board.clone()), TourProblem::closed(board));
        let from = |squares: &[Square], at: usize| [&squares[at..], &squares[..at]].concat();
        for squares in all.iter().step_by(7) {
            for step in 0..2 * squares.len() {
                let mut listed = from(squares, step / 2);
                if step % 2 == 1 {
                    listed.swap(0, 3);
                }
                let begins: Vec<usize> =
                    (0..listed.len()).filter(|&at| all.contains(&from(&listed, at))).collect();
                let is_first = all.contains(&listed);
                assert_eq!(open.first_copy_at(&listed), is_first.then_some(0), "{listed:?}");
                let at = closed.first_copy_at(&listed);
                assert_eq!(at.is_some(), !begins.is_empty(), "{listed:?}");
                assert!(at.is_none_or(|at| begins.contains(&at)), "{at:?}: {listed:?}");
                if is_first || side == 4 {
                    assert_eq!(at, begins.first().copied(), "{listed:?}");
                }
                *(if at.is_some() { &mut found } else { &mut none }) += 1;
            }
        }
    }
    assert!(found > 1000 && none > 1000, "{found} {none}");
}

#[test]
fn a_knights_tour_is_none_of_another_piece() {
    let problem = TourProblem::open(Board::new(3, 4).unwrap());
    let tour: Tour = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4".parse().unwrap();
    assert_eq!(problem.verify(&tour), Ok(()));
    let leaper = Leaper::new(1, 1).unwrap();
    let (step, from, to) = (Some(2), tour.0[0], tour.0[1]);
    assert_eq!(
        problem.with_leaper(leaper).verify(&tour),
        Err(Fault::NotALeap { leaper, step, from, to })
    );
}

/// A valid tour with any one square replaced, or any two exchanged, off the board and beyond all boards as well.
#[test]
fn the_short_loop_says_what_the_definitions_say() {
    let board = Board::new(3, 4).unwrap();
    let tour: Tour = "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4".parse().unwrap();
    let agree = |squares: &[Square]| {
        let jump = |pair: &[Square]| board.is_jump(Leaper::KNIGHT, pair[0], pair[1]);
        let is_tour = visits_each_once(&board, squares).is_ok() && squares.windows(2).all(jump);
        assert_eq!(is_plain_tour(&board, squares), is_tour, "{squares:?}");
        u32::from(is_tour)
    };
    let mut accepted = agree(&tour.0);
    let sides = (0..14).chain([1 << 16, 1 << 31, u32::MAX - 1, u32::MAX]);
    let others: Vec<Square> =
        sides.clone().flat_map(|f| sides.clone().map(move |r| Square::new(f, r))).collect();
    for at in 0..tour.0.len() {
        for &other in &others {
            let mut squares = tour.0.clone();
            squares[at] = other;
            accepted += agree(&squares);
        }
        for other in 0..at {
            let mut squares = tour.0.clone();
            squares.swap(at, other);
            accepted += agree(&squares);
        }
    }
    assert_eq!(accepted, 13, "the tour by itself, and with each square replaced by itself");
    assert!(!is_plain_tour(&board, &tour.0[1..]));
}
