//! A number of tours, and the evidence for it: other methods with the same number, slices that add up to it.
//!
//! A count has no short proof. What can be checked is checked: that the number of directed tours fits that of
//! undirected ones, that all methods agree, that slices add up, that classes are what the tours
//! fixed by each symmetry make them (Burnside's lemma). The tours of a small board are counted by the checker itself, by
//! symmetry and by start, too.
//!
//! Invariant: a number is confirmed only if the checker computed the same one itself.
//! Cost: that of the checker's own count, up to the positions that the budget allows; else that of a few additions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::budget::Budget;
use crate::fault::Fault;
use crate::obstacle::{Support, is_method};
use crate::search;
use crate::square::Square;
use crate::symmetry::Symmetry;
use crate::tour::{Shape, TourProblem};
use crate::verify::Problem as _;

/// The most digits of a number in a count: four times those of the longest series.
pub const MOST_DIGITS: usize = 1 << 14;

/// A natural number in decimal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Digits(String);

impl Digits {
    fn read(text: &str) -> Option<Digits> {
        let plain = (1..=MOST_DIGITS).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_digit());
        (plain && (text == "0" || !text.starts_with('0'))).then(|| Digits(text.to_owned()))
    }

    /// The sum; the work follows the digits that are added, however long the sum is.
    fn sum<'d>(numbers: impl IntoIterator<Item = &'d Digits>) -> Digits {
        let mut sum = vec![0]; // the last digit first
        for number in numbers {
            let mut digits = number.0.bytes().rev();
            let (mut at, mut carry) = (0, 0);
            loop {
                let digit = digits.next();
                if digit.is_none() && carry == 0 {
                    break;
                }
                if at == sum.len() {
                    sum.push(0);
                }
                let total = sum[at] + digit.map_or(0, |digit| digit - b'0') + carry;
                (sum[at], carry) = (total % 10, total / 10);
                at += 1;
            }
        }
        Digits(sum.into_iter().rev().map(|digit| char::from(b'0' + digit)).collect())
    }
}

impl fmt::Display for Digits {
    /// A long number is abbreviated: its first and last digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WHOLE: usize = 100;
        const END: usize = 20;
        let (digits, length) = (&self.0, self.0.len());
        if length <= WHOLE {
            return f.write_str(digits);
        }
        write!(f, "{}…{} ({length} digits)", &digits[..END], &digits[length - END..])
    }
}

/// Another way of counting, and what it came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Evidence {
    /// The method.
    pub method: String,
    /// The number of undirected tours, in decimal.
    pub undirected: String,
    /// The parts that this number is the sum of, by name; none if it was counted in one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub slices: BTreeMap<String, String>,
}

/// What is said of the number of tours.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CountStatement {
    /// The version of the format.
    pub destrier: u32,
    /// Which tours are counted.
    pub question: TourProblem,
    /// Are these all, or only those that were counted until the run stopped?
    #[cfg_attr(feature = "serde", serde(default = "whole"))]
    pub complete: bool,
    /// The number of undirected tours, in decimal.
    pub undirected: String,
    /// The number of directed tours, in decimal.
    pub directed: String,
    /// The method.
    #[cfg_attr(feature = "serde", serde(default = "unknown"))]
    pub method: String,
    /// Other ways of counting.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub evidence: Vec<Evidence>,
    /// The number of classes under the symmetries of the board, in decimal.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub classes: Option<String>,
    /// The number of tours that each symmetry leaves as they are, in decimal.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub fixed: BTreeMap<String, String>,
}

#[cfg(feature = "serde")]
fn unknown() -> String {
    "unknown".to_owned()
}

#[cfg(feature = "serde")]
const fn whole() -> bool {
    true
}

/// A count whose numbers agree with each other, and with the checker's own if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountCertificate {
    statement: CountStatement,
    support: Support,
    classes: Option<Support>,
}

/// The most ways of counting, and the most slices of one.
const MOST: usize = 1 << 16;
/// The steps of the budget that a digit of a slice takes.
const STEPS_PER_DIGIT: u64 = 4;

impl CountCertificate {
    /// Checks what is said as far as it can be checked.
    ///
    /// # Errors
    /// When the numbers contradict each other or the checker's own, or the check is stopped.
    pub fn check(
        statement: CountStatement,
        budget: &Budget<'_>,
    ) -> Result<CountCertificate, Fault> {
        let CountStatement { question, undirected, .. } = &statement;
        question.validate().map_err(Fault::Question)?;
        let total = number("undirected", undirected)?;
        let twice = Digits::sum([&total, &total]);
        let expected = if question.is_one_way() { &total } else { &twice };
        if number("directed", &statement.directed)? != *expected {
            let why = format!("{total} undirected tours are {expected} directed ones");
            return Err(Fault::Claim(why));
        }
        named(&statement.method)?;
        check_evidence(&statement.evidence, &total, budget)?;
        check_classes(&statement, &total)?;
        let counted = search::count(question, budget);
        let support = match counted {
            Some(own) if is_it(own, undirected) && statement.complete => Support::SearchedAgain,
            Some(own) if statement.complete || is_less(&own.to_string(), undirected) => {
                return Err(Fault::Claim(format!("the checker counts {own}, not {total}")));
            }
            _ => Support::Search,
        };
        let classes = match &statement.classes {
            Some(classes) => Some(confirm_classes(&statement, classes, budget)?),
            None => None,
        };
        budget.stopped().map_or(Ok(()), Err)?;
        Ok(CountCertificate { statement, support, classes })
    }

    /// What it says.
    #[must_use]
    pub const fn statement(&self) -> &CountStatement {
        &self.statement
    }

    /// What that rests on: the checker's own count, or the methods' alone.
    #[must_use]
    pub const fn support(&self) -> Support {
        self.support
    }

    /// What the number of classes rests on, and the numbers of tours that symmetries fix; nothing where none is given.
    #[must_use]
    pub const fn classes_support(&self) -> Option<Support> {
        self.classes
    }

    /// The methods that came to this number, each once.
    #[must_use]
    pub fn methods(&self) -> BTreeSet<&str> {
        let CountStatement { method, evidence, .. } = &self.statement;
        evidence.iter().map(|way| &*way.method).chain([&**method]).collect()
    }

    /// The parts that the number is the sum of, if it was counted in parts.
    #[must_use]
    pub fn slices(&self) -> Option<&BTreeMap<String, String>> {
        let mut ways = self.statement.evidence.iter().map(|way| &way.slices);
        ways.find(|slices| !slices.is_empty())
    }
}

/// Are the directed tours from each square as many as is said?
///
/// # Errors
/// When the numbers contradict each other or the checker's own, or the check is stopped.
pub fn check_by_start(
    question: &TourProblem,
    directed: &BTreeMap<Square, String>,
    budget: &Budget<'_>,
) -> Result<Support, Fault> {
    question.validate().map_err(Fault::Question)?;
    if question.start.is_some() || question.end.is_some() || question.symmetry.is_some() {
        let why = "numbers by start are of questions without ends and symmetry".to_owned();
        return Err(Fault::Certificate(why));
    }
    let board = &question.board;
    if directed.len() as u64 != board.len() || !directed.keys().all(|&s| board.contains(s)) {
        let why = "`directed` has a number for each square of the board".to_owned();
        return Err(Fault::Certificate(why));
    }
    let numbers = directed.values().map(|directed| number("directed", directed));
    let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
    if question.shape == Shape::Closed && numbers.windows(2).any(|pair| pair[0] != pair[1]) {
        let why = "every closed tour passes through every square".to_owned();
        return Err(Fault::Claim(why));
    }
    let counted = search::count_by_start(question, budget);
    budget.stopped().map_or(Ok(()), Err)?;
    let Some(own) = counted else { return Ok(Support::Search) };
    let differs = |(square, own): &&(Square, u128)| !is_it(*own, &directed[square]);
    match own.iter().find(differs) {
        Some((square, own)) => {
            let said = number("directed", &directed[square])?;
            Err(Fault::Claim(format!("the checker counts {own} tours from {square}, not {said}")))
        }
        None => Ok(Support::SearchedAgain),
    }
}

/// Is this the number that is written there?
fn is_it(own: u128, written: &str) -> bool {
    own.to_string() == written
}

fn is_less(one: &str, other: &str) -> bool {
    (one.len(), one) < (other.len(), other)
}

fn number(field: &str, text: &str) -> Result<Digits, Fault> {
    let wrong = || {
        let most = format!("a number in decimal of up to {MOST_DIGITS} digits");
        Fault::Certificate(format!("`{field}` is not {most}"))
    };
    Digits::read(text).ok_or_else(wrong)
}

fn named(method: &str) -> Result<(), Fault> {
    if is_method(method) {
        return Ok(());
    }
    let method = crate::quoted(method);
    Err(Fault::Certificate(format!("{method} is not the name of a method")))
}

fn check_evidence(evidence: &[Evidence], total: &Digits, budget: &Budget<'_>) -> Result<(), Fault> {
    if evidence.iter().map(|way| way.slices.len() + 1).sum::<usize>() > MOST {
        return Err(Fault::Certificate(format!("more than {MOST} ways and slices")));
    }
    for Evidence { method, undirected, slices } in evidence {
        named(method)?;
        let found = number("undirected", undirected)?;
        if found != *total {
            let why = format!("{method} counts {found}, not {total}");
            return Err(Fault::Claim(why));
        }
        let is_slice = |name: &String| {
            (1..=40).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b':')
        };
        if !slices.keys().all(is_slice) {
            return Err(Fault::Certificate("a slice is written like 1:30a".to_owned()));
        }
        let mut parts = Vec::new();
        for part in slices.values() {
            let part = number("slices", part)?;
            let steps = part.0.len() as u64 * STEPS_PER_DIGIT;
            budget.step(steps).map_err(|_| budget.stopped().unwrap_or(Fault::Stopped))?;
            parts.push(part);
        }
        let sum = Digits::sum(&parts);
        if !parts.is_empty() && sum != *total {
            let why = format!("the slices of {method} add up to {sum}, not {total}");
            return Err(Fault::Claim(why));
        }
    }
    Ok(())
}

/// Burnside's lemma: the tours that each symmetry fixes are together as many as the classes, times the symmetries.
fn check_classes(statement: &CountStatement, total: &Digits) -> Result<(), Fault> {
    let CountStatement { question, classes, fixed, .. } = statement;
    let classes = classes.as_ref().map(|classes| number("classes", classes)).transpose()?;
    if classes.is_some() && (question.start.is_some() || question.end.is_some()) {
        let why = "`classes` are of questions without ends".to_owned();
        return Err(Fault::Certificate(why));
    }
    if fixed.is_empty() {
        return Ok(());
    }
    let symmetries = question.board.symmetries();
    let names: BTreeSet<String> = symmetries.iter().map(Symmetry::to_string).collect();
    if fixed.keys().cloned().collect::<BTreeSet<_>>() != names {
        let why = "`fixed` has a number for each symmetry of the board".to_owned();
        return Err(Fault::Certificate(why));
    }
    let numbers = fixed.values().map(|fixed| number("fixed", fixed));
    let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
    if fixed.get(&Symmetry::Identity.to_string()) != Some(&total.0) {
        return Err(Fault::Claim("the identity leaves every tour as it is".to_owned()));
    }
    let sum = Digits::sum(&numbers);
    let classes =
        classes.ok_or_else(|| Fault::Certificate("missing field `classes`".to_owned()))?;
    if Digits::sum(symmetries.iter().map(|_| &classes)) == sum {
        return Ok(());
    }
    let order = symmetries.len();
    Err(Fault::Claim(format!("{classes} classes of {order} symmetries do not fix {sum} tours")))
}

/// Compares the number of classes, and what each symmetry fixes, with the checker's own.
fn confirm_classes(
    statement: &CountStatement,
    classes: &str,
    budget: &Budget<'_>,
) -> Result<Support, Fault> {
    let own = if statement.complete { search::fixed(&statement.question, budget) } else { None };
    let Some(own) = own else { return Ok(Support::Search) };
    for (symmetry, own) in &own {
        match statement.fixed.get(&symmetry.to_string()) {
            Some(said) if !is_it(*own, said) => {
                let said = number("fixed", said)?;
                return Err(Fault::Claim(format!(
                    "the checker counts: the {symmetry} fixes {own} tours, not {said}"
                )));
            }
            _ => {}
        }
    }
    let sum: u128 = own.iter().map(|(_, number)| number).sum();
    let own = sum / own.len() as u128;
    if is_it(own, classes) {
        return Ok(Support::SearchedAgain);
    }
    let said = number("classes", classes)?;
    Err(Fault::Claim(format!("the checker counts {own} classes, not {said}")))
}

#[cfg(test)]
mod tests {
    use super::{Digits, MOST_DIGITS, is_less};

    #[test]
    fn digits_add_up_as_numbers_do() {
        let of = |number: u32| Digits::read(&number.to_string()).unwrap();
        for one in (0..1200).step_by(7) {
            for other in (0..1200).step_by(11).chain([99, 999, 1]) {
                assert_eq!(Digits::sum(&[of(one), of(other)]), of(one + other));
                let texts = (one.to_string(), other.to_string());
                assert_eq!(is_less(&texts.0, &texts.1), one < other);
            }
        }
        for wrong in ["", "00", "01", "-1", "1 ", "1.", "a", "٣"] {
            assert_eq!(Digits::read(wrong), None, "{wrong}");
        }
        assert_eq!(Digits::sum([]), of(0));
        assert_eq!(Digits::sum(&[of(0), of(0), of(99), of(901), of(0)]), of(1000));
    }

    #[test]
    fn a_number_has_a_most_of_digits_and_a_long_one_is_told_by_its_ends() {
        let of = |digits: usize| Digits::read(&format!("1{}", "0".repeat(digits - 1)));
        assert!(of(MOST_DIGITS).is_some() && of(MOST_DIGITS + 1).is_none());
        assert_eq!(of(100).unwrap().to_string().len(), 100);
        let ends = "10000000000000000000…00000000000000000000 (101 digits)";
        assert_eq!(of(101).unwrap().to_string(), ends);
    }
}
