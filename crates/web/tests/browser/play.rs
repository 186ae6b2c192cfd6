//! Playing to a win with hints, and files brought in: what is said about them is true.

use serde_json::json;

use crate::driver::{Page, browse};

/// Asks for hints and follows them until the game is won; tells the last word.
fn follow_hints(page: &Page, room: &str, most: usize) -> String {
    let word = format!("#room-{room} .word");
    let won = "/The checker agrees/";
    for _ in 0..most {
        page.keys("h");
        page.wait(&format!("document.querySelector('{word}').dataset.tone === 'good'"));
        let (from, to) = {
            let said = page.says(&word);
            let next = said
                .split("Try ")
                .nth(1)
                .unwrap_or_else(|| panic!("a hint says what to try: {said}"));
            let next = next.split([';', '.']).next().unwrap_or_default();
            let mut squares = next.split(" → ").map(str::to_owned).collect::<Vec<_>>();
            (squares.pop().expect("a square"), squares.pop())
        };
        let moves = format!("document.querySelectorAll('#room-{room} .table dd')[1].textContent");
        let before = page.text(&moves);
        assert!(to.is_none() || room == "swap");
        page.square(room, &from);
        page.wait(&format!("{moves} !== '{before}'"));
        page.wait(&format!("{won}.test(document.querySelector('{word}').textContent) || document.querySelector('{word}').textContent === ''"));
        let said = page.says(&word);
        if said.contains("The checker agrees") {
            return said;
        }
    }
    panic!("{most} hints did not win the game");
}

#[test]
fn a_tour_is_played_to_a_win() {
    browse("play-tour", |page| {
        page.open("#tour?board=3x4&from=a1");
        page.choose("tour", "play");
        assert_eq!(page.js("document.querySelectorAll('#room-tour .legal').length"), json!(2));
        page.square("tour", "c3");
        assert_eq!(page.says("#room-tour .word"), "c3 is not a legal move.");
        let said = follow_hints(page, "tour", 11);
        assert!(said.contains("with 11 moves"), "{said}");
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
            page.says("#room-tour .word").starts_with("No. From here it can no longer be finished")
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
        let said = follow_hints(page, "capture", 8);
        assert!(said.ends_with("Nobody can do it in fewer!"), "{said}");
    });
}

#[test]
fn a_swap_is_played_to_the_optimum() {
    browse("play-swap", |page| {
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n");
        page.choose("swap", "play");
        page.wait("document.querySelectorAll('#room-swap .table dd')[2].textContent === '16'");
        let said = follow_hints(page, "swap", 16);
        assert!(said.ends_with("Nobody can do it in fewer!"), "{said}");
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
        assert_eq!((tone.as_str(), headline.as_str()), ("good", "Checked: it is right."));
        assert_eq!(
            page.js("document.querySelectorAll('#room-tour .segment:not(.off)').length"),
            json!(24)
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
            "document.querySelector('#room-capture .headline')?.textContent.startsWith('Read.')",
        );
        assert_eq!(page.ask("capture").1, "8 moves, and no plan is shorter.");
    });
}
