//! Playing to a win with hints, and files brought in: what is said about them is true.

use serde_json::json;

use crate::driver::{Page, browse};

/// Asks for hints and follows them until the game is won; tells the last word.
fn follow_hints(page: &Page, room: &str, most: usize) -> String {
    let word = format!("document.querySelector('#room-{room} .word')");
    let over = format!("document.querySelector('#room-{room} .table').dataset.over");
    let moves = format!("document.querySelectorAll('#room-{room} .table dd')[1].textContent");
    for _ in 0..most {
        page.keys("h");
        page.wait(&format!("{word}.dataset.tone === 'good'"));
        let said = page.text(&format!("{word}.textContent"));
        let next = said.split_once("Try ").map_or("", |(_, next)| next);
        let next = next.split([';', '.']).next().unwrap_or_default();
        // A hint for a swap names two squares, and picks the knight on the first.
        let to = next.rsplit(" → ").next().unwrap_or_default();
        let before = page.text(&moves);
        page.square(room, to);
        page.wait(&format!("{moves} !== '{before}'"));
        if page.text(&over) == "true" {
            page.wait(&format!("/The checker agrees/.test({word}.textContent)"));
            return page.text(&format!("{word}.textContent"));
        }
    }
    panic!("{most} hints did not win the game");
}

/// Where the parts of a game stand, and how large they are, as an expression.
fn places(room: &str) -> String {
    format!(
        "['.board', '.looks', '.table', '.buttons', '.word', '.facts', 'form'].map((css) => {{ const box = document.querySelector(`#room-{room} ${{css}}`).getBoundingClientRect(); return [box.x, box.y, box.width, box.height].map(Math.round); }})"
    )
}

/// A sentence is seen in one place, and that is one which readers of the screen hear of.
fn said_once(page: &Page, room: &str, said: &str) {
    let seen = format!(
        "[...document.querySelectorAll('#room-{room} :is(p, dd, output)')].filter((one) => one.textContent === {} && one.checkVisibility() && one.getBoundingClientRect().width > 1).map((one) => [one.className, one.getAttribute('role')])",
        json!(said)
    );
    assert_eq!(page.js(&seen), json!([["word", "status"]]), "{room}");
}

#[test]
fn a_tour_is_played_to_a_win() {
    browse("play-tour", |page| {
        page.open("#tour?board=3x4&from=a1");
        page.choose("tour", "play");
        assert_eq!(
            (page.says("#room-tour .word"), page.says("#room-tour .lead")),
            (
                "Click a marked square, or drag the knight there.".to_owned(),
                "You are the knight: visit every square exactly once.".to_owned()
            )
        );
        assert_eq!(page.says("#room-tour .caption"), page.says("#room-tour .word"));
        assert_eq!(page.js("document.querySelectorAll('#room-tour .legal').length"), json!(2));
        page.square("tour", "c3");
        assert_eq!(page.says("#room-tour .word"), "c3 is not a legal move.");
        let before = page.js(&places("tour"));
        let said = follow_hints(page, "tour", 11);
        assert!(said.contains("with 11 moves"), "{said}");
        // The card says it, too, nothing has jumped, and each number is there once.
        assert_eq!(page.says("#room-tour .headline"), said);
        assert_eq!(page.js(&places("tour")), before);
        said_once(page, "tour", &said);
        let numbers = "[...document.querySelectorAll('#room-tour .board text.number')].filter((text) => text.checkVisibility() && getComputedStyle(text).opacity > 0.5).map((text) => Number(text.textContent)).sort((a, b) => a - b)";
        let numbers = page.js(numbers);
        let numbers = numbers.as_array().expect("numbers");
        assert!(numbers.windows(2).all(|two| two[0] != two[1]), "{numbers:?}");
        // What was played has a number among all tours, and nothing else is offered that would end the game.
        let offered = "[...document.querySelectorAll('#room-tour .extras :is(.chip, .icon-button)')].filter((chip) => chip.checkVisibility()).map((chip) => chip.textContent)";
        assert_eq!(page.js(offered), json!(["Its number"]));
        page.click("#room-tour .extras .chip:not([hidden])");
        page.wait("/^Tour number \\d+ of \\d+ \\(the first is 0\\), starting on /.test(document.querySelector('#room-tour .report .detail').textContent)");
        // The best is kept for the next time.
        let yours = "document.querySelector('#room-tour .yours dd').textContent";
        page.wait(&format!("{yours}.startsWith('11 · ')"));
        page.reload();
        page.choose("tour", "play");
        page.wait(&format!("{yours}.startsWith('11 · ')"));
    });
}

#[test]
fn a_hint_says_when_a_game_cannot_be_won_any_more_and_undo_mends_it() {
    browse("play-lost", |page| {
        page.open("#tour?board=3x4&from=a1");
        page.choose("tour", "play");
        page.square("tour", "c2");
        page.keys("h");
        page.wait("document.querySelector('#room-tour .word').dataset.tone === 'bad'");
        assert!(
            page.says("#room-tour .word")
                .starts_with("No. It is proved that this game can no longer be finished")
        );
        page.keys("u");
        page.keys("h");
        page.wait("document.querySelector('#room-tour .word').dataset.tone === 'good'");
    });
}

#[test]
fn a_capture_is_played_to_the_optimum() {
    browse("play-capture", |page| {
        page.open("#capture?puzzle=4p/5/2p2/5/N3p");
        page.choose("capture", "play");
        page.wait("document.querySelectorAll('#room-capture .table dd')[2].textContent === '8'");
        let before = page.js(&places("capture"));
        let said = follow_hints(page, "capture", 8);
        assert!(said.ends_with("That is the fewest possible!"), "{said}");
        page.wait(
            "document.querySelector('#room-capture .yours dd').textContent.startsWith('8 · ')",
        );
        assert_eq!(page.js(&places("capture")), before, "nothing jumps");
        said_once(page, "capture", &said);
    });
}

#[test]
fn a_swap_is_played_to_the_optimum() {
    browse("play-swap", |page| {
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n");
        page.choose("swap", "play");
        page.wait("document.querySelectorAll('#room-swap .table dd')[2].textContent === '16'");
        let before = page.js(&places("swap"));
        let said = follow_hints(page, "swap", 16);
        assert!(said.ends_with("That is the fewest possible!"), "{said}");
        page.wait("document.querySelector('#room-swap .yours dd').textContent.startsWith('16 · ')");
        assert_eq!(page.js(&places("swap")), before, "nothing jumps");
        said_once(page, "swap", &said);
    });
}

#[test]
fn asking_does_not_disturb_a_game() {
    browse("play-keys", |page| {
        page.open("#capture?puzzle=4p/5/2p2/5/N3p");
        page.choose("capture", "play");
        page.square("capture", "b3");
        page.keys("s");
        page.keys("\u{e009}\u{e007}\u{e000}"); // Ctrl+Enter
        std::thread::sleep(std::time::Duration::from_millis(500));
        assert_eq!(page.text("document.querySelector('#room-capture').dataset.state"), "idle");
        assert_eq!(page.js("document.querySelectorAll('#room-capture .segment').length"), json!(1));
        assert_eq!(page.js("document.querySelector('#room-capture .report').hidden"), json!(true));
        assert_eq!(page.js("document.querySelectorAll('#room-capture .number').length"), json!(0));
        // A move by dragging the knight.
        page.drag("left", page.middle("capture", "b3"), page.middle("capture", "c5"));
        assert_eq!(
            page.text("document.querySelectorAll('#room-capture .table dd')[1].textContent"),
            "2"
        );
    });
}

#[test]
fn knights_that_are_told_apart_are_so_in_a_game_too() {
    browse("play-labelled", |page| {
        // On a ring knights cannot pass each other, so these can change colours, but not places.
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n&labelled=true");
        page.choose("swap", "play");
        page.wait("document.querySelectorAll('#room-swap .piece .label').length === 4");
        page.wait(
            "document.querySelectorAll('#room-swap .table dd')[2].textContent === 'impossible'",
        );
        let best = "(() => { const best = document.querySelectorAll('#room-swap .table dd')[2]; return best.textContent !== '…' && best.scrollWidth <= best.clientWidth; })()";
        for width in [1280, 390, 320] {
            page.as_wide(width, width < 640);
            for language in ["en", "cs", "pl"] {
                page.click(&format!(".language option[value={language}]"));
                page.wait(&format!("document.documentElement.lang === '{language}'"));
                assert_eq!(page.js(best), json!(true), "{language} at {width}");
            }
        }
        page.as_wide(1280, false);
        page.click(".language option[value=en]");
        page.wait("document.documentElement.lang === 'en'");
        page.open("#swap?start=N1N/3/3/3&goal=3/3/3/N1N&labelled=true");
        page.choose("swap", "play");
        page.wait(
            "/^\\d+$/.test(document.querySelectorAll('#room-swap .table dd')[2].textContent)",
        );
        let said = follow_hints(page, "swap", 40);
        assert!(said.ends_with("That is the fewest possible!"), "{said}");
        let (tone, headline) = page.answer("swap");
        assert_eq!(tone, "good");
        assert_eq!(headline, said, "the card says what was won");
        assert_eq!(page.js("document.querySelectorAll('#room-swap .number').length"), json!(0));
    });
}

#[test]
fn a_game_keeps_to_the_symmetry_that_is_asked_for() {
    browse("play-symmetry", |page| {
        page.open("#tour?board=6x6&closed=true&symmetry=half-turn&from=a1");
        page.choose("tour", "play");
        let said = follow_hints(page, "tour", 35);
        assert!(said.contains("with 35 moves"), "{said}");
        // A whole walk without the symmetry is not a win, and can be taken back.
        page.open("#tour?board=3x4&symmetry=half-turn");
        page.choose("tour", "play");
        for square in "a1 b3 c1 a2 b4 c2 a3 c4 b2 a4 c3 b1".split(' ') {
            page.square("tour", square);
        }
        page.wait("document.querySelector('#room-tour .word').dataset.tone === 'bad'");
        assert!(
            page.says("#room-tour .word").contains("symmetry"),
            "{}",
            page.says("#room-tour .word")
        );
        page.keys("u");
        assert_eq!(
            page.text("document.querySelectorAll('#room-tour .table dd')[1].textContent"),
            "10"
        );
    });
}

#[test]
fn another_language_says_a_game_again() {
    browse("play-language", |page| {
        page.open("#tour?board=3x4&from=a1");
        page.choose("tour", "play");
        page.square("tour", "c3");
        assert_eq!(page.says("#room-tour .word"), "c3 is not a legal move.");
        page.square("tour", "c2");
        assert_eq!(
            page.says("#room-tour .stage .unseen"),
            "c2, 1 move so far. You can go to a3, b4."
        );
        page.square("tour", "c3");
        page.click(".language option[value=cs]");
        page.wait(
            "document.querySelector('#room-tour .word').textContent === 'Na c3 táhnout nelze.'",
        );
        page.wait("document.querySelector('#room-tour .caption').textContent === 'Lze táhnout na a3, b4.'");
        page.wait("document.querySelector('#room-tour [data-square=a3]').getAttribute('aria-label') === 'a3, lze sem táhnout'");
    });
}

const TOUR: &str = r#"["a1","b3","a5","c4","e5","d3","e1","c2","b4","a2","c1","e2","d4","b5","c3","d5","e3","d1","b2","a4","c5","e4","d2","b1","a3"]"#;

fn certificate(solution: &str) -> String {
    format!(
        r#"{{"destrier":1,"kind":"tour","question":{{"board":{{"size":"5x5"}},"shape":"open"}},"answer":"solved","solution":{solution},"claim":{{"kind":"valid"}},"origin":{{"program":"a hand","method":"by hand"}}}}"#
    )
}

#[test]
fn a_right_file_is_shown_and_a_wrong_one_is_faulted_at_its_square() {
    browse("import", |page| {
        page.open("#count");
        page.drop_file("right.json", &certificate(TOUR));
        let (tone, headline) = page.answer("tour");
        assert_eq!((tone.as_str(), headline.as_str()), ("good", "Checked: the answer is correct."));
        assert_eq!(
            page.js("document.querySelectorAll('#room-tour .segment:not(.off)').length"),
            json!(24)
        );
        // A longer way than need be, on a board too large for the checker's own search.
        let forged = r#"{"destrier":1,"kind":"capture","question":{"board":{"size":"12x12"},"start":"a1","targets":["b3"]},"answer":"solved","solution":["a1","b3","a1","b3"],"claim":{"kind":"fewest","lower_bound":3,"proof":{"kind":"search","by":"naive","nodes":9}},"origin":{"program":"a hand","method":"by hand"}}"#;
        page.drop_file("forged.json", forged);
        let (tone, headline) = page.answer("capture");
        let partly = "No errors found, but not everything could be checked.";
        assert_eq!((tone.as_str(), headline.as_str()), ("good", partly));
        assert_eq!(
            page.says("#room-capture .report .detail"),
            "Claims that rest on a search were not rechecked."
        );
        let wrong = TOUR.replace("\"c4\",\"e5\"", "\"e5\",\"c4\"");
        page.drop_file("wrong.json", &certificate(&wrong));
        page.wait("document.querySelector('#room-tour .report').dataset.tone === 'bad'");
        assert_eq!(
            page.js("document.querySelectorAll('#room-tour .marks .fault').length"),
            json!(1)
        );
        page.drop_file("noise.txt", "neither a board nor a tour");
        page.wait("document.querySelector('#room-tour .headline').textContent.length > 0");
        assert_eq!(page.answer("tour").0, "bad");
    });
}

#[test]
fn a_data_file_is_chosen_and_solved() {
    browse("data-file", |page| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("puzzle.txt");
        std::fs::write(&path, "5 24\n00001\n00000\n00100\n00000\n30001\n").expect("a file");
        page.open("#tour");
        let chooser = page.session.find("input[type=file]");
        page.session.send_keys(&chooser, path.to_str().expect("a plain path"));
        page.wait(
            "document.querySelector('#room-capture .headline')?.textContent.includes('has been loaded')",
        );
        assert_eq!(page.ask("capture").1, "8 moves, the fewest possible.");
    });
}
