//! The HTTP door: who is let in, and what both eras get.
#![cfg(feature = "http")]

mod breaking;
mod client;

use client::{JSON, ask_modern, list_with, modern, post, send, start};
use serde_json::{Value, json};
use synthon_mcp::{HttpSettings, Settings, serve_http};

#[test]
fn the_modern_era_is_stateless() {
    let at = start(|_| {});
    let listed = ask_modern(at, "tools/list", json!({}));
    assert_eq!(listed.status, 200, "{}", listed.body);
    let result = &listed.answer()["result"];
    assert_eq!(result["tools"].as_array().map(Vec::len), Some(2));
    assert_eq!((&result["resultType"], &result["ttlMs"]), (&json!("complete"), &json!(3_600_000)));
    assert!(listed.header("mcp-session-id").is_none());

    let call = |arguments: Value| {
        let params = json!({"name": "count_atoms", "arguments": arguments});
        ask_modern(at, "tools/call", params).answer()
    };
    let good = call(json!({"formula": "C9H8O4"}));
    assert_eq!(good["result"]["structuredContent"]["atoms"], 21);
    assert_eq!(call(json!({"formula": "CH"}))["result"]["isError"], true);
    let bad = call(json!({"formula": 5}));
    assert_eq!(bad["error"]["code"], -32602, "{bad}");
    assert_eq!(call(json!({"formula": "panic"}))["error"]["code"], -32603);
    let gone = ask_modern(at, "prompts/list", json!({}));
    assert_eq!((gone.status, &gone.answer()["error"]["code"]), (404, &json!(-32601)));
    assert_eq!(gone.answer()["error"]["message"], "Method not found");
}

#[test]
fn the_older_revisions_get_sessions() {
    let at = start(|_| {});
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let handshake = json!({
            "jsonrpc": "2.0", "id": "i", "method": "initialize",
            "params": {
                "protocolVersion": revision, "capabilities": {"roots": 5},
                "clientInfo": {"name": "t", "version": "1"},
            },
        });
        let opened = post(at, &[], &handshake);
        let answer = opened.answer();
        assert_eq!(answer["result"]["protocolVersion"], revision, "{}", opened.body);
        let session = opened.header("mcp-session-id").expect("a session").to_owned();
        let headers = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", revision)];
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(post(at, &headers, &ready).status, 202);
        let call = json!({
            "jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "count_atoms", "arguments": {"formula": "C9H8O4"}},
        });
        let result = post(at, &headers, &call).answer()["result"].clone();
        let structured = revision >= "2025-06-18";
        assert_eq!(result.get("structuredContent").is_some(), structured, "{revision}");
        assert!(result.get("_meta").is_none() && result.get("resultType").is_none());
        let unknown = json!({
            "jsonrpc": "2.0", "id": 3, "method": "tools/call",
            "params": {"name": 7, "arguments": []},
        });
        assert_eq!(post(at, &headers, &unknown).answer()["result"]["isError"], true);
        assert_eq!(send(at, "DELETE", "/mcp", &headers, "").status / 100, 2);
    }
}

#[test]
fn progress_comes_before_the_answer() {
    let at = start(|_| {});
    let mut call = modern("tools/call", json!({"name": "slow_count", "arguments": {"seconds": 2}}));
    call["params"]["_meta"]["progressToken"] = "p".into();
    let headers = [
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "slow_count"),
    ];
    let messages = post(at, &headers, &call).messages();
    assert!(messages.len() > 2, "{messages:?}");
    let (answer, progress) = messages.split_last().expect("messages");
    assert_eq!(answer["result"]["structuredContent"]["steps"], 20);
    assert!(progress.iter().all(|message| message["params"]["progressToken"] == "p"));
}

#[test]
fn strangers_are_refused() {
    let at = start(|_| {});
    let with = |name: &str, value: &str| list_with(at, (name, value));
    assert_eq!(with("origin", "https://evil.example"), 403);
    assert_eq!(with("host", "evil.example"), 403);
    assert_eq!(with("x-nothing", "1"), 200);
    assert_eq!(send(at, "POST", "/", &JSON, "{}").status, 404);
    assert_eq!(send(at, "PUT", "/mcp", &JSON, "{}").status, 405);
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(1_100_000));
    assert_eq!(send(at, "POST", "/mcp", &JSON, &long).status, 413);
    let deep = send(at, "POST", "/mcp", &JSON, &"[".repeat(500));
    assert_eq!(deep.status, 400);
    assert!(deep.body.contains("resource_exhausted"), "{}", deep.body);
    let broken = send(at, "POST", "/mcp", &JSON, "{");
    assert_eq!((broken.status, &broken.answer()["error"]["code"]), (400, &json!(-32700)));
}

#[test]
fn a_token_is_asked_for_where_there_is_one() {
    let token = "0123456789abcdef-secret";
    let at = start(|http| http.token = Some(token.to_owned()));
    let list = modern("tools/list", json!({}));
    let with = |given: Option<&str>| {
        let mut headers =
            vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
        headers.extend(given.map(|given| ("authorization", given)));
        post(at, &headers, &list).status
    };
    assert_eq!((with(None), with(Some("Bearer nope"))), (401, 401));
    assert_eq!(with(Some(&format!("Bearer {token}"))), 200);
}

#[test]
fn an_open_door_is_refused() {
    let refused = |address: &str, token: Option<&str>| {
        let mut http = HttpSettings::at(address.parse().expect("an address"));
        http.token = token.map(str::to_owned);
        serve_http(Settings::default(), http, |_| panic!("it listens")).is_err()
    };
    assert!(refused("0.0.0.0:0", None));
    assert!(refused("0.0.0.0:0", Some("short")));
}

#[test]
fn too_many_requests_are_put_off() {
    let at = start(|http| http.requests_per_second = 2);
    let list = modern("tools/list", json!({}));
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")];
    let statuses: Vec<u16> = (0..20).map(|_| post(at, &headers, &list).status).collect();
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
}
