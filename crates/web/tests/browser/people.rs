//! For people: keyboard alone, a phone, light and dark, and three languages.

use serde_json::json;

use crate::driver::browse;

const ENTER: &str = "\u{e007}";
const TAB: &str = "\u{e004}";
const RIGHT: &str = "\u{e014}";
const UP: &str = "\u{e013}";

#[test]
fn a_tour_is_asked_for_and_watched_with_the_keyboard_alone() {
    browse("keyboard", async |page| {
        page.open("#tour?board=5x5").await;
        page.keys("b").await;
        for key in [RIGHT, RIGHT, UP, UP] {
            page.keys(key).await;
        }
        assert_eq!(page.says("#room-tour .stage .unseen").await, "c3");
        page.keys(ENTER).await;
        assert_eq!(page.text("location.hash").await, "#tour?board=5x5&from=c3");
        page.keys("s").await;
        assert_eq!(page.answer("tour").await.0, "good");
        page.keys(",").await;
        assert!(page.says("#room-tour .caption").await.ends_with("step 24 of 25."));
        let spoken = page.says("#room-tour .stage .unseen").await;
        assert!(spoken.starts_with("Knight to ") && spoken.ends_with("step 24 of 25."), "{spoken}");
        page.keys("?").await;
        assert_eq!(page.js("document.querySelector('dialog').open").await, json!(true));
        page.keys("\u{e00c}").await; // Escape
        page.keys("3").await;
        assert_eq!(page.js("document.querySelector('#room-capture').hidden").await, json!(false));
    });
}

#[test]
fn tab_reaches_every_control_in_order_and_shows_where_it_is() {
    browse("tab", async |page| {
        page.open("#tour?board=5x5").await;
        page.ask("tour").await;
        page.js("(document.activeElement.blur(), window.scrollTo(0, 0))").await;
        let mut reached = Vec::new();
        for _ in 0..60 {
            page.keys(TAB).await;
            let here = page.js("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent").await;
            let ring = page.js("(() => { const on = document.activeElement; const seen = on.type === 'radio' ? on.nextSibling : on.matches('.board') ? on.querySelector('.ring') : on; const style = getComputedStyle(seen); return on === document.body || style.outlineStyle !== 'none' || style.opacity === '1' && on.matches('.board'); })()").await;
            assert_eq!(ring, json!(true), "{here} shows that it has the focus");
            reached.push(here.as_str().unwrap_or_default().to_owned());
        }
        for wanted in ["Board, 5 files by 5 ranks", "Play", "Step", "Find a tour", "Keys"] {
            assert!(reached.iter().any(|one| one.contains(wanted)), "{wanted} is reached: {reached:?}");
        }
    });
}

#[test]
fn the_board_is_a_grid_with_rows_and_named_cells() {
    browse("grid", async |page| {
        page.open("#capture?puzzle=4p/5/2#2/5/N3p").await;
        let board = "document.querySelector('#room-capture .board')";
        assert_eq!(page.js(&format!("{board}.getAttribute('role')")).await, json!("grid"));
        assert_eq!(page.js(&format!("{board}.querySelectorAll('[role=row]').length")).await, json!(5));
        assert_eq!(page.js(&format!("{board}.querySelectorAll('[role=row] > [role=gridcell]').length")).await, json!(25));
        let name = |square: &str| format!("{board}.querySelector('[data-square={square}]').getAttribute('aria-label')");
        assert_eq!(page.js(&name("a1")).await, json!("a1, knight"));
        assert_eq!(page.js(&name("e5")).await, json!("e5, piece to take"));
        assert_eq!(page.js(&name("c3")).await, json!("c3, hole"));
        let unnamed = page.js("[...document.querySelectorAll('button, input, select, a')].filter((one) => one.type !== 'file' && !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length)).length").await;
        assert_eq!(unnamed, json!(0), "every control has a name");
    });
}

#[test]
fn a_phone_sees_every_room_without_scrolling_sideways() {
    browse("phone", async |page| {
        page.as_phone().await;
        for language in ["en", "cs", "pl"] {
            page.open("#tour").await;
            page.js(&format!("localStorage.setItem('destrier.language', '{language}')")).await;
            for room in ["tour", "count", "capture", "swap", "compare"] {
                page.open(&format!("#{room}")).await;
                let wide = page.js("document.documentElement.scrollWidth").await;
                assert_eq!(wide, json!(390), "{room} in {language}");
            }
        }
        page.open("#tour?board=6x6").await;
        let seen = "(() => { const box = document.querySelector('#room-tour .primary').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })()";
        assert_eq!(page.js(seen).await, json!(true), "the button is in reach of the thumb");
        assert_eq!(page.ask("tour").await.0, "good");
    });
}

#[test]
fn dark_follows_the_system_and_a_choice_is_remembered() {
    browse("dark", async |page| {
        let paper = "getComputedStyle(document.body).backgroundColor";
        page.system_prefers("dark").await;
        page.open("#tour").await;
        assert_eq!(page.text(paper).await, "rgb(23, 20, 17)");
        page.click(".light-switch").await;
        assert_eq!(page.text(paper).await, "rgb(247, 244, 238)");
        page.open("#swap").await;
        assert_eq!(page.text(paper).await, "rgb(247, 244, 238)");
        page.click(".light-switch").await;
        page.system_prefers("light").await;
        assert_eq!(page.text(paper).await, "rgb(23, 20, 17)");
    });
}

#[test]
fn czech_and_polish_are_spoken_and_an_answer_is_said_again() {
    browse("languages", async |page| {
        page.open("#tour?board=6x6&closed=true").await;
        page.ask("tour").await;
        page.click(".language option[value=cs]").await;
        page.wait("document.documentElement.lang === 'cs'").await;
        page.wait("document.querySelector('#room-tour .headline').textContent === 'Uzavřená procházka na 6×6: 36 polí.'").await;
        assert_eq!(page.says("h2").await, "Jezdcova procházka");
        page.click(".language option[value=pl]").await;
        page.wait("document.querySelector('#room-tour .headline').textContent === 'Zamknięta trasa na 6×6: 36 pól.'").await;
        page.open("#capture").await;
        assert_eq!(page.text("document.title").await, "Bicie · Destrier");
    });
}

#[test]
fn nothing_jumps_while_an_answer_comes() {
    browse("still", async |page| {
        page.open("#tour?board=8x8").await;
        let places = "['.board', '.player', '.primary', '.report'].map((css) => { const box = document.querySelector(`#room-tour ${css}`).getBoundingClientRect(); return [Math.round(box.x), Math.round(box.y), Math.round(box.width)]; })";
        let before = page.js(places).await;
        page.ask("tour").await;
        assert_eq!(page.js(places).await, before);
    });
}
