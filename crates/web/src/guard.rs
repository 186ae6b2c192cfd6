//! Who may ask: only this server's own page, and programs on this machine.
//!
//! A page of another site can make a browser send requests here. Browsers say where a request comes from (`Origin`,
//! `Sec-Fetch-Site`), and `Host` says which name they used; a foreign name that was made to point to this machine
//! (DNS rebinding) shows in its `Host`. Following a link to the page is allowed from anywhere.
//!
//! Invariant: no request from another site reaches the API, and every response has the headers of [`protect`].
//! Source: the OWASP cheat sheets on cross-site requests and on security headers.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names under which this server is asked.
#[derive(Clone, Debug)]
pub(crate) struct Hosts {
    port: u16,
    names: Arc<[String]>,
    /// Listening on every address: any address in numbers is this machine's, but no name is.
    any_address: bool,
}

impl Hosts {
    /// The names of a server that listens here.
    pub(crate) fn of(address: SocketAddr) -> Hosts {
        let own = match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned(), own];
        Hosts {
            port: address.port(),
            names: names.into(),
            any_address: address.ip().is_unspecified(),
        }
    }

    /// Is this `Host` (a name and a port) ours?
    fn are(&self, host: &str) -> bool {
        let bracket = host.rfind(']').map_or(0, |at| at + 1);
        let colon = host[bracket..].find(':').map(|at| at + bracket);
        let (name, port) = colon.map_or((host, ""), |at| (&host[..at], &host[at + 1..]));
        let port_fits =
            if port.is_empty() { self.port == 80 } else { port.parse() == Ok(self.port) };
        let in_numbers = || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        let known = self.names.iter().any(|own| own.eq_ignore_ascii_case(name));
        port_fits && (known || (self.any_address && in_numbers()))
    }

    /// Why a request is refused, if it is.
    fn refusal(&self, method: &Method, path: &str, headers: &HeaderMap) -> Option<&'static str> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text(header::HOST).unwrap_or("");
        if !self.are(host) || headers.get_all(header::HOST).iter().count() > 1 {
            return Some(
                "this host is not served here; use the address that `destrier serve` printed",
            );
        }
        if text(header::ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
            return Some("requests from other sites are refused");
        }
        let site = text(HeaderName::from_static("sec-fetch-site"));
        if matches!(site, None | Some("same-origin" | "none")) {
            return None;
        }
        let follows_a_link = method == Method::GET
            && !path.starts_with("/api/")
            && text(HeaderName::from_static("sec-fetch-mode")) == Some("navigate");
        (!follows_a_link).then_some("requests from other sites are refused")
    }
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Refuses requests from other sites, and sets the headers of every response.
pub(crate) async fn protect(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let refusal = hosts.refusal(request.method(), request.uri().path(), request.headers());
    let mut response = match refusal {
        None => next.run(request).await,
        Some(why) => {
            let body = serde_json::json!({ "error": why }).to_string();
            let kind = [(header::CONTENT_TYPE, "application/json")];
            (StatusCode::FORBIDDEN, kind, body).into_response()
        }
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("x-frame-options", "DENY"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str) -> Hosts {
        Hosts::of(address.parse().unwrap())
    }

    #[test]
    fn only_our_own_names_are_ours() {
        let local = hosts("127.0.0.1:8080");
        for host in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert!(local.are(host), "{host}");
        }
        for host in [
            "",
            "localhost",
            "127.0.0.1:8081",
            "evil.example:8080",
            "192.168.0.7:8080",
            "[::1",
            "::1:8080",
            "]:8080",
        ] {
            assert!(!local.are(host), "{host}");
        }
        assert!(hosts("127.0.0.1:80").are("localhost"));
    }

    #[test]
    fn an_exposed_server_is_asked_by_number_and_never_by_a_strange_name() {
        let open = hosts("0.0.0.0:8080");
        assert!(open.are("192.168.0.7:8080") && open.are("[fe80::1]:8080"));
        assert!(!open.are("evil.example:8080"));
        let one = hosts("192.168.0.7:8080");
        assert!(one.are("192.168.0.7:8080") && !one.are("192.168.0.8:8080"));
    }

    #[test]
    fn other_sites_may_link_to_the_page_and_do_nothing_else() {
        let local = hosts("127.0.0.1:8080");
        let refused = |path: &str, method: Method, pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("127.0.0.1:8080"));
            for &(name, value) in pairs {
                headers.insert(name, HeaderValue::from_static(value));
            }
            local.refusal(&method, path, &headers).is_some()
        };
        let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")];
        assert!(!refused("/", Method::GET, &link));
        assert!(refused("/api/methods", Method::GET, &link));
        assert!(refused("/", Method::POST, &link));
        assert!(refused(
            "/app.js",
            Method::GET,
            &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]
        ));
        assert!(refused("/api/jobs", Method::POST, &[("origin", "https://evil.example")]));
        assert!(refused("/api/jobs", Method::POST, &[("origin", "null")]));
        assert!(refused("/api/jobs", Method::POST, &[("sec-fetch-site", "same-site")]));
        assert!(!refused("/api/jobs", Method::POST, &[("origin", "http://127.0.0.1:8080")]));
        assert!(!refused("/api/jobs", Method::POST, &[]));
        let mut two = HeaderMap::new();
        for host in ["127.0.0.1:8080", "evil.example:8080"] {
            two.append("host", HeaderValue::from_static(host));
        }
        assert!(local.refusal(&Method::GET, "/", &two).is_some(), "two names");
    }
}
