//! The stdio transport: one thread reads lines, one writes them, and between them this type
//! judges the envelope and the era, answers what is wrong itself, and hands only well-formed
//! requests to the protocol library.
//!
//! `receive` is polled in a `select!` and may be dropped at every await, so all state lives in
//! `self` and nothing is taken out of a queue before it can be passed on.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam,
    ClientCapabilities, ClientNotification, ClientRequest, DiscoverRequest, DiscoverRequestParams,
    Extensions, GetExtensions, GetMeta, Implementation, InitializeRequest, InitializeRequestParams,
    JsonRpcMessage, ListToolsRequest, PaginatedRequestParams, PingRequest, ProtocolVersion,
    RequestId as WireId, ServerNotification,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tokio::time::Instant;

use crate::envelope::{self, Message, RequestId};
use crate::era::{Accepted, Asked, Era};
use crate::in_flight::{InFlight, Ticket};
use crate::lines::{Line, LineReader};
use crate::revision::Revision;

/// Most requests that are worked on at once; more wait.
const MAX_STARTED: usize = 64;

/// Most requests that wait; beyond that nothing is read until one has started.
const MAX_WAITING: usize = 10_000;

/// Most bytes of waiting requests.
const MAX_WAITING_BYTES: usize = 16 * 1024 * 1024;

/// Lines and answers in the channels between the threads.
const CHANNEL: usize = 64;

/// What the handler needs to know of a request beside its parameters.
#[derive(Clone, Debug)]
pub(crate) struct RequestFacts {
    pub(crate) ticket: Ticket,
    pub(crate) revision: Revision,
    pub(crate) progress_token: Option<RequestId>,
    /// For `tools/call`: name and arguments as the client sent them.
    pub(crate) name: Option<Value>,
    pub(crate) arguments: Option<Value>,
}

/// Marks a notification as belonging to a request, so that it goes no further once the request
/// has been answered or cancelled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BelongsTo(pub(crate) Ticket);

/// Whether the client still reads our answers.
#[derive(Debug, Default)]
pub(crate) struct Output {
    broken: AtomicBool,
    told: Notify,
}

impl Output {
    /// Ends when the client has closed our output.
    pub(crate) async fn broken(&self) {
        while !self.broken.load(Ordering::Acquire) {
            self.told.notified().await;
        }
    }

    fn set_broken(&self) {
        self.broken.store(true, Ordering::Release);
        // One waiter is the server loop; the permit is kept if it is not waiting right now.
        self.told.notify_one();
    }
}

/// The output is closed.
#[derive(Debug)]
pub(crate) struct Closed;

impl std::fmt::Display for Closed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the client has closed the connection")
    }
}

impl std::error::Error for Closed {}

struct Waiting {
    accepted: Accepted,
    bytes: usize,
}

/// The server's side of a line-based connection.
pub(crate) struct LineTransport {
    lines: mpsc::Receiver<Line>,
    out: Option<mpsc::Sender<String>>,
    written: Arc<Notify>,
    era: Era,
    in_flight: Arc<InFlight>,
    replies: VecDeque<String>,
    cancellations: VecDeque<Ticket>,
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    grace: Duration,
    /// Set at the end of input: when running calls are cut off.
    cut_off: Option<Instant>,
    was_cut: bool,
}

impl LineTransport {
    /// A transport between `input` and `output`. After the end of input, running calls get
    /// `grace` to finish.
    pub(crate) fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
        grace: Duration,
    ) -> (Self, Arc<Output>) {
        let (line_sender, lines) = mpsc::channel(CHANNEL);
        let (out, answers) = mpsc::channel(CHANNEL);
        let state = Arc::new(Output::default());
        let written = Arc::new(Notify::new());
        thread::Builder::new()
            .name("mcp-input".into())
            .spawn(move || read_lines(input, &line_sender))
            .expect("the system starts threads");
        let (writer_state, writer_done) = (Arc::clone(&state), Arc::clone(&written));
        thread::Builder::new()
            .name("mcp-output".into())
            .spawn(move || {
                if write_lines(output, answers).is_err() {
                    writer_state.set_broken();
                }
                writer_done.notify_one();
            })
            .expect("the system starts threads");
        let transport = LineTransport {
            lines,
            out: Some(out),
            written,
            era: Era::Open,
            in_flight: Arc::new(InFlight::default()),
            replies: VecDeque::new(),
            cancellations: VecDeque::new(),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            grace,
            cut_off: None,
            was_cut: false,
        };
        (transport, state)
    }

    fn take_line(&mut self, line: Line) {
        let line = match line {
            Line::TooLong => return self.reply(&envelope::line_too_long()),
            Line::Bytes(line) => line,
        };
        match envelope::read(&line, |id| self.in_flight.contains(id)) {
            Message::Nothing => {}
            Message::Broken(answer) => self.reply(&answer),
            Message::Cancel(id) => self.cancel(&id),
            Message::Request(request) => match self.era.admit(request) {
                Err(answer) => self.reply(&answer),
                Ok(accepted) => {
                    if accepted.asked.is_call() {
                        self.in_flight.accept(accepted.id.clone());
                    }
                    self.waiting_bytes += line.len();
                    self.waiting.push_back(Waiting { accepted, bytes: line.len() });
                }
            },
        }
    }

    fn reply(&mut self, answer: &Value) {
        self.replies.push_back(answer.to_string());
    }

    fn cancel(&mut self, id: &RequestId) {
        match self.in_flight.cancel(id) {
            None => {}
            Some(Some(ticket)) => self.cancellations.push_back(ticket),
            Some(None) => {
                if let Some(at) = self.waiting.iter().position(|w| w.accepted.is_call_of(id))
                    && let Some(gone) = self.waiting.remove(at)
                {
                    self.waiting_bytes -= gone.bytes;
                }
            }
        }
    }

    fn start_next(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        if self.in_flight.started() >= MAX_STARTED {
            return None;
        }
        let Waiting { accepted, bytes } = self.waiting.pop_front()?;
        self.waiting_bytes -= bytes;
        let ticket = self.in_flight.start(&accepted.id, accepted.asked.is_call());
        Some(JsonRpcMessage::request(to_request(accepted, ticket), WireId::Number(ticket)))
    }

    fn may_read(&self) -> bool {
        self.cut_off.is_none()
            && self.waiting.len() < MAX_WAITING
            && self.waiting_bytes < MAX_WAITING_BYTES
    }
}

impl Transport<RoleServer> for LineTransport {
    type Error = Closed;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Closed>> + Send + 'static {
        let out = self.out.clone();
        let in_flight = Arc::clone(&self.in_flight);
        async move {
            let Some(out) = out else { return Err(Closed) };
            let permit = out.reserve().await.map_err(|_| Closed)?;
            if let Some(line) = to_line(item, &in_flight) {
                permit.send(line);
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            while !self.replies.is_empty() {
                let permit = self.out.as_ref()?.reserve().await.ok()?;
                permit.send(self.replies.pop_front()?);
            }
            if let Some(ticket) = self.cancellations.pop_front() {
                return Some(cancelled(ticket));
            }
            if let Some(message) = self.start_next() {
                return Some(message);
            }
            if let Some(cut_off) = self.cut_off {
                if self.was_cut || (self.in_flight.started() == 0 && self.waiting.is_empty()) {
                    return None;
                }
                tokio::select! {
                    () = self.in_flight.left.notified() => {}
                    () = tokio::time::sleep_until(cut_off) => {
                        self.was_cut = true;
                        self.waiting.clear();
                        self.cancellations.extend(self.in_flight.cancel_all());
                    }
                }
                continue;
            }
            let may_read = self.may_read();
            tokio::select! {
                line = self.lines.recv(), if may_read => match line {
                    Some(line) => self.take_line(line),
                    None => self.cut_off = Some(Instant::now() + self.grace),
                },
                () = self.in_flight.left.notified() => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), Closed> {
        if self.out.take().is_some() {
            // A client that neither reads nor closes our output must not keep the process alive.
            let _ = tokio::time::timeout(self.grace, self.written.notified()).await;
        }
        Ok(())
    }
}

fn cancelled(ticket: Ticket) -> RxJsonRpcMessage<RoleServer> {
    let params = CancelledNotificationParam::new(Some(WireId::Number(ticket)), None);
    JsonRpcMessage::notification(ClientNotification::CancelledNotification(
        CancelledNotification::new(params),
    ))
}

/// Builds the library's request. Nothing of the client's capabilities, identity or metadata goes
/// along: the gate has checked what must be checked, and nothing else may change an answer.
fn to_request(accepted: Accepted, ticket: Ticket) -> ClientRequest {
    let Accepted { id: _, revision, asked, progress_token } = accepted;
    let mut facts = RequestFacts { ticket, revision, progress_token, name: None, arguments: None };
    let client = || Implementation::new("client", "0");
    let mut request = match asked {
        Asked::Initialize => ClientRequest::InitializeRequest(InitializeRequest::new(
            InitializeRequestParams::new(ClientCapabilities::default(), client())
                .with_protocol_version(protocol_version(revision)),
        )),
        Asked::Discover => {
            ClientRequest::DiscoverRequest(DiscoverRequest::new(DiscoverRequestParams::default()))
        }
        Asked::Ping => ClientRequest::PingRequest(PingRequest {
            method: Default::default(),
            extensions: Extensions::new(),
        }),
        Asked::ListTools => ClientRequest::ListToolsRequest(ListToolsRequest::with_param(
            PaginatedRequestParams::default(),
        )),
        Asked::CallTool { name, arguments } => {
            facts.name = name;
            facts.arguments = arguments;
            ClientRequest::CallToolRequest(CallToolRequest::new(CallToolRequestParams::new("")))
        }
    };
    if revision.is_modern() {
        let meta = request.get_meta_mut();
        meta.set_protocol_version(protocol_version(revision));
        meta.set_client_capabilities(ClientCapabilities::default());
    }
    request.extensions_mut().insert(facts);
    request
}

pub(crate) fn protocol_version(revision: Revision) -> ProtocolVersion {
    match revision {
        Revision::V2024_11_05 => ProtocolVersion::V_2024_11_05,
        Revision::V2025_03_26 => ProtocolVersion::V_2025_03_26,
        Revision::V2025_06_18 => ProtocolVersion::V_2025_06_18,
        Revision::V2025_11_25 => ProtocolVersion::V_2025_11_25,
        Revision::V2026_07_28 => ProtocolVersion::V_2026_07_28,
    }
}

/// The line of an outgoing message under the client's own id; `None` when nobody waits for it
/// any more.
fn to_line(item: TxJsonRpcMessage<RoleServer>, in_flight: &InFlight) -> Option<String> {
    const SERIALISES: &str = "a message of the protocol library serialises";
    match item {
        JsonRpcMessage::Response(response) => {
            let id = in_flight.finish(ticket_of(&response.id)?)?.to_value();
            let result = serde_json::to_string(&response.result).expect(SERIALISES);
            Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#))
        }
        JsonRpcMessage::Error(failed) => {
            let id = in_flight.finish(ticket_of(failed.id.as_ref()?)?)?.to_value();
            let error = serde_json::to_string(&failed.error).expect(SERIALISES);
            Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#))
        }
        JsonRpcMessage::Notification(notification) => {
            let ServerNotification::ProgressNotification(progress) = &notification.notification
            else {
                return None;
            };
            let BelongsTo(ticket) = *progress.extensions.get::<BelongsTo>()?;
            in_flight
                .is_wanted(ticket)
                .then(|| serde_json::to_string(&notification).expect(SERIALISES))
        }
        // The server never asks its client anything.
        JsonRpcMessage::Request(_) => None,
    }
}

fn ticket_of(id: &WireId) -> Option<Ticket> {
    match id {
        WireId::Number(ticket) => Some(*ticket),
        WireId::String(_) => None,
    }
}

/// A read error ends the input like its end does: there is nobody left to tell.
fn read_lines(input: impl Read, lines: &mpsc::Sender<Line>) {
    let mut reader = LineReader::new(input);
    while let Ok(Some(line)) = reader.next_line() {
        if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

fn write_lines(mut output: impl Write, mut answers: mpsc::Receiver<String>) -> std::io::Result<()> {
    while let Some(line) = answers.blocking_recv() {
        output.write_all(line.as_bytes())?;
        output.write_all(b"\n")?;
        // What is already there goes out together.
        while let Ok(line) = answers.try_recv() {
            output.write_all(line.as_bytes())?;
            output.write_all(b"\n")?;
        }
        output.flush()?;
    }
    Ok(())
}
