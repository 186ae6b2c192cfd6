//! Answers and counts that are read again: what is confirmed of them, what is refuted, and what is too large.

use destrier_ask::{Limits, RefusalKind, Service, VerifyOptions};
use serde_json::{Value, json};

use crate::contract::Carrier as _;
use crate::{Direct, capture_certificate};

#[test]
fn each_claim_has_its_verdict() {
    let service = Service::default();
    let verdicts = |certificate: &Value| -> Vec<String> {
        let options = VerifyOptions::default();
        let verdict = service.verify(certificate.to_string().as_bytes(), &options).unwrap();
        let claims = verdict["claims"].as_array().unwrap().clone();
        claims.iter().map(|claim| claim["verdict"].as_str().unwrap().to_owned()).collect()
    };
    let plan = ["a1", "b3", "a1", "b3"];
    // The checker searches small boards itself.
    for (size, searched) in [("12x11", "not rechecked"), ("5x5", "refuted")] {
        let mut bounded = capture_certificate(size, &plan);
        assert_eq!(verdicts(&bounded), ["confirmed"]);
        bounded["claim"] = json!({ "kind": "at-least", "lower_bound": 3 });
        assert_eq!(verdicts(&bounded).last().unwrap(), searched);
        let proof = json!({ "kind": "search", "by": "naive", "nodes": 1 });
        bounded["claim"] = json!({ "kind": "fewest", "lower_bound": 3, "proof": proof });
        assert_eq!(verdicts(&bounded).last().unwrap(), searched);
        bounded["claim"] = json!({ "kind": "at-least", "lower_bound": 4 });
        assert_eq!(verdicts(&bounded), ["refuted"]);
    }
    let mut bounded = capture_certificate("5x5", &plan);
    bounded["claim"] = json!({ "kind": "at-least", "lower_bound": 1 });
    assert_eq!(verdicts(&bounded), ["confirmed", "confirmed"]);
}

#[test]
fn an_answer_for_another_board_is_refused() {
    let service = Service::default();
    let grid = b"1 6 3\n4 7 8\n9 2 5";
    let asked = |board: &str, closed: bool| VerifyOptions { board: Some(board.to_owned()), closed };
    let says = |text: &[u8], options: &VerifyOptions| {
        let verdict = service.verify(text, options).unwrap();
        (verdict["valid"].clone(), verdict["says"].as_str().unwrap().to_owned())
    };
    let (valid, why) = says(grid, &asked("8x8", false));
    assert!(valid == false && why == "the answer is for 3x3, but 8x8 was asked for", "{why}");
    let certificate = capture_certificate("5x5", &["a1", "b3"]).to_string();
    assert_eq!(says(certificate.as_bytes(), &asked("5x5", false)).0, true);
    assert_eq!(says(certificate.as_bytes(), &asked("8x8", false)).0, false);
    assert_eq!(says(certificate.as_bytes(), &asked("5x5", true)).0, false);
}

#[test]
fn a_check_that_is_stopped_gives_no_verdict() {
    let service = Service::default();
    let question = json!({ "board": { "size": "600x600" }, "start": "a1", "targets": ["b3"] });
    let none = json!({
        "destrier": 1, "kind": "capture", "answer": "impossible", "question": question,
        "reason": { "kind": "unreachable", "from": "a1", "to": "b3" },
        "origin": { "program": "forger", "method": "none" },
    });
    let text = none.to_string();
    let options = VerifyOptions::default();
    let stopped = service.verify_until(text.as_bytes(), &options, &|| true).unwrap_err();
    assert_eq!(stopped.kind(), RefusalKind::Unavailable, "{stopped}");
    assert_eq!(service.verify(text.as_bytes(), &options).unwrap()["valid"], false);
}

#[test]
fn counts_that_were_kept_are_read_again_and_called_checked_only_if_they_were() {
    let asked = Direct::new();
    for (question, kept, checked) in [
        (
            json!({ "kind": "count", "board": "5x6", "classes": true }),
            json!({ "shape": "both", "classes": true }),
            false,
        ),
        (
            json!({ "kind": "count", "board": "4x5", "shape": "open", "holes": ["a1"] }),
            json!({ "shape": "open", "holes": ["a1"] }),
            true,
        ),
        (
            json!({ "kind": "count", "board": "5x6", "by_start": true, "shape": "open" }),
            json!({ "by_start": true }),
            false,
        ),
        (
            json!({ "kind": "count", "board": "3x4", "by_start": true, "shape": "open" }),
            json!({ "by_start": true }),
            true,
        ),
        (
            json!({ "kind": "count", "board": "3x4", "shape": "open", "classes": true }),
            json!({ "shape": "open", "classes": true }),
            true,
        ),
    ] {
        let job = asked.job(question.to_string().as_bytes()).unwrap();
        let verdict = asked.verify(job["certificate"].to_string().as_bytes(), None).unwrap();
        assert_eq!(
            (&verdict["valid"], &verdict["unchecked"], &verdict["kind"]),
            (&json!(true), &json!(!checked), &json!("count")),
            "{verdict}"
        );
        let verdict_word = if checked { "confirmed" } else { "not rechecked" };
        assert_eq!(verdict["claims"][0]["verdict"], verdict_word);
        for (name, value) in kept.as_object().unwrap() {
            assert_eq!(&verdict["question"][name], value, "{name} of {verdict}");
        }
        // What was read is a question that can be asked again, with the same answer.
        let again = asked.job(verdict["question"].to_string().as_bytes()).unwrap();
        assert_eq!(again["certificate"], job["certificate"]);
        let (read, found) = (&verdict["answer"], &job["answer"]);
        assert_eq!(read["grid"], found["grid"]);
        for (read, found) in read["counts"]
            .as_array()
            .into_iter()
            .flatten()
            .zip(found["counts"].as_array().into_iter().flatten())
        {
            for name in ["shape", "undirected", "directed", "classes", "fixed"] {
                assert_eq!(read[name], found[name], "{name}");
            }
        }
    }
    for (text, wrong) in [
        (
            r#"{"destrier":1,"kind":"count","question":{"board":{"size":"5x5"},"shape":"open"},"undirected":"12x","directed":"3"}"#,
            "`undirected` is not a string of digits",
        ),
        (
            r#"{"destrier":1,"kind":"count-by-start","question":{"board":{"size":"5x5"},"shape":"open"},"directed":{"f1":"3"}}"#,
            "f1 is not on the board",
        ),
        (
            r#"{"kind":"count-series","terms":[{"board":"3"}]}"#,
            "`board` is not a size, like `3x10`",
        ),
        (
            r#"{"destrier":1,"kind":"count-by-start","question":{"board":{"size":"3x3"},"shape":"open"},"directed":{"a1":"3"}}"#,
            "a number for each square of the board",
        ),
        (
            r#"{"kind":"count-series","terms":[{"board":"3x4","shape":"open","undirected":"8","directed":"17"}]}"#,
            "8 undirected tours are 16 directed ones",
        ),
        (
            r#"{"kind":"count-series","terms":[{"board":"3x4","undirected":"8","directed":"16"},{"board":"3x5","leaper":"0,1","undirected":"8","directed":"16"}]}"#,
            "one width, one shape of tour and one piece",
        ),
        (
            r#"{"kind":"count-series","terms":[{"board":"3x4","leaper":7,"undirected":"8","directed":"16"}]}"#,
            "`leaper` is not a leaper",
        ),
        (r#"[{"destrier":1,"kind":"count"}]"#, "`question`"),
    ] {
        let verdict = asked.verify(text.as_bytes(), None).unwrap();
        assert_eq!(verdict["valid"], false, "{verdict}");
        assert!(verdict["says"].as_str().unwrap().contains(wrong), "{verdict}");
    }
}

#[test]
fn a_series_that_was_kept_is_confirmed_as_far_as_the_checker_counts() {
    let asked = Direct::new();
    for (range, leaper, because) in [
        ("3x1..6", None, "counted again by the checker"),
        ("3x1..6", Some("0,1"), "counted again by the checker"),
        ("3x4..14", None, "4 of 11 were counted again by the checker"),
    ] {
        let mut question =
            json!({ "kind": "count", "series": range, "shape": "open", "recurrence": 0 });
        if let Some(leaper) = leaper {
            question["leaper"] = leaper.into();
        }
        let job = asked.job(question.to_string().as_bytes()).unwrap();
        // As the page keeps it.
        let mut kept = job["answer"].clone();
        kept["kind"] = "count-series".into();
        let verdict = asked.verify(kept.to_string().as_bytes(), None).unwrap();
        assert_eq!(verdict["valid"], true, "{verdict}");
        assert_eq!(verdict["claims"].as_array().unwrap().len(), 1, "{verdict}");
        assert_eq!(verdict["claims"][0]["because"], because, "{verdict}");
        assert_eq!(verdict["question"]["series"], range);
        assert_eq!(verdict["question"].get("leaper"), question.get("leaper"));
        let mut read = verdict["question"].clone();
        read["recurrence"] = 0.into();
        let again = asked.job(read.to_string().as_bytes()).unwrap();
        assert_eq!(again["answer"]["terms"], job["answer"]["terms"]);
        kept["terms"][3]["undirected"] = "7".into();
        kept["terms"][3]["directed"] = "14".into();
        let wrong = asked.verify(kept.to_string().as_bytes(), None).unwrap();
        assert_eq!(wrong["valid"], false, "{wrong}");
    }
}

#[test]
fn only_what_the_checker_confirmed_is_proved() {
    let asked = Direct::new();
    let certificate = |side: usize, plan: &[&str], proof: Value| {
        let empty = format!("{side}/").repeat(side - 3);
        let start = format!("{empty}{side}/{side}/N{}", side - 1);
        let goal = format!("{empty}1N{}/{side}/{side}", side - 2);
        json!({
            "destrier": 1, "kind": "swap", "answer": "solved", "solution": plan,
            "question": { "start": start, "goal": goal },
            "claim": { "kind": "fewest", "lower_bound": plan.len(), "proof": proof },
            "origin": { "program": "forger", "method": "none" },
        })
    };
    let words = json!({ "kind": "bound-met", "by": "my word" });
    let search = json!({ "kind": "search", "by": "naive", "nodes": 1 });
    for proof in [words, search] {
        // On a board too large for the checker's search, a plan of three moves where one is enough.
        let forged = certificate(12, &["a1-b3", "b3-a1", "a1-b3"], proof.clone());
        let verdict = asked.verify(forged.to_string().as_bytes(), None).unwrap();
        assert_eq!(verdict["valid"], true, "{verdict}");
        assert_eq!(verdict["claims"][1]["verdict"], "not rechecked", "{verdict}");
        assert_eq!(verdict["answer"]["proved"], false, "{verdict}");
        let searched = certificate(5, &["a1-b3"], proof);
        let verdict = asked.verify(searched.to_string().as_bytes(), None).unwrap();
        assert_eq!(verdict["claims"][1]["verdict"], "confirmed", "{verdict}");
        assert_eq!(verdict["answer"]["proved"], true, "{verdict}");
    }
}

#[test]
fn an_answer_that_is_too_long_to_draw_is_refused() {
    let service = Service::new(Limits { drawn: 64, ..Limits::default() });
    let verify = |text: &str| service.verify(text.as_bytes(), &VerifyOptions::default());
    let walk = |steps: usize| ["a1", "b3"].into_iter().cycle().take(steps).collect::<Vec<_>>();
    let moves: Vec<&str> = ["a1-b3", "b3-a1"].into_iter().cycle().take(65).collect();
    let certificate = |kind: &str, question: &Value, solution: &Value| {
        json!({
            "destrier": 1, "kind": kind, "answer": "solved", "question": question,
            "solution": solution, "claim": { "kind": "valid" },
            "origin": { "program": "a test", "method": "none" },
        })
        .to_string()
    };
    let capture = json!({ "board": { "size": "3x3" }, "start": "a1", "targets": ["b3"] });
    let swap = json!({ "start": "3/3/N2", "goal": "1N1/3/3" });
    for text in [
        walk(65).join(" "),
        certificate("capture", &capture, &json!(walk(66))),
        certificate("swap", &swap, &json!(moves)),
    ] {
        let refused = verify(&text).unwrap_err();
        assert_eq!(refused.kind(), RefusalKind::TooLarge, "{refused}");
    }
    assert_eq!(verify(&certificate("capture", &capture, &json!(walk(64)))).unwrap()["valid"], true);
    // What is refuted is not drawn either.
    let wrong = certificate("capture", &capture, &json!(vec!["a1"; 65]));
    let verdict = verify(&wrong).unwrap();
    assert_eq!((&verdict["valid"], verdict.get("attempt")), (&json!(false), None));
}

#[test]
fn a_number_of_a_count_has_a_most_of_digits() {
    let asked = Direct::new();
    let long = "7".repeat(20_000);
    for (text, said) in [
        (json!({ "undirected": long, "directed": "3" }), "`undirected` has more than 16384 digits"),
        (json!({ "undirected": "3", "directed": long }), "`directed` has more than 16384 digits"),
    ] {
        let mut text = text;
        text["destrier"] = 1.into();
        text["kind"] = "count".into();
        text["question"] = json!({ "board": { "size": "5x5" } });
        let verdict = asked.verify(text.to_string().as_bytes(), None).unwrap();
        assert_eq!(verdict["says"], said);
    }
}
