//! Swaps under every rule on small boards, all of them: holes, joined edges, knights that are equal or differ, moves and
//! runs, in turns, peaceful, goals with open squares.
//!
//! The truth is a search of all positions in this file, on jumps of its own; it shares no code with any method. Boards
//! are taken up to turning them. `auto` is asked every question, and every method one in 61.
//!
//! By default one question in 31; `DESTRIER_LIMIT=1000000` asks all (in release, minutes).

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod tally;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use destrier::{
    Board, Claim, Goal, Method, Metric, Options, Outcome, Placement, Problem, Side, Solve, Square,
    SwapMethod, SwapProblem, SwapRules, Wrap,
};
use tally::Tally;

fn all_are_asked_for() -> bool {
    let limit = std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse::<u64>().ok());
    limit.is_some_and(|limit| limit >= 1_000_000)
}

/// The letter on each open square, `.` for none, and whose turn it is.
type Position = (Vec<char>, Option<Side>);

/// A small board: its open squares, and which of them are a jump apart.
struct World {
    board: Board,
    squares: Vec<Square>,
    near: Vec<Vec<usize>>,
}

impl World {
    fn new(files: u32, ranks: u32, wrap: Wrap, open: u32) -> World {
        let at = |place: u32| Square::new(place % files, place / files);
        let (all, is_open) = (0..files * ranks, |place: &u32| open >> place & 1 == 1);
        let holes = all.clone().filter(|place| !is_open(place)).map(at);
        let board = Board::new(files, ranks).unwrap().without(holes).unwrap().wrapped(wrap);
        let places: Vec<u32> = all.filter(is_open).collect();
        let (across, up) =
            (matches!(wrap, Wrap::Files | Wrap::Both), matches!(wrap, Wrap::Ranks | Wrap::Both));
        let lands = |from: u32, by: i32, side: u32, joined: bool| {
            let to = i64::from(from) + i64::from(by);
            let to = if joined { to.rem_euclid(side.into()) } else { to };
            u32::try_from(to).ok().filter(|&to| to < side)
        };
        let near = |&from: &u32| {
            let mut near = BTreeSet::new();
            for (x, y) in [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)] {
                let file = lands(from % files, x, files, across);
                let rank = lands(from / files, y, ranks, up);
                let to = file.zip(rank).map(|(file, rank)| rank * files + file);
                near.extend(places.iter().position(|&place| Some(place) == to && place != from));
            }
            near.into_iter().collect()
        };
        let near = places.iter().map(near).collect();
        World { board, squares: places.iter().map(|&place| at(place)).collect(), near }
    }

    fn is_calm(&self, letters: &[char]) -> bool {
        let cases = |case: fn(&char) -> bool| letters.iter().any(case);
        let two_sides = cases(char::is_ascii_uppercase) && cases(char::is_ascii_lowercase);
        let opposed = |one: char, other: char| {
            if two_sides {
                one.is_ascii_uppercase() != other.is_ascii_uppercase()
            } else {
                one != other
            }
        };
        (0..letters.len()).all(|at| {
            let own = letters[at];
            own == '.'
                || !self.near[at].iter().any(|&to| letters[to] != '.' && opposed(own, letters[to]))
        })
    }

    /// Shows every position one move or one run further.
    fn units(&self, (letters, turn): &Position, rules: SwapRules, show: &mut dyn FnMut(Position)) {
        for from in 0..letters.len() {
            let letter = letters[from];
            if letter == '.' || turn.is_some_and(|turn| turn != Side::of(letter)) {
                continue;
            }
            let (mut reached, mut ends) = (vec![from], vec![from]);
            while let Some(at) = ends.pop() {
                for &to in &self.near[at] {
                    let mut moved = letters.clone();
                    moved.swap(from, to);
                    let free = letters[to] == '.' && !reached.contains(&to);
                    if free && (!rules.peaceful || self.is_calm(&moved)) {
                        reached.push(to);
                        show((moved, turn.map(Side::other)));
                        if rules.metric == Metric::Runs {
                            ends.push(to);
                        }
                    }
                }
            }
        }
    }

    /// How far every placement is from the start, in moves or runs.
    fn distances(&self, start: &[char], rules: SwapRules) -> BTreeMap<Vec<char>, u64> {
        let first = (start.to_vec(), rules.alternate);
        let (mut seen, mut layer) = (HashSet::from([first.clone()]), vec![first]);
        let mut distances = BTreeMap::new();
        for distance in 0.. {
            if layer.is_empty() {
                break;
            }
            let mut next = Vec::new();
            for position in layer {
                distances.entry(position.0.clone()).or_insert(distance);
                self.units(&position, rules, &mut |to| {
                    if seen.insert(to.clone()) {
                        next.push(to);
                    }
                });
            }
            layer = next;
        }
        distances
    }

    fn problem(&self, start: &[char], goal: &[char], rules: SwapRules) -> SwapProblem {
        let placed = |letters: &[char]| -> Placement {
            let pairs = self.squares.iter().copied().zip(letters.iter().copied());
            pairs.filter(|&(_, letter)| !matches!(letter, '.' | '?')).collect()
        };
        let any = self.squares.iter().zip(goal).filter(|&(_, &letter)| letter == '?');
        let goal = Goal { knights: placed(goal), any: any.map(|(&square, _)| square).collect() };
        SwapProblem { board: self.board.clone(), start: placed(start), goal, rules }
    }
}

/// Every way to write these letters on the squares.
fn arrangements(letters: &[char]) -> BTreeSet<Vec<char>> {
    let mut found = BTreeSet::from([Vec::new()]);
    for _ in letters {
        let longer = |written: &Vec<char>| {
            let count = |of: &[char], letter: char| of.iter().filter(|&&l| l == letter).count();
            let left = letters.iter().filter(|&&l| count(written, l) < count(letters, l));
            let one_more = |&letter: &char| [&written[..], &[letter]].concat();
            left.map(one_more).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found
}

/// Every placement of knights of three kinds, two of them of one colour.
fn placements(squares: usize) -> Vec<Vec<char>> {
    let mut found = vec![Vec::new()];
    for _ in 0..squares {
        let longer =
            |written: &Vec<char>| ['.', 'A', 'B', 'c'].map(|l| [&written[..], &[l]].concat());
        found = found.iter().flat_map(longer).collect();
    }
    // A placement with more of `B` than of `A` is another under other names.
    let count = |of: &[char], letter: char| of.iter().filter(|&&l| l == letter).count();
    found.retain(|of| of.iter().any(|&l| l != '.') && count(of, 'A') >= count(of, 'B'));
    found
}

fn all_rules() -> Vec<SwapRules> {
    let mut found = Vec::new();
    for metric in [Metric::Moves, Metric::Runs] {
        for alternate in [None, Some(Side::White), Some(Side::Black)] {
            found.extend([false, true].map(|peaceful| SwapRules { metric, alternate, peaceful }));
        }
    }
    found
}

/// The sets of open squares of a board with so many at most, up to the turns that its edges allow.
fn open_sets(files: u32, ranks: u32, wrap: Wrap, most: u32) -> Vec<u32> {
    let square = files == ranks && matches!(wrap, Wrap::None | Wrap::Both);
    let turned = |open: u32, turn: u32| {
        (0..files * ranks).filter(|place| open >> place & 1 == 1).fold(0, |image, place| {
            let (file, rank) = (place % files, place / files);
            let file = if turn & 1 == 1 { files - 1 - file } else { file };
            let rank = if turn & 2 == 2 { ranks - 1 - rank } else { rank };
            let to = if turn & 4 == 4 { file * files + rank } else { rank * files + file };
            image | 1_u32 << to
        })
    };
    let is_first = |&open: &u32| {
        (2..=most).contains(&open.count_ones())
            && (0..if square { 8 } else { 4 }).all(|turn| turned(open, turn) >= open)
    };
    (0..1 << (files * ranks)).filter(is_first).collect()
}

#[derive(Default)]
struct Asked {
    /// How many questions there are, and how many of them have a plan.
    questions: u64,
    possible: u64,
    /// The same of those that were asked.
    posed: u64,
    posed_possible: u64,
    methods: Tally,
}

impl Asked {
    fn ask(&mut self, problem: &SwapProblem, fewest: Option<u64>) {
        let one_in = if all_are_asked_for() { 1 } else { 31 };
        self.questions += 1;
        self.possible += u64::from(fewest.is_some());
        if !self.questions.is_multiple_of(one_in) {
            return;
        }
        self.posed += 1;
        self.posed_possible += u64::from(fewest.is_some());
        let all = self.questions.is_multiple_of(61 * one_in);
        let methods: Vec<SwapMethod> =
            SwapMethod::ALL.iter().copied().filter(|&m| all || m == SwapMethod::Auto).collect();
        for method in methods {
            let answer = problem.solve_by(method, &Options::new().threads(1));
            let Some(answer) = self.methods.answer(method, answer) else { continue };
            let greedy = matches!(method, SwapMethod::BestFirst(_) | SwapMethod::HillClimbing);
            match answer.outcome {
                Outcome::Solved(plan) if greedy => {
                    assert!(fewest.is_some_and(|fewest| plan.cost() >= fewest), "{problem:?}");
                }
                Outcome::Solved(plan) => {
                    assert_eq!(Some(plan.cost()), fewest, "{} on {problem:?}", method.name());
                    assert!(matches!(plan.claim(), Claim::Fewest { .. }), "{problem:?}");
                }
                Outcome::Impossible(why) => {
                    assert_eq!(fewest, None, "{}: {why:?} on {problem:?}", method.name());
                }
                Outcome::Unfinished { why, .. } => assert!(greedy, "{why}: {problem:?}"),
            }
        }
    }

    /// Asks about every start, goal and rule on a board.
    fn ask_all(&mut self, world: &World) {
        for start in placements(world.squares.len()) {
            let goals = arrangements(&start);
            for rules in all_rules() {
                let to_itself = world.problem(&start, &start, rules);
                if to_itself.validate().is_err() {
                    continue;
                }
                let distances = world.distances(&start, rules);
                for goal in &goals {
                    // On the smallest boards any squares of the goal are open, too.
                    let opened = if goal.len() <= 3 { 1_u32 << goal.len() } else { 1 };
                    for opened in 0..opened {
                        let opens = |at: usize| opened >> at & 1 == 1;
                        let goal: Vec<char> = (0..goal.len())
                            .map(|at| if opens(at) { '?' } else { goal[at] })
                            .collect();
                        let problem = world.problem(&start, &goal, rules);
                        // Of a peaceful swap, the goal must be so.
                        if problem.validate().is_err() {
                            continue;
                        }
                        let fits = |placed: &&Vec<char>| {
                            goal.iter().zip(*placed).all(|(goal, at)| *goal == '?' || goal == at)
                        };
                        let ends = distances.keys().filter(fits);
                        self.ask(&problem, ends.map(|end| distances[end]).min());
                    }
                }
            }
        }
    }
}

#[test]
fn every_swap_of_small_boards_under_every_rule_is_as_short_as_can_be() {
    let mut asked = Asked::default();
    let mut boards = 0;
    let lines = (2..=6).flat_map(|side| [(side, 1), (1, side)]);
    for (files, ranks) in lines.chain([(2, 2), (2, 3), (3, 2), (3, 3)]) {
        for wrap in [Wrap::None, Wrap::Files, Wrap::Ranks, Wrap::Both] {
            for open in open_sets(files, ranks, wrap, 4) {
                boards += 1;
                asked.ask_all(&World::new(files, ranks, wrap, open));
            }
        }
    }
    assert_eq!((boards, asked.questions, asked.possible), (846, 6_004_152, 2_074_512));
    let all = all_are_asked_for();
    let of_asked = if all { (asked.questions, asked.possible) } else { (193_682, 66_754) };
    assert_eq!((asked.posed, asked.posed_possible), of_asked);
    // Of these, one in 61 is asked of every method; two support only some.
    let every = if all { 98_428 } else { 3_175 };
    let (meet, ranked) = if all { (45_308, 12_914) } else { (1_455, 415) };
    let searches = ["astar", "best-first", "hill-climbing", "naive"].map(|name| (name, every));
    let others = [("auto", asked.posed), ("meet", meet), ("ranked", ranked)];
    asked.methods.expect(&[&searches[..], &others].concat());
}
