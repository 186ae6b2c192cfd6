//! The page itself: files of `page/`, kept in the program, and the texts that it shares with the command.
//!
//! A debug build reads the files from the folder, so that a change shows after a reload; a release build holds them.
//! Nothing outside `page/` can be named: a path is looked up among the files that there are.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use destrier_ask::Language;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// The file of a path; the page itself for `/`.
pub(crate) fn file(uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(data) = Page::get(path).map(|file| file.data).or_else(|| texts(path)) else {
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
