//! Who may ask: requests from other sites are refused, and so is everybody without the token, where
//! there is one. The headers of every answer keep the page to itself.
//!
//! A page of another site can make a browser send requests here. Its `Origin` or `Sec-Fetch-Site`
//! gives it away; and where it has its own name resolve to this address, its `Host` does: only
//! addresses and `localhost` are accepted.

use super::Server;
use super::error::ApiError;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

/// What a browser may do with the page: load its own files, and talk to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    // A newer program on the same port has another page.
    (header::CACHE_CONTROL, "no-store"),
];

/// The name of the cookie that holds the token.
const COOKIE: &str = "permutile-token";

/// Refuses what must not be answered, and adds the headers to what is.
pub(super) async fn guard(
    State(server): State<Arc<Server>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match check(&server, &request) {
        Ok(None) => next.run(request).await,
        Ok(Some(welcome)) => welcome,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        // A report has a policy of its own.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Whether a request may be answered; with the token in its address, by a redirection without it.
fn check(server: &Server, request: &Request) -> Result<Option<Response>, ApiError> {
    let refuse = |message| Err(ApiError::new(StatusCode::FORBIDDEN, message));
    let headers = request.headers();
    let is_repeated = |name: &HeaderName| headers.get_all(name).iter().nth(1).is_some();
    if is_repeated(&header::HOST) || is_repeated(&header::ORIGIN) {
        return refuse("the request has two headers Host or Origin");
    }
    let host = text(headers, &header::HOST).unwrap_or_default();
    // A request to a proxy names the host in its address, which goes before the header.
    let is_elsewhere = request.uri().authority().is_some_and(|named| named.as_str() != host);
    if is_elsewhere || !is_own_host(host, server.port) {
        return refuse(
            "the request is for another host: use the address that the server printed, with its \
             number or as localhost",
        );
    }
    if text(headers, &header::ORIGIN).is_some_and(|origin| origin != format!("http://{host}")) {
        return refuse("the request comes from another site");
    }
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let is_page = request.uri().path() == "/";
    // Links from anywhere may lead to the page, and to nothing else.
    if !matches!(site, None | Some(b"same-origin" | b"none")) && !is_page {
        return refuse("the request comes from another site");
    }
    let Some(token) = &server.token else { return Ok(None) };
    if is_page && query_token(request).is_some_and(|given| same(given, token)) {
        return Ok(Some(welcome(token)));
    }
    let bearer = text(headers, &header::AUTHORIZATION).and_then(|it| it.strip_prefix("Bearer "));
    if bearer.or_else(|| cookie(headers)).is_some_and(|given| same(given, token)) {
        return Ok(None);
    }
    let message = "this server wants its token: open the address that it printed, or send the header \
                   Authorization: Bearer TOKEN";
    Err(ApiError::new(StatusCode::UNAUTHORIZED, message))
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or_default())
}

/// Whether this is an address or `localhost`, with the port of the server.
fn is_own_host(host: &str, port: u16) -> bool {
    // Browsers leave out the usual port.
    let colon = host.rfind(':').filter(|_| !host.ends_with(']'));
    let (name, number) = colon.map_or((host, "80"), |at| (&host[..at], &host[at + 1..]));
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let is_address = match bare {
        Some(bare) => bare.parse::<Ipv6Addr>().is_ok(),
        None => matches!(name.parse(), Ok(IpAddr::V4(_))) || name == "localhost",
    };
    is_address && number.parse() == Ok(port)
}

fn query_token(request: &Request) -> Option<&str> {
    request.uri().query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = text(headers, &header::COOKIE)?.split(';');
    cookies
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|it| it.1)
}

/// Stores the token in the browser, and leads to the page without it in the address.
fn welcome(token: &str) -> Response {
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    let headers = [(header::LOCATION, "/".to_owned()), (header::SET_COOKIE, cookie)];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Whether two texts are the same; how long that takes does not depend on where they differ.
fn same(given: &str, token: &str) -> bool {
    let different = given.bytes().zip(token.bytes()).fold(0, |seen, (a, b)| seen | (a ^ b));
    given.len() == token.len() && different == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_and_localhost_are_own_hosts() {
        for host in ["127.0.0.1:81", "localhost:81", "[::1]:81", "192.168.1.7:81"] {
            assert!(is_own_host(host, 81), "{host}");
            assert!(!is_own_host(host, 80), "{host}");
        }
        assert!(is_own_host("localhost", 80) && is_own_host("[::1]", 80));
        for host in [
            "",
            ":81",
            "localhost",
            "127.0.0.1",
            "127.0.0.1:82",
            "evil.example:81",
            "[::1]",
            "localhost.evil.example:81",
            "::1:81",
            "[127.0.0.1]:81",
            "localhost:81:81",
            "[]:81",
        ] {
            assert!(!is_own_host(host, 81), "{host}");
        }
    }

    #[test]
    fn tokens_are_compared_as_a_whole() {
        assert!(same("abc", "abc"));
        assert!(
            !same("abd", "abc") && !same("ab", "abc") && !same("abcd", "abc") && !same("", "abc")
        );
    }
}
