//! The tools that the official conformance suite looks for by name. They exist behind a feature
//! that no program of ours is released with.

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolResult, ContentBlock, ErrorCode, ErrorData, JsonObject, ResourceContents,
    Tool as WireTool,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use synthon_tools::Progress;

use crate::handler::notify;
use crate::transport::RequestFacts;

/// A red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// No samples.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const MISSING_CAPABILITY: i32 = -32021;

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// The tools, beside our own.
pub(crate) fn tools() -> Vec<WireTool> {
    let names = [
        "test_simple_text",
        "test_image_content",
        "test_audio_content",
        "test_embedded_resource",
        "test_multiple_content_types",
        "test_error_handling",
        "test_tool_with_progress",
        "test_missing_capability",
        "test_streaming_elicitation",
        "test_logging_tool",
    ];
    let nothing = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let mut tools: Vec<WireTool> = names
        .into_iter()
        .map(|name| WireTool::new(name, "For the conformance suite.", object(nothing.clone())))
        .collect();
    // What a schema may hold has to come through as it is.
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    });
    tools.push(WireTool::new(
        "json_schema_2020_12_tool",
        "For the conformance suite.",
        object(schema),
    ));
    tools
}

/// Answers a call of one of them.
pub(crate) async fn call(
    facts: &RequestFacts,
    context: &RequestContext<RoleServer>,
) -> Option<Result<CallToolResult, ErrorData>> {
    let text = |text: &str| ContentBlock::text(text);
    let image = || ContentBlock::image(PNG, "image/png");
    let resource = |uri: &str, kind: &str, text: &str| {
        ContentBlock::resource(ResourceContents::TextResourceContents {
            uri: uri.into(),
            mime_type: Some(kind.into()),
            text: text.into(),
            meta: None,
        })
    };
    let content = match facts.name.as_ref()?.as_str()? {
        "test_simple_text" => vec![text("This is a simple text response for testing.")],
        "test_image_content" => vec![image()],
        "test_audio_content" => vec![ContentBlock::audio(WAV, "audio/wav")],
        "test_embedded_resource" => {
            let words = "This is an embedded resource content.";
            vec![resource("test://embedded-resource", "text/plain", words)]
        }
        "test_multiple_content_types" => {
            let data = r#"{"test":"data","value":123}"#;
            vec![
                text("Multiple content types test:"),
                image(),
                resource("test://mixed-content-resource", "application/json", data),
            ]
        }
        "test_error_handling" => {
            let words = "This tool intentionally returns an error for testing";
            return Some(Ok(CallToolResult::error(vec![text(words)])));
        }
        "test_tool_with_progress" => {
            for done in [0.0, 50.0, 100.0] {
                let progress = Progress { done, total: Some(100.0), message: "working".into() };
                notify(&context.peer, facts, progress).await;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            vec![text("done")]
        }
        "test_missing_capability" => {
            let declared = context.meta.client_capabilities();
            if declared.is_none_or(|declared| declared.sampling.is_none()) {
                return Some(Err(ErrorData::new(
                    ErrorCode(MISSING_CAPABILITY),
                    "Missing required client capability",
                    Some(json!({"requiredCapabilities": {"sampling": {}}})),
                )));
            }
            vec![text("sampling is declared")]
        }
        "test_streaming_elicitation" | "test_logging_tool" => vec![text("done")],
        "json_schema_2020_12_tool" => vec![text("done")],
        _ => return None,
    };
    let mut result = CallToolResult::success(content);
    result.is_error = None;
    Some(Ok(result))
}
