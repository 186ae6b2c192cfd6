//! What is seen of an answer: all is well, or who noticed that it is wrong.
//!
//! A judge asks one kind of question and holds the answer against the truth of the battery.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::ControlFlow;

use destrier::count::transfer::Strip;
use destrier::{
    Answer, BigUint, Board, Claim, CountMethod, Effort, Fault, Finding, Leaper, ListMethod,
    Listing, Options, Outcome, Shape, Solve, SolveError, Square, StreamError, Swaps, Tour,
    TourCount, TourProblem, TourStream, Tours,
};

use crate::battery::{Swapable, Tourable};
use crate::brute::{all_tours, image, undirected};

/// Who noticed a lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Notice {
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
pub(crate) type Seen = Option<Result<(), Notice>>;

/// An error of the library, as seen by the gate.
pub(crate) fn refused(error: &SolveError) -> Seen {
    match error {
        SolveError::Unsuited { .. } => None,
        SolveError::Refused { fault, .. } => Some(Err(by_the_gate(fault))),
        error => panic!("{error}"),
    }
}

pub(crate) fn by_the_gate(fault: &Fault) -> Notice {
    match fault {
        Fault::Claim(_) => Notice::GateClaim,
        Fault::Reason(_) => Notice::GateReason,
        _ => Notice::GateSolution,
    }
}

/// What was seen of an answer: where the gate refused a lie of `auto` before it, the answer must be right.
pub(crate) fn after_refusals(effort: &Effort, seen: Result<(), Notice>) -> Result<(), Notice> {
    let Some((method, fault)) = effort.refused.first() else { return seen };
    assert_eq!(seen, Ok(()), "{method} was refused, and the answer after it is wrong: {fault}");
    Err(by_the_gate(fault))
}

pub(crate) fn holds(holds: bool, otherwise: Notice) -> Result<(), Notice> {
    if holds { Ok(()) } else { Err(otherwise) }
}

pub(crate) fn options() -> Options {
    Options::new().threads(1)
}

/// What an answer with a cost shows, held against the fewest.
pub(crate) fn judge<P: Solve>(answer: Result<Answer<P>, SolveError>, fewest: Option<u64>) -> Seen {
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

pub(crate) fn judge_count(found: Result<Finding<TourCount>, SolveError>, tours: usize) -> Seen {
    let found = match found {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let seen = match found.outcome {
        Outcome::Solved(count) => holds(count.undirected() == tours.into(), Notice::Count),
        Outcome::Impossible(_) => holds(tours == 0, Notice::Existence),
        Outcome::Unfinished { why, .. } => panic!("{why}"),
    };
    Some(after_refusals(&found.effort, seen))
}

/// Is a list just the tours that there are, each once?
pub(crate) fn judge_list(
    shape: Shape,
    listed: &[Tour],
    tours: &BTreeSet<Vec<Square>>,
) -> Result<(), Notice> {
    let seen: BTreeSet<Vec<Square>> =
        listed.iter().map(|tour| undirected(shape, &tour.0)).collect();
    holds(seen == *tours && listed.len() == tours.len(), Notice::List)
}

pub(crate) fn judge_enumeration(method: ListMethod, asked: &Tourable) -> Seen {
    let mut listed = Vec::new();
    let found = asked.question.enumerate(Listing::all().by(method), &options(), &mut |tour| {
        listed.push(tour.clone());
        ControlFlow::Continue(())
    });
    let counted = judge_count(found, asked.tours.len())?;
    Some(counted.and_then(|()| judge_list(asked.question.shape, &listed, &asked.tours)))
}

pub(crate) fn judge_census(asked: &Tourable) -> Seen {
    let census = match asked.question.census_with(&options()) {
        Ok(census) => census,
        Err(error) => return refused(&error),
    };
    if census.total() != asked.tours.len() as u128 {
        return Some(Err(Notice::Count));
    }
    let mut listed = Vec::new();
    destrier::internal::each_unchecked(&census, &mut |tour| {
        listed.push(tour.clone());
        ControlFlow::Continue(())
    });
    let numbered = (0..census.total()).map(|n| census.unrank(n).map(Option::unwrap));
    let numbered: Vec<Tour> = match numbered.collect::<Result<Vec<_>, _>>() {
        Ok(tours) => tours.into_iter().map(|tour| tour.into_parts().1).collect(),
        Err(error) => return refused(&error),
    };
    let shape = asked.question.shape;
    let back = (0..).zip(&listed).all(|(number, tour)| census.rank(tour) == Ok(number));
    Some(
        judge_list(shape, &listed, &asked.tours)
            .and_then(|()| judge_list(shape, &numbered, &asked.tours))
            .and_then(|()| holds(back && numbered == listed, Notice::List)),
    )
}

/// How many classes the tours fall into under the symmetries of the board.
fn orbits(Tourable { question, tours }: &Tourable) -> usize {
    let symmetries = question.board.symmetries();
    let least =
        |tour: &Vec<Square>| symmetries.iter().map(|&turn| image(question, turn, tour)).min();
    tours.iter().map(least).collect::<BTreeSet<_>>().len()
}

/// The classes and what each symmetry fixes, held against the orbits of the tours.
pub(crate) fn judge_classes(asked: &Tourable) -> Seen {
    let Tourable { question, tours } = asked;
    let found = match question.classes(&tours.len().into(), &options()) {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let symmetries = question.board.symmetries();
    let fixed = |turn| tours.iter().filter(|tour| image(question, turn, tour) == **tour).count();
    let fixed = symmetries.iter().all(|&turn| found.fixed_by(turn) == Some(&fixed(turn).into()));
    Some(holds(found.classes == orbits(asked).into() && fixed, Notice::Count))
}

pub(crate) fn judge_symmetric_classes(asked: &Tourable) -> Seen {
    let Tourable { question, tours } = asked;
    question.symmetry?;
    let found = match question.symmetric_classes(&tours.len().into(), &options()) {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    Some(holds(found == orbits(asked).into(), Notice::Count))
}

pub(crate) fn judge_starts(method: CountMethod, asked: &Tourable) -> Seen {
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
pub(crate) fn judge_itinerary(asked: &Tourable) -> Seen {
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

pub(crate) fn judge_stream(asked: &Tourable) -> Seen {
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

pub(crate) fn judge_estimate(asked: &Tourable) -> Seen {
    let found = match asked.question.estimate(&options()) {
        Ok(found) => found,
        Err(error) => return refused(&error),
    };
    let denied = matches!(found.outcome, Outcome::Impossible(_));
    Some(holds(!denied || asked.tours.is_empty(), Notice::Existence))
}

/// Terms of narrow boards against tours tried one by one.
#[expect(clippy::unnecessary_wraps, reason = "as the other judges")]
pub(crate) fn judge_series(shape: Shape) -> Seen {
    let strip = Strip::new(3, Leaper::KNIGHT, shape).unwrap();
    let found = strip.terms(5, &options()).unwrap().outcome;
    let Outcome::Solved(terms) = found else { panic!("nothing stopped it") };
    let right = (1..).zip(terms).all(|(length, term)| {
        let question = TourProblem { shape, ..TourProblem::open(Board::new(3, length).unwrap()) };
        term == all_tours(&question).len().into()
    });
    Some(holds(right, Notice::Count))
}

pub(crate) fn judge_plans(asked: &Swapable) -> Seen {
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

pub(crate) fn judge_eccentricity(asked: &Swapable) -> Seen {
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
