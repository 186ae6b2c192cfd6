//! A problem, what is said of it, the claim made for it, and who made it.
//!
//! A certificate is what Destrier prints as JSON and what `destrier verify` reads. It cannot be made
//! without the checker: a solution comes as [`Verified`], an obstacle is confirmed, and a claim is
//! compared with its own numbers. Reading one from JSON does the same.

use crate::board::Board;
use crate::capture::CaptureProblem;
use crate::count::CountCertificate;
use crate::obstacle::Support;
use crate::potentials::Potentials;
use crate::refutation::Refutation;
use crate::swap::SwapProblem;
use crate::tour::TourProblem;
use crate::verify::{Impossible, Problem, Verified};

/// What is claimed of a solution, beyond being one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum Claim {
    /// It is a solution.
    Valid,
    /// None is cheaper.
    Fewest {
        /// What any solution must cost.
        lower_bound: u64,
        /// How that is known.
        proof: Proof,
    },
    /// None is cheaper than this bound; between it and the solution nothing is known.
    AtLeast {
        /// What any solution must cost.
        lower_bound: u64,
    },
}

/// How a lower bound is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum Proof {
    /// A bound that holds for every solution is met.
    BoundMet {
        /// Which bound.
        by: String,
    },
    /// Numbers that the checker adds up again, for a capture.
    Refutation(Refutation),
    /// Numbers that the checker adds up again, for a swap.
    Potentials(Potentials),
    /// A search found nothing cheaper.
    Search {
        /// Which search.
        by: String,
        /// How many nodes or states it looked at.
        nodes: u64,
    },
}

/// Who made a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Origin {
    /// The program and its version.
    pub program: String,
    /// The method.
    pub method: String,
}

/// What a certificate says of its problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement<P: Problem> {
    /// Here is a solution.
    Solved(Verified<P>),
    /// There is none.
    Impossible(Impossible<P>),
}

/// A checked statement with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate<P: Problem> {
    statement: Statement<P>,
    origin: Origin,
}

/// What the checker confirmed, for a report in words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Confirmed {
    /// A valid solution at this cost; `fewest` says how far the claim of optimality was checked.
    Solution {
        /// Jumps, moves or runs.
        cost: u64,
        /// What a claim of fewest rests on; `None` when none is made.
        fewest: Option<Support>,
    },
    /// A valid solution at this cost, and a lower bound.
    Bounded {
        /// Jumps, moves or runs.
        cost: u64,
        /// What any solution is said to cost at least.
        lower_bound: u64,
        /// What that rests on; `None` when it comes without a proof.
        support: Option<Support>,
    },
    /// No solution, and what that rests on.
    Impossible(Support),
    /// A number of tours that nothing contradicts, and what it rests on.
    Count(Support),
}

/// A certificate of any kind, as a file may hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnyCertificate {
    /// Of a tour.
    Tour(Certificate<TourProblem>),
    /// Of a capture.
    Capture(Certificate<CaptureProblem>),
    /// Of a swap.
    Swap(Certificate<SwapProblem>),
    /// Of a number of tours.
    Count(CountCertificate),
}

impl<P: Problem> Statement<P> {
    /// The question.
    pub const fn problem(&self) -> &P {
        match self {
            Statement::Solved(solved) => solved.problem(),
            Statement::Impossible(none) => none.problem(),
        }
    }

    /// The solution, if there is one.
    pub const fn solved(&self) -> Option<&Verified<P>> {
        match self {
            Statement::Solved(solved) => Some(solved),
            Statement::Impossible(_) => None,
        }
    }
}

impl AnyCertificate {
    /// The board of the question.
    #[must_use]
    pub const fn board(&self) -> &Board {
        match self {
            AnyCertificate::Tour(certificate) => &certificate.statement.problem().board,
            AnyCertificate::Capture(certificate) => &certificate.statement.problem().board,
            AnyCertificate::Swap(certificate) => &certificate.statement.problem().board,
            AnyCertificate::Count(count) => &count.statement().question.board,
        }
    }

    /// The squares or moves of the solution; none where there is no solution.
    #[must_use]
    pub fn steps(&self) -> usize {
        match self {
            AnyCertificate::Tour(tour) => tour.statement.solved().map_or(0, Verified::len),
            AnyCertificate::Capture(plan) => {
                plan.statement.solved().map_or(0, |p| p.squares().len())
            }
            AnyCertificate::Swap(plan) => plan.statement.solved().map_or(0, |p| p.moves().len()),
            AnyCertificate::Count(_) => 0,
        }
    }
}

impl<P: Problem> Certificate<P> {
    /// For a statement that has been checked.
    pub const fn new(statement: Statement<P>, origin: Origin) -> Certificate<P> {
        Certificate { statement, origin }
    }

    /// What it says.
    pub const fn statement(&self) -> &Statement<P> {
        &self.statement
    }

    /// Who made it.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What has been confirmed by its making.
    #[must_use]
    pub fn confirmed(&self) -> Confirmed {
        match &self.statement {
            Statement::Solved(solved) => {
                let cost = solved.cost();
                match *solved.claim() {
                    // Nothing costs less than nothing: such a bound says nothing.
                    Claim::AtLeast { lower_bound: 0 } => Confirmed::Solution { cost, fewest: None },
                    Claim::AtLeast { lower_bound } => {
                        Confirmed::Bounded { cost, lower_bound, support: solved.support() }
                    }
                    _ => Confirmed::Solution { cost, fewest: solved.support() },
                }
            }
            Statement::Impossible(impossible) => Confirmed::Impossible(impossible.support()),
        }
    }
}

impl AnyCertificate {
    /// What has been confirmed by its making.
    #[must_use]
    pub fn confirmed(&self) -> Confirmed {
        match self {
            AnyCertificate::Tour(certificate) => certificate.confirmed(),
            AnyCertificate::Capture(certificate) => certificate.confirmed(),
            AnyCertificate::Swap(certificate) => certificate.confirmed(),
            AnyCertificate::Count(count) => Confirmed::Count(count.support()),
        }
    }
}

impl<P: Problem> From<Verified<P>> for Statement<P> {
    fn from(solved: Verified<P>) -> Statement<P> {
        Statement::Solved(solved)
    }
}

impl<P: Problem> From<Impossible<P>> for Statement<P> {
    fn from(impossible: Impossible<P>) -> Statement<P> {
        Statement::Impossible(impossible)
    }
}

#[cfg(feature = "serde")]
pub use json::Unchecked;

#[cfg(feature = "serde")]
mod json {
    //! The wire form: flat, with the kind first, and nothing in it that is believed unchecked.

    use super::{
        AnyCertificate, Certificate, Claim, Impossible, Origin, Problem, Statement, Verified,
    };
    use crate::obstacle::Obstacle;
    use crate::{
        Budget, CaptureProblem, CountCertificate, CountStatement, Fault, SwapProblem, TourProblem,
        quoted,
    };
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[derive(Serialize)]
    #[serde(bound(serialize = "P: Serialize, P::Solution: Serialize"))]
    struct Written<'a, P: Problem> {
        destrier: u32,
        kind: &'static str,
        question: &'a P,
        answer: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        solution: Option<&'a P::Solution>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cost: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        claim: Option<&'a Claim>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a Obstacle>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason_text: Option<String>,
        origin: &'a Origin,
    }

    /// The version of the format, which stands first in every certificate.
    const FORMAT: u32 = 1;

    impl<P> Serialize for Certificate<P>
    where
        P: Problem + Serialize,
        P::Solution: Serialize,
    {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let empty = |question, answer| Written::<P> {
                destrier: FORMAT,
                kind: P::KIND,
                question,
                answer,
                solution: None,
                cost: None,
                claim: None,
                reason: None,
                reason_text: None,
                origin: &self.origin,
            };
            match &self.statement {
                Statement::Solved(solved) => Written {
                    solution: Some(solved.solution()),
                    cost: Some(solved.cost()),
                    claim: Some(solved.claim()),
                    ..empty(solved.problem(), "solved")
                },
                Statement::Impossible(impossible) => Written {
                    reason: Some(impossible.obstacle()),
                    reason_text: Some(impossible.obstacle().to_string()),
                    ..empty(impossible.problem(), "impossible")
                },
            }
            .serialize(serializer)
        }
    }

    #[derive(Deserialize)]
    #[serde(
        deny_unknown_fields,
        bound(deserialize = "P: Deserialize<'de>, P::Solution: Deserialize<'de>")
    )]
    struct Read<P: Problem> {
        destrier: u32,
        kind: Option<String>,
        question: P,
        answer: Answer,
        solution: Option<P::Solution>,
        cost: Option<u64>,
        claim: Option<Claim>,
        reason: Option<Obstacle>,
        #[serde(rename = "reason_text")]
        _reason_text: Option<String>,
        origin: Origin,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Answer {
        Solved,
        Impossible,
    }

    #[derive(Deserialize)]
    #[serde(tag = "kind", rename_all = "kebab-case")]
    enum AnyRead {
        Tour(Read<TourProblem>),
        Capture(Read<CaptureProblem>),
        Swap(Read<SwapProblem>),
        Count(CountStatement),
    }

    /// A certificate of any kind that was read but not checked: nothing can be learned from it before it is.
    pub struct Unchecked(AnyRead);

    impl Unchecked {
        /// Checks all that it says, within a budget.
        ///
        /// # Errors
        /// When the checker refuses what it says, or the check is refused or stopped
        /// ([`Fault::is_unfinished`](crate::Fault::is_unfinished)).
        pub fn check(self, budget: &Budget<'_>) -> Result<AnyCertificate, Fault> {
            Ok(match self.0 {
                AnyRead::Tour(read) => AnyCertificate::Tour(check(read, budget)?),
                AnyRead::Capture(read) => AnyCertificate::Capture(check(read, budget)?),
                AnyRead::Swap(read) => AnyCertificate::Swap(check(read, budget)?),
                AnyRead::Count(statement) => {
                    known_format(statement.destrier)?;
                    AnyCertificate::Count(CountCertificate::check(statement, budget)?)
                }
            })
        }
    }

    impl<'de> Deserialize<'de> for Unchecked {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            AnyRead::deserialize(deserializer).map(Unchecked)
        }
    }

    impl std::fmt::Debug for Unchecked {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("Unchecked")
        }
    }

    fn known_format(format: u32) -> Result<(), Fault> {
        if format == FORMAT {
            return Ok(());
        }
        let why = format!("format {format} is not known; this is format {FORMAT}");
        Err(Fault::Certificate(why))
    }

    fn check<P: Problem>(read: Read<P>, budget: &Budget<'_>) -> Result<Certificate<P>, Fault> {
        let missing = |field: &str| Fault::Certificate(format!("missing field `{field}`"));
        let unknown = |field: &str, expected: &str| {
            Fault::Certificate(format!("unknown field `{field}`, expected {expected}"))
        };
        known_format(read.destrier)?;
        let statement = match read.answer {
            Answer::Solved if read.reason.is_some() => {
                return Err(unknown("reason", "`solution`"));
            }
            Answer::Impossible if read.solution.is_some() => {
                return Err(unknown("solution", "`reason`"));
            }
            Answer::Solved => {
                let solution = read.solution.ok_or_else(|| missing("solution"))?;
                let claim = read.claim.unwrap_or(Claim::Valid);
                let verified = Verified::check(read.question, solution)?;
                let cost = verified.cost();
                if read.cost.is_some_and(|said| said != cost) {
                    let why = format!("the plan costs {cost}, not what `cost` says");
                    return Err(Fault::Certificate(why));
                }
                Statement::Solved(verified.claiming_within(claim, budget)?)
            }
            Answer::Impossible => {
                let obstacle = read.reason.ok_or_else(|| missing("reason"))?.in_own_words();
                Statement::Impossible(Impossible::check_within(read.question, obstacle, budget)?)
            }
        };
        Ok(Certificate::new(statement, read.origin))
    }

    impl<P> Certificate<P>
    where
        P: Problem + Serialize,
        P::Solution: Serialize,
    {
        /// The certificate as one line of JSON.
        ///
        /// # Panics
        /// Never: questions and solutions are made of squares, numbers and words.
        #[must_use]
        pub fn to_json(&self) -> String {
            serde_json::to_string(self).expect("squares, numbers and words can be written")
        }
    }

    impl AnyCertificate {
        /// Reads a certificate and checks all that it says.
        ///
        /// # Errors
        /// When it is not one, or the checker refuses what it says.
        pub fn from_json(text: &str) -> Result<AnyCertificate, serde_json::Error> {
            serde_json::from_str(text)
        }
    }

    /// A certificate whose kind is known beforehand; `AnyCertificate` reads all kinds.
    impl<'de, P> Deserialize<'de> for Certificate<P>
    where
        P: Problem + Deserialize<'de>,
        P::Solution: Deserialize<'de>,
    {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let read = Read::<P>::deserialize(deserializer)?;
            match read.kind.as_deref() {
                Some(kind) if kind == P::KIND => {
                    check(read, &Budget::default()).map_err(de::Error::custom)
                }
                Some(kind) => {
                    let why = format!("this is of kind {}, not `{}`", quoted(kind), P::KIND);
                    Err(de::Error::custom(why))
                }
                None => Err(de::Error::missing_field("kind")),
            }
        }
    }

    impl<'de> Deserialize<'de> for AnyCertificate {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            Unchecked::deserialize(deserializer)?
                .check(&Budget::default())
                .map_err(de::Error::custom)
        }
    }
}
