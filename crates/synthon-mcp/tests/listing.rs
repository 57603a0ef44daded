//! What each protocol revision shows of the tools that are really served.

use std::io::{BufRead, BufReader, Write, pipe};
use std::thread;

use serde_json::{Value, json};
use synthon_mcp::{Settings, serve};

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// The answer to `tools/list` in a revision, as it came.
fn list(revision: &str, settings: Settings) -> (String, Value) {
    let (to_server, mut client_out) = pipe().expect("the system makes pipes");
    let (client_in, from_server) = pipe().expect("the system makes pipes");
    let server = thread::spawn(move || serve(settings, to_server, from_server));
    let mut params = json!({});
    if revision == "2026-07-28" {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    } else {
        let hello = json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {"protocolVersion": revision},
        });
        client_out.write_all(format!("{hello}\n").as_bytes()).expect("the server reads");
    }
    let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
    client_out.write_all(format!("{ask}\n").as_bytes()).expect("the server reads");
    drop(client_out);
    let line = BufReader::new(client_in).lines().last().expect("an answer").expect("text");
    server.join().expect("no panic").expect("the server starts");
    let answer: Value = serde_json::from_str(&line).expect("JSON");
    (line, answer["result"].clone())
}

#[test]
fn each_revision_shows_what_it_has() {
    for revision in REVISIONS {
        let (line, result) = list(revision, Settings::default());
        let tools = result["tools"].as_array().expect("a list");
        assert!(!tools.is_empty());
        for tool in tools {
            let has = |key: &str| tool.get(key).is_some();
            let input = &tool["inputSchema"];
            assert!(has("name") && has("description") && input["type"] == "object");
            assert_eq!(has("annotations"), revision >= "2025-03-26", "{revision}");
            assert_eq!(has("title"), revision >= "2025-06-18", "{revision}");
            assert_eq!(has("outputSchema"), revision >= "2025-06-18", "{revision}");
            let strict = revision >= "2025-11-25";
            assert_eq!(input.get("$schema").is_some(), strict, "{revision}");
            assert_eq!(input.get("additionalProperties").is_some(), strict, "{revision}");
            if has("annotations") {
                assert_eq!(
                    tool["annotations"],
                    json!({
                        "readOnlyHint": true, "destructiveHint": false,
                        "idempotentHint": true, "openWorldHint": false,
                    })
                );
            }
        }
        assert_eq!(line.contains("additionalProperties"), revision >= "2025-11-25", "{revision}");
        assert!(!line.contains("draft-07"));
    }
}

#[test]
fn two_lists_are_the_same_bytes() {
    for revision in REVISIONS {
        assert_eq!(list(revision, Settings::default()).0, list(revision, Settings::default()).0);
    }
}

#[test]
fn chosen_tools_are_private() {
    let mut settings = Settings::default();
    settings.registry = settings.registry.only(|tool| tool.name == "find_routes");
    settings.tools_are_chosen = true;
    let (_, result) = list("2026-07-28", settings);
    assert_eq!(result["tools"].as_array().expect("a list").len(), 1);
    assert_eq!(result["cacheScope"], "private");
}

#[test]
fn configured_sources_are_named_where_they_are_asked_for() {
    let (_, result) = list("2025-11-25", Settings::default());
    let tools = result["tools"].as_array().expect("a list");
    let routes = tools.iter().find(|tool| tool["name"] == "find_routes").expect("the tool");
    for argument in ["library", "coverage_templates", "stock"] {
        let property = &routes["inputSchema"]["properties"][argument];
        let text = property["description"].as_str().expect("a description");
        assert!(text.contains(" Configured: "), "{text}");
    }
    let stock = &routes["inputSchema"]["properties"]["stock"];
    let default = stock["default"].as_str().expect("a default");
    assert!(stock["description"].as_str().expect("text").contains(default));
}
