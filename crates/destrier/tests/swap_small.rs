//! Swaps of two colours on boards to 3×4 with every set of holes, all of them: `auto` against a search of
//! everything.
//!
//! The baseline is breadth first like `naive`, over pairs of masks instead of lists, and shares no
//! code with any method; every so often `naive` itself is asked, and every method with it. Boards
//! are taken up to turning them and exchanging the colours; how many there are follows from
//! Burnside's lemma.
//!
//! By default a share of the larger boards; `DESTRIER_LIMIT=1000000` takes all (in release, minutes).

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod tally;

use std::collections::BTreeSet;

use destrier::{
    Answer, Board, Claim, Method, Options, Outcome, Placement, Setup, Solve, Square, SwapMethod,
    SwapProblem, is_knight_jump,
};
use tally::Tally;

fn all_are_asked_for() -> bool {
    let limit = std::env::var("DESTRIER_LIMIT").ok().and_then(|limit| limit.parse::<u64>().ok());
    limit.is_some_and(|limit| limit >= 1_000_000)
}

/// A board of at most twelve squares with two colours and holes as a number: two bits a square, for
/// empty, white, black and hole.
#[derive(Clone, Copy)]
struct Scene(u32);

impl Scene {
    fn mask(self, kind: u32, size: u32) -> u16 {
        (0..size).fold(0, |mask, i| mask | u16::from(self.0 >> (2 * i) & 3 == kind) << i)
    }

    /// Is it the least of its images under the turns of the board and the exchange of colours?
    fn is_least(self, turns: &[Vec<u32>]) -> bool {
        turns.iter().all(|turn| {
            let image = |kinds: [u32; 4]| {
                let kind = |i: usize| kinds[(self.0 >> (2 * i) & 3) as usize];
                turn.iter().enumerate().fold(0, |image, (i, to)| image | kind(i) << (2 * to))
            };
            image([0, 1, 2, 3]) >= self.0 && image([0, 2, 1, 3]) >= self.0
        })
    }
}

/// White and black knights as masks.
type Pair = (u16, u16);

/// A board to 3×4 before holes are made in it.
struct Small {
    board: Board,
    squares: Vec<Square>,
    near: Vec<u16>,
    turns: Vec<Vec<u32>>,
}

impl Small {
    fn new(files: u32, ranks: u32) -> Self {
        let board = Board::new(files, ranks).unwrap();
        let squares: Vec<Square> = board.squares().collect();
        let place = |square: Square| {
            u32::try_from(squares.iter().position(|&s| s == square).unwrap()).unwrap()
        };
        let turns = (0..if files == ranks { 8 } else { 4 }).map(|turn| {
            let image = |square: &Square| {
                let file = if turn & 1 == 1 { files - 1 - square.file } else { square.file };
                let rank = if turn & 2 == 2 { ranks - 1 - square.rank } else { square.rank };
                place(if turn & 4 == 4 { Square::new(rank, file) } else { Square::new(file, rank) })
            };
            squares.iter().map(image).collect()
        });
        let turns = turns.collect();
        let near = squares.iter().map(|&from| {
            let to = squares.iter().map(|&to| is_knight_jump(from, to));
            to.enumerate().fold(0, |mask, (i, jumps)| mask | u16::from(jumps) << i)
        });
        let near = near.collect();
        Self { board, squares, near, turns }
    }

    fn size(&self) -> u32 {
        u32::try_from(self.squares.len()).unwrap()
    }

    /// Every scene, up to turning the board and exchanging the colours, that this lets through.
    fn scenes(&self, wanted: impl Fn(Pair, u16) -> bool) -> Vec<(Pair, u16)> {
        let scene = |scene: Scene| {
            let [white, black, holes] = [1, 2, 3].map(|kind| scene.mask(kind, self.size()));
            let fits = wanted((white, black), holes) && scene.is_least(&self.turns);
            fits.then_some(((white, black), holes))
        };
        (0..1 << (2 * self.size())).map(Scene).filter_map(scene).collect()
    }

    fn problem(&self, start: Pair, goal: Pair, holes: u16) -> SwapProblem {
        let chosen = |mask: u16| {
            let here = move |&(i, _): &(usize, &Square)| mask >> i & 1 == 1;
            self.squares.iter().enumerate().filter(here).map(|(_, &square)| square)
        };
        let board = self.board.clone().without(chosen(holes)).unwrap();
        let setup = |(white, black): Pair| {
            let white = chosen(white).map(|square| (square, 'N'));
            let pieces: Placement =
                white.chain(chosen(black).map(|square| (square, 'n'))).collect();
            Setup { board: board.clone(), pieces, unknown: BTreeSet::new() }
        };
        SwapProblem::between(&setup(start), &setup(goal)).unwrap()
    }
}

/// Breadth first over pairs of masks: the same as `naive`, without its lists.
struct Baseline<'a> {
    near: &'a [u16],
    /// What a white knight on each square adds to the number of a pair; a black one adds twice as much.
    weight: Vec<u32>,
    /// For each pair, by number, the round in which it was last seen, and how far from the start.
    seen: Vec<(u32, u32)>,
    round: u32,
    queue: Vec<(Pair, u32)>,
}

impl<'a> Baseline<'a> {
    fn new(near: &'a [u16]) -> Self {
        let weight: Vec<u32> = (0..).map(|i| 3_u32.pow(i)).take(near.len()).collect();
        let pairs = 3_usize.pow(u32::try_from(near.len()).unwrap());
        Self { near, weight, seen: vec![(0, 0); pairs], round: 0, queue: Vec::new() }
    }

    fn number(&self, (white, black): Pair) -> u32 {
        let sum = |mask| bits(mask).map(|i| self.weight[usize::from(i)]).sum::<u32>();
        sum(white) + 2 * sum(black)
    }

    /// How far a pair was from the start of the last search, if it was reached.
    fn reached(&self, pair: Pair) -> Option<u64> {
        let (round, distance) = self.seen[self.number(pair) as usize];
        (round == self.round).then(|| distance.into())
    }

    /// Searches everything that can be reached, or until the goal is.
    fn search(&mut self, start: Pair, goal: Option<Pair>, holes: u16) {
        self.round += 1;
        self.queue.clear();
        self.meet(start, self.number(start), 0);
        let goal = goal.map(|goal| self.number(goal));
        let mut next = 0;
        while let Some(&((white, black), number)) = self.queue.get(next) {
            if goal == Some(number) {
                return;
            }
            let moves = self.seen[number as usize].1 + 1;
            next += 1;
            for from in bits(white | black) {
                let is_white = white >> from & 1 == 1;
                for to in bits(self.near[usize::from(from)] & !(white | black | holes)) {
                    let both = 1 << from | 1 << to;
                    let [gone, come] = [from, to].map(|at| self.weight[usize::from(at)]);
                    if is_white {
                        self.meet((white ^ both, black), number - gone + come, moves);
                    } else {
                        self.meet((white, black ^ both), number - 2 * gone + 2 * come, moves);
                    }
                }
            }
        }
    }

    fn meet(&mut self, pair: Pair, number: u32, moves: u32) {
        let seen = &mut self.seen[number as usize];
        if seen.0 != self.round {
            *seen = (self.round, moves);
            self.queue.push((pair, number));
        }
    }
}

fn bits(mut mask: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = u8::try_from(mask.trailing_zeros()).unwrap();
        mask &= mask.wrapping_sub(1);
        (bit < 16).then_some(bit)
    })
}

/// The cost of a plan that is proved the shortest, or `None` for impossible.
fn fewest(answer: Answer<SwapProblem>) -> Option<u64> {
    assert_eq!(answer.effort.refused, [], "the checker refused what auto said first");
    match answer.outcome {
        Outcome::Solved(plan) => {
            assert!(matches!(plan.claim(), Claim::Fewest { .. }), "it is not proved: {plan:?}");
            Some(plan.cost())
        }
        Outcome::Impossible(_) => None,
        Outcome::Unfinished { why, .. } => panic!("{why}"),
    }
}

fn by_auto(problem: &SwapProblem) -> Option<u64> {
    fewest(problem.solve_with(&Options::new().threads(1)).unwrap())
}

/// Every method against what is known.
fn ask_all(problem: &SwapProblem, want: Option<u64>) {
    let mut plans = Tally::default();
    for &method in SwapMethod::ALL {
        let answer = problem.solve_by(method, &Options::new().threads(1));
        let Some(answer) = plans.answer(method, answer) else { continue };
        let text = problem.start_fen();
        if let SwapMethod::BestFirst(_) | SwapMethod::HillClimbing = method {
            match answer.outcome {
                Outcome::Solved(plan) => assert!(want.is_some_and(|fewest| plan.cost() >= fewest)),
                Outcome::Impossible(_) => assert_eq!(want, None, "{method}: {text}"),
                Outcome::Unfinished { .. } if method == SwapMethod::HillClimbing => {}
                Outcome::Unfinished { why, .. } => panic!("{method}: {why}"),
            }
        } else {
            assert_eq!(fewest(answer), want, "{method}: {text}");
        }
    }
    let all = SwapMethod::ALL.iter().map(|method| (method.name(), 1));
    plans.expect(&all.collect::<Vec<_>>());
}

/// How many questions there are, and how many of them were asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counted {
    there_are: u64,
    asked: u64,
    /// Of these, how many every method was asked.
    of_all_methods: u64,
}

impl std::iter::Sum for Counted {
    fn sum<I: Iterator<Item = Counted>>(parts: I) -> Counted {
        parts.fold(Counted::default(), |sum, part| Counted {
            there_are: sum.there_are + part.there_are,
            asked: sum.asked + part.asked,
            of_all_methods: sum.of_all_methods + part.of_all_methods,
        })
    }
}

/// Shares the scenes, each with its number, out to threads and adds up what they counted.
fn shared<T: Sync>(
    all: &[T],
    look: impl Fn(&mut dyn Iterator<Item = (u64, &T)>) -> Counted + Sync,
) -> Counted {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let look = &look;
        let share = |i| scope.spawn(move || look(&mut (0..).zip(all).skip(i).step_by(threads)));
        let parts: Vec<_> = (0..threads).map(share).collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    })
}

/// Exchanges of two colours, as many of each: `auto` on one in so many, and of these every method on one in so many.
fn exchange_all(files: u32, ranks: u32, one_in: u64, all_methods_on_one_in: u64) -> Counted {
    let small = Small::new(files, ranks);
    let scenes =
        small.scenes(|(white, black), _| white != 0 && white.count_ones() == black.count_ones());
    shared(&scenes, |share| {
        let mut baseline = Baseline::new(&small.near);
        let mut counted = Counted::default();
        for (number, &((white, black), holes)) in share {
            counted.there_are += 1;
            if !number.is_multiple_of(one_in) {
                continue;
            }
            let problem = small.problem((white, black), (black, white), holes);
            baseline.search((white, black), Some((black, white)), holes);
            let want = baseline.reached((black, white));
            assert_eq!(by_auto(&problem), want, "{}", problem.start_fen());
            counted.asked += 1;
            if number.is_multiple_of(one_in * all_methods_on_one_in) {
                ask_all(&problem, want);
                counted.of_all_methods += 1;
            }
        }
        counted
    })
}

/// From every start with at most so many squares left to every goal, `auto` on one in so many.
fn reach_all(files: u32, ranks: u32, most_squares: u32, one_in: u64) -> Counted {
    let small = Small::new(files, ranks);
    let scenes = small.scenes(|(white, _), holes| {
        white != 0 && small.size() - holes.count_ones() <= most_squares
    });
    shared(&scenes, |share| {
        let mut baseline = Baseline::new(&small.near);
        let mut counted = Counted::default();
        for (number, &(start, holes)) in share {
            baseline.search(start, None, holes);
            let open = !holes & ((1 << small.size()) - 1);
            let placed = |mask: u16, among: u16, like: u16| {
                mask & !among == 0 && mask.count_ones() == like.count_ones()
            };
            // From each start another share of the goals.
            let mut turn = number;
            for white in (0..=open).filter(|&mask| placed(mask, open, start.0)) {
                let left = open & !white;
                for black in (0..=left).filter(|&mask| placed(mask, left, start.1)) {
                    counted.there_are += 1;
                    turn += 1;
                    if !turn.is_multiple_of(one_in) {
                        continue;
                    }
                    let goal = (white, black);
                    let problem = small.problem(start, goal, holes);
                    let want = baseline.reached(goal);
                    let text = || format!("{} to {}", problem.start_fen(), problem.goal_fen());
                    assert_eq!(by_auto(&problem), want, "{}", text());
                    counted.asked += 1;
                }
            }
        }
        counted
    })
}

#[test]
fn every_exchange_of_colours_on_small_boards_agrees_with_the_baseline() {
    let exchanges = |files, ranks, one_in, all_methods_on_one_in| {
        let counted = exchange_all(files, ranks, one_in, all_methods_on_one_in);
        (counted.there_are, counted.asked, counted.of_all_methods)
    };
    assert_eq!(exchanges(2, 3, 1, 1), (134, 134, 134));
    assert_eq!(exchanges(3, 3, 1, 31), (3_288, 3_288, 107));
    if all_are_asked_for() {
        assert_eq!(exchanges(3, 4, 1, 971), (340_190, 340_190, 351));
    } else {
        assert_eq!(exchanges(3, 4, 4, 971), (340_190, 85_048, 88));
    }
}

#[test]
fn every_goal_on_small_boards_agrees_with_the_baseline() {
    let goals = |files, ranks, most_squares, one_in| {
        let counted = reach_all(files, ranks, most_squares, one_in);
        (counted.there_are, counted.asked)
    };
    assert_eq!(goals(2, 3, 6, 1), (10_599, 10_599));
    if all_are_asked_for() {
        assert_eq!(goals(3, 3, 9, 1), (3_366_491, 3_366_491));
        assert_eq!(goals(3, 4, 5, 1), (508_067, 508_067));
    } else {
        assert_eq!(
            (goals(3, 3, 9, 4), goals(3, 4, 5, 4)),
            ((3_366_491, 841_674), (508_067, 127_014))
        );
    }
}
