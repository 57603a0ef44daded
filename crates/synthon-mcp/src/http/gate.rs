//! What a request has to pass before the protocol library sees it.

use std::convert::Infallible;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use http::header::{ALLOW, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use super::HttpSettings;
use crate::envelope::{self, Message};
use crate::era;
use crate::handler::Handler;
use crate::lines::MAX_LINE_BYTES;

/// The one path that is served.
const PATH: &str = "/mcp";

/// How many seconds' worth of requests may come at once.
const BURST_SECONDS: f64 = 4.0;

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Name and arguments of a call as the client sent them, for the handler.
#[derive(Clone, Debug)]
pub(crate) struct RawCall {
    pub(crate) name: Option<Value>,
    pub(crate) arguments: Option<Value>,
}

pub(super) struct Gate {
    service: StreamableHttpService<Handler, LocalSessionManager>,
    token: Option<String>,
    rate: Mutex<Rate>,
    working: AtomicUsize,
    closed: AtomicBool,
    left: Notify,
}

/// A bucket that fills by so many requests a second.
struct Rate {
    per_second: f64,
    left: f64,
    at: Instant,
}

impl Rate {
    fn take(&mut self) -> bool {
        let now = Instant::now();
        let gained = now.duration_since(self.at).as_secs_f64() * self.per_second;
        self.at = now;
        self.left = (self.left + gained).min(self.per_second * BURST_SECONDS);
        if self.left < 1.0 {
            return false;
        }
        self.left -= 1.0;
        true
    }
}

/// Counts a request while it is worked on.
struct Working<'a>(&'a Gate);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        if self.0.working.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.left.notify_one();
        }
    }
}

impl Gate {
    pub(super) fn new(
        service: StreamableHttpService<Handler, LocalSessionManager>,
        http: &HttpSettings,
    ) -> Self {
        let per_second = f64::from(http.requests_per_second.max(1));
        let rate = Rate { per_second, left: per_second * BURST_SECONDS, at: Instant::now() };
        Gate {
            service,
            token: http.token.clone(),
            rate: Mutex::new(rate),
            working: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            left: Notify::new(),
        }
    }

    /// Lets no further request in.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// Ends when no request is being worked on.
    pub(super) async fn idle(&self) {
        while self.working.load(Ordering::Acquire) > 0 {
            self.left.notified().await;
        }
    }

    pub(super) async fn answer(&self, request: Request<Incoming>) -> Answer {
        if self.closed.load(Ordering::Acquire) {
            return plain(StatusCode::SERVICE_UNAVAILABLE, "the server is closing");
        }
        if request.uri().path() != PATH {
            return plain(StatusCode::NOT_FOUND, "the endpoint is /mcp");
        }
        if !self.may_ask(request.headers()) {
            let mut refused = plain(StatusCode::UNAUTHORIZED, "a bearer token is needed");
            refused.headers_mut().insert(WWW_AUTHENTICATE, "Bearer".parse().expect("a header"));
            return refused;
        }
        if !self.rate.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let mut refused = plain(StatusCode::TOO_MANY_REQUESTS, "too many requests");
            refused.headers_mut().insert(RETRY_AFTER, "1".parse().expect("a header"));
            return refused;
        }
        self.working.fetch_add(1, Ordering::AcqRel);
        let _working = Working(self);
        let (mut parts, body) = request.into_parts();
        match parts.method {
            Method::POST => {}
            Method::GET | Method::DELETE => {
                let request = Request::from_parts(parts, Full::new(Bytes::new()));
                return self.service.handle(request).await;
            }
            _ => {
                let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "GET, POST or DELETE");
                let allowed = "GET, POST, DELETE".parse().expect("a header");
                refused.headers_mut().insert(ALLOW, allowed);
                return refused;
            }
        }
        let body = match Limited::new(body, MAX_LINE_BYTES).collect().await {
            Ok(body) => body.to_bytes(),
            Err(_) => {
                return fault(StatusCode::PAYLOAD_TOO_LARGE, &envelope::line_too_long());
            }
        };
        match sift(&body) {
            Ok((body, call)) => {
                if let Some(call) = call {
                    parts.extensions.insert(call);
                }
                self.service.handle(Request::from_parts(parts, Full::new(body))).await
            }
            Err(answer) if answer["error"]["code"] == envelope::METHOD_NOT_FOUND => {
                fault(StatusCode::NOT_FOUND, &answer)
            }
            Err(answer) => fault(StatusCode::BAD_REQUEST, &answer),
        }
    }

    fn may_ask(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        given
            .and_then(|value| value.strip_prefix("Bearer "))
            .is_some_and(|given| same(given, token))
    }
}

/// Compares without telling by its time how much of the token was right.
fn same(given: &str, token: &str) -> bool {
    let (given, token) = (given.as_bytes(), token.as_bytes());
    let differing = given.iter().zip(token).fold(0u8, |seen, (a, b)| seen | (a ^ b));
    given.len() == token.len() && differing == 0
}

/// Judges a body by the rules of a line, and takes out what the library would stumble over: its
/// types read capabilities and arguments more narrowly than the protocol's rules for faults in
/// them want.
fn sift(body: &Bytes) -> Result<(Bytes, Option<RawCall>), Value> {
    let request = match envelope::read(body, |_| false) {
        Message::Broken(answer) => return Err(answer),
        Message::Nothing | Message::Cancel(_) => return Ok((body.clone(), None)),
        Message::Request(request) => request,
    };
    if request.method == "initialize" {
        if era::has_modern_key(&request.params) {
            // That revision has no handshake.
            return Err(envelope::error(
                Some(&request.id),
                envelope::METHOD_NOT_FOUND,
                "Method not found",
            ));
        }
        era::check_handshake(&request)?;
        let mut params = request.params.clone();
        params.insert("capabilities".into(), json!({}));
        params.entry("clientInfo").or_insert_with(|| json!({"name": "client", "version": "0"}));
        params.entry("protocolVersion").or_insert_with(|| "2024-11-05".into());
        return Ok((rewritten(&request, params), None));
    }
    if request.method != "tools/call" {
        return Ok((body.clone(), None));
    }
    let mut params = request.params.clone();
    let call =
        RawCall { name: params.get("name").cloned(), arguments: params.get("arguments").cloned() };
    if !params.get("name").is_some_and(Value::is_string) {
        params.insert("name".into(), "".into());
    }
    if params.get("arguments").is_some_and(|given| !given.is_object()) {
        params.shift_remove("arguments");
    }
    Ok((rewritten(&request, params), Some(call)))
}

fn rewritten(request: &envelope::Request, params: Map<String, Value>) -> Bytes {
    let message = json!({
        "jsonrpc": "2.0",
        "id": request.id.to_value(),
        "method": request.method,
        "params": params,
    });
    message.to_string().into()
}

fn plain(status: StatusCode, text: &'static str) -> Answer {
    with_body(status, "text/plain", Bytes::from_static(text.as_bytes()))
}

fn fault(status: StatusCode, answer: &Value) -> Answer {
    with_body(status, "application/json", answer.to_string().into())
}

fn with_body(status: StatusCode, kind: &'static str, body: Bytes) -> Answer {
    Response::builder()
        .status(status)
        .header(CONTENT_TYPE, kind)
        .body(Full::new(body).boxed())
        .expect("a status and a header make a response")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sifted(text: &str) -> Result<(Value, Option<RawCall>), Value> {
        let (body, call) = sift(&Bytes::copy_from_slice(text.as_bytes()))?;
        Ok((serde_json::from_slice(&body).expect("JSON"), call))
    }

    #[test]
    fn odd_calls_reach_the_handler_as_they_came() {
        let text =
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5,"arguments":[]}}"#;
        let (body, call) = sifted(text).expect("let through");
        assert_eq!(body["params"], json!({"name": ""}));
        let call = call.expect("a call");
        assert_eq!((call.name, call.arguments), (Some(json!(5)), Some(json!([]))));
    }

    #[test]
    fn bodies_keep_the_budget_of_lines() {
        let deep = format!("{}{}", "[".repeat(101), "]".repeat(101));
        for text in [deep.as_str(), "{", "[]", "5", r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#] {
            assert!(sifted(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_bucket_runs_dry_and_fills_again() {
        let mut rate = Rate { per_second: 1000.0, left: 2.0, at: Instant::now() };
        let taken = (0..10_000).filter(|_| rate.take()).count();
        assert!((2..10_000).contains(&taken));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(rate.take());
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(same("abc", "abc"));
        for other in ["", "ab", "abd", "abcd"] {
            assert!(!same(other, "abc"));
        }
    }
}
