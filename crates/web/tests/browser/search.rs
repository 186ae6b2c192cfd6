//! A search while it runs: progress, cancelling, watching it think, and tabs that come and go.

use serde_json::json;

use crate::driver::browse;

/// A count that takes hours.
const LONG: &str = "#count?board=9x8&shape=open";

#[test]
fn cancel_stops_the_search_on_the_server() {
    browse("cancel", async |page| {
        page.open(LONG).await;
        page.click("#room-count .primary").await;
        page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'").await;
        let job = page.job().await;
        page.click("#room-count .stop").await;
        let (tone, headline) = page.answer("count").await;
        assert_eq!((tone.as_str(), headline.as_str()), ("open", "Stopped before an answer."));
        page.job_becomes(&job, "cancelled").await;
        assert_eq!(page.js("document.querySelector('#room-count .primary').hidden").await, json!(false));
    });
}

#[test]
fn closing_a_tab_cancels_its_search_and_leaves_the_other_tab_alone() {
    browse("tabs", async |page| {
        page.open("#tour?board=6x6").await;
        let first = page.client.window().await.expect("a window");
        let second = page.client.new_window(true).await.expect("a second tab");
        page.client.switch_to_window(second.handle).await.expect("it can be seen");
        page.open(LONG).await;
        page.click("#room-count .primary").await;
        page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'").await;
        let job = page.job().await;
        page.client.switch_to_window(first.clone()).await.expect("the first tab");
        assert_eq!(page.ask("tour").await.0, "good");
        page.job_becomes(&job, "running").await;
        page.client.switch_to_window(second_again(&page, &first).await).await.expect("the second tab");
        page.client.close_window().await.expect("it closes");
        page.client.switch_to_window(first).await.expect("the first tab");
        page.job_becomes(&job, "cancelled").await;
    });
}

async fn second_again(
    page: &crate::driver::Page,
    first: &fantoccini::wd::WindowHandle,
) -> fantoccini::wd::WindowHandle {
    let all = page.client.windows().await.expect("windows");
    all.into_iter().find(|one| one != first).expect("a second tab")
}

#[test]
fn a_classic_method_is_watched_move_by_move() {
    browse("trace", async |page| {
        page.open("#tour?board=5x5&method=backtrack&trace=true&from=b1").await;
        page.open("#tour?board=6x6&method=warnsdorff&trace=true").await;
        page.wait("!document.querySelector('#room-tour .check input').disabled").await;
        page.click("#room-tour .primary").await;
        page.wait("/^Searching: at step \\d/.test(document.querySelector('#room-tour .caption').textContent)").await;
        page.click("#room-tour [aria-label='To the end']").await;
        assert_eq!(page.answer("tour").await.0, "good");
        assert_eq!(page.js("document.querySelectorAll('#room-tour .segment').length").await, json!(35));
    });
}

#[test]
fn a_permalink_restores_the_question_and_follows_it() {
    browse("permalink", async |page| {
        page.open("#tour?board=6x5&closed=true&from=b2&holes=c3,d4&method=search").await;
        page.wait("document.querySelectorAll('#room-tour select')[1].value === 'search'").await;
        let question = page.js("[...document.querySelectorAll('#room-tour input[type=number]')].slice(0, 2).map((input) => input.value)").await;
        assert_eq!(question, json!(["6", "5"]));
        assert_eq!(page.js("document.querySelectorAll('#room-tour rect.hole').length").await, json!(2));
        assert_eq!(page.js("document.querySelectorAll('#room-tour .marks .start').length").await, json!(1));
        page.choose("tour", "open").await;
        let hash = page.text("location.hash").await;
        assert_eq!(hash, "#tour?board=6x5&holes=c3,d4&from=b2&method=search");
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n&alternate=white").await;
        assert_eq!(page.js("document.querySelectorAll('#room-swap .piece').length").await, json!(4));
        assert!(page.text("location.hash").await.contains("alternate=white"));
    });
}
