//! Editing a board: with the mouse, with a finger, with undo and redo.

use serde_json::json;

use crate::driver::{Page, browse};

/// A finger moves at once, however long the browser takes for it: the time of a rest is not up before `window.resting`.
const QUICK: &str = "import('./js/gesture.js').then(({ REST }) => {
    const later = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => (ms === REST && !window.resting ? 0 : later(act, ms, ...more));
    return true;
})";

/// The finger does not rest.
const fn at_once() {}

fn fen(page: &Page) -> String {
    page.text("document.querySelector('#room-capture .mono').value")
}

#[test]
fn a_piece_is_dragged_elsewhere_or_off_the_board_and_a_click_toggles_it() {
    browse("drag", |page| {
        page.open("#capture?puzzle=4p/5/2p2/5/N3p");
        let at = |square| page.middle("capture", square);
        // On another piece it goes back, and there is nothing to undo.
        for (from, to) in [("c3", "e5"), ("a1", "e1"), ("e1", "a1")] {
            page.drag("left", at(from), at(to));
            assert_eq!(fen(page), "4p/5/2p2/5/N3p", "{from} on {to}");
        }
        let undo = "document.querySelector(\"#room-capture [aria-label='Undo the last change']\")";
        assert_eq!(page.js(&format!("{undo}.disabled")), json!(true));
        assert_eq!(page.js("document.querySelector('.lifted')"), json!(null));
        page.drag("left", at("c3"), at("b2"));
        assert_eq!(fen(page), "4p/5/5/1p3/N3p");
        page.drag("left", at("b2"), (at("b2").0, 5.0));
        assert_eq!(fen(page), "4p/5/5/5/N3p");
        page.drag("left", at("a1"), at("c1"));
        assert_eq!(fen(page), "4p/5/5/5/2N1p");
        page.drag("left", at("e1"), at("e1"));
        assert_eq!(fen(page), "4p/5/5/5/2N2");
        page.drag("right", at("e5"), at("e5"));
        assert_eq!(fen(page), "5/5/5/5/2N2");
        // The start of a tour is dragged in the same way.
        page.open("#tour?board=5x5&from=a1");
        let at = |square| page.middle("tour", square);
        page.drag("left", at("a1"), at("c3"));
        assert_eq!(page.text("location.hash"), "#tour?board=5x5&from=c3");
        page.drag("right", at("c3"), at("c3"));
        assert_eq!(page.text("location.hash"), "#tour?board=5x5");
    });
}

#[test]
fn a_stroke_is_one_step_of_undo_in_every_room() {
    browse("undo", |page| {
        page.open("#capture?puzzle=5/5/5/5/N4");
        let at = |square| page.middle("capture", square);
        page.drag("left", at("a4"), at("e4"));
        assert_eq!(fen(page), "5/ppppp/5/5/N4");
        page.drag("left", at("c2"), at("c2"));
        page.js("document.activeElement.blur()");
        let undo = "#room-capture [aria-label='Undo the last change']";
        page.click(undo);
        assert_eq!(fen(page), "5/ppppp/5/5/N4");
        page.click(undo);
        assert_eq!(fen(page), "5/5/5/5/N4");
        assert_eq!(page.js(&format!("document.querySelector(\"{undo}\").disabled")), json!(true));
        page.click("#room-capture [aria-label='Redo']");
        assert_eq!(fen(page), "5/ppppp/5/5/N4");
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n");
        page.drag("left", page.middle("swap", "a1"), page.middle("swap", "a2"));
        assert!(page.text("location.hash").contains("start=n1n/N2/2N"));
        page.keys("\u{e009}z\u{e000}"); // Ctrl+Z
        assert!(page.text("location.hash").contains("start=n1n/3/N1N"));
        page.open("#count?board=5x5");
        page.square("count", "c3");
        page.click("#room-count [aria-label='Undo the last change']");
        assert_eq!(page.text("location.hash"), "#count?board=5x5");
    });
}

#[test]
fn an_answer_comes_back_with_its_question() {
    browse("undo-answer", |page| {
        page.open("#tour?board=6x6");
        let (_, headline) = page.ask("tour");
        page.square("tour", "c3");
        assert!(!page.says("#room-tour .report[data-tone=idle] .headline").is_empty());
        page.click("#room-tour [aria-label='Undo the last change']");
        assert_eq!(page.says("#room-tour .headline"), headline);
        assert_eq!(page.js("document.querySelectorAll('#room-tour .segment').length"), json!(35));
    });
}

#[test]
fn a_finger_scrolls_without_painting_and_paints_without_scrolling() {
    browse("touch", |page| {
        page.as_phone();
        page.open("#capture?puzzle=8/8/8/8/8/8/8/N7");
        page.js(QUICK);
        let painted = |fen: &str| {
            page.wait(&format!("document.querySelector('#room-capture .mono').value === '{fen}'"));
        };
        let at = |square| page.middle("capture", square);
        let scrolled = "Math.round(window.scrollY)";
        let (x, y) = at("c3");
        page.touch((x, y), (x, y - 150.0), at_once);
        page.wait(&format!("{scrolled} > 0"));
        assert_eq!(fen(page), "8/8/8/8/8/8/8/N7", "a scroll paints nothing");
        page.wait(&format!("(window.scrollTo(0, 0), {scrolled} === 0)"));
        page.touch(at("c3"), at("c3"), at_once);
        painted("8/8/8/8/8/2p5/8/N7");
        page.touch(at("b6"), at("h6"), at_once);
        painted("8/8/1ppppppp/8/8/2p5/8/N7");
        page.js("(window.resting = true)");
        page.touch(at("a8"), at("a7"), || painted("p7/8/1ppppppp/8/8/2p5/8/N7"));
        painted("p7/p7/1ppppppp/8/8/2p5/8/N7");
        page.touch(at("a1"), at("a2"), || page.wait("document.querySelector('.lifted')"));
        painted("p7/p7/1ppppppp/8/8/2p5/N7/8");
        page.js("(window.resting = false)");
        page.touch(at("a2"), at("c2"), at_once);
        painted("p7/p7/1ppppppp/8/8/2p5/2N5/8");
        assert_eq!(page.js(scrolled), json!(0));
        // Up from a piece, over others: a scroll.
        let (x, y) = at("c3");
        page.touch((x, y), (x + 8.0, y - 150.0), at_once);
        page.wait(&format!("{scrolled} > 0"));
        assert_eq!(fen(page), "p7/p7/1ppppppp/8/8/2p5/2N5/8", "a scroll moves nothing");
        // The same in a game: a swipe is not a move.
        page.open("#tour?board=5x5&from=a1");
        page.js(QUICK);
        page.choose("tour", "play");
        page.js("window.scrollTo(0, 0)");
        let (x, y) = page.middle("tour", "b3");
        page.touch((x, y), (x, y - 120.0), at_once);
        page.wait(&format!("{scrolled} > 0"));
        assert_eq!(page.says("#room-tour .table dd:nth-of-type(1)"), "0:00");
        assert_eq!(
            page.text("document.querySelectorAll('#room-tour .table dd')[1].textContent"),
            "0"
        );
    });
}

#[test]
fn a_board_gets_a_well_known_shape() {
    browse("patterns", |page| {
        page.open("#tour?board=9x9&from=e5&wrap=x");
        assert_eq!(
            page.js("document.querySelector('#room-tour details').open"),
            json!(true),
            "a link opens what it sets"
        );
        page.click("#room-tour [data-field=pattern] option[value=ring]");
        assert_eq!(page.js("document.querySelectorAll('#room-tour rect.hole').length"), json!(9));
        assert!(!page.text("location.hash").contains("from="), "the start fell into the hole");
        page.click("#room-tour [data-field=pattern] option[value=cross]");
        page.wait("document.querySelectorAll('#room-tour rect.hole').length === 36");
        page.click("#room-tour [aria-label='Undo the last change']");
        page.click("#room-tour [aria-label='Undo the last change']");
        assert_eq!(page.text("location.hash"), "#tour?board=9x9&wrap=x&from=e5");
    });
}

#[test]
fn pieces_get_a_shaped_board_and_a_huge_one_has_no_shapes() {
    browse("shapes", |page| {
        page.open("#capture?puzzle=8/8/8/4p3/3N4/8/8/p6p");
        page.js("document.querySelector('#room-capture details').open = true");
        page.click("#room-capture [data-field=pattern] option[value=ring]");
        page.wait("location.hash.includes('%23')");
        // The knight stays where it is, and its square with it; what else was in the middle is gone.
        let puzzle =
            page.text("document.querySelector('#room-capture [data-field=puzzle] input').value");
        assert_eq!(puzzle, "8/8/8/3##3/3N#3/8/8/p6p");
        page.click("#room-capture [aria-label='Undo the last change']");
        assert!(
            !page
                .text("document.querySelector('#room-capture [data-field=puzzle] input').value")
                .contains('#')
        );
        let offered = "document.querySelector('#room-tour [data-field=pattern]').checkVisibility()";
        for (board, is_offered) in [("250x250", true), ("300x300", false), ("2000x2000", false)] {
            page.open(&format!("#tour?board={board}"));
            page.js("document.querySelector('#room-tour details').open = true");
            assert_eq!(page.js(offered), json!(is_offered), "{board}");
        }
        page.open("#tour?board=250x250");
        page.js("document.querySelector('#room-tour details').open = true");
        page.click("#room-tour [data-field=pattern] option[value=random]");
        page.wait("location.hash.length > 20000");
    });
}

#[test]
fn names_of_files_and_ranks_are_not_squares() {
    browse("names", |page| {
        page.open("#tour?board=50x50");
        let place = |x: &str, y: &str| {
            let at = page.js(&format!("(() => {{ const box = document.querySelector('#room-tour .canvas-board').getBoundingClientRect(); return [box.x + {x}, box.y + {y}]; }})()"));
            (at[0].as_f64().expect("a place"), at[1].as_f64().expect("a place"))
        };
        for (x, y) in [("8", "200"), ("300", "box.height - 6")] {
            let at = place(x, y);
            page.drag("left", at, at);
            assert_eq!(page.text("location.hash"), "#tour?board=50x50");
        }
        let at = place("box.width / 2", "box.height / 2");
        page.drag("left", at, at);
        assert!(page.text("location.hash").starts_with("#tour?board=50x50&from="));
    });
}

#[test]
fn a_board_is_looked_at_more_closely_and_fits_again() {
    browse("zoom", |page| {
        for room in ["tour?board=5x5", "count?board=5x5", "capture", "swap"] {
            page.open(&format!("#{room}"));
            let room = room.split('?').next().expect("a name");
            let side = format!(
                "document.querySelector('#room-{room} [data-square=a1]').getBoundingClientRect().width"
            );
            let fitted = page.js(&side).as_f64().expect("a length");
            page.click(&format!("#room-{room} [aria-label='Zoom in']"));
            assert!(page.js(&side).as_f64().expect("a length") > 1.2 * fitted, "{room}");
        }
        // The middle of what is in view stays in the middle, wherever the cursor is.
        let middle = "(() => { const box = document.querySelector('.room:not([hidden]) .frame-box'); const { left, top } = box.getBoundingClientRect(); return document.elementFromPoint(left + box.clientWidth / 2, top + box.clientHeight / 2).dataset.square; })()";
        page.open("#tour?board=7x7");
        for _ in 0..2 {
            page.click("#room-tour [aria-label='Zoom in']");
        }
        assert_eq!(page.text(middle), "d4");
        // A drag moves the board under the pointer.
        page.drag("left", page.middle("tour", "d4"), page.middle("tour", "c5"));
        assert_eq!(page.text(middle), "e3");
        page.click("#room-tour [aria-label='Zoom in']");
        assert_eq!(page.text(middle), "e3");
        assert_eq!(page.text("location.hash"), "#tour?board=7x7");
        page.open("#tour?board=20x20");
        let side =
            "document.querySelector('#room-tour [data-square=a1]').getBoundingClientRect().width";
        let fitted = page.js(side).as_f64().expect("a length");
        let place =
            page.js("document.querySelector('#room-tour .player').getBoundingClientRect().y");
        page.click("#room-tour [aria-label='Zoom in']");
        page.click("#room-tour [aria-label='Zoom in']");
        assert!(page.js(side).as_f64().expect("a length") > 2.0 * fitted);
        assert_eq!(page.js("document.documentElement.scrollWidth <= innerWidth"), json!(true));
        page.keys("b");
        page.keys("\u{e010}"); // End
        let seen = "(() => { const at = document.querySelector('#room-tour [data-square=t1]').getBoundingClientRect(); const box = document.querySelector('#room-tour .frame-box').getBoundingClientRect(); return at.left >= box.left && at.right <= box.right; })()";
        page.wait(seen);
        page.click("#room-tour [aria-label='Fit the whole board']");
        assert!((page.js(side).as_f64().expect("a length") - fitted).abs() < 0.5);
        assert_eq!(
            page.js("document.querySelector('#room-tour .player').getBoundingClientRect().y"),
            place
        );
    });
}
