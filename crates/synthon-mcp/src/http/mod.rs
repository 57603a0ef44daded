//! The other door: Streamable HTTP at `/mcp`, served through the protocol library.
//!
//! Revision 2026-07-28 is stateless; the older ones get sessions. [`gate`] judges what comes in
//! before the library sees it: who may ask, how often, how large a body may be, and the same
//! envelope and budget as on standard input.

mod gate;
mod patience;
mod sift;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::handler::Handler;
use crate::lines::MAX_LINE_BYTES;
use crate::settings::Settings;
use gate::Gate;
use patience::Patient;
pub(crate) use sift::RawCall;

/// Most connections at the same time; more wait to be accepted.
const MAX_CONNECTIONS: usize = 128;

/// Time in which a client must have sent its request's headers, also when it keeps a connection
/// open between requests.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// Most bytes of a request's headers.
const MAX_HEADER_BYTES: usize = 32 * 1024;

/// A client that takes nothing of an answer for so long is given up.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// Time in which connections must have closed once no request is being worked on.
const CLOSING_TIME: Duration = Duration::from_secs(1);

/// Pages of this machine's own programs.
const OWN_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// How the HTTP door is opened.
#[derive(Clone, Debug)]
pub struct HttpSettings {
    /// Where to listen.
    pub address: SocketAddr,
    /// The token that every request must bear; needed for any address but a loopback one.
    pub token: Option<String>,
    /// Names under which clients may call this server, beside those of the loopback.
    pub hosts: Vec<String>,
    /// Web origins whose pages may call this server, beside those of the loopback.
    pub origins: Vec<String>,
    /// Most requests a second, over all clients; bursts of four times as many are let through.
    pub requests_per_second: u32,
}

impl HttpSettings {
    /// A door at `address` without a token, for this machine's own programs.
    pub fn at(address: SocketAddr) -> Self {
        HttpSettings {
            address,
            token: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            requests_per_second: 200,
        }
    }

    fn check(&self) -> io::Result<()> {
        let refuse = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        match &self.token {
            None if !self.address.ip().is_loopback() => {
                refuse("an address that other machines can reach needs a bearer token")
            }
            Some(token) if token.len() < 16 => {
                refuse("a bearer token needs at least 16 characters")
            }
            _ => Ok(()),
        }
    }
}

/// Serves over HTTP until the process is told to end, by SIGINT or SIGTERM. `ready` hears the
/// address that is listened at, which tells the port where 0 was asked for.
///
/// Running calls then get the grace of the settings to finish.
///
/// # Errors
/// When the settings leave the door open to everybody, or the address cannot be used.
pub fn serve_http(
    settings: Settings,
    http: HttpSettings,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    http.check()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(settings.max_jobs.saturating_mul(2).max(1))
        .build()?;
    let done = runtime.block_on(run(settings, http, ready));
    runtime.shutdown_background();
    done
}

async fn run(
    settings: Settings,
    http: HttpSettings,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let listener = TcpListener::bind(http.address).await?;
    let address = listener.local_addr()?;
    let grace = settings.grace;
    let handler = Handler::new(settings);
    let mut config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(MAX_LINE_BYTES)
        .with_allowed_origins(
            OWN_ORIGINS.iter().copied().chain(http.origins.iter().map(String::as_str)),
        )
        .enforce_origin_validation();
    config.allowed_hosts.extend(http.hosts.iter().cloned());
    if !address.ip().is_unspecified() {
        config.allowed_hosts.push(address.ip().to_string());
    }
    let stop = config.cancellation_token.clone();
    // Raised first: it ends idle connections and lets the others end their request.
    let closing = stop.child_token();
    let sessions = Arc::new(LocalSessionManager::default());
    let service =
        StreamableHttpService::new(move || Ok(handler.clone()), Arc::clone(&sessions), config);
    let gate = Arc::new(Gate::new(service, sessions, &http));
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    ready(address);

    let mut ended = std::pin::pin!(told_to_end());
    loop {
        let permit = tokio::select! {
            permit = Arc::clone(&connections).acquire_owned() => {
                permit.expect("the semaphore is never closed")
            }
            () = &mut ended => break,
        };
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Out of file handles, or the client is gone: others may still come.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut ended => break,
        };
        let (gate, closing) = (Arc::clone(&gate), closing.clone());
        tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let gate = Arc::clone(&gate);
                async move { Ok::<_, std::convert::Infallible>(gate.answer(request).await) }
            });
            let stream = TokioIo::new(Patient::new(stream, WRITE_TIMEOUT));
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_TIMEOUT)
                .max_buf_size(MAX_HEADER_BYTES)
                .serve_connection(stream, answer);
            let mut connection = std::pin::pin!(connection);
            // A connection that breaks concerns its client alone.
            tokio::select! {
                _ = connection.as_mut() => {}
                () = closing.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
            drop(permit);
        });
    }
    drop(listener);
    gate.close();
    closing.cancel();
    // Requests in work end by themselves; what is still running after the grace is cut off, and
    // with it the streams that wait for messages of their session.
    let _ = tokio::time::timeout(grace, gate.idle()).await;
    stop.cancel();
    let all = connections.acquire_many(MAX_CONNECTIONS as u32);
    let _ = tokio::time::timeout(CLOSING_TIME, all).await;
    Ok(())
}

#[cfg(unix)]
async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn told_to_end() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
