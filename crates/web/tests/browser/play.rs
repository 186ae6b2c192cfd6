//! Playing to a win with hints, and files brought in: what is said about them is true.

use serde_json::json;

use crate::driver::{Page, browse};

/// Asks for hints and follows them until the game is won; tells the last word.
async fn follow_hints(page: &Page, room: &str, most: usize) -> String {
    let word = format!("#room-{room} .word");
    let won = "/The checker agrees/";
    for _ in 0..most {
        page.keys("h").await;
        page.wait(&format!("document.querySelector('{word}').dataset.tone === 'good'")).await;
        let (from, to) = {
            let said = page.says(&word).await;
            let next = said.split("Try ").nth(1).unwrap_or_else(|| panic!("a hint says what to try: {said}"));
            let next = next.split([';', '.']).next().unwrap_or_default();
            let mut squares = next.split(" → ").map(str::to_owned).collect::<Vec<_>>();
            (squares.pop().expect("a square"), squares.pop())
        };
        let moves = format!("document.querySelectorAll('#room-{room} .table dd')[1].textContent");
        let before = page.text(&moves).await;
        assert!(to.is_none() || room == "swap");
        page.square(room, &from).await;
        page.wait(&format!("{moves} !== '{before}'")).await;
        page.wait(&format!("{won}.test(document.querySelector('{word}').textContent) || document.querySelector('{word}').textContent === ''")).await;
        let said = page.says(&word).await;
        if said.contains("The checker agrees") {
            return said;
        }
    }
    panic!("{most} hints did not win the game");
}

#[test]
fn a_tour_is_played_to_a_win() {
    browse("play-tour", async |page| {
        page.open("#tour?board=3x4&from=a1").await;
        page.choose("tour", "play").await;
        assert_eq!(page.js("document.querySelectorAll('#room-tour .legal').length").await, json!(2));
        page.square("tour", "c3").await;
        assert_eq!(page.says("#room-tour .word").await, "c3 is not a legal move.");
        let said = follow_hints(&page, "tour", 11).await;
        assert!(said.contains("with 11 moves"), "{said}");
    });
}

#[test]
fn a_hint_says_when_a_game_cannot_be_won_any_more_and_undo_mends_it() {
    browse("play-lost", async |page| {
        page.open("#tour?board=3x4&from=a1").await;
        page.choose("tour", "play").await;
        // From a1 by c2 to a3 and on to b1 the corner a1's neighbours are spent: b3 and c2 are needed elsewhere.
        let dead_end = ["c2", "a3", "b1", "c3", "a4", "b2"];
        let mut lost = false;
        for square in dead_end {
            page.square("tour", square).await;
            page.keys("h").await;
            page.wait("['good', 'bad'].includes(document.querySelector('#room-tour .word').dataset.tone)").await;
            if page.says("#room-tour .word").await.starts_with("No.") {
                lost = true;
                break;
            }
        }
        assert!(lost, "this line of play cannot be finished");
        page.keys("u").await;
        page.keys("h").await;
        page.wait("document.querySelector('#room-tour .word').dataset.tone === 'good'").await;
    });
}

#[test]
fn a_capture_is_played_to_the_optimum() {
    browse("play-capture", async |page| {
        page.open("#capture?puzzle=4p/5/2p2/5/N3p").await;
        page.choose("capture", "play").await;
        page.wait("document.querySelectorAll('#room-capture .table dd')[2].textContent === '8'").await;
        let said = follow_hints(&page, "capture", 8).await;
        assert!(said.ends_with("Nobody can do it in fewer!"), "{said}");
    });
}

#[test]
fn a_swap_is_played_to_the_optimum() {
    browse("play-swap", async |page| {
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n").await;
        page.choose("swap", "play").await;
        page.wait("document.querySelectorAll('#room-swap .table dd')[2].textContent === '16'").await;
        let said = follow_hints(&page, "swap", 16).await;
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
    browse("import", async |page| {
        page.open("#count").await;
        page.drop_file("right.json", &certificate(TOUR)).await;
        let (tone, headline) = page.answer("tour").await;
        assert_eq!((tone.as_str(), headline.as_str()), ("good", "Checked: it is right."));
        assert_eq!(page.js("document.querySelectorAll('#room-tour .segment:not(.off)').length").await, json!(24));
        let wrong = TOUR.replace("\"c4\",\"e5\"", "\"e5\",\"c4\"");
        page.drop_file("wrong.json", &certificate(&wrong)).await;
        page.wait("document.querySelector('#room-tour .report').dataset.tone === 'bad'").await;
        assert_eq!(page.js("document.querySelectorAll('#room-tour .marks .fault').length").await, json!(1));
        page.drop_file("noise.txt", "neither a board nor a tour").await;
        page.wait("document.querySelector('#room-tour .headline').textContent.length > 0").await;
        assert_eq!(page.answer("tour").await.0, "bad");
    });
}

#[test]
fn a_data_file_is_chosen_and_solved() {
    browse("data-file", async |page| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("puzzle.txt");
        std::fs::write(&path, "5 24\n00001\n00000\n00100\n00000\n30001\n").expect("a file");
        page.open("#tour").await;
        let chooser = page.find("input[type=file]").await;
        chooser.send_keys(path.to_str().expect("a plain path")).await.expect("the file is chosen");
        page.wait("document.querySelector('#room-capture .headline')?.textContent.startsWith('Read.')").await;
        assert_eq!(page.ask("capture").await.1, "8 moves, and no plan is shorter.");
    });
}
