//! A client that says exactly what a test wants, byte for byte.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use synthon_mcp::{HttpSettings, Settings, serve_http};
use synthon_tools::fixtures;

/// A server of the fixture tools at a free port; it lives as long as the test program.
pub fn start(change: impl FnOnce(&mut HttpSettings)) -> SocketAddr {
    start_with(Settings { registry: fixtures::registry(), ..Settings::default() }, change)
}

/// The same with other settings.
pub fn start_with(settings: Settings, change: impl FnOnce(&mut HttpSettings)) -> SocketAddr {
    let mut http = HttpSettings::at("127.0.0.1:0".parse().expect("an address"));
    change(&mut http);
    let (ready, address) = mpsc::channel();
    thread::spawn(move || {
        serve_http(settings, http, |address| ready.send(address).expect("somebody waits"))
    });
    address.recv_timeout(Duration::from_secs(10)).expect("it listens")
}

pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    /// The JSON-RPC messages, from a plain body or a stream of events.
    pub fn messages(&self) -> Vec<Value> {
        if self.body.trim_start().starts_with('{') {
            return vec![serde_json::from_str(self.body.trim()).expect("JSON")];
        }
        self.body
            .lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .filter_map(|data| serde_json::from_str(data.trim()).ok())
            .collect()
    }

    pub fn answer(&self) -> Value {
        let last = self.messages().into_iter().rfind(|message| message.get("id").is_some());
        last.unwrap_or_else(|| panic!("an answer in {}", self.body))
    }
}

pub fn send(
    at: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Reply {
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
    read_reply(&mut stream)
}

/// Reads until the server closes the connection.
pub fn read_reply(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Reply { status, head: head.to_owned(), body: body.to_owned() }
}

pub const JSON: [(&str, &str); 2] =
    [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];

pub fn post(at: SocketAddr, more: &[(&str, &str)], message: &Value) -> Reply {
    send(at, "POST", "/mcp", &[&JSON[..], more].concat(), &message.to_string())
}

pub fn modern(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

/// The status of a list of the tools, asked for with one more header.
pub fn list_with(at: SocketAddr, header: (&str, &str)) -> u16 {
    let headers = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list"), header];
    post(at, &headers, &modern("tools/list", json!({}))).status
}

pub fn ask_modern(at: SocketAddr, method: &str, params: Value) -> Reply {
    let name = params["name"].as_str().unwrap_or("").to_owned();
    let mut headers = vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)];
    if !name.is_empty() {
        headers.push(("mcp-name", name.as_str()));
    }
    post(at, &headers, &modern(method, params))
}

/// Opens a session and gives its id.
pub fn open_session(at: SocketAddr) -> String {
    let handshake = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    });
    let opened = post(at, &[], &handshake);
    assert_eq!(opened.status, 200, "{}", opened.body);
    opened.header("mcp-session-id").expect("a session").to_owned()
}
