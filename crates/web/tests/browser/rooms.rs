//! Each room from question to answer, as a visitor would use it.

use serde_json::json;

use crate::driver::browse;

#[test]
fn the_tour_room_finds_a_tour_and_plays_it_step_by_step() {
    browse("tour", async |page| {
        page.open("").await;
        assert_eq!(page.says("h2").await, "A knight’s tour");
        page.choose("tour", "closed").await;
        page.square("tour", "c3").await;
        let (tone, headline) = page.ask("tour").await;
        assert_eq!((tone.as_str(), headline.as_str()), ("good", "A closed tour of 8×8: 64 squares."));
        assert_eq!(page.says("#room-tour .number:not(.off)").await, "1");
        let seen = "document.querySelectorAll('#room-tour .segment:not(.off)').length";
        assert_eq!(page.js(seen).await, json!(64));
        page.click("#room-tour [aria-label='To the start']").await;
        assert_eq!(page.says("#room-tour .caption").await, "The knight starts on c3. 64 squares.");
        assert_eq!(page.js(seen).await, json!(0));
        page.click("#room-tour [aria-label='One step on']").await;
        assert!(page.says("#room-tour .caption").await.ends_with("step 2 of 64."));
        page.click("#room-tour [aria-label='Play']").await;
        page.wait("document.querySelector('#room-tour .count').textContent === '64 / 64'").await;
        page.click("#room-tour [data-style=numbers]").await;
        assert_eq!(page.js("getComputedStyle(document.querySelector('#room-tour .segment')).display").await, json!("none"));
    });
}

#[test]
fn no_tour_is_an_answer_with_a_reason() {
    browse("impossible", async |page| {
        page.open("#tour?board=4x4").await;
        let (tone, headline) = page.ask("tour").await;
        assert_eq!(tone, "none");
        assert!(headline.starts_with("There is no tour of 4×4."), "{headline}");
        assert!(!page.says("#room-tour .detail").await.is_empty());
    });
}

#[test]
fn holes_are_made_by_clicking_and_a_bad_question_is_refused_at_its_field() {
    browse("holes", async |page| {
        page.open("#tour?board=5x5").await;
        page.choose("tour", "hole").await;
        page.square("tour", "c3").await;
        assert_eq!(page.js("location.hash").await, json!("#tour?board=5x5&holes=c3"));
        page.square("tour", "c3").await;
        page.open("#tour?board=5x5&from=z9").await;
        let (tone, headline) = page.ask("tour").await;
        assert_eq!(tone, "bad");
        assert!(headline.contains("z9"), "{headline}");
        assert!(page.text("document.querySelector('#room-tour [aria-invalid=true]')?.value").await == "z9");
    });
}

#[test]
fn the_count_room_has_totals_classes_a_heat_map_and_a_series() {
    browse("count", async |page| {
        page.open("#count?board=6x6&shape=closed").await;
        let (tone, headline) = page.ask("count").await;
        assert_eq!((tone.as_str(), headline.as_str()), ("good", "9,862 closed tours."));
        page.choose("count", "classes").await;
        page.ask("count").await;
        assert!(page.says("#room-count .body").await.contains("1,245"));
        page.open("#count?board=5x5&by_start=true").await;
        page.ask("count").await;
        assert_eq!(page.js("document.querySelectorAll('#room-count .warm').length").await, json!(25));
        assert!(page.says("#room-count .body tfoot").await.contains("1,728"));
        page.open("#count?series=3x1..12&shape=closed").await;
        let (_, headline) = page.ask("count").await;
        assert_eq!(headline, "12 boards counted.");
        assert!(page.says("#room-count .body").await.contains("3×10"));
    });
}

#[test]
fn the_capture_room_takes_what_was_painted() {
    browse("capture", async |page| {
        page.open("#capture?puzzle=4p/5/5/5/N3p").await;
        page.square("capture", "c3").await;
        assert_eq!(page.js("document.querySelector('#room-capture .mono').value").await, json!("4p/5/2p2/5/N3p"));
        let (tone, headline) = page.ask("capture").await;
        assert_eq!((tone.as_str(), headline.as_str()), ("good", "8 moves, and no plan is shorter."));
        assert_eq!(page.js("document.querySelectorAll('#room-capture .piece-pawn.gone').length").await, json!(3));
        page.click("#room-capture [aria-label='To the start']").await;
        assert_eq!(page.js("document.querySelectorAll('#room-capture .piece-pawn.gone').length").await, json!(0));
    });
}

#[test]
fn the_swap_room_solves_its_presets() {
    browse("swap", async |page| {
        page.open("#swap").await;
        page.wait("document.querySelectorAll('#room-swap select')[0].length > 2").await;
        page.click("#room-swap select option[value=guarini]").await;
        let (tone, headline) = page.ask("swap").await;
        assert_eq!((tone.as_str(), headline.as_str()), ("good", "16 moves, and no plan is shorter."));
        page.click("#room-swap [aria-label='To the end']").await;
        assert!(page.says("#room-swap .caption").await.ends_with("move 16 of 16."));
    });
}

#[test]
fn the_compare_room_runs_methods_side_by_side() {
    browse("compare", async |page| {
        page.open("#compare?of=swap&boards=guarini,3x4&methods=astar,meet").await;
        page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 2").await;
        page.click("#room-compare .primary").await;
        page.wait("document.querySelector('#room-compare .caption').textContent.startsWith('4 runs')").await;
        assert_eq!(page.js("document.querySelectorAll('#room-compare .span').length").await, json!(4));
        assert!(page.says("#room-compare tbody").await.contains("16 moves, proved"));
    });
}

#[test]
fn a_board_of_four_million_squares_is_looked_at_through_a_window() {
    browse("window", async |page| {
        page.open("#tour?board=2000x2000").await;
        let (tone, headline) = page.ask("tour").await;
        assert_eq!((tone.as_str(), headline.as_str()), ("good", "An open tour of 2000×2000: 4,000,000 squares."));
        page.wait("performance.getEntriesByType('resource').some((entry) => entry.name.endsWith('/api/window') && entry.responseEnd)").await;
        page.click("#room-tour [aria-label='Closer']").await;
        page.click("#room-tour [aria-label='To the start']").await;
        page.wait("/step 1 of 4,000,000/.test(document.querySelector('#room-tour .caption').textContent)").await;
        page.js("document.querySelector('#room-tour .canvas-board').focus()").await;
        page.keys("\u{e014}").await; // arrow right
        page.keys("\u{e012}").await; // arrow left
        page.wait("/^a1(, knight|, step \\d)/.test(document.querySelector('#room-tour .stage .unseen').textContent)").await;
        let asked = page.js("performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/api/window')).length").await;
        assert!(asked.as_u64().is_some_and(|asked| asked <= 40), "only what is seen is asked for, not {asked} windows");
    });
}

#[test]
fn answers_are_kept_as_files_in_every_form() {
    browse("export", async |page| {
        page.open("#tour?board=5x5").await;
        page.ask("tour").await;
        for format in ["svg", "png", "gif", "json", "fen"] {
            page.js("performance.clearResourceTimings()").await;
            page.click(&format!("#room-tour [data-format={format}]")).await;
            page.wait(&format!("performance.getEntriesByType('resource').some((entry) => entry.name.endsWith('format={format}') && entry.responseStatus === 200)")).await;
        }
    });
}
