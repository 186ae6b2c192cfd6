//! Counts in words and in JSON: one question, a number for each start, a series.

use std::fmt::Write as _;

use destrier::count::ByStart;
use destrier::count::transfer::{Recurrence, Strip};
use destrier::{
    Classes, Effort, Finding, Halt, Options, Outcome, SolveError, TourCount, Tours as _,
};
use destrier_rules::{Evidence, Leaper, Shape, Square, Symmetry, TourProblem};
use num_bigint::BigUint;
use serde_json::{Map, Value, json};

use super::tour::by_shape;
use super::{Language, Misread, Sentence, named_all, no_solution};
use crate::certificate::value_of;
use crate::counts::named_leaper;

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

/// The outcome of counting.
#[derive(Clone, Debug)]
pub struct Counting {
    /// The answer, if there is one.
    pub answer: Option<Counted>,
    /// What the user should know besides: why there are none, or why the run stopped.
    pub notes: Vec<Sentence>,
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
                notes.push(no_solution(&impossible));
                (TourCount::ZERO, true)
            }
            Outcome::Unfinished { why, best } => {
                notes.push(stopped(named_all(&question), why));
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
                question.classes(&undirected, options).map(|found| classes = Some(found))
            } else {
                question
                    .symmetric_classes(&undirected, options)
                    .map(|found| symmetric_classes = Some(found))
            };
            match counted {
                Ok(()) => {}
                Err(SolveError::Stopped(why)) => {
                    let why = Sentence::from(why);
                    notes.push(Sentence::of("count.classes_stopped").with("why", why));
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
    pub fn in_words(&self, language: Language) -> String {
        let line = |sentence: &Sentence| sentence.tell(language) + "\n";
        let mut text = line(&self.number());
        for said in self.more() {
            text += "  ";
            text += &line(&said);
        }
        text
    }

    fn number(&self) -> Sentence {
        let key = match self.question.shape {
            Shape::Open => "count.told_open",
            Shape::Closed => "count.told_closed",
        };
        let said = Sentence::of(key)
            .with("tours", named_all(&self.question))
            .with("directed", self.count.directed().to_string());
        let undirected = self.count.undirected().to_string();
        if self.whole {
            return said.with("undirected", undirected);
        }
        said.with("undirected", Sentence::of("count.at_least").with("n", undirected))
    }

    fn more(&self) -> Vec<Sentence> {
        let of = |key: &'static str, n: &BigUint| Sentence::of(key).with("n", n.to_string());
        let again = self.evidence.iter().filter(|way| way.slices.is_empty());
        let mut said: Vec<Sentence> =
            again.map(|way| Sentence::of("count.again").with("method", &way.method)).collect();
        let classes = self.classes.as_ref().map(|classes| &classes.classes);
        for number in self.symmetric_classes.iter().chain(classes) {
            said.push(of("count.classes_are", number));
        }
        let Some(classes) = &self.classes else { return said };
        for (symmetry, fixed) in &classes.fixed {
            if *symmetry != Symmetry::Identity {
                let symmetry = Sentence::of(format!("turns.{symmetry}"));
                said.push(of("count.fixed_by", fixed).with("symmetry", symmetry));
            }
        }
        if let Some((half, quarter)) = classes.turned() {
            let (half, quarter) = (half.to_string(), quarter.to_string());
            said.push(Sentence::of("count.turned").with("half", half).with("quarter", quarter));
        }
        said
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

/// That work on something stopped, and why.
#[must_use]
pub fn stopped(what: Sentence, why: Halt) -> Sentence {
    Sentence::of("told.about").with("what", what).with("why", Sentence::from(why))
}

/// What the numbers by start are: `directed open tours of 5x5 by start`.
#[must_use]
pub fn by_start_title(question: &TourProblem) -> Sentence {
    by_shape(question, ["count.by_start_open", "count.by_start_closed"])
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
    /// The piece.
    pub leaper: Leaper,
    /// What counts them.
    pub strip: Strip,
}

impl Series {
    /// Reads `3x1..60`.
    ///
    /// # Errors
    /// When it is no such range, or the boards are too wide.
    pub fn read(text: &str, shape: Shape, leaper: Leaper) -> Result<Series, Misread> {
        let malformed = || Misread::told(Sentence::of("refused.series").with("text", text));
        let parts = text.split_once(['x', 'X', '×']).and_then(|(width, lengths)| {
            let (first, last) = lengths.split_once("..")?;
            let last = last.trim_start_matches('=');
            Some((width.parse::<u32>().ok()?, first.parse().ok()?, last.parse().ok()?))
        });
        let (width, first, last): (u32, usize, usize) = parts.ok_or_else(malformed)?;
        if width == 0 || first == 0 || last < first || last > 1_000_000 {
            return Err(malformed());
        }
        let strip = Strip::new(width, leaper, shape)
            .map_err(|error| Misread::told(Sentence::of("refused.series_wide").exactly(error)))?;
        Ok(Series { width, first, last, shape, leaper, strip })
    }

    /// The object that `--series --json` prints for one board.
    #[must_use]
    pub fn json(&self, length: usize, undirected: &BigUint) -> Value {
        let ways = if self.width as usize * length == 1 { 1_u32 } else { 2 };
        let mut term = json!({
            "board": format!("{}x{length}", self.width), "shape": self.shape.to_string(),
            "undirected": undirected.to_string(), "directed": (undirected * ways).to_string(),
        });
        named_leaper(&mut term, self.leaper);
        term
    }
}

/// The recurrence of a series, written out.
#[must_use]
pub fn recurrence_told(recurrence: &Recurrence) -> Sentence {
    let Recurrence { order, after, coefficients, checked, .. } = recurrence;
    if *order == 0 {
        return Sentence::of("count.zero");
    }
    let said = Sentence::of("count.recurrence")
        .with("order", order)
        .with("after", after)
        .with("checked", checked);
    if coefficients.is_empty() {
        return said;
    }
    let mut formula = String::new();
    for (back, coefficient) in (1..).zip(coefficients) {
        let digits = coefficient.to_string();
        let (sign, digits) = match digits.strip_prefix('-') {
            _ if digits == "0" => continue,
            Some(positive) => ("- ", positive),
            None => (if formula.is_empty() { "" } else { "+ " }, &*digits),
        };
        let space = if formula.is_empty() { "" } else { " " };
        let _ = write!(formula, "{space}{sign}{digits} a(n-{back})");
    }
    Sentence::of("count.recurrence_is").with("recurrence", said).with("formula", formula)
}

impl Series {
    /// The recurrence up to an order, or that there is none.
    ///
    /// # Errors
    /// When the search for one cannot be run at all.
    pub fn recurrence(&self, order: usize, options: &Options) -> Result<Sentence, SolveError> {
        match self.strip.recurrence(order, options) {
            // The tour of a single square is one by convention: no machine has it.
            Ok(Some(found)) if found.order == 0 && self.width == 1 => {
                Ok(Sentence::of("count.zero_above_one"))
            }
            Ok(Some(found)) => Ok(recurrence_told(&found)),
            Ok(None) => Ok(Sentence::of("count.no_recurrence").with("order", order)),
            Err(SolveError::Stopped(why)) => {
                Ok(Sentence::of("count.recurrence_stopped").with("why", Sentence::from(why)))
            }
            Err(error) => Err(error),
        }
    }
}
