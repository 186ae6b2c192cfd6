//! The page itself: files of `page/`, kept in the program, and the texts that it shares with the command.
//!
//! A debug build reads the files from the folder, so that a change shows after a reload; a release build holds them.
//! Nothing outside `page/` can be named: a path is looked up among the files that there are.

use std::borrow::Cow;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use destrier_ask::Language;

/// The files of the page by their paths, as they were when the program was built.
macro_rules! files {
    ($($path:literal)*) => { &[$(($path, include_bytes!(concat!("../page/", $path)))),*] };
}

#[rustfmt::skip]
const FILES: &[(&str, &[u8])] = files![
    "css/board.css" "css/controls.css" "css/layout.css" "css/theme.css" "favicon.svg" "icons.svg"
    "index.html" "js/api.js" "js/asking.js" "js/board-canvas.js" "js/board-svg.js" "js/board.js"
    "js/camera.js" "js/carrier.js" "js/cells.js" "js/compare-table.js" "js/dom.js" "js/editor.js"
    "js/films.js" "js/form.js" "js/gallery.js" "js/games.js" "js/gesture.js" "js/glyphs.js"
    "js/i18n.js" "js/import.js" "js/keep.js" "js/kept.js" "js/keys.js" "js/main.js" "js/palette.js"
    "js/patterns.js" "js/permalink.js" "js/phrases.js" "js/picture.js" "js/pieces.js" "js/play.js"
    "js/player.js" "js/plot.js" "js/report.js" "js/room-capture.js" "js/room-compare.js"
    "js/room-count.js" "js/room-pieces.js" "js/room-swap.js" "js/room-tour.js" "js/room.js"
    "js/search-films.js" "js/search.js" "js/small-map.js" "js/stage.js" "js/tiles.js" "js/trail.js"
    "js/undo.js"
];

/// A file of the page.
fn page(path: &str) -> Option<Cow<'static, [u8]>> {
    let (path, data) = FILES.iter().find(|(name, _)| *name == path)?;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page/");
    let newest =
        if cfg!(debug_assertions) { fs::read(folder.to_owned() + path).ok() } else { None };
    Some(newest.map_or(Cow::Borrowed(*data), Cow::Owned))
}

/// The file of a path; the page itself for `/`.
pub(crate) fn file(uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(data) = page(path).or_else(|| texts(path)) else {
        return (StatusCode::NOT_FOUND, format!("there is no `{path}` here\n")).into_response();
    };
    let mut hash = DefaultHasher::new();
    data.hash(&mut hash);
    let tag = format!("\"{:016x}\"", hash.finish());
    let known =
        headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if known {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, [(header::CONTENT_TYPE, kind(path))], Body::from(data)).into_response()
}

/// The texts of a language, by the path under which the page asks for them.
fn texts(path: &str) -> Option<Cow<'static, [u8]>> {
    let tag = path.strip_prefix("texts/")?.strip_suffix(".json")?;
    Language::tagged(tag).map(|language| language.texts().as_bytes().into())
}

/// The type of a file by its extension.
fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    fn below(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
    }

    #[test]
    fn no_file_of_the_page_is_left_out() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut files = below(&folder);
        files.sort();
        let mut listed: Vec<PathBuf> = FILES.iter().map(|(path, _)| folder.join(path)).collect();
        listed.sort();
        assert_eq!(files, listed);
        assert!(FILES.iter().all(|(path, _)| kind(path) != "application/octet-stream"));
        assert!(page("../Cargo.toml").is_none() && page("js/main.js").is_some());
    }
}
