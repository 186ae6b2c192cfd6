//! Captures on small boards, all of them: every board to 3×3 with every set of holes, and 3×4 and 4×4 without, every way to
//! join edges, every square for the knight, every set of pieces; each method against a search of everything.
//!
//! The baseline is breadth first over squares and pieces left, on jumps of its own, and shares no code with any method.
//! How many questions there are, and how many of them are asked, follows from the sizes alone, so that none can get lost.
//!
//! By default a share of them; `DESTRIER_LIMIT=1000000` takes all (in release, minutes).

mod tally;

use destrier::{
    Board, CaptureMethod, CaptureProblem, Method, Options, Outcome, Solve, Square, Support, Wrap,
};
use tally::Tally;

fn all_are_asked_for() -> bool {
    let limit = std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse::<u64>().ok());
    limit.is_some_and(|limit| limit >= 1_000_000)
}

const WRAPS: [Wrap; 4] = [Wrap::None, Wrap::Files, Wrap::Ranks, Wrap::Both];

/// The squares that a knight can jump to from each, as masks; square `i` is file `i % files` of rank `i / files`.
fn jumps(files: i32, ranks: i32, wrap: Wrap, holes: u16) -> Vec<u16> {
    let (across, up) =
        (matches!(wrap, Wrap::Files | Wrap::Both), matches!(wrap, Wrap::Ranks | Wrap::Both));
    let place = |at: i32, side: i32, joined: bool| if joined { at.rem_euclid(side) } else { at };
    let from = |square: i32| {
        let mut mask = 0;
        for (dx, dy) in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)] {
            let x = place(square % files + dx, files, across);
            let y = place(square / files + dy, ranks, up);
            let to = y * files + x;
            if (0..files).contains(&x) && (0..ranks).contains(&y) && to != square {
                mask |= 1 << to;
            }
        }
        if holes >> square & 1 == 1 { 0 } else { mask & !holes }
    };
    (0..files * ranks).map(from).collect()
}

/// The fewest moves that take all pieces, if they can be taken: every square with every set of pieces left.
fn fewest(jumps: &[u16], start: usize, pieces: u16) -> Option<u64> {
    let mut seen = vec![false; jumps.len() << jumps.len()];
    let mut layer = vec![(start, pieces)];
    for moves in 0.. {
        let mut next = Vec::new();
        for (at, left) in layer {
            if left == 0 {
                return Some(moves);
            }
            if std::mem::replace(&mut seen[at << jumps.len() | usize::from(left)], true) {
                continue;
            }
            let to = (0..jumps.len()).filter(|to| jumps[at] >> to & 1 == 1);
            next.extend(to.map(|to| (to, left & !(1 << to))));
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    None
}

#[test]
fn every_capture_of_small_boards_is_as_short_as_can_be() {
    let every = if all_are_asked_for() { 1 } else { 97 };
    let (mut asked, mut questions) = (0_u64, 0_u64);
    let mut tally = Tally::default();
    let sizes =
        (1..=3).flat_map(|files| (1..=3).map(move |ranks| (files, ranks))).chain([(3, 4), (4, 4)]);
    for (files, ranks) in sizes {
        let squares = files * ranks;
        let plain = Board::new(files, ranks).unwrap();
        let at = |place: u32| Square::new(place % files, place / files);
        let named = |mask: u16| (0..squares).filter(move |place| mask >> place & 1 == 1).map(at);
        // All sets of holes that leave a square, on boards where that is not too many.
        let most_holes = if squares <= 9 { (1_u16 << squares) - 1 } else { 1 };
        for (holes, wrap) in (0..most_holes).flat_map(|holes| WRAPS.map(|wrap| (holes, wrap))) {
            let open = (u16::MAX >> (16 - squares)) & !holes;
            let board = plain.clone().without(named(holes)).unwrap().wrapped(wrap);
            let jumps =
                jumps(i32::try_from(files).unwrap(), i32::try_from(ranks).unwrap(), wrap, holes);
            for start in (0..squares).filter(|start| open >> start & 1 == 1) {
                let free = open & !(1 << start);
                // Every set of pieces among the free squares.
                let mut pieces = free;
                loop {
                    questions += 1;
                    // On the largest board one set of pieces in sixteen, even where all are asked for.
                    let share = if squares > 12 { 16 * every } else { every };
                    if questions % share == 0 {
                        asked += 1;
                        let problem = CaptureProblem {
                            board: board.clone(),
                            start: at(start),
                            targets: named(pieces).collect(),
                        };
                        let least = fewest(&jumps, start as usize, pieces);
                        compare(&problem, least, &mut tally);
                    }
                    if pieces == 0 {
                        break;
                    }
                    pieces = (pieces - 1) & free;
                }
            }
        }
    }
    // A board of n squares has, with h holes, n - h starts and sets of pieces among the n - h - 1 others.
    let with_holes = |n: u64| n * 3_u64.pow(u32::try_from(n - 1).unwrap());
    let small: u64 = (1..=3).flat_map(|f| (1..=3).map(move |r| with_holes(f * r))).sum();
    let whole = |n: u64| n << (n - 1);
    assert_eq!(questions, 4 * (small + whole(12) + whole(16)));
    assert_eq!(asked, if all_are_asked_for() { 477_936 } else { 4_926 });
    // Every method answers every question that is asked.
    tally.expect(&[("auto", asked), ("bb-dfs", asked), ("naive", asked)]);
}

fn compare(problem: &CaptureProblem, least: Option<u64>, tally: &mut Tally) {
    for &method in CaptureMethod::ALL {
        let answer = problem.solve_by(method, &Options::new().threads(1));
        let Some(answer) = tally.answer(method, answer) else { continue };
        match answer.outcome {
            Outcome::Solved(plan) => {
                assert_eq!(Some(plan.cost()), least, "{} on {problem:?}", method.name());
                if method == CaptureMethod::Auto {
                    assert_eq!(plan.support(), Some(Support::Checked), "{problem:?}");
                }
            }
            Outcome::Impossible(_) => assert_eq!(least, None, "{} on {problem:?}", method.name()),
            Outcome::Unfinished { .. } => panic!("nobody stopped {}", method.name()),
        }
    }
}
