//! What can be kept of an answer, and opened again.

use serde_json::json;

use crate::driver::{Page, browse};

/// Saves in a format, and gives the name and the text of the file.
fn saved(page: &Page, room: &str, format: &str) -> (String, String) {
    let count = page.js("saved.length").as_u64().expect("a number");
    page.click(&format!("#room-{room} [data-keep={format}]"));
    page.wait(&format!("saved.length === {}", count + 1));
    (page.text("saved.at(-1)[0]"), page.text("saved.at(-1)[2]"))
}

/// The formats that are offered.
fn offered(page: &Page, room: &str) -> serde_json::Value {
    page.js(&format!("[...document.querySelectorAll('#room-{room} [data-keep]')].filter((chip) => chip.checkVisibility()).map((chip) => chip.dataset.keep).filter((name) => /^(svg|png|gif|list|json|fen|csv)$/.test(name))"))
}

#[test]
fn answers_are_kept_as_files_in_every_form() {
    browse("export", |page| {
        page.open("#tour?board=5x5&holes=c3");
        page.ask("tour");
        page.open("#tour?board=5x5");
        page.keep_files();
        page.ask("tour");
        assert_eq!(offered(page, "tour"), json!(["svg", "png", "gif", "list", "json", "csv"]));
        let (name, text) = saved(page, "tour", "svg");
        assert_eq!(name, "destrier-tour.svg");
        assert!(text.starts_with("<svg") && text.contains("An open tour of 5×5"), "{text}");
        // What only a reader of the page's screen needs is not in it.
        assert!(!text.contains(" aria-"), "{text}");
        assert_eq!(
            text.matches("<path").count(),
            24 + 3,
            "24 jumps, a knight and its mane, and the hatching of holes"
        );
        assert!(saved(page, "tour", "png").1.contains("PNG"));
        assert!(saved(page, "tour", "gif").1.starts_with("GIF89a"));
        let (name, list) = saved(page, "tour", "list");
        assert_eq!((name.as_str(), list.split_whitespace().count()), ("destrier-tour.txt", 25));
        assert!(saved(page, "tour", "csv").1.contains(",a1,"));
        assert!(saved(page, "tour", "json").1.contains("\"kind\":\"tour\""));
    });
}

#[test]
fn pictures_are_twice_as_large_as_on_the_screen() {
    browse("export-size", |page| {
        page.open("#tour?board=6x6");
        page.ask("tour");
        let size = "import('/js/picture.js').then(async ({ pngBlob }) => { const image = await createImageBitmap(await pngBlob({ root: document.querySelector('#room-tour .board') }, 'x')); const seen = document.querySelector('#room-tour .board').getBoundingClientRect(); return [image.width, image.height, Math.max(seen.width, seen.height)]; })";
        let size = page.js(size);
        let length = |at: usize| size[at].as_f64().expect("a length");
        assert!((length(0).max(length(1)) - (2.0 * length(2)).max(1200.0)).abs() < 4.0, "{size}");
    });
}

#[test]
fn counts_are_kept_and_opened_again() {
    browse("export-count", |page| {
        page.open("#count?board=5x5&by_start=true&shape=open");
        page.keep_files();
        page.ask("count");
        assert_eq!(offered(page, "count"), json!(["json", "csv", "svg", "png"]));
        assert!(saved(page, "count", "png").1.contains("PNG"));
        assert!(saved(page, "count", "csv").1.starts_with("square,directed"));
        let by_start = saved(page, "count", "json").1;
        page.open("#count?board=5x5&classes=true");
        page.keep_files();
        page.ask("count");
        let classes = saved(page, "count", "json").1;
        page.open("#count?series=3x1..12&shape=closed");
        page.keep_files();
        page.ask("count");
        assert!(saved(page, "count", "csv").1.contains("3x10,closed,16,32"));
        let series = saved(page, "count", "json").1;
        for (text, hash, shown) in [
            (by_start, "#count?board=5x5&by_start=true&shape=open", "1,728"),
            (classes, "#count?board=5x5&classes=true", "112"),
            (series, "#count?series=3x1..12&shape=closed", "3×10"),
        ] {
            page.open("#tour");
            page.drop_file("count.json", &text);
            page.wait("document.querySelector('#room-count .report').dataset.tone === 'good'");
            assert!(page.says("#room-count .headline").starts_with("File read. The numbers"));
            assert!(
                page.says("#room-count .body").contains(shown),
                "{shown}: {}",
                page.says("#room-count .body")
            );
            assert_eq!(page.text("location.hash"), hash);
        }
        page.drop_file("count.json", r#"{"destrier":1,"kind":"count","question":{"board":{"size":"5x5"},"shape":"open"},"undirected":"12x","directed":"3"}"#);
        page.wait("document.querySelector('#room-count .report').dataset.tone === 'bad'");
        assert!(page.says("#room-count .headline").contains("not a string of digits"));
    });
}

#[test]
fn what_cannot_be_kept_is_not_offered() {
    browse("export-large", |page| {
        // A board of more than 10,000 squares is seen as a whole, and its film is one of colours.
        page.open("#tour?board=110x92");
        page.keep_files();
        page.ask("tour");
        assert_eq!(offered(page, "tour"), json!(["svg", "png", "gif", "list", "json", "csv"]));
        assert!(saved(page, "tour", "gif").1.starts_with("GIF89a"));
        assert!(saved(page, "tour", "png").1.contains("PNG"));
        page.open("#tour?board=300x300");
        page.keep_files();
        page.ask("tour");
        assert_eq!(offered(page, "tour"), json!(["png", "gif", "list"]));
        assert!(saved(page, "tour", "png").1.contains("PNG"));
        assert!(saved(page, "tour", "gif").1.starts_with("GIF89a"));
        assert_eq!(saved(page, "tour", "list").1.split_whitespace().count(), 90_000);
        page.open("#tour?board=4x4");
        page.ask("tour");
        assert_eq!(offered(page, "tour"), json!(["json"]));
    });
}

#[test]
fn a_printed_sheet_has_the_board_and_the_answer_and_nothing_to_press() {
    browse("print", |page| {
        page.open("#tour?board=6x6");
        let (_, headline) = page.ask("tour");
        page.as_print(true);
        let seen = |css: &str| {
            let parts = format!("document.querySelectorAll('#room-tour {css}')");
            page.js(&format!("[...{parts}].some((one) => one.checkVisibility())"))
        };
        for (css, printed) in [
            (".board", true),
            (".headline", true),
            (".player", false),
            ("form", false),
            (".keep", false),
        ] {
            assert_eq!(seen(css), json!(printed), "{css}");
        }
        assert_eq!(page.says("#room-tour .headline"), headline);
        // A sheet of A4 is 718 pixels wide between its edges; a board of 18 cm fills it, however wide the window was.
        for width in [718, 1280] {
            page.as_wide(width, false);
            let squares = page
                .js("document.querySelector('#room-tour .squares').getBoundingClientRect().width");
            assert!(squares.as_f64() >= Some(600.0), "{squares} at {width}");
        }
        page.as_print(false);
        assert_eq!(seen(".player"), json!(true));
    });
}

#[test]
fn a_sheet_is_printed_by_a_button() {
    browse("print-button", |page| {
        page.open("#capture?puzzle=4p/5/2p2/5/N3p");
        page.ask("capture");
        page.js("void (window.printed = 0, window.print = () => { printed += 1; })");
        page.click("#room-capture [data-keep=print]");
        page.wait("printed === 1");
    });
}

#[test]
fn an_image_and_a_list_are_copied() {
    browse("copy", |page| {
        page.before("window.copied = []; Object.defineProperty(navigator, 'clipboard', { value: { write: async ([item]) => { const [type] = item.types; copied.push([type, (await item.getType(type)).size]); } } });");
        page.open("#tour?board=5x5");
        page.ask("tour");
        page.click("#room-tour [data-keep=copy_image]");
        page.wait("copied.length === 1 && copied[0][0] === 'image/png' && copied[0][1] > 1000");
        page.click("#room-tour [data-keep=copy_list]");
        page.wait("copied.length === 2 && copied[1][0] === 'text/plain' && copied[1][1] > 50");
        page.wait("document.querySelector('.notice').textContent === 'Copied'");
    });
}
