//! Replaces `lies.rs` without the feature `lies`: every function returns its argument.

use std::ops::ControlFlow;

use destrier_rules::{Problem, StepNumber, SwapProblem, Tour, TourProblem};
use num_bigint::BigUint;

use crate::count::{ByStart, Classes, TourCount};
use crate::outcome::Run;
use crate::swap::{Eccentricity, ShortestPlans};
use crate::tour::compose::Itinerary;

pub(crate) fn answer<P: Problem>(
    _: &str,
    _: &str,
    _: &P,
    run: Run<P::Solution>,
) -> Run<P::Solution> {
    run
}

pub(crate) fn reason<P, S>(_: &str, _: &str, _: &P, run: Run<S>) -> Run<S> {
    run
}

pub(crate) fn count(_: &str, _: &str, _: &TourProblem, run: Run<TourCount>) -> Run<TourCount> {
    run
}

pub(crate) fn number(_: &str, number: BigUint) -> BigUint {
    number
}

pub(crate) fn listing<'v>(
    _: &str,
    _: &str,
    visit: &'v mut dyn FnMut(&Tour) -> ControlFlow<()>,
) -> impl FnMut(&Tour) -> ControlFlow<()> + 'v {
    visit
}

pub(crate) fn numbered(tour: Tour) -> Tour {
    tour
}

pub(crate) fn census(number: u128) -> u128 {
    number
}

pub(crate) fn classes(classes: Classes) -> Classes {
    classes
}

pub(crate) fn by_start(_: &str, counts: ByStart) -> ByStart {
    counts
}

pub(crate) fn series(run: Run<Vec<BigUint>>) -> Run<Vec<BigUint>> {
    run
}

pub(crate) fn itinerary(_: &TourProblem, run: Run<Itinerary>) -> Run<Itinerary> {
    run
}

pub(crate) fn stream<T: StepNumber>(_: &mut [T]) {}

pub(crate) fn plans(_: &SwapProblem, run: Run<ShortestPlans>) -> Run<ShortestPlans> {
    run
}

pub(crate) fn eccentricity(_: &SwapProblem, run: Run<Eccentricity>) -> Run<Eccentricity> {
    run
}
