//! Clients that are slow, broken or hostile.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use synthon_mcp::Settings;
use synthon_tools::fixtures;

use crate::client::{
    JSON, ask_modern, list_with, modern, open_session, post, read_reply, send, start, start_with,
};

const SESSION: &str = "mcp-session-id";

fn connect(at: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(at).expect("connects");
    stream.set_read_timeout(Some(Duration::from_secs(25))).expect("a timeout");
    stream
}

/// Sends raw text and gives the status, 0 when the connection is closed without an answer.
fn raw(at: SocketAddr, text: &str) -> u16 {
    let mut stream = connect(at);
    let _ = stream.write_all(text.as_bytes());
    read_reply(&mut stream).status
}

fn still_serves(at: SocketAddr) {
    assert_eq!(ask_modern(at, "tools/list", json!({})).status, 200);
}

fn in_session<'a>(session: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[(SESSION, session), ("mcp-protocol-version", "2025-11-25")][..], more].concat()
}

fn call(id: impl Into<Value>, name: &str, arguments: Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": id.into(), "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    })
}

#[test]
fn heads_that_are_no_heads() {
    let at = start(|_| {});
    let host = format!("host: {at}\r\nconnection: close\r\n");
    for text in
        ["\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
    {
        let status = raw(at, text);
        assert!(status == 0 || (400..500).contains(&status), "{text:?}: {status}");
    }
    // No Host, two of them, one that is none.
    for host in ["", "host: evil.example\r\nhost: localhost\r\n", "host: a b\r\n", "host: \r\n"] {
        let status = raw(at, &format!("GET /mcp HTTP/1.1\r\nconnection: close\r\n{host}\r\n"));
        assert!((400..500).contains(&status), "{host:?}: {status}");
    }
    let long = format!("GET /mcp HTTP/1.1\r\n{host}x: {}\r\n\r\n", "x".repeat(100_000));
    assert!(matches!(raw(at, &long), 0 | 431));
    let many = format!("GET /mcp HTTP/1.1\r\n{host}{}\r\n", "x: y\r\n".repeat(2_000));
    assert!(matches!(raw(at, &many), 0 | 431));
    let path = format!("GET /{} HTTP/1.1\r\n{host}\r\n", "x".repeat(100_000));
    assert!(matches!(raw(at, &path), 0 | 400..=499));
    // Lengths that lie, and two ways to tell one.
    for lengths in [
        "content-length: -1\r\n",
        "content-length: 99999999999999999999\r\n",
        "content-length: 5\r\ncontent-length: 6\r\n",
    ] {
        let status = raw(at, &format!("POST /mcp HTTP/1.1\r\n{host}{lengths}\r\n{{}}"));
        assert!(status == 0 || (400..500).contains(&status), "{lengths:?}: {status}");
    }
    still_serves(at);
}

#[test]
fn bodies_that_do_not_end() {
    let at = start(|_| {});
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {at}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n"
    );
    // Chunks without end, past the limit.
    let mut stream = connect(at);
    let begin = format!("{head}transfer-encoding: chunked\r\n\r\n");
    stream.write_all(begin.as_bytes()).expect("it reads");
    let chunk = format!("{:x}\r\n{}\r\n", 65_536, "x".repeat(65_536));
    let refused = (0..64).any(|_| stream.write_all(chunk.as_bytes()).is_err());
    let status = read_reply(&mut stream).status;
    assert!(status == 413 || (refused && status == 0), "{status}");
    // A head that stops, and a body that stops: both are given up.
    let began = Instant::now();
    let mut halves: Vec<TcpStream> = ["", &format!("{head}content-length: 500\r\n\r\n{{\"a")]
        .into_iter()
        .map(|rest| {
            let mut stream = connect(at);
            let text = if rest.is_empty() { "POST /mcp HTTP/1.1\r\nhos" } else { rest };
            stream.write_all(text.as_bytes()).expect("it reads");
            stream
        })
        .collect();
    // Nothing sent at all.
    halves.push(connect(at));
    let statuses: Vec<u16> = halves.iter_mut().map(|half| read_reply(half).status).collect();
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert!(statuses.iter().all(|status| matches!(status, 0 | 408)), "{statuses:?}");
    assert_eq!(statuses[1], 408);
    still_serves(at);
}

#[test]
fn slow_clients_do_not_keep_others_out() {
    let at = start(|_| {});
    let idle: Vec<TcpStream> = (0..100).map(|_| connect(at)).collect();
    still_serves(at);
    drop(idle);
}

#[test]
fn only_this_machine_and_its_pages_are_let_in() {
    let at = start(|_| {});
    let with = |name: &str, value: &str| list_with(at, (name, value));
    let port = at.port();
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]", &format!("127.0.0.1:{port}")] {
        assert_eq!(with("host", host), 200, "{host}");
    }
    for host in [
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:80",
        "0.0.0.0",
        "127.0.0.2",
        "user@evil.example",
        "[::2]",
    ] {
        assert!(matches!(with("host", host), 400 | 403), "{host}");
    }
    for origin in
        ["http://localhost", "http://localhost:3000", "http://127.0.0.1:1", "http://[::1]:9"]
    {
        assert_eq!(with("origin", origin), 200, "{origin}");
    }
    for origin in [
        "null",
        "https://localhost",
        "http://localhost.evil.example",
        "http://evil.example#http://localhost",
        "http://localhost@evil.example",
        "file://",
        "chrome-extension://x",
        "",
    ] {
        assert_eq!(with("origin", origin), 403, "{origin:?}");
    }
    // The other methods are guarded too.
    for method in ["GET", "DELETE"] {
        let headers = [("host", "evil.example"), ("accept", "text/event-stream")];
        assert_eq!(send(at, method, "/mcp", &headers, "").status, 403, "{method}");
        let headers = [("origin", "https://evil.example"), ("accept", "text/event-stream")];
        assert_eq!(send(at, method, "/mcp", &headers, "").status, 403, "{method}");
    }
}

#[test]
fn a_token_opens_every_method_and_nothing_else_does() {
    let token = "0123456789abcdef-secret";
    let at = start(|http| http.token = Some(token.to_owned()));
    let list = modern("tools/list", json!({}));
    let with = |given: &str| {
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/list"),
            ("authorization", given),
        ];
        post(at, &headers, &list).status
    };
    for right in [format!("Bearer {token}"), format!("bearer {token}"), format!("BEARER  {token}")]
    {
        assert_eq!(with(&right), 200, "{right}");
    }
    for wrong in [
        "".to_owned(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        token.to_owned(),
        format!("Basic {token}"),
        format!("Bearer {token}x"),
        format!("Bearer {}", &token[..token.len() - 1]),
        format!("Bearer {}", token.to_uppercase()),
        format!("Bearer {token} {token}"),
    ] {
        assert_eq!(with(&wrong), 401, "{wrong}");
    }
    for method in ["GET", "DELETE", "PUT", "OPTIONS"] {
        let refused = send(at, method, "/mcp", &[], "");
        assert_eq!(refused.status, 401, "{method}");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
    }
}

#[test]
fn sessions_are_unguessable_limited_and_end() {
    let at = start(|http| http.requests_per_second = 100_000);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let first = open_session(at);
    assert_eq!(post(at, &in_session(&first, &[]), &list).status, 200);
    for wrong in ["0", "", &first.to_uppercase(), &first[1..], &"x".repeat(5_000)] {
        let status = post(at, &in_session(wrong, &[]), &list).status;
        assert!(
            status == 404 || (wrong.to_lowercase() == first && status == 200),
            "{wrong}: {status}"
        );
    }
    // Without a session nothing but a handshake is answered.
    assert!((400..500).contains(&post(at, &[], &list).status));
    // The end of a session.
    assert_eq!(send(at, "DELETE", "/mcp", &in_session(&first, &[]), "").status / 100, 2);
    assert_eq!(post(at, &in_session(&first, &[]), &list).status, 404);
    assert_eq!(send(at, "DELETE", "/mcp", &in_session(&first, &[]), "").status, 404);
    assert!((400..500).contains(&send(at, "DELETE", "/mcp", &[], "").status));
    // No more than so many at a time.
    let handshake = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}});
    let mut open = BTreeSet::new();
    let refused = loop {
        let opened = post(at, &[], &handshake);
        match opened.header(SESSION) {
            Some(session) => assert!(open.insert(session.to_owned()), "an id was given out twice"),
            None => break opened,
        }
        assert!(open.len() <= 1_000);
    };
    assert_eq!(refused.status, 503);
    assert!(refused.header("retry-after").is_some());
    let one = open.pop_first().expect("a session");
    assert_eq!(post(at, &in_session(&one, &[]), &list).status, 200);
    assert_eq!(send(at, "DELETE", "/mcp", &in_session(&one, &[]), "").status / 100, 2);
    assert_eq!(post(at, &[], &handshake).status, 200);
}

#[test]
fn streams_of_a_session() {
    let at = start(|_| {});
    let session = open_session(at);
    let stream = |more: &[(&str, &str)]| {
        let mut stream = connect(at);
        let mut head = format!("GET /mcp HTTP/1.1\r\nhost: {at}\r\n");
        for (name, value) in more {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).expect("it reads");
        let mut bytes = [0; 1_024];
        let read = stream.read(&mut bytes).unwrap_or(0);
        let text = String::from_utf8_lossy(&bytes[..read]).into_owned();
        text.split(' ').nth(1).and_then(|code| code.parse::<u16>().ok()).unwrap_or(0)
    };
    let listens = ("accept", "text/event-stream");
    assert_eq!(stream(&in_session(&session, &[listens])), 200);
    assert_eq!(stream(&in_session(&session, &[])), 406);
    assert_eq!(stream(&in_session("nope", &[listens])), 404);
    assert!((400..500).contains(&stream(&[listens])));
    // Places to resume from that were never given out.
    for place in ["0", "-1", "99999999999999999999/5", "x/y/z", "1/0", "\u{7f}"] {
        let status = stream(&in_session(&session, &[listens, ("last-event-id", place)]));
        assert!(status < 500, "{place:?}: {status}");
    }
    still_serves(at);
}

#[test]
fn one_id_twice_in_a_session_gets_two_answers() {
    let at = start(|_| {});
    let session = open_session(at);
    let headers = in_session(&session, &[]);
    let slow = {
        let headers: Vec<(String, String)> =
            headers.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        thread::spawn(move || {
            let headers: Vec<(&str, &str)> =
                headers.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            post(at, &headers, &call(5, "slow_count", json!({"seconds": 2})))
        })
    };
    thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    let second = post(at, &headers, &call(5, "count_atoms", json!({"formula": "CH4"})));
    assert!(began.elapsed() < Duration::from_secs(10), "the second is answered or refused");
    let first = slow.join().expect("no panic");
    let answer = first.answer();
    assert_eq!(answer["result"]["structuredContent"]["steps"], 20, "{}", first.body);
    let refused = second.status >= 400 || second.answer().get("error").is_some();
    assert!(
        refused || second.answer()["result"]["structuredContent"]["atoms"] == 5,
        "{}",
        second.body
    );
}

#[test]
fn cancelling_and_leaving_free_the_worker() {
    let settings = Settings { registry: fixtures::registry(), max_jobs: 1, ..Settings::default() };
    let at = start_with(settings, |_| {});
    let quick = |at| {
        let began = Instant::now();
        let params = json!({"name": "count_atoms", "arguments": {"formula": "CH4"}});
        assert_eq!(ask_modern(at, "tools/call", params).status, 200);
        began.elapsed()
    };
    // A stateless call whose client goes away.
    let mut stream = connect(at);
    let body = {
        let mut call =
            modern("tools/call", json!({"name": "slow_count", "arguments": {"seconds": 50}}));
        call["params"]["_meta"]["progressToken"] = 1.into();
        call.to_string()
    };
    let mut head =
        format!("POST /mcp HTTP/1.1\r\nhost: {at}\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in JSON.iter().chain(&[
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
        ("mcp-name", "slow_count"),
    ]) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n{body}").as_bytes()).expect("it reads");
    thread::sleep(Duration::from_millis(700));
    drop(stream);
    let waited = quick(at);
    assert!(waited < Duration::from_secs(3), "{waited:?}");
    // A call of a session that is cancelled.
    let session = open_session(at);
    let running = {
        let session = session.clone();
        thread::spawn(move || {
            let slow = call("s", "slow_count", json!({"seconds": 50}));
            post(at, &in_session(&session, &[]), &slow).body
        })
    };
    thread::sleep(Duration::from_millis(700));
    let cancel = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "s"},
    });
    assert_eq!(post(at, &in_session(&session, &[]), &cancel).status, 202);
    let waited = quick(at);
    assert!(waited < Duration::from_secs(3), "{waited:?}");
    // The end of the session ends the stream of the call.
    send(at, "DELETE", "/mcp", &in_session(&session, &[]), "");
    let body = running.join().expect("no panic");
    assert!(!body.contains("structuredContent"), "{body}");
}

#[test]
fn a_reader_that_stops_is_no_harm_to_others() {
    let at = start(|_| {});
    let body = modern("tools/list", json!({})).to_string();
    let mut stream = connect(at);
    let mut head =
        format!("POST /mcp HTTP/1.1\r\nhost: {at}\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in
        JSON.iter().chain(&[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")])
    {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    // Asks and asks, and takes nothing: in the end the server stops reading, too. The buffers of
    // the system alone may hold some ten megabytes.
    stream.set_write_timeout(Some(Duration::from_secs(2))).expect("a timeout");
    let whole = format!("{head}\r\n{body}");
    let stuck = (0..200_000).any(|_| stream.write_all(whole.as_bytes()).is_err());
    assert!(stuck, "it goes on reading without being read");
    thread::sleep(Duration::from_secs(5));
    still_serves(at);
}

/// A server as a process of its own, that can be told to end.
#[cfg(unix)]
struct Process {
    child: std::process::Child,
    at: SocketAddr,
}

#[cfg(unix)]
impl Process {
    fn start() -> Self {
        use std::io::{BufRead, BufReader};
        use std::process::{Command, Stdio};
        // Cargo builds the examples of a package before its tests run.
        let mut folder = std::env::current_exe().expect("a test has a path");
        folder.pop();
        folder.pop();
        let mut child = Command::new(folder.join("examples/fixture_server"))
            .arg("http")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the example server is built");
        let mut line = String::new();
        let stderr = child.stderr.as_mut().expect("a pipe");
        BufReader::new(stderr).read_line(&mut line).expect("an address");
        let at = line.trim().parse().expect("an address");
        Process { child, at }
    }

    fn terminate(&self) {
        let id = self.child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-TERM", &id]).status();
        assert!(sent.expect("kill").success());
    }

    /// The time until it has ended, which must be well.
    fn wait(&mut self) -> Duration {
        let began = Instant::now();
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}");
        began.elapsed()
    }
}

#[cfg(unix)]
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
#[test]
fn ending_lets_calls_finish_and_waits_for_nothing_else() {
    // Idle connections and streams that wait for messages hold nothing up.
    let mut server = Process::start();
    let _idle = connect(server.at);
    let session = open_session(server.at);
    let mut stream = connect(server.at);
    let head = format!(
        "GET /mcp HTTP/1.1\r\nhost: {}\r\naccept: text/event-stream\r\n{SESSION}: {session}\r\n\r\n",
        server.at
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    assert!(stream.read(&mut [0; 16]).expect("it answers") > 0);
    server.terminate();
    let waited = server.wait();
    assert!(waited < Duration::from_secs(3), "{waited:?}");

    // Calls of both eras are answered.
    let mut server = Process::start();
    let at = server.at;
    let session = open_session(at);
    let calls = [
        thread::spawn(move || {
            let params = json!({"name": "slow_count", "arguments": {"seconds": 2}});
            ask_modern(at, "tools/call", params)
        }),
        thread::spawn(move || {
            let slow = call(7, "slow_count", json!({"seconds": 2}));
            post(at, &in_session(&session, &[]), &slow)
        }),
    ];
    thread::sleep(Duration::from_millis(700));
    server.terminate();
    for call in calls {
        let reply = call.join().expect("no panic");
        let steps = &reply.answer()["result"]["structuredContent"]["steps"];
        assert_eq!(steps, 20, "{}", reply.body);
    }
    let waited = server.wait();
    assert!(waited < Duration::from_secs(3), "{waited:?}");

    // One that takes too long is cut off.
    let mut server = Process::start();
    let at = server.at;
    let long = thread::spawn(move || {
        let params = json!({"name": "slow_count", "arguments": {"seconds": 60}});
        ask_modern(at, "tools/call", params).body
    });
    thread::sleep(Duration::from_millis(700));
    server.terminate();
    let waited = server.wait();
    assert!((4..9).contains(&waited.as_secs()), "{waited:?}");
    let body = long.join().expect("no panic");
    assert!(!body.contains("structuredContent"), "{body}");
}
