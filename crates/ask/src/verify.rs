//! Checks what a user brings: an answer in any form, or a question alone.
//!
//! A certificate, a list of squares and a grid of numbers are checked by the rules; no solver takes part. A puzzle
//! file, a FEN and a drawn board are questions: they are read, and given back in the words of the API.
//!
//! Invariant: `valid` is said of an answer only after `Verified::check` (or `Impossible::check`) has passed it, and
//! `claims` says which of its claims that confirmed; the numbers of a count, of which there is no proof, are `unchecked`.
//! Nothing is written that is larger than the limits.

use destrier::origin;
use destrier_rules::{
    AnyCertificate, Board, Budget, CapturePlan, CaptureProblem, Certificate, Fault, Leaper, Metric,
    Move, Problem, Puzzle, Setup, Shape, Square, Statement, SwapPlan, SwapProblem, Tour,
    TourProblem, Verified, Word as _,
};
use serde_json::{Value, json};

use crate::bounded;
use crate::certificate::{self, Unread, text_of, value_of};
use crate::counts;
use crate::draw::{self, wrap_name};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::request::Fields;
use crate::words::{
    self, CheckedClaim, Misread, Sentence, Verdict, plan_told, quantity, shortened, tour_told,
};

/// What a tour in text does not say of itself.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub struct VerifyOptions {
    /// Its board; without one, the smallest that holds its squares.
    pub board: Option<String>,
    /// Must it be closed?
    #[serde(default)]
    pub closed: bool,
}

/// What the checker says.
///
/// # Errors
/// When the check was refused or stopped: then nothing is known to be wrong.
pub(crate) fn verdict(
    text: &str,
    options: &VerifyOptions,
    limits: Limits,
    stop: &dyn Fn() -> bool,
) -> Result<Value, Refusal> {
    let text = text.trim_start_matches('\u{feff}').trim();
    // Counts come as a list of objects, too.
    let object = text.strip_prefix('[').unwrap_or(text).trim_start();
    let said = if object.starts_with('{') {
        of_json(text, options, limits, stop)
    } else {
        of_text(text, options, limits)
    };
    match said {
        Err(Wrong { unfinished: Some(refusal), .. }) => Err(*refusal),
        said => Ok(said.unwrap_or_else(Wrong::json)),
    }
}

/// What is wrong with it, and as much of it as could be read.
struct Wrong {
    fault: Value,
    question: Option<Value>,
    attempt: Option<Value>,
    /// Not wrong at all: the check did not come to an end.
    unfinished: Option<Box<Refusal>>,
}

impl From<Refusal> for Wrong {
    fn from(refusal: Refusal) -> Wrong {
        let wrong = Wrong::told(refusal.sentence());
        Wrong { unfinished: Some(Box::new(refusal)), ..wrong }
    }
}

impl Wrong {
    fn json(self) -> Value {
        let message = &self.fault["message"];
        let refuted = [json!({ "verdict": Verdict::Refuted.to_string(), "claim": message })];
        let mut said = json!({ "valid": false, "says": message, "claims": refuted });
        said["fault"] = self.fault;
        for (name, part) in [("question", self.question), ("attempt", self.attempt)] {
            if let Some(part) = part {
                said[name] = part;
            }
        }
        said
    }

    fn new(message: impl ToString) -> Wrong {
        Wrong::told(&Sentence::english(message))
    }

    fn told(sentence: &Sentence) -> Wrong {
        let fault = json!({ "message": shortened(sentence.to_string()) });
        let wrong = Wrong { fault, question: None, attempt: None, unfinished: None };
        match sentence.key() {
            Some(key) => wrong.with("key", key).with("values", sentence.short_values()),
            None => wrong,
        }
    }

    fn with(mut self, name: &str, value: impl Into<Value>) -> Wrong {
        self.fault[name] = value.into();
        self
    }
}

impl From<Misread> for Wrong {
    fn from(misread: Misread) -> Wrong {
        let wrong = Wrong::told(&(&misread).into());
        match misread.square {
            Some(square) => wrong.with("square", square.to_string()),
            None => wrong,
        }
    }
}

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Wrong {
        let mut wrong = Wrong::told(&(&fault).into());
        let squares = fault.squares();
        if let Some(square) = squares.last() {
            // Of a jump, the square it should not have gone to.
            wrong = wrong.with("square", square.to_string()).with("squares", json!(squares));
        }
        match fault.step() {
            Some(step) => wrong.with("step", step),
            None => wrong,
        }
    }
}

fn of_json(
    text: &str,
    options: &VerifyOptions,
    limits: Limits,
    stop: &dyn Fn() -> bool,
) -> Result<Value, Wrong> {
    let value = bounded::read(text.as_bytes(), limits.json, |error| {
        Wrong::new(&error).with("line", error.line()).with("column", error.column())
    })?;
    let budget = Budget::of_certificate(text.len() as u64, stop).memory(limits.check);
    if counts::is_one(&value) {
        return counts::read(&value, limits, &budget).map_err(|unread| match unread {
            Unread::Unfinished(refusal) => refusal.into(),
            Unread::Wrong(error) => Wrong::new(error),
        });
    }
    if value.get("destrier").is_none() {
        return of_question(&value, limits);
    }
    if let Ok(board) = bounded::part::<Board>(&value["question"], "board") {
        limits.draws(Some(&board), 0)?;
    }
    let read = certificate::read(value.clone(), &budget);
    if let Ok(certificate) = &read {
        limits.draws(Some(certificate.board()), certificate.steps())?;
    }
    match read {
        Ok(AnyCertificate::Tour(certificate)) => {
            let problem = certificate.statement().problem();
            options.fits(&problem.board, Some(problem.shape), limits)?;
            let claims = words::claims(&certificate);
            let (question, answer) = read_as(&certificate, tour_ask, draw::tour);
            Ok(passed(TourProblem::KIND, &claims, question, answer, value))
        }
        Ok(AnyCertificate::Capture(certificate)) => {
            options.fits(&certificate.statement().problem().board, None, limits)?;
            let claims = words::claims(&certificate);
            let (question, answer) = read_as(&certificate, capture_ask, drawn_capture);
            Ok(passed(CaptureProblem::KIND, &claims, question, answer, value))
        }
        Ok(AnyCertificate::Swap(certificate)) => {
            options.fits(&certificate.statement().problem().board, None, limits)?;
            let claims = words::claims(&certificate);
            let (question, answer) = read_as(&certificate, swap_ask, draw::swap);
            Ok(passed(SwapProblem::KIND, &claims, question, answer, value))
        }
        Ok(_) => Err(Wrong::new("this program does not know this kind of certificate")),
        Err(Unread::Unfinished(refusal)) => Err(refusal.into()),
        Err(Unread::Wrong(error)) => {
            Err(placed(&value, limits).unwrap_or_else(|| Wrong::new(error)))
        }
    }
}

fn drawn_capture(plan: &Verified<CaptureProblem>) -> Value {
    draw::capture(plan, None)
}

/// The question of a certificate, and its answer, or why there is none.
fn read_as<P: Problem>(
    certificate: &Certificate<P>,
    ask: impl Fn(&P) -> Value,
    drawn: impl Fn(&Verified<P>) -> Value,
) -> (Value, Result<Value, Sentence>) {
    match certificate.statement() {
        Statement::Solved(solved) => {
            (ask(solved.problem()), Ok(draw::brought(solved, drawn(solved))))
        }
        Statement::Impossible(none) => (ask(none.problem()), Err(none.obstacle().into())),
    }
}

/// A certificate in which nothing is refuted.
fn passed(
    kind: &str,
    claims: &[CheckedClaim],
    question: Value,
    answer: Result<Value, Sentence>,
    certificate: Value,
) -> Value {
    let says: Vec<String> = claims.iter().map(|claim| claim.line().to_string()).collect();
    let claims: Vec<Value> = claims.iter().map(claim_json).collect();
    let mut verdict = json!({ "valid": true, "says": says.join("; "), "claims": claims });
    verdict["kind"] = kind.into();
    verdict["question"] = question;
    match answer {
        Ok(answer) => {
            verdict["outcome"] = "solved".into();
            verdict["answer"] = answer;
        }
        Err(reason) => {
            verdict["outcome"] = "impossible".into();
            verdict["reason"] = value_of(&reason);
        }
    }
    verdict["certificate"] = certificate;
    verdict
}

pub(crate) fn claim_json(checked: &CheckedClaim) -> Value {
    let mut json =
        json!({ "verdict": checked.verdict.to_string(), "claim": checked.told().to_string() });
    if let Some(because) = &checked.because {
        json["because"] = because.to_string().into();
    }
    json
}

/// The fault of a certificate that was refused, with its square and step, if it lies in the solution.
fn placed(value: &Value, limits: Limits) -> Option<Wrong> {
    fn check<P>(
        value: &Value,
        fits: impl Fn(&P, &P::Solution) -> bool,
        ask: impl Fn(&P) -> Value,
        shown: impl Fn(&P::Solution) -> Value,
    ) -> Option<Wrong>
    where
        P: Problem + serde::de::DeserializeOwned + Clone,
        P::Solution: serde::de::DeserializeOwned,
    {
        let problem: P = bounded::part(value, "question").ok()?;
        let solution: P::Solution = bounded::part(value, "solution").ok()?;
        if !fits(&problem, &solution) {
            return None;
        }
        let (question, attempt) = (ask(&problem), shown(&solution));
        let fault = Verified::check(problem, solution).err()?;
        Some(Wrong { question: Some(question), attempt: Some(attempt), ..fault.into() })
    }
    let fits = |board: &Board, steps: usize| limits.draws(Some(board), steps).is_ok();
    match value.get("kind")?.as_str()? {
        TourProblem::KIND => check::<TourProblem>(
            value,
            |problem, tour| fits(&problem.board, tour.0.len()),
            tour_ask,
            |Tour(squares)| json!({ "kind": "tour", "squares": squares }),
        ),
        CaptureProblem::KIND => check::<CaptureProblem>(
            value,
            |problem, plan| fits(&problem.board, plan.0.len()),
            capture_ask,
            |CapturePlan(squares)| json!({ "kind": "capture", "squares": squares }),
        ),
        SwapProblem::KIND => check::<SwapProblem>(
            value,
            |problem, plan| fits(&problem.board, plan.0.len()),
            swap_ask,
            |SwapPlan(moves): &SwapPlan| json!({ "kind": "swap", "moves": moves.iter().map(Move::to_string).collect::<Vec<_>>() }),
        ),
        _ => None,
    }
}

/// A question in JSON: in the words of the API, or as a certificate has it.
fn of_question(value: &Value, limits: Limits) -> Result<Value, Wrong> {
    if value.get("targets").is_some() {
        return puzzle(&value.to_string(), limits);
    }
    let kind = value.get("kind").and_then(Value::as_str).unwrap_or("").to_owned();
    Fields::of(value.clone(), limits).and_then(Fields::question).map_err(|refusal| {
        let field = refusal.json()["field"].take();
        Wrong::told(refusal.sentence()).with("field", field)
    })?;
    Ok(
        json!({ "valid": true, "says": format!("a question of kind {kind}"), "kind": "question", "question": value }),
    )
}

fn of_text(text: &str, options: &VerifyOptions, limits: Limits) -> Result<Value, Wrong> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let Some(&first) = lines.first() else {
        return Err(Wrong::told(&Sentence::of("verdict.nothing")));
    };
    if lines.len() > 1 && looks_like_a_file(first) {
        let read = puzzle(text, limits);
        let same_length =
            |line: &&str| line.split_whitespace().count() == first.split_whitespace().count();
        if read.is_ok() || !lines.iter().all(same_length) {
            return read;
        }
    }
    if text.chars().all(|c| matches!(c, '.' | '#' | '*' | '\n' | '\r'))
        || first.split_once('x').is_some_and(|(files, _)| files.parse::<u32>().is_ok())
    {
        limits.writes(text, 2)?;
        return board(text);
    }
    if lines.len() == 1 && first.contains('/') {
        limits.writes(text, 2)?;
        return fen(first, limits);
    }
    if words::is_grid(&lines) {
        limits.writes(text, 10)?;
        let (board, tour) = words::grid(&lines)?;
        // Whether the tour is closed is for the checker to say.
        VerifyOptions { closed: false, ..options.clone() }.fits(&board, None, limits)?;
        return tour_text(TourProblem { shape: options.shape(), ..TourProblem::open(board) }, tour);
    }
    let mut said = None;
    for (number, line) in (1_u64..).zip(&lines) {
        let one = one_line(line, options, limits)
            .map_err(|wrong| if lines.len() > 1 { wrong.with("line", number) } else { wrong })?;
        said.get_or_insert(one);
    }
    said.ok_or_else(|| Wrong::told(&Sentence::of("verdict.nothing")))
}

/// A first line `k bound`, `k`, `WxH bound` or `WxH`.
fn looks_like_a_file(first: &str) -> bool {
    let words: Vec<&str> = first.split_whitespace().collect();
    let size = |word: &str| word.split(['x', 'X']).all(|side| side.parse::<u32>().is_ok());
    words.len() <= 2
        && words.first().is_some_and(|word| size(word))
        && words.get(1).is_none_or(|word| word.parse::<u64>().is_ok())
}

fn one_line(line: &str, options: &VerifyOptions, limits: Limits) -> Result<Value, Wrong> {
    let board = options.board.as_deref().map(words::board).transpose()?;
    if line.contains('*') {
        let (problem, plan) = words::capture_line(line, board)?;
        limits.draws(Some(&problem.board), plan.0.len())?;
        let (question, attempt) =
            (capture_ask(&problem), json!({ "kind": "capture", "squares": plan }));
        let verified = Verified::check(problem, plan).map_err(|fault| Wrong {
            question: Some(question),
            attempt: Some(attempt),
            ..fault.into()
        })?;
        let claims = [CheckedClaim::replayed(plan_told(&verified))];
        let certificate = Certificate::new(verified.into(), origin("imported"));
        let (question, answer) = read_as(&certificate, capture_ask, drawn_capture);
        return Ok(passed(CaptureProblem::KIND, &claims, question, answer, value_of(&certificate)));
    }
    if line.contains('-') {
        return Err(Wrong::new(
            "this is a list of moves, which does not say where the knights start; bring the JSON",
        ));
    }
    let tour: Tour = line.parse().map_err(Wrong::new)?;
    let board = board.map_or_else(|| words::board_around(&tour.0), Ok)?;
    limits.draws(Some(&board), tour.0.len())?;
    tour_text(TourProblem { shape: options.shape(), ..TourProblem::open(board) }, tour)
}

impl VerifyOptions {
    const fn shape(&self) -> Shape {
        if self.closed { Shape::Closed } else { Shape::Open }
    }

    /// Is the board the one that was asked for, of the right shape, and not too large?
    fn fits(&self, board: &Board, shape: Option<Shape>, limits: Limits) -> Result<(), Wrong> {
        let asked = self.board.as_deref().map(words::board).transpose()?;
        words::is_asked_for(board, shape, asked.as_ref(), self.closed)?;
        Ok(limits.draws(Some(board), 0)?)
    }
}

fn tour_text(problem: TourProblem, tour: Tour) -> Result<Value, Wrong> {
    let (question, attempt) = (tour_ask(&problem), json!({ "kind": "tour", "squares": tour }));
    let verified = Verified::check(problem, tour).map_err(|fault| Wrong {
        question: Some(question.clone()),
        attempt: Some(attempt),
        ..fault.into()
    })?;
    let claims = [CheckedClaim::replayed(tour_told(&verified))];
    let answer = draw::tour(&verified);
    let certificate = Certificate::new(verified.into(), origin("imported"));
    Ok(passed(TourProblem::KIND, &claims, question, Ok(answer), value_of(&certificate)))
}

fn board(text: &str) -> Result<Value, Wrong> {
    let board = words::board(text)?;
    let question = tour_ask(&TourProblem::open(board.clone()));
    Ok(
        json!({ "valid": true, "says": format!("a board: {board}"), "kind": "board", "question": question }),
    )
}

fn puzzle(text: &str, limits: Limits) -> Result<Value, Wrong> {
    let Puzzle { problem, .. } = words::puzzle(text)?;
    problem.validate().map_err(Misread::from)?;
    limits.draws(Some(&problem.board), 0)?;
    let pieces = quantity(problem.targets.len() as u64, "pieces");
    let says = format!("a puzzle: {pieces} on {}, the knight on {}", problem.board, problem.start);
    let question = json!({ "kind": "capture", "puzzle": text });
    let fen = Puzzle::fen(&problem);
    Ok(json!({ "valid": true, "says": says, "kind": "puzzle", "question": question, "fen": fen }))
}

fn fen(text: &str, limits: Limits) -> Result<Value, Wrong> {
    let setup: Setup = text.parse().map_err(Wrong::new)?;
    if setup.pieces.is_empty() {
        return board(text);
    }
    if text.parse::<Puzzle>().is_ok() {
        return puzzle(text, limits);
    }
    limits.draws(Some(&setup.board), 0)?;
    let knights = quantity(setup.pieces.len() as u64, "knights");
    let says = format!("a position: {knights} on {}", setup.board);
    let question = json!({ "kind": "swap", "start": text });
    Ok(
        json!({ "valid": true, "says": says, "kind": "position", "question": question, "fen": setup.fen() }),
    )
}

/// A question of a tour in the words of the API.
pub(crate) fn tour_ask(problem: &TourProblem) -> Value {
    let mut ask = json!({ "kind": "tour", "board": problem.board.size(), "closed": problem.shape == Shape::Closed });
    let square = |square: Option<Square>| square.map(|square| square.to_string().into());
    let holes = (!problem.board.holes().is_empty()).then(|| json!(problem.board.holes()));
    let leaper = (problem.leaper != Leaper::KNIGHT).then(|| problem.leaper.to_string().into());
    for (name, value) in [
        ("from", square(problem.start)),
        ("to", square(problem.end)),
        ("symmetry", problem.symmetry.map(|symmetry| json!(symmetry))),
        ("holes", holes),
        ("wrap", wrap_name(problem.board.wrap()).map(Value::from)),
        ("leaper", leaper),
    ] {
        if let Some(value) = value {
            ask[name] = value;
        }
    }
    ask
}

fn capture_ask(problem: &CaptureProblem) -> Value {
    // A FEN does not say that edges are joined; JSON does.
    let plain = problem.board.wrap() == destrier_rules::Wrap::None;
    let puzzle = if plain { Puzzle::fen(problem) } else { text_of(problem) };
    json!({ "kind": "capture", "puzzle": puzzle })
}

fn swap_ask(problem: &SwapProblem) -> Value {
    let mut ask =
        json!({ "kind": "swap", "start": problem.start_fen(), "goal": problem.goal_fen() });
    if problem.rules.metric != Metric::default() {
        ask["metric"] = problem.rules.metric.name().into();
    }
    if let Some(side) = problem.rules.alternate {
        ask["alternate"] = side.to_string().into();
    }
    if problem.rules.peaceful {
        ask["peaceful"] = true.into();
    }
    if let Some(wrap) = wrap_name(problem.board.wrap()) {
        ask["wrap"] = wrap.into();
    }
    ask
}
