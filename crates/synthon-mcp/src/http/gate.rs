//! What a request has to pass before the protocol library sees it.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::header::{ALLOW, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use rmcp::transport::common::http_header::HEADER_SESSION_ID;
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde_json::Value;
use tokio::sync::Notify;

use super::HttpSettings;
use super::sift::sift;
use crate::envelope::{self, RequestId};
use crate::handler::Handler;
use crate::lines::MAX_LINE_BYTES;

/// The one path that is served.
const PATH: &str = "/mcp";

/// How many seconds' worth of requests may come at once.
const BURST_SECONDS: f64 = 4.0;

/// Time in which a client must have sent its request's body.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Most sessions at the same time. One that is not used ends after five minutes.
const MAX_SESSIONS: usize = 256;

type Answer = Response<BoxBody<Bytes, Infallible>>;

pub(super) struct Gate {
    service: StreamableHttpService<Handler, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    token: Option<String>,
    rate: Mutex<Rate>,
    /// Requests of sessions that are worked on: the library would give the answer of the one to
    /// the other.
    in_flight: Mutex<BTreeSet<(Bytes, RequestId)>>,
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

/// Counts a request until its answer is out.
struct Working {
    gate: Arc<Gate>,
    /// Session and id, where there is a session.
    key: Option<(Bytes, RequestId)>,
}

impl Working {
    fn on(gate: &Arc<Gate>) -> Self {
        gate.working.fetch_add(1, Ordering::AcqRel);
        Working { gate: Arc::clone(gate), key: None }
    }

    /// Takes an id of a session; whether it was free.
    fn take_id(&mut self, session: &[u8], id: RequestId) -> bool {
        let key = (Bytes::copy_from_slice(session), id);
        let free = self.gate.ids().insert(key.clone());
        if free {
            self.key = Some(key);
        }
        free
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        if let Some(key) = &self.key {
            self.gate.ids().remove(key);
        }
        if self.gate.working.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.gate.left.notify_one();
        }
    }
}

/// The body of an answer; its request is worked on as long as it is there.
struct Counted {
    body: BoxBody<Bytes, Infallible>,
    _working: Working,
}

impl Body for Counted {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Gate {
    pub(super) fn new(
        service: StreamableHttpService<Handler, LocalSessionManager>,
        sessions: Arc<LocalSessionManager>,
        http: &HttpSettings,
    ) -> Self {
        let per_second = f64::from(http.requests_per_second.max(1));
        let rate = Rate { per_second, left: per_second * BURST_SECONDS, at: Instant::now() };
        Gate {
            service,
            sessions,
            token: http.token.clone(),
            rate: Mutex::new(rate),
            in_flight: Mutex::default(),
            working: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            left: Notify::new(),
        }
    }

    /// Lets no further request in.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// Ends when no request is being worked on. The streams on which a session waits for
    /// messages are no work.
    pub(super) async fn idle(&self) {
        while self.working.load(Ordering::Acquire) > 0 {
            self.left.notified().await;
        }
    }

    pub(super) async fn answer(self: &Arc<Self>, request: Request<Incoming>) -> Answer {
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
        match *request.method() {
            Method::POST => self.take(request).await,
            Method::GET | Method::DELETE => {
                if !self.knows_session(request.headers()).await {
                    return plain(StatusCode::NOT_FOUND, "there is no such session");
                }
                self.service.handle(request.map(|_| Full::new(Bytes::new()))).await
            }
            _ => {
                let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "GET, POST or DELETE");
                let allowed = "GET, POST, DELETE".parse().expect("a header");
                refused.headers_mut().insert(ALLOW, allowed);
                refused
            }
        }
    }

    /// Whether the session that is named exists; true where none is named.
    async fn knows_session(&self, headers: &HeaderMap) -> bool {
        let Some(session) = headers.get(HEADER_SESSION_ID) else { return true };
        let Ok(session) = session.to_str() else { return false };
        self.sessions.sessions.read().await.contains_key(session)
    }

    /// Answers a message.
    async fn take(self: &Arc<Self>, request: Request<Incoming>) -> Answer {
        let mut working = Working::on(self);
        let (mut parts, body) = request.into_parts();
        let body = Limited::new(body, MAX_LINE_BYTES).collect();
        let body = match tokio::time::timeout(BODY_TIMEOUT, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(cause)) if cause.is::<LengthLimitError>() => {
                return fault(StatusCode::PAYLOAD_TOO_LARGE, &envelope::line_too_long());
            }
            Ok(Err(_)) => return plain(StatusCode::BAD_REQUEST, "the body broke off"),
            Err(_) => return plain(StatusCode::REQUEST_TIMEOUT, "the body took too long"),
        };
        match sift(&body) {
            Ok(sifted) => {
                if sifted.opens_session && self.sessions.sessions.read().await.len() >= MAX_SESSIONS
                {
                    let mut refused =
                        plain(StatusCode::SERVICE_UNAVAILABLE, "too many sessions are open");
                    refused.headers_mut().insert(RETRY_AFTER, "60".parse().expect("a header"));
                    return refused;
                }
                if let Some(id) = sifted.id
                    && let Some(session) = parts.headers.get(HEADER_SESSION_ID)
                    && !working.take_id(session.as_bytes(), id)
                {
                    return fault(StatusCode::BAD_REQUEST, &envelope::still_in_flight());
                }
                if let Some(call) = sifted.call {
                    parts.extensions.insert(call);
                }
                let request = Request::from_parts(parts, Full::new(sifted.body));
                let answer = self.service.handle(request).await;
                answer.map(|body| Counted { body, _working: working }.boxed())
            }
            Err(answer) if answer["error"]["code"] == envelope::METHOD_NOT_FOUND => {
                fault(StatusCode::NOT_FOUND, &answer)
            }
            Err(answer) => fault(StatusCode::BAD_REQUEST, &answer),
        }
    }

    fn ids(&self) -> MutexGuard<'_, BTreeSet<(Bytes, RequestId)>> {
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn may_ask(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let given = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        given.and_then(|value| value.split_once(' ')).is_some_and(|(scheme, given)| {
            scheme.eq_ignore_ascii_case("bearer") && same(given.trim(), token)
        })
    }
}

/// Compares without telling by its time how much of the token was right.
fn same(given: &str, token: &str) -> bool {
    let (given, token) = (given.as_bytes(), token.as_bytes());
    let differing = given.iter().zip(token).fold(0u8, |seen, (a, b)| seen | (a ^ b));
    given.len() == token.len() && differing == 0
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
