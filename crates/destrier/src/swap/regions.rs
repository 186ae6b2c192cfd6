//! Which knights can take each other's places while the empty vertices are where they were.
//!
//! Move the empty vertices to where the goal has them; then only a permutation of knights remains. With
//! one empty vertex it must come from closed walks of that vertex, each of which rotates one cycle. With
//! more, mark one knight: while it stands still, the empty vertices of each component of the rest of the
//! graph stay in that component and can be anywhere in it, so that only the knight's vertex and the
//! number of empty vertices in each component matter. Both give the regions within which knights move;
//! the goal must have the same knights in each.
//!
//! Invariant: no sequence of jumps between two positions with these empty vertices takes a knight from
//! one region to another.
//! Cost: vertices times jumps; with many cut vertices the number of ways to distribute the empty ones, up to a limit.
//! Source: Wilson 1974; Kornhauser, Miller and Spirakis 1984; Goraly and Hassin 2010.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

use super::instance::Instance;

/// Why regions forbid the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Forbidden {
    /// The region of this vertex has so many of a colour, but the goal has another number there.
    Counts { region: usize, code: u8, have: usize, want: usize },
    /// The knights of this vertex's region can only rotate in a ring, but not into this order.
    Wheel { region: usize },
    /// The knights of this vertex's region are all different, and every rotation permutes them evenly.
    Odd { region: usize },
}

/// So many states of marked knights are searched at most, and so many jumps between them are tried; the checker allows as
/// many.
const MOST: Most = Most { states: 100_000, jumps: 1_600_000 };

#[derive(Clone, Copy)]
struct Most {
    states: usize,
    jumps: usize,
}

/// Do regions show that the goal cannot be reached? The part is connected, has an empty vertex, as many
/// knights of each colour in start and goal, and no open squares in the goal.
pub(super) fn forbid(instance: &Instance, part: &[usize]) -> Option<Forbidden> {
    let mut codes = instance.start.clone();
    align(instance, part, &mut codes);
    let empty: Vec<usize> = part.iter().copied().filter(|&v| codes[v] == 0).collect();
    let rotations = if empty.len() == 1 { rotations(instance, part, empty[0]) } else { Vec::new() };
    let region = if empty.len() == 1 {
        orbits(instance.len(), &rotations)
    } else {
        by_marking(instance, part, &empty, MOST)?
    };
    let knights: Vec<usize> = part.iter().copied().filter(|&v| codes[v] != 0).collect();
    for &first in knights.iter().filter(|&&v| region[v] == v) {
        let here: Vec<usize> = knights.iter().copied().filter(|&v| region[v] == first).collect();
        for code in (1u8..).take(instance.colours) {
            let of = |codes: &[u8]| here.iter().filter(|&&v| codes[v] == code).count();
            let (have, want) = (of(&codes), of(&instance.goal));
            if have != want {
                return Some(Forbidden::Counts { region: first, code, have, want });
            }
        }
        if empty.len() > 1 {
            continue;
        }
        let mut acting = rotations.iter().filter(|rotation| here.iter().any(|&v| rotation[v] != v));
        if let (Some(rotation), None) = (acting.next(), acting.next()) {
            if !can_rotate(rotation, &here, &codes, &instance.goal) {
                return Some(Forbidden::Wheel { region: first });
            }
        } else if rotations.iter().all(|rotation| is_even(rotation, &here))
            && is_odd(&here, &codes, &instance.goal)
        {
            return Some(Forbidden::Odd { region: first });
        }
    }
    None
}

/// Moves knights until the empty vertices are those of the goal.
fn align(instance: &Instance, part: &[usize], codes: &mut [u8]) {
    loop {
        let surplus = part.iter().copied().find(|&v| codes[v] == 0 && instance.goal[v] != 0);
        let lacking = part.iter().copied().find(|&v| codes[v] != 0 && instance.goal[v] == 0);
        let (Some(from), Some(to)) = (surplus, lacking) else { return };
        let before = tree(instance, to);
        // Along the path, each empty vertex moves up to where the one ahead of it was.
        let path: Vec<usize> =
            std::iter::successors(Some(from), |&v| (v != to).then(|| before[v])).collect();
        let mut target = path.len() - 1;
        while target > 0 {
            let hole =
                (0..target).rev().find(|&i| codes[path[i]] == 0).expect("the path starts empty");
            for i in hole..target {
                codes[path[i]] = codes[path[i + 1]];
            }
            codes[path[target]] = 0;
            target = hole;
        }
    }
}

/// For each vertex of the part the next one on a shortest path to the root.
fn tree(instance: &Instance, root: usize) -> Vec<usize> {
    let mut before = vec![usize::MAX; instance.len()];
    before[root] = root;
    let mut queue = VecDeque::from([root]);
    while let Some(v) = queue.pop_front() {
        for &u in &instance.neighbours[v] {
            if before[usize::from(u)] == usize::MAX {
                before[usize::from(u)] = v;
                queue.push_back(usize::from(u));
            }
        }
    }
    before
}

/// The permutations that the one empty vertex makes by walking around each cycle: the vertex from which
/// the knight on each vertex comes.
fn rotations(instance: &Instance, part: &[usize], root: usize) -> Vec<Vec<usize>> {
    let before = tree(instance, root);
    let to_root = |v: usize| std::iter::successors(Some(v), |&v| (v != root).then(|| before[v]));
    let mut rotations = Vec::new();
    for &a in part {
        // The other way around a cycle is no other cycle; and along the tree there is none, so nothing comes of it.
        for b in instance.neighbours[a].iter().map(|&b| usize::from(b)).filter(|&b| a < b) {
            let mut walk: Vec<usize> = to_root(a).collect();
            walk.reverse();
            walk.extend(to_root(b));
            let mut at: Vec<usize> = (0..instance.len()).collect();
            for step in walk.windows(2) {
                at.swap(step[0], step[1]);
            }
            rotations.push(at);
        }
    }
    rotations
}

/// Regions as the orbits of permutations, each named by its first vertex.
fn orbits(size: usize, rotations: &[Vec<usize>]) -> Vec<usize> {
    let mut region: Vec<usize> = (0..size).collect();
    for rotation in rotations {
        for (v, &u) in rotation.iter().enumerate() {
            let (one, two) = (region[v].min(region[u]), region[v].max(region[u]));
            if one != two {
                region.iter_mut().filter(|name| **name == two).for_each(|name| *name = one);
            }
        }
    }
    region
}

/// The connected components of a part without one of its vertices.
struct Components {
    of: Vec<usize>,
    sizes: Vec<usize>,
}

fn components(instance: &Instance, part: &[usize], without: usize) -> Components {
    let mut of = vec![usize::MAX; instance.len()];
    let mut sizes = Vec::new();
    for &root in part {
        if root == without || of[root] != usize::MAX {
            continue;
        }
        of[root] = sizes.len();
        let mut list = vec![root];
        let mut head = 0;
        while head < list.len() {
            for u in instance.neighbours[list[head]].iter().map(|&u| usize::from(u)) {
                if u != without && of[u] == usize::MAX {
                    of[u] = sizes.len();
                    list.push(u);
                }
            }
            head += 1;
        }
        sizes.push(list.len());
    }
    Components { of, sizes }
}

/// The vertex of the marked knight, and how many empty vertices each component of the rest has.
type State = (usize, Vec<usize>);

/// Regions by marking one knight at a time; `None` where that takes too long.
fn by_marking(
    instance: &Instance,
    part: &[usize],
    empty: &[usize],
    most: Most,
) -> Option<Vec<usize>> {
    let mut region: Vec<usize> = (0..instance.len()).collect();
    let rest: BTreeMap<usize, Components> =
        part.iter().map(|&v| (v, components(instance, part, v))).collect();
    let state_of = |v: usize| -> State {
        let mut held = vec![0; rest[&v].sizes.len()];
        for &e in empty {
            held[rest[&v].of[e]] += 1;
        }
        (v, held)
    };
    let mut seen: BTreeMap<State, usize> = BTreeMap::new();
    let mut jumps = 0;
    for &root in part.iter().filter(|v| !empty.contains(v)) {
        let first = state_of(root);
        if seen.contains_key(&first) {
            continue;
        }
        seen.insert(first.clone(), root);
        let mut open = vec![first];
        while let Some((v, held)) = open.pop() {
            for u in instance.neighbours[v].iter().map(|&u| usize::from(u)) {
                let shown = after_jump(v, &rest[&v], u, &rest[&u], &held, empty.len(), |held| {
                    let next = (u, held);
                    if !seen.contains_key(&next) {
                        seen.insert(next.clone(), root);
                        open.push(next);
                    }
                    jumps += 1;
                    if seen.len() > most.states || jumps > most.jumps {
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                });
                if shown.is_break() {
                    return None;
                }
            }
        }
    }
    for &v in part.iter().filter(|v| !empty.contains(v)) {
        region[v] = seen[&state_of(v)];
    }
    Some(region)
}

/// Shows how many empty vertices each component of the rest may have after a jump of the marked knight from `v` to `u`,
/// each given with its rest; `held` is how many there are before it, `empty` how many in all.
fn after_jump(
    v: usize,
    rest_of_v: &Components,
    u: usize,
    rest_of_u: &Components,
    held: &[usize],
    empty: usize,
    mut show: impl FnMut(Vec<usize>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let into = rest_of_v.of[u];
    let Some(spare) = held[into].checked_sub(1) else { return ControlFlow::Continue(()) };
    let behind = rest_of_u.of[v];
    let mut room = rest_of_u.sizes.clone();
    room[behind] = 0;
    // One empty vertex is where the knight jumps to; the others of its component may be beyond that
    // vertex, or in what is left of the component on this side.
    let this_side = rest_of_v.sizes[into] - 1 - room.iter().sum::<usize>();
    let mut placed = vec![0; room.len()];
    spread(&room, spare, this_side, &mut placed, 0, &mut |placed| {
        let mut held = placed.to_vec();
        held[behind] = empty - placed.iter().sum::<usize>();
        show(held)
    })
}

/// Spreads `spare` empty vertices over the components from `p` on, but for at most `this_side` of them.
fn spread(
    room: &[usize],
    spare: usize,
    this_side: usize,
    placed: &mut [usize],
    p: usize,
    show: &mut impl FnMut(&[usize]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if p == room.len() {
        return show(placed);
    }
    // What this component does not take must fit elsewhere.
    let elsewhere = this_side + room[p + 1..].iter().sum::<usize>();
    for more in spare.saturating_sub(elsewhere)..=spare.min(room[p]) {
        placed[p] = more;
        spread(room, spare - more, this_side, placed, p + 1, show)?;
    }
    ControlFlow::Continue(())
}

/// Does some power of the rotation bring the knights of these vertices into the order of the goal?
fn can_rotate(rotation: &[usize], here: &[usize], codes: &[u8], goal: &[u8]) -> bool {
    let mut now = codes.to_vec();
    for _ in 0..=here.len() {
        if here.iter().all(|&v| now[v] == goal[v]) {
            return true;
        }
        now = rotation.iter().map(|&u| now[u]).collect();
    }
    false
}

/// Does the rotation permute these vertices, a region, evenly?
fn is_even(rotation: &[usize], here: &[usize]) -> bool {
    let place = |v: &usize| here.iter().position(|&u| u == rotation[*v]);
    let image: Option<Vec<usize>> = here.iter().map(place).collect();
    inversions(&image.expect("a rotation keeps to the regions")).is_multiple_of(2)
}

/// Are the knights of these vertices all different, and in an order of odd parity?
fn is_odd(here: &[usize], codes: &[u8], goal: &[u8]) -> bool {
    let image: Option<Vec<usize>> =
        here.iter().map(|&v| here.iter().position(|&u| goal[u] == codes[v])).collect();
    let mut letters: Vec<u8> = here.iter().map(|&v| codes[v]).collect();
    letters.sort_unstable();
    letters.windows(2).all(|pair| pair[0] != pair[1])
        && image.is_some_and(|image| !inversions(&image).is_multiple_of(2))
}

/// How many pairs of a permutation are in the wrong order.
fn inversions(image: &[usize]) -> usize {
    let pairs = (0..image.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
    pairs.filter(|&(j, i)| image[j] > image[i]).count()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::encoding::Encoding;
    use super::super::feasibility;
    use super::super::plain::{self, Position};
    use super::*;
    use destrier_rules::{
        Board, Obstacle, Placement, Problem as _, Setup, Square, SwapProblem, Wrap,
    };

    /// Everything that can be reached, straight from the rules.
    fn reached(instance: &Instance) -> BTreeSet<Vec<u8>> {
        let mut seen = BTreeSet::from([instance.start.clone()]);
        let mut list = vec![instance.start.clone()];
        while let Some(codes) = list.pop() {
            let position = Position { codes, white_moves: None };
            for (next, _) in plain::neighbours(instance, &position) {
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

    /// On these squares, with these letters (`.` for empty): is a goal ruled out exactly if it cannot
    /// be reached? Returns how many goals were tried, and how many ruled out.
    fn check_all_goals(board: &Board, letters: &str) -> (usize, usize) {
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
        let encoding = |problem: &SwapProblem| Encoding::new(problem, "test").unwrap();
        let reached = reached(&encoding(&problem(letters.as_bytes())).instance);
        let (mut looked, mut refused) = (0, 0);
        for goal in orders(letters.as_bytes()) {
            let problem = problem(&goal);
            let encoding = encoding(&problem);
            let obstacle = feasibility::obstacle(&encoding);
            let there = reached.contains(&encoding.instance.goal);
            assert_eq!(obstacle.is_none(), there, "{letters} on {board:?}: {obstacle:?}");
            if let Some(obstacle) = obstacle {
                problem.confirm(&obstacle).unwrap();
            }
            looked += 1;
            refused += usize::from(!there);
        }
        (looked, refused)
    }

    fn boards(
        files: u32,
        ranks: u32,
        wrap: Wrap,
        sizes: std::ops::RangeInclusive<u64>,
    ) -> Vec<Board> {
        let board = Board::new(files, ranks).unwrap().wrapped(wrap);
        let squares: Vec<Square> = board.squares().collect();
        let with_holes = |holes: u32| {
            let holes = squares.iter().zip(0..).filter(|&(_, i)| holes >> i & 1 == 1);
            board.clone().without(holes.map(|(&square, _)| square)).ok()
        };
        let all = (0..1u32 << (files * ranks)).filter_map(with_holes);
        all.filter(|board| sizes.contains(&board.len())).collect()
    }

    /// Every so many boards of a family, with every start in these letters and every goal: how many boards there
    /// are, how many goals were tried, and how many ruled out.
    fn check(boards: &[Board], one_in: usize, letters: &[&str]) -> (usize, usize, usize) {
        let (mut looked, mut refused) = (0, 0);
        for board in boards.iter().step_by(one_in) {
            let size = usize::try_from(board.len()).unwrap();
            for letters in letters {
                for knights in 2..size.min(letters.len() + 1) {
                    let text = format!("{:.<size$}", &letters[..knights]);
                    let (more, no) = check_all_goals(board, &text);
                    looked += more;
                    refused += no;
                }
            }
        }
        (boards.len(), looked, refused)
    }

    fn all_are_asked_for() -> bool {
        let limit = std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse().ok());
        limit.is_some_and(|limit: u64| limit >= 1_000_000)
    }

    #[test]
    fn a_goal_is_ruled_out_exactly_if_it_cannot_be_reached() {
        let one_in = if all_are_asked_for() { 1 } else { 29 };
        let boards = boards(3, 4, Wrap::None, 5..=7);
        let found = check(&boards, one_in, &["ABCDEFG", "AABBC", "AAABBB", "AAB"]);
        assert_eq!(found.0, 2508);
        assert!(found.1 > 10_000 && found.2 > 1000, "{found:?}");
    }

    /// Rings with tails, of four squares and more; odd rings, which joined edges make.
    #[test]
    fn the_same_holds_for_crowded_and_for_joined_boards() {
        let one_in = if all_are_asked_for() { 1 } else { 7 };
        let mut all = vec![boards(4, 4, Wrap::None, 5..=5)];
        for wrap in [Wrap::Files, Wrap::Ranks, Wrap::Both] {
            all.push(boards(3, 3, wrap, 4..=6));
            all.push(boards(3, 4, wrap, 5..=5));
        }
        let found: Vec<_> = all.iter().map(|all| check(all, one_in, &["ABCDE", "AAB"])).collect();
        let boards: Vec<usize> = found.iter().map(|found| found.0).collect();
        assert_eq!(boards, [4368, 336, 792, 336, 792, 336, 792]);
        let goals: usize = found.iter().map(|found| found.1).sum();
        assert_eq!(goals, if all_are_asked_for() { 2_058_552 } else { 306_360 });
    }

    /// A ring of eight squares, two of them empty: wherever the marked knight stands, the rest is one path with both empty
    /// squares, so there are eight states, with two jumps each.
    #[test]
    fn states_and_jumps_are_counted() {
        let board = Board::new(3, 3).unwrap().without([Square::new(1, 1)]).unwrap();
        let squares = board.squares().zip("ABCDEF..".chars());
        let pieces: Placement = squares.filter(|&(_, letter)| letter != '.').collect();
        let setup = Setup { board, pieces, unknown: BTreeSet::new() };
        let problem = SwapProblem::between(&setup, &setup).unwrap();
        let instance = Encoding::new(&problem, "test").unwrap().instance;
        let part: Vec<usize> = (0..instance.len()).collect();
        let empty: Vec<usize> = part.iter().copied().filter(|&v| instance.start[v] == 0).collect();
        let fits =
            |states, jumps| by_marking(&instance, &part, &empty, Most { states, jumps }).is_some();
        assert!(fits(8, 16) && fits(9, 17));
        assert!(!fits(7, 16) && !fits(8, 15) && !fits(7, 99) && !fits(99, 15));
    }

    /// A square with eight straight arms of fifteen, 49 of its 121 squares empty: those behind the middle can be spread
    /// over seven arms in millions of ways.
    #[test]
    fn a_part_with_too_many_states_has_no_verdict() {
        let middle = 30_i32;
        let mut pieces = Placement::new();
        let mut open = BTreeSet::new();
        for (across, up) in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
        {
            for step in 0..=15 {
                let side = |by: i32| u32::try_from(middle + by * step).unwrap();
                let square = Square::new(side(across), side(up));
                open.insert(square);
                if step > 6 {
                    pieces.insert(square, 'N');
                }
            }
        }
        let board = Board::new(61, 61).unwrap();
        let holes: Vec<Square> = board.squares().filter(|square| !open.contains(square)).collect();
        let board = board.without(holes).unwrap();
        let setup = Setup { board, pieces, unknown: BTreeSet::new() };
        let problem = SwapProblem::between(&setup, &setup).unwrap();
        let instance = Encoding::new(&problem, "test").unwrap().instance;
        let part: Vec<usize> = (0..instance.len()).collect();
        let empty: Vec<usize> = part.iter().copied().filter(|&v| instance.start[v] == 0).collect();
        assert_eq!((part.len(), empty.len()), (121, 49));
        assert_eq!(by_marking(&instance, &part, &empty, MOST), None);
    }

    /// What the checker refused: a ring with a tail, and an odd order on a board that is two-coloured only as a graph.
    /// The words are for people, so nothing but a test looks at the numbers in them.
    #[test]
    fn the_checker_confirms_rings_with_tails_and_odd_orders_on_joined_boards() {
        for (start, goal, wrap, name, says) in [
            (
                "##N#/c###/#B#1/#A##",
                "##N#/1###/#B#c/#A##",
                Wrap::None,
                "wheel",
                "with one empty square, the knights in the region of b1 can only rotate in a ring, and no \
                 rotation gives the order of the goal",
            ),
            (
                "c##/##1/##B/NA#",
                "A##/##1/##B/Nc#",
                Wrap::Files,
                "parity (Wilson 1974)",
                "with one empty square and no two equal knights in the region of a1, only even permutations can \
                 be reached there, but the goal is an odd one",
            ),
            (
                "#CD1/BB#1/#A#A",
                "#BBC/AA#1/#D#1",
                Wrap::None,
                "regions",
                "with 2 empty squares, knights on the part of the board with b1 stay in their regions; once the \
                 empty squares are where the goal has them, the region of b1 has 1 of `A`, but the goal has 0 there",
            ),
        ] {
            let [start, goal] = [start, goal].map(|text| {
                let setup: Setup = text.parse().unwrap();
                Setup { board: setup.board.wrapped(wrap), ..setup }
            });
            let problem = SwapProblem::between(&start, &goal).unwrap();
            let obstacle = feasibility::obstacle(&Encoding::new(&problem, "test").unwrap());
            let obstacle = obstacle.unwrap();
            problem.confirm(&obstacle).unwrap();
            let Obstacle::Theorem { name: found, text } = obstacle else { panic!("{obstacle:?}") };
            assert_eq!((&found[..], &text[..]), (name, says));
        }
    }

    /// Seven paths of seven vertices from a centre: there are 130,000 ways to share 25 empty vertices among them.
    #[test]
    fn too_many_ways_to_share_the_empty_vertices_are_not_looked_at() {
        let mut neighbours = vec![Vec::new(); 50];
        for v in 1..50_u8 {
            let before = if v % 7 == 1 { 0 } else { v - 1 };
            neighbours[usize::from(v)].push(before);
            neighbours[usize::from(before)].push(v);
        }
        let codes: Vec<u8> = (0..50).map(|v| v % 2).collect();
        let instance = Instance::new(neighbours, codes.clone(), codes, vec![false, true]);
        let part: Vec<usize> = (0..50).collect();
        let empty: Vec<usize> = part.iter().copied().filter(|v| v % 2 == 0).collect();
        assert_eq!(by_marking(&instance, &part, &empty, MOST), None);
    }
}
