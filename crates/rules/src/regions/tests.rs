//! Regions against a search of all places of the marked knight and of the empty squares.

use super::*;
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
    assert!(aligned.find_regions(&part, 8, &Budget::default()).unwrap().is_some());
    assert!(aligned.find_regions(&part, 7, &Budget::default()).unwrap().is_none());
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
