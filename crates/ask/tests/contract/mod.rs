//! The contract, as tests that any carrier of questions must pass: they are run by `destrier-ask` itself, by the server of
//! the page over HTTP, and by the engine as WebAssembly in Node.
#![expect(clippy::unwrap_used, reason = "a test may fail")]

use destrier::Method as _;
use destrier_ask::RefusalKind;
use serde_json::{Value, json};

/// What the carriers promise.
pub(crate) const CONTRACT: &str = include_str!("../../../web/openapi.json");

/// What brings a question and takes its answer back.
pub(crate) trait Carrier {
    /// Does it export pictures in pixels?
    const RASTER: bool;

    /// Asks, and waits until the job is over; a job that failed was refused.
    fn job(&self, question: &[u8]) -> Result<Value, Refused>;
    fn verify(&self, text: &[u8], board: Option<&str>) -> Result<Value, Refused>;
    fn export(&self, certificate: &Value, format: &str) -> Result<Exported, Refused>;
    fn window(&self, request: &Value) -> Result<Value, Refused>;
    fn steps(&self, request: &Value) -> Result<Value, Refused>;
    fn methods(&self) -> Value;
    fn presets(&self) -> Value;

    /// The job of a question that is not refused.
    fn answer(&self, question: &Value) -> Value {
        self.job(question.to_string().as_bytes()).unwrap()
    }

    /// The verdict on a certificate.
    fn verified(&self, certificate: &Value) -> Value {
        self.verify(certificate.to_string().as_bytes(), None).unwrap()
    }
}

/// A refusal: its kind and its object.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) kind: RefusalKind,
    pub(crate) told: Value,
}

impl Refused {
    fn error(&self) -> &str {
        self.told["error"].as_str().unwrap()
    }
}

/// A file.
#[derive(Debug)]
pub(crate) struct Exported {
    pub(crate) media_type: String,
    pub(crate) bytes: Vec<u8>,
}

impl Exported {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// A test for each sentence of the contract, with a carrier that this expression makes, if there can be one here.
macro_rules! hold_to_the_contract {
    ($carrier:expr) => {
        hold_to_the_contract!($carrier;
            the_questions_in_the_contract_are_answered,
            a_tour_comes_in_words_as_a_certificate_and_as_squares,
            impossible_is_an_answer_with_its_reason,
            counts_come_as_strings_of_digits,
            counts_by_start_come_as_a_grid_and_a_heat_map,
            a_series_comes_board_by_board_with_its_recurrence,
            a_capture_says_where_pieces_are_taken_and_that_no_plan_is_shorter,
            swaps_are_asked_by_name_by_rows_and_by_fen,
            wrong_questions_are_refused_with_their_field,
            a_wrong_question_gets_the_same_line_from_every_carrier,
            hints_are_true,
            a_game_led_by_hints_is_won,
            faults_are_reported_with_their_square_and_step,
            questions_are_read_from_files_of_every_kind,
            answers_are_exported_in_every_format_and_checked_first,
            a_tour_too_long_to_list_is_seen_through_windows,
            tables_are_those_of_the_library
        );
    };
    ($carrier:expr; $($name:ident),+) => {
        $(
            #[test]
            fn $name() {
                if let Some(carrier) = $carrier {
                    contract::$name(&carrier);
                }
            }
        )+
    };
}
pub(crate) use hold_to_the_contract;

pub(crate) fn the_questions_in_the_contract_are_answered(carrier: &impl Carrier) {
    let contract: Value = serde_json::from_str(CONTRACT).unwrap();
    let examples = contract["components"]["schemas"]["Question"]["examples"].as_array().unwrap();
    assert!(examples.len() >= 5);
    for example in examples {
        let job = carrier.answer(example);
        assert_eq!(job["state"], "done", "{job}");
        assert_eq!(job["outcome"], "solved", "{job}");
        assert!(!job["says"].as_str().unwrap().is_empty());
    }
}

pub(crate) fn a_tour_comes_in_words_as_a_certificate_and_as_squares(carrier: &impl Carrier) {
    let job =
        carrier.answer(&json!({ "kind": "tour", "board": "8x8", "closed": true, "from": "c3" }));
    assert_eq!(job["answer"]["squares"].as_array().unwrap().len(), 64);
    assert_eq!(job["answer"]["squares"][0], "c3");
    assert!(job["says"].as_str().unwrap().starts_with("closed tour of 8x8 from c3 to "), "{job}");
    let verdict = carrier.verified(&job["certificate"]);
    assert_eq!(verdict["valid"], true, "{verdict}");
    assert_eq!(verdict["answer"], job["answer"]);
    assert_eq!(verdict["question"]["from"], "c3");
}

pub(crate) fn impossible_is_an_answer_with_its_reason(carrier: &impl Carrier) {
    let job = carrier.answer(&json!({ "kind": "tour", "board": "5x5", "closed": true }));
    assert_eq!(job["outcome"], "impossible");
    assert!(job["says"].as_str().unwrap().starts_with("no closed tour of 5x5: "), "{job}");
    let verdict = carrier.verified(&job["certificate"]);
    assert_eq!(
        (&verdict["valid"], &verdict["outcome"]),
        (&json!(true), &json!("impossible")),
        "{verdict}"
    );
    let apart = carrier.answer(&json!({ "kind": "capture", "puzzle": "N1p/1p1/3" }));
    assert_eq!(apart["outcome"], "impossible", "{apart}");
    let stuck = carrier.answer(&json!({ "kind": "swap", "start": "Nn", "goal": "nN" }));
    assert_eq!(stuck["outcome"], "impossible", "{stuck}");
}

pub(crate) fn counts_come_as_strings_of_digits(carrier: &impl Carrier) {
    let job = carrier
        .answer(&json!({ "kind": "count", "board": "6x6", "shape": "closed", "classes": true }));
    let count = &job["answer"]["counts"][0];
    assert_eq!(
        (&count["undirected"], &count["directed"]),
        (&json!("9862"), &json!("19724")),
        "{job}"
    );
    assert_eq!(count["classes"], "1245");
    assert_eq!(job["certificate"][0]["undirected"], "9862");
    let job = carrier.answer(&json!({ "kind": "count", "board": "5x5" }));
    let counts = job["answer"]["counts"].as_array().unwrap();
    assert_eq!(counts.iter().map(|c| &c["undirected"]).collect::<Vec<_>>(), ["0", "864"], "{job}");
}

pub(crate) fn counts_by_start_come_as_a_grid_and_a_heat_map(carrier: &impl Carrier) {
    let question =
        json!({ "kind": "count", "board": "5x5", "shape": "open", "by_start": true, "holes": [] });
    let job = carrier.answer(&question);
    let grid = job["answer"]["grid"].as_array().unwrap();
    assert_eq!(grid[0], json!(["304", "0", "56", "0", "304"]), "{job}");
    assert_eq!(grid[2], json!(["56", "0", "64", "0", "56"]));
    let picture = carrier.export(&job["certificate"], "svg").unwrap();
    assert_eq!(picture.media_type, "image/svg+xml");
    assert!(picture.text().contains("304"));
    let table = carrier.export(&job["certificate"], "csv").unwrap().text();
    assert!(table.starts_with("square,directed\n") && table.contains("c3,64\n"), "{table}");
}

pub(crate) fn a_series_comes_board_by_board_with_its_recurrence(carrier: &impl Carrier) {
    let job = carrier.answer(&json!({ "kind": "count", "series": "3x8..12", "closed": true }));
    let terms = job["answer"]["terms"].as_array().unwrap();
    assert_eq!(terms.len(), 5);
    assert_eq!(
        (&terms[2]["board"], &terms[2]["undirected"]),
        (&json!("3x10"), &json!("16")),
        "{job}"
    );
    assert!(job["answer"]["recurrence"].as_str().unwrap().contains("order 42"), "{job}");
}

pub(crate) fn a_capture_says_where_pieces_are_taken_and_that_no_plan_is_shorter(
    carrier: &impl Carrier,
) {
    let job = carrier.answer(
        &json!({ "kind": "capture", "puzzle": "5 20\n00001\n00000\n00100\n00000\n30001\n" }),
    );
    let answer = &job["answer"];
    assert_eq!(
        (&answer["moves"], &answer["proved"], &answer["lower_bound"]),
        (&json!(8), &json!(true), &json!(8))
    );
    let squares = answer["squares"].as_array().unwrap();
    let taken: Vec<&Value> = answer["taken"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| &squares[usize::try_from(at.as_u64().unwrap()).unwrap()])
        .collect();
    assert_eq!(taken.len(), 3);
    assert!(["e5", "c3", "e1"].iter().all(|piece| taken.contains(&&json!(piece))), "{taken:?}");
    let best = carrier.answer(&json!({ "kind": "capture", "puzzle": "4p/5/2p2/5/N3p", "method": "bb-dfs", "parallel": "task", "threads": 2 }));
    assert_eq!(best["answer"]["moves"], 8, "{best}");
}

pub(crate) fn swaps_are_asked_by_name_by_rows_and_by_fen(carrier: &impl Carrier) {
    for (question, cost) in [
        (json!({ "kind": "swap", "preset": "guarini" }), 16),
        (json!({ "kind": "swap", "board": "3x4", "rows": 1 }), 16),
        (
            json!({ "kind": "swap", "start": "nnn/3/3/NNN", "goal": "NNN/3/3/nnn", "metric": "runs" }),
            8,
        ),
        (
            json!({ "kind": "swap", "preset": "guarini", "alternate": "white", "method": "naive" }),
            16,
        ),
    ] {
        let job = carrier.answer(&question);
        assert_eq!(
            (&job["answer"]["cost"], &job["answer"]["proved"]),
            (&json!(cost), &json!(true)),
            "{job}"
        );
        assert_eq!(carrier.verified(&job["certificate"])["valid"], true);
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn wrong_questions_are_refused_with_their_field(carrier: &impl Carrier) {
    use RefusalKind::{Malformed, Unfit};
    for (question, kind, field, error) in [
        (json!("8x8"), Malformed, "", "a question is an object"),
        (json!({ "board": "8x8" }), Unfit, "kind", "`kind` is missing"),
        (json!({ "kind": "dance" }), Unfit, "kind", "there is no kind `dance`"),
        (json!({ "kind": "tour" }), Unfit, "board", "a board is missing"),
        (json!({ "kind": "tour", "board": "0x8" }), Unfit, "board", "each side is 1 to"),
        (json!({ "kind": "tour", "board": 8 }), Unfit, "board", "`board`: invalid type"),
        (json!({ "kind": "tour", "board": "8x8", "bord": 1 }), Unfit, "bord", "has no `bord`"),
        (
            json!({ "kind": "tour", "board": "8x8", "from": "z9" }),
            Unfit,
            "from",
            "the start z9 is not on the 8x8 board",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "holes": ["i1"] }),
            Unfit,
            "holes",
            "--holes: the hole i1 is not on the 8x8 board",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "wrap": "z" }),
            Unfit,
            "wrap",
            "--wrap: there is no `z`; there are none, x, y, both",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "method": "magic" }),
            Unfit,
            "method",
            "there is no method `magic`",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "holes": ["c3"], "method": "compose" }),
            Unfit,
            "method",
            "compose does not support this",
        ),
        (
            json!({ "kind": "tour", "board": "8x7", "symmetry": "quarter-turn" }),
            Unfit,
            "symmetry",
            "has no",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "time_limit": "soon" }),
            Unfit,
            "time_limit",
            "`soon` is not a time",
        ),
        (
            json!({ "kind": "tour", "board": "300x300", "holes": ["a1"] }),
            Unfit,
            "board",
            "65536 squares at most",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "backtrack": true }),
            Unfit,
            "backtrack",
            "--backtrack is for",
        ),
        (json!({ "kind": "count", "series": "3x9..2" }), Unfit, "series", "is not a series"),
        (json!({ "kind": "count", "series": "3x1..99999" }), Unfit, "series", "2000"),
        (
            json!({ "kind": "count", "board": "5x5", "classes": true, "from": "a1" }),
            Unfit,
            "classes",
            "cannot be used with --from",
        ),
        (
            json!({ "kind": "capture", "puzzle": "2 4\n01\n3x\n" }),
            Unfit,
            "puzzle",
            "line 3, column 2 has `x`",
        ),
        (json!({ "kind": "capture", "puzzle": "3/3/3" }), Unfit, "puzzle", "there is no knight"),
        (
            json!({ "kind": "capture", "puzzle": "N1/2", "parallel": "task" }),
            Unfit,
            "parallel",
            "--parallel is for",
        ),
        (json!({ "kind": "swap" }), Unfit, "start", "there is no start"),
        (json!({ "kind": "swap", "start": "n2", "goal": "2N" }), Unfit, "goal", "the start has"),
        (
            json!({ "kind": "swap", "start": "n!2", "goal": "2N" }),
            Unfit,
            "start",
            "--from: row 1 of the FEN, column 2",
        ),
        (json!({ "kind": "swap", "board": "3x4", "rows": 3 }), Unfit, "rows", "do not fit 4 ranks"),
        (
            json!({ "kind": "swap", "board": "3x4", "preset": "guarini" }),
            Unfit,
            "board",
            "--board cannot be used with --preset",
        ),
        (
            json!({ "kind": "swap", "board": "3x4", "goal": "3/3/3/3" }),
            Unfit,
            "board",
            "--board cannot be used with --goal",
        ),
        (
            json!({ "kind": "count", "board": "5x5", "estimate": true, "by_start": true }),
            Unfit,
            "estimate",
            "--estimate cannot be used with --by-start",
        ),
        (
            json!({ "kind": "count", "series": "3x1..6", "estimate": true }),
            Unfit,
            "series",
            "--series cannot be used with --estimate",
        ),
        (
            json!({ "kind": "count", "board": "5x5", "recurrence": 5 }),
            Unfit,
            "recurrence",
            "--recurrence is for --series",
        ),
        (
            json!({ "kind": "hint", "of": "count", "board": "5x5" }),
            Unfit,
            "of",
            "there are no hints for `count`",
        ),
        (
            json!({ "kind": "hint", "of": "tour", "board": "5x5", "played": ["a1", "b4"] }),
            Unfit,
            "played",
            "step 2: a1 to b4",
        ),
        (
            json!({ "kind": "hint", "of": "swap", "preset": "guarini", "played": ["a1-b2"] }),
            Unfit,
            "played",
            "step 1: a1 to b2",
        ),
    ] {
        let refused = carrier.job(question.to_string().as_bytes()).unwrap_err();
        assert_eq!(refused.kind, kind, "{question} {refused:?}");
        assert!(refused.error().contains(error), "{question} {refused:?}");
        assert_eq!(refused.told["field"].as_str().unwrap_or(""), field, "{question} {refused:?}");
    }
    let broken = carrier.job(b"{\"kind\":").unwrap_err();
    assert_eq!(broken.kind, RefusalKind::Malformed);
    assert!(broken.error().contains("is not JSON"));
}

/// The command and the Python package are asked the same questions, by tests of their own.
pub(crate) fn a_wrong_question_gets_the_same_line_from_every_carrier(carrier: &impl Carrier) {
    let wrong: Vec<Value> = serde_json::from_str(include_str!("../wrong.json")).unwrap();
    assert!(wrong.len() >= 20);
    for case in wrong {
        let refused = carrier.job(case["question"].to_string().as_bytes());
        assert_eq!(refused.unwrap_err().error(), case["says"], "{case}");
    }
}

pub(crate) fn hints_are_true(carrier: &impl Carrier) {
    let hint = |question: Value| carrier.answer(&question)["answer"].clone();
    let yes = hint(json!({ "kind": "hint", "of": "tour", "board": "5x5", "played": ["a1", "b3"] }));
    assert_eq!(yes["can_finish"], true, "{yes}");
    // The middle of the last rank is of the colour that has one square less.
    let no = hint(json!({ "kind": "hint", "of": "tour", "board": "5x5", "played": ["b1"] }));
    assert_eq!(no["can_finish"], false, "{no}");
    // A corner whose neighbours are both gone cannot be passed any more.
    let cut = hint(
        json!({ "kind": "hint", "of": "tour", "board": "6x6", "closed": true, "played": ["b3", "d4", "c2", "e3"] }),
    );
    assert_eq!(cut["can_finish"], false, "{cut}");
    let total = hint(
        json!({ "kind": "hint", "of": "capture", "puzzle": "4p/5/2p2/5/N3p", "played": ["a1", "b3"] }),
    );
    assert_eq!((&total["best_total"], &total["optimal"]), (&json!(10), &json!(true)), "{total}");
    // Two squares are joined by a jump, and the goal is neither.
    let stuck = hint(
        json!({ "kind": "hint", "of": "swap", "start": "n2/3", "goal": "3/n2", "played": ["a2-c1"] }),
    );
    assert_eq!(stuck["can_finish"], false, "{stuck}");
    let back = hint(
        json!({ "kind": "hint", "of": "swap", "preset": "guarini", "played": ["a1-b3", "b3-a1"] }),
    );
    assert_eq!((&back["can_finish"], &back["best_total"]), (&json!(true), &json!(18)), "{back}");
}

pub(crate) fn a_game_led_by_hints_is_won(carrier: &impl Carrier) {
    let mut played = vec!["c3".to_owned()];
    while played.len() < 25 {
        let hint = carrier
            .answer(&json!({ "kind": "hint", "of": "tour", "board": "5x5", "played": played }));
        assert_eq!(hint["answer"]["can_finish"], true, "{hint}");
        played.push(hint["answer"]["next"].as_str().unwrap().to_owned());
    }
    let end =
        carrier.answer(&json!({ "kind": "hint", "of": "tour", "board": "5x5", "played": played }));
    assert_eq!(end["answer"]["finished"], true, "{end}");
    assert_eq!(carrier.verify(played.join(" ").as_bytes(), None).unwrap()["valid"], true);
}

pub(crate) fn faults_are_reported_with_their_square_and_step(carrier: &impl Carrier) {
    let verdict = |text: &str| carrier.verify(text.as_bytes(), Some("5x5")).unwrap();
    let mut tour =
        carrier.answer(&json!({ "kind": "tour", "board": "5x5" }))["certificate"].clone();
    tour["solution"][7] = tour["solution"][3].clone();
    let wrong = verdict(&tour.to_string());
    assert_eq!(wrong["valid"], false);
    assert_eq!(wrong["fault"]["step"], 8, "{wrong}");
    assert_eq!(wrong["fault"]["square"], tour["solution"][7]);
    assert_eq!(wrong["attempt"]["squares"], tour["solution"]);
    let wrong = verdict("{\"destrier\": 1, }");
    assert_eq!(wrong["fault"]["line"], 1, "{wrong}");
    for text in
        ["", "a1 zz", "a1-b3", "hello", "1 2 3\n4 5", "{}", "{\"destrier\":1,\"kind\":\"dance\"}"]
    {
        let wrong = verdict(text);
        assert_eq!(wrong["valid"], false, "{text}: {wrong}");
        assert!(!wrong["fault"]["message"].as_str().unwrap().is_empty());
    }
    let not_text = carrier.verify(b"a1 b3\n\xff\xfe", None).unwrap_err();
    assert_eq!(not_text.kind, RefusalKind::Malformed);
    assert!(not_text.error().contains("line 2 is not UTF-8"));
}

pub(crate) fn questions_are_read_from_files_of_every_kind(carrier: &impl Carrier) {
    for (text, kind, says) in [
        ("3 8\r\n001\r\n000\r\n301\r\n", "puzzle", "2 pieces on 3x3"),
        ("4p/5/2p2/5/N3p", "puzzle", "3 pieces on 5x5"),
        ("n1n/3/N1N", "position", "4 knights on 3x3"),
        ("5/2#2/5", "board", "5x3 less 1 hole"),
        ("...\n.#.\n...\n", "board", "3x3 less 1 hole"),
        ("8x8", "board", "8x8"),
        ("{\"kind\":\"tour\",\"board\":\"8x8\"}", "question", "tour"),
        ("a1 c2 e1*", "capture", "capture of 1 piece on 5x2 from a1 in 2 moves"),
    ] {
        let verdict = carrier.verify(text.as_bytes(), None).unwrap();
        assert_eq!(verdict["valid"], true, "{text}: {verdict}");
        assert_eq!(verdict["kind"], kind, "{text}: {verdict}");
        assert!(verdict["says"].as_str().unwrap().contains(says), "{text}: {verdict}");
        let mut question = verdict["question"].clone();
        if kind == "position" {
            question["goal"] = json!("N1N/3/n1n");
        }
        assert_eq!(carrier.answer(&question)["state"], "done", "{text}: {question}");
    }
    let grid = "1 4 7 10\n12 9 2 5\n3 6 11 8\n";
    let verdict = carrier.verify(grid.as_bytes(), None).unwrap();
    assert_eq!((&verdict["valid"], &verdict["kind"]), (&json!(true), &json!("tour")), "{verdict}");
}

pub(crate) fn answers_are_exported_in_every_format_and_checked_first<C: Carrier>(carrier: &C) {
    for (question, list) in [
        (json!({ "kind": "tour", "board": "5x6" }), "a1 "),
        (json!({ "kind": "capture", "puzzle": "4p/5/2p2/5/N3p" }), "a1 "),
        (json!({ "kind": "swap", "preset": "guarini" }), "-"),
    ] {
        let certificate = carrier.answer(&question)["certificate"].clone();
        for (format, media_type, start) in [
            ("svg", "image/svg+xml", &b"<svg"[..]),
            ("png", "image/png", b"\x89PNG"),
            ("gif", "image/gif", b"GIF89a"),
            ("json", "application/json", b"{\"destrier\":1,"),
            ("csv", "text/csv; charset=utf-8", b""),
            ("fen", "text/plain; charset=utf-8", b""),
            ("list", "text/plain; charset=utf-8", b""),
        ] {
            let exported = carrier.export(&certificate, format);
            if !C::RASTER && ["png", "gif"].contains(&format) {
                assert_eq!(exported.unwrap_err().kind, RefusalKind::Unfit);
                continue;
            }
            let file = exported.unwrap();
            assert_eq!(file.media_type, media_type);
            assert!(file.bytes.starts_with(start), "{format}");
            if format == "list" {
                assert!(file.text().contains(list));
            }
        }
        let mut spoilt = certificate.clone();
        spoilt["solution"].as_array_mut().unwrap().pop();
        assert_eq!(carrier.export(&spoilt, "svg").unwrap_err().kind, RefusalKind::Unfit);
        assert_eq!(carrier.export(&certificate, "bmp").unwrap_err().kind, RefusalKind::Unfit);
    }
}

pub(crate) fn a_tour_too_long_to_list_is_seen_through_windows<C: Carrier>(carrier: &C) {
    let question = json!({ "kind": "tour", "board": "2000x2000", "closed": true });
    let job = carrier.answer(&question);
    assert_eq!(
        (&job["answer"]["access"], &job["answer"]["length"]),
        (&json!("window"), &json!(4_000_000))
    );
    let window = json!({ "question": question, "file": 1990, "rank": 7, "files": 64, "ranks": 3 });
    let seen = carrier.window(&window).unwrap();
    let rows = seen["rows"].as_array().unwrap();
    assert_eq!((rows.len(), rows[0].as_array().unwrap().len()), (3, 10), "clipped to the board");
    let step = rows[2][9].as_u64().unwrap();
    let there =
        carrier.steps(&json!({ "question": question, "from_step": step, "count": 1 })).unwrap();
    let corner = destrier_rules::Square::new(1999, 9).to_string();
    assert_eq!(there["squares"], json!([corner]));
    let huge = json!({ "kind": "tour", "board": "1000000x1000000" });
    let last = carrier
        .steps(&json!({ "question": huge, "from_step": 999_999_999_999_u64, "count": 9 }))
        .unwrap();
    assert_eq!(last["squares"].as_array().unwrap().len(), 2);
    let long = json!({ "kind": "window", "question": huge });
    let film = carrier.export(&long, "gif");
    if C::RASTER {
        let film = film.unwrap();
        assert!(film.media_type == "image/gif" && film.bytes.starts_with(b"GIF89a"));
    }
    assert_eq!(carrier.export(&long, "list").unwrap_err().kind, RefusalKind::Unfit);
    let no_tour = json!({ "kind": "window", "question": { "board": "5x5", "closed": true } });
    assert_eq!(carrier.export(&no_tour, "gif").unwrap_err().kind, RefusalKind::Unfit);
    for (of_steps, question, error) in [
        (
            false,
            json!({ "question": question, "file": 0, "rank": 0, "files": 300, "ranks": 300 }),
            "65536",
        ),
        (
            false,
            json!({ "question": question, "file": 2000, "rank": 0, "files": 1, "ranks": 1 }),
            "not on the board",
        ),
        (
            false,
            json!({ "question": { "board": "9x9", "holes": ["a1"] }, "file": 0, "rank": 0, "files": 1, "ranks": 1 }),
            "whole rectangle",
        ),
        (
            false,
            json!({ "question": { "board": "5x5", "closed": true }, "file": 0, "rank": 0, "files": 1, "ranks": 1 }),
            "no closed tour",
        ),
        (false, json!({ "question": question, "rank": 0 }), "`file` is missing"),
        (true, json!({ "question": question, "from_step": 0, "count": 1 }), "there is no step 0"),
        (true, json!({ "question": question, "from_step": 1, "count": 70_000 }), "65536"),
    ] {
        let asked = if of_steps { carrier.steps(&question) } else { carrier.window(&question) };
        let refused = asked.unwrap_err();
        assert_eq!(refused.kind, RefusalKind::Unfit, "{question}");
        assert!(refused.error().contains(error), "{refused:?}");
    }
}

pub(crate) fn tables_are_those_of_the_library(carrier: &impl Carrier) {
    let methods = carrier.methods();
    let names: Vec<&str> = destrier::TourMethod::ALL.iter().map(|method| method.name()).collect();
    let told: Vec<&str> =
        methods["tour"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(told, names);
    for kind in ["tour", "count", "capture", "swap"] {
        assert!(
            methods[kind]
                .as_array()
                .unwrap()
                .iter()
                .all(|m| !m["about"].as_str().unwrap().is_empty())
        );
    }
    // Each method that says so can be watched, and each other one says that it cannot.
    for (kind, name, asked) in [
        ("tour", "board", "3x4"),
        ("capture", "puzzle", "4p/5/2p2/5/N3p"),
        ("swap", "preset", "guarini"),
    ] {
        for method in methods[kind].as_array().unwrap() {
            let question =
                json!({ "kind": kind, name: asked, "method": method["name"], "trace": true });
            let watched = carrier.job(question.to_string().as_bytes()).is_ok();
            assert_eq!(json!(watched), method["trace"], "{method}");
        }
    }
    let presets = carrier.presets();
    for swap in presets["swap"].as_array().unwrap() {
        let by_fen = json!({ "kind": "swap", "start": swap["start"], "goal": swap["goal"], "time_limit": "1ms" });
        assert_eq!(carrier.answer(&by_fen)["state"], "done", "{swap}");
    }
    for puzzle in presets["capture"].as_array().unwrap() {
        let job = carrier.answer(&json!({ "kind": "capture", "puzzle": puzzle["puzzle"] }));
        assert_eq!(
            (&job["outcome"], &job["answer"]["proved"]),
            (&json!("solved"), &json!(true)),
            "{puzzle} {job}"
        );
    }
}
