//! Questions asked and answers checked, with no carrier in between; and what no carrier can show.

mod contract;

use contract::{Carrier, Exported, Refused, hold_to_the_contract};
use destrier::run::watch::Watch;
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

hold_to_the_contract!(Direct::new());

#[test]
fn limits_are_those_of_the_carrier() {
    let small = Limits { listed: 25, by_start: 9, series: 10, pieces: 1, window: 4, board: 100 };
    let service = Service::new(small);
    let refusal =
        |question: Value| service.submit(question.to_string().as_bytes()).unwrap_err().to_string();
    for (question, error) in [
        (json!({ "kind": "tour", "board": "6x5", "wrap": "x" }), "25 squares at most"),
        (json!({ "kind": "count", "board": "6x5" }), "25 squares at most"),
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
    })
    .unwrap();
    assert_eq!(json!(path), report.answer["squares"]);
    assert!(retreats > 0);
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
    assert!(proved.ends_with("; the file's upper bound is 3, but the minimum is 8"), "{proved}");
}
