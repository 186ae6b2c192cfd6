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
    browse("pictures", async move |page| {
        page.open("").await;
        for (name, light, hash, room) in [
            ("page-tour", "light", "#tour?board=8x8&closed=true&symmetry=half-turn", "tour"),
            ("page-capture", "light", "#capture", "capture"),
            ("page-count", "dark", "#count?board=6x6&by_start=true", "count"),
        ] {
            page.js(&format!("localStorage.setItem('destrier.theme', '{light}')")).await;
            page.open(hash).await;
            page.ask(room).await;
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            page.picture(&folder.join(format!("{name}.png"))).await;
        }
        page.js("localStorage.setItem('destrier.theme', 'dark')").await;
        page.as_phone().await;
        page.open("#swap?start=n1n/3/N1N&goal=N1N/3/n1n").await;
        page.choose("swap", "play").await;
        page.square("swap", "a1").await;
        tokio::time::sleep(std::time::Duration::from_millis(800)).await;
        page.js("window.scrollTo(0, 0)").await;
        page.picture(&folder.join("page-phone.png")).await;
    });
}
