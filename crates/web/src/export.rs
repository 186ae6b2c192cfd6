//! A checked answer in another form, for keeping.

use std::fmt::Write as _;

use destrier::render::{self, NumberMap, RenderError, Scene};
use destrier_rules::{
    AnyCertificate, CaptureProblem, Puzzle, Setup, Square, Statement, SwapProblem, TourProblem,
    Verified,
};
use serde_json::Value;

use crate::refusal::Refusal;

/// The bytes of a file, its type and its name.
pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    pub(crate) kind: &'static str,
    pub(crate) name: String,
}

const FORMATS: &[(&str, &str)] = &[
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("json", "application/json"),
    ("fen", "text/plain; charset=utf-8"),
    ("list", "text/plain; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
];

/// The answer in this form; it is checked first.
pub(crate) fn file(body: &[u8], format: &str) -> Result<File, Refusal> {
    let known = FORMATS.iter().find(|(name, _)| *name == format);
    let &(format, kind) = known.ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|&(name, _)| name).collect();
        Refusal::unfit(
            "format",
            format!("there is no form `{format}`; there are {}", names.join(", ")),
        )
    })?;
    let value: Value = serde_json::from_slice(body)
        .map_err(|error| Refusal::malformed(format!("a certificate is JSON: {error}")))?;
    let what = value.get("kind").and_then(Value::as_str).unwrap_or("answer").to_owned();
    let bytes = if what == "count-by-start" {
        numbers(&value, format)?
    } else {
        let certificate =
            serde_json::from_value(value).map_err(|error| Refusal::unfit("certificate", error))?;
        if format == "json" { as_json(&certificate)? } else { answer(&certificate, format)? }
    };
    let extension = if matches!(format, "list" | "fen") { "txt" } else { format };
    Ok(File { bytes, kind, name: format!("{what}.{extension}") })
}

/// The certificate as the command prints it.
fn as_json(certificate: &AnyCertificate) -> Result<Vec<u8>, Refusal> {
    let text = match certificate {
        AnyCertificate::Tour(certificate) => serde_json::to_string(certificate),
        AnyCertificate::Capture(certificate) => serde_json::to_string(certificate),
        AnyCertificate::Swap(certificate) => serde_json::to_string(certificate),
        _ => return Err(Refusal::broken()),
    };
    text.map(|text| (text + "\n").into_bytes()).map_err(|_| Refusal::broken())
}

fn answer(certificate: &AnyCertificate, format: &str) -> Result<Vec<u8>, Refusal> {
    fn solved<P: destrier_rules::Problem>(
        statement: &Statement<P>,
    ) -> Result<&Verified<P>, Refusal> {
        match statement {
            Statement::Solved { verified, .. } => Ok(verified),
            Statement::Impossible { .. } => Err(Refusal::unfit(
                "format",
                "there is nothing to draw: only `json` says that something is impossible",
            )),
        }
    }
    match certificate {
        AnyCertificate::Tour(certificate) => tour(solved(certificate.statement())?, format),
        AnyCertificate::Capture(certificate) => capture(solved(certificate.statement())?, format),
        AnyCertificate::Swap(certificate) => swap(solved(certificate.statement())?, format),
        _ => {
            Err(Refusal::unfit("certificate", "this is of a kind that this program does not know"))
        }
    }
}

/// A picture that cannot be drawn.
fn undrawn(error: RenderError) -> Refusal {
    Refusal::unfit("format", error)
}

fn tour(tour: &Verified<TourProblem>, format: &str) -> Result<Vec<u8>, Refusal> {
    Ok(match format {
        "png" => render::png(&Scene::of_tour(tour)).map_err(undrawn)?,
        "gif" => render::gif(&Scene::of_tour(tour)).map_err(undrawn)?,
        "svg" => render::svg(&Scene::of_tour(tour)).map_err(undrawn)?.into_bytes(),
        "csv" => render::tour_csv(tour).into_bytes(),
        "fen" => (Setup::empty(tour.problem().board.clone()).fen() + "\n").into_bytes(),
        _ => (tour.solution().to_string() + "\n").into_bytes(),
    })
}

fn capture(plan: &Verified<CaptureProblem>, format: &str) -> Result<Vec<u8>, Refusal> {
    Ok(match format {
        "png" => render::png(&Scene::of_capture(plan)).map_err(undrawn)?,
        "gif" => render::gif(&Scene::of_capture(plan)).map_err(undrawn)?,
        "svg" => render::svg(&Scene::of_capture(plan)).map_err(undrawn)?.into_bytes(),
        "csv" => render::capture_csv(plan).into_bytes(),
        "fen" => (Puzzle::fen(plan.problem()) + "\n").into_bytes(),
        _ => (render::capture_list(plan) + "\n").into_bytes(),
    })
}

fn swap(plan: &Verified<SwapProblem>, format: &str) -> Result<Vec<u8>, Refusal> {
    Ok(match format {
        "png" => render::swap_png(plan).map_err(undrawn)?,
        "gif" => render::swap_gif(plan).map_err(undrawn)?,
        "svg" => render::swap_svg(plan).map_err(undrawn)?.into_bytes(),
        "csv" => render::swap_csv(plan).into_bytes(),
        "fen" => render::swap_fens(plan).into_bytes(),
        _ => (plan.solution().to_string() + "\n").into_bytes(),
    })
}

/// Numbers by start: a heat map, a table, or as they are.
fn numbers(value: &Value, format: &str) -> Result<Vec<u8>, Refusal> {
    let unfit = |why: &str| Refusal::unfit("certificate", why);
    let question: TourProblem = serde_json::from_value(value["question"].clone())
        .map_err(|error| Refusal::unfit("certificate", error))?;
    let directed = value["directed"]
        .as_object()
        .ok_or_else(|| unfit("`directed` has a number for each square"))?;
    let mut numbers: Vec<(Square, String)> = Vec::new();
    for (name, number) in directed {
        let square: Square = name.parse().map_err(|error| Refusal::unfit("certificate", error))?;
        let number = number
            .as_str()
            .filter(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
        let number = number.ok_or_else(|| unfit("a number is a string of digits"))?;
        if !question.board.contains(square) {
            return Err(unfit("a number stands off the board").on(square));
        }
        numbers.push((square, number.to_owned()));
    }
    let title = format!("directed {} by start", destrier_ask::named_all(&question));
    let map = NumberMap { title, board: &question.board, numbers: &numbers };
    Ok(match format {
        "svg" => map.svg().map_err(undrawn)?.into_bytes(),
        "csv" => {
            let mut rows = String::from("square,directed\n");
            for (square, number) in &numbers {
                let _ = writeln!(rows, "{square},{number}");
            }
            rows.into_bytes()
        }
        "json" => (value.to_string() + "\n").into_bytes(),
        _ => {
            return Err(Refusal::unfit("format", "counts by start come as `csv`, `svg` or `json`"));
        }
    })
}
