//! Answers the requests that the transport lets through.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    DiscoverResult, ErrorCode, ErrorData, Implementation, InitializeRequestParams,
    InitializeResult, ListToolsResult, MetaObject, NumberOrString, PaginatedRequestParams,
    ProgressNotification, ProgressNotificationParam, ProgressToken, ProtocolVersion,
    ServerCapabilities, ServerConfig, ServerNotification, Tool as WireTool,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use synthon_budget::CancelFlag;
use synthon_tools::arguments::Checked;
use synthon_tools::{
    CallContext, Progress, Tool, ToolError, ToolErrorKind, ToolReply, UNKNOWN_TOOL,
    check_arguments, panicked, run,
};
use tokio::sync::{Semaphore, mpsc};

use crate::envelope::{INTERNAL_ERROR, INVALID_PARAMS, RequestId};
use crate::revision::Revision;
use crate::settings::Settings;
use crate::transport::{BelongsTo, RequestFacts, protocol_version};
use crate::wire;

const NAME: &str = "synthon";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The tool list is fixed for a build and its settings.
const LIST_FRESH_MS: u64 = 3_600_000;

/// At most about ten progress notifications a second.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A tool that does not come back this long after its deadline is answered for.
const DEADLINE_GRACE: Duration = Duration::from_secs(2);

/// The revision without a handshake.
const MODERN: &[ProtocolVersion] = &[ProtocolVersion::V_2026_07_28];

/// A list of tools for each revision, made when first asked for.
type WireTools = [OnceLock<Vec<WireTool>>; Revision::ALL.len()];

#[derive(Clone)]
pub(crate) struct Handler {
    settings: Arc<Settings>,
    jobs: Arc<Semaphore>,
    wire_tools: Arc<WireTools>,
}

impl Handler {
    pub(crate) fn new(settings: Settings) -> Self {
        let jobs = Arc::new(Semaphore::new(settings.max_jobs));
        let settings = Arc::new(settings);
        Handler { settings, jobs, wire_tools: Default::default() }
    }

    fn wire_tools(&self, revision: Revision) -> Vec<WireTool> {
        self.wire_tools[revision as usize]
            .get_or_init(|| wire::tools(&self.settings, revision))
            .clone()
    }

    fn cache_scope(&self) -> CacheScope {
        if self.settings.tools_are_chosen { CacheScope::Private } else { CacheScope::Public }
    }

    fn prepare(&self, facts: &RequestFacts) -> Result<(&'static Tool, Checked), ToolError> {
        let name = match &facts.name {
            Some(Value::String(name)) => name,
            Some(_) => {
                return Err(ToolError::argument(
                    "argument.type",
                    "name must have JSON type string",
                )
                .about("name"));
            }
            None => {
                return Err(ToolError::argument(
                    "argument.missing",
                    "name is missing: which tool?",
                )
                .about("name"));
            }
        };
        let Some(tool) = self.settings.registry.find(name) else {
            return Err(self.settings.registry.unknown_tool(name));
        };
        let none = Value::Object(Map::new());
        let arguments = facts.arguments.as_ref().filter(|given| !given.is_null()).unwrap_or(&none);
        Ok((tool, check_arguments(tool, arguments)?))
    }

    /// Runs a tool on a worker thread, passing progress on and stopping when the client or the
    /// clock says so. `None` when the call was cancelled: nobody waits for the answer.
    async fn work(
        &self,
        tool: &'static Tool,
        checked: Checked,
        facts: &RequestFacts,
        context: &RequestContext<RoleServer>,
    ) -> Option<Result<ToolReply, ToolError>> {
        let job = tokio::select! {
            job = Arc::clone(&self.jobs).acquire_owned() => job.expect("the pool is never closed"),
            () = context.ct.cancelled() => return None,
        };
        let (reports, mut heard) = mpsc::channel::<Progress>(16);
        let wants_progress = facts.progress_token.is_some();
        let cancel = CancelFlag::new();
        let settings = Arc::clone(&self.settings);
        let timeout = settings.call_timeout;
        let call_cancel = cancel.clone();
        let mut work = tokio::task::spawn_blocking(move || {
            // Held until the tool has really ended, so that the pool stays bounded.
            let _job = job;
            let throttle = Throttle::new(reports);
            let listener = |progress| throttle.report(progress);
            let mut call = CallContext::limited(&settings.catalogue, timeout, call_cancel);
            if wants_progress {
                call = call.with_progress(&listener);
            }
            run(tool, &checked, &call)
        });
        let deadline = tokio::time::sleep(timeout.saturating_add(DEADLINE_GRACE));
        tokio::pin!(deadline);
        loop {
            tokio::select! {
                biased;
                () = context.ct.cancelled() => {
                    cancel.cancel();
                    return None;
                }
                Some(progress) = heard.recv() => {
                    notify(&context.peer, facts, progress).await;
                }
                done = &mut work => {
                    return Some(done.unwrap_or_else(|_| Err(panicked(tool.name))));
                }
                () = &mut deadline => {
                    cancel.cancel();
                    return Some(Err(ToolError::tool(
                        "call.timed_out",
                        format!("The call did not end within {:.1} s", timeout.as_secs_f64()),
                    )));
                }
            }
        }
    }
}

/// Passes on progress that rises, and not too often.
struct Throttle {
    reports: mpsc::Sender<Progress>,
    last: Mutex<Option<(Instant, f64)>>,
}

impl Throttle {
    fn new(reports: mpsc::Sender<Progress>) -> Self {
        Throttle { reports, last: Mutex::new(None) }
    }

    fn report(&self, progress: Progress) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let due =
            last.is_none_or(|(at, done)| at.elapsed() >= PROGRESS_INTERVAL && progress.done > done);
        if due {
            *last = Some((Instant::now(), progress.done));
            // A client that does not keep up misses some.
            let _ = self.reports.try_send(progress);
        }
    }
}

pub(crate) async fn notify(peer: &Peer<RoleServer>, facts: &RequestFacts, progress: Progress) {
    let token = match &facts.progress_token {
        Some(RequestId::Number(number)) => NumberOrString::Number(*number),
        Some(RequestId::Text(text)) => NumberOrString::String(text.as_str().into()),
        None => return,
    };
    let mut params = ProgressNotificationParam::new(ProgressToken(token), progress.done);
    params.total = progress.total;
    if facts.revision.has_progress_messages() {
        params.message = Some(progress.message);
    }
    let mut notification = ProgressNotification::new(params);
    notification.extensions.insert(BelongsTo(facts.ticket));
    // A failure means that the connection is closing, which the server loop sees itself.
    let _ = peer.send_notification(ServerNotification::ProgressNotification(notification)).await;
}

/// What the line transport attached to a request; over HTTP the same is put together here.
fn facts(context: &RequestContext<RoleServer>) -> RequestFacts {
    if let Some(facts) = context.extensions.get::<RequestFacts>() {
        return facts.clone();
    }
    let version = context.protocol_version();
    let revision = match &version {
        Some(version) if *version == ProtocolVersion::V_2026_07_28 => Revision::MODERN,
        Some(version) => Revision::negotiate(Some(version.as_str())),
        // A session without a version header speaks the revision that had none.
        None => Revision::V2025_03_26,
    };
    let token = context.meta.get_progress_token().map(|token| match token.0 {
        NumberOrString::Number(number) => RequestId::Number(number),
        NumberOrString::String(text) => RequestId::Text(text.to_string()),
    });
    #[cfg(feature = "http")]
    let call = context
        .extensions
        .get::<http::request::Parts>()
        .and_then(|parts| parts.extensions.get::<crate::http::RawCall>())
        .cloned();
    #[cfg(feature = "http")]
    let (name, arguments) = call.map_or((None, None), |call| (call.name, call.arguments));
    #[cfg(not(feature = "http"))]
    let (name, arguments) = (None, None);
    RequestFacts { ticket: 0, revision, progress_token: token, name, arguments }
}

fn server_info() -> Implementation {
    Implementation::new(NAME, VERSION)
}

fn server_meta() -> MetaObject {
    let mut meta = MetaObject::new();
    let info = serde_json::json!({"name": NAME, "version": VERSION});
    meta.0.insert("io.modelcontextprotocol/serverInfo".into(), info);
    meta
}

fn succeeded(reply: ToolReply, revision: Revision) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(reply.text)]);
    result.is_error = None;
    if revision.has_structured_results() {
        result.structured_content = Some(Value::Object(reply.structured));
    }
    if revision.is_modern() {
        result.meta = Some(server_meta());
    }
    result
}

/// How a revision wants to hear of a failure: as a protocol error, or as a result that says so.
fn failed(error: &ToolError, revision: Revision) -> Result<CallToolResult, ErrorData> {
    let unknown_tool = error.code() == UNKNOWN_TOOL;
    match error.kind() {
        ToolErrorKind::Internal => {
            return Err(ErrorData::new(ErrorCode(INTERNAL_ERROR), error.to_string(), None));
        }
        ToolErrorKind::Argument if revision.is_modern() => {
            let data = (!unknown_tool).then(|| Value::Object(error.details()));
            return Err(ErrorData::new(ErrorCode(INVALID_PARAMS), error.to_string(), data));
        }
        _ => {}
    }
    let text = if unknown_tool { error.to_string() } else { format!("{error} [{}]", error.code()) };
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    if revision.is_modern() {
        result.meta = Some(server_meta());
    }
    Ok(result)
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server_info())
            .with_instructions(self.settings.instructions())
    }

    /// Feeds discovery and per-request checks only; the handshake negotiates by itself.
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(MODERN)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let revision = match context.extensions.get::<RequestFacts>() {
            Some(facts) => facts.revision,
            None => Revision::negotiate(Some(request.protocol_version.as_str())),
        };
        Ok(self.get_info().with_protocol_version(protocol_version(revision)))
    }

    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let mut result = DiscoverResult::from_server_info(MODERN.to_vec(), self.get_info());
        result.ttl_ms = LIST_FRESH_MS;
        result.cache_scope = self.cache_scope();
        Ok(result)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let revision = facts(&context).revision;
        let tools = self.wire_tools(revision);
        #[cfg(feature = "conformance")]
        let tools = [crate::conformance::tools(), tools].concat();
        let mut result = ListToolsResult::with_all_items(tools);
        if revision.is_modern() {
            result.ttl_ms = Some(LIST_FRESH_MS);
            result.cache_scope = Some(self.cache_scope());
            result.meta = Some(server_meta());
        }
        Ok(result)
    }

    async fn call_tool(
        &self,
        _request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let facts = facts(&context);
        #[cfg(feature = "conformance")]
        if let Some(answer) = crate::conformance::call(&facts, &context).await {
            return answer
                .map(|mut result| {
                    result.meta = facts.revision.is_modern().then(server_meta);
                    result
                })
                .map(Into::into);
        }
        let answer = match self.prepare(&facts) {
            Ok((tool, checked)) => match self.work(tool, checked, &facts, &context).await {
                Some(answer) => answer,
                None => return Err(ErrorData::internal_error("internal error: cancelled", None)),
            },
            Err(error) => Err(error),
        };
        match answer {
            Ok(reply) => Ok(succeeded(reply, facts.revision).into()),
            Err(error) => failed(&error, facts.revision).map(Into::into),
        }
    }
}
