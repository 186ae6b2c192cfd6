//! Every route of the API: right answers, wrong questions, limits, strangers.

mod client;

use client::House;
use destrier_web::Limits;
use serde_json::{Value, json};

#[test]
fn the_contract_and_the_routes_name_the_same_paths() {
    let contract: Value = serde_json::from_str(include_str!("../openapi.json")).unwrap();
    let mut told: Vec<&str> =
        contract["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let source = include_str!("../src/routes.rs");
    let mut routed: Vec<&str> =
        source.split(".route(").skip(1).map(|rest| rest.split('"').nth(1).unwrap()).collect();
    told.sort_unstable();
    routed.sort_unstable();
    assert_eq!(told, routed);
    let house = House::open();
    for (path, item) in contract["paths"].as_object().unwrap() {
        for method in ["get", "post", "delete", "put", "patch"] {
            let reply = house.ask(&method.to_uppercase(), &path.replace("{job}", "0"), &[], b"");
            let is_told = item.get(method).is_some();
            assert_eq!(reply.status != 405, is_told, "{method} {path}: {}", reply.status);
            if is_told {
                let status = reply.status.to_string();
                let known = &item[method]["responses"];
                assert!(
                    known.get(&status).is_some(),
                    "{method} {path} answered {status}, which is not told"
                );
            }
        }
    }
}

#[test]
fn every_reference_of_the_contract_leads_somewhere() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        Value::String(to) if key == "$ref" => found.push(to.clone()),
                        _ => references(value, found),
                    }
                }
            }
            Value::Array(list) => list.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let contract: Value = serde_json::from_str(include_str!("../openapi.json")).unwrap();
    let mut found = Vec::new();
    references(&contract, &mut found);
    assert!(found.len() > 20);
    for to in found {
        assert!(contract.pointer(to.trim_start_matches('#')).is_some(), "{to}");
    }
}

#[test]
fn the_questions_in_the_contract_are_answered() {
    let house = House::open();
    let contract = house.get("/api/openapi.json").json();
    let examples = contract["components"]["schemas"]["Question"]["examples"].as_array().unwrap();
    assert!(examples.len() >= 5);
    for example in examples {
        let job = house.answer(example);
        assert_eq!(job["state"], "done", "{job}");
        assert_eq!(job["outcome"], "solved", "{job}");
        assert!(!job["says"].as_str().unwrap().is_empty());
    }
}

#[test]
fn a_tour_comes_in_words_as_a_certificate_and_as_squares() {
    let house = House::open();
    let job =
        house.answer(&json!({ "kind": "tour", "board": "8x8", "closed": true, "from": "c3" }));
    assert_eq!(job["answer"]["squares"].as_array().unwrap().len(), 64);
    assert_eq!(job["answer"]["squares"][0], "c3");
    assert!(job["says"].as_str().unwrap().starts_with("closed tour of 8x8 from c3 to "), "{job}");
    let verdict = house.post("/api/verify", &job["certificate"]).json();
    assert_eq!(verdict["valid"], true, "{verdict}");
    assert_eq!(verdict["answer"], job["answer"]);
    assert_eq!(verdict["question"]["from"], "c3");
}

#[test]
fn impossible_is_an_answer_with_its_reason() {
    let house = House::open();
    let job = house.answer(&json!({ "kind": "tour", "board": "5x5", "closed": true }));
    assert_eq!(job["outcome"], "impossible");
    assert!(job["says"].as_str().unwrap().starts_with("no closed tour of 5x5: "), "{job}");
    let verdict = house.post("/api/verify", &job["certificate"]).json();
    assert_eq!(
        (&verdict["valid"], &verdict["outcome"]),
        (&json!(true), &json!("impossible")),
        "{verdict}"
    );
    let apart = house.answer(&json!({ "kind": "capture", "puzzle": "N1p/1p1/3" }));
    assert_eq!(apart["outcome"], "impossible", "{apart}");
    let stuck = house.answer(&json!({ "kind": "swap", "start": "Nn", "goal": "nN" }));
    assert_eq!(stuck["outcome"], "impossible", "{stuck}");
}

#[test]
fn counts_come_as_strings_of_digits() {
    let house = House::open();
    let job = house
        .answer(&json!({ "kind": "count", "board": "6x6", "shape": "closed", "classes": true }));
    let count = &job["answer"]["counts"][0];
    assert_eq!(
        (&count["undirected"], &count["directed"]),
        (&json!("9862"), &json!("19724")),
        "{job}"
    );
    assert_eq!(count["classes"], "1245");
    assert_eq!(job["certificate"][0]["undirected"], "9862");
    let job = house.answer(&json!({ "kind": "count", "board": "5x5" }));
    let counts = job["answer"]["counts"].as_array().unwrap();
    assert_eq!(counts.iter().map(|c| &c["undirected"]).collect::<Vec<_>>(), ["0", "864"], "{job}");
}

#[test]
fn counts_by_start_come_as_a_grid_and_a_heat_map() {
    let house = House::open();
    let question =
        json!({ "kind": "count", "board": "5x5", "shape": "open", "by_start": true, "holes": [] });
    let job = house.answer(&question);
    let grid = job["answer"]["grid"].as_array().unwrap();
    assert_eq!(grid[0], json!(["304", "0", "56", "0", "304"]), "{job}");
    assert_eq!(grid[2], json!(["56", "0", "64", "0", "56"]));
    let picture = house.post("/api/export?format=svg", &job["certificate"]);
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    assert!(picture.text().contains("304"));
    let table = house.post("/api/export?format=csv", &job["certificate"]).text();
    assert!(table.starts_with("square,directed\n") && table.contains("c3,64\n"), "{table}");
}

#[test]
fn a_series_comes_board_by_board_with_its_recurrence() {
    let house = House::open();
    let job = house.answer(&json!({ "kind": "count", "series": "3x8..12", "closed": true }));
    let terms = job["answer"]["terms"].as_array().unwrap();
    assert_eq!(terms.len(), 5);
    assert_eq!(
        (&terms[2]["board"], &terms[2]["undirected"]),
        (&json!("3x10"), &json!("16")),
        "{job}"
    );
    assert!(job["answer"]["recurrence"].as_str().unwrap().contains("order 42"), "{job}");
}

#[test]
fn a_capture_says_where_pieces_are_taken_and_that_no_plan_is_shorter() {
    let house = House::open();
    let job = house.answer(
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
    let best = house.answer(&json!({ "kind": "capture", "puzzle": "4p/5/2p2/5/N3p", "method": "bb-dfs", "parallel": "task", "threads": 2 }));
    assert_eq!(best["answer"]["moves"], 8, "{best}");
}

#[test]
fn swaps_are_asked_by_name_by_rows_and_by_fen() {
    let house = House::open();
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
        let job = house.answer(&question);
        assert_eq!(
            (&job["answer"]["cost"], &job["answer"]["proved"]),
            (&json!(cost), &json!(true)),
            "{job}"
        );
        assert_eq!(house.post("/api/verify", &job["certificate"]).json()["valid"], true);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn wrong_questions_are_refused_with_their_field() {
    let house = House::open();
    for (question, status, field, error) in [
        (json!("8x8"), 400, "", "a question is an object"),
        (json!({ "board": "8x8" }), 422, "kind", "`kind` is missing"),
        (json!({ "kind": "dance" }), 422, "kind", "there is no kind `dance`"),
        (json!({ "kind": "tour" }), 422, "board", "a board is missing"),
        (json!({ "kind": "tour", "board": "0x8" }), 422, "board", "each side is 1 to"),
        (json!({ "kind": "tour", "board": 8 }), 422, "board", "`board`: invalid type"),
        (json!({ "kind": "tour", "board": "8x8", "bord": 1 }), 422, "bord", "has no `bord`"),
        (
            json!({ "kind": "tour", "board": "8x8", "from": "z9" }),
            422,
            "from",
            "the start z9 is not on the 8x8 board",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "holes": ["i1"] }),
            422,
            "holes",
            "--holes: the hole i1 is not on the 8x8 board",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "wrap": "z" }),
            422,
            "wrap",
            "--wrap: there is no `z`; there are none, x, y, both",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "method": "magic" }),
            422,
            "method",
            "there is no method `magic`",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "holes": ["c3"], "method": "compose" }),
            422,
            "method",
            "compose cannot take this on",
        ),
        (
            json!({ "kind": "tour", "board": "8x7", "symmetry": "quarter-turn" }),
            422,
            "symmetry",
            "has no",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "time_limit": "soon" }),
            422,
            "time_limit",
            "`soon` is not a time",
        ),
        (
            json!({ "kind": "tour", "board": "300x300", "holes": ["a1"] }),
            422,
            "board",
            "65536 squares are the most",
        ),
        (
            json!({ "kind": "tour", "board": "8x8", "backtrack": true }),
            422,
            "backtrack",
            "--backtrack is for",
        ),
        (json!({ "kind": "count", "series": "3x9..2" }), 422, "series", "is not a series"),
        (json!({ "kind": "count", "series": "3x1..99999" }), 422, "series", "2000"),
        (
            json!({ "kind": "count", "board": "5x5", "classes": true, "from": "a1" }),
            422,
            "classes",
            "cannot be used with --from",
        ),
        (
            json!({ "kind": "capture", "puzzle": "2 4\n01\n3x\n" }),
            422,
            "puzzle",
            "line 3, column 2 has `x`",
        ),
        (json!({ "kind": "capture", "puzzle": "3/3/3" }), 422, "puzzle", "there is no knight"),
        (
            json!({ "kind": "capture", "puzzle": "N1/2", "parallel": "task" }),
            422,
            "parallel",
            "--parallel is for",
        ),
        (json!({ "kind": "swap" }), 422, "start", "there is no start"),
        (json!({ "kind": "swap", "start": "n2", "goal": "2N" }), 422, "goal", "the start has"),
        (
            json!({ "kind": "swap", "start": "n!2", "goal": "2N" }),
            422,
            "start",
            "--from: rank 1 of the FEN, column 2",
        ),
        (json!({ "kind": "swap", "board": "3x4", "rows": 3 }), 422, "rows", "do not fit 4 ranks"),
        (
            json!({ "kind": "hint", "of": "count", "board": "5x5" }),
            422,
            "of",
            "there are no hints for `count`",
        ),
        (
            json!({ "kind": "hint", "of": "tour", "board": "5x5", "played": ["a1", "b4"] }),
            422,
            "played",
            "step 2: a1 to b4",
        ),
        (
            json!({ "kind": "hint", "of": "swap", "preset": "guarini", "played": ["a1-b2"] }),
            422,
            "played",
            "step 1: a1 to b2",
        ),
        (json!({ "kind": "compare", "of": "tour", "board": "5x5" }), 501, "", "command"),
    ] {
        let reply = house.post("/api/jobs", &question);
        let told = reply.json();
        assert_eq!(reply.status, status, "{question} {told}");
        assert!(told["error"].as_str().unwrap().contains(error), "{question} {told}");
        assert_eq!(told["field"].as_str().unwrap_or(""), field, "{question} {told}");
    }
    let broken = house.ask("POST", "/api/jobs", &[], b"{\"kind\":");
    assert_eq!(broken.status, 400);
    assert!(broken.json()["error"].as_str().unwrap().contains("is not JSON"));
}

#[test]
fn hints_are_true() {
    let house = House::open();
    let hint = |question: Value| house.answer(&question)["answer"].clone();
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

#[test]
fn a_game_led_by_hints_is_won() {
    let house = House::open();
    let mut played = vec!["c3".to_owned()];
    while played.len() < 25 {
        let hint = house
            .answer(&json!({ "kind": "hint", "of": "tour", "board": "5x5", "played": played }));
        assert_eq!(hint["answer"]["can_finish"], true, "{hint}");
        played.push(hint["answer"]["next"].as_str().unwrap().to_owned());
    }
    let end =
        house.answer(&json!({ "kind": "hint", "of": "tour", "board": "5x5", "played": played }));
    assert_eq!(end["answer"]["finished"], true, "{end}");
    assert_eq!(
        house.ask("POST", "/api/verify", &[], played.join(" ").as_bytes()).json()["valid"],
        true
    );
}

#[test]
fn faults_are_told_with_their_square_and_step() {
    let house = House::open();
    let verdict =
        |text: &str| house.ask("POST", "/api/verify?board=5x5", &[], text.as_bytes()).json();
    let mut tour = house.answer(&json!({ "kind": "tour", "board": "5x5" }))["certificate"].clone();
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
    let not_text = house.ask("POST", "/api/verify", &[], b"a1 b3\n\xff\xfe");
    assert_eq!(not_text.status, 400);
    assert!(not_text.json()["error"].as_str().unwrap().contains("line 2 is not UTF-8"));
}

#[test]
fn questions_are_read_from_files_of_every_kind() {
    let house = House::open();
    for (text, kind, says) in [
        ("3 8\r\n001\r\n000\r\n301\r\n", "puzzle", "2 pieces on 3x3"),
        ("4p/5/2p2/5/N3p", "puzzle", "3 pieces on 5x5"),
        ("n1n/3/N1N", "position", "4 knights on 3x3"),
        ("5/2#2/5", "board", "5x3 less 1 hole"),
        ("...\n.#.\n...\n", "board", "3x3 less 1 hole"),
        ("8x8", "board", "8x8"),
        ("{\"kind\":\"tour\",\"board\":\"8x8\"}", "question", "tour"),
        ("a1 c2 e1*", "capture", "capture of 1 pieces on 5x2 from a1 in 2 moves"),
    ] {
        let verdict = house.ask("POST", "/api/verify", &[], text.as_bytes()).json();
        assert_eq!(verdict["valid"], true, "{text}: {verdict}");
        assert_eq!(verdict["kind"], kind, "{text}: {verdict}");
        assert!(verdict["says"].as_str().unwrap().contains(says), "{text}: {verdict}");
        let mut question = verdict["question"].clone();
        if kind == "position" {
            question["goal"] = json!("N1N/3/n1n");
        }
        assert_eq!(house.post("/api/jobs", &question).status, 202, "{text}: {question}");
    }
    let grid = "1 4 7 10\n12 9 2 5\n3 6 11 8\n";
    let verdict = house.ask("POST", "/api/verify", &[], grid.as_bytes()).json();
    assert_eq!((&verdict["valid"], &verdict["kind"]), (&json!(true), &json!("tour")), "{verdict}");
}

#[test]
fn answers_are_exported_in_every_form_and_checked_first() {
    let house = House::open();
    for (question, list) in [
        (json!({ "kind": "tour", "board": "5x6" }), "a1 "),
        (json!({ "kind": "capture", "puzzle": "4p/5/2p2/5/N3p" }), "a1 "),
        (json!({ "kind": "swap", "preset": "guarini" }), "-"),
    ] {
        let certificate = house.answer(&question)["certificate"].clone();
        for (format, kind, start) in [
            ("svg", "image/svg+xml", &b"<svg"[..]),
            ("png", "image/png", b"\x89PNG"),
            ("gif", "image/gif", b"GIF89a"),
            ("json", "application/json", b"{\"destrier\":1,"),
            ("csv", "text/csv; charset=utf-8", b""),
            ("fen", "text/plain; charset=utf-8", b""),
            ("list", "text/plain; charset=utf-8", b""),
        ] {
            let file = house.post(&format!("/api/export?format={format}"), &certificate);
            assert_eq!(file.status, 200, "{format}: {}", file.text());
            assert_eq!(file.header("content-type"), Some(kind));
            assert!(file.header("content-disposition").unwrap().starts_with("attachment"));
            assert!(file.body.starts_with(start), "{format}");
            if format == "list" {
                assert!(file.text().contains(list));
            }
        }
        let mut spoilt = certificate.clone();
        spoilt["solution"].as_array_mut().unwrap().pop();
        assert_eq!(house.post("/api/export?format=svg", &spoilt).status, 422);
        assert_eq!(house.post("/api/export?format=bmp", &certificate).status, 422);
        assert_eq!(house.post("/api/export", &certificate).status, 400);
    }
}

#[test]
fn a_tour_too_long_to_list_is_seen_through_windows() {
    let house = House::open();
    let question = json!({ "kind": "tour", "board": "2000x2000", "closed": true });
    let job = house.answer(&question);
    assert_eq!(
        (&job["answer"]["access"], &job["answer"]["length"]),
        (&json!("window"), &json!(4_000_000))
    );
    let window = json!({ "question": question, "file": 1990, "rank": 7, "files": 64, "ranks": 3 });
    let seen = house.post("/api/window", &window).json();
    let rows = seen["rows"].as_array().unwrap();
    assert_eq!((rows.len(), rows[0].as_array().unwrap().len()), (3, 10), "clipped to the board");
    let step = rows[2][9].as_u64().unwrap();
    let there = house
        .post("/api/steps", &json!({ "question": question, "from_step": step, "count": 1 }))
        .json();
    let corner = destrier_rules::Square::new(1999, 9).to_string();
    assert_eq!(there["squares"], json!([corner]));
    let huge = json!({ "kind": "tour", "board": "1000000x1000000" });
    let last = house
        .post(
            "/api/steps",
            &json!({ "question": huge, "from_step": 999_999_999_999_u64, "count": 9 }),
        )
        .json();
    assert_eq!(last["squares"].as_array().unwrap().len(), 2);
    for (path, question, error) in [
        (
            "/api/window",
            json!({ "question": question, "file": 0, "rank": 0, "files": 300, "ranks": 300 }),
            "65536",
        ),
        (
            "/api/window",
            json!({ "question": question, "file": 2000, "rank": 0, "files": 1, "ranks": 1 }),
            "not on the board",
        ),
        (
            "/api/window",
            json!({ "question": { "board": "9x9", "holes": ["a1"] }, "file": 0, "rank": 0, "files": 1, "ranks": 1 }),
            "whole rectangle",
        ),
        (
            "/api/window",
            json!({ "question": { "board": "5x5", "closed": true }, "file": 0, "rank": 0, "files": 1, "ranks": 1 }),
            "no closed tour",
        ),
        ("/api/window", json!({ "question": question, "rank": 0 }), "`file` is missing"),
        (
            "/api/steps",
            json!({ "question": question, "from_step": 0, "count": 1 }),
            "there is no step 0",
        ),
        ("/api/steps", json!({ "question": question, "from_step": 1, "count": 70_000 }), "65536"),
    ] {
        let reply = house.post(path, &question);
        assert_eq!(reply.status, 422, "{question}");
        assert!(reply.json()["error"].as_str().unwrap().contains(error), "{}", reply.text());
    }
}

#[test]
fn tables_are_those_of_the_library() {
    let house = House::open();
    let methods = house.get("/api/methods").json();
    let names: Vec<&str> =
        destrier::tour::TOUR_SOLVERS.iter().map(|solver| solver.name()).collect();
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
    for method in methods["tour"].as_array().unwrap() {
        let question =
            json!({ "kind": "tour", "board": "3x4", "method": method["name"], "trace": true });
        let watched = house.post("/api/jobs", &question).status == 202;
        assert_eq!(json!(watched), method["trace"], "{method}");
    }
    let presets = house.get("/api/presets").json();
    for swap in presets["swap"].as_array().unwrap() {
        let by_fen = json!({ "kind": "swap", "start": swap["start"], "goal": swap["goal"], "time_limit": "1ms" });
        assert_eq!(house.post("/api/jobs", &by_fen).status, 202, "{swap}");
    }
    for puzzle in presets["capture"].as_array().unwrap() {
        let job = house.answer(&json!({ "kind": "capture", "puzzle": puzzle["puzzle"] }));
        assert_eq!(
            (&job["outcome"], &job["answer"]["proved"]),
            (&json!("solved"), &json!(true)),
            "{puzzle} {job}"
        );
    }
}

#[test]
fn strangers_are_refused() {
    let house = House::open();
    let own = house.address.to_string();
    let origin = format!("http://{own}");
    let question = br#"{"kind":"tour","board":"5x5"}"#;
    let status =
        |headers: &[(&str, &str)]| house.ask("POST", "/api/jobs", headers, question).status;
    assert_eq!(status(&[("Origin", &origin)]), 202);
    assert_eq!(status(&[("Sec-Fetch-Site", "same-origin")]), 202);
    for stranger in [
        [("Host", "evil.example")],
        [("Host", "localhost:1")],
        [("Origin", "http://evil.example")],
        [("Origin", "null")],
        [("Origin", "http://localhost:3000")],
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
    ] {
        let reply = house.ask("POST", "/api/jobs", &stranger, question);
        assert_eq!(reply.status, 403, "{stranger:?}");
        assert!(!reply.json()["error"].as_str().unwrap().is_empty());
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    }
    let link = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
    assert_eq!(house.ask("GET", "/", &link, b"").status, 200);
}

#[test]
fn every_response_has_its_headers() {
    let house = House::open();
    for path in
        ["/", "/nothing", "/api/methods", "/api/nothing", "/../Cargo.toml", "/%2e%2e/Cargo.toml"]
    {
        let reply = house.get(path);
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"));
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(
            reply.status == 200,
            ["/", "/api/methods"].contains(&path),
            "{path} {}",
            reply.status
        );
        assert!(!reply.text().contains("[package]"));
    }
    let page = house.get("/");
    let tag = page.header("etag").unwrap().to_owned();
    assert_eq!(house.ask("GET", "/", &[("If-None-Match", &tag)], b"").status, 304);
}

#[test]
fn bodies_are_limited() {
    let house = House::with(Limits { body: 1000, ..Limits::default() });
    let long = vec![b' '; 1001];
    for path in ["/api/jobs", "/api/verify", "/api/export?format=svg", "/api/window", "/api/steps"]
    {
        let reply = house.ask("POST", path, &[], &long);
        assert_eq!(reply.status, 413, "{path}");
        assert!(reply.json()["error"].as_str().unwrap().contains("at most 1000 bytes"));
    }
    assert_eq!(house.get("/api/limits").json()["body"], 1000);
}
