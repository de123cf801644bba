//! Who may read: a browser on this machine that was sent here by nobody else's page.
//!
//! A page of another site can make a browser ask 127.0.0.1, and a name of another site can be turned to it (DNS rebinding): the first is
//! told by the headers of the request, the second by the host that it names. What is served is decided elsewhere.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// What every page of the live view may do: nothing but ask this very server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The hosts by which this server may be named.
#[derive(Debug, Clone)]
pub struct Hosts(Vec<String>);

impl Hosts {
    /// Those of a port of 127.0.0.1.
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

/// Lets a request through or refuses it, and adds what every answer carries.
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

/// Why a request is refused.
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

/// The one value of a header; `None` where there is none, or more than one.
fn single_value<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}
