//! Any bytes as standard input: the server must end, and say nothing but JSON-RPC.
#![no_main]

use std::collections::BTreeSet;
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use synthon_mcp::{Settings, serve};
use synthon_tools::fixtures;

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics here").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Any panic ends the run, save the one that a fixture is asked for: the server has to catch it.
fn let_the_fixture_panic() {
    let abort = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload_as_str() != Some("the fixture was asked to panic") {
            abort(panic);
        }
    }));
}

fuzz_target!(init: let_the_fixture_panic(), |data: &[u8]| {
    let out = Sink::default();
    let settings = Settings {
        registry: fixtures::registry(),
        grace: Duration::from_millis(100),
        call_timeout: Duration::from_millis(50),
        ..Settings::default()
    };
    serve(settings, Cursor::new(data.to_vec()), out.clone()).expect("the server runs");
    let written = out.0.lock().expect("nobody panics here");
    let mut answered = BTreeSet::new();
    for line in written.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let answer: Value = serde_json::from_slice(line).expect("a line is JSON");
        assert_eq!(answer["jsonrpc"], "2.0");
        if answer.get("method").is_some() {
            continue;
        }
        assert!(answer.get("result").is_some() != answer.get("error").is_some());
        if answer["error"]["code"] == -32603 {
            // The fixture panics when it is asked to.
            assert!(data.windows(5).any(|part| part == b"panic"), "{answer}");
        }
        answered.insert(answer["id"].to_string());
    }
    assert!(answered.len() <= data.split(|&byte| byte == b'\n').count() + 1);
});
