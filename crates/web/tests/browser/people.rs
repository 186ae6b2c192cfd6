//! For people: keyboard alone, a phone, light and dark, and three languages.

use serde_json::json;

use crate::driver::{Page, browse, browse_comparing, skipped};

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
        for wanted in
            ["Board, 5 files by 5 ranks", "Play", "Step", "Find a tour", "Keyboard shortcuts"]
        {
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
        assert_eq!(page.js(&name("e5")), json!("e5, piece to capture"));
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
            page.open("#tour");
            for width in [320, 360, 390, 640, 768, 920, 1024, 1280, 1920] {
                page.as_wide(width, width < 640);
                for room in ["tour", "count", "capture", "swap", "compare"] {
                    page.js(&format!("document.querySelector('[data-room={room}]').click()"));
                    let seen = page.js("[document.documentElement.scrollWidth <= innerWidth, document.querySelector('.tabs').scrollWidth - document.querySelector('.tabs').clientWidth]");
                    assert_eq!(seen, json!([true, 0]), "{room} in {language} at {width}");
                }
            }
        }
        page.js("localStorage.clear()");
        page.as_phone();
        page.open("#tour?board=6x6");
        let seen = "(() => { const box = document.querySelector('#room-tour .primary').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })()";
        assert_eq!(page.js(seen), json!(true), "the button is in reach of the thumb");
        assert_eq!(page.ask("tour").0, "good");
    });
}

/// Gives `window.cut`: the texts of facts, buttons and choices that are wider than their place. A choice without its
/// width is as wide as what is chosen; one of a speed, as its longest name.
const CUT: &str = "window.cut = () => {
    for (const more of document.querySelectorAll('details')) more.open = true;
    const narrow = (choice) => {
        const copy = choice.cloneNode(true);
        copy.value = choice.value;
        if (!choice.matches('.speed')) for (const option of [...copy.options]) if (!option.selected) option.remove();
        Object.assign(copy.style, { position: 'absolute', width: 'auto', minWidth: '0', maxWidth: 'none' });
        choice.after(copy);
        const wanted = copy.offsetWidth;
        copy.remove();
        return wanted > choice.offsetWidth + 1;
    };
    return [...document.querySelectorAll('.room:not([hidden]) :is(.facts dt, .facts dd, button, .segmented label, select), #top button')]
        .filter((one) => one.checkVisibility())
        .filter((one) => (one.matches('select') ? narrow(one) : one.scrollWidth > one.clientWidth))
        .map((one) => (one.matches('select') ? one.selectedOptions[0].textContent : one.textContent));
};";

#[test]
fn no_text_of_a_fact_a_button_or_a_choice_is_cut() {
    browse("cut", |page| {
        page.before(CUT);
        for language in ["en", "cs", "pl"] {
            page.open("#tour");
            page.js(&format!("localStorage.setItem('destrier.language', '{language}')"));
            for width in [1280, 390] {
                page.as_wide(width, width < 640);
                for room in ["tour", "count", "capture", "swap", "compare"] {
                    page.open(&format!("#{room}"));
                    assert_eq!(page.js("cut()"), json!([]), "{room} in {language} at {width}");
                    if ["tour", "capture", "swap"].contains(&room) {
                        page.choose(room, "play");
                        assert_eq!(
                            page.js("cut()"),
                            json!([]),
                            "a game of {room} in {language} at {width}"
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn hint_and_undo_are_in_sight_on_a_phone() {
    browse("play-phone", |page| {
        page.as_phone();
        page.open("#swap?start=nnn/3/3/NNN&goal=NNN/3/3/nnn");
        page.choose("swap", "play");
        page.js("window.scrollTo(0, 0)");
        let bottom = page.js("document.querySelector('#room-swap .buttons').getBoundingClientRect().bottom <= innerHeight");
        assert_eq!(bottom, json!(true));
    });
}

#[test]
fn a_large_board_fits_again_when_the_screen_is_turned() {
    browse("turned", |page| {
        page.open("#tour?board=50x50");
        let whole = "document.querySelector('#room-tour .canvas-board').matches('.whole')";
        page.wait(whole);
        // The corners are on the canvas: the edges of the squares that are drawn.
        let fits = "(() => { const canvas = document.querySelector('#room-tour .pixels'); const box = document.querySelector('#room-tour .canvas-board'); const { data } = canvas.getContext('2d').getImageData(0, canvas.height >> 1, canvas.width, 1); const drawn = [...Array(canvas.width).keys()].filter((x) => data[4 * x + 3] > 0); return canvas.width === Math.round((box.getBoundingClientRect().width) * devicePixelRatio) && drawn.at(-1) < canvas.width - 1; })()";
        for (width, height) in [(390, 844), (844, 390), (1280, 900)] {
            page.as_large(width, height, width < 1000);
            page.wait(&format!("{fits} && {whole}"));
        }
        // One that is looked at closely stays so.
        page.click("#room-tour [aria-label='Zoom in']");
        page.as_large(390, 844, true);
        page.settle();
        assert_eq!(page.js(whole), json!(false));
    });
}

#[test]
fn the_header_stands_still_between_rooms() {
    browse("gutter", |page| {
        page.open("#tour");
        let gutter = "getComputedStyle(document.documentElement).scrollbarGutter";
        assert_eq!(page.text(gutter), "stable");
        let places = "[...document.querySelectorAll('#top :is(a, button)')].map((one) => Math.round(one.getBoundingClientRect().x))";
        let before = page.js(places);
        for room in ["count", "capture", "swap", "compare"] {
            page.click(&format!("[data-room={room}]"));
            assert_eq!(page.js(places), before, "{room}");
        }
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
fn reasons_details_and_errors_are_in_the_reader_s_language() {
    browse("sentences", |page| {
        page.open("#tour");
        page.js("localStorage.setItem('destrier.language', 'cs')");
        let detail = "#room-tour .detail";
        for (question, told) in [
            ("board=4x4", "Úplné prohledání metodou "),
            (
                "board=5x5&closed=true",
                "Každý skok mění barvu pole; tmavých polí je 13, světlých 12.",
            ),
            (
                "board=8x8&closed=true&symmetry=quarter-turn",
                "Žádná procházka takové šachovnice se čtvrtotočením",
            ),
            ("board=4x8&closed=true", "Schwenkova věta: šachovnice se stranou 4 "),
            ("board=5x5&from=a1", "Z a1 na "),
            ("board=20x20&method=warnsdorff&from=c2&to=d4", ""),
        ] {
            page.open(&format!("#tour?{question}"));
            page.ask("tour");
            let said = page.says(detail);
            assert!(said.starts_with(told), "{question}: {said}");
            let english = page.js(&format!("document.querySelector('{detail}').lang === 'en'"));
            assert_eq!(english, json!(false), "{question}: {said}");
        }
        // What the checker says of a file.
        let file = |solution: &str| {
            format!(
                r#"{{"destrier":1,"kind":"tour","question":{{"board":{{"size":"3x4"}},"shape":"open"}},"answer":"solved","solution":{solution},"claim":{{"kind":"valid"}},"origin":{{"program":"a hand","method":"by hand"}}}}"#
            )
        };
        page.open("#tour");
        let right = r#"["a1","b3","c1","a2","b4","c2","a3","c4","b2","a4","c3","b1"]"#;
        page.drop_file("right.json", &file(right));
        page.wait("document.querySelector('#room-tour .headline').textContent === 'Zkontrolováno: odpověď je správná.'");
        assert_eq!(page.says(detail), "Z a1 na b1.");
        page.drop_file("wrong.json", &file(&right.replace("\"b3\",\"c1\"", "\"c1\",\"b3\"")));
        page.wait("document.querySelector('#room-tour .headline').textContent === 'Krok 2: z a1 na c1 jezdec neskočí.'");
        page.click(".language option[value=pl]");
        page.wait("document.querySelector('#room-tour .headline').textContent === 'Krok 2: z a1 na c1 skoczek nie skoczy.'");
        // What the server refuses, beside its field, too.
        page.open("#tour?from=z9");
        assert_eq!(page.ask("tour").0, "bad");
        page.click(".language option[value=cs]");
        page.wait("['.headline', '[data-field=from] .fault-line'].every((css) => document.querySelector(`#room-tour ${css}`).textContent === 'Začátek z9 na šachovnici 8×8 není.')");
        page.click(".language option[value=pl]");
        page.wait(
            "document.querySelector('#room-tour .headline').textContent.startsWith('Początek z9 ')",
        );
        page.click(".language option[value=cs]");
        page.wait("document.documentElement.lang === 'cs'");
        for (hash, told) in [
            ("#tour?board=5x5&from=f9", "Začátek f9 na šachovnici 5×5 není."),
            ("#tour?board=5x5&from=hm", "`hm` není pole; pište třeba c3."),
            ("#tour?board=5x5&leaper=x", "Jiná figura se píše délkami skoku, jako 1,4."),
            ("#tour?board=5x5&time_limit=soon", "`soon` není čas; pište 500ms, 10s, 5m nebo 2h."),
            (
                "#tour?board=5x5&from=a1&to=a1",
                "Začátek i konec je a1; procházka navštíví každé pole jednou.",
            ),
            ("#count?series=9x1..5", "Řada má šachovnice šířky nejvýše 5."),
            ("#swap?start=n1n/3/N1N&goal=N1N/3/n2", "Začátek má 2 × `n`, ale cíl 1."),
            (
                "#tour?board=8x8&method=compose&holes=a1",
                "Metoda compose to neumí: je pro jezdce na celém obdélníku bez žádané souměrnosti.",
            ),
            (
                "#swap?start=n1n/3/N1N&goal=N1N/3/n1n&method=meet&alternate=white",
                "Metoda meet to neumí: střídají-li se strany, tahy nelze obrátit; zvolte auto nebo astar.",
            ),
            (
                "#tour?board=5x5&method=zzz",
                "Metoda `zzz` není; jsou auto, compose, search, warnsdorff, pohl, roth, race, race-plain, \
                 random-walk, backtrack, naive.",
            ),
        ] {
            page.open(hash);
            let room = hash[1..].split('?').next().expect("a name");
            let (tone, headline) = page.ask(room);
            assert_eq!((tone.as_str(), headline.as_str()), ("bad", told), "{hash}");
        }
        // Files that cannot be read.
        for (file, told) in [
            (
                "neither a board",
                "`neither` není pole; pište písmeno sloupce a číslo řady, třeba `c3`.",
            ),
            (r#"{"destrier":1,"#, "Řádek 1, sloupec 14: text končí, kde má být hodnota."),
            ("3/2", "Řádek 2 FEN má polí 2, ale první 3."),
            (r#"{"destrier":1,"kind":"poem"}"#, "Certifikáty druhu `poem` nejsou."),
        ] {
            page.open("#tour");
            page.drop_file("wrong.txt", file);
            page.wait(&format!(
                "document.querySelector('#room-tour .headline').textContent === {}",
                json!(told)
            ));
        }
    });
}

#[test]
fn an_answer_is_in_sight_on_a_usual_screen() {
    browse("in-sight", |page| {
        page.before("localStorage.clear()");
        for room in ["tour", "capture", "swap"] {
            page.open(&format!("#{room}"));
            page.ask(room);
            let bottom = page.js(&format!("document.querySelector('#room-{room} .effort').getBoundingClientRect().bottom <= 860"));
            assert_eq!(bottom, json!(true), "{room}");
        }
    });
}

#[test]
fn the_figures_of_a_comparison_can_be_read_on_a_phone() {
    browse_comparing("compare-phone", |page| {
        page.as_phone();
        page.open("#compare?of=swap&boards=guarini&methods=astar,hill-climbing&time_limit=5m");
        page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 2");
        page.click("#room-compare .primary");
        page.wait("!document.querySelector('#room-compare .keep').hidden");
        // Letters are as large as elsewhere, and every method is named, with a bar or with what became of it.
        let small = "[...document.querySelectorAll('#room-compare .plot text')].filter((text) => text.getBoundingClientRect().height < 11).length";
        assert_eq!(page.js(small), json!(0));
        let named = "[...document.querySelectorAll('#room-compare .plot .name')].map((text) => text.textContent)";
        assert_eq!(page.js(named), json!(["astar", "hill-climbing"]));
        assert_eq!(page.js("document.querySelectorAll('#room-compare .span').length"), json!(1));
        assert_eq!(page.says("#room-compare tbody th"), "guarini");
        // The times are in sight beside them.
        let times = "[...document.querySelectorAll('#room-compare .compare .time')].every((one) => one.getBoundingClientRect().right <= innerWidth)";
        assert_eq!(page.js(times), json!(true));
        assert_eq!(page.js("document.querySelectorAll('#room-compare tbody th').length"), json!(1));
        assert_eq!(page.js("document.documentElement.scrollWidth <= innerWidth"), json!(true));
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

/// Looks for faults in the page as it is with axe, and names them.
fn axe_says(page: &Page) -> Vec<String> {
    let run = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`))";
    serde_json::from_value(page.js(run)).expect("a list of texts")
}

#[test]
fn axe_finds_no_fault_in_any_room_light_or_language() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/axe/package/axe.min.js");
    let path = std::env::var("DESTRIER_AXE").unwrap_or_else(|_| folder.to_owned());
    let Ok(axe) = std::fs::read_to_string(path) else {
        skipped("axe-core is not here (./ci/install.sh fetches it with npm)");
        return;
    };
    browse("axe", |page| {
        for (light, language) in [("light", "en"), ("dark", "cs"), ("light", "pl")] {
            page.system_prefers(light);
            page.open("#tour");
            page.js(&format!("localStorage.setItem('destrier.language', '{language}')"));
            for hash in [
                "#tour?board=6x6",
                "#tour?board=4x4",
                "#tour?board=40x40",
                "#count?board=5x5&classes=true",
                "#count?board=5x5&by_start=true&shape=open",
                "#capture",
                "#swap",
                "#compare",
            ] {
                page.open(hash);
                page.session.execute(&axe, &[]);
                let room = hash[1..].split('?').next().expect("a name");
                if room != "compare" {
                    page.ask(room);
                }
                assert_eq!(axe_says(page), Vec::<String>::new(), "{room} in {light}, {language}");
                if ["tour", "capture", "swap"].contains(&room) {
                    page.choose(room, "play");
                    assert_eq!(
                        axe_says(page),
                        Vec::<String>::new(),
                        "a game of {room} in {light}, {language}"
                    );
                }
            }
        }
    });
}

/// The contrast of two colours, as the Web Content Accessibility Guidelines have it.
const CONTRAST: &str = "window.contrast = (one, other) => { const canvas = document.createElement('canvas'); canvas.width = canvas.height = 1; const pen = canvas.getContext('2d', { willReadFrequently: true }); const light = (colour) => { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((value) => { const part = value / 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; const [low, high] = [light(one), light(other)].sort((a, b) => a - b); return (high + 0.05) / (low + 0.05); };";

#[test]
fn what_is_drawn_can_be_told_from_what_is_behind_it() {
    browse("contrast", |page| {
        page.before(CONTRAST);
        for light in ["light", "dark"] {
            page.system_prefers(light);
            page.open("#count?board=5x5&by_start=true&shape=open");
            page.ask("count");
            let texts = "Math.min(...[...document.querySelectorAll('#room-count .warm')].map((warm) => contrast(getComputedStyle(warm).fill, getComputedStyle(warm.nextSibling).fill)))";
            let least = page.js(texts).as_f64().expect("a number");
            assert!(least >= 4.5, "the numbers of a heat map have {least:.2}:1 in the {light}");
            page.open("#tour?board=6x6&holes=c3,d3");
            page.ask("tour");
            let path = "Math.min(...[...document.querySelectorAll('#room-tour .segment')].flatMap((line) => ['light', 'dark'].map((kind) => contrast(getComputedStyle(line).stroke, getComputedStyle(document.querySelector(`#room-tour .${kind}`)).fill))))";
            let least = page.js(path).as_f64().expect("a number");
            assert!(least >= 3.0, "the path has {least:.2}:1 in the {light}");
            let hole = "Math.max(...['pit', 'hatch'].map((part) => { const style = getComputedStyle(document.querySelector(`#room-tour .${part}`)); return Math.min(...['light', 'dark'].map((kind) => contrast(part === 'pit' ? style.fill : style.stroke, getComputedStyle(document.querySelector(`#room-tour .${kind}`)).fill))); }))";
            let least = page.js(hole).as_f64().expect("a number");
            assert!(least >= 3.0, "a hole has {least:.2}:1 in the {light}");
        }
    });
}

#[test]
fn a_page_without_storage_works_all_the_same() {
    browse("storage", |page| {
        page.before("for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });");
        page.open("#tour?board=5x5");
        assert_eq!(page.ask("tour").0, "good");
        page.click(".light-switch");
        page.click(".language option[value=cs]");
        page.wait("document.documentElement.lang === 'cs'");
        page.click("#room-tour [data-style=numbers]");
    });
}

#[test]
fn what_is_set_and_what_can_be_reached_is_spoken() {
    browse("spoken", |page| {
        page.open("#tour?board=5x5");
        page.square("tour", "b2");
        assert_eq!(page.says("#room-tour .stage .unseen"), "b2, start");
        page.choose("tour", "play");
        page.wait("document.querySelector('#room-tour [data-square=d3]').getAttribute('aria-label') === 'd3, legal move'");
        page.open("#tour?board=60x60");
        let name = "document.querySelector('#room-tour .canvas-board').getAttribute('aria-label')";
        assert!(page.text(name).starts_with("Large board, 60 files by 60 ranks. Arrow keys"));
    });
}

#[test]
fn a_long_board_is_large_enough_to_read() {
    browse("long", |page| {
        for (board, square) in [("3x60", "a60"), ("300x3", "kn3")] {
            page.open(&format!("#tour?board={board}"));
            let side = page.js("document.querySelector('#room-tour [data-square=a1]').getBoundingClientRect().width");
            assert!(side.as_f64() >= Some(24.0), "{board}: {side}");
            assert_eq!(page.js("document.documentElement.scrollWidth <= innerWidth"), json!(true));
            page.ask("tour");
            page.keys("b");
            page.keys(if board == "3x60" { "\u{e00e}" } else { "\u{e010}" }); // PageUp, End
            let seen = format!(
                "(() => {{ const at = document.querySelector('#room-tour [data-square={square}]').getBoundingClientRect(); const box = document.querySelector('#room-tour .frame-box').getBoundingClientRect(); return at.left >= box.left && at.right <= box.right && at.top >= box.top && at.bottom <= box.bottom; }})()"
            );
            page.wait(&seen);
        }
    });
}

#[test]
fn all_digits_of_a_size_are_seen() {
    browse("digits", |page| {
        page.open("#tour?board=1000000x1000000");
        let cut = "[...document.querySelectorAll('#room-tour .size input')].filter((input) => input.scrollWidth > input.clientWidth).length";
        assert_eq!(page.js(cut), json!(0));
    });
}

#[test]
fn a_step_of_a_large_tour_draws_no_more_than_itself() {
    browse("steps", |page| {
        for board in ["50x50", "200x200"] {
            page.open(&format!("#tour?board={board}"));
            page.ask("tour");
            page.click("#room-tour [aria-label='Go to the start']");
            page.settle();
            page.js("(() => { window.cleared = 0; window.drawn = 0; const clear = CanvasRenderingContext2D.prototype.clearRect; CanvasRenderingContext2D.prototype.clearRect = function (...box) { if (!this.canvas.classList.contains('things')) window.cleared += 1; return clear.apply(this, box); }; const line = CanvasRenderingContext2D.prototype.lineTo; CanvasRenderingContext2D.prototype.lineTo = function (...at) { window.drawn += 1; return line.apply(this, at); }; })()");
            page.click("#room-tour [aria-label=Play]");
            page.wait("Number(document.querySelector('#room-tour .count').textContent.split(' ')[0]) > 20");
            page.click("#room-tour [aria-label=Pause]");
            let steps = page.js(
                "Number(document.querySelector('#room-tour .count').textContent.split(' ')[0])",
            );
            let work = page.js("[cleared, drawn]");
            assert_eq!(work[0], json!(0), "{board}: nothing is drawn again");
            assert!(work[1].as_u64() <= steps.as_u64(), "{board}: {work} for {steps} steps");
        }
    });
}

#[test]
fn a_busy_bar_that_stands_still_shows_no_part() {
    browse("still-bar", |page| {
        page.system_prefers("light");
        page.open("#count?board=9x8&shape=open&method=naive");
        page.wait(
            "document.querySelector('#room-count [data-field=method] select').value === 'naive'",
        );
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count').dataset.state === 'running'");
        let width = "document.querySelector('#room-count .bar div').getBoundingClientRect().width / document.querySelector('#room-count .bar').getBoundingClientRect().width";
        assert_eq!(page.js(width), json!(1));
        page.click("#room-count .stop");
    });
}
