//! The page itself: files of `page/`, kept in the program.
//!
//! A debug build reads them from the folder, so that a change shows after a reload; a release build holds them.
//! Nothing outside `page/` can be named: a path is looked up among the files that there are.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// The file of a path; the page itself for `/`.
pub(crate) fn file(uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = Page::get(path) else {
        return (StatusCode::NOT_FOUND, format!("there is no `{path}` here\n")).into_response();
    };
    let hash = file.metadata.sha256_hash();
    let hash = hash.first_chunk().copied().unwrap_or([0; 16]);
    let tag = format!("\"{:032x}\"", u128::from_be_bytes(hash));
    let known =
        headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if known {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, [(header::CONTENT_TYPE, kind(path))], Body::from(file.data)).into_response()
}

/// The languages of the page.
pub const LANGUAGES: [&str; 3] = ["en", "cs", "pl"];

/// The texts of a language, as JSON; those of the first one if it is not among [`LANGUAGES`].
#[must_use]
pub fn texts(language: &str) -> Cow<'static, [u8]> {
    let known = LANGUAGES.contains(&language);
    let name = format!("texts/{}.json", if known { language } else { LANGUAGES[0] });
    Page::get(&name).map(|file| file.data).unwrap_or_default()
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
