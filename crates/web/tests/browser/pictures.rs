//! The pictures of the documentation, drawn from the page itself.
//!
//! `DESTRIER_PICTURES=docs/images cargo test -p destrier-web --test browser -- --ignored pictures`

use std::path::PathBuf;

use crate::driver::browse;

#[test]
#[ignore = "draws pictures; nothing to prove"]
fn the_pictures_of_the_documentation() {
    let Ok(folder) = std::env::var("DESTRIER_PICTURES") else { return };
    let folder = PathBuf::from(folder);
    browse("pictures", move |page| {
        page.open("");
        for (name, light, hash, room) in [
            ("page-tour", "light", "#tour?board=8x8&closed=true&symmetry=half-turn", "tour"),
            ("page-capture", "light", "#capture", "capture"),
            ("page-count", "dark", "#count?board=6x6&by_start=true", "count"),
        ] {
            page.js(&format!("localStorage.setItem('destrier.theme', '{light}')"));
            page.open(hash);
            page.ask(room);
            std::thread::sleep(std::time::Duration::from_millis(500));
            page.picture(&folder.join(format!("{name}.png")));
        }
        page.js("localStorage.setItem('destrier.theme', 'dark')");
        page.as_phone();
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n");
        page.choose("swap", "play");
        page.square("swap", "a1");
        std::thread::sleep(std::time::Duration::from_millis(800));
        page.js("window.scrollTo(0, 0)");
        page.picture(&folder.join("page-phone.png"));
    });
}
