//! A tour as a table: one row per step.

use std::fmt::Write as _;

use destrier_rules::{TourProblem, Verified};

/// A tour as comma-separated values: step from 1, square, file and rank from 1.
#[must_use]
pub fn tour_csv(tour: &Verified<TourProblem>) -> String {
    let mut text = String::from("step,square,file,rank\n");
    for (step, square) in (1_u64..).zip(&tour.solution().0) {
        let (file, rank) = (u64::from(square.file) + 1, u64::from(square.rank) + 1);
        let _ = writeln!(text, "{step},{square},{file},{rank}");
    }
    text
}
