//! A search while it runs: progress, cancelling, watching it think, and tabs that come and go.

use serde_json::json;

use crate::driver::{Page, browse, browse_reloading, browse_served, browse_site, job_of};

/// A count that takes hours.
const LONG: &str = "#count?board=9x8&shape=open&method=backtrack";

/// Sets the steps a second of a film.
fn speed(page: &Page, room: &str, steps: u32) {
    page.js(&format!("(() => {{ const speed = document.querySelector('#room-{room} .speed'); speed.value = '{steps}'; speed.dispatchEvent(new Event('change')); }})()"));
}

/// Watches a search from its start, slowly: a film lasts so long that it is met before its end.
fn watch(page: &Page) {
    page.wait("!document.querySelector('#room-tour [data-field=trace] input').disabled");
    speed(page, "tour", 1);
    page.click("#room-tour .primary");
    page.wait(
        "/^Searching: step \\d/.test(document.querySelector('#room-tour .caption').textContent)",
    );
}

#[test]
fn cancel_stops_the_search() {
    browse("cancel", |page| {
        page.visit_before();
        page.open(LONG);
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'");
        let job = page.job("count");
        page.click("#room-count .stop");
        let (tone, headline) = page.answer("count");
        assert_eq!(tone, "open");
        assert!(headline.starts_with("Stopped. At least "), "{headline}");
        page.job_becomes(&job, "cancelled");
        assert_eq!(page.js("document.querySelector('#room-count .primary').hidden"), json!(false));
    });
}

#[test]
fn closing_a_tab_cancels_its_search_and_leaves_the_other_tab_alone() {
    browse_served("tabs", |page| {
        page.open("#tour?board=6x6");
        let first = page.session.window();
        let second = page.session.new_tab();
        page.session.switch(&second);
        page.open(LONG);
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'");
        let job = page.job("count");
        page.session.switch(&first);
        assert_eq!(page.ask("tour").0, "good");
        page.job_becomes(&job, "running");
        page.session.switch(&second);
        page.session.close_tab();
        page.session.switch(&first);
        page.job_becomes(&job, "cancelled");
    });
}

#[test]
fn without_a_network_the_page_answers_and_keeps_the_best_of_what_is_stopped() {
    browse_site("offline", |page| {
        page.open("#tour?board=6x6");
        page.wait("navigator.serviceWorker.controller !== null");
        page.unplug();
        page.open("#tour?board=8x8&closed=true");
        assert_eq!(page.ask("tour").0, "good");
        assert_eq!(page.js("crossOriginIsolated"), json!(true));
        page.open("#count?board=8x8&shape=closed&method=backtrack");
        page.wait("document.querySelector('#room-count [data-field=method] select').value === 'backtrack'");
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'");
        let job = page.job("count");
        page.click("#room-count .stop");
        page.job_becomes(&job, "cancelled");
        assert_eq!(page.js(&job_of(&job, "answer.counts.length")), json!(1));
    });
}

#[test]
fn a_classic_method_is_watched_move_by_move() {
    browse("trace", |page| {
        page.open("#tour?board=5x5&method=backtrack&trace=true&from=b1");
        page.open("#tour?board=6x6&method=warnsdorff&trace=true");
        watch(page);
        // What is over cannot be cancelled: the button leads to the answer.
        page.wait("document.querySelector('#room-tour').dataset.state === 'showing'");
        assert_eq!(page.says("#room-tour .stop"), "Show the answer");
        assert_eq!(
            page.js("document.querySelector('#room-tour .facts').checkVisibility()"),
            json!(false)
        );
        page.click("#room-tour .stop");
        assert_eq!(page.answer("tour").0, "good");
        assert_eq!(page.js("document.querySelectorAll('#room-tour .segment').length"), json!(35));
    });
}

#[test]
fn a_permalink_restores_the_question_and_follows_it() {
    browse("permalink", |page| {
        page.open("#tour?board=6x5&closed=true&from=b2&holes=c3,d4&method=search");
        page.wait(
            "document.querySelector('#room-tour [data-field=method] select').value === 'search'",
        );
        let question = page.js("[...document.querySelectorAll('#room-tour input[type=number]')].slice(0, 2).map((input) => input.value)");
        assert_eq!(question, json!(["6", "5"]));
        assert_eq!(page.js("document.querySelectorAll('#room-tour rect.hole').length"), json!(2));
        assert_eq!(
            page.js("document.querySelectorAll('#room-tour .marks .start').length"),
            json!(1)
        );
        page.choose("tour", "open");
        let hash = page.text("location.hash");
        assert_eq!(hash, "#tour?board=6x5&holes=c3,d4&from=b2&method=search");
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n&alternate=white");
        assert_eq!(page.js("document.querySelectorAll('#room-swap .piece').length"), json!(4));
        assert!(page.text("location.hash").contains("alternate=white"));
    });
}

/// The state of a room's search.
fn state(page: &Page, room: &str) -> String {
    page.text(&format!("document.querySelector('#room-{room}').dataset.state"))
}

#[test]
fn an_old_answer_never_lands_on_a_new_board() {
    browse("stale", late_answers);
}

/// Asks for something else while a search is watched or runs.
pub(crate) fn late_answers(page: &Page) {
    let old = "#tour?board=8x8&method=backtrack&trace=true";
    page.open(old);
    watch(page);
    page.js("[...document.querySelectorAll('#room-tour .chip')].find((chip) => chip.textContent === '5×5').click()");
    assert_eq!(state(page, "tour"), "idle");
    assert_eq!(page.ask("tour").1, "An open tour of 5×5: 25 squares.");
    // A game that begins while a search is shown.
    page.open(old);
    watch(page);
    page.choose("tour", "play");
    page.square("tour", "a1");
    page.square("tour", "b3");
    // If the search were still shown, it would be some steps further in each frame.
    speed(page, "tour", 512);
    page.settle();
    page.settle();
    assert_eq!(page.js("document.querySelectorAll('#room-tour .segment').length"), json!(1));
    // A file that is opened meanwhile.
    page.open(LONG);
    page.click("#room-count .primary");
    page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'");
    let job = page.job("count");
    page.drop_file("count.json", r#"{"destrier":1,"kind":"count","question":{"board":{"size":"5x5"},"shape":"open"},"undirected":"864","directed":"1728"}"#);
    page.wait("document.querySelector('#room-count .report').dataset.tone === 'good'");
    page.job_becomes(&job, "cancelled");
    assert!(page.says("#room-count .body").contains("1,728"));
}

#[test]
fn a_search_that_is_watched_can_be_paused_and_gone_through_step_by_step() {
    browse("watch", |page| {
        page.open("#tour?board=5x5&method=backtrack&trace=true&from=a1");
        watch(page);
        page.wait(
            "Number(document.querySelector('#room-tour .count').textContent.split(' ')[0]) > 2",
        );
        page.click("#room-tour [aria-label=Pause]");
        page.wait("document.querySelector('#room-tour').dataset.state === 'showing'");
        let at = || {
            page.text("document.querySelector('#room-tour .count').textContent.split(' ')[0]")
                .parse::<u32>()
                .expect("a step")
        };
        let here = at();
        page.click("#room-tour [aria-label='One step back']");
        assert_eq!(at(), here - 1);
        page.click("#room-tour [aria-label='One step forward']");
        page.click("#room-tour [aria-label='One step forward']");
        assert_eq!(at(), here + 1);
        assert_eq!(state(page, "tour"), "showing");
        page.click("#room-tour [aria-label='Go to the end']");
        assert_eq!(page.answer("tour").0, "good");
    });
}

/// Watches a search, goes back and on in it, skips to its answer, and watches it again.
fn watch_through(page: &Page, room: &str, hash: &str, answer: &str) {
    page.open(hash);
    speed(page, room, 1);
    page.wait(&format!(
        "!document.querySelector('#room-{room} [data-field=trace] input').disabled"
    ));
    page.click(&format!("#room-{room} .primary"));
    let caption = format!("document.querySelector('#room-{room} .caption').textContent");
    let at =
        format!("Number(document.querySelector('#room-{room} .count').textContent.split(' ')[0])");
    page.wait(&format!("{at} >= 3 && {caption}.startsWith('Searching: ')"));
    page.click(&format!("#room-{room} [aria-label=Pause]"));
    page.wait(&format!("document.querySelector('#room-{room}').dataset.state === 'showing'"));
    let number = |expression: &str| page.js(expression).as_u64().expect("a number");
    let here = number(&at);
    page.click(&format!("#room-{room} [aria-label='One step back']"));
    assert_eq!(number(&at), here - 1);
    page.click(&format!("#room-{room} [aria-label='One step forward']"));
    assert_eq!(number(&at), here);
    // Dead ends are counted: at the last step there are some.
    let last = format!("document.querySelector('#room-{room} .scrubber')");
    page.js(&format!("({last}.value = {last}.max, {last}.dispatchEvent(new Event('input')))"));
    page.wait(&format!("/[1-9]\\d* dead ends? so far/.test({caption})"));
    page.click(&format!("#room-{room} [aria-label='Go to the end']"));
    let (tone, headline) = page.answer(room);
    assert_eq!((tone.as_str(), headline.as_str()), ("good", answer));
    page.click(&format!("#room-{room} [data-keep=again]"));
    page.wait(&format!("{caption}.startsWith('Searching: ')"));
    page.click(&format!("#room-{room} [aria-label='Go to the end']"));
    page.wait(&format!("!{caption}.startsWith('Searching: ')"));
    assert_eq!(page.says(&format!("#room-{room} .headline")), answer);
}

/// Asks, skips to the end of the search, and saves it as a film.
fn film(page: &Page, room: &str, hash: &str, tone: &str) {
    page.open(hash);
    page.wait(&format!(
        "!document.querySelector('#room-{room} [data-field=trace] input').disabled"
    ));
    page.click(&format!("#room-{room} .primary"));
    page.wait(&format!("document.querySelector('#room-{room}').dataset.state === 'over'"));
    assert_eq!(page.answer(room).0, tone);
    page.keep_files();
    page.click(&format!("#room-{room} [data-keep=film]"));
    page.wait(&format!("saved.at(-1)?.[0] === 'destrier-{room}-search.gif'"));
    assert_eq!(page.js("saved.at(-1)[2].slice(0, 6)"), json!("GIF89a"));
}

#[test]
fn searches_for_captures_and_swaps_are_watched_step_by_step() {
    browse("watch-all", |page| {
        let proved = |n| format!("{n} moves, the fewest possible.");
        let puzzle = "#capture?puzzle=4p/5/2p2/5/N3p&method=bb-dfs&trace=true";
        watch_through(page, "capture", puzzle, &proved(8));
        let puzzle = puzzle.replace("bb-dfs", "naive");
        watch_through(page, "capture", &puzzle, &proved(8));
        let guarini = "#swap?start=n1n/3/N1N&goal=N1N/3/n1n&method=naive&trace=true";
        watch_through(page, "swap", guarini, &proved(16));
        // A method that has no step to show says so.
        page.open("#swap?method=meet&trace=true");
        page.wait(
            "document.querySelector('#room-swap [data-field=method] select').value === 'meet'",
        );
        let disabled = "document.querySelector('#room-swap [data-field=trace] input').disabled";
        assert_eq!(page.js(disabled), json!(true));
        let why = page.says("#room-swap [data-field=trace] .help");
        assert_eq!(why, "The method meet has no single steps to show.");
    });
}

#[test]
fn the_best_method_is_watched_as_one_that_has_steps() {
    browse("watch-auto", |page| {
        for (hash, method, answer) in [
            ("tour?board=5x5&from=a1", "backtrack", "An open tour of 5×5 from a1: 25 squares."),
            ("capture?puzzle=4p/5/5/5/N3p", "bb-dfs", "4 moves, the fewest possible."),
            ("swap?start=n1n/3/N1N&goal=N1N/3/n1n", "astar", "16 moves, the fewest possible."),
        ] {
            page.open(&format!("#{hash}"));
            let room = hash.split('?').next().expect("a name");
            let note = format!("#room-{room} [data-field=trace] .help");
            assert_eq!(page.says(&note), format!("Shows every step of {method}."));
            page.click(&format!("#room-{room} [data-field=trace] input"));
            assert!(page.text("location.hash").ends_with("trace=true"));
            speed(page, room, 512);
            let (tone, headline) = page.ask(room);
            assert_eq!((tone.as_str(), headline.as_str()), ("good", answer));
            let by = page.says(&format!("#room-{room} .effort"));
            assert!(by.starts_with(&format!("by {method} · ")), "{by}");
            assert_eq!(
                page.js(&format!(
                    "document.querySelector('#room-{room} [data-keep=film]').checkVisibility()"
                )),
                json!(true)
            );
        }
    });
}

#[test]
fn a_race_is_watched_with_all_its_knights() {
    browse("watch-race", |page| {
        page.open("#tour?board=8x8&from=d4&method=race&trace=true");
        page.wait("!document.querySelector('#room-tour [data-field=trace] input').disabled");
        speed(page, "tour", 8);
        page.click("#room-tour .primary");
        let caption = "document.querySelector('#room-tour .caption').textContent";
        page.wait(&format!("{caption}.startsWith('8 knights race: ')"));
        page.wait("document.querySelectorAll('#room-tour .piece-knight').length === 8");
        page.click("#room-tour [aria-label='Go to the end']");
        assert_eq!(page.answer("tour").1, "An open tour of 8×8 from d4: 64 squares.");
        page.wait("document.querySelectorAll('#room-tour .piece-knight').length === 1");
        film(page, "tour", "#tour?board=5x5&from=c3&method=race&trace=true", "good");
    });
}

#[test]
fn a_search_that_was_watched_is_saved_as_a_film() {
    browse("film", |page| {
        film(page, "capture", "#capture?puzzle=4p/5/5/5/N3p&method=bb-dfs&trace=true", "good");
        film(page, "capture", "#capture?puzzle=4p/5/5/5/N3p&method=naive&trace=true", "good");
        // A search that gives up can be kept as well, and then the board has its pieces again.
        let climb = "#swap?start=n1n/3/N1N&goal=N1N/3/n1n&method=hill-climbing&trace=true";
        film(page, "swap", climb, "open");
        assert_eq!(page.js("document.querySelectorAll('#room-swap .piece').length"), json!(4));
        // Another question has no film yet.
        page.choose("swap", "goal");
        page.square("swap", "b2");
        let hidden = "document.querySelector('#room-swap [data-keep=film]').checkVisibility()";
        assert_eq!(page.js(hidden), json!(false));
    });
}

#[test]
fn back_keeps_an_answer_and_a_running_search() {
    browse("back", go_back);
}

/// Goes back to an answer, and to a running search.
pub(crate) fn go_back(page: &Page) {
    page.open("#tour?board=6x6");
    let (_, headline) = page.ask("tour");
    page.keys("2");
    page.back();
    page.wait("!document.querySelector('#room-tour').hidden");
    assert_eq!(page.says("#room-tour .headline"), headline);
    let job = count_in_this_tab(page);
    page.keys("1");
    page.back();
    page.wait("!document.querySelector('#room-count').hidden");
    assert_eq!(state(page, "count"), "running");
    page.click("#room-count .stop");
    page.job_becomes(&job, "cancelled");
}

/// Begins a long count without loading the page again.
fn count_in_this_tab(page: &Page) -> String {
    page.js(&format!("(location.hash = {})", json!(LONG)));
    page.wait("!document.querySelector('#room-count').hidden");
    page.click("#room-count .primary");
    page.wait("document.querySelector('#room-count').dataset.state === 'running'");
    page.wait("document.title.startsWith('● ')");
    page.job("count")
}

#[test]
fn a_reload_keeps_an_answer_and_a_running_search() {
    browse_reloading("reload", reload);
}

/// Loads the page again with an answer and a running search.
pub(crate) fn reload(page: &Page) {
    page.open("#tour?board=6x6");
    let (_, headline) = page.ask("tour");
    let job = count_in_this_tab(page);
    page.reload();
    page.wait("document.querySelector('#room-count').dataset.state === 'running'");
    assert_eq!(page.job("count"), job);
    page.job_becomes(&job, "running");
    page.keys("1");
    page.wait(&format!(
        "document.querySelector('#room-tour .headline').textContent === {}",
        json!(headline)
    ));
    page.keys("2");
    page.click("#room-count .stop");
    page.job_becomes(&job, "cancelled");
}

#[test]
fn a_reload_keeps_a_game() {
    browse("reload-game", |page| {
        let moves = |room: &str| {
            page.text(&format!(
                "document.querySelectorAll('#room-{room} .table dd')[1].textContent"
            ))
        };
        let playing = |room: &str| {
            page.wait(&format!(
                "document.querySelector('#room-{room}').classList.contains('playing')"
            ));
        };
        page.open("#tour?board=5x5");
        page.choose("tour", "play");
        for square in ["a1", "b3", "c5"] {
            page.square("tour", square);
        }
        page.reload();
        playing("tour");
        assert_eq!(moves("tour"), "2");
        assert_eq!(page.js("document.querySelectorAll('#room-tour .segment').length"), json!(2));
        page.square("tour", "e4");
        assert_eq!(moves("tour"), "3");
        page.click("#room-tour .table [data-say-text='play.undo']");
        assert_eq!(moves("tour"), "2");
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n");
        page.choose("swap", "play");
        page.square("swap", "a1");
        page.square("swap", "b3");
        page.reload();
        playing("swap");
        assert_eq!(moves("swap"), "1");
        // Who leaves a game has none after a reload.
        page.choose("swap", "solve");
        page.reload();
        page.wait("document.querySelector('#room-swap [data-field=preset] select').length > 2");
        page.settle();
        let playing = "document.querySelector('#room-swap').classList.contains('playing')";
        assert_eq!(page.js(playing), json!(false));
    });
}

#[test]
fn a_job_that_waits_says_so_and_one_that_is_stopped_shows_its_plan() {
    browse("queue", |page| {
        page.visit_before();
        page.open("#capture");
        // As many long jobs as run at a time, so that ours has to wait.
        let busy = "import('./js/carrier.js').then(async ({ fetch }) => { const { jobs } = await (await fetch('api/limits')).json(); window.busy = []; for (let i = 0; i < jobs; i += 1) busy.push((await (await fetch('api/jobs', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ kind: 'count', board: '9x8', shape: 'open', method: 'backtrack' }) })).json()).job); return busy.length; })";
        assert!(page.js(busy).as_u64() > Some(0));
        page.click("#room-capture .primary");
        page.wait("document.querySelector('#room-capture .headline').textContent === 'Waiting in the queue, position 1.'");
        assert_eq!(state(page, "capture"), "queued");
        // One that is cancelled while it waits says so in the reader's language.
        page.click(".language option[value=cs]");
        page.click("#room-capture .stop");
        assert_eq!(page.answer("capture").0, "open");
        assert_eq!(page.says("#room-capture .detail"), "Zrušeno dřív, než začalo.");
        assert_eq!(page.js("document.querySelector('#room-capture .detail').lang"), json!(""));
        page.click(".language option[value=en]");
        page.click("#room-capture .primary");
        page.wait("document.querySelector('#room-capture').dataset.state === 'queued'");
        page.js("import('./js/carrier.js').then(({ fetch }) => Promise.all(busy.map((job) => fetch(`api/jobs/${job}`, { method: 'DELETE' }))).then(() => true))");
        assert_eq!(page.answer("capture").1, "17 moves, the fewest possible.");
        // A puzzle that takes long to prove.
        page.open("#capture?puzzle=p1p1p1p1p1p1/12/1p1p1p1p1p1p/12/p1p1p1p1p1p1/12/1p1p1p1p1p1p/12/p1p1p1p1p1p1/12/12/N11&method=bb-dfs");
        page.wait(
            "document.querySelector('#room-capture [data-field=method] select').value === 'bb-dfs'",
        );
        page.click("#room-capture .primary");
        // A plan is found within a hundred nodes; they are reported by the thousand.
        page.wait(
            "/[1-9]/.test(document.querySelector('#room-capture .fact-nodes dd').textContent)",
        );
        let fact = |name: &str| {
            format!("document.querySelector('#room-capture .fact-{name} dd').textContent")
        };
        page.wait(&format!("Number({}) >= 30 && {} === '30'", fact("best"), fact("bound")));
        let rate = page.says("#room-capture .fact-rate dd");
        assert!(rate.ends_with("/s") && !rate.contains("NaN"), "{rate}");
        page.click("#room-capture .stop");
        let (tone, headline) = page.answer("capture");
        assert_eq!(tone, "open");
        assert!(
            headline.starts_with("Stopped. ") && headline.contains(" moves found"),
            "{headline}"
        );
        assert!(
            page.js("document.querySelectorAll('#room-capture .segment').length").as_u64()
                >= Some(30)
        );
    });
}

#[test]
fn a_search_that_is_stopped_without_a_plan_keeps_its_bound_and_a_count_of_none_says_nothing() {
    browse("stopped", |page| {
        page.visit_before();
        page.open("#swap?start=nnnnnn/nnnnnn/6/NNNNNN/NNNNNN&method=astar");
        page.click("#room-swap .primary");
        page.wait("/\\d/.test(document.querySelector('#room-swap .fact-bound dd').textContent)");
        page.click("#room-swap .stop");
        let (_, headline) = page.answer("swap");
        let bound = headline
            .strip_prefix("Stopped before an answer was found. At least ")
            .and_then(|rest| rest.strip_suffix(" are necessary."));
        let bound = bound.and_then(|bound| bound.parse::<u32>().ok());
        assert!(bound >= Some(30), "{headline}");
        page.open("#count?board=8x8&shape=closed&method=naive");
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count .fact-elapsed dd').textContent !== '–'");
        page.click("#room-count .stop");
        let (_, headline) = page.answer("count");
        assert_eq!(headline, "Stopped before an answer was found.");
        assert_eq!(page.says("#room-count .body"), "");
    });
}

#[test]
fn a_count_in_parts_says_which_part_and_never_stands_at_a_hundred_percent() {
    browse("parts", |page| {
        page.open("#count");
        let told = |now: &str| {
            page.js(&format!("import('./js/report.js').then(({{ Report }}) => {{ const report = new Report({{ formats: [], idle: 'count.idle', room: {{}} }}); report.start(); report.progress({{ elapsed_ms: 9000, eta_ms: 9000, nodes: 5, part: 1, parts: 2, {now} }}); return [report.detail.textContent, report.bar.getAttribute('aria-valuenow')]; }})"))
        };
        let half = "Part 1 of 2 · 50 % · about 9 s left of this part";
        assert_eq!(told("fraction: 0.5"), json!([half, "50"]));
        assert_eq!(told("fraction: 1"), json!(["Part 1 of 2", null]));
        assert_eq!(told("fraction: 0.5, parts: 1"), json!(["50 % · about 9 s left", "50"]));
    });
}

#[test]
fn a_long_count_is_estimated_before_it_begins() {
    browse("estimate", |page| {
        page.open("#count?board=9x9&shape=open");
        page.click("#room-count .primary");
        let (tone, headline) = page.answer("count");
        assert_eq!(tone, "open");
        assert!(headline.starts_with("Counting 9×9 takes about "), "{headline}");
        // The limits that it exceeds are said.
        let detail = page.says("#room-count .detail");
        assert!(detail.starts_with("The server stops every search after 10 min"), "{detail}");
        let room = "A search may use 2 GiB of memory here, less than this count needs. Press the button again to start it all the same.";
        assert!(detail.ends_with(room), "{detail}");
        page.click(".language option[value=cs]");
        page.wait("document.querySelector('#room-count .headline').textContent.startsWith('Spočítat 9×9 potrvá asi ')");
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count').dataset.state === 'running'");
        assert_eq!(page.says("#room-count .headline"), "Hledám…");
        page.click("#room-count .stop");
        assert_eq!(page.answer("count").0, "open");
    });
}

#[test]
fn an_estimate_and_a_refusal_are_in_sight_on_a_phone() {
    browse("estimate-phone", |page| {
        page.as_phone();
        let seen = |room: &str| {
            page.wait(&format!("(() => {{ const box = document.querySelector('#room-{room} .words').getBoundingClientRect(); return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight; }})()"));
        };
        page.open("#count?board=9x9&shape=open");
        page.click("#room-count .primary");
        assert_eq!(page.answer("count").0, "open");
        seen("count");
        page.system_prefers("light");
        page.open("#count?board=30x30");
        assert_eq!(page.ask("count").0, "bad");
        seen("count");
        page.open("#tour?board=8x8&method=compose&holes=a1");
        assert_eq!(page.ask("tour").0, "bad");
        seen("tour");
    });
}

#[test]
fn what_cannot_be_read_of_an_address_is_said() {
    browse("unread", |page| {
        page.open("#tour");
        let wrong = [
            ("tour", "board=abc", "board=abc"),
            ("tour", "board=0x5", "board=0×5"),
            ("tour", "board=5x5&symmetry=foo", "symmetry=foo"),
            ("tour", "bord=5x5&closed=true&seed=x", "bord=5×5 and seed=x"),
            ("count", "board=5x5&shape=round", "shape=round"),
            ("capture", "puzzle=zz/3", "puzzle=zz/3"),
            ("swap", "start=n1n/3/N1N&goal=N1N/3", "start=n1n/3/N1N and goal=N1N/3"),
        ];
        let told = "Part of the address could not be read and is left out: ";
        for (room, words, left_out) in wrong {
            page.open(&format!("#{room}?{words}"));
            assert_eq!(page.says(&format!("#room-{room} .headline")), format!("{told}{left_out}."));
        }
        page.open("#compare?of=riddle");
        assert_eq!(page.says("#room-compare .caption"), format!("{told}of=riddle."));
        page.open("#nonsense");
        assert_eq!(page.says("#room-tour .headline"), format!("{told}#nonsense."));
        page.click(".language option[value=cs]");
        page.wait("document.querySelector('#room-tour .headline').textContent === 'Část adresy se nepodařilo přečíst, a proto je vynechána: #nonsense.'");
        page.click(".language option[value=en]");
        page.wait("document.documentElement.lang === 'en'");
        assert_eq!(page.ask("tour").1, "An open tour of 8×8: 64 squares.");
        // What the form says in other words was read.
        for hash in [
            "tour?board=6X5&closed=false&holes=c3,%20d4&from=z9&wrap=none&method=search&trace=true",
            "count?series=3x1..9&shape=closed&classes=false",
            "count?board=5x5&by_start=true&from=a1",
            "capture?puzzle=k3/4/3N&method=bb-dfs&parallel=task&time_limit=5s",
            "swap?start=n1n/3/N1N&metric=moves&peaceful=true&threads=2",
            "compare?of=swap&boards=guarini,%203x4&methods=astar,meet&threads=1,2",
        ] {
            page.open(&format!("#{hash}"));
            let said = page.text("document.querySelector('.room:not([hidden]) :is(.headline, .caption)').textContent");
            assert!(!said.starts_with(told), "{hash}: {said}");
        }
    });
}

#[test]
fn a_count_that_cannot_be_estimated_is_counted() {
    browse("no-estimate", |page| {
        page.open("#count?board=12x12&time_limit=1s");
        page.ask("count");
        // Time or memory runs out first, whichever this machine has less of.
        let headline = page.says("#room-count .headline");
        assert!(
            headline == "Undecided." || headline.starts_with("It needs at least "),
            "{headline}"
        );
        // Nobody chose a method: it is the board that no method takes.
        page.open("#count?board=30x30");
        let (tone, headline) = page.ask("count");
        assert_eq!(tone, "bad");
        assert!(headline.starts_with("The board is too wide to count exactly"), "{headline}");
        assert_eq!(page.says("#room-count [data-field=method] .fault-line"), "");
    });
}

#[test]
fn a_search_ends_for_the_reader_when_the_server_is_gone() {
    browse_served("gone", |page| {
        page.open(LONG);
        page.click("#room-count .primary");
        page.wait("document.querySelector('#room-count').dataset.state === 'running'");
        let job = page.job("count");
        page.js("(() => { window.real = window.fetch; window.fetch = () => Promise.reject(new TypeError('no network')); })()");
        page.click("#room-count .stop");
        let (tone, headline) = page.answer("count");
        assert_eq!(tone, "bad");
        assert!(headline.starts_with("The server does not answer."), "{headline}");
        page.js("(window.fetch = window.real, fetch(`api/jobs/${document.querySelector('#room-count').dataset.job}`, { method: 'DELETE' }).then(() => true))");
        page.job_becomes(&job, "cancelled");
    });
}
