//! Regions against a search of all places of the marked knight and of the empty squares.

use super::*;
use crate::fault::Fault;
use crate::fen::Setup;

/// A marked knight and where the empty squares are.
type Position = (Square, BTreeSet<Square>);

fn still(board: &Board, knights: impl IntoIterator<Item = Square>) -> SwapProblem {
    let pieces = knights.into_iter().map(|square| (square, 'N')).collect();
    let setup = Setup { board: board.clone(), pieces, unknown: BTreeSet::new() };
    SwapProblem::between(&setup, &setup).unwrap()
}

fn found<'p>(problem: &'p SwapProblem, part: &[Square]) -> Aligned<'p> {
    match Aligned::find(problem, part, &Budget::default()) {
        Ok(Regions::Found(aligned)) => aligned,
        _ => panic!("{part:?} has regions"),
    }
}

/// The squares that the knight of one square can stand on when the empty squares are back at their places.
fn reached(board: &Board, part: &[Square], first: &Position) -> BTreeSet<Square> {
    let mut seen = BTreeSet::from([first.clone()]);
    let mut waiting = vec![first.clone()];
    while let Some((marked, empty)) = waiting.pop() {
        for &from in part.iter().filter(|square| !empty.contains(square)) {
            for to in jumps(board, from).into_iter().filter(|to| empty.contains(to)) {
                let mut now = empty.clone();
                now.remove(&to);
                now.insert(from);
                let next = (if from == marked { to } else { marked }, now);
                if seen.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
    }
    seen.into_iter().filter(|(_, empty)| *empty == first.1).map(|(square, _)| square).collect()
}

/// The part of a board that holds a square.
fn part_around(board: &Board, first: Square) -> Vec<Square> {
    let mut part = BTreeSet::from([first]);
    let mut waiting = vec![first];
    while let Some(square) = waiting.pop() {
        waiting.extend(jumps(board, square).into_iter().filter(|&next| part.insert(next)));
    }
    part.into_iter().collect()
}

#[test]
fn regions_are_the_squares_that_knights_can_change_places_on() {
    let mut seed: u64 = 3;
    let mut roll = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let (mut whole, mut split) = (0, 0);
    for _ in 0..250 {
        let board = Board::new(3 + u32::try_from(roll(2)).unwrap(), 4).unwrap();
        let all: Vec<Square> = board.squares().collect();
        let holes: BTreeSet<Square> = (0..roll(7)).map(|_| all[roll(all.len())]).collect();
        let board = board.without(holes).unwrap();
        let squares: Vec<Square> = board.squares().collect();
        let part = part_around(&board, squares[roll(squares.len())]);
        if !(3..=10).contains(&part.len()) {
            continue;
        }
        let wanted = 1 + roll(part.len() - 1);
        let mut empty = BTreeSet::new();
        while empty.len() < wanted {
            empty.insert(part[roll(part.len())]);
        }
        let problem = still(&board, squares.into_iter().filter(|s| !empty.contains(s)));
        let aligned = found(&problem, &part);
        for region in &aligned.regions {
            let want: BTreeSet<Square> = region.iter().copied().collect();
            for &square in region {
                let found = reached(&board, &part, &(square, empty.clone()));
                assert_eq!(found, want, "{square} of {part:?} with {empty:?} empty");
            }
        }
        let one = aligned.regions.len() == 1;
        (whole, split) = (whole + u32::from(one), split + u32::from(!one));
    }
    assert!(whole > 20 && split > 20, "{whole} of one region, {split} of more");
}

#[test]
fn no_more_states_than_the_limit_are_searched() {
    // Eight squares in a ring, one of them empty: the marked knight can stand on each of the eight.
    let board = Board::new(3, 3).unwrap();
    let part = part_around(&board, Square::new(0, 0));
    let problem = still(&board, part[1..].iter().copied());
    let aligned = found(&problem, &part);
    // From each of them there are two jumps.
    for (states, jumps, found) in [(8, 16, true), (7, 16, false), (8, 15, false)] {
        let regions = aligned.find_regions(&part, states, jumps, &Budget::default()).unwrap();
        assert_eq!(regions.is_some(), found, "{states} states, {jumps} jumps");
    }
    // 64 steps for each pair of squares, before anything else.
    let budget = Budget::new(8 * 8 * 64 - 1, &|| false);
    assert!(Aligned::find(&problem, &part, &budget).is_err());
    let refused = Fault::TooMuchWork { steps: 8 * 8 * 64, most: 8 * 8 * 64 - 1 };
    assert_eq!(budget.stopped(), Some(refused));
    for (files, ranks, within) in [(8, 16, true), (3, 43, false)] {
        let board = Board::new(files, ranks).unwrap();
        let part = part_around(&board, Square::new(0, 0));
        let problem = still(&board, [Square::new(0, 0)]);
        let regions = Aligned::find(&problem, &part, &Budget::default()).unwrap();
        assert_eq!(matches!(regions, Regions::Found(_)), within);
        assert_eq!(matches!(regions, Regions::TooMany), !within);
    }
}

#[test]
fn regions_say_nothing_of_an_open_goal_other_knights_or_a_full_part() {
    let board = Board::new(3, 3).unwrap();
    let part = part_around(&board, Square::new(0, 0));
    let says_nothing = |problem: &SwapProblem| {
        matches!(Aligned::find(problem, &part, &Budget::default()), Ok(Regions::None))
    };
    let some = still(&board, part[1..].iter().copied());
    assert!(!says_nothing(&some));
    let mut open = some.clone();
    open.goal.any.insert(part[0]);
    assert!(says_nothing(&open));
    let mut other = some;
    other.goal.knights.pop_last();
    assert!(says_nothing(&other));
    assert!(says_nothing(&still(&board, part.iter().copied())));
}

#[test]
fn there_is_a_turn_for_every_jump_outside_the_tree() {
    for (files, ranks) in [(3, 3), (3, 4), (4, 4), (5, 5)] {
        let board = Board::new(files, ranks).unwrap();
        let part = part_around(&board, Square::new(0, 0));
        let problem = still(&board, part[1..].iter().copied());
        let turns = found(&problem, &part).turns();
        let edges = part.iter().map(|&square| jumps(&board, square).len()).sum::<usize>() / 2;
        assert_eq!(turns.len(), edges - (part.len() - 1), "{files}x{ranks}");
        for turn in turns {
            assert_eq!(turn.values().collect::<BTreeSet<_>>().len(), part.len());
            assert_eq!(turn[&part[0]], part[0], "the empty square is home again");
            assert!(turn.iter().any(|(from, to)| from != to));
        }
    }
}

#[test]
fn shares_are_all_ways_to_spread_so_many_over_what_has_room() {
    for room in [vec![], vec![0], vec![3], vec![2, 0, 3], vec![1, 2, 3, 1]] {
        for most in 0..8 {
            for least in 0..=most {
                let mut all = vec![Vec::new()];
                for &room in &room {
                    let longer = |share: Vec<usize>| {
                        (0..=room).map(move |more| [share.as_slice(), &[more]].concat())
                    };
                    all = all.into_iter().flat_map(longer).collect();
                }
                all.retain(|share| (least..=most).contains(&share.iter().sum()));
                let shares: Vec<_> = Shares::new(room.clone(), least, most).collect();
                assert_eq!(shares, all, "{least} to {most} over {room:?}");
            }
        }
    }
    // There are more of these than fit in memory.
    assert_eq!(Shares::new(vec![100; 100], 1000, 5000).take(5).count(), 5);
}
