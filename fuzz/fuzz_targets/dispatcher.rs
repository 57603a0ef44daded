//! Any tool with any JSON: never a panic, and never a reply over its limit.
//!
//! The first byte chooses the tool, the rest is the arguments; what is no JSON is put into the
//! tool's required texts as it is.
#![no_main]

use std::sync::LazyLock;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};
use synthon_budget::CancelFlag;
use synthon_tools::{CallContext, Catalogue, MAX_RESULT_BYTES, Registry, ToolErrorKind};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::default);

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let registry = Registry::standard();
    let tool = registry.tools()[choice as usize % registry.tools().len()];
    let arguments = serde_json::from_slice(rest).unwrap_or_else(|_| {
        let text = String::from_utf8_lossy(rest);
        let required = tool.arguments.iter().filter(|argument| argument.required);
        let mut parts = text.split('\n').chain(std::iter::repeat("CC(=O)Nc1ccc(O)cc1"));
        let texts: Map<String, Value> = required
            .map(|argument| {
                let part: Value = parts.next().unwrap_or_default().into();
                let list = argument.kind.json_type() == "array";
                (argument.name.to_owned(), if list { vec![part].into() } else { part })
            })
            .collect();
        Value::Object(texts)
    });
    let context =
        CallContext::limited(&CATALOGUE, Duration::from_millis(700), CancelFlag::new());
    match registry.call(tool.name, &arguments, &context) {
        Ok(reply) => {
            assert!(!reply.text.is_empty());
            assert!(Value::Object(reply.structured).to_string().len() <= MAX_RESULT_BYTES);
        }
        Err(error) => assert_ne!(error.kind(), ToolErrorKind::Internal, "{}: {error}", tool.name),
    }
});
