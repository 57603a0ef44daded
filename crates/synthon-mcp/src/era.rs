//! The era gate: which of the two protocol eras a connection is in, and what each of them lets
//! through. It owns the answer, so that no two requests are ever judged by different ones.

use serde_json::{Map, Value, json};

use crate::envelope::{
    INVALID_PARAMS, METHOD_NOT_FOUND, Request, RequestId, UNSUPPORTED_VERSION, error, error_with,
};
use crate::revision::Revision;

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const CLIENT_KEY: &str = "io.modelcontextprotocol/clientInfo";
const MODERN_PREFIX: &str = "io.modelcontextprotocol/";

/// A connection's era. It starts open and is pinned at most once; within the legacy era a later
/// handshake may still change the revision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Era {
    #[default]
    Open,
    Legacy(Revision),
    Modern,
}

/// A request that the gate let through.
#[derive(Clone, Debug)]
pub(crate) struct Accepted {
    pub(crate) id: RequestId,
    pub(crate) revision: Revision,
    pub(crate) asked: Asked,
    /// Token under which the client wants to hear of progress.
    pub(crate) progress_token: Option<RequestId>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    Initialize,
    Discover,
    Ping,
    ListTools,
    /// `name` and `arguments` as they came, to be judged by the handler, which knows how each
    /// era wants faults in them reported.
    CallTool {
        name: Option<Value>,
        arguments: Option<Value>,
    },
}

impl Asked {
    pub(crate) fn is_call(&self) -> bool {
        matches!(self, Asked::CallTool { .. })
    }
}

impl Accepted {
    pub(crate) fn is_call_of(&self, id: &RequestId) -> bool {
        self.asked.is_call() && self.id == *id
    }
}

impl Era {
    /// Judges a request: lets it through, or gives the answer that refuses it.
    pub(crate) fn admit(&mut self, request: Request) -> Result<Accepted, Value> {
        match *self {
            Era::Open => self.open(request),
            Era::Legacy(revision) => self.legacy(request, revision),
            Era::Modern => modern(request),
        }
    }

    fn open(&mut self, request: Request) -> Result<Accepted, Value> {
        match request.method.as_str() {
            "initialize" => self.handshake(request),
            "ping" if !has_modern_key(&request.params) => {
                accept(request, Revision::V2024_11_05, Asked::Ping)
            }
            "server/discover" | "tools/list" | "tools/call" => {
                if !has_modern_key(&request.params) {
                    return Err(error(
                        Some(&request.id),
                        INVALID_PARAMS,
                        "Invalid params: cannot tell the protocol era; send \"initialize\" first \
                         (revisions up to 2025-11-25), or params._meta with \
                         \"io.modelcontextprotocol/protocolVersion\": \"2026-07-28\" and \
                         \"io.modelcontextprotocol/clientCapabilities\"",
                    ));
                }
                check_meta(&request)?;
                *self = Era::Modern;
                modern(request)
            }
            _ => Err(method_not_found(&request.id)),
        }
    }

    fn handshake(&mut self, request: Request) -> Result<Accepted, Value> {
        let revision = check_handshake(&request)?;
        *self = Era::Legacy(revision);
        accept(request, revision, Asked::Initialize)
    }

    fn legacy(&mut self, request: Request, revision: Revision) -> Result<Accepted, Value> {
        match request.method.as_str() {
            "initialize" => self.handshake(request),
            "ping" => accept(request, revision, Asked::Ping),
            "tools/list" => list_tools(request, revision),
            "tools/call" => call_tool(request, revision),
            _ => Err(method_not_found(&request.id)),
        }
    }
}

fn modern(request: Request) -> Result<Accepted, Value> {
    match request.method.as_str() {
        "server/discover" => {
            check_meta(&request)?;
            accept(request, Revision::MODERN, Asked::Discover)
        }
        "tools/list" => {
            check_meta(&request)?;
            list_tools(request, Revision::MODERN)
        }
        "tools/call" => {
            check_meta(&request)?;
            call_tool(request, Revision::MODERN)
        }
        "initialize" => Err(error_with(
            Some(&request.id),
            METHOD_NOT_FOUND,
            "Method not found",
            Some(json!({"supported": [Revision::MODERN.name()]})),
        )),
        _ => Err(method_not_found(&request.id)),
    }
}

fn accept(request: Request, revision: Revision, asked: Asked) -> Result<Accepted, Value> {
    let token = request.params.get("_meta").and_then(|meta| meta.get("progressToken"));
    let progress_token = token.and_then(RequestId::read);
    Ok(Accepted { id: request.id, revision, asked, progress_token })
}

fn list_tools(request: Request, revision: Revision) -> Result<Accepted, Value> {
    // No cursor was ever given out.
    if request.params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
        return Err(error(Some(&request.id), INVALID_PARAMS, "Invalid cursor"));
    }
    accept(request, revision, Asked::ListTools)
}

fn call_tool(mut request: Request, revision: Revision) -> Result<Accepted, Value> {
    let name = request.params.remove("name");
    let arguments = request.params.remove("arguments");
    accept(request, revision, Asked::CallTool { name, arguments })
}

pub(crate) fn method_not_found(id: &RequestId) -> Value {
    error(Some(id), METHOD_NOT_FOUND, "Method not found")
}

pub(crate) fn has_modern_key(params: &Map<String, Value>) -> bool {
    params
        .get("_meta")
        .and_then(Value::as_object)
        .is_some_and(|meta| meta.keys().any(|key| key.starts_with(MODERN_PREFIX)))
}

/// Checks what every modern request carries. A wrong version wins over all other faults.
fn check_meta(request: &Request) -> Result<(), Value> {
    let refuse = |what: &str| {
        Err(error(Some(&request.id), INVALID_PARAMS, &format!("Invalid params: {what}")))
    };
    let meta = match request.params.get("_meta") {
        Some(Value::Object(meta)) => meta,
        Some(_) => return refuse("params._meta must be an object"),
        None => return refuse("params._meta is missing"),
    };
    match meta.get(VERSION_KEY) {
        Some(Value::String(version)) if version == Revision::MODERN.name() => {}
        Some(Value::String(version)) => {
            return Err(error_with(
                Some(&request.id),
                UNSUPPORTED_VERSION,
                "Unsupported protocol version",
                Some(json!({"supported": [Revision::MODERN.name()], "requested": version})),
            ));
        }
        Some(_) => return refuse(&format!("params._meta[\"{VERSION_KEY}\"] must be a string")),
        None => return refuse(&format!("params._meta[\"{VERSION_KEY}\"] is missing")),
    }
    match meta.get(CAPABILITIES_KEY) {
        Some(Value::Object(_)) => {}
        Some(_) => {
            return refuse(&format!("params._meta[\"{CAPABILITIES_KEY}\"] must be an object"));
        }
        None => return refuse(&format!("params._meta[\"{CAPABILITIES_KEY}\"] is missing")),
    }
    match meta.get(CLIENT_KEY) {
        Some(client) if !is_client_info(client) => Err(bad_client_info(&request.id)),
        _ => Ok(()),
    }
}

/// The answer to a request whose metadata name no client, or no version of it.
pub(crate) fn bad_client_info(id: &RequestId) -> Value {
    error(
        Some(id),
        INVALID_PARAMS,
        &format!(
            "Invalid params: params._meta[\"{CLIENT_KEY}\"] must be an object with the strings \
             \"name\" and \"version\""
        ),
    )
}

pub(crate) fn is_client_info(value: &Value) -> bool {
    ["name", "version"].iter().all(|key| value.get(key).is_some_and(Value::is_string))
}

/// Checks the fields of a handshake that are there, and says which revision answers it.
pub(crate) fn check_handshake(request: &Request) -> Result<Revision, Value> {
    let refuse = |what: &str| {
        Err(error(Some(&request.id), INVALID_PARAMS, &format!("Invalid params: {what}")))
    };
    let wanted = match request.params.get("protocolVersion") {
        None => None,
        Some(Value::String(version)) => Some(version.as_str()),
        Some(_) => return refuse("\"protocolVersion\" must be a string"),
    };
    if request.params.get("capabilities").is_some_and(|value| !value.is_object()) {
        return refuse("\"capabilities\" must be an object");
    }
    if request.params.get("clientInfo").is_some_and(|value| !is_client_info(value)) {
        return refuse(
            "\"clientInfo\" must be an object with the strings \"name\" and \"version\"",
        );
    }
    Ok(Revision::negotiate(wanted))
}
