//! For people: keyboard alone, a phone, light and dark, and three languages.

use serde_json::json;

use crate::driver::browse;

const ENTER: &str = "\u{e007}";
const TAB: &str = "\u{e004}";
const RIGHT: &str = "\u{e014}";
const UP: &str = "\u{e013}";

#[test]
fn a_tour_is_asked_for_and_watched_with_the_keyboard_alone() {
    browse("keyboard", |page| {
        page.open("#tour?board=5x5");
        page.keys("b");
        for key in [RIGHT, RIGHT, UP, UP] {
            page.keys(key);
        }
        assert_eq!(page.says("#room-tour .stage .unseen"), "c3");
        page.keys(ENTER);
        assert_eq!(page.text("location.hash"), "#tour?board=5x5&from=c3");
        page.keys("s");
        assert_eq!(page.answer("tour").0, "good");
        page.keys(",");
        assert!(page.says("#room-tour .caption").ends_with("step 24 of 25."));
        let spoken = page.says("#room-tour .stage .unseen");
        assert!(spoken.starts_with("Knight to ") && spoken.ends_with("step 24 of 25."), "{spoken}");
        page.keys("?");
        assert_eq!(page.js("document.querySelector('dialog').open"), json!(true));
        page.keys("\u{e00c}"); // Escape
        page.keys("3");
        assert_eq!(page.js("document.querySelector('#room-capture').hidden"), json!(false));
    });
}

#[test]
fn tab_reaches_every_control_in_order_and_shows_where_it_is() {
    browse("tab", |page| {
        page.open("#tour?board=5x5");
        page.ask("tour");
        page.js("(document.activeElement.blur(), window.scrollTo(0, 0))");
        let mut reached = Vec::new();
        for _ in 0..60 {
            page.keys(TAB);
            let here = page.js("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");
            let ring = page.js("(() => { const on = document.activeElement; const seen = on.type === 'radio' ? on.nextSibling : on.matches('.board') ? on.querySelector('.ring') : on; const style = getComputedStyle(seen); return on === document.body || style.outlineStyle !== 'none' || style.opacity === '1' && on.matches('.board'); })()");
            assert_eq!(ring, json!(true), "{here} shows that it has the focus");
            reached.push(here.as_str().unwrap_or_default().to_owned());
        }
        for wanted in ["Board, 5 files by 5 ranks", "Play", "Step", "Find a tour", "Keys"] {
            assert!(
                reached.iter().any(|one| one.contains(wanted)),
                "{wanted} is reached: {reached:?}"
            );
        }
    });
}

#[test]
fn the_board_is_a_grid_with_rows_and_named_cells() {
    browse("grid", |page| {
        page.open("#capture?puzzle=4p/5/2#2/5/N3p");
        let board = "document.querySelector('#room-capture .board')";
        assert_eq!(page.js(&format!("{board}.getAttribute('role')")), json!("grid"));
        assert_eq!(page.js(&format!("{board}.querySelectorAll('[role=row]').length")), json!(5));
        assert_eq!(
            page.js(&format!("{board}.querySelectorAll('[role=row] > [role=gridcell]').length")),
            json!(25)
        );
        let name = |square: &str| {
            format!("{board}.querySelector('[data-square={square}]').getAttribute('aria-label')")
        };
        page.wait(&format!("{} === 'a1, knight'", name("a1")));
        assert_eq!(page.js(&name("e5")), json!("e5, piece to take"));
        assert_eq!(page.js(&name("c3")), json!("c3, hole"));
        let unnamed = page.js("[...document.querySelectorAll('button, input, select, a')].filter((one) => one.type !== 'file' && !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length)).length");
        assert_eq!(unnamed, json!(0), "every control has a name");
    });
}

#[test]
fn a_phone_sees_every_room_without_scrolling_sideways() {
    browse("phone", |page| {
        page.as_phone();
        for language in ["en", "cs", "pl"] {
            page.open("#tour");
            page.js(&format!("localStorage.setItem('destrier.language', '{language}')"));
            for room in ["tour", "count", "capture", "swap", "compare"] {
                page.open(&format!("#{room}"));
                let wide = page.js("document.documentElement.scrollWidth");
                assert_eq!(wide, json!(390), "{room} in {language}");
            }
        }
        page.open("#tour?board=6x6");
        let seen = "(() => { const box = document.querySelector('#room-tour .primary').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })()";
        assert_eq!(page.js(seen), json!(true), "the button is in reach of the thumb");
        assert_eq!(page.ask("tour").0, "good");
    });
}

#[test]
fn dark_follows_the_system_and_a_choice_is_remembered() {
    browse("dark", |page| {
        let paper = "getComputedStyle(document.body).backgroundColor";
        let chosen = "getComputedStyle(document.querySelector('.segmented input:checked + label')).backgroundColor";
        page.system_prefers("dark");
        page.open("#tour");
        assert_eq!(page.text(paper), "rgb(23, 20, 17)");
        assert_eq!(page.text(chosen), "rgb(58, 51, 43)");
        page.click(".light-switch");
        assert_eq!(page.text(paper), "rgb(247, 244, 238)");
        assert_eq!(page.text(chosen), "rgb(255, 253, 249)");
        page.open("#swap");
        assert_eq!(page.text(paper), "rgb(247, 244, 238)");
        page.click(".light-switch");
        page.system_prefers("light");
        assert_eq!(page.text(paper), "rgb(23, 20, 17)");
        assert_eq!(page.text(chosen), "rgb(58, 51, 43)");
    });
}

#[test]
fn a_large_board_is_painted_in_the_colours_of_its_light() {
    browse("canvas-light", |page| {
        page.open("#tour?board=61x51");
        // The colours through the middle rank, among them the one of dark squares.
        let seen = "(() => { const canvas = document.querySelector('#room-tour .pixels'); const { data } = canvas.getContext('2d').getImageData(0, canvas.height >> 1, canvas.width, 1); return [...data.keys()].filter((at) => at % 4 === 0).map((at) => data.slice(at, at + 3).join(' ')); })()";
        for (light, square) in [("light", "211 189 155"), ("dark", "74 64 53")] {
            page.system_prefers(light);
            page.wait(&format!("{seen}.includes('{square}')"));
        }
    });
}

#[test]
fn czech_and_polish_are_spoken_and_an_answer_is_said_again() {
    browse("languages", |page| {
        page.open("#tour?board=6x6&closed=true");
        page.ask("tour");
        page.click(".language option[value=cs]");
        page.wait("document.documentElement.lang === 'cs'");
        page.wait("document.querySelector('#room-tour .headline').textContent === 'Uzavřená procházka na 6×6: 36 polí.'");
        assert_eq!(page.says("h2"), "Jezdcova procházka");
        page.click(".language option[value=pl]");
        page.wait("document.querySelector('#room-tour .headline').textContent === 'Zamknięta trasa na 6×6: 36 pól.'");
        page.open("#capture");
        assert_eq!(page.text("document.title"), "Bicie · Destrier");
    });
}

#[test]
fn nothing_jumps_while_an_answer_comes() {
    browse("still", |page| {
        page.open("#tour?board=8x8");
        let places = "['.board', '.player', '.primary', '.report'].map((css) => { const box = document.querySelector(`#room-tour ${css}`).getBoundingClientRect(); return [Math.round(box.x), Math.round(box.y), Math.round(box.width)]; })";
        let before = page.js(places);
        page.ask("tour");
        assert_eq!(page.js(places), before);
    });
}
