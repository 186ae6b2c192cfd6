//! What comes late, twice or not at all: the page says only what was asked and what was checked.

use serde_json::json;

use crate::driver::{Page, browse, browse_served};

/// From now on requests to the checker are handled by a function of the request and the real `fetch`.
fn on_verify(page: &Page, handle: &str) {
    page.js(&format!(
        "(() => {{
            const real = window.fetch.bind(window);
            const handle = {handle};
            window.fetch = (url, ...rest) =>
                String(url).includes('verify') ? handle(() => real(url, ...rest)) : real(url, ...rest);
            return true;
        }})()"
    ));
}

fn walk(size: &str, squares: &str) -> String {
    let squares: Vec<&str> = squares.split(' ').collect();
    json!({
        "destrier": 1, "kind": "tour", "question": { "board": { "size": size }, "shape": "open" }, "answer": "solved",
        "solution": squares, "claim": { "kind": "valid" }, "origin": { "program": "a hand", "method": "by hand" },
    })
    .to_string()
}

#[test]
fn a_win_that_nobody_could_check_is_not_called_checked() {
    browse_served("unchecked", |page| {
        page.open("#capture?puzzle=1p1/3/N2");
        page.choose("capture", "play");
        let undo = "document.querySelector('#room-capture .table .buttons button').disabled";
        assert_eq!(page.js(undo), json!(true), "there is nothing to take back");
        on_verify(page, "() => Promise.reject(new TypeError('gone'))");
        page.square("capture", "b3");
        let word = "document.querySelector('#room-capture .word')";
        page.wait(&format!("{word}.dataset.tone === 'bad'"));
        let said = page.says("#room-capture .word");
        assert!(said.starts_with("You are done, but your solution could not be checked"), "{said}");
        // Nothing is kept of it, and it can be had again.
        assert!(!page.text("JSON.stringify(localStorage)").contains("seconds"));
        on_verify(page, "(real) => real()");
        page.reload();
        page.choose("capture", "play");
        page.square("capture", "b3");
        page.wait(&format!("/The checker agrees/.test({word}.textContent)"));
    });
}

#[test]
fn counts_are_of_the_piece_that_was_asked_for() {
    browse("count-leaper", |page| {
        page.open("#count?board=4x4&leaper=0,1&shape=closed");
        let (tone, headline) = page.ask("count");
        assert_eq!(tone, "good");
        assert!(headline.starts_with("6 closed tours"), "{headline}");
        assert!(page.text("decodeURIComponent(location.hash)").contains("leaper=0,1"));
    });
}

#[test]
fn an_answer_asked_for_from_within_a_field_stays_when_the_field_is_left() {
    browse("from-a-field", |page| {
        page.open("#tour?board=6x6");
        page.js("(() => { const field = document.querySelector('#room-tour .size input'); field.focus(); field.select(); return true; })()");
        // 8, then Enter with Ctrl held down.
        page.keys("8\u{E009}\u{E007}");
        let (_, headline) = page.answer("tour");
        assert!(headline.starts_with("An open tour of 8×6"), "{headline}");
        page.js("document.activeElement.blur()");
        page.settle();
        assert_eq!(page.answer("tour").1, headline);
        assert!(page.text("location.hash").contains("board=8x6"));
    });
}

#[test]
fn the_newest_file_is_shown_whichever_is_read_first() {
    browse_served("late-file", |page| {
        page.open("#tour?board=6x6");
        on_verify(
            page,
            "(real) => window.release ? real() : new Promise((go) => { window.release = go; }).then(real)",
        );
        let four = "a1 c2 e1 d3 b4 a2 c1 e2 d4 b3 d2 b1 a3 c4 e3 d1 b2 a4 c3 e4";
        page.drop_file("first.json", &walk("5x4", four));
        page.wait("Boolean(window.release)");
        page.drop_file("second.json", &walk("3x4", "a1 c2 a3 b1 d2"));
        page.wait("document.querySelector('#room-tour .report').dataset.tone === 'bad'");
        let said = page.says("#room-tour .headline");
        page.js("window.release() ?? true");
        page.settle();
        page.settle();
        assert_eq!(page.says("#room-tour .headline"), said);
    });
}

#[test]
fn a_film_that_is_started_again_and_again_runs_once() {
    browse("film-again", |page| {
        page.open("#tour?board=5x5&method=backtrack&trace=true&from=a1");
        page.click("#room-tour .primary");
        page.wait("!document.querySelector('#room-tour [data-keep=again]').hidden");
        page.click("#room-tour [aria-label='Go to the end']");
        page.answer("tour");
        page.js("(() => { const again = document.querySelector('#room-tour [data-keep=again]'); \
             for (let i = 0; i < 8; i += 1) again.click(); return true; })()");
        let loops = page.js(
            "new Promise((done) => {
                const real = window.requestAnimationFrame.bind(window);
                const loops = [];
                real(() => {
                    window.requestAnimationFrame = (act) => { if (act.name === 'tick') loops.push(act); return real(act); };
                    real(() => { window.requestAnimationFrame = real; done(new Set(loops).size); });
                });
            })",
        );
        assert_eq!(loops, json!(1));
    });
}

#[test]
fn text_that_is_dragged_into_a_field_is_the_fields_and_text_pasted_elsewhere_is_a_file() {
    browse("dragged-text", |page| {
        page.open("#tour?board=6x6");
        let taken = |target: &str| {
            page.js(&format!(
                "(() => {{
                    const parcel = new DataTransfer();
                    parcel.setData('text/plain', '7');
                    const drop = new DragEvent('drop', {{ dataTransfer: parcel, bubbles: true, cancelable: true }});
                    return !document.querySelector('{target}').dispatchEvent(drop);
                }})()"
            ))
        };
        let before = page.says("#room-tour .headline");
        assert_eq!(taken("#room-tour .size input"), json!(false));
        assert_eq!(page.says("#room-tour .headline"), before);
        page.js(
            "(() => {
                const parcel = new DataTransfer();
                parcel.setData('text/plain', '4p/5/2p2/5/N3p');
                const paste = new ClipboardEvent('paste', { clipboardData: parcel, bubbles: true, cancelable: true });
                return document.body.dispatchEvent(paste);
            })()",
        );
        page.wait("!document.querySelector('#room-capture').hidden");
    });
}
