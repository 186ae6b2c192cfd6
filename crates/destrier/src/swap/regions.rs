//! Which knights can take each other's places, when the empty squares are back where they were.
//!
//! Bring the empty squares to where the goal has them; then only a permutation of knights is left to
//! make. With one empty square it must come from closed walks of that square, each of which turns
//! one ring of squares. With more, mark one knight: while it stands, the empty squares of each piece
//! of the rest of the board stay in that piece and can be brought anywhere in it, so that all that
//! matters is where the knight is and how many empty squares each piece has. Both give the regions
//! within which knights move; the goal must have the same knights in each.
//!
//! Invariant: no sequence of jumps between two positions with these empty squares takes a knight from
//! one region to another.
//! Cost: squares times jumps; with many cut squares the number of ways to share out the empty ones.
//! After: Wilson 1974; Kornhauser, Miller and Spirakis 1984; Goraly and Hassin 2010.

use std::collections::{BTreeMap, VecDeque};

use super::arena::Arena;

/// Why regions forbid the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forbidden {
    /// The region of this square has so many of a colour, and the goal has another number there.
    Counts { region: usize, code: u8, have: usize, want: usize },
    /// The knights of this square's region can only be turned in a ring, and not into this order.
    Wheel { region: usize },
    /// The knights of this square's region are all different, and only even permutations are made.
    Odd { region: usize },
}

/// States of a marked knight looked at before regions are given up.
const PATIENCE: usize = 100_000;

/// Does it follow from regions that the goal is out of reach? The squares are one connected part,
/// with at least one of them empty, as many knights of each colour in start and goal, and no open
/// squares in the goal.
pub(super) fn forbid(arena: &Arena, squares: &[usize]) -> Option<Forbidden> {
    let mut codes = arena.start.clone();
    bring(arena, squares, &mut codes);
    let empty: Vec<usize> = squares.iter().copied().filter(|&v| codes[v] == 0).collect();
    let turns = if empty.len() == 1 { turns(arena, squares, empty[0]) } else { Vec::new() };
    let region = if empty.len() == 1 {
        by_turns(arena.len(), &turns)
    } else {
        by_marking(arena, squares, &empty)?
    };
    let knights: Vec<usize> = squares.iter().copied().filter(|&v| codes[v] != 0).collect();
    for &first in knights.iter().filter(|&&v| region[v] == v) {
        let here: Vec<usize> = knights.iter().copied().filter(|&v| region[v] == first).collect();
        for code in (1u8..).take(arena.colours) {
            let of = |codes: &[u8]| here.iter().filter(|&&v| codes[v] == code).count();
            let (have, want) = (of(&codes), of(&arena.goal));
            if have != want {
                return Some(Forbidden::Counts { region: first, code, have, want });
            }
        }
        if empty.len() > 1 {
            continue;
        }
        let mut acting = turns.iter().filter(|turn| here.iter().any(|&v| turn[v] != v));
        if let (Some(turn), None) = (acting.next(), acting.next()) {
            if !can_turn(turn, &here, &codes, &arena.goal) {
                return Some(Forbidden::Wheel { region: first });
            }
        } else if arena.two_classes().is_some() && is_odd(&here, &codes, &arena.goal) {
            return Some(Forbidden::Odd { region: first });
        }
    }
    None
}

/// Move knights until the empty squares are those of the goal.
fn bring(arena: &Arena, squares: &[usize], codes: &mut [u8]) {
    loop {
        let surplus = squares.iter().copied().find(|&v| codes[v] == 0 && arena.goal[v] != 0);
        let lacking = squares.iter().copied().find(|&v| codes[v] != 0 && arena.goal[v] == 0);
        let (Some(from), Some(to)) = (surplus, lacking) else { return };
        let before = tree(arena, to);
        // Along the way, each empty square moves up to where the one ahead of it was.
        let way: Vec<usize> =
            std::iter::successors(Some(from), |&v| (v != to).then(|| before[v])).collect();
        let mut target = way.len() - 1;
        while target > 0 {
            let hole =
                (0..target).rev().find(|&i| codes[way[i]] == 0).expect("the way starts empty");
            for i in hole..target {
                codes[way[i]] = codes[way[i + 1]];
            }
            codes[way[target]] = 0;
            target = hole;
        }
    }
}

/// For each square of the part the next one on a shortest way to the root.
fn tree(arena: &Arena, root: usize) -> Vec<usize> {
    let mut before = vec![usize::MAX; arena.len()];
    before[root] = root;
    let mut queue = VecDeque::from([root]);
    while let Some(v) = queue.pop_front() {
        for &u in &arena.neighbours[v] {
            if before[usize::from(u)] == usize::MAX {
                before[usize::from(u)] = v;
                queue.push_back(usize::from(u));
            }
        }
    }
    before
}

/// The permutations that the one empty square makes by walking around each ring: which square's
/// knight stands on each square afterwards.
fn turns(arena: &Arena, squares: &[usize], root: usize) -> Vec<Vec<usize>> {
    let before = tree(arena, root);
    let home = |v: usize| std::iter::successors(Some(v), |&v| (v != root).then(|| before[v]));
    let mut turns = Vec::new();
    for &a in squares {
        for b in arena.neighbours[a].iter().map(|&b| usize::from(b)) {
            if a > b || before[a] == b || before[b] == a {
                continue;
            }
            let mut way: Vec<usize> = home(a).collect();
            way.reverse();
            way.extend(home(b));
            let mut at: Vec<usize> = (0..arena.len()).collect();
            for step in way.windows(2) {
                at.swap(step[0], step[1]);
            }
            turns.push(at);
        }
    }
    turns
}

/// Regions as the orbits of some permutations; each is named by its first square.
fn by_turns(size: usize, turns: &[Vec<usize>]) -> Vec<usize> {
    let mut region: Vec<usize> = (0..size).collect();
    for turn in turns {
        for (v, &u) in turn.iter().enumerate() {
            let (one, two) = (region[v].min(region[u]), region[v].max(region[u]));
            if one != two {
                region.iter_mut().filter(|name| **name == two).for_each(|name| *name = one);
            }
        }
    }
    region
}

/// The pieces of a part without one of its squares.
struct Pieces {
    of: Vec<usize>,
    sizes: Vec<usize>,
}

fn pieces(arena: &Arena, squares: &[usize], without: usize) -> Pieces {
    let mut of = vec![usize::MAX; arena.len()];
    let mut sizes = Vec::new();
    for &root in squares {
        if root == without || of[root] != usize::MAX {
            continue;
        }
        of[root] = sizes.len();
        let mut list = vec![root];
        let mut head = 0;
        while head < list.len() {
            for u in arena.neighbours[list[head]].iter().map(|&u| usize::from(u)) {
                if u != without && of[u] == usize::MAX {
                    of[u] = sizes.len();
                    list.push(u);
                }
            }
            head += 1;
        }
        sizes.push(list.len());
    }
    Pieces { of, sizes }
}

/// Regions by marking one knight at a time; `None` where that takes too long.
fn by_marking(arena: &Arena, squares: &[usize], empty: &[usize]) -> Option<Vec<usize>> {
    let mut region: Vec<usize> = (0..arena.len()).collect();
    let rest: BTreeMap<usize, Pieces> =
        squares.iter().map(|&v| (v, pieces(arena, squares, v))).collect();
    if rest.values().all(|pieces| pieces.sizes.len() <= 1) {
        // Nothing is cut off by any square: one region.
        let first = squares.iter().copied().find(|v| !empty.contains(v))?;
        for &v in squares {
            region[v] = first;
        }
        return Some(region);
    }
    let shares = |v: usize| {
        let mut shares = vec![0; rest[&v].sizes.len()];
        for &e in empty {
            shares[rest[&v].of[e]] += 1;
        }
        shares
    };
    // A state: where the marked knight stands, and how many empty squares each piece then has.
    let mut seen: BTreeMap<(usize, Vec<usize>), usize> = BTreeMap::new();
    for &root in squares.iter().filter(|v| !empty.contains(v)) {
        let first = (root, shares(root));
        if seen.contains_key(&first) {
            continue;
        }
        seen.insert(first.clone(), root);
        let mut queue = vec![first];
        while let Some((v, held)) = queue.pop() {
            for u in arena.neighbours[v].iter().map(|&u| usize::from(u)) {
                let piece = rest[&v].of[u];
                if held[piece] == 0 {
                    continue;
                }
                let ahead = &rest[&u];
                let behind = ahead.of[v];
                let beyond: usize = ahead.sizes.iter().sum::<usize>() - ahead.sizes[behind];
                // One empty square goes to where the knight jumps; the others of its piece may lie
                // beyond that square, or in what is left of the piece on this side.
                let spare = held[piece] - 1;
                let this_side = rest[&v].sizes[piece] - 1 - beyond;
                let mut ways = vec![(vec![0; ahead.sizes.len()], 0)];
                for (p, &size) in ahead.sizes.iter().enumerate().filter(|&(p, _)| p != behind) {
                    ways = ways
                        .iter()
                        .flat_map(|(shares, used)| {
                            (0..=size.min(spare - used)).map(move |more| {
                                let mut shares = shares.clone();
                                shares[p] = more;
                                (shares, used + more)
                            })
                        })
                        .collect();
                }
                for (mut shares, used) in ways {
                    if spare - used > this_side {
                        continue;
                    }
                    shares[behind] = empty.len() - used;
                    let next = (u, shares);
                    if !seen.contains_key(&next) {
                        seen.insert(next.clone(), root);
                        queue.push(next);
                    }
                }
                if seen.len() > PATIENCE {
                    return None;
                }
            }
        }
    }
    for &v in squares.iter().filter(|v| !empty.contains(v)) {
        region[v] = seen[&(v, shares(v))];
    }
    Some(region)
}

/// Does some power of the turn take the knights of these squares from one order to the other?
fn can_turn(turn: &[usize], here: &[usize], codes: &[u8], goal: &[u8]) -> bool {
    let mut now = codes.to_vec();
    for _ in 0..=here.len() {
        if here.iter().all(|&v| now[v] == goal[v]) {
            return true;
        }
        now = turn.iter().map(|&u| now[u]).collect();
    }
    false
}

/// Are the knights of these squares all different, and in an order of the other parity?
fn is_odd(here: &[usize], codes: &[u8], goal: &[u8]) -> bool {
    let image: Option<Vec<usize>> =
        here.iter().map(|&v| here.iter().position(|&u| goal[u] == codes[v])).collect();
    let Some(image) = image else { return false };
    let pairs = || (0..image.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    pairs().all(|(j, i)| codes[here[j]] != codes[here[i]])
        && pairs().filter(|&(j, i)| image[j] > image[i]).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::feasible;
    use super::super::plain::{self, Position};
    use super::super::question::Question;
    use super::*;
    use destrier_rules::{Board, Placement, Problem as _, Setup, Square, SwapProblem};

    /// Everything that can be reached, by the letter of the rules.
    fn reached(arena: &Arena) -> BTreeSet<Vec<u8>> {
        let mut seen = BTreeSet::from([arena.start.clone()]);
        let mut list = vec![arena.start.clone()];
        while let Some(codes) = list.pop() {
            let position = Position { codes, white_moves: None };
            for (next, _) in plain::neighbours(arena, &position) {
                if seen.insert(next.codes.clone()) {
                    list.push(next.codes);
                }
            }
        }
        seen
    }

    /// All orders of some codes.
    fn orders(codes: &[u8]) -> BTreeSet<Vec<u8>> {
        if codes.is_empty() {
            return BTreeSet::from([Vec::new()]);
        }
        let mut all = BTreeSet::new();
        for i in 0..codes.len() {
            let mut rest = codes.to_vec();
            let first = rest.remove(i);
            for mut order in orders(&rest) {
                order.push(first);
                all.insert(order);
            }
        }
        all
    }

    /// On these squares, with these letters (`.` for empty): is a goal refused exactly if it is out
    /// of reach? Returns how many goals were looked at, and how many refused.
    fn settle(board: &Board, letters: &str) -> (usize, usize) {
        let squares: Vec<Square> = board.squares().collect();
        let place = |letters: &[u8]| -> Placement {
            let placed = squares.iter().zip(letters).filter(|&(_, &letter)| letter != b'.');
            placed.map(|(&square, &letter)| (square, char::from(letter))).collect()
        };
        let setup = |letters: &[u8]| Setup {
            board: board.clone(),
            pieces: place(letters),
            unknown: BTreeSet::new(),
        };
        let problem =
            |goal: &[u8]| SwapProblem::between(&setup(letters.as_bytes()), &setup(goal)).unwrap();
        let question = |problem: &SwapProblem| Question::new(problem, "test").unwrap();
        let reached = reached(&question(&problem(letters.as_bytes())).arena);
        let (mut looked, mut refused) = (0, 0);
        for goal in orders(letters.as_bytes()) {
            let problem = problem(&goal);
            let question = question(&problem);
            let obstacle = feasible::obstacle(&question);
            let there = reached.contains(&question.arena.goal);
            assert_eq!(obstacle.is_none(), there, "{letters} on {board:?}: {obstacle:?}");
            if let Some(obstacle) = obstacle {
                problem.confirm(&obstacle).unwrap();
            }
            looked += 1;
            refused += usize::from(!there);
        }
        (looked, refused)
    }

    fn boards(files: u32, ranks: u32, sizes: std::ops::RangeInclusive<u64>) -> Vec<Board> {
        let board = Board::new(files, ranks).unwrap();
        let squares: Vec<Square> = board.squares().collect();
        let with_holes = |holes: u32| {
            let holes = squares.iter().zip(0..).filter(|&(_, i)| holes >> i & 1 == 1);
            board.clone().without(holes.map(|(&square, _)| square)).ok()
        };
        let all = (0..1u32 << (files * ranks)).filter_map(with_holes);
        all.filter(|board| sizes.contains(&board.len())).collect()
    }

    #[test]
    fn a_goal_is_refused_exactly_if_it_is_out_of_reach() {
        let limit = std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse().ok());
        let every = if limit.is_some_and(|limit: u64| limit >= 1_000_000) { 1 } else { 29 };
        let (mut looked, mut refused) = (0, 0);
        for (i, board) in boards(3, 4, 5..=7).iter().enumerate() {
            if i % every != 0 {
                continue;
            }
            let size = usize::try_from(board.len()).unwrap();
            for letters in ["ABCDEFG", "AABBC", "AAABBB", "AAB"] {
                for knights in 2..size.min(letters.len() + 1) {
                    let text = format!("{:.<size$}", &letters[..knights]);
                    let (more, no) = settle(board, &text);
                    looked += more;
                    refused += no;
                }
            }
        }
        assert!(looked > 10_000 && refused > 1000, "{looked} goals, {refused} refused");
    }
}
