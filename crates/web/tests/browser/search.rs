//! A search while it runs: progress, cancelling, watching it think, and tabs that come and go.

use serde_json::json;

use crate::driver::{browse, browse_served, browse_site, job_of};

/// A count that takes hours.
const LONG: &str = "#count?board=9x8&shape=open";

#[test]
fn cancel_stops_the_search_on_the_server() {
    browse("cancel", |page| {
        page.open(LONG);
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'");
        let job = page.job("count");
        page.click("#room-count .stop");
        let (tone, headline) = page.answer("count");
        assert_eq!((tone.as_str(), headline.as_str()), ("open", "Stopped before an answer."));
        page.job_becomes(&job, "cancelled");
        assert_eq!(page.js("document.querySelector('#room-count .primary').hidden"), json!(false));
    });
}

#[test]
fn closing_a_tab_cancels_its_search_and_leaves_the_other_tab_alone() {
    browse_served("tabs", |page| {
        page.open("#tour?board=6x6");
        let first = page.session.window();
        let second = page.session.new_tab();
        page.session.switch(&second);
        page.open(LONG);
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'");
        let job = page.job("count");
        page.session.switch(&first);
        assert_eq!(page.ask("tour").0, "good");
        page.job_becomes(&job, "running");
        page.session.switch(&second);
        page.session.close_tab();
        page.session.switch(&first);
        page.job_becomes(&job, "cancelled");
    });
}

#[test]
fn without_a_network_the_page_answers_and_keeps_the_best_of_what_is_stopped() {
    browse_site("offline", |page| {
        page.open("#tour?board=6x6");
        page.wait("navigator.serviceWorker.controller !== null");
        page.unplug();
        page.open("#tour?board=8x8&closed=true");
        assert_eq!(page.ask("tour").0, "good");
        assert_eq!(page.js("crossOriginIsolated"), json!(true));
        page.open("#count?board=8x8&shape=closed&method=backtrack");
        page.wait("document.querySelector('#room-count [data-field=method] select').value === 'backtrack'");
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'");
        let job = page.job("count");
        page.click("#room-count .stop");
        page.job_becomes(&job, "cancelled");
        assert_eq!(page.js(&format!("{}.answer.counts.length", job_of(&job))), json!(1));
    });
}

#[test]
fn a_classic_method_is_watched_move_by_move() {
    browse("trace", |page| {
        page.open("#tour?board=5x5&method=backtrack&trace=true&from=b1");
        page.open("#tour?board=6x6&method=warnsdorff&trace=true");
        page.wait("!document.querySelector('#room-tour [data-field=trace] input').disabled");
        page.click("#room-tour .primary");
        page.wait("/^Searching: at step \\d/.test(document.querySelector('#room-tour .caption').textContent)");
        page.click("#room-tour [aria-label='To the end']");
        assert_eq!(page.answer("tour").0, "good");
        assert_eq!(page.js("document.querySelectorAll('#room-tour .segment').length"), json!(35));
    });
}

#[test]
fn a_permalink_restores_the_question_and_follows_it() {
    browse("permalink", |page| {
        page.open("#tour?board=6x5&closed=true&from=b2&holes=c3,d4&method=search");
        page.wait(
            "document.querySelector('#room-tour [data-field=method] select').value === 'search'",
        );
        let question = page.js("[...document.querySelectorAll('#room-tour input[type=number]')].slice(0, 2).map((input) => input.value)");
        assert_eq!(question, json!(["6", "5"]));
        assert_eq!(page.js("document.querySelectorAll('#room-tour rect.hole').length"), json!(2));
        assert_eq!(
            page.js("document.querySelectorAll('#room-tour .marks .start').length"),
            json!(1)
        );
        page.choose("tour", "open");
        let hash = page.text("location.hash");
        assert_eq!(hash, "#tour?board=6x5&holes=c3,d4&from=b2&method=search");
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n&alternate=white");
        assert_eq!(page.js("document.querySelectorAll('#room-swap .piece').length"), json!(4));
        assert!(page.text("location.hash").contains("alternate=white"));
    });
}
