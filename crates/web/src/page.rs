//! The page itself: files of `page/`, kept in the program, and the texts that it shares with the command.
//!
//! A debug build reads the files from the folder, so that a change shows after a reload; a release build holds them,
//! compressed by `build.rs`, and sends them so to whoever reads gzip, as every browser does.
//! Nothing outside `page/` can be named: a path is looked up among the files that there are.

use std::borrow::Cow;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use destrier_ask::Language;

/// The files of the page by their paths, as they were when the program was built, in the format gzip.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));
/// What gzip adds around the data: our header, a checksum and the length.
const AROUND: (usize, usize) = (10, 8);

/// A file as it is sent.
struct Sent {
    data: Cow<'static, [u8]>,
    is_gzip: bool,
}

/// A file of the page.
fn page(path: &str, gzip: bool) -> Option<Sent> {
    let (path, packed) = FILES.iter().find(|(name, _)| *name == path)?;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page/");
    let newest =
        if cfg!(debug_assertions) { fs::read(folder.to_owned() + path).ok() } else { None };
    Some(match newest {
        Some(data) => Sent { data: data.into(), is_gzip: false },
        None if gzip => Sent { data: Cow::Borrowed(packed), is_gzip: true },
        None => Sent { data: unpacked(packed).into(), is_gzip: false },
    })
}

fn unpacked(gzip: &[u8]) -> Vec<u8> {
    let data = &gzip[AROUND.0..gzip.len() - AROUND.1];
    miniz_oxide::inflate::decompress_to_vec(data).expect("build.rs has written it")
}

/// Does this client read gzip?
fn reads_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).into_iter();
    lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(',')).any(|choice| {
        let (name, weight) = choice.split_once(';').unwrap_or((choice, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|q: f32| q > 0.0)
    })
}

/// The file of a path; the page itself for `/`.
pub(crate) fn file(uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(Sent { data, is_gzip }) = page(path, reads_gzip(headers)).or_else(|| texts(path))
    else {
        return (StatusCode::NOT_FOUND, format!("there is no `{path}` here\n")).into_response();
    };
    let mut hash = DefaultHasher::new();
    data.hash(&mut hash);
    let tag = format!("\"{:016x}\"", hash.finish());
    let known =
        headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let about = [
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    if known {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let encoding = is_gzip.then_some([(header::CONTENT_ENCODING, "gzip")]);
    (about, encoding, [(header::CONTENT_TYPE, kind(path))], Body::from(data)).into_response()
}

/// The texts of a language, by the path under which the page asks for them.
fn texts(path: &str) -> Option<Sent> {
    let tag = path.strip_prefix("texts/")?.strip_suffix(".json")?;
    let data = Language::tagged(tag)?.texts().as_bytes().into();
    Some(Sent { data, is_gzip: false })
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

    #[test]
    fn every_file_is_kept_and_comes_out_as_it_is_in_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page/");
        for (path, packed) in FILES {
            assert_eq!(unpacked(packed), fs::read(folder.to_owned() + path).unwrap(), "{path}");
            assert_ne!(kind(path), "application/octet-stream", "{path}");
        }
        assert!(page("../Cargo.toml", true).is_none() && page("js/main.js", true).is_some());
    }

    #[test]
    fn who_reads_gzip_says_so() {
        let reads = |list: &'static str| {
            reads_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, list.parse().unwrap())]))
        };
        for list in ["gzip", "br, gzip", "deflate, GZIP;q=0.5", "gzip; q=1.0"] {
            assert!(reads(list), "{list}");
        }
        for list in ["", "br", "identity", "gzip;q=0", "gzip; q=0.0", "x-gzip"] {
            assert!(!reads(list), "{list}");
        }
        assert!(!reads_gzip(&HeaderMap::new()));
    }
}
