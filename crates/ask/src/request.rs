//! From the JSON of a request to a question that can be worked on.
//!
//! Fields are named as the options of the command line, and read by the same functions, so that a mistake gets the
//! same line there and here. A field that a kind of question does not have is refused: a misspelt one would
//! otherwise be ignored in silence.
//!
//! Invariant: what comes out has been validated, and is within the limits of the carrier.

use destrier::{
    BbDfs, BestFirst, CaptureMethod, CountMethod, Method, Parallel, SwapMethod, TourMethod,
};
use destrier_rules::{
    Board, Coordinates, Leaper, Metric, Problem as _, Shape, Square, SwapProblem, Tour,
    TourProblem, Word, WordError, Wrap, parse_squares,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::bounded;
use crate::limits::Limits;
use crate::question::{
    Bounds, CaptureQuestion, CountQuestion, Pick, Question, SwapQuestion, TourQuestion,
};
use crate::refusal::{Refusal, RefusalKind};
use crate::words::{self, Misread, PRESETS, Preset, Sentence, Series};

/// A request that was read: what to work on, within which bounds, and its JSON.
#[derive(Debug)]
pub struct Request {
    /// The question.
    pub question: Question,
    /// Its limits.
    pub bounds: Bounds,
    /// The request as it came, for the report.
    pub echo: Value,
}

impl Request {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// When it is not JSON, or no question that this carrier accepts.
    pub fn read(body: &[u8], limits: Limits) -> Result<Request, Refusal> {
        let echo = json_of(body, limits)?;
        let fields = Fields::of(echo.clone(), limits)?;
        Ok(Request { bounds: fields.bounds()?, question: fields.question()?, echo })
    }
}

fn json_of(body: &[u8], limits: Limits) -> Result<Value, Refusal> {
    if body.len() > limits.question {
        let why = format!("a question has at most {} bytes here", limits.question);
        return Err(Refusal::new(RefusalKind::TooLarge, why));
    }
    bounded::read(body, limits.json, |error| {
        Refusal::malformed(format!("the question is not JSON: {error}"))
    })
}

/// Tours that are listed at a time.
const MOST_TOURS: usize = 100;

const SHARED: &[&str] = &["kind", "method", "time_limit", "node_limit", "threads", "seed"];
const BOARD: &[&str] = &["board", "holes", "wrap", "leaper", "closed", "from", "to", "symmetry"];
const TOUR: &[&str] = &["backtrack", "trace", "random", "number", "tours", "tour"];
const COUNT: &[&str] = &["shape", "by_start", "classes", "series", "recurrence", "estimate"];
const CAPTURE: &[&str] = &["puzzle", "parallel", "trace"];
const SWAP: &[&str] = &[
    "board",
    "holes",
    "wrap",
    "preset",
    "rows",
    "start",
    "goal",
    "from",
    "to",
    "labelled",
    "alternate",
    "metric",
    "peaceful",
    "move_limit",
    "trace",
];

/// The fields of a request.
#[derive(Debug)]
pub struct Fields {
    values: Map<String, Value>,
    limits: Limits,
}

impl Fields {
    /// Reads the body of a request.
    pub(crate) fn read(body: &[u8], limits: Limits) -> Result<Fields, Refusal> {
        Fields::of(json_of(body, limits)?, limits)
    }

    /// The fields of an object; one that is null counts as missing.
    ///
    /// # Errors
    /// When it is no object.
    pub fn of(value: Value, limits: Limits) -> Result<Fields, Refusal> {
        let Value::Object(mut values) = value else {
            return Err(Refusal::malformed("a question is an object with a `kind`, like `tour`"));
        };
        values.retain(|_, value| !value.is_null());
        Ok(Fields { values, limits })
    }

    /// The value of a field, if it is there.
    ///
    /// # Errors
    /// When it is not of this type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Refusal> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        let read = T::deserialize(value);
        read.map(Some).map_err(|error| Refusal::unfit(name, format!("`{name}`: {error}")))
    }

    /// The value of a field that must be there.
    ///
    /// # Errors
    /// When it is missing, or not of this type.
    pub fn need<T: DeserializeOwned>(&self, name: &str) -> Result<T, Refusal> {
        self.get(name)?.ok_or_else(|| Refusal::unfit(name, format!("`{name}` is missing")))
    }

    /// Takes a field out, so that the rest is a question of its own.
    ///
    /// # Errors
    /// When it is not of this type.
    pub fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, Refusal> {
        let value = self.get(name);
        self.values.remove(name);
        value
    }

    fn flag(&self, name: &str) -> Result<bool, Refusal> {
        Ok(self.get(name)?.unwrap_or(false))
    }

    fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        self.get(name)
    }

    /// One of the words of a question.
    fn word<W: Word>(&self, name: &str) -> Result<Option<W>, Refusal> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        text.parse().map(Some).map_err(|error| wrong_word(name, &error))
    }

    /// One of some values that have a name here.
    fn choice<T: Copy>(
        &self,
        name: &str,
        table: &[(&'static str, T)],
    ) -> Result<Option<T>, Refusal> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let found = table.iter().find(|(word, _)| *word == text);
        found.map(|&(_, value)| Some(value)).ok_or_else(|| {
            wrong_word(name, &WordError::new(&text, table.iter().map(|&(word, _)| word)))
        })
    }

    /// Refuses fields that a question of this kind does not have.
    fn only(&self, kind: &str, known: &[&[&str]]) -> Result<(), Refusal> {
        let is_known =
            |name: &str| SHARED.contains(&name) || known.iter().any(|list| list.contains(&name));
        match self.values.keys().find(|name| !is_known(name)) {
            None => Ok(()),
            Some(name) => {
                Err(Refusal::unfit(name, format!("a question of kind `{kind}` has no `{name}`")))
            }
        }
    }

    /// Is this field given, and not as `false`?
    fn gives(&self, name: &str) -> bool {
        self.values.get(name).is_some_and(|value| *value != false)
    }

    /// Refuses a field beside others that say something else.
    fn apart(&self, name: &str, others: &[&str]) -> Result<(), Refusal> {
        let other = others.iter().find(|other| self.gives(name) && self.gives(other));
        other.map_or(Ok(()), |other| {
            let dashed = |name: &str| name.replace('_', "-");
            let why = format!("--{} cannot be used with --{}", dashed(name), dashed(other));
            Err(Refusal::unfit(name, why).keyed(Sentence::of("refused.conflict")))
        })
    }

    /// The limits that come with the question.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn bounds(&self) -> Result<Bounds, Refusal> {
        let time = self.text("time_limit")?.map(|text| words::time(&text)).transpose();
        Ok(Bounds {
            time: time.map_err(|error| Refusal::from(error).in_field("time_limit"))?,
            nodes: self.get("node_limit")?,
            threads: self.get("threads")?,
            seed: self.get("seed")?.unwrap_or(0),
        })
    }

    fn method<M: Method>(&self) -> Result<M, Refusal> {
        Ok(self.text("method")?.map_or_else(|| Ok(M::default()), |name| M::named(&name))?)
    }

    /// The question.
    ///
    /// # Errors
    /// When it cannot be read, makes no sense, or is beyond the limits.
    pub fn question(self) -> Result<Question, Refusal> {
        let kind: String = self.need("kind")?;
        match kind.as_str() {
            "hint" => self.hint(),
            "compare" => Ok(Question::Compare(self)),
            _ => self.of_kind(&kind),
        }
    }

    /// The question of this kind.
    ///
    /// # Errors
    /// As [`Fields::question`].
    pub fn of_kind(&self, kind: &str) -> Result<Question, Refusal> {
        Ok(match kind {
            "tour" => {
                self.only(kind, &[BOARD, TOUR])?;
                Question::Tour(self.tour()?)
            }
            "count" => {
                self.only(kind, &[BOARD, COUNT])?;
                self.count()?
            }
            "capture" => {
                self.only(kind, &[CAPTURE])?;
                Question::Capture(self.capture()?)
            }
            "swap" => {
                self.only(kind, &[SWAP])?;
                Question::Swap(self.swap()?)
            }
            _ => {
                let why = format!(
                    "there is no kind `{kind}`; there are tour, count, capture, swap, hint, compare"
                );
                return Err(Refusal::unfit("kind", why));
            }
        })
    }

    fn hint(mut self) -> Result<Question, Refusal> {
        let of: String = self.need("of")?;
        self.values.remove("of");
        if !["tour", "capture", "swap"].contains(&of.as_str()) {
            let why = format!("there are no hints for `{of}`; there are for tour, capture, swap");
            return Err(Refusal::unfit("of", why));
        }
        let played: Vec<String> = self.take("played")?.unwrap_or_default();
        let most = self.limits.listed;
        if played.len() as u64 > most {
            let why = format!("{} moves are too many: {most} at most here", played.len());
            return Err(Refusal::unfit("played", why));
        }
        let of = self.of_kind(&of)?;
        if matches!(&of, Question::Tour(tour) if tour.by_window) {
            let why = format!("hints are for boards of at most {} squares", self.limits.listed);
            return Err(Refusal::unfit("board", why));
        }
        Ok(Question::Hint { of: Box::new(of), played })
    }

    fn board(&self) -> Result<Board, Refusal> {
        let text: String = self
            .text("board")?
            .ok_or_else(|| Refusal::unfit("board", "a board is missing, like `8x8`"))?;
        let board =
            words::board(text.trim()).map_err(|error| Refusal::from(error).in_field("board"))?;
        self.shaped(board)
    }

    /// The same board with its holes and its edges joined.
    fn shaped(&self, board: Board) -> Result<Board, Refusal> {
        let holes = self.squares("holes")?.unwrap_or_default();
        let outside = holes.iter().find(|&&hole| !board.covers(hole)).copied();
        let board = board.without(holes).map_err(|error| {
            let refusal = Refusal::from(Misread::of("holes")(&error));
            outside.map_or(refusal.clone(), |square| refusal.on(square))
        })?;
        Ok(board.wrapped(self.word("wrap")?.unwrap_or(Wrap::None)))
    }

    /// Squares, as a line of text or as a list.
    fn squares(&self, name: &'static str) -> Result<Option<Vec<Square>>, Refusal> {
        let squares = match self.values.get(name) {
            None => return Ok(None),
            Some(Value::String(text)) => parse_squares(text, Coordinates::Zero),
            Some(_) => {
                let words: Vec<String> = self.need(name)?;
                words.iter().map(|word| Square::read(word, Coordinates::Zero)).collect()
            }
        };
        squares.map(Some).map_err(|error| Misread::of(name)(&error).into())
    }

    fn leaper(&self) -> Result<Leaper, Refusal> {
        let legs = self.text("leaper")?;
        legs.map_or(Ok(Leaper::KNIGHT), |legs| {
            legs.parse().map_err(|error| {
                Refusal::from(Misread::of("leaper")(&error)).keyed(Sentence::of("refused.leaper"))
            })
        })
    }

    fn end(&self, name: &'static str) -> Result<Option<Square>, Refusal> {
        let square =
            self.text(name)?.map(|text| Square::read(&text, Coordinates::Zero)).transpose();
        square.map_err(|error| {
            let given = self.values.get(name).cloned().unwrap_or_default();
            Refusal::from(Misread::of(name)(&error))
                .keyed(Sentence::of("refused.square").with("square", given))
        })
    }

    /// The question of a tour, with no limit on its board.
    pub(crate) fn tour_problem(&self) -> Result<TourProblem, Refusal> {
        let problem = TourProblem {
            shape: if self.flag("closed")? { Shape::Closed } else { Shape::Open },
            start: self.end("from")?,
            end: self.end("to")?,
            symmetry: self.word("symmetry")?,
            leaper: self.leaper()?,
            board: self.board()?,
        };
        problem.validate()?;
        Ok(problem)
    }

    fn tour(&self) -> Result<TourQuestion, Refusal> {
        let problem = self.tour_problem()?;
        let mut method: TourMethod = self.method()?;
        let (backtrack, trace) = (self.flag("backtrack")?, self.flag("trace")?);
        if backtrack {
            let TourMethod::Warnsdorff(walk) = method else {
                let why = "--backtrack is for --method warnsdorff, pohl, roth";
                return Err(
                    Refusal::unfit("backtrack", why).keyed(Sentence::of("refused.backtrack"))
                );
            };
            method = TourMethod::Warnsdorff(walk.backtracking());
        }
        let by_window = problem.board.area() > self.limits.listed;
        let planned = matches!(method, TourMethod::Auto | TourMethod::Compose) && !trace;
        if by_window && !(planned && problem.is_classic()) {
            let why = format!(
                "a tour of {} is too long to list: {} squares at most, except for a knight on a plain rectangle by \
                 method auto or compose",
                problem.board, self.limits.listed
            );
            let told = Sentence::of("refused.too_long").with("most", self.limits.listed);
            return Err(Refusal::unfit("board", why).keyed(told));
        }
        let pick = self.pick()?;
        if pick.is_some() && (by_window || trace || method != TourMethod::Auto) {
            let why =
                "a tour by number has no method, no trace, and a board whose tours are listed";
            return Err(Refusal::unfit("number", why).keyed(Sentence::of("refused.pick")));
        }
        Ok(TourQuestion { problem, method, trace, by_window, pick })
    }

    /// Which of all tours is asked for: one at random, those from a number on, or the one that is given.
    fn pick(&self) -> Result<Option<Pick>, Refusal> {
        let random = self.flag("random")?.then_some(Pick::Random(self.get("seed")?.unwrap_or(0)));
        let tours: Option<usize> = self.get("tours")?;
        let number = self.text("number")?.map(|digits| {
            let number = digits.parse().ok().filter(|_| !digits.starts_with('+'));
            let why = || format!("`{digits}` is not a number of a tour; they are numbered from 0");
            number.map(|first| Pick::Number { first, tours: tours.unwrap_or(1) }).ok_or_else(|| {
                Refusal::unfit("number", why())
                    .keyed(Sentence::of("refused.number").with("number", &digits))
            })
        });
        let given = self.squares("tour")?.map(|squares| Pick::Of(Tour(squares)));
        let mut picks = [random, number.transpose()?, given].into_iter().flatten();
        let (pick, other) = (picks.next(), picks.next());
        let conflict = if other.is_some() {
            Some(("number", "a tour is drawn at random, has a number or is given, one of these"))
        } else if tours.is_some() && !matches!(pick, Some(Pick::Number { .. })) {
            Some(("tours", "tours are listed from a number on: give `number`, too"))
        } else {
            None
        };
        if let Some((field, why)) = conflict {
            return Err(Refusal::unfit(field, why).keyed(Sentence::of("refused.conflict")));
        }
        if let Some(tours) = tours.filter(|tours| !(1..=MOST_TOURS).contains(tours)) {
            let why = format!("{tours} tours cannot be listed at a time; 1 to {MOST_TOURS} can");
            return Err(Refusal::unfit("tours", why));
        }
        Ok(pick)
    }

    fn count(&self) -> Result<Question, Refusal> {
        let shapes: [(&'static str, &'static [Shape]); 3] = [
            ("closed", &[Shape::Closed]),
            ("open", &[Shape::Open]),
            ("both", &[Shape::Closed, Shape::Open]),
        ];
        let closed = self.flag("closed")?;
        let both = || if closed { shapes[0].1 } else { shapes[2].1 };
        let shapes = self.choice("shape", &shapes)?.unwrap_or_else(both);
        if let Some(range) = self.text("series")? {
            if let Some(other) = ["board", "holes", "wrap", "from", "to", "symmetry"]
                .iter()
                .find(|name| self.values.contains_key(**name))
            {
                return Err(Refusal::unfit(other, "a series is of plain boards"));
            }
            self.apart("series", &["classes", "by_start", "estimate"])?;
            let method: CountMethod = self.method()?;
            if !matches!(method, CountMethod::Auto | CountMethod::Transfer) {
                let why = format!("--series cannot be used with --method {}", method.name());
                return Err(Refusal::unfit("method", why).keyed(Sentence::of("refused.conflict")));
            }
            let shape = if shapes == [Shape::Closed] { Shape::Closed } else { Shape::Open };
            let series = Series::read(&range, shape, self.leaper()?)
                .map_err(|error| Refusal::from(error).in_field("series"))?;
            let most = self.limits.series;
            if series.last > most {
                let why = format!(
                    "a series ends at length {most} at most here; the command has no such limit"
                );
                let told = Sentence::of("refused.series_long").with("most", most);
                return Err(Refusal::unfit("series", why).keyed(told));
            }
            let recurrence = self.get("recurrence")?.unwrap_or(300).min(most);
            return Ok(Question::Series { series, recurrence });
        }
        let ask = CountQuestion {
            problem: self.tour_problem()?,
            shapes,
            by_start: self.flag("by_start")?,
            classes: self.flag("classes")?,
            estimate: self.flag("estimate")?,
            method: self.method()?,
        };
        self.apart("classes", &["from", "to", "by_start"])?;
        self.apart("by_start", &["from", "symmetry"])?;
        self.apart("estimate", &["classes", "by_start"])?;
        if self.gives("recurrence") {
            return Err(Refusal::unfit("recurrence", "--recurrence is for --series"));
        }
        let most = if ask.by_start { self.limits.by_start } else { self.limits.listed };
        if ask.problem.board.area() > most {
            let why = format!("{} is too large: {most} squares at most here", ask.problem.board);
            return Err(Refusal::unfit("board", why)
                .keyed(Sentence::of("refused.too_large").with("most", most)));
        }
        Ok(Question::Count(ask))
    }

    fn capture(&self) -> Result<CaptureQuestion, Refusal> {
        let text: String = self.need("puzzle")?;
        let puzzle =
            words::puzzle(&text).map_err(|error| Refusal::from(error).in_field("puzzle"))?;
        puzzle.problem.validate().map_err(|error| Refusal::from(error).in_field("puzzle"))?;
        let (area, pieces) = (puzzle.problem.board.area(), puzzle.problem.targets.len());
        let Limits { listed, pieces: most, .. } = self.limits;
        if area > listed || pieces > most {
            let why = format!(
                "{} with {pieces} pieces is too large: {listed} squares and {most} pieces at most here",
                puzzle.problem.board
            );
            let told = Sentence::of("refused.puzzle_large").with("most", listed);
            return Err(Refusal::unfit("puzzle", why).keyed(told.with("pieces", most)));
        }
        let mut method: CaptureMethod = self.method()?;
        let ways = [("none", Parallel::None), ("task", Parallel::Task), ("data", Parallel::Data)];
        let parallel = self.choice("parallel", &ways)?;
        if let CaptureMethod::BbDfs(search) = method {
            let parallel = parallel.unwrap_or(Parallel::None);
            method =
                CaptureMethod::BbDfs(BbDfs { parallel, upper_bound: puzzle.upper_bound, ..search });
        } else if parallel.is_some() {
            let refusal = Refusal::unfit("parallel", "--parallel is for --method bb-dfs");
            return Err(refusal.keyed(Sentence::of("refused.parallel")));
        }
        let trace = self.flag("trace")?;
        if trace && parallel.is_some_and(|way| way != Parallel::None) {
            let why = "a search is traced on one thread: leave `parallel` or `trace` out";
            return Err(Refusal::unfit("trace", why).keyed(Sentence::of("refused.conflict")));
        }
        Ok(CaptureQuestion { puzzle, method, trace })
    }

    fn swap(&self) -> Result<SwapQuestion, Refusal> {
        self.apart("board", &["preset", "start", "from", "goal", "to"])?;
        self.apart("start", &["from"])?;
        self.apart("goal", &["to"])?;
        let mut problem = match self.text("board")? {
            Some(size) => self.facing(&size)?,
            None => self.between()?,
        };
        problem.board = problem.board.wrapped(self.word("wrap")?.unwrap_or(Wrap::None));
        problem.rules.metric = self.word("metric")?.unwrap_or(Metric::Moves);
        problem.rules.alternate = self.word("alternate")?;
        problem.rules.peaceful = self.flag("peaceful")?;
        if self.flag("labelled")? {
            let labelled = words::labelled(&problem);
            (problem.start, problem.goal.knights) =
                labelled.map_err(|error| Refusal::from(error).in_field("labelled"))?;
        }
        let most = self.limits.listed;
        if problem.board.area() > most {
            let why = format!("{} is too large: {most} squares at most here", problem.board);
            let field = if self.values.contains_key("board") { "board" } else { "start" };
            return Err(Refusal::unfit(field, why)
                .keyed(Sentence::of("refused.too_large").with("most", most)));
        }
        problem.validate()?;
        let mut method: SwapMethod = self.method()?;
        match (method, self.get("move_limit")?) {
            (_, None) => {}
            (SwapMethod::BestFirst(_), Some(limit)) => {
                method = SwapMethod::BestFirst(BestFirst { limit });
            }
            (_, Some(_)) => {
                let why = "--move-limit is for --method best-first";
                return Err(Refusal::unfit("move_limit", why));
            }
        }
        Ok(SwapQuestion { problem, method, trace: self.flag("trace")? })
    }

    /// The top rows of a board against the bottom rows.
    fn facing(&self, size: &str) -> Result<SwapProblem, Refusal> {
        let board: Board = size
            .trim()
            .parse()
            .map_err(|error| Refusal::from(Misread::new(error)).in_field("board"))?;
        let rows = self.get("rows")?.unwrap_or(1);
        words::facing(&self.shaped(board)?, rows)
            .map_err(|error| Refusal::from(error).in_field("rows"))
    }

    fn between(&self) -> Result<SwapProblem, Refusal> {
        let either = |name: &str, other: &str| -> Result<Option<String>, Refusal> {
            Ok(self.text(name)?.or(self.text(other)?))
        };
        let (from, to) = (either("start", "from")?, either("goal", "to")?);
        let names: Vec<(&str, &'static Preset)> =
            PRESETS.iter().map(|preset| (preset.name, preset)).collect();
        let preset = self.choice("preset", &names)?;
        let problem = words::between(from.as_deref(), to.as_deref(), preset).map_err(|error| {
            let field = match error.option {
                Some("from") => "start",
                Some("to") => "goal",
                _ if from.is_none() && preset.is_none() => "start",
                _ => "goal",
            };
            Refusal::from(Misread { option: None, ..error.clone() }).in_field(field).worded(&error)
        })?;
        if let Some(name) = ["rows", "holes"].iter().find(|name| self.gives(name)) {
            let why = "--rows and --holes are for a board like 3x4; a FEN has its own";
            return Err(Refusal::unfit(name, why));
        }
        Ok(problem)
    }
}

/// The sentence that the command line has for the same mistake.
fn wrong_word(name: &str, error: &WordError) -> Refusal {
    let why = format!("--{}: {error}", name.replace('_', "-"));
    Refusal::unfit(name, why).keyed(Sentence::english(error))
}
