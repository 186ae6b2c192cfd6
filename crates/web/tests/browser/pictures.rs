//! The pictures of the documentation, drawn from the page itself, so that they can always be drawn again.
//!
//! `DESTRIER_PICTURES=docs/images cargo test -p destrier-web --test browser pictures` keeps them; else they go to a
//! folder that is dropped.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use crate::driver::browse;

/// Where the documentation has its pictures.
const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/images");

/// A room on a desktop screen: the name of its picture, the light, the room and its question.
const ROOMS: [(&str, &str, &str, &str); 3] = [
    ("page-tour", "light", "tour", "?board=8x8&closed=true&symmetry=half-turn"),
    ("page-capture", "light", "capture", ""),
    ("page-count", "dark", "count", "?by_start=true&board="),
];

/// The width and height that a PNG states in its head.
fn size(picture: &Path) -> (u32, u32) {
    let bytes =
        std::fs::read(picture).unwrap_or_else(|error| panic!("{}: {error}", picture.display()));
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "{} is a PNG", picture.display());
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn the_pictures_of_the_documentation_can_be_drawn_again() {
    let dropped = tempfile::tempdir().expect("a folder can be made");
    let asked = std::env::var_os("DESTRIER_PICTURES").map(PathBuf::from);
    // What is kept shows a board that takes some seconds to count.
    let counted = if asked.is_some() { "6x6" } else { "5x5" };
    let folder = asked.unwrap_or_else(|| dropped.path().to_owned());
    browse("pictures", |page| {
        page.open("");
        let drawn = |name: &str, light: &str, show: &dyn Fn()| {
            page.js(&format!("localStorage.setItem('destrier.theme', '{light}')"));
            show();
            // What moves comes to rest.
            std::thread::sleep(Duration::from_millis(800));
            page.js("window.scrollTo(0, 0)");
            let picture = folder.join(format!("{name}.png"));
            page.picture(&picture);
            let (wide, high) = size(&picture);
            let seen = page.js("[innerWidth, innerHeight].map((side) => side * devicePixelRatio)");
            assert_eq!(seen, json!([wide, high]), "{name} is all that is seen");
            let (kept, _) = size(&Path::new(KEPT).join(format!("{name}.png")));
            assert_eq!(wide, kept, "{name} is as wide as the one that is kept");
        };
        for (name, light, room, question) in ROOMS {
            drawn(name, light, &|| {
                let board = if room == "count" { counted } else { "" };
                page.open(&format!("#{room}{question}{board}"));
                page.ask(room);
            });
        }
        page.as_phone();
        drawn("page-phone", "dark", &|| {
            page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n");
            page.choose("swap", "play");
            page.square("swap", "a1");
        });
    });
}
