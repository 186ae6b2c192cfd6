//! Counts that were kept as JSON, read again: what `count --json` prints, and what the page saves.
//!
//! A number has no proof. The checker compares what stands in the file with itself, and counts the tours of small boards
//! itself; where nothing was counted again the verdict says `unchecked`, and its claims are ones that were not rechecked.

use destrier_rules::{AnyCertificate, Budget, MOST_DIGITS, Shape, Square, TourProblem};
use num_bigint::BigUint;
use serde_json::{Map, Value, json};

use crate::certificate::{self, Unread};
use crate::draw;
use crate::limits::Limits;
use crate::verify::{claim_json, tour_ask};
use crate::words::{
    CheckedClaim, Misread, Sentence, Verdict, by_start_title, count_claim, named_all, without_proof,
};

/// The kinds of counts.
const KINDS: [&str; 3] = ["count", "count-by-start", "count-series"];

/// Is this a count, or a list of them?
pub(crate) fn is_one(value: &Value) -> bool {
    let one = value.get(0).unwrap_or(value);
    one.get("kind").and_then(Value::as_str).is_some_and(|kind| KINDS.contains(&kind))
        && (one.get("destrier").is_some() || one.get("terms").is_some())
}

/// What is in it: a question, and numbers that nobody counted again.
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
                    claims.push(count_claim(&count));
                }
            }
            totals
        }
    };
    if claims.is_empty() {
        claims.push(without_proof(Sentence::english(&says)));
    }
    let unchecked = claims.iter().any(|claim| claim.verdict != Verdict::Confirmed);
    let claims: Vec<Value> = claims.iter().map(claim_json).collect();
    Ok(json!({
        "valid": true, "unchecked": unchecked, "kind": "count", "says": says,
        "question": question, "answer": answer, "certificate": value, "claims": claims,
    }))
}

/// What a count says that no certificate holds: the numbers from each square, or those of a series. They are read, and
/// nothing more; `None` where this is another answer.
///
/// # Errors
/// When a number, a square or a board cannot be read.
pub fn unproved_count(value: &Value) -> Result<Option<CheckedClaim>, Misread> {
    let (says, ..) = match value.get("kind").and_then(Value::as_str) {
        Some("count-by-start") => by_start(value, Limits::default())?,
        Some("count-series") => series(value)?,
        // A line of `count --series --json`.
        None if value.get("undirected").is_some() => series(&json!({ "terms": [value] }))?,
        _ => return Ok(None),
    };
    Ok(Some(without_proof(Sentence::english(&says))))
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
    let problem: TourProblem = serde_json::from_value(value["question"].clone())
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
    let mut ask = asked(&problem);
    ask["by_start"] = true.into();
    Ok((by_start_title(&problem).to_string(), ask, draw::by_start(&problem, &counts)))
}

fn series(value: &Value) -> Result<(String, Value, Value), Misread> {
    let terms = value["terms"].as_array().filter(|terms| !terms.is_empty());
    let terms = terms.ok_or_else(|| Misread::new("`terms` has a number for each board"))?;
    let sides = |term: &Value| -> Option<(u32, u32)> {
        let (width, length) = term["board"].as_str()?.split_once('x')?;
        Some((width.parse().ok()?, length.parse().ok()?))
    };
    let malformed = || Misread::new("`board` is not a size, like `3x10`");
    let (width, first) = sides(&terms[0]).ok_or_else(malformed)?;
    let mut listed = Vec::new();
    for term in terms {
        sides(term).filter(|&(same, _)| same == width).ok_or_else(malformed)?;
        listed.push(json!({
            "board": term["board"], "shape": term["shape"],
            "undirected": number(&term["undirected"], "undirected")?.to_string(),
            "directed": number(&term["directed"], "directed")?.to_string(),
        }));
    }
    let (_, last) = sides(&terms[terms.len() - 1]).ok_or_else(malformed)?;
    let shape = if terms[0]["shape"] == "closed" { Shape::Closed } else { Shape::Open };
    let range = format!("{width}x{first}..{last}");
    let mut answer = json!({ "kind": "series", "shape": shape, "terms": listed });
    if let Some(recurrence) = value["recurrence"].as_str() {
        answer["recurrence"] = recurrence.into();
    }
    let ask = json!({ "kind": "count", "series": range, "shape": shape });
    Ok((format!("{shape} tours of {range}"), ask, answer))
}
