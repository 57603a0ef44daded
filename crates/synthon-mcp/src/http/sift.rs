//! Judges a body by the rules of a line, and takes out what the library would stumble over: its
//! types read capabilities, metadata and arguments more narrowly than the protocol's rules for
//! faults in them want.

use hyper::body::Bytes;
use rmcp::model::ClientCapabilities;
use serde_json::{Map, Value, from_value, json};

use crate::envelope::{self, Message, RequestId};
use crate::era;

/// Name and arguments of a call as the client sent them, for the handler.
#[derive(Clone, Debug)]
pub(crate) struct RawCall {
    pub(crate) name: Option<Value>,
    pub(crate) arguments: Option<Value>,
}

/// A message that the library may see.
pub(super) struct Sifted {
    pub(super) body: Bytes,
    pub(super) call: Option<RawCall>,
    /// Id of a request; `None` for what gets no answer.
    pub(super) id: Option<RequestId>,
    /// Whether it is a handshake.
    pub(super) opens_session: bool,
}

/// Judges a body and tidies it, or gives the answer that refuses it.
pub(super) fn sift(body: &Bytes) -> Result<Sifted, Value> {
    let mut request = match envelope::read(body, |_| false) {
        Message::Broken(answer) => return Err(answer),
        Message::Nothing | Message::Cancel(_) => {
            return Ok(Sifted { body: body.clone(), call: None, id: None, opens_session: false });
        }
        Message::Request(request) => request,
    };
    let opens_session = request.method == "initialize";
    let mut call = None;
    // That revision has no handshake, and nothing but these.
    let served = ["server/discover", "tools/list", "tools/call"].contains(&request.method.as_str());
    if era::has_modern_key(&request.params) && !served {
        return Err(era::method_not_found(&request.id));
    }
    if opens_session {
        era::check_handshake(&request)?;
        let params = &mut request.params;
        params.insert("capabilities".into(), json!({}));
        // Only that it has a name and a version is known of what is there.
        params.insert("clientInfo".into(), json!({"name": "client", "version": "0"}));
        params.entry("protocolVersion").or_insert_with(|| "2024-11-05".into());
    } else {
        tidy_meta(&request.id, &mut request.params)?;
    }
    if request.method == "tools/call" {
        let params = &mut request.params;
        call = Some(RawCall {
            name: params.get("name").cloned(),
            arguments: params.get("arguments").cloned(),
        });
        if !params.get("name").is_some_and(Value::is_string) {
            params.insert("name".into(), "".into());
        }
        if params.get("arguments").is_some_and(|given| !given.is_object()) {
            params.shift_remove("arguments");
        }
    }
    Ok(Sifted { body: rewritten(&request), call, id: Some(request.id), opens_session })
}

/// Takes odd values that are no fault out of the metadata, and refuses a client that does not say
/// who it is.
fn tidy_meta(id: &RequestId, params: &mut Map<String, Value>) -> Result<(), Value> {
    let Some(Value::Object(meta)) = params.get_mut("_meta") else { return Ok(()) };
    if meta.get("progressToken").is_some_and(|token| RequestId::read(token).is_none()) {
        meta.shift_remove("progressToken");
    }
    if let Some(client) = meta.shift_remove(era::CLIENT_KEY)
        && !era::is_client_info(&client)
    {
        return Err(era::bad_client_info(id));
    }
    let odd = meta.get(era::CAPABILITIES_KEY).is_some_and(|given| {
        given.is_object() && from_value::<ClientCapabilities>(given.clone()).is_err()
    });
    if odd {
        meta.insert(era::CAPABILITIES_KEY.into(), json!({}));
    }
    Ok(())
}

fn rewritten(request: &envelope::Request) -> Bytes {
    let message = json!({
        "jsonrpc": "2.0",
        "id": request.id.to_value(),
        "method": request.method,
        "params": request.params,
    });
    message.to_string().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sifted(text: &str) -> Result<(Value, Option<RawCall>), Value> {
        let sifted = sift(&Bytes::copy_from_slice(text.as_bytes()))?;
        Ok((serde_json::from_slice(&sifted.body).expect("JSON"), sifted.call))
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
    fn odd_metadata_are_no_fault_but_a_nameless_client_is() {
        let with = |meta: Value| {
            let request = json!({
                "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta},
            });
            sifted(&request.to_string())
        };
        let (body, _) = with(json!({
            "progressToken": {"x": 1},
            "io.modelcontextprotocol/clientCapabilities": {"roots": 5},
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1", "icons": 3},
            "traceparent": 4,
        }))
        .expect("let through");
        assert_eq!(
            body["params"]["_meta"],
            json!({"io.modelcontextprotocol/clientCapabilities": {}, "traceparent": 4})
        );
        let refused = with(json!({"io.modelcontextprotocol/clientInfo": {"name": "t"}}));
        assert_eq!(refused.expect_err("refused")["error"]["code"], -32602);
    }
}
