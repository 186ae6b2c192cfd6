//! Every method is made to lie in every way, and every lie must be noticed: by the gate, or by a battery of small questions.
//!
//! The battery's answers come from brute force that is written here and shares nothing with the engine but the words of
//! a question: jumps are found by arithmetic, tours by trying all, captures and swaps breadth first. Who notices
//! what stands in `docs/trust.md`; `DESTRIER_WRITE=1 cargo test -p destrier --features lies --test lies` writes it anew.
//!
//! Invariant: each time that a lie is told somebody notices, and where none is told nobody objects.
#![cfg(feature = "lies")]
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use destrier::count::transfer::Strip;
use destrier::lies::{Lie, Reason, telling};
use destrier::tour::trace::Silent;
use destrier::{
    Answer, BigUint, Board, CaptureMethod, CaptureProblem, Claim, CountMethod, Effort, Fault,
    Finding, Leaper, ListMethod, Listing, Method, Metric, Options, Outcome, Placement, Shape, Side,
    Solve, SolveError, Square, StreamError, SwapMethod, SwapProblem, Swaps, Symmetry, Tour,
    TourCount, TourMethod, TourProblem, TourStream, TourSymmetry, Tours, Wrap,
};

/// Who noticed a lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Notice {
    GateSolution,
    GateClaim,
    GateReason,
    /// There is a solution, and it was denied.
    Existence,
    /// The fewest are fewer.
    Optimum,
    /// A lower bound is above the fewest.
    Bound,
    Count,
    List,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Notice::GateSolution => "gate: solution",
            Notice::GateClaim => "gate: claim",
            Notice::GateReason => "gate: reason",
            Notice::Existence => "battery: existence",
            Notice::Optimum => "battery: optimum",
            Notice::Bound => "battery: bound",
            Notice::Count => "battery: count",
            Notice::List => "battery: list",
        })
    }
}

/// What became of one question: it is not supported, all is well, or something was noticed.
type Seen = Option<Result<(), Notice>>;

/// An error of the library, as seen by the gate.
fn refused(error: &SolveError) -> Seen {
    match error {
        SolveError::Unsuited { .. } => None,
        SolveError::Refused { fault, .. } => Some(Err(by_the_gate(fault))),
        error => panic!("{error}"),
    }
}

fn by_the_gate(fault: &Fault) -> Notice {
    match fault {
        Fault::Claim(_) => Notice::GateClaim,
        Fault::Reason(_) => Notice::GateReason,
        _ => Notice::GateSolution,
    }
}

/// What was seen of an answer: where the gate refused a lie of `auto` before it, the answer must be right.
fn after_refusals(effort: &Effort, seen: Result<(), Notice>) -> Result<(), Notice> {
    let Some((method, fault)) = effort.refused.first() else { return seen };
    assert_eq!(seen, Ok(()), "{method} was refused, and the answer after it is wrong: {fault}");
    Err(by_the_gate(fault))
}

fn holds(holds: bool, otherwise: Notice) -> Result<(), Notice> {
    if holds { Ok(()) } else { Err(otherwise) }
}

fn options() -> Options {
    Options::new().threads(1)
}

// ---- brute force -------------------------------------------------------------------------------------------------

/// The squares that a leaper can reach from a square in one jump, by arithmetic.
fn jumps(board: &Board, leaper: Leaper, from: Square) -> BTreeSet<Square> {
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
fn undirected(shape: Shape, squares: &[Square]) -> Vec<Square> {
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
fn all_tours(question: &TourProblem) -> BTreeSet<Vec<Square>> {
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
            other => panic!("{other} is not in the battery"),
        };
        found.retain(|tour| turns.iter().any(|&turn| image(question, turn, tour) == *tour));
    }
    found
}

/// What a symmetry of the board makes of a tour, undirected.
fn image(question: &TourProblem, symmetry: Symmetry, tour: &[Square]) -> Vec<Square> {
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
fn fewest_captures(question: &CaptureProblem) -> Option<u64> {
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
type Positions = HashMap<(Placement, Option<Side>), (u64, u128)>;

/// All positions that can be reached.
fn all_positions(question: &SwapProblem) -> Positions {
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
fn fewest_swaps(question: &SwapProblem, positions: &Positions) -> Option<(u64, u128)> {
    let is_goal = |knights: &Placement| {
        let fits = |square: &Square| knights.get(square) == question.goal.knights.get(square);
        question.board.squares().all(|square| question.goal.any.contains(&square) || fits(&square))
    };
    let goals = positions.iter().filter(|((knights, _), _)| is_goal(knights));
    let goals: Vec<(u64, u128)> = goals.map(|(_, &found)| found).collect();
    let fewest = goals.iter().map(|&(cost, _)| cost).min()?;
    Some((fewest, goals.iter().filter(|(cost, _)| *cost == fewest).map(|(_, ways)| ways).sum()))
}

// ---- the battery -------------------------------------------------------------------------------------------------

/// A question about tours with all its tours.
struct Tourable {
    question: TourProblem,
    tours: BTreeSet<Vec<Square>>,
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

fn board(size: &str) -> Board {
    size.parse().unwrap()
}

/// Plain boards, holes, joined edges, another leaper, ends, symmetries; some of them have no tour.
fn tour_questions() -> Vec<Tourable> {
    let ring = board("3x3").without([square("b2")]).unwrap();
    let cross = board("4x4").without(["a1", "d1", "a4", "d4"].map(square)).unwrap();
    let wazir = Leaper::new(0, 1).unwrap();
    let open = |size: &str| TourProblem::open(board(size));
    let questions = [
        open("3x4"),
        open("3x4").starting_at(square("a1")),
        open("3x4").ending_at(square("c4")),
        open("3x4").starting_at(square("a1")).ending_at(square("b4")),
        open("4x5"),
        open("5x4").starting_at(square("a1")),
        open("5x5").starting_at(square("c3")),
        TourProblem::open(ring.clone()),
        TourProblem::closed(ring.clone()),
        TourProblem::closed(ring).starting_at(square("a1")).ending_at(square("b3")),
        TourProblem::closed(cross),
        TourProblem::closed(board("3x4").wrapped(Wrap::Files)),
        open("3x3").with_leaper(wazir),
        TourProblem::closed(board("4x4")).with_leaper(wazir),
        open("3x4").with_symmetry(TourSymmetry::HalfTurn),
        TourProblem::closed(board("4x4")).with_leaper(wazir).with_symmetry(TourSymmetry::Mirror),
        TourProblem::closed(board("3x4")),
        open("3x5"),
    ];
    let with_tours = |question: TourProblem| {
        let tours = all_tours(&question);
        Tourable { question, tours }
    };
    questions.map(with_tours).into_iter().collect()
}

fn capture_questions() -> Vec<(CaptureProblem, Option<u64>)> {
    let question = |size: &str, start: &str, targets: &str| {
        let targets = targets.split_whitespace().map(square).collect();
        let problem = CaptureProblem { board: board(size), start: square(start), targets };
        let fewest = fewest_captures(&problem);
        (problem, fewest)
    };
    vec![
        question("3x4", "a1", "c2"),
        question("4x4", "a1", "b1 d4 c2"),
        question("5x5", "c3", "a1 e1 a5 e5"),
        question("5x5", "a1", "b2 c3 d4 e5 a5"),
        question("6x3", "a1", "f3 f1 a3"),
        question("5x5", "a1", ""),
        question("3x3", "a1", "b2"),
    ]
}

/// A puzzle with the fewest moves or runs and how many plans have so few, and how far every position is.
struct Swapable {
    problem: SwapProblem,
    fewest: Option<(u64, u128)>,
    distances: HashMap<Placement, u64>,
}

fn swap_questions() -> Vec<Swapable> {
    let question = |from: &str, to: &str, change: &dyn Fn(&mut SwapProblem)| {
        let setups = [from, to].map(|fen| fen.parse().unwrap());
        let mut problem = SwapProblem::between(&setups[0], &setups[1]).unwrap();
        change(&mut problem);
        let positions = all_positions(&problem);
        let fewest = fewest_swaps(&problem, &positions);
        let mut distances = HashMap::new();
        for ((knights, _), (cost, _)) in positions {
            let known = distances.entry(knights).or_insert(cost);
            *known = cost.min(*known);
        }
        Swapable { problem, fewest, distances }
    };
    let plain = &|_: &mut SwapProblem| {};
    vec![
        question("n1n/3/N1N", "N1N/3/n1n", plain),
        question("N2/3/3", "3/3/1N1", plain),
        question("nn1/3/1NN", "NN1/3/1nn", plain),
        question("A1b/3/3/1C1", "b1A/3/3/1C1", plain),
        question("nnn/3/3/NNN", "NNN/3/3/nnn", plain),
        question("n2/3/2N/3", "N2/3/2?/3", plain),
        question("n1n/3/N1N", "N1N/3/n1n", &|p| p.rules.metric = Metric::Runs),
        question("n1n/3/N1N", "N1N/3/n1n", &|p| p.rules.alternate = Some(Side::White)),
        question("n2/3/3/2N", "N2/3/3/2n", &|p| p.rules.peaceful = true),
        question("A1B/3/C1D", "C1D/3/B1A", plain),
        question("A1B/3/2C", "B1A/3/2C", plain),
    ]
}

/// What an answer with a cost shows, held against the fewest.
fn judge<P: Solve>(answer: Result<Answer<P>, SolveError>, fewest: Option<u64>) -> Seen {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return refused(&error),
    };
    let bound = |bound: u64| fewest.is_none_or(|fewest| bound <= fewest);
    if !answer.lower_bound.is_none_or(bound) {
        return Some(Err(Notice::Bound));
    }
    let seen = match answer.outcome {
        Outcome::Solved(solved) => match (solved.claim(), fewest) {
            (_, None) => Err(Notice::Existence),
            (Claim::Fewest { .. }, Some(fewest)) => holds(solved.cost() == fewest, Notice::Optimum),
            (_, Some(fewest)) => holds(solved.cost() >= fewest, Notice::Optimum),
        },
        Outcome::Impossible(_) => holds(fewest.is_none(), Notice::Existence),
        Outcome::Unfinished { best, .. } => {
            let least = |cost| fewest.is_some_and(|fewest| cost >= fewest);
            holds(best.is_none_or(|best| least(best.cost())), Notice::Optimum)
        }
    };
    Some(after_refusals(&answer.effort, seen))
}

fn judge_count(found: Result<Finding<TourCount>, SolveError>, tours: usize) -> Seen {
    let found = match found {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let seen = match found.outcome {
        Outcome::Solved(count) => holds(*count.undirected() == tours.into(), Notice::Count),
        Outcome::Impossible(_) => holds(tours == 0, Notice::Existence),
        Outcome::Unfinished { why, .. } => panic!("{why}"),
    };
    Some(after_refusals(&found.effort, seen))
}

/// Is a list just the tours that there are, each once?
fn judge_list(shape: Shape, listed: &[Tour], tours: &BTreeSet<Vec<Square>>) -> Result<(), Notice> {
    let seen: BTreeSet<Vec<Square>> =
        listed.iter().map(|tour| undirected(shape, &tour.0)).collect();
    holds(seen == *tours && listed.len() == tours.len(), Notice::List)
}

fn judge_enumeration(method: ListMethod, asked: &Tourable) -> Seen {
    let mut listed = Vec::new();
    let found = asked.question.enumerate(Listing::all().by(method), &options(), &mut |tour| {
        listed.push(tour.clone());
        ControlFlow::Continue(())
    });
    let counted = judge_count(found, asked.tours.len())?;
    Some(counted.and_then(|()| judge_list(asked.question.shape, &listed, &asked.tours)))
}

fn judge_census(asked: &Tourable) -> Seen {
    let census = match asked.question.census_with(&options()) {
        Ok(census) => census,
        Err(error) => return refused(&error),
    };
    if census.total() != asked.tours.len() as u128 {
        return Some(Err(Notice::Count));
    }
    let mut listed = Vec::new();
    census.each(0, &mut |tour| {
        listed.push(tour.clone());
        ControlFlow::Continue(())
    });
    let numbered: Vec<Tour> = (0..census.total()).map(|n| census.unrank(n).unwrap()).collect();
    let shape = asked.question.shape;
    let back = (0..).zip(&listed).all(|(number, tour)| census.rank(tour) == Ok(number));
    Some(
        judge_list(shape, &listed, &asked.tours)
            .and_then(|()| judge_list(shape, &numbered, &asked.tours))
            .and_then(|()| holds(back && numbered == listed, Notice::List)),
    )
}

/// The classes and what each symmetry fixes, held against the orbits of the tours.
fn judge_classes(asked: &Tourable) -> Seen {
    let Tourable { question, tours } = asked;
    let found = match question.classes(&tours.len().into(), &options()) {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let symmetries = question.board.symmetries();
    let classes: BTreeSet<Vec<Square>> = tours
        .iter()
        .map(|tour| symmetries.iter().map(|&turn| image(question, turn, tour)).min().unwrap())
        .collect();
    let fixed = |turn| tours.iter().filter(|tour| image(question, turn, tour) == **tour).count();
    let fixed = symmetries.iter().all(|&turn| found.fixed_by(turn) == Some(&fixed(turn).into()));
    Some(holds(found.classes == classes.len().into() && fixed, Notice::Count))
}

fn judge_symmetric_classes(asked: &Tourable) -> Seen {
    let Tourable { question, tours } = asked;
    question.symmetry?;
    let found = match question.symmetric_classes(&tours.len().into(), &options()) {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let symmetries = question.board.symmetries();
    let classes: BTreeSet<Vec<Square>> = tours
        .iter()
        .map(|tour| symmetries.iter().map(|&turn| image(question, turn, tour)).min().unwrap())
        .collect();
    Some(holds(found == classes.len().into(), Notice::Count))
}

fn judge_starts(method: CountMethod, asked: &Tourable) -> Seen {
    let Tourable { question, tours } = asked;
    let found = match question.count_by_start(method, &options()) {
        Ok(found) => found.found().unwrap(),
        Err(error) => return refused(&error),
    };
    let from = |square: Square| match (question.shape, question.end) {
        (Shape::Open, None) => {
            let ends = |tour: &&Vec<Square>| [tour[0], tour[tour.len() - 1]].contains(&square);
            tours.iter().filter(ends).count()
        }
        (Shape::Open, Some(_)) => {
            let begins = |tour: &&Vec<Square>| [tour[0], tour[tour.len() - 1]].contains(&square);
            tours.iter().filter(begins).count() * usize::from(question.end != Some(square))
        }
        (Shape::Closed, None) => 2 * tours.len(),
        (Shape::Closed, Some(_)) => panic!("it is not in the battery"),
    };
    let all = found.iter().all(|(square, count)| *count == BigUint::from(from(*square)));
    Some(holds(all && found.len() as u64 == question.board.len(), Notice::Count))
}

/// Every step of a planned tour, and then its numbers as they are streamed.
fn judge_itinerary(asked: &Tourable) -> Seen {
    let planned = match asked.question.itinerary_with(&options()) {
        Ok(planned) => planned,
        Err(error) => return refused(&error),
    };
    Some(match planned.outcome {
        Outcome::Solved(tour) => {
            let squares: Vec<Square> = tour.steps(1..tour.len() + 1).collect();
            let question = &asked.question;
            let begins = question.start.is_none_or(|start| start == squares[0]);
            let ends = question.end.is_none_or(|end| end == squares[squares.len() - 1]);
            let known = asked.tours.contains(&undirected(question.shape, &squares));
            holds(begins && ends && known, Notice::List)
        }
        Outcome::Impossible(_) => holds(asked.tours.is_empty(), Notice::Existence),
        Outcome::Unfinished { why, .. } => panic!("{why}"),
    })
}

fn judge_stream(asked: &Tourable) -> Seen {
    let planned = match asked.question.itinerary_with(&options()) {
        Ok(planned) => planned,
        Err(error) => return refused(&error),
    };
    let Outcome::Solved(tour) = planned.outcome else { return None };
    let mut bytes = Vec::new();
    match TourStream::new(&asked.question, &tour, &options()).numbers(&mut bytes) {
        Ok(()) => {}
        Err(StreamError::Solve(error)) => return refused(&error),
        Err(error) => panic!("{error}"),
    }
    let files = asked.question.board.files();
    let mut squares: Vec<(u32, Square)> = (0..)
        .zip(bytes.chunks(4))
        .map(|(at, step)| {
            let step = u32::from_le_bytes(step.try_into().unwrap());
            (step, Square::new(at % files, at / files))
        })
        .collect();
    squares.sort_unstable();
    let squares: Vec<Square> = squares.into_iter().map(|(_, square)| square).collect();
    let known = asked.tours.contains(&undirected(asked.question.shape, &squares));
    Some(holds(known, Notice::List))
}

fn judge_estimate(asked: &Tourable) -> Seen {
    let found = match asked.question.estimate(&options()) {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let denied = matches!(found.outcome, Outcome::Impossible(_));
    Some(holds(!denied || asked.tours.is_empty(), Notice::Existence))
}

/// Terms of narrow boards against tours tried one by one.
#[expect(clippy::unnecessary_wraps, reason = "as the other judges")]
fn judge_series(shape: Shape) -> Seen {
    let strip = Strip::new(3, Leaper::KNIGHT, shape).unwrap();
    let found = strip.terms(5, &options()).unwrap().outcome;
    let Outcome::Solved(terms) = found else { panic!("nothing stopped it") };
    let right = (1..).zip(terms).all(|(length, term)| {
        let question = TourProblem { shape, ..TourProblem::open(Board::new(3, length).unwrap()) };
        term == all_tours(&question).len().into()
    });
    Some(holds(right, Notice::Count))
}

fn judge_plans(asked: &Swapable) -> Seen {
    let found = match asked.problem.shortest_plans(1 << 12, &options()) {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let seen = match (found.outcome, asked.fewest) {
        (Outcome::Solved(plans), Some((cost, count))) => {
            let different: BTreeSet<String> =
                plans.listed.iter().map(ToString::to_string).collect();
            let listed = plans.listed.len() as u128;
            holds(plans.cost == cost, Notice::Optimum)
                .and_then(|()| holds(plans.count == count, Notice::Count))
                .and_then(|()| {
                    let whole = listed == count.min(1 << 12) && different.len() as u128 == listed;
                    holds(whole, Notice::List)
                })
        }
        (Outcome::Impossible(_), None) => Ok(()),
        (Outcome::Unfinished { why, .. }, _) => panic!("{why}"),
        _ => Err(Notice::Existence),
    };
    Some(after_refusals(&found.effort, seen))
}

fn judge_eccentricity(asked: &Swapable) -> Seen {
    let found = match asked.problem.eccentricity(&options()) {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let distances = &asked.distances;
    let farthest = distances.values().copied().max().unwrap();
    Some(match found.outcome {
        Outcome::Solved(found) => {
            let layers = (0..=farthest)
                .map(|away| distances.values().filter(|&&cost| cost == away).count() as u64);
            holds(found.distance == farthest, Notice::Optimum)
                .and_then(|()| holds(found.layers == layers.collect::<Vec<_>>(), Notice::Count))
                .and_then(|()| {
                    holds(distances.get(&found.hardest) == Some(&farthest), Notice::Optimum)
                })
        }
        Outcome::Impossible(_) => Err(Notice::Existence),
        Outcome::Unfinished { why, .. } => panic!("{why}"),
    })
}

// ---- liars -------------------------------------------------------------------------------------------------------

/// All reasons that can be made up against tours and captures; for swaps, one for each theorem that the checker knows.
const REASONS: [Reason; 8] = [
    Reason::Colours,
    Reason::EndColours,
    Reason::DeadEnds,
    Reason::Cut,
    Reason::Unreachable,
    Reason::Schwenk,
    Reason::Theorem("four rows"),
    Reason::Exhausted,
];
const THEOREMS: [&str; 8] =
    ["parts", "full", "path", "ring", "parity (Wilson 1974)", "regions", "wheel", "open squares"];

/// Lies, and then a denial for each reason.
fn lies(plain: &[Lie], reasons: &[Reason]) -> Vec<Lie> {
    plain.iter().copied().chain(reasons.iter().map(|&reason| Lie::NoSolution(reason))).collect()
}

/// One who may lie: what is asked of it, its name, its lies, and how to ask it the questions of the battery.
struct Witness<'b> {
    act: &'static str,
    method: &'static str,
    lies: Vec<Lie>,
    ask: Vec<Box<dyn Fn() -> Seen + 'b>>,
}

/// The battery's questions with their answers.
struct Battery {
    tours: Vec<Tourable>,
    captures: Vec<(CaptureProblem, Option<u64>)>,
    swaps: Vec<Swapable>,
}

static BATTERY: LazyLock<Battery> = LazyLock::new(|| Battery {
    tours: tour_questions(),
    captures: capture_questions(),
    swaps: swap_questions(),
});

impl Battery {
    fn about_tours<'b>(
        &'b self,
        (act, method): (&'static str, &'static str),
        lies: Vec<Lie>,
        ask: impl Fn(&'b Tourable) -> Seen + Copy + 'b,
    ) -> Witness<'b> {
        let ask =
            self.tours.iter().map(|asked| Box::new(move || ask(asked)) as Box<dyn Fn() -> Seen>);
        Witness { act, method, lies, ask: ask.collect() }
    }

    fn about_swaps<'b>(
        &'b self,
        (act, method): (&'static str, &'static str),
        lies: Vec<Lie>,
        ask: impl Fn(&'b Swapable) -> Seen + Copy + 'b,
    ) -> Witness<'b> {
        let ask =
            self.swaps.iter().map(|asked| Box::new(move || ask(asked)) as Box<dyn Fn() -> Seen>);
        Witness { act, method, lies, ask: ask.collect() }
    }

    /// Everyone who answers, with every lie that can be told there.
    #[expect(clippy::too_many_lines, reason = "a list")]
    fn witnesses(&self) -> Vec<Witness<'_>> {
        let mut witnesses = Vec::new();
        let of_tours = lies(&[Lie::Spoiled, Lie::BoundAboveCost], &REASONS);
        let cost = |asked: &Tourable| {
            let closed = asked.question.shape == Shape::Closed;
            let jumps = asked.question.board.len() - u64::from(!closed);
            (!asked.tours.is_empty()).then_some(jumps)
        };
        for &method in TourMethod::ALL {
            let ask = move |asked: &Tourable| {
                judge(asked.question.solve_by(method, &options()), cost(asked))
            };
            witnesses.push(self.about_tours(("tour", method.name()), of_tours.clone(), ask));
        }
        for &method in TourMethod::ALL {
            let ask = move |asked: &Tourable| {
                judge(asked.question.trace(method, &options(), &mut Silent), cost(asked))
            };
            if !matches!(method, TourMethod::Compose | TourMethod::Search | TourMethod::Race(_)) {
                witnesses.push(self.about_tours(("trace", method.name()), of_tours.clone(), ask));
            }
        }
        let too_long = [
            Lie::Spoiled,
            Lie::TooLong,
            Lie::TooLongBySearch,
            Lie::TooLongByBound,
            Lie::BoundAboveCost,
            Lie::BoundOfStoppedRun,
        ];
        for &method in CaptureMethod::ALL {
            let ask = self.captures.iter().map(move |(problem, fewest)| {
                Box::new(move || judge(problem.solve_by(method, &options()), *fewest))
                    as Box<dyn Fn() -> Seen>
            });
            let (act, lies) = ("capture", lies(&too_long, &REASONS));
            witnesses.push(Witness { act, method: method.name(), lies, ask: ask.collect() });
        }
        let theorems: Vec<Reason> = THEOREMS.map(Reason::Theorem).into();
        let of_swaps = [&REASONS[..], &theorems].concat();
        for &method in SwapMethod::ALL {
            let ask = move |asked: &Swapable| {
                let fewest = asked.fewest.map(|(cost, _)| cost);
                judge(asked.problem.solve_by(method, &options()), fewest)
            };
            let mut lies = lies(&too_long, &of_swaps);
            // It claims nothing, so there is no claim of its own to be stretched.
            lies.retain(|&lie| {
                lie != Lie::TooLong
                    || !matches!(method, SwapMethod::BestFirst(_) | SwapMethod::HillClimbing)
            });
            witnesses.push(self.about_swaps(("swap", method.name()), lies, ask));
        }
        for &method in CountMethod::ALL {
            let ask = move |asked: &Tourable| {
                judge_count(asked.question.count_by(method, &options()), asked.tours.len())
            };
            let lies = lies(&[Lie::OneTooLow], &REASONS);
            witnesses.push(self.about_tours(("count", method.name()), lies, ask));
        }
        for &method in CountMethod::ALL {
            let ask = move |asked: &Tourable| judge_starts(method, asked);
            witnesses.push(self.about_tours(
                ("by start", method.name()),
                vec![Lie::OneTooLow],
                ask,
            ));
        }
        for &method in ListMethod::ALL {
            let ask = move |asked: &Tourable| judge_enumeration(method, asked);
            let lies = lies(&[Lie::Spoiled, Lie::LeftOut, Lie::Twice, Lie::OneTooLow], &REASONS);
            witnesses.push(self.about_tours(("list", method.name()), lies, ask));
        }
        let of_lists = vec![Lie::Spoiled, Lie::LeftOut, Lie::Twice, Lie::OneTooLow];
        witnesses.extend([
            self.about_tours(("census", "census"), of_lists, judge_census),
            self.about_tours(("classes", "classes"), vec![Lie::OneTooLow], judge_classes),
            self.about_tours(("fixed tours", "fixed tours"), vec![Lie::OneTooLow], judge_classes),
            self.about_tours(
                ("symmetric classes", "symmetric classes"),
                vec![Lie::OneTooLow],
                judge_symmetric_classes,
            ),
            self.about_tours(
                ("itinerary", "compose"),
                lies(&[Lie::Spoiled], &REASONS),
                judge_itinerary,
            ),
            self.about_tours(("stream", "compose"), vec![Lie::Spoiled], judge_stream),
            self.about_tours(("estimate", "middle"), lies(&[], &REASONS), judge_estimate),
            Witness {
                act: "series",
                method: "transfer",
                lies: vec![Lie::OneTooLow],
                ask: vec![Box::new(|| judge_series(Shape::Open))],
            },
            self.about_swaps(
                ("shortest plans", "auto"),
                lies(
                    &[Lie::Spoiled, Lie::TooLong, Lie::LeftOut, Lie::Twice, Lie::OneTooLow],
                    &of_swaps,
                ),
                judge_plans,
            ),
            self.about_swaps(
                ("eccentricity", "eccentricity"),
                lies(&[Lie::Spoiled, Lie::LeftOut, Lie::OneTooLow], &of_swaps),
                judge_eccentricity,
            ),
        ]);
        witnesses
    }
}

fn in_words(lie: Lie) -> String {
    let denial = match lie {
        Lie::Spoiled => return "a spoiled answer".to_owned(),
        Lie::TooLong => {
            return "two moves too long, “the fewest” for the true plan's reason".to_owned();
        }
        Lie::TooLongBySearch => return "two moves too long, “the fewest” by a search".to_owned(),
        Lie::TooLongByBound => return "two moves too long, “the fewest” by a bound".to_owned(),
        Lie::BoundAboveCost => return "a lower bound one too high".to_owned(),
        Lie::BoundOfStoppedRun => {
            return "a lower bound one too high in a run that stopped".to_owned();
        }
        Lie::OneTooLow => return "a number one too low".to_owned(),
        Lie::LeftOut => return "one left out".to_owned(),
        Lie::Twice => return "one listed twice".to_owned(),
        Lie::NoSolution(reason) => reason,
    };
    let reason = match denial {
        Reason::Colours => "colours",
        Reason::EndColours => "colours of the ends",
        Reason::DeadEnds => "dead ends",
        Reason::Cut => "a cut",
        Reason::Unreachable => "a square out of reach",
        Reason::Schwenk => "Schwenk's theorem",
        Reason::Theorem("four rows") => "an argument in words",
        Reason::Theorem(name) => name,
        Reason::Exhausted => "an exhaustive search",
    };
    format!("{NONE}{reason}")
}

/// How the denial of a solution begins.
const NONE: &str = "“there is none”: ";

/// Several lies in one cell: reasons for the same denial share its words.
fn in_one_cell(lies: &[Lie]) -> String {
    let mut cell = String::new();
    for lie in lies.iter().map(|&lie| in_words(lie)) {
        match lie.strip_prefix(NONE) {
            Some(reason) if cell.contains(NONE) => cell = format!("{cell}, {reason}"),
            _ if cell.is_empty() => cell = lie,
            _ => cell = format!("{cell}; {lie}"),
        }
    }
    cell
}

#[test]
fn nobody_objects_where_nobody_lies() {
    for witness in BATTERY.witnesses() {
        let (act, method) = (witness.act, witness.method);
        let mut answered = 0;
        for (at, ask) in witness.ask.iter().enumerate() {
            match ask() {
                Some(Ok(())) => answered += 1,
                Some(Err(notice)) => panic!("{act} by {method}, question {at}: {notice}"),
                None => {}
            }
        }
        assert!(answered > 0, "{act} by {method}: no question of the battery is supported");
    }
}

/// Where the table stands.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/trust.md");
const BEGIN: &str = "<!-- lies: begin -->\n";
const END: &str = "<!-- lies: end -->\n";

/// The methods that told a lie, and who noticed.
type Key<'t> = (&'t [&'t str], &'t str);

/// One row for the lies about one thing that are noticed by the same, of the same methods.
fn table(acts: &[&str], noticed: &BTreeMap<(&str, Lie), BTreeMap<String, Vec<&str>>>) -> String {
    let mut table = "| asked | lies | methods | noticed by |\n|---|---|---|---|\n".to_owned();
    for &act in acts {
        let mut rows: Vec<(Key<'_>, Vec<Lie>)> = Vec::new();
        for (&(_, lie), by) in noticed.iter().filter(|((asked, _), _)| *asked == act) {
            for (notice, methods) in by {
                let key = (methods.as_slice(), notice.as_str());
                match rows.iter_mut().find(|(row, _)| *row == key) {
                    Some((_, lies)) => lies.push(lie),
                    None => rows.push((key, vec![lie])),
                }
            }
        }
        for ((methods, notice), lies) in rows {
            let row = [act, &in_one_cell(&lies), &methods.join(", "), notice].join(" | ");
            table = format!("{table}| {row} |\n");
        }
    }
    table
}

#[test]
fn every_lie_is_noticed_and_the_table_says_by_whom() {
    let mut noticed: BTreeMap<(&str, Lie), BTreeMap<String, Vec<&str>>> = BTreeMap::new();
    let mut acts = Vec::new();
    let mut pairs = 0;
    for witness in BATTERY.witnesses() {
        let (act, method) = (witness.act, witness.method);
        if !acts.contains(&act) {
            acts.push(act);
        }
        for &lie in &witness.lies {
            let mut by = BTreeSet::new();
            for (at, ask) in witness.ask.iter().enumerate() {
                let (seen, told) = telling(act, method, lie, ask);
                match (seen, told) {
                    (Some(Err(notice)), 1..) => _ = by.insert(notice),
                    (None | Some(Ok(())), 0) => {}
                    _ => panic!(
                        "{act} by {method}, question {at}: told {} {told} times, seen {seen:?}",
                        in_words(lie)
                    ),
                }
            }
            assert!(!by.is_empty(), "{act} by {method} never told {}", in_words(lie));
            let by: Vec<String> = by.iter().map(ToString::to_string).collect();
            let row = noticed.entry((act, lie)).or_default();
            row.entry(by.join(", ")).or_default().push(method);
            pairs += 1;
        }
    }
    assert_eq!(pairs, 570, "a method or a lie has come or gone");
    let table = table(&acts, &noticed);
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the page has a place for the table");
    let (kept, after) = rest.split_once(END).expect("the table has an end");
    if std::env::var_os("DESTRIER_WRITE").is_some() {
        std::fs::write(PAGE, [before, BEGIN, &table, END, after].concat()).unwrap();
    } else {
        assert_eq!(kept, table, "docs/trust.md is out of date: see the head of this file");
    }
}
