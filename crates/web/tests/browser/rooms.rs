//! Each room from question to answer, as a visitor would use it.

use serde_json::json;

use crate::driver::{browse, browse_comparing};

#[test]
fn the_tour_room_finds_a_tour_and_plays_it_step_by_step() {
    browse("tour", |page| {
        page.open("");
        assert_eq!(page.says("h2"), "A knight’s tour");
        page.choose("tour", "closed");
        page.square("tour", "c3");
        let (tone, headline) = page.ask("tour");
        assert_eq!(
            (tone.as_str(), headline.as_str()),
            ("good", "A closed tour of 8×8: 64 squares.")
        );
        assert_eq!(page.says("#room-tour .number:not(.off)"), "1");
        let seen = "document.querySelectorAll('#room-tour .segment:not(.off)').length";
        assert_eq!(page.js(seen), json!(64));
        page.click("#room-tour [aria-label='To the start']");
        assert_eq!(page.says("#room-tour .caption"), "The knight starts on c3. 64 squares.");
        assert_eq!(page.js(seen), json!(0));
        page.click("#room-tour [aria-label='One step on']");
        assert!(page.says("#room-tour .caption").ends_with("step 2 of 64."));
        page.click("#room-tour [aria-label='Play']");
        page.wait("document.querySelector('#room-tour .count').textContent === '64 / 64'");
        page.click("#room-tour [data-style=numbers]");
        assert_eq!(
            page.js("getComputedStyle(document.querySelector('#room-tour .segment')).display"),
            json!("none")
        );
    });
}

#[test]
fn no_tour_is_an_answer_with_a_reason() {
    browse("impossible", |page| {
        page.open("#tour?board=4x4");
        let (tone, headline) = page.ask("tour");
        assert_eq!(tone, "none");
        assert!(headline.starts_with("There is no tour of 4×4."), "{headline}");
        assert!(!page.says("#room-tour .detail").is_empty());
    });
}

#[test]
fn holes_are_made_by_clicking_and_a_bad_question_is_refused_at_its_field() {
    browse("holes", |page| {
        page.open("#tour?board=5x5");
        page.choose("tour", "hole");
        page.square("tour", "c3");
        assert_eq!(page.js("location.hash"), json!("#tour?board=5x5&holes=c3"));
        page.square("tour", "c3");
        page.open("#tour?board=5x5&from=z9");
        let (tone, headline) = page.ask("tour");
        assert_eq!(tone, "bad");
        assert!(headline.contains("z9"), "{headline}");
        assert!(
            page.text("document.querySelector('#room-tour [aria-invalid=true]')?.value") == "z9"
        );
    });
}

#[test]
fn the_count_room_has_totals_classes_a_heat_map_and_a_series() {
    browse("count", |page| {
        page.open("#count?board=6x6&shape=closed");
        let (tone, headline) = page.ask("count");
        assert_eq!((tone.as_str(), headline.as_str()), ("good", "9,862 closed tours."));
        page.choose("count", "classes");
        page.ask("count");
        assert!(page.says("#room-count .body").contains("1,245"));
        page.open("#count?board=5x5&by_start=true");
        page.ask("count");
        assert_eq!(page.js("document.querySelectorAll('#room-count .warm').length"), json!(25));
        assert!(page.says("#room-count .body tfoot").contains("1,728"));
        page.open("#count?series=3x1..12&shape=closed");
        let (_, headline) = page.ask("count");
        assert_eq!(headline, "12 boards counted.");
        assert!(page.says("#room-count .body").contains("3×10"));
    });
}

#[test]
fn the_capture_room_takes_what_was_painted() {
    browse("capture", |page| {
        page.open("#capture?puzzle=4p/5/5/5/N3p");
        page.square("capture", "c3");
        assert_eq!(
            page.js("document.querySelector('#room-capture .mono').value"),
            json!("4p/5/2p2/5/N3p")
        );
        let (tone, headline) = page.ask("capture");
        assert_eq!(
            (tone.as_str(), headline.as_str()),
            ("good", "8 moves, and no plan is shorter.")
        );
        assert_eq!(
            page.js("document.querySelectorAll('#room-capture .piece-pawn.gone').length"),
            json!(3)
        );
        page.click("#room-capture [aria-label='To the start']");
        assert_eq!(
            page.js("document.querySelectorAll('#room-capture .piece-pawn.gone').length"),
            json!(0)
        );
    });
}

#[test]
fn the_swap_room_solves_its_presets() {
    browse("swap", |page| {
        page.open("#swap");
        page.wait("document.querySelector('#room-swap [data-field=preset] select').length > 2");
        page.click("#room-swap [data-field=preset] option[value=guarini]");
        let (tone, headline) = page.ask("swap");
        assert_eq!(
            (tone.as_str(), headline.as_str()),
            ("good", "16 moves, and no plan is shorter.")
        );
        page.click("#room-swap [aria-label='To the end']");
        assert!(page.says("#room-swap .caption").ends_with("move 16 of 16."));
    });
}

#[test]
fn the_compare_room_runs_methods_side_by_side() {
    browse_comparing("compare", |page| {
        page.open("#compare?of=swap&boards=guarini,3x4&methods=astar,meet");
        page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 2");
        page.click("#room-compare .primary");
        page.wait(
            "document.querySelector('#room-compare .caption').textContent.startsWith('4 runs')",
        );
        assert_eq!(page.js("document.querySelectorAll('#room-compare .span').length"), json!(4));
        assert!(page.says("#room-compare tbody").contains("16 moves, proved"));
        page.click(".language option[value=cs]");
        page.wait("document.querySelector('#room-compare tbody').textContent.includes('16 tahů, dokázáno')");
        page.open("#compare?of=tour&boards=4x4,9by9&methods=auto&threads=1,2");
        page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 1");
        page.click("#room-compare .primary");
        page.wait("document.querySelectorAll('#room-compare tbody tr').length === 3");
        let tones = "[...document.querySelectorAll('#room-compare tbody tr')].map((row) => row.dataset.tone)";
        assert_eq!(page.js(tones), json!(["none", "none", "bad"]));
        assert!(page.says("#room-compare tbody").contains("9by9"));
    });
}

#[test]
fn a_comparison_that_is_cancelled_keeps_what_was_measured() {
    browse_comparing("compare-cancelled", |page| {
        // The second question would take hours.
        page.open("#compare?of=count&boards=3x4,6x6&methods=naive&time_limit=10m");
        page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 1");
        page.click("#room-compare .primary");
        page.wait("document.querySelector('#room-compare .caption').textContent.startsWith('2 of 2: 6×6')");
        page.click("#room-compare .stop");
        page.wait("!document.querySelector('#room-compare').classList.contains('running')");
        assert_eq!(page.says("#room-compare .caption"), "Stopped before an answer.");
        assert_eq!(page.js("document.querySelectorAll('#room-compare tbody tr').length"), json!(1));
        assert!(page.says("#room-compare tbody").starts_with("3×4naive18"));
    });
}

#[test]
fn a_board_of_four_million_squares_is_looked_at_through_a_window() {
    browse("window", |page| {
        page.open("#tour?board=2000x2000");
        let (tone, headline) = page.ask("tour");
        assert_eq!(
            (tone.as_str(), headline.as_str()),
            ("good", "An open tour of 2000×2000: 4,000,000 squares.")
        );
        page.wait("performance.getEntries().some((entry) => entry.name.endsWith('/api/window') && entry.duration > 0)");
        page.click("#room-tour [aria-label='Closer']");
        page.click("#room-tour [aria-label='To the start']");
        page.wait(
            "/step 1 of 4,000,000/.test(document.querySelector('#room-tour .caption').textContent)",
        );
        page.js("document.querySelector('#room-tour .canvas-board').focus()");
        page.keys("\u{e014}"); // arrow right
        page.keys("\u{e012}"); // arrow left
        page.wait("/^a1(, knight|, step \\d)/.test(document.querySelector('#room-tour .stage .unseen').textContent)");
        let asked = page.js(
            "performance.getEntries().filter((entry) => entry.name.endsWith('/api/window')).length",
        );
        assert!(
            asked.as_u64().is_some_and(|asked| asked <= 40),
            "only what is seen is asked for, not {asked} windows"
        );
    });
}

#[test]
fn answers_are_kept_as_files_in_every_form() {
    browse("export", |page| {
        page.open("#tour?board=5x5");
        page.ask("tour");
        for format in ["svg", "png", "gif", "json", "fen"] {
            page.js("[performance.clearResourceTimings(), performance.clearMeasures()]");
            page.click(&format!("#room-tour [data-format={format}]"));
            page.wait(&format!("performance.getEntries().some((entry) => entry.name.endsWith('format={format}') && [200, undefined].includes(entry.responseStatus))"));
        }
    });
}

#[test]
fn squares_and_fens_are_read_back_as_they_were_written() {
    browse("laws", |page| {
        page.open("");
        let names = "import('/js/board.js').then(({ Board }) => {
            const board = new Board(800, 3);
            for (let square = 0; square < board.size; square += 1) {
                if (board.square(board.name(square)) !== square) return board.name(square);
            }
            return [board.name(0), board.name(25), board.name(26), board.name(702), board.square('a4'), board.square('zz9')].join(' ');
        })";
        assert_eq!(page.text(names), "a1 z1 aa1 aaa1 -1 -1");
        let fens = "import('/js/board.js').then(({ toFen, fromFen }) => ['nnn/3/3/NNN', '4p/5/2#2/5/N3p', '12/5p6', '##1/N1?'].map((fen) => {
            const { board, placement } = fromFen(fen);
            return toFen(board, placement);
        }))";
        assert_eq!(page.js(fens), json!(["nnn/3/3/NNN", "4p/5/2#2/5/N3p", "12/5p6", "##1/N1?"]));
        let jumps = "import('/js/board.js').then(({ Board }) => [new Board(8, 8).jumps(0).length, new Board(8, 8).jumps(27).length,
            new Board(5, 5, { wrap: 'both' }).jumps(0).length, new Board(8, 8, { leaper: [2, 2] }).jumps(27).length])";
        assert_eq!(page.js(jumps), json!([2, 8, 8, 4]));
    });
}
