//! The HTTP door: who is let in, and what both eras get.
#![cfg(feature = "http")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use synthon_mcp::{HttpSettings, Settings, serve_http};
use synthon_tools::fixtures;

/// A server of the fixture tools at a free port; it lives as long as the test program.
fn start(change: impl FnOnce(&mut HttpSettings)) -> SocketAddr {
    let mut http = HttpSettings::at("127.0.0.1:0".parse().expect("an address"));
    change(&mut http);
    let (ready, address) = mpsc::channel();
    thread::spawn(move || {
        let settings = Settings { registry: fixtures::registry(), ..Settings::default() };
        serve_http(settings, http, |address| ready.send(address).expect("somebody waits"))
    });
    address.recv_timeout(Duration::from_secs(10)).expect("it listens")
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    /// The JSON-RPC messages, from a plain body or a stream of events.
    fn messages(&self) -> Vec<Value> {
        if self.body.trim_start().starts_with('{') {
            return vec![serde_json::from_str(self.body.trim()).expect("JSON")];
        }
        self.body
            .lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .filter_map(|data| serde_json::from_str(data.trim()).ok())
            .collect()
    }

    fn answer(&self) -> Value {
        let last = self.messages().into_iter().rfind(|message| message.get("id").is_some());
        last.unwrap_or_else(|| panic!("an answer in {}", self.body))
    }
}

fn send(at: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let mut stream = TcpStream::connect(at).expect("connects");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "host") {
        head.push_str(&format!("host: {at}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
    stream.write_all(head.as_bytes()).expect("writes");
    // A server that refuses early need not read everything.
    let _ = stream.write_all(body.as_bytes());
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

const JSON: [(&str, &str); 2] =
    [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];

fn post(at: SocketAddr, more: &[(&str, &str)], message: &Value) -> Reply {
    send(at, "POST", "/mcp", &[&JSON[..], more].concat(), &message.to_string())
}

fn modern(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

fn ask_modern(at: SocketAddr, method: &str, params: Value) -> Reply {
    let name = params["name"].as_str().unwrap_or("").to_owned();
    let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
    if !name.is_empty() {
        headers.push(("mcp-name", name.as_str()));
    }
    post(at, &headers, &modern(method, params))
}

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
    let list = modern("tools/list", json!({}));
    let with = |name: &str, value: &str| {
        let headers =
            [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list"), (name, value)];
        post(at, &headers, &list).status
    };
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
