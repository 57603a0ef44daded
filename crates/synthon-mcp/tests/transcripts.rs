//! Runs the transcripts of `testdata/mcp` against the server over pipes.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write, pipe};
use std::path::Path;
use std::thread;

use serde_json::{Map, Value, json};
use synthon_mcp::{Settings, serve};
use synthon_tools::{ENGINE_VERSION, fixtures};

#[test]
fn framing() {
    run_file("framing.jsonl");
}

#[test]
fn opening() {
    run_file("opening.jsonl");
}

#[test]
fn legacy() {
    run_file("legacy.jsonl");
}

#[test]
fn modern() {
    run_file("modern.jsonl");
}

fn run_file(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mcp").join(name);
    let text = fs::read_to_string(&path).expect("the transcripts are in the repository");
    let mut faults = Vec::new();
    let mut connections = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a case is a JSON object");
        connections += 1;
        if let Err(fault) = run_case(&case) {
            faults.push(format!("{} ({}): {fault}", case["row"], case["what"]));
        }
    }
    assert!(connections > 0, "no cases in {name}");
    assert!(faults.is_empty(), "{} of {connections}:\n{}", faults.len(), faults.join("\n"));
}

fn run_case(case: &Value) -> Result<(), String> {
    let mut input = Vec::new();
    for message in case["send"].as_array().expect("send is a list") {
        input.extend(to_line(message));
    }
    let answers = converse(input);
    compare(case["expect"].as_array().expect("expect is a list"), &answers)
}

/// Sends everything, ends the input, and collects all answers.
fn converse(input: Vec<u8>) -> Vec<Value> {
    let (to_server, mut client_out) = pipe().expect("the system makes pipes");
    let (client_in, from_server) = pipe().expect("the system makes pipes");
    let settings = Settings { registry: fixtures::registry(), ..Settings::default() };
    let server = thread::spawn(move || serve(settings, to_server, from_server));
    let writer = thread::spawn(move || client_out.write_all(&input));
    let answers = BufReader::new(client_in)
        .lines()
        .map(|line| {
            let line = line.expect("the output is text");
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"))
        })
        .collect();
    writer.join().expect("writing does not panic").expect("the server reads its input");
    server.join().expect("the server does not panic").expect("the server starts");
    answers
}

fn to_line(message: &Value) -> Vec<u8> {
    let mut line = match message {
        Value::String(text) => {
            match text.strip_prefix("$INIT(").and_then(|t| t.strip_suffix(')')) {
                Some(version) => json!({
                    "jsonrpc": "2.0", "id": 1, "method": "initialize",
                    "params": {
                        "protocolVersion": version, "capabilities": {},
                        "clientInfo": {"name": "t", "version": "1"},
                    },
                })
                .to_string()
                .into_bytes(),
                None => text.clone().into_bytes(),
            }
        }
        Value::Object(object) if object.contains_key("$unended") => {
            return object["$unended"].as_str().expect("text").as_bytes().to_vec();
        }
        Value::Object(object) if object.contains_key("$bytes") => {
            let bytes = object["$bytes"].as_array().expect("bytes");
            bytes.iter().map(|byte| byte.as_u64().expect("a byte") as u8).collect()
        }
        Value::Object(object) if object.contains_key("$repeat") => {
            let part = |at: usize| object["$repeat"][at].as_str().expect("text");
            let times = object["$repeat"][2].as_u64().expect("a count") as usize;
            format!("{}{}{}", part(0), part(1).repeat(times), part(3)).into_bytes()
        }
        other => with_meta(other.clone()).to_string().into_bytes(),
    };
    line.push(b'\n');
    line
}

fn with_meta(value: Value) -> Value {
    match value {
        Value::String(text) if text == "$M" => json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }),
        Value::Object(object) => {
            object.into_iter().map(|(key, value)| (key, with_meta(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(with_meta).collect(),
        other => other,
    }
}

fn compare(expected: &[Value], answers: &[Value]) -> Result<(), String> {
    let mut queues: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for answer in answers {
        queues.entry(answer["id"].to_string()).or_default().push(answer);
    }
    for want in expected {
        let queue = queues.entry(want["id"].to_string()).or_default();
        if queue.is_empty() {
            return Err(format!("no answer like {want}"));
        }
        let got = queue.remove(0);
        if !matches(want, got) {
            return Err(format!("\n  wanted {want}\n  got    {got}"));
        }
    }
    match queues.values().flatten().next() {
        Some(extra) => Err(format!("unexpected answer {extra}")),
        None => Ok(()),
    }
}

fn matches(want: &Value, got: &Value) -> bool {
    match (want, got) {
        (Value::String(text), _) if text == "$any" => true,
        (Value::String(text), _) if text == "$V" => *got == ENGINE_VERSION,
        (Value::String(text), _) if text == "$S" => {
            let info = json!({"name": "synthon", "version": ENGINE_VERSION});
            *got == json!({"io.modelcontextprotocol/serverInfo": info})
        }
        (Value::String(text), Value::Array(tools)) if text == "$tools" => {
            let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str()).collect();
            names == [Some("count_atoms"), Some("slow_count")]
        }
        (Value::String(want), Value::String(got)) => match want.strip_suffix('*') {
            Some(start) => got.starts_with(start),
            None => want == got,
        },
        (Value::Object(want), Value::Object(got)) => objects_match(want, got),
        (Value::Array(want), Value::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(want, got)| matches(want, got))
        }
        _ => want == got,
    }
}

fn objects_match(want: &Map<String, Value>, got: &Map<String, Value>) -> bool {
    let more = want.contains_key("$more");
    let all = want
        .iter()
        .filter(|(key, _)| *key != "$more")
        .all(|(key, want)| got.get(key).is_some_and(|got| matches(want, got)));
    all && (more || got.len() == want.len())
}

/// Takes the lines of all transcripts, breaks each in a random place, and wants a connection that
/// still answers a well-formed request at the end, with nothing but JSON-RPC before it.
#[test]
fn broken_lines_never_break_the_connection() {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for name in ["framing.jsonl", "opening.jsonl", "legacy.jsonl", "modern.jsonl"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mcp").join(name);
        let text = fs::read_to_string(path).expect("the transcripts are in the repository");
        for case in text.lines() {
            let case: Value = serde_json::from_str(case).expect("a case is a JSON object");
            let sent = case["send"].as_array().expect("send is a list");
            lines.extend(sent.iter().map(to_line).filter(|line| line.len() < 10_000));
        }
    }
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = |limit: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % limit as u64) as usize
    };
    let mut input = Vec::new();
    for _ in 0..40 {
        for line in &lines {
            // Calls that take seconds would only make the test slow.
            if line.windows(10).any(|part| part == b"slow_count") {
                continue;
            }
            let mut line = line.clone();
            match below(4) {
                0 => line[..].rotate_left(1),
                1 => line.truncate(below(line.len())),
                2 => {
                    let at = below(line.len());
                    line[at] = below(256) as u8;
                }
                _ => {
                    let at = below(line.len());
                    line.insert(at, b"{}[]\",:\\0-e"[below(11)]);
                }
            }
            input.extend(line);
            input.push(b'\n');
        }
    }
    input.extend(to_line(&json!({
        "jsonrpc": "2.0", "id": "last", "method": "initialize", "params": {},
    })));
    let answers = converse(input);
    let last = answers.iter().filter(|answer| answer["id"] == "last").count();
    assert_eq!(last, 1);
    for answer in &answers {
        assert_eq!(answer["jsonrpc"], "2.0");
        assert!(answer.get("result").is_some() != answer.get("error").is_some(), "{answer}");
        let code = answer["error"]["code"].as_i64();
        assert!(
            code.is_none_or(|code| {
                [-32700, -32600, -32601, -32602, -32603, -32022].contains(&code)
            }),
            "{answer}"
        );
    }
}
