//! Questions asked and answered with no carrier in between; and what no carrier can show.

#[path = "../contract/mod.rs"]
mod contract;
mod verdicts;

use contract::{Carrier, Exported, Refused, hold_to_the_contract};
use destrier::internal::Watch;
use destrier::{Cancel, Options};
use destrier_ask::{
    Conclusion, Limits, Refusal, RefusalKind, Service, Step, VerifyOptions, job_json, work,
};
use serde_json::{Value, json};

/// Calls the functions.
struct Direct(Service);

impl Direct {
    fn new() -> Direct {
        Direct(Service::default())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "handed over with `map_err`")]
fn refused(refusal: Refusal) -> Refused {
    Refused { kind: refusal.kind(), told: refusal.json() }
}

impl Carrier for Direct {
    const RASTER: bool = cfg!(feature = "raster");

    fn job(&self, question: &[u8]) -> Result<Value, Refused> {
        let request = self.0.submit(question).map_err(refused)?;
        let mut options = request.bounds.options(1 << 30, 2);
        if let Some(time) = request.bounds.time {
            options = options.time_limit(time);
        }
        let report = work(request.question, &options, &mut |_| {}).map_err(refused)?;
        Ok(job_json("1", &request.echo, Ok(report), false, None))
    }

    fn verify(&self, text: &[u8], board: Option<&str>) -> Result<Value, Refused> {
        let options = VerifyOptions { board: board.map(str::to_owned), closed: false };
        self.0.verify(text, &options).map_err(refused)
    }

    fn export(&self, certificate: &Value, format: &str) -> Result<Exported, Refused> {
        let file = self.0.export(certificate.to_string().as_bytes(), format).map_err(refused)?;
        Ok(Exported { media_type: file.media_type.to_owned(), bytes: file.bytes })
    }

    fn window(&self, request: &Value) -> Result<Value, Refused> {
        self.0.window(request.to_string().as_bytes()).map_err(refused)
    }

    fn steps(&self, request: &Value) -> Result<Value, Refused> {
        self.0.steps(request.to_string().as_bytes()).map_err(refused)
    }

    fn methods(&self) -> Value {
        destrier_ask::methods()
    }

    fn presets(&self) -> Value {
        destrier_ask::presets()
    }
}

hold_to_the_contract!(Some(Direct::new()));

#[test]
fn limits_are_those_of_the_carrier() {
    let small = Limits {
        listed: 25,
        by_start: 9,
        series: 10,
        pieces: 1,
        drawn: 100,
        window: 4,
        question: 300,
        json: 10_000,
        check: 256 << 20,
        board: 100,
    };
    let service = Service::new(small);
    let refusal =
        |question: Value| service.submit(question.to_string().as_bytes()).unwrap_err().to_string();
    for (question, error) in [
        (json!({ "kind": "tour", "board": "6x5", "wrap": "x" }), "25 squares at most"),
        (json!({ "kind": "count", "board": "6x5" }), "25 squares at most"),
        (json!({ "kind": "count", "board": "3".repeat(300) }), "at most 300 bytes"),
        (json!({ "kind": "hint", "played": vec![json!({ "": 0 }); 30] }), "would take 1 MiB"),
        (json!({ "kind": "count", "board": "4x4", "by_start": true }), "9 squares at most"),
        (json!({ "kind": "count", "series": "3x1..11" }), "length 10 at most"),
        (json!({ "kind": "capture", "puzzle": "pp/2/N1" }), "1 pieces at most"),
        (json!({ "kind": "hint", "of": "tour", "board": "6x5" }), "at most 25 squares"),
    ] {
        let told = refusal(question.clone());
        assert!(told.contains(error), "{question}: {told}");
    }
    // What is within them is not refused: a tour that is not listed is seen through windows.
    let long = json!({ "kind": "tour", "board": "6x5" });
    let job = Direct(service.clone()).answer(&long);
    assert_eq!(job["answer"]["access"], "window", "{job}");
    let window = |files: u32, board: &str| {
        let question = json!({ "kind": "tour", "board": board });
        let window =
            json!({ "question": question, "file": 0, "rank": 0, "files": files, "ranks": 1 });
        service.window(window.to_string().as_bytes())
    };
    assert_eq!(window(4, "6x5").unwrap()["rows"][0].as_array().unwrap().len(), 4);
    assert!(window(5, "6x5").unwrap_err().to_string().contains("at most 4 squares"));
    assert!(window(1, "11x10").unwrap_err().to_string().contains("100 squares at most"));
}

#[test]
fn bounds_of_a_question_stay_within_those_of_the_carrier() {
    let service = Service::default();
    let question =
        json!({ "kind": "tour", "board": "8x8", "threads": 64, "seed": 7, "time_limit": "2s" });
    let request = service.submit(question.to_string().as_bytes()).unwrap();
    let watch = Watch::new(&request.bounds.options(1 << 20, 3));
    assert_eq!((watch.threads(), watch.seed(), watch.memory()), (3, 7, Some(1 << 20)));
    assert_eq!(request.bounds.time, Some(std::time::Duration::from_secs(2)));
    assert_eq!(request.echo, question);
}

#[test]
fn a_halt_gives_undecided_and_a_cancelled_job_says_so() {
    let service = Service::default();
    for question in [
        json!({ "kind": "tour", "board": "8x8", "closed": true, "from": "a1", "method": "naive" }),
        json!({ "kind": "count", "board": "7x7", "method": "backtrack" }),
        json!({ "kind": "count", "board": "5x5", "by_start": true, "method": "backtrack" }),
        json!({ "kind": "count", "series": "4x1..100" }),
        json!({ "kind": "swap", "preset": "seventh-guest", "method": "naive" }),
    ] {
        let request = service.submit(question.to_string().as_bytes()).unwrap();
        let cancel = Cancel::new();
        cancel.now();
        let options = Options::new().cancel(&cancel);
        let report = work(request.question, &options, &mut |_| {}).unwrap();
        assert_eq!(report.outcome, Conclusion::Undecided, "{question} {report:?}");
        let job = job_json("7", &request.echo, Ok(report), true, None);
        assert_eq!((&job["job"], &job["state"]), (&json!("7"), &json!("cancelled")), "{job}");
        assert_eq!(job["question"], question);
    }
}

#[test]
fn the_steps_of_a_traced_search_lead_to_its_answer() {
    let service = Service::default();
    let question =
        json!({ "kind": "tour", "board": "5x5", "from": "a1", "method": "naive", "trace": true });
    let request = service.submit(question.to_string().as_bytes()).unwrap();
    let (mut path, mut retreats) = (Vec::new(), 0);
    let report = work(request.question, &Options::new(), &mut |step| match step {
        Step::Begin => path.clear(),
        Step::Move(square) => path.push(square),
        Step::Back => {
            retreats += 1;
            path.pop().unwrap();
        }
        Step::Found => {}
        _ => panic!("a tour is no search of positions"),
    })
    .unwrap();
    assert_eq!(json!(path), report.answer["squares"]);
    assert!(retreats > 0);
}

#[test]
fn the_best_of_a_traced_capture_is_its_answer() {
    let puzzle = "2p2p2/8/p4p2/2p4p/8/1p2p3/6p1/N2p4";
    let question = json!({ "kind": "capture", "puzzle": puzzle, "method": "bb-dfs", "trace": true, "node_limit": 50_000 });
    let request = Service::default().submit(question.to_string().as_bytes()).unwrap();
    let (mut path, mut best, mut retreats) = (Vec::new(), Vec::new(), 0);
    let report =
        work(request.question, &Options::new().node_limit(50_000), &mut |step| match step {
            Step::Begin => path.clear(),
            Step::Move(square) => path.push(square),
            Step::Back => {
                retreats += 1;
                path.pop().unwrap();
            }
            Step::Found => {
                assert!(best.is_empty() || path.len() < best.len(), "only better plans are found");
                best.clone_from(&path);
            }
            _ => panic!("it is no search of positions"),
        })
        .unwrap();
    assert_eq!(json!(best), report.answer["squares"]);
    assert!(retreats > 0);
    let both = json!({ "kind": "capture", "puzzle": puzzle, "method": "bb-dfs", "parallel": "task", "trace": true });
    let refused = Service::default().submit(both.to_string().as_bytes()).unwrap_err();
    assert_eq!(refused.json()["field"], "trace");
}

#[test]
fn the_positions_of_a_traced_swap_lead_to_its_goal() {
    for method in ["astar", "naive", "best-first", "hill-climbing"] {
        for (metric, preset) in [("moves", "guarini"), ("runs", "guarini")] {
            let question = json!({ "kind": "swap", "preset": preset, "metric": metric, "method": method, "trace": true });
            let request = Service::default().submit(question.to_string().as_bytes()).unwrap();
            // How far each position that was looked at is from the start.
            let (mut far, mut last, mut goal, mut ends) = (vec![Some(0)], 0, None, 0);
            let report = work(request.question, &Options::new(), &mut |step| match step {
                Step::Begin => last = 0,
                Step::Look { number, from, step } => {
                    assert_ne!(step.from, step.to);
                    let moves = far[from].expect("it was looked at") + 1;
                    far.resize(far.len().max(number + 1), None);
                    (far[number], last) = (Some(moves), number);
                }
                Step::DeadEnd => ends += 1,
                Step::Found => goal = far[last],
                _ => panic!("it is no walk"),
            })
            .unwrap();
            let solved = report.outcome == Conclusion::Solved;
            assert_eq!(goal.is_some(), solved, "{question} {report:?}");
            assert!(method != "hill-climbing" || solved || ends == 1, "{question}");
            if let Some(goal) = goal {
                let cost = report.answer["cost"].as_u64().unwrap();
                assert!(cost == goal || (cost < goal && method != "naive"), "{question} {goal}");
            }
        }
    }
}

#[test]
fn a_job_that_failed_has_the_object_of_its_refusal() {
    let refusal = Refusal::new(RefusalKind::Unfit, "no").in_field("board").at_step(3);
    let job = job_json("9", &json!({ "kind": "tour" }), Err(refusal), false, None);
    let expected = json!({
        "job": "9", "question": { "kind": "tour" }, "state": "failed",
        "error": "no", "field": "board", "step": 3,
    });
    assert_eq!(job, expected);
}

#[test]
fn an_upper_bound_below_the_minimum_is_pointed_out_once_that_is_proved() {
    let puzzle = "5 3\n00001\n00000\n00100\n00000\n30001\n";
    let says = |method: &str| {
        let question = json!({ "kind": "capture", "puzzle": puzzle, "method": method });
        Direct::new().answer(&question)["says"].as_str().unwrap().to_owned()
    };
    let proved = says("auto");
    assert!(proved.ends_with("; the upper bound given is 3, but the minimum is 8"), "{proved}");
}

fn capture_certificate(size: &str, squares: &[&str]) -> Value {
    json!({
        "destrier": 1, "kind": "capture", "answer": "solved",
        "question": { "board": { "size": size }, "start": "a1", "targets": ["b3"] },
        "solution": squares,
        "origin": { "program": "forger", "method": "none" },
    })
}

#[test]
fn no_huge_board_is_written_out() {
    let service = Service::default();
    let puzzle = json!({ "board": { "size": "5x2147483648" }, "start": "a1", "targets": ["b3"] });
    let solved = capture_certificate("5x2147483648", &["a1", "b3"]);
    let wrong = capture_certificate("5x2147483648", &["a1", "b2"]);
    for text in [&puzzle, &solved, &wrong] {
        let options = VerifyOptions::default();
        let refused = service.verify(text.to_string().as_bytes(), &options).unwrap_err();
        assert_eq!(refused.kind(), RefusalKind::TooLarge, "{refused}");
    }
    for format in ["fen", "svg", "csv", "json", "list"] {
        let refused = service.export(solved.to_string().as_bytes(), format).unwrap_err();
        assert_eq!(refused.kind(), RefusalKind::TooLarge, "{format}: {refused}");
    }
    let line = VerifyOptions { board: Some("5x2147483648".to_owned()), closed: false };
    let refused = service.verify(b"a1 b3*", &line).unwrap_err();
    assert_eq!(refused.kind(), RefusalKind::TooLarge, "{refused}");
}

#[test]
fn an_answer_with_many_steps_is_painted_as_an_overview() {
    let service = Service::default();
    let there_and_back = |times: usize| capture_certificate("5x5", &["a1", "b3"].repeat(times));
    for format in ["png", "gif"].iter().filter(|_| cfg!(feature = "raster")) {
        for times in [5, 5_001] {
            let drawn = service.export(there_and_back(times).to_string().as_bytes(), format);
            let kind: &[u8] = if *format == "png" { b"\x89PNG" } else { b"GIF89a" };
            assert!(drawn.unwrap().bytes.starts_with(kind), "{format}");
        }
    }
    assert!(service.export(there_and_back(5_001).to_string().as_bytes(), "svg").is_ok());
    // A position for each move: boards and moves count together.
    let fen = format!("{}N255", "256/".repeat(255));
    let swap = json!({
        "destrier": 1, "kind": "swap", "answer": "solved",
        "question": { "start": fen, "goal": fen },
        "solution": (["a1-b3", "b3-a1"].repeat(200)),
        "origin": { "program": "forger", "method": "none" },
    });
    let refused = service.export(swap.to_string().as_bytes(), "fen").unwrap_err();
    assert!(refused.to_string().contains("400 positions"), "{refused}");
}

#[test]
fn the_task_of_the_course_is_read_as_it_is_stated() {
    let stated = |text: &str| destrier_ask::puzzle(text);
    let puzzle = stated("k = 5\nq = 3\nF = e5 c3 e1   # the pieces\nJ = a1\nU = 20\n").unwrap();
    assert_eq!(destrier_rules::Puzzle::fen(&puzzle.problem), "4p/5/2p2/5/N3p");
    assert_eq!(puzzle.upper_bound, Some(20));
    let numbers = destrier_ask::puzzle_in(
        "k = 5\nF = 5,5 3,3 5,1\nJ = 1,1",
        destrier_rules::Coordinates::One,
    );
    assert_eq!(numbers.unwrap().problem, puzzle.problem);
    for (text, why) in [
        ("k = 5\nF = e5\n", "there is no line `J = …`"),
        ("k = 5\nq = 2\nF = e5\nJ = a1", "q is 2, but the number of squares in F is 1"),
        ("k = 5\nF = e5 e5\nJ = a1", "F names e5 twice"),
        ("k = 5\nF = e5\nJ = z\n", "line 3: "),
        ("k = five\nF = e5\nJ = a1", "line 1: "),
        ("k = 5\nX = 1", "line 2: there is no `X`; there are k, q, F, J, U"),
        ("k = 5\nnonsense", "line 2: `nonsense` is none of"),
    ] {
        let error = stated(text).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_hint_keeps_to_the_symmetry_or_says_that_it_is_not_known() {
    let asked = Direct::new();
    let question = json!({ "kind": "hint", "of": "tour", "board": "6x6", "closed": true, "symmetry": "half-turn" });
    let mut played = vec!["a1".to_owned()];
    while played.len() < 36 {
        let mut question = question.clone();
        question["played"] = json!(played);
        let hint = asked.job(question.to_string().as_bytes()).unwrap();
        assert_eq!(hint["answer"]["can_finish"], true, "{hint}");
        played.push(hint["answer"]["next"].as_str().unwrap().to_owned());
    }
    let whole = json!({
        "destrier": 1, "kind": "tour", "answer": "solved", "solution": played, "claim": { "kind": "valid" },
        "question": { "board": { "size": "6x6" }, "shape": "closed", "symmetry": "half-turn" },
        "origin": { "program": "a test", "method": "hints" },
    });
    assert_eq!(asked.verify(whole.to_string().as_bytes(), None).unwrap()["valid"], true);
    // A beginning that no symmetric tour among those tried has.
    let mut other = question.clone();
    other["board"] = "8x8".into();
    other["played"] = json!(["a1", "b3", "a5", "b7", "d8", "f7", "h8", "g6", "h4", "g2"]);
    let hint = asked.job(other.to_string().as_bytes()).unwrap();
    assert_ne!(hint["answer"]["can_finish"], false, "{hint}");
    if hint["answer"]["can_finish"].is_null() {
        assert_eq!(hint["answer"]["why"], "symmetry", "{hint}");
    }
}

#[test]
fn a_window_from_far_away_has_one_square_in_so_many() {
    let asked = Direct::new();
    let question = json!({ "kind": "tour", "board": "300x300" });
    let all = json!({ "question": question, "file": 0, "rank": 0, "files": 200, "ranks": 200 });
    let near = asked.window(&all).unwrap();
    let far =
        json!({ "question": question, "file": 0, "rank": 0, "files": 50, "ranks": 50, "every": 4 });
    let far = asked.window(&far).unwrap();
    for (row, ranks) in far["rows"].as_array().unwrap().iter().enumerate() {
        for (column, step) in ranks.as_array().unwrap().iter().enumerate() {
            assert_eq!(step, &near["rows"][4 * row][4 * column]);
        }
    }
    assert_eq!(far["rows"].as_array().unwrap().len(), 50);
    let clipped = json!({ "question": question, "file": 256, "rank": 0, "files": 50, "ranks": 1, "every": 32 });
    assert_eq!(asked.window(&clipped).unwrap()["rows"][0].as_array().unwrap().len(), 2);
    let none =
        json!({ "question": question, "file": 0, "rank": 0, "files": 5, "ranks": 5, "every": 0 });
    assert_eq!(asked.window(&none).unwrap_err().told["field"], "every");
}

#[test]
fn an_estimate_has_time_and_memory_for_each_shape() {
    let asked = Direct::new();
    let question = json!({ "kind": "count", "board": "6x6", "estimate": true });
    let job = asked.job(question.to_string().as_bytes()).unwrap();
    let estimates = job["answer"]["estimates"].as_array().unwrap();
    let shapes: Vec<&Value> = estimates.iter().map(|one| &one["shape"]).collect();
    assert_eq!(shapes, [&json!("closed"), &json!("open")]);
    for one in estimates {
        assert!(one["seconds"].as_f64() > Some(0.0) && one["bytes"].as_f64() > Some(0.0), "{job}");
    }
    let none = json!({ "kind": "count", "board": "7x7", "shape": "closed", "estimate": true });
    let job = asked.job(none.to_string().as_bytes()).unwrap();
    assert_eq!(job["answer"]["estimates"][0]["seconds"], 0, "{job}");
    let holes = json!({ "kind": "count", "board": "6x6", "holes": ["a1"], "estimate": true });
    let refused = asked.job(holes.to_string().as_bytes()).unwrap_err();
    assert_eq!(
        (&refused.told["field"], &refused.told["key"]),
        (&json!("method"), &json!("refused.unsuited"))
    );
}

#[test]
fn tours_are_asked_for_by_number_and_at_random() {
    let asked = Direct::new();
    let ask = |more: Value| {
        let mut question = json!({ "kind": "tour", "board": "5x6", "closed": true });
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        asked.job(question.to_string().as_bytes())
    };
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..8 {
        let job = ask(json!({ "number": number.to_string() })).unwrap();
        let answer = &job["answer"];
        assert_eq!(
            (&answer["number"], &answer["total"]),
            (&json!(number.to_string()), &json!("8"))
        );
        let verdict = asked.verify(job["certificate"].to_string().as_bytes(), None).unwrap();
        assert_eq!(verdict["valid"], true, "{verdict}");
        assert!(seen.insert(answer["squares"].to_string()), "each number has its own tour");
    }
    let drawn = ask(json!({ "random": true, "seed": 3 })).unwrap();
    assert_eq!(ask(json!({ "random": true, "seed": 3 })).unwrap()["answer"], drawn["answer"]);
    assert!(drawn["answer"]["number"].as_str().unwrap().parse::<u32>().unwrap() < 8);
    for (more, key) in [
        (json!({ "number": "8" }), "refused.numbers"),
        (json!({ "number": "-1" }), "refused.number"),
        (json!({ "number": "2", "random": true }), "refused.conflict"),
        (json!({ "number": "2", "method": "search" }), "refused.pick"),
        (json!({ "number": "2", "symmetry": "half-turn" }), "refused.unsuited"),
        (json!({ "tours": 2 }), "refused.conflict"),
        (json!({ "number": "2", "tours": 0 }), "said.many_tours"),
        (json!({ "number": "2", "tours": 101 }), "said.many_tours"),
        (json!({ "number": "2", "tour": "a1 b3" }), "refused.conflict"),
        (json!({ "tour": "a1 b3" }), "fault.length"),
    ] {
        let refused = ask(more).unwrap_err();
        assert_eq!(refused.told["key"], key, "{}", refused.told);
    }
    // A list has the same tours in the same order, and ends with the last one.
    let listed = ask(json!({ "number": "3", "tours": 100 })).unwrap()["answer"].clone();
    let tours = listed["tours"].as_array().unwrap();
    assert_eq!((tours.len(), &listed["number"], &tours[0]), (5, &json!("3"), &listed["squares"]));
    for (number, tour) in (3..).zip(tours) {
        assert!(seen.contains(&tour.to_string()));
        // A tour has its number from any square, and either way round.
        let mut turned = tour.as_array().unwrap().clone();
        turned.rotate_left(7);
        turned.reverse();
        for tour in [tour, &turned.into()] {
            let ranked = ask(json!({ "tour": tour })).unwrap();
            assert_eq!(ranked["answer"]["number"], number.to_string());
        }
    }
    let none = json!({ "kind": "tour", "board": "4x4", "random": true });
    assert_eq!(asked.job(none.to_string().as_bytes()).unwrap()["outcome"], "impossible");
}

#[cfg(feature = "raster")]
#[test]
fn a_watched_search_becomes_a_film_if_it_is_possible() {
    let service = Service::default();
    let film = |question: &Value, events: &Value| {
        let trace = json!({ "kind": "trace", "question": question, "events": events });
        service.export(trace.to_string().as_bytes(), "gif")
    };
    for question in [
        json!({ "kind": "tour", "board": "5x5", "from": "a1", "method": "backtrack", "trace": true }),
        json!({ "kind": "tour", "board": "6x6", "from": "c3", "method": "race", "trace": true }),
        json!({ "kind": "swap", "preset": "guarini", "method": "astar", "trace": true }),
        json!({ "kind": "capture", "puzzle": "4p/5/5/5/N3p", "method": "bb-dfs", "trace": true }),
        json!({ "kind": "swap", "preset": "guarini", "method": "hill-climbing", "trace": true }),
    ] {
        let request = service.submit(question.to_string().as_bytes()).unwrap();
        let mut steps = Vec::new();
        work(request.question, &Options::new(), &mut |step| steps.push(step)).unwrap();
        let first = steps.iter().take(60).copied().collect::<Vec<_>>();
        let gif = film(&question, &destrier_ask::trace_json(&first, false)["events"]).unwrap();
        assert_eq!((&gif.bytes[..6], gif.name.as_str()), (&b"GIF89a"[..], "trace.gif"));
    }
    let tour = json!({ "kind": "tour", "board": "5x5" });
    let swap = json!({ "kind": "swap", "preset": "guarini" });
    for (question, events, why) in [
        (&tour, json!([["begin"], ["back"]]), "event 2: back is not possible there"),
        (&tour, json!([["begin"], ["move", "f9"]]), "event 2: move f9 is not possible there"),
        (&tour, json!([["look", "1", "0", "a1", "b3"]]), "event 1: look 1 0 a1 b3 is not possible"),
        (&swap, json!([["look", "2", "1", "a1", "b3"]]), "event 1: look 2 1 a1 b3 is not possible"),
        (&swap, json!([["look", "0", "0", "a1", "b3"]]), "event 1: look 0 0 a1 b3 is not possible"),
        (&tour, json!([[7]]), "`events`: "),
        (&tour, json!(null), "`events`: "),
    ] {
        let refused = film(question, &events).unwrap_err().json();
        assert_eq!(refused["field"], "events");
        assert!(refused["error"].as_str().unwrap().starts_with(why), "{refused}");
    }
    let count = json!({ "kind": "count", "board": "5x5" });
    assert_eq!(film(&count, &json!([])).unwrap_err().json()["field"], "question");
    assert!(film(&tour, &json!([])).is_ok(), "the empty board");
}

#[test]
fn who_compares_nothing_says_so() {
    let question = json!({ "kind": "compare", "of": "tour", "board": "5x5" });
    let refused = Direct::new().job(question.to_string().as_bytes()).unwrap_err();
    assert_eq!(refused.kind, RefusalKind::Unsupported);
    assert!(refused.told["error"].as_str().unwrap().contains("compare"), "{refused:?}");
}
