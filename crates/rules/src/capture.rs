//! Capture: one knight takes every piece of a board.
//!
//! Pieces neither move nor block, and the knight may revisit squares, so a plan is a walk that
//! visits every piece. Its cost is its number of moves.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use crate::budget::Budget;
use crate::certificate::Proof;
use crate::fault::Fault;
use crate::leaper::Leaper;
use crate::obstacle::{self, Obstacle, Support};
use crate::question::QuestionError;
use crate::refutation;
use crate::search::{self, Sought};
use crate::square::{Square, SquareError};
use crate::tour::{on_board, write_squares};
use crate::verify::Problem;

/// The question: take all pieces, starting here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CaptureProblem {
    /// The board.
    pub board: Board,
    /// Where the knight stands.
    pub start: Square,
    /// Where the pieces stand.
    pub targets: BTreeSet<Square>,
}

/// The squares of a plan, the start first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CapturePlan(pub Vec<Square>);

impl CapturePlan {
    /// The number of moves.
    #[must_use]
    pub fn moves(&self) -> u64 {
        (self.0.len() as u64).saturating_sub(1)
    }
}

impl Problem for CaptureProblem {
    type Solution = CapturePlan;

    const KIND: &'static str = "capture";

    fn validate(&self) -> Result<(), QuestionError> {
        on_board(&self.board, "knight", self.start)?;
        for &target in &self.targets {
            on_board(&self.board, "piece", target)?;
            if target == self.start {
                return Err(QuestionError::Doubled(target));
            }
        }
        Ok(())
    }

    fn verify(&self, CapturePlan(squares): &CapturePlan) -> Result<(), Fault> {
        let &found = squares.first().ok_or(Fault::Empty)?;
        if found != self.start {
            return Err(Fault::WrongEnd { role: "start", found, expected: self.start });
        }
        let mut missing = self.targets.clone();
        for (step, pair) in (2..).zip(squares.windows(2)) {
            let (from, to) = (pair[0], pair[1]);
            if !self.board.covers(to) {
                return Err(Fault::OffBoard { step, square: to });
            }
            if !self.board.contains(to) {
                return Err(Fault::OnHole { step, square: to });
            }
            if !self.board.is_jump(Leaper::KNIGHT, from, to) {
                return Err(Fault::NotAJump { step, from, to });
            }
            missing.remove(&to);
        }
        missing.first().map_or(Ok(()), |&square| Err(Fault::Missed(square)))
    }

    fn cost(&self, plan: &CapturePlan) -> u64 {
        plan.moves()
    }

    fn prove_within(
        &self,
        lower_bound: u64,
        proof: &Proof,
        budget: &Budget<'_>,
    ) -> Result<Support, Fault> {
        match proof {
            Proof::Refutation(refutation) => {
                refutation::check(self, lower_bound, refutation, budget)
                    .map(|()| Support::Checked)
                    .map_err(|why| {
                        let fails = || Fault::Claim(format!("the proof fails: {why}"));
                        budget.stopped().unwrap_or_else(fails)
                    })
            }
            // A move takes at most one piece.
            Proof::BoundMet { .. } if lower_bound <= self.targets.len() as u64 => {
                Ok(Support::Checked)
            }
            Proof::BoundMet { .. } => Err(Fault::Claim(format!(
                "{} pieces alone do not require {lower_bound} moves",
                self.targets.len()
            ))),
            Proof::Search { .. } => Ok(Support::Search),
            Proof::Potentials(_) => {
                Err(Fault::Claim("potentials prove nothing about a capture".to_owned()))
            }
        }
    }

    fn search(&self, below: u64, budget: &Budget<'_>) -> Sought {
        search::capture(self, below, budget)
    }

    fn confirm_within(&self, obstacle: &Obstacle, budget: &Budget<'_>) -> Result<Support, Fault> {
        obstacle::confirm_capture(self, obstacle, budget)
    }
}

impl FromStr for CapturePlan {
    type Err = SquareError;

    /// Reads squares separated by white space; the `*` after a captured piece's square is ignored.
    fn from_str(text: &str) -> Result<CapturePlan, SquareError> {
        let words = text.split_whitespace();
        words
            .map(|word| word.strip_suffix('*').unwrap_or(word).parse())
            .collect::<Result<_, _>>()
            .map(CapturePlan)
    }
}

impl fmt::Display for CapturePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_squares(f, &self.0)
    }
}
