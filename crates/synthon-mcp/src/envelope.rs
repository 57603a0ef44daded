//! The JSON-RPC envelope: what a line is, before any method is looked at.

use serde_json::{Map, Value, json};

/// Deepest nesting of arrays and objects accepted.
const MAX_NESTING: usize = 100;

/// Most structural tokens (`{ } [ ] , :` outside strings) accepted in a line.
const MAX_TOKENS: usize = 250_000;

pub(crate) const PARSE_ERROR: i32 = -32700;
pub(crate) const INVALID_REQUEST: i32 = -32600;
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
pub(crate) const INVALID_PARAMS: i32 = -32602;
pub(crate) const INTERNAL_ERROR: i32 = -32603;
pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;

/// Id of a request, as the client wrote it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RequestId {
    Number(i64),
    Text(String),
}

impl RequestId {
    /// Strings, and whole numbers that fit 64 bits; `7.0` is 7.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(RequestId::Text(text.clone())),
            Value::Number(number) => number.as_i64().map(RequestId::Number).or_else(|| {
                let real = number.as_f64()?;
                // The bound itself is left out: integers just beyond it are rounded to it.
                let fits = real.fract() == 0.0 && real.abs() < 2f64.powi(63);
                fits.then_some(RequestId::Number(real as i64))
            }),
            _ => None,
        }
    }

    pub(crate) fn to_value(&self) -> Value {
        match self {
            RequestId::Number(number) => (*number).into(),
            RequestId::Text(text) => text.as_str().into(),
        }
    }
}

/// A well-formed request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) id: RequestId,
    pub(crate) method: String,
    pub(crate) params: Map<String, Value>,
}

/// What a line is.
#[derive(Debug)]
pub(crate) enum Message {
    /// Nothing to do: blank, a response, a notification without effect.
    Nothing,
    /// Broken; this is the answer.
    Broken(Value),
    /// `notifications/cancelled` for a request.
    Cancel(RequestId),
    /// A request.
    Request(Request),
}

/// An error answer.
pub(crate) fn error(id: Option<&RequestId>, code: i32, message: &str) -> Value {
    error_with(id, code, message, None)
}

/// An error answer with data.
pub(crate) fn error_with(
    id: Option<&RequestId>,
    code: i32,
    message: &str,
    data: Option<Value>,
) -> Value {
    let mut fault = json!({"code": code, "message": message});
    if let Some(data) = data {
        fault["data"] = data;
    }
    json!({
        "jsonrpc": "2.0",
        "id": id.map_or(Value::Null, RequestId::to_value),
        "error": fault,
    })
}

/// The answer to a line, nesting or token count over its limit.
pub(crate) fn exhausted(what: &str) -> Value {
    error(None, INVALID_REQUEST, &format!("resource_exhausted: {what}"))
}

/// The answer to a line over the limit.
pub(crate) fn line_too_long() -> Value {
    exhausted(&format!("a line may hold at most {} bytes", crate::lines::MAX_LINE_BYTES))
}

/// The answer to a request whose id is in use: without it, since its one answer is still to come.
pub(crate) fn still_in_flight() -> Value {
    error(None, INVALID_REQUEST, "Invalid Request: this \"id\" is still in flight")
}

/// Reads the envelope of a line. `in_flight` says whether an id is being worked on.
pub(crate) fn read(line: &[u8], in_flight: impl Fn(&RequestId) -> bool) -> Message {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Message::Nothing;
    }
    if let Err(what) = within_budget(line) {
        return Message::Broken(exhausted(what));
    }
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return Message::Broken(error(None, PARSE_ERROR, "Parse error"));
    };
    let Value::Object(mut object) = value else {
        let what = if value.is_array() {
            "Invalid Request: batches are not supported, send one object a line"
        } else {
            "Invalid Request: a message is a JSON object"
        };
        return Message::Broken(error(None, INVALID_REQUEST, what));
    };
    let has_id = object.contains_key("id");
    let id = object.get("id").and_then(RequestId::read);
    // An id in flight is not echoed: its one answer is still to come.
    let busy = id.as_ref().is_some_and(&in_flight);
    let echo = id.as_ref().filter(|_| !busy);
    let invalid = |what: &str| {
        Message::Broken(error(echo, INVALID_REQUEST, &format!("Invalid Request: {what}")))
    };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid("\"jsonrpc\" must be \"2.0\"");
    }
    let method = match object.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => return invalid("\"method\" must be a string"),
        None if object.contains_key("result") || object.contains_key("error") => {
            return Message::Nothing;
        }
        None => return invalid("\"method\" is missing"),
    };
    let params = object.remove("params");
    if !has_id {
        return cancellation(&method, params.as_ref()).map_or(Message::Nothing, Message::Cancel);
    }
    let Some(id) = id.clone() else {
        return invalid("\"id\" must be a string or a whole number of at most 64 bits");
    };
    if busy {
        return Message::Broken(still_in_flight());
    }
    match params {
        None | Some(Value::Null) => Message::Request(Request { id, method, params: Map::new() }),
        Some(Value::Object(params)) => Message::Request(Request { id, method, params }),
        Some(_) => Message::Broken(error(
            Some(&id),
            INVALID_PARAMS,
            "Invalid params: \"params\" must be an object",
        )),
    }
}

fn cancellation(method: &str, params: Option<&Value>) -> Option<RequestId> {
    (method == "notifications/cancelled").then_some(())?;
    RequestId::read(params?.get("requestId")?)
}

/// Counts nesting and tokens on the raw bytes, before anything is decoded or built.
fn within_budget(line: &[u8]) -> Result<(), &'static str> {
    let (mut nesting, mut tokens) = (0usize, 0usize);
    let mut bytes = line.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'"' => {
                while let Some(&inner) = bytes.next() {
                    match inner {
                        b'\\' => {
                            bytes.next();
                        }
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'{' | b'[' => {
                nesting += 1;
                tokens += 1;
                if nesting > MAX_NESTING {
                    return Err("at most 100 levels of nesting");
                }
            }
            b'}' | b']' => {
                nesting = nesting.saturating_sub(1);
                tokens += 1;
            }
            b',' | b':' => tokens += 1,
            _ => {}
        }
        if tokens > MAX_TOKENS {
            return Err("at most 250000 structural tokens");
        }
    }
    Ok(())
}
