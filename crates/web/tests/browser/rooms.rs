//! Each room from question to answer, as a visitor would use it.

use serde_json::json;

use crate::driver::{
    Page, browse, browse_comparing, browse_comparing_reloading, browse_processes, browse_site,
};

#[test]
fn the_tour_room_finds_a_tour_and_plays_it_step_by_step() {
    browse("tour", find_a_tour);
}

/// A closed tour, gone through step by step.
pub(crate) fn find_a_tour(page: &Page) {
    page.open("");
    assert_eq!(page.says("h2"), "A knight’s tour");
    page.choose("tour", "closed");
    page.square("tour", "c3");
    let (tone, headline) = page.ask("tour");
    assert_eq!(
        (tone.as_str(), headline.as_str()),
        ("good", "A closed tour of 8×8 from c3: 64 squares.")
    );
    assert_eq!(page.says("#room-tour .number:not(.off)"), "1");
    let seen = "document.querySelectorAll('#room-tour .segment:not(.off)').length";
    assert_eq!(page.js(seen), json!(64));
    page.click("#room-tour [aria-label='Go to the start']");
    assert_eq!(page.says("#room-tour .caption"), "The knight starts on c3. 64 squares.");
    assert_eq!(page.js(seen), json!(0));
    page.click("#room-tour [aria-label='One step forward']");
    assert!(page.says("#room-tour .caption").ends_with("step 2 of 64."));
    page.click("#room-tour [aria-label='Play']");
    page.wait("document.querySelector('#room-tour .count').textContent === '64 / 64'");
    page.click("#room-tour [data-style=numbers]");
    assert_eq!(
        page.js("getComputedStyle(document.querySelector('#room-tour .segment')).display"),
        json!("none")
    );
}

#[test]
fn no_tour_is_an_answer_with_a_reason() {
    browse("impossible", |page| {
        page.open("#tour?board=4x4");
        let (tone, headline) = page.ask("tour");
        assert_eq!(tone, "none");
        assert!(headline.starts_with("No open tour of 4×4."), "{headline}");
        assert!(!page.says("#room-tour .detail").is_empty());
    });
}

#[test]
fn another_tour_is_another_tour() {
    browse("another", |page| {
        page.open("#tour?board=8x8");
        page.ask("tour");
        let path = "[...document.querySelectorAll('#room-tour .segment')].map((line) => line.getAttribute('d')).join()";
        let first = page.text(path);
        page.click("#room-tour .extras .chip");
        page.wait("document.querySelector('#room-tour').dataset.state === 'over' && /seed=\\d/.test(location.hash)");
        page.wait(&format!("{path} !== {}", json!(first)));
        // The first one comes back with its question.
        page.click("#room-tour [aria-label='Undo the last change']");
        assert_eq!(page.text(path), first);
    });
}

#[test]
fn all_tours_of_a_small_board_are_drawn_at_random_and_turned_over_one_by_one() {
    browse("numbered", |page| {
        page.open("#tour?board=5x6&closed=true");
        page.ask("tour");
        // A tour that is drawn is not searched for: there is nothing to watch.
        page.wait("!document.querySelector('#room-tour [data-field=trace] input').disabled");
        page.click("#room-tour [data-field=trace] input");
        page.js("[...document.querySelectorAll('#room-tour .extras .chip')].find((chip) => chip.textContent === 'Random tour').click()");
        page.wait(
            "/^Tour number \\d of 8 /.test(document.querySelector('#room-tour .detail').textContent)",
        );
        let path = "[...document.querySelectorAll('#room-tour .segment')].map((line) => line.getAttribute('d')).join()";
        let mut seen = std::collections::BTreeSet::from([page.text(path)]);
        for _ in 0..7 {
            let told = page.says("#room-tour .detail");
            page.click("#room-tour [aria-label='Next tour']");
            page.wait(&format!("document.querySelector('#room-tour').dataset.state === 'over' && document.querySelector('#room-tour .detail').textContent !== {}", json!(told)));
            assert!(seen.insert(page.text(path)), "another tour each time");
        }
        page.open("#tour?board=5x6&closed=true&number=9");
        let (tone, headline) = page.ask("tour");
        assert_eq!((tone.as_str(), headline.as_str()), ("bad", "Tours are numbered from 0 to 7."));
    });
}

#[test]
fn all_tours_are_looked_through_in_pages_and_a_tour_has_a_number() {
    browse("pages", |page| {
        page.open("#tour?board=5x5");
        page.ask("tour");
        let press = |name: &str| {
            page.js(&format!("[...document.querySelectorAll('#room-tour .extras .chip')].find((chip) => chip.textContent === '{name}').click()"));
        };
        // The tour on the board has a number, and stays what it is.
        press("Its number");
        page.wait("/number=\\d+$/.test(location.hash) && document.querySelector('#room-tour').dataset.state === 'over'");
        let told = page.says("#room-tour .detail");
        let number: u32 =
            told.split(' ').nth(2).and_then(|word| word.parse().ok()).expect("a number");
        assert!(told.contains(" of 864 "), "{told}");
        // Its page of the list is opened, with this tour marked.
        press("All tours");
        let shown = "document.querySelector('#room-tour .pager output').textContent";
        let (first, last) = (number / 12 * 12, number / 12 * 12 + 11);
        page.wait(&format!("{shown} === 'Tours {first} to {last} of 864'"));
        assert_eq!(page.js("document.querySelectorAll('#room-tour .thumb').length"), json!(12));
        assert_eq!(
            page.text(
                "document.querySelector('#room-tour .thumb[aria-pressed=true]').dataset.number"
            ),
            number.to_string()
        );
        page.click("#room-tour [aria-label='First page']");
        page.wait(&format!("{shown} === 'Tours 0 to 11 of 864'"));
        page.click("#room-tour [aria-label='Next page']");
        page.wait(&format!("{shown} === 'Tours 12 to 23 of 864'"));
        page.click("#room-tour .thumb[data-number='14']");
        page.wait("location.hash === '#tour?board=5x5&number=14' && document.querySelector('#room-tour').dataset.state === 'over'");
        assert!(page.says("#room-tour .detail").starts_with("Tour number 14 of 864 "));
        page.click("#room-tour [aria-label='Last page']");
        page.wait(&format!("{shown} === 'Tours 852 to 863 of 864'"));
        page.click(".language option[value=cs]");
        page.wait(&format!("{shown} === 'Procházky 852 až 863 z 864'"));
        // Another board has another list.
        page.choose("tour", "closed");
        page.wait("document.querySelector('#room-tour .gallery').hidden");
        page.js("localStorage.clear()");
    });
}

#[test]
fn a_headline_states_the_whole_question() {
    browse("headline", |page| {
        for (question, told) in [
            (
                "board=8x8&closed=true&symmetry=quarter-turn",
                "No closed tour of 8×8 with quarter-turn symmetry.",
            ),
            ("board=5x5&from=b1&to=d1", "No open tour of 5×5 from b1 to d1."),
            ("board=5x5&holes=a2,b1", "No open tour of 5×5 without a2 and b1."),
            ("board=5x5&leaper=2,2", "No open tour of 5×5 by a 2,2 leaper."),
            ("board=5x5&wrap=both&closed=true", "A closed tour of 5×5 on a torus: 25 squares."),
        ] {
            page.open(&format!("#tour?{question}"));
            let (_, headline) = page.ask("tour");
            assert!(headline.starts_with(told), "{headline}");
        }
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n&labelled=true&alternate=white");
        let (_, headline) = page.ask("swap");
        let rules = "(alternating, white first; all knights distinct)";
        assert!(headline.contains(rules), "{headline}");
    });
}

#[test]
fn counts_say_what_they_count() {
    browse("count-words", |page| {
        page.open("#count?board=1x1&shape=open");
        assert_eq!(page.ask("count").1, "1 open tour of 1×1.");
        page.open("#count?board=5x5");
        page.choose("count", "by_start");
        let both = "document.querySelector('#room-count input[value=both]')";
        assert_eq!(page.js(&format!("[{both}.checked, {both}.disabled]")), json!([false, true]));
        assert_eq!(page.text("location.hash"), "#count?board=5x5&by_start=true&shape=open");
        page.choose("count", "series");
        page.choose("count", "closed");
        assert_eq!(page.text("location.hash"), "#count?series=3x1..30&shape=closed");
        page.choose("count", "total");
        page.choose("count", "both");
        assert_eq!(page.text("location.hash"), "#count?board=5x5");
        // A method is for a board; a series has its own.
        page.open("#count?board=5x5&method=naive");
        page.choose("count", "series");
        page.choose("count", "closed");
        assert_eq!(page.text("location.hash"), "#count?series=3x1..30&shape=closed");
        page.choose("count", "total");
        page.choose("count", "both");
        assert_eq!(page.text("location.hash"), "#count?method=naive&board=5x5");
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
    browse("count", count);
}

/// Totals, classes, a heat map and a series.
pub(crate) fn count(page: &Page) {
    page.open("#count?board=6x6&shape=closed");
    let (tone, headline) = page.ask("count");
    assert_eq!((tone.as_str(), headline.as_str()), ("good", "9,862 closed tours of 6×6."));
    page.choose("count", "classes");
    page.ask("count");
    assert!(page.says("#room-count .body").contains("1,245"));
    let first = "document.querySelector('#room-count h3 + .scroll tbody th').textContent";
    assert_eq!(page.text(first), "none (all tours)");
    page.open("#count?board=5x5&by_start=true");
    page.ask("count");
    assert_eq!(page.js("document.querySelectorAll('#room-count .warm').length"), json!(25));
    assert!(page.says("#room-count .body tfoot").contains("1,728"));
    page.open("#count?series=3x1..12&shape=closed");
    let (_, headline) = page.ask("count");
    assert_eq!(headline, "Closed tours of 12 boards of width 3.");
    assert!(page.says("#room-count .body").contains("3×10"));
}

#[test]
fn the_capture_room_takes_what_was_painted() {
    browse("capture", capture);
}

/// A capture, painted and solved.
pub(crate) fn capture(page: &Page) {
    page.open("#capture?puzzle=4p/5/5/5/N3p");
    page.square("capture", "c3");
    assert_eq!(
        page.js("document.querySelector('#room-capture .mono').value"),
        json!("4p/5/2p2/5/N3p")
    );
    let (tone, headline) = page.ask("capture");
    assert_eq!((tone.as_str(), headline.as_str()), ("good", "8 moves, the fewest possible."));
    assert_eq!(
        page.js("document.querySelectorAll('#room-capture .piece-pawn.gone').length"),
        json!(3)
    );
    page.click("#room-capture [aria-label='Go to the start']");
    assert_eq!(
        page.js("document.querySelectorAll('#room-capture .piece-pawn.gone').length"),
        json!(0)
    );
}

#[test]
fn the_swap_room_solves_its_presets() {
    browse("swap", swap);
}

/// Presets, an edit, and a plan.
pub(crate) fn swap(page: &Page) {
    page.open("#swap");
    page.wait("document.querySelector('#room-swap [data-field=preset] select').length > 2");
    let chosen = "document.querySelector('#room-swap [data-field=preset] select').value";
    assert_eq!(page.text(chosen), "six-knights");
    page.square("swap", "b2");
    assert_eq!(page.text(chosen), "", "another puzzle has no name");
    page.click("#room-swap [aria-label='Undo the last change']");
    assert_eq!(page.text(chosen), "six-knights");
    page.click("#room-swap [data-field=preset] option[value=guarini]");
    let (tone, headline) = page.ask("swap");
    assert_eq!((tone.as_str(), headline.as_str()), ("good", "16 moves, the fewest possible."));
    page.click("#room-swap [aria-label='Go to the end']");
    assert!(page.says("#room-swap .caption").ends_with("move 16 of 16."));
}

#[test]
fn the_compare_room_runs_methods_side_by_side() {
    browse_comparing("compare", compare);
}

/// Methods side by side, in a table and figures that can be saved.
pub(crate) fn compare(page: &Page) {
    page.open("#compare?of=swap&boards=guarini,3x4&methods=astar,meet&time_limit=5m");
    page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 2");
    page.click("#room-compare .primary");
    page.wait("document.querySelector('#room-compare .caption').textContent.startsWith('4 runs')");
    assert_eq!(page.js("document.querySelectorAll('#room-compare .span').length"), json!(4));
    assert_eq!(
        page.js(
            "[...document.querySelectorAll('#room-compare .group')].map((text) => text.textContent)"
        ),
        json!(["guarini", "3×4"])
    );
    assert_eq!(
        page.js(
            "[...document.querySelectorAll('#room-compare .span')].map((bar) => bar.classList[1])"
        ),
        json!(["m0", "m1", "m0", "m1"])
    );
    assert!(page.says("#room-compare tbody").contains("16 moves, proved"));
    page.click(".language option[value=cs]");
    page.wait(
        "document.querySelector('#room-compare tbody').textContent.includes('16 tahů, dokázáno')",
    );
    page.open("#compare?of=tour&boards=4x4,9by9&methods=auto,search&time_limit=5m");
    page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 2");
    page.click("#room-compare .primary");
    page.wait("document.querySelectorAll('#room-compare tbody tr').length === 3");
    let tones =
        "[...document.querySelectorAll('#room-compare tbody tr')].map((row) => row.dataset.tone)";
    assert_eq!(page.js(tones), json!(["none", "none", "bad"]));
    assert!(page.says("#room-compare tbody").contains("9by9"));
    page.wait("!document.querySelector('#room-compare .keep').hidden");
    page.keep_files();
    for format in ["csv", "svg", "png"] {
        page.click(&format!("#room-compare [data-keep={format}]"));
        page.wait(&format!("saved.at(-1)?.[0] === 'destrier-compare.{format}'"));
    }
}

#[test]
fn on_a_server_numbers_of_threads_are_compared() {
    browse_processes("compare-threads", |page| {
        page.open("#compare?of=count&boards=6x6&methods=middle&threads=1,2&time_limit=5m");
        page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 1");
        page.click("#room-compare .primary");
        page.wait("document.querySelectorAll('#room-compare tbody tr').length === 2");
        page.wait("!document.querySelector('#room-compare .keep').hidden");
        assert_eq!(
            page.js("[...document.querySelectorAll('#room-compare .plot svg')].length"),
            json!(3),
            "bars, speed-up and efficiency"
        );
    });
}

#[test]
fn without_a_server_every_kind_is_compared_on_one_thread_and_the_page_says_so() {
    browse_site("compare-alone", |page| {
        for (asked, answers) in [
            (
                "of=tour&boards=5x6&methods=auto,warnsdorff,roth&threads=1,2",
                ["found"; 3].as_slice(),
            ),
            ("of=count&boards=3x7&methods=auto,transfer&closed=false", &["52"; 2]),
            ("of=capture&boards=4p/5/2p2/5/N3p&methods=auto,bb-dfs,naive", &["8 moves, proved"; 3]),
            ("of=swap&boards=guarini&methods=auto,astar,meet,ranked", &["16 moves, proved"; 4]),
        ] {
            page.open(&format!("#compare?{asked}&time_limit=5m"));
            let chosen = "document.querySelectorAll('#room-compare .pick input:checked').length";
            page.wait(&format!("{chosen} === {}", answers.len()));
            page.click("#room-compare .primary");
            page.wait("!document.querySelector('#room-compare .keep').hidden");
            let told = "[...document.querySelectorAll('#room-compare tbody tr')].map((row) => row.querySelector('.result').textContent)";
            assert_eq!(page.js(told), json!(answers), "{asked}");
            let threads = "[...document.querySelectorAll('#room-compare tbody tr')].every((row) => row.querySelector('.threads_head').textContent === '1')";
            assert_eq!(page.js(threads), json!(true), "{asked}");
        }
        let hidden = "document.querySelector('#room-compare [data-field=threads]').hidden";
        assert_eq!(page.js(hidden), json!(true));
        for (language, words) in
            [("en", "Without a server"), ("cs", "Bez serveru"), ("pl", "Bez serwera")]
        {
            page.click(&format!(".language option[value={language}]"));
            page.wait(&format!("document.querySelector('#room-compare .alone').checkVisibility() && document.querySelector('#room-compare .alone').textContent.includes('{words}')"));
        }
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
        assert_eq!(page.says("#room-compare .caption"), "Stopped after 1 run.");
        assert_eq!(page.js("document.querySelectorAll('#room-compare tbody tr').length"), json!(1));
        assert!(page.says("#room-compare tbody").starts_with("3×4naive1"));
        assert_eq!(page.says("#room-compare tbody .result"), "8");
        // A run that is out of time is an open bar.
        page.open("#compare?of=count&boards=6x6&methods=auto,naive&time_limit=1s");
        page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 2");
        page.click("#room-compare .primary");
        page.wait("document.querySelectorAll('#room-compare .span').length === 2");
        assert_eq!(
            page.js("document.querySelectorAll('#room-compare .span.open.m1').length"),
            json!(1)
        );
    });
}

#[test]
fn a_reload_keeps_a_comparison_and_goes_on_with_it() {
    browse_comparing_reloading("compare-reload", |page| {
        // The second question would take hours.
        page.open("#compare?of=count&boards=3x4,6x6&methods=naive&time_limit=10m");
        page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 1");
        page.click("#room-compare .primary");
        let second = "document.querySelector('#room-compare .caption').textContent.startsWith('2 of 2: 6×6')";
        page.wait(second);
        let badge = "document.title.startsWith('● ')";
        page.wait(badge);
        let running = "document.querySelector('#room-compare').classList.contains('running')";
        page.wait("JSON.parse(sessionStorage.getItem('destrier.comparison')).job");
        page.reload();
        page.wait(second);
        page.wait(&format!("{running} && {badge}"));
        page.click("#room-compare .stop");
        page.wait(&format!("!{running} && !{badge}"));
        let rows = || page.says("#room-compare tbody");
        let ended = rows();
        assert_eq!(page.says("#room-compare tbody .result"), "8");
        page.reload();
        page.wait("document.querySelector('#room-compare .caption').textContent === 'Stopped after 1 run.'");
        assert_eq!(rows(), ended);
        assert_eq!(page.js("document.querySelectorAll('#room-compare .span').length"), json!(1));
        // Other questions have no rows yet.
        page.open("#compare?of=count&boards=3x4&methods=naive");
        page.reload();
        page.wait("document.querySelectorAll('#room-compare .pick input:checked').length === 1");
        assert_eq!(rows(), "");
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
        page.click("#room-tour [aria-label='Zoom in']");
        // The small map shows the tour as well: its colours change from one side to the other.
        page.wait("(() => { const map = document.querySelector('#room-tour .map'); if (map.classList.contains('off')) return false; const { data } = map.getContext('2d').getImageData(0, map.height - 2, map.width, 1); const at = (x) => data.slice(4 * x, 4 * x + 3).join(); return at(1) !== at(map.width - 2); })()");
        page.click("#room-tour [aria-label='Go to the start']");
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
        // The whole of it is played in twenty seconds.
        page.click("#room-tour .speed option[value=whole]");
        page.click("#room-tour [aria-label=Play]");
        let step = "Number(document.querySelector('#room-tour .count').textContent.split(' ')[0].replaceAll(',', ''))";
        page.wait(&format!("{step} > 200000"));
        page.click("#room-tour [aria-label=Pause]");
    });
}
