//! A checked answer as a file.

use destrier::render::{self, NumberMap, RenderError, Scene};
use destrier_rules::{
    AnyCertificate, Budget, CaptureProblem, Puzzle, Setup, Square, Statement, SwapProblem,
    TourProblem, Verified,
};
use serde_json::Value;

use crate::bounded;
use crate::certificate::{self, Unread};
use crate::limits::Limits;
use crate::refusal::{Refusal, RefusalKind};
use crate::window::Windows;
use crate::words::{by_start_rows, by_start_title};

/// An answer as a file.
#[derive(Clone, Debug)]
pub struct File {
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Its media type.
    pub media_type: &'static str,
    /// A name for it.
    pub name: String,
}

const FORMATS: &[(&str, &str)] = &[
    ("svg", "image/svg+xml"),
    #[cfg(feature = "raster")]
    ("png", "image/png"),
    #[cfg(feature = "raster")]
    ("gif", "image/gif"),
    ("json", "application/json"),
    ("fen", "text/plain; charset=utf-8"),
    ("list", "text/plain; charset=utf-8"),
    ("csv", "text/csv; charset=utf-8"),
];

/// The most squares of all positions of a swap that are written as FEN.
const MOST_PANELS: u64 = 1 << 24;

/// The answer in this form; it is checked first.
pub(crate) fn file(
    body: &[u8],
    format: &str,
    windows: &Windows,
    stop: &dyn Fn() -> bool,
) -> Result<File, Refusal> {
    let limits = windows.limits();
    let known = FORMATS.iter().find(|(name, _)| *name == format);
    let &(format, media_type) = known.ok_or_else(|| {
        let names: Vec<&str> = FORMATS.iter().map(|&(name, _)| name).collect();
        let why = format!("there is no format `{format}`; there are {}", names.join(", "));
        Refusal::unfit("format", why)
    })?;
    let value = bounded::read(body, limits.json, |error| {
        Refusal::malformed(format!("a certificate is JSON: {error}"))
    })?;
    let what = value.get("kind").and_then(Value::as_str).unwrap_or("answer").to_owned();
    let bytes = if what == "count-by-start" {
        numbers(&value, format, limits)?
    } else if what == "trace" {
        search(&value, format, limits)?
    } else if what == "window" {
        long_tour(value, format, windows)?
    } else {
        let budget = Budget::of_certificate(body.len() as u64, stop).memory(limits.check);
        let certificate = certificate::read(value, &budget).map_err(|unread| match unread {
            Unread::Wrong(why) => Refusal::unfit("certificate", why),
            Unread::Unfinished(refusal) => refusal,
        })?;
        fits(&certificate, format, limits)?;
        match certificate::text(&certificate) {
            Some(text) if format == "json" => (text + "\n").into_bytes(),
            _ => answer(&certificate, format)?,
        }
    };
    let extension = if matches!(format, "list" | "fen") { "txt" } else { format };
    Ok(File { bytes, media_type, name: format!("{what}.{extension}") })
}

/// Is the answer not too large or too long for this format?
fn fits(certificate: &AnyCertificate, format: &str, limits: Limits) -> Result<(), Refusal> {
    let (board, steps) = (certificate.board(), certificate.steps());
    limits.draws(Some(board), steps)?;
    let panels = matches!(certificate, AnyCertificate::Swap(_)) && format == "fen";
    let squares = if panels { board.area() } else { 0 };
    if squares.saturating_mul(steps as u64) > MOST_PANELS {
        let why = format!("{steps} positions of so large a board are too many for FEN");
        return Err(Refusal::new(RefusalKind::TooLarge, why));
    }
    Ok(())
}

fn answer(certificate: &AnyCertificate, format: &str) -> Result<Vec<u8>, Refusal> {
    fn solved<P: destrier_rules::Problem>(
        statement: &Statement<P>,
    ) -> Result<&Verified<P>, Refusal> {
        match statement {
            Statement::Solved(solved) => Ok(solved),
            Statement::Impossible { .. } => Err(Refusal::unfit(
                "format",
                "there is nothing to draw: an impossible problem comes as `json` only",
            )),
        }
    }
    match certificate {
        AnyCertificate::Tour(certificate) => tour(solved(certificate.statement())?, format),
        AnyCertificate::Capture(certificate) => capture(solved(certificate.statement())?, format),
        AnyCertificate::Swap(certificate) => swap(solved(certificate.statement())?, format),
        _ => Err(Refusal::unfit(
            "certificate",
            "this program does not know this kind of certificate",
        )),
    }
}

/// A picture that cannot be drawn.
pub(crate) fn undrawn(error: RenderError) -> Refusal {
    match &error {
        RenderError::TooLarge { format, size, most } => Refusal::unfit(
            "format",
            format!("a {format} of {size} would be too large; the limit is {most} squares"),
        ),
        _ => Refusal::unfit("format", error),
    }
}

fn tour(tour: &Verified<TourProblem>, format: &str) -> Result<Vec<u8>, Refusal> {
    Ok(match format {
        #[cfg(feature = "raster")]
        "png" => render::png(&Scene::of_tour(tour)).map_err(undrawn)?,
        #[cfg(feature = "raster")]
        "gif" => render::gif(&Scene::of_tour(tour)).map_err(undrawn)?,
        "svg" => render::svg(&Scene::of_tour(tour)).map_err(undrawn)?.into_bytes(),
        "csv" => render::tour_csv(tour).into_bytes(),
        "fen" => (Setup::empty(tour.problem().board.clone()).fen() + "\n").into_bytes(),
        _ => (tour.solution().to_string() + "\n").into_bytes(),
    })
}

fn capture(plan: &Verified<CaptureProblem>, format: &str) -> Result<Vec<u8>, Refusal> {
    Ok(match format {
        #[cfg(feature = "raster")]
        "png" => render::png(&Scene::of_capture(plan)).map_err(undrawn)?,
        #[cfg(feature = "raster")]
        "gif" => render::gif(&Scene::of_capture(plan)).map_err(undrawn)?,
        "svg" => render::svg(&Scene::of_capture(plan)).map_err(undrawn)?.into_bytes(),
        "csv" => render::capture_csv(plan).into_bytes(),
        "fen" => (Puzzle::fen(plan.problem()) + "\n").into_bytes(),
        _ => (render::capture_list(plan) + "\n").into_bytes(),
    })
}

fn swap(plan: &Verified<SwapProblem>, format: &str) -> Result<Vec<u8>, Refusal> {
    Ok(match format {
        #[cfg(feature = "raster")]
        "png" => render::swap_png(plan).map_err(undrawn)?,
        #[cfg(feature = "raster")]
        "gif" => render::swap_gif(plan).map_err(undrawn)?,
        "svg" => render::swap_svg(plan).map_err(undrawn)?.into_bytes(),
        "csv" => render::swap_csv(plan).into_bytes(),
        "fen" => render::swap_fens(plan).into_bytes(),
        _ => (plan.solution().to_string() + "\n").into_bytes(),
    })
}

/// A search that was watched: a film.
fn search(trace: &Value, format: &str, limits: Limits) -> Result<Vec<u8>, Refusal> {
    match format {
        #[cfg(feature = "raster")]
        "gif" => crate::film::gif(trace, limits),
        _ => Err(Refusal::unfit("format", "the film of a search comes as `gif`")),
    }
}

/// A tour too long to be listed, which `question` asks for, as a film.
#[cfg_attr(not(feature = "raster"), expect(unused_variables))]
fn long_tour(asked: Value, format: &str, windows: &Windows) -> Result<Vec<u8>, Refusal> {
    match format {
        #[cfg(feature = "raster")]
        "gif" => windows.film(asked),
        _ => Err(Refusal::unfit("format", "a tour too long to list comes as `gif`")),
    }
}

/// Numbers by start: a heat map, a table, or as they are.
fn numbers(value: &Value, format: &str, limits: Limits) -> Result<Vec<u8>, Refusal> {
    let unfit = |why: &str| Refusal::unfit("certificate", why);
    let question: TourProblem =
        bounded::part(value, "question").map_err(|error| Refusal::unfit("certificate", error))?;
    limits.draws(Some(&question.board), 0)?;
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
    let map = NumberMap {
        title: by_start_title(&question).to_string(),
        board: &question.board,
        numbers: &numbers,
    };
    Ok(match format {
        "svg" => map.svg().map_err(undrawn)?.into_bytes(),
        #[cfg(feature = "raster")]
        "png" => map.png().map_err(undrawn)?,
        "csv" => format!("square,directed\n{}", by_start_rows(&numbers, ',')).into_bytes(),
        "json" => (value.to_string() + "\n").into_bytes(),
        _ => {
            return Err(Refusal::unfit(
                "format",
                "counts by start come as `csv`, `svg`, `png` or `json`",
            ));
        }
    })
}
