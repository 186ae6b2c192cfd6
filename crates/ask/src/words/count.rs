//! Counts in words and in JSON: one question, a number for each start, a series.

use std::fmt::Write as _;

use destrier::count::ByStart;
use destrier::count::transfer::{Recurrence, Strip};
use destrier::{Classes, Effort, Finding, Options, Outcome, SolveError, TourCount, Tours as _};
use destrier_rules::{Evidence, Leaper, Shape, Square, Symmetry, TourProblem};
use num_bigint::BigUint;
use serde_json::{Map, Value, json};

use super::{Misread, named, named_all, no_solution};
use crate::certificate::value_of;

/// The answer to one question.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The question.
    pub question: TourProblem,
    /// The number.
    pub count: TourCount,
    /// Is this the whole number, or only what was counted until the run stopped?
    pub whole: bool,
    /// The classes, where they were asked for.
    pub classes: Option<Classes>,
    /// The classes of the tours with the symmetry that was asked for.
    pub symmetric_classes: Option<BigUint>,
    /// The method that counted.
    pub method: &'static str,
    /// Other ways of counting that came to the same.
    pub evidence: Vec<Evidence>,
}

/// What came of counting.
#[derive(Clone, Debug)]
pub struct Counting {
    /// The answer, if there is one.
    pub answer: Option<Counted>,
    /// What the user should know besides: why there are none, or why the run stopped.
    pub notes: Vec<String>,
    /// Is everything there that was asked for?
    pub complete: bool,
    /// What it took.
    pub effort: Effort,
}

impl Counting {
    /// Takes the result of a counter, and counts the classes under the symmetries of the board if asked to.
    ///
    /// # Errors
    /// When the classes cannot be counted at all.
    pub fn of(
        question: TourProblem,
        counted: Finding<TourCount>,
        with_classes: bool,
        options: &Options,
    ) -> Result<Counting, SolveError> {
        let Finding { outcome, effort, .. } = counted;
        let mut notes = Vec::new();
        let (count, whole) = match outcome {
            Outcome::Solved(count) => (count, true),
            Outcome::Impossible(impossible) => {
                notes.push(no_solution(&named(&question), &impossible));
                (TourCount::ZERO, true)
            }
            Outcome::Unfinished { why, best } => {
                notes.push(format!("{}: {why}", named_all(&question)));
                let Some(count) = best else {
                    return Ok(Counting { answer: None, notes, complete: false, effort });
                };
                (count, false)
            }
        };
        let (mut classes, mut symmetric_classes, mut complete) = (None, None, whole);
        if with_classes && whole {
            let undirected = count.undirected();
            let counted = if question.symmetry.is_none() {
                question.classes(undirected, options).map(|found| classes = Some(found))
            } else {
                question
                    .symmetric_classes(undirected, options)
                    .map(|found| symmetric_classes = Some(found))
            };
            match counted {
                Ok(()) => {}
                Err(SolveError::Stopped(why)) => {
                    notes.push(format!("classes: {why}"));
                    complete = false;
                }
                Err(error) => return Err(error),
            }
        }
        let method = effort.method;
        let answer = Counted {
            question,
            count,
            whole,
            classes,
            symmetric_classes,
            method,
            evidence: Vec::new(),
        };
        Ok(Counting { answer: Some(answer), notes, complete, effort })
    }
}

impl Counted {
    /// One line, and some more for the classes.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Counted { question, count, .. } = self;
        let least = if self.whole { "" } else { "at least " };
        let note = match question.shape {
            Shape::Open => " (those that could be closed included)",
            Shape::Closed => "",
        };
        let (undirected, directed) = (count.undirected(), count.directed());
        let mut text = format!(
            "{}: {least}{undirected} undirected, {directed} directed{note}\n",
            named_all(question)
        );
        for Evidence { method, .. } in self.evidence.iter().filter(|way| way.slices.is_empty()) {
            let _ = writeln!(text, "  counted again by {method}: the same number");
        }
        if let Some(number) = &self.symmetric_classes {
            let _ = writeln!(text, "  classes under the symmetries of the board: {number}");
        }
        if let Some(classes) = &self.classes {
            let number = &classes.classes;
            let _ = writeln!(text, "  classes under the symmetries of the board: {number}");
            for (symmetry, fixed) in &classes.fixed {
                if *symmetry != Symmetry::Identity {
                    let _ = writeln!(text, "  fixed by the {symmetry}: {fixed}");
                }
            }
            if let Some((half, quarter)) = classes.turned() {
                let _ = writeln!(
                    text,
                    "  classes with a half turn: {half}, of these with a quarter turn: {quarter}"
                );
            }
        }
        text
    }

    /// The object that `--json` prints.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut answer = json!({
            "destrier": 1,
            "kind": "count",
            "question": value_of(&self.question),
            "complete": self.whole,
            "undirected": self.count.undirected().to_string(),
            "directed": self.count.directed().to_string(),
            "method": self.method,
        });
        if !self.evidence.is_empty() {
            answer["evidence"] = value_of(&self.evidence);
        }
        if let Some(classes) = &self.symmetric_classes {
            answer["classes"] = classes.to_string().into();
        }
        if let Some(classes) = &self.classes {
            answer["classes"] = classes.classes.to_string().into();
            answer["fixed"] = Map::new().into();
            for (symmetry, count) in &classes.fixed {
                answer["fixed"][symmetry.to_string()] = count.to_string().into();
            }
        }
        answer
    }
}

/// What the numbers by start are: `directed open tours of 5x5 by start`.
#[must_use]
pub fn by_start_title(question: &TourProblem) -> String {
    format!("directed {} by start", named_all(question))
}

/// A line for each square and its number.
#[must_use]
pub fn by_start_rows<N: std::fmt::Display>(numbers: &[(Square, N)], between: char) -> String {
    let mut rows = String::new();
    for (square, number) in numbers {
        let _ = writeln!(rows, "{square}{between}{number}");
    }
    rows
}

/// The object that `--by-start --json` prints.
#[must_use]
pub fn by_start_json(question: &TourProblem, counts: &ByStart) -> Value {
    let mut numbers = Map::new();
    for (square, number) in counts {
        numbers.insert(square.to_string(), number.to_string().into());
    }
    let question = value_of(question);
    json!({ "destrier": 1, "kind": "count-by-start", "question": question, "directed": numbers })
}

/// All boards of a width, from one length to another.
#[derive(Clone, Debug)]
pub struct Series {
    /// The width.
    pub width: u32,
    /// The first length.
    pub first: usize,
    /// The last length.
    pub last: usize,
    /// Which tours.
    pub shape: Shape,
    /// What counts them.
    pub strip: Strip,
}

impl Series {
    /// Reads `3x1..60`.
    ///
    /// # Errors
    /// When it is no such range, or the boards are too wide.
    pub fn read(text: &str, shape: Shape, leaper: Leaper) -> Result<Series, Misread> {
        let malformed = || {
            Misread::new(format!("`{text}` is not a series; write width x lengths, like `3x1..60`"))
        };
        let parts = text.split_once(['x', 'X', '×']).and_then(|(width, lengths)| {
            let (first, last) = lengths.split_once("..")?;
            let last = last.trim_start_matches('=');
            Some((width.parse::<u32>().ok()?, first.parse().ok()?, last.parse().ok()?))
        });
        let (width, first, last): (u32, usize, usize) = parts.ok_or_else(malformed)?;
        if width == 0 || first == 0 || last < first || last > 1_000_000 {
            return Err(malformed());
        }
        let strip = Strip::new(width, leaper, shape).map_err(Misread::new)?;
        Ok(Series { width, first, last, shape, strip })
    }

    /// The object that `--series --json` prints for one board.
    #[must_use]
    pub fn json(&self, length: usize, undirected: &BigUint) -> Value {
        let ways = if self.width as usize * length == 1 { 1_u32 } else { 2 };
        json!({
            "board": format!("{}x{length}", self.width), "shape": self.shape.to_string(),
            "undirected": undirected.to_string(), "directed": (undirected * ways).to_string(),
        })
    }
}

/// The recurrence of a series, written out.
#[must_use]
pub fn recurrence_told(recurrence: &Recurrence) -> String {
    let Recurrence { order, after, coefficients, checked } = recurrence;
    if *order == 0 {
        return "all terms are zero".to_owned();
    }
    let mut text = format!(
        "a linear recurrence of order {order} holds for lengths above {after} \
         (checked on {checked} further terms)"
    );
    if !coefficients.is_empty() {
        text.push_str(": a(n) =");
        for (back, coefficient) in (1..).zip(coefficients) {
            let digits = coefficient.to_string();
            match digits.strip_prefix('-') {
                _ if digits == "0" => {}
                Some(positive) => {
                    let _ = write!(text, " - {positive} a(n-{back})");
                }
                None => {
                    let plus = if text.ends_with('=') { "" } else { "+ " };
                    let _ = write!(text, " {plus}{digits} a(n-{back})");
                }
            }
        }
    }
    text
}
