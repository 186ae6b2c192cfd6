//! Counts that were kept as JSON, read again: what `count --json` prints, and what the page saves.
//!
//! A number has no proof. The checker compares what stands in the file with itself, and counts the tours of small boards
//! itself; where nothing was counted again the verdict says `unchecked`, and its claims are ones that were not rechecked.

use std::collections::BTreeMap;

use destrier_rules::{
    AnyCertificate, Board, Budget, CountCertificate, CountStatement, Fault, Leaper, MOST_DIGITS,
    Shape, Square, Support, TourProblem, check_by_start,
};
use num_bigint::BigUint;
use serde_json::{Map, Value, json};

use crate::bounded;
use crate::certificate::{self, Unread};
use crate::draw;
use crate::limits::Limits;
use crate::verify::{claim_json, tour_ask};
use crate::words::{
    CheckedClaim, Misread, Sentence, Verdict, by_start_title, count_claims, named_all,
    without_proof,
};

/// The kinds of counts.
const KINDS: [&str; 3] = ["count", "count-by-start", "count-series"];

/// Is this a count, or a list of them?
pub(crate) fn is_one(value: &Value) -> bool {
    let one = value.get(0).unwrap_or(value);
    one.get("kind").and_then(Value::as_str).is_some_and(|kind| KINDS.contains(&kind))
        && (one.get("destrier").is_some() || one.get("terms").is_some())
}

/// What is in it: a question, numbers, and what the checker says of them.
pub(crate) fn read(value: &Value, limits: Limits, budget: &Budget<'_>) -> Result<Value, Unread> {
    let list = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let kind = list[0]["kind"].as_str().unwrap_or_default();
    let mut claims = Vec::new();
    let (says, question, answer) = match kind {
        "count-by-start" => by_start(&list[0], limits)?,
        "count-series" => series(&list[0])?,
        _ => {
            let totals = totals(&list, limits)?;
            for one in &list {
                if let AnyCertificate::Count(count) = certificate::read(one.clone(), budget)? {
                    claims.extend(count_claims(&count));
                }
            }
            totals
        }
    };
    let kept = KeptCount::read(&list[0])?;
    if kind == "count-series" {
        claims.push(of_series(&says, kept, budget)?);
    } else {
        for count in kept {
            claims.extend(count.check(budget)?);
        }
    }
    let unchecked = claims.iter().any(|claim| claim.verdict != Verdict::Confirmed);
    let claims: Vec<Value> = claims.iter().map(claim_json).collect();
    Ok(json!({
        "valid": true, "unchecked": unchecked, "kind": "count", "says": says,
        "question": question, "answer": answer, "certificate": value, "claims": claims,
    }))
}

/// The claim of a whole series: confirmed if all its numbers are. Boards grow, so once one is too large for the checker's
/// own count, those after it are not tried.
fn of_series(
    says: &str,
    terms: Vec<KeptCount>,
    budget: &Budget<'_>,
) -> Result<CheckedClaim, Fault> {
    let (all, mut again, mut tries) = (terms.len(), 0, true);
    let not_searching = Budget::default();
    for term in terms {
        let claims = term.check(if tries { budget } else { &not_searching })?;
        tries = claims.iter().all(|claim| claim.verdict == Verdict::Confirmed);
        again += usize::from(tries);
    }
    let says = Sentence::english(says);
    if again == all {
        let confirmed = CheckedClaim::new(Verdict::Confirmed, says);
        return Ok(confirmed.because(Sentence::of("support.counted_again")));
    }
    let some = Sentence::of("support.some_again").with("n", again).with("all", all);
    Ok(CheckedClaim::new(Verdict::NotRechecked, says).because(some))
}

/// A count that was kept in another form than a certificate: the numbers from each square, or a number of a series.
#[derive(Clone, Debug)]
pub struct KeptCount {
    question: TourProblem,
    numbers: Numbers,
}

#[derive(Clone, Debug)]
enum Numbers {
    ByStart(BTreeMap<Square, String>),
    Tours { undirected: String, directed: String },
}

impl KeptCount {
    /// Reads an answer in such a form; nothing if it is another answer.
    ///
    /// # Errors
    /// When a number, a square or a board cannot be read.
    pub fn read(value: &Value) -> Result<Vec<KeptCount>, Misread> {
        match value.get("kind").and_then(Value::as_str) {
            Some("count-by-start") => {
                let question = problem(value, Limits::default())?;
                let counts = numbers_by_start(value, &question)?.into_iter();
                let numbers = counts.map(|(square, number)| (square, number.to_string()));
                let numbers = Numbers::ByStart(numbers.collect());
                Ok(vec![KeptCount { question, numbers }])
            }
            Some("count-series") => terms(value)?.iter().map(KeptCount::of_term).collect(),
            // A line of `count --series --json`.
            None if value.get("undirected").is_some() => Ok(vec![KeptCount::of_term(value)?]),
            _ => Ok(Vec::new()),
        }
    }

    fn of_term(term: &Value) -> Result<KeptCount, Misread> {
        let (width, length) = sides(term)?;
        let board = Board::new(width, length).map_err(Misread::new)?;
        let undirected = number(&term["undirected"], "undirected")?.to_string();
        let directed = number(&term["directed"], "directed")?.to_string();
        let question =
            TourProblem { shape: shape(term), leaper: leaper(term)?, ..TourProblem::open(board) };
        Ok(KeptCount { question, numbers: Numbers::Tours { undirected, directed } })
    }

    /// Which tours were counted.
    #[must_use]
    pub const fn question(&self) -> &TourProblem {
        &self.question
    }

    /// What the checker says.
    ///
    /// # Errors
    /// When the numbers contradict each other or the checker's own, or the check is stopped.
    pub fn check(self, budget: &Budget<'_>) -> Result<Vec<CheckedClaim>, Fault> {
        let KeptCount { question, numbers } = self;
        match numbers {
            Numbers::ByStart(directed) => {
                let says = by_start_title(&question);
                Ok(vec![match check_by_start(&question, &directed, budget)? {
                    Support::SearchedAgain => CheckedClaim::new(Verdict::Confirmed, says)
                        .because(Sentence::of("support.counted_again")),
                    _ => without_proof(says),
                }])
            }
            Numbers::Tours { undirected, directed } => {
                let statement = CountStatement {
                    destrier: 1,
                    question,
                    complete: true,
                    undirected,
                    directed,
                    method: "transfer".to_owned(),
                    evidence: Vec::new(),
                    classes: None,
                    fixed: BTreeMap::new(),
                };
                Ok(count_claims(&CountCertificate::check(statement, budget)?))
            }
        }
    }
}

/// A number in decimal.
fn number(value: &Value, name: &str) -> Result<BigUint, Misread> {
    let digits = value.as_str().filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    if digits.is_some_and(|digits| digits.len() > MOST_DIGITS) {
        return Err(Misread::new(format!("`{name}` has more than {MOST_DIGITS} digits")));
    }
    let number = digits.and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| Misread::new(format!("`{name}` is not a string of digits")))
}

fn problem(value: &Value, limits: Limits) -> Result<TourProblem, Misread> {
    let problem: TourProblem = bounded::part(value, "question")
        .map_err(|error| Misread::new(format!("`question`: {error}")))?;
    limits.draws(Some(&problem.board), 0).map_err(Misread::new)?;
    Ok(problem)
}

/// The question in the words of the API.
fn asked(problem: &TourProblem) -> Value {
    let mut ask = tour_ask(problem);
    if let Value::Object(fields) = &mut ask {
        fields.remove("closed");
    }
    ask["kind"] = "count".into();
    ask["shape"] = json!(problem.shape);
    ask
}

fn totals(list: &[Value], limits: Limits) -> Result<(String, Value, Value), Misread> {
    let mut answers = Vec::new();
    let mut says = Vec::new();
    let first = problem(&list[0], limits)?;
    let mut ask = asked(&first);
    for one in list {
        let question = problem(one, limits)?;
        if (TourProblem { shape: first.shape, ..question.clone() }) != first {
            return Err(Misread::new("the counts of one list are of the same question"));
        }
        let (undirected, directed) =
            (number(&one["undirected"], "undirected")?, number(&one["directed"], "directed")?);
        says.push(format!("{}: {undirected} undirected", named_all(&question)));
        let mut answer = json!({
            "shape": question.shape, "complete": one["complete"] != false,
            "undirected": undirected.to_string(), "directed": directed.to_string(),
        });
        if let Some(classes) = one.get("classes") {
            answer["classes"] = number(classes, "classes")?.to_string().into();
            ask["classes"] = true.into();
        }
        if let Some(fixed) = one.get("fixed").and_then(Value::as_object) {
            let mut kept = Map::new();
            for (name, value) in fixed {
                kept.insert(name.clone(), number(value, "fixed")?.to_string().into());
            }
            answer["fixed"] = kept.into();
        }
        answers.push(answer);
    }
    if list.len() > 1 {
        ask["shape"] = "both".into();
    }
    Ok((says.join("; "), ask, json!({ "kind": "count", "counts": answers })))
}

fn by_start(value: &Value, limits: Limits) -> Result<(String, Value, Value), Misread> {
    let problem = problem(value, limits)?;
    let counts = numbers_by_start(value, &problem)?;
    let mut ask = asked(&problem);
    ask["by_start"] = true.into();
    Ok((by_start_title(&problem).to_string(), ask, draw::by_start(&problem, &counts)))
}

fn numbers_by_start(
    value: &Value,
    problem: &TourProblem,
) -> Result<Vec<(Square, BigUint)>, Misread> {
    let directed = value["directed"].as_object();
    let directed =
        directed.ok_or_else(|| Misread::new("`directed` has a number for each square"))?;
    let mut counts = Vec::new();
    for (name, value) in directed {
        let square: Square = name.parse().map_err(Misread::new)?;
        if !problem.board.contains(square) {
            return Err(Misread::new(format!("{square} is not on the board")).at(square));
        }
        counts.push((square, number(value, name)?));
    }
    Ok(counts)
}

/// The terms of a series that was kept.
fn terms(value: &Value) -> Result<&Vec<Value>, Misread> {
    let terms = value["terms"].as_array().filter(|terms| !terms.is_empty());
    terms.ok_or_else(|| Misread::new("`terms` has a number for each board"))
}

/// The board of a term.
fn sides(term: &Value) -> Result<(u32, u32), Misread> {
    let sides = term["board"].as_str().and_then(|board| {
        let (width, length) = board.split_once('x')?;
        Some((width.parse().ok()?, length.parse().ok()?))
    });
    sides.ok_or_else(|| Misread::new("`board` is not a size, like `3x10`"))
}

fn shape(term: &Value) -> Shape {
    if term["shape"] == "closed" { Shape::Closed } else { Shape::Open }
}

fn leaper(term: &Value) -> Result<Leaper, Misread> {
    match &term["leaper"] {
        Value::Null => Ok(Leaper::KNIGHT),
        Value::String(legs) => legs.parse().map_err(Misread::new),
        _ => Err(Misread::new("`leaper` is not a leaper, like `1,4`")),
    }
}

fn series(value: &Value) -> Result<(String, Value, Value), Misread> {
    let terms = terms(value)?;
    let (width, first) = sides(&terms[0])?;
    let (shape, leaper) = (shape(&terms[0]), leaper(&terms[0])?);
    let mut listed = Vec::new();
    for term in terms {
        let like_the_first =
            sides(term)?.0 == width && self::shape(term) == shape && self::leaper(term)? == leaper;
        if !like_the_first {
            return Err(Misread::new(
                "the boards of a series have one width, one shape of tour and one piece",
            ));
        }
        let mut kept = json!({
            "board": term["board"], "shape": shape,
            "undirected": number(&term["undirected"], "undirected")?.to_string(),
            "directed": number(&term["directed"], "directed")?.to_string(),
        });
        named_leaper(&mut kept, leaper);
        listed.push(kept);
    }
    let (_, last) = sides(&terms[terms.len() - 1])?;
    let range = format!("{width}x{first}..{last}");
    let mut answer = json!({ "kind": "series", "shape": shape, "terms": listed });
    if let Some(recurrence) = value["recurrence"].as_str() {
        answer["recurrence"] = recurrence.into();
    }
    let mut ask = json!({ "kind": "count", "series": range, "shape": shape });
    named_leaper(&mut ask, leaper);
    let piece =
        if leaper == Leaper::KNIGHT { String::new() } else { format!(" by a {leaper} leaper") };
    Ok((format!("{shape} tours of {range}{piece}"), ask, answer))
}

/// Names the piece where it is no knight.
pub(crate) fn named_leaper(of: &mut Value, leaper: Leaper) {
    if leaper != Leaper::KNIGHT {
        of["leaper"] = leaper.to_string().into();
    }
}
