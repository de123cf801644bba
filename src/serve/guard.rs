//! Restricts access to browsers on this machine and rejects requests from other sites' pages.
//!
//! A page of another site can make a browser request 127.0.0.1; the request's headers reveal it. A foreign host name can resolve
//! to 127.0.0.1 (DNS rebinding); the `Host` header reveals it.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The content security policy of the live view: requests go to this server only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The host names that are accepted in requests.
#[derive(Debug, Clone)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// The host names of a port on 127.0.0.1.
    pub fn of_port(port: u16) -> Self {
        let names = ["127.0.0.1", "localhost"];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        if port == 80 {
            hosts.extend(names.map(str::to_owned));
        }
        Self(hosts)
    }

    fn has_host(&self, host: &str) -> bool {
        self.0.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}

/// Rejects or passes on a request, and adds the security headers to every response.
pub async fn guard_request(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let mut response = match refusal_of(&hosts, &request) {
        Some((status, why)) => (status, format!("{why}\n")).into_response(),
        None => next.run(request).await,
    };
    let (status, headers) = (response.status(), response.headers_mut());
    if status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    let always = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in always {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    response
}

fn refusal_of(hosts: &Hosts, request: &Request) -> Option<(StatusCode, &'static str)> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD: nothing is written here"));
    }
    let named = request.uri().authority().map(|authority| authority.as_str());
    let host = single_value(request.headers(), &header::HOST);
    let is_ours = host.is_some_and(|host| hosts.has_host(host)) && named.is_none_or(|named| hosts.has_host(named));
    if !is_ours {
        return Some((
            StatusCode::FORBIDDEN,
            "the request names another host than this machine's own 127.0.0.1 or localhost",
        ));
    }
    let is_foreign = |origin: &HeaderValue| {
        let origin = origin.to_str().unwrap_or_default();
        origin.strip_prefix("http://").is_none_or(|host| !hosts.has_host(host))
    };
    if request.headers().get_all(header::ORIGIN).iter().any(is_foreign) {
        return Some((StatusCode::FORBIDDEN, "the request comes from a page of another site"));
    }
    let sites = request.headers().get_all("sec-fetch-site");
    if sites.iter().any(|site| site != "same-origin" && site != "none") {
        return Some((
            StatusCode::FORBIDDEN,
            "the request comes from a page of another site; type the address by hand",
        ));
    }
    None
}

/// The value of a header; `None` if it is missing or repeated.
fn single_value<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}
