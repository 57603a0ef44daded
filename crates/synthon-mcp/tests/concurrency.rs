//! Several requests at once, progress, cancelling and the end of input, with a real process.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A client of a server process, which is killed when the test ends.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    answers: Receiver<(Instant, Value)>,
}

/// The server of the fixture tools; cargo builds the examples of a package before its tests run.
fn program() -> PathBuf {
    let mut folder = std::env::current_exe().expect("a test has a path");
    folder.pop();
    folder.pop();
    folder.join("examples").join(format!("fixture_server{}", std::env::consts::EXE_SUFFIX))
}

impl Client {
    fn spawn() -> (Self, ChildStdout) {
        let mut child = Command::new(program())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect(
                "the example server is built (with --test alone: cargo build --examples first)",
            );
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is piped");
        let (_, answers) = channel();
        (Client { child, stdin, answers }, stdout)
    }

    /// A client that is past its handshake.
    fn legacy(revision: &str) -> Self {
        let mut client = Self::listening();
        client.send(&json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {"protocolVersion": revision},
        }));
        client.next();
        client
    }

    /// A client that hears the answers, on a fresh connection.
    fn listening() -> Self {
        let (mut client, stdout) = Self::spawn();
        let (sender, answers) = channel();
        client.answers = answers;
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { return };
                let value = serde_json::from_str(&line).expect("stdout holds only JSON");
                if sender.send((Instant::now(), value)).is_err() {
                    return;
                }
            }
        });
        client
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(format!("{message}\n").as_bytes()).expect("the server reads");
    }

    fn slow(&mut self, id: impl Into<Value>, seconds: u64, token: Option<Value>) {
        let mut params = json!({"name": "slow_count", "arguments": {"seconds": seconds}});
        if let Some(token) = token {
            params["_meta"] = json!({"progressToken": token});
        }
        self.send(&json!({
            "jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params,
        }));
    }

    fn quick(&mut self, id: impl Into<Value>) {
        self.send(&json!({
            "jsonrpc": "2.0", "id": id.into(), "method": "tools/call",
            "params": {"name": "count_atoms", "arguments": {"formula": "CH4"}},
        }));
    }

    fn cancel(&mut self, id: impl Into<Value>) {
        self.send(&json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": id.into(), "reason": "enough", "_meta": {}},
        }));
    }

    fn next(&mut self) -> (Instant, Value) {
        self.answers.recv_timeout(Duration::from_secs(20)).expect("an answer comes")
    }

    fn nothing_within(&mut self, wait: Duration) {
        match self.answers.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) => {}
            other => panic!("expected silence, got {other:?}"),
        }
    }

    /// Closes the input and gives the time until the process has ended, which must be well.
    fn end(&mut self) -> Duration {
        let started = Instant::now();
        drop(self.stdin.take());
        let status = self.child.wait().expect("the server ends");
        assert!(status.success(), "{status}");
        started.elapsed()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn c1_a_quick_call_overtakes_slow_ones() {
    let mut client = Client::legacy("2025-11-25");
    client.slow("a", 2, None);
    client.quick("b");
    client.slow("c", 1, None);
    let order: Vec<Value> = (0..3).map(|_| client.next().1["id"].clone()).collect();
    assert_eq!(order, ["b", "c", "a"]);
}

#[test]
fn c2_nothing_is_lost_under_pressure_and_cancelling_still_works() {
    let mut client = Client::legacy("2024-11-05");
    for id in 1..=70 {
        client.slow(id, 60, None);
    }
    for id in 1_000..3_000 {
        client.quick(id);
    }
    // The quick ones wait behind 70 slow ones; the cancellations come after them all.
    for id in 1..=70 {
        client.cancel(id);
    }
    let mut answered: Vec<i64> =
        (0..2_000).map(|_| client.next().1["id"].as_i64().expect("a number")).collect();
    answered.sort_unstable();
    assert!(answered.into_iter().eq(1_000..3_000));
}

#[test]
fn c3_progress_comes_with_the_token_rises_and_ends_before_the_answer() {
    for (revision, token) in [("2024-11-05", json!(7)), ("2025-11-25", json!("tok"))] {
        let mut client = Client::legacy(revision);
        client.slow(5, 2, Some(token.clone()));
        let mut seen = Vec::new();
        let answer = loop {
            let (_, message) = client.next();
            if message.get("id").is_some() {
                break message;
            }
            assert_eq!(message["method"], "notifications/progress");
            let params = &message["params"];
            assert_eq!((&params["progressToken"], &params["total"]), (&token, &json!(20.0)));
            assert_eq!(params.get("message").is_some(), revision == "2025-11-25");
            seen.push(params["progress"].as_f64().expect("a number"));
        };
        assert_eq!(seen, [5.0, 10.0, 15.0]);
        assert_eq!(answer["id"], 5);
        client.nothing_within(Duration::from_millis(300));
    }
}

#[test]
fn c3_and_c5_hold_without_a_handshake_too() {
    let mut client = Client::listening();
    let slow = |id: &str, seconds: u64, token: Value| {
        json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {
                "name": "slow_count", "arguments": {"seconds": seconds},
                "_meta": {
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                    "progressToken": token,
                },
            },
        })
    };
    client.send(&slow("a", 1, json!("t")));
    let (_, progress) = client.next();
    assert_eq!(progress["params"]["progressToken"], "t");
    assert!(progress["params"]["message"].is_string());
    assert_eq!(client.next().1["result"]["structuredContent"]["steps"], 10);
    // Tokens that are none: served, and silent.
    client.send(&slow("b", 1, json!({"x": 1})));
    assert_eq!(client.next().1["id"], "b");
    client.send(&slow("c", 60, json!(8)));
    assert_eq!(client.next().1["params"]["progressToken"], 8);
    client.cancel("c");
    // What was on its way may still come, then nothing.
    thread::sleep(Duration::from_millis(200));
    while client.answers.try_recv().is_ok() {}
    client.nothing_within(Duration::from_millis(1_200));
    assert!(client.end() < Duration::from_secs(2), "the work had stopped");
}

#[test]
fn c4_no_token_no_progress() {
    let mut client = Client::legacy("2025-11-25");
    client.slow(5, 1, None);
    assert_eq!(client.next().1["id"], 5);
}

#[test]
fn c5_a_cancelled_call_is_silent_and_its_id_is_free_at_once() {
    let mut client = Client::legacy("2025-11-25");
    client.slow("a", 5, Some(json!(1)));
    thread::sleep(Duration::from_millis(300));
    client.cancel("a");
    client.quick("a");
    let (_, answer) = client.next();
    assert_eq!(answer["result"]["structuredContent"]["atoms"], 5);
    client.nothing_within(Duration::from_millis(1_000));
    assert!(client.end() < Duration::from_secs(2), "the work had stopped");
}

#[test]
fn c6_cancelling_what_is_not_there_does_nothing() {
    let mut client = Client::legacy("2025-11-25");
    client.slow(9, 1, None);
    client.cancel("9");
    client.cancel(10);
    client.cancel(0);
    client.cancel(json!(null));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": [9]}));
    assert_eq!(client.next().1["id"], 9);
}

#[test]
fn c7_cancelling_first_pins_nothing() {
    let (mut client, stdout) = Client::spawn();
    client.cancel(1);
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize"}));
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).expect("an answer");
    let answer: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(answer["result"]["protocolVersion"], "2024-11-05");
}

#[test]
fn c8_calls_get_five_seconds_after_the_end_of_input() {
    let mut client = Client::legacy("2025-11-25");
    client.slow(1, 2, Some(json!("p")));
    let waited = client.end();
    let messages: Vec<Value> = client.answers.iter().map(|(_, message)| message).collect();
    assert_eq!(messages.last().expect("an answer")["id"], 1);
    assert!(messages.len() > 1, "progress went on");
    assert!((1_800..4_000).contains(&waited.as_millis()), "{waited:?}");

    let mut client = Client::legacy("2025-11-25");
    client.slow(1, 20, None);
    let waited = client.end();
    assert_eq!(client.answers.iter().count(), 0);
    assert!((4_800..8_000).contains(&waited.as_millis()), "{waited:?}");
}

#[test]
fn c9_it_ends_at_once_when_idle() {
    let (mut client, _stdout) = Client::spawn();
    let waited = client.end();
    assert!(waited < Duration::from_secs(1), "{waited:?}");
    // All that was answered goes out first.
    let mut client = Client::legacy("2025-11-25");
    for id in 1..=500 {
        client.quick(id);
    }
    client.end();
    assert_eq!(client.answers.iter().count(), 500);
}

#[test]
fn c8_calls_that_wait_are_answered_too() {
    let mut client = Client::legacy("2025-11-25");
    // More than run at the same time.
    for id in 1..=20 {
        client.slow(id, 1, None);
    }
    client.end();
    assert_eq!(client.answers.iter().count(), 20);
}

#[test]
fn c10_a_closed_output_ends_it() {
    let (mut client, stdout) = Client::spawn();
    drop(stdout);
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    let status = client.child.wait().expect("the server ends");
    assert!(status.success(), "{status}");
}

#[cfg(unix)]
#[test]
fn c11_signals_end_it_at_once() {
    use std::os::unix::process::ExitStatusExt;
    for (name, number) in [("TERM", 15), ("INT", 2)] {
        let mut client = Client::legacy("2025-11-25");
        client.slow(1, 30, None);
        thread::sleep(Duration::from_millis(200));
        let began = Instant::now();
        let id = client.child.id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &id]).status().expect("kill");
        assert!(sent.success());
        let status = client.child.wait().expect("the server ends");
        assert_eq!(status.signal(), Some(number), "{status}");
        assert!(began.elapsed() < Duration::from_secs(1));
    }
}

#[test]
fn c12_starting_leaves_nothing_behind() {
    let folder = std::env::temp_dir().join(format!("synthon-start-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut child = Command::new(program())
        .current_dir(&folder)
        .env_clear()
        .envs(["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"].map(|name| (name, &folder)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the example server is built");
    let discover = json!({
        "jsonrpc": "2.0", "id": 1, "method": "server/discover",
        "params": {"_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }},
    });
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(format!("{discover}\n").as_bytes()).expect("the server reads");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an answer");
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(line.contains("supportedVersions"), "{line}");
    let left: Vec<_> = std::fs::read_dir(&folder).expect("the folder").collect();
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(left.is_empty(), "{left:?}");
}
